//! Projection with sparse derivatives of the constraints: nothing is stored for each pair of coordinates.
//!
//! A basis of the free directions is dense whatever the constraints are. Multipliers make the change orthogonal to all of them
//! instead: `C = C_ref + D² (∂E/∂C)ᵀ λ`, D being the nominal values and the derivatives those at the reference. Dependent
//! variables take part in the constraints and in nothing that is kept: `(∂E/∂z)ᵀ λ = 0`. With `E = 0` these are as many equations
//! as unknowns, as sparse as the constraints, and they have the solution that the basis has.

use std::sync::Arc;

use super::{Began, Landed, Manifold, ProjectionFailure};
use crate::constants::SPARSE_DEPENDENCE;
use crate::newton::{Newton, NewtonFailure, Options, Solved, System};
use crate::problem::EvaluationFailed;
use crate::sparse::Pattern;
use crate::sparse_least_squares::Plan;

/// A row by columns.
type SparseRow = Vec<(usize, f64)>;

/// Projects such that these combinations of the coordinates are kept.
pub(super) fn land_on_rows(
    manifold: &mut dyn Manifold,
    pattern: &Pattern,
    rows: &[SparseRow],
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Landed, ProjectionFailure> {
    let n_constraints = manifold.constraints();
    let own = pattern.entries().enumerate().map(|(place, at)| (at, Entry::Constraint(place)));
    let kept = rows.iter().enumerate().flat_map(|(row, entries)| {
        let row = n_constraints + row;
        entries.iter().map(move |&(column, factor)| ((row, column), Entry::Given(factor)))
    });
    let further = Further::Kept { rows, reference: x.to_vec() };
    let mut system = Bordered::new(manifold, x.len(), further, own.chain(kept).collect(), pattern.len());
    let solved = system.solve(x, options)?;
    Ok(Landed { combinations: Vec::new(), solved, began: Began::There })
}

/// Projects with the least change of all but the `fixed` coordinates.
pub(super) fn land_nearest(
    manifold: &mut dyn Manifold,
    pattern: &Pattern,
    fixed: &[usize],
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Landed, ProjectionFailure> {
    let (n, width, n_constraints) = (manifold.coordinates(), x.len(), manifold.constraints());
    let failed = |reason| NewtonFailure::EvaluationFailed { iterations: 0, reason };
    let mut at_reference = vec![0.0; pattern.len()];
    manifold.entries(x, &mut at_reference).map_err(failed)?;
    scale_rows(pattern, &mut at_reference, options);
    let mut is_fixed = vec![false; n];
    fixed.iter().for_each(|&place| is_fixed[place] = true);
    let mut entries: Vec<((usize, usize), Entry)> =
        pattern.entries().enumerate().map(|(place, at)| (at, Entry::Constraint(place))).collect();
    let mut normals = vec![Vec::new(); width];
    for ((row, column), &value) in pattern.entries().zip(&at_reference) {
        if column >= n || !is_fixed[column] {
            normals[column].push((row, value));
            entries.push(((n_constraints + column, width + row), Entry::Given(-value)));
        }
    }
    for column in 0..n {
        entries.push(((n_constraints + column, column), Entry::Given(1.0 / options.nominal(column))));
    }
    let nominal: Vec<f64> = (0..width).map(|i| options.nominal(i)).collect();
    let further = Further::Nearest { normals, nominal, n, reference: x.to_vec() };
    let mut system = Bordered::new(manifold, width + n_constraints, further, entries, pattern.len());
    let mut unknowns = x.to_vec();
    unknowns.resize(width + n_constraints, 0.0);
    let wide = Widened::new(options, width, n_constraints);
    let solved = system.solve(&mut unknowns, &wide.options(options));
    x.copy_from_slice(&unknowns[..width]);
    match solved {
        Ok(solved) => Ok(Landed { combinations: Vec::new(), solved, began: Began::There }),
        Err(NewtonFailure::Singular { iterations: 0 | 1, unknown, worst_equation, .. }) => {
            let constraint = unknown.checked_sub(width).unwrap_or(worst_equation).min(n_constraints - 1);
            Err(ProjectionFailure::Dependent { constraint })
        }
        Err(other) => Err(other.into()),
    }
}

/// Rows in units of the nominal values, and then of their largest entry.
fn scale_rows(pattern: &Pattern, entries: &mut [f64], options: &Options<'_>) {
    let mut largest = vec![0.0_f64; pattern.rows()];
    for ((row, column), entry) in pattern.entries().zip(entries.iter_mut()) {
        *entry *= options.nominal(column);
        largest[row] = largest[row].max(entry.abs());
    }
    for (&row, entry) in pattern.row_indices().iter().zip(entries) {
        if largest[row] > 0.0 && largest[row].is_finite() {
            *entry /= largest[row];
        }
    }
}

/// Nominal values and bounds of the unknowns and of the multipliers: those are about one, as rows are scaled.
struct Widened {
    nominal: Vec<f64>,
    min: Vec<f64>,
    max: Vec<f64>,
}

impl Widened {
    fn new(options: &Options<'_>, n: usize, more: usize) -> Widened {
        let wider = |list: &[f64], with: f64| match list.is_empty() {
            true => Vec::new(),
            false => list.iter().copied().chain(std::iter::repeat_n(with, more)).collect(),
        };
        let nominal = (0..n).map(|i| options.nominal(i)).chain(std::iter::repeat_n(1.0, more)).collect();
        Widened {
            nominal,
            min: wider(options.min, f64::NEG_INFINITY),
            max: wider(options.max, f64::INFINITY),
        }
    }

    fn options<'a>(&'a self, options: &Options<'a>) -> Options<'a> {
        Options { nominal: &self.nominal, min: &self.min, max: &self.max, ..options.clone() }
    }
}

/// Origin of a matrix entry.
#[derive(Clone, Copy)]
enum Entry {
    /// The derivative of a constraint, by its place among these.
    Constraint(usize),
    /// A number.
    Given(f64),
}

/// The equations beside the constraints.
enum Further<'a> {
    Kept {
        rows: &'a [SparseRow],
        reference: Vec<f64>,
    },
    Nearest {
        /// By unknown, the rows of the constraints at the reference.
        normals: Vec<SparseRow>,
        nominal: Vec<f64>,
        /// Coordinates; dependent variables come after them.
        n: usize,
        reference: Vec<f64>,
    },
}

/// The constraints with further linear equations: square.
struct Bordered<'a> {
    manifold: &'a mut dyn Manifold,
    n: usize,
    further: Further<'a>,
    pattern: Arc<Pattern>,
    entries: Vec<Entry>,
    of_constraints: Vec<f64>,
}

