//! Operations with two operands, comparisons, and powers.

use serde::{Deserialize, Serialize};

use crate::{Algebra, Numbers};

/// Arithmetic with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a*b`
    Mul,
    /// `a/b`
    Div,
    /// `a^b`
    Pow,
    /// `atan2(a, b)`
    Atan2,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

impl Binary {
    /// All of them.
    pub const ALL: [Binary; 8] = [
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Pow,
        Binary::Atan2,
        Binary::Min,
        Binary::Max,
    ];

    /// Its value.
    pub fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
            Binary::Pow => power(a, b),
            Binary::Atan2 => libm::atan2(a, b),
            Binary::Min => {
                if b < a {
                    b
                } else {
                    a
                }
            }
            Binary::Max => {
                if b > a {
                    b
                } else {
                    a
                }
            }
        }
    }

    /// Its name, if it is written as a function.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Pow => None,
            Binary::Atan2 => Some("atan2"),
            Binary::Min => Some("min"),
            Binary::Max => Some("max"),
        }
    }

    /// The function of this name.
    pub fn named(name: &str) -> Option<Binary> {
        Binary::ALL.into_iter().find(|op| op.name() == Some(name))
    }
}

/// Largest exponent that is multiplied out; beyond it rounding errors of the products exceed those of `pow`.
const MULTIPLIED_OUT: f64 = 16.0;

/// Exponents whose power is multiplied out, wherever it is computed: small and whole.
pub fn is_multiplied_out(exponent: f64) -> bool {
    exponent.abs() <= MULTIPLIED_OUT && exponent == exponent.trunc()
}

/// `a^b`: small whole exponents are multiplied out, everything else is `libm`'s.
pub fn power(a: f64, b: f64) -> f64 {
    if is_multiplied_out(b) { multiply_out(&mut Numbers, a, b) } else { libm::pow(a, b) }
}

/// `base^exponent` for an exponent that [`is_multiplied_out`].
pub fn multiply_out<A: Algebra>(a: &mut A, base: A::Number, exponent: f64) -> A::Number {
    debug_assert!(is_multiplied_out(exponent));
    let mut left = exponent.abs() as u32;
    let mut square = base;
    let mut product: Option<A::Number> = None;
    while left > 0 {
        if left & 1 == 1 {
            // one times something is that something
            product = Some(match product {
                Some(product) => a.binary(Binary::Mul, product, square.clone()),
                None => square.clone(),
            });
        }
        left >>= 1;
        if left > 0 {
            square = a.square(square);
        }
    }
    let one = a.constant(1.0);
    match product {
        Some(product) if exponent < 0.0 => a.binary(Binary::Div, one, product),
        Some(product) => product,
        None => one,
    }
}

/// Comparisons; their value is 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Relation {
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a == b`
    Equal,
    /// `a <> b`
    NotEqual,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 6] = [
        Relation::Less,
        Relation::LessEqual,
        Relation::Greater,
        Relation::GreaterEqual,
        Relation::Equal,
        Relation::NotEqual,
    ];

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "<>",
        }
    }

    /// Whether it holds, between numbers or whole numbers.
    #[inline]
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Greater => a > b,
            Relation::GreaterEqual => a >= b,
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
        }
    }
}
