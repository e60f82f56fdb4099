//! What can be wrong with a class, in the modeller's words.

use rhei_evaluate::Failure;
use rhei_flat::Variability;
use rhei_source::{Diagnostic, Span, not_supported_yet};

/// A mistake with its place. Types are given as they are written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are what the message says of them
pub enum Mistake {
    UnknownName {
        name: String,
        class: String,
        near: Option<String>,
        span: Span,
    },
    UnknownClass {
        name: String,
        class: String,
        near: Option<String>,
        span: Span,
    },
    UnknownFunction {
        name: String,
        near: Option<String>,
        span: Span,
    },
    UnknownElement {
        name: String,
        class: String,
        near: Option<String>,
        span: Span,
    },
    UnknownAttribute {
        name: String,
        of: String,
        near: Option<String>,
        span: Span,
    },
    UnknownArgument {
        argument: String,
        function: String,
        near: Option<String>,
        span: Span,
    },
    ArgumentTwice {
        argument: String,
        function: String,
        span: Span,
    },
    MissingArgument {
        input: String,
        function: String,
        span: Span,
    },
    WrongArgumentCount {
        function: String,
        wanted: String,
        found: usize,
        span: Span,
    },
    TooFewResults {
        function: String,
        results: usize,
        wanted: usize,
        span: Span,
    },
    NotAClass {
        name: String,
        span: Span,
    },
    NotAFunction {
        name: String,
        span: Span,
    },
    NotAModel {
        name: String,
        kind: String,
        span: Span,
    },
    NotAValue {
        name: String,
        span: Span,
    },
    NotAConnector {
        name: String,
        span: Span,
    },
    NotAReduction {
        name: String,
        span: Span,
    },
    NotConstant {
        name: String,
        span: Span,
    },
    NotAssignable {
        span: Span,
    },
    AssignedParameter {
        name: String,
        span: Span,
    },
    ClassAsValue {
        name: String,
        span: Span,
    },
    TupleOutside {
        span: Span,
    },
    EndOutside {
        span: Span,
    },
    EmptyArray {
        span: Span,
    },
    NoRange {
        name: String,
        span: Span,
    },
    InFunction {
        what: String,
        span: Span,
    },
    EquationsInFunction {
        name: String,
        span: Span,
    },
    AbsentComponent {
        name: String,
        span: Span,
    },
    DuplicateName {
        name: String,
        first: Span,
        again: Span,
    },
    InheritedTwice {
        name: String,
        class: String,
        first: Span,
        again: Span,
    },
    DuplicateModification {
        name: String,
        first: Span,
        again: Span,
    },
    ModifiedFinal {
        name: String,
        span: Option<Span>,
        declared: Option<Span>,
    },
    NotReplaceable {
        name: String,
        span: Span,
        declared: Option<Span>,
    },
    NothingToRedeclare {
        name: String,
        class: String,
        span: Span,
    },
    ExtendsItself {
        name: String,
        span: Span,
    },
    RecursiveClass {
        name: String,
        span: Option<Span>,
    },
    PartialClass {
        name: String,
        span: Span,
    },
    MissingInner {
        name: String,
        class: String,
        message: Option<String>,
        span: Span,
        made: bool,
    },
    TypeMismatch {
        what: String,
        wanted: String,
        found: String,
        span: Span,
    },
    Incompatible {
        what: String,
        sizes: bool,
        left: String,
        left_span: Span,
        right: String,
        right_span: Span,
    },
    NoOperator {
        symbol: String,
        types: Vec<String>,
        span: Span,
    },
    WrongSizes {
        what: String,
        wanted: String,
        found: String,
        span: Span,
    },
    WrongSubscriptCount {
        name: String,
        dimensions: usize,
        found: usize,
        span: Span,
    },
    SubscriptOutOfBounds {
        array: String,
        subscript: i64,
        size: usize,
        span: Span,
    },
    TooVariable {
        what: String,
        wanted: Variability,
        found: Variability,
        because: String,
        span: Span,
    },
    CyclicValue {
        name: String,
        span: Span,
    },
    ConstantWithoutValue {
        name: String,
        span: Span,
        declared: Span,
    },
    SizeNotEvaluable {
        why: String,
        span: Span,
    },
    ConditionNotEvaluable {
        why: String,
        span: Span,
    },
    FixedNotEvaluable {
        variable: String,
        span: Span,
    },
    StateSelectNotEvaluable {
        variable: String,
        span: Span,
    },
    /// A value that shapes the model is not the same for every element of an array of components.
    ElementsDiffer {
        span: Span,
    },
    BadExperiment {
        name: String,
        why: String,
        span: Span,
    },
    Evaluation(Box<Failure>),
    NotSupported {
        construct: String,
        span: Span,
    },
    /// A part is missing that was complained about already.
    Incomplete,
}

