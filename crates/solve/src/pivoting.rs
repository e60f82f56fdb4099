//! Gaussian elimination of sparse rows with full pivoting.
//!
//! The pivots are those of a dense matrix, to the last bit: the largest entry at each turn; of equal ones that of the first row
//! in the present order, and of these that of the first column. Rows are in their given order, each pivot row changing places
//! with the first that is left. Only structural entries are stored and visited: rows that share no column with a pivot do not
//! change, and the largest entries of rows are kept in a heap.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The entries of a row that may differ from zero, by ascending columns.
pub(crate) type SparseRow = Vec<(usize, f64)>;

/// Rows during an elimination.
#[derive(Clone)]
pub(crate) struct Elimination {
    rows: Vec<SparseRow>,
    /// Rows by their place in the order, and the inverse. Those before `done` have had their turn.
    order: Vec<usize>,
    place: Vec<usize>,
    done: usize,
    /// Rows that have, or had, an entry in a column.
    rows_of: Vec<Vec<usize>>,
}

/// Columns for which rows are solved.
pub struct Pivots {
    pub columns: Vec<usize>,
    /// The smallest pivot ratio: the least share that a pivot has of the largest entry at its turn, whether allowed or not.
    pub worst: f64,
    pub smallest: f64,
}

impl Elimination {
    pub fn new(rows: Vec<SparseRow>, n_columns: usize) -> Elimination {
        let mut rows_of = vec![Vec::new(); n_columns];
        for (row, entries) in rows.iter().enumerate() {
            entries.iter().for_each(|&(column, _)| rows_of[column].push(row));
        }
        let order: Vec<usize> = (0..rows.len()).collect();
        Elimination { place: order.clone(), order, rows, done: 0, rows_of }
    }

    /// Solves for a column by the row with the largest entry in it, of equal ones the last in the order. Answers the entry, and
    /// whether the row has changed its place. None if it is below `least`.
    pub(crate) fn solve_for(&mut self, column: usize, least: f64) -> Option<(f64, bool)> {
        let size = |row: usize| entry(&self.rows[row], column).map_or(0.0, f64::abs);
        let left = self.rows_of[column].iter().copied().filter(|&row| self.place[row] >= self.done);
        let best = left.max_by(|&a, &b| size(a).total_cmp(&size(b)).then(self.place[a].cmp(&self.place[b])));
        let row = best.filter(|&row| size(row) >= least)?;
        let pivot = entry(&self.rows[row], column)?;
        let is_moved = self.take(row).is_some();
        self.eliminate(row, column);
        Some((pivot, is_moved))
    }

    /// Solves the remaining rows for the columns among `allowed` with the largest pivots, from column `from` on; none if a pivot
    /// is below `least`.
    pub(crate) fn full_pivoting(
        mut self,
        from: usize,
        allowed: &dyn Fn(usize) -> bool,
        least: f64,
    ) -> Option<Pivots> {
        let mut pivots = Pivots { columns: Vec::new(), worst: 1.0, smallest: f64::INFINITY };
        let mut leaders = Leaders::new(self.rows.len());
        for place in self.done..self.order.len() {
            leaders.look(&self, self.order[place], from, allowed);
        }
        while self.done < self.order.len() {
            let largest = leaders.largest();
            let (row, column, size) = leaders.best()?;
            if size < least {
                return None;
            }
            pivots.worst = pivots.worst.min(size / largest);
            pivots.smallest = pivots.smallest.min(size);
            pivots.columns.push(column);
            let moved = self.take(row);
            leaders.forget(row);
            let mut changed = self.eliminate(row, column);
            changed.extend(moved);
            changed.sort_unstable();
            changed.dedup();
            for row in changed {
                leaders.look(&self, row, from, allowed);
            }
        }
        Some(pivots)
    }

    /// Moves a row to its turn; answers the row that changed places with it.
    fn take(&mut self, row: usize) -> Option<usize> {
        let (from, to) = (self.place[row], self.done);
        let other = self.order[to];
        self.order.swap(from, to);
        (self.place[row], self.place[other]) = (to, from);
        self.done += 1;
        (other != row).then_some(other)
    }

