//! Types, sizes, subscripts and variabilities that do not go together (MLS §3, §6, §10).

use rhei_flat::Variability;
use rhei_source::{Diagnostic, Span};

use super::counted;

pub(super) fn type_mismatch(what: String, wanted: String, found: String, span: Span) -> Diagnostic {
    let hint = conversion(&wanted, &found);
    let message = format!("{what} must be {wanted}, and this is {found}");
    let diagnostic = Diagnostic::error("type-mismatch", message).at(span, found);
    match hint {
        Some(hint) => diagnostic.with_note(hint),
        None => diagnostic,
    }
}

pub(super) fn incompatible(
    what: String,
    sizes: bool,
    left: String,
    left_span: Span,
    right: String,
    right_span: Span,
) -> Diagnostic {
    let id = if sizes { "size-mismatch" } else { "type-mismatch" };
    Diagnostic::error(id, format!("{what} do not go together: {left} and {right}"))
        .at(right_span, right)
        .at(left_span, left)
}

pub(super) fn no_operator(symbol: String, types: Vec<String>, span: Span) -> Diagnostic {
    let message = format!("there is no `{symbol}` for {}", types.join(" and "));
    Diagnostic::error("type-mismatch", message).at(span, "here")
}

pub(super) fn ambiguous_operator(symbol: String, functions: [String; 2], span: Span) -> Diagnostic {
    let [one, other] = functions;
    let message = format!("`{symbol}` could be `{one}` or `{other}` here");
    Diagnostic::error("ambiguous-operator", message)
        .at(span, "which one?")
        .with_note("call the function that is meant by its name")
}

pub(super) fn real_equality(symbol: String, span: Span) -> Diagnostic {
    let message = format!("`{symbol}` of Reals is allowed in functions only");
    Diagnostic::error("real-equality", message)
        .at(span, "Reals are compared here")
        .with_note("compare their difference with a tolerance, `abs(a - b) < eps`, or use `<` and `>`")
}

pub(super) fn wrong_sizes(what: String, wanted: String, found: String, span: Span) -> Diagnostic {
    let scalar = !found.contains('[');
    let message = match wanted.as_str() {
        "" => format!("{what} must be a scalar, and this is {found}"),
        _ => format!("{what} must have the sizes [{wanted}], and this is {found}"),
    };
    let diagnostic = Diagnostic::error("size-mismatch", message).at(span, found);
    match scalar {
        true => diagnostic.with_note(
            "`each` before the modifier gives every element the same value, `fill` makes an array of one",
        ),
        false => diagnostic,
    }
}

pub(super) fn wrong_subscript_count(name: String, dimensions: usize, found: usize, span: Span) -> Diagnostic {
    let has = match dimensions {
        0 => "is a scalar".to_owned(),
        n => format!("has {}", counted(n, "dimension")),
    };
    let given = if found == 1 { "1 subscript is" } else { &format!("{found} subscripts are") };
    let message = format!("`{name}` {has}, and {given} given");
    Diagnostic::error("wrong-subscripts", message).at(span, "here")
}

pub(super) fn flow_without_operator(name: &str, class: &str, operator: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` is a flow, and the operator record `{class}` has no operator {operator}");
    Diagnostic::error("flow-without-operator", message)
        .at(span, "declared here")
        .with_note("flows that are connected add up to zero: that takes the operators '+', '-' and '0'")
}

pub(super) fn no_dimension(place: i64, found: String, span: Span) -> Diagnostic {
    Diagnostic::error("wrong-subscripts", format!("there is no dimension {place} of {found}"))
        .at(span, "here")
        .with_note("dimensions count from 1")
}

pub(super) fn too_variable(
    what: String,
    wanted: Variability,
    found: Variability,
    because: String,
    span: Span,
) -> Diagnostic {
    let wanted = match wanted {
        Variability::Constant => "constant",
        Variability::Parameter => "known before the run, as a parameter or constant is",
        Variability::Discrete => "discrete: change at events only",
        Variability::Continuous => "continuous",
    };
    let is = match found {
        Variability::Constant => "is a constant",
        Variability::Parameter => "is a parameter",
        Variability::Discrete => "changes at events",
        Variability::Continuous => "varies with time",
    };
    Diagnostic::error("variability", format!("{what} must be {wanted}, and `{because}` {is}"))
        .at(span, format!("`{because}` {is}"))
}

pub(super) fn tuple_outside(span: Span) -> Diagnostic {
    let message = "a list of results can only stand on the left of a function call";
    Diagnostic::error("type-mismatch", message).at(span, "here")
}

pub(super) fn end_outside(span: Span) -> Diagnostic {
    Diagnostic::error("end-outside", "`end` means nothing outside of subscripts").at(span, "here")
}

pub(super) fn empty_array(span: Span) -> Diagnostic {
    Diagnostic::error("empty-array", "an array without elements has no type")
        .at(span, "here")
        .with_note("write `fill(0.0, 0)` or `zeros(0)`")
}

pub(super) fn no_range(name: String, why: Option<String>, span: Span) -> Diagnostic {
    let message = match why {
        Some(why) => format!("the range of the iterator `{name}` is not clear: {why}"),
        None => {
            format!("the iterator `{name}` has no range, and is nowhere alone between brackets")
        }
    };
    Diagnostic::error("no-range", message)
        .at(span, "which values?")
        .with_note(format!("write the range: `for {name} in 1:n`"))
}

pub(super) fn misplaced(what: &str, place: &str, span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-statement", format!("`{what}` can only stand inside {place}"))
        .at(span, "here")
}

pub(super) fn loop_array_assigned(iterator: &str, span: Span) -> Diagnostic {
    let message = format!(
        "this array gives the iterator `{iterator}` its range, and cannot be assigned as a whole inside the loop"
    );
    Diagnostic::error("not-assignable", message).at(span, "assigned here")
}

pub(super) fn not_assignable(span: Span) -> Diagnostic {
    Diagnostic::error("not-assignable", "this cannot be assigned to").at(span, "a variable is wanted here")
}

pub(super) fn assigned_parameter(name: String, span: Span) -> Diagnostic {
    let message = format!("`{name}` is a parameter or constant and cannot be assigned to");
    Diagnostic::error("not-assignable", message)
        .at(span, "assigned here")
        .with_note("give it its value where it is declared, or declare it as a variable")
}

/// How one type is made into another, where that is often wanted.
fn conversion(wanted: &str, found: &str) -> Option<&'static str> {
    match (wanted, found) {
        ("Integer", "Real") => Some("`integer(x)` is the largest Integer that is not above `x`"),
        ("Real" | "Integer", "Boolean") => Some("write `if b then 1 else 0` to make a number of a Boolean"),
        ("Boolean", "Integer" | "Real") => Some("compare the number with another one: `x > 0`"),
        ("Real" | "Integer", "String") => Some("write a number without quotes"),
        ("String", "Real" | "Integer" | "Boolean") => Some("`String(x)` writes a value as text"),
        _ => None,
    }
}

pub(super) fn measured_type(variable: String, why: String, span: Span) -> Diagnostic {
    let message = format!("`{variable}` cannot be set from a measurement: {why}");
    Diagnostic::error("measured-type", message)
        .at(span, "the measurement")
        .with_note("`x = reinit(xs)` is for a Real variable `x` that varies, with `xs` of its type and sizes")
}
