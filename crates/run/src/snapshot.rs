//! A copy of a run at one time, from which it can be continued any number of times.
//!
//! The whole state of a run is copied: values, modes, state sets, clocks, delays, the memory of events and asserts, and the
//! integrator with its history. The integrators of `diffsol` cannot be copied: a run continued with one of them restarts it at
//! the saved point.

use std::path::PathBuf;

use rhei_equations::VarId;
use rhei_results::{Sink, WriteError};

use crate::recorder::Recorder;
use crate::running::Running;
use crate::stepping::Stepping;
use crate::stop::Stop;

/// The state of a run at one time.
pub struct Snapshot {
    running: Running<'static>,
    /// The time of the row that is due next.
    next_row: Option<f64>,
}

/// A sink that drops its rows.
struct NoRows;

impl Sink for NoRows {
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

impl Snapshot {
    /// The time it was taken at.
    pub fn time(&self) -> f64 {
        self.running.time
    }
}

impl Stepping {
    /// The present state of the run; none if it has ended, or if some variables have no value.
    pub fn save(&mut self) -> Option<Snapshot> {
        if self.ended.is_some() {
            return None;
        }
        let time = self.running.time;
        self.running.evaluate(time).ok()?;
        let next_row = self.running.recorder.next_due();
        let silent = Recorder::new(&self.running.model, &[], Box::new(NoRows), &self.running.options);
        Some(Snapshot { running: self.running.copied(silent), next_row })
    }

    /// A run that continues from there, rows of `recorded` going to `sink`.
    pub fn restored(snapshot: &Snapshot, recorded: &[VarId], sink: Box<dyn Sink>) -> Stepping {
        let saved = &snapshot.running;
        let mut recorder = Recorder::new(&saved.base, recorded, sink, &saved.options);
        recorder.go_on_with(snapshot.next_row);
        let mut running = saved.copied(recorder);
        let ended = running.begin_again().err().map(Err);
        Stepping { running, ended }
    }
}

impl Running<'_> {
    /// The same run with another recorder; without an integrator where it cannot be copied.
    fn copied<'b>(&self, recorder: Recorder<'b>) -> Running<'b> {
        Running {
            recorder,
            base: self.base.clone(),
            deciding: self.deciding.clone(),
            model: self.model.clone(),
            options: self.options.clone(),
            nominals: self.nominals.clone(),
            visits: self.visits.clone(),
            reports: self.reports.clone(),
            n_common: self.n_common,
            problem: self.problem.clone(),
            integrating: self.integrating.copied(),
            watcher: self.watcher.clone(),
            search: self.search.clone(),
            clocks: self.clocks.clone(),
            charts: self.charts.clone(),
            assumptions: self.assumptions.clone(),
            on_branch: self.on_branch.clone(),
            next: self.next,
            states: self.states.clone(),
            time: self.time,
            notice: self.notice.clone(),
            current: self.current,
            looks: self.looks.clone(),
            work: self.work.clone(),
            bouncing: self.bouncing.clone(),
            branches: self.branches.clone(),
            event: self.event.clone(),
            span: self.span,
            counts: self.counts.clone(),
            ranges: self.ranges.clone(),
        }
    }

    /// Begins an integrator, if the one before could not be copied.
    fn begin_again(&mut self) -> Result<(), Stop> {
        if self.integrating.integrator.is_some() {
            return Ok(());
        }
        (self.integrating.is_fresh, self.current) = (true, None);
        self.begin_integrator(self.time)
    }
}
