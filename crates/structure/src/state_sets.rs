//! Sets of candidates, of which the run chooses the states.
//!
//! The integrator advances variables of its own, one per degree of freedom: each is a combination of the candidates of a set
//! with factors that the run gives, a one for the candidate chosen and zeros for the others. A change of choice is then a
//! change of numbers, and the equations and their order stay as they are.

use rhei_equations::{Equation, Equations, ExprId, Kind, Origin, Pool, StateSelect, VarId, Variable};
use rhei_solvable::{Choice, Reason, Role, State, StateSet};

/// Adds the variables and equations of all sets to a model, and their states instead of those chosen among the candidates.
pub(crate) fn install_sets(
    equations: &mut Equations,
    sets: &mut [StateSet],
    states: &mut Vec<State>,
    roles: &mut Vec<Choice>,
    pool: &mut Pool,
) {
    if sets.is_empty() {
        return;
    }
    let derivatives = equations.derivatives();
    for (place, set) in sets.iter_mut().enumerate() {
        states.retain(|state| !set.candidates.contains(&state.variable));
        let rates: Vec<VarId> = set.candidates.iter().filter_map(|v| derivatives[v.index()]).collect();
        debug_assert_eq!(rates.len(), set.candidates.len());
        for i in 0..set.dimension() {
            let name = format!("state {} of set {}", i + 1, place + 1);
            let variable = hidden(equations, roles, name.clone(), Kind::Unknown);
            let derivative =
                hidden(equations, roles, format!("der({name})"), Kind::Derivative { of: variable });
            let factors: Vec<VarId> = (0..set.candidates.len())
                .map(|j| {
                    let name = format!("factor {} of {name}", j + 1);
                    hidden(equations, roles, name, Kind::Given)
                })
                .collect();
            combine(equations, variable, &factors, &set.candidates, pool);
            combine(equations, derivative, &factors, &rates, pool);
            states.push(State { variable, derivative });
            set.states.push(variable);
            set.factors.push(factors);
            set.references.push(hidden(equations, roles, format!("reference of {name}"), Kind::Given));
        }
    }
    equations.pool = pool.clone();
}

fn hidden(equations: &mut Equations, roles: &mut Vec<Choice>, name: String, kind: Kind) -> VarId {
    let (role, reason) = match kind {
        Kind::Unknown => (Role::State, Reason::InSet),
        Kind::Derivative { .. } => (Role::Algebraic, Reason::DerivativeOfState),
        _ => (Role::Parameter, Reason::Unchanging),
    };
    roles.push(Choice { role, select: StateSelect::Default, reason });
    let mut variable = Variable::new(name, kind);
    variable.is_hidden = true;
    equations.variables.push(variable);
    VarId(equations.variables.len() as u32 - 1)
}

/// `target = factors * variables`
fn combine(
    equations: &mut Equations,
    target: VarId,
    factors: &[VarId],
    variables: &[VarId],
    pool: &mut Pool,
) {
    let rhs = combination(factors, variables, pool, |pool, v| pool.variable(v));
    let lhs = pool.variable(target);
    let origin = Origin::default();
    equations.equations.push(Equation { lhs, rhs, is_discrete: false, balance: None, family: None, origin });
}

/// The sum of what `value` is of each variable, times its factor.
pub(crate) fn combination(
    factors: &[VarId],
    variables: &[VarId],
    pool: &mut Pool,
    mut value: impl FnMut(&mut Pool, VarId) -> ExprId,
) -> ExprId {
    let mut sum = pool.number(0.0);
    for (&factor, &v) in factors.iter().zip(variables) {
        let (factor, value) = (pool.variable(factor), value(pool, v));
        let product = pool.mul(factor, value);
        sum = pool.add(sum, product);
    }
    sum
}
