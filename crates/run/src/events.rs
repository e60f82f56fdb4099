//! Events: their instants, and their effects (MLS §8.5, appendix B).
//!
//! Between events every condition is held. An event happens where a held condition changes its value (located on the dense
//! output of the step), at a time known in advance, or at a tick. The equations are then evaluated anew, with all values
//! before the event known, until nothing changes any more.

mod ahead;
mod enclosed;
mod foresee;
mod in_order;
mod rest;
mod sides;

use std::sync::Arc;

use rhei_equations::{Border, Moment, Relation, VarId};
use rhei_kernel::Slot;
use rhei_model::CompiledModel;
use rhei_solve::evaluate::NoValue;
use rhei_solve::landing::land_after_jump;
use rhei_solve::modes::Left;
use rhei_solve::problem::ModelProblem;

use crate::asserts::of_assert;
use crate::clocks::{Clocks, NoTick};
use crate::constants::{EVENT_ITERATIONS, STUCK_CROSSINGS};
use crate::message::Message;
use crate::reach::Reach;

pub(crate) use ahead::Ahead;
pub(crate) use enclosed::{Enclosed, Side};
pub(crate) use rest::Bounces;

/// The event indicators of a model, and the memory of events.
#[derive(Clone)]
pub(crate) struct Watcher {
    crossings: Vec<Watched>,
    ticks: Vec<Tick>,
    /// Pairs `v`, `pre(v)`.
    previous: Vec<(VarId, VarId)>,
    /// `terminal()`, if the next event is the last one.
    ending: Option<VarId>,
    /// The held relations before an iteration.
    held: Vec<f64>,
    /// Whether each pair is of a discrete variable.
    is_discrete: Vec<bool>,
    /// The tolerance of the run.
    tolerance: f64,
    /// Functions called for their effect in iterations of the present event.
    pub(crate) called: Vec<Called>,
    /// The model with all its modes, where relations may be complementary, and the values before the present event.
    pub(crate) foreseeing: Option<Foreseeing>,
}

/// What the sides of complementary relations are found from.
#[derive(Clone)]
pub(crate) struct Foreseeing {
    /// The model with the structure that is common to most modes.
    pub(crate) base: Arc<CompiledModel>,
    /// All values before the event.
    pub(crate) before: Left,
}

/// A function call noted in an iteration of an event, made once the event has converged: iterations may be undone until
/// then.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// Its place among the effects.
    pub(crate) place: usize,
    /// The values its arguments are computed from; none if another mode came next, whose values count.
    pub(crate) values: Option<Vec<f64>>,
}

/// The result of the event search for a crossing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// The change of its event indicator in the step.
    pub(crate) came: f64,
    /// Whether it had changed its side at the located time.
    pub(crate) is_beyond: bool,
    /// Whether it had not, but was closer to its border than the resolution of time.
    pub(crate) is_due: bool,
}

#[derive(Clone)]
struct Watched {
    held: VarId,
    nudge: VarId,
    kind: Crossed,
    /// Time at which it was last turned back.
    turned: f64,
    /// Largest distance from its border at any event.
    farthest: f64,
    /// Crossings since it last moved clear of its border.
    stuck: u32,
    /// Consecutive events at which both sides led back to its border, and the time of the first.
    slides: u32,
    slides_since: f64,
    /// Whether the present mode keeps it at its border.
    is_pinned: bool,
    /// Whether the mode before did, and it has yet to move clear of it.
    is_released: bool,
    /// Whether it was found to be crossed at this event.
    is_found: bool,
    /// Whether it is above its border, where that was found as the solution of a complementarity problem.
    decided: Option<bool>,
    /// Whether it was among those of the last such problem.
    is_complementary: bool,
    /// Its last bounce within its band, while the model has yet to come to rest by it.
    pending_rest: Option<rest::PendingRest>,
}

impl Watched {
    /// Whether a relation is held at its value above the border.
    fn is_above(&self, problem: &ModelProblem) -> bool {
        let holds = problem.values[self.held.index()] != 0.0;
        matches!(self.kind, Crossed::Zero(Relation::Greater | Relation::GreaterEqual)) == holds
    }
}

#[derive(Clone, Copy)]
enum Crossed {
    Zero(Relation),
    Whole,
    Time,
}

/// The ticks of a `sample`.
#[derive(Clone)]
struct Tick {
    variable: VarId,
    start: f64,
    interval: f64,
    /// Ticks so far.
    count: u64,
}

impl Tick {
    fn next(&self) -> f64 {
        // with one rounding: the float nearest to the product and sum, at any count
        self.interval.mul_add(self.count as f64, self.start)
    }
}

