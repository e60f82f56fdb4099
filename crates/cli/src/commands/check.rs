//! `rhei check`: all diagnostics, nothing run.

use rhei_source::Report;

use super::{Exit, Usage, compile, exit, report};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

pub(crate) fn check(model: &Model, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let (session, done) = compile(model, common)?;
    report(talk, &session, &done);
    if talk.json {
        talk.answer(&Report::new(&done.diagnostics, session.files()));
    } else if let Some(equations) = &done.equations
        && !done.has_errors()
    {
        let unknowns = equations.variables.iter().filter(|variable| variable.is_unknown()).count();
        let n = equations.equations.len();
        let equation = if n == 1 { "equation" } else { "equations" };
        talk.say(&format!(
            "{}: {n} {equation} for {unknowns} unknowns and derivatives, no mistakes",
            equations.name
        ));
    }
    Ok(exit(done.has_errors()))
}
