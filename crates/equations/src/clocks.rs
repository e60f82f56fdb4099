//! The clocks of a model (MLS chapter 16), before its equations are partitioned by clock.

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
    /// Whether these are the equations of a clocked partition, and not of a whole model.
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
    /// Variables of one equation as it is written, the second of which vanished from it: the factor of a zero.
    pub met: Vec<(VarId, VarId)>,
    /// The values of `previous`: those before the last tick.
    pub previous: Vec<VarId>,
    /// Results of `interval()`.
    pub intervals: Vec<Asked>,
    /// Results of `firstTick()`.
    pub first_ticks: Vec<Asked>,
    /// Measured states, which are not integrated.
    pub measured: Vec<Measured>,
    /// Numbers that the past of what ticks gives, of a clocked partition.
    pub from_past: Vec<VarId>,
}

/// A clock, by declaration or where it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Its name for the modeller.
    pub name: String,
    /// Its definition; none if it is inferred.
    pub definition: Option<Definition>,
    /// Its place in the text.
    pub origin: Origin,
}

/// The definition of a clock's ticks.
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
        /// The value of `interval()` at the first tick, a parameter.
        start_interval: VarId,
    },
    /// A clock made from another one.
    Converted {
        /// The other one.
        from: ClockId,
        /// The conversion.
        rate: Rate,
    },
    /// `Clock(c, solverMethod)`
    Solver {
        /// The clock that ticks.
        from: ClockId,
        /// The integration method of its equations; empty for none.
        method: String,
    },
}

/// The conversion of the ticks of one clock to those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rate {
    /// One tick for so many; 0 if the number is inferred.
    SubSample(i64),
    /// So many ticks for one; 0 if the number is inferred.
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
    /// Not specified.
    NoClock,
}

/// The passage of a value from one clock to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Passage {
    /// From no clock to one: the value before the tick.
    Sample(Option<ClockId>),
    /// From a clock to none: the value of the last tick.
    Hold,
    /// From clock to clock: the value of the last tick, the present one included.
    Between(Rate),
}

/// A value on another clock than the one it is computed on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conversion {
    /// The converted variable.
    pub argument: VarId,
    /// The value there; given.
    pub result: VarId,
    /// Source and target.
    pub passage: Passage,
    /// Its place in the text.
    pub origin: Origin,
}

/// A query about the clock of the equation in which it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The answer; given.
    pub result: VarId,
    /// Variables on the same clock.
    pub of: Vec<VarId>,
    /// Its place in the text.
    pub origin: Origin,
}

/// `Real x = reinit(value)`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    /// The state.
    pub variable: VarId,
    /// Its value at each tick.
    pub value: ExprId,
    /// Its place in the text.
    pub origin: Origin,
}

impl Clocks {
    /// Whether the model has no clocks.
    pub fn is_empty(&self) -> bool {
        *self == Clocks::default()
    }

    /// A further clock.
    pub fn push(&mut self, clock: Clock) -> ClockId {
        self.clocks.push(clock);
        ClockId(self.clocks.len() as u32 - 1)
    }
}
