//! The first guesses of loops.
//!
//! A loop is torn: a few of its unknowns are guessed (tearing variables), the others follow. If the modeller gave a start value
//! to a variable that follows, and none to the guesses, that start value selects one of several solutions. So the guesses are
//! chosen such that the variables that follow come as close to their start values as possible, in nominal values
//! (Gauss–Newton). The start value of a type (a density of 1) gives way to one given to a variable.

use std::sync::Arc;

use rhei_equations::{VarId, Variable};
use rhei_kernel::{Functions, Iteration, Slot};
use rhei_numerics::Pattern;
use rhei_numerics::augmented::{Augmented, AugmentedPlan};
use rhei_numerics::colouring::{Colouring, colour};
use rhei_numerics::constants::DENSE_ABOVE_FILL;
use rhei_numerics::lu::Lu;

use crate::constants::{
    FIT_CORRECTIONS, FIT_DECREASE, FIT_DENSE, FIT_HALVINGS, FIT_MOST_DENSE, FIT_REGULARISATION,
};

/// The source of a variable's start value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// Nothing.
    None,
    /// Its type has a start value.
    OfType,
    /// It has been given one.
    Given,
}

impl Trust {
    /// In the start value of a variable.
    pub fn of(variable: &Variable) -> Trust {
        match variable.start {
            None => Trust::None,
            Some(_) if variable.start_confidence.is_of_variable() => Trust::Given,
            Some(_) => Trust::OfType,
        }
    }
}

/// Context of the fit beside the loop.
pub(crate) struct Fitting<'a> {
    /// By variable, whether a start value was given.
    pub(crate) trust: &'a [Trust],
    /// Nominal values.
    pub nominal: &'a dyn Fn(VarId) -> f64,
    /// Directional derivatives of all slots, zero before and after.
    pub changes: &'a mut [f64],
    pub functions: &'a Functions,
}

/// Guesses for which the variables that follow come close to their start values, which `values` holds; none if start values
/// tell no more than the guesses themselves.
pub fn fit(iteration: &Iteration, fitting: Fitting<'_>, values: &mut [f64]) -> Option<Vec<f64>> {
    let (free, wanted) = [Trust::Given, Trust::OfType].into_iter().find_map(|trusted| {
        let is_trusted = |v: &VarId| fitting.trust[v.index()] >= trusted;
        let free: Vec<VarId> = iteration.guessed.iter().copied().filter(|v| !is_trusted(v)).collect();
        let mut wanted: Vec<VarId> = iteration.program.targets().filter(is_trusted).collect();
        wanted.sort_unstable();
        wanted.dedup();
        (!free.is_empty() && !wanted.is_empty()).then_some((free, wanted))
    })?;
    let on_pattern = (free.len() > FIT_DENSE).then(|| OnPattern::new(iteration, &free, &wanted)).flatten();
    if on_pattern.is_none() && free.len() > FIT_MOST_DENSE {
        return None;
    }
    let goals: Vec<f64> = wanted.iter().map(|v| values[v.index()]).collect();
    let mut fit = Fit { iteration, free, wanted, goals, fitting, values, on_pattern };
    let mut guesses: Vec<f64> = fit.free.iter().map(|v| fit.values[v.index()]).collect();
    let mut misfits = fit.misfits(&guesses)?;
    for _ in 0..FIT_CORRECTIONS {
        let Some(correction) = fit.correction(&misfits) else { break };
        let Some(better) = fit.line_search(&guesses, &correction, &misfits) else { break };
        (guesses, misfits) = better;
    }
    set(&fit.free, &guesses, fit.values);
    let guessed = iteration.guessed.iter().map(|v| fit.values[v.index()]).collect();
    // start values again, should the fit fail
    set(&fit.wanted, &fit.goals, fit.values);
    Some(guessed)
}

struct Fit<'a> {
    iteration: &'a Iteration,
    /// The guesses without a trusted start value.
    free: Vec<VarId>,
    /// The variables that follow, with one.
    wanted: Vec<VarId>,
    goals: Vec<f64>,
    fitting: Fitting<'a>,
    values: &'a mut [f64],
    on_pattern: Option<OnPattern>,
}

/// The sparse derivatives of the variables that follow, for many guesses.
struct OnPattern {
    pattern: Pattern,
    colouring: Colouring,
    least_squares: Augmented,
}

impl OnPattern {
    /// None if the matrix is mostly full.
    fn new(iteration: &Iteration, free: &[VarId], wanted: &[VarId]) -> Option<OnPattern> {
        let slots = |list: &[VarId]| list.iter().map(|&v| v.into()).collect::<Vec<Slot>>();
        let rows = iteration.program.dependence(&slots(free), &slots(wanted));
        let entries: usize = rows.iter().map(Vec::len).sum();
        if entries as f64 > DENSE_ABOVE_FILL * free.len() as f64 * wanted.len() as f64 {
            return None;
        }
        let entries = rows.iter().enumerate();
        let entries =
            entries.flat_map(|(row, columns)| columns.iter().map(move |&column| (row, column as usize)));
        let pattern = Pattern::from_entries(wanted.len(), free.len(), entries);
        let least_squares = Augmented::on(Arc::new(AugmentedPlan::new(&pattern)?));
        Some(OnPattern { colouring: colour(&pattern), pattern, least_squares })
    }
}

