//! How all unknowns start.
//!
//! The initial problem is the model's equations with everything that holds at the start only: initial equations, and
//! `x = start` for what is fixed. Where that leaves states undetermined, their start values are taken and a note says so
//! (MLS §8.6).

use rhei_equations::{Equation, Equations, Origin, Pool, VarId};
use rhei_solvable::{Block, Cause, State};
use rhei_source::Diagnostic;

use crate::blocks::{Row, System};
use crate::{Matching, diagnose};

/// The blocks that compute every unknown at the start.
pub(crate) fn initial_problem(
    equations: &Equations,
    states: &[State],
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Block>> {
    let unknowns = equations.iter_variables().filter(|(_, variable)| variable.is_unknown()).map(|(v, _)| v);
    let mut system = System::new(equations, unknowns.collect(), pool);
    for (i, equation) in equations.initial.iter().enumerate() {
        let because = Cause::InitialEquation(rhei_equations::EqId(i as u32));
        system.push(Row { equation: equation.clone(), because }, pool);
    }
    for (v, variable) in equations.iter_variables() {
        if variable.is_unknown() && variable.fixed {
            let row = start_row(equations, v, pool);
            system.push(row, pool);
        }
    }
    let mut matching = Matching::maximum(&system.graph);
    if matching.unmatched_row().is_some() {
        diagnostics.push(diagnose::too_many_initial_conditions(&system, &matching));
        return None;
    }
    for state in states {
        if equations.variable(state.variable).fixed || matching.unmatched_column().is_none() {
            continue;
        }
        let row = start_row(equations, state.variable, pool);
        if system.push_if_free(row, &mut matching, pool) {
            diagnostics.push(diagnose::start_assumed(equations, state.variable));
        }
    }
    Some(system.solve_in_order(&matching, pool))
}

/// `x = start`
fn start_row(equations: &Equations, v: VarId, pool: &mut Pool) -> Row {
    let variable = equations.variable(v);
    let zero = pool.number(0.0);
    let (lhs, rhs) = (pool.variable(v), variable.start.unwrap_or(zero));
    let origin = Origin { done: Vec::new(), ..variable.origin.clone() };
    Row { equation: Equation { lhs, rhs, family: None, origin }, because: Cause::Start(v) }
}
