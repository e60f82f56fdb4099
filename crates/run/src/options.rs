//! How a model is run.

use rhei_equations::VarId;
use rhei_kernel::Execution;
use rhei_numerics::Method;
use rhei_solve::start::Given;
use rustc_hash::FxHashMap;

use crate::output::OutputTimes;
use crate::watching::EventSearch;

/// How a model is run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where time starts.
    pub start_time: f64,
    /// Where it stops.
    pub stop_time: f64,
    /// Relative, and absolute in units of each state's nominal value.
    pub tolerance: f64,
    /// How it is integrated.
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
    /// When explicit methods with a fixed step look at constraints; in every stage where nothing is said.
    pub projection: Option<Projection>,
    /// How carefully crossings are looked for.
    pub events: EventSearch,
    /// Whether it is counted what keeps the run slow.
    pub explains: bool,
    /// What is done where a variable leaves its `min` or `max`.
    pub bounds: Bounds,
    /// Whether those count, too, that a type gives all its variables.
    pub bounds_of_types: bool,
}

impl Options {
    /// From 0 on to `stop_time`, with the default method and tolerance, and one row at the end.
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

    /// What is said of the model before it starts.
    pub(crate) fn given(&self) -> Given<'_> {
        Given { set: &self.set, execution: self.choices.execution }
    }
}

/// What is done where a variable leaves its `min` or `max`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// Nothing.
    Off,
    /// It is said, once for each variable.
    #[default]
    Warn,
    /// The run ends.
    Error,
}

/// When explicit methods with a fixed step bring a model onto its constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// In every stage: the states move on the constraints, and a method keeps its order.
    #[default]
    Stage,
    /// At the end of each step, which is made as if there were none: of the first order, whatever the method.
    End,
}
