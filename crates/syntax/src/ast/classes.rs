//! Stored definitions, classes and their sections (MLS §A.2.1 and §A.2.2).

use super::{
    AnnotationClause, ArraySubscripts, Causality, ClassModification, ComponentReference, ConstrainingClause,
    DescriptionString, Element, Equation, Expression, Name, Statement, begins_with, child, child_after,
    child_before, children, choice, described, has, ident, literals, views,
};
use crate::{SyntaxKind as K, TokenRef};

views! {
    /// A file.
    StoredDefinition = StoredDefinition;
    /// `within A.B;`
    WithinClause = WithinClause;
    /// A class, wherever it stands: in a file, as an element, or as a redeclaration in a modification.
    ClassDefinition = ClassDefinition;
    /// `IDENT … end IDENT`, or `extends IDENT (…) … end IDENT`.
    ClassBody = LongClassSpecifier | ExtendsClassSpecifier;
    /// `IDENT = [ input | output ] Type [subscripts] (modification)`
    ShortClass = ShortClassSpecifier;
    /// `IDENT = enumeration(…)`
    Enumeration = EnumerationSpecifier;
    /// `IDENT = der(f, x, y)`
    DerClass = DerClassSpecifier;
    /// A literal of an enumeration.
    EnumerationLiteral = EnumerationLiteral;
    /// Elements after `public`, `protected`, or at the beginning of a class.
    ElementSection = ElementSection;
    /// `[ initial ] equation …`
    EquationSection = EquationSection;
    /// `[ initial ] algorithm …`
    AlgorithmSection = AlgorithmSection;
    /// `external "C" y = f(x);`
    ExternalClause = ExternalClause;
}

choice! {
    /// The forms of a class definition.
    ClassSpecifier {
        /// With a body.
        Body(ClassBody),
        /// Equal to another class, modified.
        Short(ShortClass),
        /// An enumeration.
        Enumeration(Enumeration),
        /// A partial derivative of a function.
        Der(DerClass),
    }
}

choice! {
    /// The sections of a class.
    Section {
        /// Elements.
        Elements(ElementSection),
        /// Equations.
        Equations(EquationSection),
        /// Statements.
        Algorithm(AlgorithmSection),
        /// The external function.
        External(ExternalClause),
    }
}

/// The specialised classes (MLS §4.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the keywords themselves
pub enum ClassKind {
    Class,
    Model,
    Record,
    OperatorRecord,
    Block,
    Connector,
    ExpandableConnector,
    Type,
    Package,
    Function,
    OperatorFunction,
    Operator,
}

/// `pure` or `impure`, where a function says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Purity {
    Pure,
    Impure,
}

described!(ShortClass, Enumeration, DerClass, EnumerationLiteral);

impl<'t> StoredDefinition<'t> {
    /// The `within` clause.
    pub fn within(self) -> Option<WithinClause<'t>> {
        child(self.node())
    }

    /// The classes of the file.
    pub fn classes(self) -> impl Iterator<Item = ClassDefinition<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> WithinClause<'t> {
    /// The package; `within;` has none.
    pub fn name(self) -> Option<Name<'t>> {
        child(self.node())
    }
}

impl<'t> ClassDefinition<'t> {
    /// Whether it is `encapsulated`.
    pub fn is_encapsulated(self) -> bool {
        has(self.node(), K::KwEncapsulated)
    }

    /// Whether it is `partial`.
    pub fn is_partial(self) -> bool {
        has(self.node(), K::KwPartial)
    }

    /// Whether it is `final`.
    pub fn is_final(self) -> bool {
        has(self.node(), K::KwFinal)
    }

    /// Whether it is `redeclare`.
    pub fn is_redeclare(self) -> bool {
        has(self.node(), K::KwRedeclare)
    }

    /// Whether it is `replaceable`.
    pub fn is_replaceable(self) -> bool {
        has(self.node(), K::KwReplaceable)
    }

    /// Whether it is `inner`.
    pub fn is_inner(self) -> bool {
        has(self.node(), K::KwInner)
    }

