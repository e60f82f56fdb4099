//! The Jacobian of the state derivatives: where it can differ from zero, and its values.

use rhei_equations::{Equations, Node};
use rhei_numerics::{Pattern, SparseMatrix};
use rhei_solvable::Solvable;

use crate::CompiledModel;
use crate::evaluate::{Evaluator, NoValue, propagate};

/// Which state derivative depends on which state, through all that is computed in between.
pub(crate) fn state_pattern(equations: &Equations, solvable: &Solvable) -> Pattern {
    let n = solvable.states.len();
    // per variable, the states it depends on, ascending
    let mut depends_on: Vec<Vec<usize>> = vec![Vec::new(); equations.variables.len()];
    for (i, state) in solvable.states.iter().enumerate() {
        depends_on[state.variable.index()] = vec![i];
    }
    for block in &solvable.continuous[..solvable.dynamic] {
        let mut states: Vec<usize> = Vec::new();
        for e in solvable.pool.below(&block.values()) {
            if let Node::Variable(v) = solvable.pool.node(e) {
                states.extend(&depends_on[v.index()]);
            }
        }
        states.sort_unstable();
        states.dedup();
        for target in block.targets() {
            depends_on[target.index()].clone_from(&states);
        }
    }
    let rows = solvable.states.iter().enumerate();
    let entries = rows.flat_map(|(row, state)| {
        depends_on[state.derivative.index()].iter().map(move |&column| (row, column))
    });
    Pattern::from_entries(n, n, entries)
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