    /// Eliminates a column from all rows that have not had their turn; answers those that changed. The pivot row is dropped.
    fn eliminate(&mut self, pivot: usize, column: usize) -> Vec<usize> {
        let by = std::mem::take(&mut self.rows[pivot]);
        let Some(pivot_entry) = entry(&by, column) else { return Vec::new() };
        let mut changed = Vec::new();
        for row in std::mem::take(&mut self.rows_of[column]) {
            if self.place[row] < self.done {
                continue;
            }
            let Some(own) = entry(&self.rows[row], column) else { continue };
            let before = std::mem::take(&mut self.rows[row]);
            self.rows[row] = self.minus(row, before, own / pivot_entry, &by, column);
            changed.push(row);
        }
        changed
    }

    /// `own - factor·by` without a column.
    fn minus(
        &mut self,
        row: usize,
        own: SparseRow,
        factor: f64,
        by: &SparseRow,
        without: usize,
    ) -> SparseRow {
        let mut changed = Vec::with_capacity(own.len() + by.len());
        let mut own = own.into_iter().peekable();
        for &(column, other) in by {
            while let Some(entry) = own.next_if(|entry| entry.0 < column) {
                changed.push(entry);
            }
            let before = own.next_if(|entry| entry.0 == column);
            if column == without {
                continue;
            }
            if before.is_none() {
                self.rows_of[column].push(row);
            }
            changed.push((column, before.map_or(0.0, |entry| entry.1) - factor * other));
        }
        changed.extend(own);
        changed
    }
}

fn entry(row: &SparseRow, column: usize) -> Option<f64> {
    row.binary_search_by_key(&column, |entry| entry.0).ok().map(|place| row[place].1)
}

/// The largest entries of all rows on two heaps; entries of rows that have changed since are stale.
struct Leaders {
    /// Per row, the number of its changes.
    versions: Vec<usize>,
    allowed: BinaryHeap<Leader>,
    any: BinaryHeap<Leader>,
}

#[derive(Clone, Copy)]
struct Leader {
    size: f64,
    /// In the order of rows.
    place: usize,
    row: usize,
    column: usize,
    version: usize,
}

impl PartialEq for Leader {
    fn eq(&self, other: &Leader) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Leader {}

impl PartialOrd for Leader {
    fn partial_cmp(&self, other: &Leader) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Leader {
    fn cmp(&self, other: &Leader) -> Ordering {
        self.size.total_cmp(&other.size).then(other.place.cmp(&self.place))
    }
}

impl Leaders {
    fn new(n_rows: usize) -> Leaders {
        Leaders { versions: vec![0; n_rows], allowed: BinaryHeap::new(), any: BinaryHeap::new() }
    }

    fn forget(&mut self, row: usize) {
        self.versions[row] += 1;
    }

    fn look(&mut self, of: &Elimination, row: usize, from: usize, allowed: &dyn Fn(usize) -> bool) {
        self.forget(row);
        let place = of.place[row];
        let none = Leader { size: 0.0, place, row, column: usize::MAX, version: self.versions[row] };
        let (mut best, mut largest) = (none, none);
        for &(column, value) in of.rows[row].iter().filter(|entry| entry.0 >= from) {
            let size = value.abs();
            if size > largest.size {
                largest = Leader { size, column, ..none };
            }
            if size > best.size && allowed(column) {
                best = Leader { size, column, ..none };
            }
        }
        if best.column != usize::MAX {
            self.allowed.push(best);
        }
        if largest.column != usize::MAX {
            self.any.push(largest);
        }
    }

    fn largest(&mut self) -> f64 {
        top(&mut self.any, &self.versions).map_or(0.0, |leader| leader.size)
    }

