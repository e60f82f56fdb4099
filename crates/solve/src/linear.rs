//! Linear loops: their matrix is factorised when a factor changes, and solutions are corrected with it.

use std::rc::Rc;

use rhei_kernel::{Functions, Iteration, Slot};

use crate::evaluate::{Evaluator, finite_or_zero, refill};
use crate::loop_matrix::{Factors, Plan, make};

/// The matrix of a linear loop, and memory.
#[derive(Clone)]
pub struct Linear {
    /// The values of its factors that it was made for, and those of now.
    made_for: Vec<f64>,
    now: Vec<f64>,
    factors: Rc<Factors>,
    is_usable: bool,
    correction: Vec<f64>,
    guess: Vec<f64>,
}

/// What came of corrections.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Corrected {
    /// The residuals are as small as they were to get.
    Solved,
    /// They do not fall any further.
    Stuck,
    /// They have no value.
    Failed,
}

/// How long solutions of linear loops are corrected.
struct Corrections {
    most: usize,
    /// Solved where residuals have fallen to this share of what they were.
    solved: f64,
    /// Not worth going on where they have not fallen to this share at least.
    falls_to: f64,
}

/// With the matrix of now: a correction is exact but for rounding.
const CORRECTIONS: Corrections = Corrections { most: 3, solved: 1e-12, falls_to: 0.5 };
/// With that of before: a few digits each, or it is better to make it anew.
const OLD_CORRECTIONS: Corrections = Corrections { most: 8, solved: 1e-14, falls_to: 0.05 };

impl Linear {
    fn new(iteration: &Iteration, plan: Option<&Rc<Plan>>) -> Linear {
        let (made_for, now, guess) = (Vec::new(), Vec::new(), Vec::new());
        let (factors, correction) = (Factors::new(iteration, plan), vec![0.0; iteration.guessed.len()]);
        Linear { made_for, now, factors: Rc::new(factors), is_usable: false, correction, guess }
    }

    /// The factors, where they are those for the present values.
    pub(crate) fn present_factors(&mut self, slots: &[Slot], values: &[f64]) -> Option<Rc<Factors>> {
        (!self.note(slots, values)).then(|| self.factors.clone())
    }

    /// Looks at the factors; says whether they are others than the matrix was made for.
    fn note(&mut self, factors: &[Slot], values: &[f64]) -> bool {
        refill(&mut self.now, factors.iter().map(|slot| values[slot.index()]));
        !self.is_usable || self.now != self.made_for
    }

    /// Corrects a solution by what the residuals are.
    fn correct(
        &mut self,
        iteration: &Iteration,
        values: &mut [f64],
        functions: &Functions,
        how: &Corrections,
    ) -> Corrected {
        let size = |values: &[f64]| {
            iteration.residuals.iter().fold(0.0_f64, |most, slot| most.max(values[slot.index()].abs()))
        };
        let first = size(values);
        let mut last = first;
        for _ in 0..how.most {
            for (correction, slot) in self.correction.iter_mut().zip(&iteration.residuals) {
                *correction = values[slot.index()];
            }
            self.factors.solve(&mut self.correction);
            for (v, correction) in iteration.guessed.iter().zip(&self.correction) {
                values[v.index()] -= correction;
            }
            if iteration.program.run(values, functions).is_err() {
                return Corrected::Failed;
            }
            let left = size(values);
            if left <= how.solved * first {
                return Corrected::Solved;
            }
            if left >= how.falls_to * last {
                return Corrected::Stuck; // nothing to win any more
            }
            last = left;
        }
        Corrected::Stuck
    }
}

impl Evaluator {
    /// Solves a linear loop with its matrix. Where a factor has changed, the old matrix is tried first: between two steps it
    /// has changed little, and to make it anew takes as many sweeps as there are unknowns. Says whether that went well.
    pub(crate) fn solve_linear(
        &mut self,
        iteration: &Iteration,
        factors: &[Slot],
        values: &mut [f64],
    ) -> bool {
        for v in &iteration.guessed {
            values[v.index()] = finite_or_zero(values[v.index()]);
        }
        if iteration.program.run(values, &self.functions).is_err() {
            return false;
        }
        let plan = self.plan(iteration);
        let linear = self.linear.entry(iteration.id).or_insert_with(|| Linear::new(iteration, plan.as_ref()));
        let is_new = linear.note(factors, values);
        if !is_new {
            return linear.correct(iteration, values, &self.functions, &CORRECTIONS) != Corrected::Failed;
        }
        if linear.is_usable {
            refill(&mut linear.guess, iteration.guessed.iter().map(|v| values[v.index()]));
            if linear.correct(iteration, values, &self.functions, &OLD_CORRECTIONS) == Corrected::Solved {
                return true;
            }
            iteration.guessed.iter().zip(&linear.guess).for_each(|(v, guess)| values[v.index()] = *guess);
            if iteration.program.run(values, &self.functions).is_err() {
                return false;
            }
        }
        self.matrices += 1;
        let (changes, functions) = (&mut self.changes[..], &self.functions);
        linear.is_usable = make(&mut linear.factors, iteration, plan.as_ref(), values, changes, functions);
        linear.made_for.clone_from(&linear.now);
        linear.is_usable
            && linear.correct(iteration, values, &self.functions, &CORRECTIONS) != Corrected::Failed
    }
}
