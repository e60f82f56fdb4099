//! Polynomials of a step in Bernstein's basis: over any part of the step, the least and the greatest coefficient enclose them.
//!
//! In: the dense output of an integrator, at as many points as its degree asks for. Out: bounds of values, rates and Taylor
//! coefficients over parts of the step (Lane & Riesenfeld 1981, *Bounds on a polynomial*; parts by de Casteljau's algorithm). The
//! bounds close in on the polynomial with the square of the part's length. The same for a polynomial with a remainder
//! ([`TaylorModel`]).

use crate::constants::EPSILON;

/// The degree of any dense output: that of the BDF of order 5 and one more.
pub const MOST_DEGREE: usize = 6;
const POINTS: usize = MOST_DEGREE + 1;

/// Rounding units of the coefficients: the condition number of the interpolation at Chebyshev's points, which is 20 for degree 6, times
/// one for each term of the sums.
const COEFFICIENT_ULPS: f64 = 160.0;

/// Rounding units of sums and differences of coefficients, and of parts of them. There are three for each level of de Casteljau's
/// algorithm, twice; and for either end of the part the polynomial's slope, which is twice its degree, times two.
const EVALUATION_ULPS: f64 = 128.0;

/// The least and the greatest of something.
pub type Bounds = (f64, f64);

/// The courses of some states over one step, as polynomials in Bernstein's basis.
#[derive(Clone, Debug)]
pub struct Paths {
    from: f64,
    to: f64,
    degree: usize,
    /// Per path: its coefficients over the step.
    coefficients: Vec<[f64; POINTS]>,
    /// Turns values at the points into coefficients; by degree.
    matrices: Vec<Option<[[f64; POINTS]; POINTS]>>,
    values: Vec<f64>,
}

impl Paths {
    /// Of so many states.
    pub fn new(n: usize) -> Paths {
        Paths {
            from: 0.0,
            to: 0.0,
            degree: 0,
            coefficients: vec![[0.0; POINTS]; n],
            matrices: vec![None; POINTS],
            values: Vec::new(),
        }
    }

    /// Follows a step: `at` gives the paths at a time within it, polynomials of a degree that is not above this one.
    pub fn follow(&mut self, from: f64, to: f64, degree: usize, mut at: impl FnMut(f64, &mut Vec<f64>)) {
        let degree = degree.min(MOST_DEGREE);
        (self.from, self.to, self.degree) = (from, to, degree);
        let matrix = *self.matrices[degree].get_or_insert_with(|| to_coefficients(degree));
        self.coefficients.iter_mut().for_each(|path| *path = [0.0; POINTS]);
        for point in 0..=degree {
            at(from + (to - from) * share(point, degree), &mut self.values);
            for (path, value) in self.coefficients.iter_mut().zip(&self.values) {
                for (coefficient, row) in path.iter_mut().zip(&matrix).take(degree + 1) {
                    *coefficient += row[point] * value;
                }
            }
        }
    }

    /// The degree of the paths over the step.
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Bounds of a path and of its rate over a part of the step.
    pub fn over(&self, path: usize, from: f64, to: f64) -> (Bounds, Bounds) {
        let n = self.degree;
        let own = &self.coefficients[path];
        let largest = own[..=n].iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
        let slack = COEFFICIENT_ULPS * EPSILON * largest;
        let h = self.to - self.from;
        if n == 0 || h <= 0.0 {
            return ((own[0] - slack, own[0] + slack), (0.0, 0.0));
        }
        let share = |t: f64| ((t - self.from) / h).clamp(0.0, 1.0);
        let shares = (share(from), share(to));
        let per_step = n as f64 / h;
        let mut rates = [0.0; POINTS];
        for (rate, pair) in rates.iter_mut().zip(own[..=n].windows(2)) {
            *rate = per_step * (pair[1] - pair[0]);
        }
        let unsure = 2.0 * per_step * slack;
        let (low, high) = bounds(part(*own, n, shares), n);
        let (slow, fast) = bounds(part(rates, n - 1, shares), n - 1);
        ((low - slack, high + slack), (slow - unsure, fast + unsure))
    }

