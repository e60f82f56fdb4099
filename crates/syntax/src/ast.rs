//! Typed views of a syntax tree: how other crates read it.
//!
//! A view is a node known to be of a certain kind; it is a copy of two words and holds nothing. Its accessors follow the
//! grammar (MLS appendix A). A tree can be broken, so that parts demanded by the grammar may be absent: accessors give
//! `None` or leave them out, never more. Prefixes, names and signs are tokens, given as [`TokenRef`]; everything else is a
//! view.
//!
//! Views do not recurse. Whoever does: a tree is at most [`MAX_HEIGHT`](crate::tree::MAX_HEIGHT) high, and
//! [`BinaryExpression::chain`] walks long sums without recursion.

mod classes;
mod elements;
mod equations;
mod expressions;
mod literals;
mod modifications;
mod names;
mod operators;
mod statements;

use rhei_source::Span;

use crate::{NodeId, NodeRef, SyntaxKind as K, TokenRef};

pub use classes::{
    AlgorithmSection, ClassBody, ClassDefinition, ClassKind, ClassSpecifier, DerClass, ElementSection,
    Enumeration, EnumerationLiteral, EquationSection, ExternalClause, Purity, Section, ShortClass,
    StoredDefinition, WithinClause,
};
pub use elements::{
    Causality, Component, ComponentClause, ConnectionPrefix, Element, ExtendsClause, ImportClause,
    ImportForm, Variability, Visibility,
};
pub use equations::{
    Branch, CallEquation, ConnectEquation, Equation, ForEquation, ForIndex, IfEquation, SimpleEquation,
    WhenEquation,
};
pub use expressions::{
    ArrayConstructor, ArraySubscripts, BinaryExpression, ChainLink, Expression, FieldAccess,
    FunctionArguments, FunctionCall, FunctionPartialApplication, IfExpression, IndexedExpression,
    MatrixConstructor, MatrixRow, NamedArgument, ParenthesizedExpression, RangeExpression, Subscript,
    TupleExpression, UnaryExpression,
};
pub use literals::{
    BooleanLiteral, ColonSubscript, EndExpression, IntegerLiteral, RealLiteral, StringLiteral, TimeExpression,
};
pub use modifications::{
    AnnotationClause, Argument, ClassModification, ConstrainingClause, DescriptionString,
    ElementModification, InheritanceBreak, Modification,
};
pub use names::{ComponentReference, Name, ReferencePart};
pub use operators::{BinaryOperator, UnaryOperator};
pub use statements::{
    AssignmentStatement, BreakStatement, CallStatement, ForStatement, IfStatement, ReturnStatement,
    Statement, WhenStatement, WhileStatement,
};

/// A node known to be of a certain kind.
pub trait View<'t>: Copy {
    /// The view of a node, if it is of that kind.
    fn cast(node: NodeRef<'t>) -> Option<Self>;

    /// The node itself.
    fn node(self) -> NodeRef<'t>;
}

/// Defines views of one or several kinds of nodes.
macro_rules! views {
    ($($(#[$doc:meta])* $name:ident = $($kind:ident)|+;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub struct $name<'t>($crate::NodeRef<'t>);

        impl<'t> $crate::ast::View<'t> for $name<'t> {
            fn cast(node: $crate::NodeRef<'t>) -> Option<Self> {
                matches!(node.kind(), $($crate::SyntaxKind::$kind)|+).then_some($name(node))
            }

            fn node(self) -> $crate::NodeRef<'t> {
                self.0
            }
        }

        impl<'t> $name<'t> {
            /// The node itself.
            pub fn node(self) -> $crate::NodeRef<'t> {
                self.0
            }

            /// The id of the node in its tree.
            pub fn id(self) -> $crate::NodeId {
                self.0.id()
            }

            /// Its place in the text.
            pub fn span(self) -> rhei_source::Span {
                self.0.span()
            }
        }

        impl std::fmt::Debug for $name<'_> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

/// Defines a choice among views.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident($view:ident),)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name<'t> { $($(#[$variant_doc])* $variant($view<'t>),)* }

        impl<'t> $crate::ast::View<'t> for $name<'t> {
            fn cast(node: $crate::NodeRef<'t>) -> Option<Self> {
                $(if let Some(view) = <$view<'t> as $crate::ast::View<'t>>::cast(node) {
                    return Some($name::$variant(view));
                })*
                None
            }

            fn node(self) -> $crate::NodeRef<'t> {
                match self { $($name::$variant(view) => view.node(),)* }
            }
        }

        impl<'t> $name<'t> {
            /// The node itself.
            pub fn node(self) -> $crate::NodeRef<'t> {
                $crate::ast::View::node(self)
            }

            /// The id of the node in its tree.
            pub fn id(self) -> $crate::NodeId {
                self.node().id()
            }

            /// Its place in the text.
            pub fn span(self) -> rhei_source::Span {
                self.node().span()
            }
        }
    };
}

pub(crate) use {choice, views};

// ---- what the accessors are made of

/// The first child that is such a view.
fn child<'t, V: View<'t>>(node: NodeRef<'t>) -> Option<V> {
    node.children().find_map(V::cast)
}

/// All children that are such views.
fn children<'t, V: View<'t> + 't>(node: NodeRef<'t>) -> impl Iterator<Item = V> + use<'t, V> {
    node.children().filter_map(V::cast)
}

/// Whether the node itself has such a token.
fn has(node: NodeRef<'_>, kind: K) -> bool {
    node.own_token(kind).is_some()
}

/// Whether this is the first token of a node, which may be a long one.
fn begins_with(node: NodeRef<'_>, kind: K) -> bool {
    node.first_token().is_some_and(|token| token.kind() == kind)
}

/// The first of the node's own tokens that is a name.
fn ident(node: NodeRef<'_>) -> Option<TokenRef<'_>> {
    node.own_tokens().find(|token| token.kind().is_ident())
}

/// The first child after a token that is such a view.
fn child_after<'t, V: View<'t>>(node: NodeRef<'t>, token: TokenRef<'t>) -> Option<V> {
    node.children().filter(|child| child.token_bounds().start > token.id().0).find_map(V::cast)
}

/// The first child before a token that is such a view.
fn child_before<'t, V: View<'t>>(node: NodeRef<'t>, token: TokenRef<'t>) -> Option<V> {
    node.children().filter(|child| child.token_bounds().end <= token.id().0).find_map(V::cast)
}

/// Views that carry a description string and an annotation.
macro_rules! described {
    ($($name:ident),*) => {$(
        impl<'t> $name<'t> {
            /// The description string.
            pub fn description(self) -> Option<$crate::ast::DescriptionString<'t>> {
                $crate::ast::child(self.node())
            }

            /// The annotation.
            pub fn annotation(self) -> Option<$crate::ast::AnnotationClause<'t>> {
                $crate::ast::child(self.node())
            }
        }
    )*};
}

pub(crate) use described;

/// A node by its id, for those who keep ids rather than views.
pub fn view<'t, V: View<'t>>(tree: &'t crate::Tree, id: NodeId) -> Option<V> {
    V::cast(tree.node(id))
}

/// The span of any view.
pub fn span_of<'t>(view: impl View<'t>) -> Span {
    view.node().span()
}
