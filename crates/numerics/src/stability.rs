//! How fast a flow moves away from a point, or comes to rest: the growth of its linearisation.
//!
//! Some unknowns flow, the others follow from them by algebraic equations: stability is decided by the Jacobian of the flow with
//! the others eliminated (a Schur complement).

use std::sync::Arc;

use crate::eigenvalues::eigenvalues;
use crate::lu::Lu;
use crate::rightmost::{Care, rightmost};
use crate::sparse::Pattern;
use crate::sparse_lu::ScaledLu;

/// Matrices of up to so many rows have all their eigenvalues computed; of larger ones the one furthest to the right is looked for
/// (`rightmost`).
pub const MOST_EXACT: usize = 50;

/// Rounding error of a sum of a few hundred numbers that cancel, relative to the largest.
const ROUNDING: f64 = 1e-13;

/// The Jacobian of the first `m` unknowns with the others eliminated, by rows; nothing where these are not determined.
pub fn eliminated(jacobian: &[f64], n: usize, m: usize) -> Option<Vec<f64>> {
    let at = |row: usize, column: usize| jacobian[row * n + column];
    let mut reduced: Vec<f64> = (0..m * m).map(|k| at(k / m, k % m)).collect();
    if n == m {
        return Some(reduced);
    }
    let others = n - m;
    let mut lu = Lu::new(others);
    let inner: Vec<f64> = (0..others * others).map(|k| at(m + k / others, m + k % others)).collect();
    lu.factorise(&inner).ok()?;
    for column in 0..m {
        let mut change: Vec<f64> = (0..others).map(|row| at(m + row, column)).collect();
        lu.solve(&mut change);
        for row in 0..m {
            let by_others: f64 = (0..others).map(|k| at(row, m + k) * change[k]).sum();
            reduced[row * m + column] -= by_others;
        }
    }
    Some(reduced)
}

/// The largest real part of the eigenvalues of a square matrix given by rows, or a bound from above where that is negative or the
/// matrix is large. Nothing where it has entries that are no numbers.
pub fn growth(matrix: &[f64], n: usize) -> Option<f64> {
    if matrix.iter().any(|entry| !entry.is_finite()) {
        return None;
    }
    if n <= 1 {
        return Some(matrix.first().copied().unwrap_or(f64::NEG_INFINITY));
    }
    let bound = logarithmic_norm(matrix, n);
    // row sums that are zero but for rounding, as of flows between storages, mean no growth either
    let largest = matrix.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    if bound <= ROUNDING * largest {
        return Some(bound.min(-f64::MIN_POSITIVE));
    }
    if let Some(weighted) = weighted_norm(matrix, n) {
        return Some(weighted);
    }
    if n > MOST_EXACT {
        return Some(rightmost_of(matrix, n).unwrap_or(f64::INFINITY));
    }
    let rows: Vec<Vec<f64>> = matrix.chunks_exact(n).map(<[f64]>::to_vec).collect();
    let values = eigenvalues(&rows)?;
    values.first().map(|(re, _)| *re)
}

/// By dense factors.
fn rightmost_of(matrix: &[f64], n: usize) -> Option<f64> {
    let mut lu = Lu::new(n);
    rightmost(n, Care::Full, &mut |shift, u, v| {
        if let Some(shift) = shift {
            let own = lu.matrix_mut();
            own.copy_from_slice(matrix);
            (0..n).for_each(|i| own[i * n + i] -= shift);
            if lu.factorise_in_place().is_err() {
                return false;
            }
        }
        v.copy_from_slice(u);
        lu.solve(v);
        true
    })
}

/// A negative bound of the real parts of the eigenvalues of a sparse square matrix, if rows, columns or weights prove one: the
/// first attempt of [`growth`]. `places` says where its entries are among those of the memory for factors.
pub(crate) fn proof_of_rest(
    pattern: &Pattern,
    values: &[f64],
    places: &[usize],
    lu: &mut ScaledLu,
) -> Option<f64> {
    let n = pattern.columns();
    let entries = || pattern.entries().zip(values);
    let (mut rows, mut columns) = (vec![0.0; n], vec![0.0; n]);
    for ((row, column), &value) in entries() {
        let size = if row == column { value } else { value.abs() };
        rows[row] += size;
        columns[column] += size;
    }
    let most = |list: &[f64]| list.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let bound = most(&rows).min(most(&columns));
    let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    if bound <= ROUNDING * largest {
        return Some(bound.min(-f64::MIN_POSITIVE));
    }
    // weights as those of `weighted_norm`
    let size = |row: usize, column: usize, value: f64| if row == column { value } else { value.abs() };
    let matrix = lu.entries_mut();
    matrix.fill(0.0);
    for (((row, column), &value), &place) in entries().zip(places) {
        matrix[place] = size(row, column, value);
    }
    if !lu.factorise() {
        return None;
    }
    let mut weights = vec![-1.0; n];
    lu.solve(&mut weights);
    if !weights.iter().all(|weight| weight.is_finite() && *weight > 0.0) {
        return None;
    }
    let mut along = vec![0.0; n];
    for ((row, column), &value) in entries() {
        along[row] += size(row, column, value) * weights[column];
    }
    let norm = along.iter().zip(&weights).map(|(sum, weight)| sum / weight).fold(f64::NEG_INFINITY, f64::max);
    (norm < 0.0).then_some(norm)
}

