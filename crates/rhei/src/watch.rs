//! Observation of a run from another thread, which may end it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rhei_results::{Progress as Step, Sink, WriteError};

/// A handle of a run, for any thread: it reports progress, and can end the run. Clones are one handle; give one of them
/// to [`Experiment::watch`](crate::Experiment::watch).
#[derive(Clone, Debug, Default)]
pub struct Watch {
    interrupt: Arc<AtomicBool>,
    seen: Arc<Seen>,
}

/// The progress of the run. It is written by the run alone; numbers of two steps may be read together.
#[derive(Debug, Default)]
struct Seen {
    /// Number of steps; the other fields are valid from the first on.
    steps: AtomicU64,
    /// The bits of the times.
    time: AtomicU64,
    start: AtomicU64,
    stop: AtomicU64,
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The time reached.
    pub time: f64,
    /// The share of the run, from 0 to 1.
    pub share: f64,
    /// Number of steps.
    pub steps: u64,
}

impl Watch {
    /// A handle of no run yet.
    pub fn new() -> Watch {
        Watch::default()
    }

    /// The same with a flag of the caller, set by a signal handler for example, that ends the run.
    pub fn interrupted_by(interrupt: Arc<AtomicBool>) -> Watch {
        Watch { interrupt, ..Watch::default() }
    }

    /// Asks the run to end soon; it keeps what it has.
    pub fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// Whether the run was asked to end.
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }

    /// The flag that asks the run to end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// The progress of the run; none before its first step.
    pub fn progress(&self) -> Option<Progress> {
        let steps = self.seen.steps.load(Ordering::Acquire);
        let read = |number: &AtomicU64| f64::from_bits(number.load(Ordering::Relaxed));
        let (time, start, stop) = (read(&self.seen.time), read(&self.seen.start), read(&self.seen.stop));
        let share = if stop > start { ((time - start) / (stop - start)).clamp(0.0, 1.0) } else { 1.0 };
        (steps > 0).then_some(Progress { time, share, steps })
    }

    /// Records the beginning of a run.
    pub(crate) fn begin(&self, start: f64, stop: f64) {
        self.seen.start.store(start.to_bits(), Ordering::Relaxed);
        self.seen.stop.store(stop.to_bits(), Ordering::Relaxed);
        self.seen.steps.store(0, Ordering::Release);
    }

    /// Records the time reached.
    pub(crate) fn reach(&self, time: f64) {
        self.seen.time.store(time.to_bits(), Ordering::Relaxed);
    }

    /// Records a step; says whether the run continues.
    pub(crate) fn step(&self, time: f64) -> ControlFlow<()> {
        self.seen.time.store(time.to_bits(), Ordering::Relaxed);
        self.seen.steps.fetch_add(1, Ordering::Release);
        if self.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A sink with a handle, which its owner ends.
pub(crate) struct Watched<'a> {
    pub(crate) watch: Watch,
    pub(crate) sink: &'a mut dyn Sink,
}

impl Sink for Watched<'_> {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        self.sink.row(time, values)
    }

    fn row_with_integers(
        &mut self,
        time: f64,
        values: &[f64],
        integers: &[(usize, i64)],
    ) -> Result<(), WriteError> {
        self.sink.row_with_integers(time, values, integers)
    }

    fn progress(&mut self, step: &Step<'_>) -> Result<ControlFlow<()>, WriteError> {
        match self.watch.step(step.time) {
            ControlFlow::Break(()) => Ok(ControlFlow::Break(())),
            ControlFlow::Continue(()) => self.sink.progress(step),
        }
    }

    fn print(&mut self, text: &str) {
        self.sink.print(text);
    }

    fn asked_to_end(&self) -> Option<Arc<AtomicBool>> {
        Some(self.watch.flag())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}

/// A sink that drops its rows: for a run of which only the end counts.
pub(crate) struct Nobody;

impl Sink for Nobody {
    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), WriteError> {
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}
