//! Modes of a clocked partition: they change at ticks only.
//!
//! A tick is evaluated in the mode of the tick before. If its guards then ask for another one, the states are projected onto the
//! constraints of that mode as in continuous time, from the values that the step has led to: by the continuous equations of their
//! rhythm, not by those of a method. Conditions are evaluated again, with the impulses; the mode that stays is taken, and the
//! tick shows the values that follow from its states. Measured states keep their values. The next step is one of the new mode.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_model::{CompiledModel, CompiledPart, PartInMode, TickingStructures};
use rhei_solvable::Mode;
use rhei_solve::evaluate::NoValue;
use rhei_solve::failure::landing::of_landing;
use rhei_solve::modes::jump::Jump;
use rhei_solve::modes::{Left, enter, indicator_impulse, jump, neighbours};
use rhei_solve::problem::ModelProblem;
use rhei_solve::start;
use rhei_solve::start::Prepared;
use rhei_source::Diagnostic;
use rustc_hash::FxHashSet;

use super::pivots::Pivots;
use super::{NoTick, Part, previous_of, steppers_of};
use crate::constants::{JUMP_REPORTED, MODES_TRIED};
use crate::events::Watcher;
use crate::failure::modes::{of_cycle, of_gauge, of_measured_jump};
use crate::message::Message;
use crate::visited::{ModeChange, VisitedMode};

/// The run-time state of a partition with modes.
#[derive(Clone)]
pub(super) struct InModes {
    structures: Arc<dyn TickingStructures>,
    /// None before its first tick.
    present: Option<Arc<PartInMode>>,
    /// All values at the beginning of the tick.
    before: Vec<f64>,
    is_visited: FxHashSet<u32>,
    reports: ModeReports,
}

/// News about the modes of clocked partitions.
#[derive(Clone, Default)]
pub(crate) struct ModeReports {
    pub(crate) changes: Vec<ModeChange>,
    pub(crate) visited: Vec<VisitedMode>,
    pub(crate) said: Vec<Diagnostic>,
}

/// A mode onto whose constraints the partition has been projected, tentatively.
struct Landed {
    mode: Arc<PartInMode>,
    /// The guards there.
    guards: Vec<bool>,
    rhythms: Vec<LandedRhythm>,
}

struct LandedRhythm {
    rhythm: u32,
    values: Left,
    jump: Jump,
}

/// Why a tick ends early: it has no value, or the fault has been reported.
enum Ended {
    NoTick(NoTick),
    Message,
}

impl From<NoTick> for Ended {
    fn from(why: NoTick) -> Self {
        Ended::NoTick(why)
    }
}

impl InModes {
    pub(super) fn new(compiled: &CompiledPart) -> Option<InModes> {
        let structures = compiled.modes.clone()?;
        let (before, is_visited) = (Vec::new(), FxHashSet::default());
        Some(InModes { structures, present: None, before, is_visited, reports: ModeReports::default() })
    }

    /// Keeps the values at the beginning of a tick.
    pub(super) fn begin_tick(&mut self, values: &[f64]) {
        self.before.clear();
        self.before.extend_from_slice(values);
    }

    pub(super) fn take_reports(&mut self) -> ModeReports {
        std::mem::take(&mut self.reports)
    }
}

impl Part {
    /// Evaluates the rhythms that tick, in the mode that the guards ask for.
    pub(super) fn tick_in_modes(&mut self, t: f64) -> Result<(), NoTick> {
        match self.find_mode(t) {
            Ok(()) | Err(Ended::Message) => Ok(()),
            Err(Ended::NoTick(why)) => Err(why),
        }
    }

    fn modes(&mut self) -> &mut InModes {
        self.modes.as_mut().expect("only parts that have modes come here")
    }

