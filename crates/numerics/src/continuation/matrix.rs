//! The derivatives of a flow, and the matrices that are made of them: dense, or on a pattern.
//!
//! On a pattern all of them, those of Newton's method, of steps and of the search for eigenvalues, have one symbolic factorisation.

use std::sync::Arc;

use super::Options;
use super::contraction::Field;
use crate::lu::Lu;
use crate::newton::System;
use crate::problem::EvaluationFailed;
use crate::rightmost::{Care, rightmost};
use crate::sparse::Pattern;
use crate::sparse_lu::ScaledLu;
use crate::stability::{MOST_EXACT, eliminated, growth, proof_of_rest};

/// Derivatives, and memory for their factors.
#[derive(Clone)]
pub(super) enum Matrix {
    Dense(Dense),
    Sparse(Box<Sparse>),
}

/// Scaling of a flow.
pub(super) struct Units<'a> {
    /// Factors of the residuals that flow.
    pub(super) scale: &'a [f64],
    /// Nominal value of each unknown.
    pub(super) sizes: &'a [f64],
}

impl Matrix {
    pub(super) fn dense(n: usize) -> Matrix {
        Matrix::Dense(Dense { lu: Lu::new(n), jacobian: vec![0.0; n * n] })
    }

    /// `None` where the pattern is beyond a symbolic factorisation.
    pub(super) fn sparse(pattern: Arc<Pattern>, mass: Option<Vec<f64>>) -> Option<Matrix> {
        let whole = Arc::new(pattern.with_diagonal());
        let place = |(row, column)| whole.position(row, column).expect("it holds every entry");
        let places = pattern.entries().map(place).collect();
        let diagonal = (0..pattern.columns()).map(|i| place((i, i))).collect();
        let lu = ScaledLu::new(whole)?;
        let entries = vec![0.0; pattern.len()];
        let mut sparse = Sparse { pattern, entries, places, diagonal, lu, mass: None };
        if let Some(values) = mass {
            let mut lu = sparse.lu.another();
            sparse.fill(&mut lu, |place, _, _| values[place], |_| 0.0);
            if !lu.factorise() {
                return None;
            }
            sparse.mass = Some(Mass { values, lu });
        }
        Some(Matrix::Sparse(Box::new(sparse)))
    }

    /// The derivatives, to be kept and brought back.
    pub(super) fn values(&self) -> &[f64] {
        match self {
            Matrix::Dense(dense) => &dense.jacobian,
            Matrix::Sparse(sparse) => &sparse.entries,
        }
    }

    pub(super) fn values_mut(&mut self) -> &mut [f64] {
        match self {
            Matrix::Dense(dense) => &mut dense.jacobian,
            Matrix::Sparse(sparse) => &mut sparse.entries,
        }
    }

    /// Takes the derivatives at `x`.
    pub(super) fn evaluate(&mut self, system: &mut dyn System, x: &[f64]) -> Result<(), EvaluationFailed> {
        match self {
            Matrix::Dense(dense) => system.jacobian(x, &mut dense.jacobian),
            Matrix::Sparse(sparse) => system.sparse_jacobian(x, &mut sparse.entries),
        }
    }

    /// The derivative of each residual by the unknown in its place, and the largest by any in nominal values.
    pub(super) fn paces(&self, options: &Options<'_>) -> Vec<(f64, f64)> {
        let m = options.rates.len();
        let mut paces = vec![(0.0, 0.0_f64); m];
        self.for_each(|row, column, entry| {
            if row < m {
                let (own, largest) = &mut paces[row];
                *largest = largest.max((entry * options.nominal[column]).abs());
                if row == column {
                    *own = entry;
                }
            }
        });
        paces
    }

    /// Whether rates are multiplied by a matrix.
    pub(super) fn has_mass(&self) -> bool {
        matches!(self, Matrix::Sparse(sparse) if sparse.mass.is_some())
    }

    /// Residuals to the flow: the rates of the unknowns.
    pub(super) fn flow(&mut self, residual: &mut [f64]) {
        if let Matrix::Sparse(sparse) = self
            && let Some(mass) = &mut sparse.mass
        {
            mass.lu.solve(residual);
        }
    }

    fn for_each(&self, mut look: impl FnMut(usize, usize, f64)) {
        match self {
            Matrix::Dense(dense) => {
                let n = dense.lu.n();
                dense.jacobian.iter().enumerate().for_each(|(k, entry)| look(k / n, k % n, *entry));
            }
            Matrix::Sparse(sparse) => {
                let entries = sparse.pattern.entries().zip(&sparse.entries);
                entries.for_each(|((row, column), entry)| look(row, column, *entry));
            }
        }
    }

