//! `rhei linearize`: the model as matrices about a point of its run.

mod matrices;

use std::path::{Path, PathBuf};

use rhei::{WrongExperiment, number};
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use self::matrices::Matrices;
use super::simulate::interrupt;
use super::simulate::settings::{explain, in_words};
use super::{Exit, Usage, compile, exit_of_set};
use crate::arguments::{Common, Linearize};
use crate::talk::Talk;

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    matrices: Option<Matrices>,
    diagnostics: Vec<ReportedDiagnostic>,
}

pub(crate) fn linearize(options: &Linearize, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let format = options.output.as_deref().map(Format::of).transpose()?;
    let done = compile(&options.model, &options.how.set, common, talk)?;
    let mut said = done.diagnostics.clone();
    let mut found = None;
    if let Some(model) = done.model() {
        let experiment = interrupt::watched(options.how.until(options.time));
        let linear = model.linearize(&experiment).map_err(|wrong| match wrong {
            WrongExperiment::StopBeforeStart { start, stop } => {
                format!("--time: {} is before the start time {}", number(stop), number(start))
            }
            wrong => in_words(&wrong),
        })?;
        explain(&linear.run, talk);
        if !talk.json {
            talk.diagnostics(&linear.diagnostics, &done.files);
        }
        said.extend(linear.diagnostics);
        found = linear.matrices.map(|linear| Matrices::new(model.name().to_owned(), linear));
    }
    let diagnostics = Report::new(&said, &done.files).diagnostics;
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
    Ok(exit_of_set(failed, done.blames_settings))
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
