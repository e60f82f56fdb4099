//! Sides of relations at their borders, so that neither rounding nor errors of the integrator decide them.
//!
//! A crossing that was found is moved to its new side by a *nudge* (hysteresis), an offset added to its event indicator until it
//! has moved clear of its border.

use rhei_equations::{Relation, VarId};
use rhei_kernel::Watch;
use rhei_solve::evaluate::NoValue;
use rhei_solve::problem::ModelProblem;

use super::rest::Bounces;
use super::{Crossed, EventFailure, Seen, Side, Watched, Watcher};
use crate::constants::{
    NUDGE, NUDGE_ROUNDING, SIDE_CLOSE, SIDE_DECIDED, SIDE_DECIDED_LEAST, SIDE_JUMPED, SIDE_LEAST_CHANGE,
    SIDE_PINNED, SIDE_RELEASED, SLIDING_CROSSINGS, STEP_AHEAD,
};

impl Watcher {
    /// Moves crossings that have just been found well to their new side, so that rounding does not bring them back.
    /// A loop solved anew may be back by its rounding error: an indicator seen beyond its border stays there.
    pub(super) fn nudge(&mut self, problem: &mut ModelProblem, seen: &[Seen]) -> Result<(), NoValue> {
        let mut borders = Vec::new();
        self.borders(problem, &mut borders)?;
        let margins: Vec<f64> = self.margins(problem, &borders).collect();
        let errors = self.errors(problem);
        let roundings = self.roundings(problem, &margins)?;
        let crossings = self.crossings.iter_mut().enumerate();
        for ((((place, crossing), margin), z), seen) in crossings.zip(margins).zip(borders).zip(seen) {
            let nudge = crossing.nudge.index();
            crossing.farthest = crossing.farthest.max(if z.is_finite() { z.abs() } else { 0.0 });
            let close =
                (SIDE_JUMPED * seen.came.abs().max(SIDE_LEAST_CHANGE)).max(SIDE_CLOSE * crossing.farthest);
            let margin = if seen.is_beyond && margin <= close { -margin.abs() } else { margin };
            crossing.is_found = margin < 0.0;
            if crossing.is_found {
                crossing.pending_rest = None;
            }
            if margin < 0.0 && margin.abs() > close {
                problem.values[nudge] = 0.0; // it jumped clear of its border
            } else if margin < 0.0 {
                crossing.stuck = if problem.values[nudge] == 0.0 { 0 } else { crossing.stuck + 1 };
                let (held, moved) = (problem.values[crossing.held.index()], z + problem.values[nudge]);
                let rises = match crossing.kind {
                    Crossed::Zero(relation) => {
                        matches!(relation, Relation::Less | Relation::LessEqual) == (held != 0.0)
                    }
                    _ => moved > held + 0.5,
                };
                let off = if matches!(crossing.kind, Crossed::Whole) { 0.0 } else { z.abs() };
                let size = 2.0 * (margin.abs() + off) + NUDGE * seen.came.abs();
                let size = size.max(roundings[place]);
                let size = if crossing.is_released { size.max(errors[place]) } else { size };
                problem.values[nudge] = if rises { size } else { -size };
            } else if z.abs() > problem.values[nudge].abs() {
                problem.values[nudge] = 0.0;
            }
        }
        Ok(())
    }

    /// For crossings that are beyond their border, the error of their indicator by rounding: one whose terms cancel, as that of
    /// `i > G*v` while `i = G*v`, changes its side by rounding alone as its terms grow.
    fn roundings(&self, problem: &mut ModelProblem, margins: &[f64]) -> Result<Vec<f64>, NoValue> {
        let model = problem.model.clone();
        let of_crossing = |(watch, &margin): (&Watch, &f64)| match margin < 0.0 {
            true => Ok(NUDGE_ROUNDING * problem.watched(watch)?.into_iter().map(f64::abs).sum::<f64>()),
            false => Ok(0.0),
        };
        model.code.terms_of_crossings.iter().zip(margins).map(of_crossing).collect()
    }

    /// Errors of the indicators by the integrator; empty unless a mode has just released any.
    fn errors(&self, problem: &mut ModelProblem) -> Vec<f64> {
        if !self.crossings.iter().any(|crossing| crossing.is_released) {
            return Vec::new();
        }
        let model = problem.model.clone();
        let steepness = problem.steepness(&model.code.crossings, &model.solvable.impulses.jumping);
        steepness.into_iter().map(|size| SIDE_RELEASED * self.tolerance * size).collect()
    }

