//! Steps off the constraints of a mode, projected back at their end by the impulses that the mode allows (Mosterman, Neumann &
//! Preusche 1999). The scheme is of first order, whatever the method.

use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_numerics::{EvaluationFailed, OffConstraints, Problem};

use super::Left;
use super::jump::project;
use crate::evaluate::NoValue;
use crate::modes::enter;
use crate::problem::ModelProblem;
use crate::start::{Given, Started};

/// The model without the constraints of its mode.
#[derive(Clone)]
pub struct Off {
    problem: ModelProblem,
    /// Number of leading variables that both share.
    n_common: usize,
}

impl Off {
    /// Beside a problem that is at some point of its mode.
    pub fn new(
        uncoupled: &Arc<CompiledModel>,
        problem: &ModelProblem,
        t: f64,
        span: f64,
        given: Given<'_>,
    ) -> Result<Off, NoValue> {
        let left = Left { model: problem.model.clone(), values: problem.values.clone() };
        let Started { values, evaluator, .. } = enter(uncoupled, &left, t, given)?;
        let n_common = uncoupled.carried_from(&left.model).n_common;
        Ok(Off { problem: ModelProblem::new(uncoupled.clone(), values, evaluator, span), n_common })
    }
}

/// Why the end of a step cannot be projected back onto the constraints.
#[derive(Debug)]
pub struct NotProjected(pub String);

impl std::fmt::Display for NotProjected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotProjected {}

impl OffConstraints for ModelProblem {
    fn leave(&mut self, t: f64, y: &[f64], wide: &mut Vec<f64>) -> Result<(), EvaluationFailed> {
        self.evaluate(t, y).map_err(EvaluationFailed::new)?;
        if let Some(off) = &mut self.off {
            off.problem.values[..off.n_common].copy_from_slice(&self.values[..off.n_common]);
            *wide = off.problem.states();
        }
        Ok(())
    }

    fn wide_rhs(&mut self, t: f64, wide: &[f64], slopes: &mut [f64]) -> Result<(), EvaluationFailed> {
        match &mut self.off {
            Some(off) => off.problem.rhs(t, wide, slopes),
            None => Ok(()),
        }
    }

    fn come_back(&mut self, t: f64, wide: &[f64], y: &mut [f64]) -> Result<(), EvaluationFailed> {
        let mut before = self.values.clone();
        if let Some(off) = &mut self.off {
            off.problem.evaluate(t, wide).map_err(EvaluationFailed::new)?;
            for v in self.model.solvable.impulses.jumping.iter().filter(|v| v.index() < off.n_common) {
                before[v.index()] = off.problem.values[v.index()];
            }
        }
        project(self, t, &before, y).map_err(|why| EvaluationFailed::new(NotProjected(why)))
    }
}
