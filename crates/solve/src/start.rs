//! The start of a run: parameters, then everything at the first instant.

use std::cell::RefCell;
use std::sync::Arc;

use rhei_equations::VarId;
use rhei_kernel::{Bound, Execution, Fault, Functions, Named, Sides, Watch};
use rhei_model::CompiledModel;
use rhei_solvable::{Cause, Surplus};
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::charts::Charts;
use crate::constants::{
    HOMOTOPY_FIRST_PART, HOMOTOPY_SMALLEST_PART, IMPULSE_INFINITE, SIDES_AT_START, SURPLUS_AGREES,
};
use crate::evaluate::{Evaluator, NoValue};
use crate::failure::{
    of_dependent_condition, of_displaced_loop, of_displaced_start, of_followed_loop, of_singular_start,
    of_start_not_kept,
};
use crate::freed::{DependentCondition, dependent_fixed, land_freed};
use crate::groups::Balancing;
use crate::guesses::Trust;
use crate::landing::{follow, land_at_start};
use crate::least_change::SingularStart;
use crate::search::{AT_START, Search};
use crate::settle::Borders;
use crate::work_budget::WorkBudget;
use crate::written_starts::with_written_starts;

/// A model at its start.
pub struct Started {
    /// The values of all variables.
    pub values: Vec<f64>,
    /// The context of evaluations.
    pub evaluator: Evaluator,
    /// Nominal value of each state: 1 if none is given.
    pub nominals: Vec<f64>,
    /// The charts of the state sets.
    pub charts: Charts,
    /// Warnings and notes about the start.
    pub said: Vec<Diagnostic>,
}

/// The settings of a run for the start of its model.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Parameters with a value other than that of the model.
    pub set: &'a FxHashMap<VarId, f64>,
    /// Interpreted, or as machine code.
    pub execution: Execution,
    /// How balances are solved.
    pub balances: Balancing,
}

/// A model with its parameters and guesses, before anything is solved.
pub struct Prepared {
    /// The values of all variables.
    pub values: Vec<f64>,
    /// The context of evaluations.
    pub evaluator: Evaluator,
    /// The given nominal values that are positive and finite.
    pub nominals: FxHashMap<VarId, f64>,
}

/// Evaluates the parameters, with those that are set, and takes `start` or zero for all else.
pub fn prepare(model: &CompiledModel, t: f64, given: Given<'_>) -> Result<Prepared, NoValue> {
    let (code, Given { set, execution, balances }) = (&model.code, given);
    let functions = Functions::new(code.functions.clone()).with_execution(execution);
    let mut values = code.new_values();
    values[code.time().index()] = t;
    for (v, variable) in model.equations.iter_variables() {
        if !variable.is_parameter() {
            values[v.index()] = 0.0;
        }
    }
    for v in &model.solvable.unfixed {
        values[v.index()] = 0.0;
    }
    if let Some(way) = model.equations.events.homotopy {
        values[way.index()] = 1.0;
    }
    code.parameters.run_setting(&mut values, set, &functions).map_err(NoValue::Fault)?;
    code.nominals.run(&mut values, &functions).map_err(NoValue::Fault)?;
    let nominals = given_nominals(model, &values);
    code.starts.run(&mut values, &functions).map_err(NoValue::Fault)?;
    let mut evaluator = Evaluator::new(&values, nominals.clone(), Borders::new(model), functions);
    evaluator.groups.choices = balances;
    evaluator.keep_within(given_bounds(model, &evaluator, &mut values));
    Ok(Prepared { values, evaluator, nominals })
}

/// All variables at the start, with the parameters that are set.
pub fn start(
    model: &Arc<CompiledModel>,
    t: f64,
    given: Given<'_>,
    budget: &WorkBudget,
) -> Result<Started, NoValue> {
    start_with(model, t, given, budget, &[])
}

