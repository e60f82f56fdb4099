//! The values of the Jacobian of the state derivatives, on the pattern that [`JacobianPlan`] has found.
//!
//! Open loops have rows and columns of their own in it; all others are differentiated by the implicit function theorem.

use std::rc::Rc;

use rhei_kernel::{Iteration, Step};
use rhei_model::{CompiledModel, JacobianPlan};
use rhei_numerics::SparseMatrix;

use crate::evaluate::{Evaluator, NoValue, Opening, propagate_open};
use crate::loop_matrix::Factors;
use crate::search::Search;

/// Writes the Jacobian at the point that `values` holds, by one forward sweep per colour.
///
/// The pattern of `jacobian` contains that of the plan; further entries are left alone.
pub fn evaluate(
    model: &CompiledModel,
    plan: &JacobianPlan,
    values: &mut [f64],
    changes: &mut [f64],
    evaluator: &mut Evaluator,
    jacobian: &mut SparseMatrix,
    search: Search<'_>,
) -> Result<(), NoValue> {
    let states = &model.solvable.states;
    let routine = &model.code.dynamic;
    evaluator.run(routine, values, search)?;
    let factors = evaluator.factorised_loops(routine, values);
    let mut residuals = vec![0.0; plan.inner.len()];
    for group in &plan.colouring.groups {
        model.states.fill(0.0, changes);
        plan.inner_places.fill(0.0, changes);
        group.iter().for_each(|&column| changes[plan.slot(model, column)] = 1.0);
        let opening = Opening { is_open: &plan.is_open, residuals: &mut residuals };
        propagate_open(routine, values, changes, &factors, &evaluator.functions, opening);
        for &column in group {
            for &row in plan.pattern.column(column) {
                let change = match states.get(row) {
                    Some(state) => changes[state.derivative.index()],
                    None => residuals[row - states.len()],
                };
                jacobian.set(row, column, change);
            }
        }
    }
    plan.inner_places.fill(0.0, changes);
    silence_undetermined(model, plan, &factors, jacobian);
    Ok(())
}

/// If the guesses of an open loop are not determined at this point, the rows of their residuals are replaced: with those
/// derivatives a correction would leave the states in place instead.
fn silence_undetermined(
    model: &CompiledModel,
    plan: &JacobianPlan,
    factors: &[Option<Rc<Factors>>],
    jacobian: &mut SparseMatrix,
) {
    let mut first = model.solvable.states.len();
    for ((iteration, factors), is_open) in loops(model).zip(factors).zip(&plan.is_open) {
        let rows = first..first + iteration.guessed.len();
        if !is_open {
            continue;
        }
        first = rows.end;
        if factors.is_none() {
            let own = plan.pattern.entries().filter(|(row, _)| rows.contains(row));
            own.for_each(|(row, column)| jacobian.set(row, column, 0.0));
        }
    }
}

/// The loops between events, in order.
fn loops(model: &CompiledModel) -> impl Iterator<Item = &Iteration> {
    model.code.dynamic.steps.iter().filter_map(|step| match step {
        Step::Iterate(iteration) => Some(iteration),
        _ => None,
    })
}
