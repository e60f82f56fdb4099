//! Which locals vary when some inputs do.

use crate::{Expr, ExprKind, Function, LocalId, LocalKind, Statement, StatementKind, Tables};

/// For each local whether it may have a derivative that is not zero.
pub(super) fn varying_locals(function: &Function, inputs: &[bool], tables: &Tables) -> Vec<bool> {
    let mut varies = vec![false; function.locals.len()];
    for ((id, local), varying) in function.inputs().zip(inputs) {
        varies[id.0 as usize] = *varying && tables.holds_reals(&local.ty);
    }
    // a loop may carry a value to where it was read before: until nothing is new
    loop {
        let mut search = Search { tables, varies: varies.clone() };
        for (place, local) in function.locals.iter().enumerate() {
            if local.kind != LocalKind::Input
                && local.binding.as_ref().is_some_and(|binding| search.expression(binding))
            {
                search.mark(LocalId(place as u32), function);
            }
        }
        search.statements(&function.body, function);
        if search.varies == varies {
            return varies;
        }
        varies = search.varies;
    }
}

/// The local that a target is or is a part of.
pub(super) fn root(target: &Expr) -> Option<LocalId> {
    match &target.kind {
        ExprKind::Local(id) => Some(*id),
        ExprKind::Index(whole, _) | ExprKind::Field(whole, _) => root(whole),
        _ => None,
    }
}

/// Whether a derivative is structurally more than zero, given the locals that vary.
pub(super) fn expression_varies(e: &Expr, varies: &[bool], tables: &Tables) -> bool {
    if !tables.holds_reals(&e.ty) {
        return false;
    }
    match &e.kind {
        ExprKind::Local(id) => varies[id.0 as usize],
        // indices do not vary
        ExprKind::Index(whole, _) => expression_varies(whole, varies, tables),
        // ranges count too: an iterator may run through values that vary
        _ => e.parts().into_iter().any(|part| expression_varies(part, varies, tables)),
    }
}

struct Search<'a> {
    tables: &'a Tables,
    varies: Vec<bool>,
}

impl Search<'_> {
    fn expression(&self, e: &Expr) -> bool {
        expression_varies(e, &self.varies, self.tables)
    }

    fn mark(&mut self, id: LocalId, function: &Function) {
        self.varies[id.0 as usize] |= self.tables.holds_reals(&function.local(id).ty);
    }

    fn statements(&mut self, statements: &[Statement], function: &Function) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(target, value) => {
                    if self.expression(value) {
                        root(target).into_iter().for_each(|id| self.mark(id, function));
                    }
                }
                StatementKind::AssignResults(targets, call) => {
                    let targets = targets.iter().flatten();
                    // any of the results may vary, whatever the first one is
                    let varies = call.parts().into_iter().any(|argument| self.expression(argument));
                    for id in targets.filter_map(root).filter(|_| varies) {
                        self.mark(id, function);
                    }
                }
                StatementKind::If(branches, otherwise) => {
                    for (_, body) in branches {
                        self.statements(body, function);
                    }
                    self.statements(otherwise, function);
                }
                StatementKind::For(iteration, body) => {
                    if self.expression(&iteration.range) {
                        // its iterator varies: so may all that is assigned inside
                        self.mark_all(body, function);
                    }
                    self.statements(body, function);
                }
                StatementKind::While(_, body) => self.statements(body, function),
                StatementKind::When(branches) => {
                    branches.iter().for_each(|(_, body)| self.statements(body, function));
                }
                StatementKind::Call(_) | StatementKind::Break | StatementKind::Return => {}
            }
        }
    }

    fn mark_all(&mut self, statements: &[Statement], function: &Function) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(target, _) => {
                    root(target).into_iter().for_each(|id| self.mark(id, function));
                }
                StatementKind::AssignResults(targets, _) => {
                    let ids: Vec<LocalId> = targets.iter().flatten().filter_map(root).collect();
                    ids.into_iter().for_each(|id| self.mark(id, function));
                }
                StatementKind::If(branches, otherwise) => {
                    branches.iter().for_each(|(_, body)| self.mark_all(body, function));
                    self.mark_all(otherwise, function);
                }
                StatementKind::For(_, body) | StatementKind::While(_, body) => self.mark_all(body, function),
                _ => {}
            }
        }
    }
}