    fn find_mode(&mut self, t: f64) -> Result<(), Ended> {
        let begun = self.left();
        let before = Left { model: begun.model.clone(), values: self.modes().before.clone() };
        if self.has_first_ticks() {
            let present = self.modes().present.clone();
            let guards = present.map_or_else(|| self.guessed_guards(), |present| present.guards());
            self.begin_near(&guards, &begun, &before, t)?;
        }
        let mut tried: Vec<Arc<CompiledModel>> = Vec::new();
        for _ in 0..MODES_TRIED {
            self.step(t)?;
            tried.push(self.compiled.model.clone());
            let Some(asked) = self.asked_by_first_ticks()? else { return self.settle_mode(t) };
            self.begin_near(&asked, &begun, &before, t)?;
        }
        self.said.push(Message::Fault(of_cycle(&tried, t)));
        Err(Ended::Message)
    }

    fn has_first_ticks(&self) -> bool {
        let rhythms = 0..self.compiled.schedule.rhythms.len();
        rhythms.into_iter().any(|rhythm| self.times.ticks(rhythm as u32) && self.times.is_first(rhythm))
    }

    /// A copy of all values.
    fn left(&self) -> Left {
        Left { model: self.problem.model.clone(), values: self.problem.values.clone() }
    }

    /// The guards as far as sampled values and start values determine them.
    fn guessed_guards(&mut self) -> Vec<bool> {
        let kept = self.problem.values.clone();
        let (model, search) = (self.problem.model.clone(), self.problem.search());
        // variables without a value yet keep their start values
        let _ = self.problem.evaluator.run(&model.code.discrete, &mut self.problem.values, search);
        let guards = self.problem.guards();
        self.problem.values = kept;
        guards.unwrap_or_else(|_| vec![false; model.equations.guards.len()])
    }

    fn guards(&mut self) -> Result<Vec<bool>, NoTick> {
        let model = self.problem.model.clone();
        self.problem.guards().map_err(|why| NoTick { model, why })
    }

    /// Rhythms that tick for the first time have no states to project: their guards are those they begin with. Answers all
    /// guards if they differ from those of the present mode.
    fn asked_by_first_ticks(&mut self) -> Result<Option<Vec<bool>>, Ended> {
        let now = self.guards()?;
        let Some(present) = self.modes().present.clone() else { return Ok(None) };
        let is_first = |rhythm: &Option<u32>| {
            rhythm.is_none_or(|r| self.times.ticks(r) && self.times.is_first(r as usize))
        };
        let known = present.guards();
        let places = present.rhythms.iter().zip(known.iter().zip(&now));
        let asked: Vec<bool> =
            places.map(|(rhythm, (known, now))| if is_first(rhythm) { *now } else { *known }).collect();
        if asked == known {
            return Ok(None);
        }
        let is_present = self.enter(&asked).is_ok_and(|entered| entered.mode() == present.mode());
        Ok((!is_present).then_some(asked))
    }

    fn enter(&mut self, guards: &[bool]) -> Result<Arc<PartInMode>, Vec<Diagnostic>> {
        let first = self.has_first_ticks();
        self.modes().structures.enter(guards, first)
    }

    fn refused(&mut self, said: Vec<Diagnostic>) -> Ended {
        self.said.extend(said.into_iter().find(Diagnostic::is_error).map(Message::Fault));
        Ended::Message
    }

    /// Begins the tick anew in the mode that the guards ask for or, if it cannot be entered, in a neighbour whose guards stay as
    /// they are.
    fn begin_near(&mut self, guards: &[bool], begun: &Left, before: &Left, t: f64) -> Result<(), Ended> {
        let asked = match self.enter(guards) {
            Ok(asked) => return self.begin_in(asked, begun, before, t),
            Err(said) => said,
        };
        for nearby in neighbours(guards) {
            let Ok(entered) = self.enter(&nearby) else { continue };
            let stays = self.begin_in(entered.clone(), begun, before, t).is_ok()
                && self.step(t).is_ok()
                && matches!(self.asked_by_first_ticks(), Ok(None));
            if stays {
                return self.begin_in(entered, begun, before, t);
            }
        }
        Err(self.refused(asked))
    }

    /// Begins the tick anew in another mode.
    fn begin_in(
        &mut self,
        entered: Arc<PartInMode>,
        begun: &Left,
        before: &Left,
        t: f64,
    ) -> Result<(), Ended> {
        self.take(&entered.part, begun, t)?;
        let mut values = self.problem.values.clone();
        before.carry(&self.compiled.model, &mut values);
        self.steppers.iter_mut().for_each(|stepper| stepper.begin_tick(&values));
        self.modes().present = Some(entered);
        Ok(())
    }

