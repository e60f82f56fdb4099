//! Exact fractions, for the times of ticks.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms. Arithmetic that would overflow gives none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    /// 0
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    /// 1
    pub const ONE: Ratio = Ratio { numerator: 1, denominator: 1 };

    /// `numerator / denominator`; none if the denominator is zero.
    pub fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        if denominator == 0 {
            return None;
        }
        // nothing to be divided by, most of the time
        if denominator == 1 && numerator != i128::MIN {
            return Some(Ratio { numerator, denominator });
        }
        let divisor = gcd(numerator, denominator)?;
        let sign = denominator.signum();
        Some(Ratio { numerator: sign * (numerator / divisor), denominator: sign * (denominator / divisor) })
    }

    /// A whole number.
    pub fn whole(number: i64) -> Ratio {
        Ratio { numerator: number.into(), denominator: 1 }
    }

    /// Its value, if it is whole.
    pub fn as_whole(self) -> Option<i64> {
        (self.denominator == 1).then(|| i64::try_from(self.numerator).ok()).flatten()
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The sum.
    pub fn plus(self, other: Ratio) -> Option<Ratio> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Ratio::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    /// The difference.
    pub fn minus(self, other: Ratio) -> Option<Ratio> {
        self.plus(Ratio { numerator: other.numerator.checked_neg()?, ..other })
    }

    /// The product.
    pub fn times(self, other: Ratio) -> Option<Ratio> {
        // common factors first, so that the product stays small
        let (a, b) =
            (Ratio::new(self.numerator, other.denominator)?, Ratio::new(other.numerator, self.denominator)?);
        Ratio::new(a.numerator.checked_mul(b.numerator)?, a.denominator.checked_mul(b.denominator)?)
    }

    /// The quotient; none if the divisor is zero.
    pub fn over(self, other: Ratio) -> Option<Ratio> {
        self.times(Ratio::new(other.denominator, other.numerator)?)
    }

    /// The number nearest to it.
    pub fn to_f64(self) -> f64 {
        const EXACT: i128 = 1 << 53;
        if self.numerator.abs() <= EXACT && self.denominator <= EXACT {
            // both exact: the quotient is rounded once
            return self.numerator as f64 / self.denominator as f64;
        }
        // the whole part exactly, the rest of a smaller size
        let (whole, rest) = (self.numerator / self.denominator, self.numerator % self.denominator);
        whole as f64 + rest as f64 / self.denominator as f64
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Ratio) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Ratio) -> Ordering {
        // parts by part, so that no product leaves its range: whole parts, then the inverses of what is left
        let (mut a, mut b) = (*self, *other);
        let mut turned = false;
        loop {
            let whole = |r: Ratio| r.numerator.div_euclid(r.denominator);
            let rest = |r: Ratio| r.numerator.rem_euclid(r.denominator);
            let order = whole(a).cmp(&whole(b));
            let order = match (order, rest(a), rest(b)) {
                (Ordering::Equal, 0, 0) => return Ordering::Equal,
                (Ordering::Equal, 0, _) => Ordering::Less,
                (Ordering::Equal, _, 0) => Ordering::Greater,
                (Ordering::Equal, x, y) => {
                    (a, b) = (
                        Ratio { numerator: a.denominator, denominator: x },
                        Ratio { numerator: b.denominator, denominator: y },
                    );
                    turned = !turned;
                    continue;
                }
                (order, ..) => order,
            };
            return if turned { order.reverse() } else { order };
        }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

fn gcd(a: i128, b: i128) -> Option<i128> {
    let (mut a, mut b) = (a.checked_abs()?, b.checked_abs()?);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a.max(1))
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
