//! The mode in which a run begins.

use std::sync::Arc;

use rhei_model::{CompiledModel, Entered, Occasion};
use rhei_solve::evaluate::Evaluator;
use rhei_solve::modes::neighbours;
use rhei_solve::search::{NEARBY, Search};
use rhei_solve::start::{Prepared, Started, prepare, start};
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
    let prepared = prepare(base, options.start_time, options.given());
    let Ok(Prepared { mut values, mut evaluator, .. }) = prepared else {
        return vec![false; base.equations.guards.len()];
    };
    for (of, before) in base.equations.kept_before() {
        values[before.index()] = values[of.index()];
    }
    // variables without a value yet keep their start values
    let _ = evaluator.run(&base.code.discrete, &mut values, Search::with(&NEARBY));
    read_guards(base, &evaluator, &mut values)
}
