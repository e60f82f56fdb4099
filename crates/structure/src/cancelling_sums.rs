//! Sums of rows that are zero, with exact factors.
//!
//! In: rows of exact numbers, in an order. Out: a basis of all combinations that add up to zero, each with a last row of its own, which
//! no other combination has, and which has the factor one.
//!
//! Which rows are in them is found modulo a prime ([`basis`](crate::basis)), where numbers do not grow. The factors are then lifted
//! from residues modulo the prime to those modulo its powers, until fractions show that fulfil the sum exactly (Dixon 1982): a step for
//! as many digits as the prime has, and each takes no more than a sparse matrix times a vector. There are at most so many steps
//! as the determinants of Cramer's rule have digits (Hadamard).

use std::collections::{BTreeMap, BinaryHeap};

use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use crate::basis::{Elimination, Entry, Grade};
use crate::exact::{Exact, fraction_of, residue_of, to_whole};
use crate::generic::{PRIME, Residue};

/// A row: columns in order, with numbers that are not zero.
pub(crate) type Row = Vec<(usize, Exact)>;

/// A combination of rows: their places, and factors.
pub(crate) type Sum = Vec<(usize, Exact)>;

/// The combinations of rows that are zero.
pub(crate) fn cancelling_sums(rows: &[&Row]) -> Vec<Sum> {
    let whole: Vec<Whole> = rows.iter().map(|row| Whole::of(row)).collect();
    let all: Vec<usize> = (0..whole.len()).collect();
    let echelon = Echelon::new(&whole, &all);
    let null = echelon.elimination.rows_left().map(|row| echelon.of_rows(BTreeMap::new(), Some(row)));
    with_last_rows_apart(null.collect()).into_iter().filter_map(|sum| exact(&whole, &sum)).collect()
}

/// A row in whole numbers without a common factor.
struct Whole {
    entries: Vec<(usize, BigInt)>,
    /// What it was multiplied by.
    by: Exact,
}

impl Whole {
    fn of(row: &Row) -> Whole {
        let numbers: Vec<Exact> = row.iter().map(|(_, number)| number.clone()).collect();
        let by = to_whole(&numbers);
        let entries = row.iter().map(|(column, number)| (*column, number.times(&by).numerator())).collect();
        Whole { entries, by }
    }
}

/// Rows modulo the prime in echelon form.
struct Echelon {
    elimination: Elimination,
    /// The place among the pivots of each row, and of each column.
    pivot_of_row: Vec<Option<usize>>,
    pivot_of_column: Vec<Option<usize>>,
}

impl Echelon {
    /// Of the rows at these places.
    fn new(whole: &[Whole], places: &[usize]) -> Echelon {
        let columns = whole.iter().flat_map(|row| &row.entries).map(|(column, _)| column + 1).max();
        let columns = columns.unwrap_or(0);
        let row = |&place: &usize| -> Vec<Entry> {
            let entries = whole[place].entries.iter().map(|(column, number)| Entry {
                column: *column,
                value: residue_of(number),
                grade: Grade::Number,
            });
            entries.filter(|entry| !entry.value.is_zero()).collect()
        };
        let mut elimination = Elimination::new(places.iter().map(row).collect(), columns, 0);
        let _ = elimination.add_all(0..columns);
        let (mut pivot_of_row, mut pivot_of_column) = (vec![None; places.len()], vec![None; columns]);
        for (place, &(column, row)) in elimination.pivots.iter().enumerate() {
            (pivot_of_row[row], pivot_of_column[column]) = (Some(place), Some(place));
        }
        Echelon { elimination, pivot_of_row, pivot_of_column }
    }

    /// A combination of pivot rows, by place, and of a row that is no pivot, in terms of the rows before the elimination.
    fn of_rows(&self, mut pivots: BTreeMap<usize, Residue>, left: Option<usize>) -> BTreeMap<usize, Residue> {
        let mut found = BTreeMap::new();
        let mut take_apart = |row: usize, factor: Residue, pivots: &mut BTreeMap<usize, Residue>| {
            found.insert(row, factor);
            for &(pivot, times) in self.elimination.steps(row) {
                let Some(place) = self.pivot_of_row[pivot] else { continue };
                let entry = pivots.entry(place).or_insert(Residue::ZERO);
                *entry = entry.minus(factor.times(times));
            }
        };
        if let Some(row) = left {
            take_apart(row, Residue::ONE, &mut pivots);
        }
        // a row has lost multiples of pivot rows before it alone
        while let Some((place, factor)) = pivots.pop_last() {
            if !factor.is_zero() {
                take_apart(self.elimination.pivots[place].1, factor, &mut pivots);
            }
        }
        found
    }

