//! How all unknowns start.
//!
//! The initial problem is the model's equations with the conditions of the start: initial equations, and `x = start` for fixed
//! variables. Its unknowns are those of the model, the values before the first event, and the parameters that are not fixed.
//! Unknowns that are still undetermined take their start values: those before the first event silently, states with a note (MLS
//! §8.6). Where a state has none and a variable tied to it has one, there is a further problem with the latter
//! ([`start_references`](crate::start_references)), for starts at which the first does not come to it anyway. Surplus conditions, as in libraries that fix what a connection makes equal, must follow from the others: the run checks
//! them.

use rhei_equations::{Dae, Done, Equation, ExprId, Kind, Pool, VarId};
use rhei_solvable::{Assumed, Block, Cause, Freed, State, StateSet, Surplus, Written};
use rhei_source::Diagnostic;
use rustc_hash::FxHashSet;

use crate::blocks::{Given, Row, Sorting, System};
use crate::remove_aliases::Removed;
use crate::start_references::StartReferences;
use crate::state_sets::combination;
use crate::{Matching, diagnose};

/// The blocks that compute everything at the start.
#[derive(Default)]
pub(crate) struct Initial {
    /// With the actual formulas.
    pub(crate) blocks: Vec<Block>,
    /// Conditions that must follow from these blocks.
    pub(crate) surplus: Vec<Surplus>,
    /// On the way from the simplified formulas of `homotopy`; none where the model has none.
    pub(crate) on_the_way: Option<Vec<Block>>,
    /// The second problem, in which fixed values in state sets need not be kept; none if none are fixed.
    pub(crate) freed: Option<Freed>,
    /// The problem in which written start values take the place of unwritten ones of states; none where that is the same.
    pub(crate) written: Option<Written>,
}

/// Which start values are assumed.
#[derive(Clone, Copy)]
struct References<'a> {
    states: &'a [State],
    /// States whose start values are not assumed, and variables whose start values are.
    instead: Option<&'a StartReferences>,
}

/// Treatment of the conditions on the start of state sets: fixed values, initial equations of their unknowns alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InSets {
    /// They are equations.
    Kept,
    /// The factors of the sets say what is kept; the fixed values are compared afterwards.
    Freed,
}

