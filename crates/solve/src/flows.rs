//! The last resort for ordinary loops at the start, after Newton's method and `homotopy` have failed: their residuals are taken
//! as a flow, which is followed like that of a balance.
//!
//! The direction of the flow is not given. It is tried along the first Newton correction, against it, and with every equation
//! pulling back the unknown in its place.

use std::sync::Arc;

use rhei_kernel::Iteration;
use rhei_numerics::continuation::{Continuation, Options};
use rhei_numerics::lu::Lu;
use rhei_numerics::newton::System;
use rhei_numerics::{EvaluationFailed, Pattern};

use crate::constants::{FLOW_DENSE, FLOW_MOST_DENSE};
use crate::evaluate::{Evaluator, Residuals};
use crate::search::Search;

/// The direction of the flow of residuals.
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

fn follow_dense(mut residuals: Residuals<'_>, guesses: &[f64], options: &Options<'_>) -> Option<Vec<f64>> {
    let n = guesses.len();
    let mut jacobian = vec![0.0; n * n];
    residuals.jacobian(guesses, &mut jacobian).ok()?;
    let mut lu = Lu::new(n);
    let mut ways = Vec::new();
    if lu.factorise(&jacobian).is_ok() {
        ways.extend([1.0, -1.0].map(|sign| Way::Correction { lu: lu.clone(), sign }));
    }
    ways.push(Way::Each((0..n).map(|i| if jacobian[i * n + i] > 0.0 { -1.0 } else { 1.0 }).collect()));
    let mut flowing = Flowing { residuals, way: Way::Each(Vec::new()) };
    ways.into_iter().find_map(|way| {
        flowing.way = way;
        let mut x = guesses.to_vec();
        Continuation::new(n).solve_anywhere(&mut flowing, &mut x, options).is_ok().then_some(x)
    })
}

/// The same on the pattern of the derivatives. The matrix that turns the flow along the first correction would fill them: it
/// stands before the rates instead, `J₀ dx/dτ = ∓f`.
fn follow_sparse(
    residuals: &mut Residuals<'_>,
    pattern: &Arc<Pattern>,
    guesses: &[f64],
    options: &Options<'_>,
) -> Option<Vec<f64>> {
    let mut at_start = vec![0.0; pattern.len()];
    residuals.sparse_jacobian(guesses, &mut at_start).ok()?;
    let follow = |system: &mut dyn System, continuation: Option<Continuation>| {
        let mut x = guesses.to_vec();
        continuation?.solve_anywhere(system, &mut x, options).is_ok().then_some(x)
    };
    for sign in [-1.0, 1.0] {
        let mass = at_start.iter().map(|entry| sign * entry).collect();
        let continuation = Continuation::sparse_with_mass(pattern.clone(), mass);
        if let Some(found) = follow(residuals, continuation) {
            return Some(found);
        }
    }
    let mut signs = vec![1.0; guesses.len()];
    for ((row, column), entry) in pattern.entries().zip(&at_start) {
        if row == column && *entry > 0.0 {
            signs[row] = -1.0;
        }
    }
    let rows = pattern.row_indices().to_vec();
    follow(&mut Signed { residuals, signs, rows }, Continuation::sparse(pattern.clone()))
}

/// Each residual by itself, with its sign.
struct Signed<'a, 'b> {
    residuals: &'a mut Residuals<'b>,
    signs: Vec<f64>,
    /// Of the entries of the derivatives.
    rows: Vec<usize>,
}

impl System for Signed<'_, '_> {
    fn n(&self) -> usize {
        self.residuals.n()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.residuals.residual(x, residual)?;
        residual.iter_mut().zip(&self.signs).for_each(|(value, sign)| *value *= sign);
        Ok(())
    }

    fn jacobian(&mut self, _: &[f64], _: &mut [f64]) -> Result<(), EvaluationFailed> {
        Err(EvaluationFailed::new("the derivatives are known on their pattern"))
    }

    fn sparse_jacobian(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.residuals.sparse_jacobian(x, entries)?;
        entries.iter_mut().zip(&self.rows).for_each(|(entry, &row)| *entry *= self.signs[row]);
        Ok(())
    }
}

impl Evaluator {
    /// The solution that a flow leads to from the guesses of a loop, if it leads to one.
    pub(crate) fn follow_flow(
        &mut self,
        iteration: &Iteration,
        guesses: &[f64],
        values: &mut [f64],
        search: Search<'_>,
    ) -> Option<Vec<f64>> {
        let n = guesses.len();
        let (limits, plan) = (self.limits(iteration), self.plan(iteration));
        let rates = vec![1.0; n];
        let options = Options {
            rates: &rates,
            nominal: &limits.nominals,
            min: &limits.min,
            max: &limits.max,
            certify: false,
        };
        let mut residuals = Residuals::new(iteration, values, &mut self.changes, &self.functions)
            .with_plan(plan.as_deref())
            .with_budget(search.budget);
        let mut at_start = vec![0.0; n];
        residuals.residual(guesses, &mut at_start).ok()?;
        match plan.as_deref().filter(|plan| plan.is_sparse && n > FLOW_DENSE) {
            Some(plan) => follow_sparse(&mut residuals, &plan.pattern, guesses, &options),
            None if n <= FLOW_MOST_DENSE => follow_dense(residuals, guesses, &options),
            None => None,
        }
    }
}
