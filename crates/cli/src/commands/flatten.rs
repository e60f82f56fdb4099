//! `rhei flatten`: the flat model, as Modelica.

use rhei_compiler::Target;
use rhei_source::{Disk, Report, ReportedDiagnostic};
use serde::Serialize;

use super::{Exit, Usage, exit, report, session};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

#[derive(Serialize)]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    flat: Option<String>,
    diagnostics: Vec<ReportedDiagnostic>,
}

pub(crate) fn flatten(model: &Model, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let mut session = session(common);
    let target = Target::of(&model.model, &Disk);
    // a flat model that cannot be solved is still a flat model
    let done = session.flatten(target, model.name.as_deref()).map_err(|unreadable| unreadable.to_string())?;
    report(talk, &session, &done);
    let flat = done.flat.as_ref().map(ToString::to_string);
    if talk.json {
        let diagnostics = Report::new(&done.diagnostics, session.files()).diagnostics;
        talk.answer(&Answer { flat: flat.clone(), diagnostics });
    } else if let Some(flat) = &flat {
        talk.print(flat.trim_end());
    }
    Ok(exit(flat.is_none()))
}
