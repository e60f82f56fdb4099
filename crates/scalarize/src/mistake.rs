//! What can be wrong with a model only when its arrays are taken apart.

use rhei_source::{Diagnostic, Span, not_supported_yet};

/// A mistake with its place.
#[derive(Clone, Debug, PartialEq)]
pub enum Mistake {
    /// A subscript outside its dimension.
    SubscriptOutOfBounds {
        /// The array.
        array: String,
        /// The subscript.
        subscript: i64,
        /// How many elements the dimension has.
        size: usize,
        /// The subscript's place.
        span: Span,
    },
    /// `fixed` that is not known before the run.
    FixedNotEvaluable {
        /// The variable.
        variable: String,
        /// The place of the attribute.
        span: Span,
    },
    /// Something rhei does not do yet.
    NotSupported {
        /// What it is.
        construct: String,
        /// Its place.
        span: Span,
    },
}

impl From<Mistake> for Diagnostic {
    fn from(mistake: Mistake) -> Diagnostic {
        match mistake {
            Mistake::SubscriptOutOfBounds { array, subscript, size, span } => {
                let message = format!(
                    "the subscript {subscript} is outside `{array}`, which goes from 1 to {size} there"
                );
                Diagnostic::error("subscript-out-of-bounds", message).at(span, format!("this is {subscript}"))
            }
            Mistake::FixedNotEvaluable { variable, span } => {
                let message = format!("`fixed` of `{variable}` must be known before the run");
                Diagnostic::error("fixed-not-evaluable", message)
                    .at(span, "not a constant")
                    .with_note("write `true` or `false`")
            }
            Mistake::NotSupported { construct, span } => not_supported_yet(construct, span),
        }
    }
}
