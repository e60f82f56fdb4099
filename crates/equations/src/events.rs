//! The events of a model: their causes, and their effects.

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
    /// Ends of the run by the model.
    pub terminations: Vec<Termination>,
    /// Functions called for their effect, in the order of the text.
    pub effects: Vec<Effect>,
    /// Values of the past.
    pub delays: Vec<Delay>,
    /// Profiles carried along by a flow.
    pub transports: Vec<Transport>,
    /// True during the start: `initial()`.
    pub initial: Option<VarId>,
    /// True at the end of the run: `terminal()`.
    pub terminal: Option<VarId>,
    /// From 0, the simplified formulas of `homotopy`, to 1, the actual ones.
    pub homotopy: Option<VarId>,
    /// True while an integrator tries points of a step: the search for a balance then keeps relations held, so that the
    /// right-hand side is smooth between events. Given; only models with balances have it.
    pub holding: Option<VarId>,
}

/// Something that jumps when an expression crosses a border, held in a hidden discrete unknown between events.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// The unknown that holds it.
    pub held: VarId,
    /// Offset of the event indicator, so that rounding does not undo the crossing that was just found. Given; zero otherwise.
    pub nudge: VarId,
    /// The event indicator and its border.
    pub border: Border,
    /// Whether the search for a balance follows the comparison, and not the held value, at accepted points.
    pub is_followed: bool,
    /// Its place in the text.
    pub origin: Origin,
}

/// The border of a [`Crossing`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Border {
    /// Zero: a relation, by the difference of its sides.
    Zero {
        /// Left minus right.
        difference: ExprId,
        /// How the difference is compared with zero.
        relation: Relation,
    },
    /// A point in time that is known since the last event, and hit exactly.
    Time {
        /// The time.
        at: ExprId,
    },
    /// The adjacent whole numbers: the held value is the largest that is not above the expression.
    Whole {
        /// The expression.
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
    /// The interval between ticks.
    pub interval: ExprId,
    /// Its place in the text.
    pub origin: Origin,
}

/// `delay(value, by)`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Delay {
    /// The past value; given.
    pub result: VarId,
    /// The delayed expression.
    pub value: ExprId,
    /// The delay.
    pub by: ExprId,
    /// Its maximum.
    pub most: ExprId,
    /// Whether `by` may change during the run.
    pub varies: bool,
    /// Its place in the text.
    pub origin: Origin,
}

/// `spatialDistribution(…)`: a profile that a flow carries along, over a length of one
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Transport {
    /// The values at the two ends; given.
    pub ends: [VarId; 2],
    /// The inflows at the two ends.
    pub inflows: [ExprId; 2],
    /// The displacement, from the first end to the second.
    pub moved: ExprId,
    /// Whether it moves that way, or not at all.
    pub is_forward: ExprId,
    /// Places of the profile at the start, from 0 to 1.
    pub points: Vec<ExprId>,
    /// The values at these places.
    pub values: Vec<ExprId>,
    /// Its place in the text.
    pub origin: Origin,
}

/// `reinit(x, value)` in a `when`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reinit {
    /// The state.
    pub target: VarId,
    /// Its new value.
    pub value: ExprId,
    /// Whether it is active.
    pub active: ExprId,
    /// Its place in the text.
    pub origin: Origin,
}

/// `terminate(message)`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Termination {
    /// Whether it is active.
    pub active: ExprId,
    /// Its message.
    pub message: Text,
    /// Its place in the text.
    pub origin: Origin,
}

/// `assert(condition, message, level)`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assert {
    /// The condition.
    pub condition: ExprId,
    /// The message of a violation.
    pub message: Text,
    /// Its level.
    pub level: Level,
    /// The occasion on which it is checked.
    pub moment: Moment,
    /// Its place in the text, and the component that contains it.
    pub origin: Origin,
    /// The function that contains it, if there is one.
    pub within: Option<Within>,
}

/// A function that contains an assert or the like, and the call of the model that leads there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Within {
    /// Its name.
    pub function: SmolStr,
    /// The call.
    pub call: Span,
}

/// The level of an [`Assert`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Level {
    /// A violation ends the run.
    Error,
    /// A violation is reported, and the run continues.
    Warning,
    /// The number of a literal of `AssertionLevel`.
    Chosen(ExprId),
}

/// The number of `AssertionLevel.warning`.
pub const ASSERTION_WARNING: u32 = 1;

/// The occasion of asserts and effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Moment {
    /// At the start, after each step, and after events have converged.
    #[default]
    Rest,
    /// In the iteration of an event in which its `when` is active.
    Turn,
    /// At the start only: in an initial section, or of parameters.
    Start,
}

/// `f(x);`: a function called for its effect, without its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The function.
    pub function: FunctionId,
    /// One per input.
    pub arguments: Vec<Argument>,
    /// Whether it is called.
    pub active: ExprId,
    /// The occasion.
    pub moment: Moment,
    /// The call, and the component that contains it.
    pub origin: Origin,
}

/// An argument of an [`Effect`] or of a function that makes a text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Argument {
    /// A value made up of numbers.
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
    /// All values in its arguments, in order.
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
        /// Its type: literals of enumerations have names.
        scalar: Scalar,
        /// Its format.
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
        /// The function.
        function: FunctionId,
        /// One per input.
        arguments: Vec<Argument>,
    },
}

/// The format of `String(x, …)`.
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
