//! Sets of candidates, of which the run chooses the states.
//!
//! The integrator advances variables of its own, one per degree of freedom. Each is a combination of the candidates of a set
//! with factors given by the run, a one for the candidate chosen and zeros for the others. A change of choice is then a
//! change of numbers, and the equations and their order stay as they are. In large sets each state has factors only for the
//! candidates that it can be ([`reach`](crate::reach)).

use rhei_equations::{Dae, Equation, ExprId, Kind, Origin, Pool, StateSelect, VarId, Variable};
use rhei_solvable::{Assumed, Choice, Reason, Role, State, StateSet};
use rustc_hash::FxHashSet;

use crate::reach::{Reach, Tied, reach};
use crate::{Bipartite, Matching};

/// In sets with more candidates than this a state can be only some of them. In smaller ones it can be any combination of all, as
/// the least change to the constraints keeps.
const LARGE: usize = 50;

/// Adds the variables and equations of all sets to a model, and their states instead of those chosen among the candidates.
pub(crate) fn install_sets(
    equations: &mut Dae,
    sets: &mut [StateSet],
    states: &mut Vec<State>,
    roles: &mut Vec<Choice>,
    pool: &mut Pool,
) {
    if sets.is_empty() {
        return;
    }
    let derivatives = equations.derivatives();
    let candidates: FxHashSet<VarId> = sets.iter().flat_map(|set| &set.candidates).copied().collect();
    states.retain(|state| !candidates.contains(&state.variable));
    for (place, set) in sets.iter_mut().enumerate() {
        let rates: Vec<VarId> = set.candidates.iter().filter_map(|v| derivatives[v.index()]).collect();
        debug_assert_eq!(rates.len(), set.candidates.len());
        let Reach { order, windows } = windows(set);
        set.order = order;
        for (i, window) in windows.into_iter().enumerate() {
            let name = format!("state {} of set {}", i + 1, place + 1);
            let variable = hidden(equations, roles, name.clone(), Kind::Unknown);
            let derivative =
                hidden(equations, roles, format!("der({name})"), Kind::Derivative { of: variable });
            let factors = factors(equations, roles, &window, &name);
            combine(equations, variable, &factors, &set.candidates, pool);
            combine(equations, derivative, &factors, &rates, pool);
            states.push(State { variable, derivative });
            set.states.push(variable);
            set.factors.push(factors);
            set.references.push(hidden(equations, roles, format!("reference of {name}"), Kind::Given));
        }
        for (i, window) in windows_beside_fixed(set, equations).into_iter().enumerate() {
            let name = format!("start {} of set {}", i + 1, place + 1);
            let factors = factors(equations, roles, &window, &name);
            let reference = hidden(equations, roles, format!("reference of {name}"), Kind::Given);
            set.starts.push(Assumed { factors, reference });
        }
    }
}

/// Candidates that each state can be a combination of.
fn windows(set: &StateSet) -> Reach {
    let n = set.candidates.len();
    if n <= LARGE {
        return Reach { order: Vec::new(), windows: vec![(0..n).collect(); set.dimension()] };
    }
    let rows = columns_by_row(set, |_| true);
    reach(&Tied { rows, n_others: set.others.len(), n_candidates: n, n_solved_for: set.dummies.len() })
}

/// Candidates of the states that can be assumed at the start of a large set beside those that are fixed in it; empty if the
/// set is small, if none are fixed, or if no more can be assumed.
fn windows_beside_fixed(set: &StateSet, equations: &Dae) -> Vec<Vec<usize>> {
    let is_open = |place: usize| !equations.variable(set.candidates[place]).fixed;
    let open: Vec<usize> = (0..set.candidates.len()).filter(|&place| is_open(place)).collect();
    if set.order.is_empty() || open.len() == set.candidates.len() {
        return Vec::new();
    }
    let n_solved_for = solvable_for(set, is_open);
    let n_others = set.others.len();
    let mut rows = columns_by_row(set, is_open);
    for column in rows.iter_mut().flatten().filter(|column| **column >= n_others) {
        *column = n_others + open.partition_point(|place| n_others + *place < *column);
    }
    let mut windows = reach(&Tied { rows, n_others, n_candidates: open.len(), n_solved_for }).windows;
    windows.iter_mut().flatten().for_each(|place| *place = open[*place]);
    windows
}

/// The number of these candidates for which the constraints can be solved, beside their other unknowns: fewer than must be solved
/// for if too many are fixed.
fn solvable_for(set: &StateSet, is_open: impl Fn(usize) -> bool) -> usize {
    let n_others = set.others.len();
    let mut graph = Bipartite::new(n_others + set.candidates.len());
    for row in &set.jacobian {
        let columns = row.iter().map(|&(column, _)| column);
        graph.push_row(columns.filter(|column| column.checked_sub(n_others).is_none_or(&is_open)));
    }
    let matching = Matching::maximum(&graph);
    let n_rows = (0..graph.n_rows()).filter(|&row| matching.column_of(row).is_some()).count();
    n_rows.saturating_sub(n_others)
}

/// The columns in each constraint: other unknowns, and candidates as far as they count.
fn columns_by_row(set: &StateSet, counts: impl Fn(usize) -> bool) -> Vec<Vec<usize>> {
    let counts = |column: &usize| column.checked_sub(set.others.len()).is_none_or(&counts);
    let row = |row: &Vec<(usize, ExprId)>| row.iter().map(|&(column, _)| column).filter(counts).collect();
    set.jacobian.iter().map(row).collect()
}

fn factors(
    equations: &mut Dae,
    roles: &mut Vec<Choice>,
    window: &[usize],
    name: &str,
) -> Vec<(usize, VarId)> {
    let factor = |&place: &usize| {
        (place, hidden(equations, roles, format!("factor {} of {name}", place + 1), Kind::Given))
    };
    window.iter().map(factor).collect()
}

fn hidden(equations: &mut Dae, roles: &mut Vec<Choice>, name: String, kind: Kind) -> VarId {
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
    equations: &mut Dae,
    target: VarId,
    factors: &[(usize, VarId)],
    variables: &[VarId],
    pool: &mut Pool,
) {
    let rhs = combination(factors, variables, pool, |pool, v| pool.variable(v));
    let lhs = pool.variable(target);
    let origin = Origin::default();
    equations.equations.push(Equation { lhs, rhs, is_discrete: false, balance: None, family: None, origin });
}

/// The sum of `value` of each variable with a factor, times that factor.
pub(crate) fn combination(
    factors: &[(usize, VarId)],
    variables: &[VarId],
    pool: &mut Pool,
    mut value: impl FnMut(&mut Pool, VarId) -> ExprId,
) -> ExprId {
    let mut sum = pool.number(0.0);
    for &(place, factor) in factors {
        let (factor, value) = (pool.variable(factor), value(pool, variables[place]));
        let product = pool.mul(factor, value);
        sum = pool.add(sum, product);
    }
    sum
}
