//! One file per command.

mod balance_advise;
mod check;
mod clocked_inverse;
mod flatten;
mod linearize;
mod parse;
mod simulate;
mod states;

use std::sync::Arc;

use rhei_compiler::{Compilation, Configured, Session, Target};
use rhei_library::default_roots;
use rhei_source::Disk;

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

/// What is wrong with the way the program was called.
pub(crate) type Usage = String;

/// A session with the libraries asked for.
fn session(common: &Common) -> Session {
    let roots = default_roots(&Disk, common.library_path.iter().cloned());
    Session::new(Arc::new(Disk), roots)
}

/// The model asked for, as far as it can be compiled.
fn compile(model: &Model, common: &Common) -> Result<(Session, Compilation), Usage> {
    let mut session = session(common);
    let target = Target::of(&model.model, &Disk);
    let done = session.compile(target, model.name.as_deref()).map_err(|unreadable| unreadable.to_string())?;
    Ok((session, done))
}

/// The same with other values for parameters.
fn compile_set(model: &Model, how: &HowToRun, common: &Common) -> Result<(Session, Configured), Usage> {
    let mut session = session(common);
    let target = Target::of(&model.model, &Disk);
    let done = session.compile_set(target, model.name.as_deref(), &how.set);
    Ok((session, done.map_err(|unreadable| unreadable.to_string())?))
}

/// Says what there is to say about a compilation, to people.
fn report(talk: &Talk, session: &Session, done: &Compilation) {
    if !talk.json {
        talk.diagnostics(&done.diagnostics, session.files());
    }
    talk.passes(&done.timings);
}

fn exit(refused: bool) -> Exit {
    if refused { Exit::ModelAtFault } else { Exit::Fine }
}

/// The same where a setting may be at fault, and not the model.
fn exit_of_set(failed: bool, is_refused: bool) -> Exit {
    if is_refused { Exit::WrongUsage } else { exit(failed) }
}
