//! `rhei flatten`: the flat model, as Modelica.

use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use super::{Exit, Usage, exit, explain_files, report, session};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    flat: Option<String>,
    diagnostics: Vec<ReportedDiagnostic>,
}

pub(crate) fn flatten(model: &Model, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    // a flat model that cannot be solved is still a flat model
    let done = session(common).flatten(&model.model, model.name.as_deref());
    let done = done.map_err(|unreadable| unreadable.to_string())?;
    report(talk, &done.diagnostics, &done.files, &done.timings);
    explain_files(talk, &done.files);
    let is_refused = done.text.is_none();
    if talk.json {
        let diagnostics = Report::new(&done.diagnostics, &done.files).diagnostics;
        talk.answer(&Answer { flat: done.text, diagnostics });
    } else if let Some(text) = &done.text {
        talk.print(text.trim_end());
    }
    Ok(exit(is_refused))
}
