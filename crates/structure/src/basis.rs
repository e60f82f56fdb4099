//! Which columns of a matrix can be solved for: a basis grown column by column, with exact rank.
//!
//! A column joins the basis if and only if it raises the rank of those that joined before it. Columns join in the order of how
//! little they are wanted. The choice is then the best there is, for every degree of wish at once: no other one leaves fewer
//! columns of that degree or less outside the basis (greedy algorithm on a matroid; Edmonds 1971).

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::generic::Residue;

/// Certainty that an entry is not zero, beyond its value at the generic point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    /// A number other than zero.
    Number,
    /// Never zero, whatever its variables are.
    Certain,
    /// It may vanish somewhere.
    Uncertain,
}

/// A coefficient that is not identically zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) column: usize,
    pub(crate) value: Residue,
    pub(crate) grade: Grade,
}

/// A row of a matrix of numbers from its terms: those of a column are added up.
pub(crate) fn summed(mut terms: Vec<Entry>) -> Vec<Entry> {
    terms.sort_by_key(|entry| entry.column);
    let mut row: Vec<Entry> = Vec::with_capacity(terms.len());
    for term in terms {
        match row.last_mut() {
            Some(last) if last.column == term.column => last.value = last.value.plus(term.value),
            _ => row.push(term),
        }
    }
    row.retain(|entry| !entry.value.is_zero());
    row
}

/// A matrix on its way to row echelon form.
pub(crate) struct Elimination {
    rows: Vec<Vec<Entry>>,
    /// Rows that have, or had, an entry in a column.
    rows_of: Vec<Vec<usize>>,
    /// Rows whose pivot is chosen: they no longer change.
    is_pivot: Vec<bool>,
    /// The basis, in the order it grew: columns with their pivot rows.
    pub(crate) pivots: Vec<(usize, usize)>,
    /// Which rows of the matrix were combined into each row, the first so many.
    combined: Vec<Vec<usize>>,
    most_combined: usize,
    /// What was taken from each row, in order: multiples of pivot rows.
    steps: Vec<Vec<(usize, Residue)>>,
    /// Entries written so far: the cost of the elimination.
    pub(crate) work: u64,
}

impl Elimination {
    /// A matrix; of the rows that go into a combination, so many are remembered.
    pub(crate) fn new(rows: Vec<Vec<Entry>>, n_columns: usize, most_combined: usize) -> Self {
        let mut rows_of = vec![Vec::new(); n_columns];
        for (row, entries) in rows.iter().enumerate() {
            debug_assert!(entries.is_sorted_by_key(|entry| entry.column));
            entries.iter().for_each(|entry| rows_of[entry.column].push(row));
        }
        let combined = (0..rows.len()).map(|row| vec![row]).collect();
        let (is_pivot, steps) = (vec![false; rows.len()], vec![Vec::new(); rows.len()]);
        Elimination { rows, rows_of, is_pivot, pivots: Vec::new(), combined, most_combined, steps, work: 0 }
    }

    /// The entries of a row as it is now.
    pub(crate) fn row(&self, row: usize) -> &[Entry] {
        &self.rows[row]
    }

    /// Rows and columns of the entries that are less certain than of a grade.
    pub(crate) fn entries_beyond(&self, grade: Grade) -> Vec<(usize, usize)> {
        let of_row = |(row, entries): (usize, &Vec<Entry>)| {
            let beyond = entries.iter().filter(|entry| entry.grade > grade);
            beyond.map(|entry| (row, entry.column)).collect::<Vec<_>>()
        };
        self.rows.iter().enumerate().flat_map(of_row).collect()
    }

    /// The rows of the matrix that are combined in a row as it is now.
    pub(crate) fn combined(&self, row: usize) -> &[usize] {
        &self.combined[row]
    }

    /// The multiples of pivot rows that were taken from a row of the matrix: with their factors, in order.
    pub(crate) fn steps(&self, row: usize) -> &[(usize, Residue)] {
        &self.steps[row]
    }

    /// The rows that are not used up by the basis.
    pub(crate) fn rows_left(&self) -> impl Iterator<Item = usize> {
        (0..self.rows.len()).filter(|&row| !self.is_pivot[row])
    }

    fn entry(&self, row: usize, column: usize) -> Option<Entry> {
        let entries = &self.rows[row];
        entries.binary_search_by_key(&column, |entry| entry.column).ok().map(|place| entries[place])
    }

