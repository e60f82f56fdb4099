//! Modifications, annotations and descriptions (MLS §A.2.5).

use super::{
    ClassDefinition, ComponentClause, ConnectEquation, Expression, Name, child, children, choice, described,
    has, ident, literals, views,
};
use crate::{SyntaxKind as K, TokenRef};

views! {
    /// `(arguments) = value`, either of which may be absent.
    Modification = Modification;
    /// `(argument, …)`
    ClassModification = ClassModification;
    /// `each final name (…) = value "description"`
    ElementModification = ElementModification;
    /// `break x` or `break connect(a, b)`.
    InheritanceBreak = InheritanceBreak;
    /// `constrainedby A(…) "description"`
    ConstrainingClause = ConstrainingClause;
    /// `"one" + "two"`
    DescriptionString = DescriptionString;
    /// `annotation(…)`
    AnnotationClause = AnnotationClause;
}

choice! {
    /// An argument of a modification.
    Argument {
        /// The modification of an element.
        Modification(ElementModification),
        /// The redeclaration of a class.
        Class(ClassDefinition),
        /// The redeclaration of a component.
        Component(ComponentClause),
        /// The removal of an inherited element.
        Break(InheritanceBreak),
    }
}

described!(ConstrainingClause);

impl<'t> Modification<'t> {
    /// The modification in parentheses.
    pub fn class_modification(self) -> Option<ClassModification<'t>> {
        child(self.node())
    }

    /// The arguments in parentheses.
    pub fn arguments(self) -> impl Iterator<Item = Argument<'t>> + use<'t> {
        self.class_modification().into_iter().flat_map(ClassModification::arguments)
    }

    /// The value after `=`.
    pub fn value(self) -> Option<Expression<'t>> {
        child(self.node())
    }

    /// Whether it is `= break`: an inherited value is taken away.
    pub fn is_break(self) -> bool {
        has(self.node(), K::KwBreak)
    }

    /// Whether the value is given with `:=`, as versions before 3.6 allow.
    pub fn is_assignment(self) -> bool {
        has(self.node(), K::Assign)
    }
}

impl<'t> ClassModification<'t> {
    /// The arguments.
    pub fn arguments(self) -> impl Iterator<Item = Argument<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> ElementModification<'t> {
    /// Whether it is `each`.
    pub fn is_each(self) -> bool {
        has(self.node(), K::KwEach)
    }

    /// Whether it is `final`.
    pub fn is_final(self) -> bool {
        has(self.node(), K::KwFinal)
    }

    /// The element, such as `x` or `x.start`.
    pub fn name(self) -> Option<Name<'t>> {
        child(self.node())
    }

    /// The modification of that element.
    pub fn modification(self) -> Option<Modification<'t>> {
        child(self.node())
    }

    /// Its description string.
    pub fn description(self) -> Option<DescriptionString<'t>> {
        child(self.node())
    }
}

impl<'t> InheritanceBreak<'t> {
    /// The name of the component that is not inherited.
    pub fn name(self) -> Option<TokenRef<'t>> {
        ident(self.node())
    }

    /// The connection that is not inherited.
    pub fn connection(self) -> Option<ConnectEquation<'t>> {
        child(self.node())
    }
}

impl<'t> ConstrainingClause<'t> {
    /// The constraining type.
    pub fn type_name(self) -> Option<Name<'t>> {
        child(self.node())
    }

    /// Its modification.
    pub fn modification(self) -> Option<ClassModification<'t>> {
        child(self.node())
    }
}

impl DescriptionString<'_> {
    /// The text that it means: its strings put together, without quotes and escapes.
    pub fn value(self) -> String {
        let strings = self.node().own_tokens().filter(|token| token.kind().is_string());
        strings.map(|token| literals::unquote(token.text())).collect()
    }
}

impl<'t> AnnotationClause<'t> {
    /// The modification in parentheses.
    pub fn modification(self) -> Option<ClassModification<'t>> {
        child(self.node())
    }

    /// The arguments in parentheses.
    pub fn arguments(self) -> impl Iterator<Item = Argument<'t>> + use<'t> {
        self.modification().into_iter().flat_map(ClassModification::arguments)
    }

    /// The argument of this name.
    pub fn find(self, name: &str) -> Option<ElementModification<'t>> {
        self.arguments().find_map(|argument| match argument {
            Argument::Modification(m) if m.name().is_some_and(|n| n.node().text() == name) => Some(m),
            _ => None,
        })
    }
}