    fn note_visit(&mut self, entered: &PartInMode) {
        let modes = self.modes();
        if modes.is_visited.insert(entered.mode().id) {
            modes.reports.visited.push(VisitedMode::of_part(&entered.part));
            modes.reports.said.extend(entered.notes.iter().cloned());
        }
    }

    /// Takes over another structure, with all values carried over.
    fn take(&mut self, compiled: &Arc<CompiledPart>, from: &Left, t: f64) -> Result<(), NoTick> {
        let model = &compiled.model;
        let prepared = start::prepare(model, t, self.options.given());
        let no_tick = |why| NoTick { model: model.clone(), why };
        let Prepared { mut values, mut evaluator, nominals } = prepared.map_err(no_tick)?;
        from.carry(model, &mut values);
        values[model.code.time().index()] = t;
        evaluator.groups = self.problem.evaluator.groups.carried(model.carried_from(&from.model).n_common);
        self.problem = ModelProblem::new(model.clone(), values, evaluator, f64::INFINITY);
        let changes = self.pivots.take_changes();
        self.pivots = Pivots::new(model, &mut self.problem, &nominals);
        self.pivots.go_on_after(changes);
        self.steppers = steppers_of(&self.problem, compiled);
        self.previous = previous_of(compiled);
        self.compiled = compiled.clone();
        Ok(())
    }

    /// Enters the mode that the guards ask for after the step to this tick.
    fn settle_mode(&mut self, t: f64) -> Result<(), Ended> {
        let Some(mut present) = self.modes().present.clone() else { return Ok(()) };
        self.note_visit(&present);
        let mut asked = self.guards()?;
        if asked == present.guards() {
            return Ok(());
        }
        let mut left = self.left();
        let mut landed: Option<Landed> = None;
        let mut tried = vec![present.part.model.clone()];
        for _ in 0..MODES_TRIED {
            let target = match self.enter(&asked) {
                Ok(target) => target,
                Err(said) => {
                    let found = self.search_mode(t, &asked, &present, &left);
                    let Some(nearby) = found else {
                        return Err(self.refused(said));
                    };
                    asked.clone_from(&nearby.guards);
                    landed = Some(nearby);
                    continue;
                }
            };
            let now = landed.as_ref().map_or(&present, |landed| &landed.mode);
            if target.mode() == now.mode() {
                let Some(found) = landed.take() else { return Ok(()) };
                present = self.arrive(found, &left, &tried, t)?;
                left = self.left();
                asked = self.guards()?;
                tried = vec![present.part.model.clone()];
                continue;
            }
            let is_again = tried.iter().any(|known| known.solvable.mode == *target.mode());
            tried.push(target.part.model.clone());
            if is_again {
                break;
            }
            let found = self.land(t, target, &present, &left)?;
            asked.clone_from(&found.guards);
            landed = Some(found);
        }
        self.said.push(Message::Fault(of_cycle(&tried, t)));
        Err(Ended::Message)
    }

    /// The first neighbour whose guards stay as they are, of a mode that the guards ask for but that cannot
    /// be entered.
    fn search_mode(&mut self, t: f64, guards: &[bool], present: &PartInMode, left: &Left) -> Option<Landed> {
        let kept = self.said.len();
        let found = neighbours(guards).find_map(|nearby| {
            let target = self.enter(&nearby).ok()?;
            let landed = self.land(t, target, present, left).ok()?;
            (landed.guards == nearby).then_some(landed)
        });
        self.said.truncate(kept);
        found
    }

