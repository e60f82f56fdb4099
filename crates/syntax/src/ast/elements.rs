//! Elements of classes (MLS §A.2.2 to §A.2.4).

use super::{
    ArraySubscripts, ClassDefinition, ClassModification, ConstrainingClause, Expression, InheritanceBreak,
    Modification, Name, begins_with, child, children, choice, described, has, ident, views,
};
use crate::{NodeRef, SyntaxKind as K, TokenRef};

views! {
    /// `import A.B;` and its other forms.
    ImportClause = ImportClause;
    /// `extends A(…);`
    ExtendsClause = ExtendsClause;
    /// `parameter Real x, y;`, as an element or as a redeclaration in a modification.
    ComponentClause = ComponentClause;
    /// One component of a clause: name, dimensions, modification, condition, description.
    Component = Component;
}

choice! {
    /// An element of a class.
    Element {
        /// An import.
        Import(ImportClause),
        /// A base class.
        Extends(ExtendsClause),
        /// A class.
        Class(ClassDefinition),
        /// Components.
        Component(ComponentClause),
    }
}

/// Who sees an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Visibility {
    Public,
    Protected,
}

/// The forms of an import (MLS §13.2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportForm<'t> {
    /// `import A.B.C;`
    Qualified(Name<'t>),
    /// `import D = A.B.C;`
    Renamed(TokenRef<'t>, Name<'t>),
    /// `import A.B.*;`
    Unqualified(Name<'t>),
    /// `import A.B.{C, D};`
    List(Name<'t>, Vec<TokenRef<'t>>),
}

/// `flow` or `stream`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ConnectionPrefix {
    Flow,
    Stream,
}

/// `constant`, `parameter` or `discrete`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Variability {
    Constant,
    Parameter,
    Discrete,
}

/// `input` or `output`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Causality {
    Input,
    Output,
}

impl Causality {
    pub(super) fn of(node: NodeRef<'_>) -> Option<Causality> {
        node.own_tokens().find_map(|token| match token.kind() {
            K::KwInput => Some(Causality::Input),
            K::KwOutput => Some(Causality::Output),
            _ => None,
        })
    }
}

described!(ImportClause, ExtendsClause, Component);

impl Element<'_> {
    /// Whether it stands in a public or a protected section.
    pub fn visibility(self) -> Visibility {
        let protected = self.node().parent().is_some_and(|section| begins_with(section, K::KwProtected));
        if protected { Visibility::Protected } else { Visibility::Public }
    }
}

impl<'t> ImportClause<'t> {
    /// The form of the import, with its names.
    pub fn form(self) -> Option<ImportForm<'t>> {
        let name: Name<'t> = child(self.node())?;
        if let Some(list) = self.node().child(K::ImportList) {
            let names = list.own_tokens().filter(|token| token.kind().is_ident()).collect();
            return Some(ImportForm::List(name, names));
        }
        Some(match self.alias() {
            Some(alias) => ImportForm::Renamed(alias, name),
            None if has(self.node(), K::DotStar) || has(self.node(), K::Star) => {
                ImportForm::Unqualified(name)
            }
            None => ImportForm::Qualified(name),
        })
    }

    /// The name given to the imported class: `D` in `import D = A.B.C`.
    pub fn alias(self) -> Option<TokenRef<'t>> {
        ident(self.node())
    }

    /// The full name: of the imported class, or of the package to import from.
    pub fn name(self) -> Option<Name<'t>> {
        child(self.node())
    }
}

impl<'t> ExtendsClause<'t> {
    /// The base class.
    pub fn base(self) -> Option<Name<'t>> {
        child(self.node())
    }

    /// Its modification.
    pub fn modification(self) -> Option<ClassModification<'t>> {
        child(self.node())
    }

    /// The elements and connections deselected: `break x`, `break connect(a, b)`.
    pub fn breaks(self) -> impl Iterator<Item = InheritanceBreak<'t>> + use<'t> {
        self.modification().into_iter().flat_map(|modification| children(modification.node()))
    }
}

impl<'t> ComponentClause<'t> {
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

    /// `flow` or `stream`.
    pub fn connection_prefix(self) -> Option<ConnectionPrefix> {
        self.node().own_tokens().find_map(|token| match token.kind() {
            K::KwFlow => Some(ConnectionPrefix::Flow),
            K::KwStream => Some(ConnectionPrefix::Stream),
            _ => None,
        })
    }

    /// `constant`, `parameter` or `discrete`.
    pub fn variability(self) -> Option<Variability> {
        self.node().own_tokens().find_map(|token| match token.kind() {
            K::KwConstant => Some(Variability::Constant),
            K::KwParameter => Some(Variability::Parameter),
            K::KwDiscrete => Some(Variability::Discrete),
            _ => None,
        })
    }

    /// `input` or `output`.
    pub fn causality(self) -> Option<Causality> {
        Causality::of(self.node())
    }

    /// The type of the components.
    pub fn type_name(self) -> Option<Name<'t>> {
        child(self.node())
    }

    /// Dimensions written after the type: `Real[3] x`.
    pub fn subscripts(self) -> Option<ArraySubscripts<'t>> {
        child(self.node())
    }

    /// The components.
    pub fn components(self) -> impl Iterator<Item = Component<'t>> + use<'t> {
        children(self.node())
    }

    /// The constraining clause after `replaceable` components.
    pub fn constraining_clause(self) -> Option<ConstrainingClause<'t>> {
        child(self.node())
    }
}

impl<'t> Component<'t> {
    /// Its name.
    pub fn name(self) -> Option<TokenRef<'t>> {
        self.node().own_tokens().next()
    }

    /// Dimensions written after the name: `Real x[3]`.
    pub fn subscripts(self) -> Option<ArraySubscripts<'t>> {
        child(self.node())
    }

    /// Its modification and value.
    pub fn modification(self) -> Option<Modification<'t>> {
        child(self.node())
    }

    /// The condition under which it exists.
    pub fn condition(self) -> Option<Expression<'t>> {
        child(self.node().child(K::ConditionAttribute)?)
    }

    /// The clause it is declared in.
    pub fn clause(self) -> Option<ComponentClause<'t>> {
        self.node().parent().and_then(super::View::cast)
    }
}