    /// The factors of the rows that add up to a vector of their space.
    fn factors(&self, vector: &FxHashMap<usize, BigInt>) -> BTreeMap<usize, Residue> {
        let mut rest: FxHashMap<usize, Residue> =
            vector.iter().map(|(column, number)| (*column, residue_of(number))).collect();
        // pivots in the order they were found: a pivot row has no entries in the columns of those before
        let pivot = |column: &usize| self.pivot_of_column[*column].map(std::cmp::Reverse);
        let mut open: BinaryHeap<_> = rest.keys().filter_map(pivot).collect();
        let mut pivots = BTreeMap::new();
        while let Some(std::cmp::Reverse(place)) = open.pop() {
            let (column, row) = self.elimination.pivots[place];
            let value = rest.get(&column).copied().unwrap_or(Residue::ZERO);
            if value.is_zero() || pivots.contains_key(&place) {
                continue;
            }
            let entries = self.elimination.row(row);
            let own = entries.iter().find(|entry| entry.column == column);
            let Some(inverse) = own.and_then(|own| own.value.inverse()) else { continue };
            let factor = value.times(inverse);
            for entry in entries {
                let before = rest.insert(
                    entry.column,
                    rest.get(&entry.column)
                        .copied()
                        .unwrap_or(Residue::ZERO)
                        .minus(entry.value.times(factor)),
                );
                if before.is_none() {
                    open.extend(pivot(&entry.column));
                }
            }
            pivots.insert(place, factor);
        }
        self.of_rows(pivots, None)
    }
}

/// Combinations of the same space whose last rows are in none of the others.
fn with_last_rows_apart(sums: Vec<BTreeMap<usize, Residue>>) -> Vec<BTreeMap<usize, Residue>> {
    let mut by_last: BTreeMap<usize, BTreeMap<usize, Residue>> = BTreeMap::new();
    for mut sum in sums {
        while let Some((&last, &value)) = sum.last_key_value() {
            let Some(other) = by_last.get(&last) else {
                by_last.insert(last, sum);
                break;
            };
            subtract(&mut sum, other, last, value);
        }
    }
    // those with earlier last rows first: they are free of others by then
    let lasts: Vec<usize> = by_last.keys().copied().collect();
    for &last in &lasts {
        let mut sum = by_last.remove(&last).unwrap_or_default();
        let others: Vec<usize> =
            sum.keys().copied().filter(|row| *row != last && by_last.contains_key(row)).collect();
        for other in others {
            if let Some(&value) = sum.get(&other) {
                subtract(&mut sum, &by_last[&other], other, value);
            }
        }
        by_last.insert(last, sum);
    }
    by_last.into_values().collect()
}

/// Takes so much of another sum from a sum that a row vanishes, which has this factor.
fn subtract(
    sum: &mut BTreeMap<usize, Residue>,
    other: &BTreeMap<usize, Residue>,
    row: usize,
    value: Residue,
) {
    let Some(inverse) = other.get(&row).and_then(|own| own.inverse()) else { return };
    let times = value.times(inverse);
    for (&row, factor) in other {
        let entry = sum.entry(row).or_insert(Residue::ZERO);
        *entry = entry.minus(factor.times(times));
        if entry.is_zero() {
            sum.remove(&row);
        }
    }
}

/// The sum with exact factors; none if it is zero modulo the prime alone.
fn exact(whole: &[Whole], sum: &BTreeMap<usize, Residue>) -> Option<Sum> {
    let (&last, _) = sum.last_key_value()?;
    let rows: Vec<usize> = sum.keys().copied().filter(|&row| row != last).collect();
    let echelon = Echelon::new(whole, &rows);
    let target: FxHashMap<usize, BigInt> =
        whole[last].entries.iter().map(|(column, number)| (*column, -number)).collect();
    let (mut rest, mut modulus) = (target.clone(), BigInt::one());
    let mut residues = vec![BigInt::zero(); rows.len()];
    for _ in 0..most_steps(whole, &rows, last) {
        for (place, factor) in echelon.factors(&rest) {
            let factor = BigInt::from(factor.number());
            for (column, number) in &whole[rows[place]].entries {
                *rest.entry(*column).or_insert_with(BigInt::zero) -= number * &factor;
            }
            residues[place] += factor * &modulus;
        }
        rest.retain(|_, number| !number.is_zero());
        rest.values_mut().for_each(|number| *number /= PRIME);
        modulus *= PRIME;
        let fractions: Option<Vec<Exact>> =
            residues.iter().map(|residue| fraction_of(residue, &modulus)).collect();
        let Some(fractions) = fractions.filter(|found| adds_up(whole, (&rows, found), &target)) else {
            continue;
        };
        // back to the rows as they were, the last one once
        let scale = |row: usize, factor: &Exact| factor.times(&whole[row].by).over(&whole[last].by);
        let mut sum: Sum =
            rows.iter().zip(&fractions).map(|(&row, factor)| (row, scale(row, factor))).collect();
        sum.push((last, Exact::ONE));
        return Some(sum);
    }
    None
}

