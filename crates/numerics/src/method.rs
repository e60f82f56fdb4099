//! The methods, a row each: their names on the command line, what they are for, and how they make their steps.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::adaptive::{Adaptive, Scheme};
use crate::bdf::Bdf;
use crate::fixed::{Explicit, Fixed, Implicit, Tableau};
use crate::integrator::{Failure, Integrator, Settings};
use crate::problem::Problem;
use crate::sparse::Pattern;
use crate::stateless::Stateless;

/// How a method makes its steps.
enum Kind {
    /// By diffsol, with steps of its own.
    Adaptive(Scheme),
    /// By our own backward differentiation, with steps of its own.
    Multistep,
    /// Explicitly, with a given step.
    Explicit(Explicit),
    /// Implicitly, with a given step.
    Implicit(&'static Tableau),
}

macro_rules! methods {
    ($($(#[$doc:meta])* $method:ident $name:literal $kind:expr;)*) => {
        /// A method of integration.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Method { $($(#[$doc])* $method),* }

        impl Method {
            /// All methods, in the order of the manual.
            pub const ALL: [Method; [$($name),*].len()] = [$(Method::$method),*];

            /// The name on the command line.
            pub fn name(self) -> &'static str {
                match self { $(Method::$method => $name),* }
            }

            fn kind(self) -> Kind {
                match self { $(Method::$method => $kind),* }
            }
        }
    };
}

methods! {
    /// Backward differentiation of variable order 1 to 5: stiff problems with few events.
    Bdf "bdf" Kind::Adaptive(Scheme::Bdf);
    /// The same with a past that survives events and changes of variables: models whose states change on the way.
    FlcBdf "flc-bdf" Kind::Multistep;
    /// Singly diagonally implicit Runge–Kutta of order 3: stiff problems with many events.
    Esdirk34 "esdirk34" Kind::Adaptive(Scheme::Esdirk34);
    /// Trapezoid and backward difference in one step, order 2: stiff, low accuracy, many events.
    TrBdf2 "tr-bdf2" Kind::Adaptive(Scheme::TrBdf2);
    /// Explicit Runge–Kutta of order 5 by Tsitouras: problems that are not stiff.
    Tsit45 "tsit45" Kind::Adaptive(Scheme::Tsit45);
    /// Explicit Euler, fixed step, order 1.
    Euler "euler" Kind::Explicit(Explicit::EULER);
    /// Heun's method, fixed step, order 2.
    Heun "heun" Kind::Explicit(Explicit::HEUN);
    /// The explicit midpoint rule, fixed step, order 2.
    Midpoint "midpoint" Kind::Explicit(Explicit::MIDPOINT);
    /// The classical Runge–Kutta method, fixed step, order 4.
    Rk4 "rk4" Kind::Explicit(Explicit::RK4);
    /// Backward Euler, fixed step, order 1.
    ImplicitEuler "implicit-euler" Kind::Implicit(&Tableau::EULER);
    /// The trapezoidal rule, fixed step, order 2.
    ImplicitTrapezoid "implicit-trapezoid" Kind::Implicit(&Tableau::TRAPEZOID);
    /// Singly diagonally implicit Runge–Kutta with two stages, fixed step, order 2: stiff problems.
    Sdirk2 "sdirk2" Kind::Implicit(&Tableau::SDIRK2);
}

impl Method {
    /// All names, as messages list them.
    pub fn names() -> String {
        Method::ALL.map(Method::name).join(", ")
    }

    /// Whether the method needs a step and keeps to it.
    pub fn is_fixed_step(self) -> bool {
        matches!(self.kind(), Kind::Explicit(_) | Kind::Implicit(_))
    }

    /// Whether it is explicit and keeps to its step.
    pub fn is_explicit_fixed_step(self) -> bool {
        matches!(self.kind(), Kind::Explicit(_))
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
        Ok(match self.kind() {
            Kind::Adaptive(scheme) => Box::new(Adaptive::start(scheme, problem, t0, y0, settings)?),
            Kind::Multistep => Box::new(Bdf::start(problem, t0, y0, settings)?),
            Kind::Explicit(rule) => Box::new(Fixed::start(rule, problem, t0, y0, settings)?),
            Kind::Implicit(tableau) => {
                let rule = Implicit::new(tableau);
                Box::new(Fixed::start(rule, problem, t0, y0, settings)?)
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
        write!(f, "there is no method `{}`; the methods are {}", self.0, Method::names())
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
            "there is no method `dassl`; the methods are bdf, flc-bdf, esdirk34, tr-bdf2, tsit45, euler, heun, midpoint, rk4, implicit-euler, implicit-trapezoid, sdirk2"
        ]
        .assert_eq(&"dassl".parse::<Method>().unwrap_err().to_string());
    }
}
