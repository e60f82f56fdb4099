//! Runs routines: formulas one after the other, loops by Newton's method.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use rhei_equations::VarId;
use rhei_kernel::{Fault, Functions, Iteration, Program, Routine, Step};
use rhei_numerics::determinant::Determinant;
use rhei_numerics::newton::{Newton, System};
use rhei_numerics::{EvaluationFailed, Pattern, SparseMatrix};
use rhei_solvable::Surplus;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constants::{LEAST_TELLING_START, RANGE_ROUNDING};
use crate::groups::{Groups, NoEquilibrium};
use crate::guesses::Trust;
use crate::linear::Linear;
use crate::loop_matrix::{Factors, Plan, derivatives, make};
use crate::search::Search;
use crate::settle::{Borders, SettlingMemory};
use crate::starting_points::StartingPoints;
use crate::work_budget::WorkBudget;

/// Why an evaluation fails.
#[derive(Clone, Debug)]
pub enum NoValue {
    /// An operation without a finite value.
    Fault(Fault),
    /// A loop without a solution.
    Unsolved(Box<Unsolved>),
    /// A group of balances without an equilibrium.
    NoEquilibrium(Box<NoEquilibrium>),
    /// Truth values that do not settle.
    Unsettled(Vec<VarId>),
    /// A surplus condition at the start whose sides have these values.
    Contradicted {
        /// The condition.
        condition: Box<Surplus>,
        /// Its left side.
        lhs: f64,
        /// Its right side.
        rhs: f64,
    },
    /// The initial problem has no solution, for this reason.
    NotStarted(Box<NoValue>),
    /// The search for a solution of the initial problem took too long, after this first failure.
    Exhausted(Box<NoValue>),
}

/// A loop that Newton's method does not solve.
#[derive(Clone, Debug)]
pub struct Unsolved {
    pub(crate) iteration: Iteration,
    pub(crate) guesses: Vec<f64>,
    pub(crate) nominals: Vec<f64>,
    pub(crate) why: Why,
}

/// How Newton's method failed.
#[derive(Clone, Debug)]
pub enum Why {
    /// The residual of this equation does not fall.
    NotConverged {
        /// Its index.
        worst: usize,
        /// Its value.
        residual: f64,
        /// Number of iterations.
        iterations: u32,
    },
    /// This unknown would have to go beyond its bound.
    Held {
        /// Its index.
        unknown: usize,
        /// Whether that is its `max`.
        at_max: bool,
        /// The bound.
        bound: f64,
    },
    /// This unknown is not determined.
    Singular {
        /// Its index.
        unknown: usize,
    },
    /// The guess itself has no residual.
    Fault(Fault),
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an expression has no value, or a loop no solution")
    }
}

impl std::error::Error for NoValue {}

/// The context of evaluations beside the values: nominal values, and memory.
#[derive(Clone)]
pub struct Evaluator {
    /// Nominal values of the variables that have one.
    pub(crate) nominals: FxHashMap<VarId, f64>,
    /// Directional derivatives of all slots, zero except while a loop is being differentiated.
    pub changes: Vec<f64>,
    /// Memory of Newton's method, by the number of unknowns; of that for sparse loops, by loop.
    pub(crate) newton: FxHashMap<usize, Newton>,
    pub(crate) sparse_newton: FxHashMap<u32, Newton>,
    /// Plans for the derivatives of loops, by loop: none for small ones.
    plans: FxHashMap<u32, Option<Rc<Plan>>>,
    /// Number of factorised matrices of loops, except those of Newton's method.
    pub matrices: u64,
    /// The factorised matrices of linear loops, by loop.
    pub linear: FxHashMap<u32, Linear>,
    /// The factorised derivatives of other loops, by loop.
    derived: FxHashMap<u32, Rc<Factors>>,
    /// Solutions by Newton's method, and their iterations, for all loops.
    pub(crate) searched: (u64, u64),
    /// The determinant of the loop that Newton's method solved last.
    pub(crate) determinant: Option<Determinant>,
    /// Memory of loops while they are solved, by loop.
    pub(crate) memory: FxHashMap<u32, LoopMemory>,
    pub(crate) settling: SettlingMemory,
    /// `min` and `max` of the unknowns of loops that have one.
    bounds: FxHashMap<VarId, (f64, f64)>,
    /// Sizes and ranges of the unknowns, by loop.
    pub(crate) limits: FxHashMap<u32, Rc<Limits>>,
    /// Sizes of unknowns taken from start values smaller than one but above rounding: they say more than the lack of a nominal
    /// value.
    pub(crate) small: FxHashMap<VarId, f64>,
    /// The unknowns of loops that were singular at their first guesses, and solved from others.
    pub displaced: Vec<VarId>,
    /// The unknowns of loops that were solved by following a flow.
    pub(crate) followed: Vec<VarId>,
    pub(crate) borders: Borders,
    pub(crate) starting_points: StartingPoints,
    /// Context of calls of functions.
    pub functions: Functions,
    /// Memory of groups of balances.
    pub groups: Groups,
}

