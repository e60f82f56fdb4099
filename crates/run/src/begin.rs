//! The mode in which a run begins.

use std::sync::Arc;

use rhei_kernel::Routine;
use rhei_model::{CompiledModel, Entered, Occasion};
use rhei_solve::evaluate::{Evaluator, NoValue};
use rhei_solve::modes::complementary::next_sides;
use rhei_solve::modes::{Left, neighbours};
use rhei_solve::problem::ModelProblem;
use rhei_solve::search::{NEARBY, Search};
use rhei_solve::start::{Prepared, Started, prepare, start, start_on_sides};
use rhei_solve::work_budget::WorkBudget;

use crate::constants::MODES_TRIED;
use crate::failure::modes::of_cycle;
use crate::modes::refused;
use crate::options::Options;
use crate::stop::Stop;

/// The mode a run begins in, and everything at its start.
pub(crate) fn begin(
    base: &Arc<CompiledModel>,
    options: &Options,
    budget: &WorkBudget,
) -> Result<(Arc<CompiledModel>, Started), Stop> {
    let t = options.start_time;
    let failed = |why| Stop::NoValue(why, t);
    let Some(modes) = &base.modes else {
        let started = start(base, t, options.given(), budget).map_err(failed)?;
        return Ok((base.clone(), started));
    };
    if let Some(found) = begin_on_sides(base, options, budget) {
        return Ok(found);
    }
    let begun = match base.is_refused_at_start {
        true => Err(refused(base.start_notes.clone())),
        false => start(base, t, options.given(), budget).map_err(failed),
    };
    let mut guards = match &begun {
        Ok(started) => guards_of(base, started),
        Err(_) => guess(base, options),
    };
    let mut tried: Vec<Arc<CompiledModel>> = Vec::new();
    for _ in 0..MODES_TRIED {
        let model = match modes.enter(&guards, Occasion::Start) {
            Ok(Entered::Common) => return Ok((base.clone(), begun?)),
            Ok(Entered::Own(model)) => model,
            Err(said) => {
                return match (begin_nearby(base, options, &guards, budget), begun) {
                    (Some(nearby), _) => Ok(nearby),
                    // the common structure has values although a structure of its own would have none
                    (None, Ok(started)) if tried.is_empty() => Ok((base.clone(), started)),
                    (None, _) => Err(refused(said)),
                };
            }
        };
        if tried.iter().any(|known| known.solvable.mode == model.solvable.mode) {
            tried.push(model);
            return Err(Stop::Broken(of_cycle(&tried, t)));
        }
        let started =
            start(&model, t, options.given(), budget).map_err(|why| Stop::InMode(model.clone(), why, t))?;
        let now = guards_of(&model, &started);
        if modes.enter(&now, Occasion::Start).map_err(refused)?.is_mode_of(&model) {
            return Ok((model, started));
        }
        tried.push(model);
        guards = now;
    }
    Err(Stop::Broken(of_cycle(&tried, t)))
}

/// The beginning on the sides of relations that the complementarity problem at the start has; none if it has no solution, or is not
/// that of the start: states that are not fixed may begin elsewhere.
fn begin_on_sides(
    base: &Arc<CompiledModel>,
    options: &Options,
    budget: &WorkBudget,
) -> Option<(Arc<CompiledModel>, Started)> {
    let modes = base.modes.as_ref()?;
    base.complementary()?;
    let t = options.start_time;
    let Prepared { mut values, mut evaluator, .. } = prepared(base, options).ok()?;
    // what does not depend on sides: factors of the equations, as resistances at a temperature
    for step in &base.code.initial.steps {
        let before = values.clone();
        let step = Routine { steps: vec![step.clone()] };
        if evaluator.run(&step, &mut values, Search::with(&NEARBY)).is_err() {
            values = before;
        }
    }
    let mut problem = ModelProblem::new(base.clone(), values, evaluator, options.stop_time - t);
    let left = Left { model: base.clone(), values: problem.values.clone() };
    let sides = next_sides(base, &mut problem, &left, t, &|_| false)?.ok()?;
    problem.values.clone_from(&sides.values);
    let guards = problem.guards().ok()?;
    let model = modes.enter(&guards, Occasion::Start).ok()?.model(base);
    if base.is_refused_at_start && Arc::ptr_eq(&model, base) {
        return None;
    }
    let started = start_on_sides(&model, t, options.given(), budget, &sides.is_above);
    let started = started.ok()?;
    let now = modes.enter(&guards_of(&model, &started), Occasion::Start).ok()?;
    now.is_mode_of(&model).then_some((model, started))
}

/// The model before its start: discrete variables as far as time, parameters and start values tell.
fn prepared(base: &CompiledModel, options: &Options) -> Result<Prepared, NoValue> {
    let mut prepared = prepare(base, options.start_time, options.given())?;
    let Prepared { values, evaluator, .. } = &mut prepared;
    for (of, before) in base.equations.kept_before() {
        values[before.index()] = values[of.index()];
    }
    // variables without a value yet keep their start values
    let _ = evaluator.run(&base.code.discrete, values, Search::with(&NEARBY));
    Ok(prepared)
}

/// The model in the mode that its run begins in; the model itself where it has one only, or cannot begin.
pub fn begins_in(model: &Arc<CompiledModel>, options: &Options) -> Arc<CompiledModel> {
    match &model.modes {
        Some(_) => begin(model, options, &WorkBudget::at_start(None))
            .map_or_else(|_| model.clone(), |(model, _)| model),
        None => model.clone(),
    }
}

/// A neighbour of the mode that the guards ask for but that cannot be entered: the first in which the run can
/// begin.
fn begin_nearby(
    base: &Arc<CompiledModel>,
    options: &Options,
    guards: &[bool],
    budget: &WorkBudget,
) -> Option<(Arc<CompiledModel>, Started)> {
    let modes = base.modes.as_ref()?;
    neighbours(guards).find_map(|nearby| {
        let model = modes.enter(&nearby, Occasion::Start).ok()?.model(base);
        let started = start(&model, options.start_time, options.given(), budget).ok()?;
        let asked_for = modes.enter(&guards_of(&model, &started), Occasion::Start).ok()?;
        asked_for.is_mode_of(&model).then_some((model, started))
    })
}

/// The guards at the start.
fn guards_of(model: &CompiledModel, started: &Started) -> Vec<bool> {
    read_guards(model, &started.evaluator, &mut started.values.clone())
}

/// The guards at these values of all other variables.
fn read_guards(model: &CompiledModel, evaluator: &Evaluator, values: &mut [f64]) -> Vec<bool> {
    let watch = &model.code.guards;
    // variables without a value yet keep their start values
    let _ = evaluator.run_program(&watch.program, values);
    watch.slots.iter().map(|slot| values[slot.index()] != 0.0).collect()
}

/// The guards as far as time, parameters and start values tell.
fn guess(base: &CompiledModel, options: &Options) -> Vec<bool> {
    let Ok(Prepared { mut values, evaluator, .. }) = prepared(base, options) else {
        return vec![false; base.equations.guards.len()];
    };
    read_guards(base, &evaluator, &mut values)
}
