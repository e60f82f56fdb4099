//! What can be wrong with a class, in the modeller's words.

use rhei_flat::{Type, Variability};
use rhei_source::{Diagnostic, Span, not_supported_yet};

/// A mistake with its place.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are what the message says of them
pub enum Mistake {
    UnknownName {
        name: String,
        class: String,
        near: Option<String>,
        span: Span,
    },
    UnknownType {
        name: String,
        near: Option<String>,
        span: Span,
    },
    UnknownFunction {
        name: String,
        near: Option<String>,
        span: Span,
    },
    UnknownAttribute {
        name: String,
        of: String,
        near: Option<String>,
        span: Span,
    },
    DuplicateName {
        name: String,
        first: Span,
        again: Span,
    },
    DuplicateModification {
        name: String,
        first: Span,
        again: Span,
    },
    /// `what` wants one type and got another.
    TypeMismatch {
        what: String,
        wanted: String,
        found: Type,
        span: Span,
    },
    /// Two operands or sides that do not go together.
    Incompatible {
        what: String,
        left: Type,
        left_span: Span,
        right: Type,
        right_span: Span,
    },
    WrongSizes {
        what: String,
        wanted: Vec<usize>,
        found: Type,
        span: Span,
    },
    WrongArgumentCount {
        function: String,
        wanted: &'static str,
        found: usize,
        span: Span,
    },
    WrongSubscriptCount {
        name: String,
        dimensions: usize,
        found: usize,
        span: Span,
    },
    /// A value that may change more often than what it is given to.
    TooVariable {
        what: String,
        wanted: Variability,
        found: Variability,
        because: String,
        span: Span,
    },
    SizeNotEvaluable {
        why: String,
        span: Span,
    },
    BadExperiment {
        name: String,
        why: String,
        span: Span,
    },
    NotSupported {
        construct: String,
        span: Span,
    },
    /// A part is missing that the syntax analysis has complained about already.
    Incomplete,
}

impl Mistake {
    /// What rhei does not do yet.
    pub(crate) fn not_supported(construct: impl Into<String>, span: Span) -> Mistake {
        Mistake::NotSupported { construct: construct.into(), span }
    }

    /// The message; none where another one has been given already.
    pub fn into_diagnostic(self) -> Option<Diagnostic> {
        let did_you_mean = |diagnostic: Diagnostic, near: Option<String>| match near {
            Some(near) => diagnostic.with_note(format!("did you mean `{near}`?")),
            None => diagnostic,
        };
        Some(match self {
            Mistake::UnknownName { name, class, near, span } => {
                let message = format!("there is no `{name}` in `{class}`");
                did_you_mean(Diagnostic::error("unknown-name", message).at(span, "not declared"), near)
            }
            Mistake::UnknownType { name, near, span } => {
                let message = format!("there is no type `{name}`");
                did_you_mean(Diagnostic::error("unknown-type", message).at(span, "not known"), near)
            }
            Mistake::UnknownFunction { name, near, span } => {
                let message = format!("there is no function `{name}`");
                did_you_mean(Diagnostic::error("unknown-function", message).at(span, "not known"), near)
            }
            Mistake::UnknownAttribute { name, of, near, span } => {
                let message = format!("`{of}` has no attribute `{name}`");
                did_you_mean(
                    Diagnostic::error("unknown-attribute", message).at(span, "not an attribute"),
                    near,
                )
            }
            Mistake::DuplicateName { name, first, again } => {
                Diagnostic::error("duplicate-name", format!("`{name}` is declared twice"))
                    .at(again, "declared again")
                    .at(first, "first declared here")
            }
            Mistake::DuplicateModification { name, first, again } => {
                Diagnostic::error("duplicate-modification", format!("`{name}` is modified twice"))
                    .at(again, "modified again")
                    .at(first, "first modified here")
            }
            Mistake::TypeMismatch { what, wanted, found, span } => {
                Diagnostic::error("type-mismatch", format!("{what} must be {wanted}, and this is {found}"))
                    .at(span, found.to_string())
            }
            Mistake::Incompatible { what, left, left_span, right, right_span } => {
                let id = if left.sizes != right.sizes { "size-mismatch" } else { "type-mismatch" };
                Diagnostic::error(id, format!("{what} do not go together: {left} and {right}"))
                    .at(right_span, format!("{right}"))
                    .at(left_span, format!("{left}"))
            }
            Mistake::WrongSizes { what, wanted, found, span } => {
                let wanted: Vec<String> = wanted.iter().map(usize::to_string).collect();
                let message =
                    format!("{what} must have the sizes [{}], and this is {found}", wanted.join(", "));
                Diagnostic::error("size-mismatch", message).at(span, found.to_string())
            }
            Mistake::WrongArgumentCount { function, wanted, found, span } => Diagnostic::error(
                "wrong-arguments",
                format!("`{function}` takes {wanted}, and {found} are given"),
            )
            .at(span, "in this call"),
            Mistake::WrongSubscriptCount { name, dimensions, found, span } => {
                let message =
                    format!("`{name}` has {dimensions} dimensions, and {found} subscripts are given");
                Diagnostic::error("wrong-subscripts", message).at(span, "here")
            }
            Mistake::TooVariable { what, wanted, found, because, span } => {
                let (wanted, found) = (wanted.name(), found.name());
                Diagnostic::error(
                    "variability",
                    format!("{what} must be {wanted}, and `{because}` is {found}"),
                )
                .at(span, found.to_string())
            }
            Mistake::SizeNotEvaluable { why, span } => {
                Diagnostic::error("size-not-evaluable", "an array size must be known before the run")
                    .at(span, why)
            }
            Mistake::BadExperiment { name, why, span } => Diagnostic::warning(
                "bad-experiment",
                format!("`{name}` of the experiment annotation is not used: {why}"),
            )
            .at(span, "here"),
            Mistake::NotSupported { construct, span } => not_supported_yet(construct, span),
            Mistake::Incomplete => return None,
        })
    }
}