/// The same with relations on given sides, by crossing: they are kept there while the start is solved, and afterwards as far as they are at
/// their border.
pub fn start_on_sides(
    model: &Arc<CompiledModel>,
    t: f64,
    given: Given<'_>,
    budget: &WorkBudget,
    is_above: &[(usize, bool)],
) -> Result<Started, NoValue> {
    let crossings = &model.equations.events.crossings;
    let side = |is_above: bool| if is_above { 1.0 } else { -1.0 };
    let far =
        |&(place, is_above): &(usize, bool)| (crossings[place].nudge, IMPULSE_INFINITE * side(is_above));
    let far: Vec<(VarId, f64)> = is_above.iter().map(far).collect();
    let mut started = start_with(model, t, given, budget, &far)?;
    let Started { values, evaluator, .. } = &mut started;
    let watch = &model.code.crossings;
    evaluator.run_program(&watch.program, values)?;
    let mut left = Vec::new();
    for &(place, is_above) in is_above {
        let z = values[watch.slots[place].index()];
        let is_there = (z > 0.0) == is_above && z.abs() > SIDES_AT_START;
        if !is_there && z.abs() > SIDES_AT_START {
            left.push(crossings[place].held);
        }
        values[crossings[place].nudge.index()] = match is_there {
            true => 0.0,
            false => (2.0 * z.abs() + SIDES_AT_START * SIDES_AT_START) * side(is_above),
        };
    }
    if left.is_empty() { Ok(started) } else { Err(NoValue::Unsettled(left)) }
}

