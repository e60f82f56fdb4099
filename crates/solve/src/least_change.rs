//! Starts at which loops are singular: dead centres, lowest points, where the conditions on positions have a double root.
//!
//! There the same derivatives determine the speeds, and determine nothing: a quotient of two rounding errors would be the start. So
//! a second time through the initial problem, with the positions found, linear loops are solved by the least change of their start
//! values (the solution of minimum norm by singular values), where singular values within the accuracy of the positions count as zero. A
//! loop whose equations cannot be met then has no solution.
//!
//! Rows are scaled by their derivatives beside that point: a single equation whose derivatives vanish shows only so.

use rhei_equations::{Binary, ExprId, Node, VarId};
use std::cell::RefCell;

use rhei_kernel::{Fault, Iteration, Program, Quotient, Routine, Step};
use rhei_model::CompiledModel;
use rhei_numerics::least_squares::least_squares;
use rhei_numerics::projection::displacement;
use rhei_solvable::Block;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constants::{
    LEAST_CHANGE_BESIDE, LEAST_CHANGE_MET, LEAST_CHANGE_RANK, LEAST_CHANGE_SINGULAR, LOOP_DENSE,
};
use crate::evaluate::{Evaluator, NoValue, Unsolved, Why, finite_or_zero, set};
use crate::guesses::Trust;
use crate::loop_matrix::derivatives;
use crate::search::Search;

/// The singular loops of a solved initial problem.
#[derive(Clone, Debug, Default)]
pub(crate) struct SingularStart {
    /// Their guesses.
    pub positions: Vec<VarId>,
    /// Per linear loop, the sizes of its rows beside that point.
    scales: FxHashMap<u32, Vec<f64>>,
    /// Variables that are computed by the same formula throughout the run: these are no conditions on the start.
    formulas: FxHashSet<VarId>,
    /// Per program of the routine, the sizes of its divisors there.
    divisors: FxHashMap<usize, Vec<f64>>,
    /// The guesses of linear loops that were solved by the least change.
    pub left_open: Vec<VarId>,
    /// The directions that the last of them leaves open, in its guesses.
    open: Option<Vec<Vec<f64>>>,
}

impl Evaluator {
    /// The singular loops of a routine at its solution, if there are any.
    /// `fault` is why it has no solution, if it has none.
    pub(crate) fn singular_start(
        &mut self,
        model: &CompiledModel,
        solved: &[f64],
        fault: Option<&Fault>,
    ) -> Option<SingularStart> {
        let routine = &model.code.initial;
        let formulas = formulas(model);
        let divided_by = fault.map_or_else(Vec::new, |fault| vanished_divisor(model, fault, &formulas));
        let is_small = |iteration: &&Iteration| {
            iteration.balance.is_empty() && (1..=LOOP_DENSE).contains(&iteration.guessed.len())
        };
        let all = routine.steps.iter().filter_map(|step| match step {
            Step::Iterate(iteration) => Some(iteration),
            _ => None,
        });
        let loops: Vec<&Iteration> = all.filter(is_small).collect();
        let (nonlinear, linear): (Vec<&Iteration>, Vec<&Iteration>) =
            loops.into_iter().partition(|iteration| iteration.factors.is_none());
        if nonlinear.is_empty() && divided_by.is_empty() {
            return None;
        }
        let displaced = |(place, v): (usize, &VarId)| {
            (*v, solved[v.index()] + LEAST_CHANGE_BESIDE * displacement(place) * self.nominal(*v))
        };
        let set: FxHashMap<VarId, f64> = divided_by.iter().enumerate().map(displaced).collect();
        let mut found = SingularStart { positions: divided_by, formulas, ..SingularStart::default() };
        let beside = self.beside(routine, &nonlinear, (solved, &set), &mut found.divisors)?;
        let mut values = solved.to_vec();
        for iteration in nonlinear {
            let nominals = self.limits(iteration).nominals.clone();
            let here = self.scaled_rows(iteration, &nominals, &mut values);
            let there = self.scaled_rows(iteration, &nominals, &mut beside.clone());
            let scales: Vec<f64> = row_sizes(&here).zip(row_sizes(&there)).map(|(a, b)| a.max(b)).collect();
            if is_singular(here, &scales) && !is_singular(there, &scales) {
                found.positions.extend(&iteration.guessed);
            }
        }
        for iteration in linear {
            let nominals = self.limits(iteration).nominals.clone();
            let here = self.scaled_rows(iteration, &nominals, &mut values);
            let there = self.scaled_rows(iteration, &nominals, &mut beside.clone());
            let scales = row_sizes(&here).zip(row_sizes(&there)).map(|(a, b)| a.max(b)).collect();
            found.scales.insert(iteration.id, scales);
        }
        (!found.positions.is_empty()).then_some(found)
    }

