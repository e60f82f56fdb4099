//! Exponents: small fractions.

use std::fmt;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul};

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational(Ratio<i64>);

/// The largest denominator that [`Rational::near`] looks for: `x^0.41` is a fit to measurements, not a root.
const LARGEST_DENOMINATOR: i32 = 12;

/// Largest distance of a number from the fraction that it is taken for: `2/3` is rounded.
const ROUNDING: f64 = 1e-9;

impl Rational {
    /// 0
    pub const ZERO: Rational = Rational::whole(0);
    /// 1
    pub const ONE: Rational = Rational::whole(1);

    /// A whole number.
    pub const fn whole(value: i32) -> Rational {
        Rational(Ratio::new_raw(value as i64, 1))
    }

    /// A fraction; nothing where the denominator is zero or the numbers are too large.
    pub fn new(numerator: i64, denominator: i64) -> Option<Rational> {
        Ratio::from_integer(numerator)
            .checked_div(&Ratio::from_integer(denominator))
            .and_then(Rational::small)
    }

    /// Exponents are small: anything else is a slip.
    fn small(ratio: Ratio<i64>) -> Option<Rational> {
        let largest = i64::from(i32::MAX);
        (ratio.numer().abs() <= largest && *ratio.denom() <= largest).then_some(Rational(ratio))
    }

    /// The fraction of a small denominator that this number stands for, if there is one.
    pub fn near(value: f64) -> Option<Rational> {
        (1..=LARGEST_DENOMINATOR).find_map(|denominator| {
            let numerator = value * f64::from(denominator);
            let whole = numerator.round();
            let is_near = (numerator - whole).abs() <= ROUNDING * whole.abs().max(1.0);
            (is_near && whole.abs() < f64::from(i32::MAX))
                .then(|| Rational::new(whole as i64, denominator.into()))?
        })
    }

    /// The sum, unless it is too large.
    pub fn plus(self, other: Rational) -> Option<Rational> {
        self.0.checked_add(&other.0).and_then(Rational::small)
    }

    /// The product, unless it is too large.
    pub fn times(self, other: Rational) -> Option<Rational> {
        self.0.checked_mul(&other.0).and_then(Rational::small)
    }

    /// The same with the other sign.
    pub fn negated(self) -> Rational {
        Rational(-self.0)
    }

    /// The number, if it is whole.
    pub fn as_whole(self) -> Option<i32> {
        self.0.is_integer().then(|| i32::try_from(*self.0.numer()).ok()).flatten()
    }

    /// As a floating-point number.
    pub fn as_f64(self) -> f64 {
        *self.0.numer() as f64 / *self.0.denom() as f64
    }

    /// Whether it is less than zero.
    pub fn is_negative(self) -> bool {
        *self.0.numer() < 0
    }
}

/// As the exponent of a unit is written: nothing for 1, `-2`, `(1/2)`, `-(2/3)`.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self.0.numer(), *self.0.denom()) {
            (1, 1) => Ok(()),
            (n, 1) => write!(f, "{n}"),
            (n, d) => write!(f, "{}({}/{d})", if n < 0 { "-" } else { "" }, n.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fraction(n: i64, d: i64) -> Rational {
        Rational::new(n, d).unwrap()
    }

    #[test]
    fn fractions_are_reduced_and_added() {
        assert_eq!(fraction(2, -4), fraction(-1, 2));
        assert_eq!(fraction(1, 2).plus(fraction(1, 3)), Some(fraction(5, 6)));
        assert_eq!(fraction(2, 3).times(fraction(3, 2)), Some(Rational::ONE));
        assert_eq!(Rational::new(1, 0), None);
        assert_eq!(Rational::whole(i32::MAX).times(Rational::whole(2)), None);
    }

    #[test]
    fn numbers_are_taken_for_fractions_of_small_denominators_only() {
        assert_eq!(Rational::near(-2.0), Some(Rational::whole(-2)));
        assert_eq!(Rational::near(2.0 / 3.0), Some(fraction(2, 3)));
        assert_eq!(Rational::near(1.75), Some(fraction(7, 4)));
        assert_eq!(Rational::near(0.41), None);
        assert_eq!(Rational::near(f64::NAN), None);
        assert_eq!(Rational::near(1e300), None);
    }
}
