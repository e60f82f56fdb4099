//! The past of the solution: the polynomial through its last points, as modified divided differences.
//!
//! Row `i` is `ψ₁ψ₂…ψᵢ [yₙ, yₙ₋₁, …, yₙ₋ᵢ]` with `ψⱼ = tₙ - tₙ₋ⱼ` (Krogh 1974; Brenan, Campbell & Petzold, *Numerical
//! Solution of Initial-Value Problems in Differential-Algebraic Equations*, §5.2). With equal steps these are the
//! backward differences. Nordsieck's array of scaled derivatives lacks two of their advantages. The order is changed
//! by using more or fewer rows; and the values at the past points are at hand, so that a nonlinear change of
//! variables can be carried out on them.

use super::corrector::norm;

/// The highest order.
pub(super) const MAX_ORDER: usize = 5;

/// Differences that are kept: up to the order, one for its error, one for the error of the next order, and the value.
const ROWS: usize = MAX_ORDER + 3;

/// The points of the past with their divided differences.
#[derive(Clone)]
pub(super) struct History {
    /// Newest first.
    times: [f64; ROWS],
    rows: [Vec<f64>; ROWS],
    /// How many rows (and points) mean something.
    known: usize,
    /// Room for values at the points while they are mapped.
    values: [Vec<f64>; ROWS],
}

/// The divided differences' update for a step to a new time.
pub(super) struct Advance {
    /// The new time.
    pub(super) t: f64,
    /// The step to it.
    pub(super) h: f64,
    /// Factor of each row for the products of the new distances.
    growth: [f64; ROWS],
    /// Slope of each of these products at the new time.
    slope: [f64; ROWS],
    /// `h / ψⱼ` with the new distances, from the first on.
    shares: [f64; ROWS],
}

impl Advance {
    /// `Σ h/ψⱼ` over the first `count` distances: the slope of their product.
    pub(super) fn sum(&self, count: usize) -> f64 {
        self.shares[..count].iter().sum()
    }

    /// `h / ψⱼ`, counted from one.
    pub(super) fn share(&self, distance: usize) -> f64 {
        self.shares[distance - 1]
    }

    /// Factor from a difference of this order at the new point to `hⁱ y⁽ⁱ⁾`.
    pub(super) fn to_derivative(&self, order: usize) -> f64 {
        (1..=order).map(|j| j as f64 * self.shares[j - 1]).product()
    }
}

impl History {
    /// A past that is one point.
    pub(super) fn new(t: f64, y: &[f64]) -> History {
        let empty = || std::array::from_fn(|_| vec![0.0; y.len()]);
        let mut history = History { times: [t; ROWS], rows: empty(), known: 1, values: empty() };
        history.rows[0].copy_from_slice(y);
        history
    }

    /// The present time.
    pub(super) fn time(&self) -> f64 {
        self.times[0]
    }

    /// The present state.
    pub(super) fn state(&self) -> &[f64] {
        &self.rows[0]
    }

    /// The distance of the last two points.
    pub(super) fn last_step(&self) -> f64 {
        self.times[0] - self.times[1]
    }

    /// How many points are known.
    pub(super) fn known(&self) -> usize {
        self.known
    }

    /// A new past, of points that never were: at equal distances on the parabola with these derivatives.
    pub(super) fn begin(&mut self, t: f64, y: &[f64], dy: &[f64], ddy: &[f64], distance: f64) {
        for (point, time) in self.times.iter_mut().enumerate() {
            *time = t - point as f64 * distance;
        }
        self.known = 3;
        self.rows[0].copy_from_slice(y);
        let square = distance * distance;
        for i in 0..y.len() {
            self.rows[1][i] = distance * dy[i] - 0.5 * square * ddy[i];
            self.rows[2][i] = square * ddy[i];
        }
    }

    /// The update of the differences for a next point at `t`.
    pub(super) fn advance(&self, t: f64) -> Advance {
        let h = t - self.times[0];
        let mut advance = Advance { t, h, growth: [1.0; ROWS], slope: [0.0; ROWS], shares: [1.0; ROWS] };
        for i in 1..ROWS {
            let distance = t - self.times[i - 1];
            advance.shares[i - 1] = h / distance;
            advance.slope[i] = advance.slope[i - 1] + 1.0 / distance;
            if i < self.known {
                advance.growth[i] = advance.growth[i - 1] * distance / (self.times[0] - self.times[i]);
            }
        }
        advance
    }