    /// After crossings were turned back: those that are about to cross again cannot leave their border, neither to one side
    /// nor to the other. This repeats for ever (a sliding mode), unless the equations change soon.
    pub(crate) fn refuse_sliding(&mut self, problem: &mut ModelProblem, t: f64) -> Result<(), EventFailure> {
        let sliding = self.leaving(problem, t)?;
        for (place, crossing) in self.crossings.iter_mut().enumerate() {
            if !sliding.contains(&place) {
                crossing.slides = 0;
                continue;
            }
            if crossing.slides == 0 {
                crossing.slides_since = t;
            }
            crossing.slides += 1;
        }
        let stuck: Vec<&Watched> =
            self.crossings.iter().filter(|crossing| crossing.slides > SLIDING_CROSSINGS).collect();
        if stuck.is_empty() {
            return Ok(());
        }
        let since = stuck.iter().map(|crossing| crossing.slides_since).fold(t, f64::min);
        Err(EventFailure::Sliding(stuck.iter().map(|crossing| crossing.held).collect(), since))
    }

    /// The crossings at their border that go back over it, by a small step ahead.
    pub(super) fn leaving(&self, problem: &mut ModelProblem, t: f64) -> Result<Vec<usize>, NoValue> {
        let model = problem.model.clone();
        let at_border = |problem: &ModelProblem, crossing: &Watched| {
            matches!(crossing.kind, Crossed::Zero(_)) && problem.values[crossing.nudge.index()] != 0.0
        };
        if !self.crossings.iter().any(|crossing| at_border(problem, crossing)) {
            return Ok(Vec::new());
        }
        let here = problem.watched(&model.code.crossings)?;
        let (ahead, y) = self.move_ahead(problem, t);
        let there = match ahead {
            Some(_) => problem.watched(&model.code.crossings)?,
            None => here.clone(),
        };
        problem.evaluate(t, &y)?;
        let leaves = |(crossing, (here, there)): (&Watched, (&f64, &f64))| {
            let nudge = problem.values[crossing.nudge.index()];
            let is_at_border = matches!(crossing.kind, Crossed::Zero(_)) && nudge != 0.0;
            if !is_at_border || here.abs() > nudge.abs() {
                return false;
            }
            if crossing.is_above(problem) { there < here } else { there > here }
        };
        let all = self.crossings.iter().zip(here.iter().zip(&there));
        let mut leaving: Vec<usize> =
            all.enumerate().filter(|(_, one)| leaves(*one)).map(|(place, _)| place).collect();
        if !leaving.is_empty() {
            // indicators that move along their border move by errors only
            let rates = problem.rates_of(&model.code.crossings, &model.solvable.impulses.jumping);
            leaving.retain(|&place| rates[place].0.abs() > self.tolerance * rates[place].1);
        }
        Ok(leaving)
    }

    /// Evaluates all variables a small step ahead, along the rates of the states. Answers its length, none if there are no values
    /// there, and the states before.
    pub(super) fn move_ahead(&self, problem: &mut ModelProblem, t: f64) -> (Option<f64>, Vec<f64>) {
        let y = problem.states();
        let states = problem.model.solvable.states.iter();
        let rates = states.map(|state| problem.values[state.derivative.index()]);
        let ahead = STEP_AHEAD * (1.0 + t.abs());
        let moved: Vec<f64> = y.iter().zip(rates).map(|(y, rate)| y + ahead * rate).collect();
        (problem.evaluate(t + ahead, &moved).is_ok().then_some(ahead), y)
    }

    /// Removes the nudges of crossings that have moved clear of their border. Answers one that should have come
    /// to rest instead.
    pub(crate) fn relax(&mut self, problem: &mut ModelProblem, borders: &[f64]) -> Option<Bounces> {
        let mut unrested = None;
        for (crossing, z) in self.crossings.iter_mut().zip(borders) {
            unrested = unrested.or(Watcher::unrested(crossing, *z));
            let nudge = problem.values[crossing.nudge.index()];
            if nudge == 0.0 {
                continue;
            }
            let held = problem.values[crossing.held.index()];
            let is_clear = match crossing.kind {
                Crossed::Zero(relation) => z.abs() > nudge.abs() && relation.holds(*z, 0.0) == (held != 0.0),
                Crossed::Whole => f64::min(z - held, held + 1.0 - z) > nudge.abs(),
                Crossed::Time => true,
            };
            if is_clear {
                problem.values[crossing.nudge.index()] = 0.0;
                crossing.is_released = false;
            }
        }
        unrested
    }

