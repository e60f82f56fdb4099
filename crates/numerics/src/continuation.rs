//! Equilibria of a flow by pseudo-transient continuation (Kelley & Keyes 1998; with algebraic equations beside the flow Coffey,
//! Kelley & Keyes 2003).
//!
//! The first unknowns flow, `dx/dτ = D f(x, w)`, the others follow, `0 = g(x, w)`. What is looked for is the point at which the flow from a
//! given start comes to rest, and no other, and nothing rescales the flow: `D` is given. In this order:
//!
//! - Newton's method (`newton`), if the flow is seen to end where it does (`arrival`);
//! - where the flow contracts, implicit Euler steps that grow (`euler`, switched evolution relaxation) in the norm in which it does, as
//!   long as it does so in this norm (`contraction`);
//! - otherwise the flow is followed with control of the error (`path`), until one of these two can end the search.
//!
//! An equilibrium is where Newton's correction is small: a residual that fades on the way to infinity is none. The eigenvalues tell
//! whether the flow stays there. Where any solution will do, and the flow is no more than a means, [`Continuation::solve_anywhere`] takes
//! larger steps (`anywhere`).

use std::sync::Arc;

use crate::newton::System;
use crate::problem::EvaluationFailed;
use crate::rightmost::Care;
use crate::sparse::Pattern;
use crate::sparse_lu::probe_entry;
use constants::*;
use contraction::{Field, Norm};
use matrix::{Matrix, Units};
use newton::Newton;

/// Rates, nominal values and bounds of the unknowns.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// For each unknown that flows, how fast it is beside the others: the entries of `D`.
    pub rates: &'a [f64],
    /// The usual size of each unknown.
    pub nominal: &'a [f64],
    /// Least and greatest value of each unknown.
    pub min: &'a [f64],
    /// The greatest.
    pub max: &'a [f64],
    /// Whether the stability of the equilibrium is checked.
    pub certify: bool,
}

/// How the point of rest was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    /// Evaluations of the residual.
    pub calls: u32,
    /// Steps along the flow: none where Newton's method did it.
    pub steps: u32,
    /// Whether the flow expands somewhere on the way: then the point may lie on another branch than the one the search began on.
    pub expanded: bool,
}

/// Why there is no point of rest.
#[derive(Debug)]
pub struct Stuck {
    /// The reason.
    pub why: Why,
    /// Evaluations of the residual.
    pub calls: u32,
    /// Steps along the flow.
    pub steps: u32,
}

/// Reason why no equilibrium was found.
#[derive(Debug)]
pub enum Why {
    /// There is an equilibrium, but the flow leaves it.
    Unstable {
        /// The equilibrium.
        at: Vec<f64>,
        /// How fast, in units of the flow.
        growth: f64,
    },
    /// The flow goes to infinity.
    Diverges {
        /// How far it was followed.
        at: Vec<f64>,
    },
    /// The flow goes on and on.
    Restless {
        /// How far it was followed.
        at: Vec<f64>,
    },
    /// The flow has no value at its beginning.
    EvaluationFailed(EvaluationFailed),
}

/// Memory of searches with n unknowns.
#[derive(Clone)]
pub struct Continuation {
    n: usize,
    matrix: Matrix,
    residual: Vec<f64>,
    /// The residual at the beginning.
    first: Vec<f64>,
    /// Residual and derivatives at the point to which a search returns.
    kept: Kept,
    /// The rates of the flow.
    scale: Vec<f64>,
    /// Sizes of the unknowns where the search began: units of norms that have to stay the same.
    sizes: Vec<f64>,
    calls: u32,
    steps: u32,
    expanded: bool,
}

/// Residual and derivatives at a point.
#[derive(Clone)]
struct Kept {
    residual: Vec<f64>,
    derivatives: Vec<f64>,
}

impl Continuation {
    /// Memory for n unknowns.
    pub fn new(n: usize) -> Continuation {
        Continuation::with(n, Matrix::dense(n))
    }

    /// Memory for unknowns with derivatives on a pattern, which the system gives as such; `None` where that is too much for a symbolic
    /// factorisation.
    pub fn sparse(pattern: Arc<Pattern>) -> Option<Continuation> {
        Some(Continuation::with(pattern.columns(), Matrix::sparse(pattern, None)?))
    }

    /// The same, for flows whose rates are multiplied by a matrix with these values on the pattern: `M dx/dτ = f`. All unknowns flow;
    /// `None` also where the matrix has no inverse.
    pub fn sparse_with_mass(pattern: Arc<Pattern>, mass: Vec<f64>) -> Option<Continuation> {
        Some(Continuation::with(pattern.columns(), Matrix::sparse(pattern, Some(mass))?))
    }

