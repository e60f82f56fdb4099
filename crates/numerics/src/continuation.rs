//! Equilibria of a flow by pseudo-transient continuation (Kelley & Keyes 1998; with algebraic equations beside the flow Coffey,
//! Kelley & Keyes 2003).
//!
//! The first unknowns flow, `dx/dτ = D f(x, w)`, the others follow, `0 = g(x, w)`. Newton's method is tried first where the flow
//! contracts; it fails early, by the natural monotonicity test (Deuflhard 2004, §3.3), so that it does not leap to another
//! branch. Then steps of the implicit Euler method follow the flow. While the flow expands they are kept short: a long one would
//! be drawn to an equilibrium that the flow leaves. They grow as the residual falls (switched evolution relaxation), until
//! Newton's method can end the search. A point at which the flow would not stay is no equilibrium to be found.

use std::sync::Arc;

use crate::newton::System;
use crate::problem::EvaluationFailed;
use crate::rightmost::Care;
use crate::sparse::Pattern;
use matrix::{Matrix, Units};

/// Newton corrections at once.
const MOST_CORRECTIONS: u32 = 6;
/// The same where the search ends, and where it is looked for an equilibrium that the flow leaves.
const MOST_LAST_CORRECTIONS: u32 = 30;
/// A correction that leaves more than this share of itself is no convergence.
const CONTRACTION: f64 = 0.9;
/// Up to this residual share by the old derivatives, those of the new point decide: a kink may lie between. A leap to another
/// branch leaves more.
const KINK: f64 = 4.0;
/// Corrections that are this small, in units of the unknowns, are none.
const TOLERANCE: f64 = 1e-12;
/// Correction accepted as a solution if rounding lets it fall no further.
const STALLED: f64 = 1e-9;
/// Newton corrections within a step.
const MOST_STEP_CORRECTIONS: u32 = 8;
/// A step is solved when corrections are this share of it: only the path depends on it.
const STEP_TOLERANCE: f64 = 1e-2;
/// Halvings of a correction within a step, and the share of it that must be gained.
const MOST_PARTS: u32 = 5;
const DECREASE: f64 = 0.25;
/// The largest step where the flow expands, in units of the time in which it does.
const EXPANDING: f64 = 0.5;
/// How a step grows when it succeeds, at least and at most.
const GROWTH: (f64, f64) = (1.5, 10.0);
/// Divisor of a step that fails.
const SHRINK: f64 = 4.0;
/// Steps between these are taken.
const STEPS: (f64, f64) = (1e-13, 1e15);
/// The search ends by Newton's method where its correction is no longer than so many of the last step.
const TRUST: f64 = 2.0;
/// Beyond this many units, or times its start, an unknown has gone to infinity.
const INFINITE: f64 = 1e10;
/// Work in one search.
const MOST_STEPS: u32 = 1000;
const MOST_CALLS: u32 = 6000;
/// Growth rates below this, in units of the flow, count as stable: at the end of a branch stability cannot be told any
/// more.
const NEUTRAL: f64 = 1e-4;
/// Distance from a solution at which derivatives decide about its stability, if the flow contracts there at least at the rate
/// `STEADY` and the derivatives have predicted the residual: no kink lies between.
const NEAR: f64 = 1e-3;
const STEADY: f64 = 1e-2;
/// Steps longer than this, in units of the flow, may pass over where it expands: their middle is looked at.
const LONG: f64 = 10.0;

/// The first step of a search of which nothing is known: the time in which the flow changes, in its own units.
pub const FIRST_STEP: f64 = 1.0;

/// Rates, nominal values and bounds of the unknowns.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// For each unknown that flows, how fast it is beside the others.
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
    /// Residual and derivatives at the point to which a search returns.
    kept: (Vec<f64>, Vec<f64>),
    scale: Vec<f64>,
    calls: u32,
    expanded: bool,
    /// Whether the derivatives in Newton's method prove the stability of its solution.
    is_steady: bool,
}

