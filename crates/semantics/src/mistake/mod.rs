//! Errors in classes, in the modeller's words. The messages are written by area, each in a file of its own.

mod bounds;
mod calls;
mod classes;
mod names;
mod types;
mod values;

use rhei_evaluate::Failure;
use rhei_flat::Variability;
use rhei_source::{Diagnostic, Span, not_supported_yet, subscript_out_of_bounds};

/// A mistake with its place. Types are given as they are written.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are what the message says of them
pub enum Mistake {
    // Names that mean nothing, or not what is wanted at their place (MLS §5).
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
    NotConstant {
        name: String,
        span: Span,
    },
    ClassAsValue {
        name: String,
        span: Span,
    },
    AbsentComponent {
        name: String,
        span: Span,
    },
    ProtectedAccess {
        name: String,
        class: String,
        span: Span,
        declared: Option<Span>,
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
    MissingInner {
        name: String,
        class: String,
        message: Option<String>,
        span: Span,
        made: bool,
    },
    // Calls, and what stands in functions (MLS §12).
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
    NotAReduction {
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
    ImpureCall {
        function: String,
        span: Span,
    },
    MisplacedStatement {
        what: String,
        span: Span,
    },
    NeverAssigned {
        output: String,
        function: String,
        declared: Span,
        span: Span,
    },
    CyclicDefaults {
        input: String,
        function: String,
        span: Span,
    },
    DefaultOfLocal {
        input: String,
        local: String,
        span: Span,
    },
    ImpureInModel {
        function: String,
        span: Span,
    },
    ImpureBase {
        function: String,
        base: String,
        span: Span,
    },
    NotDifferentiable {
        function: String,
        what: String,
        place: Span,
        span: Span,
    },
    FunctionMismatch {
        given: String,
        input: String,
        why: String,
        span: Span,
    },
    AssignedInput {
        name: String,
        span: Span,
    },
    // Types, sizes, subscripts and variabilities that do not go together (MLS §3, §6, §10).
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
    RealEquality {
        symbol: String,
        span: Span,
    },
    MeasuredType {
        variable: String,
        why: String,
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
    NoDimension {
        place: i64,
        found: String,
        span: Span,
    },
    TooVariable {
        what: String,
        wanted: Variability,
        found: Variability,
        because: String,
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
    /// `break` or `return` where there is nothing to leave.
    Misplaced {
        what: &'static str,
        place: &'static str,
        span: Span,
    },
    /// An array whose subscript is the iterator of a loop without a range, assigned inside that loop.
    LoopArrayAssigned {
        iterator: String,
        span: Span,
    },
    NotAssignable {
        span: Span,
    },
    AssignedParameter {
        name: String,
        span: Span,
    },
    // Declarations, inheritance, modifications and redeclarations (MLS §4, §7).
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
    TakenName {
        name: String,
        span: Span,
    },
    /// A flow of an operator record that cannot be added up.
    FlowWithoutOperator {
        name: String,
        class: String,
        operator: &'static str,
        span: Span,
    },
    /// A member of an expandable connector whose size nobody says, as a whole.
    SizelessMember {
        name: String,
        span: Span,
    },
    TooManyElements {
        name: String,
        most: usize,
        span: Span,
    },
    TooLarge {
        name: String,
        span: Option<Span>,
    },
    TooDeep {
        what: &'static str,
        span: Span,
    },
    PartialClass {
        name: String,
        span: Span,
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
    EachWithoutArray {
        name: String,
        span: Span,
    },
    RedeclaredConstant {
        name: String,
        span: Span,
        declared: Option<Span>,
    },
    // Values that must be known before the run, and are not.
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
        why: String,
        span: Span,
    },
    StateSelectNotEvaluable {
        variable: String,
        why: String,
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
    /// `connect` among equations that hold at some times only.
    ConnectMisplaced {
        around: &'static str,
        span: Span,
    },
    BadExperiment {
        name: String,
        why: String,
        span: Span,
    },
    // Errors of other passes.
    Evaluation(Box<Failure>),
    NotSupported {
        construct: String,
        span: Span,
    },
    /// A part is missing that was complained about already.
    Incomplete,
}

impl Mistake {
    /// The error for a construct that is not supported yet.
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

    /// Whether nothing can be built on a class with it.
    pub(crate) fn refuses(&self) -> bool {
        !matches!(
            self,
            Mistake::Incomplete | Mistake::BadExperiment { .. } | Mistake::MissingInner { made: true, .. }
        )
    }

    /// The message; none where another one has been given already.
    pub fn into_diagnostic(self) -> Option<Diagnostic> {
        Some(match self {
            Mistake::UnknownName { name, class, near, span } => names::unknown_name(name, class, near, span),
            Mistake::UnknownClass { name, class, near, span } => {
                names::unknown_class(name, class, near, span)
            }
            Mistake::UnknownFunction { name, class, near, span } => {
                names::unknown_function(name, class, near, span)
            }
            Mistake::UnknownElement { name, class, near, span } => {
                names::unknown_element(name, class, near, span)
            }
            Mistake::UnknownAttribute { name, of, near, span } => {
                names::unknown_attribute(name, of, near, span)
            }
            Mistake::NotAClass { name, span } => names::not_a_class(name, span),
            Mistake::NotAFunction { name, span } => names::not_a_function(name, span),
            Mistake::NotAModel { name, kind, span } => names::not_a_model(name, kind, span),
            Mistake::NotAValue { name, span } => names::not_a_value(name, span),
            Mistake::NotAConnector { name, span } => names::not_a_connector(name, span),
            Mistake::NotConstant { name, span } => names::not_constant(name, span),
            Mistake::ClassAsValue { name, span } => names::class_as_value(name, span),
            Mistake::AbsentComponent { name, span } => names::absent_component(name, span),
            Mistake::ProtectedAccess { name, class, span, declared } => {
                names::protected_access(name, class, span, declared)
            }
            Mistake::BadImport { why, span } => names::bad_import(why, span),
            Mistake::AmbiguousImport { name, first, again } => names::ambiguous_import(name, first, again),
            Mistake::MissingInner { name, class, message, span, made } => {
                names::missing_inner(name, class, message, span, made)
            }
            Mistake::UnknownArgument { argument, function, near, span } => {
                calls::unknown_argument(argument, function, near, span)
            }
            Mistake::ArgumentTwice { argument, function, span } => {
                calls::argument_twice(argument, function, span)
            }
            Mistake::MissingArgument { input, function, span } => {
                calls::missing_argument(input, function, span)
            }
            Mistake::WrongArgumentCount { function, wanted, found, span } => {
                calls::wrong_argument_count(function, wanted, found, span)
            }
            Mistake::TooFewResults { function, results, wanted, span } => {
                calls::too_few_results(function, results, wanted, span)
            }
            Mistake::NotAReduction { name, span } => calls::not_a_reduction(name, span),
            Mistake::InFunction { what, span } => calls::in_function(what, span),
            Mistake::EquationsInFunction { name, span } => calls::equations_in_function(name, span),
            Mistake::NotDifferentiable { function, what, place, span } => {
                calls::not_differentiable(function, what, place, span)
            }
            Mistake::FunctionMismatch { given, input, why, span } => {
                calls::function_mismatch(given, input, why, span)
            }
            Mistake::MisplacedStatement { what, span } => calls::misplaced_statement(what, span),
            Mistake::NeverAssigned { output, function, declared, span } => {
                calls::never_assigned(output, function, declared, span)
            }
            Mistake::CyclicDefaults { input, function, span } => {
                calls::cyclic_defaults(input, function, span)
            }
            Mistake::DefaultOfLocal { input, local, span } => calls::default_of_local(input, local, span),
            Mistake::ImpureInModel { function, span } => calls::impure_in_model(function, span),
            Mistake::ImpureBase { function, base, span } => calls::impure_base(function, base, span),
            Mistake::ImpureCall { function, span } => calls::impure_call(function, span),
            Mistake::AssignedInput { name, span } => calls::assigned_input(name, span),
            Mistake::TypeMismatch { what, wanted, found, span } => {
                types::type_mismatch(what, wanted, found, span)
            }
            Mistake::Incompatible { what, sizes, left, left_span, right, right_span } => {
                types::incompatible(what, sizes, left, left_span, right, right_span)
            }
            Mistake::NoOperator { symbol, types, span } => types::no_operator(symbol, types, span),
            Mistake::AmbiguousOperator { symbol, functions, span } => {
                types::ambiguous_operator(symbol, functions, span)
            }
            Mistake::RealEquality { symbol, span } => types::real_equality(symbol, span),
            Mistake::MeasuredType { variable, why, span } => types::measured_type(variable, why, span),
            Mistake::WrongSizes { what, wanted, found, span } => {
                types::wrong_sizes(what, wanted, found, span)
            }
            Mistake::WrongSubscriptCount { name, dimensions, found, span } => {
                types::wrong_subscript_count(name, dimensions, found, span)
            }
            Mistake::SubscriptOutOfBounds { array, subscript, size, span } => {
                subscript_out_of_bounds(&array, subscript, size, span)
            }
            Mistake::NoDimension { place, found, span } => types::no_dimension(place, found, span),
            Mistake::TooVariable { what, wanted, found, because, span } => {
                types::too_variable(what, wanted, found, because, span)
            }
            Mistake::TupleOutside { span } => types::tuple_outside(span),
            Mistake::EndOutside { span } => types::end_outside(span),
            Mistake::EmptyArray { span } => types::empty_array(span),
            Mistake::NoRange { name, why, span } => types::no_range(name, why, span),
            Mistake::Misplaced { what, place, span } => types::misplaced(what, place, span),
            Mistake::LoopArrayAssigned { iterator, span } => types::loop_array_assigned(&iterator, span),
            Mistake::NotAssignable { span } => types::not_assignable(span),
            Mistake::AssignedParameter { name, span } => types::assigned_parameter(name, span),
            Mistake::DuplicateName { name, first, again } => classes::duplicate_name(name, first, again),
            Mistake::InheritedTwice { name, class, first, again } => {
                classes::inherited_twice(name, class, first, again)
            }
            Mistake::DuplicateModification { name, first, again } => {
                classes::duplicate_modification(name, first, again)
            }
            Mistake::ModifiedFinal { name, span, declared } => classes::modified_final(name, span, declared),
            Mistake::NotReplaceable { name, span, declared } => {
                classes::not_replaceable(name, span, declared)
            }
            Mistake::NothingToRedeclare { name, class, span } => {
                classes::nothing_to_redeclare(name, class, span)
            }
            Mistake::ExtendsItself { name, span } => classes::extends_itself(name, span),
            Mistake::RecursiveClass { name, span } => classes::recursive_class(name, span),
            Mistake::TakenName { name, span } => classes::taken_name(name, span),
            Mistake::FlowWithoutOperator { name, class, operator, span } => {
                types::flow_without_operator(&name, &class, operator, span)
            }
            Mistake::SizelessMember { name, span } => values::sizeless_member(&name, span),
            Mistake::TooManyElements { name, most, span } => bounds::too_many_elements(name, most, span),
            Mistake::TooLarge { name, span } => bounds::too_large(name, span),
            Mistake::TooDeep { what, span } => bounds::too_deep(what, span),
            Mistake::PartialClass { name, span } => classes::partial_class(name, span),
            Mistake::ClassRestriction { class, why, span } => classes::class_restriction(class, why, span),
            Mistake::WrongBase { derived, base, span } => classes::wrong_base(derived, base, span),
            Mistake::ReplaceableBase { name, span, declared } => {
                classes::replaceable_base(name, span, declared)
            }
            Mistake::Mismatch { inner_outer, name, why, span, wanted } => {
                classes::mismatch(inner_outer, name, why, span, wanted)
            }
            Mistake::OuterModified { name, span } => classes::outer_modified(name, span),
            Mistake::EachWithoutArray { name, span } => classes::each_without_array(name, span),
            Mistake::RedeclaredConstant { name, span, declared } => {
                classes::redeclared_constant(name, span, declared)
            }
            Mistake::CyclicValue { name, span } => values::cyclic_value(name, span),
            Mistake::ConstantWithoutValue { name, span, declared } => {
                values::constant_without_value(name, span, declared)
            }
            Mistake::SizeNotEvaluable { why, span } => values::size_not_evaluable(why, span),
            Mistake::NegativeSize { value, span } => values::negative_size(value, span),
            Mistake::ConditionNotEvaluable { why, span } => values::condition_not_evaluable(why, span),
            Mistake::FixedNotEvaluable { variable, why, span } => {
                values::fixed_not_evaluable(variable, why, span)
            }
            Mistake::StateSelectNotEvaluable { variable, why, span } => {
                values::state_select_not_evaluable(variable, why, span)
            }
            Mistake::ElementsDiffer { arrays, span } => values::elements_differ(arrays, span),
            Mistake::TooManyTurns { most, span } => values::too_many_turns(most, span),
            Mistake::ConnectorSizes { left, right, sizes, span } => {
                values::connector_sizes(left, right, sizes, span)
            }
            Mistake::ConnectCondition { span } => values::connect_condition(span),
            Mistake::ConnectMisplaced { around, span } => values::connect_misplaced(around, span),
            Mistake::BadExperiment { name, why, span } => values::bad_experiment(name, why, span),
            Mistake::Evaluation(failure) => failure.into_diagnostic(),
            Mistake::NotSupported { construct, span } => not_supported_yet(construct, span),
            Mistake::Incomplete => return None,
        })
    }
}

/// `1 result`, `3 results`.
fn counted(n: usize, thing: &str) -> String {
    if n == 1 { format!("1 {thing}") } else { format!("{n} {thing}s") }
}

fn did_you_mean(diagnostic: Diagnostic, near: Option<String>) -> Diagnostic {
    match near {
        Some(near) => diagnostic.with_note(format!("did you mean `{near}`?")),
        None => diagnostic,
    }
}
