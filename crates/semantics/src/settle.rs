//! The last step of instantiation: conditions known by then are decided, and algorithm sections that cannot stand in a loop
//! are written out.
//!
//! A parameter may be settled after an expression that holds it was typed. The flat model must not depend on that order: it is
//! the one that results if its text is read back with everything settled from the start.

use rhei_flat::{Algorithm, Expr, ExprKind, IteratorId, Scalar, Statement, StatementKind, Type, Variability};

use crate::context::Context;

impl Context<'_> {
    /// Replaces each conditional expression with a settled condition by its chosen branch.
    pub(crate) fn decide(&mut self, e: &mut Expr) {
        if let ExprKind::If(condition, then, otherwise) = &mut e.kind
            && self.is_settled_condition(condition)
        {
            let said = self.mistakes.len();
            let value = self.evaluate(condition, true).ok().and_then(|value| value.as_boolean());
            self.mistakes.truncate(said);
            if let Some(value) = value {
                let chosen = if value { then } else { otherwise };
                let nothing = Expr { kind: ExprKind::Time, ty: Type::scalar(Scalar::Real), span: e.span };
                *e = std::mem::replace(&mut **chosen, nothing);
                return self.decide(e);
            }
        }
        e.each_part_mut(&mut |part| self.decide(part));
    }

    fn is_settled_condition(&self, condition: &Expr) -> bool {
        let mut settled = true;
        condition.walk(&mut |part| match part.kind {
            ExprKind::Variable(v, _) => {
                let component = self.component(self.variable_component(v));
                settled &= component.structural || component.variability == Variability::Constant;
            }
            ExprKind::Time | ExprKind::Iterator(_) | ExprKind::Call(..) => settled = false,
            _ => {}
        });
        settled
    }
}

/// Algorithm sections of arrays of components, one for each element where a `when` stands in them: it cannot stand in a loop
/// (MLS §11.2.7.1).
pub(crate) fn written_out(algorithms: Vec<Algorithm>) -> Vec<Algorithm> {
    let mut all = Vec::new();
    let mut open: Vec<Algorithm> = algorithms.into_iter().rev().collect();
    while let Some(mut algorithm) = open.pop() {
        let turns = match algorithm.loops.first().map(|first| &first.range) {
            Some(range) if has_when(&algorithm.statements) && counts_from_one(range) => {
                range.ty.sizes[0].known()
            }
            _ => None,
        };
        let Some(turns) = turns else {
            all.push(algorithm);
            continue;
        };
        let iterator = algorithm.loops.remove(0).iterator;
        for turn in (1..=turns).rev() {
            let mut one = algorithm.clone();
            let mut set = |e: Expr| with_iterator(e, iterator, turn as i64);
            one.loops.iter_mut().for_each(|inner| {
                *inner.range = set((*inner.range).clone());
            });
            one.statements
                .iter_mut()
                .for_each(|statement| statement.change_expressions(&mut |e| e.change(&mut set)));
            open.push(one);
        }
    }
    all
}

fn counts_from_one(range: &Expr) -> bool {
    matches!(&range.kind, ExprKind::Range(first, None, _) if first.kind == ExprKind::Integer(1))
}

fn has_when(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::When(_) => true,
        StatementKind::If(branches, otherwise) => {
            branches.iter().any(|(_, body)| has_when(body)) || has_when(otherwise)
        }
        StatementKind::For(_, body) | StatementKind::While(_, body) => has_when(body),
        _ => false,
    })
}

fn with_iterator(e: Expr, iterator: IteratorId, value: i64) -> Expr {
    if e.kind == ExprKind::Iterator(iterator) {
        return Expr { kind: ExprKind::Integer(value), ty: Type::scalar(Scalar::Integer), span: e.span };
    }
    e.map_parts(&mut |part| with_iterator(part, iterator, value))
}