    /// The sides that a crossing keeps: none for time events, or if the mode keeps it at its border.
    pub(crate) fn sides(&self, problem: &ModelProblem, place: usize) -> impl Iterator<Item = Side> {
        let crossing = &self.crossings[place];
        let (held, nudge) = (problem.values[crossing.held.index()], problem.values[crossing.nudge.index()]);
        let side = |is_above: bool, offset: f64| Side { place, is_above, offset };
        let sides = match crossing.kind {
            Crossed::Time => [None, None],
            _ if crossing.is_pinned => [None, None],
            Crossed::Zero(_) => [Some(side(crossing.is_above(problem), nudge)), None],
            Crossed::Whole => [Some(side(true, nudge - held)), Some(side(false, nudge - held - 1.0))],
        };
        sides.into_iter().flatten()
    }

    /// The nudge of a crossing.
    pub(crate) fn nudge_of(&self, problem: &ModelProblem, place: usize) -> f64 {
        problem.values[self.crossings[place].nudge.index()]
    }

    /// The variables that hold the nudges, in order.
    pub(crate) fn nudges(&self) -> impl Iterator<Item = VarId> {
        self.crossings.iter().map(|crossing| crossing.nudge)
    }

    /// Sets all nudges to zero.
    pub(crate) fn forget_nudges(&self, problem: &mut ModelProblem) {
        self.nudges().for_each(|nudge| problem.values[nudge.index()] = 0.0);
    }

    /// Crossings that the constraints of a mode keep at their border stay on the side on which they are held: the side that an
    /// evaluation finds is a matter of rounding.
    pub(crate) fn keep_sides(&mut self, problem: &mut ModelProblem) -> Result<(), NoValue> {
        self.pin(problem)?;
        if !self.crossings.iter().any(|crossing| crossing.is_pinned) {
            return Ok(());
        }
        let model = problem.model.clone();
        let watch = &model.code.crossings;
        let borders = problem.watched(watch)?;
        let steepness = problem.steepness(watch, &model.solvable.impulses.jumping);
        for (place, crossing) in self.crossings.iter().enumerate() {
            if matches!(crossing.kind, Crossed::Zero(_)) && crossing.is_pinned {
                let is_above = crossing.is_above(problem);
                let size = 2.0 * borders[place].abs() + NUDGE * steepness[place];
                problem.values[crossing.nudge.index()] = if is_above { size } else { -size };
            }
        }
        Ok(())
    }

    /// In a mode that is being entered, crossings at their border that did not come there take the side towards which
    /// they move.
    pub(crate) fn take_sides(&self, problem: &mut ModelProblem) -> Result<(), NoValue> {
        let model = problem.model.clone();
        let (watch, jumping) = (&model.code.crossings, &model.solvable.impulses.jumping);
        let borders = problem.watched(watch)?;
        let steepness = problem.steepness(watch, jumping);
        let is_at_border = |place: usize, crossing: &Watched| {
            matches!(crossing.kind, Crossed::Zero(_))
                && !crossing.is_found
                && borders[place].abs() <= SIDE_PINNED * steepness[place]
        };
        if !self.crossings.iter().enumerate().any(|(place, crossing)| is_at_border(place, crossing)) {
            return Ok(());
        }
        let rates = problem.rates_of(watch, jumping);
        for (place, crossing) in self.crossings.iter().enumerate() {
            let (rate, size) = rates[place];
            if is_at_border(place, crossing) && rate.abs() > SIDE_PINNED * size {
                let nudge = 2.0 * borders[place].abs() + NUDGE * steepness[place];
                problem.values[crossing.nudge.index()] = nudge.copysign(rate);
            }
        }
        Ok(())
    }

    /// Whether a crossing was found to be crossed at this event.
    pub(crate) fn is_found(&self, place: usize) -> bool {
        self.crossings[place].is_found
    }

