//! Options without effect: wrong usage, so that nobody relies on them.

use crate::arguments::{Arguments, Command, Common, HowToRun, Linearize, States};
use crate::keep::Names;

/// The first option that has no effect, and why.
pub(crate) fn needless(arguments: &Arguments) -> Result<(), String> {
    if arguments.common.allow_external {
        return refuse("--allow-external", "external C code is not loaded yet");
    }
    if let Some(missing) = arguments.common.library_path.iter().find(|path| !path.is_dir()) {
        return Err(format!("--library-path: there is no folder `{}`", missing.display()));
    }
    match &arguments.command {
        Command::Simulate(options) => of_names(&[("--keep", &options.keep), ("--plot", &options.plot)]),
        Command::States(options) => of_states(options, &arguments.common),
        Command::Linearize(options) => of_linearize(options),
        _ => Ok(()),
    }
}

fn of_states(options: &States, common: &Common) -> Result<(), String> {
    if options.all && common.json {
        return refuse("--all", "`--json` lists every variable");
    }
    if options.all_modes == Some(0) {
        return Err("`--all-modes` must be at least 1".into());
    }
    match options.stop_time {
        _ if options.runs() => Ok(()),
        Some(_) => refuse("--stop-time", "nothing is run without `--run` or `--advise`"),
        None => of_run(&options.how, "nothing is run without `--run` or `--advise`"),
    }
}

/// Empty names.
fn of_names(lists: &[(&str, &Option<String>)]) -> Result<(), String> {
    let empty =
        lists.iter().find(|(_, names)| names.as_ref().is_some_and(|names| Names::parse(names).0.is_empty()));
    empty.map_or(Ok(()), |(option, _)| Err(format!("{option}: no variable is named")))
}

/// At its start a model is not integrated.
fn of_linearize(options: &Linearize) -> Result<(), String> {
    match options.time {
        Some(_) => Ok(()),
        None => of_run(&options.how, "nothing is integrated without `--time`"),
    }
}

/// Options that matter only for a run.
fn of_run(how: &HowToRun, because: &str) -> Result<(), String> {
    match how {
        HowToRun { tolerance: Some(_), .. } => refuse("--tolerance", because),
        HowToRun { method: Some(_), .. } => refuse("--method", because),
        _ => Ok(()),
    }
}

fn refuse(option: &str, because: &str) -> Result<(), String> {
    Err(format!("`{option}` has no effect here: {because}"))
}