fn start_with(
    model: &Arc<CompiledModel>,
    t: f64,
    given: Given<'_>,
    budget: &WorkBudget,
    nudges: &[(VarId, f64)],
) -> Result<Started, NoValue> {
    let Prepared { mut values, mut evaluator, nominals: of_variables } = prepare(model, t, given)?;
    nudges.iter().for_each(|&(nudge, by)| values[nudge.index()] = by);
    let (code, events) = (&model.code, &model.equations.events);
    let mut nominals = state_nominals(model, &of_variables);
    let mut charts = Charts::new(model, &of_variables);
    if let Some(initial) = events.initial {
        values[initial.index()] = 1.0;
    }
    let trust: Vec<Trust> = model.equations.variables.iter().map(Trust::of).collect();
    evaluator.know_sizes(&trust, &values);
    let budget = budget.clone();
    let search = Search::at_start(&trust, &budget);
    (0..model.solvable.sets.len()).for_each(|set| follow(model, set, &evaluator, &mut values));
    if let Ok(jacobians) = jacobians(&code.sets, &mut evaluator, &mut values) {
        charts.guess(model, &jacobians);
    }
    charts.write(model, &mut values);
    let guesses = values.clone();
    let mut displaced = Vec::new();
    let landed = land_at_start(model, &mut charts, &mut evaluator, &mut values, &mut displaced);
    let landed_at = code.written.as_ref().map(|_| values.clone());
    let mut solved = evaluator.run(&code.initial, &mut values, search);
    if landed && solved.is_err() {
        displaced.clear();
        values.copy_from_slice(&guesses);
        solved = evaluator.run(&code.initial, &mut values, search);
    }
    if let Err(why) = solved {
        values.copy_from_slice(&guesses);
        solved = walk(model, &mut evaluator, &mut values, why, search);
    }
    for strategies in &AT_START[1..] {
        let Err(why @ NoValue::Unsolved(_)) = solved else { break };
        values.copy_from_slice(&guesses);
        let search = Search { strategies, ..search };
        solved = evaluator.run(&code.initial, &mut values, search).map_err(|_| why);
    }
    let mut said: Vec<Diagnostic> =
        displaced.iter().map(|&(set, began)| of_displaced_start(model, set, began)).collect();
    if let Some(landed_at) = landed_at
        && !with_written_starts(model, &landed_at, (&mut evaluator, &mut values), &mut solved, search)
        && solved.is_ok()
    {
        let kept = model.solvable.written.as_ref().map_or(&[][..], |written| &written.kept);
        said.push(of_start_not_kept(model, kept));
    }
    let solved_as_it_is = solved.is_ok();
    let begun = Begun { guesses: &guesses, search };
    // sets with fixed values have a second initial problem, which says more of a contradiction
    solved = match solved {
        Ok(()) | Err(NoValue::Fault(_)) if solved.is_ok() || model.solvable.freed.is_none() => {
            let fault = match &solved {
                Err(NoValue::Fault(fault)) => Some(fault),
                _ => None,
            };
            let again = solve_singular(model, &mut charts, (&mut evaluator, &mut values), begun, fault)?;
            let is_solved = again.is_some();
            said.extend(again.flatten());
            if is_solved { Ok(()) } else { solved }
        }
        failed => failed,
    };
    match solved {
        Ok(()) => {
            check_surplus(&model.solvable.surplus, &code.surplus, &mut evaluator, &mut values)?;
            for (set, of_set) in model.solvable.sets.iter().enumerate() {
                let found = dependent_fixed(model, set, &evaluator, &mut values);
                let fixed = of_set.candidates.iter().filter(|v| model.equations.variable(**v).fixed).count();
                if found.len() + of_set.dimension() <= fixed {
                    continue; // already reported by structure
                }
                said.extend(found.iter().map(|dependent| of_dependent_condition(model, dependent)));
            }
        }
        Err(why) => {
            if search.is_given_up() {
                return Err(NoValue::Exhausted(Box::new(why)));
            }
            let dependent_conditions =
                solve_freed(model, &mut charts, guesses, (&mut evaluator, &mut values), why, search)?;
            said.extend(
                dependent_conditions.iter().map(|dependent| of_dependent_condition(model, dependent)),
            );
        }
    }
    let followed = std::mem::take(&mut evaluator.followed);
    if solved_as_it_is && !followed.is_empty() {
        said.push(of_followed_loop(model, &followed));
    }
    if !evaluator.displaced.is_empty() {
        said.push(of_displaced_loop(model, &std::mem::take(&mut evaluator.displaced)));
    }
    if let Some(initial) = events.initial {
        values[initial.index()] = 0.0;
    }
    let jacobians = jacobians(&code.sets, &mut evaluator, &mut values)?;
    // if there is no choice, the first step reports it
    let _ = charts.improve(model, &jacobians);
    charts.write(model, &mut values);
    charts.write_nominals(model, &mut nominals);
    Ok(Started { values, evaluator, nominals, charts, said })
}

/// The beginning of the search for a start.
#[derive(Clone, Copy)]
struct Begun<'a> {
    guesses: &'a [f64],
    search: Search<'a>,
}

/// Solves the initial problem once more, if its solution is a singular point of its loops: from the positions found, and the start
/// values of all else. None if it is regular; else what is to be said.
fn solve_singular(
    model: &CompiledModel,
    charts: &mut Charts,
    (evaluator, values): (&mut Evaluator, &mut Vec<f64>),
    Begun { guesses, search }: Begun<'_>,
    fault: Option<&Fault>,
) -> Result<Option<Option<Diagnostic>>, NoValue> {
    let Some(singular) = evaluator.singular_start(model, values, fault) else { return Ok(None) };
    let mut from = guesses.to_vec();
    singular.positions.iter().for_each(|v| from[v.index()] = values[v.index()]);
    let mut is_in_set = false;
    for (place, set) in model.solvable.sets.iter().enumerate() {
        if set.manifold.unknowns.iter().any(|v| singular.positions.contains(v))
            && !dependent_fixed(model, place, evaluator, values).is_empty()
        {
            set.manifold.unknowns.iter().for_each(|v| from[v.index()] = values[v.index()]);
            is_in_set = true;
        }
    }
    if is_in_set && model.solvable.freed.is_some() {
        let why = NoValue::Unsettled(Vec::new());
        let mut of_charts = charts.clone();
        let mut found = values.clone();
        match solve_freed(model, &mut of_charts, from.clone(), (evaluator, &mut found), why, search) {
            Ok(_) => {
                (*charts, *values) = (of_charts, found);
                return Ok(Some(None));
            }
            Err(contradicted @ NoValue::Contradicted { .. }) => return Err(contradicted),
            Err(_) => {}
        }
    }
    let singular = RefCell::new(singular);
    let again = Search { singular: Some(&singular), ..search };
    let mut found = from;
    let solved = evaluator.run(&model.code.initial, &mut found, again);
    let SingularStart { positions, left_open, .. } = singular.into_inner();
    if left_open.is_empty() {
        return Ok(None);
    }
    solved.map_err(|why| NoValue::NotStarted(Box::new(why)))?;
    *values = found;
    Ok(Some(Some(of_singular_start(model, &positions, &left_open))))
}

