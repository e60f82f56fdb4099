//! Eigenvalues of small dense matrices, and how unknowns take part in their modes.

use faer::Mat;
use faer::prelude::Solve;

/// The eigenvalues of a square matrix, given by rows: real and imaginary parts, the slowest to decay first. Nothing where the
/// iteration does not converge.
pub fn eigenvalues(rows: &[Vec<f64>]) -> Option<Vec<(f64, f64)>> {
    let n = rows.len();
    debug_assert!(rows.iter().all(|row| row.len() == n));
    let matrix = Mat::from_fn(n, n, |i, j| rows[i][j]);
    let values = matrix.eigenvalues().ok()?;
    let mut values: Vec<(f64, f64)> = values.iter().map(|value| (value.re, value.im)).collect();
    values.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)));
    Some(values)
}

/// A mode of a linear system: its eigenvalue, and how much each unknown takes part in it.
#[derive(Clone, Debug)]
pub struct Mode {
    /// The real part of the eigenvalue.
    pub re: f64,
    /// Its imaginary part.
    pub im: f64,
    /// The participation factors: products of the entries of the right and the left eigenvector, in absolute values.
    pub parts: Vec<f64>,
}

/// The modes of a square matrix, given by rows. Nothing where the iteration does not converge, or where eigenvectors coincide.
pub fn modes(rows: &[Vec<f64>]) -> Option<Vec<Mode>> {
    let n = rows.len();
    if n == 0 || rows.iter().flatten().any(|entry| !entry.is_finite()) {
        return (n == 0).then(Vec::new);
    }
    let matrix = Mat::from_fn(n, n, |i, j| rows[i][j]);
    let found = matrix.eigen().ok()?;
    let (values, right) = (found.S().column_vector(), found.U());
    let unit = Mat::<faer::c64>::identity(n, n);
    let left = right.partial_piv_lu().solve(&unit);
    let mode = |k: usize| {
        let parts: Vec<f64> = (0..n).map(|i| (right[(i, k)] * left[(k, i)]).norm()).collect();
        Mode { re: values[k].re, im: values[k].im, parts }
    };
    let all: Vec<Mode> = (0..n).map(mode).collect();
    all.iter().all(|mode| mode.parts.iter().all(|part| part.is_finite())).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damped_oscillation() {
        let found = eigenvalues(&[vec![-10.0, 300.0], vec![-300.0, -10.0]]).unwrap();
        for ((re, im), (expected_re, expected_im)) in found.into_iter().zip([(-10.0, 300.0), (-10.0, -300.0)])
        {
            assert!((re - expected_re).abs() < 1e-10 && (im - expected_im).abs() < 1e-10, "{re} {im}");
        }
        assert_eq!(eigenvalues(&[]), Some(vec![]));
    }

    #[test]
    fn a_sensor_takes_part_in_its_own_mode_alone() {
        let mut found = modes(&[vec![-0.1, 0.0], vec![1e3, -1e3]]).unwrap();
        found.sort_by(|a, b| a.re.total_cmp(&b.re));
        let [fast, slow] = found.as_slice() else { panic!("{found:?}") };
        assert!((fast.re + 1e3).abs() < 1e-9 && (slow.re + 0.1).abs() < 1e-9);
        assert!(fast.parts[1] > 0.999 && fast.parts[0] < 1e-3, "{fast:?}");
        assert!(slow.parts[0] > 0.999 && slow.parts[1] < 1e-3, "{slow:?}");
    }
}
