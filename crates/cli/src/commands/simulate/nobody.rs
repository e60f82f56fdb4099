//! Runs of which only the end counts.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rhei_results::{Progress, Sink, WriteError};

use super::interrupt::Interrupt;

/// Takes no rows; ends the run where it is interrupted.
pub(in crate::commands) struct Nobody {
    interrupt: Option<Interrupt>,
}

impl Nobody {
    /// From here on Ctrl-C ends the run, not the program.
    pub(in crate::commands) fn watched() -> Nobody {
        Nobody { interrupt: Interrupt::watch().ok() }
    }
}

impl Sink for Nobody {
    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), WriteError> {
        Ok(())
    }

    fn progress(&mut self, _: &Progress<'_>) -> Result<ControlFlow<()>, WriteError> {
        let is_over = self.interrupt.as_ref().is_some_and(Interrupt::is_asked);
        Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn asked_to_end(&self) -> Option<Arc<AtomicBool>> {
        self.interrupt.as_ref().map(Interrupt::flag)
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}