/// Solves the second initial problem: the constraints of a state set may leave no room for conditions on its start.
/// Conditions that follow from the constraints are redundant. Answers the conditions that have no room.
fn solve_freed(
    model: &CompiledModel,
    charts: &mut Charts,
    guesses: Vec<f64>,
    (evaluator, values): (&mut Evaluator, &mut Vec<f64>),
    why: NoValue,
    search: Search<'_>,
) -> Result<Vec<DependentCondition>, NoValue> {
    let (why, search) = match why {
        // flows have been followed before
        NoValue::Unsolved(_) => {
            (NoValue::NotStarted(Box::new(why)), Search { strategies: &AT_START[1], ..search })
        }
        _ => (why, search),
    };
    let (Some(freed), Some((initial, surplus))) = (&model.solvable.freed, &model.code.freed) else {
        return Err(why);
    };
    *values = guesses;
    let Some(dependent_conditions) = land_freed(model, charts, freed, surplus, evaluator, values) else {
        return Err(why);
    };
    if evaluator.run(initial, values, search).is_err() {
        return Err(why);
    }
    let checked = check_surplus(&freed.surplus, surplus, evaluator, values);
    checked.map_err(|contradiction| narrowed(model, contradiction, &dependent_conditions))?;
    Ok(dependent_conditions)
}

/// A contradiction reduced to the conditions that it needs.
fn narrowed(
    model: &CompiledModel,
    contradiction: NoValue,
    dependent_conditions: &[DependentCondition],
) -> NoValue {
    let NoValue::Contradicted { mut condition, lhs, rhs } = contradiction else { return contradiction };
    if let Some(dependent) =
        dependent_conditions.iter().find(|dependent| condition.because == dependent.condition)
    {
        let set = &model.solvable.sets[dependent.set];
        // a manifold may have more residuals than the set has constraints: equations of eliminated variables
        let constraints = dependent.constraints.iter().filter_map(|&place| set.equations.get(place));
        let constraints = constraints.filter(|e| e.index() < model.equations.equations.len());
        let constraints = constraints.map(|&e| Cause::Equation(e));
        condition.rivals = dependent.others.iter().copied().chain(constraints).collect();
    }
    NoValue::Contradicted { condition, lhs, rhs }
}

/// Checks that surplus conditions follow from the others.
fn check_surplus(
    surplus: &[Surplus],
    sides: &Named<Sides>,
    evaluator: &mut Evaluator,
    values: &mut [f64],
) -> Result<(), NoValue> {
    evaluator.run_program(&sides.program, values)?;
    for (condition, sides) in surplus.iter().zip(&sides.of) {
        let (lhs, rhs) = (values[sides.lhs.index()], values[sides.rhs.index()]);
        if (lhs - rhs).abs() > SURPLUS_AGREES * f64::max(1.0, lhs.abs().max(rhs.abs())) {
            return Err(NoValue::Contradicted { condition: Box::new(condition.clone()), lhs, rhs });
        }
    }
    Ok(())
}

