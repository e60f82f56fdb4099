//! A fixed choice of states for each state set, judged by the course of a run.
//!
//! During a run with state sets, the derivatives of their constraints are recorded after its steps. Afterwards each choice is
//! judged by its smallest pivot ratio: one that stayed well away from zero throughout could have been the choice from the
//! beginning, and `always` makes it so.

use rhei_equations::VarId;
use rhei_model::CompiledModel;
use rhei_solvable::StateSet;

use crate::charts::solvable_share;
use crate::constants::{ADVICE_CHOICES, ADVICE_NUMBERS, ADVICE_PIVOT_RATIO, ADVICE_POINTS};

/// The state sets in the course of a run.
#[derive(Clone, Debug, Default)]
pub struct ChartHistory {
    points: Vec<Point>,
    /// Number of steps between recorded points.
    every: usize,
    steps: usize,
    /// Per set, the nominal values of its candidates.
    nominals: Vec<Vec<f64>>,
}

#[derive(Clone, Debug)]
struct Point {
    time: f64,
    /// Per set, the derivatives of its constraints.
    jacobians: Vec<Vec<f64>>,
    /// Per set, the candidates that were states.
    chosen: Vec<Vec<usize>>,
}

/// A fixed choice for a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The set, by index.
    pub set: usize,
    /// The candidates that could be its states throughout.
    pub states: Vec<VarId>,
    /// Smallest pivot ratio over the whole run.
    pub worst: f64,
}

impl ChartHistory {
    pub(crate) fn new(nominals: Vec<Vec<f64>>) -> ChartHistory {
        ChartHistory { points: Vec::new(), every: 1, steps: 0, nominals }
    }

    /// Records a point of the run.
    pub fn note(&mut self, time: f64, jacobians: &[Vec<f64>], chosen: &[Vec<usize>]) {
        self.steps += 1;
        if !self.steps.is_multiple_of(self.every) {
            return;
        }
        self.points.push(Point { time, jacobians: jacobians.to_vec(), chosen: chosen.to_vec() });
        let numbers: usize = jacobians.iter().map(Vec::len).sum();
        if self.points.len() >= ADVICE_POINTS.min(ADVICE_NUMBERS / numbers.max(1)).max(2) {
            let mut place = 0;
            self.points.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.every *= 2;
        }
    }

    /// The share of the time spent in each choice of states of a set, most used first.
    pub fn shares(&self, model: &CompiledModel, set: usize) -> Vec<(Vec<VarId>, f64)> {
        let mut shares: Vec<(&[usize], f64)> = Vec::new();
        let steps = self.points.windows(2).map(|pair| (&pair[0].chosen[set], pair[1].time - pair[0].time));
        for (chosen, step) in steps {
            match shares.iter_mut().find(|(own, _)| same(own, chosen)) {
                Some((_, share)) => *share += step,
                None => shares.push((chosen, step)),
            }
        }
        let whole: f64 = shares.iter().map(|(_, share)| share).sum();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let candidates = &model.solvable.sets[set].candidates;
        let named = |chosen: &[usize]| chosen.iter().map(|&place| candidates[place]).collect();
        let part = |share: f64| if whole > 0.0 { share / whole } else { 1.0 };
        shares.into_iter().map(|(chosen, share)| (named(chosen), part(share))).collect()
    }

    /// A fixed choice for each set; none if every choice came close to being singular.
    pub fn advise(&self, model: &CompiledModel) -> Vec<Option<Advice>> {
        let sets = model.solvable.sets.iter().enumerate();
        sets.map(|(place, set)| self.advise_on(place, set)).collect()
    }

    fn advise_on(&self, place: usize, set: &StateSet) -> Option<Advice> {
        let choices = all_choices(set.candidates.len(), set.dimension()).unwrap_or_else(|| self.taken(place));
        let judged = choices.into_iter().map(|states| (self.worst(place, set, &states), states));
        // ties go to the first: `max_by` would take the last
        let best = judged.fold(None, |best: Option<(f64, Vec<usize>)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        });
        let (worst, states) = best.filter(|(worst, _)| *worst >= ADVICE_PIVOT_RATIO)?;
        let states = states.into_iter().map(|candidate| set.candidates[candidate]).collect();
        Some(Advice { set: place, states, worst })
    }

    /// The smallest pivot ratio of this choice, over all points.
    fn worst(&self, place: usize, set: &StateSet, states: &[usize]) -> f64 {
        let scale = |candidate: usize| self.nominals[place][candidate];
        let share =
            |point: &Point| solvable_share(set, &point.jacobians[place], states, &scale).unwrap_or(0.0);
        self.points.iter().map(share).fold(if self.points.is_empty() { 0.0 } else { 1.0 }, f64::min)
    }

    /// The choices that the run took.
    fn taken(&self, place: usize) -> Vec<Vec<usize>> {
        let mut taken: Vec<Vec<usize>> = Vec::new();
        for point in &self.points {
            let mut chosen = point.chosen[place].clone();
            chosen.sort_unstable();
            if !taken.contains(&chosen) && taken.len() < ADVICE_CHOICES {
                taken.push(chosen);
            }
        }
        taken
    }
}

fn same(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().all(|place| b.contains(place))
}

/// All choices of `k` out of `n` in ascending order, unless they are too many.
fn all_choices(n: usize, k: usize) -> Option<Vec<Vec<usize>>> {
    let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..k {
        let longer = choices.iter().flat_map(|choice| {
            let from = choice.last().map_or(0, |last| last + 1);
            (from..n).map(|next| choice.iter().copied().chain([next]).collect())
        });
        choices = longer.take(ADVICE_CHOICES + 1).collect();
        if choices.len() > ADVICE_CHOICES {
            return None;
        }
    }
    Some(choices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_counted_and_not_too_many() {
        assert_eq!(all_choices(3, 2), Some(vec![vec![0, 1], vec![0, 2], vec![1, 2]]));
        assert_eq!(all_choices(2, 0), Some(vec![vec![]]));
        assert_eq!(all_choices(40, 20), None);
    }

    #[test]
    fn long_runs_are_thinned() {
        let mut history = ChartHistory::new(vec![vec![1.0; 2]]);
        for step in 0..100_000 {
            history.note(f64::from(step), &[vec![1.0, 0.5]], &[vec![0]]);
        }
        assert!(history.points.len() < ADVICE_POINTS && history.points.len() >= ADVICE_POINTS / 4);
        assert_eq!(history.points[0].time, 0.0);
    }
}
