//! Least squares by orthogonal factors (Golub & Van Loan, *Matrix Computations*, §5.4–5.5): where columns depend on each other,
//! the shortest of all solutions.

use crate::tables::Matrix;

/// `A P = Q R`, the largest column left being taken next; Q as the reflections it is made of, below the diagonal of R.
struct Orthogonal {
    m: Matrix,
    /// Per reflection, its first component; the others stand below the diagonal.
    heads: Vec<f64>,
    /// Which column of A each column is.
    order: Vec<usize>,
}

/// The solution for each right side, and the rank of A: diagonal elements of R count down to `rcond` of the first one.
pub(crate) fn least_squares(a: Matrix, rcond: f64, right_sides: &mut [Vec<f64>]) -> usize {
    let n = a.columns;
    let q = Orthogonal::new(a, true);
    let least = rcond.max(0.0) * q.m.elements.first().map_or(0.0, |first| first.abs());
    let diagonal = (0..q.heads.len()).map(|k| q.m.at(k, k).abs());
    let rank = diagonal.take_while(|size| *size > least).count();
    // the rows of R that count, transposed: their own factors give the shortest solution
    let rows = Matrix {
        rows: n,
        columns: rank,
        elements: (0..n)
            .flat_map(|j| (0..rank).map(move |i| (i, j)))
            .map(|(i, j)| if j < i { 0.0 } else { q.m.at(i, j) })
            .collect(),
    };
    let across = Orthogonal::new(rows, false);
    for right in right_sides {
        q.reflect(right, false);
        let mut found = vec![0.0; n];
        for i in 0..rank {
            let known: f64 = (0..i).map(|j| across.m.at(j, i) * found[j]).sum();
            found[i] = (right[i] - known) / across.m.at(i, i);
        }
        across.reflect(&mut found, true);
        right.clear();
        right.resize(n, 0.0);
        q.order.iter().zip(found).for_each(|(&column, x)| right[column] = x);
    }
    rank
}

impl Orthogonal {
    fn new(mut m: Matrix, exchanges: bool) -> Orthogonal {
        let n = m.columns;
        let mut order: Vec<usize> = (0..n).collect();
        let mut heads = Vec::new();
        for k in 0..m.rows.min(n) {
            let size = |m: &Matrix, j: usize| (k..m.rows).map(|i| m.at(i, j).powi(2)).sum::<f64>().sqrt();
            if exchanges {
                let best = (k + 1..n).fold(k, |best, j| if size(&m, j) > size(&m, best) { j } else { best });
                order.swap(k, best);
                (0..m.rows).for_each(|i| m.elements.swap(i * n + k, i * n + best));
            }
            let first = m.at(k, k);
            let diagonal = -size(&m, k).copysign(first);
            let head = first - diagonal;
            m.elements[k * n + k] = diagonal;
            heads.push(head);
            for j in k + 1..n {
                let mut column: Vec<f64> = (0..m.rows).map(|i| m.at(i, j)).collect();
                reflect_once(&m, k, head, &mut column);
                column.into_iter().enumerate().for_each(|(i, x)| m.elements[i * n + j] = x);
            }
        }
        Orthogonal { m, heads, order }
    }

    /// Qᵀ times a vector, or Q times it.
    fn reflect(&self, v: &mut [f64], backwards: bool) {
        let n = self.heads.len();
        for step in 0..n {
            let k = if backwards { n - 1 - step } else { step };
            reflect_once(&self.m, k, self.heads[k], v);
        }
    }
}

/// Reflects a vector at the plane that column `k` stands for.
fn reflect_once(m: &Matrix, k: usize, head: f64, v: &mut [f64]) {
    let below = k + 1..m.rows;
    let squares = head.powi(2) + below.clone().map(|i| m.at(i, k).powi(2)).sum::<f64>();
    if squares == 0.0 {
        return;
    }
    let product = head * v[k] + below.clone().map(|i| m.at(i, k) * v[i]).sum::<f64>();
    let factor = 2.0 * product / squares;
    v[k] -= factor * head;
    below.for_each(|i| v[i] -= factor * m.at(i, k));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(rows: usize, elements: &[f64], right: &[f64]) -> (Vec<f64>, usize) {
        let m = Matrix { rows, columns: elements.len() / rows, elements: elements.to_vec() };
        let mut right = [right.to_vec()];
        let rank = least_squares(m, 1e-12, &mut right);
        let [x] = right;
        (x, rank)
    }

    fn close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {expected:?}");
    }

    #[test]
    fn a_line_through_points() {
        // through (0, 1), (1, 3), (2, 4): slope 3/2, 7/6 at zero
        let (x, rank) = solved(3, &[0.0, 1.0, 1.0, 1.0, 2.0, 1.0], &[1.0, 3.0, 4.0]);
        close(&x, &[1.5, 7.0 / 6.0]);
        assert_eq!(rank, 2);
    }

    #[test]
    fn the_shortest_of_many() {
        // x + y = 2, twice
        let (x, rank) = solved(2, &[1.0, 1.0, 2.0, 2.0], &[2.0, 4.0]);
        close(&x, &[1.0, 1.0]);
        assert_eq!(rank, 1);
        // x + 2y + 2z = 9: along (1, 2, 2)
        let (x, rank) = solved(1, &[1.0, 2.0, 2.0], &[9.0]);
        close(&x, &[1.0, 2.0, 2.0]);
        assert_eq!(rank, 1);
        let (x, rank) = solved(2, &[0.0; 4], &[1.0, 1.0]);
        close(&x, &[0.0, 0.0]);
        assert_eq!(rank, 0);
    }
}
