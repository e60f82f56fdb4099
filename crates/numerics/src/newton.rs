//! Damped Newton iteration for `F(x) = 0`.
//!
//! In: residuals, their exact Jacobian, a guess, the nominal size of every unknown, optional bounds. Out: the solution in
//! place of the guess, or why there is none, as data. Unknowns are scaled by their nominal values and rows by their largest
//! scaled entry, so that results do not depend on units. Corrections are shortened until the *next* correction with the
//! same matrix is smaller (natural monotonicity test, which no row scaling can deceive; Deuflhard, *Newton Methods for
//! Nonlinear Problems*, 2004, §3.3) or the scaled residual falls (Armijo). If the Jacobian is singular, a regularised
//! least-squares correction (Levenberg–Marquardt) leads away from the point. Unknowns never leave their bounds: those that
//! would are held at them, and the others take the least-squares correction without these (projected least squares).

mod matrix;

use std::fmt;
use std::sync::Arc;

use crate::constants::{
    NEWTON_ARMIJO, NEWTON_BACKTRACK, NEWTON_BACKTRACK_SHORT, NEWTON_DECREASE, NEWTON_FURTHEST,
    NEWTON_ITERATIONS, NEWTON_LARGE, NEWTON_SHORT, NEWTON_SHORTEST, NEWTON_SINGULAR_RESIDUAL, NEWTON_SLOW,
    NEWTON_SLOW_CORRECTIONS, NEWTON_STALLED, NEWTON_TOLERANCE,
};
use crate::determinant::Determinant;
use crate::problem::EvaluationFailed;
use crate::sparse::Pattern;
use matrix::Matrix;

/// As many equations as unknowns.
pub trait System {
    /// Number of unknowns.
    fn n(&self) -> usize;

    /// Writes `F(x)`.
    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed>;

    /// Writes `∂F/∂x` by rows: `jacobian[row * n + column]`.
    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed>;

    /// Writes the entries of `∂F/∂x` on a pattern, in its order: where the memory was made for one ([`Newton::sparse`]).
    fn sparse_jacobian(&mut self, _x: &[f64], _entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        Err(EvaluationFailed::new("the derivatives are known as a dense matrix only"))
    }
}

/// Scaling and bounds of the unknowns, and the stopping criteria.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The usual size of each unknown (zero says nothing, and counts as 1); empty for 1 each.
    pub nominal: &'a [f64],
    /// Least value of each unknown; empty for none.
    pub min: &'a [f64],
    /// Greatest value of each unknown; empty for none.
    pub max: &'a [f64],
    /// Correction at which to stop, relative to the larger of unknown and nominal value.
    pub tolerance: f64,
    /// Iterations at which to give up.
    pub max_iterations: u32,
    /// Whether corrections are taken whole though nothing falls: so that an iteration can leap over a fold or a kink to
    /// another branch of solutions, where a damped one is caught.
    pub leaps: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            nominal: &[],
            min: &[],
            max: &[],
            tolerance: NEWTON_TOLERANCE,
            max_iterations: NEWTON_ITERATIONS,
            leaps: false,
        }
    }
}

/// A solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// Iterations done.
    pub iterations: u32,
    /// Largest scaled residual left.
    pub residual: f64,
}

/// An unknown that wants to go beyond a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Which unknown.
    pub unknown: usize,
    /// Whether it is the greatest value that it would exceed; else the least.
    pub at_max: bool,
}

/// Why there is none. `x` is left where the iteration ended.
#[derive(Debug)]
pub enum NewtonFailure {
    /// All iterations are spent, or no part of the correction improves anything.
    NotConverged {
        /// Iterations done.
        iterations: u32,
        /// Largest scaled residual left.
        residual: f64,
        /// The equation it belongs to: the one that does not fall.
        worst_equation: usize,
        /// The unknown with the largest scaled correction.
        worst_unknown: usize,
        /// Whether it stalled before all iterations were spent.
        stalled: bool,
        /// The bound that held an unknown back in the end.
        held: Option<Held>,
    },
    /// The Jacobian is singular and even a regularised correction does not help.
    Singular {
        /// Iterations done.
        iterations: u32,
        /// An unknown that the equations do not determine (there).
        unknown: usize,
        /// Largest scaled residual left.
        residual: f64,
        /// The equation it belongs to.
        worst_equation: usize,
    },
    /// The guess itself cannot be evaluated, or the Jacobian at an iterate.
    EvaluationFailed {
        /// Iterations done.
        iterations: u32,
        /// The system's own reason.
        reason: EvaluationFailed,
    },
}

