//! The Jacobian of the state derivatives: its pattern, and its colouring.
//!
//! Open loops ([`crate::state_dependence`]) have rows and columns of their own in it, behind those of the states: their guesses
//! are *inner unknowns* of the integrator's problem.

use std::sync::Arc;

use rhei_equations::{Equations, VarId};
use rhei_numerics::Pattern;
use rhei_numerics::colouring::{Colouring, colour};
use rhei_numerics::sparse_lu::is_worth_it;
use rhei_solvable::{Block, Solvable};

use crate::CompiledModel;
use crate::places::Places;
use crate::state_dependence::{Dependence, Open};

/// Pattern and colouring of a Jacobian.
#[derive(Debug)]
pub struct JacobianPlan {
    /// Of each loop between events, in order, whether it stays open.
    pub is_open: Vec<bool>,
    /// The guesses of the open ones: the columns behind the states.
    pub inner: Vec<VarId>,
    /// Their places among all values.
    pub inner_places: Places,
    /// The pattern: entries that can differ from zero.
    pub pattern: Arc<Pattern>,
    /// Groups of columns that one sweep serves.
    pub colouring: Colouring,
}

impl JacobianPlan {
    /// For implicit integrators, with loops open where that saves entries.
    pub fn new(equations: &Equations, solvable: &Solvable) -> JacobianPlan {
        JacobianPlan::with(equations, solvable, Open::WherePaying)
    }

    /// That of the states alone.
    pub(crate) fn of_states(equations: &Equations, solvable: &Solvable) -> JacobianPlan {
        JacobianPlan::with(equations, solvable, Open::Nothing)
    }

    fn with(equations: &Equations, solvable: &Solvable, open: Open) -> JacobianPlan {
        let derivatives: Vec<VarId> = solvable.states.iter().map(|state| state.derivative).collect();
        let blocks = &solvable.continuous[..solvable.dynamic];
        let found = Dependence::new(equations, solvable, blocks, &derivatives, open);
        let n = derivatives.len() + found.inner.len();
        let pattern = Pattern::from_entries(n, n, found.entries(&derivatives));
        if !found.inner.is_empty() && !is_worth_it(&pattern) {
            return JacobianPlan::of_states(equations, solvable); // the rest of the model is dense
        }
        let Dependence { is_open, inner, .. } = found;
        let inner_places = Places::new(inner.iter().copied());
        JacobianPlan { is_open, inner, inner_places, colouring: colour(&pattern), pattern: Arc::new(pattern) }
    }

    /// The slot of a column: a state, or a guess behind them.
    pub fn slot(&self, model: &CompiledModel, column: usize) -> usize {
        let states = &model.solvable.states;
        let variable =
            states.get(column).map_or_else(|| self.inner[column - states.len()], |state| state.variable);
        variable.index()
    }
}

/// The pattern of some variables by the states, as these blocks compute them.
pub fn pattern_by_states(
    equations: &Equations,
    solvable: &Solvable,
    blocks: &[Block],
    of: &[VarId],
) -> Pattern {
    let found = Dependence::new(equations, solvable, blocks, of, Open::Nothing);
    Pattern::from_entries(of.len(), solvable.states.len(), found.entries(of))
}

/// The size of the Jacobian of implicit integrators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateMatrix {
    /// States.
    pub states: usize,
    /// Guesses of loops that are kept beside them.
    pub inner: usize,
    /// Entries that are stored.
    pub entries: usize,
    /// Sweeps over the model's formulas for all of them.
    pub sweeps: usize,
}

/// The size of the Jacobian of a model between events: a measure of cost without a clock.
pub fn state_matrix(model: &CompiledModel) -> StateMatrix {
    let JacobianPlan { inner, pattern, colouring, .. } = &model.jacobian;
    let states = model.solvable.states.len();
    StateMatrix { states, inner: inner.len(), entries: pattern.len(), sweeps: colouring.groups.len() }
}
