//! How often each equation has to be differentiated (Pantelides 1988), on integers.
//!
//! Every row has an offset (how often it is differentiated), every column another (its highest derivative then). A row can
//! determine a column if its own highest derivative of it, raised by the offset of the row, is the highest there is. If
//! rows are left without a partner, they and all that compete with them for the same columns are differentiated once more,
//! and their columns with them. This ends in the least offsets that do (Pryce 2001).
//!
//! Searches are breadth after breadth over all open rows at once and without recursion, so that a hundred thousand coupled
//! constraints take a few sweeps.

use crate::matching::Partner;

/// How often rows and columns are differentiated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// Per row, how often it is differentiated.
    pub rows: Vec<u32>,
    /// Per column, its highest derivative.
    pub columns: Vec<u32>,
}

impl Offsets {
    /// The value of the analysis (Pryce 2001): the number of degrees of freedom, if the derivatives are determined.
    pub(crate) fn value(&self) -> i64 {
        let sum = |offsets: &[u32]| offsets.iter().copied().map(i64::from).sum::<i64>();
        sum(&self.columns) - sum(&self.rows)
    }
}

/// A row would have to be differentiated more often than [`MOST_DIFFERENTIATIONS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooHigh {
    /// Which row.
    pub row: usize,
}

/// Beyond this expressions have long become too large; mechanics takes two or three, inverse models a few more.
pub const MOST_DIFFERENTIATIONS: u32 = 30;

/// The least offsets. `orders` holds per row its columns, each with its highest derivative; `least` is a lower bound on the
/// highest derivative of each column. The graph must have a perfect matching.
pub fn pantelides(orders: &[Vec<(usize, u32)>], least: &[u32]) -> Result<Offsets, TooHigh> {
    let mut columns = least.to_vec();
    for &(column, order) in orders.iter().flatten() {
        columns[column] = columns[column].max(order);
    }
    let mut search = Search {
        orders: Orders::new(orders),
        offsets: Offsets { rows: vec![0; orders.len()], columns },
        column_of: vec![Partner::NONE; orders.len()],
        row_of: vec![Partner::NONE; least.len()],
        visited: vec![0; orders.len()],
        next: vec![0; orders.len()],
        stamp: 0,
        path: Vec::new(),
    };
    let mut open: Vec<usize> = (0..orders.len()).collect();
    loop {
        search.match_rows(&mut open);
        if open.is_empty() {
            return Ok(search.offsets);
        }
        search.differentiate(&open)?;
    }
}

/// Per row its columns with their highest derivatives, one row after the other: searches jump about, and what is small stays in
/// the cache.
struct Orders {
    entries: Vec<(u32, u32)>,
    /// Beginning of each row, and end of the last one.
    begins: Vec<u32>,
}

impl Orders {
    fn new(rows: &[Vec<(usize, u32)>]) -> Orders {
        let mut orders = Orders { entries: Vec::new(), begins: Vec::with_capacity(rows.len() + 1) };
        for row in rows {
            orders.begins.push(orders.entries.len() as u32);
            orders.entries.extend(row.iter().map(|&(column, order)| (column as u32, order)));
        }
        orders.begins.push(orders.entries.len() as u32);
        orders
    }

    fn row(&self, row: usize) -> &[(u32, u32)] {
        &self.entries[self.begins[row] as usize..self.begins[row + 1] as usize]
    }
}

struct Search {
    orders: Orders,
    offsets: Offsets,
    column_of: Vec<Partner>,
    row_of: Vec<Partner>,
    /// The sweep in which a row was last visited.
    visited: Vec<u32>,
    /// The next of its columns to follow, in that sweep.
    next: Vec<u32>,
    stamp: u32,
    /// That is being followed.
    path: Vec<usize>,
}

impl Search {
    /// The columns that a row can determine at its offset.
    fn determined(&self, row: usize) -> impl Iterator<Item = usize> {
        let offset = self.offsets.rows[row];
        let determines =
            move |&&(column, order): &&(u32, u32)| order + offset == self.offsets.columns[column as usize];
        self.orders.row(row).iter().filter(determines).map(|&(column, _)| column as usize)
    }

    /// Gives columns to as many of the open rows as possible, in sweeps that visit a row once.
    fn match_rows(&mut self, open: &mut Vec<usize>) {
        loop {
            self.stamp += 1;
            let before = open.len();
            open.retain(|&row| !self.augment(row));
            if open.is_empty() || open.len() == before {
                return;
            }
        }
    }

    fn visit(&mut self, row: usize) -> bool {
        self.next[row] = 0;
        std::mem::replace(&mut self.visited[row], self.stamp) != self.stamp
    }

