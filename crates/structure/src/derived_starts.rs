//! Start values of candidates of state sets that follow from those of others.
//!
//! A candidate that nobody gave a start value would start at zero, although equations tie it to variables that somebody gave one:
//! `y2 = 2*y`, where `y2` is preferred and `y` is eliminated from the set. It gets the value that this equation has at their start
//! values, where it stands there with a number for its factor. What is no candidate anywhere, and has a start value only as a guess,
//! has no say. For states outside of sets see [`start_references`](crate::start_references).

use rhei_equations::{Dae, ExprId, Leaf, Pool, VarId, solve_for};
use rhei_solvable::{Choice, Role, StateSet};
use rustc_hash::FxHashMap;

/// Gives candidates without a start value one, as far as it follows from others.
pub(crate) fn derive_starts(equations: &mut Dae, sets: &[StateSet], roles: &[Choice], pool: &mut Pool) {
    let candidates = sets.iter().flat_map(|set| &set.candidates).copied();
    let open: Vec<VarId> = candidates.filter(|&v| !is_written(equations, v)).collect();
    if open.is_empty() {
        return;
    }
    let residuals = Residuals::new(sets, &open, pool);
    for set in sets {
        let mut open: Vec<VarId> =
            set.candidates.iter().copied().filter(|&v| !is_written(equations, v)).collect();
        // each turn goes one equation further along
        loop {
            let before = open.len();
            open.retain(|&v| !derive(equations, (set, &residuals), roles, v, pool));
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

/// The equations of all sets in which some variables stand: sets that hold one chain have many in common.
struct Residuals {
    /// With their variables.
    variables: FxHashMap<ExprId, Vec<VarId>>,
    of: FxHashMap<VarId, Vec<ExprId>>,
}

impl Residuals {
    fn new(sets: &[StateSet], wanted: &[VarId], pool: &Pool) -> Residuals {
        let mut of: FxHashMap<VarId, Vec<ExprId>> = wanted.iter().map(|&v| (v, Vec::new())).collect();
        let mut variables = FxHashMap::default();
        for &residual in sets.iter().flat_map(|set| &set.manifold.residuals) {
            variables.entry(residual).or_insert_with(|| {
                let own = pool.variables_of(residual);
                own.iter().for_each(|v| {
                    if let Some(of) = of.get_mut(v) {
                        of.push(residual);
                    }
                });
                own
            });
        }
        Residuals { variables, of }
    }

    /// Those of a set in which a variable stands, in the order of the set.
    fn of(&self, v: VarId, set: &StateSet) -> Vec<ExprId> {
        let in_set = |residual: &ExprId| set.manifold.residuals.iter().position(|own| own == residual);
        let all = self.of.get(&v).into_iter().flatten();
        let mut own: Vec<(usize, ExprId)> =
            all.filter_map(|residual| Some((in_set(residual)?, *residual))).collect();
        own.sort_unstable();
        own.into_iter().map(|(_, residual)| residual).collect()
    }
}

/// From the first equation of the set that has only variables with start values beside `v`; says whether there is one.
fn derive(
    equations: &mut Dae,
    (set, residuals): (&StateSet, &Residuals),
    roles: &[Choice],
    v: VarId,
    pool: &mut Pool,
) -> bool {
    let has_say = |u: VarId| {
        matches!(roles[u.index()].role, Role::Dummy | Role::Candidate { .. }) && is_written(equations, u)
    };
    let zero = pool.number(0.0);
    for residual in residuals.of(v, set) {
        let variables = &residuals.variables[&residual];
        let mut unknown = variables.iter().copied().filter(|&u| u != v && equations.variable(u).is_unknown());
        let Some(first) = unknown.next() else { continue };
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
