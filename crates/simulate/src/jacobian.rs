//! The Jacobian of the state derivatives: where it can differ from zero, and its values.

use std::rc::Rc;

use rhei_equations::{Equations, ExprId, Node, VarId};
use rhei_numerics::{Pattern, SparseMatrix};
use rhei_solvable::{Block, Solvable};

use crate::CompiledModel;
use crate::evaluate::{Evaluator, NoValue, propagate};

/// Which state derivative depends on which state, through all that is computed in between.
pub(crate) fn state_pattern(equations: &Equations, solvable: &Solvable) -> Pattern {
    let derivatives: Vec<VarId> = solvable.states.iter().map(|state| state.derivative).collect();
    pattern_by_states(equations, solvable, &solvable.continuous[..solvable.dynamic], &derivatives)
}

/// Which of some variables depends on which state, where these blocks are computed.
pub(crate) fn pattern_by_states(
    equations: &Equations,
    solvable: &Solvable,
    blocks: &[Block],
    of: &[VarId],
) -> Pattern {
    // per variable, the states it depends on, ascending; what a loop computes has one list in common
    let none: Rc<[usize]> = Rc::from([]);
    let mut depends_on: Vec<Rc<[usize]>> = vec![none; equations.variables.len()];
    for (i, state) in solvable.states.iter().enumerate() {
        depends_on[state.variable.index()] = Rc::from([i]);
    }
    let mut note = |values: &[ExprId], targets: &mut dyn Iterator<Item = VarId>| {
        let mut states: Vec<usize> = Vec::new();
        let mut last: Option<&Rc<[usize]>> = None;
        for e in solvable.pool.below(values) {
            if let Node::Variable(v) = solvable.pool.node(e) {
                let own = &depends_on[v.index()];
                // what follows a loop reads many variables with the same list
                if last.is_none_or(|last| !Rc::ptr_eq(last, own)) {
                    states.extend(own.iter());
                    last = Some(own);
                }
            }
        }
        states.sort_unstable();
        states.dedup();
        let states: Rc<[usize]> = Rc::from(states);
        targets.for_each(|target| depends_on[target.index()] = states.clone());
    };
    for block in blocks {
        note(&block.values(), &mut block.targets().into_iter());
    }
    for alias in &solvable.aliases {
        note(&[alias.value], &mut std::iter::once(alias.target));
    }
    let rows = of.iter().enumerate();
    let entries = rows.flat_map(|(row, v)| depends_on[v.index()].iter().map(move |&column| (row, column)));
    Pattern::from_entries(of.len(), solvable.states.len(), entries)
}

/// Writes the Jacobian at the point that `values` holds, by one forward sweep per colour.
///
/// The pattern of `jacobian` contains the model's own; further entries are left alone.
pub(crate) fn evaluate(
    model: &CompiledModel,
    values: &mut [f64],
    changes: &mut [f64],
    evaluator: &mut Evaluator,
    jacobian: &mut SparseMatrix,
) -> Result<(), NoValue> {
    let states = &model.solvable.states;
    let routine = &model.code.dynamic;
    evaluator.run(routine, values)?;
    let factors = evaluator.factorised_loops(routine, values);
    for group in &model.colouring.groups {
        model.states.fill(0.0, changes);
        for &column in group {
            changes[states[column].variable.index()] = 1.0;
        }
        propagate(routine, values, changes, &factors, &evaluator.functions);
        for &column in group {
            for &row in model.pattern.column(column) {
                jacobian.set(row, column, changes[states[row].derivative.index()]);
            }
        }
    }
    Ok(())
}
