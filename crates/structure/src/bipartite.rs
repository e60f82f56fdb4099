//! Which equation holds which unknown, as a graph of integers, and its parts that have too much or too little.

use crate::Matching;

/// Rows (equations) with the columns (unknowns) that occur in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bipartite {
    rows: Vec<Vec<usize>>,
    columns: usize,
}

/// Some rows and columns of a [`Bipartite`], each in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The rows.
    pub rows: Vec<usize>,
    /// The columns.
    pub columns: Vec<usize>,
}

impl Bipartite {
    /// A graph without rows.
    pub fn new(columns: usize) -> Self {
        Bipartite { rows: Vec::new(), columns }
    }

    /// Adds a row and returns its number.
    pub fn push_row(&mut self, mut columns: Vec<usize>) -> usize {
        columns.sort_unstable();
        columns.dedup();
        debug_assert!(columns.last().is_none_or(|&last| last < self.columns));
        self.rows.push(columns);
        self.rows.len() - 1
    }

    /// Forgets the last row.
    pub fn pop_row(&mut self) {
        self.rows.pop();
    }

    /// The columns of a row.
    pub fn row(&self, row: usize) -> &[usize] {
        &self.rows[row]
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// How many columns there are.
    pub fn n_columns(&self) -> usize {
        self.columns
    }

    /// The part that has more rows than columns: all that alternating paths reach from a row without partner
    /// (Dulmage & Mendelsohn 1958).
    pub fn overdetermined(&self, matching: &Matching) -> Part {
        self.reached((0..self.n_rows()).filter(|&row| matching.column_of(row).is_none()).collect(), matching)
    }

    /// The same for one row without partner.
    pub fn overdetermined_by(&self, row: usize, matching: &Matching) -> Part {
        self.reached(vec![row], matching)
    }

    /// What alternating paths reach from these rows.
    fn reached(&self, mut open: Vec<usize>, matching: &Matching) -> Part {
        let mut in_rows = vec![false; self.n_rows()];
        let mut in_columns = vec![false; self.columns];
        open.iter().for_each(|&row| in_rows[row] = true);
        while let Some(row) = open.pop() {
            for &column in self.row(row) {
                if !std::mem::replace(&mut in_columns[column], true)
                    && let Some(next) = matching.row_of(column)
                    && !std::mem::replace(&mut in_rows[next], true)
                {
                    open.push(next);
                }
            }
        }
        Part::from_marks(&in_rows, &in_columns)
    }

    /// The part that has more columns than rows: all that alternating paths reach from a column without partner.
    pub fn underdetermined(&self, matching: &Matching) -> Part {
        let mut rows_of_column: Vec<Vec<usize>> = vec![Vec::new(); self.columns];
        for (row, columns) in self.rows.iter().enumerate() {
            for &column in columns {
                rows_of_column[column].push(row);
            }
        }
        let mut in_columns: Vec<bool> =
            (0..self.columns).map(|column| matching.row_of(column).is_none()).collect();
        let mut in_rows = vec![false; self.n_rows()];
        let mut open: Vec<usize> = (0..self.columns).filter(|&column| in_columns[column]).collect();
        while let Some(column) = open.pop() {
            for &row in &rows_of_column[column] {
                if !std::mem::replace(&mut in_rows[row], true)
                    && let Some(next) = matching.column_of(row)
                    && !std::mem::replace(&mut in_columns[next], true)
                {
                    open.push(next);
                }
            }
        }
        Part::from_marks(&in_rows, &in_columns)
    }
}

impl Part {
    fn from_marks(rows: &[bool], columns: &[bool]) -> Part {
        let marked = |marks: &[bool]| (0..marks.len()).filter(|&i| marks[i]).collect();
        Part { rows: marked(rows), columns: marked(columns) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_only_what_is_at_fault() {
        // rows 0..3 share columns 0 and 1; row 3 and column 2 belong together; columns 3 and 4 share row 4
        let mut graph = Bipartite::new(5);
        for columns in [vec![0], vec![0, 1], vec![1], vec![2, 1], vec![3, 4]] {
            graph.push_row(columns);
        }
        let matching = Matching::maximum(&graph);
        assert_eq!(graph.overdetermined(&matching), Part { rows: vec![0, 1, 2], columns: vec![0, 1] });
        assert_eq!(graph.underdetermined(&matching), Part { rows: vec![4], columns: vec![3, 4] });
    }
}
