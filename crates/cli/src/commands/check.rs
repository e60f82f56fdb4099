//! `rhei check`: all diagnostics, nothing run.

use rhei::Size;
use rhei_source::Report;

use super::{Exit, Usage, compile, exit, explain_files};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

pub(crate) fn check(model: &Model, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let done = compile(model, &[], common, talk)?;
    explain_files(talk, &done.files);
    if talk.json {
        talk.answer(&Report::new(&done.diagnostics, &done.files));
    } else if let Some(Size { equations, unknowns }) = done.size
        && !done.has_errors()
    {
        let equation = if equations == 1 { "equation" } else { "equations" };
        let name = &done.name;
        talk.say(&format!(
            "{name}: {equations} {equation} for {unknowns} unknowns and derivatives, no mistakes"
        ));
    }
    Ok(exit(done.has_errors()))
}