/// Sizes and ranges of the unknowns of a loop.
#[derive(Clone)]
pub struct Limits {
    pub(crate) nominals: Vec<f64>,
    pub(crate) min: Vec<f64>,
    pub(crate) max: Vec<f64>,
    /// The variables that follow from the guesses and have a range.
    pub(crate) following: Vec<(VarId, f64, f64)>,
}

/// Numbers of a loop while it is solved, kept so that nothing is allocated the next time.
#[derive(Clone, Default)]
pub(crate) struct LoopMemory {
    pub(crate) guesses: Vec<f64>,
    pub(crate) x: Vec<f64>,
    /// Solutions by Newton's method, and their iterations.
    pub(crate) solves: u64,
    pub(crate) iterations: u64,
    /// The determinant of its derivatives at the last solution, as [`Newton::determinant`] has it.
    pub(crate) determinant: Option<Determinant>,
}

pub(crate) fn refill(list: &mut Vec<f64>, with: impl Iterator<Item = f64>) {
    list.clear();
    list.extend(with);
}

impl Evaluator {
    pub(crate) fn new(
        starts: &[f64],
        nominals: FxHashMap<VarId, f64>,
        borders: Borders,
        functions: Functions,
    ) -> Self {
        Evaluator {
            nominals,
            changes: vec![0.0; starts.len()],
            newton: FxHashMap::default(),
            sparse_newton: FxHashMap::default(),
            plans: FxHashMap::default(),
            matrices: 0,
            linear: FxHashMap::default(),
            derived: FxHashMap::default(),
            searched: (0, 0),
            determinant: None,
            memory: FxHashMap::default(),
            settling: SettlingMemory::default(),
            bounds: FxHashMap::default(),
            limits: FxHashMap::default(),
            small: FxHashMap::default(),
            displaced: Vec::new(),
            followed: Vec::new(),
            borders,
            starting_points: StartingPoints::new(starts),
            functions,
            groups: Groups::default(),
        }
    }

    /// Keeps the unknowns of loops within these ranges.
    pub(crate) fn keep_within(&mut self, bounds: FxHashMap<VarId, (f64, f64)>) {
        self.bounds = bounds;
        self.limits.clear();
    }

    /// Takes the sizes of unknowns from start values that tell them; `trust` rates the start values in `values`.
    pub(crate) fn know_sizes(&mut self, trust: &[Trust], values: &[f64]) {
        let starts = trust.iter().zip(values).enumerate().filter(|(_, (trust, _))| **trust > Trust::None);
        let sizes = starts.map(|(v, (_, start))| (VarId(v as u32), start.abs()));
        self.small = sizes.filter(|(_, size)| (LEAST_TELLING_START..1.0).contains(size)).collect();
    }

