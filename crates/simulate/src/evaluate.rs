//! Runs routines: formulas one after the other, loops by Newton's method.

use std::fmt;
use std::rc::Rc;

use rhei_equations::VarId;
use rhei_kernel::{Fault, Functions, Iteration, Program, Routine, Settling, Slot, Step};
use rhei_numerics::EvaluationFailed;
use rhei_numerics::lu::Lu;
use rhei_numerics::newton::{Held, Newton, NewtonFailure, Options, System};
use rhei_numerics::projection::displacement;
use rhei_solvable::Surplus;
use rustc_hash::FxHashMap;

use crate::groups::{Groups, Unrested};
use crate::guesses::{Fitting, fit};

/// Why something has no value.
#[derive(Clone, Debug)]
pub(crate) enum NoValue {
    /// An operation without a finite value.
    Fault(Fault),
    /// A loop without a solution.
    Unsolved(Box<Unsolved>),
    /// A group of balances without an equilibrium.
    Unrested(Box<Unrested>),
    /// Truth values that do not settle.
    Unsettled(Vec<VarId>),
    /// A surplus condition at the start whose sides have these values.
    Contradicted { condition: Box<Surplus>, lhs: f64, rhs: f64 },
    /// The initial problem has no solution, for this reason.
    NotStarted(Box<NoValue>),
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
    /// This unknown would have to go beyond its bound.
    Held { unknown: usize, at_max: bool, bound: f64 },
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
    pub(crate) changes: Vec<f64>,
    /// Memory of Newton's method, by the number of unknowns.
    newton: FxHashMap<usize, Newton>,
    /// Matrices of loops that were made and factorised, but those of Newton's method.
    pub(crate) matrices: u64,
    /// The factorised matrices of linear loops, by loop.
    linear: FxHashMap<u32, Linear>,
    /// Memory of loops while they are solved, by loop.
    memory: FxHashMap<u32, LoopMemory>,
    settling: SettlingMemory,
    /// `min` and `max` of the unknowns of loops that have one.
    bounds: FxHashMap<VarId, (f64, f64)>,
    /// What is known of the unknowns of each loop, by loop.
    limits: FxHashMap<u32, Rc<Limits>>,
    /// While the run starts: which variables have a start value.
    starting: Option<Vec<bool>>,
    /// The start values that are smaller than one, and say more about the size of an unknown than the lack of a nominal value.
    small: FxHashMap<VarId, f64>,
    /// The unknowns of loops that were singular at their first guesses, and solved from others.
    pub(crate) displaced: Vec<VarId>,
    /// Where loops that resist are followed along a flow: the unknowns of those that were solved so.
    pub(crate) followed: Option<Vec<VarId>>,
    pub(crate) functions: Functions,
    pub(crate) groups: Groups,
}

/// Sizes and ranges of the unknowns of a loop.
pub(crate) struct Limits {
    pub(crate) nominals: Vec<f64>,
    pub(crate) min: Vec<f64>,
    pub(crate) max: Vec<f64>,
    /// What follows from the guesses and has a range.
    following: Vec<(VarId, f64, f64)>,
}

/// Numbers of a loop while it is solved, kept so that nothing is allocated the next time.
#[derive(Default)]
struct LoopMemory {
    guesses: Vec<f64>,
    x: Vec<f64>,
}

/// What is held while it settles, of one turn and of the next.
#[derive(Default)]
struct SettlingMemory {
    before: Vec<f64>,
    after: Vec<f64>,
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

/// Where a search begins anew that was held at a bound: so far from it, in units of the larger of bound and nominal value.
const FURTHER_INSIDE: [f64; 3] = [1.0, 10.0, 100.0];

/// Turns that truth values may take to settle.
const MOST_TURNS: usize = 100;

/// Truth values of which all combinations are tried, at most.
const MOST_COMBINED: usize = 10;

impl Evaluator {
    pub(crate) fn new(n_slots: usize, nominals: FxHashMap<VarId, f64>, functions: Functions) -> Self {
        Evaluator {
            nominals,
            changes: vec![0.0; n_slots],
            newton: FxHashMap::default(),
            matrices: 0,
            linear: FxHashMap::default(),
            memory: FxHashMap::default(),
            settling: SettlingMemory::default(),
            bounds: FxHashMap::default(),
            limits: FxHashMap::default(),
            starting: None,
            small: FxHashMap::default(),
            displaced: Vec::new(),
            followed: None,
            functions,
            groups: Groups::default(),
        }
    }