impl Mistake {
    /// What rhei does not do yet.
    pub(crate) fn not_supported(construct: impl Into<String>, span: Span) -> Mistake {
        Mistake::NotSupported { construct: construct.into(), span }
    }

    /// The same mistake where a size was wanted.
    pub(crate) fn as_size(self, span: Span) -> Mistake {
        match self {
            Mistake::Evaluation(failure) => {
                Mistake::SizeNotEvaluable { why: failure.into_diagnostic().message, span }
            }
            other => other,
        }
    }

    /// The same mistake where a condition was wanted.
    pub(crate) fn as_condition(self, span: Span) -> Mistake {
        match self {
            Mistake::Evaluation(failure) => {
                Mistake::ConditionNotEvaluable { why: failure.into_diagnostic().message, span }
            }
            other => other,
        }
    }

    /// The message; none where another one has been given already.
    pub fn into_diagnostic(self) -> Option<Diagnostic> {
        Some(match self {
            Mistake::UnknownName { name, class, near, span } => {
                let message = format!("there is no `{name}` in `{class}`");
                did_you_mean(Diagnostic::error("unknown-name", message).at(span, "not declared"), near)
            }
            Mistake::UnknownClass { name, class, near, span } => {
                let message = format!("there is no class or type `{name}` in `{class}`");
                did_you_mean(Diagnostic::error("unknown-type", message).at(span, "not known"), near)
            }
            Mistake::UnknownFunction { name, near, span } => {
                let message = format!("there is no function `{name}`");
                did_you_mean(Diagnostic::error("unknown-function", message).at(span, "not known"), near)
            }
            Mistake::UnknownElement { name, class, near, span } => {
                let message = format!("`{class}` has no element `{name}` to modify");
                did_you_mean(Diagnostic::error("unknown-element", message).at(span, "not there"), near)
            }
            Mistake::UnknownAttribute { name, of, near, span } => {
                let message = format!("`{of}` has no attribute `{name}`");
                did_you_mean(
                    Diagnostic::error("unknown-attribute", message).at(span, "not an attribute"),
                    near,
                )
            }
            Mistake::UnknownArgument { argument, function, near, span } => {
                let message = format!("`{function}` has no input `{argument}`");
                did_you_mean(Diagnostic::error("wrong-arguments", message).at(span, "not an input"), near)
            }
            Mistake::ArgumentTwice { argument, function, span } => {
                let message = format!("the input `{argument}` of `{function}` is given twice");
                Diagnostic::error("wrong-arguments", message).at(span, "given again")
            }
            Mistake::MissingArgument { input, function, span } => {
                let message = format!("the input `{input}` of `{function}` is not given and has no default");
                Diagnostic::error("wrong-arguments", message).at(span, "in this call")
            }
            Mistake::WrongArgumentCount { function, wanted, found, span } => Diagnostic::error(
                "wrong-arguments",
                format!("`{function}` takes {wanted}, and {found} are given"),
            )
            .at(span, "in this call"),
            Mistake::TooFewResults { function, results, wanted, span } => {
                let message = format!("`{function}` has {results} results, and {wanted} are asked for");
                Diagnostic::error("wrong-arguments", message).at(span, "this call")
            }
            Mistake::NotAClass { name, span } => {
                Diagnostic::error("not-a-class", format!("`{name}` is not a class"))
                    .at(span, "a class is wanted here")
            }
            Mistake::NotAFunction { name, span } => {
                Diagnostic::error("not-a-function", format!("`{name}` is not a function"))
                    .at(span, "called here")
            }
            Mistake::NotAModel { name, kind, span } => Diagnostic::error(
                "not-a-model",
                format!("`{name}` is a {kind}, and only models and blocks can be simulated"),
            )
            .at(span, "declared here"),
            Mistake::NotAValue { name, span } => {
                Diagnostic::error("not-a-value", format!("{name} is no variable and no record"))
                    .at(span, "used as a value")
            }
            Mistake::NotAConnector { name, span } => {
                Diagnostic::error("not-a-connector", format!("`{name}` is not a connector"))
                    .at(span, "connected here")
            }
            Mistake::NotAReduction { name, span } => {
                let message = format!("`{name}` cannot be used with `for`");
                Diagnostic::error("not-a-reduction", message)
                    .at(span, "here")
                    .with_note("`sum`, `product`, `min`, `max` and `array` can")
            }
            Mistake::NotConstant { name, span } => {
                let message = format!(
                    "`{name}` is not a constant, and only constants can be used from outside an instance"
                );
                Diagnostic::error("not-a-constant", message).at(span, "used here")
            }
            Mistake::NotAssignable { span } => {
                Diagnostic::error("not-assignable", "this cannot be assigned to")
                    .at(span, "a variable is wanted here")
            }
            Mistake::AssignedParameter { name, span } => {
                let message = format!("`{name}` is a parameter or constant and cannot be assigned to");
                Diagnostic::error("not-assignable", message).at(span, "assigned here")
            }
            Mistake::ClassAsValue { name, span } => {
                Diagnostic::error("not-a-value", format!("`{name}` is a class, not a value"))
                    .at(span, "used as a value")
            }
            Mistake::TupleOutside { span } => {
                let message = "a list of results can only stand on the left of a function call";
                Diagnostic::error("type-mismatch", message).at(span, "here")
            }
            Mistake::EndOutside { span } => {
                Diagnostic::error("end-outside", "`end` means nothing outside of subscripts").at(span, "here")
            }
            Mistake::EmptyArray { span } => {
                Diagnostic::error("empty-array", "an array without elements has no type")
                    .at(span, "here")
                    .with_note("write `fill(0.0, 0)` or `zeros(0)`")
            }
            Mistake::NoRange { name, span } => {
                not_supported_yet(format!("the iterator `{name}` without a range"), span)
            }
            Mistake::InFunction { what, span } => {
                Diagnostic::error("not-in-function", format!("`{what}` means nothing in a function"))
                    .at(span, "here")
            }
            Mistake::EquationsInFunction { name, span } => {
                Diagnostic::error("not-in-function", format!("the function `{name}` has equations"))
                    .at(span, "only an algorithm is allowed")
            }
            Mistake::AbsentComponent { name, span } => {
                let message = format!("`{name}` is not there: its condition is false");
                Diagnostic::error("absent-component", message).at(span, "used here")
            }
            Mistake::DuplicateName { name, first, again } => {
                Diagnostic::error("duplicate-name", format!("`{name}` is declared twice"))
                    .at(again, "declared again")
                    .at(first, "first declared here")
            }
            Mistake::InheritedTwice { name, class, first, again } => {
                Diagnostic::error("duplicate-name", format!("`{class}` has two different elements `{name}`"))
                    .at(again, "declared here")
                    .at(first, "and inherited from here")
            }
            Mistake::DuplicateModification { name, first, again } => {
                Diagnostic::error("duplicate-modification", format!("`{name}` is modified twice"))
                    .at(again, "modified again")
                    .at(first, "first modified here")
            }
            Mistake::ModifiedFinal { name, span, declared } => {
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
            Mistake::NotReplaceable { name, span, declared } => {
                let message = format!("`{name}` is not replaceable and cannot be redeclared");
                let diagnostic = Diagnostic::error("not-replaceable", message).at(span, "redeclared here");
                match declared {
                    Some(declared) => diagnostic.at(declared, "declared without `replaceable`"),
                    None => diagnostic,
                }
            }
            Mistake::NothingToRedeclare { name, class, span } => {
                let message = format!("`{class}` inherits no `{name}` to redeclare");
                Diagnostic::error("nothing-to-redeclare", message).at(span, "redeclared here")
            }
            Mistake::ExtendsItself { name, span } => {
                Diagnostic::error("extends-itself", format!("`{name}` extends itself")).at(span, "here")
            }
            Mistake::RecursiveClass { name, span } => {
                let diagnostic =
                    Diagnostic::error("recursive-class", format!("`{name}` contains itself without end"));
                match span {
                    Some(span) => diagnostic.at(span, "here"),
                    None => diagnostic,
                }
            }
            Mistake::PartialClass { name, span } => Diagnostic::error(
                "partial-class",
                format!("`{name}` is partial: something is left to be filled in"),
            )
            .at(span, "used here")
            .with_note("redeclare it, or extend it with what is missing"),
            Mistake::MissingInner { name, class, message, span, made } => {
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
            Mistake::TypeMismatch { what, wanted, found, span } => {
                Diagnostic::error("type-mismatch", format!("{what} must be {wanted}, and this is {found}"))
                    .at(span, found)
            }
            Mistake::Incompatible { what, sizes, left, left_span, right, right_span } => {
                let id = if sizes { "size-mismatch" } else { "type-mismatch" };
                Diagnostic::error(id, format!("{what} do not go together: {left} and {right}"))
                    .at(right_span, right)
                    .at(left_span, left)
            }
            Mistake::NoOperator { symbol, types, span } => {
                let message = format!("there is no `{symbol}` for {}", types.join(" and "));
                Diagnostic::error("type-mismatch", message).at(span, "here")
            }
            Mistake::WrongSizes { what, wanted, found, span } => {
                let message = format!("{what} must have the sizes [{wanted}], and this is {found}");
                Diagnostic::error("size-mismatch", message).at(span, found)
            }
            Mistake::WrongSubscriptCount { name, dimensions, found, span } => {
                let message =
                    format!("`{name}` has {dimensions} dimensions, and {found} subscripts are given");
                Diagnostic::error("wrong-subscripts", message).at(span, "here")
            }
            Mistake::SubscriptOutOfBounds { array, subscript, size, span } => {
                let message = format!(
                    "the subscript {subscript} is outside `{array}`, which goes from 1 to {size} there"
                );
                Diagnostic::error("subscript-out-of-bounds", message).at(span, format!("this is {subscript}"))
            }
            Mistake::TooVariable { what, wanted, found, because, span } => {
                let (wanted, found) = (wanted.name(), found.name());
                Diagnostic::error(
                    "variability",
                    format!("{what} must be {wanted}, and `{because}` is {found}"),
                )
                .at(span, found)
            }
            Mistake::CyclicValue { name, span } => {
                Diagnostic::error("cyclic-binding", format!("the value of `{name}` depends on itself"))
                    .at(span, "declared here")
            }
            Mistake::ConstantWithoutValue { name, span, declared } => {
                Diagnostic::error("constant-without-value", format!("the constant `{name}` has no value"))
                    .at(span, "used here")
                    .at(declared, "declared here")
            }
            Mistake::SizeNotEvaluable { why, span } => {
                Diagnostic::error("size-not-evaluable", "an array size must be known before the run")
                    .at(span, why)
            }
            Mistake::ConditionNotEvaluable { why, span } => Diagnostic::error(
                "condition-not-evaluable",
                "the condition of a component must be known before the run",
            )
            .at(span, why),
            Mistake::FixedNotEvaluable { variable, span } => Diagnostic::error(
                "fixed-not-evaluable",
                format!("`fixed` of `{variable}` must be known before the run"),
            )
            .at(span, "not a constant")
            .with_note("write `true` or `false`, or a parameter with a value"),
            Mistake::StateSelectNotEvaluable { variable, span } => {
                let message = format!("`stateSelect` of `{variable}` must be known before the run");
                Diagnostic::error("state-select-not-evaluable", message)
                    .at(span, "not a constant")
                    .with_note("write one of the values of `StateSelect`, or a parameter with a value")
            }
            Mistake::ElementsDiffer { span } => {
                let message =
                    "an array of components whose elements differ in structure is not supported yet";
                Diagnostic::error("not-supported-yet", message).at(span, "not the same for all elements")
            }
            Mistake::BadExperiment { name, why, span } => Diagnostic::warning(
                "bad-experiment",
                format!("`{name}` of the experiment annotation is not used: {why}"),
            )
            .at(span, "here"),
            Mistake::Evaluation(failure) => failure.into_diagnostic(),
            Mistake::NotSupported { construct, span } => not_supported_yet(construct, span),
            Mistake::Incomplete => return None,
        })
    }
}

fn did_you_mean(diagnostic: Diagnostic, near: Option<String>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.with_note(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}
