//! Polynomials of a step in Bernstein's basis: over any part of the step, the least and the greatest coefficient enclose them.
//!
//! In: the dense output of an integrator, at as many points as its degree asks for. Out: bounds of values and rates over parts of
//! the step (Lane & Riesenfeld 1981, *Bounds on a polynomial*; parts by de Casteljau's algorithm). The bounds close in on the
//! polynomial with the square of the part's length.

use crate::constants::EPSILON;

/// The degree of any dense output: that of the BDF of order 5 and one more.
pub const MOST_DEGREE: usize = 6;
const POINTS: usize = MOST_DEGREE + 1;

/// Rounding units of the coefficients: the condition number of the interpolation at Chebyshev's points, which is 20 for degree 6, times
/// one for each term of the sums.
const COEFFICIENT_ULPS: f64 = 160.0;

/// The least and the greatest of something.
pub type Bounds = (f64, f64);

/// What some states do over one step.
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
}

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

/// Where a point of the interpolation is, as a share of the step: Chebyshev's points, both ends among them.
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

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
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
