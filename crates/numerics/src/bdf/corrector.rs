//! Newton's method within a step, with a matrix that is kept while it serves.
//!
//! The unknown is the correction `e = y - π(t)` in `e - γ (f(t, π + e) - π') = 0` with `γ = h/λ`. The matrix `I - γJ` is
//! renewed when `γ` has moved on, when the Jacobian is old, or when the iteration does not contract. For a `γ` that has
//! moved a little, corrections are scaled to make up for the difference in the stiff directions (Hindmarsh 1983).

use crate::constants::{
    BDF_JACOBIAN_AGE, BDF_MATRIX_MOVED, BDF_NEWTON_DIVERGING, BDF_NEWTON_ITERATIONS, BDF_RATE_FORGOTTEN,
    EPSILON,
};
use crate::evaluator::{Evaluation, Evaluator};
use crate::iteration_matrix::IterationMatrix;
use crate::problem::EvaluationFailed;

/// A step to be solved.
pub(super) struct Equation<'a> {
    pub(super) evaluation: Evaluation<'a>,
    pub(super) t: f64,
    pub(super) gamma: f64,
    /// The predicted state and its derivative.
    pub(super) y: &'a [f64],
    pub(super) dy: &'a [f64],
    /// The tolerance of each state: the weights of the error norm.
    pub(super) weights: &'a [f64],
    /// How large the error of the correction may be, measured by the weights.
    pub(super) tolerance: f64,
    /// Rounding level of a correction.
    pub(super) noise: f64,
}

/// Why there is no solution.
pub(super) enum NoSolution {
    /// The corrections do not get small.
    Diverged,
    /// The matrix has no factors.
    Singular,
    /// An evaluation failed, at this time.
    Evaluation(f64, EvaluationFailed),
}

/// The iteration matrix, with its rate of convergence.
#[derive(Clone)]
pub(super) struct Corrector {
    matrix: IterationMatrix,
    /// How much smaller each correction is than the one before.
    rate: f64,
    /// Steps since the Jacobian was evaluated; none where it must be evaluated anew.
    age: Option<u32>,
    /// `y - π(t)`.
    pub(super) off: Vec<f64>,
    /// The state.
    pub(super) at: Vec<f64>,
    f: Vec<f64>,
    correction: Vec<f64>,
    pub(super) iterations: u64,
}

impl Corrector {
    pub(super) fn new(evaluator: &Evaluator) -> Corrector {
        let zeros = || vec![0.0; evaluator.n()];
        Corrector {
            matrix: IterationMatrix::new(evaluator),
            rate: 1.0,
            age: None,
            off: zeros(),
            at: zeros(),
            f: zeros(),
            correction: zeros(),
            iterations: 0,
        }
    }

    pub(super) fn factorisations(&self) -> u64 {
        self.matrix.factorisations()
    }

    /// The equations have changed.
    pub(super) fn forget(&mut self) {
        self.age = None;
    }

    /// A step was accepted.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.map(|age| age + 1);
    }

    /// Solves a step; with a Jacobian of an earlier step first, if there is one.
    pub(super) fn solve(&mut self, step: &mut Equation<'_>) -> Result<(), NoSolution> {
        let is_young = self.age.is_some_and(|age| age < BDF_JACOBIAN_AGE);
        if is_young {
            self.refresh_factors(step.gamma)?;
            match self.iterate(step) {
                Err(NoSolution::Diverged) => {}
                other => return other,
            }
        }
        let evaluated = self.matrix.evaluate(&mut step.evaluation, step.t, step.y);
        evaluated.map_err(|reason| NoSolution::Evaluation(step.t, reason))?;
        self.age = Some(0);
        self.factorise(step.gamma)?;
        self.iterate(step)
    }

    fn refresh_factors(&mut self, gamma: f64) -> Result<(), NoSolution> {
        match self.matrix.gamma() {
            Some(old) if (gamma / old - 1.0).abs() <= BDF_MATRIX_MOVED => Ok(()),
            _ => self.factorise(gamma),
        }
    }

    fn factorise(&mut self, gamma: f64) -> Result<(), NoSolution> {
        self.rate = 1.0;
        self.matrix.factorise(gamma).map_err(|_| NoSolution::Singular)
    }

    fn iterate(&mut self, step: &mut Equation<'_>) -> Result<(), NoSolution> {
        let moved = self.matrix.gamma().map_or(1.0, |gamma| step.gamma / gamma);
        let scale = 2.0 / (1.0 + moved);
        self.off.fill(0.0);
        self.at.copy_from_slice(step.y);
        let mut last = 0.0;
        for iteration in 0..BDF_NEWTON_ITERATIONS {
            let evaluated = step.evaluation.rhs(step.t, &self.at, &mut self.f);
            evaluated.map_err(|reason| NoSolution::Evaluation(step.t, reason))?;
            for i in 0..self.off.len() {
                self.correction[i] = step.gamma * (self.f[i] - step.dy[i]) - self.off[i];
            }
            self.matrix.solve(&mut self.correction).map_err(|_| NoSolution::Singular)?;
            self.iterations += 1;
            for i in 0..self.off.len() {
                let correction = scale * self.correction[i];
                self.correction[i] = correction;
                self.off[i] += correction;
                self.at[i] = step.y[i] + self.off[i];
            }
            let size = norm(&self.correction, step.weights);
            if !size.is_finite() {
                break;
            }
            if iteration > 0 {
                self.rate = (size / last).max(BDF_RATE_FORGOTTEN * self.rate);
                if size > BDF_NEWTON_DIVERGING * last && size > step.noise {
                    break;
                }
            }
            if size * self.rate.min(1.0) <= step.tolerance || size <= step.noise {
                return Ok(());
            }
            last = size;
        }
        Err(NoSolution::Diverged)
    }
}

/// The root of the mean square, measured by weights.
pub(super) fn norm(v: &[f64], weights: &[f64]) -> f64 {
    let sum: f64 = v.iter().zip(weights).map(|(v, weight)| (v / weight).powi(2)).sum();
    (sum / v.len() as f64).sqrt()
}

/// Rounding errors of a state of the size of its tolerance over the relative one.
pub(super) fn rounding_noise(rtol: f64) -> f64 {
    4.0 * EPSILON / rtol
}
