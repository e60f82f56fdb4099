//! Each equation gets an unknown of its own: a maximum matching by augmenting paths.
//!
//! Rows are first served in order and take the first free column; those left over are served along shortest alternating paths,
//! as many as do not touch each other at once (Hopcroft & Karp 1973). The number of sweeps is then bounded by the square root of
//! the number of rows, and the result is the same everywhere. If only the existence of a perfect matching is asked for, rows
//! without a choice are served first.

use crate::Bipartite;

/// Pairs of rows and columns; each row and each column is in at most one.
#[derive(Clone, Debug)]
pub struct Matching {
    column_of_row: Vec<Partner>,
    row_of_column: Vec<Partner>,
    /// The search in which a row was last visited; `NEVER_AGAIN` for rows that no free column can be reached from, as columns
    /// that are taken stay taken.
    visited: Vec<u32>,
    searches: u32,
    /// No column is free before this one.
    first_free: usize,
}

const NEVER_AGAIN: u32 = u32::MAX;

/// The row or column that a column or row is paired with, if there is one: as small as it can be, since searches jump about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Partner(u32);

impl Partner {
    pub(crate) const NONE: Partner = Partner(u32::MAX);

    pub(crate) fn of(partner: usize) -> Partner {
        debug_assert!(partner < u32::MAX as usize);
        Partner(partner as u32)
    }

    pub(crate) fn is_none(self) -> bool {
        self == Partner::NONE
    }

    pub(crate) fn get(self) -> Option<usize> {
        (!self.is_none()).then_some(self.0 as usize)
    }
}

impl Matching {
    /// A matching with as many pairs as there can be.
    pub fn maximum(graph: &Bipartite) -> Matching {
        Matching::maximum_sparing(graph, |_| false)
    }

    /// A matching with as many pairs as there can be, and with as few of the `spared` columns.
    pub fn maximum_sparing(graph: &Bipartite, spared: impl Fn(usize) -> bool) -> Matching {
        let mut matching = Matching::none(graph);
        let mut open: Vec<usize> = (0..graph.n_rows()).collect();
        matching.serve(graph, &mut open, |column| !spared(column));
        matching.serve(graph, &mut open, |_| true);
        matching
    }

    fn none(graph: &Bipartite) -> Matching {
        Matching {
            column_of_row: vec![Partner::NONE; graph.n_rows()],
            row_of_column: vec![Partner::NONE; graph.n_columns()],
            visited: vec![0; graph.n_rows()],
            searches: 0,
            first_free: 0,
        }
    }

    /// Whether every row and every column can have a partner. Which one it is does not matter, so that those go first who have no
    /// choice (Karp & Sipser 1981): little is left to be searched for.
    pub fn is_possible(graph: &Bipartite) -> bool {
        if graph.n_rows() != graph.n_columns() {
            return false;
        }
        let mut matching = Matching::none(graph);
        matching.serve_without_choice(graph);
        let mut open: Vec<usize> =
            (0..graph.n_rows()).filter(|&row| matching.column_of_row[row].is_none()).collect();
        matching.serve(graph, &mut open, |_| true);
        open.is_empty()
    }

    /// Takes the next row of `graph` in, and tries to give it a column; says whether it could.
    pub fn add_row(&mut self, graph: &Bipartite) -> bool {
        let row = self.column_of_row.len();
        self.column_of_row.push(Partner::NONE);
        self.visited.push(0);
        self.augment(graph, row)
    }

    /// Forgets the last row, which has no column.
    pub fn remove_row(&mut self) {
        debug_assert_eq!(self.column_of_row.last(), Some(&Partner::NONE));
        self.column_of_row.pop();
        self.visited.pop();
    }

    /// How many rows were taken in.
    pub fn n_rows(&self) -> usize {
        self.column_of_row.len()
    }

    /// The column a row is paired with.
    pub fn column_of(&self, row: usize) -> Option<usize> {
        self.column_of_row[row].get()
    }

    /// The row a column is paired with.
    pub fn row_of(&self, column: usize) -> Option<usize> {
        self.row_of_column[column].get()
    }