    /// Bounds of a Taylor coefficient of a path, expanded anywhere in a part of the step: the derivative of this order over its
    /// factorial, times that power of `unit`. The unit is not longer than the step.
    pub fn coefficient(&self, path: usize, order: usize, (from, to): (f64, f64), unit: f64) -> Bounds {
        let n = self.degree;
        let h = self.to - self.from;
        if order > n || (order > 0 && h <= 0.0) {
            return (0.0, 0.0);
        }
        let mut own = self.coefficients[path];
        let largest = own[..=n].iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
        let mut factor = 1.0;
        for k in 0..order {
            for i in 0..n - k {
                own[i] = own[i + 1] - own[i];
            }
            factor *= (n - k) as f64 / (k + 1) as f64 * (unit / h);
        }
        let share = |t: f64| if h > 0.0 { ((t - self.from) / h).clamp(0.0, 1.0) } else { 0.0 };
        let (low, high) = bounds(part(own, n - order, (share(from), share(to))), n - order);
        // each difference has twice the error of its operands
        let slack = (COEFFICIENT_ULPS + EVALUATION_ULPS) * EPSILON * largest * f64::from(1u32 << order);
        let slack = slack + f64::MIN_POSITIVE;
        let (low, high) = (factor * (low - slack), factor * (high + slack));
        (low - f64::MIN_POSITIVE, high + f64::MIN_POSITIVE)
    }
}

/// A polynomial with a bound on its remainder, over a piece of time (Makino & Berz 2003, *Taylor models and other validated
/// functional inclusion methods*).
#[derive(Clone, Copy, Debug)]
pub struct TaylorModel {
    middle: f64,
    half: f64,
    /// Coefficients of the polynomial over the piece.
    coefficients: [f64; POINTS],
    /// How far the polynomial is off, and how far its rate is.
    off: f64,
    rate_off: f64,
}

impl TaylorModel {
    /// From bounds of Taylor coefficients at the middle of a piece, the last of them over all of it, each times the power of half
    /// the length of the piece. None without a bound.
    pub fn new(middle: f64, half: f64, taylor: &[Bounds]) -> Option<TaylorModel> {
        let mut coefficients = [0.0; POINTS];
        let (mut off, mut rate_off, mut sum) = (0.0, 0.0, 0.0);
        for (k, (&(low, high), row)) in taylor.iter().zip(&POWERS).enumerate() {
            let centre = 0.5 * low + 0.5 * high;
            let radius = (high - centre).max(centre - low);
            off += radius;
            rate_off += k as f64 * radius;
            sum += centre.abs();
            coefficients.iter_mut().zip(row).for_each(|(c, power)| *c += power * centre);
        }
        let rounding = EVALUATION_ULPS * EPSILON * (sum + off + rate_off) + f64::MIN_POSITIVE;
        off += rounding;
        rate_off += 2.0 * MOST_DEGREE as f64 * rounding;
        let is_bounded = taylor.len() <= POINTS && sum.is_finite() && rate_off.is_finite();
        is_bounded.then_some(TaylorModel { middle, half, coefficients, off, rate_off })
    }

    /// How far its polynomial is off.
    pub fn off(&self) -> f64 {
        self.off
    }

    /// Bounds over a part of the piece: of values, and of rates times half the length of the piece.
    pub fn over(&self, from: f64, to: f64) -> (Bounds, Bounds) {
        const RATE: f64 = 0.5 * MOST_DEGREE as f64;
        let share = |t: f64| (0.5 + 0.5 * ((t - self.middle) / self.half)).clamp(0.0, 1.0);
        let own = part(self.coefficients, MOST_DEGREE, (share(from), share(to)));
        let mut rates = [0.0; POINTS];
        for (rate, pair) in rates.iter_mut().zip(self.coefficients.windows(2)) {
            *rate = RATE * (pair[1] - pair[0]);
        }
        let (low, high) = bounds(own, MOST_DEGREE);
        let (slow, fast) = bounds(part(rates, MOST_DEGREE - 1, (share(from), share(to))), MOST_DEGREE - 1);
        ((low - self.off, high + self.off), (slow - self.rate_off, fast + self.rate_off))
    }
}