    /// The size of an unknown of a loop: its nominal value, else that of its start value, else one.
    fn size(&self, v: VarId) -> f64 {
        self.nominals.get(&v).or_else(|| self.small.get(&v)).copied().unwrap_or(1.0)
    }

    pub(crate) fn limits(&mut self, iteration: &Iteration) -> Rc<Limits> {
        if let Some(known) = self.limits.get(&iteration.id) {
            return known.clone();
        }
        let range = |v: &VarId| self.bounds.get(v).copied().unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let guessed = &iteration.guessed;
        let is_guessed: FxHashSet<VarId> = guessed.iter().copied().collect();
        let following = iteration.program.targets().filter(|v| !is_guessed.contains(v));
        let limits = Rc::new(Limits {
            nominals: guessed.iter().map(|v| self.size(*v)).collect(),
            min: guessed.iter().map(|v| range(v).0).collect(),
            max: guessed.iter().map(|v| range(v).1).collect(),
            following: following.filter_map(|v| self.bounds.get(&v).map(|&(a, b)| (v, a, b))).collect(),
        });
        self.limits.insert(iteration.id, limits.clone());
        limits
    }

    /// The plan for the derivatives of a loop; none for a small one.
    pub fn plan(&mut self, iteration: &Iteration) -> Option<Rc<Plan>> {
        let plan = self.plans.entry(iteration.id).or_insert_with(|| Plan::new(iteration).map(Rc::new));
        plan.clone()
    }

    /// The nominal value of a variable.
    pub fn nominal(&self, v: VarId) -> f64 {
        self.nominals.get(&v).copied().unwrap_or(1.0)
    }

    /// Runs one program.
    pub fn run_program(&self, program: &Program, values: &mut [f64]) -> Result<(), NoValue> {
        program.run(values, &self.functions).map_err(NoValue::Fault)
    }

    /// Runs a routine on `values`.
    pub fn run(&mut self, routine: &Routine, values: &mut [f64], search: Search<'_>) -> Result<(), NoValue> {
        for (place, step) in routine.steps.iter().enumerate() {
            match step {
                Step::Run(program) => match search.singular {
                    Some(singular) => {
                        self.run_by_least_change(routine, place, program, values, singular, search)?;
                    }
                    None => self.run_program(program, values)?,
                },
                Step::Iterate(iteration) => {
                    self.iterate(iteration, values, search)?;
                    self.set_open_directions(iteration, &routine.steps[place + 1..], values, search)?;
                }
                Step::Settle(settling) => self.settle(settling, values, search)?,
            }
        }
        Ok(())
    }

    /// The same with given guesses of some loops, whose residuals are written down instead of brought to zero.
    pub(crate) fn run_open(
        &mut self,
        routine: &Routine,
        values: &mut [f64],
        mut opening: Opening<'_>,
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        let (mut place, mut first) = (0, 0);
        for step in &routine.steps {
            match step {
                Step::Iterate(iteration) => {
                    match opening.is_open(place) {
                        true => {
                            self.run_program(&iteration.program, values)?;
                            opening.note(iteration, values, &mut first);
                        }
                        false => self.iterate(iteration, values, search)?,
                    }
                    place += 1;
                }
                Step::Run(program) => self.run_program(program, values)?,
                Step::Settle(settling) => self.settle(settling, values, search)?,
            }
        }
        Ok(())
    }

    /// Solutions of a loop by Newton's method, and their iterations.
    pub(crate) fn work_of(&self, iteration: &Iteration) -> (u64, u64) {
        self.memory.get(&iteration.id).map_or((0, 0), |memory| (memory.solves, memory.iterations))
    }

