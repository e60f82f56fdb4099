//! Clocked partitions at run time: when they tick, and the evaluation of a tick (MLS §16.5, §16.9).
//!
//! At a tick a partition samples the rest of the model as it was just before, evaluates the blocks of the rhythms that tick
//! once, and returns its held values. Events of the rest of the model come after.

mod agree;
mod modes;
mod past;
mod pivots;
mod sampling;
mod stages;
mod times;

use std::sync::Arc;

use rhei_equations::{Kind, Rhythm, VarId, number};
use rhei_kernel::RhythmRoutine;
use rhei_model::{CompiledModel, CompiledPart};
use rhei_solvable::{Schedule, SolverMethod};
use rhei_solve::charts::ChartChange;
use rhei_solve::evaluate::{Evaluator, NoValue};
use rhei_solve::failure::of_start_not_kept;
use rhei_solve::groups::GroupWork;
use rhei_solve::problem::ModelProblem;
use rhei_solve::start;
use rhei_solve::start::Prepared;
use rhei_solve::written_starts::start_values_hold;
use rhei_source::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use crate::asserts::{of_assert, of_termination, performed};
use crate::branches::of_jump_at_tick;
use crate::constants::{PAST_TICKS, TICK_PARTS};
use crate::events::Called;
use crate::message::Message;
use crate::options::Options;
use crate::reach::Reach;
use modes::InModes;
use past::{Past, Unreadable, until_read};
use pivots::Pivots;
use sampling::Sampling;
use stages::{Reached, Stepper};
use times::Times;

pub(crate) use modes::ModeReports;

/// A clocked partition that cannot be evaluated.
pub(crate) struct NoTick {
    /// Its model.
    pub(crate) model: Arc<CompiledModel>,
    /// Why.
    pub(crate) why: NoValue,
}

