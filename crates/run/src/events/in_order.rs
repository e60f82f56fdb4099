//! Crossings of one instant one after the other: what would happen if they were not found together.

use rhei_equations::VarId;
use rhei_solve::evaluate::NoValue;
use rhei_solve::problem::ModelProblem;

use super::sides::{NUDGE, PINNED, TINY_WAY};
use super::{Crossed, EventFailure, Happened, Seen, Watcher};
use crate::clocks::Clocks;

/// What two relations differ in their slopes by, where they are of one border: squared, as a share.
const SAME_BORDER: f64 = 1e-12;

impl Watcher {
    /// The relations that were found to be crossed at this event, by place, and those of which it cannot be told whether they are
    /// crossed before or after; not what jumped beyond its border.
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

    /// Crossings that were found together, those of one border together: whatever is said about it in several places changes at once,
    /// and is at one border where all of it changes in proportion, whichever state does.
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
            // what takes a side is not asked for where it goes
            self.crossings[place].is_found = true;
            match borders.iter_mut().find(|border| is_same(border[0], place)) {
                Some(border) => border.push(place),
                None => borders.push(vec![place]),
            }
        }
        borders
    }

    /// Of these relations, those that move from the side on which they are held to the other one, or, not `over`, away from it.
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
            rate.abs() > PINNED * size && (self.crossings[*place].is_above(problem) == (rate < 0.0)) == over
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
    ) -> Result<Happened, EventFailure> {
        self.take_side(problem, places, false)?;
        self.keep_values_before(problem);
        self.settle(problem, clocks)
    }

    fn take_side(&self, problem: &mut ModelProblem, places: &[usize], stays: bool) -> Result<(), NoValue> {
        let (borders, steepness) = self.distances(problem)?;
        for &place in places {
            let crossing = &self.crossings[place];
            let size = 2.0 * borders[place].abs() + NUDGE * steepness[place].max(TINY_WAY);
            let is_above = crossing.is_above(problem) == stays;
            problem.values[crossing.nudge.index()] = if is_above { size } else { -size };
        }
        Ok(())
    }

    /// What crosses, and by how much it changes with what jumps.
    fn distances(&self, problem: &mut ModelProblem) -> Result<(Vec<f64>, Vec<f64>), NoValue> {
        let model = problem.model.clone();
        let watch = &model.code.crossings;
        Ok((problem.look(watch)?, problem.steepness(watch, &model.solvable.impulses.jumping)))
    }
}
