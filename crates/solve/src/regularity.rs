//! Distance of a run from points at which its equations determine nothing.
//!
//! Nonlinear loops, state sets and assumptions define functions of the states implicitly: as long as their derivatives are
//! regular. Along a solution that goes on uniquely the sign of the determinant stays (its topological index is invariant), and
//! where two branches of solutions cross it changes along each. So a change of sign within a step shows a branching point or a jump
//! to another branch. A search that is reflected by a branching point leaves no change of sign, but its solution is not where the
//! branch was heading: it is compared with the extrapolated one by the Newton–Kantorovich quantity, the relative change of the
//! derivatives over the distance of the two (Deuflhard, *Newton Methods for Nonlinear Problems*, 2004, §5.1). Where that is large,
//! or the determinant falls to almost nothing, the step has to be looked at within. All of this takes no evaluation: the determinants of loops are left by Newton's method.
//!
//! The determinants of sets and assumptions, taken after each step, may not fall to less than a part of themselves within a step;
//! where they head for zero the next step ends well before it.

use rhei_equations::VarId;
use rhei_kernel::{Iteration, Step};
use rhei_model::CompiledModel;
use rhei_numerics::determinant::Determinant;
use rhei_numerics::lu::Lu;
use rhei_solvable::Cause;
use rustc_hash::FxHashMap;

use crate::assumptions::Assumptions;
use crate::charts::Charts;
use crate::constants::{
    BRANCH_CLOSE, BRANCH_DISTINCT, BRANCH_GROSS, BRANCH_GROWTH, BRANCH_MAY_TURN, BRANCH_REMEMBERED,
    BRANCH_SHORT, BRANCH_TURN, REGULARITY_CLOSE, REGULARITY_DECLINE, REGULARITY_DIFFERS, REGULARITY_OF_WAY,
    REGULARITY_SINGULAR, REGULARITY_STEPS, REGULARITY_SUSPECT, REGULARITY_VANISHED,
};
use crate::evaluate::{Evaluator, NoValue};
use crate::loop_matrix::derivatives;
use crate::problem::ModelProblem;
use crate::start::jacobians_into;
use crate::way_of_loop::{LoopPoint, Past, Way, distance};

/// A step has two points before it, one to compare with, and its own.
const MOST_SPARE: usize = 4;

/// A loop whose branch of solutions is watched.
#[derive(Clone, Debug)]
pub struct WatchedLoop {
    id: u32,
    /// Its guesses.
    pub guessed: Vec<VarId>,
    /// The origin of each residual.
    pub because: Vec<Cause>,
    nominals: Vec<f64>,
}

/// All that is watched, at a point of the run.
#[derive(Debug, Default)]
pub struct Point {
    /// Its time.
    pub t: f64,
    /// Per loop; without determinants after an event, which has loops of its own; none if nothing is known.
    pub loops: Vec<LoopPoint>,
    /// Per state set, the derivatives of its constraints.
    pub sets: Vec<Vec<f64>>,
    /// Per assumption.
    pub assumptions: Vec<Vec<f64>>,
}

impl Clone for Point {
    fn clone(&self) -> Point {
        let Point { t, loops, sets, assumptions } = self;
        Point { t: *t, loops: loops.clone(), sets: sets.clone(), assumptions: assumptions.clone() }
    }

    fn clone_from(&mut self, from: &Point) {
        let Point { t, loops, sets, assumptions } = self;
        *t = from.t;
        loops.clone_from(&from.loops);
        sets.clone_from(&from.sets);
        assumptions.clone_from(&from.assumptions);
    }
}

/// Judgement of a step, or of a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It stays on its branch, and well away from singular points.
    Regular,
    /// A determinant of a set or an assumption has fallen too far, or changed its sign.
    Steep,
    /// This loop may have left its branch.
    InDoubt(usize),
}

/// Constraints with a determinant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constraint {
    /// A state set, in its present choice.
    Set(usize),
    /// An assumption.
    Assumption(usize),
}