/// Powers of a number from -1 to 1, in Bernstein's basis of the largest degree over that range.
const POWERS: [[f64; POINTS]; POINTS] = {
    let n = MOST_DEGREE;
    let mut powers = [[1.0; POINTS]; POINTS];
    let mut k = 1;
    while k < POINTS {
        let mut i = 0;
        while i < POINTS {
            // x^k = (u - (1 - u))^k (u + (1 - u))^(n - k), for u = (1 + x)/2
            let mut sum = 0.0;
            let mut l = 0;
            while l <= k && l <= i {
                let sign = if (k - l).is_multiple_of(2) { 1.0 } else { -1.0 };
                sum += sign * binomial(k, l) * binomial(n - k, i - l);
                l += 1;
            }
            powers[k][i] = sum / binomial(n, i);
            i += 1;
        }
        k += 1;
    }
    powers
};

fn bounds(coefficients: [f64; POINTS], degree: usize) -> Bounds {
    let outer = |(low, high): Bounds, c: &f64| (low.min(*c), high.max(*c));
    coefficients[..=degree].iter().fold((f64::INFINITY, f64::NEG_INFINITY), outer)
}

/// The coefficients over a part of the step, given as shares.
fn part(mut own: [f64; POINTS], degree: usize, (from, to): (f64, f64)) -> [f64; POINTS] {
    if to < 1.0 {
        for level in 1..=degree {
            for i in (level..=degree).rev() {
                own[i] = (1.0 - to) * own[i - 1] + to * own[i];
            }
        }
    }
    if from > 0.0 && to > 0.0 {
        let from = (from / to).min(1.0);
        for level in 1..=degree {
            for i in 0..=degree - level {
                own[i] = (1.0 - from) * own[i] + from * own[i + 1];
            }
        }
    }
    own
}

/// Position of an interpolation point as a fraction of the step: Chebyshev's points, both ends among them.
fn share(point: usize, degree: usize) -> f64 {
    match point {
        0 => 0.0,
        _ if point == degree => 1.0,
        _ => 0.5 * (1.0 - (std::f64::consts::PI * point as f64 / degree as f64).cos()),
    }
}

/// The inverse of the matrix of Bernstein's polynomials at the points, by Gauss and Jordan with the largest pivots.
fn to_coefficients(degree: usize) -> [[f64; POINTS]; POINTS] {
    let n = degree + 1;
    let mut left = [[0.0; POINTS]; POINTS];
    let mut right = [[0.0; POINTS]; POINTS];
    for (point, row) in left.iter_mut().enumerate().take(n) {
        let s = share(point, degree);
        for (k, entry) in row.iter_mut().enumerate().take(n) {
            *entry = binomial(degree, k) * s.powi(k as i32) * (1.0 - s).powi((degree - k) as i32);
        }
        right[point][point] = 1.0;
    }
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()));
        let pivot = pivot.unwrap_or(column);
        left.swap(column, pivot);
        right.swap(column, pivot);
        let factor = 1.0 / left[column][column];
        left[column].iter_mut().chain(&mut right[column]).for_each(|entry| *entry *= factor);
        let (of_left, of_right) = (left[column], right[column]);
        for row in (0..n).filter(|&row| row != column) {
            let factor = left[row][column];
            let entries = left[row].iter_mut().zip(&of_left).chain(right[row].iter_mut().zip(&of_right));
            entries.for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    right
}

