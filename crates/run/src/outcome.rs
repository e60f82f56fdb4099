//! What a run has to say about itself.

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
    /// Before it, by the wish of who looks on.
    Stopped,
    /// Before it, by a fault.
    Failed,
}

/// What a run has to say about itself.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The time reached.
    pub time: f64,
    /// What integrated it, each once: another method where a mode needs one; nothing where there are no states.
    pub integrations: Vec<Integration>,
    /// What the integrator did.
    pub statistics: Statistics,
    /// How many events there were.
    pub events: u64,
    /// How often all variables were evaluated: for rows, at events, and to look for them.
    pub evaluations: u64,
    /// How many pieces of time were enclosed in the search for crossings within steps.
    pub enclosures: u64,
    /// Changes of states within state sets.
    pub chart_changes: Vec<ChartChange>,
    /// What each group of balances has cost.
    pub balances: Vec<GroupWork>,
    /// Changes of the mode, the first ten thousand of them.
    pub mode_changes: Vec<ModeChange>,
    /// How many there were after these.
    pub mode_changes_left_out: u64,
    /// The modes it was in, in the order in which they were entered first; the first ten thousand of them.
    pub modes: Vec<VisitedMode>,
    /// How many it was in.
    pub modes_visited: usize,
    /// What the state sets were like on the way, in runs of a single mode.
    pub chart_history: ChartHistory,
    /// What kept the run slow, as far as that was asked for.
    pub limits: Limits,
    /// What went wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// What a run has done so far.
#[derive(Clone, Default)]
pub(crate) struct Work {
    /// How often all variables were evaluated.
    pub(crate) evaluations: u64,
    /// Pieces of time that were enclosed.
    pub(crate) enclosures: u64,
    pub(crate) events: u64,
}

impl Running<'_> {
    /// What there is to say of a run that has ended, at its stop time or before.
    pub(crate) fn outcome(mut self, ended: Result<(), Stop>) -> Outcome {
        let mut diagnostics = std::mem::take(&mut self.told.said);
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
    /// What there is to say of a run that did not begin.
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
