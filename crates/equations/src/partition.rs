//! Clocked partitions of a model (MLS §16.7).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Conversion, Equations, Measured, Origin, Ratio, VarId};

/// A base-clock partition: all equations on related clocks.
///
/// It is a model of its own over the variables of the whole model: the variables it computes are its unknowns, all others that
/// it uses are given. Every one of its unknowns ticks with one of its [`Rhythm`]s.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Partition {
    /// Its equations.
    pub equations: Equations,
    /// The base clock.
    pub base: Base,
    /// Its rhythms (sub-clocks).
    pub rhythms: Vec<Rhythm>,
    /// By variable: the rhythm it ticks with.
    pub rhythm_of: Vec<Option<u32>>,
    /// Values sampled from the unclocked part of the model.
    pub sampled: Vec<Conversion>,
    /// Values held for the unclocked part.
    pub held: Vec<Conversion>,
    /// Values passed from one rhythm to another.
    pub passed: Vec<Conversion>,
    /// States that are measured at each tick.
    pub measured: Vec<Measured>,
    /// Values of its own past.
    pub delays: Vec<DelayAtTicks>,
    /// What happens at its first ticks after regular times.
    pub samples: Vec<SampleAtTicks>,
    /// Discrete variables with the results of `pre` for them, which speak of the value before an event.
    pub before_events: Vec<(VarId, VarId)>,
}

/// `delay(value, by)` of what ticks. Its result is an unknown; the run gives the numbers by which it depends on the present value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DelayAtTicks {
    /// The past value.
    pub result: VarId,
    /// The delayed value.
    pub value: VarId,
    /// The delay.
    pub by: VarId,
    /// Its maximum.
    pub most: VarId,
    /// How it is read.
    pub reading: Reading,
    /// Whether `by` may change during the run.
    pub varies: bool,
    /// Its place in the text.
    pub origin: Origin,
}

/// The numbers by which a past value is read; given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Reading {
    /// On the line between ticks: `(now[0] + now[1]*by)*value + past[0] + past[1]*by`, where `by` varies, else without it.
    Line {
        /// The share of the present value.
        now: [VarId; 2],
        /// What comes from earlier values.
        past: [VarId; 2],
    },
    /// At the last tick that is not later: the present value, or that one.
    Steps {
        /// Whether it is the present one.
        is_now: VarId,
        /// The earlier one.
        past: VarId,
    },
}

impl Reading {
    /// The variables that the run gives.
    pub fn given(&self) -> Vec<VarId> {
        match *self {
            Reading::Line { now, past } => now.into_iter().chain(past).collect(),
            Reading::Steps { is_now, past } => vec![is_now, past],
        }
    }
}

/// `sample(start, interval)` in what ticks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SampleAtTicks {
    /// True at a tick if one of the times is later than the tick before; given.
    pub tick: VarId,
    /// The first time.
    pub start: VarId,
    /// The interval between times.
    pub interval: VarId,
    /// Its place in the text.
    pub origin: Origin,
}

/// The base clock of a partition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Base {
    /// Time, in seconds, exactly.
    Seconds,
    /// Time, in units of this many seconds, a parameter.
    Interval(VarId),
    /// Ticks whose distance is set at each tick.
    Varying(VarId),
    /// The same, in parts of a second.
    Counter {
        /// How many parts to the next tick.
        counter: VarId,
        /// How many in a second.
        resolution: i64,
    },
    /// A condition that becomes true.
    Event {
        /// The condition, a variable without clock.
        condition: VarId,
        /// The value of `interval()` at the first tick, a parameter.
        start_interval: VarId,
    },
}

/// Variables that tick together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rhythm {
    /// The interval between ticks, in units of the base.
    pub period: Ratio,
    /// The first tick, in units of the base.
    pub first: Ratio,
    /// The integration method of continuous equations from tick to tick.
    pub method: Option<String>,
    /// Whether it has continuous equations.
    pub is_discretised: bool,
    /// The variables of `interval()`.
    pub intervals: Vec<VarId>,
    /// The variables of `firstTick()`.
    pub first_ticks: Vec<VarId>,
    /// The clock it is known by.
    pub name: String,
    /// The place of that clock in the text.
    pub origin: Origin,
}

impl Partition {
    fn unit(&self) -> String {
        let name = |v: VarId| self.equations.variable(v).name.as_str();
        match self.base {
            Base::Seconds => "seconds".into(),
            Base::Interval(interval) => format!("units of {}", name(interval)),
            Base::Varying(interval) => format!("ticks {} apart", name(interval)),
            Base::Counter { counter, resolution } => format!("ticks {}/{resolution} apart", name(counter)),
            Base::Event { condition, .. } => format!("events of {}", name(condition)),
        }
    }
}

/// Its schedule, and what is computed at its ticks.
impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "partition in {}", self.unit())?;
        let name = |v: VarId| self.equations.variable(v).name.as_str();
        for (number, rhythm) in self.rhythms.iter().enumerate() {
            write!(f, "  {} every {} from {}", rhythm.name, rhythm.period, rhythm.first)?;
            match &rhythm.method {
                Some(method) if rhythm.is_discretised => write!(f, ", integrated by {method}")?,
                None if rhythm.is_discretised => write!(f, ", to be integrated")?,
                _ => {}
            }
            let own = self.equations.iter_variables().map(|(v, _)| v);
            let own = own.filter(|v| self.rhythm_of[v.index()] == Some(number as u32)).map(name);
            let own: Vec<&str> = own.collect();
            writeln!(f, ": {}", if own.is_empty() { "nothing".into() } else { own.join(", ") })?;
            for (what, asked) in [("interval", &rhythm.intervals), ("firstTick", &rhythm.first_ticks)] {
                asked.iter().try_for_each(|v| writeln!(f, "    {} is its {what}", name(*v)))?;
            }
        }
        for conversion in self.sampled.iter().chain(&self.held).chain(&self.passed) {
            writeln!(f, "  {}", self.equations.conversion_line(conversion))?;
        }
        for delay in &self.delays {
            let DelayAtTicks { result, value, by, .. } = delay;
            writeln!(f, "  delay {} = {}, {}", name(*result), name(*value), name(*by))?;
        }
        for SampleAtTicks { tick, start, interval, .. } in &self.samples {
            writeln!(f, "  sample {} = {}, {}", name(*tick), name(*start), name(*interval))?;
        }
        let notation = self.equations.whole_notation();
        for Measured { variable, value, .. } in &self.measured {
            writeln!(f, "  measured {} = {}", name(*variable), notation.expression(*value))?;
        }
        for equation in &self.equations.equations {
            writeln!(f, "  {}", notation.equation(equation))?;
        }
        Ok(())
    }
}
