//! Laurent series in a small positive `h`, ordered lexicographically: by the sign of their first term.
//!
//! They are an ordered field, in which a pivoting rule works as in that of the numbers (Heemels, Schumacher & Weiland, *The rational
//! complementarity problem*, 1999, §5: the problem is solved where it is for all small `h`). A term of order −1 is an impulse, of
//! order 0 a value, of order 1 a first derivative.

/// Terms that are kept of a series.
const TERMS: usize = 8;

/// A term below this share of the two it is the sum of is their rounding.
const CANCELLED: f64 = 1e-12;

/// The order up to which a finite series is known.
const EXACT: i32 = i32::MAX / 4;

/// `Σ terms[k]·h^(first + k)`, known up to the order `end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Series {
    first: i32,
    end: i32,
    terms: [f64; TERMS],
}

impl Series {
    /// Zero.
    pub const ZERO: Series = Series { first: 0, end: EXACT, terms: [0.0; TERMS] };

    /// `value·h^order`
    pub fn term(value: f64, order: i32) -> Series {
        let mut terms = [0.0; TERMS];
        terms[0] = value;
        if value == 0.0 { Series::ZERO } else { Series { first: order, end: EXACT, terms } }
    }

    /// A number.
    pub fn number(value: f64) -> Series {
        Series::term(value, 0)
    }

    /// Whether all known terms vanish.
    pub fn is_zero(&self) -> bool {
        self.terms[0] == 0.0
    }

    /// The first order that does not vanish, and its factor.
    pub fn leading(&self) -> (i32, f64) {
        (self.first, self.terms[0])
    }

    /// The factor of an order.
    pub fn at(&self, order: i32) -> f64 {
        let place = order - self.first;
        if (0..TERMS as i32).contains(&place) { self.terms[place as usize] } else { 0.0 }
    }

    /// The orders of the terms that are known.
    pub fn orders(&self) -> std::ops::Range<i32> {
        self.first..self.end.min(self.first + TERMS as i32)
    }

    /// The sum, with terms that cancel but for rounding taken for zero.
    pub fn plus(&self, other: &Series) -> Series {
        self.sum(other, CANCELLED)
    }

    /// The sum as it is computed.
    pub fn plus_rounded(&self, other: &Series) -> Series {
        self.sum(other, 0.0)
    }

    fn sum(&self, other: &Series, cancelled: f64) -> Series {
        let end = self.end.min(other.end);
        let first = match (self.is_zero(), other.is_zero()) {
            (true, true) => return Series { end, ..Series::ZERO },
            (true, false) => other.first,
            (false, true) => self.first,
            (false, false) => self.first.min(other.first),
        };
        let mut terms = [0.0; TERMS];
        for (place, term) in terms.iter_mut().enumerate() {
            let order = first + place as i32;
            let (a, b) = (self.at(order), other.at(order));
            let sum = a + b;
            *term = if order >= end || sum.abs() <= cancelled * (a.abs() + b.abs()) { 0.0 } else { sum };
        }
        let last = |series: &Series| series.terms.iter().rposition(|term| *term != 0.0).unwrap_or(0) as i32;
        let reaches = |series: &Series| series.first + last(series) >= first + TERMS as i32;
        let is_cut = reaches(self) || reaches(other);
        let end = if is_cut { end.min(first + TERMS as i32) } else { end };
        Series { first, end, terms }.normalised()
    }