    /// Projects onto the constraints of a mode, and evaluates its guards with the impulses of the jump.
    fn land(
        &mut self,
        t: f64,
        mode: Arc<PartInMode>,
        present: &PartInMode,
        left: &Left,
    ) -> Result<Landed, Ended> {
        let (old, new) = (present.guards(), mode.guards());
        let mut guards = self.guards()?;
        let mut rhythms = Vec::new();
        for (rhythm, model) in mode.between_ticks.iter().enumerate() {
            let Some(model) = model else { continue };
            let own = |place: &usize| mode.rhythms[*place] == Some(rhythm as u32);
            let mut own_guards = (0..new.len()).filter(own);
            if !self.times.ticks(rhythm as u32) || own_guards.clone().all(|place| old[place] == new[place]) {
                continue;
            }
            let found = self.land_rhythm(t, rhythm as u32, model, left);
            let (landed, now) = found.map_err(|why| self.not_landed(model, why, t))?;
            own_guards.by_ref().for_each(|place| guards[place] = now[place]);
            rhythms.push(landed);
        }
        Ok(Landed { mode, guards, rhythms })
    }

    fn not_landed(&mut self, model: &Arc<CompiledModel>, why: jump::NoLanding, t: f64) -> Ended {
        match why {
            jump::NoLanding::NoValue(why) => Ended::NoTick(NoTick { model: model.clone(), why }),
            other => {
                self.said.push(Message::Fault(of_landing(model, &other, t)));
                Ended::Message
            }
        }
    }

    fn land_rhythm(
        &self,
        t: f64,
        rhythm: u32,
        model: &Arc<CompiledModel>,
        left: &Left,
    ) -> Result<(LandedRhythm, Vec<bool>), jump::NoLanding> {
        let mut started = enter(model, left, t, self.options.given())?;
        started.evaluator.groups =
            self.problem.evaluator.groups.carried(model.carried_from(&left.model).n_common);
        let before = left.of(model, &started.values);
        started.charts.write(model, &mut started.values);
        let mut problem = ModelProblem::new(model.clone(), started.values, started.evaluator, f64::INFINITY);
        let mut watcher = Watcher::new(&mut problem, t, self.tolerance)?;
        watcher.forget_nudges(&mut problem);
        let jump = jump::land(&mut problem, t, &before, self.tolerance)?;
        watcher.keep_sides(&mut problem)?;
        let values = Left { model: model.clone(), values: problem.values.clone() };
        let guards = guards_with_impulses(&mut problem, &watcher, &jump)?;
        Ok((LandedRhythm { rhythm, values, jump }, guards))
    }

    /// Commits a mode: the tick shows the values that follow from its states.
    fn arrive(
        &mut self,
        landed: Landed,
        left: &Left,
        tried: &[Arc<CompiledModel>],
        t: f64,
    ) -> Result<Arc<PartInMode>, Ended> {
        let Landed { mode, rhythms, .. } = landed;
        self.take(&mode.arrival, left, t)?;
        for landed in &rhythms {
            self.take_over(landed);
        }
        self.pivots.choose_anew(&mut self.problem);
        let compiled = self.compiled.clone();
        let no_tick = |why| NoTick { model: compiled.model.clone(), why };
        self.set_intervals(t);
        self.run_ticking(&compiled).map_err(no_tick)?;
        self.tell(&mode, left, tried, &rhythms, t);
        if !Arc::ptr_eq(&mode.arrival, &mode.part) {
            let now = self.left();
            self.take(&mode.part, &now, t)?;
            self.pivots.choose_anew(&mut self.problem);
        }
        self.note_visit(&mode);
        self.modes().present = Some(mode.clone());
        Ok(mode)
    }

    /// Takes over the projected values of a rhythm, and its held conditions.
    fn take_over(&mut self, landed: &LandedRhythm) {
        let mut all = self.problem.values.clone();
        landed.values.carry(&self.problem.model, &mut all);
        let own = |place: &usize| self.compiled.schedule.rhythm_of[*place] == Some(landed.rhythm);
        for place in (0..self.compiled.schedule.rhythm_of.len()).filter(own) {
            self.problem.values[place] = all[place];
        }
        for crossing in &landed.values.model.equations.events.crossings {
            let nudge = crossing.nudge.index();
            self.problem.values[nudge] = landed.values.values[nudge];
        }
    }

