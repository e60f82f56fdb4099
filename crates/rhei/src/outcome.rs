//! The outcome of a run.

use rhei_equations::VarId;
use rhei_numerics::Statistics;
use rhei_source::Diagnostic;

use crate::engine::{
    CompiledModel, GroupWork, Integration, Limits, ModeChange, RunOutcome, SetChange, Status,
};

/// The outcome of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// The time reached.
    pub time: f64,
    /// Methods and tolerances that integrated it, each once: modes may need different ones; empty without states.
    pub integrations: Vec<Integration>,
    /// Statistics of the integrators.
    pub statistics: Statistics,
    /// Number of events.
    pub events: u64,
    /// How many state sets the model has in the mode that it was compiled in.
    pub n_sets: usize,
    /// Changes of the states within state sets.
    pub set_changes: Vec<SetChange>,
    /// Changes of the mode, the first ten thousand of them.
    pub mode_changes: Vec<ModeChange>,
    /// Number of changes after these.
    pub mode_changes_left_out: u64,
    /// Number of visited modes.
    pub modes_visited: usize,
    /// Work of each group of balances.
    pub balances: Vec<BalanceWork>,
    /// Causes of a slow run, if [`Experiment::explains`](crate::Experiment::explains) asked for them.
    pub limits: Limits,
    /// Errors, warnings and notes of the run.
    pub diagnostics: Vec<Diagnostic>,
}

/// The work of a group of variables that are balanced together.
#[derive(Clone, Debug, PartialEq)]
pub struct BalanceWork {
    /// The names of the balanced variables.
    pub variables: Vec<String>,
    /// Number of solutions.
    pub solves: u64,
    /// Evaluations of these.
    pub calls: u64,
    /// Solutions for which Newton's method alone failed, and the flow was followed.
    pub continuations: u64,
    /// The most evaluations of one solution: by Newton's method alone, and along the flow.
    pub most_calls: [u32; 2],
    /// Step by step.
    pub steps: Vec<BalanceStep>,
}

/// The work of a group of balances in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalanceStep {
    /// The end of the step.
    pub time: f64,
    /// Evaluations since the step before.
    pub calls: u32,
    /// Whether the flow was followed.
    pub follows_flow: bool,
}

impl Outcome {
    pub(crate) fn new(model: &CompiledModel, run: RunOutcome) -> Outcome {
        let name = |v: &VarId| model.equations.variable(*v).name.to_string();
        let balance = |work: GroupWork| BalanceWork {
            variables: work.variables.iter().map(name).collect(),
            solves: work.solves,
            calls: work.calls,
            continuations: work.continuations,
            most_calls: work.most_calls,
            steps: work
                .per_step
                .into_iter()
                .map(|(time, calls, follows_flow)| BalanceStep { time, calls, follows_flow })
                .collect(),
        };
        Outcome {
            status: run.status,
            time: run.time,
            integrations: run.integrations,
            statistics: run.statistics,
            events: run.events,
            n_sets: model.solvable.sets.len(),
            set_changes: run.chart_changes,
            mode_changes: run.mode_changes,
            mode_changes_left_out: run.mode_changes_left_out,
            modes_visited: run.modes_visited,
            balances: run.balances.into_iter().map(balance).collect(),
            limits: run.limits,
            diagnostics: run.diagnostics,
        }
    }

    /// Whether the run came to its stop time, or was ended by a `terminate` of the model.
    pub fn is_complete(&self) -> bool {
        matches!(self.status, Status::Finished | Status::Terminated)
    }
}
