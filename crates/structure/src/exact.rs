//! Fractions without a limit: small ones in machine words, and large ones where these do not suffice.

use num_bigint::{BigInt, Sign};
use num_rational::Ratio as Fraction;
use num_traits::{One, Signed, Zero};
use rhei_equations::Ratio;

use crate::generic::Residue;

/// An exact number.
#[derive(Clone, Debug)]
pub(crate) enum Exact {
    Small(Ratio),
    /// That has no place in a small one.
    Large(Box<Fraction<BigInt>>),
}

/// Decimal numbers are taken as they are written up to this numerator, or with so many places; others as the doubles they are.
const LARGEST_DECIMAL: f64 = 1e9;
const MOST_PLACES: i32 = 9;

impl Exact {
    pub(crate) const ONE: Exact = Exact::Small(Ratio::ONE);

    /// What is written as `0.1` is a tenth; none for what is no finite number.
    pub(crate) fn of(value: f64) -> Option<Exact> {
        value.is_finite().then(|| decimal(value).map_or_else(|| double(value), Exact::Small))
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self, Exact::Small(value) if *value == Ratio::ZERO)
    }

    pub(crate) fn plus(&self, other: &Exact) -> Exact {
        self.combined(other, Ratio::plus, |a, b| a + b)
    }

    pub(crate) fn times(&self, other: &Exact) -> Exact {
        self.combined(other, Ratio::times, |a, b| a * b)
    }

    /// The quotient by what is not zero.
    pub(crate) fn over(&self, other: &Exact) -> Exact {
        debug_assert!(!other.is_zero());
        self.combined(other, Ratio::over, |a, b| a / b)
    }

    pub(crate) fn negated(&self) -> Exact {
        self.times(&Exact::Small(Ratio::whole(-1)))
    }

    fn combined(
        &self,
        other: &Exact,
        small: fn(Ratio, Ratio) -> Option<Ratio>,
        large: fn(Fraction<BigInt>, Fraction<BigInt>) -> Fraction<BigInt>,
    ) -> Exact {
        if let (Exact::Small(a), Exact::Small(b)) = (self, other)
            && let Some(result) = small(*a, *b)
        {
            return Exact::Small(result);
        }
        Exact::of_fraction(large(self.fraction(), other.fraction()))
    }

    fn fraction(&self) -> Fraction<BigInt> {
        match self {
            Exact::Small(value) => {
                let (numerator, denominator) = (*value).into();
                Fraction::new(BigInt::from(numerator), BigInt::from(denominator))
            }
            Exact::Large(value) => (**value).clone(),
        }
    }

    fn of_fraction(value: Fraction<BigInt>) -> Exact {
        let parts = (i128::try_from(value.numer()), i128::try_from(value.denom()));
        match parts {
            (Ok(numerator), Ok(denominator)) => Ratio::new(numerator, denominator).map(Exact::Small),
            _ => None,
        }
        .unwrap_or_else(|| Exact::Large(Box::new(value)))
    }

    /// The double next to it, or close to that.
    pub(crate) fn to_f64(&self) -> f64 {
        match self {
            Exact::Small(value) => value.to_f64(),
            Exact::Large(value) => {
                // both parts with more digits than a double has, and the rest as powers of two
                let (numerator, of_numerator) = leading(value.numer());
                let (denominator, of_denominator) = leading(value.denom());
                numerator / denominator * 2.0_f64.powi(of_numerator - of_denominator)
            }
        }
    }

    /// Whether reading the double next to it comes to the same.
    pub(crate) fn is_read_back(&self) -> bool {
        Exact::of(self.to_f64()).is_some_and(|read| read.fraction() == self.fraction())
    }

    /// Its value modulo the prime of the generic point; none if the prime divides its denominator.
    pub(crate) fn residue(&self) -> Option<Residue> {
        let of = |number: &BigInt| {
            let size = number.magnitude().to_u64_digits();
            let radix = Residue::of(2.0_f64.powi(64));
            let digit = |digit: u64| {
                Residue::of((digit >> 32) as f64 * 2.0_f64.powi(32))
                    .plus(Residue::of(f64::from(digit as u32)))
            };
            let value =
                size.iter().rev().fold(Residue::ZERO, |sum, &next| sum.times(radix).plus(digit(next)));
            if number.sign() == Sign::Minus { value.negated() } else { value }
        };
        let value = self.fraction();
        Some(of(value.numer()).times(of(value.denom()).inverse()?))
    }
}