    /// Keeps the unknowns of loops within these ranges.
    pub(crate) fn keep_within(&mut self, bounds: FxHashMap<VarId, (f64, f64)>) {
        self.bounds = bounds;
        self.limits.clear();
    }

    /// From here on loops are solved for the first time; `has_start` says which variables have a start value in `values`.
    pub(crate) fn begin_start(&mut self, has_start: Vec<bool>, values: &[f64]) {
        let starts = has_start.iter().zip(values).enumerate().filter(|(_, (has, _))| **has);
        let sizes = starts.map(|(v, (_, start))| (VarId(v as u32), start.abs()));
        self.small = sizes.filter(|(_, size)| 0.0 < *size && *size < 1.0).collect();
        self.starting = Some(has_start);
    }

    /// What counts as one for an unknown of a loop.
    fn size(&self, v: VarId) -> f64 {
        self.nominals.get(&v).or_else(|| self.small.get(&v)).copied().unwrap_or(1.0)
    }

    /// From here on loops begin with their last solution.
    pub(crate) fn end_start(&mut self) {
        self.starting = None;
    }

    /// Whether loops are solved for the first time.
    pub(crate) fn is_starting(&self) -> bool {
        self.starting.is_some()
    }

    pub(crate) fn limits(&mut self, iteration: &Iteration) -> Rc<Limits> {
        if let Some(known) = self.limits.get(&iteration.id) {
            return known.clone();
        }
        let range = |v: &VarId| self.bounds.get(v).copied().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let guessed = &iteration.guessed;
        let following = iteration.program.targets().filter(|v| !guessed.contains(v));
        let limits = Rc::new(Limits {
            nominals: guessed.iter().map(|v| self.size(*v)).collect(),
            min: guessed.iter().map(|v| range(v).0).collect(),
            max: guessed.iter().map(|v| range(v).1).collect(),
            following: following.filter_map(|v| self.bounds.get(&v).map(|&(a, b)| (v, a, b))).collect(),
        });
        self.limits.insert(iteration.id, limits.clone());
        limits
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
        let mut memory = std::mem::take(&mut self.settling);
        let settled = self.settle_within(settling, values, &mut memory);
        self.settling = memory;
        settled
    }