    /// The values beside a solution: the guesses of nonlinear loops displaced, and no loop solved.
    fn beside(
        &mut self,
        routine: &Routine,
        nonlinear: &[&Iteration],
        (solved, set): (&[f64], &FxHashMap<VarId, f64>),
        divisors: &mut FxHashMap<usize, Vec<f64>>,
    ) -> Option<Vec<f64>> {
        let mut values = solved.to_vec();
        for iteration in nonlinear {
            let limits = self.limits(iteration);
            for (place, v) in iteration.guessed.iter().enumerate() {
                values[v.index()] += LEAST_CHANGE_BESIDE * displacement(place) * limits.nominals[place];
            }
        }
        for (place, step) in routine.steps.iter().enumerate() {
            let run = match step {
                Step::Run(program) => {
                    let ran = program.run_setting(&mut values, set, &self.functions);
                    let size = |quotient: &Quotient| values[quotient.divisor.index()].abs();
                    divisors.insert(place, program.quotients().iter().map(size).collect());
                    ran.map_err(NoValue::Fault)
                }
                Step::Iterate(iteration) => self.run_program(&iteration.program, &mut values),
                Step::Settle(_) => Ok(()),
            };
            run.ok()?;
        }
        Some(values)
    }

    /// The derivatives of the residuals of a loop, in units of the nominal values of its guesses.
    fn scaled_rows(&mut self, iteration: &Iteration, nominals: &[f64], values: &mut [f64]) -> Vec<Vec<f64>> {
        let n = iteration.guessed.len();
        let mut jacobian = vec![0.0; n * n];
        derivatives(iteration, None, values, &mut self.changes, &self.functions, &mut jacobian);
        let scaled = |row: &[f64]| row.iter().zip(nominals).map(|(entry, nominal)| entry * nominal).collect();
        jacobian.chunks_exact(n).map(scaled).collect()
    }