impl NewtonFailure {
    /// Iterations done.
    pub fn iterations(&self) -> u32 {
        match self {
            NewtonFailure::NotConverged { iterations, .. }
            | NewtonFailure::Singular { iterations, .. }
            | NewtonFailure::EvaluationFailed { iterations, .. } => *iterations,
        }
    }
}

impl fmt::Display for NewtonFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NewtonFailure::NotConverged { iterations, residual, worst_equation, stalled, .. } => write!(
                f,
                "{} after {iterations} iterations: the residual of equation {worst_equation} stays at {residual:.3e}",
                if *stalled { "no further progress" } else { "not converged" }
            ),
            NewtonFailure::Singular { iterations, unknown, .. } => {
                write!(f, "singular after {iterations} iterations: unknown {unknown} is not determined")
            }
            NewtonFailure::EvaluationFailed { reason, .. } => reason.fmt(f),
        }
    }
}

impl std::error::Error for NewtonFailure {}

/// The memory of the iteration, for systems of one size.
#[derive(Clone)]
pub struct Newton {
    matrix: Matrix,
    residual: Vec<f64>,
    correction: Vec<f64>,
    trial: Vec<f64>,
    next: Vec<f64>,
    next_correction: Vec<f64>,
    row_scale: Vec<f64>,
    /// Unknowns at a bound that the correction would take them beyond.
    held: Vec<bool>,
    /// How many corrections in a row were taken whole and left much of themselves.
    slow: u32,
    /// See [`Newton::determinant`].
    determinant: Option<Determinant>,
}

impl Newton {
    /// Memory for n unknowns.
    pub fn new(n: usize) -> Newton {
        Newton::with(Matrix::dense(n))
    }

    /// Memory for a Jacobian with a sparse pattern; `None` where that is too much for a symbolic factorisation.
    pub fn sparse(pattern: Arc<Pattern>) -> Option<Newton> {
        Matrix::sparse(pattern).map(Newton::with)
    }

    fn with(matrix: Matrix) -> Newton {
        let n = matrix.n();
        let zeros = || vec![0.0; n];
        Newton {
            matrix,
            residual: zeros(),
            correction: zeros(),
            trial: zeros(),
            next: zeros(),
            next_correction: zeros(),
            row_scale: zeros(),
            held: vec![false; n],
            slow: 0,
            determinant: None,
        }
    }

    /// Solves, starting from and ending in `x`.
    ///
    /// # Panics
    /// If the number of unknowns differs from that the memory was made for.
    pub fn solve(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options,
    ) -> Result<Solved, NewtonFailure> {
        let n = system.n();
        assert!(n == self.matrix.n() && n == x.len(), "memory for {} unknowns, not {n}", self.matrix.n());
        let failed = |iterations| move |reason| NewtonFailure::EvaluationFailed { iterations, reason };
        for (i, x) in x.iter_mut().enumerate() {
            *x = options.clamp(i, *x);
        }
        (self.slow, self.determinant) = (0, None);
        evaluate(system, x, &mut self.residual).map_err(failed(0))?;
        for iteration in 0..options.max_iterations {
            if self.residual.iter().all(|r| *r == 0.0) {
                return Ok(Solved { iterations: iteration, residual: 0.0 });
            }
            self.matrix.evaluate(system, x).map_err(failed(iteration))?;
            let singular = self.find_correction(x, options);
            if singular.is_some() && self.largest_residual().1 <= NEWTON_SINGULAR_RESIDUAL {
                return Ok(Solved { iterations: iteration, residual: self.largest_residual().1 });
            }
            let size = options.norm(&self.correction, x);
            if size <= options.tolerance && singular.is_none() {
                self.move_by(1.0, x, options);
                x.copy_from_slice(&self.trial);
                return Ok(Solved { iterations: iteration + 1, residual: self.largest_residual().1 });
            }
            match self.line_search(system, x, size, singular.is_some(), options) {
                Progress::Converged => {
                    return Ok(Solved { iterations: iteration + 1, residual: self.largest_residual().1 });
                }
                Progress::Some => {}
                // A correction this small that no longer improves anything is made of rounding errors.
                Progress::None if size <= NEWTON_STALLED && singular.is_none() => {
                    return Ok(Solved { iterations: iteration + 1, residual: self.largest_residual().1 });
                }
                Progress::None => return Err(self.give_up(iteration + 1, x, singular, true, options)),
            }
        }
        Err(self.give_up(options.max_iterations, x, None, false, options))
    }

