//! The parts of a model that tick: when they do, and what a tick computes (MLS §16.5, §16.9).
//!
//! At a tick a part takes what it samples from the model as it was just before, computes all that ticks now once, and hands
//! back what is held. Events of the rest of the model come after.

mod stages;
mod times;

use std::sync::Arc;

use rhei_equations::{Kind, VarId};
use rhei_kernel::Execution;
use rhei_solvable::{Schedule, SolverMethod, Ticking};
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::evaluate::NoValue;
use crate::problem::ModelProblem;
use crate::run::sayings::{of_assert, of_termination};
use crate::start::{self, Prepared};
use crate::{CompiledModel, GroupWork, Options};
use times::Times;

/// A part that ticks, as it is shared between runs.
#[derive(Debug)]
pub struct CompiledPart {
    /// Its equations and code.
    pub model: Arc<CompiledModel>,
    /// When what is computed.
    pub schedule: Schedule,
}

impl CompiledPart {
    /// The part with its code.
    pub fn new(ticking: Ticking) -> Self {
        let model = Arc::new(CompiledModel::new(ticking.equations, ticking.solvable));
        CompiledPart { model, schedule: ticking.schedule }
    }
}

/// A part that has no value.
pub(crate) struct NoTick {
    /// Which model it is.
    pub(crate) model: Arc<CompiledModel>,
    /// Why.
    pub(crate) why: NoValue,
}

/// All parts of a run that tick.
pub(crate) struct Clocks {
    parts: Vec<Part>,
}

