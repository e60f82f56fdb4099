//! Component nodes: the instances, each at its place in the model.

use rhei_flat::{Causality, Expr, IteratorId, Size, VarId, Variability};
use rhei_source::Span;
use rhei_syntax::ast;
use smol_str::SmolStr;

use crate::class::ClassNodeId;
use crate::mistake::Mistake;
use crate::modifiers::{ModifierValue, Modifiers};

pub(crate) use rhei_instance::ComponentId;

/// Kind of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A variable of a type of the language.
    Variable(VarId),
    /// Further components.
    Components,
    /// An array whose elements differ in structure: each is an instance of its own, and this is only their order.
    Elements,
    /// Nothing: its condition is false.
    Absent,
    /// Another component: `outer` stands for an `inner` one.
    Outer(ComponentId),
    /// An `outer` one without an `inner` one that will do, which has been said.
    WithoutInner,
}

/// A value that a component is declared or modified with, typed when it is first asked for.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// Not looked at yet.
    Open,
    /// Being typed: who asks now closes a circle.
    Under,
    None,
    Known(Box<Expr>),
    /// It has a value that is wrong.
    Wrong(Box<Mistake>),
}

impl Binding {
    /// The value, as far as it is typed.
    pub(crate) fn known(&self) -> Option<&Expr> {
        match self {
            Binding::Known(value) => Some(value),
            _ => None,
        }
    }
}

/// Which element of an array of components an instance is, where they are instances each.
#[derive(Clone, Debug)]
pub(crate) struct ElementIndex {
    /// The name of the array.
    pub(crate) array: SmolStr,
    /// The sizes of the array.
    pub(crate) sizes: Vec<usize>,
    /// One number per dimension, from 1.
    pub(crate) index: Vec<usize>,
}

/// A component's relation to arrays of components.
#[derive(Clone, Debug, Default)]
pub(crate) struct InArray {
    /// One per dimension: the index of the element, for expressions inside its class.
    pub(crate) iterators: Vec<IteratorId>,
    /// For [`Content::Elements`]: the instances, the last dimension running fastest. Its class is that of the first one.
    pub(crate) elements: Vec<ComponentId>,
    /// For such an element: where it stands in its array. It has no dimensions left.
    pub(crate) place: Option<ElementIndex>,
}

impl<'l> ComponentNode<'l> {
    /// The value that it is declared or modified with, as it is written.
    pub(crate) fn written_value(&self) -> Option<ModifierValue<'l>> {
        self.value.as_deref().copied()
    }

    /// One per dimension: the element one is in.
    pub(crate) fn iterators(&self) -> &[IteratorId] {
        self.array.as_ref().map_or(&[], |array| &array.iterators)
    }

    /// The instances of an array that is taken apart.
    pub(crate) fn elements(&self) -> &[ComponentId] {
        self.array.as_ref().map_or(&[], |array| &array.elements)
    }

    /// Indices of an element of such an array.
    pub(crate) fn place(&self) -> Option<&ElementIndex> {
        self.array.as_ref()?.place.as_ref()
    }
}

/// An instance of a class at its place.
#[derive(Clone, Debug)]
pub(crate) struct ComponentNode<'l> {
    pub(crate) name: SmolStr,
    /// The component it is part of; none for the model itself and for constants of packages.
    pub(crate) parent: Option<ComponentId>,
    /// Its class; its `owner` is this component. For variables, the type as it was found.
    pub(crate) class: ClassNodeId,
    /// The class node whose text declares it.
    pub(crate) declared_in: ClassNodeId,
    pub(crate) content: Content,
    /// Its own dimensions, and those of its type.
    pub(crate) sizes: Vec<Size>,
    /// Of its own only where it has to do with arrays: a model has many components.
    pub(crate) array: Option<Box<InArray>>,
    pub(crate) variability: Variability,
    pub(crate) causality: Option<Causality>,
    pub(crate) connection: Option<ast::ConnectionPrefix>,
    pub(crate) is_inner: bool,
    pub(crate) is_protected: bool,
    pub(crate) is_final: bool,
    /// Modifications from outside and in its declaration: the value of the whole, and those of its parts. Most have none, and a
    /// model has many components.
    pub(crate) value: Option<Box<ModifierValue<'l>>>,
    pub(crate) modifiers: Modifiers<'l>,
    pub(crate) binding: Binding,
    /// The value of `annotation(Evaluate = …)`.
    pub(crate) evaluate: Option<bool>,
    /// Whether its value shaped the model.
    pub(crate) structural: bool,
    pub(crate) span: Span,
    pub(crate) description: SmolStr,
}