    /// The derivatives of the residuals of a loop at the point that `values` holds.
    pub fn jacobian_of(&mut self, iteration: &Iteration, values: &mut [f64]) -> SparseMatrix {
        let n = iteration.guessed.len();
        let plan = self.plan(iteration);
        let pattern = plan.as_ref().map_or_else(|| Arc::new(Pattern::dense(n)), |plan| plan.pattern.clone());
        let mut jacobian = SparseMatrix::zeros(pattern);
        let (changes, functions) = (&mut self.changes[..], &self.functions);
        match plan {
            Some(plan) => plan.entries(iteration, values, changes, functions, jacobian.values_mut()),
            None => {
                let mut by_rows = vec![0.0; n * n];
                derivatives(iteration, None, values, changes, functions, &mut by_rows);
                let by_columns = (0..n * n).map(|k| by_rows[k % n * n + k / n]);
                jacobian.values_mut().iter_mut().zip(by_columns).for_each(|(entry, value)| *entry = value);
            }
        }
        jacobian
    }

    /// The factorised derivatives of the residuals of all loops of a routine, at the point that `values` holds.
    pub fn factorised_loops(&mut self, routine: &Routine, values: &mut [f64]) -> Vec<Option<Rc<Factors>>> {
        let mut all = Vec::new();
        for step in &routine.steps {
            let Step::Iterate(iteration) = step else { continue };
            if let (Some(slots), Some(linear)) = (&iteration.factors, self.linear.get_mut(&iteration.id))
                && let Some(factors) = linear.present_factors(slots, values)
            {
                all.push(Some(factors)); // just solved with the same matrix
                continue;
            }
            let plan = self.plan(iteration);
            let plan = plan.as_ref();
            let factors =
                self.derived.entry(iteration.id).or_insert_with(|| Rc::new(Factors::new(iteration, plan)));
            self.matrices += 1;
            let usable = make(factors, iteration, plan, values, &mut self.changes, &self.functions);
            all.push(usable.then(|| factors.clone()));
        }
        all
    }
}

/// Loops whose guesses are given from outside.
pub(crate) struct Opening<'a> {
    /// Of each loop of a routine, in order, whether it is one of them.
    pub is_open: &'a [bool],
    /// Their residuals, one loop after the other.
    pub residuals: &'a mut [f64],
}

impl Opening<'_> {
    fn is_open(&self, place: usize) -> bool {
        self.is_open.get(place).copied().unwrap_or(false)
    }

    /// Copies the residuals out of their slots, which other programs may reuse.
    fn note(&mut self, iteration: &Iteration, found: &[f64], first: &mut usize) {
        let own = &mut self.residuals[*first..*first + iteration.residuals.len()];
        own.iter_mut().zip(&iteration.residuals).for_each(|(own, slot)| *own = found[slot.index()]);
        *first += iteration.residuals.len();
    }
}

/// Directional derivatives of a routine's results, given those of its inputs in `changes`; through loops by the implicit
/// function theorem, with their factors from [`Evaluator::factorised_loops`].
pub fn propagate(
    routine: &Routine,
    values: &mut [f64],
    changes: &mut [f64],
    factors: &[Option<Rc<Factors>>],
    functions: &Functions,
) {
    propagate_open(
        routine,
        values,
        changes,
        factors,
        functions,
        Opening { is_open: &[], residuals: &mut [] },
    );
}

/// The same if `changes` holds those of the guesses of some loops, too: the derivatives of their residuals are written down.
pub(crate) fn propagate_open(
    routine: &Routine,
    values: &mut [f64],
    changes: &mut [f64],
    factors: &[Option<Rc<Factors>>],
    functions: &Functions,
    mut opening: Opening<'_>,
) {
    let (mut place, mut first) = (0, 0);
    for step in &routine.steps {
        match step {
            Step::Settle(_) => debug_assert!(false, "between events all truth values are known"),
            Step::Run(program) => program.propagate(values, changes, functions),
            Step::Iterate(iteration) => {
                match opening.is_open(place) {
                    true => {
                        iteration.program.propagate(values, changes, functions);
                        opening.note(iteration, changes, &mut first);
                    }
                    false => {
                        let factors = factors.get(place).and_then(Option::as_ref);
                        propagate_loop(iteration, values, changes, factors, functions);
                    }
                }
                place += 1;
            }
        }
    }
}

