//! The outcome of a run.

use rhei_model::CompiledModel;
use rhei_numerics::Statistics;
use rhei_solve::advice::ChartHistory;
use rhei_solve::charts::ChartChange;
use rhei_solve::groups::GroupWork;
use rhei_source::Diagnostic;

use crate::integration::Integration;
use crate::limits::Limits;
use crate::options::Options;
use crate::running::Running;
use crate::stop::{NotStarted, Stop};
use crate::visited::{ModeChange, VisitedMode};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// At the stop time.
    Finished,
    /// Before it, by a `terminate` of the model.
    Terminated,
    /// Before it, at the request of the observer.
    Stopped,
    /// Before it, by a fault.
    Failed,
}

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The time reached.
    pub time: f64,
    /// Methods and tolerances that integrated it, each once: modes may need different ones; empty without
    /// states.
    pub integrations: Vec<Integration>,
    /// Statistics of the integrators.
    pub statistics: Statistics,
    /// Number of events.
    pub events: u64,
    /// Evaluations of all variables: for rows, at events, and to search for them.
    pub evaluations: u64,
    /// Pieces of time enclosed in the search for crossings within steps.
    pub enclosures: u64,
    /// Changes of states within state sets.
    pub chart_changes: Vec<ChartChange>,
    /// Work of each group of balances.
    pub balances: Vec<GroupWork>,
    /// Changes of the mode, the first ten thousand of them.
    pub mode_changes: Vec<ModeChange>,
    /// Number of changes after these.
    pub mode_changes_left_out: u64,
    /// The visited modes, in the order of their first entry; the first ten thousand of them.
    pub modes: Vec<VisitedMode>,
    /// Number of visited modes.
    pub modes_visited: usize,
    /// History of the state sets, in runs of a single mode.
    pub chart_history: ChartHistory,
    /// Causes of a slow run, if they were asked for.
    pub limits: Limits,
    /// Errors and warnings of the run.
    pub diagnostics: Vec<Diagnostic>,
}

/// Counters of a run.
#[derive(Clone, Default)]
pub(crate) struct Work {
    /// Evaluations of all variables.
    pub(crate) evaluations: u64,
    /// Pieces of time that were enclosed.
    pub(crate) enclosures: u64,
    pub(crate) events: u64,
}

impl Running<'_> {
    /// The outcome of a run that has ended, at its stop time or before.
    pub(crate) fn outcome(mut self, ended: Result<(), Stop>) -> Outcome {
        let mut diagnostics = std::mem::take(&mut self.reports.said);
        diagnostics.extend(self.ranges_left_out());
        let status = match ended {
            Ok(()) => Status::Finished,
            Err(Stop::Asked) => Status::Stopped,
            Err(Stop::Terminated(said)) => {
                diagnostics.push(said);
                Status::Terminated
            }
            Err(stop) => {
                let stop = self.at_end(stop);
                diagnostics.push(self.why(stop));
                Status::Failed
            }
        };
        let mut chart_changes = std::mem::take(&mut self.charts.changes);
        chart_changes.extend(self.clocks.take_chart_changes());
        // the sets of one mode are not those of another
        let chart_history = std::mem::take(&mut self.charts.history);
        let chart_history =
            if self.visits.changes.is_empty() { chart_history } else { ChartHistory::default() };
        Outcome {
            status,
            time: self.time,
            integrations: std::mem::take(&mut self.integrating.all),
            statistics: self.statistics(),
            events: self.work.events,
            evaluations: self.work.evaluations,
            enclosures: self.work.enclosures,
            chart_changes,
            balances: self.balances(),
            modes_visited: self.modes_visited(),
            limits: self.limits(),
            mode_changes: self.visits.changes,
            mode_changes_left_out: self.visits.changes_left_out,
            modes: self.visits.modes,
            chart_history,
            diagnostics,
        }
    }
}

impl NotStarted {
    /// The outcome of a run that did not begin.
    pub(crate) fn outcome(self, model: &CompiledModel, options: &Options) -> Outcome {
        Outcome {
            status: match self.stop {
                Stop::Terminated(_) => Status::Terminated,
                Stop::Asked => Status::Stopped,
                _ => Status::Failed,
            },
            time: options.start_time,
            integrations: Vec::new(),
            statistics: Statistics::default(),
            events: 0,
            evaluations: 0,
            enclosures: 0,
            chart_changes: Vec::new(),
            balances: Vec::new(),
            mode_changes: Vec::new(),
            mode_changes_left_out: 0,
            modes: Vec::new(),
            modes_visited: 0,
            chart_history: ChartHistory::default(),
            limits: Limits::default(),
            diagnostics: self.diagnostics(model, options),
        }
    }
}
