//! Why each variable of a level is a state or not, and what would change that.
//!
//! In: the constraints of a level in row echelon form, and what became of their variables. Out: reasons that hold in exact arithmetic
//! at a generic point. A variable depends on a state only if the state's factor is not zero once all else is eliminated, and a
//! constraint is named only if no combination of the others does without it. States and dummies that depend on each other can
//! change places, and no others can (exchange property of a matroid).
//!
//! Along a chain of thousands of constraints everything depends on everything before it. The cost of each reason is bounded; where
//! it would be exceeded, the reason says less, but nothing that is not so.

use std::collections::BTreeMap;

use rhei_equations::{EqId, ExprId, StateSelect, VarId};
use rhei_solvable::{Change, Few, Reason};

use crate::basis::{Elimination, Grade};
use crate::generic::Residue;
use crate::select_states::{Level, Wish};

/// Names in a reason, at most; the others are counted.
const NAMED: usize = 8;
/// Constraints that are combined to give one variable, at most.
const COMBINED: usize = 16;
/// Entries looked at for one variable, beside those of its own constraint.
const LOOKED_AT: usize = 256;

/// A state that a variable depends on.
#[derive(Clone, Copy)]
struct Share {
    column: usize,
    factor: Residue,
    /// Whether it is a number.
    is_number: bool,
}

/// What became of the columns of a level.
pub(crate) struct Roles<'a> {
    /// Whether a column is solved for.
    pub(crate) is_dummy: &'a [bool],
    /// Whether a column is one that could be a state.
    pub(crate) could_be_state: &'a [bool],
    /// The candidates of the state set that a column is in, if it is in one.
    pub(crate) set: &'a [Option<&'a [VarId]>],
    pub(crate) factors: &'a Factors,
}

/// Which columns of a level have numbers for their factors.
pub(crate) struct Factors {
    /// Per column, whether it has in all rows.
    are_numbers: Vec<bool>,
    /// Per row, whether all dummies have that are in it, or tied to it through other rows.
    are_of_dummies: Vec<bool>,
}

impl Factors {
    /// Of a matrix, with its entries that are `no_numbers` (row, column).
    pub(crate) fn new(
        matrix: &[Vec<(usize, ExprId)>],
        is_dummy: &[bool],
        no_numbers: &[(usize, usize)],
    ) -> Factors {
        let mut are_numbers = vec![true; is_dummy.len()];
        let mut are_of_dummies = vec![true; matrix.len()];
        if no_numbers.is_empty() {
            return Factors { are_numbers, are_of_dummies };
        }
        let mut rows_of = vec![Vec::new(); is_dummy.len()];
        for (row, entries) in matrix.iter().enumerate() {
            entries.iter().filter(|entry| is_dummy[entry.0]).for_each(|entry| rows_of[entry.0].push(row));
        }
        let mut open = Vec::new();
        for &(row, column) in no_numbers {
            are_numbers[column] = false;
            if is_dummy[column] && std::mem::replace(&mut are_of_dummies[row], false) {
                open.push(row);
            }
        }
        while let Some(row) = open.pop() {
            for &(column, _) in matrix[row].iter().filter(|entry| is_dummy[entry.0]) {
                // each column is followed once
                for other in std::mem::take(&mut rows_of[column]) {
                    if std::mem::replace(&mut are_of_dummies[other], false) {
                        open.push(other);
                    }
                }
            }
        }
        Factors { are_numbers, are_of_dummies }
    }

    /// Whether a state and a dummy, solved for in a row, change places without any factor that may vanish.
    fn let_change_places(&self, state: usize, row: usize) -> bool {
        self.are_numbers[state] && self.are_of_dummies[row]
    }
}

/// The reasons of a level.
pub(crate) struct Reasons<'a> {
    level: &'a Level,
    elimination: &'a Elimination,
    roles: Roles<'a>,
    /// The place among the pivots of each column, and of each row.
    pivot_of_column: Vec<Option<usize>>,
    pivot_of_row: Vec<Option<usize>>,
    /// Per dummy, the states it depends on; none where there are too many to look for.
    shares: Vec<Option<Vec<Share>>>,
    /// Per dummy that could be a state, the wish that makes it one, and the states of which one becomes a dummy.
    gives_way: Vec<Option<(StateSelect, Vec<usize>)>>,
    /// Per state, the dummies that depend on it.
    dependents: Vec<Vec<usize>>,
    /// Whether there are dummies of which it is not known what they depend on.
    are_unclear: bool,
    /// Entries looked at.
    pub(crate) work: u64,
}

