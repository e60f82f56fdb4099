//! Errors in clauses, in the modeller's words.

use rhei_source::{Diagnostic, Span};

/// A mistake with its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Mistake {
    /// A `when` where none may be.
    MisplacedWhen { inside: &'static str, span: Span },
    /// `elsewhen` in a `when` with a clock.
    ClockedElsewhen { span: Span },
    /// `reinit` outside a when-equation.
    MisplacedReinit { span: Span },
    /// `reinit(value)` that is not a whole declaration equation.
    MeasuredInside { span: Span },
    /// `reinit` of a variable that is no state.
    ReinitTarget { why: String, span: Span },
    /// Two `reinit` of which it is not clear which one counts.
    ReinitTwice { name: String, first: Span, span: Span },
    /// An equation without a defined variable.
    LeftSide { clause: &'static str, span: Span },
    /// A variable that only some branches define.
    BranchesDiffer { clause: &'static str, name: String, span: Span, other: Span },
    /// Branches with different numbers of equations.
    BranchCounts { counts: [usize; 2], span: Span, other: Option<Span> },
    /// A variable that two clauses define.
    DefinedTwice { name: String, first: Span, span: Span },
    /// A continuous-time expression in place of a discrete-time one.
    NotDiscrete { what: String, because: String, span: Span },
    /// An expression that cannot be evaluated before the run.
    NotEvaluable { what: &'static str, because: String, span: Span },
    /// `discrete`, and no `when` gives it a value.
    DiscreteWithoutWhen { name: String, span: Span },
    /// `der` of a discrete-time expression.
    DerOfDiscrete { name: String, span: Span },
    /// A constant that the start is to find.
    UnfixedConstant { name: String, span: Span },
    /// `pre` of something else than a variable.
    NotAVariable { operator: &'static str, span: Span },
}

impl Mistake {
    pub(super) fn id(&self) -> &'static str {
        match self {
            Mistake::MisplacedWhen { .. } | Mistake::ClockedElsewhen { .. } => "misplaced-when",
            Mistake::MisplacedReinit { .. } => "misplaced-reinit",
            Mistake::MeasuredInside { .. } => "measured-not-whole-binding",
            Mistake::ReinitTarget { .. } => "reinit-target",
            Mistake::ReinitTwice { .. } => "reinit-twice",
            Mistake::LeftSide { .. } => "unclear-left-side",
            Mistake::BranchesDiffer { .. } | Mistake::BranchCounts { .. } => "branches-differ",
            Mistake::DefinedTwice { .. } => "defined-twice",
            Mistake::NotDiscrete { .. } | Mistake::NotEvaluable { .. } => "variability",
            Mistake::DiscreteWithoutWhen { .. } => "discrete-without-when",
            Mistake::DerOfDiscrete { .. } => "der-of-discrete",
            Mistake::UnfixedConstant { .. } => "unfixed-constant",
            Mistake::NotAVariable { .. } => "not-a-variable",
        }
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Mistake::MisplacedWhen { span, .. }
            | Mistake::ClockedElsewhen { span }
            | Mistake::MisplacedReinit { span }
            | Mistake::MeasuredInside { span }
            | Mistake::ReinitTarget { span, .. }
            | Mistake::ReinitTwice { span, .. }
            | Mistake::LeftSide { span, .. }
            | Mistake::BranchesDiffer { span, .. }
            | Mistake::BranchCounts { span, .. }
            | Mistake::DefinedTwice { span, .. }
            | Mistake::NotDiscrete { span, .. }
            | Mistake::NotEvaluable { span, .. }
            | Mistake::DiscreteWithoutWhen { span, .. }
            | Mistake::DerOfDiscrete { span, .. }
            | Mistake::UnfixedConstant { span, .. }
            | Mistake::NotAVariable { span, .. } => *span,
        }
    }
}

impl From<Mistake> for Diagnostic {
    fn from(mistake: Mistake) -> Diagnostic {
        let (id, span) = (mistake.id(), mistake.span());
        match mistake {
            Mistake::MisplacedWhen { inside, .. } => {
                Diagnostic::error(id, format!("a `when` cannot stand inside {inside}")).at(span, "here")
            }
            Mistake::ClockedElsewhen { .. } => {
                Diagnostic::error(id, "a `when` with a clock has no `elsewhen`").at(span, "here").with_note(
                    "write one `when` for each clock, or an `if` inside one that ticks with all of them",
                )
            }
            Mistake::MisplacedReinit { .. } => {
                Diagnostic::error(id, "`reinit` can only stand inside a when-equation").at(span, "here")
            }
            Mistake::MeasuredInside { .. } => Diagnostic::error(
                id,
                "`reinit(value)` must be the entire declaration equation of the state it sets",
            )
            .at(span, "only a part of an expression or equation")
            .with_note("write `Real x = reinit(value);`, and what is to be computed into the value"),
            Mistake::ReinitTarget { why, .. } => {
                Diagnostic::error(id, format!("`reinit` gives a new value to a state, and {why}"))
                    .at(span, "this one")
            }
            Mistake::ReinitTwice { name, first, .. } => {
                let message = format!("two `reinit` of `{name}` may be active at the same event");
                Diagnostic::error(id, message).at(span, "the second").at(first, "the first").with_note(
                    "write one `when` with `elsewhen`, or an `if` inside it, so that one of them counts",
                )
            }
            Mistake::LeftSide { clause, .. } => {
                let message =
                    format!("an equation inside `{clause}` says on its left which variable it defines");
                Diagnostic::error(id, message)
                    .at(span, "not a variable")
                    .with_note("solve it for the variable: `v = expression`")
            }
            Mistake::BranchesDiffer { clause, name, other, .. } => {
                let message =
                    format!("`{name}` is defined in one branch of this `{clause}` and not in another");
                Diagnostic::error(id, message).at(span, "defined here").at(other, "not in this branch")
            }
            Mistake::BranchCounts { counts: [a, b], other, .. } => {
                let message = format!(
                    "the branches of this `if` have {} and {}, and which one holds changes during the run",
                    equations(a),
                    equations(b)
                );
                let told = Diagnostic::error(id, message).at(span, equations(a));
                match other {
                    Some(other) => told.at(other, equations(b)),
                    None => told.with_note("without an `else` the last branch is empty"),
                }
            }
            Mistake::DefinedTwice { name, first, .. } => {
                let message =
                    format!("`{name}` is defined by two `when`, which may be active at the same event");
                Diagnostic::error(id, message)
                    .at(span, "defined again")
                    .at(first, "defined here")
                    .with_note("one `when` with `elsewhen` says which of them counts")
            }
            Mistake::NotDiscrete { what, because, .. } => {
                let message = format!("{what} must change at events only, and {because} changes at any time");
                Diagnostic::error(id, message).at(span, "changes at any time")
            }
            Mistake::NotEvaluable { what, because, .. } => {
                let message = format!("{what} must be known before the run, and `{because}` is not");
                Diagnostic::error(id, message).at(span, "changes during the run")
            }
            Mistake::DiscreteWithoutWhen { name, .. } => {
                let message = format!("`{name}` is declared with `discrete`, and no `when` gives it a value");
                Diagnostic::error(id, message)
                    .at(span, "declared here")
                    .with_note("assign it in a `when`, or leave `discrete` out")
            }
            Mistake::DerOfDiscrete { name, .. } => {
                let message = format!("`{name}` changes at events only and has no derivative");
                Diagnostic::error(id, message).at(span, "differentiated here")
            }
            Mistake::UnfixedConstant { name, .. } => {
                let message = format!(
                    "the constant `{name}` has the value it is declared with: `fixed = false` is not for it"
                );
                Diagnostic::error(id, message).at(span, "declared here")
            }
            Mistake::NotAVariable { operator, .. } => {
                Diagnostic::error(id, format!("`{operator}` is of a variable, and this is an expression"))
                    .at(span, "not a variable")
                    .with_note("declare a variable with this value")
            }
        }
    }
}

fn equations(count: usize) -> String {
    match count {
        0 => "no equation".into(),
        1 => "1 equation".into(),
        n => format!("{n} equations"),
    }
}
