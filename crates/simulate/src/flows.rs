//! Ordinary loops at the start, where Newton's method and `homotopy` have failed: their residuals are taken as a flow, which is
//! followed as that of a balance.
//!
//! Nobody has said which way it flows. It is tried along the first Newton correction, against it, and with every equation pulling back
//! the unknown in its place.

use rhei_equations::VarId;
use rhei_kernel::Iteration;
use rhei_numerics::EvaluationFailed;
use rhei_numerics::continuation::{Continuation, FIRST_STEP, Options};
use rhei_numerics::lu::Lu;
use rhei_numerics::newton::System;

use crate::evaluate::{Evaluator, Residuals};

/// Unknowns of a loop that is followed, at most: a flow takes a dense matrix, and its eigenvalues at each step.
const MOST_FOLLOWED: usize = 100;

/// Which way a residual flows.
enum Way {
    /// Along the correction that its derivatives at the start ask for, or against it.
    Correction { lu: Lu, sign: f64 },
    /// Each residual by itself, with this sign.
    Each(Vec<f64>),
}

struct Flowing<'a> {
    residuals: Residuals<'a>,
    way: Way,
}

impl Flowing<'_> {
    fn turn(&self, values: &mut [f64]) {
        match &self.way {
            Way::Correction { lu, sign } => {
                lu.solve(values);
                values.iter_mut().for_each(|value| *value *= -sign);
            }
            Way::Each(signs) => values.iter_mut().zip(signs).for_each(|(value, sign)| *value *= sign),
        }
    }
}

impl System for Flowing<'_> {
    fn n(&self) -> usize {
        self.residuals.n()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.residuals.residual(x, residual)?;
        self.turn(residual);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.residuals.jacobian(x, jacobian)?;
        let n = self.n();
        let mut column = vec![0.0; n];
        for j in 0..n {
            (0..n).for_each(|i| column[i] = jacobian[i * n + j]);
            self.turn(&mut column);
            (0..n).for_each(|i| jacobian[i * n + j] = column[i]);
        }
        Ok(())
    }
}

impl Evaluator {
    /// The solution of a loop that a flow leads to from its guesses, if one does.
    pub(crate) fn follow_flow(
        &mut self,
        iteration: &Iteration,
        guesses: &[f64],
        values: &mut [f64],
    ) -> Option<Vec<f64>> {
        let n = guesses.len();
        if n > MOST_FOLLOWED {
            return None;
        }
        let (limits, plan) = (self.limits(iteration), self.plan(iteration));
        let mut residuals = Residuals::new(iteration, values, &mut self.changes, &self.functions)
            .with_plan(plan.as_deref())
            .with_patience(&self.patience);
        let mut at_start = vec![0.0; n];
        residuals.residual(guesses, &mut at_start).ok()?;
        let mut jacobian = vec![0.0; n * n];
        residuals.jacobian(guesses, &mut jacobian).ok()?;
        let mut lu = Lu::new(n);
        let mut ways = Vec::new();
        if lu.factorise(&jacobian).is_ok() {
            ways.extend([1.0, -1.0].map(|sign| Way::Correction { lu: lu.clone(), sign }));
        }
        ways.push(Way::Each((0..n).map(|i| if jacobian[i * n + i] > 0.0 { -1.0 } else { 1.0 }).collect()));
        let rates = vec![1.0; n];
        let options = Options {
            rates: &rates,
            nominal: &limits.nominals,
            min: &limits.min,
            max: &limits.max,
            certify: false,
        };
        ways.into_iter().find_map(|way| {
            let residuals = Residuals::new(iteration, values, &mut self.changes, &self.functions)
                .with_plan(plan.as_deref())
                .with_patience(&self.patience);
            let (mut x, mut step) = (guesses.to_vec(), FIRST_STEP);
            let solved =
                Continuation::new(n).solve(&mut Flowing { residuals, way }, &mut x, &mut step, &options);
            solved.is_ok().then_some(x)
        })
    }

    /// From here on loops that Newton's method does not solve are followed along a flow, or no longer.
    pub(crate) fn follow_flows(&mut self, follows: bool) {
        self.followed = follows.then(Vec::new);
    }

    /// The unknowns of the loops that were solved so.
    pub(crate) fn followed(&self) -> Vec<VarId> {
        self.followed.clone().unwrap_or_default()
    }
}
