//! Arrays that give a loop its range keep their sizes in it: they are not assigned as a whole (MLS §11.2.2.1).

use rhei_flat::{Expr, ExprKind, IteratorId, LocalId, Statement, StatementKind, Subscript, VarId};
use rhei_source::Span;

/// A subscripted variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Array {
    Variable(VarId),
    Local(LocalId),
}

/// The assignment, as a whole, of an array that has the iterator as a subscript.
pub(super) fn assigned_whole(iterator: IteratorId, body: &[Statement]) -> Option<Span> {
    let mut indexed = Vec::new();
    expressions(body, &mut |e| e.walk(&mut |part| indexed.extend(indexed_by(iterator, part))));
    let mut found = None;
    targets(body, &mut |target| {
        let whole = match &target.kind {
            ExprKind::Variable(v, subscripts) if subscripts.is_empty() => Array::Variable(*v),
            ExprKind::Local(local) => Array::Local(*local),
            _ => return,
        };
        if found.is_none() && indexed.contains(&whole) {
            found = Some(target.span);
        }
    });
    found
}

fn indexed_by(iterator: IteratorId, e: &Expr) -> Option<Array> {
    let (array, subscripts) = match &e.kind {
        ExprKind::Variable(v, subscripts) => (Array::Variable(*v), subscripts),
        ExprKind::Index(inner, subscripts) => match inner.kind {
            ExprKind::Local(local) => (Array::Local(local), subscripts),
            _ => return None,
        },
        _ => return None,
    };
    let is_alone = |subscript: &Subscript| {
        subscript.index().is_some_and(|index| index.kind == ExprKind::Iterator(iterator))
    };
    subscripts.iter().any(is_alone).then_some(array)
}

fn targets<'a>(statements: &'a [Statement], visit: &mut impl FnMut(&'a Expr)) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, _) => visit(target),
            StatementKind::AssignResults(all, _) => all.iter().flatten().for_each(&mut *visit),
            _ => inner(statement).into_iter().for_each(|body| targets(body, visit)),
        }
    }
}

fn expressions<'a>(statements: &'a [Statement], visit: &mut impl FnMut(&'a Expr)) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                visit(target);
                visit(value);
            }
            StatementKind::AssignResults(all, call) => {
                all.iter().flatten().for_each(&mut *visit);
                visit(call);
            }
            StatementKind::Call(call) => visit(call),
            StatementKind::If(branches, _) | StatementKind::When(branches) => {
                branches.iter().for_each(|(condition, _)| visit(condition));
            }
            StatementKind::While(condition, _) => visit(condition),
            StatementKind::For(iteration, _) => visit(&iteration.range),
            StatementKind::Break | StatementKind::Return => {}
        }
        inner(statement).into_iter().for_each(|body| expressions(body, visit));
    }
}

/// The statements inside one.
fn inner(statement: &Statement) -> Vec<&[Statement]> {
    match &statement.kind {
        StatementKind::If(branches, otherwise) => {
            branches.iter().map(|(_, body)| body.as_slice()).chain([otherwise.as_slice()]).collect()
        }
        StatementKind::When(branches) => branches.iter().map(|(_, body)| body.as_slice()).collect(),
        StatementKind::For(_, body) | StatementKind::While(_, body) => vec![body],
        _ => Vec::new(),
    }
}
