//! Sparsity patterns and sparse matrices in compressed columns (CSC).
//!
//! A pattern is fixed and shared; a matrix is a pattern with one value per entry, in the order of the pattern:
//! column by column, rows ascending within a column. Invariants (checked by [`Pattern::new`]): `column_starts` has
//! `columns + 1` entries, starts at 0, never falls, ends at the number of entries; row indices ascend strictly
//! within a column and are below `rows`.

use std::sync::Arc;

/// Sparsity pattern of a matrix, by columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    rows: usize,
    column_starts: Vec<usize>,
    row_indices: Vec<usize>,
}

impl Pattern {
    /// A pattern from its arrays; `None` where they break an invariant.
    pub fn new(rows: usize, column_starts: Vec<usize>, row_indices: Vec<usize>) -> Option<Pattern> {
        let pattern = Pattern { rows, column_starts, row_indices };
        pattern.verify().then_some(pattern)
    }

    /// A pattern from any collection of `(row, column)`; duplicates are merged.
    ///
    /// # Panics
    /// If an entry lies outside `rows` × `columns`.
    pub fn from_entries(
        rows: usize,
        columns: usize,
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Pattern {
        let mut by_column = vec![Vec::new(); columns];
        for (row, column) in entries {
            assert!(row < rows, "row {row} of a matrix of {rows} rows");
            by_column[column].push(row);
        }
        let mut column_starts = Vec::with_capacity(columns + 1);
        let mut row_indices = Vec::new();
        column_starts.push(0);
        for mut column in by_column {
            column.sort_unstable();
            column.dedup();
            row_indices.extend(column);
            column_starts.push(row_indices.len());
        }
        Pattern { rows, column_starts, row_indices }
    }

    /// Every entry of an n × n matrix: the assumption if nothing is known.
    pub fn dense(n: usize) -> Pattern {
        Pattern {
            rows: n,
            column_starts: (0..=n).map(|column| column * n).collect(),
            row_indices: (0..n).flat_map(|_| 0..n).collect(),
        }
    }

    /// The same pattern with the whole diagonal added: the pattern of `I - γJ`.
    pub fn with_diagonal(&self) -> Pattern {
        let n = self.columns();
        let diagonal = (0..n.min(self.rows)).map(|i| (i, i));
        Pattern::from_entries(self.rows, n, self.entries().chain(diagonal))
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.column_starts.len() - 1
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.row_indices.len()
    }

    /// Whether there is no entry at all.
    pub fn is_empty(&self) -> bool {
        self.row_indices.is_empty()
    }

    /// Rows of the entries of one column, ascending.
    pub fn column(&self, column: usize) -> &[usize] {
        &self.row_indices[self.range(column)]
    }

    /// Places of one column's values among all values.
    pub fn range(&self, column: usize) -> std::ops::Range<usize> {
        self.column_starts[column]..self.column_starts[column + 1]
    }

    /// Place of an entry's value among all values.
    pub fn position(&self, row: usize, column: usize) -> Option<usize> {
        let within = self.column(column).binary_search(&row).ok()?;
        Some(self.column_starts[column] + within)
    }

    /// All `(row, column)`, in the order of the values.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.columns()).flat_map(|column| self.column(column).iter().map(move |&row| (row, column)))
    }

    /// First value of each column, and the number of entries as the last element.
    pub fn column_starts(&self) -> &[usize] {
        &self.column_starts
    }

    /// Row of each value.
    pub fn row_indices(&self) -> &[usize] {
        &self.row_indices
    }

    fn verify(&self) -> bool {
        self.column_starts.first() == Some(&0)
            && self.column_starts.last() == Some(&self.row_indices.len())
            && self.column_starts.is_sorted()
            && (0..self.columns()).all(|column| {
                let rows = self.column(column);
                rows.is_sorted_by(|a, b| a < b) && rows.last().is_none_or(|&row| row < self.rows)
            })
    }
}

/// A pattern with its values.
#[derive(Clone, Debug)]
pub struct SparseMatrix {
    pattern: Arc<Pattern>,
    values: Vec<f64>,
}

impl SparseMatrix {
    /// All entries zero.
    pub fn zeros(pattern: Arc<Pattern>) -> SparseMatrix {
        let values = vec![0.0; pattern.len()];
        SparseMatrix { pattern, values }
    }

    /// From the entries of its rows, each column named once in a row.
    pub fn from_rows(rows: &[Vec<(usize, f64)>], columns: usize) -> SparseMatrix {
        let entries = rows.iter().enumerate();
        let entries = entries.flat_map(|(row, list)| list.iter().map(move |&(column, _)| (row, column)));
        let mut matrix = SparseMatrix::zeros(Arc::new(Pattern::from_entries(rows.len(), columns, entries)));
        for (row, list) in rows.iter().enumerate() {
            list.iter().for_each(|&(column, value)| matrix.set(row, column, value));
        }
        matrix
    }

    /// The pattern.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// The values, in the order of [`Pattern::entries`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values, to be written.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The value of an entry; zero where the pattern has none.
    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.pattern.position(row, column).map_or(0.0, |position| self.values[position])
    }

    /// Sets an entry.
    ///
    /// # Panics
    /// If the pattern has no such entry.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        let position = self.pattern.position(row, column);
        let position = position.unwrap_or_else(|| panic!("({row}, {column}) is not in the pattern"));
        self.values[position] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_merged() {
        let pattern = Pattern::from_entries(3, 3, [(2, 0), (0, 0), (2, 0), (1, 2)]);
        assert_eq!(pattern.entries().collect::<Vec<_>>(), [(0, 0), (2, 0), (1, 2)]);
        assert_eq!(pattern.column_starts(), [0, 2, 2, 3]);
        assert_eq!(pattern.position(2, 0), Some(1));
        assert_eq!(pattern.position(1, 1), None);
        assert_eq!(pattern.with_diagonal().len(), 5);
    }

    #[test]
    fn broken_arrays_are_refused() {
        assert!(Pattern::new(2, vec![0, 1, 2], vec![0, 1]).is_some());
        assert!(Pattern::new(2, vec![0, 2, 1], vec![0, 1]).is_none());
        assert!(Pattern::new(2, vec![0, 2, 2], vec![1, 0]).is_none());
        assert!(Pattern::new(2, vec![0, 1, 2], vec![0, 2]).is_none());
        assert!(Pattern::new(2, vec![], vec![]).is_none());
    }

    #[test]
    fn a_dense_pattern_has_every_entry() {
        let mut matrix = SparseMatrix::zeros(Arc::new(Pattern::dense(3)));
        matrix.set(1, 2, 7.0);
        assert_eq!(matrix.get(1, 2), 7.0);
        assert_eq!(matrix.values()[2 * 3 + 1], 7.0);
    }
}
