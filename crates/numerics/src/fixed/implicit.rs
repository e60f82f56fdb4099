//! The implicit rules, each by its table: backward Euler, the trapezoid and SDIRK2.
//!
//! Every stage is solved by simplified Newton iteration: the matrix `I - hγJ` is kept while it contracts well, and renewed at the
//! present point where it does not. Errors are estimated from the contraction (Hairer & Wanner,
//! *Solving Ordinary Differential Equations II*, IV.8).

use std::f64::consts::FRAC_1_SQRT_2;

use super::{Interpolation, Point, Rule, evaluate};
use crate::constants::{
    EPSILON, STEP_NEWTON_DIVERGING, STEP_NEWTON_ITERATIONS, STEP_NEWTON_SLOW, STEP_NEWTON_TOLERANCE,
};
use crate::evaluator::{Evaluation, Evaluator};
use crate::integrator::{Failure, Settings};
use crate::iteration_matrix::IterationMatrix;

/// A diagonally implicit Runge–Kutta method with one matrix for all stages, the last of which is the next point (Hairer & Wanner II,
/// IV.6).
#[derive(Clone)]
pub(crate) struct Implicit {
    tableau: &'static Tableau,
    matrix: Option<IterationMatrix>,
    /// The slopes at the start of the step and at the stages before.
    slopes: Vec<Vec<f64>>,
    /// What they add to the present stage.
    known: Vec<f64>,
    /// Memory of the iteration.
    correction: Vec<f64>,
    newton_iterations: u64,
}

/// The tableau of a method.
pub(crate) struct Tableau {
    order: u32,
    /// How much of its own slope leads to each stage.
    diagonal: f64,
    /// At which part of the step each stage lies, and how much of the slopes before leads there, the one at the start first.
    stages: &'static [(f64, &'static [f64])],
}

impl Tableau {
    pub(crate) const EULER: Tableau = Tableau { order: 1, diagonal: 1.0, stages: &[(1.0, &[])] };

    /// The mean of the slopes at both ends.
    pub(crate) const TRAPEZOID: Tableau = Tableau { order: 2, diagonal: 0.5, stages: &[(1.0, &[0.5])] };

    /// Two stages of order 2, by which fast motions die out at once.
    pub(crate) const SDIRK2: Tableau =
        Tableau { order: 2, diagonal: GAMMA, stages: &[(GAMMA, &[]), (1.0, &[0.0, 1.0 - GAMMA])] };
}

/// The diagonal of SDIRK2 (Alexander 1977).
const GAMMA: f64 = 1.0 - FRAC_1_SQRT_2;

impl Implicit {
    pub(crate) fn new(tableau: &'static Tableau) -> Implicit {
        Implicit {
            tableau,
            matrix: None,
            slopes: Vec::new(),
            known: Vec::new(),
            correction: Vec::new(),
            newton_iterations: 0,
        }
    }
}

impl Rule for Implicit {
    fn interpolation(&self) -> Interpolation {
        Interpolation::Linear
    }

    fn order(&self) -> u32 {
        self.tableau.order
    }

    fn prepare(&mut self, evaluator: &Evaluator) {
        self.correction.resize(evaluator.n(), 0.0);
        self.known.resize(evaluator.n(), 0.0);
        self.slopes = vec![vec![0.0; evaluator.n()]; self.tableau.stages.len()];
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
        let Tableau { diagonal, stages, .. } = *self.tableau;
        let end = to.t;
        let h = end - from.t;
        let gamma = h * diagonal;
        let mut renewed = matrix.gamma() != Some(gamma);
        if renewed {
            renew(matrix, evaluation, from, gamma)?;
        }
        self.slopes[0].copy_from_slice(&from.dy);
        to.y.copy_from_slice(&from.y);
        for (place, &(part, parts)) in stages.iter().enumerate() {
            to.t = if part == 1.0 { end } else { from.t + part * h };
            for (i, known) in self.known.iter_mut().enumerate() {
                *known = parts.iter().zip(&self.slopes).map(|(part, slope)| part * slope[i]).sum();
            }
            let stage = Stage { diagonal, h, known: &self.known };
            let correction = &mut self.correction[..];
            let mut newton = StepNewton { stage, settings, correction, iterations: 0 };
            let first = newton.iterate(evaluation, matrix, from, to);
            let outcome = match first {
                Err(_) if !renewed => {
                    renew(matrix, evaluation, from, gamma)?;
                    renewed = true;
                    to.y.copy_from_slice(&from.y);
                    newton.iterate(evaluation, matrix, from, to)
                }
                other => other,
            };
            self.newton_iterations += u64::from(newton.iterations);
            outcome?;
            if place + 1 < stages.len() {
                // by the equation of the stage: an evaluation would magnify what is left of its error
                for (i, slope) in self.slopes[place + 1].iter_mut().enumerate() {
                    *slope = ((to.y[i] - from.y[i]) / h - self.known[i]) / diagonal;
                }
            }
        }
        Ok(())
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

/// The equation of a stage: `y = y₀ + h (known + diagonal·f(y))`.
struct Stage<'a> {
    diagonal: f64,
    h: f64,
    /// What the slopes before add to the slope of each state.
    known: &'a [f64],
}

/// The iteration within one stage.
struct StepNewton<'a> {
    stage: Stage<'a>,
    settings: &'a Settings,
    /// Memory.
    correction: &'a mut [f64],
    iterations: u32,
}

impl StepNewton<'_> {
    /// Finds `to.y`, beginning with what is there; marks a matrix that contracts slowly for renewal.
    fn iterate(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        matrix: &mut IterationMatrix,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure> {
        let Stage { diagonal, h, known } = self.stage;
        let mut last = f64::INFINITY;
        let mut worst = 0;
        for iteration in 0..STEP_NEWTON_ITERATIONS {
            evaluate(evaluation, from.t, to.t, &to.y, &mut to.dy)?;
            for (i, correction) in self.correction.iter_mut().enumerate() {
                let slope = known[i] + diagonal * to.dy[i];
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
