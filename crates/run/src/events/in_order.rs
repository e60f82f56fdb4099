//! Simultaneous crossings, performed one after the other to see whether their order matters.

use rhei_equations::VarId;
use rhei_solve::evaluate::NoValue;
use rhei_solve::problem::ModelProblem;

use crate::constants::{NUDGE, SAME_BORDER, SIDE_LEAST_CHANGE, SIDE_PINNED};

use super::{Crossed, EventEffects, EventFailure, Seen, Watcher};
use crate::clocks::Clocks;

impl Watcher {
    /// The relations crossed at this event, by index, and those so close in time that their order is not resolved; not those
    /// that jumped beyond their border.
    pub(crate) fn crossed(&self, problem: &ModelProblem, seen: &[Seen]) -> Vec<usize> {
        let is_crossed = |place: &usize| {
            let crossing = &self.crossings[*place];
            let is_near = problem.values[crossing.nudge.index()] != 0.0;
            let is_due = seen[*place].is_due && !crossing.is_found;
            matches!(crossing.kind, Crossed::Zero(_)) && (is_due || (crossing.is_found && is_near))
        };
        (0..self.crossings.len()).filter(is_crossed).collect()
    }

    /// The condition of a crossing.
    pub(crate) fn condition(&self, place: usize) -> VarId {
        self.crossings[place].held
    }

    /// Simultaneous crossings, grouped by border: conditions on the same border change at once, and indicators belong to one
    /// border if all of their slopes by the states are in proportion.
    pub(crate) fn by_border(&mut self, problem: &mut ModelProblem, crossed: &[usize]) -> Vec<Vec<usize>> {
        let model = problem.model.clone();
        let sizes: Vec<f64> =
            model.solvable.states.iter().map(|state| problem.evaluator.nominal(state.variable)).collect();
        let slopes = problem.slopes_of(&model.code.crossings);
        let slopes_at = |place: usize| slopes.iter().zip(&sizes).map(move |(by, size)| by[place] * size);
        let product = |a: usize, b: usize| slopes_at(a).zip(slopes_at(b)).map(|(a, b)| a * b).sum::<f64>();
        let is_same =
            |a: usize, b: usize| product(a, b).powi(2) >= (1.0 - SAME_BORDER) * product(a, a) * product(b, b);
        let mut borders: Vec<Vec<usize>> = Vec::new();
        for &place in crossed {
            // marked as found: its direction is not evaluated again
            self.crossings[place].is_found = true;
            match borders.iter_mut().find(|border| is_same(border[0], place)) {
                Some(border) => border.push(place),
                None => borders.push(vec![place]),
            }
        }
        borders
    }

    /// Those of the relations that move over their border from the side on which they are held or, not `over`, away from it.
    pub(crate) fn moving(
        &self,
        problem: &mut ModelProblem,
        places: &[usize],
        over: bool,
    ) -> Result<Vec<usize>, NoValue> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let model = problem.model.clone();
        let rates = problem.rates_of(&model.code.crossings, &model.solvable.impulses.jumping);
        let moves = |place: &usize| {
            let (rate, size) = rates[*place];
            rate.abs() > SIDE_PINNED * size
                && (self.crossings[*place].is_above(problem) == (rate < 0.0)) == over
        };
        Ok(places.iter().copied().filter(moves).collect())
    }

    /// Moves relations to the side on which they are held.
    pub(crate) fn keep_before_border(
        &self,
        problem: &mut ModelProblem,
        places: &[usize],
    ) -> Result<(), NoValue> {
        self.take_side(problem, places, true)
    }

    /// An event at which these relations alone are crossed.
    pub(crate) fn let_across(
        &mut self,
        problem: &mut ModelProblem,
        clocks: &mut Clocks,
        places: &[usize],
    ) -> Result<EventEffects, EventFailure> {
        self.take_side(problem, places, false)?;
        self.keep_values_before(problem);
        self.settle(problem, clocks)
    }

    fn take_side(&self, problem: &mut ModelProblem, places: &[usize], stays: bool) -> Result<(), NoValue> {
        let (borders, steepness) = self.distances(problem)?;
        for &place in places {
            let crossing = &self.crossings[place];
            let size = 2.0 * borders[place].abs() + NUDGE * steepness[place].max(SIDE_LEAST_CHANGE);
            let is_above = crossing.is_above(problem) == stays;
            problem.values[crossing.nudge.index()] = if is_above { size } else { -size };
        }
        Ok(())
    }

    /// The event indicators, and their steepness by the variables that jump.
    fn distances(&self, problem: &mut ModelProblem) -> Result<(Vec<f64>, Vec<f64>), NoValue> {
        let model = problem.model.clone();
        let watch = &model.code.crossings;
        Ok((problem.watched(watch)?, problem.steepness(watch, &model.solvable.impulses.jumping)))
    }
}
