//! The elements of a class: the part shared by all nodes of one text, and the nodes that declare them.
//!
//! A model has many components of few classes. The names of their elements, and which base class each comes from, are found once for
//! a text, as a [`Shape`]; a node only adds which nodes its base classes are.

use std::rc::Rc;

use indexmap::IndexMap;
use rhei_source::Span;
use rhei_syntax::ast;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

use crate::class::{BuiltinClass, ClassNodeId};
use crate::modifiers::Modifiers;

/// Things by their names, in the order of the text.
pub(crate) type ByName<T> = IndexMap<SmolStr, T, FxBuildHasher>;

/// An element of a class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Element<'l> {
    /// The node it is declared in: the class itself or a base class.
    pub(crate) owner: ClassNodeId,
    pub(crate) declaration: Declaration<'l>,
}

/// An element as its text declares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Declaration<'l> {
    pub(crate) kind: ElementKind<'l>,
    pub(crate) is_protected: bool,
    /// Which one of the elements that the text of its class declares.
    pub(crate) number: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum ElementKind<'l> {
    Component {
        clause: ast::ComponentClause<'l>,
        component: ast::Component<'l>,
    },
    Class(ast::ClassDefinition<'l>),
    /// A literal of an enumeration, by its number.
    Literal(u32),
}

impl<'l> Element<'l> {
    pub(crate) fn kind(&self) -> ElementKind<'l> {
        self.declaration.kind
    }

    pub(crate) fn is_protected(&self) -> bool {
        self.declaration.is_protected
    }

    /// Source span of its name.
    pub(crate) fn name_span(&self) -> Option<Span> {
        match self.kind() {
            ElementKind::Component { component, .. } => component.name().map(|name| name.span()),
            ElementKind::Class(definition) => definition.name().map(|name| name.span()),
            ElementKind::Literal(_) => None,
        }
    }
}

/// The elements of a class, its own and inherited ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements<'l> {
    shape: Rc<Shape<'l>>,
    /// The class itself, then its base classes, each with its own after it.
    nodes: Box<[ClassNodeId]>,
    /// Modifications of the attributes of the built-in type it extends.
    pub(crate) attributes: Modifiers<'l>,
}

/// The elements that all nodes of one class text share. Nodes stand in it by their places among those of the class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape<'l> {
    table: ByName<(u32, Declaration<'l>)>,
    bases: Vec<u32>,
    imports: Vec<ast::ImportClause<'l>>,
    builtin: Option<BuiltinClass>,
    dimensions: Vec<(ast::ArraySubscripts<'l>, u32)>,
    causality: Option<ast::Causality>,
    /// Its base classes, if every node of the text has the same, whatever its modifications.
    extends: Option<Vec<Extended<'l>>>,
}

/// A base class that is the same for all nodes of a text.
#[derive(Clone, Debug)]
pub(crate) struct Extended<'l> {
    pub(crate) clause: ast::ExtendsClause<'l>,
    pub(crate) base: ClassNodeId,
    pub(crate) shape: Rc<Shape<'l>>,
}

impl<'l> Shape<'l> {
    /// The base classes of every node of the text; none if they depend on the node.
    pub(crate) fn extends(&self) -> Option<&[Extended<'l>]> {
        self.extends.as_deref()
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }
}

impl<'l> Elements<'l> {
    /// The elements of another node of a text.
    pub(crate) fn like(shape: Rc<Shape<'l>>, nodes: Vec<ClassNodeId>) -> Self {
        Elements { shape, nodes: nodes.into(), attributes: Modifiers::default() }
    }