    /// Whether it is `outer`.
    pub fn is_outer(self) -> bool {
        has(self.node(), K::KwOuter)
    }

    /// Whether it is `each`, in a modification.
    pub fn is_each(self) -> bool {
        has(self.node(), K::KwEach)
    }

    /// Its specialised class; a broken one counts as `class`.
    pub fn kind(self) -> ClassKind {
        let mut operator = false;
        for token in self.node().own_tokens() {
            return match token.kind() {
                K::KwOperator => {
                    operator = true;
                    continue;
                }
                K::KwModel => ClassKind::Model,
                K::KwRecord if operator => ClassKind::OperatorRecord,
                K::KwRecord => ClassKind::Record,
                K::KwBlock => ClassKind::Block,
                K::KwConnector if has(self.node(), K::KwExpandable) => ClassKind::ExpandableConnector,
                K::KwConnector => ClassKind::Connector,
                K::KwType => ClassKind::Type,
                K::KwPackage => ClassKind::Package,
                K::KwFunction if operator => ClassKind::OperatorFunction,
                K::KwFunction => ClassKind::Function,
                _ => continue,
            };
        }
        if operator { ClassKind::Operator } else { ClassKind::Class }
    }

    /// `pure` or `impure`.
    pub fn purity(self) -> Option<Purity> {
        self.node().own_tokens().find_map(|token| match token.kind() {
            K::KwPure => Some(Purity::Pure),
            K::KwImpure => Some(Purity::Impure),
            _ => None,
        })
    }

    /// The specifier, after the prefixes.
    pub fn specifier(self) -> Option<ClassSpecifier<'t>> {
        child(self.node())
    }

    /// The body, where it has one.
    pub fn body(self) -> Option<ClassBody<'t>> {
        child(self.node())
    }

    /// Its name.
    pub fn name(self) -> Option<TokenRef<'t>> {
        let specifier = self.specifier()?.node();
        let end = specifier.own_token(K::KwEnd);
        let equal = specifier.own_token(K::Equal);
        specifier
            .own_tokens()
            .take_while(|token| end.is_none_or(|end| token.id() < end.id()))
            .take_while(|token| equal.is_none_or(|equal| token.id() < equal.id()))
            .find(|token| {
                token.kind().is_ident() || token.kind().is_keyword() && token.kind() != K::KwExtends
            })
    }

    /// Its description string.
    pub fn description(self) -> Option<DescriptionString<'t>> {
        child(self.specifier()?.node())
    }

    /// Its annotation.
    pub fn annotation(self) -> Option<AnnotationClause<'t>> {
        children(self.specifier()?.node()).last()
    }

    /// The constraining clause after a `replaceable` class.
    pub fn constraining_clause(self) -> Option<ConstrainingClause<'t>> {
        child(self.node())
    }

    /// Its elements in the order of the text, public and protected.
    pub fn elements(self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        self.body().into_iter().flat_map(ClassBody::elements)
    }

    /// Its sections in the order of the text.
    pub fn sections(self) -> impl Iterator<Item = Section<'t>> + use<'t> {
        self.body().into_iter().flat_map(ClassBody::sections)
    }

    /// The classes declared in it.
    pub fn classes(self) -> impl Iterator<Item = ClassDefinition<'t>> + use<'t> {
        self.elements().filter_map(|element| match element {
            Element::Class(class) => Some(class),
            _ => None,
        })
    }
}

impl<'t> ClassBody<'t> {
    /// Whether it is `extends IDENT (…) … end IDENT`: it changes an inherited class.
    pub fn is_extends(self) -> bool {
        self.node().kind() == K::ExtendsClassSpecifier
    }

    /// The modification of an `extends` form.
    pub fn modification(self) -> Option<ClassModification<'t>> {
        child(self.node())
    }

    /// Its sections in the order of the text.
    pub fn sections(self) -> impl Iterator<Item = Section<'t>> + use<'t> {
        children(self.node())
    }

    /// Its elements in the order of the text, public and protected. Those that stand by mistake among equations are
    /// given too.
    pub fn elements(self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        self.sections().flat_map(|section| children(section.node()))
    }

    /// The external function.
    pub fn external(self) -> Option<ExternalClause<'t>> {
        child(self.node())
    }

    /// The name after `end`.
    pub fn end_name(self) -> Option<TokenRef<'t>> {
        let end = self.node().own_token(K::KwEnd)?;
        self.node().own_tokens().find(|token| token.id() > end.id() && token.kind().is_ident())
    }
}

