//! Whether constraints can always be solved for the variables chosen, or only as long as certain factors do not vanish.
//!
//! The columns chosen are eliminated symbolically, one after the other, wherever a pivot is certain never to be zero. The
//! remaining rows are decomposed into independent parts; small determinants are multiplied out. The parts that resist are
//! returned: there another choice may be needed on the way.
//!
//! A pivot takes a row away from all other columns. If that row holds a column that must be solved for, it may be the only one
//! that gives it at some points: `x = cos(a)` gives `a` only away from `a = 0`, whatever certain pivot `x` is. A certain pivot
//! costs no choice where no such column is left in its row, or where those left can be solved for without it
//! ([`hold`](crate::hold)). The others are given back: their columns and rows are in the part that resists.
//!
//! A factor made of parameters is a pivot where the wishes for states leave no other: `y = p*x` with `y` preferred. A run that begins
//! with `p = 0` is refused.

use rhei_equations::{ExprId, Pool};
use rustc_hash::FxHashSet;

use crate::generic::{GenericPoint, Residue};
use crate::hold::costly;
use crate::nonzero::Ranges;
use crate::polynomial::{Squares, Vanishes, determinant_vanishes, vanishes_with};
use crate::select_states::Wish;
use crate::split_parts::split;

/// Rows that can be solved for `chosen` only where their determinant does not vanish.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Uncertain {
    /// The rows.
    pub(crate) rows: Vec<usize>,
    /// As many columns.
    pub(crate) chosen: Vec<usize>,
    /// All columns of the remaining rows.
    pub(crate) columns: Vec<usize>,
    /// The remaining rows: columns with their coefficients.
    pub(crate) matrix: Vec<Vec<(usize, ExprId)>>,
    /// Columns eliminated from them, and the rows that were solved for these.
    pub(crate) eliminated: Solved,
}

/// Rows that can be solved for as many columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Solved {
    pub(crate) rows: Vec<usize>,
    pub(crate) columns: Vec<usize>,
}

/// Result of the certification, and its cost.
pub(crate) struct Certified {
    /// The parts that resist.
    pub(crate) parts: Vec<Uncertain>,
    /// Rows that are solved for a chosen column with a factor made of parameters, because the wishes say so.
    pub(crate) by_parameters: Vec<Uncertain>,
    /// Entries written.
    pub(crate) work: u64,
}

/// A column of the matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Solved for, though another choice would do too.
    Chosen,
    /// Solved for, as nothing else can be done with it.
    Forced,
    /// Not solved for, though it could be.
    Free,
    /// Known.
    Known,
}

#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) column: usize,
    e: ExprId,
    pub(crate) value: Residue,
}

struct Certifying<'a, 'e> {
    columns: Columns<'a>,
    rows: Vec<Vec<Entry>>,
    rows_of: Vec<Vec<usize>>,
    is_done: Vec<bool>,
    /// Columns not yet solved for.
    is_open: Vec<bool>,
    /// Certified parts: pivots, and parts whose determinant does not vanish.
    solved: Vec<Solved>,
    pool: &'a mut Pool,
    ranges: &'a mut Ranges<'e>,
    squares: &'a Squares,
    by_parameters: Vec<Uncertain>,
    work: u64,
}

/// The columns of a matrix.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub(crate) uses: &'a [Use],
    /// How much each is wanted as a state.
    pub(crate) wishes: &'a [Wish],
}

