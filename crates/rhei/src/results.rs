//! The results of a run.

use std::path::Path;

use rhei_results::{Trajectories, WriteError, create_file};
use rhei_source::{Files, Style, render};

use crate::Outcome;

/// The rows and the outcome of a run.
#[derive(Clone, Debug)]
pub struct Results {
    rows: Trajectories,
    /// The outcome.
    pub outcome: Outcome,
    files: Files,
}

impl Results {
    pub(crate) fn new(rows: Trajectories, outcome: Outcome, files: Files) -> Results {
        Results { rows, outcome, files }
    }

    /// Whether it came to its stop time, or was ended by a `terminate` of the model.
    pub fn is_complete(&self) -> bool {
        self.outcome.is_complete()
    }

    /// The messages of the run, as text for people.
    pub fn messages(&self) -> String {
        let said = self.outcome.diagnostics.iter().map(|said| render(said, &self.files, Style::Plain));
        said.collect::<Vec<_>>().join("\n")
    }

    /// The times of the rows; the same one twice at an event.
    pub fn time(&self) -> &[f64] {
        self.rows.time()
    }

    /// The values of a variable, one for each row.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        self.rows.get(name)
    }

    /// The last value of a variable.
    pub fn last(&self, name: &str) -> Option<f64> {
        self.rows.get(name)?.last().copied()
    }

    /// The value of a variable at a time: interpolated between rows, or held if it is discrete.
    pub fn value_at(&self, name: &str, t: f64) -> Option<f64> {
        self.rows.value_at(name, t)
    }

    /// All rows.
    pub fn rows(&self) -> &Trajectories {
        &self.rows
    }

    /// Writes a file in the format that the ending of its name asks for, `.csv` or `.mat`.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let mut file = create_file(path.as_ref(), self.rows.columns())?;
        let mut row = Vec::new();
        for (place, &t) in self.rows.time().iter().enumerate() {
            row.clear();
            row.extend((0..self.rows.columns().len()).map(|column| self.rows.column(column)[place]));
            file.row(t, &row)?;
        }
        file.finish()
    }
}