    pub(crate) fn shape(&self) -> &Rc<Shape<'l>> {
        &self.shape
    }

    /// The class itself, then its base classes, each with its own after it.
    pub(crate) fn nodes(&self) -> &[ClassNodeId] {
        &self.nodes
    }

    pub(crate) fn get(&self, name: &str) -> Option<Element<'l>> {
        self.shape.table.get(name).map(|placed| self.element(placed))
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.shape.table.contains_key(name)
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.table.len()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.shape.table.keys()
    }

    /// All of them with their names, in the order of the text.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&SmolStr, Element<'l>)> {
        self.shape.table.iter().map(|(name, placed)| (name, self.element(placed)))
    }

    fn element(&self, &(node, declaration): &(u32, Declaration<'l>)) -> Element<'l> {
        Element { owner: self.nodes[node as usize], declaration }
    }

    /// Nodes of the base classes, in order.
    pub(crate) fn bases(&self) -> impl DoubleEndedIterator<Item = ClassNodeId> + ExactSizeIterator {
        self.shape.bases.iter().map(|&node| self.nodes[node as usize])
    }

    pub(crate) fn imports(&self) -> &[ast::ImportClause<'l>] {
        &self.shape.imports
    }

    /// The built-in type that it is or extends, if any.
    pub(crate) fn builtin(&self) -> Option<BuiltinClass> {
        self.shape.builtin
    }

    /// Dimensions that a short class adds, with the scope they are written in.
    pub(crate) fn dimensions(&self) -> impl Iterator<Item = (ast::ArraySubscripts<'l>, ClassNodeId)> {
        self.shape.dimensions.iter().map(|&(subscripts, node)| (subscripts, self.nodes[node as usize]))
    }

    /// `input` or `output` of a short class.
    pub(crate) fn causality(&self) -> Option<ast::Causality> {
        self.shape.causality
    }

    /// The same with another element of this name, or none.
    pub(crate) fn with(&self, name: &str, element: Option<Element<'l>>) -> Self {
        let (mut shape, mut nodes) = (Shape::clone(&self.shape), self.nodes.to_vec());
        shape.extends = None;
        match element {
            Some(element) => {
                let placed = (place_of(element.owner, &mut nodes), element.declaration);
                shape.table.insert(name.into(), placed);
            }
            None => _ = shape.table.shift_remove(name),
        }
        Elements { shape: Rc::new(shape), nodes: nodes.into(), attributes: self.attributes.clone() }
    }
}

/// The elements of a class while they are being put together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft<'l> {
    pub(crate) table: ByName<Element<'l>>,
    /// Nodes of the base classes, in order.
    pub(crate) bases: Vec<ClassNodeId>,
    /// The same, each with its own base classes after it.
    pub(crate) nodes: Vec<ClassNodeId>,
    pub(crate) imports: Vec<ast::ImportClause<'l>>,
    pub(crate) builtin: Option<BuiltinClass>,
    pub(crate) dimensions: Vec<(ast::ArraySubscripts<'l>, ClassNodeId)>,
    pub(crate) attributes: Modifiers<'l>,
    pub(crate) causality: Option<ast::Causality>,
    /// Its base classes, if every node of the text has the same.
    pub(crate) extends: Option<Vec<Extended<'l>>>,
}

impl<'l> Draft<'l> {
    /// The elements of `class`.
    pub(crate) fn finished(self, class: ClassNodeId) -> Elements<'l> {
        let mut nodes = self.nodes;
        nodes.insert(0, class);
        let table = self.table.into_iter();
        let table = table
            .map(|(name, element)| (name, (place_of(element.owner, &mut nodes), element.declaration)))
            .collect();
        let bases = self.bases.into_iter().map(|base| place_of(base, &mut nodes)).collect();
        let dimensions = self.dimensions.into_iter();
        let dimensions =
            dimensions.map(|(subscripts, scope)| (subscripts, place_of(scope, &mut nodes))).collect();
        let shape = Shape {
            table,
            bases,
            imports: self.imports,
            builtin: self.builtin,
            dimensions,
            causality: self.causality,
            extends: self.extends,
        };
        Elements { shape: Rc::new(shape), nodes: nodes.into(), attributes: self.attributes }
    }
}

/// The place of a node among those of a class; one from elsewhere gets a place behind them.
fn place_of(node: ClassNodeId, nodes: &mut Vec<ClassNodeId>) -> u32 {
    let known = nodes.iter().position(|&known| known == node);
    let place = known.unwrap_or_else(|| {
        nodes.push(node);
        nodes.len() - 1
    });
    place as u32
}