    /// Factorises the derivatives; says whether there are factors.
    pub(super) fn factorise(&mut self) -> bool {
        match self {
            Matrix::Dense(Dense { lu, jacobian }) => lu.factorise(jacobian).is_ok(),
            Matrix::Sparse(sparse) => sparse.with_lu(|sparse, lu| {
                sparse.fill(lu, |place, _, _| sparse.entries[place], |_| 0.0);
                lu.factorise()
            }),
        }
    }

    /// Factorises the derivatives of `y − x − h D f(y)`, and of the other residuals.
    pub(super) fn factorise_step(&mut self, h: f64, scale: &[f64], m: usize) -> bool {
        match self {
            Matrix::Dense(dense) => dense.factorise_step(h, scale, m),
            Matrix::Sparse(sparse) => sparse.with_lu(|sparse, lu| {
                let factor = |row: usize| if row < m { h * scale[row] } else { 1.0 };
                sparse.fill(
                    lu,
                    |place, row, _| sparse.mass_at(place) - factor(row) * sparse.entries[place],
                    |row| if row < m && sparse.mass.is_none() { 1.0 } else { 0.0 },
                );
                lu.factorise()
            }),
        }
    }

    /// Subtracts the change in a step, times the mass matrix, from the right-hand side of its correction.
    pub(super) fn take_way(&self, way: &[f64], m: usize, right: &mut [f64]) {
        match self {
            Matrix::Sparse(sparse) if sparse.mass.is_some() => {
                for (place, (row, column)) in sparse.pattern.entries().enumerate() {
                    right[row] -= sparse.mass_at(place) * way[column];
                }
            }
            _ => right.iter_mut().zip(way).take(m).for_each(|(right, way)| *right -= way),
        }
    }

    /// Solves with the factors.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        match self {
            Matrix::Dense(dense) => dense.lu.solve(b),
            Matrix::Sparse(sparse) => sparse.lu.solve(b),
        }
    }

    /// The Jacobian of the flow of the first `m` unknowns, the others eliminated; nothing where that would fill a sparse matrix, and where it
    /// is not finite.
    pub(super) fn field(&self, scale: &[f64], m: usize) -> Option<Field> {
        let (mut entries, is_square) = match self {
            Matrix::Dense(dense) => (eliminated(&dense.jacobian, dense.lu.n(), m)?, true),
            Matrix::Sparse(sparse) => {
                (sparse.entries.clone(), sparse.pattern.columns() == m && sparse.mass.is_none())
            }
        };
        if !is_square || entries.iter().any(|entry| !entry.is_finite()) {
            return None;
        }
        Some(match self {
            Matrix::Dense(_) => {
                entries.iter_mut().enumerate().for_each(|(k, entry)| *entry *= scale[k / m]);
                Field::Dense { entries, m }
            }
            Matrix::Sparse(sparse) => {
                let rows = sparse.pattern.row_indices();
                entries.iter_mut().zip(rows).for_each(|(entry, &row)| *entry *= scale[row]);
                Field::Sparse { entries, pattern: sparse.pattern.clone() }
            }
        })
    }

    /// How fast the flow of the first `m` unknowns expands; negative where it contracts.
    pub(super) fn expansion(&mut self, units: &Units<'_>, m: usize, care: Care) -> f64 {
        // a slope without bound that draws back is no expansion
        let of_no_number = |entries: &[f64]| match entries.iter().any(|entry| entry.is_nan()) {
            true => f64::INFINITY,
            false => -1.0,
        };
        match self {
            Matrix::Dense(dense) => match dense.flow_matrix(units, m) {
                Some(matrix) => growth(&matrix, m).unwrap_or_else(|| of_no_number(&matrix)),
                None => f64::INFINITY,
            },
            Matrix::Sparse(sparse) => {
                let found = sparse.with_lu(|sparse, lu| sparse.growth(lu, units, m, care));
                found.unwrap_or_else(|| of_no_number(&sparse.entries))
            }
        }
    }
}

#[derive(Clone)]
pub(super) struct Dense {
    lu: Lu,
    /// By rows.
    jacobian: Vec<f64>,
}

impl Dense {
    fn factorise_step(&mut self, h: f64, scale: &[f64], m: usize) -> bool {
        let n = self.lu.n();
        let matrix = self.lu.matrix_mut();
        for row in 0..n {
            let factor = if row < m { h * scale[row] } else { 1.0 };
            for column in 0..n {
                matrix[row * n + column] = -factor * self.jacobian[row * n + column];
            }
            if row < m {
                matrix[row * n + row] += 1.0;
            }
        }
        self.lu.factorise_in_place().is_ok()
    }