    /// The determinant of the last Jacobian that the last search took, in units of the nominal values: one correction before the
    /// solution. None if it took none, or if the Jacobian is sparse.
    pub fn determinant(&self) -> Option<Determinant> {
        self.determinant
    }

    /// The correction for the present residual and Jacobian; the undetermined or held unknown where it had to be regularised.
    fn find_correction(&mut self, x: &[f64], options: &Options) -> Option<usize> {
        self.held.fill(false);
        let singular = self.free_correction(options);
        if singular.is_none() && options.norm(&self.correction, x) <= options.tolerance {
            return None; // beyond the bound by less than counts
        }
        let mut held = None;
        while let Some(unknown) = self.newly_held(x, options) {
            held = held.or(Some(unknown));
            self.regularised_correction(options);
        }
        held.or(singular)
    }

    /// Holds all unknowns that the correction would take beyond their bounds; the first of them, if there is one.
    fn newly_held(&mut self, x: &[f64], options: &Options) -> Option<usize> {
        let mut first = None;
        for (i, x) in x.iter().enumerate() {
            let at_bound = self.correction[i] != 0.0 && options.clamp(i, x + self.correction[i]) == *x;
            if at_bound && options.is_at_bound(i, *x) && !self.held[i] {
                self.held[i] = true;
                first = first.or(Some(i));
            }
        }
        first
    }

    /// The least-squares correction of the unknowns that are not held.
    fn regularised_correction(&mut self, options: &Options) {
        let Newton { matrix, residual, row_scale, held, correction, .. } = self;
        matrix.regularised(residual, row_scale, held, options, correction);
        for (column, correction) in correction.iter_mut().enumerate() {
            *correction *= options.nominal(column);
        }
    }

    /// The Newton correction as if there were no bounds; the undetermined unknown where it had to be regularised.
    fn free_correction(&mut self, options: &Options) -> Option<usize> {
        let singular = self.matrix.factorise(options, &mut self.row_scale);
        self.determinant = self.matrix.determinant(&self.row_scale);
        if singular.is_some() {
            self.regularised_correction(options);
            return singular;
        }
        for (row, correction) in self.correction.iter_mut().enumerate() {
            *correction = -self.residual[row] * self.row_scale[row];
        }
        self.matrix.solve(&mut self.correction);
        for (column, correction) in self.correction.iter_mut().enumerate() {
            *correction *= options.nominal(column);
        }
        None
    }

    /// Goes along the correction as far as it helps.
    fn line_search(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        size: f64,
        regularised: bool,
        options: &Options,
    ) -> Progress {
        let before = self.scaled_norm(&self.residual);
        let mut part = 1.0;
        while part >= NEWTON_SHORTEST {
            self.move_by(part, x, options);
            let moved = self.trial.iter().zip(&*x).any(|(trial, x)| trial != x);
            if !moved {
                return Progress::None;
            }
            if evaluate(system, &self.trial, &mut self.next).is_ok() {
                let after = self.scaled_norm(&self.next);
                // The next correction with the same matrix tells more than the residual; a regularised
                // matrix has none.
                let next_size = if regularised { f64::INFINITY } else { self.next_correction(options, x) };
                let converged = part == 1.0 && next_size <= options.tolerance;
                let falls = after <= (1.0 - NEWTON_ARMIJO * part) * before;
                let monotone = next_size <= (1.0 - NEWTON_DECREASE * part) * size;
                if converged || falls || monotone || options.leaps {
                    let is_slow = part == 1.0 && NEWTON_SLOW * size < next_size && next_size < size;
                    self.slow = if is_slow { self.slow + 1 } else { 0 };
                    if self.slow > NEWTON_SLOW_CORRECTIONS {
                        self.go_further(system, x, next_size, options);
                    }
                    x.copy_from_slice(&self.trial);
                    std::mem::swap(&mut self.residual, &mut self.next);
                    if converged {
                        // known anyway, and what it leaves is noise to an integrator around
                        for (i, correction) in self.next_correction.iter().enumerate() {
                            x[i] = options.clamp(i, x[i] - correction);
                        }
                        return Progress::Converged;
                    }
                    return Progress::Some;
                }
            }
            part *= if part > NEWTON_SHORT { NEWTON_BACKTRACK } else { NEWTON_BACKTRACK_SHORT };
        }
        Progress::None
    }