    /// The first row without a partner.
    pub fn unmatched_row(&self) -> Option<usize> {
        self.column_of_row.iter().position(|partner| partner.is_none())
    }

    /// The first column without a partner.
    pub fn unmatched_column(&self) -> Option<usize> {
        let taken = self.row_of_column[self.first_free..].iter().position(|partner| partner.is_none())?;
        Some(self.first_free + taken)
    }

    /// Whether every row and every column has a partner.
    pub fn is_perfect(&self) -> bool {
        self.unmatched_row().is_none() && self.unmatched_column().is_none()
    }

    /// Gives columns that `counts` to as many of the open rows as possible; those without stay open.
    fn serve(&mut self, graph: &Bipartite, open: &mut Vec<usize>, counts: impl Fn(usize) -> bool) {
        open.retain(|&row| {
            let is_free = |&column: &usize| counts(column) && self.row_of_column[column].is_none();
            let free = graph.columns(row).find(is_free);
            if let Some(column) = free {
                self.pair(row, column);
            }
            free.is_none()
        });
        let mut layers =
            Layers { rows: vec![Step { layer: UNREACHED, next: 0 }; graph.n_rows()], path: Vec::new() };
        while !open.is_empty() && layers.reach_free(graph, self, open, &counts) {
            open.retain(|&row| !layers.augment(graph, self, row, &counts));
        }
    }

    /// Gives columns to rows that have one left to choose from, and rows to columns of which that is true, as long as there are any.
    fn serve_without_choice(&mut self, graph: &Bipartite) {
        let rows_of = graph.rows_of_columns();
        let mut choices_of_row: Vec<u32> =
            (0..graph.n_rows()).map(|row| graph.row(row).len() as u32).collect();
        let mut choices_of_column: Vec<u32> =
            (0..graph.n_columns()).map(|column| rows_of.row(column).len() as u32).collect();
        let of_rows = (0..graph.n_rows()).filter(|&row| choices_of_row[row] == 1).map(|row| (row, true));
        let of_columns = (0..graph.n_columns()).filter(|&column| choices_of_column[column] == 1);
        let mut forced: Vec<(usize, bool)> =
            of_rows.chain(of_columns.map(|column| (column, false))).collect();
        while let Some((one, is_row)) = forced.pop() {
            let (row, column) = if is_row {
                let free = |column: &usize| self.row_of_column[*column].is_none();
                match graph.columns(one).find(free) {
                    Some(column) if self.column_of_row[one].is_none() => (one, column),
                    _ => continue,
                }
            } else {
                let free = |row: &usize| self.column_of_row[*row].is_none();
                match rows_of.columns(one).find(free) {
                    Some(row) if self.row_of_column[one].is_none() => (row, one),
                    _ => continue,
                }
            };
            self.pair(row, column);
            for column in graph.columns(row) {
                choices_of_column[column] -= 1;
                if choices_of_column[column] == 1 && self.row_of_column[column].is_none() {
                    forced.push((column, false));
                }
            }
            for row in rows_of.columns(column) {
                choices_of_row[row] -= 1;
                if choices_of_row[row] == 1 && self.column_of_row[row].is_none() {
                    forced.push((row, true));
                }
            }
        }
    }

    fn pair(&mut self, row: usize, column: usize) -> Option<usize> {
        self.row_of_column[column] = Partner::of(row);
        std::mem::replace(&mut self.column_of_row[row], Partner::of(column)).get()
    }

    /// Looks for a shortest alternating path from `row` to a free column, and flips it.
    fn augment(&mut self, graph: &Bipartite, row: usize) -> bool {
        self.searches += 1;
        self.visited[row] = self.searches;
        let mut reached = vec![(row, 0)]; // rows, each with the place of the one it was reached from
        let mut next = 0;
        while let Some(&(row, _)) = reached.get(next) {
            for column in graph.columns(row) {
                match self.row_of_column[column].get() {
                    None => {
                        self.flip(&reached, next, column);
                        return true;
                    }
                    Some(holder) if self.visited[holder] < self.searches => {
                        self.visited[holder] = self.searches;
                        reached.push((holder, next));
                    }
                    Some(_) => {}
                }
            }
            next += 1;
        }
        reached.iter().for_each(|&(row, _)| self.visited[row] = NEVER_AGAIN);
        false
    }