/// The times of the next time events.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NextTimes {
    /// Any of them.
    pub(crate) any: f64,
    /// Those that may change the right-hand side, which the integrator must not step over.
    pub(crate) stops: f64,
}

impl NextTimes {
    /// No time event.
    pub(crate) const NEVER: NextTimes = NextTimes { any: f64::INFINITY, stops: f64::INFINITY };
}

/// Why the iteration of an event failed.
pub(crate) enum EventFailure {
    NoValue(NoValue),
    /// A clocked partition has no value.
    NoTick(NoTick),
    /// These variables do not converge.
    NotConverged(Vec<VarId>),
    /// These borders are crossed again and again without being cleared.
    Stuck(Vec<VarId>),
    /// On both sides of these borders the equations lead back to them, since this time.
    Sliding(Vec<VarId>, f64),
}

impl From<NoValue> for EventFailure {
    fn from(why: NoValue) -> EventFailure {
        EventFailure::NoValue(why)
    }
}

/// An assert that does not hold.
pub(crate) struct Broken {
    /// Its index.
    pub(crate) place: usize,
    /// Its message for the iteration in which it was evaluated; none if it is evaluated after the event has converged.
    pub(crate) said: Option<Message>,
}

/// The effects of an event.
#[derive(Default)]
pub(crate) struct EventEffects {
    /// Whether any discrete variable changed, or a state was set anew.
    pub(crate) changed: bool,
    /// Whether a `reinit` set a state.
    pub(crate) set_anew: bool,
    /// Whether a `sample` ticked or another time event was due.
    pub(crate) was_known: bool,
    /// The conditions whose values changed.
    pub(crate) switched: Vec<VarId>,
    /// The index of the `terminate` that became active.
    pub(crate) terminated: Option<usize>,
    /// Asserts that were violated in iterations.
    pub(crate) broken: Vec<Broken>,
}

impl EventEffects {
    /// Adds the effects of another event at the same instant; conditions switched by it are not added, since the
    /// event did not begin with them.
    pub(crate) fn and(&mut self, again: EventEffects) {
        self.set_anew |= again.set_anew;
        self.terminated = self.terminated.or(again.terminated);
        self.broken.extend(again.broken);
    }
}

impl Watcher {
    /// For a model whose parameters are known.
    pub(crate) fn new(problem: &mut ModelProblem, t: f64, tolerance: f64) -> Result<Watcher, NoValue> {
        let model = problem.model.clone();
        let events = &model.equations.events;
        let crossings = events.crossings.iter().map(|crossing| Watched {
            held: crossing.held,
            nudge: crossing.nudge,
            kind: match crossing.border {
                Border::Zero { relation, .. } => Crossed::Zero(relation),
                Border::Whole { .. } => Crossed::Whole,
                Border::Time { .. } => Crossed::Time,
            },
            turned: t,
            farthest: 0.0,
            stuck: 0,
            slides: 0,
            slides_since: t,
            is_pinned: false,
            is_released: false,
            is_found: false,
            decided: None,
            is_complementary: false,
            pending_rest: None,
        });
        let times = &model.code.samples;
        problem.compute(&times.program)?;
        let ticks = events.samples.iter().zip(&times.of).map(|(sample, times)| {
            let [start, interval] = [times.start, times.interval].map(|slot| problem.values[slot.index()]);
            // skip the ticks before the run
            let past = if interval > 0.0 { ((t - start) / interval - 1e-9).ceil().max(0.0) } else { 0.0 };
            Tick { variable: sample.tick, start, interval, count: past as u64 }
        });
        let previous = model.equations.kept_before();
        let is_discrete = previous.iter().map(|(of, _)| model.equations.variable(*of).is_discrete).collect();
        Ok(Watcher {
            crossings: crossings.collect(),
            ticks: ticks.collect(),
            previous,
            ending: None,
            held: Vec::new(),
            is_discrete,
            tolerance,
            called: Vec::new(),
            foreseeing: None,
        })
    }

    /// A `sample` with an invalid interval: its index, and the interval.
    pub(crate) fn without_interval(&self) -> Option<(usize, f64)> {
        let place = self.ticks.iter().position(|tick| tick.interval.is_nan() || tick.interval <= 0.0)?;
        Some((place, self.ticks[place].interval))
    }

    /// Makes the next event the last one of the run.
    pub(crate) fn announce_end(&mut self, terminal: VarId) {
        self.ending = Some(terminal);
    }

