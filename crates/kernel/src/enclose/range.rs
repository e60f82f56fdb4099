//! Ranges of numbers: arithmetic and elementary functions whose results hold all values for operands within their ranges (Moore,
//! Kearfott & Cloud, *Introduction to Interval Analysis*, 2009).
//!
//! Ends are rounded outward, so that the ranges hold the results of floating-point evaluation, too. An operation without a value
//! for some operands in the ranges gives [`Range::EVERYTHING`], or the range of those for which it has one.

use std::f64::consts::{PI, TAU};

use rhei_elementary::{Binary, Course, Elementary, Relation};

/// Rounding units by which elementary functions of `libm` may be off; its documentation promises less than one for most of them.
const ELEMENTARY_ULPS: f64 = 4.0;
/// Rounding units of a power that is multiplied out: sixteen factors at most, each with half a unit.
const POWER_ULPS: f64 = 32.0;

/// The numbers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

impl Range {
    /// All numbers: nothing is known.
    pub const EVERYTHING: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY };
    /// Zero, exactly.
    pub const ZERO: Range = Range { low: 0.0, high: 0.0 };
    /// From -1 to 1.
    pub(super) const SIGNS: Range = Range { low: -1.0, high: 1.0 };
    /// An unknown Boolean, or a share.
    pub(super) const EITHER: Range = Range { low: 0.0, high: 1.0 };

    /// One number; everything for NaN.
    pub fn point(x: f64) -> Range {
        if x.is_nan() { Range::EVERYTHING } else { Range { low: x, high: x } }
    }

    /// A number that is not representable, by the nearest one.
    pub(super) fn near(x: f64) -> Range {
        Range { low: x.next_down(), high: x.next_up() }
    }

    /// The range between two numbers, in any order.
    pub fn between(a: f64, b: f64) -> Range {
        Range::ordered(a.min(b), a.max(b))
    }

    /// The ends as they are, unless one is not a number.
    fn ordered(low: f64, high: f64) -> Range {
        if low <= high { Range { low, high } } else { Range::EVERYTHING }
    }

    /// Rounded outward by one unit.
    fn rounded(low: f64, high: f64) -> Range {
        Range::ordered(low.next_down(), high.next_up())
    }

    /// Wider by a share of its ends.
    fn widened(self, ulps: f64) -> Range {
        let slack = |x: f64| ulps * f64::EPSILON * x.abs() + f64::MIN_POSITIVE;
        Range::ordered(self.low - slack(self.low), self.high + slack(self.high))
    }

    /// The hull of two ranges.
    pub fn hull(self, other: Range) -> Range {
        Range { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The intersection; `self` if rounding left nothing.
    pub fn meet(self, other: Range) -> Range {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high { Range { low, high } } else { self }
    }

    /// Whether a number is in it.
    pub fn contains(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// How far its ends are apart.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Whether it is a single number.
    pub fn is_point(self) -> bool {
        self.low == self.high
    }

    fn is_zero(self) -> bool {
        self == Range::ZERO
    }

    /// All negated.
    pub fn negate(self) -> Range {
        Range { low: -self.high, high: -self.low }
    }

    pub(super) fn add(self, other: Range) -> Range {
        match (self.is_zero(), other.is_zero()) {
            (true, _) => other,
            (_, true) => self,
            _ => Range::rounded(self.low + other.low, self.high + other.high),
        }
    }

    pub(super) fn multiply(self, other: Range) -> Range {
        if self.is_zero() || other.is_zero() {
            return Range::ZERO;
        }
        let corner = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let corners = [
            corner(self.low, other.low),
            corner(self.low, other.high),
            corner(self.high, other.low),
            corner(self.high, other.high),
        ];
        let (low, high) = ends(&corners);
        Range::rounded(low, high)
    }

    /// The square, which is never negative.
    pub(super) fn square(self) -> Range {
        let size = self.size();
        Range { low: (size.low * size.low).next_down().max(0.0), high: (size.high * size.high).next_up() }
    }

    pub(super) fn divide(self, by: Range) -> Range {
        if by.contains(0.0) {
            return Range::EVERYTHING;
        }
        if self.is_zero() {
            return Range::ZERO;
        }
        let corners = [self.low / by.low, self.low / by.high, self.high / by.low, self.high / by.high];
        if corners.iter().any(|corner| corner.is_nan()) {
            return Range::EVERYTHING;
        }
        let (low, high) = ends(&corners);
        Range::rounded(low, high)
    }

    /// Absolute values.
    fn size(self) -> Range {
        if self.low >= 0.0 {
            self
        } else if self.high <= 0.0 {
            self.negate()
        } else {
            Range { low: 0.0, high: self.high.max(-self.low) }
        }
    }

    fn power(self, exponent: Range) -> Range {
        let whole = exponent.is_point() && exponent.low == exponent.low.trunc() && exponent.low.abs() < 1e9;
        if !whole {
            // negative bases have values at whole exponents alone
            let meets_whole = exponent.low.ceil() <= exponent.high;
            if self.high < 0.0 || (self.low < 0.0 && meets_whole) {
                return Range::EVERYTHING;
            }
            let base = Range { low: self.low.max(0.0), high: self.high };
            // `y*log(x)` is bilinear: its least and its greatest value are at corners
            return corners_of(base, exponent, |a, b| Binary::Pow.value(a, b)).widened(POWER_ULPS);
        }
        let n = exponent.low;
        match n {
            0.0 => return Range::point(1.0),
            1.0 => return self,
            2.0 => return self.square(),
            _ if n < 0.0 => return Range::point(1.0).divide(self.power(Range::point(-n))),
            _ => {}
        }
        let base = if n % 2.0 == 0.0 { self.size() } else { self };
        let of = |x: f64| Binary::Pow.value(x, n);
        Range::ordered(of(base.low), of(base.high)).widened(POWER_ULPS)
    }

    /// The angle of a point, for all points of a box.
    fn angle(self, x: Range) -> Range {
        let meets_cut = x.low <= 0.0 && self.contains(0.0);
        if meets_cut {
            return Range { low: -PI, high: PI }.widened(ELEMENTARY_ULPS);
        }
        corners_of(self, x, |a, b| Binary::Atan2.value(a, b)).widened(ELEMENTARY_ULPS)
    }

    /// An operation with two operands.
    pub fn binary(op: Binary, a: Range, b: Range) -> Range {
        match op {
            Binary::Add => a.add(b),
            Binary::Sub => a.add(b.negate()),
            Binary::Mul => a.multiply(b),
            Binary::Div => a.divide(b),
            Binary::Pow => a.power(b),
            Binary::Atan2 => a.angle(b),
            Binary::Min => Range { low: a.low.min(b.low), high: a.high.min(b.high) },
            Binary::Max => Range { low: a.low.max(b.low), high: a.high.max(b.high) },
        }
    }

    /// An elementary function.
    pub fn call(f: Elementary, x: Range) -> Range {
        let row = f.row();
        if x.high < row.domain.low || x.low > row.domain.high {
            return Range::EVERYTHING;
        }
        let x = Range { low: x.low.max(row.domain.low), high: x.high.min(row.domain.high) };
        let rising = |x: Range| Range::ordered(f.value(x.low), f.value(x.high));
        let values = match row.course {
            Course::Wave { crest } => return x.wave(f, crest),
            Course::BetweenPoles { first, period } if x.meets_multiple(first, period) => {
                return Range::EVERYTHING;
            }
            Course::Rising | Course::BetweenPoles { .. } | Course::Steps => rising(x),
            Course::Falling => Range::ordered(f.value(x.high), f.value(x.low)),
            Course::Even => rising(x.size()),
        };
        let values = if row.is_exact { values } else { values.widened(ELEMENTARY_ULPS) };
        if values == Range::EVERYTHING {
            return values; // also if some operands have no value
        }
        values.meet(Range { low: row.image.low, high: row.image.high })
    }

    /// Sine or cosine, whose crests are at `crest` and whole turns from there.
    fn wave(self, f: Elementary, crest: f64) -> Range {
        if self.width() >= TAU || !self.width().is_finite() {
            return Range { low: -1.0, high: 1.0 };
        }
        let ends = Range::between(f.value(self.low), f.value(self.high)).widened(ELEMENTARY_ULPS);
        let high = if self.meets_multiple(crest, TAU) { 1.0 } else { ends.high.min(1.0) };
        let low = if self.meets_multiple(crest - PI, TAU) { -1.0 } else { ends.low.max(-1.0) };
        Range { low, high }
    }

    /// Whether `first + k*period` may be in it, for a whole number k.
    fn meets_multiple(self, first: f64, period: f64) -> bool {
        let slack = ELEMENTARY_ULPS * f64::EPSILON * (self.low.abs().max(self.high.abs()) + period);
        let turns = |x: f64| (x - first) / period;
        turns(self.high + slack).floor() >= turns(self.low - slack).ceil()
    }

    /// A comparison: 0, 1, or either.
    pub fn relation(relation: Relation, a: Range, b: Range) -> Range {
        let truth = |holds: bool| Range::point(f64::from(u8::from(holds)));
        let (less, greater) = (a.high < b.low, a.low > b.high);
        let apart = less || greater;
        let are_points = a.is_point() && b.is_point();
        let not_greater = a.high <= b.low;
        let not_less = a.low >= b.high;
        match relation {
            _ if are_points => truth(relation.holds(a.low, b.low)),
            Relation::Less if less || not_less => truth(less),
            Relation::LessEqual if not_greater || greater => truth(not_greater),
            Relation::Greater if greater || not_greater => truth(greater),
            Relation::GreaterEqual if not_less || less => truth(not_less),
            Relation::Equal if apart => truth(false),
            Relation::NotEqual if apart => truth(true),
            _ => Range::EITHER,
        }
    }

    /// A truth value, where it is known.
    pub fn truth(self) -> Option<bool> {
        if self.is_point() {
            return Some(self.low != 0.0);
        }
        (!self.contains(0.0)).then_some(true)
    }

    /// A truth value as a range.
    pub(super) fn of_truth(truth: Option<bool>) -> Range {
        truth.map_or(Range::EITHER, |truth| Range::point(f64::from(u8::from(truth))))
    }
}

fn ends(&[a, b, c, d]: &[f64; 4]) -> (f64, f64) {
    (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
}

fn corners_of(a: Range, b: Range, f: fn(f64, f64) -> f64) -> Range {
    let corners = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
    if corners.iter().any(|corner| corner.is_nan()) {
        return Range::EVERYTHING;
    }
    let (low, high) = ends(&corners);
    Range { low, high }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn operand() -> impl Strategy<Value = Range> {
        let end = prop_oneof![-10.0..10.0, -1e3..1e3, Just(0.0), Just(1.0), Just(-2.0), -1e-6..1e-6];
        (end.clone(), end).prop_map(|(a, b)| Range::between(a, b))
    }

    fn inside(range: Range, share: f64) -> f64 {
        (range.low + share * (range.high - range.low)).clamp(range.low, range.high)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn operations_hold_every_value(a in operand(), b in operand(), x in 0.0..=1.0, y in 0.0..=1.0) {
            for op in Binary::ALL {
                let value = op.value(inside(a, x), inside(b, y));
                let range = Range::binary(op, a, b);
                prop_assert!(value.is_nan() || range.contains(value), "{op:?} of {a:?} and {b:?}: {value} in {range:?}");
            }
        }

        #[test]
        fn powers_with_whole_exponents_hold_every_value(a in operand(), n in -20..20, x in 0.0..=1.0) {
            let value = Binary::Pow.value(inside(a, x), f64::from(n));
            let range = Range::binary(Binary::Pow, a, Range::point(f64::from(n)));
            prop_assert!(value.is_nan() || range.contains(value), "{a:?}^{n}: {value} in {range:?}");
        }

        #[test]
        fn powers_with_whole_exponents_among_others_hold_every_value(
            a in operand(), n in -9..9, (below, above) in (0.0..3.0, 0.0..3.0), x in 0.0..=1.0,
        ) {
            let n = f64::from(n);
            let value = Binary::Pow.value(inside(a, x), n);
            let range = Range::binary(Binary::Pow, a, Range { low: n - below, high: n + above });
            prop_assert!(value.is_nan() || range.contains(value), "{a:?}^{n}: {value} in {range:?}");
        }

        #[test]
        fn functions_hold_every_value(a in operand(), x in 0.0..=1.0) {
            for &f in Elementary::ALL {
                let value = f.value(inside(a, x));
                let range = Range::call(f, a);
                prop_assert!(value.is_nan() || range.contains(value), "{f:?} of {a:?}: {value} in {range:?}");
            }
        }

        #[test]
        fn comparisons_are_known_only_where_they_are(a in operand(), b in operand(), x in 0.0..=1.0, y in 0.0..=1.0) {
            for relation in Relation::ALL {
                if let Some(known) = Range::relation(relation, a, b).truth() {
                    prop_assert_eq!(known, relation.holds(inside(a, x), inside(b, y)));
                }
            }
        }
    }

    #[test]
    fn ranges_are_narrow() {
        let narrow = |range: Range, low: f64, high: f64| {
            assert!((range.low - low).abs() < 1e-12 && (range.high - high).abs() < 1e-12, "{range:?}");
        };
        let x = Range { low: -1.0, high: 2.0 };
        narrow(Range::binary(Binary::Pow, x, Range::point(2.0)), 0.0, 4.0);
        narrow(Range::binary(Binary::Pow, x, Range::point(3.0)), -1.0, 8.0);
        narrow(Range::call(Elementary::Sin, Range { low: 0.1, high: 3.0 }), 0.1f64.sin(), 1.0);
        narrow(Range::call(Elementary::Cos, Range { low: 3.0, high: 6.0 }), -1.0, 6.0f64.cos());
        assert_eq!(Range::call(Elementary::Tan, Range { low: 1.0, high: 2.0 }), Range::EVERYTHING);
        assert_eq!(Range::binary(Binary::Div, x, x), Range::EVERYTHING);
        assert_eq!(Range::ZERO.multiply(Range::EVERYTHING), Range::ZERO);
    }
}
