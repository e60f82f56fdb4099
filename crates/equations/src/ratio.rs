//! Exact fractions, for the times of ticks.

use std::fmt;

use num_rational::Ratio as Fraction;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
use serde::{Deserialize, Serialize};

/// A fraction in lowest terms. Arithmetic that would leave its range gives nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "(i128, i128)", try_from = "(i128, i128)")]
pub struct Ratio(Fraction<i128>);

impl From<Ratio> for (i128, i128) {
    fn from(ratio: Ratio) -> (i128, i128) {
        ratio.0.into()
    }
}

impl TryFrom<(i128, i128)> for Ratio {
    type Error = &'static str;

    fn try_from((numerator, denominator): (i128, i128)) -> Result<Ratio, &'static str> {
        Ratio::new(numerator, denominator).ok_or("a fraction with a denominator of zero")
    }
}

impl Ratio {
    /// 0
    pub const ZERO: Ratio = Ratio(Fraction::ZERO);
    /// 1
    pub const ONE: Ratio = Ratio(Fraction::ONE);

    /// `numerator / denominator`; none if the denominator is zero.
    pub fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        Fraction::from_integer(numerator).checked_div(&Fraction::from_integer(denominator)).map(Ratio)
    }

    /// A whole number.
    pub fn whole(number: i64) -> Ratio {
        Ratio(Fraction::from_integer(number.into()))
    }

    /// Its value, if it is whole.
    pub fn as_whole(self) -> Option<i64> {
        self.0.is_integer().then(|| i64::try_from(*self.0.numer()).ok()).flatten()
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        *self.0.numer() < 0
    }

    /// The sum.
    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        self.of_wholes(other, i128::checked_add).or_else(|| self.0.checked_add(&other.0).map(Ratio))
    }

    /// The difference.
    pub fn minus(self, other: Ratio) -> Option<Ratio> {
        self.of_wholes(other, i128::checked_sub).or_else(|| self.0.checked_sub(&other.0).map(Ratio))
    }

    /// The product.
    pub fn times(self, other: Ratio) -> Option<Ratio> {
        self.of_wholes(other, i128::checked_mul).or_else(|| self.0.checked_mul(&other.0).map(Ratio))
    }

    /// The result of an operation on whole numbers, which most are: there is nothing to be reduced.
    fn of_wholes(self, other: Ratio, result: fn(i128, i128) -> Option<i128>) -> Option<Ratio> {
        let are_whole = self.0.is_integer() && other.0.is_integer();
        are_whole
            .then(|| result(*self.0.numer(), *other.0.numer()))?
            .map(|whole| Ratio(Fraction::from_integer(whole)))
    }

    /// The quotient; none if the divisor is zero.
    pub fn over(self, other: Ratio) -> Option<Ratio> {
        self.0.checked_div(&other.0).map(Ratio)
    }

    /// The number nearest to it.
    pub fn to_f64(self) -> f64 {
        const EXACT: i128 = 1 << 53;
        let (numerator, denominator) = (*self.0.numer(), *self.0.denom());
        if numerator.abs() <= EXACT && denominator <= EXACT {
            // both exact: the quotient is rounded once
            return numerator as f64 / denominator as f64;
        }
        // the whole part exactly, the rest of a smaller size
        let (whole, rest) = (numerator / denominator, numerator % denominator);
        whole as f64 + rest as f64 / denominator as f64
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i128, denominator: i128) -> Ratio {
        Ratio::new(numerator, denominator).expect("the denominator is not zero")
    }

    #[test]
    fn fractions_are_exact() {
        assert_eq!(ratio(1, 10).times(Ratio::whole(100_000)), Some(Ratio::whole(10_000)));
        assert_eq!(ratio(1, 3).plus(ratio(1, 6)), Some(ratio(1, 2)));
        assert_eq!(ratio(1, 3).minus(ratio(1, 2)), Some(ratio(-1, 6)));
        assert_eq!(ratio(2, 3).over(ratio(-4, 9)), Some(ratio(-3, 2)));
        assert_eq!(ratio(3, 10).to_f64(), 0.3);
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(ratio(i128::MAX, 1).plus(Ratio::ONE), None);
    }

    #[test]
    fn fractions_are_ordered_without_overflow() {
        assert!(ratio(1, 3) < ratio(1, 2));
        assert!(ratio(-1, 2) < ratio(-1, 3));
        assert!(ratio(7, 3) > ratio(16, 7));
        let big = ratio(i128::MAX, 3);
        assert!(ratio(i128::MAX - 1, 3) < big && big == big);
    }
}