impl Clocks {
    /// Before their first ticks, the model having started at `t`.
    pub(crate) fn new(
        model: &CompiledModel,
        values: &[f64],
        t: f64,
        options: &Options,
    ) -> Result<Clocks, NoTick> {
        let parts = (0..model.parts.len()).map(|i| Part::new(model, i, values, t, options));
        Ok(Clocks { parts: parts.collect::<Result<_, _>>()? })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The next time at which something ticks.
    pub(crate) fn next_time(&self) -> f64 {
        self.parts.iter().map(|part| part.times.next()).fold(f64::INFINITY, f64::min)
    }

    /// Computes what ticks at `t`; says whether the rest of the model has to take notice.
    pub(crate) fn tick(&mut self, model: &CompiledModel, values: &mut [f64], t: f64) -> Result<bool, NoTick> {
        let mut taken = false;
        for (part, compiled) in self.parts.iter_mut().zip(model.parts.iter()) {
            if part.times.begin_tick(t) {
                part.sample(&compiled.schedule, values);
                taken = true;
            }
        }
        let mut noticed = false;
        for (part, compiled) in self.parts.iter_mut().zip(model.parts.iter()) {
            if part.times.is_ticking() {
                part.tick(compiled, t)?;
                noticed |= part.hand_back(compiled, values);
                part.look_at_rules(compiled, t)?;
                part.end_tick(compiled)?;
                part.times.end_tick(compiled, &part.problem.values);
            }
        }
        debug_assert!(taken || !noticed);
        Ok(noticed)
    }

    /// What makes clocks tick by becoming true.
    pub(crate) fn conditions(&self) -> Vec<VarId> {
        self.parts.iter().filter_map(|part| part.times.condition()).collect()
    }

    /// What the groups of balances that tick have cost.
    pub(crate) fn balances(&self) -> Vec<GroupWork> {
        self.parts.iter().flat_map(|part| part.problem.evaluator.groups.work().to_vec()).collect()
    }

    /// What there is to say since it was asked last: warnings, errors, and notes that end the run.
    pub(crate) fn take_said(&mut self) -> Vec<Diagnostic> {
        self.parts.iter_mut().flat_map(|part| std::mem::take(&mut part.said)).collect()
    }

    /// Sees which conditions become true in a turn of an event.
    pub(crate) fn observe(&mut self, values: &[f64]) {
        self.parts.iter_mut().for_each(|part| part.times.observe(values));
    }

    /// Lets those tick whose condition has become true by the event; says whether any does, and so another event follows.
    pub(crate) fn notice_events(&mut self, t: f64) -> bool {
        let mut any = false;
        for part in &mut self.parts {
            any |= part.times.notice(t);
        }
        any
    }
}

/// A part of one run.
struct Part {
    problem: ModelProblem,
    times: Times,
    /// What came from elsewhere at the tick before, of rhythms whose methods have stages: by input.
    inputs: Vec<Input>,
    /// Variables with those that hold their values at the tick before, and their rhythm.
    previous: Vec<(VarId, VarId, u32)>,
    /// What the rest of the model sees, with its rhythm.
    shown: Vec<(VarId, u32)>,
    /// The rhythms that each assert, and then each `terminate`, looks at.
    looked_at: Vec<Vec<u32>>,
    /// The asserts that were said to be broken.
    warned: Vec<bool>,
    said: Vec<Diagnostic>,
    scratch: stages::Scratch,
    tolerance: f64,
}

/// A value from elsewhere.
struct Input {
    variable: VarId,
    rhythm: u32,
    /// At the tick before.
    before: f64,
    /// Whether it is a number that varies between ticks.
    is_real: bool,
}

impl Part {
    fn new(
        whole: &CompiledModel,
        place: usize,
        values: &[f64],
        t: f64,
        options: &Options,
    ) -> Result<Part, NoTick> {
        let compiled = &whole.parts[place];
        let CompiledPart { model, schedule } = compiled;
        let prepared = prepare(whole, model, values, t, &options.set, options.execution);
        let problem = prepared.map_err(|why| NoTick { model: model.clone(), why })?;
        let is_staged = |rhythm: u32| schedule.methods[rhythm as usize].is_some_and(SolverMethod::has_stages);
        let inputs = schedule.sampled.iter().chain(&schedule.passed).filter_map(|conversion| {
            let rhythm = schedule.rhythm(conversion.result).filter(|&rhythm| is_staged(rhythm))?;
            let is_real = model.equations.variable(conversion.result).scalar == rhei_equations::Scalar::Real;
            Some(Input { variable: conversion.result, rhythm, before: 0.0, is_real })
        });
        let previous = model.equations.iter_variables().filter_map(|(v, variable)| match variable.kind {
            Kind::Pre { of } => Some((of, v, schedule.rhythm(of)?)),
            _ => None,
        });
        let n_whole = whole.equations.variables.len().min(schedule.rhythm_of.len());
        let shown = (0..n_whole as u32).map(VarId).filter_map(|v| {
            let is_seen = whole.equations.variable(v).kind == Kind::Given;
            Some((v, schedule.rhythm(v).filter(|_| is_seen)?))
        });
        Ok(Part {
            times: Times::new(schedule, &problem, t),
            inputs: inputs.collect(),
            previous: previous.collect(),
            shown: shown.collect(),
            looked_at: looked_at(compiled),
            warned: vec![false; model.equations.asserts.len()],
            said: Vec::new(),
            scratch: stages::Scratch::new(&problem),
            problem,
            tolerance: options.tolerance,
        })
    }

    /// Takes what is sampled now from the rest of the model.
    fn sample(&mut self, schedule: &Schedule, values: &[f64]) {
        for input in &mut self.inputs {
            if self.times.ticks(input.rhythm) {
                input.before = self.problem.values[input.variable.index()];
            }
        }
        for conversion in &schedule.sampled {
            let ticks = schedule.rhythm(conversion.result).is_some_and(|rhythm| self.times.ticks(rhythm));
            if ticks {
                self.problem.values[conversion.result.index()] = values[conversion.argument.index()];
            }
        }
    }