impl<'t> ShortClass<'t> {
    /// `input` or `output`.
    pub fn causality(self) -> Option<Causality> {
        Causality::of(self.node())
    }

    /// The class it is equal to.
    pub fn base(self) -> Option<Name<'t>> {
        child(self.node())
    }

    /// Dimensions that it adds.
    pub fn subscripts(self) -> Option<ArraySubscripts<'t>> {
        child(self.node())
    }

    /// Its modification.
    pub fn modification(self) -> Option<ClassModification<'t>> {
        child(self.node())
    }
}

impl<'t> Enumeration<'t> {
    /// Whether it is `enumeration(:)`: any enumeration.
    pub fn is_open(self) -> bool {
        has(self.node(), K::Colon)
    }

    /// Its literals.
    pub fn literals(self) -> impl Iterator<Item = EnumerationLiteral<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> EnumerationLiteral<'t> {
    /// Its name.
    pub fn name(self) -> Option<TokenRef<'t>> {
        ident(self.node())
    }
}

impl<'t> DerClass<'t> {
    /// The function.
    pub fn function(self) -> Option<Name<'t>> {
        child(self.node())
    }

    /// The inputs to differentiate by.
    pub fn inputs(self) -> impl Iterator<Item = TokenRef<'t>> + use<'t> {
        let der = self.node().own_token(K::KwDer);
        self.node()
            .own_tokens()
            .filter(move |token| token.kind().is_ident() && der.is_some_and(|der| token.id() > der.id()))
    }
}

impl<'t> ElementSection<'t> {
    /// Whether it is `protected`.
    pub fn is_protected(self) -> bool {
        begins_with(self.node(), K::KwProtected)
    }

    /// Its elements.
    pub fn elements(self) -> impl Iterator<Item = Element<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> EquationSection<'t> {
    /// Whether it is `initial equation`.
    pub fn is_initial(self) -> bool {
        begins_with(self.node(), K::KwInitial)
    }

    /// Its equations.
    pub fn equations(self) -> impl Iterator<Item = Equation<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> AlgorithmSection<'t> {
    /// Whether it is `initial algorithm`.
    pub fn is_initial(self) -> bool {
        begins_with(self.node(), K::KwInitial)
    }

    /// Its statements.
    pub fn statements(self) -> impl Iterator<Item = Statement<'t>> + use<'t> {
        children(self.node())
    }
}

impl<'t> ExternalClause<'t> {
    /// The language, such as `C`; C where none is given.
    pub fn language(self) -> Option<String> {
        let token = self.node().own_tokens().find(|token| token.kind().is_string())?;
        Some(literals::unquote(token.text()))
    }

    /// The variable that takes the value of the function.
    pub fn result(self) -> Option<ComponentReference<'t>> {
        child_before(self.node(), self.node().own_token(K::Equal)?)
    }

    /// The name of the function.
    pub fn function(self) -> Option<TokenRef<'t>> {
        ident(self.node())
    }

    /// The arguments, where a call is written out.
    pub fn arguments(self) -> impl Iterator<Item = Expression<'t>> + use<'t> {
        let open = self.node().own_token(K::LParen);
        let first =
            open.and_then(|open| child_after::<Expression<'t>>(self.node(), open)).map(|first| first.id());
        children(self.node()).filter(move |e: &Expression<'t>| first.is_some_and(|first| e.id() >= first))
    }

    /// Whether the call is written out.
    pub fn has_call(self) -> bool {
        has(self.node(), K::LParen)
    }

    /// Its annotation: libraries and include files.
    pub fn annotation(self) -> Option<AnnotationClause<'t>> {
        child(self.node())
    }
}