impl Constraint {
    fn determinant(self, model: &CompiledModel, charts: &Charts, at: &Point) -> Option<Determinant> {
        match self {
            Constraint::Set(set) => Some(charts.determinant(model, set, at.sets.get(set)?)),
            Constraint::Assumption(place) => {
                Some(Assumptions::determinant(model, place, at.assumptions.get(place)?))
            }
        }
    }
}

/// The history of a run, as far as it is needed to judge its next step.
#[derive(Clone)]
pub struct Regularity {
    /// The watched loops.
    pub loops: Vec<WatchedLoop>,
    /// The last two points, the later one first.
    pub last: Option<Point>,
    /// The point before.
    pub before: Option<Point>,
    /// An earlier point at which determinants were clearly others: those of points close to each other differ by rounding errors.
    anchor: Option<Point>,
    /// Per loop, the largest determinant since the last event.
    largest: Vec<Option<Determinant>>,
    /// Per loop, how much its determinant has lately changed over the way of its guesses: as a share of the largest, per nominal value.
    bends: Vec<Option<f64>>,
    /// Per loop, how far its guesses have lately moved in a step, in nominal values.
    moves: Vec<f64>,
    /// When the determinant of a set or an assumption was largest, and how large.
    largest_of: FxHashMap<Constraint, (f64, Determinant)>,
    /// Number of steps that one of them has been close to zero for.
    n_close: u32,
    /// Points that are no longer needed: their memory is that of the next ones.
    spare: Vec<Point>,
}

impl Regularity {
    /// For a model in one mode.
    pub fn new(model: &CompiledModel, problem: &mut ModelProblem) -> Regularity {
        let routines = [&model.code.dynamic, &model.code.watched];
        let mut loops = Vec::new();
        for step in routines.into_iter().flat_map(|routine| &routine.steps) {
            if let Step::Iterate(iteration) = step
                && is_watched(iteration, problem)
            {
                let limits = problem.evaluator.limits(iteration);
                loops.push(WatchedLoop {
                    id: iteration.id,
                    guessed: iteration.guessed.clone(),
                    because: iteration.because.clone(),
                    nominals: limits.nominals.clone(),
                });
            }
        }
        Regularity {
            largest: vec![None; loops.len()],
            bends: vec![None; loops.len()],
            moves: vec![0.0; loops.len()],
            largest_of: FxHashMap::default(),
            n_close: 0,
            loops,
            last: None,
            before: None,
            anchor: None,
            spare: Vec::new(),
        }
    }

    /// Whether there is nothing to watch.
    pub fn is_empty(&self, model: &CompiledModel) -> bool {
        self.loops.is_empty() && model.solvable.sets.is_empty() && model.solvable.assumptions.is_empty()
    }

    /// The point evaluated last.
    pub fn point(&mut self, problem: &mut ModelProblem, t: f64) -> Result<Point, NoValue> {
        let model = problem.model.clone();
        let (evaluator, values) = (&mut problem.evaluator, &mut problem.values);
        let mut point = self.spare.pop().unwrap_or_default();
        point.t = t;
        point.loops.resize_with(self.loops.len(), LoopPoint::default);
        for (at, watched) in point.loops.iter_mut().zip(&self.loops) {
            at.guesses.clear();
            at.guesses.extend(watched.guessed.iter().map(|v| values[v.index()]));
            at.determinant = evaluator.memory.get(&watched.id).and_then(|memory| memory.determinant);
        }
        for (place, at) in point.loops.iter_mut().enumerate().filter(|(_, at)| at.determinant.is_none()) {
            at.determinant = self.determinant_here(place, &model, evaluator, values);
        }
        jacobians_into(&model.code.sets, evaluator, values, &mut point.sets)?;
        jacobians_into(&model.code.assumptions, evaluator, values, &mut point.assumptions)?;
        Ok(point)
    }

    /// Takes back the memory of a point that is no longer needed.
    pub fn reuse(&mut self, point: Point) {
        if self.spare.len() < MOST_SPARE {
            self.spare.push(point);
        }
    }

