//! Errors about clocks, in the modeller's words.

use rhei_equations::{Origin, Ratio};
use rhei_source::{Diagnostic, Span};

use crate::groups::Why;

/// Names are listed up to here.
const MOST_NAMES: usize = 5;

/// `` `a`, `b` and 3 others``
fn listed(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn at(diagnostic: Diagnostic, span: Option<Span>, label: impl Into<String>) -> Diagnostic {
    match span {
        Some(span) => diagnostic.at(span, label),
        None => diagnostic,
    }
}

/// A group that has a clock by one of its members, and none by another.
pub(crate) fn clocked_and_not(names: &[&str], ticks: &Why, steady: &Why) -> Diagnostic {
    let message = match names {
        [] => "an equation holds what ticks and what has no clock".to_owned(),
        _ => format!("{} are tied by equations, but part of it ticks and part has no clock", listed(names)),
    };
    let diagnostic = Diagnostic::error("clocks-mixed", message);
    let diagnostic = at(diagnostic, ticks.span, ticks.text.clone());
    at(diagnostic, steady.span, steady.text.clone())
        .with_note("`sample(u)` brings a value to a clock, `hold(y)` takes one away from it")
}

/// `x = reinit(…)` where nothing ticks.
pub(crate) fn measured_outside_clock(name: &str, span: Option<Span>) -> Diagnostic {
    let message = format!("`{name}` is set from a measurement, but has no clock that says when");
    let diagnostic = Diagnostic::error("measured-outside-clock", message);
    at(diagnostic, span, "`reinit` as a declaration equation")
        .with_note("it belongs into a clocked partition: measure with `sample(…, clock)`")
        .with_note("to set a state at events, use `when … then reinit(x, …); end when`")
}

/// Two ways to the same clock that do not agree; a clock that is not declared has no name.
pub(crate) fn clocks_disagree(
    first: (Option<&str>, Ratio, Ratio),
    second: (Option<&str>, Ratio, Ratio),
    unit: &str,
    origins: [&Origin; 2],
) -> Diagnostic {
    let rhythm = |(_, period, start): (Option<&str>, Ratio, Ratio)| match start == Ratio::ZERO {
        true => format!("every {period}{unit}"),
        false => format!("every {period}{unit} from {start}{unit} on"),
    };
    let message = match (first.0, second.0) {
        (Some(one), Some(other)) if one != other => {
            format!("the clocks `{one}` and `{other}` meet, but do not tick together")
        }
        (Some(name), _) => format!("the clock `{name}` would tick in two ways"),
        (None, _) => {
            "values meet that come from one clock in different ways, and would not tick together".into()
        }
    };
    let diagnostic = Diagnostic::error("clocks-disagree", message);
    let diagnostic = at(diagnostic, origins[0].span, format!("ticks {}", rhythm(first)));
    at(diagnostic, origins[1].span, format!("ticks {}", rhythm(second))).with_note(
        "`subSample`, `superSample`, `shiftSample` and `backSample` lead from one clock to another",
    )
}

/// Clocks that cannot be compared in one partition.
pub(crate) fn clocks_apart(first: (&str, &Origin), second: (&str, &Origin)) -> Diagnostic {
    let message =
        format!("`{}` and `{}` cannot be compared, but what ticks with them meets", first.0, second.0);
    let diagnostic = Diagnostic::error("clocks-disagree", message);
    let diagnostic = at(diagnostic, first.1.span, "this clock");
    at(diagnostic, second.1.span, "and this one")
        .with_note("only clocks of whole numbers, `Clock(n, m)`, are compared (MLS §16.3)")
        .with_note("declare one clock and use it at both places")
}

/// Ticks before the base, or between its ticks.
pub(crate) fn clock_not_there(name: &str, what: &str, origin: &Origin) -> Diagnostic {
    let diagnostic = Diagnostic::error("clock-impossible", format!("`{name}` {what}"));
    at(diagnostic, origin.span, "this clock")
}

/// Nobody says how fast.
pub(crate) fn clock_assumed(name: Option<&str>, span: Option<Span>) -> Diagnostic {
    let name = name.map_or("this".into(), |name| format!("`{name}`"));
    let message = format!("nothing says how often {name} ticks: every second is taken");
    at(
        Diagnostic::warning("clock-assumed", message),
        span,
        "no clock is given here or for what it is tied to",
    )
}

/// Two methods for one set of equations.
pub(crate) fn methods_differ(first: (&str, &Origin), second: (&str, &Origin)) -> Diagnostic {
    let message = format!("the solver methods \"{}\" and \"{}\" meet", first.0, second.0);
    let diagnostic = Diagnostic::error("solver-method-conflict", message);
    let diagnostic = at(diagnostic, first.1.span, "this method");
    at(diagnostic, second.1.span, "and this one")
}

/// The error for an operator in a clocked partition that needs more than the values at ticks.
pub(crate) fn not_in_clock(what: &str, origin: &Origin) -> Diagnostic {
    let message = format!("{what} in what ticks is not supported yet");
    at(Diagnostic::error("not-supported-yet", message), origin.span, "this has a clock")
}