impl<'a> Bordered<'a> {
    fn new(
        manifold: &'a mut dyn Manifold,
        n: usize,
        further: Further<'a>,
        mut entries: Vec<((usize, usize), Entry)>,
        n_of_constraints: usize,
    ) -> Bordered<'a> {
        entries.sort_by_key(|&((row, column), _)| (column, row));
        let pattern = Arc::new(Pattern::from_entries(n, n, entries.iter().map(|&(at, _)| at)));
        debug_assert_eq!(pattern.len(), entries.len());
        let entries = entries.into_iter().map(|(_, entry)| entry).collect();
        Bordered { manifold, n, further, pattern, entries, of_constraints: vec![0.0; n_of_constraints] }
    }

    fn solve(&mut self, x: &mut [f64], options: &Options<'_>) -> Result<Solved, NewtonFailure> {
        let beyond = || NewtonFailure::EvaluationFailed {
            iterations: 0,
            reason: EvaluationFailed::new("the constraints are too many to be solved together"),
        };
        Newton::sparse(self.pattern.clone()).ok_or_else(beyond)?.solve(self, x, options)
    }
}

impl System for Bordered<'_> {
    fn n(&self) -> usize {
        self.n
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        let width = self.manifold.coordinates() + self.manifold.following();
        let (constraints, rest) = residual.split_at_mut(self.manifold.constraints());
        self.manifold.residual(&x[..width], constraints)?;
        match &self.further {
            Further::Kept { rows, reference } => {
                for (kept, row) in rest.iter_mut().zip(*rows) {
                    *kept = row.iter().map(|&(place, factor)| factor * (x[place] - reference[place])).sum();
                }
            }
            Further::Nearest { normals, nominal, n, reference } => {
                let multipliers = &x[width..];
                for (place, (rest, normal)) in rest.iter_mut().zip(normals).enumerate() {
                    let moved = if place < *n { (x[place] - reference[place]) / nominal[place] } else { 0.0 };
                    let along: f64 = normal.iter().map(|&(row, value)| value * multipliers[row]).sum();
                    *rest = moved - along;
                }
            }
        }
        Ok(())
    }

    fn jacobian(&mut self, _x: &[f64], _jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        Err(EvaluationFailed::new("the derivatives are known as a sparse matrix only"))
    }

    fn sparse_jacobian(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        let width = self.manifold.coordinates() + self.manifold.following();
        self.manifold.entries(&x[..width], &mut self.of_constraints)?;
        for (entry, source) in entries.iter_mut().zip(&self.entries) {
            *entry = match *source {
                Entry::Constraint(place) => self.of_constraints[place],
                Entry::Given(value) => value,
            };
        }
        Ok(())
    }
}

