//! Sparse LU factorisation on a fixed pattern (`faer`): the symbolic part is done once, columns are ordered by COLAMD, rows by pivots.
//!
//! A pivot of zero gives factors that are not finite. Singularity is seen in a solution (one step of inverse iteration): a
//! small singular value blows up a right-hand side of pseudorandom entries around one as any other. The largest entries of the
//! solution are those that the matrix does not determine.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par};

use crate::constants::SINGULAR_GROWTH;
use crate::lu::Singular;
use crate::sparse::Pattern;

/// The symbolic part shared by all factorisations on one pattern: the order of the columns, and the pattern of the factors.
#[derive(Debug)]
pub struct Symbolic {
    pattern: Arc<Pattern>,
    factors: SymbolicLu<usize>,
}

impl Symbolic {
    /// `None` where the pattern is beyond it (out of memory).
    pub fn new(pattern: Arc<Pattern>) -> Option<Symbolic> {
        let factors = factorize_symbolic_lu(symbolic(&pattern), Default::default()).ok()?;
        Some(Symbolic { pattern, factors })
    }

    /// Sparsity pattern of the matrices.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }
}

/// The factors of a sparse square matrix.
pub struct SparseLu {
    symbolic: Arc<Symbolic>,
    numeric: NumericLu<usize, f64>,
    memory: MemBuffer,
    probe: Vec<f64>,
}

impl Clone for SparseLu {
    /// With memory of its own.
    fn clone(&self) -> SparseLu {
        let memory = SparseLu::on(self.symbolic.clone()).memory;
        SparseLu {
            symbolic: self.symbolic.clone(),
            numeric: self.numeric.clone(),
            memory,
            probe: self.probe.clone(),
        }
    }
}

impl SparseLu {
    /// Prepares for matrices of a pattern; `None` where it is beyond the symbolic factorisation (out of memory).
    pub fn new(pattern: Arc<Pattern>) -> Option<SparseLu> {
        Some(SparseLu::on(Arc::new(Symbolic::new(pattern)?)))
    }

    /// Prepares for matrices of a pattern whose symbolic part is known.
    pub fn on(symbolic: Arc<Symbolic>) -> SparseLu {
        let for_factors = symbolic.factors.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default());
        let for_solution = symbolic.factors.solve_in_place_scratch::<f64>(1, Par::Seq);
        let memory = MemBuffer::new(for_factors.or(for_solution));
        let probe = vec![0.0; symbolic.pattern.columns()];
        SparseLu { symbolic, numeric: NumericLu::new(), memory, probe }
    }

    /// Factorises the matrix with these values, in the order of the pattern; says whether there are factors, which may still not be
    /// finite.
    pub fn factorise(&mut self, values: &[f64]) -> bool {
        if values.iter().any(|value| !value.is_finite()) {
            return false;
        }
        let Symbolic { pattern, factors } = &*self.symbolic;
        let matrix = SparseColMatRef::new(symbolic(pattern), values);
        let stack = MemStack::new(&mut self.memory);
        let numeric = &mut self.numeric;
        factors.factorize_numeric_lu(numeric, matrix, Par::Seq, stack, Default::default()).is_ok()
    }

    /// Solves in place, with the factors that were made last.
    pub fn solve(&mut self, b: &mut [f64]) {
        let n = b.len();
        let lu = LuRef::new_unchecked(&self.symbolic.factors, &self.numeric);
        let column = MatMut::from_column_major_slice_mut(b, n, 1);
        lu.solve_in_place_with_conj(Conj::No, column, Par::Seq, MemStack::new(&mut self.memory));
    }

    /// Whether the matrix is nearly singular, with a column that depends on others if one is found. The rows of the matrix
    /// (`values`, as they were factorised) are scaled to about one.
    pub fn nearly_singular(&mut self, values: &[f64]) -> Result<(), Option<Singular>> {
        let mut probe = std::mem::take(&mut self.probe);
        probe.iter_mut().enumerate().for_each(|(i, entry)| *entry = probe_entry(i));
        self.solve(&mut probe);
        let size = |column: usize| {
            let largest =
                values[self.symbolic.pattern.range(column)].iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            probe[column].abs() * largest
        };
        let is_finite = probe.iter().all(|entry| entry.is_finite());
        let (column, growth) = (0..probe.len())
            .map(|column| (column, size(column)))
            .fold((0, 0.0), |most, next| if next.1 > most.1 { next } else { most });
        self.probe = probe;
        match is_finite {
            false => Err(None),
            true if growth >= SINGULAR_GROWTH => Err(Some(Singular { column })),
            true => Ok(()),
        }
    }
}

/// Factors of matrices whose rows are scaled to one, with memory for their entries.
#[derive(Clone)]
pub struct ScaledLu {
    lu: Option<SparseLu>,
    entries: Vec<f64>,
    /// One over the largest entry of each row.
    row_scale: Vec<f64>,
}

