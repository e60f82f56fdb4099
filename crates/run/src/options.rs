//! Options of a run.

use rhei_equations::VarId;
use rhei_kernel::Execution;
use rhei_numerics::Method;
use rhei_solve::groups::Balancing;
use rhei_solve::start::Given;
use rustc_hash::FxHashMap;

use crate::output::OutputTimes;
use crate::watching::EventSearch;

/// Options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Start of the simulated time.
    pub start_time: f64,
    /// End of the simulated time.
    pub stop_time: f64,
    /// Relative tolerance, and absolute one in units of each state's nominal value.
    pub tolerance: f64,
    /// Integration method.
    pub method: Method,
    /// The step of fixed-step methods.
    pub step: f64,
    /// When rows are written.
    pub output: OutputTimes,
    /// Parameters that have another value in this run.
    pub set: FxHashMap<VarId, f64>,
    /// What the model says nothing of.
    pub choices: Choices,
}

/// Choices that are made for a run and by nobody else: neither the model nor its start, its stop or its method. Whoever asks for a run
/// hands them over as they are, so that a further one is known to all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Choices {
    /// Interpreted, or as machine code: results are the same.
    pub execution: Execution,
    /// How balances are solved.
    pub balances: Balancing,
    /// When explicit methods project onto constraints.
    pub projection: Option<Projection>,
    /// How carefully crossings are looked for.
    pub events: EventSearch,
    /// Whether the causes of a slow run are counted.
    pub explains: bool,
    /// Treatment of variables that leave their `min` or `max`.
    pub bounds: Bounds,
    /// Whether those that a type gives all its variables are checked, too.
    pub bounds_of_types: bool,
}

impl Options {
    /// A run from 0 to `stop_time`, with the default method and tolerance, and one row at the end.
    pub fn until(stop_time: f64) -> Options {
        Options {
            start_time: 0.0,
            stop_time,
            tolerance: 1e-6,
            method: Method::Bdf,
            step: stop_time / 500.0,
            output: OutputTimes::At(vec![stop_time]),
            set: FxHashMap::default(),
            choices: Choices::default(),
        }
    }

    /// What the start is given.
    pub(crate) fn given(&self) -> Given<'_> {
        Given { set: &self.set, execution: self.choices.execution, balances: self.choices.balances }
    }
}

/// Treatment of variables that leave their `min` or `max`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// None.
    Off,
    /// A warning, once for each variable.
    #[default]
    Warn,
    /// An error: the run ends.
    Error,
}

/// When explicit methods with a fixed step project a model onto its constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// In every stage: the states move on the constraints, and a method keeps its order.
    #[default]
    Stage,
    /// At the end of each step, made as if there were no constraints: of first order, whatever the method.
    End,
}
