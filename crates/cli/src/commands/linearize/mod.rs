//! `rhei linearize`: the model as matrices about a point of its run.

mod matrices;

use std::path::{Path, PathBuf};

use rhei_compiler::Configured;
use rhei_equations::number;
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use self::matrices::Matrices;
use super::simulate::nobody::Nobody;
use super::simulate::settings::run_options;
use super::{Exit, Usage, compile_set, exit_of_set, report};
use crate::arguments::{Common, Linearize, Simulate};
use crate::talk::Talk;

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    matrices: Option<Matrices>,
    diagnostics: Vec<ReportedDiagnostic>,
}

pub(crate) fn linearize(options: &Linearize, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let format = options.output.as_deref().map(Format::of).transpose()?;
    let (session, configured) = compile_set(&options.model, &options.how, common)?;
    let Configured { compilation: mut done, set, is_refused } = configured;
    report(talk, &session, &done);
    let mut found = None;
    if let Some(model) = done.model.clone().filter(|_| !done.has_errors()) {
        let start = model.equations.experiment.start_time.unwrap_or(0.0);
        let time = options.time.unwrap_or(start);
        if !(time.is_finite() && time >= start) {
            let (time, start) = (number(time), number(start));
            return Err(format!("--time: {time} is before the start time {start}"));
        }
        let run = Simulate::without_rows(&options.how, Some(time));
        let run = run_options(&run, &model, set, talk)?;
        let mut nobody = Nobody::watched();
        let (linear, diagnostics) = rhei_run::linearize(&model, &run, &mut nobody);
        if !talk.json {
            talk.diagnostics(&diagnostics, session.files());
        }
        done.diagnostics.extend(diagnostics);
        found = linear.map(|linear| Matrices::new(model.equations.name.clone(), linear));
    }
    let diagnostics = Report::new(&done.diagnostics, session.files()).diagnostics;
    let failed = found.is_none();
    let answer = Answer { matrices: found, diagnostics };
    if let (Some(format), Some(matrices)) = (&format, &answer.matrices) {
        let text = match format {
            Format::Csv(_) => matrices.csv(),
            Format::Json(_) => serde_json::to_string_pretty(&answer).unwrap_or_default() + "\n",
        };
        let path = format.path();
        std::fs::write(path, text).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    if talk.json {
        talk.answer(&answer);
    } else if let Some(matrices) = &answer.matrices {
        talk.print(matrices.text().trim_end());
    }
    Ok(exit_of_set(failed, is_refused))
}

/// A file for the matrices.
enum Format {
    Csv(PathBuf),
    Json(PathBuf),
}

impl Format {
    fn of(path: &Path) -> Result<Format, Usage> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Ok(Format::Csv(path.to_owned())),
            Some("json") => Ok(Format::Json(path.to_owned())),
            _ => Err(format!("`{}`: the file of a linearised model ends in .csv or .json", path.display())),
        }
    }

    fn path(&self) -> &Path {
        match self {
            Format::Csv(path) | Format::Json(path) => path,
        }
    }
}
