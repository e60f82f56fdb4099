//! Options without effect: wrong usage, so that nobody relies on them.

use crate::arguments::{Common, HowToRun};
use crate::commands::Usage;

/// An option of every command that has no effect, and why.
pub(crate) fn everywhere(common: &Common) -> Result<(), Usage> {
    if common.allow_external {
        return refuse("--allow-external", "external C code is not loaded yet");
    }
    match common.library_path.iter().find(|path| !path.is_dir()) {
        Some(missing) => Err(format!("--library-path: there is no folder `{}`", missing.display())),
        None => Ok(()),
    }
}

/// What matters only where a model is run.
pub(crate) fn of_run(how: &HowToRun, because: &str) -> Result<(), Usage> {
    match how {
        HowToRun { tolerance: Some(_), .. } => refuse("--tolerance", because),
        HowToRun { method: Some(_), .. } => refuse("--method", because),
        _ => Ok(()),
    }
}

pub(crate) fn refuse(option: &str, because: &str) -> Result<(), Usage> {
    Err(format!("`{option}` has no effect here: {because}"))
}
