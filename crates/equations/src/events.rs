//! What happens at events: what makes them, and what is done.

use rhei_flat::Scalar;

use crate::{ExprId, Origin, Relation, VarId};

/// Everything about events that is not an equation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Events {
    /// Conditions and whole numbers that are held between events.
    pub crossings: Vec<Crossing>,
    /// Events at regular times.
    pub samples: Vec<Sample>,
    /// States that are set anew.
    pub reinits: Vec<Reinit>,
    /// Ends of the run that the model wants.
    pub terminations: Vec<Termination>,
    /// Values of the past.
    pub delays: Vec<Delay>,
    /// What is carried along with a flow.
    pub transports: Vec<Transport>,
    /// True during the start: `initial()`.
    pub initial: Option<VarId>,
    /// True at the end of the run: `terminal()`.
    pub terminal: Option<VarId>,
    /// From 0, the simplified formulas of `homotopy`, to 1, the actual ones.
    pub homotopy: Option<VarId>,
    /// True while an integrator tries points of a step: the search for a balance then takes relations as they are held, so that what
    /// the integrator sees is smooth between events. Given; only models with balances have it.
    pub holding: Option<VarId>,
}

/// Something that jumps when an expression crosses a border, held in a hidden discrete unknown between events.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// The unknown that holds it.
    pub held: VarId,
    /// Added to what crosses, so that rounding does not undo the crossing that was just found. Given; zero otherwise.
    pub nudge: VarId,
    /// What crosses what.
    pub border: Border,
    /// Whether the search for a balance follows what is compared, and not what is held, at points that count.
    pub is_followed: bool,
    /// Where it is written.
    pub origin: Origin,
}

/// What a [`Crossing`] crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Border {
    /// Zero: a relation, by the difference of its sides.
    Zero {
        /// Left minus right.
        difference: ExprId,
        /// How the difference is compared with zero.
        relation: Relation,
    },
    /// A point in time that is known since the last event, met exactly.
    Time {
        /// When.
        at: ExprId,
    },
    /// The whole numbers next to it: what is held is the largest that is not above it.
    Whole {
        /// What is compared.
        value: ExprId,
    },
}

/// `sample(start, interval)`
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// True at the ticks; given.
    pub tick: VarId,
    /// The first tick.
    pub start: ExprId,
    /// From tick to tick.
    pub interval: ExprId,
    /// Where it is written.
    pub origin: Origin,
}

/// `delay(value, by)`
#[derive(Clone, Debug, PartialEq)]
pub struct Delay {
    /// What `value` was so long ago; given.
    pub result: VarId,
    /// What is delayed.
    pub value: ExprId,
    /// By how long.
    pub by: ExprId,
    /// By how long at most.
    pub most: ExprId,
    /// Whether `by` may change during the run.
    pub varies: bool,
    /// Where it is written.
    pub origin: Origin,
}

/// `spatialDistribution(…)`: a profile that a flow carries along, over a length of one
#[derive(Clone, Debug, PartialEq)]
pub struct Transport {
    /// What there is at the two ends; given.
    pub ends: [VarId; 2],
    /// What flows in at the two ends.
    pub inflows: [ExprId; 2],
    /// How far it all has moved, from the first end to the second.
    pub moved: ExprId,
    /// Whether it moves that way, or not at all.
    pub is_forward: ExprId,
    /// Places of the profile at the start, from 0 to 1.
    pub points: Vec<ExprId>,
    /// What there is at these places.
    pub values: Vec<ExprId>,
    /// Where it is written.
    pub origin: Origin,
}

/// `reinit(x, value)` in a `when`
#[derive(Clone, Debug, PartialEq)]
pub struct Reinit {
    /// The state.
    pub target: VarId,
    /// Its new value.
    pub value: ExprId,
    /// Whether it happens.
    pub active: ExprId,
    /// Where it is written.
    pub origin: Origin,
}

/// `terminate(message)`
#[derive(Clone, Debug, PartialEq)]
pub struct Termination {
    /// Whether it happens.
    pub active: ExprId,
    /// What it says.
    pub message: Text,
    /// Where it is written.
    pub origin: Origin,
}

/// `assert(condition, message, level)`
#[derive(Clone, Debug, PartialEq)]
pub struct Assert {
    /// What must hold.
    pub condition: ExprId,
    /// What is said where it does not.
    pub message: Text,
    /// Whether the run goes on all the same.
    pub is_warning: bool,
    /// Whether it stands in a `when`: it is looked at in the turn of an event in which that is active, all others only when
    /// the event has come to rest.
    pub is_momentary: bool,
    /// Where it is written.
    pub origin: Origin,
}

/// A text with values in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// In order.
    pub parts: Vec<TextPart>,
}

/// A part of a [`Text`].
#[derive(Clone, Debug, PartialEq)]
pub enum TextPart {
    /// As it is.
    Literal(String),
    /// A value as a text: `String(x)`.
    Value {
        /// The value.
        value: ExprId,
        /// What it is: literals of enumerations have names.
        scalar: Scalar,
        /// How many digits of a Real.
        digits: u32,
    },
}
