//! Whole numbers of 64 bits (MLS §4.9.2), exactly.
//!
//! All values of a run stand in an array of `f64`, which holds every whole number up to 2^53. Beyond that a whole number is a
//! [`Split`] into the nearest `f64`, which calculations with Reals and all readers of the array take, and the rest, in a variable
//! of its own ([`Variable::rest_of`](crate::Variable::rest_of)). Operations use both, and have no value if the result does not
//! fit.

use serde::{Deserialize, Serialize};

/// Arithmetic that stays among whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Whole {
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a*b`
    Multiply,
    /// `div(a, b)`: the quotient towards zero.
    Quotient,
    /// `rem(a, b)`: the remainder of that quotient, with the sign of `a`.
    Remainder,
    /// `mod(a, b)`: the same for the quotient downwards, with the sign of `b`.
    Modulo,
    /// `integer(a)` of a Real without a fraction: whether it fits. `b` is `a`.
    OfReal,
}

impl Whole {
    /// Its value, if there is one: divided by zero, or beyond 64 bits, there is none.
    pub fn value(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Whole::Add => a.checked_add(b),
            Whole::Subtract => a.checked_sub(b),
            Whole::Multiply => a.checked_mul(b),
            Whole::Quotient => a.checked_div(b),
            Whole::Remainder | Whole::Modulo if b == 0 => None,
            Whole::Remainder => Some(a.wrapping_rem(b)),
            Whole::Modulo => {
                let rest = a.wrapping_rem(b);
                Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
            }
            Whole::OfReal => Some(a),
        }
    }

    /// The name of the function, or the sign between the operands.
    pub fn name(self) -> &'static str {
        match self {
            Whole::Add => "+",
            Whole::Subtract => "-",
            Whole::Multiply => "*",
            Whole::Quotient => "div",
            Whole::Remainder => "rem",
            Whole::Modulo => "mod",
            Whole::OfReal => "integer",
        }
    }
}

/// A whole number as the sum of two `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Split {
    /// The nearest `f64`.
    pub nearest: f64,
    /// The rest: not zero only beyond 2^53, and 512 at most.
    pub rest: f64,
}

/// Whole numbers below this one are exactly representable.
pub const LARGEST_PLAIN: f64 = 9_007_199_254_740_992.0; // 2^53

impl Split {
    /// A whole number.
    pub fn of(number: i64) -> Split {
        let nearest = number as f64;
        // in 128 bits: next to the largest one is 2^63
        Split { nearest, rest: (i128::from(number) - nearest as i128) as f64 }
    }

    /// The whole number; none if there is a fraction, or if it does not fit into 64 bits.
    pub fn whole(self) -> Option<i64> {
        if self.nearest.abs() < LARGEST_PLAIN {
            return (self.nearest == self.nearest.trunc()).then_some(self.nearest as i64);
        }
        // saturates if it does not fit, and is zero for NaN
        let whole = (self.nearest as i128).checked_add(self.rest as i128)?;
        i64::try_from(whole).ok().filter(|_| self.nearest.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i64; 15] = [
        0,
        1,
        -1,
        7,
        (1 << 53) - 1,
        1 << 53,
        (1 << 53) + 1,
        -(1 << 53) - 1,
        (1 << 60) + 129,
        -(1 << 62) - 257,
        i64::MAX - 511,
        i64::MAX - 512,
        i64::MAX,
        i64::MIN + 1,
        i64::MIN,
    ];

    #[test]
    fn every_whole_number_is_the_sum_of_its_parts() {
        for n in EDGES {
            let split = Split::of(n);
            assert_eq!(split.whole(), Some(n));
            assert!(split.rest.abs() <= 512.0);
        }
        assert_eq!(Split { nearest: 0.5, rest: 0.0 }.whole(), None);
        assert_eq!(Split { nearest: 9.3e18, rest: 0.0 }.whole(), None);
        assert_eq!(Split { nearest: -9.3e18, rest: 0.0 }.whole(), None);
        assert_eq!(Split { nearest: f64::NAN, rest: 0.0 }.whole(), None);
        assert_eq!(Split { nearest: f64::INFINITY, rest: 0.0 }.whole(), None);
    }

    /// Comparisons in programs: the nearest floats are in the order of the numbers, and if they are equal the rests are.
    #[test]
    fn differences_of_the_parts_have_the_sign_of_the_difference() {
        for a in EDGES {
            for b in EDGES {
                let (x, y) = (Split::of(a), Split::of(b));
                let difference = (x.nearest - y.nearest) + (x.rest - y.rest);
                assert_eq!(difference.partial_cmp(&0.0), Some(a.cmp(&b)), "{a} and {b}");
            }
        }
    }

    #[test]
    fn quotients_go_towards_zero_and_downwards() {
        for (a, b, div, rem, modulo) in
            [(7, 2, 3, 1, 1), (-7, 2, -3, -1, 1), (7, -2, -3, 1, -1), (-7, -2, 3, -1, -1)]
        {
            assert_eq!(Whole::Quotient.value(a, b), Some(div));
            assert_eq!(Whole::Remainder.value(a, b), Some(rem));
            assert_eq!(Whole::Modulo.value(a, b), Some(modulo));
        }
        assert_eq!(Whole::Modulo.value(1, 0), None);
        assert_eq!(Whole::Quotient.value(i64::MIN, -1), None);
        assert_eq!(Whole::Remainder.value(i64::MIN, -1), Some(0));
        assert_eq!(Whole::Multiply.value(i64::MAX, 2), None);
    }
}
