//! The matrix of a projection at a jump: derivatives of the relations between jumps and impulses by the states of a mode and its
//! impulses, on the pattern of [`LandingPlan`].

use rhei_model::{LandingPlan, place_of};
use rhei_numerics::SparseMatrix;
use rhei_numerics::sparse_least_squares::{Closest, Plan};

use super::jump::Factors;
use crate::constants::JUMP_SINGULAR;
use crate::problem::ModelProblem;

/// A row of a matrix, by columns.
pub(crate) type SparseRow = Vec<(usize, f64)>;

/// The derivatives of the variables that may jump by the states, at the point evaluated last.
pub fn slopes(plan: &LandingPlan, problem: &mut ModelProblem) -> SparseMatrix {
    problem.slopes_on(&problem.model.clone().solvable.impulses.jumping, &plan.slopes, &plan.colouring)
}

/// The least-squares change of states, then impulses, that satisfies the relations, with the freedom left to each of them.
/// `row_scale` are the nominal sizes of the rows.
pub fn step(
    plan: &LandingPlan,
    problem: &mut ModelProblem,
    factors: &Factors,
    residuals: &[f64],
    row_scale: &[f64],
) -> Option<Closest> {
    let mut matrix = matrix_of(plan, problem, factors);
    let right: Vec<f64> = residuals.iter().zip(row_scale).map(|(r, scale)| -r / scale).collect();
    let pattern = plan.relations.pattern();
    let rows = pattern.row_indices().iter();
    matrix.values_mut().iter_mut().zip(rows).for_each(|(entry, &row)| *entry /= row_scale[row]);
    // columns by their largest entry
    let mut column_scale = vec![1.0; pattern.columns()];
    for (column, scale) in column_scale.iter_mut().enumerate() {
        let entries = &mut matrix.values_mut()[pattern.range(column)];
        let largest = entries.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        if largest > 0.0 {
            *scale = largest;
            entries.iter_mut().for_each(|entry| *entry /= largest);
        }
    }
    let mut found = plan.relations.solve(matrix.values(), &right, JUMP_SINGULAR)?;
    found.x.iter_mut().zip(&column_scale).for_each(|(x, scale)| *x /= scale);
    Some(found)
}

fn matrix_of(plan: &LandingPlan, problem: &mut ModelProblem, factors: &Factors) -> SparseMatrix {
    let model = problem.model.clone();
    let impulses = &model.solvable.impulses;
    let n_states = model.solvable.states.len();
    let slopes = by_rows(&slopes(plan, problem));
    let mut matrix = SparseMatrix::zeros(plan.relations.pattern().clone());
    let mut add = |row: usize, column: usize, value: f64| {
        let before = matrix.get(row, column);
        matrix.set(row, column, before + value);
    };
    for (number, (row, (jumps, of_impulses))) in impulses.rows.iter().zip(factors).enumerate() {
        for (&(place, _), factor) in row.jumps.iter().zip(jumps) {
            slopes[place].iter().for_each(|&(state, slope)| add(number, state, factor * slope));
        }
        for (&(v, _), factor) in row.impulses.iter().zip(of_impulses) {
            add(number, n_states + place_of(impulses, v), *factor);
        }
    }
    matrix
}

/// The rows of a matrix.
pub(crate) fn by_rows(matrix: &SparseMatrix) -> Vec<SparseRow> {
    let mut rows: Vec<SparseRow> = vec![Vec::new(); matrix.pattern().rows()];
    for ((row, column), value) in matrix.pattern().entries().zip(matrix.values()) {
        rows[row].push((column, *value));
    }
    rows
}

/// The freedom of each column: its share in changes that the rows do not see.
pub(crate) fn freedom(rows: &[SparseRow], n: usize) -> Option<Vec<f64>> {
    let matrix = SparseMatrix::from_rows(rows, n);
    Some(
        Plan::new(matrix.pattern().clone())
            .solve(matrix.values(), &vec![0.0; rows.len()], JUMP_SINGULAR)?
            .freedom,
    )
}

/// Adds up entries of the same column.
pub(crate) fn merged(mut row: SparseRow) -> SparseRow {
    row.sort_by_key(|&(column, _)| column);
    row.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    row
}

