//! Statements of algorithm sections and functions (MLS §11).

use rhei_source::Span;

use crate::{Expr, Iteration};

/// A statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it was written.
    pub span: Span,
}

/// What a statement does. What is assigned to is a variable or local, or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `target := value`
    Assign(Expr, Expr),
    /// `(a, , c) := f(x)`
    AssignResults(Vec<Option<Expr>>, Expr),
    /// A call that stands alone: `assert`, `terminate`, `reinit`, or a function for its effect.
    Call(Expr),
    /// Conditions with what is done, and what is done otherwise.
    If(Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
    /// `for`
    For(Iteration, Vec<Statement>),
    /// `while`
    While(Expr, Vec<Statement>),
    /// `when`, in models only.
    When(Vec<(Expr, Vec<Statement>)>),
    /// `break`
    Break,
    /// `return`
    Return,
}