    /// The polynomial of this degree through the last points, and its slope, at the new time.
    pub(super) fn predict(&self, advance: &Advance, degree: usize, y: &mut [f64], dy: &mut [f64]) {
        y.copy_from_slice(&self.rows[0]);
        dy.fill(0.0);
        for i in 1..=degree {
            let (growth, slope) = (advance.growth[i], advance.slope[i]);
            for ((y, dy), row) in y.iter_mut().zip(dy.iter_mut()).zip(&self.rows[i]) {
                let part = growth * row;
                *y += part;
                *dy += slope * part;
            }
        }
    }

    /// The difference of one order at the new point, where the one above it is known.
    pub(super) fn difference(&self, advance: &Advance, order: usize, above: &[f64], into: &mut [f64]) {
        let growth = advance.growth[order];
        for ((into, row), above) in into.iter_mut().zip(&self.rows[order]).zip(above) {
            *into = growth * row + above;
        }
    }

    /// A row for the products of the new distances.
    pub(super) fn grown(&self, advance: &Advance, order: usize, into: &mut [f64]) {
        let growth = advance.growth[order];
        for (into, row) in into.iter_mut().zip(&self.rows[order]) {
            *into = growth * row;
        }
    }

    /// Takes the new point in: `off` is how far it lies from the polynomial of this degree.
    pub(super) fn accept(&mut self, advance: &Advance, degree: usize, off: &[f64]) {
        let knew_one_more = self.known > degree + 1;
        if knew_one_more {
            let growth = advance.growth[degree + 1];
            let (row, above) = self.two_rows(degree + 1);
            for ((row, above), off) in row.iter_mut().zip(above).zip(off) {
                (*row, *above) = (*off, off - growth * *row);
            }
        } else {
            self.rows[degree + 1].copy_from_slice(off);
        }
        for i in (0..=degree).rev() {
            let growth = advance.growth[i];
            let (row, above) = self.two_rows(i);
            for (row, above) in row.iter_mut().zip(above) {
                *row = growth * *row + *above;
            }
        }
        self.known = degree + 2 + usize::from(knew_one_more);
        self.times.copy_within(..ROWS - 1, 1);
        self.times[0] = advance.t;
    }

    fn two_rows(&mut self, i: usize) -> (&mut Vec<f64>, &mut Vec<f64>) {
        let (below, above) = self.rows.split_at_mut(i + 1);
        (&mut below[i], &mut above[0])
    }

    /// The polynomial of this degree through the last points.
    pub(super) fn interpolate(&self, degree: usize, t: f64, y: &mut [f64]) {
        y.copy_from_slice(&self.rows[0]);
        let mut factor = 1.0;
        for i in 1..=degree.min(self.known - 1) {
            factor *= (t - self.times[i - 1]) / (self.times[0] - self.times[i]);
            for (y, row) in y.iter_mut().zip(&self.rows[i]) {
                *y += factor * row;
            }
        }
    }

    /// Its first and second derivative.
    pub(super) fn derivatives(&self, degree: usize, t: f64, first: &mut [f64], second: &mut [f64]) {
        first.fill(0.0);
        second.fill(0.0);
        let (mut factor, mut slope, mut bend) = (1.0, 0.0, 0.0);
        for i in 1..=degree.min(self.known - 1) {
            let (distance, width) = (t - self.times[i - 1], self.times[0] - self.times[i]);
            bend = (bend * distance + 2.0 * slope) / width;
            slope = (slope * distance + factor) / width;
            factor *= distance / width;
            for ((first, second), row) in first.iter_mut().zip(second.iter_mut()).zip(&self.rows[i]) {
                *first += slope * row;
                *second += bend * row;
            }
        }
    }