    /// Whether each crossing is a state event, whose time is not known ahead.
    pub(crate) fn is_looked_for(&self) -> impl Iterator<Item = bool> + '_ {
        self.crossings.iter().map(|crossing| !matches!(crossing.kind, Crossed::Time))
    }

    /// Whether a crossing may change anything that the integrator sees.
    pub(crate) fn touches(&self, reach: &Reach, place: usize) -> bool {
        reach.touches(self.crossings[place].held)
    }

    /// The next time events after `t`.
    pub(crate) fn next_times(
        &self,
        problem: &mut ModelProblem,
        reach: &Reach,
        t: f64,
    ) -> Result<NextTimes, NoValue> {
        let model = problem.model.clone();
        let mut next = NextTimes { any: f64::INFINITY, stops: f64::INFINITY };
        let mut happens = |at: f64, v: VarId| {
            next.any = next.any.min(at);
            if reach.touches(v) {
                next.stops = next.stops.min(at);
            }
        };
        if self.crossings.iter().any(|crossing| matches!(crossing.kind, Crossed::Time)) {
            problem.evaluate_watched(&model.code.crossings)?;
            let borders = model.code.crossings.slots.iter().map(|slot| problem.values[slot.index()]);
            for (crossing, at) in self.crossings.iter().zip(borders) {
                if matches!(crossing.kind, Crossed::Time) && at > t {
                    happens(at, crossing.held);
                }
            }
        }
        for tick in self.ticks.iter().filter(|tick| tick.interval > 0.0) {
            happens(tick.next().max(t), tick.variable);
        }
        Ok(next)
    }

    /// The event indicators at the point evaluated last.
    pub(crate) fn borders(&self, problem: &mut ModelProblem, borders: &mut Vec<f64>) -> Result<(), NoValue> {
        let model = problem.model.clone();
        problem.watched_into(&model.code.crossings, borders)
    }

    /// The margin by which each crossing keeps its side: negative once it has changed it, infinite for time
    /// events. Known times have none.
    pub(crate) fn margins<'a>(
        &'a self,
        problem: &'a ModelProblem,
        borders: &'a [f64],
    ) -> impl Iterator<Item = f64> + 'a {
        let values = &problem.values;
        let margin = move |(crossing, z): (&Watched, &f64)| {
            let (held, z) = (values[crossing.held.index()], *z + values[crossing.nudge.index()]);
            match crossing.kind {
                Crossed::Time => f64::INFINITY,
                _ if crossing.is_pinned => f64::INFINITY,
                Crossed::Whole => f64::min(z - held, held + 1.0 - z),
                Crossed::Zero(relation) => {
                    let holds = held != 0.0;
                    let above = matches!(relation, Relation::Greater | Relation::GreaterEqual) == holds;
                    if relation.holds(z, 0.0) == holds {
                        // at zero itself the kind of relation decides
                        z.abs().max(f64::MIN_POSITIVE)
                    } else if above {
                        z.min(-f64::MIN_POSITIVE)
                    } else {
                        (-z).min(-f64::MIN_POSITIVE)
                    }
                }
            }
        };
        self.crossings.iter().zip(borders).map(margin)
    }

    /// Performs an event at the point evaluated last. `seen` is the result of the event search in the step before, by
    /// crossing.
    pub(crate) fn happen(
        &mut self,
        problem: &mut ModelProblem,
        t: f64,
        seen: &[Seen],
        clocks: &mut Clocks,
    ) -> Result<EventEffects, EventFailure> {
        self.crossings.iter_mut().for_each(|crossing| crossing.is_found = false);
        if !seen.is_empty() {
            self.nudge(problem, seen)?;
            let stuck = self.crossings.iter().filter(|crossing| crossing.stuck > STUCK_CROSSINGS);
            let stuck: Vec<VarId> = stuck.map(|crossing| crossing.held).collect();
            if !stuck.is_empty() {
                return Err(EventFailure::Stuck(stuck));
            }
            // the present mode need not have values beyond a border that the next one is found by
            let is_next = |crossing: &Watched| crossing.is_found && crossing.is_complementary;
            problem.only_discrete |= self.crossings.iter().any(is_next);
        }
        self.keep_values_before(problem);
        let ticking = self.tick(problem, t);
        let clocked = self.tick_clocks(problem, clocks, t)?;
        if let Some(terminal) = self.ending.take() {
            problem.values[terminal.index()] = 1.0;
        }
        let mut happened = self.settle(problem, clocks)?;
        happened.changed |= clocked;
        let is_time = |crossing: &Watched| matches!(crossing.kind, Crossed::Time);
        let of_time = self.crossings.iter().filter(|crossing| is_time(crossing));
        happened.was_known = ticking
            || clocked
            || of_time.map(|crossing| crossing.held).any(|v| happened.switched.contains(&v));
        if ticking {
            self.ticks.iter().for_each(|tick| problem.values[tick.variable.index()] = 0.0);
            problem.evaluate_event()?;
            self.keep_values_before(problem);
            happened.changed = true;
        }
        Ok(happened)
    }

    /// Evaluates the equations until nothing changes any more. If they have no value, that may be because another mode comes
    /// next, or something jumps: discrete variables are then computed from the values before.
    pub(crate) fn settle(
        &mut self,
        problem: &mut ModelProblem,
        clocks: &mut Clocks,
    ) -> Result<EventEffects, EventFailure> {
        let may_land =
            !problem.model.equations.guards.is_empty() || !problem.model.solvable.discrete.is_empty();
        let before = (may_land && !problem.only_discrete).then(|| problem.values.clone());
        let n_called = self.called.len();
        match (self.iterate(problem, clocks), before) {
            (Err(EventFailure::NoValue(_)), Some(before)) => {
                problem.values = before;
                self.called.truncate(n_called);
                problem.only_discrete = true;
                self.iterate(problem, clocks)
            }
            (done, _) => done,
        }
    }

    /// Ticks the clocked partitions that are due; says whether the rest of the model sees a change.
    fn tick_clocks(
        &self,
        problem: &mut ModelProblem,
        clocks: &mut Clocks,
        t: f64,
    ) -> Result<bool, EventFailure> {
        let model = problem.model.clone();
        let noticed = clocks.tick(&mut problem.values, t).map_err(EventFailure::NoTick)?;
        if noticed
            && model.solvable.event.is_empty()
            && let Err(why) = problem.evaluate_here(t)
        {
            if model.equations.guards.is_empty() {
                return Err(why.into());
            }
            problem.only_discrete = true; // the tick may have led to another mode
        }
        Ok(noticed)
    }

    fn keep_values_before(&self, problem: &mut ModelProblem) {
        for (of, previous) in &self.previous {
            problem.values[previous.index()] = problem.values[of.index()];
        }
    }

    /// Sets the `sample` variables that tick at `t`; says whether there are any.
    fn tick(&mut self, problem: &mut ModelProblem, t: f64) -> bool {
        let mut any = false;
        for tick in &mut self.ticks {
            let now = tick.interval > 0.0 && tick.next() <= t;
            if now {
                tick.count += 1;
                any = true;
            }
            problem.values[tick.variable.index()] = f64::from(u8::from(now));
        }
        any
    }

    /// Evaluates the equations until nothing changes any more.
    fn iterate(
        &mut self,
        problem: &mut ModelProblem,
        clocks: &mut Clocks,
    ) -> Result<EventEffects, EventFailure> {
        let model = problem.model.clone();
        let mut happened = EventEffects::default();
        for _ in 0..EVENT_ITERATIONS {
            self.held.clear();
            self.held.extend(self.crossings.iter().map(|c| problem.values[c.held.index()]));
            self.foresee(problem);
            problem.evaluate_event()?;
            clocks.observe(&problem.values);
            // with the values of this evaluation: `reinit` comes after it
            let n_called = self.called.len();
            self.call(problem)?;
            break_in_turn(problem, &mut happened)?;
            let set_anew = reinitialise(&model, problem)?;
            // the rest is then left to another mode
            let leaves = problem.leaves_mode()?;
            problem.evaluate_watched(&model.code.terminations)?;
            let ends = model.code.terminations.slots.iter();
            let active = ends.clone().position(|slot| problem.values[slot.index()] != 0.0);
            happened.terminated = happened.terminated.or(active);
            if leaves {
                self.called[n_called..].iter_mut().for_each(|called| called.values = None);
            }
            problem.evaluate_watched(&model.code.asserts)?;
            let values = &problem.values;
            let asserts = model.code.asserts.slots.iter().enumerate();
            let broken = asserts.filter(|(_, slot)| values[slot.index()] == 0.0).map(|(place, _)| place);
            let differs = |(of, previous): &(VarId, VarId)| values[of.index()] != values[previous.index()];
            let changes = self.previous.iter().zip(&self.is_discrete).any(|(pair, is)| *is && differs(pair));
            happened.changed |= changes || set_anew;
            happened.set_anew |= set_anew;
            let is_at_rest = leaves || (!changes && !set_anew);
            if is_at_rest && !leaves {
                let broken = broken.filter(|place| model.equations.asserts[*place].moment == Moment::Rest);
                happened.broken.extend(broken.map(|place| Broken { place, said: None }));
            }
            let switched = self
                .crossings
                .iter()
                .zip(&self.held)
                .filter(|(c, before)| values[c.held.index()] != **before);
            happened.switched.extend(switched.map(|(crossing, _)| crossing.held));
            self.keep_values_before(problem);
            if is_at_rest {
                happened.broken.sort_by_key(|broken| broken.place);
                happened.broken.dedup_by_key(|broken| broken.place);
                happened.switched.sort_unstable();
                happened.switched.dedup();
                happened.changed |= !happened.switched.is_empty();
                return Ok(happened);
            }
        }
        // one more iteration shows which ones
        problem.evaluate_event()?;
        let values = &problem.values;
        let restless = self.previous.iter().zip(&self.is_discrete);
        let restless = restless.filter(|((of, p), is)| **is && values[of.index()] != values[p.index()]);
        let named = |of: VarId| model.equations.variable(of).rest_of.unwrap_or(of);
        let mut restless: Vec<VarId> = restless.map(|((of, _), _)| named(*of)).collect();
        restless.dedup();
        Err(EventFailure::NotConverged(restless))
    }

    /// Notes the functions called in this iteration.
    fn call(&mut self, problem: &mut ModelProblem) -> Result<(), NoValue> {
        let model = problem.model.clone();
        let effects = &model.equations.events.effects;
        if effects.iter().all(|effect| effect.moment != Moment::Turn) {
            return Ok(());
        }
        problem.evaluate_watched(&model.code.effects)?;
        let is_active: Vec<bool> =
            model.code.effects.slots.iter().map(|slot| problem.values[slot.index()] != 0.0).collect();
        for (place, effect) in effects.iter().enumerate() {
            if effect.moment == Moment::Turn && is_active[place] {
                // arguments without a value here may have one after convergence
                let values = problem.watched(&model.code.arguments[place]).ok();
                self.called.push(Called { place, values });
            }
        }
        Ok(())
    }
}

