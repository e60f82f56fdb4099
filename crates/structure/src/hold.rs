//! Certain pivots that may cost a choice.
//!
//! A part that resists may hold columns that must be solved for, and which its own rows do not give everywhere. Their rank may
//! need the row of a pivot that a chosen column took: there another choice solves for the first column by that row, and leaves the
//! chosen one a state. In the matrix reduced by all pivots (Gauss & Jordan) these are the pivot rows in which such a column still
//! stands. With these rows, and the columns solved for by them, the part has full rank in the columns that must be solved for
//! wherever the whole matrix has: no other pivot costs a choice.

use rustc_hash::FxHashMap;

use crate::certify::{Entry, Solved, Uncertain, Use};
use crate::generic::Residue;

/// A pivot row, reduced by all pivots.
#[derive(Default)]
struct Reduced {
    /// The entries of columns that must be solved for in parts that resist.
    forced: FxHashMap<usize, Residue>,
    /// Whether a column stands in it that need not be solved for.
    has_free: bool,
}

/// The chosen columns whose pivots, in the order they were `solved` for, may cost a choice for one of the parts that resist.
///
/// There is none for a part if all its columns must be solved for whatever the choice.
pub(crate) fn costly(
    rows: &[Vec<Entry>],
    solved: &[Solved],
    parts: &[Uncertain],
    uses: &[Use],
) -> Vec<usize> {
    let mut part_of = vec![None; uses.len()];
    for (number, part) in parts.iter().enumerate() {
        let forced = part.chosen.iter().filter(|&&column| uses[column] == Use::Forced);
        forced.for_each(|&column| part_of[column] = Some(number));
    }
    if part_of.iter().all(Option::is_none) {
        return Vec::new();
    }
    let is_free = |columns: &[usize]| columns.iter().any(|&column| uses[column] == Use::Free);
    let mut has_choice: Vec<bool> = parts.iter().map(|part| is_free(&part.columns)).collect();
    let mut costly = vec![Vec::new(); parts.len()];
    let reduced = reduced(rows, solved, uses, &part_of);
    for (column, reduced) in reduced.into_iter().filter(|&(column, _)| uses[column] == Use::Chosen) {
        let mut parts: Vec<usize> = reduced.forced.keys().filter_map(|&column| part_of[column]).collect();
        parts.sort_unstable();
        parts.dedup();
        for part in parts {
            has_choice[part] |= reduced.has_free;
            costly[part].push(column);
        }
    }
    let costly = costly.into_iter().zip(has_choice).filter(|(_, has_choice)| *has_choice);
    costly.flat_map(|(columns, _)| columns).collect()
}

/// The columns with a pivot of their own, with their reduced rows.
fn reduced(
    rows: &[Vec<Entry>],
    solved: &[Solved],
    uses: &[Use],
    part_of: &[Option<usize>],
) -> Vec<(usize, Reduced)> {
    let mut made: Vec<(usize, Reduced)> = Vec::new();
    let mut place_of: Vec<Option<usize>> = vec![None; uses.len()];
    // last first: a row holds columns that were solved for after its own
    for pivot in solved.iter().rev() {
        let ([row], [column]) = (&pivot.rows[..], &pivot.columns[..]) else {
            // several rows together: none of their columns stands in a part that resists
            continue;
        };
        let mut reduced = Reduced::default();
        let mut own = Residue::ONE;
        for entry in &rows[*row] {
            if entry.column == *column {
                own = entry.value;
            } else if let Some(place) = place_of[entry.column] {
                let (_, by) = &made[place];
                reduced.has_free |= by.has_free;
                by.forced.iter().for_each(|(&column, value)| {
                    reduced.add(column, entry.value.times(*value).negated());
                });
            } else if part_of[entry.column].is_some() {
                reduced.add(entry.column, entry.value);
            } else {
                reduced.has_free |= uses[entry.column] == Use::Free;
            }
        }
        reduced.forced.retain(|_, value| !value.is_zero());
        if let Some(inverse) = own.inverse() {
            reduced.forced.values_mut().for_each(|value| *value = value.times(inverse));
        }
        place_of[*column] = Some(made.len());
        made.push((*column, reduced));
    }
    made
}

impl Reduced {
    fn add(&mut self, column: usize, value: Residue) {
        let entry = self.forced.entry(column).or_insert(Residue::ZERO);
        *entry = entry.plus(value);
    }
}