/// The blocks that compute every unknown, and the parameters in `unfixed`, at the start.
pub(crate) fn initial_problem(
    equations: &Dae,
    (states, references): (&[State], &StartReferences),
    sets: &[StateSet],
    unfixed: &[VarId],
    removed: &Removed,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Initial> {
    let mut given = Given::new(equations, removed, true, pool);
    let mut said = Vec::new();
    let in_states = References { states, instead: None };
    let plain = problem(equations, in_states, sets, unfixed, InSets::Kept, &mut given, pool, &mut said);
    let written = match (&plain, references.written.is_empty()) {
        (Some(_), false) => {
            let in_written = References { states, instead: Some(references) };
            let said_of_it = &mut Vec::new();
            let found =
                problem(equations, in_written, sets, unfixed, InSets::Kept, &mut given, pool, said_of_it);
            let kept = |blocks: &[Block]| written_in(equations, blocks, references);
            let found = found.map(|(initial, _)| Written { kept: kept(&initial), initial });
            let found = found.filter(|written| !written.kept.is_empty());
            if found.is_some() {
                said = std::mem::take(said_of_it);
            }
            found
        }
        _ => None,
    };
    diagnostics.append(&mut said);
    let (blocks, surplus) = plain?;
    let states = in_states;
    let mut candidates = sets.iter().flat_map(|set| &set.candidates);
    let set_of = last_set_of(equations, sets);
    let says_something = candidates.any(|&v| equations.variable(v).fixed)
        || equations
            .initial
            .iter()
            .any(|equation| of_sets(equation, equations, &set_of, &mut given, pool).is_some());
    let freed = says_something.then(|| {
        let unsaid = &mut Vec::new();
        problem(equations, states, sets, unfixed, InSets::Freed, &mut given, pool, unsaid)
    });
    let freed = freed.flatten().map(|(initial, surplus)| Freed { initial, surplus });
    let on_the_way = match equations.events.homotopy {
        Some(way) => {
            let mut given = given.without(way);
            let unsaid = &mut Vec::new();
            Some(problem(equations, states, sets, unfixed, InSets::Kept, &mut given, pool, unsaid)?.0)
        }
        None => None,
    };
    Some(Initial { blocks, surplus, on_the_way, freed, written })
}

#[allow(clippy::too_many_arguments)] // one place, three problems
fn problem(
    equations: &Dae,
    References { states, instead }: References<'_>,
    sets: &[StateSet],
    unfixed: &[VarId],
    in_sets: InSets,
    given: &mut Given<'_>,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Vec<Block>, Vec<Surplus>)> {
    let unknowns = equations
        .iter_variables()
        .filter(|(_, variable)| variable.is_unknown() || matches!(variable.kind, Kind::Pre { .. }))
        .map(|(v, _)| v)
        .filter(|v| !given.removed.contains(*v))
        .chain(unfixed.iter().copied());
    let mut system = System::new(equations, unknowns.collect(), Sorting::ByType);
    // how states follow from the tick before does not count at the first
    let counts = |equation: &Equation| !equation.origin.done.contains(&Done::Discretised);
    system.push_equations(counts, given, pool);
    // unknowns that take a start value below are left free for it, so that augmenting paths from there are
    // short
    let mut starts = vec![false; equations.variables.len()];
    let has_start = states.iter().map(|state| state.variable).chain(unfixed.iter().copied());
    has_start.for_each(|v| starts[v.index()] = true);
    if let Some(StartReferences { written, unwritten }) = instead {
        unwritten.iter().for_each(|v| starts[v.index()] = false);
        written.iter().for_each(|v| starts[v.index()] = true);
    }
    let is_spared = |v: VarId| starts[v.index()] || matches!(equations.variable(v).kind, Kind::Pre { .. });
    let matched = |system: &System<'_>| {
        Matching::maximum_sparing(&system.graph, |column| is_spared(system.unknowns[column]))
    };
    let mut matching = matched(&system);
    let mut freed = Vec::new();
    let set_of = if in_sets == InSets::Freed { last_set_of(equations, sets) } else { Vec::new() };
    for (i, equation) in equations.initial.iter().enumerate() {
        let because = Cause::InitialEquation(rhei_equations::EqId(i as u32));
        if in_sets == InSets::Freed
            && let Some(set) = of_sets(equation, equations, &set_of, given, pool)
        {
            let set = &sets[set];
            let Row { lhs, rhs, .. } = given.put_into(Row::new(equation, because), pool);
            let rivals = set.equations.iter().map(|&e| Cause::Equation(e)).collect();
            freed.push(Surplus { lhs, rhs, because, rivals });
            continue;
        }
        let row = given.put_into(Row::new(equation, because), pool);
        system.push(row, pool);
    }
    for &parameter in unfixed {
        if let Some(binding) = equations.variable(parameter).binding {
            system.push(row(equations, parameter, binding, Cause::Binding(parameter), pool), pool);
        }
    }
    let mut is_freed = vec![false; equations.variables.len()];
    if in_sets == InSets::Freed {
        sets.iter().flat_map(|set| &set.candidates).for_each(|v| is_freed[v.index()] = true);
    }
    for (v, variable) in equations.iter_variables() {
        if variable.is_unknown() && variable.fixed && !variable.is_discrete && !is_freed[v.index()] {
            let row = start_row(equations, v, pool);
            let row = given.put_into(row, pool);
            system.push(row, pool);
        }
    }
    // earlier rows are matched first: only conditions of the start can be redundant
    while matching.n_rows() < system.graph.n_rows() {
        matching.add_row(&system.graph);
    }
    let mut surplus = Vec::new();
    if matching.unmatched_row().is_some() {
        surplus = surplus_conditions(&system, &matching);
        for condition in &mut surplus {
            let ties = ties(condition, equations, given.removed, pool);
            condition.rivals.extend(ties);
        }
        diagnostics.push(diagnose::too_many_initial_conditions(&system, &matching, &surplus, pool));
        if surplus.is_empty() {
            return None;
        }
        system = system.without_unmatched(&matching, pool);
        matching = matched(&system);
    }
    for (v, variable) in equations.iter_variables() {
        if let Kind::Pre { of } = variable.kind {
            let row = before_row(equations, v, of, pool);
            system.push_if_free(row, &mut matching, pool);
        }
    }
    for set in sets {
        if in_sets == InSets::Kept && !set.starts.is_empty() {
            let assumed = assume_beside_fixed(set, &mut system, &mut matching, pool);
            if assumed > 0 {
                diagnostics.push(diagnose::start_assumed_in_set(equations, set, assumed));
            }
            continue;
        }
        // the run puts fixed candidates first among the states of a set
        let rows = set.states.iter().zip(set.factors.iter().zip(&set.references));
        let rows: Vec<_> = if in_sets == InSets::Freed { rows.collect() } else { rows.rev().collect() };
        let mut assumed = 0;
        for (&state, (factors, &reference)) in rows {
            if matching.unmatched_column().is_none() {
                break;
            }
            let start = match in_sets {
                InSets::Freed => pool.variable(reference),
                // the projection of the set gives its candidates
                InSets::Kept if !set.order.is_empty() => pool.variable(reference),
                InSets::Kept => {
                    combination(factors, &set.candidates, pool, |pool, v| start(equations, v, pool))
                }
            };
            let row = row(equations, state, start, Cause::Start(state), pool);
            assumed += usize::from(system.push_if_free(row, &mut matching, pool));
        }
        if assumed > 0 {
            diagnostics.push(diagnose::start_assumed_in_set(equations, set, assumed));
        }
    }
    for state in by_confidence(equations, &references_of(states, instead)) {
        if matching.unmatched_column().is_none() {
            break;
        }
        let row = start_row(equations, state, pool);
        let row = given.put_into(row, pool);
        if system.push_if_free(row, &mut matching, pool) {
            diagnostics.push(diagnose::start_assumed(equations, pool, state));
        }
    }
    for &parameter in unfixed {
        let row = start_row(equations, parameter, pool);
        if matching.unmatched_column().is_some() && system.push_if_free(row, &mut matching, pool) {
            diagnostics.push(diagnose::start_assumed(equations, pool, parameter));
        }
    }
    if matching.unmatched_column().is_some() {
        diagnostics.push(diagnose::too_few_initial_conditions(&system, &matching));
        return None;
    }
    // a balance whose variable is fixed at the start determines another one
    let matching = system.with_balances(matching.clone()).unwrap_or(matching);
    let blocks = system.solve_in_order(&matching, pool).map_err(|mistake| diagnostics.push(mistake)).ok()?;
    if in_sets == InSets::Freed {
        surplus.extend(freed);
        surplus.extend(sets.iter().flat_map(|set| fixed_in(equations, set, pool)));
    }
    Some((blocks, surplus))
}