    /// Notes the sides that were found as the solution of a complementarity problem.
    pub(crate) fn decide_sides(&mut self, is_above: &[(usize, bool)]) {
        self.forget_decided();
        is_above.iter().for_each(|&(place, is_above)| self.crossings[place].decided = Some(is_above));
        self.crossings.iter_mut().for_each(|crossing| crossing.is_complementary = crossing.decided.is_some());
    }

    /// Whether there were any at the last event.
    pub(crate) fn has_complementary(&self) -> bool {
        self.crossings.iter().any(|crossing| crossing.is_complementary)
    }

    /// Whether any of these has another side than with these values.
    pub(crate) fn has_other_sides(&self, problem: &ModelProblem, before: &[f64]) -> bool {
        let differs = |held: VarId| problem.values[held.index()] != before[held.index()];
        self.crossings.iter().any(|crossing| crossing.is_complementary && differs(crossing.held))
    }

    /// Whether these are the sides that were found last at this event.
    pub(crate) fn are_decided_so(&self, is_above: &[(usize, bool)]) -> bool {
        let is_so = |&(place, is_above): &(usize, bool)| self.crossings[place].decided == Some(is_above);
        let n_decided = self.crossings.iter().filter(|crossing| crossing.decided.is_some()).count();
        is_above.len() == n_decided && is_above.iter().all(is_so)
    }

    /// Forgets them.
    pub(crate) fn forget_decided(&mut self) {
        self.crossings.iter_mut().for_each(|crossing| crossing.decided = None);
    }

    /// Whether the sides of all these were found so.
    pub(crate) fn are_decided(&self, places: &[usize]) -> bool {
        places.iter().all(|&place| self.crossings[place].decided.is_some())
    }

    /// Crossings at their border stay on the sides that were found.
    pub(crate) fn keep_decided(&self, problem: &mut ModelProblem) -> Result<(), NoValue> {
        if self.crossings.iter().all(|crossing| crossing.decided.is_none()) {
            return Ok(());
        }
        let model = problem.model.clone();
        let (watch, jumping) = (&model.code.crossings, &model.solvable.impulses.jumping);
        let borders = problem.watched(watch)?;
        let steepness = problem.steepness(watch, jumping);
        for (place, crossing) in self.crossings.iter().enumerate() {
            let Some(is_above) = crossing.decided else { continue };
            let (z, steepness) = (borders[place], steepness[place]);
            let size = steepness.max(crossing.farthest).max(SIDE_DECIDED_LEAST);
            let is_at_border = z.abs() <= SIDE_DECIDED * size;
            let nudge = &mut problem.values[crossing.nudge.index()];
            *nudge = match is_at_border {
                true => (2.0 * z.abs() + NUDGE * size).copysign(if is_above { 1.0 } else { -1.0 }),
                false => 0.0,
            };
        }
        Ok(())
    }

    /// Crossings that the constraints of a mode keep at their border are not searched for while it lasts: their indicators stay
    /// zero whatever the states are.
    pub(crate) fn pin(&mut self, problem: &mut ModelProblem) -> Result<(), NoValue> {
        let model = problem.model.clone();
        let watch = &model.code.crossings;
        let borders = problem.watched(watch)?;
        let steepness = problem.steepness(watch, &model.solvable.impulses.jumping);
        let is_zero =
            |place: usize| steepness[place] > 0.0 && borders[place].abs() <= SIDE_PINNED * steepness[place];
        let is_at_border = |(place, crossing): (usize, &Watched)| {
            matches!(crossing.kind, Crossed::Zero(_)) && is_zero(place)
        };
        let mut is_kept: Vec<bool> = self.crossings.iter().enumerate().map(is_at_border).collect();
        if is_kept.contains(&true) {
            for slopes in problem.slopes_of(watch) {
                let stays = |place: usize| slopes[place].abs() <= SIDE_PINNED * steepness[place];
                is_kept.iter_mut().enumerate().for_each(|(place, is_kept)| *is_kept &= stays(place));
            }
        }
        for (crossing, is_kept) in self.crossings.iter_mut().zip(is_kept) {
            crossing.is_released = !is_kept && (crossing.is_released || crossing.is_pinned);
            crossing.is_pinned = is_kept;
        }
        Ok(())
    }
}