    /// Reports the change of the mode.
    fn tell(
        &mut self,
        mode: &PartInMode,
        left: &Left,
        tried: &[Arc<CompiledModel>],
        rhythms: &[LandedRhythm],
        t: f64,
    ) {
        let mut said = Vec::new();
        let mut change = ModeChange {
            time: t,
            clock: Some(self.clock_of(mode)),
            from: left.model.solvable.mode.id,
            to: mode.mode().id,
            because: changed_guards(&left.model.solvable.mode, mode.mode()),
            jumps: Vec::new(),
            impulses: Vec::new(),
            conserved: Vec::new(),
            energy: None,
            n_states: mode.part.schedule.states.len(),
            tried: passed(tried),
        };
        for LandedRhythm { rhythm, values: landed, jump } in rhythms {
            let model = &landed.model;
            let name = |v: VarId| model.equations.variable(v).name.to_string();
            let differs = |v: VarId, share: f64, a: f64, b: f64| {
                (a - b).abs() > share * self.problem.evaluator.nominal(v).max(a.abs()).max(b.abs())
            };
            let before = |v: VarId| left.values[v.index()];
            let measured = self.compiled.schedule.measured.iter().copied();
            let measured = measured.filter(|v| self.compiled.schedule.rhythm(*v) == Some(*rhythm));
            let overruled: Vec<(VarId, f64, f64)> = measured
                .map(|v| (v, landed.values[v.index()], self.problem.values[v.index()]))
                .filter(|&(v, to, now)| differs(v, self.tolerance, to, now))
                .collect();
            for v in model.solvable.impulses.jumping.iter().copied() {
                let now = self.problem.values[v.index()];
                if !model.equations.variable(v).is_hidden && differs(v, JUMP_REPORTED, before(v), now) {
                    change.jumps.push((name(v), before(v), now));
                }
            }
            change.impulses.extend(jump.impulses.iter().map(|&(v, z)| (name(v), z)));
            if overruled.is_empty() {
                change.conserved.extend(jump.conserved.iter().cloned());
                change.energy = match (change.energy, jump.energy) {
                    (Some(a), Some(b)) => Some((a.0 + b.0, a.1 + b.1)),
                    (a, b) => a.or(b),
                };
            }
            said.extend(overruled.into_iter().map(|overruled| of_measured_jump(model, overruled, t)));
            if !jump.undetermined.is_empty() {
                said.push(of_gauge(model, &jump.undetermined, t));
            }
        }
        let reports = &mut self.modes().reports;
        reports.said.extend(said);
        reports.changes.push(change);
    }

    /// The name of the clock that changes the mode.
    fn clock_of(&self, mode: &PartInMode) -> String {
        let rhythm = mode.rhythms.iter().flatten().find(|rhythm| self.times.ticks(**rhythm));
        let rhythms = &self.compiled.schedule.rhythms;
        rhythm.map_or_else(String::new, |&rhythm| rhythms[rhythm as usize].name.clone())
    }
}

/// The guards whose values differ from those of the mode before.
fn changed_guards(before: &Mode, now: &Mode) -> Vec<(String, bool)> {
    let pairs = before.guards.iter().zip(&now.guards);
    pairs.filter(|(before, now)| before != now).map(|(_, now)| now.clone()).collect()
}

/// Modes that were passed between the first and the last.
fn passed(tried: &[Arc<CompiledModel>]) -> Vec<u32> {
    let passed = tried.get(1..tried.len().saturating_sub(1)).unwrap_or_default();
    passed.iter().map(|model| model.solvable.mode.id).collect()
}

/// The guards at the instant of a jump: variables with an impulse count as larger than any number.
fn guards_with_impulses(
    problem: &mut ModelProblem,
    watcher: &Watcher,
    jump: &Jump,
) -> Result<Vec<bool>, NoValue> {
    let model = problem.model.clone();
    let crossing = problem.watched_along(&model.code.crossings, &jump.impulses);
    for (nudge, by) in watcher.nudges().zip(crossing) {
        if let Some(infinite) = indicator_impulse(by, jump) {
            problem.values[nudge.index()] = infinite;
        }
    }
    problem.evaluate_event()?;
    problem.guards()
}
