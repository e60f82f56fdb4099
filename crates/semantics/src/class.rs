//! Class nodes: a class in its context, with its modifications from outside.
//!
//! The same class text can mean different things: as the class of a component with its modifications, as a base class of another, as a
//! package with a medium put in. Each is a node of its own, made when it is first asked for.

use std::rc::Rc;

use rhei_flat::{EnumerationId, FunctionId, RecordId, Scalar};
use rhei_library::ClassId;
use rhei_syntax::ast;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::component::ComponentId;
use crate::modifiers::Modifiers;
use crate::shape::{Elements, Shape};

/// A class node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ClassNodeId(pub(crate) u32);

/// Definition behind a class node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Definition<'l> {
    /// A class with text.
    Text(ast::ClassDefinition<'l>),
    /// A class of the language.
    Builtin(BuiltinClass),
}

/// Classes of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BuiltinClass {
    Scalar(Scalar),
    StateSelect,
    AssertionLevel,
    ExternalObject,
    Connections,
}

/// How far the elements of a class are known.
#[derive(Clone, Debug)]
pub(crate) enum Expansion<'l> {
    Not,
    /// Not at all, but they are as those of another node of the same text.
    Like(Rc<Shape<'l>>),
    /// Base classes are being looked up; own elements are known.
    Under(Rc<Elements<'l>>),
    Done(Rc<Elements<'l>>),
}

/// A class in its context.
#[derive(Debug)]
pub(crate) struct ClassNode<'l> {
    pub(crate) name: SmolStr,
    pub(crate) definition: Definition<'l>,
    /// The class in the library, through which further files are found.
    pub(crate) library_class: Option<ClassId>,
    /// The class around its text; none at the top.
    pub(crate) scope: Option<ClassNodeId>,
    /// Modifications of its elements from outside.
    pub(crate) modifiers: Modifiers<'l>,
    /// The component it is the class of, if any: then its components are instances.
    pub(crate) owner: Option<ComponentId>,
    /// The class that extends it, for base classes.
    pub(crate) derived: Option<ClassNodeId>,
    pub(crate) expansion: Expansion<'l>,
    /// Component nodes of its own component elements, by their numbers.
    pub(crate) components: Vec<Option<ComponentId>>,
    particulars: Option<Box<Particulars<'l>>>,
}

/// Rare attributes, kept apart from the many nodes without them: most are classes of components.
#[derive(Debug, Default)]
pub(crate) struct Particulars<'l> {
    /// Modifications of its constraining clause, or of the class that it replaces: the innermost of all.
    pub(crate) constraining: Modifiers<'l>,
    /// Class nodes of its own class elements.
    pub(crate) classes: FxHashMap<SmolStr, ClassNodeId>,
    /// For those that are `inner` and `outer`: the `inner` one, the other one being among the components (MLS §5.5).
    pub(crate) inner_components: FxHashMap<SmolStr, ComponentId>,
    /// For base classes: the connections deselected by the extends clause (MLS §7.4).
    pub(crate) left_out: Vec<ast::InheritanceBreak<'l>>,
    /// Its entry in the tables of functions, records or enumerations.
    pub(crate) function: Option<FunctionId>,
    pub(crate) record: Option<RecordId>,
    pub(crate) enumeration: Option<EnumerationId>,
}

impl<'l> ClassNode<'l> {
    pub(crate) fn new(name: SmolStr, definition: Definition<'l>) -> Self {
        ClassNode {
            name,
            definition,
            library_class: None,
            scope: None,
            modifiers: Modifiers::default(),
            owner: None,
            derived: None,
            expansion: Expansion::Not,
            components: Vec::new(),
            particulars: None,
        }
    }

    pub(crate) fn text(&self) -> Option<ast::ClassDefinition<'l>> {
        match self.definition {
            Definition::Text(definition) => Some(definition),
            Definition::Builtin(_) => None,
        }
    }

    pub(crate) fn kind(&self) -> ast::ClassKind {
        self.text().map_or(ast::ClassKind::Type, |definition| definition.kind())
    }

    pub(crate) fn particulars_mut(&mut self) -> &mut Particulars<'l> {
        self.particulars.get_or_insert_default()
    }

    /// Modifications of its constraining clause, or of the class that it replaces: the innermost of all.
    pub(crate) fn constraining(&self) -> Modifiers<'l> {
        self.particulars.as_ref().map_or_else(Modifiers::default, |some| some.constraining.clone())
    }

    /// The node of a class element of its own, where there is one already.
    pub(crate) fn inner_class(&self, name: &str) -> Option<ClassNodeId> {
        self.particulars.as_ref()?.classes.get(name).copied()
    }

    /// The `inner` half of a component that is `outer` too.
    pub(crate) fn inner_component(&self, name: &str) -> Option<ComponentId> {
        self.particulars.as_ref()?.inner_components.get(name).copied()
    }

    pub(crate) fn left_out(&self) -> &[ast::InheritanceBreak<'l>] {
        self.particulars.as_ref().map_or(&[], |some| &some.left_out)
    }

    pub(crate) fn function(&self) -> Option<FunctionId> {
        self.particulars.as_ref()?.function
    }

    pub(crate) fn record(&self) -> Option<RecordId> {
        self.particulars.as_ref()?.record
    }

    pub(crate) fn enumeration(&self) -> Option<EnumerationId> {
        self.particulars.as_ref()?.enumeration
    }
}
