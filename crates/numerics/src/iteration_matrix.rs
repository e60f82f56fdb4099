//! `I - γJ`, the matrix of Newton's method within a step of an implicit method, with its factors.
//!
//! The Jacobian and the factors have lives of their own: a Jacobian serves many factors while only the step changes.
//!
//! A problem with inner unknowns is `dy/dt = f(t, y, z)` with `g(t, y, z) = 0`. Its matrix is `[I - γf_y, -γf_z; g_y, g_z]`, and
//! the right-hand side is zero in the rows of `g`. Its solution for `y` is that of `I - γ(f_y - f_z g_z⁻¹ g_y)`, which would be
//! dense. If the inner unknowns are not determined at a point, states are corrected with these held constant.

use std::sync::Arc;

use crate::evaluator::{Evaluation, Evaluator};
use crate::factorisation::{CannotFactorise, Factorisation};
use crate::problem::EvaluationFailed;
use crate::sparse::{Pattern, SparseMatrix};

/// The matrix, its Jacobian and its factors.
#[derive(Clone)]
pub(crate) struct IterationMatrix {
    jacobian: SparseMatrix,
    values: Vec<f64>,
    /// Places of the Jacobian's entries, and of the diagonal, among the values.
    from_jacobian: Vec<usize>,
    diagonal: Vec<usize>,
    factors: Factorisation,
    /// Scaling and memory for inner unknowns, if there are any.
    inner: Option<Inner>,
    /// The factor of the Jacobian in the factors there are; none where they are not to be used.
    gamma: Option<f64>,
    factorisations: u64,
}

/// States and inner unknowns have units of their own, and so do their equations: rows are scaled to one, so that pivots mean something.
#[derive(Clone)]
struct Inner {
    states: usize,
    row_scale: Vec<f64>,
    /// The row of each value.
    rows: Vec<usize>,
    /// The right-hand side with zeros for the inner unknowns, and the solution.
    right: Vec<f64>,
    /// The matrix of the states alone, once it was needed, and whether it is the one to solve with.
    held: Option<Box<IterationMatrix>>,
    is_held: bool,
}

impl IterationMatrix {
    /// For the states of a problem, and its inner unknowns.
    pub(crate) fn new(evaluator: &Evaluator) -> IterationMatrix {
        IterationMatrix::on(evaluator.pattern(), evaluator.n())
    }

    /// For a Jacobian of this pattern, whose first rows and columns are those of so many states.
    fn on(pattern: &Arc<Pattern>, states: usize) -> IterationMatrix {
        let n = pattern.columns();
        // an inner unknown need not stand in the residual with its number, and entries that tie them together would fill the factors
        let diagonal = (0..states).map(|i| (i, i));
        let whole = Arc::new(Pattern::from_entries(n, n, pattern.entries().chain(diagonal)));
        let position = |(row, column)| whole.position(row, column).expect("contains both patterns");
        let inner = || Inner {
            states,
            row_scale: vec![1.0; n],
            rows: whole.row_indices().to_vec(),
            right: vec![0.0; n],
            held: None,
            is_held: false,
        };
        IterationMatrix {
            jacobian: SparseMatrix::zeros(pattern.clone()),
            values: vec![0.0; whole.len()],
            from_jacobian: pattern.entries().map(position).collect(),
            diagonal: (0..states).map(|i| position((i, i))).collect(),
            factors: Factorisation::new(whole.clone()),
            inner: (n > states).then(inner),
            gamma: None,
            factorisations: 0,
        }
    }

    /// The γ of the factors there are.
    pub(crate) fn gamma(&self) -> Option<f64> {
        self.gamma
    }

    /// Factors made so far.
    pub(crate) fn factorisations(&self) -> u64 {
        self.factorisations
    }

    /// Not to be used any more.
    pub(crate) fn discard(&mut self) {
        self.gamma = None;
    }

    /// The Jacobian at a point; the factors stay those of the last one.
    pub(crate) fn evaluate(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        t: f64,
        y: &[f64],
    ) -> Result<(), EvaluationFailed> {
        evaluation.jacobian(t, y, &mut self.jacobian)
    }

    /// The factors for a γ.
    pub(crate) fn factorise(&mut self, gamma: f64) -> Result<(), CannotFactorise> {
        self.gamma = None;
        self.factorisations += 1;
        if self.inner.is_some() {
            self.factorise_with_inner(gamma)?;
        } else {
            self.fill(gamma, usize::MAX);
            self.factors.factorise(&self.values)?;
        }
        self.gamma = Some(gamma);
        Ok(())
    }

    /// Writes the matrix for a γ, where so many unknowns are states.
    fn fill(&mut self, gamma: f64, states: usize) {
        self.values.fill(0.0);
        let rows = self.jacobian.pattern().row_indices();
        for ((value, &position), &row) in self.jacobian.values().iter().zip(&self.from_jacobian).zip(rows) {
            self.values[position] = if row < states { -gamma * value } else { *value };
        }
        for &position in &self.diagonal {
            self.values[position] += 1.0;
        }
    }

