//! What happens at events: what makes them, and what is done.

use rhei_flat::{FunctionId, Scalar};
use rhei_source::Span;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{ExprId, Origin, Relation, Shape, VarId};

/// Everything about events that is not an equation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Events {
    /// Conditions and whole numbers that are held between events.
    pub crossings: Vec<Crossing>,
    /// Events at regular times.
    pub samples: Vec<Sample>,
    /// States that are set anew.
    pub reinits: Vec<Reinit>,
    /// Ends of the run that the model wants.
    pub terminations: Vec<Termination>,
    /// Functions that are called for what they do, in the order of the text.
    pub effects: Vec<Effect>,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Termination {
    /// Whether it happens.
    pub active: ExprId,
    /// What it says.
    pub message: Text,
    /// Where it is written.
    pub origin: Origin,
}

/// `assert(condition, message, level)`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assert {
    /// What must hold.
    pub condition: ExprId,
    /// What is said where it does not.
    pub message: Text,
    /// Whether the run goes on all the same.
    pub level: Level,
    /// When it is looked at.
    pub moment: Moment,
    /// Where it is written, and in which component it is looked at.
    pub origin: Origin,
    /// The function that says it, where it stands in one.
    pub within: Option<Within>,
}

/// A function in whose text something stands, and the call of the model that leads there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// Its name.
    pub function: SmolStr,
    /// The call.
    pub call: Span,
}

/// How much an [`Assert`] matters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Level {
    /// The run ends where it does not hold.
    Error,
    /// That is said, and the run goes on.
    Warning,
    /// The number of a literal of `AssertionLevel`.
    Chosen(ExprId),
}

/// The number of `AssertionLevel.warning`.
pub const ASSERTION_WARNING: u32 = 1;

/// When something is looked at or done that is no equation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Moment {
    /// At the start, after each step, and at events when they have come to rest.
    #[default]
    Rest,
    /// It stands in a `when`: in the turn of an event in which that is active.
    Turn,
    /// It stands in an initial section, or in what is computed once: at the start only.
    Start,
}

/// `f(x);`: a function that is called for what it does, its results left aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// Which function.
    pub function: FunctionId,
    /// One per input.
    pub arguments: Vec<Argument>,
    /// Whether it is called.
    pub active: ExprId,
    /// When.
    pub moment: Moment,
    /// The call, and the component in which it stands.
    pub origin: Origin,
}

/// An argument of an [`Effect`] or of a function that makes a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// What numbers make up.
    Value(Shape, Vec<ExprId>),
    /// A text with values of the run in it.
    Text(Text),
}

impl Argument {
    fn add_values(&self, values: &mut Vec<ExprId>) {
        match self {
            Argument::Value(_, numbers) => values.extend(numbers),
            Argument::Text(text) => text.add_values(values),
        }
    }
}

impl Effect {
    /// All values that its arguments are made of, in order.
    pub fn values(&self) -> Vec<ExprId> {
        let mut values = Vec::new();
        self.arguments.iter().for_each(|argument| argument.add_values(&mut values));
        values
    }
}

/// A text with values in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// In order.
    pub parts: Vec<TextPart>,
}

/// A part of a [`Text`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum TextPart {
    /// As it is.
    Literal(String),
    /// A value as a text: `String(x)`.
    Value {
        /// The value.
        value: ExprId,
        /// What it is: literals of enumerations have names.
        scalar: Scalar,
        /// How it is written.
        format: Format,
    },
    /// Several.
    Part(Text),
    /// One of two texts.
    Choice {
        /// Whether it is the first.
        condition: ExprId,
        /// The first.
        then: Text,
        /// The other.
        otherwise: Text,
    },
    /// The first output of a function.
    Call {
        /// Which function.
        function: FunctionId,
        /// One per input.
        arguments: Vec<Argument>,
    },
}

/// How `String(x, …)` writes a value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Format {
    /// As it is usual.
    #[default]
    Usual,
    /// As in C: `".3f"`.
    Pattern(SmolStr),
    /// With so many significant digits, at least so many characters, and whether blanks follow it.
    Sizes {
        /// Of a Real.
        digits: u32,
        /// Characters.
        length: u32,
        /// Blanks follow, or stand in front.
        is_left: bool,
    },
}

impl Text {
    /// All values in it, in order.
    pub fn values(&self) -> Vec<ExprId> {
        let mut values = Vec::new();
        self.add_values(&mut values);
        values
    }

    fn add_values(&self, values: &mut Vec<ExprId>) {
        for part in &self.parts {
            match part {
                TextPart::Literal(_) => {}
                TextPart::Value { value, .. } => values.push(*value),
                TextPart::Part(text) => text.add_values(values),
                TextPart::Choice { condition, then, otherwise } => {
                    values.push(*condition);
                    then.add_values(values);
                    otherwise.add_values(values);
                }
                TextPart::Call { arguments, .. } => {
                    arguments.iter().for_each(|argument| argument.add_values(values));
                }
            }
        }
    }
}
