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
    // unknowns after a loop depend on all of its inputs: their rows are alike, and one stands for all
    let like = first_alike(&columns_by_row(pattern));
    let mut order: Vec<usize> = (0..pattern.columns()).collect();
    order.sort_by_key(|&column| std::cmp::Reverse(pattern.column(column).len()));

    let mut colour_of = vec![0; pattern.columns()];
    let mut n_colours = 0;
    // by row, the colours of its columns so far, as bits: a sixty-fourth of the work of comparing columns for a full matrix
    let mut used: Vec<Vec<u64>> = vec![Vec::new(); pattern.rows()];
    let mut taken: Vec<u64> = Vec::new();
    for &column in &order {
        let mut rows: Vec<usize> = pattern.column(column).iter().map(|&row| like[row]).collect();
        rows.sort_unstable();
        rows.dedup();
        taken.fill(0);
        for &row in &rows {
            taken.iter_mut().zip(&used[row]).for_each(|(taken, used)| *taken |= used);
        }
        let open = taken.iter().position(|bits| *bits != u64::MAX);
        let word = open.unwrap_or(taken.len());
        if word == taken.len() {
            taken.push(0);
        }
        let free = 64 * word + taken[word].trailing_ones() as usize;
        n_colours = n_colours.max(free + 1);
        colour_of[column] = free;
        for row in rows {
            let used = &mut used[row];
            used.resize(used.len().max(word + 1), 0);
            used[word] |= 1 << (free % 64);
        }
    }

    let mut groups = vec![Vec::new(); n_colours];
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
        assert_eq!(colour(&Pattern::dense(200)).groups.len(), 200);
        let lower = (0..150).flat_map(|row| (0..=row).map(move |column| (row, column)));
        assert_eq!(colour(&Pattern::from_entries(150, 150, lower)).groups.len(), 150, "each row another");
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