    /// The derivatives of the flow in its units, algebraic unknowns being eliminated.
    fn flow_matrix(&self, units: &Units<'_>, m: usize) -> Option<Vec<f64>> {
        let mut matrix = eliminated(&self.jacobian, self.lu.n(), m)?;
        for (k, entry) in matrix.iter_mut().enumerate() {
            let (row, column) = (k / m, k % m);
            *entry *= units.scale[row] * (units.sizes[column] / units.sizes[row]);
        }
        Some(matrix)
    }
}

#[derive(Clone)]
pub(super) struct Sparse {
    pattern: Arc<Pattern>,
    /// In the order of the pattern.
    entries: Vec<f64>,
    /// Their places among the entries of the factorised matrix, which has all of the diagonal, too.
    places: Vec<usize>,
    diagonal: Vec<usize>,
    lu: ScaledLu,
    mass: Option<Mass>,
}

/// Mass matrix of `M dx/dτ = f`: on the same pattern, with its factors.
#[derive(Clone)]
struct Mass {
    values: Vec<f64>,
    lu: ScaledLu,
}

impl Sparse {
    fn with_lu<R>(&mut self, act: impl FnOnce(&mut Sparse, &mut ScaledLu) -> R) -> R {
        let another = ScaledLu::none();
        let mut lu = std::mem::replace(&mut self.lu, another);
        let done = act(self, &mut lu);
        self.lu = lu;
        done
    }

    fn mass_at(&self, place: usize) -> f64 {
        self.mass.as_ref().map_or(0.0, |mass| mass.values[place])
    }

    /// Writes a matrix: its entries by place, row and column, and the diagonal to be added.
    fn fill(
        &self,
        lu: &mut ScaledLu,
        entry: impl Fn(usize, usize, usize) -> f64,
        diagonal: impl Fn(usize) -> f64,
    ) {
        let matrix = lu.entries_mut();
        matrix.fill(0.0);
        for (place, (row, column)) in self.pattern.entries().enumerate() {
            matrix[self.places[place]] = entry(place, row, column);
        }
        for (row, &place) in self.diagonal.iter().enumerate() {
            matrix[place] += diagonal(row);
        }
    }

    /// The largest real part of the eigenvalues of the flow in its units, or a bound from above where that is negative.
    fn growth(&self, lu: &mut ScaledLu, units: &Units<'_>, m: usize, care: Care) -> Option<f64> {
        if self.entries.iter().any(|entry| !entry.is_finite()) {
            return None;
        }
        let n = self.pattern.columns();
        let scale = |row: usize| if row < m { units.scale[row] / units.sizes[row] } else { 1.0 };
        let value =
            |place: usize, row: usize, column: usize| scale(row) * units.sizes[column] * self.entries[place];
        if m == n && self.mass.is_none() {
            let entries = self.pattern.entries().enumerate();
            let values: Vec<f64> = entries.map(|(place, (row, column))| value(place, row, column)).collect();
            if let Some(bound) = proof_of_rest(&self.pattern, &values, &self.places, lu) {
                return Some(bound);
            }
            if n <= MOST_EXACT {
                let mut matrix = vec![0.0; n * n];
                let entries = self.pattern.entries().zip(&values);
                entries.for_each(|((row, column), value)| matrix[row * n + column] = *value);
                return growth(&matrix, n);
            }
        }
        // (M⁻¹J - σ) v = u, zero in the algebraic rows: by the rows of J - σM
        let shifted = |place: usize, row: usize, column: usize, shift: f64| {
            let mass = scale(row) * units.sizes[column] * self.mass_at(place);
            value(place, row, column) - shift * mass
        };
        let mut right = vec![0.0; n];
        let found = rightmost(m, care, &mut |shift, u, v| {
            if let Some(shift) = shift {
                let own = |row: usize| if row < m && self.mass.is_none() { -shift } else { 0.0 };
                self.fill(lu, |place, row, column| shifted(place, row, column, shift), own);
                if !lu.factorise() {
                    return false;
                }
            }
            right.fill(0.0);
            match &self.mass {
                None => right[..m].copy_from_slice(u),
                Some(mass) => {
                    for ((row, column), value) in self.pattern.entries().zip(&mass.values) {
                        right[row] += scale(row) * value * units.sizes[column] * u[column];
                    }
                }
            }
            lu.solve(&mut right);
            v.copy_from_slice(&right[..m]);
            true
        });
        // an undetermined direction may grow at any rate
        Some(found.unwrap_or(f64::INFINITY))
    }
}
