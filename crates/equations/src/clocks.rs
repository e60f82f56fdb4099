//! What a model says about clocks (MLS chapter 16), before its equations are told apart by clock.

use serde::{Deserialize, Serialize};

use crate::{EqId, ExprId, Origin, VarId};

/// A clock of a [`Clocks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClockId(pub u32);

impl ClockId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Everything about clocks that is not an equation between values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clocks {
    /// Whether these are the equations of a part that ticks, and not of a whole model.
    pub is_ticking: bool,
    /// By [`ClockId`].
    pub clocks: Vec<Clock>,
    /// Pairs that tick together.
    pub same: Vec<(ClockId, ClockId)>,
    /// Values that go from one clock, or from none, to another.
    pub conversions: Vec<Conversion>,
    /// The equations of clocked `when`s.
    pub on: Vec<(EqId, ClockId)>,
    /// Variables that a clocked `when` sets anew or asserts something of.
    pub with: Vec<(VarId, ClockId)>,
    /// The values before the last tick that `previous` asks for.
    pub previous: Vec<VarId>,
    /// Results of `interval()`.
    pub intervals: Vec<Asked>,
    /// Results of `firstTick()`.
    pub first_ticks: Vec<Asked>,
    /// States that are told instead of integrated.
    pub measured: Vec<Measured>,
}

/// A clock, by declaration or where it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// As the modeller knows it.
    pub name: String,
    /// What is said about it; nothing where it is inferred.
    pub definition: Option<Definition>,
    /// Where it is written.
    pub origin: Origin,
}

/// When a clock ticks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Definition {
    /// `Clock(counter, resolution)`: every `counter / resolution` seconds, exactly.
    Rational {
        /// How many of them.
        counter: i64,
        /// How many in a second.
        resolution: i64,
    },
    /// `Clock(counter, resolution)` whose counter is set at each tick.
    Counter {
        /// How many of them to the next tick.
        counter: VarId,
        /// How many in a second.
        resolution: i64,
    },
    /// `Clock(interval)`: by a number that is the same during a run, a parameter.
    Interval(VarId),
    /// `Clock(interval)` whose interval is set at each tick.
    Varying(VarId),
    /// `Clock(condition, startInterval)`: when the condition becomes true.
    Event {
        /// The condition, which has no clock.
        condition: VarId,
        /// What `interval()` is at the first tick, a parameter.
        start_interval: VarId,
    },
    /// A clock made from another one.
    Converted {
        /// The other one.
        from: ClockId,
        /// How it is made.
        rate: Rate,
    },
    /// `Clock(c, solverMethod)`
    Solver {
        /// The clock that ticks.
        from: ClockId,
        /// How what is on it is integrated; empty for no method.
        method: String,
    },
}

/// How the ticks of one clock follow from those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rate {
    /// Every so many ticks; 0 where that is inferred.
    SubSample(i64),
    /// So many ticks for one; 0 where that is inferred.
    SuperSample(i64),
    /// Later by `counter` parts of the interval, which has `resolution` of them.
    ShiftSample {
        /// How many parts.
        counter: i64,
        /// How many there are.
        resolution: i64,
    },
    /// Earlier, the same way.
    BackSample {
        /// How many parts.
        counter: i64,
        /// How many there are.
        resolution: i64,
    },
    /// Not said.
    NoClock,
}

/// How a value gets from one clock to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passage {
    /// From no clock to one: the value before the tick.
    Sample(Option<ClockId>),
    /// From a clock to none: the value of the last tick.
    Hold,
    /// From clock to clock: the value of the last tick, that of now included.
    Between(Rate),
}

/// A value on another clock than the one it is computed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversion {
    /// What is converted.
    pub argument: VarId,
    /// The value there; given.
    pub result: VarId,
    /// From where to where.
    pub passage: Passage,
    /// Where it is written.
    pub origin: Origin,
}

/// A question about the clock of the equation that asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The answer; given.
    pub result: VarId,
    /// Variables on the same clock.
    pub of: Vec<VarId>,
    /// Where it is written.
    pub origin: Origin,
}

/// `Real x = reinit(value)`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The state.
    pub variable: VarId,
    /// What it is at each tick.
    pub value: ExprId,
    /// Where it is written.
    pub origin: Origin,
}

impl Clocks {
    /// Whether the model speaks of clocks at all.
    pub fn is_empty(&self) -> bool {
        *self == Clocks::default()
    }

    /// A further clock.
    pub fn push(&mut self, clock: Clock) -> ClockId {
        self.clocks.push(clock);
        ClockId(self.clocks.len() as u32 - 1)
    }
}