    /// Computes everything that ticks now.
    fn tick(&mut self, compiled: &CompiledPart, t: f64) -> Result<(), NoTick> {
        let schedule = &compiled.schedule;
        let no_tick = |why| NoTick { model: compiled.model.clone(), why };
        let values = &mut self.problem.values;
        values[compiled.model.code.time().index()] = t;
        for (rhythm, known) in schedule.rhythms.iter().enumerate() {
            if self.times.ticks(rhythm as u32) {
                let (interval, is_first) = (self.times.interval(rhythm), self.times.is_first(rhythm));
                known.intervals.iter().for_each(|v| values[v.index()] = interval);
                known.first_ticks.iter().for_each(|v| values[v.index()] = f64::from(u8::from(is_first)));
            }
        }
        let has_stages = self.advance_by_rates(compiled);
        if has_stages {
            let states = compiled.model.solvable.states.iter();
            let rates = states.map(|state| self.problem.values[state.derivative.index()]);
            self.scratch.keep_rates(rates);
            // what comes from elsewhere is known only once the others have ticked
            let _ = self.run_ticking(compiled);
            self.advance_by_stages(compiled, t).map_err(no_tick)?;
        }
        let firsts = (0..schedule.rhythms.len())
            .filter(|&rhythm| self.times.ticks(rhythm as u32) && self.times.is_first(rhythm));
        let (firsts, ticking) = (firsts.count(), self.times.count_ticking());
        if firsts > 0 && firsts < ticking {
            // first and other ticks are ordered apart: again until each has what it takes from the others
            for _ in 0..ticking {
                let _ = self.run_ticking(compiled);
            }
        }
        self.run_ticking(compiled).map_err(no_tick)
    }

