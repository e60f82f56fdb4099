//! The path of the flow, with control of the error: a Rosenbrock method of order three with an embedded one of order two, both stiffly
//! accurate (RODAS3; Sandu et al. 1997), which takes algebraic equations along.

use super::constants::*;
use super::{Continuation, Options, Why, is_infinite};
use crate::newton::System;
use crate::rightmost::Care;

/// The coefficient of the matrix, and factors of earlier stages in the argument and the right side of each stage. The second stage has the
/// argument of the first.
const GAMMA: f64 = 0.5;
const ARGUMENTS: [[f64; 3]; 4] = [[0.0; 3], [0.0; 3], [2.0, 0.0, 0.0], [2.0, 0.0, 1.0]];
const STAGES: [[f64; 3]; 4] = [[0.0; 3], [4.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, -8.0 / 3.0]];

/// The next step, and whether it may be longer than the last: not after one that failed.
struct Pace {
    h: f64,
    may_grow: bool,
}

impl Continuation {
    /// Follows the flow from a point that was kept until one of the ends of a search is in sight.
    pub(super) fn follow(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> Result<(), Why> {
        let start = x.to_vec();
        let unit = self.unit_of_time(x, options);
        let first = FIRST_MOVE / self.flow_size(x, options);
        let mut pace = Pace { h: if first < unit { first } else { unit }, may_grow: true };
        let (mut time, mut next) = (0.0, self.steps + 1);
        let mut expands = self.look_at_expansion(x, options);
        let (most_steps, most_calls) = most_work(self.n);
        while self.steps < most_steps && self.calls < most_calls && time < TIMES.1 * unit {
            if pace.h <= TIMES.0 * unit {
                // ever faster away, so that no step is short enough: infinity is reached in finite time
                let at = x.to_vec();
                return Err(if expands > 0.0 { Why::Diverges { at } } else { Why::Restless { at } });
            }
            if expands > 0.0 {
                pace.h = pace.h.min(EXPANDING / expands);
            }
            let Some(h) = self.advance(system, x, &mut pace, options) else { continue };
            time += h;
            if is_infinite(x, &start, options) {
                return Err(Why::Diverges { at: x.to_vec() });
            }
            expands = self.look_at_expansion(x, options);
            if self.rests(x, expands, options) {
                return Ok(());
            }
            if expands < 0.0 && self.steps >= next {
                if self.arrive_by_newton(system, x, options) || self.arrive_by_euler(system, x, options) {
                    return Ok(());
                }
                next = self.steps + 1 + self.steps / 4;
            }
        }
        Err(Why::Restless { at: x.to_vec() })
    }

    fn look_at_expansion(&mut self, x: &[f64], options: &Options<'_>) -> f64 {
        let expands = self.expansion(Care::Rough, x, options);
        self.expanded |= expands > 0.0;
        expands
    }

    /// One step, if the error allows it; answers its length.
    fn advance(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        pace: &mut Pace,
        options: &Options<'_>,
    ) -> Option<f64> {
        let (from, h) = (x.to_vec(), pace.h);
        let error = self.rosenbrock(system, x, h, options);
        let change = error.map_or(CHANGE.0, |error| (SAFETY / error.cbrt()).clamp(CHANGE.0, CHANGE.1));
        let is_good = error.is_some_and(|error| error <= 1.0);
        pace.h *=
            if pace.may_grow && is_good { change } else { change.min(if is_good { 1.0 } else { SAFETY }) };
        pace.may_grow = is_good;
        if !is_good {
            x.copy_from_slice(&from);
            self.return_to_kept();
            return None;
        }
        self.steps += 1;
        self.keep();
        Some(h)
    }

    /// The time in which the flow changes at the start.
    fn unit_of_time(&mut self, x: &[f64], options: &Options<'_>) -> f64 {
        let pace = self.field(options).map_or(0.0, |field| field.largest(&self.sizes));
        let pace =
            [pace, self.flow_size(x, options)].into_iter().find(|pace| *pace > 0.0 && pace.is_finite());
        1.0 / pace.unwrap_or(1.0)
    }

    /// Whether the point is an equilibrium, stable or not.
    fn rests(&mut self, x: &[f64], expands: f64, options: &Options<'_>) -> bool {
        let is_slow = self.flow_size(x, options) <= STALLED * expands.abs();
        is_slow && self.correction(options, x) <= TOLERANCE
    }

    /// One step; moves `x` and estimates the error in units of the one allowed. Residual and derivatives are those of `x` before, and of the
    /// new `x` after.
    pub(super) fn rosenbrock(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        h: f64,
        options: &Options<'_>,
    ) -> Option<f64> {
        let m = options.rates.len();
        if !self.matrix.factorise_step(GAMMA * h, &self.scale, m) {
            return None;
        }
        let from = x.to_vec();
        let mut stages: Vec<Vec<f64>> = Vec::with_capacity(STAGES.len());
        let sum = |factors: &[f64], stages: &[Vec<f64>], i: usize| -> f64 {
            stages.iter().zip(factors).map(|(stage, factor)| factor * stage[i]).sum()
        };
        for (arguments, factors) in ARGUMENTS.iter().zip(&STAGES) {
            if arguments.iter().any(|argument| *argument != 0.0) {
                (0..self.n).for_each(|i| x[i] = from[i] + sum(arguments, &stages, i));
                self.evaluate(system, x, options).ok()?;
            }
            let mut right: Vec<f64> = (0..self.n)
                .map(|row| self.residual[row] * if row < m { GAMMA * h * self.scale[row] } else { 1.0 })
                .collect();
            let way: Vec<f64> = (0..self.n).map(|i| -GAMMA * sum(factors, &stages, i)).collect();
            self.matrix.take_way(&way, m, &mut right);
            self.matrix.solve(&mut right);
            stages.push(right);
        }
        // the last stage is the difference of the two methods
        (0..self.n).for_each(|i| x[i] = from[i] + 2.0 * stages[0][i] + stages[2][i] + stages[3][i]);
        let size = |i: usize| Self::size(options, x, i).max(Self::size(options, &from, i));
        let error = (0..m).map(|i| (stages[3][i] / size(i)).abs()).fold(0.0, super::nan_max) / PATH_ERROR;
        if error.is_nan() {
            return None;
        }
        if error <= 1.0 {
            self.look(system, x, options).ok()?;
        }
        Some(error.max(f64::MIN_POSITIVE))
    }
}
