//! Types of expressions: what the elements are, and how many of them in each dimension.

use std::fmt;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the language
pub enum Scalar {
    Real,
    Integer,
    Boolean,
    String,
}

/// An element type with array sizes; no sizes for a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// What the elements are.
    pub scalar: Scalar,
    /// The sizes, outermost first.
    pub sizes: Vec<usize>,
}

impl Scalar {
    /// Its name in Modelica.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Real => "Real",
            Scalar::Integer => "Integer",
            Scalar::Boolean => "Boolean",
            Scalar::String => "String",
        }
    }

    /// Whether one can calculate with it.
    pub fn is_numeric(self) -> bool {
        matches!(self, Scalar::Real | Scalar::Integer)
    }

    /// The type of `a + b`; nothing where there is none.
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

impl Type {
    /// One element.
    pub fn scalar(scalar: Scalar) -> Type {
        Type { scalar, sizes: Vec::new() }
    }

    /// An array.
    pub fn array(scalar: Scalar, sizes: Vec<usize>) -> Type {
        Type { scalar, sizes }
    }

    /// Whether it is one element.
    pub fn is_scalar(&self) -> bool {
        self.sizes.is_empty()
    }

    /// How many elements it has.
    pub fn len(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same sizes with other elements.
    pub fn with_scalar(&self, scalar: Scalar) -> Type {
        Type { scalar, sizes: self.sizes.clone() }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.scalar.name())?;
        if !self.sizes.is_empty() {
            let sizes: Vec<String> = self.sizes.iter().map(usize::to_string).collect();
            write!(f, "[{}]", sizes.join(", "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_as_they_are_declared() {
        assert_eq!(Type::array(Scalar::Real, vec![2, 3]).to_string(), "Real[2, 3]");
        assert_eq!(Scalar::Integer.joined(Scalar::Real), Some(Scalar::Real));
        assert_eq!(Scalar::Boolean.joined(Scalar::Real), None);
        assert!(!Scalar::Integer.accepts(Scalar::Real));
    }
}
