//! IR: a model as its instances, every expression typed, ready to be connected and flattened.
//!
//! In: a class of a library, with resolved names, modifications and types. Out: a model to be connected and flattened.
//! Expressions, types and functions are those of [`rhei_flat`].
//!
//! Arrays of components are one instance with sizes: the equations of their class stand in loops over their elements.
//!
//! Invariants, checked by [`Instance::verify`]:
//! - the model itself stands first, parents before their parts, and each part is listed by its parent;
//! - every variable belongs to one component;
//! - connections are between components that exist, with one subscript per dimension around and of each.

mod print;
mod verify;

use rhei_flat::{
    Algorithm, Causality, Equation, EquationKind, Experiment, Expr, FunctionId, Iteration, Size, Subscript,
    Tables, VarId, Variable,
};
use rhei_source::Span;
use smol_str::SmolStr;

/// A component of an [`Instance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(pub u32);

/// Kind of a component, as far as connections distinguish them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComponentKind {
    /// A model, block or record: the inside of something.
    Inside,
    /// A connector.
    Connector,
    /// An expandable connector.
    Expandable,
}

/// How a part of a connector takes part in connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the language
pub enum Flowing {
    Potential,
    Flow,
    Stream,
}

/// A component with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Its name.
    pub name: SmolStr,
    /// The component it is part of; none for the model itself.
    pub parent: Option<ComponentId>,
    /// Its parts, in the order of their declaration.
    pub parts: Vec<ComponentId>,
    /// The variable it is, where it is one.
    pub variable: Option<VarId>,
    /// Its own sizes.
    pub sizes: Vec<Size>,
    /// Its kind.
    pub kind: ComponentKind,
    /// Whether it is a model or block: something with equations of its own.
    pub is_model: bool,
    /// How it takes part in connections.
    pub flowing: Flowing,
    /// `input` or `output`, as it or its class is declared.
    pub causality: Option<Causality>,
    /// Whether it is declared in a protected section.
    pub is_protected: bool,
    /// For an overdetermined part of a connector: the `equalityConstraint` of its class (MLS §9.4).
    pub equality_constraint: Option<FunctionId>,
    /// The class it is an instance of.
    pub class: SmolStr,
    /// Its declaration.
    pub span: Span,
}

/// One side of a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Connector {
    /// The component.
    pub component: ComponentId,
    /// Subscripts over all dimensions around and of it.
    pub subscripts: Vec<Subscript>,
    /// Members of an expandable connector that nobody declared, outermost first.
    pub undeclared: Vec<Undeclared>,
    /// Whether it belongs to an `outer` component, or is one.
    pub through_outer: bool,
    /// Its source span.
    pub span: Span,
}

/// A member of an expandable connector that stands in connections only.
#[derive(Clone, Debug, PartialEq)]
pub struct Undeclared {
    /// Its name.
    pub name: SmolStr,
    /// As they are written; none where the whole member is connected.
    pub subscripts: Vec<Subscript>,
}

/// `connect(left, right)`, for every turn of the loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Connection {
    /// One side.
    pub left: Connector,
    /// The other.
    pub right: Connector,
    /// Loops around, outermost first.
    pub loops: Vec<Iteration>,
    /// The component it is written in, as a path from the model.
    pub component: SmolStr,
    /// Its source span.
    pub span: Span,
}

/// Equations, algorithms and connections of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sections {
    /// Equations.
    pub equations: Vec<Equation>,
    /// Initial equations.
    pub initial: Vec<Equation>,
    /// Algorithm sections.
    pub algorithms: Vec<Algorithm>,
    /// Initial algorithm sections.
    pub initial_algorithms: Vec<Algorithm>,
    /// Connections.
    pub connections: Vec<Connection>,
}

/// An instance of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// The name of its class.
    pub class: SmolStr,
    /// The text beside it.
    pub description: SmolStr,
    /// By [`ComponentId`]; the model itself first.
    pub components: Vec<Component>,
    /// By [`VarId`].
    pub variables: Vec<Variable>,
    /// Its equations, algorithms and connections.
    pub sections: Sections,
    /// Types, functions and iterators.
    pub tables: Tables,
    /// Its `experiment` annotation.
    pub experiment: Experiment,
    /// Whether it is the text of a flat model, in which names are the paths of variables.
    pub names_are_paths: bool,
}

impl Sections {
    /// Changes every expression, where it stands, by `change`.
    pub fn change_expressions(&mut self, change: &mut impl FnMut(&mut Expr)) {
        for equation in self.equations.iter_mut().chain(&mut self.initial) {
            change_equation(equation, change);
        }
        for algorithm in self.algorithms.iter_mut().chain(&mut self.initial_algorithms) {
            change_iterations(&mut algorithm.loops, change);
            algorithm.statements.iter_mut().for_each(|statement| statement.change_expressions(change));
        }
        for connection in &mut self.connections {
            change_iterations(&mut connection.loops, change);
            for side in [&mut connection.left, &mut connection.right] {
                let of_members = side.undeclared.iter_mut().flat_map(|member| &mut member.subscripts);
                for subscript in side.subscripts.iter_mut().chain(of_members) {
                    if let Subscript::Index(e) = subscript {
                        change(e);
                    }
                }
            }
        }
    }
}

fn change_iterations(iterations: &mut [Iteration], change: &mut impl FnMut(&mut Expr)) {
    iterations.iter_mut().for_each(|iteration| change(&mut iteration.range));
}

fn change_equation(equation: &mut Equation, change: &mut impl FnMut(&mut Expr)) {
    match &mut equation.kind {
        EquationKind::Equal(a, b) => {
            change(a);
            change(b);
        }
        EquationKind::Results(results, call) => {
            results.iter_mut().flatten().for_each(&mut *change);
            change(call);
        }
        EquationKind::Call(call) => change(call),
        EquationKind::For(iteration, body) => {
            change(&mut iteration.range);
            body.iter_mut().for_each(|equation| change_equation(equation, change));
        }
        EquationKind::If(branches, otherwise) => {
            for (condition, body) in branches {
                change(condition);
                body.iter_mut().for_each(|equation| change_equation(equation, change));
            }
            otherwise.iter_mut().for_each(|equation| change_equation(equation, change));
        }
        EquationKind::When(branches) => {
            for branch in branches {
                change(&mut branch.condition);
                branch.equations.iter_mut().for_each(|equation| change_equation(equation, change));
            }
        }
    }
}