/// Adds start conditions of a large set beside those that are fixed, as many as are independent; returns
/// their number.
fn assume_beside_fixed(
    set: &StateSet,
    system: &mut System<'_>,
    matching: &mut Matching,
    pool: &mut Pool,
) -> usize {
    let mut assumed = 0;
    for (Assumed { factors, reference }, &state) in set.starts.iter().zip(&set.states) {
        if matching.unmatched_column().is_none() {
            break;
        }
        let lhs = combination(factors, &set.candidates, pool, |pool, v| pool.variable(v));
        let rhs = pool.variable(*reference);
        let row = Row { lhs, rhs, is_discrete: false, balance: None, because: Cause::Start(state) };
        assumed += usize::from(system.push_if_free(row, matching, pool));
    }
    assumed
}

/// The variables whose start values are assumed, as far as something is missing.
fn references_of(states: &[State], instead: Option<&StartReferences>) -> Vec<VarId> {
    let states = states.iter().map(|state| state.variable);
    match instead {
        None => states.collect(),
        Some(StartReferences { written, unwritten }) => {
            let unwritten: FxHashSet<VarId> = unwritten.iter().copied().collect();
            let mut references: Vec<VarId> = states.filter(|v| !unwritten.contains(v)).collect();
            references.extend(written);
            references
        }
    }
}