/// The parts of a matrix for which it is not certain that its columns in `order` can be solved for.
pub(crate) fn certify(
    matrix: &[Vec<(usize, ExprId)>],
    order: &[usize],
    columns: Columns<'_>,
    pool: &mut Pool,
    point: &mut GenericPoint,
    ranges: &mut Ranges<'_>,
    squares: &Squares,
) -> Certified {
    let Columns { uses, .. } = columns;
    let rows: Vec<Vec<Entry>> = matrix
        .iter()
        .map(|entries| {
            let entry = |&(column, e): &(usize, ExprId)| Entry { column, e, value: point.value(pool, e) };
            // an entry that vanishes at a generic point vanishes everywhere: it is no pivot
            entries.iter().map(entry).filter(|entry| !entry.value.is_zero()).collect()
        })
        .collect();
    let mut is_held = vec![false; uses.len()];
    let mut work = 0;
    let (parts, solved, by_parameters) = loop {
        let known = (&mut *pool, &mut *ranges, squares);
        let mut certifying = Certifying::new(rows.clone(), order, columns, known);
        certifying.eliminate_all(order, &is_held);
        let parts = certifying.parts();
        work += certifying.work;
        let Certifying { rows, solved, by_parameters, .. } = certifying;
        let costly = costly(&rows, &solved, &parts, uses);
        let new: Vec<usize> = costly.into_iter().filter(|&column| !is_held[column]).collect();
        if new.is_empty() {
            break (parts, solved, by_parameters);
        }
        new.into_iter().for_each(|column| is_held[column] = true);
    };
    let mut solves = vec![None; uses.len()];
    for (place, solved) in solved.iter().enumerate() {
        solved.columns.iter().for_each(|&column| solves[column] = Some(place));
    }
    let mut apart = Vec::new();
    for part in merge(parts, uses) {
        // columns eliminated by the parts before are known
        let mut known = FxHashSet::default();
        for mut part in split(part, uses, |e, others| vanishes_with(pool, squares, e, others)) {
            part.eliminated = eliminated(&part, matrix, &solved, &solves, &known);
            known.extend(part.eliminated.columns.iter().copied());
            apart.push(part);
        }
    }
    Certified { parts: apart, by_parameters, work }
}

/// The certified columns in the rows of a part, directly or through each other, but for known ones.
fn eliminated(
    part: &Uncertain,
    matrix: &[Vec<(usize, ExprId)>],
    solved: &[Solved],
    solves: &[Option<usize>],
    known: &FxHashSet<usize>,
) -> Solved {
    let mut found = Solved::default();
    let mut taken = FxHashSet::default();
    let mut to_do = part.rows.clone();
    while let Some(row) = to_do.pop() {
        for &(column, _) in &matrix[row] {
            let Some(place) = solves[column] else { continue };
            let Solved { rows, columns } = &solved[place];
            if columns.iter().any(|column| known.contains(column)) || !taken.insert(place) {
                continue;
            }
            found.rows.extend(rows);
            found.columns.extend(columns);
            to_do.extend(rows);
        }
    }
    found.rows.sort_unstable();
    found.columns.sort_unstable();
    found
}

/// Parts that share a column for which both could be solved are one: that column can be solved for only once. Such a part has the rows
/// of the last of them first.
fn merge(parts: Vec<Uncertain>, uses: &[Use]) -> Vec<Uncertain> {
    fn last(joined_by: &mut [usize], mut part: usize) -> usize {
        while joined_by[part] != part {
            joined_by[part] = joined_by[joined_by[part]];
            part = joined_by[part];
        }
        part
    }
    let mut joined_by: Vec<usize> = (0..parts.len()).collect();
    let mut joins: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
    let mut part_with = vec![None; uses.len()];
    for (number, part) in parts.iter().enumerate() {
        for &column in part.columns.iter().filter(|&&column| matches!(uses[column], Use::Free | Use::Chosen))
        {
            if let Some(other) = part_with[column].replace(number) {
                let other = last(&mut joined_by, other);
                if other != number {
                    joined_by[other] = number;
                    joins[number].push(other);
                }
            }
        }
        joins[number].sort_unstable();
    }
    let mut parts: Vec<Option<Uncertain>> = parts.into_iter().map(Some).collect();
    let mut merged = Vec::new();
    for number in (0..parts.len()).filter(|&number| joined_by[number] == number) {
        let Some(mut part) = parts[number].take() else { continue };
        let mut open: Vec<usize> = joins[number].iter().rev().copied().collect();
        let is_alone = open.is_empty();
        while let Some(next) = open.pop() {
            let Some(other) = parts[next].take() else { continue };
            part.rows.extend(other.rows);
            part.chosen.extend(other.chosen);
            part.columns.extend(other.columns);
            part.matrix.extend(other.matrix);
            open.extend(joins[next].iter().rev());
        }
        if !is_alone {
            part.chosen.sort_unstable();
            part.columns.sort_unstable();
            part.columns.dedup();
        }
        merged.push(part);
    }
    merged
}

