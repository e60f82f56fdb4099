//! Dense linear systems that may say too much or too little, by singular values.

use faer::Mat;

/// A least-squares solution.
#[derive(Clone, Debug, PartialEq)]
pub struct Closest {
    /// The shortest of those that come closest.
    pub x: Vec<f64>,
    /// Directions, of length one each, in which nothing changes.
    pub free: Vec<Vec<f64>>,
}

/// The shortest `x` for which `rows · x` comes closest to `right`. Singular values below `least` times the largest count as zero.
/// Nothing where the iteration does not converge.
pub fn least_squares(rows: &[Vec<f64>], n: usize, right: &[f64], least: f64) -> Option<Closest> {
    debug_assert!(rows.len() == right.len() && rows.iter().all(|row| row.len() == n));
    let m = rows.len();
    if n == 0 || m == 0 {
        let unit = |place: usize| (0..n).map(|i| f64::from(u8::from(i == place))).collect();
        return Some(Closest { x: vec![0.0; n], free: (0..n).map(unit).collect() });
    }
    let svd = Mat::from_fn(m, n, |i, j| rows[i][j]).svd().ok()?;
    let (u, s, v) = (svd.U(), svd.S().column_vector(), svd.V());
    let count = m.min(n);
    let largest = (0..count).map(|k| s[k]).fold(0.0, f64::max);
    let counts = |k: usize| k < count && s[k] > least * largest && s[k] > 0.0;
    let mut x = vec![0.0; n];
    for k in (0..count).filter(|&k| counts(k)) {
        let along: f64 = (0..m).map(|i| u[(i, k)] * right[i]).sum::<f64>() / s[k];
        x.iter_mut().enumerate().for_each(|(j, x)| *x += along * v[(j, k)]);
    }
    let free = (0..n).filter(|&k| !counts(k)).map(|k| (0..n).map(|j| v[(j, k)]).collect()).collect();
    Some(Closest { x, free })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn what_is_said_twice_and_what_is_not_said() {
        let rows = [vec![1.0, 1.0, 0.0], vec![2.0, 2.0, 0.0], vec![0.0, 0.0, 3.0]];
        let found = least_squares(&rows, 3, &[2.0, 4.0, 6.0], 1e-12).unwrap();
        assert!(close(&found.x, &[1.0, 1.0, 2.0]), "{found:?}");
        assert_eq!(found.free.len(), 1);
        let half = 0.5_f64.sqrt();
        assert!(close(&found.free[0].iter().map(|x| x.abs()).collect::<Vec<_>>(), &[half, half, 0.0]));
    }

    #[test]
    fn contradictions_are_met_halfway() {
        let found = least_squares(&[vec![1.0], vec![1.0]], 1, &[1.0, 3.0], 1e-12).unwrap();
        assert!(close(&found.x, &[2.0]) && found.free.is_empty());
        assert_eq!(least_squares(&[], 2, &[], 1e-12).unwrap().free.len(), 2);
    }
}
