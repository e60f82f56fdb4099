//! Changes of the mode during a run.
//!
//! At an event the guards say which mode comes next. It is entered from the values before the event, and its guards are
//! evaluated again, with the values and the signs of the impulses it would have: a diode that would get an impulse of voltage
//! conducts instead. Only the mode in which the guards stay as they are is committed, and only then anything jumps.

use std::sync::Arc;

use rhei_equations::{Done, Kind, VarId};
use rhei_kernel::Watch;
use rhei_model::{CompiledModel, Occasion};
use rhei_numerics::Method;
use rhei_solve::assumptions::Assumptions;
use rhei_solve::failure::landing::of_landing;
use rhei_solve::modes::jump::{Jump, NoLanding, land, no_room};
use rhei_solve::modes::off::Off;
use rhei_solve::modes::{Left, enter, indicator_impulse, neighbours};
use rhei_solve::problem::{ModelProblem, Present};
use rhei_solve::start::Started;
use rhei_source::Diagnostic;

use crate::constants::{IMPULSE_LARGE, IMPULSE_LINEAR, JUMP_REPORTED, MODES_TRIED};
use crate::events::{EventEffects, EventFailure};
use crate::failure::modes::{of_cycle, of_gauge, of_projection};
use crate::on_branch::OnBranch;
use crate::options::Projection;
use crate::reach::Reach;
use crate::running::Running;
use crate::stop::{Stop, stop_of};
use crate::visited::ModeChange;
use crate::watching::Search;

/// A mode that was tried, with the discrete variables: a return to both is a cycle.
struct Tried {
    model: Arc<CompiledModel>,
    discrete: Vec<u64>,
}

impl PartialEq for Tried {
    fn eq(&self, other: &Tried) -> bool {
        self.model.solvable.mode == other.model.solvable.mode && self.discrete == other.discrete
    }
}

/// A mode whose guards stay as they are, not yet committed.
pub(crate) struct Next {
    /// The modes tried before it, and itself.
    tried: Vec<Tried>,
    pub(crate) jump: Jump,
    /// Of its own conditions; those of the modes tried before it count for nothing.
    effects: EventEffects,
}

/// Discrete values where a mode is tried.
pub(crate) struct Discrete<'a> {
    /// Those that have a say in the guards go on from one mode tried to the next.
    now: &'a Left,
    /// The others begin anew in each: nothing of a mode that is not taken is left in them.
    begun: &'a Left,
}

impl Discrete<'_> {
    /// All of them as they are here.
    pub(crate) fn all(of: &Left) -> Discrete<'_> {
        Discrete { now: of, begun: of }
    }
}

/// The first error; the others follow from it, or are reported when it is gone.
pub(crate) fn refused(mut said: Vec<Diagnostic>) -> Stop {
    let place = said.iter().position(Diagnostic::is_error).unwrap_or(0);
    Stop::Broken(said.swap_remove(place))
}

