//! IR: the flat model, free of classes and connections, its arrays and loops kept.
//!
//! In: an instance tree, flattened. Out: the model that `scalarize` takes apart into scalar equations. Its textual
//! form is Modelica, and reads back to the same model.
//!
//! The typed expressions live here too: semantics gives them their types, flattening moves them, scalarisation takes them
//! apart; all three share one [`Expr`]. Record types, enumerations, functions and iterators are in the [`Tables`] of the
//! model, and expressions refer to them by id.
//!
//! Invariants, checked by [`Flat::verify`]:
//! - variable names are unique; the dimensions of the parts of a name are those of its type; sizes of variables are known;
//! - references are to variables that exist, with one subscript per dimension or none, and have the type they say;
//! - operands and results have types that go together; both sides of an equation have the same sizes;
//! - bindings and attributes have the sizes of their variable, or are scalars for every element;
//! - iterators are used inside the loop or comprehension that binds them;
//! - functions speak neither of variables nor of time.

mod declarations;
mod differentiate;
mod expression;
mod function;
mod identifier;
mod model;
mod print;
mod statement;
mod tables;
mod types;
mod verify;

pub use declarations::{Declaration, Declarations};
pub use differentiate::{Derivatives, NotDifferentiable};
pub use expression::{
    Arithmetic, Builtin, Expr, ExprKind, Iteration, IteratorId, LocalId, Logic, Reduction, Subscript,
};
pub use function::{Derivative, External, Function, FunctionId, Inline, Inverse, Local, LocalKind};
pub use model::{
    Algorithm, Attributes, Causality, Confidence, Equation, EquationKind, Experiment, Flat, Name, NamePart,
    Selects, VarId, Variability, Variable, WhenBranch,
};
pub use print::Printer;
pub use rhei_elementary::{Elementary, Relation};
pub use statement::{Statement, StatementKind};
pub use tables::{Enumeration, EnumerationId, Record, RecordField, RecordId, Tables};
pub use types::{Scalar, Size, Type};
