//! IR: the flat model, free of classes and connections, its arrays kept.
//!
//! In: an instance tree, flattened. Out: what is taken apart into scalar equations. Its textual form is Modelica.
//!
//! The typed expressions live here too: semantics gives them their types, flattening moves them, scalarisation takes them
//! apart; all three speak of the same [`Expr`].
//!
//! Invariants, checked by [`Flat::verify`]:
//! - variable names are unique;
//! - references are to variables that exist, with one subscript per dimension or none, and have the type they say;
//! - operands and results have types that go together; both sides of an equation have the same sizes;
//! - bindings and attributes have the type of their variable, or are scalars for every element.

mod expression;
mod model;
mod print;
mod types;
mod verify;

pub use expression::{Arithmetic, Builtin, Expr, ExprKind, Logic, Relation, Subscript};
pub use model::{
    Attributes, Equation, EquationKind, Experiment, Flat, Name, NamePart, VarId, Variability, Variable,
};
pub use print::Printer;
pub use types::{Scalar, Type};
pub use verify::Violation;