    /// Goes on beyond a whole correction, twice as far each time, while that helps. If an exponential dominates, each correction
    /// takes its exponent down by one only, whatever is left of it: a diode that begins at volts would take hundreds. A sign
    /// change of a residual shows a solution in between: its value beyond may be too small to be seen beside the former one.
    fn go_further(&mut self, system: &mut dyn System, x: &[f64], next_size: f64, options: &Options) {
        let (mut part, mut reached) = (1.0, next_size);
        let mut best = (self.trial.clone(), self.next.clone());
        while part < NEWTON_FURTHEST {
            part *= 2.0;
            self.move_by(part, x, options);
            let before = self.scaled_norm(&best.1);
            let helps = evaluate(system, &self.trial, &mut self.next).is_ok() && {
                let next_size = self.next_correction(options, x);
                let falls = next_size < reached && self.scaled_norm(&self.next) < before;
                let helps = falls && !self.passes_a_solution();
                reached = next_size;
                helps
            };
            if !helps {
                break;
            }
            best.0.copy_from_slice(&self.trial);
            best.1.copy_from_slice(&self.next);
        }
        (self.trial, self.next) = best;
    }

    /// Whether one of the large residuals has changed its sign on the way to the trial point.
    fn passes_a_solution(&self) -> bool {
        let large = NEWTON_LARGE * self.largest_residual().1;
        let rows = self.residual.iter().zip(&self.next).zip(&self.row_scale);
        rows.into_iter().any(|((r, next), scale)| (r * scale).abs() > large && r * next < 0.0)
    }

    fn move_by(&mut self, part: f64, x: &[f64], options: &Options) {
        for (i, x) in x.iter().enumerate() {
            self.trial[i] = options.clamp(i, x + part * self.correction[i]);
        }
    }

    /// Size of the correction that the same matrix gives for the residual at the trial point.
    fn next_correction(&mut self, options: &Options, x: &[f64]) -> f64 {
        for (row, correction) in self.next_correction.iter_mut().enumerate() {
            *correction = self.next[row] * self.row_scale[row];
        }
        self.matrix.solve(&mut self.next_correction);
        for (column, correction) in self.next_correction.iter_mut().enumerate() {
            *correction *= options.nominal(column);
        }
        options.norm(&self.next_correction, x)
    }

    fn scaled_norm(&self, residual: &[f64]) -> f64 {
        residual.iter().zip(&self.row_scale).map(|(r, scale)| (r * scale).powi(2)).sum::<f64>().sqrt()
    }

    fn largest_residual(&self) -> (usize, f64) {
        let scaled = self.residual.iter().zip(&self.row_scale).map(|(r, scale)| (r * scale).abs());
        scaled.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    }

    fn give_up(
        &self,
        iterations: u32,
        x: &[f64],
        singular: Option<usize>,
        stalled: bool,
        options: &Options,
    ) -> NewtonFailure {
        let (worst_equation, residual) = self.largest_residual();
        let held = self.held.iter().position(|held| *held);
        if let Some(unknown) = singular.filter(|_| held.is_none()) {
            return NewtonFailure::Singular { iterations, unknown, residual, worst_equation };
        }
        let relative = |i: usize| (self.correction[i] / options.size(i, x[i])).abs();
        let worst_unknown = (0..x.len()).max_by(|&a, &b| relative(a).total_cmp(&relative(b)));
        NewtonFailure::NotConverged {
            iterations,
            residual,
            worst_equation,
            worst_unknown: worst_unknown.unwrap_or(0),
            stalled,
            held: held.map(|unknown| Held { unknown, at_max: options.is_at_max(unknown, x[unknown]) }),
        }
    }
}

