//! Which equation holds which unknown, as a graph of integers, and its parts that have too much or too little.

use crate::Matching;

/// Rows (equations) with the columns (unknowns) that occur in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bipartite {
    /// The columns of all rows, one row after the other: as small as they can be, since searches jump about.
    entries: Vec<u32>,
    /// End of each row among them.
    ends: Vec<u32>,
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
        Bipartite { entries: Vec::new(), ends: Vec::new(), columns }
    }

    /// Adds a row and returns its number.
    pub fn push_row(&mut self, columns: impl IntoIterator<Item = usize>) -> usize {
        let begin = self.entries.len();
        self.entries.extend(columns.into_iter().map(|column| column as u32));
        let own = &mut self.entries[begin..];
        own.sort_unstable();
        debug_assert!(own.last().is_none_or(|&last| (last as usize) < self.columns));
        let mut kept = own.len().min(1);
        for next in 1..own.len() {
            if own[next] != own[kept - 1] {
                own[kept] = own[next];
                kept += 1;
            }
        }
        self.entries.truncate(begin + kept);
        self.ends.push(self.entries.len() as u32);
        self.ends.len() - 1
    }

    /// Forgets the last row.
    pub fn pop_row(&mut self) {
        self.ends.pop();
        self.entries.truncate(self.ends.last().copied().unwrap_or(0) as usize);
    }

    /// The columns of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        let begin = if row > 0 { self.ends[row - 1] } else { 0 };
        &self.entries[begin as usize..self.ends[row] as usize]
    }

    /// The same, as they are counted everywhere.
    pub fn columns(&self, row: usize) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.row(row).iter().map(|&column| column as usize)
    }

    /// How many rows there are.
    pub fn n_rows(&self) -> usize {
        self.ends.len()
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

    /// All that alternating paths reach from these rows.
    fn reached(&self, mut open: Vec<usize>, matching: &Matching) -> Part {
        let mut in_rows = vec![false; self.n_rows()];
        let mut in_columns = vec![false; self.columns];
        open.iter().for_each(|&row| in_rows[row] = true);
        while let Some(row) = open.pop() {
            for column in self.columns(row) {
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

    /// The same graph the other way round: for each column the rows in which it occurs, in ascending order.
    pub fn rows_of_columns(&self) -> Bipartite {
        // place of the next row of each column: in the end, that of its last one
        let mut ends = vec![0; self.columns];
        self.entries.iter().for_each(|&column| ends[column as usize] += 1);
        let mut begin = 0;
        for end in &mut ends {
            begin += std::mem::replace(end, begin);
        }
        let mut entries = vec![0; self.entries.len()];
        for row in 0..self.n_rows() {
            for column in self.columns(row) {
                entries[ends[column] as usize] = row as u32;
                ends[column] += 1;
            }
        }
        Bipartite { entries, ends, columns: self.n_rows() }
    }

    /// The part that has more columns than rows: all that alternating paths reach from a column without partner.
    pub fn underdetermined(&self, matching: &Matching) -> Part {
        let rows_of_columns = self.rows_of_columns();
        let mut in_columns: Vec<bool> =
            (0..self.columns).map(|column| matching.row_of(column).is_none()).collect();
        let mut in_rows = vec![false; self.n_rows()];
        let mut open: Vec<usize> = (0..self.columns).filter(|&column| in_columns[column]).collect();
        while let Some(column) = open.pop() {
            for row in rows_of_columns.columns(column) {
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
    fn columns_know_their_rows() {
        let mut graph = Bipartite::new(4);
        for columns in [vec![0, 2], vec![], vec![2, 3]] {
            graph.push_row(columns);
        }
        let turned = graph.rows_of_columns();
        let rows: Vec<&[u32]> = (0..4).map(|column| turned.row(column)).collect();
        assert_eq!(rows, [&[0][..], &[], &[0, 2], &[2]]);
        assert_eq!(turned.rows_of_columns(), graph);
        graph.pop_row();
        assert_eq!((graph.n_rows(), graph.row(0), graph.row(1)), (2, &[0, 2][..], &[][..]));
    }

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