    /// The determinant of a loop that was at its solution from the beginning.
    fn determinant_here(
        &self,
        place: usize,
        model: &CompiledModel,
        evaluator: &mut Evaluator,
        values: &mut [f64],
    ) -> Option<Determinant> {
        let WatchedLoop { id, nominals, .. } = &self.loops[place];
        let steps = [&model.code.dynamic, &model.code.watched].into_iter().flat_map(|routine| &routine.steps);
        let iteration = steps.into_iter().find_map(|step| match step {
            Step::Iterate(iteration) if iteration.id == *id => Some(iteration),
            _ => None,
        })?;
        let n = nominals.len();
        let mut lu = Lu::new(n);
        let plan = evaluator.plan(iteration);
        let (changes, functions) = (&mut evaluator.changes[..], &evaluator.functions);
        derivatives(iteration, plan.as_deref(), values, changes, functions, lu.matrix_mut());
        let scaled = lu.matrix_mut().iter_mut().enumerate();
        scaled.for_each(|(at, entry)| *entry *= nominals[at % n]);
        match lu.factorise_in_place() {
            Ok(()) => Some(lu.determinant()),
            Err(_) => Some(Determinant::ZERO),
        }
    }

    /// Begins anew, after an event.
    pub fn begin(&mut self, point: Option<Point>) {
        (self.before, self.anchor) = (None, None);
        self.last = point.map(|mut point| {
            point.loops.iter_mut().for_each(|at| at.determinant = None);
            point
        });
        self.largest.fill(None);
        self.bends.fill(None);
    }

    /// Forgets the loops, after a change of states: those of sets have other determinants.
    pub fn forget_loops(&mut self) {
        let points = self.last.iter_mut().chain(&mut self.before).chain(&mut self.anchor);
        points.for_each(|point| point.loops.clear());
        self.largest.fill(None);
        self.bends.fill(None);
    }

    /// Takes over a point.
    pub fn accept(&mut self, model: &CompiledModel, charts: &Charts, point: Point) {
        for (largest, at) in self.largest.iter_mut().zip(&point.loops) {
            let is_larger = |now: &Determinant| largest.is_none_or(|most| now.share_of(most).abs() > 1.0);
            if let Some(now) = at.determinant.filter(is_larger) {
                *largest = Some(now);
            }
        }
        for place in 0..self.bends.len() {
            let before = self.bends[place].map(|bend| BRANCH_REMEMBERED * bend);
            self.bends[place] = larger(self.bend(place, &point), before);
            let moved = self.way(place, &point).map_or(0.0, |way| way.moved());
            self.moves[place] = moved.max(BRANCH_REMEMBERED * self.moves[place]);
        }
        for each in self.constraints(model, charts) {
            let Some(now) = each.determinant(model, charts, &point) else { continue };
            let most = self.largest_of.get(&each).map(|(_, most)| *most);
            let grows = |share: f64| share.is_nan() || share.abs() > 1.0;
            if most.is_none_or(|most| grows(now.share_of(most))) {
                self.largest_of.insert(each, (point.t, now));
            }
        }
        if self.below(model, charts, REGULARITY_CLOSE).is_empty() {
            self.n_close = 0;
        }
        let differs = |from: &Point| {
            let shares = self.shares(model, charts, from, &point);
            let loops = from.loops.iter().zip(&point.loops);
            let of_loops = loops.filter_map(|(from, to)| Some(to.determinant?.share_of(from.determinant?)));
            shares.chain(of_loops).any(|share| share.is_nan() || (share - 1.0).abs() >= REGULARITY_DIFFERS)
        };
        if self.anchor.is_none()
            || self.last.as_ref().is_some_and(differs)
            || self.anchor.as_ref().is_some_and(differs)
        {
            self.anchor.clone_from(&self.last);
        }
        if let Some(point) = std::mem::replace(&mut self.before, self.last.replace(point)) {
            self.reuse(point);
        }
    }