enum Progress {
    Converged,
    Some,
    None,
}

impl Options<'_> {
    /// Nominal value of an unknown.
    pub(crate) fn nominal(&self, i: usize) -> f64 {
        match self.nominal.get(i) {
            Some(nominal) if *nominal != 0.0 && nominal.is_finite() => nominal.abs(),
            _ => 1.0,
        }
    }

    fn size(&self, i: usize, x: f64) -> f64 {
        x.abs().max(self.nominal(i))
    }

    fn clamp(&self, i: usize, x: f64) -> f64 {
        let x = self.max.get(i).map_or(x, |max| x.min(*max));
        self.min.get(i).map_or(x, |min| x.max(*min))
    }

    fn is_at_max(&self, i: usize, x: f64) -> bool {
        self.max.get(i).is_some_and(|max| x >= *max)
    }

    fn is_at_bound(&self, i: usize, x: f64) -> bool {
        self.is_at_max(i, x) || self.min.get(i).is_some_and(|min| x <= *min)
    }

    fn norm(&self, correction: &[f64], x: &[f64]) -> f64 {
        let relative = correction.iter().zip(x).enumerate().map(|(i, (c, x))| (c / self.size(i, *x)).abs());
        // Not `f64::max`, which would drop a NaN.
        relative.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a })
    }
}

