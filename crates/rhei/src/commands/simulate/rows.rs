//! Where the rows of a run go: a file, and memory for the plot.

use std::path::{Path, PathBuf};

use rhei_equations::VarId;
use rhei_results::plot::{Plot, Size, Terminal, html, svg, terminal};
use rhei_results::{Columns, CsvFile, Sink, Trajectories, WriteError};
use rhei_simulate::{CompiledModel, Outcome, Status};
use rhei_source::Diagnostic;

use crate::arguments::Simulate;
use crate::commands::Usage;
use crate::keep::Names;
use crate::talk::Talk;

/// Where the rows go: a file, and memory for the plot.
pub(super) struct Results {
    /// All that is kept or drawn.
    pub(super) recorded: Vec<VarId>,
    file: Option<CsvFile>,
    /// How many of the recorded variables, which come first, go into the file.
    in_file: usize,
    curves: Option<(Trajectories, Vec<usize>)>,
}

impl Results {
    pub(super) fn create(
        options: &Simulate,
        model: &CompiledModel,
        keep: Option<&Names>,
        plotted: Option<&Names>,
    ) -> Result<Results, Usage> {
        // before the run, not after it
        options.plot_file.as_deref().map(Drawing::of).transpose()?;
        let (columns, mut recorded) = model.columns(|name| keep.is_none_or(|keep| keep.contains(name)));
        let in_file = recorded.len();
        let file = match &options.output {
            Some(path) => Some(create_file(path, &columns)?),
            None => None,
        };
        let curves = plotted.map(|names| {
            let (columns, drawn) = model.columns(|name| names.contains(name));
            let places = drawn.iter().map(|v| {
                recorded.iter().position(|known| known == v).unwrap_or_else(|| {
                    recorded.push(*v);
                    recorded.len() - 1
                })
            });
            let places = places.collect();
            (Trajectories::new(columns), places)
        });
        Ok(Results { recorded, file, in_file, curves })
    }

    /// Ends the file, and draws.
    pub(super) fn close(self, outcome: &mut Outcome, options: &Simulate, talk: &Talk) {
        if let Some(file) = self.file {
            let done = if outcome.status == Status::Failed {
                file.keep_partial().map(Some)
            } else {
                file.finish().map(|()| None)
            };
            match done {
                Ok(Some(kept)) => {
                    talk.say(&format!("what was computed until then is in `{}`", kept.display()))
                }
                Ok(None) => {}
                Err(error) => fail_writing(outcome, &error),
            }
        }
        let Some((curves, _)) = self.curves else { return };
        let names: Vec<String> = curves.columns().iter().map(|column| column.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Ok(plot) = Plot::of(&curves, &names) else { return };
        match &options.plot_file {
            None => talk.say(&terminal(&plot, Terminal { colours: talk.colored, ..Terminal::default() })),
            Some(path) => {
                let drawing = match Drawing::of(path) {
                    Ok(Drawing::Html) => html(&plot, Size::default()),
                    _ => svg(&plot, Size::default()),
                };
                if let Err(error) = write_whole(path, &drawing) {
                    let message = format!("cannot write `{}`: {error}", path.display());
                    outcome.status = Status::Failed;
                    outcome.diagnostics.push(Diagnostic::error("result-not-written", message));
                }
            }
        }
    }
}

/// What a drawing is written as.
enum Drawing {
    Svg,
    Html,
}

impl Drawing {
    fn of(path: &Path) -> Result<Drawing, Usage> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Drawing::Svg),
            Some("html") => Ok(Drawing::Html),
            _ => Err(format!("--plot-file: `{}` ends neither in .svg nor in .html", path.display())),
        }
    }
}

fn create_file(path: &Path, columns: &Columns) -> Result<CsvFile, Usage> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => CsvFile::create(path, columns).map_err(|error| error.to_string()),
        Some("mat") => Err(format!("`{}`: MAT files are not supported yet, .csv is", path.display())),
        _ => Err(format!("`{}`: a result file ends in .csv", path.display())),
    }
}

/// Beside it first, then in its place: a file is whole or not there.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".partial");
    let beside = PathBuf::from(beside);
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

fn fail_writing(outcome: &mut Outcome, error: &WriteError) {
    outcome.status = Status::Failed;
    outcome.diagnostics.push(Diagnostic::error("result-not-written", error.to_string()));
}

impl Sink for Results {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        if let Some(file) = &mut self.file {
            file.row(time, &values[..self.in_file])?;
        }
        if let Some((curves, places)) = &mut self.curves {
            let drawn: Vec<f64> = places.iter().map(|&place| values[place]).collect();
            curves.push(time, &drawn);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        self.file.map_or(Ok(()), CsvFile::finish)
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        self.file.map(CsvFile::keep_partial).transpose()
    }
}
