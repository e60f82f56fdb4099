//! The Jacobian of Newton's method with its factors, scaled by nominal values and rows: dense, or sparse on a pattern.

use std::sync::Arc;

use super::{Options, System};
use crate::augmented::{Augmented, AugmentedPlan};
use crate::constants::NEWTON_REGULARISATION;
use crate::determinant::Determinant;
use crate::lu::Lu;
use crate::problem::EvaluationFailed;
use crate::sparse::Pattern;
use crate::sparse_lu::{SparseLu, probe_entry};

/// A Jacobian and its factors.
#[derive(Clone)]
pub(super) enum Matrix {
    Dense(Dense),
    Sparse(Box<Sparse>),
}

impl Matrix {
    pub(super) fn dense(n: usize) -> Matrix {
        Matrix::Dense(Dense { lu: Lu::new(n), jacobian: vec![0.0; n * n] })
    }

    /// `None` where the pattern is too much for a symbolic factorisation.
    pub(super) fn sparse(pattern: Arc<Pattern>) -> Option<Matrix> {
        let (values, scaled) = (vec![0.0; pattern.len()], vec![0.0; pattern.len()]);
        let lu = SparseLu::new(pattern.clone())?;
        Some(Matrix::Sparse(Box::new(Sparse { pattern, values, scaled, lu, augmented: None })))
    }

    pub(super) fn n(&self) -> usize {
        match self {
            Matrix::Dense(dense) => dense.lu.n(),
            Matrix::Sparse(sparse) => sparse.pattern.columns(),
        }
    }

    /// Takes the derivatives at `x`.
    pub(super) fn evaluate(&mut self, system: &mut dyn System, x: &[f64]) -> Result<(), EvaluationFailed> {
        match self {
            Matrix::Dense(dense) => system.jacobian(x, &mut dense.jacobian),
            Matrix::Sparse(sparse) => system.sparse_jacobian(x, &mut sparse.values),
        }
    }

    /// Scales and factorises; writes the factor of each row. A column that depends on others where it is singular.
    pub(super) fn factorise(&mut self, options: &Options, row_scale: &mut [f64]) -> Option<usize> {
        match self {
            Matrix::Dense(dense) => dense.factorise(options, row_scale),
            Matrix::Sparse(sparse) => sparse.factorise(options, row_scale),
        }
    }

    /// The determinant of the factorised Jacobian in scaled unknowns, without the scaling of its rows; none if it is sparse.
    pub(super) fn determinant(&self, row_scale: &[f64]) -> Option<Determinant> {
        match self {
            Matrix::Dense(dense) => Some(
                row_scale.iter().fold(dense.lu.determinant(), |product, scale| product.times(1.0 / scale)),
            ),
            Matrix::Sparse(_) => None,
        }
    }

    /// Solves with the scaled factors.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        match self {
            Matrix::Dense(dense) => dense.lu.solve(b),
            Matrix::Sparse(sparse) => sparse.lu.solve(b),
        }
    }

    /// The least-squares correction `-(AᵀA + μI)⁻¹Aᵀr` of the scaled Jacobian A without the columns that are held, for a scaled
    /// residual r, in scaled unknowns. The factors are gone then.
    pub(super) fn regularised(
        &mut self,
        residual: &[f64],
        row_scale: &[f64],
        held: &[bool],
        options: &Options,
        correction: &mut [f64],
    ) {
        match self {
            Matrix::Dense(dense) => dense.regularised(residual, row_scale, held, options, correction),
            Matrix::Sparse(sparse) => sparse.regularised(residual, row_scale, held, correction),
        }
    }
}

/// One over the largest entry of a row.
fn scale_of(largest: f64) -> f64 {
    if largest > 0.0 && largest.is_finite() { 1.0 / largest } else { 1.0 }
}

#[derive(Clone)]
pub(super) struct Dense {
    lu: Lu,
    /// By rows.
    jacobian: Vec<f64>,
}

impl Dense {
    fn factorise(&mut self, options: &Options, row_scale: &mut [f64]) -> Option<usize> {
        let n = self.lu.n();
        let matrix = self.lu.matrix_mut();
        for row in 0..n {
            let entries = &self.jacobian[row * n..row * n + n];
            let largest =
                (0..n).map(|column| (entries[column] * options.nominal(column)).abs()).fold(0.0, f64::max);
            row_scale[row] = scale_of(largest);
            for column in 0..n {
                matrix[row * n + column] = entries[column] * options.nominal(column) * row_scale[row];
            }
        }
        let singular = self.lu.factorise_in_place().err().or_else(|| self.lu.nearly_singular());
        singular.map(|singular| singular.column)
    }

