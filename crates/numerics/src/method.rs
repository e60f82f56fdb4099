//! The methods by the names they have on the command line.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::adaptive::{Adaptive, Scheme};
use crate::bdf::Bdf;
use crate::fixed::{self, Fixed};
use crate::integrator::{Failure, Integrator, Settings};
use crate::problem::Problem;
use crate::sparse::Pattern;
use crate::stateless::Stateless;

/// A method of integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Backward differentiation of variable order 1 to 5: stiff problems with few events.
    Bdf,
    /// The same with a past that survives events and changes of variables: models whose states change on the way.
    FlcBdf,
    /// Singly diagonally implicit Runge–Kutta of order 3: stiff problems with many events.
    Esdirk34,
    /// Trapezoid and backward difference in one step, order 2: stiff, low accuracy, many events.
    TrBdf2,
    /// Explicit Runge–Kutta of order 5 by Tsitouras: problems that are not stiff.
    Tsit45,
    /// Explicit Euler, fixed step, order 1.
    Euler,
    /// Heun's method, fixed step, order 2.
    Heun,
    /// The explicit midpoint rule, fixed step, order 2.
    Midpoint,
    /// The classical Runge–Kutta method, fixed step, order 4.
    Rk4,
    /// Backward Euler, fixed step, order 1.
    ImplicitEuler,
    /// The trapezoidal rule, fixed step, order 2.
    ImplicitTrapezoid,
}

impl Method {
    /// All methods, in the order of the manual.
    pub const ALL: [Method; 11] = [
        Method::Bdf,
        Method::FlcBdf,
        Method::Esdirk34,
        Method::TrBdf2,
        Method::Tsit45,
        Method::Euler,
        Method::Heun,
        Method::Midpoint,
        Method::Rk4,
        Method::ImplicitEuler,
        Method::ImplicitTrapezoid,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Bdf => "bdf",
            Method::FlcBdf => "flc-bdf",
            Method::Esdirk34 => "esdirk34",
            Method::TrBdf2 => "tr-bdf2",
            Method::Tsit45 => "tsit45",
            Method::Euler => "euler",
            Method::Heun => "heun",
            Method::Midpoint => "midpoint",
            Method::Rk4 => "rk4",
            Method::ImplicitEuler => "implicit-euler",
            Method::ImplicitTrapezoid => "implicit-trapezoid",
        }
    }

    /// Whether the method needs a step and keeps to it.
    pub fn is_fixed_step(self) -> bool {
        matches!(
            self,
            Method::Euler
                | Method::Heun
                | Method::Midpoint
                | Method::Rk4
                | Method::ImplicitEuler
                | Method::ImplicitTrapezoid
        )
    }

    /// Whether it is explicit and keeps to its step.
    pub fn is_explicit_fixed_step(self) -> bool {
        matches!(self, Method::Euler | Method::Heun | Method::Midpoint | Method::Rk4)
    }

    /// Starts integrating a problem from a time and a state.
    pub fn start(
        self,
        problem: &mut dyn Problem,
        t0: f64,
        y0: &[f64],
        settings: Settings,
    ) -> Result<Box<dyn Integrator>, Failure> {
        check_settings(problem, y0, &settings)?;
        if y0.is_empty() && !self.is_fixed_step() {
            return Ok(Box::new(Stateless::start(t0, settings)));
        }
        Ok(match self {
            Method::Bdf => Box::new(Adaptive::start(Scheme::Bdf, problem, t0, y0, settings)?),
            Method::FlcBdf => Box::new(Bdf::start(problem, t0, y0, settings)?),
            Method::Esdirk34 => Box::new(Adaptive::start(Scheme::Esdirk34, problem, t0, y0, settings)?),
            Method::TrBdf2 => Box::new(Adaptive::start(Scheme::TrBdf2, problem, t0, y0, settings)?),
            Method::Tsit45 => Box::new(Adaptive::start(Scheme::Tsit45, problem, t0, y0, settings)?),
            Method::Euler => Box::new(Fixed::start(fixed::Explicit::EULER, problem, t0, y0, settings)?),
            Method::Heun => Box::new(Fixed::start(fixed::Explicit::HEUN, problem, t0, y0, settings)?),
            Method::Midpoint => Box::new(Fixed::start(fixed::Explicit::MIDPOINT, problem, t0, y0, settings)?),
            Method::Rk4 => Box::new(Fixed::start(fixed::Explicit::RK4, problem, t0, y0, settings)?),
            Method::ImplicitEuler => Box::new(Fixed::start(fixed::Theta::EULER, problem, t0, y0, settings)?),
            Method::ImplicitTrapezoid => {
                Box::new(Fixed::start(fixed::Theta::TRAPEZOID, problem, t0, y0, settings)?)
            }
        })
    }
}

fn check_settings(problem: &dyn Problem, y0: &[f64], settings: &Settings) -> Result<(), Failure> {
    let n = problem.n();
    let bad = |message: String| Err(Failure::BadSettings(message));
    if y0.len() != n || settings.atol.len() != n {
        return bad(format!(
            "{n} states, but {} start values and {} absolute tolerances",
            y0.len(),
            settings.atol.len()
        ));
    }
    let (pattern, inner) = (problem.pattern(), problem.inner());
    if inner > 0 && n < 2 {
        return bad(format!("{n} states, but {inner} inner unknowns: these are for two states and more"));
    }
    let is_wrong = |pattern: &Arc<Pattern>| pattern.rows() != n + inner || pattern.columns() != n + inner;
    if let Some(pattern) = pattern.filter(is_wrong) {
        let inner = if inner > 0 { format!(" and {inner} inner unknowns") } else { String::new() };
        let (rows, columns) = (pattern.rows(), pattern.columns());
        return bad(format!("{n} states{inner}, but a Jacobian of {rows} by {columns}"));
    }
    if !(settings.rtol > 0.0 && settings.rtol.is_finite()) {
        return bad(format!("the relative tolerance is {}", settings.rtol));
    }
    if let Some(i) = settings.atol.iter().position(|atol| !(*atol > 0.0 && atol.is_finite())) {
        return bad(format!("the absolute tolerance of state {i} is {}", settings.atol[i]));
    }
    if settings.t_stop.is_nan() {
        return bad("the stop time is not a number".to_owned());
    }
    for (what, step) in [("step", settings.step), ("maximal step", settings.max_step)] {
        if let Some(step) = step.filter(|step| step.is_nan() || *step <= 0.0) {
            return bad(format!("the {what} is {step}"));
        }
    }
    Ok(())
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Method, UnknownMethod> {
        let found = Method::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| UnknownMethod(name.to_owned()))
    }
}

/// A name that is not one of [`Method::ALL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownMethod(pub String);

impl fmt::Display for UnknownMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Method::ALL.map(Method::name).join(", ");
        write!(f, "there is no method `{}`; the methods are {known}", self.0)
    }
}

impl std::error::Error for UnknownMethod {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        expect_test::expect![
            "there is no method `dassl`; the methods are bdf, flc-bdf, esdirk34, tr-bdf2, tsit45, euler, heun, midpoint, rk4, implicit-euler, implicit-trapezoid"
        ]
        .assert_eq(&"dassl".parse::<Method>().unwrap_err().to_string());
    }
}
