//! Calls of functions that stay calls: arguments and results as scalars.

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
    /// The function.
    pub function: FunctionId,
    /// One per input: how the numbers in `operands` make up its value.
    pub arguments: Vec<Shape>,
    /// One per output: how its value is split into numbers.
    pub results: Vec<Shape>,
    /// The numbers of all arguments, in order. For a derivative they are followed by their derivatives; for a second
    /// derivative all of these by theirs.
    pub operands: Vec<ExprId>,
    /// Order of differentiation: the results are then directional derivatives along those of the arguments.
    pub depth: u8,
}

/// How numbers make up a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Shape {
    /// A number, or an array of numbers row by row; Booleans, enumerations and external objects are numbers too.
    Numbers {
        /// The type of the numbers.
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
        /// The type of the elements.
        scalar: Scalar,
        /// At least one.
        sizes: Vec<usize>,
        /// The elements.
        elements: Vec<Shape>,
    },
    /// A function, with some of its inputs given, by their indices, in order.
    Function(FunctionId, Vec<(u32, Shape)>),
}

impl Shape {
    /// The number of its numbers.
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

    /// The type of its number at this index.
    pub fn scalar_at(&self, place: usize) -> Option<Scalar> {
        match self {
            Shape::Numbers { scalar, .. } => (place < self.count()).then_some(*scalar),
            Shape::Text(_) => None,
            Shape::Record(_, parts) | Shape::List { elements: parts, .. } => scalar_among(parts, place),
            Shape::Function(_, given) => scalar_among(given.iter().map(|(_, part)| part), place),
        }
    }
}

/// The type of the number at this index in several shapes.
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