impl<'a> Reasons<'a> {
    pub(crate) fn new(level: &'a Level, elimination: &'a Elimination, roles: Roles<'a>) -> Self {
        let n = level.variables.len();
        let mut reasons = Reasons {
            level,
            elimination,
            roles,
            pivot_of_column: vec![None; n],
            pivot_of_row: vec![None; level.equations.len()],
            shares: vec![None; n],
            gives_way: vec![None; n],
            dependents: vec![Vec::new(); n],
            are_unclear: false,
            work: 0,
        };
        for (place, &(column, row)) in elimination.pivots.iter().enumerate() {
            reasons.pivot_of_column[column] = Some(place);
            reasons.pivot_of_row[row] = Some(place);
        }
        // last first: the row of a pivot holds states and dummies that joined after it
        for &(column, row) in elimination.pivots.iter().rev() {
            reasons.shares[column] = reasons.shares_of(column, row);
            if !reasons.roles.could_be_state[column] {
                continue;
            }
            reasons.gives_way[column] = reasons.giving_way(column);
            match &reasons.shares[column] {
                Some(shares) => {
                    shares.iter().for_each(|share| reasons.dependents[share.column].push(column));
                }
                None => reasons.are_unclear = true,
            }
        }
        reasons
    }

    /// The states that the dummy of a row depends on.
    fn shares_of(&mut self, column: usize, row: usize) -> Option<Vec<Share>> {
        let entries = self.elimination.row(row);
        let own = entries.iter().find(|entry| entry.column == column)?;
        let scale = own.value.inverse()?.negated();
        let mut found = Vec::with_capacity(entries.len());
        let room = LOOKED_AT + 4 * entries.len();
        for entry in entries.iter().filter(|entry| entry.column != column) {
            let factor = entry.value.times(scale);
            let is_number = own.grade == Grade::Number && entry.grade == Grade::Number;
            if !self.roles.is_dummy[entry.column] {
                found.push(Share { column: entry.column, factor, is_number });
                continue;
            }
            let of_dummy = self.shares[entry.column].as_ref()?;
            if found.len() + of_dummy.len() > room {
                return None;
            }
            found.extend(of_dummy.iter().map(|share| Share {
                column: share.column,
                factor: share.factor.times(factor),
                is_number: share.is_number && is_number,
            }));
        }
        self.work += found.len() as u64;
        found.sort_by_key(|share| share.column);
        let mut shares: Vec<Share> = Vec::with_capacity(found.len());
        for share in found {
            match shares.last_mut() {
                Some(last) if last.column == share.column => {
                    last.factor = last.factor.plus(share.factor);
                    last.is_number &= share.is_number;
                }
                _ => shares.push(share),
            }
        }
        shares.retain(|share| !share.factor.is_zero());
        Some(shares)
    }

    /// The constraints that give a dummy, its own first; none where there are too many.
    fn constraints_of(&mut self, dummy: usize) -> Option<Vec<usize>> {
        let first = self.pivot_of_column[dummy]?;
        let multipliers = self.multipliers(first)?;
        let mut rows: Vec<usize> = self.of_matrix(multipliers)?.into_iter().rev().collect();
        let n_before = rows.iter().filter(|&&place| place < first).count();
        rows.rotate_left(n_before);
        Some(rows.into_iter().map(|place| self.elimination.pivots[place].1).collect())
    }

    /// The combination of pivot rows, by place, in which the dummy of the `first` of them stands alone among dummies.
    fn multipliers(&mut self, first: usize) -> Option<BTreeMap<usize, Residue>> {
        let mut open = BTreeMap::from([(first, Residue::ONE)]);
        let mut multipliers = BTreeMap::new();
        let own_length = self.elimination.row(self.elimination.pivots[first].1).len();
        let mut room = LOOKED_AT + 4 * own_length;
        while let Some((place, wanted)) = open.pop_first() {
            if wanted.is_zero() {
                continue;
            }
            let (column, row) = self.elimination.pivots[place];
            let entries = self.elimination.row(row);
            room = room.checked_sub(entries.len())?;
            self.work += entries.len() as u64;
            let own = entries.iter().find(|entry| entry.column == column)?;
            let multiplier = wanted.times(own.value.inverse()?);
            multipliers.insert(place, multiplier);
            for entry in entries.iter().filter(|entry| entry.column != column) {
                if let Some(other) = self.pivot_of_column[entry.column] {
                    let left = open.entry(other).or_insert(Residue::ZERO);
                    *left = left.minus(multiplier.times(entry.value));
                }
            }
            if multipliers.len() > COMBINED {
                return None;
            }
        }
        Some(multipliers)
    }

    /// The same combination in terms of the rows of the matrix: the last of the places that count first.
    fn of_matrix(&mut self, mut multipliers: BTreeMap<usize, Residue>) -> Option<Vec<usize>> {
        let mut places = Vec::new();
        let mut room = LOOKED_AT;
        while let Some((place, multiplier)) = multipliers.pop_last() {
            if multiplier.is_zero() {
                continue;
            }
            places.push(place);
            let steps = self.elimination.steps(self.elimination.pivots[place].1);
            room = room.checked_sub(steps.len())?;
            self.work += steps.len() as u64;
            for &(row, factor) in steps {
                let other = multipliers.entry(self.pivot_of_row[row]?).or_insert(Residue::ZERO);
                *other = other.minus(multiplier.times(factor));
            }
            if places.len() > COMBINED {
                return None;
            }
        }
        Some(places)
    }

