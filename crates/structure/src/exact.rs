//! Fractions without a limit: small ones in machine words, and large ones where these do not suffice.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_rational::Ratio as Fraction;
use num_traits::{One, Signed, Zero};
use rhei_equations::Ratio;

use crate::generic::{PRIME, Residue, in_binary};

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

    /// A whole number.
    pub(crate) fn of_whole(number: BigInt) -> Exact {
        Exact::of_fraction(Fraction::from_integer(number))
    }

    /// Binary digits of numerator and denominator.
    pub(crate) fn digits(&self) -> u64 {
        let value = self.fraction();
        value.numer().bits() + value.denom().bits()
    }

    pub(crate) fn numerator(&self) -> BigInt {
        self.fraction().numer().clone()
    }
}

/// A whole number modulo the prime of the generic point.
pub(crate) fn residue_of(number: &BigInt) -> Residue {
    let residue = number % PRIME;
    let size = residue.magnitude().iter_u64_digits().next().unwrap_or(0);
    if residue.sign() == Sign::Minus { Residue::whole(size).negated() } else { Residue::whole(size) }
}

/// The fraction that has this residue, if there is one whose numerator and denominator are both below the root of half the modulus
/// (Wang 1981): there is at most one.
pub(crate) fn fraction_of(residue: &BigInt, modulus: &BigInt) -> Option<Exact> {
    let most = (modulus >> 1_u32).sqrt();
    let (mut before, mut now) = (modulus.clone(), residue.clone());
    let (mut of_before, mut of_now) = (BigInt::zero(), BigInt::one());
    while now > most {
        let quotient = &before / &now;
        (before, now) = (now.clone(), before - &quotient * now);
        (of_before, of_now) = (of_now.clone(), of_before - quotient * of_now);
    }
    (of_now.abs() <= most && !of_now.is_zero()).then(|| Exact::of_fraction(Fraction::new(now, of_now)))
}

/// What makes all of these whole numbers without a common factor.
pub(crate) fn to_whole(numbers: &[Exact]) -> Exact {
    let (mut numerator, mut denominator) = (BigInt::zero(), BigInt::one());
    for number in numbers {
        let value = number.fraction();
        numerator = numerator.gcd(value.numer());
        denominator = denominator.lcm(value.denom());
    }
    match numerator.is_zero() {
        true => Exact::ONE,
        false => Exact::of_fraction(Fraction::new(denominator, numerator)),
    }
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
    let (mantissa, exponent) = in_binary(value);
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
    fn fractions_are_found_by_their_residues() {
        let prime = BigInt::from(PRIME);
        for (numerator, denominator) in [(0, 1), (-7, 3), (123_456_789, 987_654_321), (5, -8)] {
            let residue = residue_of(&BigInt::from(numerator))
                .times(residue_of(&BigInt::from(denominator)).inverse().unwrap());
            let found = fraction_of(&BigInt::from(residue.number()), &prime).unwrap();
            assert_eq!(found.fraction(), exact(numerator, denominator).fraction());
        }
    }

    #[test]
    fn common_denominators_and_factors_are_found() {
        let numbers = [exact(4, 3), exact(-2, 5), exact(6, 1)];
        let by = to_whole(&numbers);
        let whole: Vec<f64> = numbers.iter().map(|number| number.times(&by).to_f64()).collect();
        assert_eq!(whole, [10.0, -3.0, 45.0]);
    }
}
