//! Texts that ask for more than can be done.

use rhei_source::{Diagnostic, Span};

pub(super) fn too_many_elements(name: String, most: usize, span: Span) -> Diagnostic {
    let message = format!("`{name}` has more than {most} elements");
    Diagnostic::error("too-many-elements", message).at(span, "declared here")
}

pub(super) fn too_large(name: String, span: Option<Span>) -> Diagnostic {
    let message = format!("{name} is too large: there is more in it than can be looked at");
    let diagnostic = Diagnostic::error("too-much-work", message)
        .with_note("do classes, components or values double with every level?");
    match span {
        Some(span) => diagnostic.at(span, "given up here"),
        None => diagnostic,
    }
}

pub(super) fn too_deep(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("too-much-work", format!("{what} are nested too deep"))
        .at(span, "given up here")
        .with_note("does a recursion never end?")
}