/// The derivatives of constraints.
pub fn jacobians(
    watches: &[Watch],
    evaluator: &mut Evaluator,
    values: &mut [f64],
) -> Result<Vec<Vec<f64>>, NoValue> {
    let mut found = Vec::new();
    jacobians_into(watches, evaluator, values, &mut found)?;
    Ok(found)
}

/// The same in memory that is there.
pub(crate) fn jacobians_into(
    watches: &[Watch],
    evaluator: &mut Evaluator,
    values: &mut [f64],
    found: &mut Vec<Vec<f64>>,
) -> Result<(), NoValue> {
    found.resize_with(watches.len(), Vec::new);
    for (watch, found) in watches.iter().zip(found) {
        evaluator.run_program(&watch.program, values)?;
        found.clear();
        found.extend(watch.slots.iter().map(|slot| values[slot.index()]));
    }
    Ok(())
}

/// Continuation of `homotopy` from a solution of the simplified formulas to one of the actual ones, in parts as long
/// as possible (MLS §3.7.4).
fn walk(
    model: &CompiledModel,
    evaluator: &mut Evaluator,
    values: &mut Vec<f64>,
    why: NoValue,
    search: Search<'_>,
) -> Result<(), NoValue> {
    let (Some(routine), Some(way)) = (&model.code.on_the_way, model.equations.events.homotopy) else {
        return Err(why);
    };
    values[way.index()] = 0.0;
    evaluator.run(routine, values, search)?;
    let (mut reached, mut part) = (0.0, HOMOTOPY_FIRST_PART);
    while reached < 1.0 {
        let before = values.clone();
        let next = f64::min(reached + part, 1.0);
        values[way.index()] = next;
        match evaluator.run(routine, values, search) {
            Ok(()) => {
                reached = next;
                part *= 2.0;
            }
            Err(failure) if part < HOMOTOPY_SMALLEST_PART || search.is_given_up() => return Err(failure),
            Err(_) => {
                *values = before;
                part /= 4.0;
            }
        }
    }
    evaluator.run(&model.code.initial, values, search)
}

/// The given nominal values that are positive and finite.
fn given_nominals(model: &CompiledModel, values: &[f64]) -> FxHashMap<VarId, f64> {
    let given = model.code.given_nominals().iter().map(|&(v, slot)| (v, values[slot.index()].abs()));
    given.filter(|(_, nominal)| nominal.is_finite() && *nominal > 0.0).collect()
}

/// The given ranges; none if they have no value.
fn given_bounds(
    model: &CompiledModel,
    evaluator: &Evaluator,
    values: &mut [f64],
) -> FxHashMap<VarId, (f64, f64)> {
    let mut bounds = FxHashMap::default();
    let watch = &model.code.bounds;
    if evaluator.run_program(&watch.program, values).is_err() {
        return bounds;
    }
    for (&(v, bound), slot) in model.code.bounded.iter().zip(&watch.slots) {
        let range: &mut (f64, f64) = bounds.entry(v).or_insert((f64::NEG_INFINITY, f64::INFINITY));
        match (bound, values[slot.index()]) {
            (_, value) if value.is_nan() => {}
            (Bound::Min, value) => range.0 = value,
            (Bound::Max, value) => range.1 = value,
        }
    }
    // names of one quantity may have ranges without a common value: `min = 0` of a type, for a flow and its negative. Such
    // conventions do not confine a search
    bounds.retain(|_, (min, max)| min < max);
    bounds
}

/// The nominal value of each state: 1 if none is given.
pub(crate) fn state_nominals(model: &CompiledModel, given: &FxHashMap<VarId, f64>) -> Vec<f64> {
    let states = model.solvable.states.iter();
    states.map(|state| given.get(&state.variable).copied().unwrap_or(1.0)).collect()
}