    /// Moves the rows on the way to place `last` up by one, which ends in a free column.
    fn flip(&mut self, reached: &[(usize, usize)], last: usize, free: usize) {
        let (mut place, mut column) = (last, free);
        while let Some(before) = self.pair(reached[place].0, column) {
            (place, column) = (reached[place].1, before);
        }
        while self.row_of_column.get(self.first_free).is_some_and(|partner| !partner.is_none()) {
            self.first_free += 1;
        }
    }
}

const UNREACHED: u32 = u32::MAX;

/// One sweep.
struct Layers {
    rows: Vec<Step>,
    /// That is being followed.
    path: Vec<usize>,
}

/// How many steps a row is from the open ones, and which of its columns is to be followed next.
#[derive(Clone, Copy)]
struct Step {
    layer: u32,
    next: u32,
}

impl Layers {
    /// Counts the steps from the open rows up to the nearest free columns; says whether there are any.
    fn reach_free(
        &mut self,
        graph: &Bipartite,
        matching: &Matching,
        open: &[usize],
        counts: &impl Fn(usize) -> bool,
    ) -> bool {
        self.rows.fill(Step { layer: UNREACHED, next: 0 });
        open.iter().for_each(|&row| self.rows[row].layer = 0);
        let (mut layer, mut depth) = (open.to_vec(), 0_u32);
        while !layer.is_empty() {
            depth += 1;
            let mut below = Vec::new();
            let mut found = false;
            for column in layer.iter().flat_map(|&row| graph.columns(row)).filter(|&column| counts(column)) {
                match matching.row_of_column[column].get() {
                    None => found = true,
                    Some(holder) if self.rows[holder].layer == UNREACHED => {
                        self.rows[holder].layer = depth;
                        below.push(holder);
                    }
                    Some(_) => {}
                }
            }
            if found {
                return true;
            }
            layer = below;
        }
        false
    }

    /// Looks for a path from layer to layer, and flips it. A row that leads nowhere has no column left to follow.
    fn augment(
        &mut self,
        graph: &Bipartite,
        matching: &mut Matching,
        row: usize,
        counts: &impl Fn(usize) -> bool,
    ) -> bool {
        let path = &mut self.path;
        path.clear();
        path.push(row);
        while let Some(&row) = path.last() {
            let step = &mut self.rows[row];
            let Some(&column) = graph.row(row).get(step.next as usize) else {
                path.pop();
                continue;
            };
            step.next += 1;
            let (column, layer) = (column as usize, step.layer);
            match matching.row_of_column[column].get() {
                _ if !counts(column) => {}
                None => {
                    let mut column = Some(column);
                    while let (Some(row), Some(free)) = (path.pop(), column) {
                        column = matching.pair(row, free);
                    }
                    return true;
                }
                Some(holder) if self.rows[holder].layer == layer + 1 => path.push(holder),
                Some(_) => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small graphs of all kinds, those with a perfect matching and others.
    #[test]
    fn whether_there_is_a_perfect_matching_is_the_same_both_ways() {
        let mut bits: u64 = 1;
        let mut below = |n: u64| {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (bits >> 33) % n
        };
        let mut perfect = 0;
        for _ in 0..2000 {
            let n = 1 + below(9);
            let mut graph = Bipartite::new(n as usize);
            for _ in 0..n {
                graph.push_row((0..1 + below(3)).map(|_| below(n) as usize).collect::<Vec<_>>());
            }
            let is_perfect = Matching::maximum(&graph).is_perfect();
            assert_eq!(Matching::is_possible(&graph), is_perfect, "{graph:?}");
            perfect += u32::from(is_perfect);
        }
        assert!((500..1500).contains(&perfect), "{perfect} of them have one");
    }

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
