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
        class: Option<String>,
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
        why: Option<String>,
        span: Span,
    },
    NoDimension {
        place: i64,
        found: String,
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
    AmbiguousOperator {
        symbol: String,
        functions: [String; 2],
        span: Span,
    },
    ImpureCall {
        function: String,
        span: Span,
    },
    AssignedInput {
        name: String,
        span: Span,
    },
    RealEquality {
        symbol: String,
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
    NegativeSize {
        value: i64,
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
        /// Their paths.
        arrays: Vec<String>,
        span: Span,
    },
    /// A loop over elements that are instances each has too many turns to be written out.
    TooManyTurns {
        most: usize,
        span: Span,
    },
    /// The arrays on both sides of a connection do not have the same sizes.
    ConnectorSizes {
        left: String,
        right: String,
        sizes: String,
        span: Span,
    },
    /// Whether something is connected is not known before the run.
    ConnectCondition {
        span: Span,
    },
    BadExperiment {
        name: String,
        why: String,
        span: Span,
    },
    Evaluation(Box<Failure>),
    ProtectedAccess {
        name: String,
        class: String,
        span: Span,
        declared: Option<Span>,
    },
    ClassRestriction {
        class: String,
        why: String,
        span: Span,
    },
    WrongBase {
        derived: String,
        base: String,
        span: Span,
    },
    ReplaceableBase {
        name: String,
        span: Span,
        declared: Option<Span>,
    },
    Mismatch {
        inner_outer: bool,
        name: String,
        why: String,
        span: Span,
        wanted: Option<Span>,
    },
    OuterModified {
        name: String,
        span: Span,
    },
    BadImport {
        why: String,
        span: Span,
    },
    AmbiguousImport {
        name: String,
        first: Span,
        again: Span,
    },
    EachWithoutArray {
        name: String,
        span: Span,
    },
    RedeclaredConstant {
        name: String,
        span: Span,
        declared: Option<Span>,
    },
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
    pub(crate) fn told_as_size(self, span: Span) -> Mistake {
        match self {
            Mistake::Evaluation(failure) => {
                Mistake::SizeNotEvaluable { why: failure.into_diagnostic().message, span }
            }
            other => other,
        }
    }

    /// The same mistake where a condition was wanted.
    pub(crate) fn told_as_condition(self, span: Span) -> Mistake {
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
            Mistake::UnknownFunction { name, class, near, span } => {
                let place = class.map(|class| format!(" in `{class}`")).unwrap_or_default();
                let message = format!("there is no function `{name}`{place}");
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
                format!("`{function}` takes {wanted}, and {} given", how_many(found)),
            )
            .at(span, "in this call"),
            Mistake::TooFewResults { function, results, wanted, span } => {
                let message =
                    format!("`{function}` has {}, and {wanted} are asked for", counted(results, "result"));
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
                Diagnostic::error("not-a-constant", message)
                    .at(span, "used here")
                    .with_note("declare it as `constant`, or declare a component and use its part")
            }
            Mistake::NotAssignable { span } => {
                Diagnostic::error("not-assignable", "this cannot be assigned to")
                    .at(span, "a variable is wanted here")
            }
            Mistake::AssignedParameter { name, span } => {
                let message = format!("`{name}` is a parameter or constant and cannot be assigned to");
                Diagnostic::error("not-assignable", message)
                    .at(span, "assigned here")
                    .with_note("give it its value where it is declared, or declare it as a variable")
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
            Mistake::NoRange { name, why, span } => {
                let message = match why {
                    Some(why) => format!("the range of the iterator `{name}` is not clear: {why}"),
                    None => {
                        format!("the iterator `{name}` has no range, and is nowhere alone between brackets")
                    }
                };
                Diagnostic::error("no-range", message)
                    .at(span, "which values?")
                    .with_note(format!("write the range: `for {name} in 1:n`"))
            }
            Mistake::NoDimension { place, found, span } => {
                Diagnostic::error("wrong-subscripts", format!("there is no dimension {place} of {found}"))
                    .at(span, "here")
                    .with_note("dimensions count from 1")
            }
            Mistake::InFunction { what, span } => {
                Diagnostic::error("not-in-function", format!("`{what}` means nothing in a function"))
                    .at(span, "here")
                    .with_note("a function knows its inputs only, neither time nor events: make it an input")
            }
            Mistake::EquationsInFunction { name, span } => {
                Diagnostic::error("not-in-function", format!("the function `{name}` has equations"))
                    .at(span, "only an algorithm is allowed")
                    .with_note("write `algorithm` instead of `equation`, and `:=` instead of `=`")
            }
            Mistake::AbsentComponent { name, span } => {
                let message = format!("`{name}` is not there: its condition is false");
                Diagnostic::error("absent-component", message)
                    .at(span, "used here")
                    .with_note("give what uses it the same condition, or change that condition")
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
                    .with_note("elements that are inherited twice must be declared alike, modifiers included")
            }
            Mistake::DuplicateModification { name, first, again } => {
                Diagnostic::error("duplicate-modification", format!("`{name}` is modified twice"))
                    .at(again, "modified again")
                    .at(first, "first modified here")
                    .with_note("keep one of them")
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
                let diagnostic = Diagnostic::error("not-replaceable", message)
                    .at(span, "redeclared here")
                    .with_note("write `replaceable` before its declaration, or modify it instead");
                match declared {
                    Some(declared) => diagnostic.at(declared, "declared without `replaceable`"),
                    None => diagnostic,
                }
            }
            Mistake::NothingToRedeclare { name, class, span } => {
                let message = format!("`{class}` inherits no `{name}` to redeclare");
                Diagnostic::error("nothing-to-redeclare", message)
                    .at(span, "redeclared here")
                    .with_note("leave out `redeclare` to declare a new element")
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
                let hint = conversion(&wanted, &found);
                let message = format!("{what} must be {wanted}, and this is {found}");
                let diagnostic = Diagnostic::error("type-mismatch", message).at(span, found);
                match hint {
                    Some(hint) => diagnostic.with_note(hint),
                    None => diagnostic,
                }
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
            Mistake::AmbiguousOperator { symbol, functions, span } => {
                let [one, other] = functions;
                let message = format!("`{symbol}` could be `{one}` or `{other}` here");
                Diagnostic::error("ambiguous-operator", message)
                    .at(span, "which one?")
                    .with_note("call the function that is meant by its name")
            }
            Mistake::ImpureCall { function, span } => {
                let message = format!("a function that is declared as pure calls `{function}`, which is not");
                Diagnostic::error("impure-call", message).at(span, "called here").with_note(
                    "leave out `pure` before the function around, or write `pure(…)` around this call",
                )
            }
            Mistake::AssignedInput { name, span } => {
                let message =
                    format!("`{name}` is an input or constant of the function and cannot be assigned to");
                Diagnostic::error("not-assignable", message)
                    .at(span, "assigned here")
                    .with_note("copy it to a protected variable, and change that")
            }
            Mistake::RealEquality { symbol, span } => {
                let message = format!("`{symbol}` of Reals is allowed in functions only");
                Diagnostic::error("real-equality", message).at(span, "Reals are compared here").with_note(
                    "compare their difference with a tolerance, `abs(a - b) < eps`, or use `<` and `>`",
                )
            }
            Mistake::WrongSizes { what, wanted, found, span } => {
                let scalar = !found.contains('[');
                let message = match wanted.as_str() {
                    "" => format!("{what} must be a scalar, and this is {found}"),
                    _ => format!("{what} must have the sizes [{wanted}], and this is {found}"),
                };
                let diagnostic = Diagnostic::error("size-mismatch", message).at(span, found);
                match scalar {
                    true => diagnostic.with_note("`each` before the modifier gives every element the same value, `fill` makes an array of one"),
                    false => diagnostic,
                }
            }
            Mistake::WrongSubscriptCount { name, dimensions, found, span } => {
                let has = match dimensions {
                    0 => "is a scalar".to_owned(),
                    n => format!("has {}", counted(n, "dimension")),
                };
                let given = if found == 1 { "1 subscript is" } else { &format!("{found} subscripts are") };
                let message = format!("`{name}` {has}, and {given} given");
                Diagnostic::error("wrong-subscripts", message).at(span, "here")
            }
            Mistake::SubscriptOutOfBounds { array, subscript, size, span } => {
                let message = format!(
                    "the subscript {subscript} is outside `{array}`, which goes from 1 to {size} there"
                );
                Diagnostic::error("subscript-out-of-bounds", message).at(span, format!("this is {subscript}"))
            }
            Mistake::TooVariable { what, wanted, found, because, span } => {
                let wanted = match wanted {
                    Variability::Constant => "constant",
                    Variability::Parameter => "known before the run, as a parameter or constant is",
                    Variability::Discrete => "discrete: change at events only",
                    Variability::Continuous => "continuous",
                };
                let is = match found {
                    Variability::Constant => "is a constant",
                    Variability::Parameter => "is a parameter",
                    Variability::Discrete => "changes at events",
                    Variability::Continuous => "varies with time",
                };
                Diagnostic::error("variability", format!("{what} must be {wanted}, and `{because}` {is}"))
                    .at(span, format!("`{because}` {is}"))
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
                    .with_note("sizes are made of numbers, constants, and parameters that have a value")
            }
            Mistake::NegativeSize { value, span } => {
                Diagnostic::error("size-not-evaluable", format!("an array cannot have the size {value}"))
                    .at(span, format!("this is {value}"))
                    .with_note("a size is zero or more")
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
            Mistake::ElementsDiffer { arrays, span } => {
                let arrays: Vec<String> = arrays.iter().map(|array| format!("`{array}`")).collect();
                let message = format!(
                    "the elements of {} differ in structure, and are too many to be taken apart",
                    arrays.join(", ")
                );
                Diagnostic::error("too-many-elements", message).at(span, "not the same for all elements")
            }
            Mistake::TooManyTurns { most, span } => {
                let message =
                    format!("a loop over elements that differ in structure has more than {most} turns");
                Diagnostic::error("too-many-elements", message).at(span, "too long to be written out")
            }
            Mistake::ConnectorSizes { left, right, sizes, span } => {
                let message = format!("`{left}` and `{right}` cannot be connected: their sizes are {sizes}");
                Diagnostic::error("connect-mismatch", message).at(span, "connected here")
            }
            Mistake::ConnectCondition { span } => {
                let message = "what is connected must be known before the run";
                Diagnostic::error("connect-condition", message)
                    .at(span, "not a parameter with a value")
                    .with_note("`connect` stands in this if-equation")
            }
            Mistake::BadExperiment { name, why, span } => Diagnostic::warning(
                "bad-experiment",
                format!("`{name}` of the experiment annotation is not used: {why}"),
            )
            .at(span, "here"),
            Mistake::Evaluation(failure) => failure.into_diagnostic(),
            Mistake::ProtectedAccess { name, class, span, declared } => {
                let message = format!("`{name}` of `{class}` is protected");
                let diagnostic = Diagnostic::error("protected-access", message).at(span, "used from outside");
                match declared {
                    Some(declared) => diagnostic.at(declared, "declared in a protected section"),
                    None => diagnostic,
                }
            }
            Mistake::ClassRestriction { class, why, span } => {
                Diagnostic::error("class-restriction", format!("{class} {why}")).at(span, "not allowed here")
            }
            Mistake::WrongBase { derived, base, span } => {
                let message = format!("a {derived} cannot extend a {base}");
                Diagnostic::error("wrong-base-class", message).at(span, format!("a {base}"))
            }
            Mistake::ReplaceableBase { name, span, declared } => {
                let message = format!("`{name}` is replaceable, and what it is may change under the class");
                let diagnostic =
                    Diagnostic::error("replaceable-base", message).at(span, "used as base class");
                match declared {
                    Some(declared) => diagnostic.at(declared, "replaceable here"),
                    None => diagnostic,
                }
            }
            Mistake::Mismatch { inner_outer, name, why, span, wanted } => {
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
            Mistake::OuterModified { name, span } => {
                let message = format!("`{name}` is `outer` and cannot be modified");
                Diagnostic::error("outer-modified", message)
                    .at(span, "modified here")
                    .with_note("modify the `inner` one")
            }
            Mistake::BadImport { why, span } => {
                Diagnostic::error("bad-import", why).at(span, "imported here")
            }
            Mistake::AmbiguousImport { name, first, again } => {
                let message = format!("two packages that are imported have a `{name}`");
                Diagnostic::error("ambiguous-import", message).at(again, "this one").at(first, "and this one")
            }
            Mistake::EachWithoutArray { name, span } => {
                let message = format!("`each` is for the elements of an array, and `{name}` is none");
                Diagnostic::error("each-without-array", message).at(span, "not an array")
            }
            Mistake::RedeclaredConstant { name, span, declared } => {
                let message = format!("`{name}` is a constant and cannot be redeclared");
                let diagnostic = Diagnostic::error("redeclare-mismatch", message).at(span, "redeclared here");
                match declared {
                    Some(declared) => diagnostic.at(declared, "declared here"),
                    None => diagnostic,
                }
            }
            Mistake::NotSupported { construct, span } => not_supported_yet(construct, span),
            Mistake::Incomplete => return None,
        })
    }
}

/// How one type is made into another, where that is often wanted.
fn conversion(wanted: &str, found: &str) -> Option<&'static str> {
    match (wanted, found) {
        ("Integer", "Real") => Some("`integer(x)` is the largest Integer that is not above `x`"),
        ("Real" | "Integer", "Boolean") => Some("write `if b then 1 else 0` to make a number of a Boolean"),
        ("Boolean", "Integer" | "Real") => Some("compare the number with another one: `x > 0`"),
        ("Real" | "Integer", "String") => Some("write a number without quotes"),
        ("String", "Real" | "Integer" | "Boolean") => Some("`String(x)` writes a value as text"),
        _ => None,
    }
}

/// `1 result`, `3 results`.
fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

/// `none is`, `1 is`, `3 are`.
fn how_many(n: usize) -> String {
    match n {
        0 => "none is".into(),
        1 => "1 is".into(),
        n => format!("{n} are"),
    }
}

fn did_you_mean(diagnostic: Diagnostic, near: Option<String>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.with_note(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}
