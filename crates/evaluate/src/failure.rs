//! Failures of evaluations.

use rhei_source::{Diagnostic, Span, not_supported_yet};
use smol_str::SmolStr;

use crate::Work;

/// A failed evaluation, and its place. Kept small: it is half of every result.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// It depends on something that is not known yet.
    NotConstant {
        /// Its name for messages: `time`, a variable.
        what: SmolStr,
        /// The place of its use.
        span: Span,
    },
    /// A subscript names an element that is not there.
    SubscriptOutOfBounds {
        /// The subscript.
        index: i64,
        /// The size of the dimension.
        size: usize,
        /// The dimension, from one.
        dimension: usize,
        /// The subscript in the text.
        span: Span,
    },
    /// Sizes that have to be the same are not.
    SizeMismatch {
        /// Of what: `a + b`, the variable that is assigned to.
        what: SmolStr,
        /// The expected sizes, or those on the left; and the actual ones.
        sizes: Box<[Vec<usize>; 2]>,
        /// The place in the text.
        span: Span,
    },
    /// A number is divided by zero.
    DivisionByZero {
        /// The place in the text.
        span: Span,
    },
    /// The result is not a number, though the operands are.
    NotFinite {
        /// The operation with its operands.
        what: SmolStr,
        /// The place in the text.
        span: Span,
    },
    /// A whole number does not fit.
    IntegerOverflow {
        /// The operation with its operands.
        what: SmolStr,
        /// The place in the text.
        span: Span,
    },
    /// An argument has a value that the function is not made for.
    WrongArgument {
        /// The reason, as a sentence.
        what: String,
        /// The place in the text.
        span: Span,
    },
    /// An `assert` does not hold.
    AssertFailed {
        /// Its message.
        message: SmolStr,
        /// Its place in the text.
        span: Span,
    },
    /// A function uses or returns something it has not assigned.
    NotAssigned {
        /// Its name.
        name: SmolStr,
        /// The place of its use.
        span: Span,
    },
    /// The budget is spent.
    TooMuchWork {
        /// In which function, if in any.
        function: Option<SmolStr>,
        /// The exhausted bound.
        work: Work,
        /// The place in the text.
        span: Span,
    },
    /// A function that is not written in the language and cannot be called here.
    External {
        /// Its name.
        name: SmolStr,
        /// The place in the text.
        span: Span,
    },
    /// An expression that the evaluation does not support.
    NotSupported {
        /// Its name.
        what: SmolStr,
        /// The place in the text.
        span: Span,
    },
    /// A value of a type that cannot stand there: a mistake in a pass before.
    IllTyped {
        /// The expected type.
        expected: &'static str,
        /// The actual one.
        found: &'static str,
        /// The place in the text.
        span: Span,
    },
    /// A diagnostic of the environment.
    Reported(Box<Diagnostic>),
}

impl Failure {
    /// The place in the text, unless the environment reported none.
    pub fn span(&self) -> Option<Span> {
        match self {
            Failure::NotConstant { span, .. }
            | Failure::SubscriptOutOfBounds { span, .. }
            | Failure::SizeMismatch { span, .. }
            | Failure::DivisionByZero { span }
            | Failure::NotFinite { span, .. }
            | Failure::IntegerOverflow { span, .. }
            | Failure::WrongArgument { span, .. }
            | Failure::AssertFailed { span, .. }
            | Failure::NotAssigned { span, .. }
            | Failure::TooMuchWork { span, .. }
            | Failure::External { span, .. }
            | Failure::NotSupported { span, .. }
            | Failure::IllTyped { span, .. } => Some(*span),
            Failure::Reported(diagnostic) => diagnostic.labels.first().map(|label| label.span),
        }
    }

    /// The diagnostic for the modeller.
    pub fn into_diagnostic(self) -> Diagnostic {
        match self {
            Failure::NotConstant { what, span } => {
                let message = format!("`{what}` is not known before the run");
                Diagnostic::error("not-constant", message).at(span, "its value is needed here")
            }
            Failure::SubscriptOutOfBounds { index, size, dimension, span } => {
                let message = match size {
                    0 => format!("subscript {index} names an element of a dimension that has none"),
                    _ => format!("subscript {index} is outside 1:{size}"),
                };
                Diagnostic::error("subscript-out-of-bounds", message)
                    .at(span, format!("this is {index}; dimension {dimension} has size {size}"))
            }
            Failure::SizeMismatch { what, sizes, span } => {
                let [left, right] = sizes.map(size_list);
                let message = format!("the sizes of {what} do not agree: {left} and {right}");
                Diagnostic::error("size-mismatch", message).at(span, format!("{left} and {right} here"))
            }
            Failure::DivisionByZero { span } => {
                Diagnostic::error("division-by-zero", "a number is divided by zero")
                    .at(span, "the divisor is 0")
            }
            Failure::NotFinite { what, span } => {
                Diagnostic::error("not-finite", format!("{what} is not a number"))
                    .at(span, "this has no value")
            }
            Failure::IntegerOverflow { what, span } => {
                Diagnostic::error("integer-overflow", format!("{what} does not fit in an Integer"))
                    .at(span, "too large")
                    .with_note("an Integer has 64 bits; a Real holds larger numbers")
            }
            Failure::WrongArgument { what, span } => {
                Diagnostic::error("wrong-argument", what).at(span, "here")
            }
            Failure::AssertFailed { message, span } => {
                Diagnostic::error("assert-failed", message).at(span, "this does not hold")
            }
            Failure::NotAssigned { name, span } => {
                let message = format!("`{name}` is used before it is assigned");
                Diagnostic::error("not-assigned", message)
                    .at(span, "it, or an element of it, has no value here")
            }
            Failure::TooMuchWork { function, work, span } => {
                let place = function.map(|name| format!(" in `{name}`")).unwrap_or_default();
                let (message, note) = match work {
                    Work::Steps => ("the evaluation takes too many steps", "does a loop never end?"),
                    Work::Depth => {
                        ("calls or expressions are nested too deep", "does a recursion never end?")
                    }
                };
                Diagnostic::error("too-much-work", format!("{message}{place}"))
                    .at(span, "given up here")
                    .with_note(note)
            }
            Failure::External { name, span } => {
                let message = format!("`{name}` is external code that is not at hand");
                Diagnostic::error("external-not-available", message).at(span, "needed here")
            }
            Failure::NotSupported { what, span } => not_supported_yet(what, span),
            Failure::IllTyped { expected, found, span } => {
                Diagnostic::error("ill-typed", format!("{expected} is expected, and this is {found}"))
                    .at(span, "here")
                    .with_note("this is a mistake in the compiler: please report it")
            }
            Failure::Reported(diagnostic) => *diagnostic,
        }
    }
}

/// The text of sizes: `[2, 3]`, or that there are none.
fn size_list(sizes: Vec<usize>) -> String {
    match &sizes[..] {
        [] => "a scalar".into(),
        _ => format!("[{}]", sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_small() {
        assert!(size_of::<Failure>() <= 48, "{}", size_of::<Failure>());
    }
}