    fn with(n: usize, matrix: Matrix) -> Continuation {
        let residual = vec![0.0; n];
        Continuation {
            n,
            kept: Kept { residual: residual.clone(), derivatives: matrix.values().to_vec() },
            matrix,
            first: residual.clone(),
            residual,
            scale: vec![1.0; n],
            sizes: vec![1.0; n],
            calls: 0,
            steps: 0,
            expanded: false,
        }
    }

    /// Follows the flow from `x` to where it comes to rest.
    pub fn solve(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> Result<Reached, Stuck> {
        self.begin(x, options);
        let found = self.search(system, x, options);
        self.outcome(found)
    }

    /// The same as long as the flow contracts on the way; nothing where it has to be followed, or does not come to rest.
    pub fn approach(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> Result<Option<Reached>, Stuck> {
        self.begin(x, options);
        let found =
            self.contract(system, x, options).map(|arrived| arrived && self.stays(x, options).is_ok());
        let is_found = matches!(found, Ok(true));
        Ok(Some(self.outcome(found.map(|_| ()))?).filter(|_| is_found))
    }

    /// The residual at the beginning of the last search.
    pub fn first_residual(&self) -> &[f64] {
        &self.first
    }

    /// Evaluations of the residual in the last search, and steps along the flow.
    pub fn work(&self) -> (u32, u32) {
        (self.calls, self.steps)
    }

    fn begin(&mut self, x: &[f64], options: &Options<'_>) {
        (self.calls, self.steps, self.expanded) = (0, 0, false);
        self.scale.clear();
        self.scale.extend_from_slice(options.rates);
        self.sizes.clear();
        self.sizes.extend(x.iter().zip(options.nominal).map(|(x, nominal)| nominal.max(x.abs())));
    }

    fn outcome(&self, found: Result<(), Why>) -> Result<Reached, Stuck> {
        found
            .map(|()| Reached { calls: self.calls, steps: self.steps, expanded: self.expanded })
            .map_err(|why| Stuck { why, calls: self.calls, steps: self.steps })
    }

    fn search(&mut self, system: &mut dyn System, x: &mut [f64], options: &Options<'_>) -> Result<(), Why> {
        let start = x.to_vec();
        if self.contract(system, x, options)? {
            return self.stays(x, options);
        }
        match self.follow(system, x, options) {
            Ok(()) => self.stays(x, options),
            Err(why) => Err(self.left_equilibrium(system, [&start, x], options).unwrap_or(why)),
        }
    }

    /// Goes to the equilibrium where the flow contracts on the way.
    fn contract(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
    ) -> Result<bool, Why> {
        self.look(system, x, options).map_err(Why::EvaluationFailed)?;
        self.first.copy_from_slice(&self.residual);
        self.keep();
        Ok(self.arrive_by_newton(system, x, options) || self.arrive_by_euler(system, x, options))
    }

    /// The residual at a point, if that is within the ranges.
    fn evaluate(
        &mut self,
        system: &mut dyn System,
        x: &[f64],
        options: &Options<'_>,
    ) -> Result<(), EvaluationFailed> {
        // a search may begin outside, it must not go there
        if self.calls > 0 && (0..self.n).any(|i| is_beyond(x, i, options)) {
            return Err(EvaluationFailed::new("an unknown has left its range"));
        }
        self.calls += 1;
        system.residual(x, &mut self.residual)?;
        match self.residual.iter().all(|value| value.is_finite()) {
            true => Ok(()),
            false => Err(EvaluationFailed::new("a residual is no number")),
        }
    }

    /// The residual and its derivatives at a point.
    fn look(
        &mut self,
        system: &mut dyn System,
        x: &[f64],
        options: &Options<'_>,
    ) -> Result<(), EvaluationFailed> {
        self.evaluate(system, x, options)?;
        self.differentiate(system, x, options)
    }

    /// Keeps residual and derivatives of a point to come back to.
    fn keep(&mut self) {
        self.kept.residual.copy_from_slice(&self.residual);
        self.kept.derivatives.copy_from_slice(self.matrix.values());
    }

    /// Residual and derivatives of the point that was kept: to evaluate it again would be a call for nothing.
    fn return_to_kept(&mut self) {
        self.residual.copy_from_slice(&self.kept.residual);
        self.matrix.values_mut().copy_from_slice(&self.kept.derivatives);
    }

    /// The derivatives at a point; where they have no bound (a square root at zero), those a little aside.
    fn differentiate(
        &mut self,
        system: &mut dyn System,
        x: &[f64],
        options: &Options<'_>,
    ) -> Result<(), EvaluationFailed> {
        self.matrix.evaluate(system, x)?;
        for sign in [1.0, -1.0] {
            if self.matrix.values().iter().all(|entry| entry.is_finite()) {
                break;
            }
            self.differentiate_aside(system, x, sign * ASIDE, options)?;
        }
        Ok(())
    }

    /// The derivatives at a distance from a point, where the residual has a value there.
    fn differentiate_aside(
        &mut self,
        system: &mut dyn System,
        x: &[f64],
        distance: f64,
        options: &Options<'_>,
    ) -> Result<(), EvaluationFailed> {
        let aside = |i: usize| x[i] + distance * Self::size(options, x, i) * probe_entry(i);
        let mut beside: Vec<f64> = (0..self.n).map(aside).collect();
        for i in 0..self.n {
            if is_beyond(&beside, i, options) {
                beside[i] = x[i];
            }
        }
        let mut unused = vec![0.0; self.n];
        if system.residual(&beside, &mut unused).is_ok() {
            self.matrix.evaluate(system, &beside)?;
        }
        // variables that follow belong to the point itself
        system.residual(x, &mut unused)
    }

    /// Size of an unknown at a point: at least its nominal value.
    fn size(options: &Options<'_>, x: &[f64], i: usize) -> f64 {
        options.nominal[i].max(x[i].abs())
    }

    fn norm(options: &Options<'_>, x: &[f64], of: &[f64]) -> f64 {
        of.iter().enumerate().map(|(i, value)| (value / Self::size(options, x, i)).abs()).fold(0.0, nan_max)
    }

    /// How fast everything moves.
    fn flow_size(&mut self, x: &[f64], options: &Options<'_>) -> f64 {
        let m = options.rates.len();
        let mut flow = self.residual.clone();
        self.matrix.flow(&mut flow);
        let moves = |i: usize| (self.scale[i] * flow[i] / Self::size(options, x, i)).abs();
        (0..m).map(moves).fold(0.0, nan_max)
    }

    /// How fast the flow expands around a point; negative where it contracts.
    fn expansion(&mut self, care: Care, x: &[f64], options: &Options<'_>) -> f64 {
        let sizes: Vec<f64> = (0..self.n).map(|i| Self::size(options, x, i)).collect();
        self.matrix.expansion(&Units { scale: &self.scale, sizes: &sizes }, options.rates.len(), care)
    }

    /// The Jacobian of the flow at the point differentiated last; nothing where it is not known as a matrix.
    fn field(&self, options: &Options<'_>) -> Option<Field> {
        self.matrix.field(&self.scale, options.rates.len())
    }

    /// Norms in which the flow contracts at the point of a field.
    fn norms_of(&self, field: &Field, options: &Options<'_>) -> Vec<Norm> {
        Norm::of_contraction(field, &self.sizes, options.rates)
    }

    /// Whether the flow stays at an equilibrium: every eigenvalue has a negative real part, or is zero. One that is a frequency alone is that
    /// of a centre, around which the flow goes for ever.
    fn stays(&mut self, x: &[f64], options: &Options<'_>) -> Result<(), Why> {
        if !options.certify && options.rates.len() > 1 {
            return Ok(());
        }
        let growth = self.expansion(Care::Full, x, options);
        let zero = NEUTRAL * self.field(options).map_or(1.0, |field| field.largest(&self.sizes));
        let stays =
            growth < -zero || (growth <= zero && self.field(options).is_none_or(|f| !f.oscillates(zero)));
        if stays { Ok(()) } else { Err(Why::Unstable { at: x.to_vec(), growth: growth.max(0.0) }) }
    }

    /// An equilibrium that the flow leaves, for a message.
    fn left_equilibrium(
        &mut self,
        system: &mut dyn System,
        starts: [&[f64]; 2],
        options: &Options<'_>,
    ) -> Option<Why> {
        starts.into_iter().find_map(|start| {
            let mut x = start.to_vec();
            self.look(system, &x, options).ok()?;
            let found = self.newton(system, &mut x, options, MOST_CORRECTIONS, f64::INFINITY);
            if !matches!(found, Newton::Converged { .. }) {
                return None;
            }
            self.differentiate(system, &x, options).ok()?;
            self.stays(&x, options).err()
        })
    }
}

fn is_beyond(x: &[f64], i: usize, options: &Options<'_>) -> bool {
    let bound = |list: &[f64], none: f64| list.get(i).copied().unwrap_or(none);
    x[i] < bound(options.min, f64::NEG_INFINITY) || x[i] > bound(options.max, f64::INFINITY)
}

fn is_infinite(x: &[f64], start: &[f64], options: &Options<'_>) -> bool {
    let sizes = start.iter().zip(options.nominal).map(|(start, nominal)| nominal.max(start.abs()));
    x.iter().zip(sizes).any(|(x, size)| x.is_nan() || x.abs() > INFINITE * size)
}

/// The larger number; NaN is largest.
fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

mod anywhere;
mod arrival;
mod constants;
mod contraction;
mod euler;
mod matrix;
mod newton;
mod path;

#[cfg(test)]
mod random_flows;
#[cfg(test)]
mod tests;
