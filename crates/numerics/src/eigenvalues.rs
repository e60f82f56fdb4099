//! Eigenvalues of small dense matrices.

use faer::Mat;

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
}