/// The written references whose start values some blocks use.
fn written_in(equations: &Dae, blocks: &[Block], references: &StartReferences) -> Vec<VarId> {
    let mut open: Vec<&Block> = blocks.iter().collect();
    let mut found: FxHashSet<VarId> = FxHashSet::default();
    while let Some(block) = open.pop() {
        let causes: Vec<Cause> = match block {
            Block::Assign(assignment) => vec![assignment.because],
            Block::Solve(torn) => {
                let following = torn.following.iter().map(|assignment| assignment.because);
                following.chain(torn.residuals.iter().map(|residual| residual.because)).collect()
            }
            Block::Settle(settle) => {
                open.extend(&settle.blocks);
                continue;
            }
        };
        found.extend(causes.into_iter().filter_map(|cause| match cause {
            Cause::Start(v) => Some(v),
            _ => None,
        }));
    }
    let is_assumed = |v: &VarId| found.contains(v) && !equations.variable(*v).fixed;
    references.written.iter().copied().filter(is_assumed).collect()
}

/// Those that are not fixed, those first whose start values are trusted most (MLS §8.6.2).
fn by_confidence(equations: &Dae, references: &[VarId]) -> Vec<VarId> {
    let is_open = |v: &VarId| !equations.variable(*v).is_hidden && !equations.variable(*v).fixed;
    let mut open: Vec<VarId> = references.iter().copied().filter(is_open).collect();
    open.sort_by_key(|v| {
        let variable = equations.variable(*v);
        (variable.start.is_none(), variable.start_confidence)
    });
    open
}

/// By variable, the last of the sets of which it is an unknown.
fn last_set_of(equations: &Dae, sets: &[StateSet]) -> Vec<Option<usize>> {
    let mut set_of = vec![None; equations.variables.len()];
    for (place, set) in sets.iter().enumerate() {
        set.manifold.unknowns.iter().for_each(|v| set_of[v.index()] = Some(place));
    }
    set_of
}

/// The last of the sets of whose unknowns, and nothing else that is unknown, an initial equation speaks.
fn of_sets(
    equation: &Equation,
    equations: &Dae,
    set_of: &[Option<usize>],
    given: &mut Given<'_>,
    pool: &mut Pool,
) -> Option<usize> {
    let variables = [equation.lhs, equation.rhs].map(|side| {
        let side = given.replace(side, pool);
        pool.variables_of(side)
    });
    let variables = variables.concat();
    let mut unknown = variables.iter().filter(|v| equations.variable(**v).is_unknown());
    unknown.try_fold(None, |last: Option<usize>, v| set_of[v.index()].map(|place| last.max(Some(place))))?
}

/// The fixed start values of a set, as conditions. They may contradict its constraints and each other; in large sets only the
/// constraints that hold them and the other fixed values in these.
fn fixed_in(equations: &Dae, set: &StateSet, pool: &mut Pool) -> Vec<Surplus> {
    let is_fixed = |place: &usize| equations.variable(set.candidates[*place]).fixed;
    let fixed: Vec<usize> = (0..set.candidates.len()).filter(is_fixed).collect();
    let mut rows_of = vec![Vec::new(); set.candidates.len()];
    for (row, entries) in set.jacobian.iter().enumerate() {
        let candidates = entries.iter().filter_map(|entry| entry.0.checked_sub(set.others.len()));
        candidates.for_each(|place| rows_of[place].push(row));
    }
    let near = |place: usize| -> (Vec<usize>, Vec<usize>) {
        let entries = rows_of[place].iter().flat_map(|&row| &set.jacobian[row]);
        let candidates = entries.filter_map(|entry| entry.0.checked_sub(set.others.len()));
        let mut others: Vec<usize> = candidates.filter(is_fixed).collect();
        others.sort_unstable();
        others.dedup();
        (others, rows_of[place].clone())
    };
    let condition = |&place: &usize| {
        let (others, rows) = match set.order.is_empty() {
            true => (fixed.clone(), (0..set.equations.len()).collect()),
            false => near(place),
        };
        let others = others.into_iter().filter(|&other| other != place);
        let others = others.map(|other| Cause::Start(set.candidates[other]));
        let constraints = rows.into_iter().map(|row| Cause::Equation(set.equations[row]));
        let v = set.candidates[place];
        Surplus {
            lhs: pool.variable(v),
            rhs: start(equations, v, pool),
            because: Cause::Start(v),
            rivals: others.chain(constraints).collect(),
        }
    };
    fixed.iter().map(condition).collect()
}