/// Directional derivatives of a loop's unknowns.
fn propagate_loop(
    iteration: &Iteration,
    values: &mut [f64],
    changes: &mut [f64],
    factors: Option<&Rc<Factors>>,
    functions: &Functions,
) {
    for v in &iteration.guessed {
        changes[v.index()] = 0.0;
    }
    iteration.program.propagate(values, changes, functions);
    let mut change: Vec<f64> = iteration.residuals.iter().map(|slot| -changes[slot.index()]).collect();
    if let Some(factors) = factors {
        factors.solve(&mut change);
    }
    for (v, change) in iteration.guessed.iter().zip(change) {
        changes[v.index()] = change;
    }
    iteration.program.propagate(values, changes, functions);
}

pub(crate) fn finite_or_zero(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

pub(crate) fn set(iteration: &Iteration, values: &mut [f64], x: &[f64]) {
    for (v, x) in iteration.guessed.iter().zip(x) {
        values[v.index()] = *x;
    }
}

/// A loop as Newton's method sees it.
pub(crate) struct Residuals<'a> {
    iteration: &'a Iteration,
    values: &'a mut [f64],
    changes: &'a mut [f64],
    functions: &'a Functions,
    plan: Option<&'a Plan>,
    /// The variables that follow from the guesses and are kept within their ranges, if they were within them
    /// at the first guesses.
    pub(crate) within: Vec<(VarId, f64, f64)>,
    is_new: bool,
    budget: Option<&'a WorkBudget>,
}

impl<'a> Residuals<'a> {
    /// Without ranges of variables that follow.
    pub fn new(
        iteration: &'a Iteration,
        values: &'a mut [f64],
        changes: &'a mut [f64],
        functions: &'a Functions,
    ) -> Residuals<'a> {
        Residuals {
            iteration,
            values,
            changes,
            functions,
            plan: None,
            within: Vec::new(),
            is_new: true,
            budget: None,
        }
    }

    /// With derivatives by a plan.
    pub(crate) fn with_plan(self, plan: Option<&'a Plan>) -> Residuals<'a> {
        Residuals { plan, ..self }
    }

    /// With a bound on the work, if there is one.
    pub(crate) fn with_budget(self, budget: Option<&'a WorkBudget>) -> Residuals<'a> {
        Residuals { budget, ..self }
    }
}

impl Residuals<'_> {
    /// Fails if no work is left for so many evaluations.
    fn spend(&self, evaluations: usize) -> Result<(), EvaluationFailed> {
        let work = self.iteration.program.work() * evaluations as u64;
        match self.budget.is_none_or(|budget| budget.allows(work)) {
            true => Ok(()),
            false => Err(EvaluationFailed::new("the search takes too long")),
        }
    }

    /// Refuses a point at which a variable that follows has left its range, unless it was outside from the beginning.
    fn stay_within(&mut self) -> Result<(), EvaluationFailed> {
        let values = &self.values;
        let is_beyond = |(v, min, max): &(VarId, f64, f64)| {
            let value = values[v.index()];
            value < min - RANGE_ROUNDING * min.abs().max(1.0)
                || value > max + RANGE_ROUNDING * max.abs().max(1.0)
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
        self.spend(1)?;
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
        self.spend(self.iteration.guessed.len())?;
        set(self.iteration, self.values, x);
        derivatives(self.iteration, self.plan, self.values, self.changes, self.functions, jacobian);
        Ok(())
    }

    fn sparse_jacobian(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.spend(1)?;
        set(self.iteration, self.values, x);
        match self.plan {
            Some(plan) => plan.entries(self.iteration, self.values, self.changes, self.functions, entries),
            None => return Err(EvaluationFailed::new("a loop without a pattern")),
        }
        Ok(())
    }
}
