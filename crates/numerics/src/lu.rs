//! Dense LU factorisation with partial pivoting, for matrices of up to a few hundred unknowns.
//!
//! The matrix comes in by rows; factors and pivots stay in memory that is reused. A pivot that is exactly zero, or
//! not finite, is refused; how close to singular the rest is, [`Lu::weakest_pivot`] tells.

use crate::constants::{EPSILON, SINGULAR_PIVOT_IN_ULPS};
use crate::determinant::Determinant;

/// The factors of a square matrix.
#[derive(Clone, Debug)]
pub struct Lu {
    n: usize,
    factors: Vec<f64>,
    pivots: Vec<usize>,
    column_sizes: Vec<f64>,
}

/// A matrix without an inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Singular {
    /// The column that depends on those before it.
    pub column: usize,
}

impl std::fmt::Display for Singular {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the matrix is singular: column {} depends on those before it", self.column)
    }
}

impl std::error::Error for Singular {}

impl Lu {
    /// Memory for matrices of n unknowns; holds the identity until something is factorised.
    pub fn new(n: usize) -> Lu {
        let mut factors = vec![0.0; n * n];
        (0..n).for_each(|i| factors[i * n + i] = 1.0);
        Lu { n, factors, pivots: (0..n).collect(), column_sizes: vec![1.0; n] }
    }

    /// Number of unknowns.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Factorises a matrix given by rows.
    ///
    /// # Panics
    /// If the matrix does not have n × n entries.
    pub fn factorise(&mut self, matrix: &[f64]) -> Result<(), Singular> {
        self.factors.copy_from_slice(matrix);
        self.factorise_in_place()
    }

    /// The matrix to be factorised, by rows: fill it, then call [`Lu::factorise_in_place`].
    pub fn matrix_mut(&mut self) -> &mut [f64] {
        &mut self.factors
    }

    /// Factorises the matrix written into [`Lu::matrix_mut`].
    pub fn factorise_in_place(&mut self) -> Result<(), Singular> {
        let n = self.n;
        let a = &mut self.factors;
        for column in 0..n {
            self.column_sizes[column] = (0..n).map(|row| a[row * n + column].abs()).fold(0.0, f64::max);
        }
        for k in 0..n {
            let mut pivot = k;
            for row in k + 1..n {
                if a[row * n + k].abs() > a[pivot * n + k].abs() {
                    pivot = row;
                }
            }
            self.pivots[k] = pivot;
            let value = a[pivot * n + k];
            if value == 0.0 || !value.is_finite() {
                return Err(Singular { column: k });
            }
            if pivot != k {
                let (above, below) = a.split_at_mut(pivot * n);
                above[k * n..k * n + n].swap_with_slice(&mut below[..n]);
            }
            let (above, below) = a.split_at_mut((k + 1) * n);
            let pivot_row = &above[k * n + k + 1..k * n + n];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] / value;
                row[k] = factor;
                if factor != 0.0 {
                    for (entry, above) in row[k + 1..].iter_mut().zip(pivot_row) {
                        *entry -= factor * above;
                    }
                }
            }
        }
        Ok(())
    }

    /// Solves `A x = b`; `b` becomes `x`.
    pub fn solve(&self, b: &mut [f64]) {
        let (n, a) = (self.n, &self.factors);
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for row in 1..n {
            let sum: f64 = (0..row).map(|column| a[row * n + column] * b[column]).sum();
            b[row] -= sum;
        }
        for row in (0..n).rev() {
            let sum: f64 = (row + 1..n).map(|column| a[row * n + column] * b[column]).sum();
            b[row] = (b[row] - sum) / a[row * n + row];
        }
    }

    /// The determinant of the factorised matrix.
    pub fn determinant(&self) -> Determinant {
        (0..self.n).fold(Determinant::ONE, |product, k| {
            let pivot = self.factors[k * self.n + k];
            product.times(if self.pivots[k] == k { pivot } else { -pivot })
        })
    }

    /// The column with the smallest pivot relative to the column's largest entry, and that ratio.
    pub fn weakest_pivot(&self) -> Option<(usize, f64)> {
        let ratio = |k: usize| self.factors[k * self.n + k].abs() / self.column_sizes[k];
        (0..self.n).map(|k| (k, ratio(k))).min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The column whose pivot is no more than rounding may have left of a zero, where there is one.
    pub fn nearly_singular(&self) -> Option<Singular> {
        let threshold = SINGULAR_PIVOT_IN_ULPS * EPSILON * self.n as f64;
        let (column, ratio) = self.weakest_pivot()?;
        (ratio <= threshold).then_some(Singular { column })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_needs_pivoting() {
        let mut lu = Lu::new(3);
        lu.factorise(&[0.0, 2.0, 1.0, 1.0, 1.0, 0.0, 4.0, 0.0, 1.0]).unwrap();
        let mut b = [7.0, 3.0, 7.0];
        lu.solve(&mut b);
        assert_eq!(b, [1.0, 2.0, 3.0]);
        assert_eq!(lu.nearly_singular(), None);
        assert_eq!(lu.determinant(), Determinant::ONE.times(-6.0));
    }

    #[test]
    fn finds_the_dependent_column() {
        let mut lu = Lu::new(2);
        assert_eq!(lu.factorise(&[1.0, 2.0, 2.0, 4.0]), Err(Singular { column: 1 }));
        assert_eq!(lu.factorise(&[f64::NAN, 2.0, 2.0, 4.0]), Err(Singular { column: 0 }));
        // 0.1 + 0.2 is not 0.3: only rounding keeps this matrix from being singular.
        lu.factorise(&[0.3, 1.0, 0.1 + 0.2, 1.0]).unwrap();
        assert_eq!(lu.nearly_singular(), Some(Singular { column: 1 }));
    }

    #[test]
    fn badly_scaled_is_not_singular() {
        let mut lu = Lu::new(2);
        lu.factorise(&[1e-12, 0.0, 0.0, 1e12]).unwrap();
        assert_eq!(lu.nearly_singular(), None);
    }

    #[test]
    fn random_matrices_solve_to_rounding() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for n in [1, 2, 5, 20, 60] {
            let matrix: Vec<f64> = (0..n * n).map(|_| next()).collect();
            let x: Vec<f64> = (0..n).map(|_| next()).collect();
            let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| matrix[i * n + j] * x[j]).sum()).collect();
            let mut lu = Lu::new(n);
            lu.factorise(&matrix).unwrap();
            lu.solve(&mut b);
            assert!(b.iter().zip(&x).all(|(b, x)| (b - x).abs() < 1e-10), "n = {n}");
        }
    }
}
