//! One file per command.

mod balance_advise;
mod check;
mod clocked_inverse;
mod flatten;
mod linearize;
mod parse;
mod simulate;
mod states;

use std::time::Duration;

use rhei::{Compilation, Experiment, Session};
use rhei_source::{Diagnostic, Files};

use crate::arguments::{Common, HowToRun, Model};
use crate::talk::Talk;

pub(crate) use balance_advise::balance_advise;
pub(crate) use check::check;
pub(crate) use clocked_inverse::clocked_inverse;
pub(crate) use flatten::flatten;
pub(crate) use linearize::linearize;
pub(crate) use parse::parse;
pub(crate) use simulate::simulate;
pub(crate) use states::states;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Fine = 0,
    ModelAtFault = 1,
    WrongUsage = 2,
}

/// A mistake in the call of the program.
pub(crate) type Usage = String;

/// A session with the libraries asked for.
fn session(common: &Common) -> Session {
    Session::with_libraries(common.library_path.iter().cloned())
}

/// The model asked for, as far as it can be compiled; its diagnostics go to people.
fn compile(model: &Model, set: &[String], common: &Common, talk: &Talk) -> Result<Compilation, Usage> {
    let done = session(common).check(&model.model, model.name.as_deref(), set);
    let done = done.map_err(|unreadable| unreadable.to_string())?;
    report(talk, &done.diagnostics, &done.files, &done.timings);
    Ok(done)
}

/// Reports the diagnostics and timings of a compilation to people.
fn report(talk: &Talk, said: &[Diagnostic], files: &Files, timings: &[(&'static str, Duration)]) {
    if !talk.json {
        talk.diagnostics(said, files);
    }
    talk.passes(timings);
}

/// Reports the number of files read, with `--verbose`, if there are no settings to explain.
fn explain_files(talk: &Talk, files: &Files) {
    let read = if files.len() == 1 { "1 file".into() } else { format!("{} files", files.len()) };
    talk.explain(&format!("{read} read"));
}

impl HowToRun {
    /// A run to this time, as it is asked for.
    fn until(&self, stop_time: Option<f64>) -> Experiment {
        Experiment { stop_time, tolerance: self.tolerance, method: self.method, ..Experiment::default() }
    }
}

fn exit(refused: bool) -> Exit {
    if refused { Exit::ModelAtFault } else { Exit::Fine }
}

/// The same if a setting may be at fault instead of the model.
fn exit_of_set(failed: bool, is_refused: bool) -> Exit {
    if is_refused { Exit::WrongUsage } else { exit(failed) }
}