impl<'a, 'e> Certifying<'a, 'e> {
    fn new(
        rows: Vec<Vec<Entry>>,
        order: &[usize],
        columns: Columns<'a>,
        (pool, ranges, squares): (&'a mut Pool, &'a mut Ranges<'e>, &'a Squares),
    ) -> Certifying<'a, 'e> {
        let n = columns.uses.len();
        let mut rows_of = vec![Vec::new(); n];
        for (row, entries) in rows.iter().enumerate() {
            entries.iter().for_each(|entry| rows_of[entry.column].push(row));
        }
        let mut is_open = vec![false; n];
        order.iter().for_each(|&column| is_open[column] = true);
        let is_done = vec![false; rows.len()];
        Certifying {
            columns,
            rows,
            rows_of,
            is_done,
            is_open,
            solved: Vec::new(),
            pool,
            ranges,
            squares,
            by_parameters: Vec::new(),
            work: 0,
        }
    }

    /// Solves for the columns in this order, again and again until there is no certain pivot left, nor one made of parameters that
    /// the wishes ask for.
    fn eliminate_all(&mut self, order: &[usize], is_held: &[bool]) {
        let mut open: Vec<usize> = order.to_vec();
        loop {
            let before = open.len();
            open.retain(|&column| !self.eliminate(column, is_held[column]));
            if open.len() == before {
                let wished = open.iter().position(|&column| self.eliminate_by_parameters(column));
                let Some(place) = wished else { break };
                open.remove(place);
            }
        }
    }

    /// Solves for a chosen column by a row that would only leave more wanted ones for it, with a factor made of parameters: they are
    /// known when a run begins.
    fn eliminate_by_parameters(&mut self, column: usize) -> bool {
        let Columns { uses, wishes } = self.columns;
        if uses[column] != Use::Chosen {
            return false;
        }
        let is_less_wanted = |entry: &Entry| match uses[entry.column] {
            Use::Free => wishes[column] < wishes[entry.column],
            Use::Chosen | Use::Forced => entry.column == column,
            Use::Known => true,
        };
        let active = self.active_rows(column);
        let pivot = active.into_iter().find(|&row| {
            let entries = &self.rows[row];
            let is_wished = entries.iter().all(is_less_wanted);
            let is_free = |entry: &Entry| uses[entry.column] == Use::Free;
            let entry = self.entry(row, column);
            is_wished
                && entries.iter().any(is_free)
                && entry.is_some_and(|entry| self.ranges.is_steady_pivot(self.pool, entry.e))
        });
        let Some(pivot) = pivot else { return false };
        let assumed = self.uncertain(vec![pivot], vec![column]);
        self.by_parameters.push(assumed);
        self.solve(column, pivot);
        true
    }

    fn entry(&self, row: usize, column: usize) -> Option<Entry> {
        let entries = &self.rows[row];
        entries.binary_search_by_key(&column, |entry| entry.column).ok().map(|place| entries[place])
    }

