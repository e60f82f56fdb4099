//! Errors about values that must be known before the run, and are not.

use rhei_source::{Diagnostic, Span};

pub(super) fn cyclic_value(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("cyclic-binding", format!("the value of `{name}` depends on itself"))
        .at(span, "declared here")
}

pub(super) fn constant_without_value(name: String, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error("constant-without-value", format!("the constant `{name}` has no value"))
        .at(span, "used here")
        .at(declared, "declared here")
}

pub(super) fn size_not_evaluable(why: String, span: Span) -> Diagnostic {
    Diagnostic::error("size-not-evaluable", "an array size must be known before the run")
        .at(span, why)
        .with_note("sizes are made of numbers, constants, and parameters that have a value")
}

pub(super) fn negative_size(value: i64, span: Span) -> Diagnostic {
    Diagnostic::error("size-not-evaluable", format!("an array cannot have the size {value}"))
        .at(span, format!("this is {value}"))
        .with_note("a size is zero or more")
}

pub(super) fn sizeless_member(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` has no size: connections to single elements of it make it an array");
    Diagnostic::error("sizeless-member", message)
        .at(span, "meant as a whole here")
        .with_note("name the elements by subscripts, or declare its size in the expandable connector")
}

pub(super) fn condition_not_evaluable(why: String, span: Span) -> Diagnostic {
    Diagnostic::error("condition-not-evaluable", "the condition of a component must be known before the run")
        .at(span, why)
}

pub(super) fn fixed_not_evaluable(variable: String, why: String, span: Span) -> Diagnostic {
    Diagnostic::error("fixed-not-evaluable", format!("`fixed` of `{variable}` must be known before the run"))
        .at(span, why)
        .with_note("write `true` or `false`, or a parameter with a value")
}

pub(super) fn state_select_not_evaluable(variable: String, why: String, span: Span) -> Diagnostic {
    let message = format!("`stateSelect` of `{variable}` must be known before the run");
    Diagnostic::error("state-select-not-evaluable", message)
        .at(span, why)
        .with_note("write one of the values of `StateSelect`, or a parameter with a value")
}

pub(super) fn elements_differ(arrays: Vec<String>, span: Span) -> Diagnostic {
    let arrays: Vec<String> = arrays.iter().map(|array| format!("`{array}`")).collect();
    let message = format!(
        "the elements of {} differ in structure, and are too many to be taken apart",
        arrays.join(", ")
    );
    Diagnostic::error("too-many-elements", message).at(span, "not the same for all elements")
}

pub(super) fn too_many_turns(most: usize, span: Span) -> Diagnostic {
    let message = format!("a loop over elements that differ in structure has more than {most} turns");
    Diagnostic::error("too-many-elements", message).at(span, "too long to be written out")
}

pub(super) fn connector_sizes(left: String, right: String, sizes: String, span: Span) -> Diagnostic {
    let message = format!("`{left}` and `{right}` cannot be connected: their sizes are {sizes}");
    Diagnostic::error("connect-mismatch", message).at(span, "connected here")
}

pub(super) fn connect_misplaced(around: &str, span: Span) -> Diagnostic {
    let message = format!("a connection always holds, and this one is made in {around}");
    Diagnostic::error("connections-misplaced", message).at(span, "connected here")
}

pub(super) fn connect_condition(span: Span) -> Diagnostic {
    let message = "what is connected must be known before the run";
    Diagnostic::error("connect-condition", message)
        .at(span, "not a parameter with a value")
        .with_note("`connect` stands in this if-equation")
}

pub(super) fn bad_experiment(name: String, why: String, span: Span) -> Diagnostic {
    Diagnostic::warning("bad-experiment", format!("`{name}` of the experiment annotation is not used: {why}"))
        .at(span, "here")
}