    /// Row, column and size of the largest entry that is allowed.
    fn best(&mut self) -> Option<(usize, usize, f64)> {
        top(&mut self.allowed, &self.versions).map(|leader| (leader.row, leader.column, leader.size))
    }
}

fn top(heap: &mut BinaryHeap<Leader>, versions: &[usize]) -> Option<Leader> {
    while let Some(&leader) = heap.peek() {
        if versions[leader.row] == leader.version {
            return Some(leader);
        }
        heap.pop();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: f64 = 1e-9;

    /// The textbook algorithm with dense rows.
    fn dense(
        mut rows: Vec<Vec<f64>>,
        from: usize,
        allowed: &dyn Fn(usize) -> bool,
    ) -> Option<(Vec<usize>, f64, f64)> {
        fn eliminate(rows: &mut [Vec<f64>], pivot: usize, column: usize) {
            let (above, below) = rows.split_at_mut(pivot + 1);
            for row in below {
                let factor = row[column] / above[pivot][column];
                row.iter_mut().zip(&above[pivot]).for_each(|(entry, by)| *entry -= factor * by);
            }
        }
        for column in 0..from {
            let size = |row: &usize| rows[*row][column].abs();
            let row = (column..rows.len()).max_by(|a, b| size(a).total_cmp(&size(b)))?;
            if size(&row) < LEAST {
                return None;
            }
            rows.swap(column, row);
            eliminate(&mut rows, column, column);
        }
        let (mut chosen, mut worst, mut smallest) = (Vec::new(), 1.0_f64, f64::INFINITY);
        for step in from..rows.len() {
            let (mut best, mut largest) = ((step, usize::MAX, 0.0), 0.0);
            for (row, entries) in rows.iter().enumerate().skip(step) {
                for column in (from..entries.len()).filter(|column| !chosen.contains(column)) {
                    let size = entries[column].abs();
                    largest = f64::max(largest, size);
                    if allowed(column) && size > best.2 {
                        best = (row, column, size);
                    }
                }
            }
            let (row, column, size) = best;
            if size < LEAST || column == usize::MAX {
                return None;
            }
            (worst, smallest) = (worst.min(size / largest), smallest.min(size));
            rows.swap(step, row);
            eliminate(&mut rows, step, column);
            chosen.push(column);
        }
        Some((chosen, worst, smallest))
    }

    fn sparse(
        rows: &[Vec<f64>],
        from: usize,
        allowed: &dyn Fn(usize) -> bool,
    ) -> Option<(Vec<usize>, f64, f64)> {
        let n_columns = rows[0].len();
        let entries = |row: &Vec<f64>| -> SparseRow {
            row.iter().copied().enumerate().filter(|entry| entry.1 != 0.0).collect()
        };
        let mut elimination = Elimination::new(rows.iter().map(entries).collect(), n_columns);
        if !(0..from).all(|column| elimination.solve_for(column, LEAST).is_some()) {
            return None;
        }
        let pivots = elimination.full_pivoting(from, allowed, LEAST)?;
        Some((pivots.columns, pivots.worst, pivots.smallest))
    }

    /// Pseudorandom numbers between zero and one.
    fn drawing(mut state: u64) -> impl FnMut() -> f64 {
        move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    #[test]
    fn what_is_chosen_is_what_a_dense_matrix_would_choose() {
        let mut draw = drawing(3);
        let (mut n_solved, mut n_tied) = (0, 0);
        for round in 0..3000 {
            let (n_rows, n_others) = (1 + (draw() * 12.0) as usize, (draw() * 3.0) as usize);
            let n_others = n_others.min(n_rows);
            let n_columns = n_rows + (draw() * 12.0) as usize;
            let fill = 0.1 + 0.6 * draw();
            // of every other one all entries are small whole numbers: many are equal
            let is_tied = round % 2 == 0;
            let value = |draw: &mut dyn FnMut() -> f64| match is_tied {
                true => [-2.0, -1.0, 1.0, 2.0][(draw() * 4.0) as usize],
                false => 2.0 * draw() - 1.0,
            };
            let mut rows = vec![vec![0.0; n_columns]; n_rows];
            for entry in rows.iter_mut().flatten() {
                if draw() < fill {
                    *entry = value(&mut draw);
                }
            }
            let forbidden = (draw() * 4.0) as usize;
            let allowed = |column: usize| column >= n_others && (column % 5 != 4 || forbidden > 0);
            let expected = dense(rows.clone(), n_others, &allowed);
            assert_eq!(sparse(&rows, n_others, &allowed), expected, "{rows:?}");
            n_solved += usize::from(expected.is_some());
            n_tied += usize::from(expected.is_some() && is_tied);
        }
        assert!(n_solved > 300 && n_tied > 100, "{n_solved}, {n_tied}");
    }

    /// Rods between masses in the plane, of which both ends are held.
    fn chain(n: usize) -> Elimination {
        let mut draw = drawing(11);
        let row = |rod: usize| {
            let masses = rod.saturating_sub(1)..(rod + 1).min(n);
            masses.flat_map(|mass| [2 * mass, 2 * mass + 1]).map(|column| (column, draw() - 0.5)).collect()
        };
        Elimination::new((0..=n).map(row).collect(), 2 * n)
    }

    #[test]
    fn a_chain_of_thousands_is_no_dense_matrix() {
        let pivots = chain(3000).full_pivoting(0, &|_| true, LEAST).unwrap();
        assert_eq!(pivots.columns.len(), 3001);
    }
}