    fn settle_within(
        &mut self,
        settling: &Settling,
        values: &mut [f64],
        memory: &mut SettlingMemory,
    ) -> Result<(), NoValue> {
        let SettlingMemory { before, after } = memory;
        refill(before, settling.held.iter().map(|v| values[v.index()]));
        for v in &settling.held {
            values[v.index()] = finite_or_zero(values[v.index()]);
        }
        let mut seen: Vec<Vec<f64>> = Vec::new();
        for _ in 0..MOST_TURNS {
            self.run(&settling.turn, values)?;
            refill(after, settling.held.iter().map(|v| values[v.index()]));
            if after == before {
                return Ok(());
            }
            if seen.contains(after) {
                break; // in circles
            }
            seen.push(before.clone());
            std::mem::swap(before, after);
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
        self.matrices += 1;
        linear.is_usable = linear.lu.factorise_in_place().is_ok();
        linear.made_for.clone_from(&linear.now);
        linear.is_usable
            && linear.correct(iteration, values, &self.functions, &CORRECTIONS) != Corrected::Failed
    }

    /// Solves a loop, from what its unknowns were before.
    fn iterate(&mut self, iteration: &Iteration, values: &mut [f64]) -> Result<(), NoValue> {
        if !iteration.balance.is_empty() {
            return self.come_to_rest(iteration, values);
        }
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
        let LoopMemory { guesses, x } = memory;
        let unknowns = || iteration.guessed.iter();
        if let Some(factors) = &iteration.factors {
            refill(x, unknowns().map(|v| values[v.index()]));
            if self.solve_linear(iteration, factors, values) {
                return Ok(());
            }
            set(iteration, values, x);
        }
        refill(guesses, unknowns().map(|v| finite_or_zero(values[v.index()])));
        let solved = match self.fitted(iteration, values) {
            Some(fitted) if self.search(iteration, &fitted, x, values).is_ok() => Ok(()),
            _ => self.search(iteration, guesses, x, values),
        };
        let solved = match solved {
            Err(NewtonFailure::Singular { .. }) if self.starting.is_some() => {
                let limits = self.limits(iteration);
                let found = self.search(iteration, &displaced(guesses, &limits), x, values);
                found.map(|()| self.displaced.extend(&iteration.guessed)).or(solved)
            }
            solved => solved,
        };
        let solved = match solved {
            Err(failure) if self.followed.is_some() => match self.follow_flow(iteration, guesses, values) {
                Some(found) => {
                    refill(x, found.into_iter());
                    self.followed.iter_mut().for_each(|followed| followed.extend(&iteration.guessed));
                    Ok(())
                }
                None => Err(failure),
            },
            solved => solved,
        };
        match solved {
            Ok(()) => {
                // the last evaluation may have been elsewhere
                set(iteration, values, x);
                iteration.program.run(values, &self.functions).map_err(NoValue::Fault)
            }
            Err(failure) => {
                let limits = self.limits(iteration);
                let why = why(failure, &limits);
                // so that the next attempt does not begin where this one got lost
                set(iteration, values, guesses);
                let (guesses, nominals) = (guesses.clone(), limits.nominals.clone());
                let iteration = iteration.clone();
                Err(NoValue::Unsolved(Box::new(Unsolved { iteration, guesses, nominals, why })))
            }
        }
    }

    /// First guesses that agree with the start values of what follows from them.
    fn fitted(&mut self, iteration: &Iteration, values: &mut [f64]) -> Option<Vec<f64>> {
        let has_start = self.starting.as_ref()?;
        let (nominals, small) = (&self.nominals, &self.small);
        let nominal = |v: VarId| nominals.get(&v).or_else(|| small.get(&v)).copied().unwrap_or(1.0);
        let (changes, functions) = (&mut self.changes[..], &self.functions);
        fit(iteration, Fitting { has_start, nominal: &nominal, changes, functions }, values)
    }

    /// Writes the solution of a loop that Newton's method finds from guesses into `x`.
    fn search(
        &mut self,
        iteration: &Iteration,
        guesses: &[f64],
        x: &mut Vec<f64>,
        values: &mut [f64],
    ) -> Result<(), NewtonFailure> {
        let limits = self.limits(iteration);
        let n = guesses.len();
        let newton = self.newton.entry(n).or_insert_with(|| Newton::new(n));
        let (changes, functions) = (&mut self.changes[..], &self.functions);
        let mut system = Residuals::new(iteration, values, changes, functions);
        let options =
            Options { nominal: &limits.nominals, min: &limits.min, max: &limits.max, ..Options::default() };
        let mut solve = |system: &mut Residuals<'_>, from: &[f64], options: &Options<'_>| {
            refill(x, from.iter().copied());
            newton.solve(system, x, options)
        };
        if !limits.following.is_empty() {
            system.within.clone_from(&limits.following);
            if solve(&mut system, guesses, &options).is_ok() {
                return Ok(());
            }
            system.within.clear();
        }
        let failure = match solve(&mut system, guesses, &options) {
            Ok(_) => return Ok(()),
            Err(failure) => failure,
        };
        // the branch of solutions it followed may have ended: another one may be a leap away
        let leaping = Options { leaps: true, ..options.clone() };
        if solve(&mut system, guesses, &leaping).is_ok_and(|solved| solved.residual < LEAPT) {
            return Ok(());
        }
        // held at a bound it began beside: a solution may be further inside
        if let NewtonFailure::NotConverged { held: Some(Held { unknown, at_max }), .. } = failure {
            let bound = if at_max { limits.max[unknown] } else { limits.min[unknown] };
            let way = limits.nominals[unknown].max(bound.abs()) * if at_max { -1.0 } else { 1.0 };
            let mut inside = guesses.to_vec();
            for far in FURTHER_INSIDE {
                inside[unknown] = (bound + far * way).clamp(limits.min[unknown], limits.max[unknown]);
                if solve(&mut system, &inside, &options).is_ok() {
                    return Ok(());
                }
            }
        }
        Err(failure)
    }

    /// The derivatives of the residuals of a loop, by rows, at the point that `values` holds.
    pub(crate) fn jacobian_of(&mut self, iteration: &Iteration, values: &mut [f64]) -> Vec<f64> {
        let n = iteration.guessed.len();
        let mut jacobian = vec![0.0; n * n];
        derivatives(iteration, values, &mut self.changes, &self.functions, &mut jacobian);
        jacobian
    }

    /// The factorised derivatives of the residuals of all loops of a routine, at the point that `values` holds.
    pub(crate) fn factorised_loops(&mut self, routine: &Routine, values: &mut [f64]) -> Vec<Option<Lu>> {
        let mut factors = Vec::new();
        for step in &routine.steps {
            let Step::Iterate(iteration) = step else { continue };
            if let (Some(slots), Some(linear)) = (&iteration.factors, self.linear.get_mut(&iteration.id))
                && !linear.note(slots, values)
            {
                factors.push(Some(linear.lu.clone())); // solved with the same matrix just before
                continue;
            }
            let n = iteration.guessed.len();
            let mut lu = Lu::new(n);
            derivatives(iteration, values, &mut self.changes, &self.functions, lu.matrix_mut());
            self.matrices += 1;
            factors.push(lu.factorise_in_place().is_ok().then_some(lu));
        }
        factors
    }
}

/// Guesses away from where a loop is singular, as zero is for `x^2 = 4`: above, and each by another amount.
fn displaced(guesses: &[f64], limits: &Limits) -> Vec<f64> {
    let above = |(i, guess): (usize, &f64)| {
        let moved = guess + limits.nominals[i] * displacement(i);
        if limits.min[i] <= limits.max[i] { moved.clamp(limits.min[i], limits.max[i]) } else { moved }
    };
    guesses.iter().enumerate().map(above).collect()
}

/// Why Newton's method failed, in terms of a loop.
fn why(failure: NewtonFailure, limits: &Limits) -> Why {
    match failure {
        NewtonFailure::NotConverged { held: Some(Held { unknown, at_max }), .. } => {
            let bound = if at_max { limits.max[unknown] } else { limits.min[unknown] };
            Why::Held { unknown, at_max, bound }
        }
        NewtonFailure::NotConverged { iterations, residual, worst_equation, .. } => {
            Why::NotConverged { worst: worst_equation, residual, iterations }
        }
        NewtonFailure::Singular { unknown, .. } => Why::Singular { unknown },
        NewtonFailure::EvaluationFailed { reason, .. } => match reason.downcast_ref::<NoValue>() {
            Some(NoValue::Fault(fault)) => Why::Fault(fault.clone()),
            _ => Why::Singular { unknown: 0 },
        },
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
pub(crate) struct Residuals<'a> {
    iteration: &'a Iteration,
    values: &'a mut [f64],
    changes: &'a mut [f64],
    functions: &'a Functions,
    /// What follows from the guesses and is kept within its range, if it was there at the first guesses.
    within: Vec<(VarId, f64, f64)>,
    is_new: bool,
}

/// What is beyond its range by less than this share of it is not beyond.
const BEYOND: f64 = 1e-9;

impl<'a> Residuals<'a> {
    /// With nothing that is kept within its range.
    pub(crate) fn new(
        iteration: &'a Iteration,
        values: &'a mut [f64],
        changes: &'a mut [f64],
        functions: &'a Functions,
    ) -> Residuals<'a> {
        Residuals { iteration, values, changes, functions, within: Vec::new(), is_new: true }
    }
}

impl Residuals<'_> {
    /// Refuses a point at which what follows has left its range, but for what was not in it from the beginning.
    fn stay_within(&mut self) -> Result<(), EvaluationFailed> {
        let values = &self.values;
        let is_beyond = |(v, min, max): &(VarId, f64, f64)| {
            let value = values[v.index()];
            value < min - BEYOND * min.abs().max(1.0) || value > max + BEYOND * max.abs().max(1.0)
        };
        if std::mem::take(&mut self.is_new) {
            self.within.retain(|range| !is_beyond(range));
        }
        match self.within.iter().any(is_beyond) {
            true => Err(EvaluationFailed::new("an unknown has left its range")),
            false => Ok(()),
        }
    }
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
        self.stay_within()?;
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