/// The rows that can be combined to nothing at `x`, each scaled by the nominal values, over the columns that any of them has:
/// constraints, and conditions after them, by place.
pub(super) fn involved(
    manifold: &mut dyn Manifold,
    pattern: &Pattern,
    conditions: &[Vec<f64>],
    x: &[f64],
    options: &Options<'_>,
) -> Result<Vec<(usize, Vec<f64>)>, EvaluationFailed> {
    if conditions.is_empty() {
        return Ok(Vec::new());
    }
    let n_constraints = pattern.rows();
    let mut derivatives = vec![0.0; pattern.len()];
    manifold.entries(x, &mut derivatives)?;
    let mut rows: Vec<SparseRow> = vec![Vec::new(); n_constraints];
    for ((row, column), value) in pattern.entries().zip(derivatives) {
        rows[row].push((column, value * options.nominal(column)));
    }
    rows.extend(conditions.iter().map(|entries| {
        let entries = entries.iter().enumerate().filter(|(_, entry)| **entry != 0.0);
        entries.map(|(column, entry)| (column, entry * options.nominal(column))).collect()
    }));
    // a linear dependence of the rows is in the null space of the transposed matrix
    let entries = rows.iter().enumerate().flat_map(|(row, entries)| entries.iter().map(move |e| (e.0, row)));
    let transposed = Arc::new(Pattern::from_entries(x.len(), rows.len(), entries));
    let mut values = Vec::with_capacity(transposed.len());
    for row in &rows {
        let largest = row.iter().fold(0.0, |most: f64, entry| most.max(entry.1.abs()));
        values.extend(row.iter().map(|entry| entry.1 / if largest > 0.0 { largest } else { 1.0 }));
    }
    let found = Plan::new(transposed).solve(&values, &vec![0.0; x.len()], SPARSE_DEPENDENCE);
    let Some(found) = found else { return Ok(Vec::new()) };
    let is_involved = |row: &usize| found.freedom[*row] > SPARSE_DEPENDENCE;
    let involved: Vec<usize> = (0..rows.len()).filter(is_involved).collect();
    let mut columns: Vec<usize> = involved.iter().flat_map(|&row| &rows[row]).map(|entry| entry.0).collect();
    columns.sort_unstable();
    columns.dedup();
    let dense = |row: usize| {
        let mut dense = vec![0.0; columns.len()];
        for &(column, value) in &rows[row] {
            dense[columns.partition_point(|&own| own < column)] = value;
        }
        dense
    };
    Ok(involved.into_iter().map(|row| (row, dense(row))).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Keep, dependences, project};
    use super::*;

    /// `n` masses in the plane between (0, 0) and (1, 0), tied by rods of equal length, and the sum of the coordinates of each mass, which
    /// follows.
    struct Rods {
        n: usize,
        length: f64,
        is_sparse: bool,
    }

    impl Rods {
        fn at(&self, x: &[f64], mass: usize, axis: usize) -> f64 {
            match mass {
                0 => 0.0,
                mass if mass <= self.n => x[2 * (mass - 1) + axis],
                _ => [1.0, 0.0][axis],
            }
        }

        /// Row, column and derivative.
        fn derivatives(&self, x: &[f64]) -> Vec<(usize, usize, f64)> {
            let mut found = Vec::new();
            for rod in 0..=self.n {
                for axis in 0..2 {
                    let slope = 2.0 * (self.at(x, rod + 1, axis) - self.at(x, rod, axis));
                    if rod < self.n {
                        found.push((rod, 2 * rod + axis, slope));
                    }
                    if rod > 0 {
                        found.push((rod, 2 * (rod - 1) + axis, -slope));
                    }
                }
            }
            for mass in 0..self.n {
                let row = self.n + 1 + mass;
                found.extend([
                    (row, 2 * mass, -1.0),
                    (row, 2 * mass + 1, -1.0),
                    (row, 2 * self.n + mass, 1.0),
                ]);
            }
            found
        }

        /// On an arc, with rods that are a little shorter than they should be.
        fn guess(&self) -> Vec<f64> {
            let mass = |mass: usize| {
                let angle = HALF_ANGLE * (2.0 * mass as f64 / (self.n + 1) as f64 - 1.0);
                let radius = 0.5 / HALF_ANGLE.sin();
                [0.5 + radius * angle.sin(), radius * (HALF_ANGLE.cos() - angle.cos())]
            };
            (1..=self.n).flat_map(mass).chain(std::iter::repeat_n(0.0, self.n)).collect()
        }
    }

    const HALF_ANGLE: f64 = 1.2;

    /// Rods that are longer than those of the arc by this factor.
    fn rods(n: usize, longer: f64, is_sparse: bool) -> Rods {
        let length = longer / HALF_ANGLE.sin() * (HALF_ANGLE / (n + 1) as f64).sin();
        Rods { n, length, is_sparse }
    }

    impl Manifold for Rods {
        fn coordinates(&self) -> usize {
            2 * self.n
        }
        fn following(&self) -> usize {
            self.n
        }
        fn constraints(&self) -> usize {
            2 * self.n + 1
        }
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), EvaluationFailed> {
            for (rod, r) in r.iter_mut().enumerate().take(self.n + 1) {
                let along = |axis: usize| self.at(x, rod + 1, axis) - self.at(x, rod, axis);
                *r = along(0).powi(2) + along(1).powi(2) - self.length.powi(2);
            }
            for mass in 0..self.n {
                r[self.n + 1 + mass] = x[2 * self.n + mass] - x[2 * mass] - x[2 * mass + 1];
            }
            Ok(())
        }
        fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
            assert!(!self.is_sparse, "no dense matrix is asked for");
            jacobian.fill(0.0);
            let derivatives = self.derivatives(x);
            derivatives.into_iter().for_each(|(row, column, value)| jacobian[row * x.len() + column] = value);
            Ok(())
        }
        fn pattern(&self) -> Option<Arc<Pattern>> {
            let entries =
                self.derivatives(&vec![0.0; 3 * self.n]).into_iter().map(|(row, column, _)| (row, column));
            let pattern = || Pattern::from_entries(2 * self.n + 1, 3 * self.n, entries);
            self.is_sparse.then(pattern).map(Arc::new)
        }
        fn entries(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
            let pattern = self.pattern().expect("sparse");
            for (row, column, value) in self.derivatives(x) {
                entries[pattern.position(row, column).expect("an entry")] = value;
            }
            Ok(())
        }
    }

    fn landed(n: usize, keep: Keep<'_>, is_sparse: bool) -> Result<Vec<f64>, ProjectionFailure> {
        let mut rods = rods(n, 1.02, is_sparse);
        let mut x = rods.guess();
        project(&mut rods, keep, &mut x, &Options::default()).map(|_| x)
    }

    #[test]
    fn a_sparse_landing_ends_where_a_dense_one_does() {
        let mut n_landed = 0;
        for n in [1, 2, 5, 12] {
            let every_second: Vec<usize> = (0..n - 1).map(|place| 2 * place).collect();
            let fixed = [vec![], vec![0], vec![1, 5]];
            let nearest = fixed.iter().filter(|fixed| fixed.len() < n);
            let nearest = nearest.map(|fixed| Keep::Nearest { fixed, may_displace: false });
            for keep in nearest.chain([Keep::Coordinates(&every_second)]) {
                let (dense, sparse) = (landed(n, keep, false), landed(n, keep, true));
                assert_eq!(dense.is_ok(), sparse.is_ok(), "{n} {keep:?}: {dense:?} {sparse:?}");
                let (Ok(dense), Ok(sparse)) = (dense, sparse) else { continue };
                let is_same = dense.iter().zip(&sparse).all(|(a, b)| (a - b).abs() < 1e-8);
                assert!(is_same, "{n} {keep:?}: {dense:?} {sparse:?}");
                n_landed += 1;
            }
        }
        assert!(n_landed > 6, "{n_landed}");
    }

    #[test]
    fn thousands_of_rods_are_landed_on() {
        let n = 2000;
        let mut rods = rods(n, 1.001, true);
        let mut x = rods.guess();
        let keep = Keep::Nearest { fixed: &[0, 2001], may_displace: false };
        let before = (x[0], x[2001]);
        project(&mut rods, keep, &mut x, &Options::default()).unwrap();
        assert_eq!((x[0], x[2001]), before);
        let mut residual = vec![0.0; 2 * n + 1];
        rods.residual(&x, &mut residual).unwrap();
        assert!(residual.iter().all(|off| off.abs() < 1e-12));
    }

    #[test]
    fn what_is_said_twice_is_found_on_a_pattern_too() {
        // the sum of the coordinates of a mass follows from these
        for n in [3, 200] {
            let mut rods = rods(n, 1.0, true);
            let x = rods.guess();
            let unit =
                |place: usize| (0..3 * n).map(|k| f64::from(u8::from(k == place))).collect::<Vec<f64>>();
            let conditions = [unit(2), unit(3), unit(2 * n + 1)];
            let found = dependences(&mut rods, &conditions, &x, 1e-6, &Options::default()).unwrap();
            assert_eq!(found.len(), 1);
            assert_eq!((found[0].row, &found[0].others[..]), (2, &[0, 1][..]));
            assert_eq!(found[0].constraints, [n + 2]);
            let found = dependences(&mut rods, &conditions[..1], &x, 1e-6, &Options::default()).unwrap();
            assert!(found.is_empty());
        }
    }
}
