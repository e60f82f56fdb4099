//! The explicit rules, each by its table: Euler, Heun, midpoint and the classical Runge–Kutta method (Kutta 1901).

use super::{Interpolation, Point, Rule, evaluate};
use crate::evaluator::Evaluation;
use crate::integrator::{Failure, Settings};
use crate::problem::{EvaluationFailed, OffConstraints};

/// An explicit Runge–Kutta method: each stage evaluates the slope at a point that the slopes before lead to, and the
/// weighted mean of all slopes leads to the next point (Hairer, Nørsett & Wanner I, II.1).
#[derive(Clone)]
pub(crate) struct Explicit {
    table: &'static Table,
    /// The slopes of the stages; the first one is known from the step before.
    slopes: Vec<Vec<f64>>,
}

/// Butcher tableau of a method (Butcher 1964).
struct Table {
    order: u32,
    /// From the second stage on: at which part of the step, and how much of each slope before leads there.
    stages: &'static [(f64, &'static [f64])],
    /// The weights of all slopes, and their sum.
    weights: &'static [f64],
    sum: f64,
}

const EULER: Table = Table { order: 1, stages: &[], weights: &[1.0], sum: 1.0 };

/// Euler, then the mean of both slopes.
const HEUN: Table = Table { order: 2, stages: &[(1.0, &[1.0])], weights: &[1.0, 1.0], sum: 2.0 };

/// Half a step of Euler, then the slope found there.
const MIDPOINT: Table = Table { order: 2, stages: &[(0.5, &[0.5])], weights: &[0.0, 1.0], sum: 1.0 };

const RK4: Table = Table {
    order: 4,
    stages: &[(0.5, &[0.5]), (0.5, &[0.0, 0.5]), (1.0, &[0.0, 0.0, 1.0])],
    weights: &[1.0, 2.0, 2.0, 1.0],
    sum: 6.0,
};

impl Explicit {
    pub(crate) const EULER: Explicit = Explicit::new(&EULER);
    pub(crate) const HEUN: Explicit = Explicit::new(&HEUN);
    pub(crate) const MIDPOINT: Explicit = Explicit::new(&MIDPOINT);
    pub(crate) const RK4: Explicit = Explicit::new(&RK4);

    const fn new(table: &'static Table) -> Explicit {
        Explicit { table, slopes: Vec::new() }
    }
}

impl Rule for Explicit {
    fn interpolation(&self) -> Interpolation {
        // Euler's step goes straight: a cubic with the slopes of both ends would leave it to the other side first
        if self.table.order == 1 { Interpolation::Linear } else { Interpolation::Hermite }
    }

    fn order(&self) -> u32 {
        self.table.order
    }

    fn advance(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        _: &Settings,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure> {
        if let Some(wide) = evaluation.off_constraints() {
            let done = self.advance_off(wide, from, to);
            return done.map_err(|reason| Failure::EvaluationFailed { t: to.t, reached: from.t, reason });
        }
        let h = to.t - from.t;
        let Table { stages, weights, sum, .. } = *self.table;
        self.slopes.resize_with(weights.len(), || vec![0.0; from.y.len()]);
        self.slopes[0].copy_from_slice(&from.dy);
        for (before, &(part, parts)) in stages.iter().enumerate() {
            let (known, next) = self.slopes.split_at_mut(before + 1);
            along(&from.y, h, parts, known, &mut to.y);
            // the last stage lies at the end of the step, not a rounding error beside it
            let t = if part == 1.0 { to.t } else { from.t + part * h };
            evaluate(evaluation, from.t, t, &to.y, &mut next[0])?;
        }
        along(&from.y, h / sum, weights, &self.slopes, &mut to.y);
        Ok(())
    }
}

impl Explicit {
    /// A step without constraints, that is brought back onto them at its end.
    fn advance_off(
        &mut self,
        problem: &mut dyn OffConstraints,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), EvaluationFailed> {
        let h = to.t - from.t;
        let Table { stages, weights, sum, .. } = *self.table;
        let mut begin = Vec::new();
        problem.leave(from.t, &from.y, &mut begin)?;
        let mut wide = begin.clone();
        let mut slopes = vec![vec![0.0; begin.len()]; weights.len()];
        problem.wide_rhs(from.t, &begin, &mut slopes[0])?;
        for (before, &(part, parts)) in stages.iter().enumerate() {
            let (known, next) = slopes.split_at_mut(before + 1);
            along(&begin, h, parts, known, &mut wide);
            let t = if part == 1.0 { to.t } else { from.t + part * h };
            problem.wide_rhs(t, &wide, &mut next[0])?;
        }
        along(&begin, h / sum, weights, &slopes, &mut wide);
        to.y.copy_from_slice(&from.y);
        problem.come_back(to.t, &wide, &mut to.y)
    }
}

/// `to = from + h Σ weight·slope`.
fn along(from: &[f64], h: f64, weights: &[f64], slopes: &[Vec<f64>], to: &mut [f64]) {
    for (i, to) in to.iter_mut().enumerate() {
        let weighted = weights.iter().zip(slopes).filter(|(weight, _)| **weight != 0.0);
        let slope: f64 = weighted.map(|(weight, slope)| weight * slope[i]).sum();
        *to = from[i] + h * slope;
    }
}
