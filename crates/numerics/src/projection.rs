//! Projection onto a manifold: `F(C − C_ref) = 0, E(C) = 0`.
//!
//! The constraints `E` confine the coordinates `C` and give further unknowns that follow from them. There are fewer of them
//! than coordinates; the rows of `F` are the combinations kept from the reference `C_ref`. Initialisation projects start
//! values, a change of coordinates and a jump of a state the values before, drift correction the drifted values. They differ
//! in the reference and in `F`.
//!
//! The tangent `F`, an orthonormal basis of the directions that the constraints leave free at the reference, makes the least
//! change in units of the nominal values. `[∂E/∂C; F]` is regular wherever the constraints are independent: no heuristic
//! decides it. If the iteration fails along it, the free directions are taken anew at each point on the way (Gauss–Newton for
//! underdetermined equations; Deuflhard, *Newton Methods for Nonlinear Problems*, 2004, §4.4). That ends, too, where the
//! constraints depend on each other and come no closer, as bars that are stretched out: then the search begins beside the
//! reference.

mod sparse;

use std::fmt;
use std::sync::Arc;

use crate::constants::{
    DEPENDENT_DIRECTION, GOLDEN_SHARE, PROJECTION_BESIDE, PROJECTION_RESTARTS,
    PROJECTION_RESTARTS_TO_COMPARE, PROJECTION_ROUNDS,
};
use crate::newton::{Newton, NewtonFailure, Options, Solved, System};
use crate::problem::EvaluationFailed;
use crate::sparse::Pattern;

/// Most dependent rows of a large manifold that are reduced to a minimal set; of more, all are named.
const MOST_INVOLVED: usize = 100;

/// Constraints between coordinates and dependent variables.
pub trait Manifold {
    /// Number of coordinates: the first of all unknowns.
    fn coordinates(&self) -> usize;

    /// Number of further unknowns, which the constraints give once the coordinates are known.
    fn following(&self) -> usize;

    /// Number of constraints; at least as many as unknowns that follow.
    fn constraints(&self) -> usize;

    /// Writes `E(x)`.
    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed>;

    /// Writes `∂E/∂x` by rows, one column for each coordinate and each unknown that follows.
    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed>;

    /// Sparsity pattern of `∂E/∂x`, if it is to be treated as sparse.
    fn pattern(&self) -> Option<Arc<Pattern>> {
        None
    }

    /// Writes the entries of `∂E/∂x` on its pattern, in its order: where there is one.
    fn entries(&mut self, _x: &[f64], _entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        Err(EvaluationFailed::new("the derivatives are known as a dense matrix only"))
    }
}

/// Quantities kept from the reference: `F`.
#[derive(Clone, Copy, Debug)]
pub enum Keep<'a> {
    /// These coordinates; as many as the constraints leave free.
    Coordinates(&'a [usize]),
    /// These combinations of the coordinates, each by the coordinates in it and their factors; as many as the constraints leave free.
    Combinations(&'a [Vec<(usize, f64)>]),
    /// These coordinates, and of the others as much as can be: the least change.
    Nearest {
        /// By place.
        fixed: &'a [usize],
        /// Whether the search may begin elsewhere where the constraints are singular at the reference.
        may_displace: bool,
    },
}

/// A point on the manifold.
#[derive(Clone, Debug, PartialEq)]
pub struct Landed {
    /// `F` by rows, over the coordinates. Fixed coordinates come first. Empty if the constraints are sparse: `F` is then implied
    /// by them, and not written down.
    pub combinations: Vec<f64>,
    /// How it was found.
    pub solved: Solved,
    /// Starting point of the search.
    pub began: Began,
}

/// Starting point of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Began {
    /// At the reference.
    There,
    /// Above it: the constraints are singular there.
    Above,
    /// Beside it: from there it led nowhere.
    Beside,
}

/// Why no point is found.
#[derive(Debug)]
pub enum ProjectionFailure {
    /// The constraints depend on each other at the reference, or on the coordinates that are fixed: no tangent there.
    Dependent {
        /// A constraint that depends on the others; none if it depends on fixed coordinates.
        constraint: usize,
    },
    /// The iteration failed. Equations after the constraints are rows of `F`.
    NotSolved(NewtonFailure),
}

