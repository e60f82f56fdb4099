//! Runs routines: formulas one after the other, loops by Newton's method.

use std::fmt;

use rhei_equations::VarId;
use rhei_kernel::{Fault, Functions, Iteration, Program, Routine, Settling, Slot, Step};
use rhei_numerics::EvaluationFailed;
use rhei_numerics::lu::Lu;
use rhei_numerics::newton::{Newton, NewtonFailure, Options, Solved, System};
use rustc_hash::FxHashMap;

/// Why something has no value.
#[derive(Clone, Debug)]
pub(crate) enum NoValue {
    /// An operation without a finite value.
    Fault(Fault),
    /// A loop without a solution.
    Unsolved(Box<Unsolved>),
    /// Truth values that do not settle.
    Unsettled(Vec<VarId>),
    /// A surplus condition at the start, by its place, whose sides have these values.
    Contradicted { place: usize, lhs: f64, rhs: f64 },
}

/// A loop that Newton's method does not solve.
#[derive(Clone, Debug)]
pub(crate) struct Unsolved {
    pub(crate) iteration: Iteration,
    pub(crate) guesses: Vec<f64>,
    pub(crate) nominals: Vec<f64>,
    pub(crate) why: Why,
}

/// How Newton's method failed.
#[derive(Clone, Debug)]
pub(crate) enum Why {
    /// The residual of this equation does not fall.
    NotConverged { worst: usize, residual: f64, iterations: u32 },
    /// This unknown is not determined.
    Singular { unknown: usize },
    /// The guess itself has no residual.
    Fault(Fault),
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an expression has no value, or a loop no solution")
    }
}

impl std::error::Error for NoValue {}

/// What evaluations need beside the values: nominal values, and memory.
pub(crate) struct Evaluator {
    /// Of the variables that have one given.
    nominals: FxHashMap<VarId, f64>,
    /// Changes of all slots, zero but where a loop is being differentiated.
    changes: Vec<f64>,
    /// Memory of Newton's method, by the number of unknowns.
    newton: FxHashMap<usize, Newton>,
    /// The factorised matrices of linear loops, by loop.
    linear: FxHashMap<u32, Linear>,
    /// Memory of loops while they are solved, by loop.
    memory: FxHashMap<u32, LoopMemory>,
    pub(crate) functions: Functions,
}

/// Numbers of a loop while it is solved, kept so that nothing is allocated the next time.
#[derive(Default)]
struct LoopMemory {
    nominals: Vec<f64>,
    guesses: Vec<f64>,
    x: Vec<f64>,
}

fn refill(list: &mut Vec<f64>, with: impl Iterator<Item = f64>) {
    list.clear();
    list.extend(with);
}

