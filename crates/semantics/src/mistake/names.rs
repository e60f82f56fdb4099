//! Names that mean nothing, or nothing allowed at their place (MLS §5).

use rhei_source::{Diagnostic, Span};

use super::did_you_mean;

pub(super) fn unknown_name(name: String, class: String, near: Option<String>, span: Span) -> Diagnostic {
    let message = format!("there is no `{name}` in `{class}`");
    did_you_mean(Diagnostic::error("unknown-name", message).at(span, "not declared"), near)
}

pub(super) fn unknown_class(name: String, class: String, near: Option<String>, span: Span) -> Diagnostic {
    let message = format!("there is no class or type `{name}` in `{class}`");
    did_you_mean(Diagnostic::error("unknown-type", message).at(span, "not known"), near)
}

pub(super) fn unknown_function(
    name: String,
    class: Option<String>,
    near: Option<String>,
    span: Span,
) -> Diagnostic {
    let place = class.map(|class| format!(" in `{class}`")).unwrap_or_default();
    let message = format!("there is no function `{name}`{place}");
    did_you_mean(Diagnostic::error("unknown-function", message).at(span, "not known"), near)
}

pub(super) fn unknown_element(name: String, class: String, near: Option<String>, span: Span) -> Diagnostic {
    let message = format!("`{class}` has no element `{name}` to modify");
    did_you_mean(Diagnostic::error("unknown-element", message).at(span, "not there"), near)
}

pub(super) fn unknown_attribute(name: String, of: String, near: Option<String>, span: Span) -> Diagnostic {
    let message = format!("`{of}` has no attribute `{name}`");
    did_you_mean(Diagnostic::error("unknown-attribute", message).at(span, "not an attribute"), near)
}

pub(super) fn not_a_class(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-class", format!("`{name}` is not a class")).at(span, "a class is wanted here")
}

pub(super) fn not_a_function(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-function", format!("`{name}` is not a function")).at(span, "called here")
}

pub(super) fn not_a_model(name: String, kind: String, span: Span) -> Diagnostic {
    Diagnostic::error(
        "not-a-model",
        format!("`{name}` is a {kind}, and only models and blocks can be simulated"),
    )
    .at(span, "declared here")
}

pub(super) fn not_a_value(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-value", format!("{name} is no variable and no record"))
        .at(span, "used as a value")
}

pub(super) fn not_a_connector(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-connector", format!("`{name}` is not a connector")).at(span, "connected here")
}

pub(super) fn not_constant(name: String, span: Span) -> Diagnostic {
    let message =
        format!("`{name}` is not a constant, and only constants can be used from outside an instance");
    Diagnostic::error("not-a-constant", message)
        .at(span, "used here")
        .with_note("declare it as `constant`, or declare a component and use its part")
}

pub(super) fn class_as_value(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("not-a-value", format!("`{name}` is a class, not a value")).at(span, "used as a value")
}

pub(super) fn absent_component(name: String, span: Span) -> Diagnostic {
    let message = format!("`{name}` is not there: its condition is false");
    Diagnostic::error("absent-component", message)
        .at(span, "used here")
        .with_note("give what uses it the same condition, or change that condition")
}

pub(super) fn protected_access(
    name: String,
    class: String,
    span: Span,
    declared: Option<Span>,
) -> Diagnostic {
    let message = format!("`{name}` of `{class}` is protected");
    let diagnostic = Diagnostic::error("protected-access", message).at(span, "used from outside");
    match declared {
        Some(declared) => diagnostic.at(declared, "declared in a protected section"),
        None => diagnostic,
    }
}

pub(super) fn bad_import(why: String, span: Span) -> Diagnostic {
    Diagnostic::error("bad-import", why).at(span, "imported here")
}

pub(super) fn ambiguous_import(name: String, first: Span, again: Span) -> Diagnostic {
    let message = format!("two packages that are imported have a `{name}`");
    Diagnostic::error("ambiguous-import", message).at(again, "this one").at(first, "and this one")
}

pub(super) fn missing_inner(
    name: String,
    class: String,
    message: Option<String>,
    span: Span,
    made: bool,
) -> Diagnostic {
    let text = format!("no `inner {class} {name}` is declared around this `outer` one");
    let diagnostic = if made {
        Diagnostic::warning("missing-inner", format!("{text}: one with defaults is used"))
    } else {
        Diagnostic::error("missing-inner", text)
    };
    let diagnostic = diagnostic.at(span, "declared here");
    match message {
        Some(message) => diagnostic.with_note(message),
        None => diagnostic.with_note(format!("declare `inner {class} {name};` in the model")),
    }
}