/// The clocked partitions of a run.
#[derive(Clone)]
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

    /// Without any partition.
    pub(crate) fn none() -> Clocks {
        Clocks { parts: Vec::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The time of the next tick.
    pub(crate) fn next_time(&self) -> f64 {
        self.parts.iter().map(|part| part.times.next()).fold(f64::INFINITY, f64::min)
    }

    /// The time of the next tick that returns values the integrator sees.
    pub(crate) fn next_stop(&self, reach: &Reach) -> f64 {
        let touches = |part: &&Part| {
            part.compiled.schedule.held.iter().any(|conversion| reach.touches(conversion.result))
        };
        self.parts.iter().filter(touches).map(|part| part.times.next()).fold(f64::INFINITY, f64::min)
    }

    /// Evaluates the partitions that tick at `t`; says whether values that the rest of the model uses have
    /// changed.
    pub(crate) fn tick(&mut self, values: &mut [f64], t: f64) -> Result<bool, NoTick> {
        let mut taken = false;
        for part in &mut self.parts {
            if part.times.begin_tick(t) {
                let compiled = part.compiled.clone();
                part.sample(&compiled.schedule, values);
                taken = true;
            }
        }
        let mut noticed = false;
        for part in &mut self.parts {
            if part.times.is_ticking() {
                part.tick(t)?;
                let compiled = &*part.compiled.clone();
                noticed |= part.hand_back(compiled, values);
                part.look_at_rules(compiled, t)?;
                part.improve_choice(compiled, t)?;
                part.end_tick(compiled, t)?;
                part.times.end_tick(compiled, &part.problem.values);
            }
        }
        debug_assert!(taken || !noticed);
        Ok(noticed)
    }

    /// Changes of charts of the state sets of clocked partitions.
    pub(crate) fn take_chart_changes(&mut self) -> Vec<ChartChange> {
        self.parts.iter_mut().flat_map(|part| part.pivots.take_changes()).collect()
    }

    /// News about modes since the last call.
    pub(crate) fn take_mode_reports(&mut self) -> ModeReports {
        let mut all = ModeReports::default();
        for reports in self.parts.iter_mut().filter_map(|part| part.modes.as_mut()).map(InModes::take_reports)
        {
            all.changes.extend(reports.changes);
            all.visited.extend(reports.visited);
            all.said.extend(reports.said);
        }
        all
    }

    /// The conditions of event clocks (`Clock(condition)`).
    pub(crate) fn conditions(&self) -> Vec<VarId> {
        self.parts.iter().filter_map(|part| part.times.condition()).collect()
    }

    /// Work of the groups of balances in clocked partitions.
    pub(crate) fn balances(&self) -> Vec<GroupWork> {
        self.parts.iter().flat_map(|part| part.problem.evaluator.groups.work().to_vec()).collect()
    }

    /// Messages since the last call.
    pub(crate) fn take_said(&mut self) -> Vec<Message> {
        self.parts.iter_mut().flat_map(|part| std::mem::take(&mut part.said)).collect()
    }

    /// Texts printed since the last call.
    pub(crate) fn take_printed(&mut self) -> Vec<String> {
        self.parts.iter_mut().flat_map(|part| std::mem::take(&mut part.printed)).collect()
    }

    /// Observes which clock conditions become true in an iteration of an event.
    pub(crate) fn observe(&mut self, values: &[f64]) {
        self.parts.iter_mut().for_each(|part| part.times.observe(values));
    }

    /// Schedules the ticks of partitions whose condition became true by the event; says whether there are any, and so
    /// another event follows.
    pub(crate) fn notice_events(&mut self, t: f64) -> bool {
        let mut any = false;
        for part in &mut self.parts {
            any |= part.times.notice(t);
        }
        any
    }
}

/// A clocked partition of one run.
#[derive(Clone)]
struct Part {
    /// Its compiled form in the present mode.
    compiled: Arc<CompiledPart>,
    /// Its modes, if it has any.
    modes: Option<InModes>,
    problem: ModelProblem,
    times: Times,
    /// Rhythms whose methods have stages.
    steppers: Vec<Stepper>,
    /// Variables with those that hold their values at the tick before, and their rhythm.
    previous: Vec<(VarId, VarId, u32)>,
    /// The variables that the rest of the model sees, each with its rhythm.
    shown: Vec<(VarId, u32)>,
    /// The rhythms of the variables in each assert, then in each `terminate`, then in each effect.
    looked_at: Vec<Vec<u32>>,
    /// Asserts whose violation was reported.
    warned: Vec<bool>,
    /// Values at earlier ticks, for delays.
    past: Past,
    /// What happens at the first ticks after regular times.
    sampling: Sampling,
    /// By rhythm: whether the start of its first tick is done, and the tick goes on as an event.
    has_begun: Vec<bool>,
    /// The charts of its state sets.
    pivots: Pivots,
    /// Memory for the asserts violated at this tick.
    found: Vec<usize>,
    said: Vec<Message>,
    /// Warnings of functions called for their effect, each reported once: the call, and the assert.
    warned_of: FxHashSet<(usize, Span)>,
    printed: Vec<String>,
    tolerance: f64,
    /// Options of the run, with the parameters that the start of the whole model determined.
    options: Options,
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
        let CompiledPart { model, schedule, .. } = &**compiled;
        let rests = whole.equations.rests();
        let unfixed = whole.solvable.unfixed.iter().flat_map(|&v| [Some(v), rests[v.index()]]);
        let found = unfixed.flatten().map(|v| (v, values[v.index()]));
        let mut options = options.clone();
        options.set.extend(found);
        let prepared = start::prepare(model, t, options.given());
        let prepared = prepared.map_err(|why| NoTick { model: model.clone(), why })?;
        let Prepared { values, evaluator, nominals } = prepared;
        let mut problem = ModelProblem::new(model.clone(), values, evaluator, f64::INFINITY);
        let pivots = Pivots::new(model, &mut problem, &nominals);
        let n_whole = whole.equations.variables.len().min(schedule.rhythm_of.len());
        let shown = (0..n_whole as u32).map(VarId).filter_map(|v| {
            let is_seen = whole.equations.variable(v).kind == Kind::Given;
            Some((v, schedule.rhythm(v).filter(|_| is_seen)?))
        });
        Ok(Part {
            times: Times::new(schedule, &problem, t),
            steppers: steppers_of(&problem, compiled),
            previous: previous_of(compiled),
            shown: shown.collect(),
            looked_at: looked_at(compiled),
            warned: vec![false; model.equations.asserts.len()],
            past: Past::new(compiled),
            sampling: Sampling::new(schedule),
            has_begun: vec![false; schedule.rhythms.len()],
            pivots,
            found: Vec::new(),
            said: Vec::new(),
            warned_of: FxHashSet::default(),
            printed: Vec::new(),
            problem,
            tolerance: options.tolerance,
            options,
            compiled: compiled.clone(),
            modes: InModes::new(compiled),
        })
    }

    /// Samples the rest of the model for the rhythms that tick.
    fn sample(&mut self, schedule: &Schedule, values: &[f64]) {
        if let Some(modes) = &mut self.modes {
            modes.begin_tick(&self.problem.values);
        }
        for stepper in &mut self.steppers {
            if self.times.ticks(stepper.rhythm) {
                stepper.begin_tick(&self.problem.values);
            }
        }
        for conversion in &schedule.sampled {
            let ticks = schedule.rhythm(conversion.result).is_some_and(|rhythm| self.times.ticks(rhythm));
            if ticks {
                self.problem.values[conversion.result.index()] = values[conversion.argument.index()];
            }
        }
    }

    /// Evaluates the rhythms that tick.
    fn tick(&mut self, t: f64) -> Result<(), NoTick> {
        let groups = &mut self.problem.evaluator.groups;
        groups.take_left_branch();
        let balanced = groups.accepted();
        if self.modes.is_some() {
            self.tick_in_modes(t)?
        } else {
            self.step(t)?
        }
        let jump = of_jump_at_tick(&mut self.problem, &balanced, t);
        self.said.extend(jump.map(Message::BranchJump));
        Ok(())
    }

    /// Sets the time, and the interval since the tick before.
    fn set_intervals(&mut self, t: f64) {
        let (values, schedule) = (&mut self.problem.values, &self.compiled.schedule);
        values[self.compiled.model.code.time().index()] = t;
        for (rhythm, known) in schedule.rhythms.iter().enumerate() {
            if self.times.ticks(rhythm as u32) {
                let (interval, is_first) = (self.times.interval(rhythm), self.times.is_first(rhythm));
                known.intervals.iter().for_each(|v| values[v.index()] = interval);
                known.first_ticks.iter().for_each(|v| values[v.index()] = f64::from(u8::from(is_first)));
                if let Some(step) = schedule.steps[rhythm] {
                    values[step.index()] = interval;
                }
            }
        }
        let sampling = (&mut self.sampling, &self.times);
        self.said.extend(sampling.0.begin_tick(schedule, values, t, sampling.1));
    }

    /// Evaluates the rhythms that tick, in the present mode.
    fn step(&mut self, t: f64) -> Result<(), NoTick> {
        self.set_intervals(t);
        let compiled = &*self.compiled.clone();
        let schedule = &compiled.schedule;
        let no_tick = |why| NoTick { model: compiled.model.clone(), why };
        let has_stages = self.advance_by_rates(compiled);
        let (mut measured, mut used) = (Vec::new(), Vec::new());
        if has_stages {
            // inputs of the stages come from other rhythms, which are evaluated first
            let _ = self.run_ticking(compiled);
            measured = self.used_by_stages(compiled);
            used.extend(measured.iter().map(|(_, value)| self.problem.values[value.index()]));
            self.advance_by_stages(compiled, t).map_err(no_tick)?;
        }
        let firsts = (0..schedule.rhythms.len())
            .filter(|&rhythm| self.times.ticks(rhythm as u32) && self.times.is_first(rhythm));
        let (firsts, ticking) = (firsts.count(), self.times.count_ticking());
        if firsts > 0 {
            self.pivots.begin(&mut self.problem);
        }
        if firsts > 0 && firsts < ticking {
            // first and later ticks are sorted apart: repeated until each has its values from the others
            for _ in 0..ticking {
                let _ = self.run_ticking(compiled);
            }
        }
        self.run_ticking(compiled).map_err(no_tick)?;
        self.go_on_from_first_ticks(compiled, t).map_err(no_tick)?;
        if measured.is_empty() { Ok(()) } else { self.agree(compiled, &measured, used, t) }
    }

    /// Asserts and terminations of the rhythms that tick.
    fn look_at_rules(&mut self, compiled: &CompiledPart, t: f64) -> Result<(), NoTick> {
        let no_tick = |why| NoTick { model: compiled.model.clone(), why };
        let code = &compiled.model.code;
        let (asserts, ends) = (&code.asserts, &code.terminations);
        let (of_asserts, others) = self.looked_at.split_at(asserts.slots.len());
        let (of_ends, of_effects) = others.split_at(ends.slots.len());
        let counts = |rhythms: &[u32]| {
            // skipped while any of its rhythms has yet to tick for the first time
            rhythms.iter().any(|&rhythm| self.times.ticks(rhythm))
                && rhythms.iter().all(|&r| self.times.ticks(r) || !self.times.is_first(r as usize))
        };
        if !asserts.slots.is_empty() {
            self.problem.evaluate_watched(asserts).map_err(no_tick)?;
            for (place, (slot, rhythms)) in asserts.slots.iter().zip(of_asserts).enumerate() {
                let is_broken = self.problem.values[slot.index()] == 0.0 && counts(rhythms);
                if is_broken && !std::mem::replace(&mut self.warned[place], true) {
                    self.found.push(place);
                }
            }
            for place in self.found.drain(..) {
                self.said.push(of_assert(&mut self.problem, place, t));
            }
        }
        if !ends.slots.is_empty() {
            self.problem.evaluate_watched(ends).map_err(no_tick)?;
            for (place, (slot, rhythms)) in ends.slots.iter().zip(of_ends).enumerate() {
                if self.problem.values[slot.index()] != 0.0 && counts(rhythms) {
                    self.found.push(place);
                }
            }
            for place in self.found.drain(..) {
                self.said.push(Message::End(of_termination(&mut self.problem, place, t)));
            }
        }
        if !code.effects.slots.is_empty() {
            self.problem.evaluate_watched(&code.effects).map_err(no_tick)?;
            for (place, (slot, rhythms)) in code.effects.slots.iter().zip(of_effects).enumerate() {
                if self.problem.values[slot.index()] != 0.0 && counts(rhythms) {
                    self.found.push(place);
                }
            }
            for place in self.found.drain(..) {
                let called = Called { place, values: None };
                let done = performed(&mut self.problem, called, t).map_err(no_tick)?;
                self.printed.extend(done.printed);
                let new = done.warned.into_iter().filter(|(span, _)| self.warned_of.insert((place, *span)));
                self.said.extend(
                    new.map(|(_, said)| Message::Warning(said)).chain(done.failed.map(Message::Fault)),
                );
            }
        }
        Ok(())
    }

    /// Better charts of the state sets, if there are any.
    fn improve_choice(&mut self, compiled: &CompiledPart, t: f64) -> Result<(), NoTick> {
        let improved = self.pivots.improve(&mut self.problem, t);
        match improved.map_err(|why| NoTick { model: compiled.model.clone(), why })? {
            Ok(()) => {}
            Err(said) => self.said.push(Message::Fault(*said)),
        }
        Ok(())
    }

    /// Applies `reinit`, then makes the present values the previous ones.
    fn end_tick(&mut self, compiled: &CompiledPart, t: f64) -> Result<(), NoTick> {
        let model = &compiled.model;
        let kept = self.past.keep(compiled, &self.problem.values, t, |rhythm| self.times.ticks(rhythm));
        if let Err(why) = kept {
            self.said.push(Message::Fault(unreadable(compiled, why, t)));
        }
        let settled = self.settled(compiled).map_err(|why| NoTick { model: model.clone(), why })?;
        let reinits = &model.equations.events.reinits;
        if !reinits.is_empty() {
            let settings = &model.code.reinits;
            let computed = self.problem.compute(&settings.program);
            computed.map_err(|why| NoTick { model: model.clone(), why })?;
            let values = &mut self.problem.values;
            for (reinit, setting) in reinits.iter().zip(&settings.of) {
                let ticks = compiled.schedule.rhythm(reinit.target).is_some_and(|r| self.times.ticks(r));
                if ticks && values[setting.active.index()] != 0.0 {
                    values[reinit.target.index()] = values[setting.value.index()];
                }
            }
        }
        for &(of, previous, rhythm) in &self.previous {
            if self.times.ticks(rhythm) {
                self.problem.values[previous.index()] = self.problem.values[of.index()];
            }
        }
        settled.into_iter().for_each(|(before, value)| self.problem.values[before.index()] = value);
        self.has_begun.fill(false);
        Ok(())
    }

    /// Advances the states of explicit Euler by the derivatives of the tick before; says whether others need
    /// stages.
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
        for stepper in &mut self.steppers {
            let rhythm = stepper.rhythm as usize;
            if !self.times.ticks(stepper.rhythm) || self.times.is_first(rhythm) {
                continue;
            }
            let step = (t, self.times.interval(rhythm));
            let system = (&mut self.problem, &mut self.past);
            let reached = stepper.advance(system, compiled, step, self.tolerance)?;
            if reached == Reached::Bound && !std::mem::replace(&mut stepper.has_warned, true) {
                let said = inaccurate(&compiled.schedule.rhythms[rhythm], t, self.tolerance);
                self.said.push(Message::Warning(said));
            }
        }
        Ok(())
    }

    /// Evaluates the segments of the rhythms that tick, in order, and past values where they are then read.
    fn run_ticking(&mut self, compiled: &CompiledPart) -> Result<(), NoValue> {
        if self.past.is_empty() {
            return self.run_segments(compiled);
        }
        let t = self.problem.values[compiled.model.code.time().index()];
        let mut past = std::mem::replace(&mut self.past, Past::none());
        past.read(compiled, &mut self.problem.values, t, |rhythm| self.times.ticks(rhythm));
        let done = until_read(&mut past, |past| {
            self.run_segments(compiled)?;
            let ticks = |rhythm| self.times.ticks(rhythm);
            Ok::<_, NoValue>(past.read_again(compiled, &mut self.problem.values, t, ticks))
        });
        self.past = past;
        if let Some(place) = done? {
            self.past.note_unsettled(place);
        }
        Ok(())
    }

    fn run_segments(&mut self, compiled: &CompiledPart) -> Result<(), NoValue> {
        self.run_first_ticks(compiled)?;
        let code = &compiled.model.code;
        let search = self.problem.search();
        let ModelProblem { values, evaluator, .. } = &mut self.problem;
        let starts = |rhythm: u32| self.times.is_first(rhythm as usize) && !self.has_begun[rhythm as usize];
        for part in &code.tick {
            if self.times.ticks(part.rhythm) && !starts(part.rhythm) {
                evaluator.run(&part.routine, values, search)?;
            }
        }
        let t = values[code.time().index()];
        evaluator.groups.accept(values, t);
        Ok(())
    }

    /// The same for those that tick for the first time: with the start values that somebody wrote, where the first solution does not
    /// have them.
    fn run_first_ticks(&mut self, compiled: &CompiledPart) -> Result<(), NoValue> {
        let CompiledPart { model, schedule, .. } = compiled;
        let Part { times, problem, said, has_begun, .. } = self;
        let is_first = |rhythm: u32| {
            times.ticks(rhythm) && times.is_first(rhythm as usize) && !has_begun[rhythm as usize]
        };
        let search = problem.search();
        let ModelProblem { values, evaluator, .. } = problem;
        let run = |parts: &[RhythmRoutine], evaluator: &mut Evaluator, values: &mut [f64]| {
            let mut parts = parts.iter().filter(|part| is_first(part.rhythm));
            parts.try_for_each(|part| evaluator.run(&part.routine, values, search))
        };
        let written = model.solvable.written.iter().flat_map(|written| &written.kept).copied();
        let kept: Vec<VarId> = written.filter(|&v| schedule.rhythm(v).is_some_and(is_first)).collect();
        if kept.is_empty() {
            return run(&model.code.first_tick, evaluator, values);
        }
        let guesses = values.clone();
        let mut solved = run(&model.code.first_tick, evaluator, values);
        if solved.is_ok() && start_values_hold(&kept, &guesses, evaluator, values) {
            return solved;
        }
        let first = std::mem::replace(values, guesses);
        match run(&model.code.first_tick_written, evaluator, values) {
            Ok(()) => solved = Ok(()),
            Err(_) => {
                *values = first;
                if solved.is_ok() {
                    said.push(Message::Warning(of_start_not_kept(model, &kept)));
                }
            }
        }
        solved
    }

    /// Returns the new values to the rest of the model; says whether any that it uses has changed.
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