/// The matrix of a linear loop, and memory.
struct Linear {
    /// The values of its factors that it was made for, and those of now.
    made_for: Vec<f64>,
    now: Vec<f64>,
    lu: Lu,
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
    fn new(n: usize) -> Linear {
        let (made_for, now, guess) = (Vec::new(), Vec::new(), Vec::new());
        Linear { made_for, now, lu: Lu::new(n), is_usable: false, correction: vec![0.0; n], guess }
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
            self.lu.solve(&mut self.correction);
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

/// What is left of the residuals after a leap that counts as a solution.
const LEAPT: f64 = 1e-8;

/// Turns that truth values may take to settle.
const MOST_TURNS: usize = 100;

/// Truth values of which all combinations are tried, at most.
const MOST_COMBINED: usize = 10;

impl Evaluator {
    pub(crate) fn new(n_slots: usize, nominals: FxHashMap<VarId, f64>, functions: Functions) -> Self {
        let (newton, linear) = (FxHashMap::default(), FxHashMap::default());
        let memory = FxHashMap::default();
        Evaluator { nominals, changes: vec![0.0; n_slots], newton, linear, memory, functions }
    }

    /// What counts as one for a variable.
    pub(crate) fn nominal(&self, v: VarId) -> f64 {
        self.nominals.get(&v).copied().unwrap_or(1.0)
    }

    /// Computes what one program computes.
    pub(crate) fn run_program(&self, program: &Program, values: &mut [f64]) -> Result<(), NoValue> {
        program.run(values, &self.functions).map_err(NoValue::Fault)
    }

    /// Computes what a routine computes, from what is in `values` before.
    pub(crate) fn run(&mut self, routine: &Routine, values: &mut [f64]) -> Result<(), NoValue> {
        for step in &routine.steps {
            match step {
                Step::Run(program) => self.run_program(program, values)?,
                Step::Iterate(iteration) => self.iterate(iteration, values)?,
                Step::Settle(settling) => self.settle(settling, values)?,
            }
        }
        Ok(())
    }

    /// Repeats a turn until what it holds does not change.
    fn settle(&mut self, settling: &Settling, values: &mut [f64]) -> Result<(), NoValue> {
        let held = |values: &[f64]| settling.held.iter().map(|v| values[v.index()]).collect::<Vec<f64>>();
        let mut before = held(values);
        for v in &settling.held {
            values[v.index()] = finite_or_zero(values[v.index()]);
        }
        let mut seen: Vec<Vec<f64>> = Vec::new();
        for _ in 0..MOST_TURNS {
            self.run(&settling.turn, values)?;
            let after = held(values);
            if after == before {
                return Ok(());
            }
            if seen.contains(&after) {
                break; // in circles
            }
            seen.push(before);
            before = after;
        }
        if self.try_all(settling, values) {
            return Ok(());
        }
        Err(NoValue::Unsettled(settling.held.clone()))
    }

    /// Looks for truth values that agree with themselves among all combinations, those that differ least from the present
    /// ones first. Says whether there are any.
    fn try_all(&mut self, settling: &Settling, values: &mut [f64]) -> bool {
        let n = settling.held.len();
        let start: Vec<f64> = settling.held.iter().map(|v| values[v.index()]).collect();
        if n > MOST_COMBINED || start.iter().any(|value| *value != 0.0 && *value != 1.0) {
            return false;
        }
        let before = values.to_vec();
        let mut combinations: Vec<u32> = (1..1 << n).collect();
        combinations.sort_by_key(|combination| combination.count_ones());
        for combination in combinations {
            values.copy_from_slice(&before);
            let mut tried = start.clone();
            let flipped = tried.iter_mut().enumerate().filter(|(i, _)| combination >> i & 1 == 1);
            flipped.for_each(|(_, value)| *value = 1.0 - *value);
            settling.held.iter().zip(&tried).for_each(|(v, value)| values[v.index()] = *value);
            if self.run(&settling.turn, values).is_ok()
                && settling.held.iter().zip(&tried).all(|(v, value)| values[v.index()] == *value)
            {
                return true;
            }
        }
        values.copy_from_slice(&before);
        false
    }

    /// Solves a linear loop with its matrix. Where a factor has changed, the old matrix is tried first: between two steps it
    /// has changed little, and to make it anew takes as many sweeps as there are unknowns. Says whether that went well.
    fn solve_linear(&mut self, iteration: &Iteration, factors: &[Slot], values: &mut [f64]) -> bool {
        for v in &iteration.guessed {
            values[v.index()] = finite_or_zero(values[v.index()]);
        }
        if iteration.program.run(values, &self.functions).is_err() {
            return false;
        }
        let linear = self.linear.entry(iteration.id).or_insert_with(|| Linear::new(iteration.guessed.len()));
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
        derivatives(iteration, values, &mut self.changes, &self.functions, linear.lu.matrix_mut());
        linear.is_usable = linear.lu.factorise_in_place().is_ok();
        linear.made_for.clone_from(&linear.now);
        linear.is_usable
            && linear.correct(iteration, values, &self.functions, &CORRECTIONS) != Corrected::Failed
    }

    /// Solves a loop, from what its unknowns were before.
    fn iterate(&mut self, iteration: &Iteration, values: &mut [f64]) -> Result<(), NoValue> {
        let mut memory = std::mem::take(self.memory.entry(iteration.id).or_default());
        let solved = self.iterate_within(iteration, values, &mut memory);
        self.memory.insert(iteration.id, memory);
        solved
    }

    fn iterate_within(
        &mut self,
        iteration: &Iteration,
        values: &mut [f64],
        memory: &mut LoopMemory,
    ) -> Result<(), NoValue> {
        let LoopMemory { nominals, guesses, x } = memory;
        let unknowns = || iteration.guessed.iter();
        if let Some(factors) = &iteration.factors {
            refill(x, unknowns().map(|v| values[v.index()]));
            if self.solve_linear(iteration, factors, values) {
                return Ok(());
            }
            set(iteration, values, x);
        }
        let n = iteration.guessed.len();
        refill(nominals, unknowns().map(|v| self.nominal(*v)));
        refill(guesses, unknowns().map(|v| finite_or_zero(values[v.index()])));
        x.clone_from(guesses);
        let newton = self.newton.entry(n).or_insert_with(|| Newton::new(n));
        let functions = &self.functions;
        let mut system = Residuals { iteration, values, changes: &mut self.changes, functions };
        let options = Options { nominal: nominals, ..Options::default() };
        let mut solved = newton.solve(&mut system, x, &options);
        if solved.is_err() {
            // the branch of solutions it followed may have ended: another one may be a leap away
            let mut leapt = guesses.clone();
            if newton
                .solve(&mut system, &mut leapt, &Options { leaps: true, ..options })
                .is_ok_and(|s| s.residual < LEAPT)
            {
                *x = leapt;
                solved = Ok(Solved { iterations: 0, residual: 0.0 });
            }
        }
        match solved {
            Ok(_) => {
                // the last evaluation may have been elsewhere
                set(iteration, values, x);
                iteration.program.run(values, &self.functions).map_err(NoValue::Fault)
            }
            Err(failure) => {
                let why = match failure {
                    NewtonFailure::NotConverged { iterations, residual, worst_equation, .. } => {
                        Why::NotConverged { worst: worst_equation, residual, iterations }
                    }
                    NewtonFailure::Singular { unknown, .. } => Why::Singular { unknown },
                    NewtonFailure::EvaluationFailed { reason, .. } => {
                        match reason.downcast_ref::<NoValue>() {
                            Some(NoValue::Fault(fault)) => Why::Fault(fault.clone()),
                            _ => Why::Singular { unknown: 0 },
                        }
                    }
                };
                // so that the next attempt does not begin where this one got lost
                set(iteration, values, guesses);
                let (guesses, nominals) = (guesses.clone(), nominals.clone());
                Err(NoValue::Unsolved(Box::new(Unsolved {
                    iteration: iteration.clone(),
                    guesses,
                    nominals,
                    why,
                })))
            }
        }
    }

    /// The factorised derivatives of the residuals of all loops of a routine, at the point that `values` holds.
    pub(crate) fn factorised_loops(&mut self, routine: &Routine, values: &mut [f64]) -> Vec<Option<Lu>> {
        let mut factors = Vec::new();
        for step in &routine.steps {
            let Step::Iterate(iteration) = step else { continue };
            let n = iteration.guessed.len();
            let mut lu = Lu::new(n);
            derivatives(iteration, values, &mut self.changes, &self.functions, lu.matrix_mut());
            factors.push(lu.factorise_in_place().is_ok().then_some(lu));
        }
        factors
    }
}

/// The changes of all that a routine computes, given those of its inputs in `changes`; loops by the implicit function theorem,
/// with their factors from [`Evaluator::factorised_loops`].
pub(crate) fn propagate(
    routine: &Routine,
    values: &mut [f64],
    changes: &mut [f64],
    factors: &[Option<Lu>],
    functions: &Functions,
) {
    let mut factors = factors.iter();
    for step in &routine.steps {
        match step {
            Step::Settle(_) => debug_assert!(false, "between events all truth values are known"),
            Step::Run(program) => program.propagate(values, changes, functions),
            Step::Iterate(iteration) => {
                for v in &iteration.guessed {
                    changes[v.index()] = 0.0;
                }
                iteration.program.propagate(values, changes, functions);
                let mut change: Vec<f64> =
                    iteration.residuals.iter().map(|slot| -changes[slot.index()]).collect();
                if let Some(Some(lu)) = factors.next() {
                    lu.solve(&mut change);
                }
                for (v, change) in iteration.guessed.iter().zip(change) {
                    changes[v.index()] = change;
                }
                iteration.program.propagate(values, changes, functions);
            }
        }
    }
}

fn finite_or_zero(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

fn set(iteration: &Iteration, values: &mut [f64], x: &[f64]) {
    for (v, x) in iteration.guessed.iter().zip(x) {
        values[v.index()] = *x;
    }
}

/// The derivatives of the residuals with respect to the guesses, by rows. `changes` is zero before and after.
fn derivatives(
    iteration: &Iteration,
    values: &mut [f64],
    changes: &mut [f64],
    functions: &Functions,
    jacobian: &mut [f64],
) {
    let n = iteration.guessed.len();
    for (column, v) in iteration.guessed.iter().enumerate() {
        changes[v.index()] = 1.0;
        iteration.program.propagate(values, changes, functions);
        for (row, slot) in iteration.residuals.iter().enumerate() {
            jacobian[row * n + column] = changes[slot.index()];
        }
        changes[v.index()] = 0.0;
    }
    // other loops see what this one computes as inputs that do not change
    for v in iteration.program.targets() {
        changes[v.index()] = 0.0;
    }
}

/// A loop as Newton's method sees it.
struct Residuals<'a> {
    iteration: &'a Iteration,
    values: &'a mut [f64],
    changes: &'a mut [f64],
    functions: &'a Functions,
}

impl System for Residuals<'_> {
    fn n(&self) -> usize {
        self.iteration.guessed.len()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        set(self.iteration, self.values, x);
        self.iteration
            .program
            .run(self.values, self.functions)
            .map_err(|fault| EvaluationFailed::new(NoValue::Fault(fault)))?;
        for (slot, residual) in self.iteration.residuals.iter().zip(residual) {
            *residual = self.values[slot.index()];
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        set(self.iteration, self.values, x);
        derivatives(self.iteration, self.values, self.changes, self.functions, jacobian);
        Ok(())
    }
}
