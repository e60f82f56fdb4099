//! The rows of a run: their times, their columns, and the sink that takes them.

use std::iter::Peekable;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rhei_equations::{LARGEST_PLAIN, Split, VarId};
use rhei_model::CompiledModel;
use rhei_numerics::Integrator;
use rhei_results::{Progress, Sink, WriteError};

use crate::options::Options;
use crate::running::Running;
use crate::stop::Stop;

/// Writes rows.
pub(crate) struct Recorder<'a> {
    recorded: Vec<VarId>,
    pub(crate) sink: Box<dyn Sink + 'a>,
    /// The times at which rows are still to be written.
    due: Peekable<Box<dyn Iterator<Item = f64>>>,
    row: Vec<f64>,
    /// Columns of large Integers, each with the variable of its low-order part.
    rests: Vec<(usize, VarId)>,
    /// Integers of the row that an `f64` cannot represent.
    integers: Vec<(usize, i64)>,
    /// Whether rows are written before and after each event.
    pub(crate) both_sides: bool,
}

impl<'a> Recorder<'a> {
    /// Takes the values of some variables.
    pub(crate) fn new(
        model: &CompiledModel,
        recorded: &[VarId],
        sink: Box<dyn Sink + 'a>,
        options: &Options,
    ) -> Recorder<'a> {
        let all = model.equations.rests();
        let rests = recorded.iter().enumerate().filter_map(|(place, v)| Some((place, all[v.index()]?)));
        Recorder {
            rests: rests.collect(),
            recorded: recorded.to_vec(),
            sink,
            due: options.output.times(options.start_time, options.stop_time).peekable(),
            row: Vec::new(),
            integers: Vec::new(),
            both_sides: options.output.has_both_sides(),
        }
    }

    /// The time of the row that is due next.
    pub(super) fn next_due(&mut self) -> Option<f64> {
        self.due.peek().copied()
    }

    /// Continues with the row of this time; without one if none is left.
    pub(super) fn go_on_with(&mut self, next: Option<f64>) {
        while self.due.next_if(|row| next.is_none_or(|next| *row < next)).is_some() {}
    }

    fn record(&mut self, t: f64, values: &[f64]) -> Result<(), Stop> {
        self.row.clear();
        // a negative zero is written as zero
        self.row.extend(self.recorded.iter().map(|v| values[v.index()] + 0.0));
        self.integers.clear();
        for &(place, rest) in &self.rests {
            let nearest = self.row[place];
            if nearest.abs() >= LARGEST_PLAIN {
                let whole = Split { nearest, rest: values[rest.index()] }.whole();
                self.integers.extend(whole.map(|whole| (place, whole)));
            }
        }
        self.sink.row_with_integers(t + 0.0, &self.row, &self.integers).map_err(Stop::Write)
    }

    /// Reports progress, and asks whether the run shall continue.
    fn progress(
        &mut self,
        model: &CompiledModel,
        time: f64,
        integrator: Option<&dyn Integrator>,
    ) -> Result<ControlFlow<()>, Stop> {
        let limit = || {
            let state = integrator?.limiting_state()?;
            Some(model.equations.variable(model.solvable.states[state].variable).name.as_str())
        };
        self.sink.progress(&Progress { time, limit: &limit }).map_err(Stop::Write)
    }
}

/// A borrowed sink, which its owner ends.
pub(crate) struct Lent<'a>(pub(crate) &'a mut dyn Sink);

impl Sink for Lent<'_> {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        self.0.row(time, values)
    }

    fn row_with_integers(
        &mut self,
        time: f64,
        values: &[f64],
        integers: &[(usize, i64)],
    ) -> Result<(), WriteError> {
        self.0.row_with_integers(time, values, integers)
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Result<ControlFlow<()>, WriteError> {
        self.0.progress(progress)
    }

    fn print(&mut self, text: &str) {
        self.0.print(text);
    }

    fn asked_to_end(&self) -> Option<Arc<AtomicBool>> {
        self.0.asked_to_end()
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}

impl Running<'_> {
    /// Reports progress, and asks whether the run shall continue.
    pub(crate) fn ask_to_go_on(&mut self) -> Result<(), Stop> {
        let integrator = self.integrating.integrator.as_deref();
        match self.recorder.progress(&self.model, self.time, integrator)? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Asked),
        }
    }

    /// A row of the values evaluated last.
    pub(crate) fn record(&mut self, t: f64) -> Result<(), Stop> {
        self.recorder.record(t, &self.problem.values)
    }

    /// Rows of a step that began at `from`, up to `t`, that at `t` itself only if `included`.
    pub(crate) fn write_rows(&mut self, from: f64, t: f64, included: bool) -> Result<(), Stop> {
        while let Some(row) = self.recorder.due.next_if(|row| *row < t || (included && *row == t)) {
            if self.integrating.integrator.is_some() || row != self.problem_time() {
                self.watch(from, row)?;
            }
            self.record(row)?;
        }
        Ok(())
    }

    /// The rows due up to `t`, with the present values.
    pub(crate) fn write_current(&mut self, t: f64) -> Result<(), Stop> {
        while self.recorder.due.next_if(|row| *row <= t).is_some() {
            self.record(t)?;
        }
        Ok(())
    }

    /// The row after an event, beside that before it.
    pub(crate) fn write_other_side(&mut self, t: f64) -> Result<(), Stop> {
        self.record(t)?;
        while self.recorder.due.next_if(|row| *row <= t).is_some() {}
        Ok(())
    }

    fn problem_time(&self) -> f64 {
        self.problem.values[self.model.code.time().index()]
    }
}