    /// Solves a linear loop by the least change of its start values, if it is singular at such a start; none if it is not.
    pub(crate) fn solve_by_least_change(
        &mut self,
        iteration: &Iteration,
        guesses: &[f64],
        values: &mut [f64],
        search: Search<'_>,
    ) -> Option<Result<(), NoValue>> {
        let singular = search.singular?;
        let scales = singular.borrow().scales.get(&iteration.id)?.clone();
        let nominals = self.limits(iteration).nominals.clone();
        let fitted = search.trust.and_then(|trust| self.fitted(iteration, values, trust));
        let from: Vec<f64> =
            fitted.unwrap_or_else(|| guesses.to_vec()).into_iter().map(finite_or_zero).collect();
        let residual = self.residual_at(iteration, &from, values).ok()?;
        let rows = self.scaled_rows(iteration, &nominals, values);
        if !is_singular_to(rows.clone(), &scales, LEAST_CHANGE_RANK) {
            return None;
        }
        let right: Vec<f64> = residual.iter().zip(&scales).map(|(r, scale)| -r / scale).collect();
        let (change, mut open) = least_squares_to_one(rows, &scales, &right)?;
        for direction in &mut open {
            direction.iter_mut().zip(&nominals).for_each(|(entry, nominal)| *entry *= nominal);
        }
        let x: Vec<f64> = from
            .iter()
            .zip(&change)
            .zip(&nominals)
            .map(|((x, change), nominal)| x + change * nominal)
            .collect();
        let left = match self.residual_at(iteration, &x, values) {
            Ok(left) => left,
            Err(why) => return Some(Err(why)),
        };
        let worst = left.iter().zip(&scales).map(|(r, scale)| (r / scale).abs()).enumerate();
        let worst = worst.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0));
        singular.borrow_mut().left_open.extend(&iteration.guessed);
        singular.borrow_mut().open = Some(open);
        if worst.1 <= LEAST_CHANGE_MET {
            return Some(Ok(()));
        }
        let why = Why::NotConverged { worst: worst.0, residual: worst.1, iterations: 1 };
        let iteration = iteration.clone();
        Some(Err(NoValue::Unsolved(Box::new(Unsolved { iteration, guesses: from, nominals, why }))))
    }

    /// Moves the solution of such a loop in its open directions to where the variables that follow from it, up to the next loop, come
    /// closest to their start values.
    pub(crate) fn set_open_directions(
        &mut self,
        iteration: &Iteration,
        following: &[Step],
        values: &mut [f64],
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        let (Some(singular), Some(trust)) = (search.singular, search.trust) else { return Ok(()) };
        let Some(open) = singular.borrow_mut().open.take() else { return Ok(()) };
        let following = following.iter().map_while(|step| match step {
            Step::Run(program) => Some(program),
            _ => None,
        });
        let programs: Vec<&Program> = [&iteration.program].into_iter().chain(following).collect();
        let targets = programs.iter().flat_map(|program| program.targets());
        let mut wanted: Vec<VarId> = targets.chain(iteration.guessed.iter().copied()).collect();
        wanted.retain(|v| trust[v.index()] == Trust::Given);
        wanted.sort_unstable();
        wanted.dedup();
        let solution: Vec<f64> = iteration.guessed.iter().map(|v| values[v.index()]).collect();
        let here = self.sizes_at(iteration, &programs, &wanted, &solution, values)?;
        let mut rows = vec![vec![0.0; open.len()]; wanted.len()];
        for (column, direction) in open.iter().enumerate() {
            let x: Vec<f64> = solution.iter().zip(direction).map(|(x, along)| x + along).collect();
            let there = self.sizes_at(iteration, &programs, &wanted, &x, values)?;
            rows.iter_mut()
                .zip(there.iter().zip(&here))
                .for_each(|(row, (there, here))| row[column] = there - here);
        }
        let start = |v: &VarId| self.starting_points.start(*v) / self.nominal(*v);
        let right: Vec<f64> = wanted.iter().zip(&here).map(|(v, here)| start(v) - here).collect();
        let parts = least_squares(&rows, open.len(), &right, LEAST_CHANGE_RANK)
            .map_or_else(Vec::new, |found| found.x);
        let mut x = solution;
        for (direction, part) in open.iter().zip(parts) {
            x.iter_mut().zip(direction).for_each(|(x, along)| *x += part * along);
        }
        self.residual_at(iteration, &x, values).map(|_| ())
    }

    /// Variables in nominal values, with these guesses of a loop.
    fn sizes_at(
        &mut self,
        iteration: &Iteration,
        programs: &[&Program],
        wanted: &[VarId],
        x: &[f64],
        values: &mut [f64],
    ) -> Result<Vec<f64>, NoValue> {
        set(iteration, values, x);
        for program in programs {
            self.run_program(program, values)?;
        }
        Ok(wanted.iter().map(|v| values[v.index()] / self.nominal(*v)).collect())
    }

    /// Runs a program of the initial problem, with start values in place of quotients that say nothing at such a start.
    pub(crate) fn run_by_least_change(
        &mut self,
        routine: &Routine,
        place: usize,
        program: &Program,
        values: &mut [f64],
        singular: &RefCell<SingularStart>,
        search: Search<'_>,
    ) -> Result<(), NoValue> {
        let sizes = singular.borrow().divisors.get(&place).cloned().unwrap_or_default();
        let quotients = program.quotients().into_iter().zip(sizes);
        let is_condition =
            |(quotient, _): &(Quotient, f64)| !singular.borrow().formulas.contains(&quotient.target);
        let quotients: Vec<(Quotient, f64)> = quotients.filter(is_condition).collect();
        let mut set = FxHashMap::default();
        loop {
            let ran = program.run_setting(values, &set, &self.functions);
            let is_open = |(quotient, size): &&(Quotient, f64)| {
                let divisor = values[quotient.divisor.index()];
                divisor.abs() <= LEAST_CHANGE_RANK * size
                    && *size > 0.0
                    && !set.contains_key(&quotient.target)
            };
            let Some(&(quotient, size)) = quotients.iter().find(is_open) else {
                return ran.map_err(NoValue::Fault);
            };
            let v = quotient.target;
            let dividend = values[quotient.dividend.index()];
            singular.borrow_mut().left_open.push(v);
            let most = LEAST_CHANGE_MET * size * self.nominal(v);
            if most.is_nan() || dividend.is_nan() || dividend.abs() > most {
                return Err(NoValue::Fault(Fault {
                    target: Some(v),
                    expression: Some(quotient.expression),
                    value: f64::INFINITY,
                    operands: vec![dividend, 0.0],
                    call: None,
                }));
            }
            set.insert(v, self.starting_points.start(v));
            let fitted = self.fitted_target(&routine.steps[place..], v, &set, values, search);
            set.extend(fitted.map(|x| (v, x)));
        }
    }

    /// The value of a target for which the variables that follow from it, up to the next loop, come closest to their start values.
    fn fitted_target(
        &mut self,
        following: &[Step],
        v: VarId,
        set: &FxHashMap<VarId, f64>,
        values: &[f64],
        search: Search<'_>,
    ) -> Option<f64> {
        let trust = search.trust?;
        let following = following.iter().map_while(|step| match step {
            Step::Run(program) => Some(program),
            _ => None,
        });
        let programs: Vec<&Program> = following.collect();
        let mut wanted: Vec<VarId> = programs.iter().flat_map(|program| program.targets()).collect();
        wanted.retain(|v| trust[v.index()] == Trust::Given);
        let at = set[&v];
        let sizes = |x: f64| {
            let (mut values, mut set) = (values.to_vec(), set.clone());
            set.insert(v, x);
            for program in &programs {
                // what does not follow from the target may have no value yet
                let _ = program.run_setting(&mut values, &set, &self.functions);
            }
            wanted.iter().map(|v| values[v.index()] / self.nominal(*v)).collect::<Vec<f64>>()
        };
        let (here, there) = (sizes(at), sizes(at + self.nominal(v)));
        let rows = wanted.iter().zip(here.iter().zip(&there));
        let rows = rows.filter(|(_, (here, there))| here.is_finite() && there.is_finite() && here != there);
        let (rows, right): (Vec<Vec<f64>>, Vec<f64>) = rows
            .map(|(v, (here, there))| {
                (vec![there - here], self.starting_points.start(*v) / self.nominal(*v) - here)
            })
            .unzip();
        let part = least_squares(&rows, 1, &right, LEAST_CHANGE_RANK)?.x[0];
        Some(at + part * self.nominal(v))
    }

    fn residual_at(
        &mut self,
        iteration: &Iteration,
        x: &[f64],
        values: &mut [f64],
    ) -> Result<Vec<f64>, NoValue> {
        set(iteration, values, x);
        self.run_program(&iteration.program, values)?;
        Ok(iteration.residuals.iter().map(|slot| values[slot.index()]).collect())
    }
}

