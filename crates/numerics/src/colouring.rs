//! Grouping columns of a sparse matrix so that one direction serves a whole group.
//!
//! Two columns may share a colour when no row has an entry in both; a finite-difference Jacobian then needs one
//! evaluation per colour (Curtis, Powell & Reid 1974). Greedy, columns with many entries first: for banded patterns
//! that is the bandwidth, which is optimal.

use std::collections::HashMap;

use crate::sparse::Pattern;

/// Columns by colour; every column is in exactly one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Colouring {
    /// The columns of each colour, ascending.
    pub groups: Vec<Vec<usize>>,
}

/// Colours the columns of a pattern.
pub fn colour(pattern: &Pattern) -> Colouring {
    let columns_of_row = columns_by_row(pattern);
    // what follows a loop depends on all that goes into it: such rows are alike, and one speaks for all
    let like = first_alike(&columns_of_row);
    let mut order: Vec<usize> = (0..pattern.columns()).collect();
    order.sort_by_key(|&column| std::cmp::Reverse(pattern.column(column).len()));

    const NONE: usize = usize::MAX;
    let mut colour_of = vec![NONE; pattern.columns()];
    // `taken[c] == column` marks colour c as used by a neighbour of that column; no clearing between columns.
    let mut taken: Vec<usize> = Vec::new();
    let mut seen = vec![NONE; pattern.rows()];
    for &column in &order {
        for &row in pattern.column(column).iter().map(|&row| &like[row]) {
            if std::mem::replace(&mut seen[row], column) == column {
                continue;
            }
            for &neighbour in &columns_of_row[row] {
                if colour_of[neighbour] != NONE {
                    taken[colour_of[neighbour]] = column;
                }
            }
        }
        let free = taken.iter().position(|&by| by != column).unwrap_or(taken.len());
        if free == taken.len() {
            taken.push(NONE);
        }
        colour_of[column] = free;
    }

    let mut groups = vec![Vec::new(); taken.len()];
    for (column, &colour) in colour_of.iter().enumerate() {
        groups[colour].push(column);
    }
    Colouring { groups }
}

/// For each list, the first that is the same.
fn first_alike(lists: &[Vec<usize>]) -> Vec<usize> {
    let mut first: HashMap<&[usize], usize> = HashMap::new();
    lists.iter().enumerate().map(|(place, list)| *first.entry(list).or_insert(place)).collect()
}

fn columns_by_row(pattern: &Pattern) -> Vec<Vec<usize>> {
    let mut columns = vec![Vec::new(); pattern.rows()];
    for (row, column) in pattern.entries() {
        columns[row].push(column);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn banded(n: usize) -> Pattern {
        let entries = (0..n).flat_map(|i| (i.saturating_sub(1)..n.min(i + 2)).map(move |j| (i, j)));
        Pattern::from_entries(n, n, entries)
    }

    #[test]
    fn a_tridiagonal_matrix_needs_three_colours() {
        assert_eq!(colour(&banded(1000)).groups.len(), 3);
    }

    #[test]
    fn a_dense_matrix_needs_all_and_a_diagonal_one() {
        assert_eq!(colour(&Pattern::dense(5)).groups.len(), 5);
        assert_eq!(colour(&Pattern::from_entries(5, 5, (0..5).map(|i| (i, i)))).groups.len(), 1);
        assert_eq!(colour(&Pattern::dense(0)).groups.len(), 0);
    }

    #[test]
    fn no_row_is_hit_twice_by_one_colour() {
        let pattern = Pattern::from_entries(4, 5, [(0, 0), (0, 1), (1, 1), (1, 2), (2, 3), (3, 0), (3, 3)]);
        let colouring = colour(&pattern);
        let mut seen = vec![0; 5];
        for group in &colouring.groups {
            let mut rows = [false; 4];
            for &column in group {
                seen[column] += 1;
                for &row in pattern.column(column) {
                    assert!(!std::mem::replace(&mut rows[row], true));
                }
            }
        }
        assert_eq!(seen, [1; 5]);
    }
}
