//! Monitoring of the assumptions of the choice of states during a run.
//!
//! If the modeller's wishes leave no choice (`always`, `never`), constraints are solved for variables although nothing proves
//! that this is possible everywhere. Beyond a point where it is not, a solution often seems to continue: it is reflected, on the
//! wrong branch. So the determinant is monitored: a run ends if it vanishes, changes its sign, or heads through zero from one
//! step to the next.

use rhei_equations::ExprId;
use rhei_model::CompiledModel;
use rhei_numerics::determinant::Determinant;
use rhei_solvable::Jacobian;

use crate::constants::{ASSUMPTION_ROUNDED, ASSUMPTION_SINGULAR, ASSUMPTION_SUSPECT, ASSUMPTION_VANISHED};
use crate::pivoting::{Elimination, SparseRow};

/// The determinants of all assumptions of a model.
#[derive(Clone)]
pub struct Assumptions {
    watched: Vec<Watched>,
}

#[derive(Clone, Default)]
struct Watched {
    /// The last two points in time, with the determinant there.
    last: Option<(f64, f64)>,
    before: Option<(f64, f64)>,
    largest: f64,
    /// The power of two that is the unit of determinants: those of many rows would underflow.
    unit: Option<i32>,
}

impl Assumptions {
    /// Those of a model.
    pub fn new(model: &CompiledModel) -> Self {
        Assumptions { watched: vec![Watched::default(); model.solvable.assumptions.len()] }
    }

    /// After a step, the derivatives of the constraints being known: the first assumption that no longer holds. Where steps are not
    /// followed within (`is_followed`), a determinant that heads through zero and comes back counts as reflected.
    pub fn check(
        &mut self,
        model: &CompiledModel,
        t: f64,
        jacobians: &[Vec<f64>],
        is_followed: bool,
    ) -> Option<usize> {
        let mut failed = None;
        for (place, watched) in self.watched.iter_mut().enumerate() {
            let assumption = &model.solvable.assumptions[place];
            let is_first = watched.last.is_none();
            let rows = rows_of(&assumption.jacobian, &jacobians[place]);
            let (determinant, regularity) = scaled_determinant(rows, assumption.solved_for.len());
            let determinant = determinant.in_units_of(&mut watched.unit);
            if !watched.holds(t, determinant, is_followed) || (is_first && regularity < ASSUMPTION_SINGULAR) {
                failed = failed.or(Some(place));
            }
        }
        failed
    }

    /// The determinant of an assumption, its derivatives being known. Rows are not scaled: constraints all of whose derivatives vanish
    /// show.
    pub(crate) fn determinant(model: &CompiledModel, place: usize, derivatives: &[f64]) -> Determinant {
        let assumption = &model.solvable.assumptions[place];
        let n = assumption.solved_for.len();
        let mut rows = rows_of(&assumption.jacobian, derivatives);
        rows.iter_mut().for_each(|row| row.retain(|&(column, _)| column < n));
        determinant(rows, n).0
    }

    /// The assumption that is the likely cause of a failed run.
    pub fn suspect(&self) -> Option<usize> {
        let is_suspect = |watched: &Watched| {
            watched
                .last
                .is_some_and(|(_, determinant)| determinant.abs() < ASSUMPTION_SUSPECT * watched.largest)
        };
        self.watched.iter().position(is_suspect)
    }
}

impl Watched {
    fn holds(&mut self, t: f64, determinant: f64, is_followed: bool) -> bool {
        self.largest = self.largest.max(determinant.abs());
        let heads_through_zero = match (self.before, self.last) {
            (Some((t0, d0)), Some((t1, d1))) if !is_followed && t1 > t0 && t > t1 => {
                let expected = d1 + (d1 - d0) / (t1 - t0) * (t - t1);
                expected * d1 < 0.0 && determinant.abs() < ASSUMPTION_SUSPECT * self.largest
            }
            _ => false,
        };
        let changes_sign = self.last.is_some_and(|(_, last)| last * determinant < 0.0);
        if self.last.is_none_or(|(last, _)| t > last) {
            self.before = self.last.replace((t, determinant));
        }
        determinant.abs() > ASSUMPTION_VANISHED * self.largest && !changes_sign && !heads_through_zero
    }
}

/// The rows of an assumption, its derivatives being known.
fn rows_of(jacobian: &Jacobian, values: &[f64]) -> Vec<SparseRow> {
    let mut values = values.iter();
    let row = |entries: &Vec<(usize, ExprId)>| {
        entries.iter().zip(values.by_ref()).map(|(&(column, _), &value)| (column, value)).collect()
    };
    jacobian.iter().map(row).collect()
}