    /// Goes back to a time within the last step, as if it had ended there; points closer than `closest` are left out.
    pub(super) fn rewind(&mut self, degree: usize, t: f64, closest: f64) {
        self.recall();
        let mut present = std::mem::take(&mut self.values[0]);
        self.interpolate(degree, t, &mut present);
        self.values[0] = present;
        self.times[0] = t;
        let mut kept = 1;
        for point in 1..self.known {
            if t - self.times[point] >= closest {
                self.times[kept] = self.times[point];
                self.values.swap(kept, point);
                kept += 1;
            }
        }
        self.known = kept;
        self.make_up_times();
        self.rebuild();
    }

    /// Other variables: `map` turns the state at a past point into them, until it says that it cannot.
    pub(super) fn remap(&mut self, y: &[f64], mut map: impl FnMut(f64, &[f64], &mut [f64]) -> bool) {
        self.recall();
        for point in 1..self.known {
            let (times, old) = (self.times, &self.values[point]);
            if !map(times[point], old, &mut self.rows[point]) {
                self.known = point;
                break;
            }
        }
        for point in 1..self.known {
            std::mem::swap(&mut self.rows[point], &mut self.values[point]);
        }
        self.values[0].copy_from_slice(y);
        self.make_up_times();
        self.rebuild();
    }

    /// Another past for some of the states: a parabola through the present. The others are moved to where they are now.
    pub(super) fn replace(&mut self, y: &[f64], dy: &[f64], ddy: &[f64], is_touched: &[bool]) {
        self.recall();
        for point in (0..self.known).rev() {
            let distance = self.times[0] - self.times[point];
            for i in 0..y.len() {
                if is_touched[i] {
                    self.values[point][i] = y[i] - distance * (dy[i] - 0.5 * distance * ddy[i]);
                } else {
                    self.values[point][i] += y[i] - self.rows[0][i];
                }
            }
        }
        self.values[0].copy_from_slice(y);
        self.rebuild();
    }

    /// `|h^j y^(j)|` at the present, by weights; none where that derivative is not known.
    pub(super) fn size_of_derivative(&self, j: usize, h: f64, weights: &[f64]) -> Option<f64> {
        if j >= self.known {
            return None;
        }
        let to_derivative =
            (1..=j).fold(1.0, |factor, i| factor * i as f64 * h / (self.times[0] - self.times[i]));
        Some(to_derivative * norm(&self.rows[j], weights))
    }

    /// Takes points at this distance from each other where those of the past are further apart: between distant points a short step
    /// is not much more accurate than a long one.
    pub(super) fn tighten(&mut self, step: f64) {
        let closer = |point: usize| self.times[0] - point as f64 * step;
        if (1..self.known).any(|point| closer(point) < self.times[point]) {
            return;
        }
        for point in 1..self.known {
            let mut values = std::mem::take(&mut self.values[point]);
            self.interpolate(self.known - 1, self.times[0] - point as f64 * step, &mut values);
            self.values[point] = values;
        }
        self.values[0].copy_from_slice(&self.rows[0]);
        for point in 1..self.known {
            self.times[point] = self.times[0] - point as f64 * step;
        }
        self.make_up_times();
        self.rebuild();
    }

    /// The values at the points.
    fn recall(&mut self) {
        for point in 0..self.known {
            let mut values = std::mem::take(&mut self.values[point]);
            self.interpolate(point, self.times[point], &mut values);
            self.values[point] = values;
        }
    }

    /// Times for the points that are not known: they serve in formulas of orders that are not used yet.
    fn make_up_times(&mut self) {
        for point in self.known..ROWS {
            let last = if point > 1 { self.times[point - 2] - self.times[point - 1] } else { 1.0 };
            self.times[point] = self.times[point - 1] - last;
        }
    }

