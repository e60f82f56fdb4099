//! Elimination of the ordinary unknowns: what is left are equations between pairs.
//!
//! Sparse Gaussian elimination by Markowitz's rule, among pivots that dominate their row as `h` goes to zero.

use super::{Row, Series};

/// Smallest pivot, as a share of the largest entry of the same order in its row.
const PIVOT: f64 = 0.01;

/// The equations without unknowns below `n`; none if some contradict each other. Unknowns that the equations leave open vanish with
/// what they occur in.
pub(super) fn without_ordinary(rows: Vec<Row>, n: usize) -> Option<Vec<Row>> {
    let mut rows: Vec<Option<Row>> = rows.into_iter().map(Some).collect();
    let mut rows_of: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (place, row) in rows.iter().flatten().enumerate() {
        ordinary(row, n).for_each(|(column, _)| rows_of[column].push(place));
    }
    let mut open: Vec<usize> = (0..rows.len()).collect();
    let mut left = Vec::new();
    while let Some((at, column)) = next_pivot(&rows, &rows_of, &mut open, n, &mut left) {
        let pivot_row = rows[at].take()?;
        let pivot = pivot_row.entry(column);
        for place in std::mem::take(&mut rows_of[column]) {
            let Some(row) = rows[place].as_mut() else { continue };
            let own = row.entry(column);
            if own.is_zero() {
                continue;
            }
            let factor = own.over(&pivot);
            let made = combined(row, &factor, &pivot_row, column);
            for (fresh, _) in ordinary(&made, n) {
                if !rows_of[fresh].contains(&place) {
                    rows_of[fresh].push(place);
                }
            }
            *row = made;
        }
    }
    let has_entries = |row: &Row| row.entries.iter().any(|(_, entry)| !entry.is_zero());
    if left.iter().any(|row| !has_entries(row) && row.right.sign() != 0.0) {
        return None;
    }
    left.retain(has_entries);
    Some(left)
}

fn ordinary(row: &Row, n: usize) -> impl Iterator<Item = (usize, &Series)> {
    let entries = row.entries.iter().take_while(move |(column, _)| *column < n);
    entries.filter(|(_, entry)| !entry.is_zero()).map(|(column, entry)| (*column, entry))
}

/// The shortest row with its pivot in the column with the fewest entries; rows without ordinary unknowns are moved to `left`.
fn next_pivot(
    rows: &[Option<Row>],
    rows_of: &[Vec<usize>],
    open: &mut Vec<usize>,
    n: usize,
    left: &mut Vec<Row>,
) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    open.retain(|&place| {
        let Some(row) = &rows[place] else { return false };
        let length = ordinary(row, n).count();
        if length == 0 {
            left.push(row.clone());
            return false;
        }
        if best.is_none_or(|(_, shortest)| length < shortest) {
            best = Some((place, length));
        }
        true
    });
    let (place, _) = best?;
    let row = rows[place].as_ref()?;
    let largest = ordinary(row, n).fold(
        Series::ZERO,
        |most, (_, entry)| {
            if entry.dominates(&most) { *entry } else { most }
        },
    );
    let (order, size) = largest.leading();
    let is_safe = |entry: &Series| {
        let (own, factor) = entry.leading();
        own == order && factor.abs() >= PIVOT * size.abs()
    };
    let safe = ordinary(row, n).filter(|(_, entry)| is_safe(entry));
    let (column, _) = safe.min_by_key(|(column, _)| rows_of[*column].len())?;
    Some((place, column))
}

/// `row − factor·other`, without the entry of `column`.
pub(super) fn combined(row: &Row, factor: &Series, other: &Row, column: usize) -> Row {
    let mut entries = Vec::with_capacity(row.entries.len() + other.entries.len());
    let minus = factor.negated();
    let (mut a, mut b) = (row.entries.iter().peekable(), other.entries.iter().peekable());
    loop {
        let made = match (a.peek(), b.peek()) {
            (Some((i, x)), Some((j, y))) if i == j => {
                let made = (*i, x.plus(&minus.times(y)));
                a.next();
                b.next();
                made
            }
            (Some((i, x)), other) if other.is_none_or(|(j, _)| i < j) => {
                let made = (*i, *x);
                a.next();
                made
            }
            (_, Some((j, y))) => {
                let made = (*j, minus.times(y));
                b.next();
                made
            }
            (_, None) => break,
        };
        if made.0 != column && !made.1.is_zero() {
            entries.push(made);
        }
    }
    Row { entries, right: row.right.minus(factor, &other.right) }
}
