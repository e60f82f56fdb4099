//! Declarations, inheritance, modifications and redeclarations (MLS §4, §7).

use rhei_source::{Diagnostic, Span};

pub(super) fn duplicate_name(name: String, first: Span, again: Span) -> Diagnostic {
    Diagnostic::error("duplicate-name", format!("`{name}` is declared twice"))
        .at(again, "declared again")
        .at(first, "first declared here")
}

pub(super) fn inherited_twice(name: String, class: String, first: Span, again: Span) -> Diagnostic {
    Diagnostic::error("duplicate-name", format!("`{class}` has two different elements `{name}`"))
        .at(again, "declared here")
        .at(first, "and inherited from here")
        .with_note("elements that are inherited twice must be declared alike, modifiers included")
}

pub(super) fn duplicate_modification(name: String, first: Span, again: Span) -> Diagnostic {
    Diagnostic::error("duplicate-modification", format!("`{name}` is modified twice"))
        .at(again, "modified again")
        .at(first, "first modified here")
        .with_note("keep one of them")
}

pub(super) fn modified_final(name: String, span: Option<Span>, declared: Option<Span>) -> Diagnostic {
    let mut diagnostic =
        Diagnostic::error("modified-final", format!("`{name}` is final and cannot be modified"));
    if let Some(span) = span {
        diagnostic = diagnostic.at(span, "modified here");
    }
    if let Some(declared) = declared {
        diagnostic = diagnostic.at(declared, "final here");
    }
    diagnostic
}

pub(super) fn not_replaceable(name: String, span: Span, declared: Option<Span>) -> Diagnostic {
    let message = format!("`{name}` is not replaceable and cannot be redeclared");
    let diagnostic = Diagnostic::error("not-replaceable", message)
        .at(span, "redeclared here")
        .with_note("write `replaceable` before its declaration, or modify it instead");
    match declared {
        Some(declared) => diagnostic.at(declared, "declared without `replaceable`"),
        None => diagnostic,
    }
}

pub(super) fn nothing_to_redeclare(name: String, class: String, span: Span) -> Diagnostic {
    let message = format!("`{class}` inherits no `{name}` to redeclare");
    Diagnostic::error("nothing-to-redeclare", message)
        .at(span, "redeclared here")
        .with_note("leave out `redeclare` to declare a new element")
}

pub(super) fn extends_itself(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("extends-itself", format!("`{name}` extends itself")).at(span, "here")
}

pub(super) fn recursive_class(name: String, span: Option<Span>) -> Diagnostic {
    let diagnostic = Diagnostic::error("recursive-class", format!("`{name}` contains itself without end"));
    match span {
        Some(span) => diagnostic.at(span, "here"),
        None => diagnostic,
    }
}

pub(super) fn taken_name(name: String, span: Span) -> Diagnostic {
    let message = format!("`{name}` is a type of the language, and no other class can have this name");
    Diagnostic::error("taken-name", message).at(span, "declared here")
}

pub(super) fn partial_class(name: String, span: Span) -> Diagnostic {
    Diagnostic::error("partial-class", format!("`{name}` is partial: something is left to be filled in"))
        .at(span, "used here")
        .with_note("redeclare it, or extend it with what is missing")
}

pub(super) fn class_restriction(class: String, why: String, span: Span) -> Diagnostic {
    Diagnostic::error("class-restriction", format!("{class} {why}")).at(span, "not allowed here")
}

pub(super) fn wrong_base(derived: String, base: String, span: Span) -> Diagnostic {
    let message = format!("a {derived} cannot extend a {base}");
    Diagnostic::error("wrong-base-class", message).at(span, format!("a {base}"))
}

pub(super) fn replaceable_base(name: String, span: Span, declared: Option<Span>) -> Diagnostic {
    let message = format!("`{name}` is replaceable, and what it is may change under the class");
    let diagnostic = Diagnostic::error("replaceable-base", message).at(span, "used as base class");
    match declared {
        Some(declared) => diagnostic.at(declared, "replaceable here"),
        None => diagnostic,
    }
}

pub(super) fn mismatch(
    inner_outer: bool,
    name: String,
    why: String,
    span: Span,
    wanted: Option<Span>,
) -> Diagnostic {
    let (id, of, label) = if inner_outer {
        ("inner-outer-mismatch", "the `outer` one", "the `inner` one")
    } else {
        ("redeclare-mismatch", "what it replaces", "redeclared here")
    };
    let message = format!("`{name}` does not fit {of}: {why}");
    let diagnostic = Diagnostic::error(id, message).at(span, label);
    match wanted {
        Some(wanted) => diagnostic.at(wanted, "must fit this"),
        None => diagnostic,
    }
}

pub(super) fn outer_modified(name: String, span: Span) -> Diagnostic {
    let message = format!("`{name}` is `outer` and cannot be modified");
    Diagnostic::error("outer-modified", message).at(span, "modified here").with_note("modify the `inner` one")
}

pub(super) fn each_without_array(name: String, span: Span) -> Diagnostic {
    let message = format!("`each` is for the elements of an array, and `{name}` is none");
    Diagnostic::error("each-without-array", message).at(span, "not an array")
}

pub(super) fn redeclared_constant(name: String, span: Span, declared: Option<Span>) -> Diagnostic {
    let message = format!("`{name}` is a constant and cannot be redeclared");
    let diagnostic = Diagnostic::error("redeclare-mismatch", message).at(span, "redeclared here");
    match declared {
        Some(declared) => diagnostic.at(declared, "declared here"),
        None => diagnostic,
    }
}