    fn regularised(
        &mut self,
        residual: &[f64],
        row_scale: &[f64],
        held: &[bool],
        options: &Options,
        correction: &mut [f64],
    ) {
        let n = self.lu.n();
        let jacobian = &self.jacobian;
        let scaled = |row: usize, column: usize| match held[column] {
            true => 0.0,
            false => jacobian[row * n + column] * options.nominal(column) * row_scale[row],
        };
        let normal = self.lu.matrix_mut();
        for i in 0..n {
            for j in 0..n {
                normal[i * n + j] = (0..n).map(|row| scaled(row, i) * scaled(row, j)).sum();
            }
        }
        let largest = (0..n).map(|i| normal[i * n + i]).fold(0.0, f64::max);
        (0..n).for_each(|i| normal[i * n + i] += damping(largest));
        let usable = self.lu.factorise_in_place().is_ok();
        for (column, correction) in correction.iter_mut().enumerate() {
            let along = (0..n).map(|row| scaled(row, column) * residual[row] * row_scale[row]);
            *correction = if held[column] { 0.0 } else { -along.sum::<f64>() };
        }
        if usable {
            self.lu.solve(correction);
        }
    }
}

fn damping(largest: f64) -> f64 {
    NEWTON_REGULARISATION * if largest > 0.0 { largest } else { 1.0 }
}

#[derive(Clone)]
pub(super) struct Sparse {
    pattern: Arc<Pattern>,
    /// In the order of the pattern, as the system gives them and scaled.
    values: Vec<f64>,
    scaled: Vec<f64>,
    lu: SparseLu,
    augmented: Option<Augmented>,
}

impl Sparse {
    fn factorise(&mut self, options: &Options, row_scale: &mut [f64]) -> Option<usize> {
        row_scale.fill(0.0);
        for column in 0..self.pattern.columns() {
            let nominal = options.nominal(column);
            for (value, &row) in
                self.values[self.pattern.range(column)].iter().zip(self.pattern.column(column))
            {
                row_scale[row] = f64::max(row_scale[row], (value * nominal).abs());
            }
        }
        row_scale.iter_mut().for_each(|largest| *largest = scale_of(*largest));
        for column in 0..self.pattern.columns() {
            let nominal = options.nominal(column);
            for place in self.pattern.range(column) {
                self.scaled[place] =
                    self.values[place] * nominal * row_scale[self.pattern.row_indices()[place]];
            }
        }
        if !self.lu.factorise(&self.scaled) {
            return Some(self.undetermined());
        }
        match self.lu.nearly_singular(&self.scaled) {
            Ok(()) => None,
            Err(Some(singular)) => Some(singular.column),
            Err(None) => Some(self.undetermined()),
        }
    }

    /// The column with the largest share in the null space of the matrix.
    fn undetermined(&mut self) -> usize {
        if self.scaled.iter().any(|value| !value.is_finite()) {
            return 0;
        }
        let Some(augmented) = self.augmented() else { return 0 };
        let (residual, unknowns) = augmented.right();
        residual.fill(0.0);
        unknowns.iter_mut().enumerate().for_each(|(i, entry)| *entry = -probe_entry(i));
        let sizes = augmented.solve().iter().map(|entry| entry.abs()).enumerate();
        sizes.max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(column, _)| column)
    }

    /// The factorised augmented system of the scaled matrix.
    fn augmented(&mut self) -> Option<&mut Augmented> {
        if self.augmented.is_none() {
            let plan = AugmentedPlan::new(&self.pattern)?;
            self.augmented = Some(Augmented::on(Arc::new(plan)));
        }
        let squares =
            |column: usize| self.scaled[self.pattern.range(column)].iter().map(|value| value * value).sum();
        let damping = damping((0..self.pattern.columns()).map(squares).fold(0.0, f64::max));
        let augmented = self.augmented.as_mut()?;
        augmented.factorise(&self.scaled, 1.0, damping).then_some(augmented)
    }

    fn regularised(&mut self, residual: &[f64], row_scale: &[f64], held: &[bool], correction: &mut [f64]) {
        let n = self.pattern.columns();
        for (column, _) in held.iter().enumerate().filter(|(_, held)| **held) {
            self.scaled[self.pattern.range(column)].fill(0.0);
        }
        let Some(augmented) = self.augmented() else {
            correction.fill(0.0);
            return;
        };
        let (right, unknowns) = augmented.right();
        for row in 0..n {
            right[row] = -residual[row] * row_scale[row];
        }
        unknowns.fill(0.0);
        correction.copy_from_slice(augmented.solve());
    }
}
