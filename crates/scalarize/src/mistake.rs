//! Errors found only when the arrays of a model are taken apart.

use rhei_source::{Diagnostic, Span, not_supported_yet, subscript_out_of_bounds};

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
    /// An input of the whole model that nothing is given to. No mistake, but worth a word.
    InputHeld {
        /// The input.
        name: String,
        /// Its declaration.
        span: Span,
    },
    /// More elements than a model can have.
    TooManyElements {
        /// The variable with which there are too many.
        variable: String,
        /// How many a model may have.
        most: usize,
        /// Its declaration.
        span: Span,
    },
    /// An expression that must be known when the run starts, and varies.
    NotSteady {
        /// Its description.
        what: String,
        /// Its place.
        span: Span,
    },
    /// Taking the model apart has no end in sight.
    TooMuchWork {
        /// The place reached.
        span: Span,
    },
    /// A number in a clock that is too small.
    ClockNotPositive {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: i64,
        /// Its place.
        span: Span,
    },
    /// An argument that cannot be balanced.
    BalanceTarget {
        /// Its name, or how it is written.
        name: String,
        /// Its actual kind.
        why: &'static str,
        /// Its place.
        span: Span,
    },
    /// `balance` where it has no meaning.
    BalancePosition {
        /// The construct around.
        place: BalancePlace,
        /// Its place in the text.
        span: Span,
    },
    /// Something rhei does not do yet.
    NotSupported {
        /// The construct.
        construct: String,
        /// Its place.
        span: Span,
    },
}

/// A construct in which `balance` has no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalancePlace {
    /// Inside a larger expression.
    Expression,
    /// In a function.
    Function,
    /// In an algorithm section.
    Algorithm,
    /// In a `when`.
    When,
    /// In an initial equation.
    Initial,
    /// In the declaration of a variable.
    Declaration,
    /// In one branch of an if-equation only.
    Branch,
    /// With a factor of this fault.
    Factor(&'static str),
}

impl BalancePlace {
    fn label(self) -> String {
        match self {
            BalancePlace::Expression => "inside an expression".into(),
            BalancePlace::Function => "inside a function".into(),
            BalancePlace::Algorithm => "in an algorithm section".into(),
            BalancePlace::When => "inside a `when`".into(),
            BalancePlace::Initial => "in an initial equation".into(),
            BalancePlace::Declaration => "in a declaration".into(),
            BalancePlace::Branch => "the branches balance different variables".into(),
            BalancePlace::Factor(why) => format!("its factor {why}"),
        }
    }

    fn advice(self) -> &'static str {
        match self {
            BalancePlace::Branch => {
                "write `balance(x)` of the same variables in every branch of the if-equation"
            }
            BalancePlace::Factor(_) => {
                "the factor says how slow the variable is beside the others: a number or parameter above zero"
            }
            BalancePlace::Initial => {
                "at the start it holds as at any other time; the `start` of its variable is where the search begins"
            }
            _ => {
                "write it in an equation section: `balance(x) = f`, or `k*balance(x) = f` with a positive parameter `k`"
            }
        }
    }
}

impl From<Mistake> for Diagnostic {
    fn from(mistake: Mistake) -> Diagnostic {
        match mistake {
            Mistake::SubscriptOutOfBounds { array, subscript, size, span } => {
                subscript_out_of_bounds(&array, subscript, size, span)
            }
            Mistake::FixedNotEvaluable { variable, span } => {
                let message = format!("`fixed` of `{variable}` must be known before the run");
                Diagnostic::error("fixed-not-evaluable", message)
                    .at(span, "not a constant")
                    .with_note("write `true` or `false`")
            }
            Mistake::InputHeld { name, span } => {
                let message = format!("the input `{name}` of the model keeps its start value");
                Diagnostic::note("input-held", message)
                    .at(span, "given from outside")
                    .with_note(format!("give it another one with `start`, or with `--set {name}=…`"))
            }
            Mistake::TooManyElements { variable, most, span } => {
                let message = format!("with `{variable}` the model has more than {most} scalar variables");
                Diagnostic::error("too-many-elements", message).at(span, "declared here")
            }
            Mistake::NotSteady { what, span } => {
                Diagnostic::error("variability", format!("{what} must not change during the run"))
                    .at(span, "this varies")
                    .with_note("only parameters and constants may occur in it")
            }
            Mistake::TooMuchWork { span } => {
                let message = "writing out this model element by element takes too many steps";
                Diagnostic::error("too-much-work", message)
                    .at(span, "given up here")
                    .with_note("is a loop, a sum or a recursion longer than it should be?")
            }
            Mistake::ClockNotPositive { what, value, span } => {
                Diagnostic::error("clock-not-positive", format!("the {what} of a clock cannot be {value}"))
                    .at(span, format!("this is {value}"))
            }
            Mistake::BalanceTarget { name, why, span } => {
                let message = format!("`{name}` cannot be balanced: it is {why}");
                Diagnostic::error("balance-target", message)
                    .at(span, format!("this is {why}"))
                    .with_note("`balance(x) = f` finds `x`: an unknown of type Real that varies continuously and is no state")
            }
            Mistake::BalancePosition { place, span } => {
                let message = "`balance` must be a whole side of an equation that always holds";
                Diagnostic::error("balance-position", message)
                    .at(span, place.label())
                    .with_note(place.advice())
            }
            Mistake::NotSupported { construct, span } => not_supported_yet(construct, span),
        }
    }
}
