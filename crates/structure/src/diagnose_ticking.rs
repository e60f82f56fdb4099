//! Diagnostics of clocked partitions, in the modeller's words.

use rhei_equations::{
    Conversion, Dae, EqId, Equations, Measured, Origin, Pool, Reinit, Rhythm, VarId, Variable,
};
use rhei_solvable::Surplus;
use rhei_source::Diagnostic;

use crate::diagnose::{at_equations, at_variables, listed};

/// A block of equations between unknowns of several clocks.
pub(crate) fn loop_between_clocks(equations: &Dae, unknowns: &[VarId]) -> Diagnostic {
    let shown: Vec<VarId> = unknowns.iter().copied().filter(|&v| !equations.variable(v).is_hidden).collect();
    let names: Vec<&str> = shown.iter().map(|&v| equations.variable(v).name.as_str()).collect();
    let message =
        format!("{} need each other at the same tick, but have different clocks", listed(names.into_iter()));
    at_variables(Diagnostic::error("clocks-loop", message), equations, &shown)
        .with_note("`previous(v)` of one of them takes its value from the tick before")
}

/// Two measurements of one state.
pub(crate) fn measured_twice(equations: &Equations, first: &Measured, second: &Measured) -> Diagnostic {
    let names = [first, second].map(|measured| equations.variable(measured.variable).name.as_str());
    let message = if names[0] == names[1] {
        format!("`{}` is set from two measurements", names[0])
    } else {
        format!("`{}` and `{}` are one variable, but each is set from a measurement", names[0], names[1])
    };
    let mut diagnostic = Diagnostic::error("measured-twice", message);
    for measured in [first, second] {
        if let Some(span) = measured.origin.span {
            let value = equations.notation().expression(measured.value);
            diagnostic = diagnostic.at(span, format!("measured as `{value}`"));
        }
    }
    diagnostic.with_note("keep one of the two, or combine them: `reinit((a + b)/2)`")
}

/// A measured variable that is `never`.
pub(crate) fn measured_never(variable: &Variable, measured: &Measured) -> Diagnostic {
    let message = format!("`{}` is measured, which takes a state, but is `StateSelect.never`", variable.name);
    let diagnostic = Diagnostic::error("reinit-target-not-state", message);
    let diagnostic = match measured.origin.span.or(variable.span) {
        Some(span) => diagnostic.at(span, "measured here"),
        None => diagnostic,
    };
    diagnostic.with_note("remove `stateSelect`: whatever is measured is a state")
}

/// A fixed start value of a variable that is measured from the first tick on.
pub(crate) fn measured_start_ignored(variable: &Variable, measured: &Measured) -> Diagnostic {
    let message =
        format!("`fixed=true` of `{}` does not count: it is measured from the first tick on", variable.name);
    let diagnostic = Diagnostic::note("measured-start-ignored", message);
    match measured.origin.span.or(variable.span) {
        Some(span) => diagnostic.at(span, "measured"),
        None => diagnostic,
    }
}

/// A `reinit` in a `when`, of a state that is measured.
pub(crate) fn reinit_of_measured(name: &str, reinit: &Reinit, measured: &Measured) -> Diagnostic {
    let message =
        format!("`reinit` does not set `{name}`: it is measured at each tick, and stays what is measured");
    let mut diagnostic = Diagnostic::warning("measured-jump-ignored", message);
    for (origin, label) in [(&reinit.origin, "set here"), (&measured.origin, "measured")] {
        if let Some(span) = origin.span {
            diagnostic = diagnostic.at(span, label);
        }
    }
    diagnostic.with_note("combine the two where it is measured: `Real x = reinit(if … then … else …)`")
}

/// A method that is none of those the language describes.
pub(crate) fn method_external(name: &str, origin: &Origin) -> Diagnostic {
    let message = match name {
        "External" => "the solver method \"External\" means rhei's own integrator".to_owned(),
        _ => format!("the solver method \"{name}\" is not known: rhei's own integrator takes its place"),
    };
    let diagnostic = Diagnostic::warning("solver-method-external", message);
    match origin.span {
        Some(span) => diagnostic.at(span, "for what ticks with this"),
        None => diagnostic,
    }
}

/// States that are neither measured nor integrated.
pub(crate) fn unmeasured_without_method(equations: &Dae, states: &[VarId], rhythm: &Rhythm) -> Diagnostic {
    let names: Vec<&str> = states.iter().map(|&v| equations.variable(v).name.as_str()).collect();
    let (are, states_are) = if names.len() == 1 { ("is", "state") } else { ("are", "states") };
    let message = format!(
        "the {states_are} {} {are} integrated, but the clock `{}` has no solver method",
        listed(names.into_iter()),
        rhythm.name
    );
    let mut diagnostic =
        at_variables(Diagnostic::error("unmeasured-without-method", message), equations, states);
    if let Some(span) = rhythm.origin.span
        && diagnostic.labels.iter().all(|label| label.span != span)
    {
        diagnostic = diagnostic.at(span, "ticks with this clock");
    }
    diagnostic
        .with_note("give the clock a method, `Clock(c, solverMethod=\"ImplicitEuler\")`, or measure the state, `x = reinit(xs)`")
}

/// Error: the derivative of a value from another partition, which is known at ticks only.
pub(crate) fn derivative_of_passage(equations: &Equations, e: EqId, conversion: &Conversion) -> Diagnostic {
    let equation = &equations.equations[e.index()];
    let message = format!(
        "the derivative of `{}` is needed, but a value that comes from elsewhere is known at ticks only",
        equations.notation().equation(equation)
    );
    let mut diagnostic = Diagnostic::error("clocked-derivative", message);
    if let Some(span) = conversion.origin.span {
        diagnostic = diagnostic.at(span, "comes from elsewhere");
    }
    at_equations(diagnostic, std::iter::once(equation), &equations.notation())
        .with_note("put a filter behind it that has as many derivatives as are needed: `der(y) = (u - y)/T`")
}

/// More holds at the first tick than there is to be determined.
pub(crate) fn too_many_conditions_at_first_tick(
    equations: &Dae,
    pool: &Pool,
    surplus: &[Surplus],
) -> Diagnostic {
    let variables: Vec<VarId> =
        surplus.iter().flat_map(|condition| pool.variables_of(condition.lhs)).collect();
    let names: Vec<&str> = variables.iter().map(|&v| equations.variable(v).name.as_str()).collect();
    let message =
        format!("at the first tick, more is said of {} than determines it", listed(names.into_iter()));
    at_variables(Diagnostic::error("initial-overdetermined", message), equations, &variables)
        .with_note("leave out `fixed=true`, or an initial equation")
}
