//! The implicit one-step rules: `y₁ = y₀ + h((1-θ) f₀ + θ f₁)` with θ = 1 (backward Euler) or ½ (trapezoid).
//!
//! Solved by simplified Newton iteration: the matrix `I - hθJ` is kept while it contracts well, and renewed at the
//! present point where it does not. Errors are estimated from the contraction (Hairer & Wanner,
//! *Solving Ordinary Differential Equations II*, IV.8).

use super::{Interpolation, Point, Rule, evaluate};
use crate::constants::{
    EPSILON, STEP_NEWTON_DIVERGING, STEP_NEWTON_ITERATIONS, STEP_NEWTON_SLOW, STEP_NEWTON_TOLERANCE,
};
use crate::evaluator::{Evaluation, Evaluator};
use crate::integrator::{Failure, Settings};
use crate::iteration_matrix::IterationMatrix;

/// A θ-method.
#[derive(Clone)]
pub(crate) struct Theta {
    theta: f64,
    matrix: Option<IterationMatrix>,
    /// Memory of the iteration.
    correction: Vec<f64>,
    newton_iterations: u64,
}

impl Theta {
    /// Backward Euler.
    pub(crate) const EULER: Theta =
        Theta { theta: 1.0, matrix: None, correction: Vec::new(), newton_iterations: 0 };
    /// The trapezoidal rule.
    pub(crate) const TRAPEZOID: Theta =
        Theta { theta: 0.5, matrix: None, correction: Vec::new(), newton_iterations: 0 };
}

impl Rule for Theta {
    fn interpolation(&self) -> Interpolation {
        Interpolation::Linear
    }

    fn order(&self) -> u32 {
        if self.theta == 0.5 { 2 } else { 1 }
    }

    fn prepare(&mut self, evaluator: &Evaluator) {
        self.correction.resize(evaluator.n(), 0.0);
        self.matrix = Some(IterationMatrix::new(evaluator));
    }

    fn advance(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        settings: &Settings,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure> {
        let matrix = self.matrix.as_mut().expect("prepared before the first step");
        let gamma = (to.t - from.t) * self.theta;
        let renewed = matrix.gamma() != Some(gamma);
        if renewed {
            renew(matrix, evaluation, from, gamma)?;
        }
        let correction = &mut self.correction[..];
        let mut newton = StepNewton { theta: self.theta, settings, correction, iterations: 0 };
        let first = newton.iterate(evaluation, matrix, from, to);
        let outcome = match first {
            Err(_) if !renewed => {
                renew(matrix, evaluation, from, gamma)?;
                newton.iterate(evaluation, matrix, from, to)
            }
            other => other,
        };
        self.newton_iterations += u64::from(newton.iterations);
        outcome
    }

    fn work(&self) -> (u64, u64) {
        (self.matrix.as_ref().map_or(0, |matrix| matrix.factorisations()), self.newton_iterations)
    }
}

/// The matrix of the present point.
fn renew(
    matrix: &mut IterationMatrix,
    evaluation: &mut Evaluation<'_>,
    at: &Point,
    gamma: f64,
) -> Result<(), Failure> {
    let evaluated = matrix.evaluate(evaluation, at.t, &at.y);
    evaluated.map_err(|reason| Failure::EvaluationFailed { t: at.t, reached: at.t, reason })?;
    matrix.factorise(gamma).map_err(|_| Failure::SingularMatrix { t: at.t })
}

/// The iteration within one step.
struct StepNewton<'a> {
    theta: f64,
    settings: &'a Settings,
    /// Memory.
    correction: &'a mut [f64],
    iterations: u32,
}

impl StepNewton<'_> {
    /// Finds `to.y`; marks a matrix that contracts slowly for renewal.
    fn iterate(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        matrix: &mut IterationMatrix,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure> {
        let h = to.t - from.t;
        let theta = self.theta;
        to.y.copy_from_slice(&from.y);
        let mut last = f64::INFINITY;
        let mut worst = 0;
        for iteration in 0..STEP_NEWTON_ITERATIONS {
            evaluate(evaluation, from.t, to.t, &to.y, &mut to.dy)?;
            for (i, correction) in self.correction.iter_mut().enumerate() {
                let slope = (1.0 - theta) * from.dy[i] + theta * to.dy[i];
                *correction = from.y[i] - to.y[i] + h * slope;
            }
            let solved = matrix.solve(self.correction);
            solved.map_err(|_| Failure::SingularMatrix { t: to.t })?;
            for (y, correction) in to.y.iter_mut().zip(&*self.correction) {
                *y += correction;
            }
            self.iterations += 1;
            let size;
            (worst, size) = self.largest(&to.y);
            // A correction of rounding errors cannot contract any further.
            if size <= 10.0 * EPSILON / self.settings.rtol {
                return Ok(());
            }
            let contraction = size / last;
            last = size;
            if contraction > STEP_NEWTON_DIVERGING && iteration > 0 || !size.is_finite() {
                break;
            }
            if iteration > 0 {
                if contraction > STEP_NEWTON_SLOW {
                    matrix.discard();
                }
                if contraction / (1.0 - contraction) * size <= STEP_NEWTON_TOLERANCE {
                    return Ok(());
                }
            }
        }
        matrix.discard();
        Err(Failure::NewtonFailed { t: to.t, iterations: self.iterations, worst })
    }

    /// The state with the largest correction, measured by its tolerance.
    fn largest(&self, y: &[f64]) -> (usize, f64) {
        let size =
            |i: usize| self.correction[i].abs() / (self.settings.atol[i] + self.settings.rtol * y[i].abs());
        let sizes = (0..y.len()).map(|i| (i, size(i)));
        sizes.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    }
}
