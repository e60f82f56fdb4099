//! A factorised square matrix, dense or sparse, chosen by size and fill.
//!
//! The matrix comes in as values on a fixed pattern; for a sparse one the symbolic factorisation is done once
//! (`faer`: left-looking or supernodal by its own count of work). A matrix that cannot be factorised is reported,
//! not panicked over, and the right-hand side then stays unsolved.

use std::sync::Arc;

use crate::lu::Lu;
use crate::sparse::Pattern;
use crate::sparse_lu::{SparseLu, is_worth_it};

/// A matrix that has no (usable) factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CannotFactorise;

/// The factors of a matrix on a fixed pattern.
#[derive(Clone)]
pub(crate) struct Factorisation {
    pattern: Arc<Pattern>,
    kind: Kind,
    usable: bool,
}

#[derive(Clone)]
enum Kind {
    Dense(Lu),
    Sparse(Box<SparseLu>),
}

impl Factorisation {
    /// Prepares for matrices of a pattern.
    pub(crate) fn new(pattern: Arc<Pattern>) -> Factorisation {
        let n = pattern.columns();
        let sparse = is_worth_it(&pattern).then(|| SparseLu::new(pattern.clone())).flatten();
        let kind = match sparse {
            Some(sparse) => Kind::Sparse(Box::new(sparse)),
            None => Kind::Dense(Lu::new(n)),
        };
        Factorisation { pattern, kind, usable: false }
    }

    /// Factorises the matrix with these values, in the order of the pattern.
    pub(crate) fn factorise(&mut self, values: &[f64]) -> Result<(), CannotFactorise> {
        self.usable = values.iter().all(|value| value.is_finite())
            && match &mut self.kind {
                Kind::Dense(lu) => factorise_dense(lu, &self.pattern, values),
                Kind::Sparse(lu) => lu.factorise(values),
            };
        if self.usable { Ok(()) } else { Err(CannotFactorise) }
    }

    /// Solves in place; refuses where there are no factors.
    pub(crate) fn solve(&mut self, b: &mut [f64]) -> Result<(), CannotFactorise> {
        if !self.usable {
            return Err(CannotFactorise);
        }
        match &mut self.kind {
            Kind::Dense(lu) => lu.solve(b),
            Kind::Sparse(lu) => lu.solve(b),
        }
        Ok(())
    }

    /// Whether the matrix that was factorised, with these values, has no inverse but for rounding. Its rows are scaled to about one.
    pub(crate) fn is_nearly_singular(&mut self, values: &[f64]) -> bool {
        match &mut self.kind {
            Kind::Dense(lu) => lu.nearly_singular().is_some(),
            Kind::Sparse(lu) => lu.nearly_singular(values).is_err(),
        }
    }

    #[cfg(test)]
    pub(crate) fn is_sparse(&self) -> bool {
        matches!(self.kind, Kind::Sparse(_))
    }
}

fn factorise_dense(lu: &mut Lu, pattern: &Pattern, values: &[f64]) -> bool {
    let n = pattern.columns();
    let matrix = lu.matrix_mut();
    matrix.fill(0.0);
    for ((row, column), value) in pattern.entries().zip(values) {
        matrix[row * n + column] = *value;
    }
    lu.factorise_in_place().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tridiagonal(n: usize) -> Arc<Pattern> {
        let entries = (0..n).flat_map(|i| (i.saturating_sub(1)..n.min(i + 2)).map(move |j| (i, j)));
        Arc::new(Pattern::from_entries(n, n, entries))
    }

    #[test]
    fn small_is_dense_and_large_is_sparse_and_both_solve() {
        for n in [8, 500] {
            let pattern = tridiagonal(n);
            let mut factors = Factorisation::new(pattern.clone());
            assert_eq!(factors.is_sparse(), n > 100);
            let values: Vec<f64> =
                pattern.entries().map(|(row, column)| if row == column { 4.0 } else { -1.0 }).collect();
            assert_eq!(factors.solve(&mut vec![1.0; n]), Err(CannotFactorise));
            factors.factorise(&values).unwrap();
            let mut b = vec![2.0; n];
            (b[0], b[n - 1]) = (3.0, 3.0);
            factors.solve(&mut b).unwrap();
            assert!(b.iter().all(|x| (x - 1.0).abs() < 1e-12));
        }
    }

    #[test]
    fn singular_and_not_finite_are_refused_or_show() {
        for n in [8, 500] {
            let pattern = tridiagonal(n);
            let mut factors = Factorisation::new(pattern.clone());
            let mut b = vec![1.0; n];
            let zero = vec![0.0; pattern.len()];
            let solved = factors.factorise(&zero).and_then(|()| factors.solve(&mut b));
            assert!(solved.is_err() || b.iter().any(|x| !x.is_finite()));
            assert_eq!(factors.factorise(&vec![f64::NAN; pattern.len()]), Err(CannotFactorise));
        }
    }
}