    fn active_rows(&self, column: usize) -> Vec<usize> {
        let mut rows: Vec<usize> = self.rows_of[column]
            .iter()
            .copied()
            .filter(|&row| !self.is_pivot[row] && self.entry(row, column).is_some())
            .collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The best grade of a column in the rows that are left: that of its best pivot.
    fn best_grade(&self, column: usize) -> Option<Grade> {
        let rows = self.rows_of[column].iter().filter(|&&row| !self.is_pivot[row]);
        rows.filter_map(|&row| self.entry(row, column)).map(|entry| entry.grade).min()
    }

    /// Takes a column into the basis if it raises the rank; says whether it does.
    pub(crate) fn add(&mut self, column: usize) -> bool {
        let active = self.active_rows(column);
        let quality = |&row: &usize| (self.entry(row, column).map(|e| e.grade), self.rows[row].len(), row);
        let Some(pivot) = active.iter().copied().min_by_key(quality) else { return false };
        let pivot_entry = self.entry(pivot, column).expect("the row is active in this column");
        self.is_pivot[pivot] = true;
        self.pivots.push((column, pivot));
        if let Some(inverse) = pivot_entry.value.inverse() {
            for row in active.into_iter().filter(|&row| row != pivot) {
                self.subtract(row, pivot, pivot_entry, inverse);
            }
        }
        self.rows_of[column].clear();
        true
    }

    /// Adds columns to the basis in this order as far as they raise the rank: first those with a number as pivot, then
    /// those with a pivot that is never zero, then the others.
    pub(crate) fn add_in_order(&mut self, columns: &[usize]) {
        let mut place_of = rustc_hash::FxHashMap::default();
        place_of.extend(columns.iter().enumerate().map(|(place, &column)| (column, place)));
        let mut is_added = vec![false; columns.len()];
        for limit in [Grade::Number, Grade::Certain, Grade::Uncertain] {
            let mut open: BTreeSet<usize> = (0..columns.len()).filter(|&place| !is_added[place]).collect();
            while let Some(place) = open.pop_first() {
                let column = columns[place];
                if self.best_grade(column).is_none_or(|grade| grade > limit) {
                    continue;
                }
                let changed = self.active_rows(column);
                is_added[place] = self.add(column);
                // columns with a better pivot by now get another chance
                for entry in changed.iter().flat_map(|&row| &self.rows[row]) {
                    if entry.grade <= limit
                        && let Some(&place) = place_of.get(&entry.column)
                        && !is_added[place]
                    {
                        open.insert(place);
                    }
                }
            }
        }
    }

    /// Takes all of these columns into the basis that can be, where their order does not matter; returns those that cannot.
    ///
    /// Columns in few rows go first: the rows that are left then stay short (Markowitz 1957).
    pub(crate) fn add_all(&mut self, columns: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut queue: BinaryHeap<Reverse<(usize, usize)>> =
            columns.map(|column| Reverse((self.rows_of[column].len(), column))).collect();
        let mut dependent = Vec::new();
        while let Some(Reverse((count, column))) = queue.pop() {
            let now = self.active_rows(column).len();
            if now > count && queue.peek().is_some_and(|Reverse((next, _))| now > *next) {
                queue.push(Reverse((now, column)));
            } else if !self.add(column) {
                dependent.push(column);
            }
        }
        dependent.sort_unstable();
        dependent
    }

    /// Takes a multiple of the pivot row from a row, so that its entry in the pivot's column vanishes.
    fn subtract(&mut self, row: usize, pivot: usize, pivot_entry: Entry, inverse: Residue) {
        let Some(own) = self.entry(row, pivot_entry.column) else { return };
        let factor = own.value.times(inverse);
        self.steps[row].push((pivot, factor));
        let factor_grade = own.grade.max(pivot_entry.grade);
        let before = std::mem::take(&mut self.rows[row]);
        let mut merged = Vec::with_capacity(before.len() + self.rows[pivot].len());
        let mut left = before.into_iter().peekable();
        for entry in &self.rows[pivot] {
            while let Some(own) = left.next_if(|own| own.column < entry.column) {
                merged.push(own);
            }
            let taken = entry.value.times(factor).negated();
            let taken_grade =
                if entry.grade.max(factor_grade) == Grade::Number { Grade::Number } else { Grade::Uncertain };
            match left.next_if(|own| own.column == entry.column) {
                Some(own) => {
                    let value = own.value.plus(taken);
                    if !value.is_zero() && entry.column != pivot_entry.column {
                        let grade = if own.grade.max(taken_grade) == Grade::Number {
                            Grade::Number
                        } else {
                            Grade::Uncertain
                        };
                        merged.push(Entry { value, grade, ..own });
                    }
                }
                None => {
                    merged.push(Entry { column: entry.column, value: taken, grade: taken_grade });
                    self.rows_of[entry.column].push(row);
                }
            }
        }
        merged.extend(left);
        self.work += merged.len() as u64;
        self.rows[row] = merged;
        let room = self.most_combined.saturating_sub(self.combined[row].len());
        let new: Vec<usize> = self.combined[pivot]
            .iter()
            .copied()
            .filter(|from| !self.combined[row].contains(from))
            .take(room)
            .collect();
        self.combined[row].extend(new);
    }

    /// A change of columns that the rows do not notice, by one for a column that did not raise the rank: columns with their
    /// shares in it, in order.
    pub(crate) fn unnoticed(&self, dependent: usize, n_columns: usize) -> Option<Vec<(usize, Residue)>> {
        let mut shift = vec![Residue::ZERO; n_columns];
        shift[dependent] = Residue::ONE;
        for &(column, row) in self.pivots.iter().rev() {
            let entries = self.row(row);
            let rest = entries
                .iter()
                .filter(|entry| entry.column != column)
                .fold(Residue::ZERO, |sum, entry| sum.plus(entry.value.times(shift[entry.column])));
            let own = entries.iter().find(|entry| entry.column == column)?;
            shift[column] = rest.negated().times(own.value.inverse()?);
        }
        Some(shift.into_iter().enumerate().filter(|(_, share)| !share.is_zero()).collect())
    }

    /// How a column that did not raise the rank depends on the basis: the columns it is a combination of, and the rows of
    /// the matrix that say so.
    pub(crate) fn circuit(&self, column: usize) -> (Vec<usize>, Vec<usize>) {
        // back-substitution along the pivots, last first
        let mut value = rustc_hash::FxHashMap::default();
        let (mut columns, mut rows) = (Vec::new(), Vec::new());
        for &(basic, row) in self.pivots.iter().rev() {
            let mut sum = Residue::ZERO;
            let mut pivot = Residue::ONE;
            for entry in &self.rows[row] {
                if entry.column == column {
                    sum = sum.plus(entry.value);
                } else if entry.column == basic {
                    pivot = entry.value;
                } else if let Some(&known) = value.get(&entry.column) {
                    sum = sum.minus(entry.value.times(known));
                }
            }
            if let Some(inverse) = pivot.inverse()
                && !sum.is_zero()
            {
                value.insert(basic, sum.times(inverse));
                columns.push(basic);
                rows.extend(self.combined[row].iter().copied());
            }
        }
        columns.sort_unstable();
        rows.sort_unstable();
        rows.dedup();
        (columns, rows)
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::Pool;

    use super::*;
    use crate::generic::GenericPoint;

    fn matrix(rows: &[&[f64]]) -> Elimination {
        let mut pool = Pool::default();
        let mut point = GenericPoint::default();
        let rows = rows.iter().map(|row| {
            let entries = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
            let mut entry = |(column, value): (usize, &f64)| {
                let e = pool.number(*value);
                Entry { column, value: point.value(&pool, e), grade: Grade::Number }
            };
            entries.map(&mut entry).collect()
        });
        let rows: Vec<Vec<Entry>> = rows.collect();
        Elimination::new(rows, 3, usize::MAX)
    }

    #[test]
    fn rank_is_exact_where_structure_is_not() {
        // structurally both rows could be solved for the first two columns; in numbers they cannot
        let mut matrix = matrix(&[&[1.0, 2.0, 1.0], &[0.5, 1.0, 0.0]]);
        assert!(matrix.add(0));
        assert!(!matrix.add(1));
        assert!(matrix.add(2));
        assert_eq!(matrix.rows_left().count(), 0);
        assert_eq!(matrix.circuit(1), (vec![0], vec![1]), "the second row ties the first two columns");
    }

    /// x1 = p x2, x2 = q x3: every factor but one could be zero, and the last column is the one not to solve for.
    #[test]
    fn plain_numbers_are_solved_for_first() {
        let mut pool = Pool::default();
        let mut point = GenericPoint::default();
        let mut entry = |column: usize, value: f64, grade: Grade| {
            let e = pool.number(value);
            Entry { column, value: point.value(&pool, e), grade }
        };
        let rows = vec![
            vec![entry(0, 1.0, Grade::Number), entry(1, -2.5, Grade::Uncertain)],
            vec![entry(1, 1.0, Grade::Number), entry(2, -0.5, Grade::Uncertain)],
        ];
        let mut matrix = Elimination::new(rows, 3, usize::MAX);
        matrix.add_in_order(&[2, 1, 0]);
        let mut basis: Vec<usize> = matrix.pivots.iter().map(|&(column, _)| column).collect();
        basis.sort_unstable();
        assert_eq!(basis, [0, 1]);
    }

    #[test]
    fn what_is_left_tells_which_rows_clash() {
        let mut matrix = matrix(&[&[1.0, 0.0, 1.0], &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]]);
        assert_eq!(matrix.add_all(0..2), Vec::<usize>::new());
        let left: Vec<usize> = matrix.rows_left().collect();
        assert_eq!(left.len(), 1);
        let mut combined = matrix.combined(left[0]).to_vec();
        combined.sort_unstable();
        assert_eq!(combined, [0, 1]);
        assert_eq!(matrix.row(left[0]).iter().map(|entry| entry.column).collect::<Vec<_>>(), [2]);
    }
}
