//! Start values of candidates of state sets that follow from those of others.
//!
//! A candidate that nobody gave a start value would start at zero, although equations tie it to variables that somebody gave one:
//! `y2 = 2*y`, where `y2` is preferred and `y` is eliminated from the set. It gets the value that this equation has at their start
//! values, where it stands there with a number for its factor. What is no candidate anywhere, and has a start value only as a guess,
//! has no say. For states outside of sets see [`start_references`](crate::start_references).

use rhei_equations::{Dae, ExprId, Leaf, Pool, VarId, solve_for};
use rhei_solvable::{Choice, Role, StateSet};

/// Gives candidates without a start value one, as far as it follows from others.
pub(crate) fn derive_starts(equations: &mut Dae, sets: &[StateSet], roles: &[Choice], pool: &mut Pool) {
    for set in sets {
        let mut open: Vec<VarId> =
            set.candidates.iter().copied().filter(|&v| !is_written(equations, v)).collect();
        // each turn goes one equation further along
        loop {
            let before = open.len();
            open.retain(|&v| !derive(equations, set, roles, v, pool));
            if open.is_empty() || open.len() == before {
                break;
            }
        }
    }
}

fn is_written(equations: &Dae, v: VarId) -> bool {
    let variable = equations.variable(v);
    variable.start.is_some() && (variable.fixed || variable.start_confidence.is_of_variable())
}

/// From the first equation of the set that has only variables with start values beside `v`; says whether there is one.
fn derive(equations: &mut Dae, set: &StateSet, roles: &[Choice], v: VarId, pool: &mut Pool) -> bool {
    let has_say = |u: VarId| {
        matches!(roles[u.index()].role, Role::Dummy | Role::Candidate { .. }) && is_written(equations, u)
    };
    let zero = pool.number(0.0);
    for &residual in &set.manifold.residuals {
        let variables = pool.variables_of(residual);
        let mut unknown = variables.iter().copied().filter(|&u| u != v && equations.variable(u).is_unknown());
        let Some(first) = unknown.next().filter(|_| variables.contains(&v)) else { continue };
        let is_number = pool.partial(residual, v).is_ok_and(|slope| pool.as_number(slope).is_some());
        if !is_number || !has_say(first) || !unknown.all(has_say) {
            continue;
        }
        let Some(value) = solve_for(pool, [residual, zero], v) else { continue };
        let Some(start) = at_starts(equations, value, pool) else { continue };
        let confidence =
            variables.iter().filter(|u| **u != v).map(|u| equations.variable(*u).start_confidence);
        let confidence = confidence.max().unwrap_or_default();
        let variable = &mut equations.variables[v.index()];
        (variable.start, variable.start_confidence) = (Some(start), confidence);
        return true;
    }
    false
}

/// An expression at the start values of its unknowns; none if it depends on time, or on what changes at events.
fn at_starts(equations: &Dae, e: ExprId, pool: &mut Pool) -> Option<ExprId> {
    let replaced = pool.substitute(e, |leaf| match leaf {
        Leaf::Variable(v) if equations.variable(v).is_unknown() => equations.variable(v).start,
        _ => None,
    });
    let is_parameter = |e: ExprId| match pool.node(e) {
        rhei_equations::Node::Variable(v) => equations.variable(v).is_parameter(),
        rhei_equations::Node::Time => false,
        _ => true,
    };
    pool.below(&[replaced]).into_iter().all(is_parameter).then_some(replaced)
}
