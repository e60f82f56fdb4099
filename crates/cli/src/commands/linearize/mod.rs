//! `rhei linearize`: the model as matrices about a point of its run.

mod matrices;

use std::path::{Path, PathBuf};

use clap::Args;
use rhei::{ByEnding, WrongExperiment, number};
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use self::matrices::Matrices;
use super::simulate::interrupt;
use super::simulate::settings::{explain, in_words};
use super::{Exit, Usage, compile, exit_of_set};
use crate::arguments::{Common, HowToRun, Model};
use crate::needless::of_run;
use crate::talk::Talk;

#[derive(Debug, Args)]
pub(crate) struct Linearize {
    #[command(flatten)]
    pub(crate) model: Model,
    /// When: the model is run until then; its start where this is left out
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    #[command(flatten)]
    pub(crate) how: HowToRun,
    #[arg(short, long, value_name = "FILE", help = format!("Where the matrices go, {MATRIX_FILES}"))]
    pub(crate) output: Option<PathBuf>,
}

impl Linearize {
    /// At its start a model is not integrated.
    fn check(&self) -> Result<(), Usage> {
        match self.time {
            Some(_) => Ok(()),
            None => of_run(&self.how, "nothing is integrated without `--time`"),
        }
    }
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    matrices: Option<Matrices>,
    diagnostics: Vec<ReportedDiagnostic>,
}

/// How the matrices are written into each kind of file.
const MATRIX_FILES: ByEnding<fn(&Answer, &Matrices) -> String> = ByEnding(&[
    ("csv", |_, matrices| matrices.csv()),
    ("json", |answer, _| serde_json::to_string_pretty(answer).unwrap_or_default() + "\n"),
]);

/// The way of writing that the ending of a name asks for.
fn writer(path: &Path) -> Result<fn(&Answer, &Matrices) -> String, Usage> {
    let unknown = || format!("`{}`: the file of a linearised model ends in {MATRIX_FILES}", path.display());
    MATRIX_FILES.of(path).copied().ok_or_else(unknown)
}

pub(crate) fn linearize(options: &Linearize, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    options.check()?;
    let write = options.output.as_deref().map(writer).transpose()?;
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
    if let (Some(path), Some(write), Some(matrices)) = (&options.output, write, &answer.matrices) {
        let written = std::fs::write(path, write(&answer, matrices));
        written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    if talk.json {
        talk.answer(&answer);
    } else if let Some(matrices) = &answer.matrices {
        talk.print(matrices.text().trim_end());
    }
    Ok(exit_of_set(failed, done.blames_settings))
}