impl ScaledLu {
    /// `None` where the pattern is beyond the symbolic factorisation.
    pub fn new(pattern: Arc<Pattern>) -> Option<ScaledLu> {
        Some(ScaledLu::on(Arc::new(Symbolic::new(pattern)?)))
    }

    fn on(symbolic: Arc<Symbolic>) -> ScaledLu {
        let (n, entries) = (symbolic.pattern.columns(), vec![0.0; symbolic.pattern.len()]);
        ScaledLu { lu: Some(SparseLu::on(symbolic)), entries, row_scale: vec![1.0; n] }
    }

    /// Memory for other matrices of the same pattern.
    pub fn another(&self) -> ScaledLu {
        match &self.lu {
            Some(lu) => ScaledLu::on(lu.symbolic.clone()),
            None => ScaledLu::none(),
        }
    }

    /// No memory: it has no factors.
    pub fn none() -> ScaledLu {
        ScaledLu { lu: None, entries: Vec::new(), row_scale: Vec::new() }
    }

    /// The entries of the matrix to be factorised, in the order of the pattern.
    pub fn entries_mut(&mut self) -> &mut [f64] {
        &mut self.entries
    }

    /// Scales rows to one and factorises the entries written; says whether there are factors of use.
    pub fn factorise(&mut self) -> bool {
        let Some(lu) = &mut self.lu else { return false };
        let rows = lu.symbolic.pattern.row_indices();
        self.row_scale.fill(0.0);
        for (entry, &row) in self.entries.iter().zip(rows) {
            self.row_scale[row] = f64::max(self.row_scale[row], entry.abs());
        }
        for scale in &mut self.row_scale {
            *scale = if *scale > 0.0 { 1.0 / *scale } else { 1.0 };
        }
        for (entry, &row) in self.entries.iter_mut().zip(rows) {
            *entry *= self.row_scale[row];
        }
        lu.factorise(&self.entries) && lu.nearly_singular(&self.entries).is_ok()
    }

    /// Solves in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        b.iter_mut().zip(&self.row_scale).for_each(|(b, scale)| *b *= scale);
        if let Some(lu) = &mut self.lu {
            lu.solve(b);
        }
    }
}

/// Numbers around one, of either sign, that look drawn at random (a multiplicative hash): no two rows are alike.
pub(crate) fn probe_entry(i: usize) -> f64 {
    let hash = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let size = 0.5 + (hash << 1 >> 12) as f64 / (1u64 << 52) as f64;
    if hash >> 63 == 0 { size } else { -size }
}

fn symbolic(pattern: &Pattern) -> SymbolicSparseColMatRef<'_, usize> {
    let n = pattern.columns();
    SymbolicSparseColMatRef::new_checked(n, n, pattern.column_starts(), None, pattern.row_indices())
}

/// Whether matrices of a pattern are better treated as sparse ones.
pub fn is_worth_it(pattern: &Pattern) -> bool {
    use crate::constants::{DENSE_ABOVE_FILL, DENSE_UP_TO};
    let n = pattern.columns();
    n > DENSE_UP_TO && (pattern.len() as f64) < DENSE_ABOVE_FILL * (n as f64) * (n as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(n: usize) -> Arc<Pattern> {
        let entries = (0..n).flat_map(|i| [(i, i), (i, (i + 1) % n), ((i + 1) % n, i)]);
        Arc::new(Pattern::from_entries(n, n, entries))
    }

    /// A ring of resistors: what flows depends on differences only, unless one node is grounded.
    fn laplacian(pattern: &Pattern, grounded: Option<usize>) -> Vec<f64> {
        let entry = |(row, column)| match row == column {
            true if grounded == Some(row) => 1.5,
            true => 1.0,
            false => -0.5,
        };
        pattern.entries().map(entry).collect()
    }

    #[test]
    fn tells_a_floating_ring_from_a_grounded_one() {
        let pattern = ring(200);
        let mut lu = SparseLu::new(pattern.clone()).unwrap();
        let grounded = laplacian(&pattern, Some(7));
        assert!(lu.factorise(&grounded));
        assert_eq!(lu.nearly_singular(&grounded), Ok(()));
        let floating = laplacian(&pattern, None);
        assert!(!lu.factorise(&floating) || lu.nearly_singular(&floating).is_err());
    }

    #[test]
    fn names_a_column_that_is_a_copy_of_another() {
        let mut entries: Vec<(usize, usize)> = (0..100).map(|i| (i, i)).collect();
        entries.extend([(3, 4), (4, 3)]);
        let pattern = Arc::new(Pattern::from_entries(100, 100, entries));
        let mut lu = SparseLu::new(pattern.clone()).unwrap();
        let values: Vec<f64> = pattern
            .entries()
            .map(|(row, column)| if (row, column) == (4, 4) { 1.0 + 2e-16 } else { 1.0 })
            .collect();
        let found = lu.factorise(&values).then(|| lu.nearly_singular(&values));
        assert!(matches!(found, None | Some(Err(None)) | Some(Err(Some(Singular { column: 3 | 4 })))));
    }
}