/// Outcome of a Newton iteration.
enum Newton {
    Converged,
    Failed,
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
            kept: (residual.clone(), matrix.values().to_vec()),
            matrix,
            residual,
            scale: vec![1.0; n],
            calls: 0,
            expanded: false,
            is_steady: false,
        }
    }

    /// Follows the flow from `x` to where it comes to rest, with first steps of length `h`; leaves the last length there.
    pub fn solve(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        h: &mut f64,
        options: &Options<'_>,
    ) -> Result<Reached, Stuck> {
        (self.calls, self.expanded) = (0, false);
        let mut steps = 0;
        self.search(system, x, h, options, &mut steps)
            .map(|()| Reached { calls: self.calls, steps, expanded: self.expanded })
            .map_err(|why| Stuck { why, calls: self.calls, steps })
    }

    fn search(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        h: &mut f64,
        options: &Options<'_>,
        steps: &mut u32,
    ) -> Result<(), Why> {
        let start = x.to_vec();
        self.look(system, x, options).map_err(Why::EvaluationFailed)?;
        self.keep();
        self.scale_flow(options);
        let mut expands = self.expansion(x, options);
        if expands < 0.0
            && matches!(self.newton(system, x, options, MOST_CORRECTIONS, f64::INFINITY), Newton::Converged)
            && self.is_certified(system, x, options)
        {
            return Ok(());
        }
        x.copy_from_slice(&start);
        self.return_to_kept();
        while *steps < MOST_STEPS && self.calls < MOST_CALLS && *h > STEPS.0 {
            if expands > 0.0 {
                self.expanded = true;
                *h = h.min(EXPANDING / expands);
            }
            let before = self.flow_size(x, options);
            if before <= TOLERANCE {
                return self.verdict(x, expands);
            }
            let before_step = x.to_vec();
            let Some(moved) = self.step(system, x, *h, options) else {
                *h /= SHRINK;
                self.return_to_kept();
                continue;
            };
            *steps += 1;
            self.keep();
            if *h > LONG && !self.expanded {
                self.look_back(system, x, &before_step, options);
                self.return_to_kept();
            }
            let after = self.flow_size(x, options);
            *h = (*h * (before / after).clamp(GROWTH.0, GROWTH.1)).min(STEPS.1);
            if is_infinite(x, &start, options) {
                break;
            }
            expands = self.expansion(x, options);
            if expands < 0.0 && self.correction(options, x) <= TRUST * moved {
                let reached = x.to_vec();
                let trust = 10.0 * TRUST * moved;
                let last = self.newton(system, x, options, MOST_LAST_CORRECTIONS, trust);
                if matches!(last, Newton::Converged) && self.is_certified(system, x, options) {
                    return Ok(());
                }
                x.copy_from_slice(&reached);
                self.return_to_kept();
            }
        }
        let at = x.to_vec();
        // ever faster away, so that no step is short enough: infinity is reached in finite time
        let runs_away = *h <= STEPS.0 && expands > 0.0;
        Err(match self.left_equilibrium(system, &start, options) {
            Some(why) => why,
            None if runs_away || is_infinite(&at, &start, options) => Why::Diverges { at },
            None => Why::Restless { at },
        })
    }

    /// The residual at a point, if that is within the ranges.
    fn evaluate(
        &mut self,
        system: &mut dyn System,
        x: &[f64],
        options: &Options<'_>,
    ) -> Result<(), EvaluationFailed> {
        let is_beyond = |i: usize| {
            let bound = |list: &[f64], none: f64| list.get(i).copied().unwrap_or(none);
            x[i] < bound(options.min, f64::NEG_INFINITY) || x[i] > bound(options.max, f64::INFINITY)
        };
        // a search may begin outside, it must not go there
        if self.calls > 0 && (0..self.n).any(is_beyond) {
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
        self.differentiate(system, x)
    }

    /// Keeps residual and derivatives of a point to come back to.
    fn keep(&mut self) {
        self.kept.0.copy_from_slice(&self.residual);
        self.kept.1.copy_from_slice(self.matrix.values());
    }

    /// Residual and derivatives of the point that was kept: to evaluate it again would be a call for nothing.
    fn return_to_kept(&mut self) {
        self.residual.copy_from_slice(&self.kept.0);
        self.matrix.values_mut().copy_from_slice(&self.kept.1);
    }

    fn differentiate(&mut self, system: &mut dyn System, x: &[f64]) -> Result<(), EvaluationFailed> {
        self.matrix.evaluate(system, x)
    }

    /// Units of the flow: each unknown alone would come to rest in one unit of time. Fixed during a search.
    fn scale_flow(&mut self, options: &Options<'_>) {
        if self.matrix.has_mass() {
            // the modeller of the matrix has given the units
            return self.scale.copy_from_slice(options.rates);
        }
        let paces = self.matrix.paces(options);
        for (i, (rate, (own, largest))) in options.rates.iter().zip(paces).enumerate() {
            let largest = largest / options.nominal[i];
            let speed = self.residual[i].abs() / options.nominal[i];
            let pace = [own.abs(), largest, speed].into_iter().find(|pace| pace.is_finite() && *pace > 0.0);
            self.scale[i] = rate / pace.unwrap_or(1.0);
        }
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
    fn expansion(&mut self, x: &[f64], options: &Options<'_>) -> f64 {
        self.expansion_with(Care::Rough, x, options)
    }

    fn expansion_with(&mut self, care: Care, x: &[f64], options: &Options<'_>) -> f64 {
        let sizes: Vec<f64> = (0..self.n).map(|i| Self::size(options, x, i)).collect();
        self.matrix.expansion(&Units { scale: &self.scale, sizes: &sizes }, options.rates.len(), care)
    }

    /// Newton's method from a point at which residual and derivatives are known; no correction longer than `trust`.
    fn newton(
        &mut self,
        system: &mut dyn System,
        x: &mut [f64],
        options: &Options<'_>,
        most: u32,
        trust: f64,
    ) -> Newton {
        let mut correction = vec![0.0; self.n];
        // after a kink: limit of the next correction
        let mut limit = f64::INFINITY;
        self.is_steady = false;
        for _ in 0..most {
            if !self.matrix.factorise() {
                return Newton::Failed;
            }
            self.correct(&mut correction);
            let size = Self::norm(options, x, &correction);
            if size <= TOLERANCE {
                self.is_steady = self.expansion(x, options) < -STEADY;
                return Newton::Converged;
            }
            if size > trust.min(limit) || !size.is_finite() {
                return Newton::Failed;
            }
            x.iter_mut().zip(&correction).for_each(|(x, correction)| *x += correction);
            if self.evaluate(system, x, options).is_err() {
                return Newton::Failed;
            }
            self.correct(&mut correction);
            let left = Self::norm(options, x, &correction);
            if left <= TOLERANCE {
                self.is_steady = size <= NEAR && self.expansion(x, options) < -STEADY;
                return Newton::Converged;
            }
            if left <= STALLED && left > 0.1 * size {
                return Newton::Converged;
            }
            if left.is_nan() || left > KINK * size || self.differentiate(system, x).is_err() {
                return Newton::Failed;
            }
            limit = f64::INFINITY;
            if left > CONTRACTION * size {
                limit = CONTRACTION * size;
                if self.expansion(x, options) >= 0.0 {
                    return Newton::Failed;
                }
            }
        }
        Newton::Failed
    }

    /// The correction that the factorised derivatives ask for.
    fn correct(&mut self, correction: &mut [f64]) {
        correction.iter_mut().zip(&self.residual).for_each(|(correction, residual)| *correction = -residual);
        self.matrix.solve(correction);
    }

    /// How far Newton's method would go from here.
    fn correction(&mut self, options: &Options<'_>, x: &[f64]) -> f64 {
        if !self.matrix.factorise() {
            return f64::INFINITY;
        }
        let mut correction = vec![0.0; self.n];
        self.correct(&mut correction);
        Self::norm(options, x, &correction)
    }

    /// One step of the implicit Euler method, `(y − x)/h = D f(y)`; moves `x` and says how far. Residual and derivatives are those of
    /// `x` before, and of the new `x` after.
    fn step(&mut self, system: &mut dyn System, x: &mut [f64], h: f64, options: &Options<'_>) -> Option<f64> {
        let (from, mut y) = (x.to_vec(), x.to_vec());
        let mut correction = vec![0.0; self.n];
        for _ in 0..MOST_STEP_CORRECTIONS {
            if !self.matrix.factorise_step(h, &self.scale, options.rates.len()) {
                return None;
            }
            self.correct_step(&from, &y, h, options, &mut correction);
            let size = Self::norm(options, &y, &correction);
            let part = self.damped(system, &from, &mut y, h, options, &correction)?;
            self.differentiate(system, &y).ok()?;
            let way: Vec<f64> = y.iter().zip(&from).map(|(y, from)| y - from).collect();
            let moved = Self::norm(options, &y, &way);
            if part == 1.0 && (size <= STEP_TOLERANCE * moved || size <= TOLERANCE) {
                x.copy_from_slice(&y);
                return Some(moved);
            }
        }
        None
    }

    /// Moves `y` by the largest part of a correction that leaves less to correct, and says which.
    fn damped(
        &mut self,
        system: &mut dyn System,
        from: &[f64],
        y: &mut [f64],
        h: f64,
        options: &Options<'_>,
        correction: &[f64],
    ) -> Option<f64> {
        let size = Self::norm(options, y, correction);
        let (before, mut left) = (y.to_vec(), vec![0.0; self.n]);
        let mut part = 1.0;
        for _ in 0..MOST_PARTS {
            for (y, (before, correction)) in y.iter_mut().zip(before.iter().zip(correction)) {
                *y = before + part * correction;
            }
            if self.evaluate(system, y, options).is_ok() {
                self.correct_step(from, y, h, options, &mut left);
                if size <= TOLERANCE || Self::norm(options, y, &left) <= (1.0 - DECREASE * part) * size {
                    return Some(part);
                }
            }
            part *= 0.5;
        }
        None
    }

    /// The correction of `y` that a step from `from` asks for.
    fn correct_step(
        &mut self,
        from: &[f64],
        y: &[f64],
        h: f64,
        options: &Options<'_>,
        correction: &mut [f64],
    ) {
        let m = options.rates.len();
        for (row, correction) in correction.iter_mut().enumerate() {
            *correction = self.residual[row] * if row < m { h * self.scale[row] } else { 1.0 };
        }
        let way: Vec<f64> = y.iter().zip(from).map(|(y, from)| y - from).collect();
        self.matrix.take_way(&way, m, correction);
        self.matrix.solve(correction);
    }

    /// Whether the flow stays at a point where the residual vanishes.
    fn is_certified(&mut self, system: &mut dyn System, x: &[f64], options: &Options<'_>) -> bool {
        if self.is_steady || (!options.certify && options.rates.len() > 1) {
            return true;
        }
        if self.differentiate(system, x).is_err() {
            return true; // nothing is known against it
        }
        self.expansion_with(Care::Full, x, options) < NEUTRAL
    }

    /// Notes whether the flow expands half way along a step; leaves residual and derivatives of that point.
    fn look_back(&mut self, system: &mut dyn System, x: &[f64], from: &[f64], options: &Options<'_>) {
        let middle: Vec<f64> = x.iter().zip(from).map(|(x, from)| 0.5 * (x + from)).collect();
        self.expanded |=
            self.look(system, &middle, options).is_err() || self.expansion(&middle, options) > 0.0;
    }

    /// Stability of an equilibrium with this growth rate.
    fn verdict(&self, x: &[f64], expands: f64) -> Result<(), Why> {
        match expands < NEUTRAL {
            true => Ok(()),
            false => Err(Why::Unstable { at: x.to_vec(), growth: expands }),
        }
    }

    /// An equilibrium that the flow leaves, for a message.
    fn left_equilibrium(
        &mut self,
        system: &mut dyn System,
        start: &[f64],
        options: &Options<'_>,
    ) -> Option<Why> {
        let mut x = start.to_vec();
        self.look(system, &x, options).ok()?;
        let found = self.newton(system, &mut x, options, MOST_LAST_CORRECTIONS, f64::INFINITY);
        if !matches!(found, Newton::Converged) {
            return None;
        }
        self.differentiate(system, &x).ok()?;
        let growth = self.expansion_with(Care::Full, &x, options);
        (growth > NEUTRAL && growth.is_finite()).then_some(Why::Unstable { at: x, growth })
    }
}

fn is_infinite(x: &[f64], start: &[f64], options: &Options<'_>) -> bool {
    let sizes = start.iter().zip(options.nominal).map(|(start, nominal)| nominal.max(start.abs()));
    x.iter().zip(sizes).any(|(x, size)| x.is_nan() || x.abs() > INFINITE * size)
}

/// The larger number; NaN is largest.
fn nan_max(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

mod matrix;

#[cfg(test)]
mod tests;
