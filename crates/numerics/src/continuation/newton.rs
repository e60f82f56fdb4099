//! Newton's method on the residuals: ends early, by the natural monotonicity test (Deuflhard 2004, §3.3), where it would leap about.

use super::constants::*;
use super::{Continuation, Options};
use crate::newton::System;
use crate::rightmost::Care;

/// Outcome of a Newton iteration.
pub(super) enum Newton {
    /// With the largest correction, the share of the first that was left to the second, and the last.
    Converged {
        largest: f64,
        straight: f64,
        last: f64,
    },
    Failed,
}

impl Continuation {
    /// Newton's method from a point at which residual and derivatives are known; no correction longer than `trust`. Leaves the derivatives of
    /// the point before the last correction.
    pub(super) fn newton(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
        most: u32,
        trust: f64,
    ) -> Newton {
        let mut correction = vec![0.0; self.n];
        // after a kink: limit of the next correction
        let mut limit = f64::INFINITY;
        let (mut largest, mut straight) = (0.0_f64, 0.0);
        for turn in 0..most {
            if !self.matrix.factorise() {
                return Newton::Failed;
            }
            self.correct(&mut correction);
            let size = Self::norm(options, x, &correction);
            if size <= TOLERANCE {
                return Newton::Converged { largest, straight, last: size };
            }
            if size > trust.min(limit) || !size.is_finite() {
                return Newton::Failed;
            }
            largest = largest.max(size);
            x.iter_mut().zip(&correction).for_each(|(x, correction)| *x += correction);
            if self.evaluate(system, x, options).is_err() {
                return Newton::Failed;
            }
            self.correct(&mut correction);
            let left = Self::norm(options, x, &correction);
            if turn == 0 {
                straight = left / size;
            }
            if left <= TOLERANCE || (left <= STALLED && left > 0.1 * size) {
                return Newton::Converged { largest, straight, last: size };
            }
            if left.is_nan() || left > KINK * size || self.differentiate(system, x, options).is_err() {
                return Newton::Failed;
            }
            limit = f64::INFINITY;
            if left > CONTRACTION * size {
                limit = CONTRACTION * size;
                if self.expansion(Care::Rough, x, options) >= 0.0 {
                    return Newton::Failed;
                }
            }
        }
        Newton::Failed
    }

    /// The correction that the factorised derivatives ask for.
    pub(super) fn correct(&mut self, correction: &mut [f64]) {
        correction.iter_mut().zip(&self.residual).for_each(|(correction, residual)| *correction = -residual);
        self.matrix.solve(correction);
    }

    /// How far Newton's method would go from here.
    pub(super) fn correction(&mut self, options: &Options<'_>, x: &[f64]) -> f64 {
        if !self.matrix.factorise() {
            return f64::INFINITY;
        }
        let mut correction = vec![0.0; self.n];
        self.correct(&mut correction);
        Self::norm(options, x, &correction)
    }
}