/// Whether rows with these factors add up to a vector.
fn adds_up(
    whole: &[Whole],
    (rows, factors): (&[usize], &[Exact]),
    target: &FxHashMap<usize, BigInt>,
) -> bool {
    let mut sum: FxHashMap<usize, Exact> = FxHashMap::default();
    for (&row, factor) in rows.iter().zip(factors) {
        for (column, number) in &whole[row].entries {
            let term = factor.times(&Exact::of_whole(number.clone()));
            let entry = sum.entry(*column).or_insert_with(|| Exact::of_whole(BigInt::zero()));
            *entry = entry.plus(&term);
        }
    }
    for (column, number) in target {
        let entry = sum.entry(*column).or_insert_with(|| Exact::of_whole(BigInt::zero()));
        *entry = entry.plus(&Exact::of_whole(-number));
    }
    sum.values().all(Exact::is_zero)
}

/// Steps until every fraction that Cramer's rule may give has shown.
fn most_steps(whole: &[Whole], rows: &[usize], last: usize) -> u64 {
    const BITS_OF_STEP: u64 = 61;
    let bits = |&row: &usize| -> u64 {
        let largest = whole[row].entries.iter().map(|(_, number)| number.bits()).max().unwrap_or(0);
        largest + u64::from(whole[row].entries.len().max(1).ilog2()) + 1
    };
    let of_determinant: u64 = rows.iter().chain([&last]).map(bits).sum();
    2 * of_determinant / BITS_OF_STEP + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(numbers: &[&[f64]]) -> Vec<Row> {
        let row = |row: &&[f64]| {
            let entries = row.iter().enumerate().filter(|(_, number)| **number != 0.0);
            entries.map(|(column, number)| (column, Exact::of(*number).unwrap())).collect()
        };
        numbers.iter().map(row).collect()
    }

    fn found(rows: &[Row]) -> Vec<Vec<(usize, f64)>> {
        let rows: Vec<&Row> = rows.iter().collect();
        let numbers = |sum: Sum| sum.into_iter().map(|(row, factor)| (row, factor.to_f64())).collect();
        cancelling_sums(&rows).into_iter().map(numbers).collect()
    }

    #[test]
    fn sums_that_are_zero_are_found() {
        assert!(found(&rows(&[&[1.0, 2.0], &[3.0, 4.0]])).is_empty());
        let one = rows(&[&[2.0, 1.0, 0.0], &[0.0, 0.5, 3.0], &[1.0, 1.0, 3.0]]);
        assert_eq!(found(&one), [[(0, -0.5), (1, -1.0), (2, 1.0)]]);
    }

    #[test]
    fn each_sum_has_a_last_row_of_its_own() {
        let three = rows(&[&[1.0, 1.0], &[1.0, -1.0], &[3.0, 1.0], &[0.0, 0.1], &[0.0, 0.0]]);
        let expected: [&[(usize, f64)]; 3] =
            [&[(0, -2.0), (1, -1.0), (2, 1.0)], &[(0, -0.05), (1, 0.05), (3, 1.0)], &[(4, 1.0)]];
        assert_eq!(found(&three), expected);
    }

    /// The factors of the last sum are those of a polynomial from its values: fractions of hundreds of digits.
    #[test]
    fn factors_of_any_length_are_exact() {
        let n = 40;
        let base = |row: usize| Exact::of(row as f64 * 7.0 + 0.5).unwrap();
        let row = |row: usize| -> Row {
            let powers = std::iter::successors(Some(Exact::ONE), |power| Some(power.times(&base(row))));
            powers.take(n).enumerate().collect()
        };
        let rows: Vec<Row> = (0..=n).map(row).collect();
        let of_rows: Vec<&Row> = rows.iter().collect();
        let sums = cancelling_sums(&of_rows);
        let [sum] = &sums[..] else { panic!("{} sums", sums.len()) };
        assert_eq!(sum.len(), n + 1);
        let mut totals = vec![Exact::of_whole(BigInt::zero()); n];
        for (row, factor) in sum {
            let entries = totals.iter_mut().zip(&rows[*row]);
            entries.for_each(|(total, (_, entry))| *total = total.plus(&factor.times(entry)));
        }
        assert!(totals.iter().all(Exact::is_zero));
    }

    /// Without a ground, the sum of all currents into the nodes of a grid is zero: its equations are thousands.
    #[test]
    fn a_sum_of_thousands_takes_no_long_numbers() {
        let n = 60;
        let node = |i: usize, j: usize| i * n + j;
        let mut rows: Vec<Row> = Vec::new();
        for i in 0..n {
            for j in 0..n {
                let mut neighbours = Vec::new();
                neighbours.extend((i > 0).then(|| node(i - 1, j)));
                neighbours.extend((j > 0).then(|| node(i, j - 1)));
                neighbours.extend((j + 1 < n).then(|| node(i, j + 1)));
                neighbours.extend((i + 1 < n).then(|| node(i + 1, j)));
                let minus = Exact::ONE.negated();
                let mut row: Row = neighbours.iter().map(|&other| (other, minus.clone())).collect();
                row.push((node(i, j), Exact::of(neighbours.len() as f64).unwrap()));
                row.sort_by_key(|(column, _)| *column);
                rows.push(row);
            }
        }
        let sums = found(&rows);
        assert_eq!(sums.len(), 1);
        assert!(sums[0].len() == n * n && sums[0].iter().all(|(_, factor)| *factor == 1.0));
    }
}