const fn binomial(n: usize, k: usize) -> f64 {
    if k > n {
        return 0.0;
    }
    let mut product = 1.0;
    let mut i = 0;
    while i < k {
        product = product * (n - i) as f64 / (i + 1) as f64;
        i += 1;
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any polynomial of degree 5, and its rate.
    fn value(t: f64) -> f64 {
        t.powi(5) - 3.0 * t.powi(3) + 0.5 * t * t - 7.0
    }

    fn rate(t: f64) -> f64 {
        5.0 * t.powi(4) - 9.0 * t * t + t
    }

    fn followed(degree: usize) -> Paths {
        let mut paths = Paths::new(2);
        paths.follow(1.0, 3.0, degree, |t, values| *values = vec![value(t), 2.0]);
        paths
    }

    #[test]
    fn bounds_hold_values_and_rates() {
        for degree in [5, 6] {
            let paths = followed(degree);
            for (from, to) in [(1.0, 3.0), (1.0, 1.1), (2.2, 3.0), (1.7, 1.70001)] {
                let ((low, high), (slow, fast)) = paths.over(0, from, to);
                for k in 0..=100 {
                    let t = from + (to - from) * f64::from(k) / 100.0;
                    assert!(low <= value(t) && value(t) <= high, "{t}");
                    assert!(slow <= rate(t) && rate(t) <= fast, "{t}: {slow} {} {fast}", rate(t));
                }
            }
            let ((low, high), (slow, fast)) = paths.over(1, 1.0, 3.0);
            assert!(low <= 2.0 && 2.0 <= high && high - low < 1e-12);
            assert!(slow <= 0.0 && 0.0 <= fast && fast - slow < 1e-11);
        }
    }

    /// The Taylor coefficients of [`value`].
    fn taylor(t: f64) -> [f64; 7] {
        [value(t), rate(t), 10.0 * t.powi(3) - 9.0 * t + 0.5, 10.0 * t * t - 3.0, 5.0 * t, 1.0, 0.0]
    }

    #[test]
    fn bounds_hold_taylor_coefficients() {
        for degree in [5, 6] {
            let paths = followed(degree);
            for (from, to) in [(1.0, 3.0), (1.0, 1.1), (2.2, 3.0), (1.7, 1.70001), (2.5, 2.5)] {
                for order in 0..=6 {
                    let unit = 0.7;
                    let (low, high) = paths.coefficient(0, order, (from, to), unit);
                    let mut inner = (f64::INFINITY, f64::NEG_INFINITY);
                    for k in 0..=100 {
                        let t = from + (to - from) * f64::from(k) / 100.0;
                        let exact = taylor(t)[order] * unit.powi(order as i32);
                        inner = (inner.0.min(exact), inner.1.max(exact));
                        assert!(low <= exact && exact <= high, "order {order} at {t}: {low} {exact} {high}");
                    }
                    let width = inner.1 - inner.0;
                    assert!(high - low <= 1.6 * width + 1e-9, "order {order}: {low} {high}, {inner:?}");
                }
            }
        }
    }

    #[test]
    fn a_taylor_model_holds_what_it_was_made_of() {
        // the polynomial itself, with its last coefficient unsure
        let (middle, half): (f64, f64) = (2.0, 0.5);
        let mut coefficients = taylor(middle).map(|c| (c, c));
        coefficients.iter_mut().enumerate().for_each(|(k, c)| {
            let unit = half.powi(k as i32);
            *c = (c.0 * unit, c.1 * unit);
        });
        coefficients[5].0 -= 1e-3;
        let model = TaylorModel::new(middle, half, &coefficients).unwrap();
        assert!(model.off() < 1.001e-3 && model.off() >= 0.5e-3);
        for (from, to) in [(1.5, 2.5), (1.5, 1.7), (1.9, 2.2), (2.4, 2.5), (2.1, 2.1)] {
            let ((low, high), (slow, fast)) = model.over(from, to);
            for k in 0..=100 {
                let t = from + (to - from) * f64::from(k) / 100.0;
                assert!(low <= value(t) && value(t) <= high, "{t}");
                assert!(slow <= half * rate(t) && half * rate(t) <= fast, "{t}");
            }
            assert!(high - low <= 1.2 * (value(to) - value(from)).abs() + 2.1e-3, "{low} {high}");
        }
        coefficients[3].1 = f64::INFINITY;
        assert!(TaylorModel::new(middle, half, &coefficients).is_none());
    }

    #[test]
    fn bounds_close_in_on_the_polynomial() {
        let paths = followed(5);
        // around its lowest point the polynomial moves by the square of the length alone, and so do the bounds
        let lowest = 1.282192326;
        let width = |length: f64| {
            let ((low, high), _) = paths.over(0, lowest - length, lowest + length);
            high - low
        };
        assert!(
            width(0.01) < 200.0 * 1e-4 && width(0.001) < 200.0 * 1e-6,
            "{} {}",
            width(0.01),
            width(0.001)
        );
        let ((low, high), (slow, fast)) = paths.over(0, 2.0, 2.0);
        assert!(high - low < 1e-10 && low <= value(2.0) && value(2.0) <= high);
        assert!(slow <= rate(2.0) && rate(2.0) <= fast && fast - slow < 1e-9);
    }
}
