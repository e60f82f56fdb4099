//! The interface of problems: the ordinary differential equation `dy/dt = f(t, y)` in n states.
//!
//! A problem evaluates its right-hand side and, where it can, its Jacobian on a fixed sparsity pattern. Without a
//! Jacobian, coloured finite differences on the pattern take its place. An evaluation may fail (a logarithm of a
//! negative number, an inner solve that does not converge). The integrator then tries a smaller step, and reports
//! the problem's own error only if no step is small enough.
//!
//! A right-hand side may hold unknowns of its own, `dy/dt = f(t, y, z)` with `g(t, y, z) = 0`, which it finds in every evaluation.
//! Its Jacobian by the states alone, `f_y - f_z g_z⁻¹ g_y`, is dense where a large `g_z` is sparse. Such *inner unknowns* may stay in
//! the Jacobian as further rows and columns, and implicit methods eliminate them as they factorise their matrix.
//!
//! Other forms (a mass matrix, a residual `F(t, y, y')`) are to come as further methods with a default, so that a
//! problem written today stays valid.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use crate::sparse::{Pattern, SparseMatrix};

/// An ordinary differential equation.
pub trait Problem {
    /// Number of states.
    fn n(&self) -> usize;

    /// Writes `f(t, y)` into `dy`. After a failure the contents of `dy` are ignored; a value that is not
    /// finite is a failure too, found by the integrator.
    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), EvaluationFailed>;

    /// The larger problem without the constraints that this one keeps, if steps are to be made without them and projected onto
    /// them at their end.
    fn off_constraints(&mut self) -> Option<&mut dyn OffConstraints> {
        None
    }

    /// Number of inner unknowns, m: those that stay in the Jacobian. None where there are fewer than two states.
    fn inner(&self) -> usize {
        0
    }

    /// The problem with its inner unknowns given from outside; there where it has any.
    fn opened(&mut self) -> Option<&mut dyn Opened> {
        None
    }

    /// Sparsity pattern of `∂f/∂y`, n × n; asked for once, at the start. `None` means anywhere. With inner unknowns, where
    /// `[f_y f_z; g_y g_z]` may be, n + m square: first the states, then the inner unknowns.
    fn pattern(&self) -> Option<Arc<Pattern>> {
        None
    }

    /// Writes `∂f/∂y` at `(t, y)` (with inner unknowns, the whole matrix of [`Problem::pattern`]) into the values of `jacobian`.
    /// That has the pattern of the problem (all entries if that is `None`) and is zero before. Answers `false`, having written
    /// nothing, where the problem has no Jacobian: finite differences are then used for the whole run.
    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut SparseMatrix) -> Result<bool, EvaluationFailed> {
        let _ = (t, y, jacobian);
        Ok(false)
    }
}

/// A problem whose inner unknowns are given from outside.
pub trait Opened {
    /// Writes the inner unknowns as the last evaluation found them.
    fn found(&self, inner: &mut [f64]);

    /// Writes the nominal value of each inner unknown.
    fn sizes(&self, inner: &mut [f64]);

    /// Writes `f(t, y, z)`, and `g(t, y, z)` behind it.
    fn open_rhs(
        &mut self,
        t: f64,
        y: &[f64],
        inner: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationFailed>;
}

/// A problem without the constraints of another.
pub trait OffConstraints {
    /// Writes where it is when the other is at `(t, y)`.
    fn leave(&mut self, t: f64, y: &[f64], wide: &mut Vec<f64>) -> Result<(), EvaluationFailed>;

    /// Its right-hand side.
    fn wide_rhs(&mut self, t: f64, wide: &[f64], slopes: &mut [f64]) -> Result<(), EvaluationFailed>;

    /// Writes where the other is when this one is brought onto its constraints.
    fn come_back(&mut self, t: f64, wide: &[f64], y: &mut [f64]) -> Result<(), EvaluationFailed>;
}

/// An evaluation that could not be done, with the problem's own reason inside.
#[derive(Debug)]
pub struct EvaluationFailed {
    reason: Box<dyn Error + Send + Sync>,
}

impl EvaluationFailed {
    /// A failure for a reason of the problem's own type (or a text).
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> EvaluationFailed {
        EvaluationFailed { reason: reason.into() }
    }

    /// The reason, for display.
    pub fn reason(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.reason
    }

    /// The reason as the type that the problem put in, where it is of that type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.reason.downcast_ref()
    }
}

impl fmt::Display for EvaluationFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl Error for EvaluationFailed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.reason)
    }
}

/// The reason given where a problem reports success but leaves a value that is not finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotFinite {
    /// The first state whose derivative is not finite; behind the states, the inner unknown with that place among the residuals.
    pub component: usize,
    /// The state, or inner unknown, by which the derivative was differentiated, if only that derivative is
    /// not finite.
    pub by: Option<usize>,
    /// The value: infinite or not a number.
    pub value: f64,
}

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NotFinite { component, by, value } = self;
        match by {
            None => write!(f, "the derivative of state {component} is {value}"),
            Some(by) => write!(f, "the derivative of state {component} changes with state {by} by {value}"),
        }
    }
}

impl Error for NotFinite {}
