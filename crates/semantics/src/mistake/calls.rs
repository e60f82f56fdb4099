//! Calls, and contents of functions (MLS §12).

use rhei_source::{Diagnostic, Span};

use super::{counted, did_you_mean};

pub(super) fn unknown_argument(
    argument: String,
    function: String,
    near: Option<String>,
    span: Span,
) -> Diagnostic {
    let message = format!("`{function}` has no input `{argument}`");
    did_you_mean(Diagnostic::error("wrong-arguments", message).at(span, "not an input"), near)
}

pub(super) fn argument_twice(argument: String, function: String, span: Span) -> Diagnostic {
    let message = format!("the input `{argument}` of `{function}` is given twice");
    Diagnostic::error("wrong-arguments", message).at(span, "given again")
}

pub(super) fn missing_argument(input: String, function: String, span: Span) -> Diagnostic {
    let message = format!("the input `{input}` of `{function}` is not given and has no default");
    Diagnostic::error("wrong-arguments", message).at(span, "in this call")
}

pub(super) fn wrong_argument_count(function: String, wanted: String, found: usize, span: Span) -> Diagnostic {
    Diagnostic::error(
        "wrong-arguments",
        format!("`{function}` takes {wanted}, and {} given", how_many(found)),
    )
    .at(span, "in this call")
}

pub(super) fn too_few_results(function: String, results: usize, wanted: usize, span: Span) -> Diagnostic {
    let message = format!("`{function}` has {}, and {wanted} are asked for", counted(results, "result"));
    Diagnostic::error("wrong-arguments", message).at(span, "this call")
}

pub(super) fn not_a_reduction(name: String, span: Span) -> Diagnostic {
    let message = format!("`{name}` cannot be used with `for`");
    Diagnostic::error("not-a-reduction", message)
        .at(span, "here")
        .with_note("`sum`, `product`, `min`, `max` and `array` can")
}

pub(super) fn in_function(what: String, span: Span) -> Diagnostic {
    Diagnostic::error("not-in-function", format!("`{what}` means nothing in a function"))
        .at(span, "here")
        .with_note("a function knows its inputs only, neither time nor events: make it an input")
}

pub(super) fn equations_in_function(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("not-in-function", format!("the function `{name}` has equations"))
        .at(span, "only an algorithm is allowed")
        .with_note("write `algorithm` instead of `equation`, and `:=` instead of `=`")
}

pub(super) fn not_differentiable(function: String, what: String, place: Span, span: Span) -> Diagnostic {
    let message = format!("`{function}` cannot be differentiated: {what} has no derivative");
    Diagnostic::error("not-differentiable", message)
        .at(span, "its derivative is asked for here")
        .at(place, "without derivative")
        .with_note("a function with `annotation(derivative = …)` is differentiated by the function it names")
}

pub(super) fn function_mismatch(given: String, input: String, why: String, span: Span) -> Diagnostic {
    let message = format!("`{given}` does not fit {input}: {why}");
    Diagnostic::error("function-mismatch", message).at(span, "given here")
}

pub(super) fn misplaced_statement(what: String, span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-statement", what).at(span, "means nothing here")
}

pub(super) fn never_assigned(output: String, function: String, declared: Span, span: Span) -> Diagnostic {
    let message = format!("`{function}` is called and never gives its output `{output}` a value");
    Diagnostic::error("not-assigned", message).at(span, "called here").at(declared, "never assigned")
}

pub(super) fn cyclic_defaults(input: String, function: String, span: Span) -> Diagnostic {
    let message = format!("the default of `{input}` of `{function}` depends on itself");
    Diagnostic::error("cyclic-binding", message).at(span, "not given in this call")
}

pub(super) fn default_of_local(input: String, local: String, span: Span) -> Diagnostic {
    let message = format!("the default of the input `{input}` depends on `{local}`, which is no input");
    Diagnostic::error("not-constant", message).at(span, "used here").with_note(
        "a default is made of other inputs and constants: it is computed before the function is entered",
    )
}

pub(super) fn impure_in_model(function: String, span: Span) -> Diagnostic {
    let message =
        format!("`{function}` is impure and cannot be called in an equation that holds all the time");
    Diagnostic::error("impure-call", message).at(span, "called here").with_note(
        "call it when something happens, at the start or for a parameter, or write `pure(…)` around this call",
    )
}

pub(super) fn impure_base(function: String, base: String, span: Span) -> Diagnostic {
    let message =
        format!("`{function}` extends the impure function `{base}` and must be declared as `impure`");
    Diagnostic::error("impure-call", message).at(span, "declared without `impure`")
}

pub(super) fn impure_call(function: String, span: Span) -> Diagnostic {
    let message = format!("a function that is declared as pure calls `{function}`, which is not");
    Diagnostic::error("impure-call", message)
        .at(span, "called here")
        .with_note("leave out `pure` before the function around, or write `pure(…)` around this call")
}

pub(super) fn assigned_input(name: String, span: Span) -> Diagnostic {
    let message = format!("`{name}` is an input or constant of the function and cannot be assigned to");
    Diagnostic::error("not-assignable", message)
        .at(span, "assigned here")
        .with_note("copy it to a protected variable, and change that")
}

/// `none is`, `1 is`, `3 are`.
fn how_many(n: usize) -> String {
    match n {
        0 => "none is".into(),
        1 => "1 is".into(),
        n => format!("{n} are"),
    }
}
