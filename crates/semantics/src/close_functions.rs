//! Functions that stand alone: constants of the components around them as values.
//!
//! A function declared in a component may use constants of it, and its inputs may have parameters of it as their defaults
//! (MLS §12.2). Calls have all their arguments by now, so such defaults are no longer needed.

use rhei_flat::{Expr, ExprKind, FunctionId, LocalKind, Subscript, Variability};

use crate::context::Context;
use crate::mistake::Mistake;

impl Context<'_> {
    /// Takes all variables of the model out of the functions.
    pub(crate) fn close_functions(&mut self) {
        for place in 0..self.tables.functions.len() {
            let id = FunctionId(place as u32);
            if speaks_of_variables(self.tables.function(id)) {
                self.close_function(place);
            }
        }
    }

    fn close_function(&mut self, place: usize) {
        let mut function = self.tables.functions[place].clone();
        for local in &mut function.locals {
            for e in local.sizes.iter_mut().flatten() {
                *e = self.closed(e.clone());
            }
            let binding = local.binding.take().map(|e| self.closed(e));
            local.binding = binding.filter(|e| local.kind != LocalKind::Input || !has_variable(e));
        }
        for statement in &mut function.body {
            statement.change_expressions(&mut |e| e.change(&mut |e| self.closed(e)));
        }
        if let Some(external) = &mut function.external {
            for e in external.result.iter_mut().chain(&mut external.arguments) {
                *e = self.closed(e.clone());
            }
        }
        self.tables.functions[place] = function;
    }

    /// An expression with the values of constants in place of their names.
    fn closed(&mut self, e: Expr) -> Expr {
        let e = e.map_parts(&mut |part| self.closed(part));
        let ExprKind::Variable(v, subscripts) = &e.kind else { return e };
        let component = self.variable_component(*v);
        if self.component(component).variability != Variability::Constant {
            return e;
        }
        match self.constant_value(component, e.span) {
            Ok(value) if value.ty.is_scalar() || subscripts.iter().all(|s| *s == Subscript::Whole) => {
                Expr { span: e.span, ..value }
            }
            Ok(value) => Expr { kind: ExprKind::Index(Box::new(value), subscripts.clone()), ..e },
            Err(mistake) => {
                self.unless_said(mistake);
                e
            }
        }
    }

    fn unless_said(&mut self, mistake: Mistake) {
        if self.mistakes.is_empty() {
            self.mistake(mistake);
        }
    }
}

fn has_variable(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |part| found |= matches!(part.kind, ExprKind::Variable(..)));
    found
}

fn speaks_of_variables(function: &rhei_flat::Function) -> bool {
    let mut found = false;
    function.walk_expressions(&mut |e| found |= has_variable(e));
    found
}
