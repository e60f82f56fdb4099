//! Destinations of rows while a run is under way.

use std::fmt;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Takes the rows of a run, in the order of time. Two rows at one time are the two sides of an event.
pub trait Sink {
    /// Takes a row: one value per column, Booleans as 1 and 0, enumerations as their number.
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError>;

    /// Takes a row with Integers beyond 2^53, by their places, ascending; their values are the numbers next to them. Who has no better
    /// use for them takes those.
    fn row_with_integers(
        &mut self,
        time: f64,
        values: &[f64],
        integers: &[(usize, i64)],
    ) -> Result<(), WriteError> {
        let _ = integers;
        self.row(time, values)
    }

    /// The run took a step, with or without a row: time to write out the buffer, to show how far it is, or, by
    /// `Break`, to end it here.
    fn progress(&mut self, progress: &Progress<'_>) -> Result<ControlFlow<()>, WriteError> {
        let _ = progress;
        Ok(ControlFlow::Continue(()))
    }

    /// The model prints a line, or several.
    fn print(&mut self, text: &str) {
        let _ = text;
    }

    /// A flag that asks the run to end: it is looked at when the run works for long without a step.
    fn asked_to_end(&self) -> Option<Arc<AtomicBool>> {
        None
    }

    /// The run came to its end: everything is written out and takes its final place.
    fn finish(self: Box<Self>) -> Result<(), WriteError>;

    /// The run ended early: the rows so far are kept where [`Sink::finish`] would put them. Answers that path,
    /// where something is kept, so that it can be said. Without a row nothing is kept, nor put in the place of an
    /// older file; after a failure to write nothing is done.
    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError>;
}

/// How far a run is.
pub struct Progress<'a> {
    /// The time reached.
    pub time: f64,
    /// The name of the variable that keeps the steps short, looked for only when asked.
    pub limit: &'a dyn Fn() -> Option<&'a str>,
}

/// A file that could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// Which file.
    pub path: PathBuf,
    /// The failed action: `create`, `write`, `rename`.
    pub action: &'static str,
    /// The error of the operating system.
    pub source: io::Error,
    /// Rows that the file holds all the same.
    pub kept: Option<Kept>,
}

/// The rows in a file that ends too early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept {
    /// How many.
    pub rows: u64,
    /// The time of the last one.
    pub until: f64,
}

impl WriteError {
    /// Makes an `io::Error` a `WriteError` about a path.
    pub(crate) fn at<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> WriteError + 'a {
        move |source| WriteError { path: path.to_owned(), action, source, kept: None }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`: {}", self.action, self.path.display(), self.source)?;
        match self.kept {
            Some(Kept { rows, until }) => write!(f, "; it keeps the {rows} rows up to t = {until}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}