/// The rhythms of the variables in each assert, then in each `terminate`, then in each effect.
fn looked_at(compiled: &CompiledPart) -> Vec<Vec<u32>> {
    let CompiledPart { model, schedule, .. } = compiled;
    let conditions = model.equations.asserts.iter().map(|assert| vec![assert.condition]);
    let ends = model.equations.events.terminations.iter().map(|termination| vec![termination.active]);
    let effects = model.equations.events.effects.iter();
    let effects = effects.map(|effect| effect.values().into_iter().chain([effect.active]).collect());
    let rhythms = conditions.chain(ends).chain(effects).map(|values| {
        let variables = values.into_iter().flat_map(|value| model.equations.pool.variables_of(value));
        let mut rhythms: Vec<u32> = variables.filter_map(|v| schedule.rhythm(v)).collect();
        rhythms.sort_unstable();
        rhythms.dedup();
        rhythms
    });
    rhythms.collect()
}

/// The diagnostic of a step between ticks that misses its tolerance.
fn inaccurate(rhythm: &Rhythm, t: f64, tolerance: f64) -> Diagnostic {
    let message = format!(
        "at t = {}, the states of `{}` are not within the tolerance {}: the step from the tick before would take more than {} parts",
        number(t),
        rhythm.name,
        number(tolerance),
        TICK_PARTS
    );
    let diagnostic = Diagnostic::warning("clocked-step-inaccurate", message);
    let diagnostic = match rhythm.origin.span {
        Some(span) => diagnostic.at(span, "this clock"),
        None => diagnostic,
    };
    diagnostic.with_note("said once; let the clock tick more often, or ask for less with `--tolerance`")
}

