//! Statements of algorithm sections and functions (MLS §11).

use rhei_source::Span;
use serde::{Deserialize, Serialize};

use crate::{Expr, Iteration};

/// A statement with its place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Its kind, with its parts.
    pub kind: StatementKind,
    /// Its place in the text.
    pub span: Span,
}

/// Kind of a statement, with its parts. Assignments are to a variable or local, or to a part of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StatementKind {
    /// `target := value`
    Assign(Expr, Expr),
    /// `(a, , c) := f(x)`
    AssignResults(Vec<Option<Expr>>, Expr),
    /// A call that stands alone: `assert`, `terminate`, `reinit`, or a function for its effect.
    Call(Expr),
    /// Conditions with their statements, and those executed otherwise.
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

impl Statement {
    /// Visits the expressions of the statement and of those in it, but not their parts.
    pub fn walk_expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            StatementKind::Assign(target, value) => [target, value].into_iter().for_each(visit),
            StatementKind::AssignResults(targets, call) => {
                targets.iter().flatten().chain([call]).for_each(visit);
            }
            StatementKind::Call(call) => visit(call),
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    visit(condition);
                    body.iter().for_each(|statement| statement.walk_expressions(visit));
                }
                otherwise.iter().for_each(|statement| statement.walk_expressions(visit));
            }
            StatementKind::When(branches) => {
                for (condition, body) in branches {
                    visit(condition);
                    body.iter().for_each(|statement| statement.walk_expressions(visit));
                }
            }
            StatementKind::For(iteration, body) => {
                visit(&iteration.range);
                body.iter().for_each(|statement| statement.walk_expressions(visit));
            }
            StatementKind::While(condition, body) => {
                visit(condition);
                body.iter().for_each(|statement| statement.walk_expressions(visit));
            }
            StatementKind::Break | StatementKind::Return => {}
        }
    }
    /// Changes the expressions of the statement and of those in it, where they stand, but not their parts.
    pub fn change_expressions(&mut self, change: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            StatementKind::Assign(target, value) => [target, value].into_iter().for_each(change),
            StatementKind::AssignResults(targets, call) => {
                targets.iter_mut().flatten().chain([call]).for_each(change);
            }
            StatementKind::Call(call) => change(call),
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    change(condition);
                    body.iter_mut().for_each(|statement| statement.change_expressions(change));
                }
                otherwise.iter_mut().for_each(|statement| statement.change_expressions(change));
            }
            StatementKind::When(branches) => {
                for (condition, body) in branches {
                    change(condition);
                    body.iter_mut().for_each(|statement| statement.change_expressions(change));
                }
            }
            StatementKind::For(iteration, body) => {
                change(&mut iteration.range);
                body.iter_mut().for_each(|statement| statement.change_expressions(change));
            }
            StatementKind::While(condition, body) => {
                change(condition);
                body.iter_mut().for_each(|statement| statement.change_expressions(change));
            }
            StatementKind::Break | StatementKind::Return => {}
        }
    }
}
