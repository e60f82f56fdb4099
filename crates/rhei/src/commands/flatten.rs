//! `rhei flatten`: the flat model, as Modelica.

use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use super::{Exit, Usage, compile, exit, report};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    flat: Option<String>,
    diagnostics: Vec<ReportedDiagnostic>,
}

pub(crate) fn flatten(model: &Model, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let (session, done) = compile(model, common)?;
    report(talk, &session, &done);
    let flat = done.flat.as_ref().map(ToString::to_string);
    if talk.json {
        let diagnostics = Report::new(&done.diagnostics, session.files()).diagnostics;
        talk.answer(&Answer { flat: flat.clone(), diagnostics });
    } else if let Some(flat) = &flat {
        talk.print(flat.trim_end());
    }
    // a flat model that cannot be solved is still a flat model
    Ok(exit(flat.is_none()))
}
