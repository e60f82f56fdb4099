//! Types of expressions: the element type and the size of each dimension.

use serde::{Deserialize, Serialize};

use crate::{EnumerationId, RecordId};

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum Scalar {
    Real,
    Integer,
    Boolean,
    String,
    Clock,
    Enumeration(EnumerationId),
    Record(RecordId),
    /// An object of code outside the language, by the record that names its class.
    ExternalObject(RecordId),
    /// A function given as an argument.
    Function,
}

/// The size of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Size {
    /// Known before the run.
    Known(usize),
    /// Found out when a function runs.
    Open,
}

/// An element type with array sizes; no sizes for a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Type {
    /// The element type.
    pub scalar: Scalar,
    /// The sizes, outermost first.
    pub sizes: Vec<Size>,
}

impl Scalar {
    /// Whether one can calculate with it.
    pub fn is_numeric(self) -> bool {
        matches!(self, Scalar::Real | Scalar::Integer)
    }

    /// The type of `a + b`, of `{a, b}`; nothing where there is none.
    pub fn joined(self, other: Scalar) -> Option<Scalar> {
        match (self, other) {
            (a, b) if a == b => Some(a),
            (a, b) if a.is_numeric() && b.is_numeric() => Some(Scalar::Real),
            _ => None,
        }
    }

    /// Whether a value of type `other` can stand where one of this type is wanted.
    pub fn accepts(self, other: Scalar) -> bool {
        self == other || (self == Scalar::Real && other == Scalar::Integer)
    }
}

impl Size {
    /// The size, if it is known.
    pub fn known(self) -> Option<usize> {
        match self {
            Size::Known(size) => Some(size),
            Size::Open => None,
        }
    }

    /// Whether two sizes can be the same; an open one may turn out to be any.
    pub fn fits(self, other: Size) -> bool {
        self == other || self == Size::Open || other == Size::Open
    }

    /// The more exact of two sizes that fit.
    pub fn joined(self, other: Size) -> Size {
        if self == Size::Open { other } else { self }
    }
}

impl From<usize> for Size {
    fn from(size: usize) -> Size {
        Size::Known(size)
    }
}

impl Type {
    /// One element.
    pub fn scalar(scalar: Scalar) -> Type {
        Type { scalar, sizes: Vec::new() }
    }

    /// An array.
    pub fn array(scalar: Scalar, sizes: Vec<Size>) -> Type {
        Type { scalar, sizes }
    }

    /// Whether it is one element.
    pub fn is_scalar(&self) -> bool {
        self.sizes.is_empty()
    }

    /// How many dimensions it has.
    pub fn dimensions(&self) -> usize {
        self.sizes.len()
    }

    /// All sizes, if they are known.
    pub fn known_sizes(&self) -> Option<Vec<usize>> {
        self.sizes.iter().map(|size| size.known()).collect()
    }

    /// How many elements it has, as far as is known: one for a dimension whose size is open.
    pub fn known_elements(&self) -> usize {
        self.sizes.iter().fold(1, |count: usize, size| count.saturating_mul(size.known().unwrap_or(1)))
    }

    /// Whether it certainly has no elements.
    pub fn is_empty(&self) -> bool {
        self.sizes.contains(&Size::Known(0))
    }

    /// The same sizes with other elements.
    pub fn with_scalar(&self, scalar: Scalar) -> Type {
        Type { scalar, sizes: self.sizes.clone() }
    }

    /// The type of one element of the first dimension.
    pub fn element(&self) -> Type {
        Type { scalar: self.scalar, sizes: self.sizes[1..].to_vec() }
    }

    /// An array of these: further dimensions before its own.
    pub fn within(&self, outer: impl IntoIterator<Item = Size>) -> Type {
        Type { scalar: self.scalar, sizes: outer.into_iter().chain(self.sizes.iter().copied()).collect() }
    }

    /// Whether the sizes of both can be the same.
    pub fn same_sizes(&self, other: &Type) -> bool {
        sizes_fit(&self.sizes, &other.sizes)
    }
}

/// Whether two lists of sizes can be the same.
pub(crate) fn sizes_fit(a: &[Size], b: &[Size]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.fits(*b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_become_reals_and_never_the_other_way() {
        assert_eq!(Scalar::Integer.joined(Scalar::Real), Some(Scalar::Real));
        assert_eq!(Scalar::Boolean.joined(Scalar::Real), None);
        assert!(Scalar::Real.accepts(Scalar::Integer));
        assert!(!Scalar::Integer.accepts(Scalar::Real));
        assert!(Size::Open.fits(Size::Known(3)));
        assert!(!Size::Known(2).fits(Size::Known(3)));
    }
}