impl Running<'_> {
    /// A copy of all values, if an event may make something jump.
    pub(crate) fn left(&self) -> Option<Left> {
        let may_jump = self.base.modes.is_some() || !self.model.solvable.impulses.jumping.is_empty();
        may_jump.then(|| self.held())
    }

    /// Enters the mode that the guards ask for after an event; `left` holds the values before it. `crossed` are the conditions
    /// found to switch in the step before.
    pub(crate) fn settle_mode(
        &mut self,
        t: f64,
        mut left: Left,
        was_set: bool,
        crossed: Vec<usize>,
    ) -> Result<EventEffects, Stop> {
        let mut all = EventEffects::default();
        let mut unordered = (crossed.len() > 1).then(|| (left.clone(), crossed));
        self.watcher.forget_decided();
        if was_set {
            self.take_over_states(&mut left);
        }
        for _ in 0..MODES_TRIED {
            let Some(Next { tried, jump, effects }) = self.next_mode(t, &left)? else {
                let guards = self.guards(t)?;
                all.and(self.stay(t, &left, was_set)?);
                if self.watcher.has_complementary() && self.guards(t)? != guards {
                    continue; // discrete variables went on, and the sides may follow
                }
                return Ok(all);
            };
            all.and(effects);
            if !jump.impulses.is_empty()
                && let Some((before, crossed)) = unordered.take()
                && !self.watcher.are_decided(&crossed)
            {
                let called = self.watcher.called.clone();
                self.refuse_order_of_impulses(t, &before, &crossed)?;
                self.watcher.called = called;
            }
            all.and(self.commit(t, &left, &tried, jump)?);
            left = self.held();
        }
        Err(Stop::Broken(of_cycle(std::slice::from_ref(&self.model), t)))
    }

    /// Takes, tentatively, the mode that the guards ask for and in which they stay as they are. None if that is the present
    /// one.
    pub(crate) fn next_mode(&mut self, t: f64, left: &Left) -> Result<Option<Next>, Stop> {
        let Some(modes) = self.base.modes.clone() else { return Ok(None) };
        let mut tried = vec![self.tried()];
        let (begun, n_called) = (self.held(), self.watcher.called.len());
        if self.may_change(t, left)? {
            self.take_complementary_sides(t, left)?;
        }
        let mut taken: Option<(Jump, EventEffects)> = None;
        for _ in 0..MODES_TRIED {
            let guards = self.guards(t)?;
            let target = match modes.enter(&guards, Occasion::Way) {
                Ok(entered) => entered.model(&self.base),
                // the common structure has values although a structure of its own would have none
                Err(_) if self.has_common_values() => self.base.clone(),
                Err(said) => {
                    taken = Some(self.search_mode(t, &guards, (left, &begun), said)?);
                    tried.push(self.tried());
                    continue;
                }
            };
            if target.solvable.mode == self.model.solvable.mode {
                return Ok(taken.map(|(jump, effects)| Next { tried, jump, effects }));
            }
            let held = self.held();
            self.watcher.called.truncate(n_called);
            let discrete = Discrete { now: &held, begun: &begun };
            taken = Some(self.try_mode(t, (target, guards.clone()), left, &discrete)?);
            if self.watcher.has_complementary() && self.guards(t)? != guards {
                self.take_complementary_sides(t, left)?;
            }
            let now = self.tried();
            let is_again = tried.contains(&now);
            tried.push(now);
            if is_again {
                break;
            }
        }
        let models: Vec<Arc<CompiledModel>> = tried.into_iter().map(|tried| tried.model).collect();
        Err(Stop::Broken(of_cycle(&models, t)))
    }

    /// Whether the guards, a jump or the beginning of the run may lead to another mode.
    fn may_change(&mut self, t: f64, left: &Left) -> Result<bool, Stop> {
        let is_start = self.work.events <= 1 && t == self.options.start_time;
        let is_other = is_start
            || self.problem.only_discrete
            || self.is_leaving_mode(t)?
            || self.has_jumped(left)
            || self.watcher.has_other_sides(&self.problem, &left.values);
        if is_other || !self.watcher.has_complementary() || !Arc::ptr_eq(&self.model, &left.model) {
            return Ok(is_other);
        }
        // the common structure may have values where shares are not determined
        let before = self.problem.at_values(&left.values, ModelProblem::guards);
        let before = before.map_err(|why| Stop::NoValue(why, t))?;
        Ok(before != self.guards(t)?)
    }

    /// Whether the structure that is common to most modes has been evaluated with the guards as they are.
    fn has_common_values(&self) -> bool {
        self.model.solvable.mode.id == 0 && !self.problem.only_discrete
    }

    /// A copy of all values.
    pub(crate) fn held(&self) -> Left {
        Left { model: self.model.clone(), values: self.problem.values.clone() }
    }

    /// IndicatorSamples for a neighbour, with guards that stay as they are, of a mode that the guards ask for but that cannot be
    /// entered: a switch closes beside a diode that still conducts.
    fn search_mode(
        &mut self,
        t: f64,
        guards: &[bool],
        (left, begun): (&Left, &Left),
        said: Vec<Diagnostic>,
    ) -> Result<(Jump, EventEffects), Stop> {
        let Some(modes) = self.base.modes.clone() else { return Err(refused(said)) };
        let held = self.held();
        let n_called = self.watcher.called.len();
        for nearby in neighbours(guards) {
            self.watcher.called.truncate(n_called);
            let Ok(entered) = modes.enter(&nearby, Occasion::Trial) else { continue };
            let target = entered.model(&self.base);
            let discrete = Discrete { now: &held, begun };
            let Ok(taken) = self.try_mode(t, (target, nearby.clone()), left, &discrete) else { continue };
            if self.guards(t)? == nearby {
                return Ok(taken);
            }
        }
        Err(refused(said))
    }

    /// Whether a variable has a say in the guards of the model.
    fn has_say(&mut self, v: VarId) -> bool {
        self.deciding.get_or_insert_with(|| Reach::deciding(&self.base).into())[v.index()]
    }

    /// The present mode, in the form in which tried modes are compared.
    fn tried(&self) -> Tried {
        let problem = &self.problem;
        let common = problem.model.equations.iter_variables().take(self.n_common);
        let discrete = common.filter(|(_, variable)| variable.is_discrete);
        let discrete = discrete.map(|(v, _)| problem.values[v.index()].to_bits()).collect();
        Tried { model: problem.model.clone(), discrete }
    }

    /// Takes states set by a `reinit` for those before the jump.
    pub(crate) fn take_over_states(&self, left: &mut Left) {
        let problem = &self.problem;
        for state in &problem.model.solvable.states {
            left.values[state.variable.index()] = problem.values[state.variable.index()];
        }
        for v in &problem.model.solvable.impulses.jumping {
            left.values[v.index()] = problem.values[v.index()];
        }
    }

    /// The guards as they are now.
    pub(crate) fn guards(&mut self, t: f64) -> Result<Vec<bool>, Stop> {
        self.problem.guards().map_err(|why| Stop::NoValue(why, t))
    }

    /// Ends an event that did not change the mode.
    fn stay(&mut self, t: f64, left: &Left, was_set: bool) -> Result<EventEffects, Stop> {
        let (jump, effects) = self.restore_constraints(t, left, was_set)?;
        if let Some(jump) = jump {
            let change = self.change(t, left, &[], jump);
            self.visits.note_change(change);
        }
        Ok(effects)
    }

    /// In the mode that stays: its constraints may have changed with discrete variables, and the variables they tie are
    /// projected onto them.
    pub(crate) fn restore_constraints(
        &mut self,
        t: f64,
        left: &Left,
        was_set: bool,
    ) -> Result<(Option<Jump>, EventEffects), Stop> {
        let mut effects = EventEffects::default();
        if std::mem::take(&mut self.problem.only_discrete) {
            // the failure was not caused by the mode
            let states = self.problem.states();
            if let Err(why) = self.problem.evaluate(t, &states) {
                let why = no_room(&mut self.problem, &left.values, why);
                return Err(self.not_landed(why, t));
            }
            self.watcher.keep_decided(&mut self.problem).map_err(|why| Stop::NoValue(why, t))?;
            effects.and(self.settle(t)?);
        }
        if was_set || !self.has_jumped(left) {
            return Ok((None, effects));
        }
        let landed = land(&mut self.problem, t, &left.values, self.options.tolerance);
        let jump = landed.map_err(|why| self.not_landed(why, t))?;
        effects.and(self.settle(t)?);
        Ok((Some(jump), effects))
    }

    /// Lets conditions settle.
    pub(crate) fn settle(&mut self, t: f64) -> Result<EventEffects, Stop> {
        let settled = self.watcher.settle(&mut self.problem, &mut self.clocks);
        settled.map_err(|failure| stop_of(failure, t))
    }

    /// Whether a differentiated variable has jumped.
    fn has_jumped(&self, left: &Left) -> bool {
        let jumping = &self.model.solvable.impulses.jumping;
        jumping.iter().any(|&v| self.differs(v, left.values[v.index()]))
    }

    /// Whether a variable differs from its value before by more than the tolerance.
    pub(crate) fn differs(&self, v: VarId, before: f64) -> bool {
        let now = self.problem.values[v.index()];
        let size = self.problem.evaluator.nominal(v).max(before.abs()).max(now.abs());
        (now - before).abs() > self.options.tolerance * size
    }

    fn not_landed(&self, why: NoLanding, t: f64) -> Stop {
        match why {
            NoLanding::NoValue(why) if self.base.modes.is_none() => Stop::NoValue(why, t),
            NoLanding::NoValue(why) => Stop::InMode(self.model.clone(), why, t),
            other => Stop::Broken(of_landing(&self.model, &other, t)),
        }
    }

    /// Takes a mode tentatively: projects onto its constraints, and lets its conditions settle with the impulses.
    fn try_mode(
        &mut self,
        t: f64,
        (model, guards): (Arc<CompiledModel>, Vec<bool>),
        left: &Left,
        discrete: &Discrete<'_>,
    ) -> Result<(Jump, EventEffects), Stop> {
        let (before, _) = self.be_in_mode(t, (model, guards), left, discrete)?;
        let landed = land(&mut self.problem, t, &before, self.options.tolerance);
        let jump = landed.map_err(|why| self.not_landed(why, t))?;
        let effects = self.settle_with_impulses(t, &jump)?;
        Ok((jump, effects))
    }

    /// Makes a mode the present one, not yet on its constraints: continuous variables are as in `left`, discrete ones as told. Answers the values before of all variables of the mode, and the problem that was run until now.
    pub(crate) fn be_in_mode(
        &mut self,
        t: f64,
        (model, guards): (Arc<CompiledModel>, Vec<bool>),
        left: &Left,
        discrete: &Discrete<'_>,
    ) -> Result<(Vec<f64>, ModelProblem), Stop> {
        let in_mode = |why| Stop::InMode(model.clone(), why, t);
        let started = enter(&model, left, t, self.options.given()).map_err(in_mode)?;
        let Started { mut values, mut evaluator, nominals, charts, .. } = started;
        evaluator.groups = self.problem.evaluator.groups.carried(self.n_common);
        let before = left.of(&model, &values);
        let changes = std::mem::take(&mut self.charts.changes);
        let past = self.problem.take_past();
        for (v, variable) in model.equations.iter_variables().take(self.n_common) {
            if variable.is_discrete || matches!(variable.kind, Kind::Pre { .. } | Kind::Given) {
                let from = if self.has_say(v) { discrete.now } else { discrete.begun };
                values[v.index()] = from.values[v.index()];
            }
        }
        charts.write(&model, &mut values);
        let mut problem = ModelProblem::new(model.clone(), values, evaluator, self.span);
        problem.past = past;
        problem.modes = self.base.modes.clone().map(|structures| Present { structures, guards });
        self.keep_loops();
        self.assumptions = Assumptions::new(&model);
        self.on_branch = OnBranch::new(&mut problem);
        self.notice.reach = Reach::new(&model);
        self.search = Search::new(&model, &self.watcher, &self.options);
        self.states = vec![0.0; model.solvable.states.len()];
        self.model = model;
        self.charts = charts;
        self.charts.changes = changes;
        self.nominals = nominals;
        Ok((before, std::mem::replace(&mut self.problem, problem)))
    }

    /// Lets conditions settle at the instant of a jump, variables with an impulse counting as larger than any
    /// number.
    fn settle_with_impulses(&mut self, t: f64, jump: &Jump) -> Result<EventEffects, Stop> {
        let problem = &mut self.problem;
        let model = problem.model.clone();
        let in_mode = |why| Stop::InMode(model.clone(), why, t);
        self.watcher
            .take_sides(problem)
            .and_then(|()| self.watcher.keep_decided(problem))
            .map_err(in_mode)?;
        let crossing = impulses_of(problem, &model.code.crossings, &jump.impulses);
        let infinite = |(nudge, by)| Some((nudge, indicator_impulse(by, jump)?));
        let kept: Vec<(VarId, f64)> = self
            .watcher
            .nudges()
            .zip(crossing)
            .filter_map(infinite)
            .map(|(nudge, infinite)| (nudge, std::mem::replace(&mut problem.values[nudge.index()], infinite)))
            .collect();
        let done = self.watcher.settle(problem, &mut self.clocks);
        for (nudge, value) in kept {
            problem.values[nudge.index()] = value;
        }
        match done {
            Ok(effects) => Ok(effects),
            Err(EventFailure::NoValue(why)) => Err(Stop::InMode(model, why, t)),
            Err(failure) => Err(stop_of(failure, t)),
        }
    }

    /// Lets conditions settle once the impulses are over.
    pub(crate) fn end_impulses(&mut self, t: f64, jump: &Jump) -> Result<EventEffects, Stop> {
        let effects = if jump.impulses.is_empty() { EventEffects::default() } else { self.settle(t)? };
        self.watcher.pin(&mut self.problem).map_err(|why| Stop::NoValue(why, t))?;
        Ok(effects)
    }

    /// Commits the mode: the integrator begins anew in it.
    fn commit(&mut self, t: f64, left: &Left, tried: &[Tried], jump: Jump) -> Result<EventEffects, Stop> {
        let effects = self.end_impulses(t, &jump)?;
        if !jump.undetermined.is_empty() {
            self.reports.add(of_gauge(&self.model, &jump.undetermined, t));
        }
        let because = self.changed_guards(t)?;
        let change = self.change(t, left, tried, jump);
        self.visits.note_change(ModeChange { because, ..change });
        if self.visits.note_mode(&self.model) {
            self.reports.add_all(self.model.entry_notes.iter().cloned());
        }
        self.check_asserts(t, false)?;
        self.accept(t);
        self.integrating.end_mode();
        (self.current, self.looks.last) = (None, None);
        self.begin_integrator(t)?;
        Ok(effects)
    }

    /// The guards that changed since the last reported change of the mode.
    fn changed_guards(&mut self, t: f64) -> Result<Vec<(String, bool)>, Stop> {
        let now = self.guards(t)?;
        let before = std::mem::replace(&mut self.visits.guards, now.clone());
        let equations = &self.base.equations;
        let changed = equations.guards.iter().zip(before.iter().zip(&now)).filter(|(_, (a, b))| a != b);
        Ok(changed.map(|(guard, (_, now))| (equations.guard_text(guard), *now)).collect())
    }

    /// The report of a change of the mode.
    fn change(&self, t: f64, left: &Left, tried: &[Tried], jump: Jump) -> ModeChange {
        let problem = &self.problem;
        let model = &problem.model;
        let name = |v: VarId| model.equations.variable(v).name.to_string();
        let mut jumping: Vec<VarId> = model.solvable.impulses.jumping.clone();
        jumping.extend(left.model.solvable.states.iter().map(|state| state.variable));
        jumping.retain(|&v| v.index() < self.n_common && !model.equations.variable(v).is_hidden);
        jumping.sort_unstable();
        jumping.dedup();
        let has_jumped = |v: VarId| {
            let (before, now) = (left.values[v.index()], problem.values[v.index()]);
            (now - before).abs()
                > JUMP_REPORTED * problem.evaluator.nominal(v).max(before.abs()).max(now.abs())
        };
        let is_told = self.has_jumped(left);
        let jumped = jumping.into_iter().filter(|&v| is_told && has_jumped(v));
        let passed = tried.get(1..tried.len().saturating_sub(1)).unwrap_or_default();
        ModeChange {
            time: t,
            clock: None,
            from: left.model.solvable.mode.id,
            to: model.solvable.mode.id,
            because: Vec::new(),
            jumps: jumped.map(|v| (name(v), left.values[v.index()], problem.values[v.index()])).collect(),
            impulses: jump.impulses.iter().map(|&(v, z)| (name(v), z)).collect(),
            conserved: jump.conserved,
            energy: jump.energy,
            n_states: model.solvable.states.len(),
            tried: passed.iter().map(|tried| tried.model.solvable.mode.id).collect(),
        }
    }

    /// Prepares steps without constraints, if they are asked for.
    pub(crate) fn leave_constraints(&mut self, t: f64) -> Result<(), Stop> {
        if self.options.choices.projection != Some(Projection::End) {
            return Ok(());
        }
        if !self.options.method.is_explicit_fixed_step() {
            return Err(Stop::Broken(of_projection(&self.model, &of_method(self.options.method))));
        }
        let Some(modes) = self.base.modes.clone() else {
            let has_constraints =
                self.model.equations.equations.iter().any(|e| e.origin.done.contains(&Done::Differentiated));
            return match has_constraints {
                true => {
                    Err(Stop::Broken(of_projection(&self.model, "the constraints of this model hold always")))
                }
                false => Ok(()),
            };
        };
        let guards = self.guards(t)?;
        let uncoupled = modes.uncoupled(&guards).map_err(refused)?;
        let off = match uncoupled {
            Some(model) => {
                let off = Off::new(&model, &self.problem, t, self.span, self.options.given());
                Some(Box::new(off.map_err(|why| Stop::InMode(model.clone(), why, t))?))
            }
            None => None,
        };
        self.problem.off = off;
        Ok(())
    }
}