    /// Why a dummy is none of the states.
    pub(crate) fn of_dummy(&mut self, dummy: usize) -> Reason {
        let by = match self.constraints_of(dummy) {
            Some(rows) => Few::of(&rows, COMBINED).map(|row| self.equation(row)),
            None => Few::unknown(),
        };
        let from = match &self.shares[dummy] {
            Some(shares) => {
                let columns: Vec<usize> = shares.iter().map(|share| share.column).collect();
                Few::of(&columns, NAMED).map(|column| self.level.variables[column])
            }
            None => Few::unknown(),
        };
        let change = self.change_of_dummy(dummy);
        Reason::Deselected { by, from, change }
    }

    fn equation(&self, row: usize) -> EqId {
        self.level.equations[row]
    }

    /// The wish that makes a dummy a state, and the states of which one becomes a dummy: the least wanted that it depends on.
    fn giving_way(&self, dummy: usize) -> Option<(StateSelect, Vec<usize>)> {
        let wishes = &self.level.wishes;
        let open: Vec<Share> = self.shares[dummy]
            .as_ref()?
            .iter()
            .copied()
            .filter(|share| wishes[share.column] != Wish::Always)
            .collect();
        let least = open.iter().map(|share| wishes[share.column]).min()?;
        let least_wanted: Vec<Share> =
            open.into_iter().filter(|share| wishes[share.column] == least).collect();
        // where a factor may vanish, of the state or of what is solved for beside it, the constraints may leave the choice to the run
        let (_, row) = self.elimination.pivots[self.pivot_of_column[dummy]?];
        let is_free_of_sets = |share: &Share| {
            self.roles.factors.let_change_places(share.column, row) && self.roles.set[share.column].is_none()
        };
        let suffices =
            least < Wish::Prefer && wishes[dummy] < Wish::Prefer && least_wanted.iter().all(is_free_of_sets);
        let wish = if suffices { StateSelect::Prefer } else { StateSelect::Always };
        Some((wish, least_wanted.into_iter().map(|share| share.column).collect()))
    }

    fn depends_by_number(&self, dummy: usize, state: usize) -> bool {
        let mut shares = self.shares[dummy].iter().flatten();
        shares.any(|share| share.column == state && share.is_number)
    }

    fn change_of_dummy(&self, dummy: usize) -> Option<Change> {
        let (wish, columns) = self.gives_way[dummy].as_ref()?;
        let mut others: Vec<VarId> = Vec::new();
        for &column in columns {
            match self.roles.set[column] {
                // which of them is a state is a matter of the run
                Some(candidates) => others.extend(candidates),
                None => others.push(self.level.variables[column]),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        others.retain(|&v| seen.insert(v));
        Some(Change { wish: *wish, others: Few::of(&others, NAMED) })
    }

    /// Why a state is one.
    pub(crate) fn of_state(&self, state: usize) -> Reason {
        let dependents = &self.dependents[state];
        match (dependents.is_empty(), self.are_unclear) {
            (true, false) => return Reason::Differentiated,
            (true, true) => return Reason::LeftFree,
            _ => {}
        }
        let variable = |column: usize| self.level.variables[column];
        let over = Few { may_be_longer: self.are_unclear, ..Few::of(dependents, NAMED).map(variable) };
        let change =
            if self.level.wishes[state] == Wish::Always { None } else { self.change_of_state(state) };
        Reason::Chosen { over, change }
    }

    /// What puts a dummy in the place of a state: a wish at one that would replace no other state, by a factor that never vanishes, else
    /// one at the state.
    fn change_of_state(&self, state: usize) -> Option<Change> {
        let variable = |column: usize| self.level.variables[column];
        let dependents = self.dependents[state].iter().copied();
        let open: Vec<usize> = dependents.filter(|&d| self.level.wishes[d] != Wish::Excluded).collect();
        let looked_at = &open[..open.len().min(LOOKED_AT)];
        let of_wish = |wish: StateSelect| -> Vec<usize> {
            let replaces_it = |&&d: &&usize| {
                self.gives_way[d].as_ref().is_some_and(|(own, who)| *own == wish && *who == [state])
                    && self.depends_by_number(d, state)
            };
            looked_at.iter().filter(replaces_it).copied().collect()
        };
        for wish in [StateSelect::Prefer, StateSelect::Always] {
            let replacing = of_wish(wish);
            if !replacing.is_empty() {
                return Some(Change { wish, others: Few::of(&replacing, NAMED).map(variable) });
            }
        }
        if open.is_empty() {
            return None;
        }
        let others = Few { may_be_longer: self.are_unclear, ..Few::of(&open, NAMED).map(variable) };
        Some(Change { wish: StateSelect::Never, others })
    }
}