    /// The differences of the values.
    fn rebuild(&mut self) {
        for (row, values) in self.rows.iter_mut().zip(&self.values).take(self.known) {
            row.copy_from_slice(values);
        }
        for order in 1..self.known {
            for point in (order..self.known).rev() {
                let distance = self.times[point - order] - self.times[point];
                let (newer, older) = self.rows.split_at_mut(point);
                for (older, newer) in older[0].iter_mut().zip(&newer[point - 1]) {
                    *older = (newer - *older) / distance;
                }
            }
        }
        let mut product = 1.0;
        for point in 1..self.known {
            product *= self.times[0] - self.times[point];
            self.rows[point].iter_mut().for_each(|row| *row *= product);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A past on a cubic, with unequal steps.
    fn cubic() -> (History, impl Fn(f64) -> f64) {
        let f = |t: f64| 1.0 + t * (2.0 - t * (0.5 + 0.3 * t));
        let mut history = History::new(0.0, &[f(0.0)]);
        history.begin(0.0, &[f(0.0)], &[2.0], &[-1.0], 0.1);
        for t in [0.1, 0.15, 0.4, 0.6, 0.65, 1.0] {
            let advance = history.advance(t);
            let (mut y, mut dy) = ([0.0], [0.0]);
            history.predict(&advance, 2, &mut y, &mut dy);
            history.accept(&advance, 2, &[f(t) - y[0]]);
        }
        (history, f)
    }

    #[test]
    fn the_polynomial_goes_through_its_points_with_its_slope() {
        let (history, f) = cubic();
        let (mut y, mut first, mut second) = ([0.0], [0.0], [0.0]);
        for t in [1.0, 0.8, 0.65, 0.6, 0.4, 1.3] {
            history.interpolate(3, t, &mut y);
            history.derivatives(3, t, &mut first, &mut second);
            assert!((y[0] - f(t)).abs() < 1e-12, "{t}: {}", y[0]);
            assert!((first[0] - (2.0 - t - 0.9 * t * t)).abs() < 1e-12);
            assert!((second[0] + 1.0 + 1.8 * t).abs() < 1e-11);
        }
        let advance = history.advance(1.2);
        history.predict(&advance, 3, &mut y, &mut first);
        assert!((y[0] - f(1.2)).abs() < 1e-12 && (first[0] - (0.8 - 0.9 * 1.44)).abs() < 1e-12);
    }

    #[test]
    fn a_past_can_be_wound_back() {
        let (mut history, f) = cubic();
        history.rewind(3, 0.9, 0.0);
        assert_eq!((history.time(), history.known()), (0.9, 5));
        let mut y = [0.0];
        for t in [0.9, 0.7, 1.1] {
            history.interpolate(3, t, &mut y);
            assert!((y[0] - f(t)).abs() < 1e-13);
        }
        // the point at 0.65 is too close
        history.rewind(3, 0.7, 0.06);
        assert_eq!(history.known(), 4);
        history.interpolate(3, 0.75, &mut y);
        assert!((y[0] - f(0.75)).abs() < 1e-13);
    }

    #[test]
    fn a_past_is_mapped_as_far_as_it_can_be() {
        let (mut history, f) = cubic();
        let mut asked = Vec::new();
        history.remap(&[1.0 / f(1.0)], |t, old, new| {
            asked.push(t);
            new[0] = 1.0 / old[0];
            t > 0.5
        });
        assert_eq!(asked, [0.65, 0.6, 0.4]);
        assert_eq!(history.known(), 3);
        let mut y = [0.0];
        for t in [1.0, 0.65, 0.6] {
            history.interpolate(2, t, &mut y);
            assert!((y[0] - 1.0 / f(t)).abs() < 1e-14);
        }
    }

    #[test]
    fn what_is_touched_gets_another_past() {
        let (mut history, f) = cubic();
        history.replace(&[5.0], &[1.0], &[-2.0], &[true]);
        let (mut y, mut first, mut second) = ([0.0], [0.0], [0.0]);
        history.interpolate(3, 0.8, &mut y);
        history.derivatives(3, 1.0, &mut first, &mut second);
        assert!((y[0] - (5.0 - 0.2 - 0.04)).abs() < 1e-13);
        assert!((first[0] - 1.0).abs() < 1e-13 && (second[0] + 2.0).abs() < 1e-12);
        let (mut history, _) = cubic();
        history.replace(&[f(1.0) + 0.5], &[0.0], &[0.0], &[false]);
        history.interpolate(3, 0.8, &mut y);
        assert!((y[0] - f(0.8) - 0.5).abs() < 1e-13);
    }
}