    /// Judges the way from the last point to another one.
    pub fn judge(&self, model: &CompiledModel, charts: &Charts, to: &Point) -> Judgement {
        let Some(last) = &self.last else { return Judgement::Regular };
        let falls = |share: f64| share < REGULARITY_DECLINE;
        if self.shares(model, charts, last, to).any(falls) {
            return Judgement::Steep;
        }
        match (0..last.loops.len()).find(|&place| self.is_in_doubt(place, to)) {
            Some(place) => Judgement::InDoubt(place),
            None => Judgement::Regular,
        }
    }

    /// The sets whose choices are watched, and the assumptions.
    fn constraints<'a>(
        &self,
        model: &'a CompiledModel,
        charts: &'a Charts,
    ) -> impl Iterator<Item = Constraint> + use<'a> {
        let sets = (0..model.solvable.sets.len()).filter(|&set| charts.is_watched(set)).map(Constraint::Set);
        sets.chain((0..model.solvable.assumptions.len()).map(Constraint::Assumption))
    }

    /// The determinant of each of these at a point as a share of that at another.
    fn shares<'a>(
        &self,
        model: &'a CompiledModel,
        charts: &'a Charts,
        from: &'a Point,
        to: &'a Point,
    ) -> impl Iterator<Item = f64> + use<'a> {
        let constraints = self.constraints(model, charts);
        constraints.filter_map(|each| {
            let determinant = |at| each.determinant(model, charts, at);
            Some(determinant(to)?.share_of(determinant(from)?))
        })
    }

    /// How long the next step may be: a part of the time after which the determinant of a set or an assumption would be
    /// zero if it went on as in the last step.
    pub fn longest_step(&self, model: &CompiledModel, charts: &Charts) -> f64 {
        let (Some(last), Some(before)) = (&self.last, &self.anchor) else { return f64::INFINITY };
        let shares = self.shares(model, charts, last, before);
        let until_zero = shares.map(|share| time_to_zero(share, last.t - before.t));
        (1.0 - REGULARITY_DECLINE) * until_zero.fold(f64::INFINITY, f64::min)
    }

    /// Those whose determinant is below this share of the largest.
    fn below(&self, model: &CompiledModel, charts: &Charts, share: f64) -> Vec<(Constraint, f64)> {
        let Some(last) = &self.last else { return Vec::new() };
        let is_below = |each: &Constraint| {
            let &(at, largest) = self.largest_of.get(each)?;
            let now = each.determinant(model, charts, last)?;
            (now.share_of(largest).abs() < share).then_some(at)
        };
        let constraints = self.constraints(model, charts);
        constraints.filter_map(|each| Some((each, is_below(&each)?))).collect()
    }

    /// A set or an assumption that is near a point at which it is singular, if there is one.
    pub fn suspect(&self, model: &CompiledModel, charts: &Charts) -> Option<Constraint> {
        self.below(model, charts, REGULARITY_SUSPECT).first().map(|(each, _)| *each)
    }

    /// A set, or an assumption, that has become singular at the last point, if there is one; a set with all its choices. So it has
    /// if its determinant goes to zero, or stays close to zero for more steps than any regular motion takes.
    pub fn singular(&mut self, model: &CompiledModel, charts: &Charts) -> Option<Constraint> {
        let close = self.below(model, charts, REGULARITY_CLOSE);
        let &(first, _) = close.first()?;
        self.n_close += 1;
        if self.n_close > REGULARITY_STEPS {
            return Some(first);
        }
        let (Some(last), Some(before)) = (&self.last, &self.anchor) else { return None };
        let goes_to_zero = |&(each, at): &(Constraint, f64)| {
            let now = each.determinant(model, charts, last)?;
            let share = each.determinant(model, charts, before)?.share_of(now);
            let is_near = time_to_zero(share, last.t - before.t) < REGULARITY_OF_WAY * (last.t - at);
            (share < 0.0 || is_near).then_some(each)
        };
        self.below(model, charts, REGULARITY_VANISHED).iter().find_map(goes_to_zero)
    }

    /// Whether a loop may have left its branch on the way from the last point to another.
    fn is_in_doubt(&self, place: usize, to: &Point) -> bool {
        let (Some(way), Some(last)) = (self.way(place, to), &self.last) else { return false };
        let [before, anchor] = [&self.before, &self.anchor].map(|point| {
            let point = point.as_ref()?;
            Some(Past { at: point.loops.get(place)?, ago: last.t - point.t })
        });
        let moved = before.as_ref().map_or(0.0, |before| way.expected_length(before)).max(way.moved());
        way.is_in_doubt(before.as_ref(), anchor.as_ref()) || self.may_turn(place, &way, moved, to)
    }

    /// Whether the determinant of a loop may have been zero and come back on its way, by how it has bent lately: a crank may pass whole
    /// turns within a step while nothing else moves, and all branches look alike at its ends. On a way that is longer than those before
    /// it may bend more than it has.
    fn may_turn(&self, place: usize, way: &Way<'_>, moved: f64, to: &Point) -> bool {
        let is_longer = moved > BRANCH_GROWTH * self.moves[place].max(BRANCH_SHORT);
        let bend = larger(self.bend(place, to), self.bends[place]);
        let (Some(largest), Some(bend)) = (self.largest[place], bend) else { return is_longer };
        let turn = if is_longer { BRANCH_MAY_TURN } else { BRANCH_TURN };
        bend * moved > turn * (way.from.share_of(largest) + way.to.share_of(largest))
    }

    /// Before the way to another point is gone in parts: none is longer than those before that is one of equal ones.
    pub fn divide(&mut self, to: &Point, parts: u32) {
        for place in 0..self.moves.len() {
            let part = self.way(place, to).map_or(0.0, |way| way.moved()) / f64::from(parts);
            self.moves[place] = self.moves[place].max(part);
        }
    }

    /// Takes over what was seen within a step.
    pub fn learn(&mut self, within: &Regularity) {
        self.bends.clone_from(&within.bends);
        self.largest.clone_from(&within.largest);
    }

    /// How much the determinant of a loop changes over its way from the last point to another.
    fn bend(&self, place: usize, to: &Point) -> Option<f64> {
        let (way, largest) = (self.way(place, to)?, self.largest[place]?);
        let (from, to) = (way.from.determinant?.share_of(largest), way.to.determinant?.share_of(largest));
        let changed = (to - from).abs();
        let is_clear = changed >= REGULARITY_DIFFERS * from.abs().max(to.abs());
        (way.moved() > BRANCH_CLOSE).then(|| if is_clear { changed / way.moved() } else { 0.0 })
    }

    fn way<'a>(&'a self, place: usize, to: &'a Point) -> Option<Way<'a>> {
        let last = self.last.as_ref()?;
        Some(Way {
            nominals: &self.loops[place].nominals,
            from: last.loops.get(place)?,
            to: to.loops.get(place)?,
            duration: to.t - last.t,
        })
    }

    /// The guesses of a loop at a time, if it goes on as between the last two points.
    pub fn extrapolated(&self, place: usize, t: f64) -> Option<Vec<f64>> {
        let (last, before) = (self.last.as_ref()?, self.before.as_ref());
        let from = &last.loops.get(place)?.guesses;
        let Some((before, t0)) = before.and_then(|before| Some((before.loops.get(place)?, before.t))) else {
            return Some(from.clone());
        };
        let part = (t - last.t) / (last.t - t0);
        Some(from.iter().zip(&before.guesses).map(|(from, before)| from + part * (from - before)).collect())
    }

    /// The guesses of a loop at a time between the last two points, on the straight line.
    pub fn interpolated(&self, place: usize, t: f64) -> Option<Vec<f64>> {
        let (last, before) = (self.last.as_ref()?, self.before.as_ref()?);
        if !(before.t < t && t < last.t) {
            return None;
        }
        let (left, right) = (&before.loops.get(place)?.guesses, &last.loops.get(place)?.guesses);
        let part = (t - before.t) / (last.t - before.t);
        Some(left.iter().zip(right).map(|(left, right)| left + part * (right - left)).collect())
    }

    /// Whether a loop is further from where it was expected than its solutions at the last two points are from each other.
    pub fn is_beside(&self, place: usize, expected: &[f64], found: &[f64]) -> bool {
        let (Some(last), Some(before)) = (&self.last, &self.before) else { return false };
        let nominals = &self.loops[place].nominals;
        let (Some(left), Some(right)) = (before.loops.get(place), last.loops.get(place)) else {
            return false;
        };
        let moved = distance(&left.guesses, &right.guesses, nominals);
        let apart = distance(expected, found, nominals);
        apart > moved + BRANCH_CLOSE && !self.is_straight(place, left, right, apart)
    }

    /// Whether a loop has not bent enough, lately, to have other branches within a distance: the voltages of phases turn within steps, but their
    /// equations stay.
    fn is_straight(&self, place: usize, left: &LoopPoint, right: &LoopPoint, distance: f64) -> bool {
        let (Some(largest), Some(bend)) = (self.largest[place], self.bends[place]) else { return false };
        bend * distance <= BRANCH_MAY_TURN * (left.share_of(largest) + right.share_of(largest))
    }

    /// Whether the solutions of all loops at two points are the same.
    pub fn agree(&self, one: &Point, other: &Point) -> bool {
        let both = one.loops.iter().zip(&other.loops).zip(&self.loops);
        let apart = both.map(|((a, b), watched)| distance(&a.guesses, &b.guesses, &watched.nominals));
        apart.fold(0.0, f64::max) <= BRANCH_CLOSE
    }

    /// Whether a loop is close enough to a singular point at the last point to be judged there.
    pub fn is_singular(&self, place: usize) -> bool {
        let now = self.last.as_ref().and_then(|last| last.loops.get(place)?.determinant);
        match (now, self.largest[place]) {
            (Some(now), Some(largest)) => now.share_of(largest).abs() <= REGULARITY_SINGULAR,
            _ => false,
        }
    }

    /// Whether two branches of solutions of a loop meet between the last point and another one, so close to each other that no
    /// step lies in between. `straight` was found at the time of the other by a search from the extrapolated guesses.
    pub fn branches(&self, place: usize, to: &Point, straight: Option<&Point>) -> bool {
        let Some(way) = self.way(place, to) else { return false };
        if way.changes_sign() && self.goes_on(place, to) {
            return true;
        }
        straight.is_some_and(|straight| {
            let (Some(other), Some(expected)) = (self.way(place, straight), self.expected(place, to.t))
            else {
                return false;
            };
            let apart = distance(&other.to.guesses, &way.to.guesses, way.nominals);
            let are_distinct = apart > BRANCH_DISTINCT * way.moved().max(expected);
            are_distinct && self.goes_on(place, straight) && self.goes_on(place, to)
        })
    }

    /// Whether a loop has moved from the last point to another about as it would on its way.
    pub fn goes_on(&self, place: usize, to: &Point) -> bool {
        let (Some(way), Some(expected)) = (self.way(place, to), self.expected(place, to.t)) else {
            return false;
        };
        way.moved() <= BRANCH_GROSS * expected + BRANCH_CLOSE
    }

    /// How far a loop would move from the last point on.
    fn expected(&self, place: usize, t: f64) -> Option<f64> {
        let at = self.extrapolated(place, t)?;
        Some(distance(&at, &self.last.as_ref()?.loops.get(place)?.guesses, &self.loops[place].nominals))
    }
}

/// When a quantity is zero that was this share of its present value so long ago, if it goes on like that.
fn time_to_zero(share_before: f64, duration: f64) -> f64 {
    match share_before - 1.0 {
        fallen if fallen > 0.0 => duration / fallen,
        _ => f64::INFINITY,
    }
}

/// Whether the branch of a loop is watched: nonlinear, and with derivatives that are not sparse.
fn is_watched(iteration: &Iteration, problem: &mut ModelProblem) -> bool {
    let is_nonlinear = iteration.factors.is_none() && iteration.balance.is_empty();
    is_nonlinear && !problem.evaluator.plan(iteration).is_some_and(|plan| plan.is_sparse)
}

/// The larger of two values, of which either may not be known.
fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    a.into_iter().chain(b).reduce(f64::max)
}
