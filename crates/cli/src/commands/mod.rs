//! The list of the commands; each has a file with its options and what it does.

mod balance_advise;
mod check;
mod clocked_inverse;
mod compile;
mod flatten;
mod linearize;
mod parse;
mod simulate;
mod states;

use std::time::Duration;

use clap::Subcommand;
use rhei::{Compilation, Experiment, Session};
use rhei_source::{Diagnostic, Files};

use crate::arguments::{Common, HowToRun, Model};
use crate::talk::Talk;

macro_rules! commands {
    ($($(#[$help:meta])* $command:ident($options:ty) $run:path;)*) => {
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command { $($(#[$help])* $command(Box<$options>)),* }

        impl Command {
            /// Does what is asked for.
            pub(crate) fn run(&self, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
                match self { $(Command::$command(options) => $run(options, common, talk)),* }
            }
        }
    };
}

// in the order of the help, which takes the texts
commands! {
    /// Run a model and write its curves
    Simulate(simulate::Simulate) simulate::simulate;
    /// Which variables are the states, and why
    States(states::States) states::states;
    /// The model as matrices A, B, C, D about a point of its run
    Linearize(linearize::Linearize) linearize::linearize;
    /// Which artificial states and loops would better be balances
    BalanceAdvise(balance_advise::BalanceAdvise) balance_advise::balance_advise;
    /// The inverse of a model as a block that ticks, for a controller
    ClockedInverse(clocked_inverse::ClockedInverse) clocked_inverse::clocked_inverse;
    /// All that can be said about a model without running it
    Check(Model) check::check;
    /// Write the compiled model to a file, which runs elsewhere without its sources
    Compile(compile::Compile) compile::compile;
    /// The flat model, as Modelica
    Flatten(Model) flatten::flatten;
    /// Check the syntax of files; folders are walked
    Parse(parse::Parse) parse::parse;
}

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
    let session = Session::with_libraries(common.library_path.iter().cloned());
    match Session::default_cache().filter(|_| !common.no_cache) {
        Some(folder) => session.with_cache(folder),
        None => session,
    }
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