/// The rows left after elimination of the first `n` columns, one after the other, by the largest entry: those that served as no
/// pivot row.
pub(crate) fn eliminated(mut rows: Vec<SparseRow>, n: usize) -> Vec<SparseRow> {
    /// Factors below this count as zero.
    const NONE: f64 = 1e-12;
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let mut place: Vec<usize> = order.clone();
    let mut with_column: Vec<Vec<usize>> = vec![Vec::new(); n];
    let note = |with_column: &mut Vec<Vec<usize>>, column: usize, row: usize| {
        if column < n {
            with_column[column].push(row);
        }
    };
    for (number, row) in rows.iter().enumerate() {
        row.iter().for_each(|&(column, _)| note(&mut with_column, column, number));
    }
    let at = |row: &SparseRow, column: usize| {
        row.binary_search_by_key(&column, |&(column, _)| column).map_or(0.0, |k| row[k].1)
    };
    let mut done = 0;
    for column in 0..n {
        let mut left: Vec<usize> =
            with_column[column].iter().copied().filter(|&row| place[row] >= done).collect();
        left.sort_unstable_by_key(|&row| place[row]);
        left.dedup();
        let size = |row: usize| at(&rows[row], column).abs();
        let largest = left.iter().copied().max_by(|&a, &b| size(a).total_cmp(&size(b)));
        let Some(pivot) = largest.filter(|&row| size(row) > NONE) else { continue };
        let (a, b) = (done, place[pivot]);
        order.swap(a, b);
        (place[order[a]], place[order[b]]) = (a, b);
        done += 1;
        for row in left.into_iter().filter(|&row| row != pivot) {
            let factor = at(&rows[row], column) / at(&rows[pivot], column);
            if factor != 0.0 {
                let (changed, new) = minus(&rows[row], factor, &rows[pivot]);
                rows[row] = changed;
                new.into_iter().for_each(|column| note(&mut with_column, column, row));
            }
        }
    }
    order[done..].iter().map(|&row| std::mem::take(&mut rows[row])).collect()
}

/// `row - factor·other`, and the columns that are new in it.
fn minus(row: &SparseRow, factor: f64, other: &SparseRow) -> (SparseRow, Vec<usize>) {
    let (mut changed, mut new) = (Vec::with_capacity(row.len() + other.len()), Vec::new());
    let (mut own, mut others) = (row.iter().peekable(), other.iter().peekable());
    loop {
        match (own.peek(), others.peek()) {
            (None, None) => return (changed, new),
            (Some(&&(column, value)), Some(&&(by, other))) if column == by => {
                changed.push((column, value - factor * other));
                own.next();
                others.next();
            }
            (Some(&&entry), next) if next.is_none_or(|next| entry.0 < next.0) => {
                changed.push(entry);
                own.next();
            }
            (_, Some(&&(by, other))) => {
                changed.push((by, 0.0 - factor * other));
                new.push(by);
                others.next();
            }
            (Some(_), None) => unreachable!("taken above"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_impulse_changes_is_left() {
        // a chain of three, tied together by two impulses: L1 Δ1 + Z1, L2 Δ2 - Z1 + Z2, L3 Δ3 - Z2
        let rows =
            vec![vec![(0, 1.0), (2, 0.1)], vec![(0, -1.0), (1, 1.0), (3, 0.2)], vec![(1, -1.0), (4, 0.3)]];
        let left = eliminated(rows, 2);
        assert_eq!(left.len(), 1);
        let sum: Vec<(usize, f64)> = left[0].iter().copied().filter(|entry| entry.1 != 0.0).collect();
        let unit = sum[0].1 / 0.1;
        let expected = [(2, 0.1), (3, 0.2), (4, 0.3)];
        for ((column, factor), (own, value)) in sum.into_iter().zip(expected) {
            assert!(column == own && (factor / unit - value).abs() < 1e-15, "{column} {factor}");
        }
        assert_eq!(merged(vec![(3, 1.0), (1, 2.0), (3, 4.0)]), [(1, 2.0), (3, 5.0)]);
    }
}
