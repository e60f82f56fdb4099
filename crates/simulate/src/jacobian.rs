//! The Jacobian of the state derivatives: where it can differ from zero, and its values.
//!
//! Loops that stay open ([`crate::state_dependence`]) have rows and columns of their own in it, behind those of the states: their
//! guesses are *inner unknowns* of the problem that an integrator is given. All other loops are gone through by the implicit function
//! theorem.

use std::rc::Rc;
use std::sync::Arc;

use rhei_equations::{Equations, VarId};
use rhei_kernel::{Iteration, Step};
use rhei_numerics::colouring::{Colouring, colour};
use rhei_numerics::sparse_lu::is_worth_it;
use rhei_numerics::{Pattern, SparseMatrix};
use rhei_solvable::{Block, Solvable};

use crate::CompiledModel;
use crate::evaluate::{Evaluator, NoValue, Opening, propagate_open};
use crate::loop_matrix::Factors;
use crate::places::Places;
use crate::state_dependence::{Dependence, Open};

/// How a Jacobian is made.
#[derive(Debug)]
pub(crate) struct JacobianPlan {
    /// Of each loop between events, in order, whether it stays open.
    pub(crate) is_open: Vec<bool>,
    /// The guesses of the open ones: the columns behind the states.
    pub(crate) inner: Vec<VarId>,
    pub(crate) inner_places: Places,
    pub(crate) pattern: Arc<Pattern>,
    colouring: Colouring,
}

impl JacobianPlan {
    /// With loops open where that pays off, for implicit integrators; or with none open.
    pub(crate) fn new(equations: &Equations, solvable: &Solvable, open: Open) -> JacobianPlan {
        let derivatives: Vec<VarId> = solvable.states.iter().map(|state| state.derivative).collect();
        let blocks = &solvable.continuous[..solvable.dynamic];
        let found = Dependence::new(equations, solvable, blocks, &derivatives, open);
        let n = derivatives.len() + found.inner.len();
        let pattern = Pattern::from_entries(n, n, found.entries(&derivatives));
        if !found.inner.is_empty() && !is_worth_it(&pattern) {
            return JacobianPlan::new(equations, solvable, Open::Nothing); // the rest of the model is dense
        }
        let Dependence { is_open, inner, .. } = found;
        let inner_places = Places::new(inner.iter().copied());
        JacobianPlan { is_open, inner, inner_places, colouring: colour(&pattern), pattern: Arc::new(pattern) }
    }

    /// The slot of a column: a state, or a guess behind them.
    fn slot(&self, model: &CompiledModel, column: usize) -> usize {
        let states = &model.solvable.states;
        let variable =
            states.get(column).map_or_else(|| self.inner[column - states.len()], |state| state.variable);
        variable.index()
    }
}

/// Which of some variables depends on which state, where these blocks are computed.
pub(crate) fn pattern_by_states(
    equations: &Equations,
    solvable: &Solvable,
    blocks: &[Block],
    of: &[VarId],
) -> Pattern {
    let found = Dependence::new(equations, solvable, blocks, of, Open::Nothing);
    Pattern::from_entries(of.len(), solvable.states.len(), found.entries(of))
}

/// Writes the Jacobian at the point that `values` holds, by one forward sweep per colour.
///
/// The pattern of `jacobian` contains that of the plan; further entries are left alone.
pub(crate) fn evaluate(
    model: &CompiledModel,
    plan: &JacobianPlan,
    values: &mut [f64],
    changes: &mut [f64],
    evaluator: &mut Evaluator,
    jacobian: &mut SparseMatrix,
) -> Result<(), NoValue> {
    let states = &model.solvable.states;
    let routine = &model.code.dynamic;
    evaluator.run(routine, values)?;
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

/// Where the guesses of an open loop are not determined at this point, their residuals say nothing: with derivatives of such residuals
/// it would be the states that do not move.
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

/// What the Jacobian takes that implicit integrators solve with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateMatrix {
    /// States.
    pub states: usize,
    /// Guesses of loops that are kept beside them.
    pub inner: usize,
    /// Entries that are stored.
    pub entries: usize,
    /// Sweeps over what the model computes that make all of them.
    pub sweeps: usize,
}

/// What the Jacobian of a model takes, between events: to see without a clock how that grows.
pub fn state_matrix(model: &CompiledModel) -> StateMatrix {
    let JacobianPlan { inner, pattern, colouring, .. } = &model.jacobian;
    let states = model.solvable.states.len();
    StateMatrix { states, inner: inner.len(), entries: pattern.len(), sweeps: colouring.groups.len() }
}
