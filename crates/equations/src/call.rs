//! Calls of functions that stay calls: arguments and results taken apart into scalars.

use rhei_flat::{FunctionId, RecordId, Scalar};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::ExprId;

/// A call of a [`Pool`](crate::Pool).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CallId(pub u32);

/// A function with its arguments; equal calls are one, so that several results cost one evaluation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Call {
    /// Which function.
    pub function: FunctionId,
    /// One per input: how the numbers in `operands` make up its value.
    pub arguments: Vec<Shape>,
    /// One per output: how its value is taken apart into numbers.
    pub results: Vec<Shape>,
    /// The numbers of all arguments, in order. For a derivative they are followed by the changes of all of them; for the
    /// derivative of a derivative all that by the changes of all that.
    pub operands: Vec<ExprId>,
    /// How often it is differentiated: the results are then the changes that the changes of the arguments bring about.
    pub depth: u8,
}

/// How numbers make up a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shape {
    /// A number, or an array of numbers row by row; truth values, enumerations and external objects are numbers too.
    Numbers {
        /// What the numbers are.
        scalar: Scalar,
        /// None for one number.
        sizes: Vec<usize>,
    },
    /// A text, which does not vary.
    Text(SmolStr),
    /// A record of these fields.
    Record(RecordId, Vec<Shape>),
    /// An array of records or texts, row by row.
    List {
        /// What the elements are.
        scalar: Scalar,
        /// At least one.
        sizes: Vec<usize>,
        /// The elements.
        elements: Vec<Shape>,
    },
    /// A function, some of its inputs given: by their places, in order.
    Function(FunctionId, Vec<(u32, Shape)>),
}

impl Shape {
    /// How many numbers it takes.
    pub fn count(&self) -> usize {
        match self {
            Shape::Numbers { sizes, .. } => sizes.iter().product(),
            Shape::Text(_) => 0,
            Shape::Record(_, parts) | Shape::List { elements: parts, .. } => {
                parts.iter().map(Shape::count).sum()
            }
            Shape::Function(_, given) => given.iter().map(|(_, shape)| shape.count()).sum(),
        }
    }

    /// What its number at this place is.
    pub fn scalar_at(&self, place: usize) -> Option<Scalar> {
        match self {
            Shape::Numbers { scalar, .. } => (place < self.count()).then_some(*scalar),
            Shape::Text(_) => None,
            Shape::Record(_, parts) | Shape::List { elements: parts, .. } => scalar_among(parts, place),
            Shape::Function(_, given) => scalar_among(given.iter().map(|(_, part)| part), place),
        }
    }
}

/// What the number at this place in several shapes is.
pub(crate) fn scalar_among<'a>(
    shapes: impl IntoIterator<Item = &'a Shape>,
    mut place: usize,
) -> Option<Scalar> {
    for shape in shapes {
        let count = shape.count();
        if place < count {
            return shape.scalar_at(place);
        }
        place -= count;
    }
    None
}