/// The largest real part of the eigenvalues of a sparse square matrix, as [`growth`] says it.
pub fn sparse_growth(pattern: &Arc<Pattern>, values: &[f64]) -> Option<f64> {
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let n = pattern.columns();
    if n <= MOST_EXACT {
        let mut matrix = vec![0.0; n * n];
        pattern.entries().zip(values).for_each(|((row, column), value)| matrix[row * n + column] = *value);
        return growth(&matrix, n);
    }
    let whole = Arc::new(pattern.with_diagonal());
    let place = |(row, column)| whole.position(row, column).expect("it holds every entry");
    let places: Vec<usize> = pattern.entries().map(place).collect();
    let mut lu = ScaledLu::new(whole.clone())?;
    proof_of_rest(pattern, values, &places, &mut lu).or_else(|| {
        rightmost(n, Care::Full, &mut |shift, u, v| {
            if let Some(shift) = shift {
                let matrix = lu.entries_mut();
                matrix.fill(0.0);
                places.iter().zip(values).for_each(|(&place, value)| matrix[place] = *value);
                (0..n).for_each(|i| matrix[place((i, i))] -= shift);
                if !lu.factorise() {
                    return false;
                }
            }
            v.copy_from_slice(u);
            lu.solve(v);
            true
        })
    })
}

/// The lesser of the logarithmic norms that belong to the largest row and the largest column.
fn logarithmic_norm(matrix: &[f64], n: usize) -> f64 {
    let disc = |entry: &dyn Fn(usize, usize) -> f64| {
        let reach = |i: usize| {
            let others: f64 = (0..n).filter(|&j| j != i).map(|j| entry(i, j).abs()).sum();
            entry(i, i) + others
        };
        (0..n).map(reach).fold(f64::NEG_INFINITY, f64::max)
    };
    let rows = disc(&|i, j| matrix[i * n + j]);
    let columns = disc(&|i, j| matrix[j * n + i]);
    rows.min(columns)
}

/// A negative logarithmic norm in suitable units, if there are any (`rest_weights`); one solution of linear equations proves it thirty
/// times as fast as eigenvalues.
fn weighted_norm(matrix: &[f64], n: usize) -> Option<f64> {
    let weights = rest_weights(matrix, n)?;
    let reach = |row: usize| {
        let along = matrix[row * n..(row + 1) * n].iter().zip(&weights).enumerate();
        let size = |(column, (entry, weight)): (usize, (&f64, &f64))| {
            if column == row { entry * weight } else { entry.abs() * weight }
        };
        along.map(size).sum::<f64>() / weights[row]
    };
    let norm = (0..n).map(reach).fold(f64::NEG_INFINITY, f64::max);
    (norm < 0.0).then_some(norm)
}

/// Units in which the rows of a matrix are dominant, if there are any: positive weights `w` with `M w < 0`, where `M` is the matrix with
/// absolute values of its off-diagonal entries (Berman & Plemmons 1979, §6.2). Flows between storages have them, whatever the units of
/// each.
pub(crate) fn rest_weights(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let size = |(k, entry): (usize, &f64)| if k % (n + 1) == 0 { *entry } else { entry.abs() };
    let sizes: Vec<f64> = matrix.iter().enumerate().map(size).collect();
    let mut lu = Lu::new(n);
    lu.factorise(&sizes).ok()?;
    let mut weights = vec![-1.0; n];
    lu.solve(&mut weights);
    weights.iter().all(|weight| weight.is_finite() && *weight > 0.0).then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_may_prove_what_rows_do_not() {
        // rows reach to the right of zero, columns do not
        let matrix = [-2.5, 0.25, 1.0, -0.625];
        assert!(growth(&matrix, 2).unwrap() < 0.0);
        let focus = [1.0, 1.0, -1.0, 0.0];
        assert!((growth(&focus, 2).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(growth(&[f64::NAN], 1), None);
    }

    #[test]
    fn units_do_not_matter_to_what_flows_between_storages() {
        // a chain that leaks at its end, the second storage in units a thousand times smaller: no row, and no column, proves it
        let chain = [-1.0, 1e-3, 1e3, -1.1];
        let (rows, columns): (f64, f64) = (1e3 - 1.1, 1e3 - 1.0);
        assert!((logarithmic_norm(&chain, 2) - rows.min(columns)).abs() < 1e-9);
        let bound = weighted_norm(&chain, 2).unwrap();
        let exact = -1.05 + f64::sqrt(1.05 * 1.05 - 0.1);
        assert!(exact <= bound + 1e-12 && bound < 0.0, "{bound} for {exact}");
        assert_eq!(growth(&chain, 2), Some(bound));
        // an unstable matrix has no such units
        assert_eq!(weighted_norm(&[-1.0, 2.0, 1.0, -1.0], 2), None);
    }

    #[test]
    fn what_follows_is_eliminated() {
        // dx/dt = y, 0 = 3 x + y: the flow is dx/dt = -3 x
        assert_eq!(eliminated(&[0.0, 1.0, 3.0, 1.0], 2, 1), Some(vec![-3.0]));
        assert_eq!(eliminated(&[0.0, 1.0, 3.0, 0.0], 2, 1), None);
    }
}