fn evaluate(system: &mut dyn System, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
    system.residual(x, residual)?;
    match residual.iter().position(|r| !r.is_finite()) {
        None => Ok(()),
        Some(i) => Err(EvaluationFailed::new(format!("the residual of equation {i} is {}", residual[i]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Closures<R, J>(usize, R, J);

    impl<R: FnMut(&[f64], &mut [f64]), J: FnMut(&[f64], &mut [f64])> System for Closures<R, J> {
        fn n(&self) -> usize {
            self.0
        }
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), EvaluationFailed> {
            self.1(x, r);
            Ok(())
        }
        fn jacobian(&mut self, x: &[f64], j: &mut [f64]) -> Result<(), EvaluationFailed> {
            self.2(x, j);
            Ok(())
        }
    }

    fn scalar(f: impl Fn(f64) -> f64, df: impl Fn(f64) -> f64) -> impl System {
        Closures(
            1,
            move |x: &[f64], r: &mut [f64]| r[0] = f(x[0]),
            move |x: &[f64], j: &mut [f64]| {
                j[0] = df(x[0]);
            },
        )
    }

    fn solve(mut system: impl System, x: &mut [f64], options: &Options) -> Result<Solved, NewtonFailure> {
        Newton::new(x.len()).solve(&mut system, x, options)
    }

    #[test]
    fn a_linear_system_takes_one_iteration() {
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| (r[0], r[1]) = (x[0] + x[1] - 3.0, x[0] - x[1] - 1.0),
            |_: &[f64], j: &mut [f64]| j.copy_from_slice(&[1.0, 1.0, 1.0, -1.0]),
        );
        let mut x = [10.0, -5.0];
        let solved = solve(system, &mut x, &Options::default()).unwrap();
        assert_eq!((x, solved.iterations), ([2.0, 1.0], 1));
    }

    #[test]
    fn an_exponential_far_from_its_root_is_left_in_a_few_strides() {
        // each correction takes one off: there would be 197 of them
        let mut x = [200.0];
        let solved = solve(scalar(|x| x.exp() - 20.0, f64::exp), &mut x, &Options::default()).unwrap();
        assert!((x[0] - 20f64.ln()).abs() < 1e-12 && solved.iterations < 30, "{x:?} {solved:?}");
    }

    #[test]
    fn a_root_far_off_along_an_exponential_is_found_in_the_smallest_part_of_a_correction() {
        // 5 A into a diode that is not conducting yet: the first correction goes to 1e14 V
        let (current, slope) = (|v: f64| 1e-15 * (v / 0.025).exp_m1(), |v: f64| 4e-14 * (v / 0.025).exp());
        let mut x = [0.0];
        solve(scalar(move |v| current(v) - 5.0, slope), &mut x, &Options::default()).unwrap();
        assert!((current(x[0]) - 5.0).abs() < 1e-9, "{x:?}");
    }

    #[test]
    fn damping_tames_the_arctangent() {
        // Undamped Newton diverges from anywhere beyond 1.39.
        let mut x = [50.0];
        let solved = solve(scalar(f64::atan, |x| 1.0 / (1.0 + x * x)), &mut x, &Options::default()).unwrap();
        assert!(x[0].abs() < 1e-9 && solved.iterations < 20, "{solved:?}");
    }

    #[test]
    fn rosenbrock_from_the_far_side() {
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| (r[0], r[1]) = (10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]),
            |x: &[f64], j: &mut [f64]| j.copy_from_slice(&[-20.0 * x[0], 10.0, -1.0, 0.0]),
        );
        let mut x = [-1.2, 1.0];
        solve(system, &mut x, &Options::default()).unwrap();
        assert!((x[0] - 1.0).abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn nominal_values_decide_what_is_small() {
        // A pressure of 1e5 Pa and a gap of 1e-6 m, coupled: p·g = 0.1, p = 1e5 + 1e9 (g - 1e-6).
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| {
                (r[0], r[1]) = (x[0] * x[1] - 0.1, x[0] - 1e5 - 1e9 * (x[1] - 1e-6));
            },
            |x: &[f64], j: &mut [f64]| j.copy_from_slice(&[x[1], x[0], 1.0, -1e9]),
        );
        let mut x = [2e5, 3e-6];
        let options = Options { nominal: &[1e5, 1e-6], ..Options::default() };
        solve(system, &mut x, &options).unwrap();
        assert!((x[0] / 1e5 - 1.0).abs() < 1e-9 && (x[1] / 1e-6 - 1.0).abs() < 1e-9, "{x:?}");
    }

    #[test]
    fn bounds_choose_the_root() {
        let parabola = || scalar(|x| x * x - 4.0, |x| 2.0 * x);
        let mut x = [-1.0];
        solve(parabola(), &mut x, &Options { min: &[0.1], ..Options::default() }).unwrap();
        assert!((x[0] - 2.0).abs() < 1e-9);
        let mut x = [3.0];
        solve(parabola(), &mut x, &Options { max: &[-0.1], ..Options::default() }).unwrap();
        assert!((x[0] + 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_solution_beyond_a_bound_names_the_bound() {
        let mut x = [3.0];
        let options = Options { min: &[0.0], max: &[9.0], ..Options::default() };
        let failure = solve(scalar(|x| x + 1.0, |_| 1.0), &mut x, &options).unwrap_err();
        let NewtonFailure::NotConverged { held, .. } = failure else { panic!("{failure}") };
        assert_eq!((x[0], held), (0.0, Some(Held { unknown: 0, at_max: false })));
        let failure = solve(scalar(|x| x - 10.0, |_| 1.0), &mut x, &options).unwrap_err();
        let NewtonFailure::NotConverged { held, .. } = failure else { panic!("{failure}") };
        assert_eq!((x[0], held), (9.0, Some(Held { unknown: 0, at_max: true })));
        solve(scalar(|x| x, |_| 1.0), &mut x, &options).unwrap();
        assert_eq!(x, [0.0], "on the bound is within");
    }

    #[test]
    fn what_is_not_held_goes_around_the_corner() {
        // From (0, 3) the first correction wants x below zero; the solution is (2, 1).
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| (r[0], r[1]) = (x[0] - x[1] * x[1] - 1.0, x[0] * x[1] - 2.0),
            |x: &[f64], j: &mut [f64]| j.copy_from_slice(&[1.0, -2.0 * x[1], x[1], x[0]]),
        );
        let mut x = [0.0, 3.0];
        let options = Options { min: &[0.0, 0.5], ..Options::default() };
        solve(system, &mut x, &options).unwrap();
        assert!((x[0] - 2.0).abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9, "{x:?}");
    }

    #[test]
    fn a_singular_start_is_left_behind() {
        // The derivative vanishes at the guess in one of two directions.
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| (r[0], r[1]) = (x[0] * x[0] + x[1] - 5.0, x[0] - x[1] - 1.0),
            |x: &[f64], j: &mut [f64]| j.copy_from_slice(&[2.0 * x[0], 1.0, 1.0, -1.0]),
        );
        let mut x = [-0.5, 0.0];
        solve(system, &mut x, &Options::default()).unwrap();
        assert!((x[0] * x[0] + x[1] - 5.0).abs() < 1e-9);
    }

    #[test]
    fn what_has_no_solution_says_which_equation_stays() {
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| (r[0], r[1]) = (x[0] - 1.0, x[1] * x[1] + 1.0),
            |x: &[f64], j: &mut [f64]| j.copy_from_slice(&[1.0, 0.0, 0.0, 2.0 * x[1]]),
        );
        let failure = solve(system, &mut [0.0, 3.0], &Options::default()).unwrap_err();
        let worst = match failure {
            NewtonFailure::NotConverged { worst_equation, .. } => worst_equation,
            NewtonFailure::Singular { worst_equation, .. } => worst_equation,
            NewtonFailure::EvaluationFailed { .. } => panic!("{failure}"),
        };
        assert_eq!(worst, 1);
    }

    #[test]
    fn dependent_equations_name_an_unknown() {
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| (r[0], r[1]) = (x[0] + x[1] - 1.0, x[0] + x[1] - 2.0),
            |_: &[f64], j: &mut [f64]| j.copy_from_slice(&[1.0, 1.0, 1.0, 1.0]),
        );
        let failure = solve(system, &mut [0.0, 0.0], &Options::default()).unwrap_err();
        assert!(matches!(failure, NewtonFailure::Singular { unknown: 1, .. }), "{failure}");
    }

    #[test]
    fn dependent_but_consistent_equations_are_solved() {
        let system = Closures(
            2,
            |x: &[f64], r: &mut [f64]| (r[0], r[1]) = (x[0] + x[1] - 1.0, 2.0 * (x[0] + x[1] - 1.0)),
            |_: &[f64], j: &mut [f64]| j.copy_from_slice(&[1.0, 1.0, 2.0, 2.0]),
        );
        let mut x = [3.0, 0.0];
        solve(system, &mut x, &Options::default()).unwrap();
        assert!((x[0] + x[1] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn steps_back_from_where_it_cannot_be_evaluated() {
        // The first full correction from 5 goes far below zero.
        let mut x = [5.0];
        solve(scalar(|x| x.ln() + 1.0, |x| 1.0 / x), &mut x, &Options::default()).unwrap();
        assert!((x[0] - (-1.0f64).exp()).abs() < 1e-9);
        let failure = solve(scalar(f64::ln, |x| 1.0 / x), &mut [-1.0], &Options::default()).unwrap_err();
        assert_eq!(failure.to_string(), "the residual of equation 0 is NaN");
    }

    #[test]
    fn rounding_errors_do_not_count_as_failure() {
        // Known only to eight digits: 1e8 cancels in the residual.
        let system = scalar(
            |x| ((x - 1.0).powi(3) + 1e-3 * (x - 1.0) + 1e8) - 1e8,
            |x| 3.0 * (x - 1.0).powi(2) + 1e-3,
        );
        let mut x = [1.7];
        let solved = solve(system, &mut x, &Options { tolerance: 1e-14, ..Options::default() });
        assert!(solved.is_ok() && (x[0] - 1.0).abs() < 1e-4, "{solved:?} {x:?}");
    }

    #[test]
    fn nothing_to_solve_is_solved() {
        let system = Closures(0, |_: &[f64], _: &mut [f64]| {}, |_: &[f64], _: &mut [f64]| {});
        assert_eq!(solve(system, &mut [], &Options::default()).unwrap().iterations, 0);
    }

    /// `x[i]^3 + 2x[i] - x[i-1] - x[i+1] = b[i]`, on its pattern.
    struct Chain {
        pattern: Arc<Pattern>,
        right: Vec<f64>,
    }

    impl Chain {
        fn new(n: usize) -> Chain {
            let entries = (0..n).flat_map(|i| (i.saturating_sub(1)..n.min(i + 2)).map(move |j| (i, j)));
            let pattern = Arc::new(Pattern::from_entries(n, n, entries));
            Chain { pattern, right: vec![1.0; n] }
        }
    }

    fn entry(row: usize, column: usize, x: &[f64]) -> f64 {
        if row == column { 3.0 * x[row] * x[row] + 2.0 } else { -1.0 }
    }

    impl System for Chain {
        fn n(&self) -> usize {
            self.right.len()
        }
        fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), EvaluationFailed> {
            for i in 0..x.len() {
                let beside = i.checked_sub(1).map_or(0.0, |left| x[left]) + x.get(i + 1).unwrap_or(&0.0);
                r[i] = x[i].powi(3) + 2.0 * x[i] - beside - self.right[i];
            }
            Ok(())
        }
        fn jacobian(&mut self, x: &[f64], j: &mut [f64]) -> Result<(), EvaluationFailed> {
            j.fill(0.0);
            for (row, column) in self.pattern.entries() {
                j[row * x.len() + column] = entry(row, column, x);
            }
            Ok(())
        }
        fn sparse_jacobian(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
            let places = self.pattern.entries().enumerate();
            places.for_each(|(place, (row, column))| entries[place] = entry(row, column, x));
            Ok(())
        }
    }

    #[test]
    fn sparse_and_dense_come_to_the_same() {
        let mut chain = Chain::new(60);
        let (mut x, mut y) = (vec![3.0; 60], vec![3.0; 60]);
        let dense = Newton::new(60).solve(&mut chain, &mut x, &Options::default()).unwrap();
        let mut newton = Newton::sparse(chain.pattern.clone()).unwrap();
        let sparse = newton.solve(&mut chain, &mut y, &Options::default()).unwrap();
        assert_eq!(dense.iterations, sparse.iterations);
        assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-12));
    }

    #[test]
    fn sparse_bounds_hold_as_dense_ones_do() {
        let mut chain = Chain::new(60);
        chain.right[7] = -50.0;
        let min = vec![0.0; 60];
        let options = Options { min: &min, ..Options::default() };
        let failures = [Newton::new(60), Newton::sparse(chain.pattern.clone()).unwrap()].map(|mut newton| {
            let mut x = vec![1.0; 60];
            let failure = newton.solve(&mut chain, &mut x, &options).unwrap_err();
            let NewtonFailure::NotConverged { held, .. } = failure else { panic!("{failure}") };
            (held, x)
        });
        assert_eq!(failures[0].0, failures[1].0);
        assert!(failures[0].1.iter().zip(&failures[1].1).all(|(x, y)| (x - y).abs() < 1e-6));
    }

    #[test]
    fn a_sparse_singular_matrix_names_what_it_does_not_determine() {
        // one row and column of nothing but zeros
        let mut chain = Chain::new(60);
        let entries: Vec<(usize, usize)> =
            chain.pattern.entries().filter(|&(i, j)| i == j || (i != 31 && j != 31)).collect();
        chain.pattern = Arc::new(Pattern::from_entries(60, 60, entries));
        struct Without(Chain);
        impl System for Without {
            fn n(&self) -> usize {
                60
            }
            fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), EvaluationFailed> {
                r.iter_mut().zip(x).for_each(|(r, x)| *r = x - 1.0);
                r[31] = 1.0;
                Ok(())
            }
            fn jacobian(&mut self, _: &[f64], _: &mut [f64]) -> Result<(), EvaluationFailed> {
                unreachable!("it is sparse")
            }
            fn sparse_jacobian(&mut self, _: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
                let places = self.0.pattern.entries().enumerate();
                places.for_each(|(place, (i, j))| entries[place] = f64::from(u8::from(i == j && i != 31)));
                Ok(())
            }
        }
        let mut newton = Newton::sparse(chain.pattern.clone()).unwrap();
        let failure = newton.solve(&mut Without(chain), &mut vec![0.0; 60], &Options::default()).unwrap_err();
        assert!(matches!(failure, NewtonFailure::Singular { unknown: 31, .. }), "{failure}");
    }
}
