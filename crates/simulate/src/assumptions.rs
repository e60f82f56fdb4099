//! What the choice of states takes for granted, watched while the run goes on.
//!
//! Where the modeller's wishes leave no choice (`always`, `never`), constraints are solved for variables although nothing proves
//! that this can be done everywhere. Where it no longer can, a solution often seems to go on: it is reflected, on the wrong
//! branch. So the determinant is watched: a run ends where it vanishes, changes its sign, or heads through zero from one step
//! to the next.

use crate::CompiledModel;

/// A determinant below this share of the largest so far counts as zero.
const VANISHED: f64 = 1e-6;

/// An entry below this share of its row is what rounding leaves of zero.
const ROUNDED: f64 = 1e-14;
/// A determinant, of rows and columns whose largest entry is one, that counts as zero when nothing is known to compare it with.
const SINGULAR: f64 = 1e-10;

/// A determinant below this share of the largest so far is small enough to be suspected.
const SUSPECT: f64 = 0.3;

/// The determinants of all assumptions of a model.
#[derive(Clone)]
pub(crate) struct Assumptions {
    watched: Vec<Watched>,
}

#[derive(Clone, Default)]
struct Watched {
    /// The last two points in time, with the determinant there.
    last: Option<(f64, f64)>,
    before: Option<(f64, f64)>,
    largest: f64,
}

impl Assumptions {
    pub(crate) fn new(model: &CompiledModel) -> Self {
        Assumptions { watched: vec![Watched::default(); model.solvable.assumptions.len()] }
    }

    /// After a step, the derivatives of the constraints being known: the first assumption that no longer holds.
    pub(crate) fn check(&mut self, model: &CompiledModel, t: f64, jacobians: &[Vec<f64>]) -> Option<usize> {
        let mut failed = None;
        for (place, watched) in self.watched.iter_mut().enumerate() {
            let n = model.solvable.assumptions[place].solved_for.len();
            let is_first = watched.last.is_none();
            let (determinant, regularity) = scaled_determinant(&jacobians[place], n);
            if !watched.holds(t, determinant) || (is_first && regularity < SINGULAR) {
                failed = failed.or(Some(place));
            }
        }
        failed
    }

    /// The assumption that may be why a run cannot go on.
    pub(crate) fn suspect(&self) -> Option<usize> {
        let is_suspect = |watched: &Watched| {
            watched.last.is_some_and(|(_, determinant)| determinant.abs() < SUSPECT * watched.largest)
        };
        self.watched.iter().position(is_suspect)
    }
}

impl Watched {
    fn holds(&mut self, t: f64, determinant: f64) -> bool {
        self.largest = self.largest.max(determinant.abs());
        let heads_through_zero = match (self.before, self.last) {
            (Some((t0, d0)), Some((t1, d1))) if t1 > t0 && t > t1 => {
                let expected = d1 + (d1 - d0) / (t1 - t0) * (t - t1);
                expected * d1 < 0.0 && determinant.abs() < SUSPECT * self.largest
            }
            _ => false,
        };
        let changes_sign = self.last.is_some_and(|(_, last)| last * determinant < 0.0);
        if self.last.is_none_or(|(last, _)| t > last) {
            self.before = self.last.replace((t, determinant));
        }
        determinant.abs() > VANISHED * self.largest && !changes_sign && !heads_through_zero
    }
}

/// The determinant of the first `n` columns of `n` rows, each row being scaled by its largest entry; and its size when the columns
/// are scaled, too. The first is smooth in time. The second does not depend on units: a flux in webers beside a current in
/// amperes is small, but no zero.
fn scaled_determinant(jacobian: &[f64], n: usize) -> (f64, f64) {
    let Some(n_columns) = jacobian.len().checked_div(n).filter(|&width| width >= n && n > 0) else {
        return (1.0, 1.0);
    };
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for row in jacobian.chunks_exact(n_columns) {
        let largest = largest(row);
        if !largest.is_finite() || largest == 0.0 {
            return (0.0, 0.0);
        }
        rows.push(row[..n].iter().map(|entry| entry / largest).collect());
    }
    let mut scaled = rows.clone();
    for row in &mut scaled {
        row.iter_mut().filter(|entry| entry.abs() < ROUNDED).for_each(|entry| *entry = 0.0);
        let largest = largest(row);
        row.iter_mut().for_each(|entry| *entry /= largest);
    }
    for column in 0..n {
        let largest = scaled.iter().map(|row| row[column].abs()).fold(0.0, f64::max);
        scaled.iter_mut().for_each(|row| row[column] /= largest);
    }
    // nothing divided by nothing is not a number, and no pivot
    (determinant(rows), Some(determinant(scaled).abs()).filter(|size| size.is_finite()).unwrap_or(0.0))
}

fn largest(row: &[f64]) -> f64 {
    row.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()))
}

/// By elimination with the largest element of a column as pivot.
fn determinant(mut rows: Vec<Vec<f64>>) -> f64 {
    let n = rows.len();
    let mut determinant = 1.0;
    for step in 0..n {
        let best =
            (step..n).max_by(|&a, &b| rows[a][step].abs().total_cmp(&rows[b][step].abs())).unwrap_or(step);
        if best != step {
            rows.swap(best, step);
            determinant = -determinant;
        }
        let (above, below) = rows.split_at_mut(step + 1);
        let pivot = &above[step];
        determinant *= pivot[step];
        if pivot[step] == 0.0 {
            return 0.0;
        }
        for row in below {
            let factor = row[step] / pivot[step];
            row.iter_mut().zip(pivot).for_each(|(entry, by)| *entry -= factor * by);
        }
    }
    determinant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn determinants_are_scaled_by_rows() {
        assert_eq!(scaled_determinant(&[2.0, 0.0, 0.0, 5.0], 2), (1.0, 1.0));
        assert_eq!(scaled_determinant(&[0.0, 2.0, 5.0, 0.0], 2), (-1.0, 1.0));
        assert_eq!(scaled_determinant(&[1.0, 4.0], 1), (0.25, 1.0), "the second column is known");
        assert_eq!(scaled_determinant(&[1.0, 1.0, 1.0, 1.0], 2), (0.0, 0.0));
        let in_other_units = scaled_determinant(&[1e-7, 0.0, 1.0, 0.0, 1e-7, 1.0], 2);
        assert_eq!(in_other_units.1, 1.0);
        assert_eq!(scaled_determinant(&[1e-16, 1.0], 1).1, 0.0, "rounding");
    }

    #[test]
    fn a_determinant_that_heads_through_zero_and_comes_back_is_told_from_one_that_stays_away() {
        let holds = |determinants: &[f64]| {
            let mut watched = Watched::default();
            determinants.iter().enumerate().all(|(t, d)| watched.holds(t as f64, *d))
        };
        assert!(holds(&[1.0, 0.9, 0.85, 0.84, 0.87, 1.0]));
        assert!(!holds(&[1.0, 0.6, 0.2, 0.2, 0.6]), "reflected");
        assert!(!holds(&[1.0, 0.4, -0.2]));
        assert!(!holds(&[1.0, 0.0]));
    }
}