impl fmt::Display for ProjectionFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProjectionFailure::Dependent { constraint } => {
                write!(f, "constraint {constraint} depends on the others, or on what is fixed")
            }
            ProjectionFailure::NotSolved(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for ProjectionFailure {}

impl From<NewtonFailure> for ProjectionFailure {
    fn from(failure: NewtonFailure) -> Self {
        ProjectionFailure::NotSolved(failure)
    }
}

/// Projects `x`, which holds the reference and guesses of the dependent variables, onto the manifold such that the
/// quantities to be kept are kept. If there is none, `x` is left as it was.
///
/// # Panics
/// If more or less is kept than the constraints leave free.
pub fn project(
    manifold: &mut dyn Manifold,
    keep: Keep<'_>,
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Landed, ProjectionFailure> {
    let reference = x.to_vec();
    let landed = match keep {
        Keep::Combinations(rows) => land_on_rows(manifold, rows, x, options),
        Keep::Coordinates(places) => {
            let rows: Vec<Vec<(usize, f64)>> = places.iter().map(|&place| vec![(place, 1.0)]).collect();
            land_on_rows(manifold, &rows, x, options)
        }
        Keep::Nearest { fixed, may_displace } => nearest(manifold, fixed, may_displace, x, options),
    };
    if landed.is_err() {
        x.copy_from_slice(&reference);
    }
    landed
}

/// Projects such that these combinations of the coordinates are kept.
fn land_on_rows(
    manifold: &mut dyn Manifold,
    rows: &[Vec<(usize, f64)>],
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Landed, ProjectionFailure> {
    assert_eq!(rows.len(), freedom(manifold), "as much is kept as the constraints leave free");
    if let Some(pattern) = manifold.pattern() {
        return sparse::land_on_rows(manifold, &pattern, rows, x, options);
    }
    let n = manifold.coordinates();
    let mut dense = vec![0.0; rows.len() * n];
    for (row, entries) in rows.iter().enumerate() {
        entries.iter().for_each(|&(place, factor)| dense[row * n + place] = factor);
    }
    land(manifold, dense, x, options)
}

/// Projects with the least change from `x`, in the directions normal to the constraints there.
fn land_nearest(
    manifold: &mut dyn Manifold,
    fixed: &[usize],
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Landed, ProjectionFailure> {
    match manifold.pattern() {
        Some(pattern) => sparse::land_nearest(manifold, &pattern, fixed, x, options),
        None => {
            let tangent = free_directions(manifold, fixed, x, options)?;
            land(manifold, tangent, x, options)
        }
    }
}

/// How many directions the constraints leave free.
pub fn freedom(manifold: &dyn Manifold) -> usize {
    manifold.coordinates() + manifold.following() - manifold.constraints()
}

fn nearest(
    manifold: &mut dyn Manifold,
    fixed: &[usize],
    may_displace: bool,
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Landed, ProjectionFailure> {
    let reference = x.to_vec();
    let along_tangent = land_nearest(manifold, fixed, x, options);
    if along_tangent.is_ok() {
        return along_tangent;
    }
    x.copy_from_slice(&reference);
    let mut began = Began::There;
    if matches!(along_tangent, Err(ProjectionFailure::Dependent { .. })) {
        if !may_displace {
            return along_tangent;
        }
        began = Began::Above;
        displace(manifold.coordinates(), fixed, x, options);
    }
    let mut solved = by_rounds(manifold, fixed, x, options).unwrap_or_default();
    if solved.is_none() {
        solved = from_beside(manifold, fixed, &reference, x, options);
        began = Began::Beside;
    }
    let Some(solved) = solved else { return along_tangent };
    if manifold.pattern().is_some() {
        return Ok(Landed { combinations: Vec::new(), solved, began });
    }
    let rows = free_directions(manifold, fixed, x, options)?;
    let n = manifold.coordinates();
    let combinations = without_direction(rows, &reference[..n], &x[..n], options);
    Ok(Landed { combinations, solved, began })
}

/// The last point is the reference of the next one: each round goes a bounded way. Nothing where they lead nowhere.
fn by_rounds(
    manifold: &mut dyn Manifold,
    fixed: &[usize],
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Option<Solved>, ProjectionFailure> {
    for _ in 0..PROJECTION_ROUNDS {
        let patient = Options { max_iterations: 1, ..options.clone() };
        let before = x.to_vec();
        match land_nearest(manifold, fixed, x, &patient) {
            Ok(landed) => return Ok(Some(landed.solved)),
            Err(dependent @ ProjectionFailure::Dependent { .. }) => return Err(dependent),
            Err(_) if *x == *before => return Ok(None),
            Err(_) => {}
        }
    }
    Ok(None)
}

/// Rounds that begin beside the reference, as far from it as those were led that began there and ended at `x`, where the
/// constraints can come no closer. Of the points found the nearest one.
fn from_beside(
    manifold: &mut dyn Manifold,
    fixed: &[usize],
    reference: &[f64],
    x: &mut [f64],
    options: &Options<'_>,
) -> Option<Solved> {
    let n = manifold.coordinates();
    let distance = |x: &[f64]| {
        let gone = (0..n).map(|i| (x[i] - reference[i]) / options.nominal(i));
        gone.map(|gone| gone * gone).sum::<f64>().sqrt()
    };
    let is_fixed = marked(n, fixed);
    let size = distance(&vec![0.0; n]);
    let (radius, stalled) = (distance(x).max(PROJECTION_BESIDE * size), x.to_vec());
    let mut best: Option<(f64, Vec<f64>, Solved)> = None;
    let mut n_found = 0;
    for attempt in 0..PROJECTION_RESTARTS {
        x.copy_from_slice(reference);
        let direction = direction(n, attempt);
        for place in (0..n).filter(|&place| !is_fixed[place]) {
            x[place] += radius * direction[place] * options.nominal(place);
        }
        // the best guess of the dependent variables is the point at which the search got stuck
        x[n..].copy_from_slice(&stalled[n..]);
        let Ok(Some(solved)) = by_rounds(manifold, fixed, x, options) else { continue };
        n_found += 1;
        if best.as_ref().is_none_or(|(least, ..)| distance(x) < *least) {
            best = Some((distance(x), x.to_vec(), solved));
        }
        if n_found == PROJECTION_RESTARTS_TO_COMPARE {
            break;
        }
    }
    let (_, found, solved) = best?;
    x.copy_from_slice(&found);
    Some(solved)
}

/// Directions that are spread evenly, always the same; of length 1.
fn direction(n: usize, attempt: usize) -> Vec<f64> {
    let entry = |place: usize| 2.0 * ((1 + attempt * n + place) as f64 * GOLDEN_SHARE).fract() - 1.0;
    let mut direction: Vec<f64> = (0..n).map(entry).collect();
    let length = norm(&direction);
    direction.iter_mut().for_each(|entry| *entry /= length);
    direction
}

/// Moves coordinates away from where constraints are singular, such as the centre of a circle.
fn displace(n: usize, fixed: &[usize], x: &mut [f64], options: &Options<'_>) {
    let is_fixed = marked(n, fixed);
    for place in (0..n).filter(|&place| !is_fixed[place]) {
        x[place] += options.nominal(place) * displacement(place);
    }
}

fn marked(n: usize, places: &[usize]) -> Vec<bool> {
    let mut is_marked = vec![false; n];
    places.iter().for_each(|&place| is_marked[place] = true);
    is_marked
}

/// How far a search begins above a singular guess, in nominal values: each unknown by another amount, so that differences of two
/// do not vanish either.
pub fn displacement(place: usize) -> f64 {
    0.5 + (place as f64 * GOLDEN_SHARE).fract()
}

fn land(
    manifold: &mut dyn Manifold,
    combinations: Vec<f64>,
    x: &mut [f64],
    options: &Options<'_>,
) -> Result<Landed, ProjectionFailure> {
    let n = manifold.coordinates();
    assert_eq!(combinations.len(), freedom(manifold) * n, "as much is kept as the constraints leave free");
    let reference = x[..n].to_vec();
    let mut system = Square { manifold, combinations: &combinations, reference: &reference };
    let solved = Newton::new(x.len()).solve(&mut system, x, options)?;
    Ok(Landed { combinations, solved, began: Began::There })
}

/// `E(x) = 0` and `F(C − C_ref) = 0` together.
struct Square<'a> {
    manifold: &'a mut dyn Manifold,
    combinations: &'a [f64],
    reference: &'a [f64],
}

impl System for Square<'_> {
    fn n(&self) -> usize {
        self.manifold.coordinates() + self.manifold.following()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        let (constraints, kept) = residual.split_at_mut(self.manifold.constraints());
        self.manifold.residual(x, constraints)?;
        for (kept, row) in kept.iter_mut().zip(self.combinations.chunks_exact(self.reference.len())) {
            *kept =
                row.iter().zip(x).zip(self.reference).map(|((factor, x), at)| factor * (x - at)).sum::<f64>();
        }
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        let n = self.n();
        let (constraints, kept) = jacobian.split_at_mut(self.manifold.constraints() * n);
        self.manifold.jacobian(x, constraints)?;
        for (kept, row) in kept.chunks_exact_mut(n).zip(self.combinations.chunks_exact(self.reference.len()))
        {
            kept.fill(0.0);
            kept[..row.len()].copy_from_slice(row);
        }
        Ok(())
    }
}

/// The fixed coordinates, then a basis of the directions that they and the constraints leave free at `x`; orthonormal in units
/// of the nominal values.
pub fn free_directions(
    manifold: &mut dyn Manifold,
    fixed: &[usize],
    x: &[f64],
    options: &Options<'_>,
) -> Result<Vec<f64>, ProjectionFailure> {
    let n = manifold.coordinates();
    let rows = among_coordinates(manifold, x, options)?;
    let mut basis = Basis { vectors: Vec::new() };
    for &place in fixed {
        basis.push(unit(n, place), 0.0);
    }
    for (constraint, row) in rows.into_iter().enumerate() {
        if !basis.push(row, DEPENDENT_DIRECTION) {
            return Err(ProjectionFailure::Dependent { constraint });
        }
    }
    let n_taken = basis.vectors.len();
    while basis.vectors.len() < n {
        // the axis of which most is left
        let left = |place: usize| 1.0 - basis.vectors.iter().map(|v| v[place] * v[place]).sum::<f64>();
        let place = (0..n).max_by(|&a, &b| left(a).total_cmp(&left(b)).then(b.cmp(&a))).unwrap_or(0);
        basis.push(unit(n, place), 0.0);
    }
    let mut combinations: Vec<f64> = fixed.iter().flat_map(|&place| unit(n, place)).collect();
    for vector in &basis.vectors[n_taken..] {
        combinations.extend(vector.iter().enumerate().map(|(place, entry)| entry / options.nominal(place)));
    }
    Ok(combinations)
}

/// A condition that has no say of its own: constraints and other conditions leave it no room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// By place.
    pub row: usize,
    /// The constraints without which it would have one, by place.
    pub constraints: Vec<usize>,
    /// The other conditions without which it would have one.
    pub others: Vec<usize>,
}

/// Which conditions, given by their derivatives by all unknowns, depend at `x` on the constraints and on those before them: less
/// than the share `least` of them is left.
pub fn dependences(
    manifold: &mut dyn Manifold,
    conditions: &[Vec<f64>],
    x: &[f64],
    least: f64,
    options: &Options<'_>,
) -> Result<Vec<Dependence>, EvaluationFailed> {
    let n_constraints = manifold.constraints();
    if let Some(pattern) = manifold.pattern() {
        let involved = sparse::involved(manifold, &pattern, conditions, x, options)?;
        if involved.len() <= MOST_INVOLVED {
            return Ok(dependences_among(involved, n_constraints, least));
        }
        // too many to ask which of them could be left out
        let rows = involved.into_iter().map(|(row, _)| row);
        let (constraints, mut others): (Vec<usize>, Vec<usize>) = rows.partition(|&row| row < n_constraints);
        others.iter_mut().for_each(|row| *row -= n_constraints);
        return Ok(others.pop().map(|row| Dependence { row, constraints, others }).into_iter().collect());
    }
    if conditions.is_empty() {
        return Ok(Vec::new());
    }
    let width = manifold.coordinates() + manifold.following();
    let mut jacobian = vec![0.0; n_constraints * width];
    manifold.jacobian(x, &mut jacobian)?;
    let scaled = |row: &[f64]| row.iter().enumerate().map(|(i, entry)| entry * options.nominal(i)).collect();
    let rows = jacobian.chunks_exact(width).chain(conditions.iter().map(Vec::as_slice)).map(scaled);
    Ok(dependences_among(rows.enumerate().collect(), n_constraints, least))
}

/// The same among some rows, numbered with constraints first.
fn dependences_among(rows: Vec<(usize, Vec<f64>)>, n_constraints: usize, least: f64) -> Vec<Dependence> {
    let (mut kept, mut found): (Vec<usize>, _) = (Vec::new(), Vec::new());
    for (place, (number, target)) in rows.iter().enumerate() {
        if *number < n_constraints {
            kept.push(place);
            continue;
        }
        let depends = |members: &[usize]| {
            let mut basis = Basis { vectors: Vec::new() };
            for &row in members {
                basis.push(rows[row].1.clone(), DEPENDENT_DIRECTION);
            }
            !basis.push(target.clone(), least)
        };
        let mut members = kept.clone();
        if !depends(&members) {
            kept.push(place);
            continue;
        }
        // superfluous rows are left out one after the other: none of the rest can be
        for &row in kept.iter().rev() {
            let fewer: Vec<usize> = members.iter().copied().filter(|member| *member != row).collect();
            if depends(&fewer) {
                members = fewer;
            }
        }
        let (constraints, others): (Vec<usize>, Vec<usize>) =
            members.into_iter().map(|row| rows[row].0).partition(|&row| row < n_constraints);
        let others = others.into_iter().map(|row| row - n_constraints).collect();
        found.push(Dependence { row: number - n_constraints, constraints, others });
    }
    found
}

/// The derivatives of the constraints by the coordinates alone, in units of the nominal values, dependent variables being
/// eliminated.
fn among_coordinates(
    manifold: &mut dyn Manifold,
    x: &[f64],
    options: &Options<'_>,
) -> Result<Vec<Vec<f64>>, ProjectionFailure> {
    let (n, width) = (manifold.coordinates(), manifold.coordinates() + manifold.following());
    let mut jacobian = vec![0.0; manifold.constraints() * width];
    let failed = |reason| NewtonFailure::EvaluationFailed { iterations: 0, reason };
    manifold.jacobian(x, &mut jacobian).map_err(failed)?;
    let mut rows: Vec<Vec<f64>> = jacobian.chunks_exact(width).map(<[f64]>::to_vec).collect();
    for row in &mut rows {
        row.iter_mut().enumerate().for_each(|(place, entry)| *entry *= options.nominal(place));
        let largest = row.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        if largest > 0.0 && largest.is_finite() {
            row.iter_mut().for_each(|entry| *entry /= largest);
        }
    }
    for (step, column) in (n..width).enumerate() {
        let size = |row: &usize| rows[*row][column].abs();
        let best = (step..rows.len()).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(step);
        if best >= rows.len() || size(&best) <= DEPENDENT_DIRECTION {
            return Err(ProjectionFailure::Dependent { constraint: best.min(rows.len().saturating_sub(1)) });
        }
        rows.swap(step, best);
        let (above, below) = rows.split_at_mut(step + 1);
        for row in below {
            let factor = row[column] / above[step][column];
            row.iter_mut().zip(&above[step]).for_each(|(entry, by)| *entry -= factor * by);
        }
    }
    let left = rows.split_off(manifold.following());
    Ok(left.into_iter().map(|row| row[..n].to_vec()).collect())
}

/// Rows of `F` that hold on the straight way from the reference to `x`: its direction is taken out of them.
fn without_direction(mut rows: Vec<f64>, reference: &[f64], x: &[f64], options: &Options<'_>) -> Vec<f64> {
    let n = reference.len();
    let way: Vec<f64> = (0..n).map(|i| (x[i] - reference[i]) / options.nominal(i)).collect();
    let length: f64 = way.iter().map(|w| w * w).sum();
    if length > 0.0 {
        for row in rows.chunks_exact_mut(n) {
            let along: f64 = (0..n).map(|i| row[i] * options.nominal(i) * way[i]).sum();
            (0..n).for_each(|i| row[i] -= along / length * way[i] / options.nominal(i));
        }
    }
    rows
}

fn unit(n: usize, place: usize) -> Vec<f64> {
    let mut unit = vec![0.0; n];
    unit[place] = 1.0;
    unit
}

/// Orthonormal vectors.
struct Basis {
    vectors: Vec<Vec<f64>>,
}

impl Basis {
    /// Adds the direction that the others leave of a vector; says whether more than a share of it is left.
    fn push(&mut self, mut vector: Vec<f64>, least: f64) -> bool {
        let before = norm(&vector);
        // twice: rounding errors of the first pass are as large as a small remainder
        for _ in 0..2 {
            for own in &self.vectors {
                let along: f64 = own.iter().zip(&vector).map(|(a, b)| a * b).sum();
                vector.iter_mut().zip(own).for_each(|(entry, own)| *entry -= along * own);
            }
        }
        let left = norm(&vector);
        if left.is_nan() || left <= least * before || left == 0.0 {
            return false;
        }
        vector.iter_mut().for_each(|entry| *entry /= left);
        self.vectors.push(vector);
        true
    }
}

fn norm(vector: &[f64]) -> f64 {
    vector.iter().map(|entry| entry * entry).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x² + y² = 1`, and `z = x + y` that follows.
    struct Circle;

    impl Manifold for Circle {
        fn coordinates(&self) -> usize {
            2
        }
        fn following(&self) -> usize {
            1
        }
        fn constraints(&self) -> usize {
            2
        }
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), EvaluationFailed> {
            (r[0], r[1]) = (x[0] * x[0] + x[1] * x[1] - 1.0, x[2] - x[0] - x[1]);
            Ok(())
        }
        fn jacobian(&mut self, x: &[f64], j: &mut [f64]) -> Result<(), EvaluationFailed> {
            j.copy_from_slice(&[2.0 * x[0], 2.0 * x[1], 0.0, -1.0, -1.0, 1.0]);
            Ok(())
        }
    }

    /// Each function zero, with its derivatives by the coordinates.
    struct Curve<E, J>(usize, E, J);

    impl<E: Fn(&[f64]) -> f64, J: Fn(&[f64]) -> Vec<f64>> Manifold for Curve<E, J> {
        fn coordinates(&self) -> usize {
            self.0
        }
        fn following(&self) -> usize {
            0
        }
        fn constraints(&self) -> usize {
            1
        }
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), EvaluationFailed> {
            r[0] = self.1(x);
            Ok(())
        }
        fn jacobian(&mut self, x: &[f64], j: &mut [f64]) -> Result<(), EvaluationFailed> {
            j.copy_from_slice(&self.2(x));
            Ok(())
        }
    }

    fn nearest(x: &mut [f64], fixed: &[usize]) -> Result<Landed, ProjectionFailure> {
        project(&mut Circle, Keep::Nearest { fixed, may_displace: false }, x, &Options::default())
    }

    fn assert_close(x: &[f64], expected: &[f64]) {
        assert!(x.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-9), "{x:?} is not {expected:?}");
    }

    #[test]
    fn the_nearest_point_of_a_circle_is_on_its_ray() {
        let mut x = [2.0, 1.0, 0.0];
        let landed = nearest(&mut x, &[]).unwrap();
        let root = 5.0_f64.sqrt();
        assert_close(&x, &[2.0 / root, 1.0 / root, 3.0 / root]);
        let kept = landed.combinations;
        assert!((kept[0] * (x[0] - 2.0) + kept[1] * (x[1] - 1.0)).abs() < 1e-9, "{kept:?}");
    }

    #[test]
    fn coordinates_and_combinations_are_kept() {
        let mut x = [0.6, -1.0, 0.0];
        project(&mut Circle, Keep::Coordinates(&[0]), &mut x, &Options::default()).unwrap();
        assert_close(&x, &[0.6, -0.8, -0.2]);
        let mut x = [1.0, 1.0, 0.0];
        project(&mut Circle, Keep::Combinations(&[vec![(0, 1.0), (1, -1.0)]]), &mut x, &Options::default())
            .unwrap();
        assert_close(&x, &[0.5_f64.sqrt(), 0.5_f64.sqrt(), 2.0_f64.sqrt()]);
    }

    #[test]
    fn what_is_fixed_is_kept_first() {
        let mut x = [0.6, 3.0, 0.0];
        let landed = nearest(&mut x, &[0]).unwrap();
        assert_close(&x, &[0.6, 0.8, 1.4]);
        assert_eq!(landed.combinations, [1.0, 0.0]);
    }

    #[test]
    fn a_point_without_a_tangent_is_refused_and_nothing_moved() {
        let mut x = [0.0, 0.0, 7.0];
        let failure = nearest(&mut x, &[]).unwrap_err();
        assert!(matches!(failure, ProjectionFailure::Dependent { .. }), "{failure}");
        assert_eq!(x, [0.0, 0.0, 7.0]);
        let mut x = [1.0, 0.0, 7.0];
        assert!(matches!(nearest(&mut x, &[0]), Err(ProjectionFailure::Dependent { .. })), "nothing left");
    }

    #[test]
    fn an_impossible_coordinate_has_no_solution() {
        let mut x = [2.0, 0.5, 0.0];
        let failure = project(&mut Circle, Keep::Coordinates(&[0]), &mut x, &Options::default()).unwrap_err();
        assert!(matches!(failure, ProjectionFailure::NotSolved(_)), "{failure}");
        assert_eq!(x, [2.0, 0.5, 0.0]);
    }

    #[test]
    fn nominal_values_decide_what_is_a_small_change() {
        // 1e-5 p + T = 400: half of the gap of 3 by each, where pressures come in 1e5 and temperatures in 1
        let mut line = Curve(2, |x: &[f64]| 1e-5 * x[0] + x[1] - 400.0, |_: &[f64]| vec![1e-5, 1.0]);
        let mut x = [1e7, 298.0];
        let options = Options { nominal: &[1e5, 1.0], ..Options::default() };
        project(&mut line, Keep::Nearest { fixed: &[], may_displace: false }, &mut x, &options).unwrap();
        assert_close(&[x[0] * 1e-5, x[1]], &[101.0, 299.0]);
    }

    #[test]
    fn where_the_normal_misses_the_manifold_the_directions_are_taken_anew() {
        // the normal of this level at (0.5, 0), x + y = 0.5, does not meet the parabola y = x² + 1
        let mut parabola = Curve(2, |x: &[f64]| x[1] - x[0] * x[0] - 1.0, |x: &[f64]| vec![-2.0 * x[0], 1.0]);
        let mut x = [0.5, 0.0];
        let keep = Keep::Nearest { fixed: &[], may_displace: false };
        let landed = project(&mut parabola, keep, &mut x, &Options::default()).unwrap();
        assert!((x[1] - x[0] * x[0] - 1.0).abs() < 1e-9, "{x:?}");
        let kept = &landed.combinations;
        assert!((kept[0] * (x[0] - 0.5) + kept[1] * x[1]).abs() < 1e-9, "{kept:?}");
        assert!(norm(kept) > 0.1, "{kept:?}");
    }

    #[test]
    fn a_search_that_gets_stuck_begins_again_beside_the_reference() {
        // from (2, 0) the hyperbola y² = x² + 1 is sought along its axis, and at (0, 0) nothing shows the way
        let mut hyperbola =
            Curve(2, |x: &[f64]| 1.0 + x[0] * x[0] - x[1] * x[1], |x: &[f64]| vec![2.0 * x[0], -2.0 * x[1]]);
        let mut x = [2.0, 0.0];
        let keep = Keep::Nearest { fixed: &[], may_displace: true };
        let landed = project(&mut hyperbola, keep, &mut x, &Options::default()).unwrap();
        assert!((1.0 + x[0] * x[0] - x[1] * x[1]).abs() < 1e-9, "{x:?}");
        assert_eq!(landed.began, Began::Beside);
    }
}