/// What makes all of these whole numbers without a common factor.
pub(crate) fn to_whole(numbers: &[Exact]) -> Exact {
    let (mut numerator, mut denominator) = (BigInt::zero(), BigInt::one());
    for number in numbers {
        let value = number.fraction();
        numerator = gcd(numerator, value.numer().clone());
        denominator = &denominator / gcd(denominator.clone(), value.denom().clone()) * value.denom();
    }
    match numerator.is_zero() {
        true => Exact::ONE,
        false => Exact::of_fraction(Fraction::new(denominator, numerator)),
    }
}

fn gcd(a: BigInt, b: BigInt) -> BigInt {
    let (mut a, mut b) = (a.abs(), b.abs());
    while !b.is_zero() {
        (a, b) = (b.clone(), a % b);
    }
    a
}

/// The leading digits of a number, and the power of two they are to be multiplied by.
fn leading(number: &BigInt) -> (f64, i32) {
    const KEPT: u64 = 100;
    let beyond = number.bits().saturating_sub(KEPT);
    let kept = i128::try_from(number >> beyond).unwrap_or(i128::MAX);
    (kept as f64, beyond as i32)
}

/// The decimal fraction of few digits whose nearest double this is.
fn decimal(value: f64) -> Option<Ratio> {
    (0..=MOST_PLACES).find_map(|places| {
        let power = 10.0_f64.powi(places);
        let whole = (value * power).round();
        let is_it = whole.abs() <= LARGEST_DECIMAL && whole / power == value;
        is_it.then(|| Ratio::new(whole as i128, power as i128))?
    })
}

/// A double as the fraction that it is.
fn double(value: f64) -> Exact {
    let bits = value.abs().to_bits();
    let (mantissa, exponent) = match bits >> 52 {
        0 => (bits, -1074),
        biased => (bits & ((1 << 52) - 1) | (1 << 52), biased as i64 - 1075),
    };
    let mantissa = BigInt::from(mantissa) * if value < 0.0 { -1 } else { 1 };
    let power = BigInt::one() << exponent.unsigned_abs();
    Exact::of_fraction(match exponent < 0 {
        true => Fraction::new(mantissa, power),
        false => Fraction::from_integer(mantissa * power),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(numerator: i128, denominator: i128) -> Exact {
        Exact::Small(Ratio::new(numerator, denominator).unwrap())
    }

    #[test]
    fn numbers_are_what_they_are_written_as() {
        let is = |value: f64, numerator, denominator| {
            Exact::of(value).unwrap().fraction() == exact(numerator, denominator).fraction()
        };
        assert!(is(0.1, 1, 10) && is(-2.25, -9, 4) && is(1e9, 1_000_000_000, 1));
        assert!(is(1.0 / 3.0, 6_004_799_503_160_661, 1 << 54), "a double that no short decimal number is");
        assert!(Exact::of(f64::NAN).is_none() && Exact::of(f64::INFINITY).is_none());
        for value in [1e300, -1e-300, f64::MIN_POSITIVE / 8.0, 123_456_789.123_456_78] {
            assert_eq!(Exact::of(value).unwrap().to_f64(), value);
        }
    }

    #[test]
    fn what_is_too_large_for_machine_words_stays_exact() {
        let mut power = Exact::ONE;
        (0..200).for_each(|_| power = power.times(&exact(3, 7)));
        assert!(matches!(power, Exact::Large(_)));
        (0..200).for_each(|_| power = power.over(&exact(3, 7)));
        assert!(matches!(power, Exact::Small(value) if value == Ratio::ONE));
        let third = exact(1, 3);
        assert!(third.plus(&third).plus(&third.negated()).plus(&third.negated()).is_zero());
        assert!(!third.is_read_back() && exact(3, 8).is_read_back() && exact(3, 10).is_read_back());
    }

    #[test]
    fn residues_are_those_of_the_generic_point() {
        let mut large = Exact::ONE;
        (0..40).for_each(|_| large = large.times(&exact(-12_345, 16)));
        let mut expected = Residue::ONE;
        (0..40).for_each(|_| expected = expected.times(Residue::of(-12_345.0 / 16.0)));
        assert_eq!(large.residue(), Some(expected));
    }

    #[test]
    fn common_denominators_and_factors_are_found() {
        let numbers = [exact(4, 3), exact(-2, 5), exact(6, 1)];
        let by = to_whole(&numbers);
        let whole: Vec<f64> = numbers.iter().map(|number| number.times(&by).to_f64()).collect();
        assert_eq!(whole, [10.0, -3.0, 45.0]);
    }
}