impl Fit<'_> {
    /// The misfits: distances of the variables that follow from their goals.
    fn misfits(&mut self, guesses: &[f64]) -> Option<Vec<f64>> {
        set(&self.free, guesses, self.values);
        self.iteration.program.run(self.values, self.fitting.functions).ok()?;
        let off = |(v, goal): (&VarId, &f64)| (goal - self.values[v.index()]) / (self.fitting.nominal)(*v);
        let misfits: Vec<f64> = self.wanted.iter().zip(&self.goals).map(off).collect();
        misfits.iter().all(|misfit| misfit.is_finite()).then_some(misfits)
    }

    /// The least-squares correction of the guesses, at the point that was evaluated last.
    fn correction(&mut self, misfits: &[f64]) -> Option<Correction> {
        let (mut changes, left) = match self.on_pattern.take() {
            Some(mut on_pattern) => {
                let correction = self.sparse_correction(&mut on_pattern, misfits);
                self.on_pattern = Some(on_pattern);
                correction?
            }
            None => self.dense_correction(misfits)?,
        };
        let gain = square(misfits) - square(&left);
        for (change, v) in changes.iter_mut().zip(&self.free) {
            *change *= (self.fitting.nominal)(*v);
        }
        (gain.is_finite() && gain > 0.0).then_some(Correction { changes, gain })
    }

    /// Changes of the guesses in nominal values, and the misfits that would be left if everything were linear.
    fn dense_correction(&mut self, misfits: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let columns = self.columns();
        let n = columns.len();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let mut lu = Lu::new(n);
        for (i, row) in lu.matrix_mut().chunks_exact_mut(n).enumerate() {
            row.iter_mut().enumerate().for_each(|(j, entry)| *entry = dot(&columns[i], &columns[j]));
        }
        let largest = columns.iter().map(|column| dot(column, column)).fold(0.0, f64::max);
        (0..n).for_each(|i| lu.matrix_mut()[i * n + i] += FIT_REGULARISATION * largest);
        lu.factorise_in_place().ok()?;
        let mut correction: Vec<f64> = columns.iter().map(|column| dot(column, misfits)).collect();
        lu.solve(&mut correction);
        let mut left = misfits.to_vec();
        for (column, change) in columns.iter().zip(&correction) {
            left.iter_mut().zip(column).for_each(|(left, slope)| *left -= slope * change);
        }
        Some((correction, left))
    }

    /// The same by sparse least squares instead of the normal equations.
    fn sparse_correction(
        &mut self,
        on_pattern: &mut OnPattern,
        misfits: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let OnPattern { pattern, colouring, least_squares } = on_pattern;
        let program = &self.iteration.program;
        let Fitting { nominal, changes, functions, .. } = &mut self.fitting;
        let mut entries = vec![0.0; pattern.len()];
        for group in &colouring.groups {
            group.iter().for_each(|&column| changes[self.free[column].index()] = nominal(self.free[column]));
            program.propagate(self.values, changes, functions);
            for &column in group {
                changes[self.free[column].index()] = 0.0;
                for (place, &row) in pattern.range(column).zip(pattern.column(column)) {
                    let v = self.wanted[row];
                    entries[place] = changes[v.index()] / nominal(v);
                }
            }
        }
        program.targets().for_each(|v| changes[v.index()] = 0.0);
        let squares = |column: usize| square(&entries[pattern.range(column)]);
        let largest = (0..pattern.columns()).map(squares).fold(0.0, f64::max);
        // α β is the regularisation of the normal equations
        let damping = (FIT_REGULARISATION * largest).sqrt();
        if damping == 0.0 || !least_squares.factorise(&entries, damping, damping) {
            return None;
        }
        let (rows, columns) = least_squares.right();
        rows.copy_from_slice(misfits);
        columns.fill(0.0);
        let correction = least_squares.solve().to_vec();
        let mut left = misfits.to_vec();
        for ((row, column), slope) in pattern.entries().zip(&entries) {
            left[row] -= slope * correction[column];
        }
        Some((correction, left))
    }

    /// Derivatives of the variables that follow by each of the guesses, in nominal values.
    fn columns(&mut self) -> Vec<Vec<f64>> {
        let program = &self.iteration.program;
        let Fitting { nominal, changes, functions, .. } = &mut self.fitting;
        let mut columns: Vec<Vec<f64>> = Vec::new();
        for &guess in &self.free {
            changes[guess.index()] = nominal(guess);
            program.propagate(self.values, changes, functions);
            changes[guess.index()] = 0.0;
            columns.push(self.wanted.iter().map(|v| changes[v.index()] / nominal(*v)).collect());
        }
        program.targets().for_each(|v| changes[v.index()] = 0.0);
        columns
    }

    /// Guesses along the correction with smaller misfits, and these.
    fn line_search(
        &mut self,
        guesses: &[f64],
        correction: &Correction,
        before: &[f64],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut part = 1.0;
        for _ in 0..FIT_HALVINGS {
            let moved: Vec<f64> =
                guesses.iter().zip(&correction.changes).map(|(guess, by)| guess + part * by).collect();
            if let Some(misfits) = self.misfits(&moved)
                && square(before) - square(&misfits) > FIT_DECREASE * part * correction.gain
            {
                return Some((moved, misfits));
            }
            part /= 2.0;
        }
        None
    }
}

/// Changes of the guesses, and by how much they would lessen the square of the misfits if everything were linear.
struct Correction {
    changes: Vec<f64>,
    gain: f64,
}

fn square(misfits: &[f64]) -> f64 {
    misfits.iter().map(|off| off * off).sum()
}

fn set(variables: &[VarId], to: &[f64], values: &mut [f64]) {
    for (v, to) in variables.iter().zip(to) {
        values[v.index()] = *to;
    }
}