    /// The product.
    pub fn times(&self, other: &Series) -> Series {
        let lowest = |series: &Series| if series.is_zero() { series.end } else { series.first };
        let end = (lowest(self).saturating_add(other.end)).min(lowest(other).saturating_add(self.end));
        let end = if self.end == EXACT && other.end == EXACT { EXACT } else { end.min(EXACT) };
        if self.is_zero() || other.is_zero() {
            return Series { end, ..Series::ZERO };
        }
        let mut terms = [0.0; TERMS];
        let mut is_cut = false;
        for (i, a) in self.terms.iter().enumerate().filter(|(_, a)| **a != 0.0) {
            for (j, b) in other.terms.iter().enumerate().filter(|(_, b)| **b != 0.0) {
                match terms.get_mut(i + j) {
                    Some(term) => *term += a * b,
                    None => is_cut = true,
                }
            }
        }
        let first = self.first + other.first;
        let end = if is_cut { end.min(first + TERMS as i32) } else { end };
        Series { first, end, terms }.normalised()
    }

    /// The quotient by a series that is not zero.
    pub fn over(&self, divisor: &Series) -> Series {
        if divisor.end == EXACT && divisor.terms[1..].iter().all(|term| *term == 0.0) {
            return self.times(&Series::term(1.0 / divisor.terms[0], -divisor.first));
        }
        let mut inverse = [0.0; TERMS];
        inverse[0] = 1.0 / divisor.terms[0];
        for k in 1..TERMS {
            let sum: f64 = (1..=k).map(|j| divisor.terms[j] * inverse[k - j]).sum();
            inverse[k] = -sum / divisor.terms[0];
        }
        let known = (divisor.end - divisor.first).min(TERMS as i32);
        inverse.iter_mut().skip(known.max(0) as usize).for_each(|term| *term = 0.0);
        self.times(&Series { first: -divisor.first, end: -divisor.first + known, terms: inverse })
    }

    /// The negative.
    pub fn negated(&self) -> Series {
        Series { terms: self.terms.map(|term| -term), ..*self }
    }

    /// With the absolute values of all factors.
    pub fn absolute(&self) -> Series {
        Series { terms: self.terms.map(f64::abs), ..*self }
    }

    /// Whether the first term is larger than that of another: of lower order or, of the same order, by its factor.
    pub fn dominates(&self, other: &Series) -> bool {
        let key = |series: &Series| (-series.first, series.terms[0].abs());
        !self.is_zero() && (other.is_zero() || key(self) > key(other))
    }

    /// Without leading zeros.
    fn normalised(self) -> Series {
        let Some(skipped) = self.terms.iter().position(|term| *term != 0.0) else {
            return Series { end: self.end, ..Series::ZERO };
        };
        let mut terms = [0.0; TERMS];
        terms[..TERMS - skipped].copy_from_slice(&self.terms[skipped..]);
        Series { first: self.first + skipped as i32, end: self.end, terms }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(terms: &[(f64, i32)]) -> Series {
        terms.iter().fold(Series::ZERO, |sum, &(value, order)| sum.plus(&Series::term(value, order)))
    }

    #[test]
    fn a_quotient_times_its_divisor_is_the_dividend() {
        let (a, b) = (series(&[(3.0, -1), (1.0, 2)]), series(&[(2.0, 0), (-1.0, 1)]));
        let back = a.over(&b).times(&b);
        for order in -1..5 {
            assert!((back.at(order) - a.at(order)).abs() < 1e-12, "order {order}: {back:?}");
        }
    }

    #[test]
    fn what_cancels_is_zero_and_orders_beyond_the_known_ones_are_no_claim() {
        let (third, rest) = (Series::number(0.1 + 0.2), Series::number(-0.3));
        assert!(third.plus(&rest).is_zero());
        let geometric = Series::number(1.0).over(&series(&[(1.0, 0), (-1.0, 1)]));
        let left = geometric.plus(&geometric.negated());
        assert!(left.is_zero());
        assert_eq!(left.end, TERMS as i32, "known no further than the terms that were kept");
    }

    #[test]
    fn lower_orders_dominate() {
        assert!(Series::term(1e-9, -1).dominates(&Series::number(1e9)));
        assert!(Series::number(-2.0).dominates(&Series::number(1.0)));
        assert!(!Series::ZERO.dominates(&Series::term(1.0, 5)));
    }
}
