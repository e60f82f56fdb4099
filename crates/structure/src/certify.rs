//! Whether constraints can always be solved for the variables chosen, or only as long as certain factors do not vanish.
//!
//! The columns chosen are eliminated symbolically, one after the other, wherever a pivot is certain never to be zero. The
//! remaining rows are decomposed into independent parts; small determinants are multiplied out. The parts that resist are
//! returned: there another choice may be needed on the way.

use rhei_equations::{ExprId, Pool};
use rustc_hash::FxHashSet;

use crate::generic::{GenericPoint, Residue};
use crate::nonzero::Ranges;
use crate::polynomial::determinant_excludes_zero;
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
struct Entry {
    column: usize,
    e: ExprId,
    value: Residue,
}

struct Certifying<'a, 'e> {
    rows: Vec<Vec<Entry>>,
    rows_of: Vec<Vec<usize>>,
    is_done: Vec<bool>,
    /// Certified parts: pivots, and parts whose determinant does not vanish.
    solved: Vec<Solved>,
    pool: &'a mut Pool,
    ranges: &'a mut Ranges<'e>,
    work: u64,
}

/// The parts of a matrix for which it is not certain that its columns in `order` can be solved for.
pub(crate) fn certify(
    matrix: &[Vec<(usize, ExprId)>],
    order: &[usize],
    uses: &[Use],
    pool: &mut Pool,
    point: &mut GenericPoint,
    ranges: &mut Ranges<'_>,
) -> Certified {
    let mut rows_of = vec![Vec::new(); uses.len()];
    let mut rows = Vec::with_capacity(matrix.len());
    for (row, entries) in matrix.iter().enumerate() {
        entries.iter().for_each(|&(column, _)| rows_of[column].push(row));
        let entry = |&(column, e): &(usize, ExprId)| Entry { column, e, value: point.value(pool, e) };
        // an entry that vanishes at a generic point vanishes everywhere: it is no pivot
        rows.push(entries.iter().map(entry).filter(|entry| !entry.value.is_zero()).collect());
    }
    let is_done = vec![false; matrix.len()];
    let mut certifying = Certifying { rows, rows_of, is_done, solved: Vec::new(), pool, ranges, work: 0 };
    let mut open: Vec<usize> = order.to_vec();
    loop {
        let before = open.len();
        open.retain(|&column| !certifying.eliminate(column, uses[column]));
        if open.is_empty() || open.len() == before {
            break;
        }
    }
    let work = certifying.work;
    let parts = certifying.parts(&open);
    let solved = &certifying.solved;
    let mut solves = vec![None; uses.len()];
    for (place, solved) in solved.iter().enumerate() {
        solved.columns.iter().for_each(|&column| solves[column] = Some(place));
    }
    let mut apart = Vec::new();
    for part in merge(parts, uses) {
        // columns eliminated by the parts before are known
        let mut known = FxHashSet::default();
        for mut part in split(part, uses) {
            part.eliminated = eliminated(&part, matrix, solved, &solves, &known);
            known.extend(part.eliminated.columns.iter().copied());
            apart.push(part);
        }
    }
    Certified { parts: apart, work }
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

impl Certifying<'_, '_> {
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

    /// Solves for a column, where that is certain to be possible.
    fn eliminate(&mut self, column: usize, use_: Use) -> bool {
        let active = self.active_rows(column);
        let mut best: Option<(usize, usize)> = None;
        for &row in &active {
            let Some(entry) = self.entry(row, column) else { continue };
            let is_certain = self.ranges.of(self.pool, entry.e).excludes_zero()
                || use_ == Use::Forced && self.ranges.is_steady(self.pool, entry.e);
            let length = self.rows[row].len();
            if is_certain && best.is_none_or(|(shortest, _)| length < shortest) {
                best = Some((length, row));
            }
        }
        let Some((_, pivot)) = best else { return false };
        self.is_done[pivot] = true;
        self.solved.push(Solved { rows: vec![pivot], columns: vec![column] });
        for row in active.into_iter().filter(|&row| row != pivot) {
            self.subtract(row, pivot, column);
        }
        true
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
    fn parts(&mut self, open: &[usize]) -> Vec<Uncertain> {
        let mut is_open = vec![false; self.rows_of.len()];
        open.iter().for_each(|&column| is_open[column] = true);
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
        determinant_excludes_zero(self.pool, self.ranges, &matrix)
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