    fn augment(&mut self, row: usize) -> bool {
        if !self.visit(row) {
            return false;
        }
        self.path.clear();
        self.path.push(row);
        while let Some(&row) = self.path.last() {
            let free = self.determined(row).find(|&column| self.row_of[column].is_none());
            if let Some(mut column) = free {
                while let Some(row) = self.path.pop() {
                    self.row_of[column] = Partner::of(row);
                    match std::mem::replace(&mut self.column_of[row], Partner::of(column)).get() {
                        Some(before) => column = before,
                        None => break,
                    }
                }
                return true;
            }
            match self.step(row) {
                Some(next) => self.path.push(next),
                None => {
                    self.path.pop();
                }
            }
        }
        false
    }

    /// The next row, not visited in this sweep, whose column `row` could take.
    fn step(&mut self, row: usize) -> Option<usize> {
        let offset = self.offsets.rows[row];
        while let Some(&(column, order)) = self.orders.row(row).get(self.next[row] as usize) {
            self.next[row] += 1;
            if order + offset == self.offsets.columns[column as usize]
                && let Some(holder) = self.row_of[column as usize].get()
                && self.visit_unvisited(holder)
            {
                return Some(holder);
            }
        }
        None
    }

    fn visit_unvisited(&mut self, row: usize) -> bool {
        self.visited[row] != self.stamp && self.visit(row)
    }

    /// Raises the open rows and all rows that compete with them, with the columns they compete for.
    fn differentiate(&mut self, open: &[usize]) -> Result<(), TooHigh> {
        self.stamp += 1;
        let mut rows = Vec::new();
        let mut columns = Vec::new();
        let mut to_do: Vec<usize> = open.to_vec();
        to_do.iter().for_each(|&row| self.visited[row] = self.stamp);
        while let Some(row) = to_do.pop() {
            rows.push(row);
            let holders: Vec<(usize, usize)> = self
                .determined(row)
                .filter_map(|column| Some((column, self.row_of[column].get()?)))
                .collect();
            for (column, holder) in holders {
                if self.visited[holder] != self.stamp {
                    self.visited[holder] = self.stamp;
                    to_do.push(holder);
                    columns.push(column);
                }
            }
        }
        columns.iter().for_each(|&column| self.offsets.columns[column] += 1);
        for row in rows {
            self.offsets.rows[row] += 1;
            if self.offsets.rows[row] > MOST_DIFFERENTIATIONS {
                return Err(TooHigh { row });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pendulum of Pantelides' paper: columns x, y, u, v, lambda.
    #[test]
    fn the_pendulum() {
        let rows = [
            vec![(0, 1), (2, 0)],         // x' = u
            vec![(1, 1), (3, 0)],         // y' = v
            vec![(0, 0), (2, 1), (4, 0)], // u' = lambda x
            vec![(1, 0), (3, 1), (4, 0)], // v' = lambda y - g
            vec![(0, 0), (1, 0)],         // x^2 + y^2 = 1
        ];
        let offsets = pantelides(&rows, &[0; 5]).unwrap();
        assert_eq!(offsets, Offsets { rows: vec![1, 1, 0, 0, 2], columns: vec![2, 2, 1, 1, 0] });
    }

    #[test]
    fn what_must_have_a_derivative_gets_one() {
        let rows = [vec![(0, 1)], vec![(0, 0), (1, 0)]]; // x' = 1, y = 2 x, and y' is wanted
        let offsets = pantelides(&rows, &[0, 1]).unwrap();
        assert_eq!(offsets, Offsets { rows: vec![0, 1], columns: vec![1, 1] });
    }

    #[test]
    fn a_chain_that_is_too_long_is_told() {
        let n = 100; // x1 = f(time), x1' = x2, x2' = x3, ...: the inverse of a long chain of integrators
        let mut rows = vec![vec![(0, 0)]];
        rows.extend((0..n).map(|i| vec![(i, 1), (i + 1, 0)]));
        assert!(pantelides(&rows, &vec![0; n + 1]).is_err());
        assert!(pantelides(&rows[..20], &[0; 20]).is_ok());
    }

    /// Inertias on one rigid shaft: columns phi, w and the torque after each.
    #[test]
    fn a_hundred_thousand_rigid_couplings_take_a_few_sweeps() {
        let n: usize = 100_000;
        let (phi, w, tau) = (|i: usize| i, |i: usize| n + i, |i: usize| 2 * n + i);
        let mut rows = Vec::new();
        for i in 0..n {
            rows.push(vec![(phi(i), 1), (w(i), 0)]);
            let mut balance = vec![(w(i), 1)];
            balance.extend(
                [i.checked_sub(1), (i + 1 < n).then_some(i)].into_iter().flatten().map(|k| (tau(k), 0)),
            );
            rows.push(balance);
            if i + 1 < n {
                rows.push(vec![(phi(i), 0), (phi(i + 1), 0)]);
            }
        }
        let offsets = pantelides(&rows, &vec![0; 3 * n - 1]).unwrap();
        assert_eq!(offsets.rows.iter().sum::<u32>() as usize, 2 * (n - 1) + n);
    }
}