    /// Asserts and terminations of what ticks now.
    fn look_at_rules(&mut self, compiled: &CompiledPart, t: f64) -> Result<(), NoTick> {
        let no_tick = |why| NoTick { model: compiled.model.clone(), why };
        if self.looked_at.is_empty() {
            return Ok(());
        }
        let code = &compiled.model.code;
        let holds = self.problem.look(&code.asserts).map_err(no_tick)?;
        let ends = self.problem.look(&code.terminations).map_err(no_tick)?;
        for (place, rhythms) in self.looked_at.iter().enumerate() {
            // one that speaks of what has never ticked has nothing to speak of
            let counts = rhythms.iter().any(|&rhythm| self.times.ticks(rhythm))
                && rhythms.iter().all(|&r| self.times.ticks(r) || !self.times.is_first(r as usize));
            if !counts {
                continue;
            }
            match place.checked_sub(holds.len()) {
                None if holds[place] == 0.0 && !std::mem::replace(&mut self.warned[place], true) => {
                    self.said.push(of_assert(&mut self.problem, place, t));
                }
                Some(place) if ends[place] != 0.0 => {
                    self.said.push(of_termination(&mut self.problem, place, t));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// States that are set anew go on from there, and what is now becomes what was before.
    fn end_tick(&mut self, compiled: &CompiledPart) -> Result<(), NoTick> {
        let model = &compiled.model;
        let reinits = &model.equations.events.reinits;
        if !reinits.is_empty() {
            let jumps = self.problem.look(&model.code.reinits);
            let jumps = jumps.map_err(|why| NoTick { model: model.clone(), why })?;
            for (reinit, jump) in reinits.iter().zip(jumps.chunks_exact(2)) {
                let ticks = compiled.schedule.rhythm(reinit.target).is_some_and(|r| self.times.ticks(r));
                if ticks && jump[0] != 0.0 {
                    self.problem.values[reinit.target.index()] = jump[1];
                }
            }
        }
        for &(of, previous, rhythm) in &self.previous {
            if self.times.ticks(rhythm) {
                self.problem.values[previous.index()] = self.problem.values[of.index()];
            }
        }
        Ok(())
    }

    /// States that go on with the derivative of the tick before; says whether others take stages.
    fn advance_by_rates(&mut self, compiled: &CompiledPart) -> bool {
        let mut has_stages = false;
        for state in &compiled.model.solvable.states {
            let Some(rhythm) = compiled.schedule.rhythm(state.variable) else { continue };
            if !self.times.ticks(rhythm) || self.times.is_first(rhythm as usize) {
                continue;
            }
            match compiled.schedule.methods[rhythm as usize] {
                Some(SolverMethod::ExplicitEuler) => {
                    let step = self.times.interval(rhythm as usize);
                    let rate = self.problem.values[state.derivative.index()];
                    self.problem.values[state.variable.index()] += step * rate;
                }
                _ => has_stages = true,
            }
        }
        has_stages
    }

    fn advance_by_stages(&mut self, compiled: &CompiledPart, t: f64) -> Result<(), NoValue> {
        for (rhythm, method) in compiled.schedule.methods.iter().enumerate() {
            let is_due = self.times.ticks(rhythm as u32) && !self.times.is_first(rhythm);
            let Some(method) = method.filter(|method| is_due && method.has_stages()) else { continue };
            let inputs = self.inputs.iter().filter(|input| input.rhythm == rhythm as u32);
            let step = stages::Step {
                method,
                t,
                h: self.times.interval(rhythm),
                rhythm: rhythm as u32,
                tolerance: self.tolerance,
            };
            let inputs: Vec<(VarId, f64, bool)> =
                inputs.map(|input| (input.variable, input.before, input.is_real)).collect();
            stages::advance(&mut self.problem, compiled, &step, &inputs, &mut self.scratch)?;
        }
        Ok(())
    }

    /// Evaluates the segments of what ticks, in order.
    fn run_ticking(&mut self, compiled: &CompiledPart) -> Result<(), NoValue> {
        let code = &compiled.model.code;
        let ModelProblem { values, evaluator, .. } = &mut self.problem;
        for part in &code.first_tick {
            if self.times.ticks(part.rhythm) && self.times.is_first(part.rhythm as usize) {
                evaluator.run(&part.routine, values)?;
            }
        }
        for part in &code.tick {
            if self.times.ticks(part.rhythm) && !self.times.is_first(part.rhythm as usize) {
                evaluator.run(&part.routine, values)?;
            }
        }
        let t = values[code.time().index()];
        evaluator.groups.accept(values, t);
        Ok(())
    }

    /// Shows the rest of the model what ticked; says whether something it uses has changed.
    fn hand_back(&mut self, compiled: &CompiledPart, values: &mut [f64]) -> bool {
        let own = &self.problem.values;
        for &(v, rhythm) in &self.shown {
            if self.times.ticks(rhythm) {
                values[v.index()] = own[v.index()];
            }
        }
        let mut changed = false;
        for conversion in &compiled.schedule.held {
            let ticks = compiled.schedule.rhythm(conversion.argument).is_some_and(|r| self.times.ticks(r));
            if ticks {
                let (to, from) = (conversion.result.index(), conversion.argument.index());
                changed |= values[to] != own[from];
                values[to] = own[from];
            }
        }
        changed
    }
}

/// The rhythms that each assert, and then each `terminate`, of a part looks at.
fn looked_at(compiled: &CompiledPart) -> Vec<Vec<u32>> {
    let CompiledPart { model, schedule } = compiled;
    let conditions = model.equations.asserts.iter().map(|assert| assert.condition);
    let ends = model.equations.events.terminations.iter().map(|termination| termination.active);
    let rhythms = conditions.chain(ends).map(|condition| {
        let variables = model.solvable.pool.variables_of(condition);
        let mut rhythms: Vec<u32> = variables.into_iter().filter_map(|v| schedule.rhythm(v)).collect();
        rhythms.sort_unstable();
        rhythms.dedup();
        rhythms
    });
    rhythms.collect()
}

/// The part with its parameters and guesses; parameters that the start of the whole model found are taken from there.
fn prepare(
    whole: &CompiledModel,
    model: &Arc<CompiledModel>,
    values_of_whole: &[f64],
    t: f64,
    set: &FxHashMap<VarId, f64>,
    execution: Execution,
) -> Result<ModelProblem, NoValue> {
    let found = whole.solvable.unfixed.iter().map(|&v| (v, values_of_whole[v.index()]));
    let set = set.iter().map(|(&v, &value)| (v, value)).chain(found).collect();
    let Prepared { values, evaluator, .. } = start::prepare(model, t, &set, execution)?;
    Ok(ModelProblem::new(model.clone(), values, evaluator, f64::INFINITY))
}