/// What impulses add to event indicators: their derivative along the impulses or, as some are not linear (the square of a current), their
/// change by values as large as an impulse, by its size.
fn impulses_of(problem: &mut ModelProblem, watch: &Watch, impulses: &[(VarId, f64)]) -> Vec<f64> {
    let along = problem.watched_along(watch, impulses);
    let largest = impulses.iter().fold(0.0, |most: f64, (_, z)| most.max(z.abs()));
    if largest == 0.0 {
        return along;
    }
    let mut far = problem.values.clone();
    let by = IMPULSE_LARGE / largest;
    impulses.iter().for_each(|(v, z)| far[v.index()] += by * z);
    let (here, there) = (problem.watched(watch), problem.at_values(&far, |problem| problem.watched(watch)));
    let (Ok(here), Ok(there)) = (here, there) else { return along };
    let changes = there.iter().zip(&here).map(|(there, here)| (there - here) / by);
    let is_linear =
        |along: f64, change: f64| (along - change).abs() <= IMPULSE_LINEAR * along.abs().max(largest);
    along.iter().zip(changes).map(|(&a, b)| if is_linear(a, b) || !b.is_finite() { a } else { b }).collect()
}

fn of_method(method: Method) -> String {
    format!("{method} is no explicit method with a fixed step")
}
