//! Where rows go whose run is only measured.

use std::ops::ControlFlow;
use std::path::PathBuf;

use rhei_results::sink::{Progress, Sink, WriteError};

/// Takes rows and forgets them.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere;

impl Sink for Nowhere {
    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), WriteError> {
        Ok(())
    }

    fn progress(&mut self, _: &Progress<'_>) -> Result<ControlFlow<()>, WriteError> {
        Ok(ControlFlow::Continue(()))
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}
