//! One file per command.

mod check;
mod flatten;
mod parse;
mod simulate;
mod states;

use std::path::Path;
use std::sync::Arc;

use rhei_compiler::{Compilation, Session};
use rhei_source::{Diagnostic, Disk};

use crate::arguments::Model;
use crate::talk::Talk;

pub(crate) use check::check;
pub(crate) use flatten::flatten;
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

/// The model asked for, as far as it can be compiled.
fn compile(model: &Model) -> Result<(Session, Compilation), Usage> {
    let mut session = Session::new(Arc::new(Disk));
    let path = Path::new(&model.model);
    let done = if path.exists() || path.extension().is_some_and(|extension| extension == "mo") {
        session.compile(path, model.name.as_deref()).map_err(|unreadable| unreadable.to_string())?
    } else {
        let message =
            format!("the class `{}` of a library is not supported yet: give the file it is in", model.model);
        Compilation {
            diagnostics: vec![Diagnostic::error("not-supported-yet", message)],
            ..Compilation::default()
        }
    };
    Ok((session, done))
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
