//! Each equation gets an unknown of its own: a maximum matching by augmenting paths.
//!
//! The search is Pothen & Fan's depth-first search with lookahead (1990), without recursion: chains of a hundred thousand
//! equations are ordinary. Rows are served in order and take the first free column, so that the result is the same everywhere.

use crate::Bipartite;

/// Pairs of rows and columns; each row and each column is in at most one.
#[derive(Clone, Debug)]
pub struct Matching {
    column_of_row: Vec<Option<usize>>,
    row_of_column: Vec<Option<usize>>,
    /// The search in which a row was last visited.
    visited: Vec<usize>,
    searches: usize,
    /// Per row, how many of its columns were found taken for good: a column once taken never becomes free.
    looked: Vec<usize>,
}

impl Matching {
    /// A matching with as many pairs as there can be.
    pub fn maximum(graph: &Bipartite) -> Matching {
        let mut matching = Matching {
            column_of_row: Vec::new(),
            row_of_column: vec![None; graph.n_columns()],
            visited: Vec::new(),
            searches: 0,
            looked: Vec::new(),
        };
        for _ in 0..graph.n_rows() {
            matching.add_row(graph);
        }
        matching
    }

    /// Takes the next row of `graph` in, and tries to give it a column; says whether it could.
    pub fn add_row(&mut self, graph: &Bipartite) -> bool {
        let row = self.column_of_row.len();
        self.column_of_row.push(None);
        self.visited.push(0);
        self.looked.push(0);
        self.augment(graph, row)
    }

    /// Forgets the last row, which has no column.
    pub fn remove_row(&mut self) {
        debug_assert_eq!(self.column_of_row.last(), Some(&None));
        self.column_of_row.pop();
        self.visited.pop();
        self.looked.pop();
    }

    /// The column a row is paired with.
    pub fn column_of(&self, row: usize) -> Option<usize> {
        self.column_of_row[row]
    }

    /// The row a column is paired with.
    pub fn row_of(&self, column: usize) -> Option<usize> {
        self.row_of_column[column]
    }

    /// The first row without a partner.
    pub fn unmatched_row(&self) -> Option<usize> {
        self.column_of_row.iter().position(Option::is_none)
    }

    /// The first column without a partner.
    pub fn unmatched_column(&self) -> Option<usize> {
        self.row_of_column.iter().position(Option::is_none)
    }

    /// Whether every row and every column has a partner.
    pub fn is_perfect(&self) -> bool {
        self.unmatched_row().is_none() && self.unmatched_column().is_none()
    }

    /// Looks for an alternating path from `row` to a free column, and flips it.
    fn augment(&mut self, graph: &Bipartite, row: usize) -> bool {
        self.searches += 1;
        self.visited[row] = self.searches;
        let mut path = vec![(row, 0)]; // rows, each with the next of its columns to follow
        while let Some(&(row, next)) = path.last() {
            if let Some(free) = self.free_column(graph, row) {
                let mut column = free;
                while let Some((row, _)) = path.pop() {
                    self.row_of_column[column] = Some(row);
                    if let Some(before) = self.column_of_row[row].replace(column) {
                        column = before;
                    }
                }
                return true;
            }
            let step = (next..graph.row(row).len()).find_map(|i| {
                let taken_by = self.row_of_column[graph.row(row)[i]]?;
                (self.visited[taken_by] != self.searches).then_some((i, taken_by))
            });
            match step {
                Some((i, taken_by)) => {
                    path.last_mut().expect("the path is not empty").1 = i + 1;
                    self.visited[taken_by] = self.searches;
                    path.push((taken_by, 0));
                }
                None => {
                    path.pop();
                }
            }
        }
        false
    }

    fn free_column(&mut self, graph: &Bipartite, row: usize) -> Option<usize> {
        let columns = graph.row(row);
        while self.looked[row] < columns.len() {
            let column = columns[self.looked[row]];
            self.looked[row] += 1;
            if self.row_of_column[column].is_none() {
                return Some(column);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(columns: usize, rows: &[&[usize]]) -> Bipartite {
        let mut graph = Bipartite::new(columns);
        for row in rows {
            graph.push_row(row.to_vec());
        }
        graph
    }

    #[test]
    fn a_pair_is_moved_to_make_room() {
        let graph = graph(3, &[&[0, 1], &[0, 2], &[0]]);
        let matching = Matching::maximum(&graph);
        assert!(matching.is_perfect());
        assert_eq!(
            (matching.column_of(0), matching.column_of(1), matching.column_of(2)),
            (Some(1), Some(2), Some(0))
        );
    }

    #[test]
    fn what_has_no_partner_is_known() {
        let graph = graph(3, &[&[0], &[0], &[1, 2]]);
        let matching = Matching::maximum(&graph);
        assert_eq!(matching.unmatched_row(), Some(1));
        assert_eq!(matching.unmatched_column(), Some(2));
    }

    #[test]
    fn a_chain_that_must_shift_as_a_whole_needs_no_stack() {
        let n = 100_000;
        let mut graph = Bipartite::new(n);
        for i in 0..n - 1 {
            graph.push_row(vec![i, i + 1]);
        }
        graph.push_row(vec![0]); // everyone else moves up by one
        let matching = Matching::maximum(&graph);
        assert!(matching.is_perfect());
        assert_eq!(matching.column_of(0), Some(1));
    }
}
