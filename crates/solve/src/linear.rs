//! Linear loops: their matrix is factorised when a factor changes, and solutions are refined with it.

use std::rc::Rc;

use rhei_equations::VarId;
use rhei_kernel::{Functions, Iteration, Slot};

use crate::evaluate::{Evaluator, finite_or_zero, refill};
use crate::loop_matrix::{Factors, Plan, make};

/// The matrix of a linear loop, and memory.
#[derive(Clone)]
pub struct Linear {
    /// The values of its coefficients at the last factorisation, and the present ones.
    made_for: Vec<f64>,
    now: Vec<f64>,
    factors: Rc<Factors>,
    is_usable: bool,
    correction: Vec<f64>,
    guess: Vec<f64>,
    nominals: Vec<f64>,
}

/// The result of iterative refinement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Corrected {
    /// The residuals are small enough.
    Solved,
    /// They do not fall any further.
    Stuck,
    /// They have no value.
    Failed,
}

/// Stopping criteria of iterative refinement.
struct Corrections {
    most: usize,
    /// Reduction of the residuals that counts as a solution.
    solved: f64,
    /// Least reduction by one correction that is worth another one.
    falls_to: f64,
}

/// With the present matrix: a correction is exact but for rounding.
const CORRECTIONS: Corrections = Corrections { most: 3, solved: 1e-12, falls_to: 0.5 };
/// With an old matrix: each correction has to win a few digits, else a new matrix is better.
const OLD_CORRECTIONS: Corrections = Corrections { most: 8, solved: 1e-14, falls_to: 0.05 };

/// Largest correction, in sizes of the solution, whose rounding leaves it twelve digits. A guess of a step that was rejected may be anything.
const LARGEST_CORRECTION: f64 = 1e4;

impl Linear {
    fn new(iteration: &Iteration, plan: Option<&Rc<Plan>>, nominals: Vec<f64>) -> Linear {
        let (made_for, now, guess) = (Vec::new(), Vec::new(), Vec::new());
        let (factors, correction) = (Factors::new(iteration, plan), vec![0.0; iteration.guessed.len()]);
        Linear { made_for, now, factors: Rc::new(factors), is_usable: false, correction, guess, nominals }
    }

    /// The factors, if they are those of the present values.
    pub(crate) fn present_factors(&mut self, slots: &[Slot], values: &[f64]) -> Option<Rc<Factors>> {
        (!self.note(slots, values)).then(|| self.factors.clone())
    }

    /// Reads the coefficients; says whether they differ from those of the factorised matrix.
    fn note(&mut self, factors: &[Slot], values: &[f64]) -> bool {
        refill(&mut self.now, factors.iter().map(|slot| values[slot.index()]));
        !self.is_usable || self.now != self.made_for
    }

    /// Whether the last correction was not so much larger than what it led to that its rounding counts there.
    fn is_resolved(&self, iteration: &Iteration, values: &[f64]) -> bool {
        let found = iteration.guessed.iter().map(|v| values[v.index()].abs());
        let sizes = found.zip(&self.nominals).map(|(x, nominal)| x.max(*nominal));
        sizes.zip(&self.correction).all(|(size, correction)| correction.abs() <= LARGEST_CORRECTION * size)
    }

    /// Refines a solution by its residuals.
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
        let mut first = size(values);
        let (mut last, mut left_to_try) = (first, how.most);
        while left_to_try > 0 {
            left_to_try -= 1;
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
                if self.is_resolved(iteration, values) {
                    return Corrected::Solved;
                }
                // the guess was so large that its rounding is left: refined anew from here, and at least by as much
                (first, last, left_to_try) = (left, left, how.most);
                continue;
            }
            if left >= how.falls_to * last {
                return Corrected::Stuck; // no further reduction
            }
            last = left;
        }
        Corrected::Stuck
    }
}

impl Evaluator {
    /// Solves a linear loop with its matrix. If a coefficient has changed, the old matrix is tried first: between two steps
    /// it changes little, and a new one takes as many sweeps as there are unknowns. Says whether that succeeded.
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
        let nominals = &self.nominals;
        let linear = self.linear.entry(iteration.id).or_insert_with(|| {
            let nominal = |v: &VarId| nominals.get(v).copied().unwrap_or(1.0);
            Linear::new(iteration, plan.as_ref(), iteration.guessed.iter().map(nominal).collect())
        });
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