/// The variables that the run computes by the formula that the start has for them.
fn formulas(model: &CompiledModel) -> FxHashSet<VarId> {
    let assignments = |blocks: &[Block]| -> Vec<(VarId, ExprId)> {
        let of_block = |block: &Block| match block {
            Block::Assign(assignment) => Some((assignment.target, assignment.value)),
            _ => None,
        };
        blocks.iter().filter_map(of_block).collect()
    };
    let of_run: FxHashSet<(VarId, ExprId)> = assignments(&model.solvable.continuous).into_iter().collect();
    let of_start = assignments(&model.solvable.initial).into_iter();
    of_start.filter(|each| of_run.contains(each)).map(|(v, _)| v).collect()
}

/// The unknowns in a divisor that has vanished in a condition on the start.
fn vanished_divisor(model: &CompiledModel, fault: &Fault, formulas: &FxHashSet<VarId>) -> Vec<VarId> {
    let (Some(e), Some(target)) = (fault.expression, fault.target) else { return Vec::new() };
    let pool = &model.equations.pool;
    match pool.node(e) {
        Node::Binary(Binary::Div, _, divisor) if !formulas.contains(&target) => {
            let mut variables = pool.variables_of(divisor);
            variables.retain(|v| model.equations.variable(*v).is_unknown());
            variables
        }
        _ => Vec::new(),
    }
}

fn row_sizes(rows: &[Vec<f64>]) -> impl Iterator<Item = f64> {
    rows.iter().map(|row| row.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs())))
}

fn is_singular(rows: Vec<Vec<f64>>, scales: &[f64]) -> bool {
    is_singular_to(rows, scales, LEAST_CHANGE_SINGULAR)
}

/// Whether the rows, scaled, have a singular value below `least`.
fn is_singular_to(rows: Vec<Vec<f64>>, scales: &[f64], least: f64) -> bool {
    let zeros = vec![0.0; rows.len()];
    let (rows, right, n) = with_one(rows, scales, &zeros);
    least_squares(&rows, n, &right, least).is_some_and(|found| !found.free.is_empty())
}

/// The shortest solution of the scaled rows, and the directions that they leave open.
fn least_squares_to_one(
    rows: Vec<Vec<f64>>,
    scales: &[f64],
    right: &[f64],
) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
    let n = rows.len();
    let (rows, right, wider) = with_one(rows, scales, right);
    let mut found = least_squares(&rows, wider, &right, LEAST_CHANGE_RANK)?;
    found.x.truncate(n);
    found.free.iter_mut().for_each(|direction| direction.truncate(n));
    Some((found.x, found.free))
}

/// The rows scaled, with one more equation of size one: singular values are compared with that.
fn with_one(rows: Vec<Vec<f64>>, scales: &[f64], right: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>, usize) {
    let n = rows.len();
    let scaled = rows.into_iter().zip(scales).map(|(mut row, scale)| {
        row.iter_mut().for_each(|entry| *entry = finite_or_zero(*entry / scale));
        row.push(0.0);
        row
    });
    let mut last = vec![0.0; n + 1];
    last[n] = 1.0;
    let rows = scaled.chain([last]).collect();
    let right = right.iter().map(|r| finite_or_zero(*r)).chain([0.0]).collect();
    (rows, right, n + 1)
}
