//! A run that is watched, and may be ended, from another thread.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rhei_results::{Progress as Step, Sink, WriteError};

/// A hand on a run, for any thread: it says how far the run is, and can end it. Clones are one hand; give one of them to
/// [`Experiment::watch`](crate::Experiment::watch).
#[derive(Clone, Debug, Default)]
pub struct Watch {
    interrupt: Arc<AtomicBool>,
    seen: Arc<Seen>,
}

/// How far the run is. It is written by the run alone; numbers of two steps may be read together.
#[derive(Debug, Default)]
struct Seen {
    /// Steps; nothing else is known before the first.
    steps: AtomicU64,
    /// The bits of the times.
    time: AtomicU64,
    start: AtomicU64,
    stop: AtomicU64,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The time reached.
    pub time: f64,
    /// Which part of the run that is, from 0 to 1.
    pub share: f64,
    /// How many steps it took.
    pub steps: u64,
}

impl Watch {
    /// A hand on no run yet.
    pub fn new() -> Watch {
        Watch::default()
    }

    /// The same where a flag that somebody else sets, a handler of signals for example, ends the run.
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

    /// What is set when the run is asked to end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// How far the run is; nothing before its first step.
    pub fn progress(&self) -> Option<Progress> {
        let steps = self.seen.steps.load(Ordering::Acquire);
        let read = |number: &AtomicU64| f64::from_bits(number.load(Ordering::Relaxed));
        let (time, start, stop) = (read(&self.seen.time), read(&self.seen.start), read(&self.seen.stop));
        let share = if stop > start { ((time - start) / (stop - start)).clamp(0.0, 1.0) } else { 1.0 };
        (steps > 0).then_some(Progress { time, share, steps })
    }

    /// A run begins that lasts so long.
    pub(crate) fn begin(&self, start: f64, stop: f64) {
        self.seen.start.store(start.to_bits(), Ordering::Relaxed);
        self.seen.stop.store(stop.to_bits(), Ordering::Relaxed);
        self.seen.steps.store(0, Ordering::Release);
    }

    /// The run has come to this time.
    pub(crate) fn reach(&self, time: f64) {
        self.seen.time.store(time.to_bits(), Ordering::Relaxed);
    }

    /// The run is about to take a step; whether it goes on.
    pub(crate) fn step(&self, time: f64) -> ControlFlow<()> {
        self.seen.time.store(time.to_bits(), Ordering::Relaxed);
        self.seen.steps.fetch_add(1, Ordering::Release);
        if self.is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// A sink that somebody watches, and that its owner ends.
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

/// Takes no rows: for a run of which only the end counts.
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
