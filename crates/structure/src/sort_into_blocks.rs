//! All unknowns from the states: which equation gives which unknown, in which order.

use rhei_equations::{Dae, ExprId, Pool};
use rhei_solvable::{Block, State};
use rhei_source::Diagnostic;

use crate::blocks::{Given, Ordered, Sorting, System};
use crate::remove_aliases::Removed;
use crate::singular_loops::{SingularLoop, singular_loop};
use crate::{Matching, diagnose};

/// The continuous system, the states being known; the blocks needed for their derivatives come first.
pub(crate) fn sort_into_blocks(
    equations: &Dae,
    states: &[State],
    removed: &Removed,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Ordered> {
    let (system, matching) = continuous_system(equations, states, removed, pool, diagnostics)?;
    let blocks = system.solve_in_order(&matching, pool).map_err(|mistake| diagnostics.push(mistake)).ok()?;
    Some(dynamic_first(equations, states, blocks, pool))
}

/// The equations of the continuous system, each with the unknown that it determines.
pub(crate) fn continuous_system<'a>(
    equations: &'a Dae,
    states: &[State],
    removed: &Removed,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(System<'a>, Matching)> {
    let mut is_state = vec![false; equations.variables.len()];
    states.iter().for_each(|state| is_state[state.variable.index()] = true);
    let unknowns = equations.iter_variables().filter(|(v, variable)| {
        variable.is_unknown() && !variable.is_discrete && !is_state[v.index()] && !removed.contains(*v)
    });
    let mut system = System::new(equations, unknowns.map(|(v, _)| v).collect(), Sorting::ByEvent);
    let mut given = Given::new(equations, removed, false, pool);
    if let Some(holding) = equations.events.holding {
        given = given.without(holding);
    }
    system.push_equations(|equation| !equation.is_discrete, &mut given, pool);
    let matching = Matching::maximum(&system.graph);
    if !matching.is_perfect() {
        diagnostics.push(diagnose::not_determined(&system, &matching, pool));
        return None;
    }
    if let Some(singular) = singular_loop(&system, &matching, pool) {
        diagnostics.push(match singular {
            SingularLoop::Floating(floating) => diagnose::floating(equations, &floating),
            SingularLoop::Dependent(dependent) => diagnose::dependent(&system, &dependent, pool),
        });
        return None;
    }
    let matching = with_balances(&system, matching, pool, diagnostics)?;
    Some((system, matching))
}

/// Everything at an event, the states and the values before it being known.
pub(crate) fn event_blocks(
    equations: &Dae,
    states: &[State],
    removed: &Removed,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Block>> {
    if !equations.variables.iter().any(|variable| variable.is_unknown() && variable.is_discrete) {
        return Some(Vec::new());
    }
    tick_blocks(equations, states, removed, pool, diagnostics)
}

/// The blocks of the discrete unknowns, everything else being known: they give the next mode of a model, or how its constraints
/// change, as far as the values before tell.
pub(crate) fn discrete_blocks(
    equations: &Dae,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Block>> {
    let (system, matching) = discrete_system(equations, pool, diagnostics)?;
    system.solve_in_order(&matching, pool).map_err(|mistake| diagnostics.push(mistake)).ok()
}

/// The discrete equations, each with the unknown that it determines.
pub(crate) fn discrete_system<'a>(
    equations: &'a Dae,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(System<'a>, Matching)> {
    let unknowns =
        equations.iter_variables().filter(|(_, variable)| variable.is_unknown() && variable.is_discrete);
    let mut system = System::new(equations, unknowns.map(|(v, _)| v).collect(), Sorting::ByEvent);
    let none = Removed::default();
    let mut given = Given::new(equations, &none, false, pool);
    system.push_equations(|equation| equation.is_discrete, &mut given, pool);
    let matching = Matching::maximum(&system.graph);
    if !matching.is_perfect() {
        diagnostics.push(diagnose::discrete_not_determined(&system, &matching, pool));
        return None;
    }
    Some((system, matching))
}

/// The same at a tick, where everything is computed.
pub(crate) fn tick_blocks(
    equations: &Dae,
    states: &[State],
    removed: &Removed,
    pool: &mut Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<Block>> {
    let mut is_state = vec![false; equations.variables.len()];
    states.iter().for_each(|state| is_state[state.variable.index()] = true);
    let unknowns = equations
        .iter_variables()
        .filter(|(v, variable)| variable.is_unknown() && !is_state[v.index()] && !removed.contains(*v));
    let mut system = System::new(equations, unknowns.map(|(v, _)| v).collect(), Sorting::ByEvent);
    let mut given = Given::new(equations, removed, false, pool);
    system.push_equations(|_| true, &mut given, pool);
    let matching = Matching::maximum(&system.graph);
    if !matching.is_perfect() {
        diagnostics.push(diagnose::discrete_not_determined(&system, &matching, pool));
        return None;
    }
    let matching = with_balances(&system, matching, pool, diagnostics)?;
    system.solve_in_order(&matching, pool).map_err(|mistake| diagnostics.push(mistake)).ok()
}

/// The matching of each balance with its variable.
fn with_balances(
    system: &System<'_>,
    matching: Matching,
    pool: &Pool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Matching> {
    let forced = system.with_balances(matching);
    forced.map_err(|left| diagnostics.push(system.unmatched(&left.0, &left.1, pool))).ok()
}

/// The blocks that the derivatives of states need, then the others; each part keeps its order.
fn dynamic_first(equations: &Dae, states: &[State], blocks: Vec<Block>, pool: &Pool) -> Ordered {
    let mut needed = vec![false; equations.variables.len()];
    states.iter().for_each(|state| needed[state.derivative.index()] = true);
    let mut variables = Vec::new();
    // backwards: a block stands after all it needs
    let is_dynamic: Vec<bool> = blocks
        .iter()
        .rev()
        .map(|block| {
            let is_needed = match block {
                Block::Assign(assignment) => needed[assignment.target.index()],
                _ => block.targets().iter().any(|target| needed[target.index()]),
            };
            let mut need = |values: &[ExprId]| {
                pool.variables_into(values, &mut variables);
                variables.iter().for_each(|v| needed[v.index()] = true);
            };
            match block {
                Block::Assign(assignment) if is_needed => need(&[assignment.value]),
                _ if is_needed => need(&block.values()),
                _ => {}
            }
            is_needed
        })
        .collect();
    let mut marked = blocks.into_iter().zip(is_dynamic.into_iter().rev());
    let (mut dynamic, mut watched) = (Vec::new(), Vec::new());
    marked
        .by_ref()
        .for_each(|(block, needed)| if needed { dynamic.push(block) } else { watched.push(block) });
    let count = dynamic.len();
    dynamic.append(&mut watched);
    Ordered { blocks: dynamic, dynamic: count }
}