/// The determinant of the first `n` columns of `n` rows, each row being scaled by its largest entry; and the smallest pivot when the
/// columns are scaled, too. The first is smooth in time. The second does not depend on units: a flux in webers beside a current in
/// amperes is small, but no zero.
fn scaled_determinant(mut rows: Vec<SparseRow>, n: usize) -> (Determinant, f64) {
    for row in &mut rows {
        let largest = largest(row);
        if !largest.is_finite() || largest == 0.0 {
            return (Determinant::ZERO, 0.0);
        }
        row.retain(|&(column, _)| column < n);
        row.iter_mut().for_each(|(_, entry)| *entry /= largest);
    }
    let mut scaled = rows.clone();
    let mut largest_of = vec![0.0_f64; n];
    for row in &mut scaled {
        row.iter_mut()
            .filter(|(_, entry)| entry.abs() < ASSUMPTION_ROUNDED)
            .for_each(|(_, entry)| *entry = 0.0);
        let largest = largest(row);
        for (column, entry) in row.iter_mut() {
            *entry /= largest;
            largest_of[*column] = largest_of[*column].max(entry.abs());
        }
    }
    for (column, entry) in scaled.iter_mut().flatten() {
        *entry /= largest_of[*column];
    }
    // zero divided by zero is not a number, and no pivot
    let smallest = determinant(scaled, n).1;
    (determinant(rows, n).0, if smallest.is_finite() { smallest } else { 0.0 })
}

fn largest(row: &SparseRow) -> f64 {
    row.iter().fold(0.0, |largest: f64, (_, entry)| largest.max(entry.abs()))
}

/// By elimination with the largest element of a column as pivot; and the smallest pivot.
pub(crate) fn determinant(rows: Vec<SparseRow>, n: usize) -> (Determinant, f64) {
    let mut elimination = Elimination::new(rows, n);
    let (mut determinant, mut smallest) = (Determinant::ONE, 1.0_f64);
    for column in 0..n {
        let Some((pivot, is_moved)) = elimination.solve_for(column, f64::MIN_POSITIVE) else {
            return (Determinant::ZERO, 0.0);
        };
        determinant = determinant.times(if is_moved { -pivot } else { pivot });
        smallest = smallest.min(pivot.abs());
    }
    (determinant, smallest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of dense rows: the determinant and the smallest pivot.
    fn scaled(entries: &[f64], n: usize) -> (f64, f64) {
        let rows = entries.chunks_exact(entries.len() / n);
        let rows = rows.map(|row| row.iter().copied().enumerate().collect()).collect();
        let (determinant, smallest) = scaled_determinant(rows, n);
        (determinant.in_units_of(&mut Some(0)), smallest)
    }

    #[test]
    fn determinants_are_scaled_by_rows() {
        assert_eq!(scaled(&[2.0, 0.0, 0.0, 5.0], 2), (1.0, 1.0));
        assert_eq!(scaled(&[0.0, 2.0, 5.0, 0.0], 2), (-1.0, 1.0));
        assert_eq!(scaled(&[1.0, 4.0], 1), (0.25, 1.0), "the second column is known");
        assert_eq!(scaled(&[1.0, 1.0, 1.0, 1.0], 2), (0.0, 0.0));
        assert_eq!(scaled(&[1e-7, 0.0, 1.0, 0.0, 1e-7, 1.0], 2).1, 1.0, "in other units");
        assert_eq!(scaled(&[1e-16, 1.0], 1).1, 0.0, "rounding");
    }

    #[test]
    fn the_determinant_of_many_rows_is_a_number() {
        // each row a quarter, and the entry beside it one: 4^-2000 is none
        let n = 2000;
        let row = |k: usize| -> SparseRow {
            [(k, 0.25), (k + 1, 1.0)].into_iter().filter(|entry| entry.0 < n).collect()
        };
        let mut rows: Vec<SparseRow> = (0..n).map(row).collect();
        rows[n - 1].push((n, 1.0)); // the column of a state
        let (first, _) = scaled_determinant(rows.clone(), n);
        let mut unit = None;
        let before = first.in_units_of(&mut unit);
        assert!(before != 0.0 && before.is_finite());
        rows[0][0].1 = 0.125;
        let halved = scaled_determinant(rows, n).0.in_units_of(&mut unit);
        assert!((halved / before - 0.5).abs() < 1e-12, "{halved} of {before}");
    }

    #[test]
    fn a_determinant_that_heads_through_zero_and_comes_back_is_told_from_one_that_stays_away() {
        let holds = |determinants: &[f64]| {
            let mut watched = Watched::default();
            determinants.iter().enumerate().all(|(t, d)| watched.holds(t as f64, *d, false))
        };
        assert!(holds(&[1.0, 0.9, 0.85, 0.84, 0.87, 1.0]));
        assert!(!holds(&[1.0, 0.6, 0.2, 0.2, 0.6]), "reflected");
        assert!(!holds(&[1.0, 0.4, -0.2]));
        assert!(!holds(&[1.0, 0.0]));
    }
}
