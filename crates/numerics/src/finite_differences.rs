//! A Jacobian by finite differences on a sparsity pattern, one evaluation per colour.
//!
//! The increment of a state is relative to its size, at least to the nominal value in its tolerances
//! (`atol / rtol`). If a point to one side cannot be evaluated, the other side is tried.

use crate::colouring::{Colouring, colour};
use crate::constants::DIFFERENCE_INCREMENT;
use crate::problem::EvaluationFailed;
use crate::sparse::{Pattern, SparseMatrix};

/// The colouring and the memory it needs.
#[derive(Clone)]
pub(crate) struct FiniteDifferences {
    colouring: Colouring,
    size: Vec<f64>,
    at: Vec<f64>,
    shifted: Vec<f64>,
    base: Vec<f64>,
}

impl FiniteDifferences {
    /// For a pattern, with the usual size of every state.
    pub(crate) fn new(pattern: &Pattern, size: Vec<f64>) -> FiniteDifferences {
        let n = pattern.columns();
        let colouring = colour(pattern);
        FiniteDifferences { colouring, size, at: vec![0.0; n], shifted: vec![0.0; n], base: vec![0.0; n] }
    }

    /// Fills the matrix with the differences of `f` around `y`.
    pub(crate) fn jacobian(
        &mut self,
        y: &[f64],
        matrix: &mut SparseMatrix,
        mut f: impl FnMut(&[f64], &mut [f64]) -> Result<(), EvaluationFailed>,
    ) -> Result<(), EvaluationFailed> {
        f(y, &mut self.base)?;
        let pattern = matrix.pattern().clone();
        for group in &self.colouring.groups {
            let forward = shift(&mut self.at, y, group, &self.size, 1.0);
            debug_assert!(forward);
            if f(&self.at, &mut self.shifted).is_err() {
                shift(&mut self.at, y, group, &self.size, -1.0);
                f(&self.at, &mut self.shifted)?;
            }
            for &column in group {
                let increment = self.at[column] - y[column];
                for position in pattern.range(column) {
                    let row = pattern.row_indices()[position];
                    matrix.values_mut()[position] = (self.shifted[row] - self.base[row]) / increment;
                }
            }
        }
        Ok(())
    }
}

/// Moves the states of a group away from zero (or towards it); the increments are read back from the result, so
/// that they are exact.
fn shift(at: &mut [f64], y: &[f64], group: &[usize], size: &[f64], direction: f64) -> bool {
    at.copy_from_slice(y);
    for &column in group {
        let increment = DIFFERENCE_INCREMENT * y[column].abs().max(size[column]);
        at[column] += direction * increment.copysign(y[column]);
    }
    group.iter().all(|&column| at[column] != y[column])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn differences_match_the_derivative() {
        let pattern = Arc::new(Pattern::from_entries(3, 3, [(0, 0), (0, 1), (1, 1), (2, 2), (2, 1)]));
        let mut matrix = SparseMatrix::zeros(pattern.clone());
        let mut differences = FiniteDifferences::new(&pattern, vec![1.0; 3]);
        let y = [2.0, 0.0, -3.0];
        let mut calls = 0;
        let f = |y: &[f64], dy: &mut [f64]| {
            calls += 1;
            if y[1] > 0.0 {
                return Err(EvaluationFailed::new("not above zero"));
            }
            dy[0] = y[0] * y[0] + 5.0 * y[1];
            dy[1] = -y[1];
            dy[2] = y[2].sin() + y[1];
            Ok(())
        };
        differences.jacobian(&y, &mut matrix, f).unwrap();
        for (entry, expected) in
            [((0, 0), 4.0), ((0, 1), 5.0), ((1, 1), -1.0), ((2, 2), (-3.0f64).cos()), ((2, 1), 1.0)]
        {
            assert!((matrix.get(entry.0, entry.1) - expected).abs() < 1e-6, "{entry:?}");
        }
        // The base, two colours, and one of them from the other side.
        assert_eq!(calls, 4);
    }
}