/// The equations by which names in a condition, and in those it may contradict, are aliases.
fn ties(condition: &Surplus, equations: &Dae, removed: &Removed, pool: &Pool) -> Vec<Cause> {
    let named = |cause: &Cause| match cause {
        Cause::InitialEquation(e) => {
            let Equation { lhs, rhs, .. } = equations.initial[e.index()];
            [lhs, rhs].map(|side| pool.variables_of(side)).concat()
        }
        Cause::Start(v) => vec![*v],
        _ => Vec::new(),
    };
    let mut ties: Vec<Cause> = Vec::new();
    for v in condition.rivals.iter().chain([&condition.because]).flat_map(named) {
        let alias = removed.aliases.binary_search_by_key(&v, |alias| alias.target).ok();
        let tie = alias.map(|place| removed.aliases[place].because);
        ties.extend(tie.filter(|tie| !ties.contains(tie) && !condition.rivals.contains(tie)));
    }
    ties
}

/// Redundant start conditions; empty if an equation of the model is among them.
fn surplus_conditions(system: &System<'_>, matching: &Matching) -> Vec<Surplus> {
    let is_of_start = |cause: &Cause| matches!(cause, Cause::InitialEquation(_) | Cause::Start(_));
    let surplus = (0..system.rows.len()).filter(|&row| matching.column_of(row).is_none()).map(|row| {
        let over = system.graph.overdetermined_by(row, matching);
        let rivals = over.rows.iter().filter(|&&other| other != row).map(|&other| system.rows[other].because);
        let (of_start, equations): (Vec<Cause>, Vec<Cause>) = rivals.partition(is_of_start);
        let Row { lhs, rhs, because, .. } = system.rows[row];
        Surplus { lhs, rhs, because, rivals: of_start.into_iter().chain(equations).collect() }
    });
    let surplus: Vec<Surplus> = surplus.collect();
    if surplus.iter().all(|condition| is_of_start(&condition.because)) { surplus } else { Vec::new() }
}

/// `x = start`
pub(crate) fn start_row(equations: &Dae, v: VarId, pool: &mut Pool) -> Row {
    let start = start(equations, v, pool);
    row(equations, v, start, Cause::Start(v), pool)
}

/// `pre(x) = start`, and `pre(x) = x` for conditions, ticks and continuous variables, but not for clocked ones (MLS
/// §16.4).
fn before_row(equations: &Dae, v: VarId, of: VarId, pool: &mut Pool) -> Row {
    let variable = equations.variable(of);
    let value = if variable.is_hidden || !(variable.is_discrete || equations.clocks.is_ticking) {
        pool.variable(of)
    } else {
        start(equations, of, pool)
    };
    row(equations, v, value, Cause::Start(v), pool)
}

fn start(equations: &Dae, v: VarId, pool: &mut Pool) -> ExprId {
    let variable = equations.variable(v);
    variable.start.unwrap_or_else(|| match variable.scalar {
        rhei_equations::Scalar::Boolean => pool.truth(false),
        _ => pool.number(0.0),
    })
}

fn row(equations: &Dae, v: VarId, value: ExprId, because: Cause, pool: &mut Pool) -> Row {
    let is_discrete = equations.variable(v).is_discrete;
    Row { lhs: pool.variable(v), rhs: value, is_discrete, balance: None, because }
}
