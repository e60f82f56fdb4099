//! Clocked partitions that can be solved tick by tick.

use rhei_equations::{Base, Conversion, DelayAtTicks, Equations, Rhythm, SampleAtTicks, VarId};
use serde::{Deserialize, Serialize};

use crate::{Solvable, State};

/// A clocked partition, ready to be turned into code.
///
/// Its [`Solvable`] computes everything at a tick with `event`, and at the first one with `initial`, both in [`Segment`]s. Its
/// `continuous` blocks give the derivatives in the stages of methods that have any.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ticking {
    /// Its variables, those of the whole model first, and its equations.
    pub equations: Equations,
    /// How they are solved.
    pub solvable: Solvable,
    /// Ticks, solver methods, and exchange with other parts.
    pub schedule: Schedule,
}

/// Ticks of a partition's variables, its solver methods, and its exchange with others.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Schedule {
    /// The base clock, from which the ticks are counted.
    pub base: Base,
    /// The rhythms, with their periods.
    pub rhythms: Vec<Rhythm>,
    /// By variable: the rhythm it ticks with.
    pub rhythm_of: Vec<Option<u32>>,
    /// By rhythm: how it is integrated, where it is.
    pub methods: Vec<Option<SolverMethod>>,
    /// Values sampled from the part of the model without clocks.
    pub sampled: Vec<Conversion>,
    /// Values held for that part.
    pub held: Vec<Conversion>,
    /// Values passed from one rhythm to another.
    pub passed: Vec<Conversion>,
    /// States that are measured at each tick.
    pub measured: Vec<VarId>,
    /// Measured states, each with the unknown of the tick that holds its value during the stages that lead to it.
    pub measured_in_stages: Vec<(VarId, VarId)>,
    /// Values of its own past.
    pub delays: Vec<DelayAtTicks>,
    /// What happens at its first ticks after regular times.
    pub samples: Vec<SampleAtTicks>,
    /// Discrete variables with the results of `pre` for them, which speak of the value before an event.
    pub before_events: Vec<(VarId, VarId)>,
    /// By rhythm: the length of its step, where equations of a method speak of it.
    pub steps: Vec<Option<VarId>>,
    /// All states; those of the `Solvable` are known before a tick is computed, the others are found by it.
    pub states: Vec<State>,
}

/// Blocks of one rhythm that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Which rhythm.
    pub rhythm: u32,
    /// How many.
    pub blocks: usize,
}

/// Methods for the continuous equations of a clocked partition, from tick to tick (MLS §16.8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum SolverMethod {
    ExplicitEuler,
    ExplicitMidPoint2,
    ExplicitRungeKutta4,
    ImplicitEuler,
    ImplicitTrapezoid,
    /// Linearly implicit, of order two and L-stable.
    Rosenbrock2,
    /// Whatever integrates to the tolerance of the run.
    External,
}

impl SolverMethod {
    /// The method of this name; an unknown one integrates to the tolerance of the run.
    pub fn named(name: &str) -> SolverMethod {
        match name {
            "ExplicitEuler" => SolverMethod::ExplicitEuler,
            "ExplicitMidPoint2" => SolverMethod::ExplicitMidPoint2,
            "ExplicitRungeKutta4" => SolverMethod::ExplicitRungeKutta4,
            "ImplicitEuler" => SolverMethod::ImplicitEuler,
            "ImplicitTrapezoid" => SolverMethod::ImplicitTrapezoid,
            "Rosenbrock2" => SolverMethod::Rosenbrock2,
            _ => SolverMethod::External,
        }
    }

    /// Whether it looks at derivatives between ticks.
    pub fn has_stages(self) -> bool {
        use SolverMethod::*;
        matches!(self, ExplicitMidPoint2 | ExplicitRungeKutta4 | Rosenbrock2 | External)
    }
}

impl Schedule {
    /// The rhythm that a variable ticks with.
    pub fn rhythm(&self, v: VarId) -> Option<u32> {
        self.rhythm_of[v.index()]
    }
}