    fn active_rows(&self, column: usize) -> Vec<usize> {
        let is_active = |row: &usize| !self.is_done[*row] && self.entry(*row, column).is_some();
        let mut rows: Vec<usize> = self.rows_of[column].iter().copied().filter(is_active).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// Solves for a column, where that is certain to be possible; for one that is held only by a row in which nothing is left that
    /// must be solved for.
    fn eliminate(&mut self, column: usize, is_held: bool) -> bool {
        let uses = self.columns.uses;
        let must_be = |entry: &Entry| uses[entry.column] == Use::Forced && self.is_open[entry.column];
        let active = self.active_rows(column);
        let mut best: Option<(usize, usize)> = None;
        for &row in &active {
            let Some(entry) = self.entry(row, column) else { continue };
            if is_held && self.rows[row].iter().any(must_be) {
                continue;
            }
            let is_certain = self.ranges.of(self.pool, entry.e).excludes_zero()
                || uses[column] == Use::Forced && self.ranges.is_steady_pivot(self.pool, entry.e);
            let length = self.rows[row].len();
            if is_certain && best.is_none_or(|(shortest, _)| length < shortest) {
                best = Some((length, row));
            }
        }
        let Some((_, pivot)) = best else { return false };
        self.solve(column, pivot);
        true
    }

    fn solve(&mut self, column: usize, pivot: usize) {
        let active = self.active_rows(column);
        self.is_done[pivot] = true;
        self.is_open[column] = false;
        self.solved.push(Solved { rows: vec![pivot], columns: vec![column] });
        for row in active.into_iter().filter(|&row| row != pivot) {
            self.subtract(row, pivot, column);
        }
    }

    fn subtract(&mut self, row: usize, pivot: usize, column: usize) {
        let (Some(own), Some(by)) = (self.entry(row, column), self.entry(pivot, column)) else { return };
        let factor = self.pool.div(own.e, by.e);
        let Some(inverse) = by.value.inverse() else { return };
        let factor_value = own.value.times(inverse);
        let before = std::mem::take(&mut self.rows[row]);
        let taken_from = self.rows[pivot].clone();
        let mut merged = Vec::with_capacity(before.len() + taken_from.len());
        let mut left = before.into_iter().peekable();
        for entry in taken_from {
            while let Some(own) = left.next_if(|own| own.column < entry.column) {
                merged.push(own);
            }
            let own = left.next_if(|own| own.column == entry.column);
            if entry.column == column {
                continue;
            }
            let taken = self.pool.mul(factor, entry.e);
            let taken_value = factor_value.times(entry.value).negated();
            match own {
                Some(own) => {
                    let value = own.value.plus(taken_value);
                    if !value.is_zero() {
                        let e = self.pool.sub(own.e, taken);
                        merged.push(Entry { e, value, ..own });
                    }
                }
                None => {
                    let e = self.pool.negate(taken);
                    merged.push(Entry { column: entry.column, e, value: taken_value });
                    self.rows_of[entry.column].push(row);
                }
            }
        }
        merged.extend(left);
        self.work += merged.len() as u64;
        self.rows[row] = merged;
    }

    /// The independent parts of the remaining rows (by shared open columns), without those whose determinant is
    /// certain.
    fn parts(&mut self) -> Vec<Uncertain> {
        let mut is_open = self.is_open.clone();
        let mut parts = Vec::new();
        let mut seen = vec![false; self.rows.len()];
        for start in 0..self.rows.len() {
            if self.is_done[start] || std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let (mut rows, mut chosen, mut to_do) = (Vec::new(), Vec::new(), vec![start]);
            while let Some(row) = to_do.pop() {
                rows.push(row);
                let columns: Vec<usize> = self.rows[row].iter().map(|entry| entry.column).collect();
                for column in columns {
                    if std::mem::replace(&mut is_open[column], false) {
                        chosen.push(column);
                        let next = self.active_rows(column);
                        to_do
                            .extend(next.into_iter().filter(|&row| !std::mem::replace(&mut seen[row], true)));
                    }
                }
            }
            rows.sort_unstable();
            chosen.sort_unstable();
            if self.is_certain(&rows, &chosen) {
                self.solved.push(Solved { rows, columns: chosen });
            } else {
                parts.push(self.uncertain(rows, chosen));
            }
        }
        parts
    }

    fn is_certain(&mut self, rows: &[usize], chosen: &[usize]) -> bool {
        if rows.len() > crate::polynomial::LARGEST_DETERMINANT || rows.len() != chosen.len() {
            return false;
        }
        let matrix: Vec<Vec<Option<ExprId>>> = rows
            .iter()
            .map(|&row| chosen.iter().map(|&column| self.entry(row, column).map(|entry| entry.e)).collect())
            .collect();
        match determinant_vanishes(self.pool, self.ranges, self.squares, &matrix) {
            Vanishes::Never => true,
            // as with a single pivot
            Vanishes::WithParameters => chosen.iter().all(|&column| self.columns.uses[column] == Use::Forced),
            Vanishes::Perhaps => false,
        }
    }

    fn uncertain(&self, rows: Vec<usize>, chosen: Vec<usize>) -> Uncertain {
        let left = |&row: &usize| self.rows[row].iter().map(|entry| (entry.column, entry.e)).collect();
        let matrix: Vec<Vec<(usize, ExprId)>> = rows.iter().map(left).collect();
        let mut columns: Vec<usize> = matrix.iter().flatten().map(|&(column, _)| column).collect();
        columns.sort_unstable();
        columns.dedup();
        Uncertain { rows, chosen, columns, matrix, eliminated: Solved::default() }
    }
}