/// The error of a delayed value that cannot be read.
fn unreadable(compiled: &CompiledPart, why: Unreadable, t: f64) -> Diagnostic {
    let time = format!("at t = {}, the time of this `delay`", number(t));
    let (place, diagnostic) = match why {
        Unreadable::Time(place, by) => {
            let what = if by >= 0.0 { "is longer than its maximum" } else { "is not a time before" };
            (place, Diagnostic::error("delay-time", format!("{time} {what}: it is {}", number(by))))
        }
        Unreadable::Memory(place) => {
            let message =
                format!("{time} is too long for its clock: it goes back more than {PAST_TICKS} ticks");
            (place, Diagnostic::error("delay-time", message))
        }
        Unreadable::Piece(place) => {
            let message = format!("{time} depends on what is read, and no time is found that agrees with it");
            (place, Diagnostic::error("loop-no-solution", message))
        }
    };
    match compiled.schedule.delays[place].origin.span {
        Some(span) => diagnostic.at(span, "this `delay`"),
        None => diagnostic,
    }
}

/// Integrators of the rhythms whose methods have stages.
fn steppers_of(problem: &ModelProblem, compiled: &CompiledPart) -> Vec<Stepper> {
    let methods = compiled.schedule.methods.iter().enumerate();
    let staged = methods.filter_map(|(rhythm, method)| {
        let method = method.filter(|method| method.has_stages())?;
        Some(Stepper::new(problem, compiled, rhythm as u32, method))
    });
    staged.collect()
}

/// Variables with those that hold their values at the tick before, and their rhythm.
fn previous_of(compiled: &CompiledPart) -> Vec<(VarId, VarId, u32)> {
    let CompiledPart { model, schedule, .. } = compiled;
    let previous = model.equations.kept_before().into_iter();
    previous.filter_map(|(of, v)| Some((of, v, schedule.rhythm(of)?))).collect()
}