    fn factorise_with_inner(&mut self, gamma: f64) -> Result<(), CannotFactorise> {
        let states = self.diagonal.len();
        self.fill(gamma, states);
        let Some(inner) = &mut self.inner else { return Err(CannotFactorise) };
        inner.scale_rows(&mut self.values);
        let made = self.factors.factorise(&self.values);
        inner.is_held = made.is_err() || self.factors.is_nearly_singular(&self.values);
        match inner.is_held {
            true => inner.hold(&self.jacobian).factorise(gamma),
            false => Ok(()),
        }
    }

    /// Solves in place, for the states.
    pub(crate) fn solve(&mut self, b: &mut [f64]) -> Result<(), CannotFactorise> {
        let Some(inner) = &mut self.inner else { return self.factors.solve(b) };
        if let (true, Some(held)) = (inner.is_held, &mut inner.held) {
            return held.solve(b);
        }
        let Inner { states, row_scale, right, .. } = inner;
        for ((right, b), scale) in right.iter_mut().zip(&*b).zip(&*row_scale) {
            *right = b * scale;
        }
        right[*states..].fill(0.0);
        self.factors.solve(right)?;
        b.copy_from_slice(&right[..*states]);
        Ok(())
    }
}

impl Inner {
    fn scale_rows(&mut self, values: &mut [f64]) {
        let Inner { row_scale, rows, .. } = self;
        row_scale.fill(0.0);
        for (value, &row) in values.iter().zip(&*rows) {
            row_scale[row] = f64::max(row_scale[row], value.abs());
        }
        for scale in row_scale.iter_mut() {
            *scale = if *scale > 0.0 { 1.0 / *scale } else { 1.0 };
        }
        for (value, &row) in values.iter_mut().zip(&*rows) {
            *value *= row_scale[row];
        }
    }

    /// The matrix of the states alone, with their part of a Jacobian.
    fn hold(&mut self, jacobian: &SparseMatrix) -> &mut IterationMatrix {
        let states = self.states;
        let is_of_states = |(row, column): &(usize, usize)| *row < states && *column < states;
        let held = self.held.get_or_insert_with(|| {
            let entries = jacobian.pattern().entries().filter(is_of_states);
            let pattern = Arc::new(Pattern::from_entries(states, states, entries));
            Box::new(IterationMatrix::on(&pattern, states))
        });
        let own =
            jacobian.pattern().entries().zip(jacobian.values()).filter(|(place, _)| is_of_states(place));
        held.jacobian.values_mut().iter_mut().zip(own).for_each(|(entry, (_, value))| *entry = *value);
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n` states, each tied to an inner unknown of a ring: what is solved for the states is what the eliminated matrix gives.
    fn ring(n: usize, gamma: f64, coupling: f64) -> (IterationMatrix, Vec<Vec<f64>>) {
        let next = |i: usize| n + (i + 1) % n;
        let entries = (0..n).flat_map(|i| [(i, i), (i, n + i), (n + i, i), (n + i, n + i), (n + i, next(i))]);
        let pattern = Arc::new(Pattern::from_entries(2 * n, 2 * n, entries));
        let mut matrix = IterationMatrix::on(&pattern, n);
        for i in 0..n {
            // der(y) = -y + 2z, 1000(3z + coupling*z' - y) = 0
            matrix.jacobian.set(i, i, -1.0);
            matrix.jacobian.set(i, n + i, 2.0);
            matrix.jacobian.set(n + i, i, -1000.0);
            matrix.jacobian.set(n + i, n + i, 3000.0);
            matrix.jacobian.set(n + i, next(i), 1000.0 * coupling);
        }
        // z = (3 + coupling*shift)^-1 y as a sum of powers of the shift
        let (ratio, whole) = (-coupling / 3.0, 1.0 - (-coupling / 3.0).powi(n as i32));
        let inverse = |k: usize| ratio.powi(k as i32) / 3.0 / whole;
        let entry = |i: usize, j: usize| {
            let own = if i == j { 1.0 + gamma } else { 0.0 };
            own - 2.0 * gamma * inverse((j + n - i) % n)
        };
        let eliminated = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        (matrix, eliminated)
    }

    #[test]
    fn inner_unknowns_are_eliminated_by_the_factors() {
        for n in [5, 60] {
            let (mut matrix, eliminated) = ring(n, 0.7, 1.5);
            matrix.factorise(0.7).unwrap();
            let x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let mut b: Vec<f64> =
                eliminated.iter().map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
            matrix.solve(&mut b).unwrap();
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-12), "{n} states");
        }
    }

    #[test]
    fn inner_unknowns_that_are_not_determined_stay_as_they_are() {
        let n = 60;
        let (mut matrix, _) = ring(n, 0.5, 1.5);
        for i in 0..n {
            matrix.jacobian.set(n + i, i, 0.0);
            matrix.jacobian.set(n + i, n + i, -1500.0); // z' - z has no inverse
        }
        matrix.factorise(0.5).unwrap();
        let mut b = vec![3.0; n];
        matrix.solve(&mut b).unwrap();
        assert!(b.iter().all(|x| (x - 2.0).abs() < 1e-14));
    }
}