/// Notes the asserts in a `when` that are violated in this iteration, with its values: another mode may come next.
fn break_in_turn(problem: &mut ModelProblem, happened: &mut EventEffects) -> Result<(), NoValue> {
    let model = problem.model.clone();
    let asserts = &model.equations.asserts;
    if asserts.iter().all(|assert| assert.moment != Moment::Turn) {
        return Ok(());
    }
    problem.evaluate_watched(&model.code.asserts)?;
    let values = &problem.values;
    let is_broken = |place: &usize| values[model.code.asserts.slots[*place].index()] == 0.0;
    let of_turn = (0..asserts.len()).filter(|place| asserts[*place].moment == Moment::Turn);
    let broken: Vec<usize> = of_turn.filter(is_broken).collect();
    let t = values[model.code.time().index()];
    for place in broken {
        if happened.broken.iter().all(|known| known.place != place) {
            let said = Some(of_assert(problem, place, t));
            happened.broken.push(Broken { place, said });
        }
    }
    Ok(())
}

/// Applies the active `reinit`s; says whether there were any.
fn reinitialise(model: &CompiledModel, problem: &mut ModelProblem) -> Result<bool, NoValue> {
    let reinits = &model.equations.events.reinits;
    if reinits.is_empty() {
        return Ok(false);
    }
    let settings = &model.code.reinits;
    problem.compute(&settings.program)?;
    let at = |slot: Slot| problem.values[slot.index()];
    let set = reinits.iter().zip(&settings.of).filter(|(_, setting)| at(setting.active) != 0.0);
    // a target may occur in the new value of another
    let set: Vec<(VarId, f64)> = set.map(|(reinit, setting)| (reinit.target, at(setting.value))).collect();
    let any = !set.is_empty();
    set.into_iter().for_each(|(v, value)| problem.values[v.index()] = value);
    if any {
        land_after_jump(model, &problem.evaluator, &mut problem.values);
    }
    Ok(any)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number as a whole multiple of 2^-80, which the numbers of this test are.
    fn scaled(x: f64) -> i128 {
        let (bits, exponent) = (x.to_bits(), (x.to_bits() >> 52) as i32 - 1075);
        let mantissa = i128::from(bits & ((1 << 52) - 1) | 1 << 52);
        mantissa << (exponent + 80)
    }

    #[test]
    fn every_tick_is_at_the_nearest_number() {
        let (start, interval) = (0.3, 1e-5);
        for count in (1..2_000_000).step_by(997) {
            let tick = Tick { variable: VarId(0), start, interval, count };
            let exact = scaled(start) + i128::from(count) * scaled(interval);
            let off = |x: f64| (scaled(x) - exact).abs();
            let next = tick.next();
            assert!(off(next) <= off(next.next_up()) && off(next) <= off(next.next_down()), "tick {count}");
        }
    }
}
