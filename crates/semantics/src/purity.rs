//! Contexts in which a model may call impure functions: at events, at the start, and for parameters (MLS §12.3).

use rhei_flat::{
    Equation, EquationKind, Expr, ExprKind, Scalar, Statement, StatementKind, Variability, Variable,
};

use crate::context::Context;
use crate::mistake::Mistake;
use rhei_instance::Sections;

impl Context<'_> {
    /// Refuses calls of impure functions in equations that hold all the time.
    pub(crate) fn refuse_impure_calls(&mut self, variables: &[Variable], sections: &Sections) {
        if self.declared_impure.is_empty() {
            return;
        }
        let mut always: Vec<&Expr> = Vec::new();
        for variable in variables {
            let is_object = matches!(variable.ty.scalar, Scalar::ExternalObject(_));
            if variable.variability > Variability::Parameter && !is_object {
                always.extend(&variable.binding);
            }
        }
        equations(&sections.equations, &mut always);
        for algorithm in &sections.algorithms {
            statements(&algorithm.statements, &mut always);
        }
        let mut found = Vec::new();
        for e in always {
            e.walk(&mut |part| {
                if let ExprKind::Apply(id, _) = &part.kind
                    && self.declared_impure.contains(id)
                    && !self.trusted_calls.contains(&part.span)
                {
                    found.push((*id, part.span));
                }
            });
        }
        for (id, span) in found {
            let function = self.tables.function(id).name.to_string();
            self.mistake(Mistake::ImpureInModel { function, span });
        }
    }
}

/// Expressions that are evaluated whenever they are asked for: all but those under `when`.
fn equations<'e>(list: &'e [Equation], always: &mut Vec<&'e Expr>) {
    for equation in list {
        match &equation.kind {
            EquationKind::Equal(left, right) => always.extend([left, right]),
            EquationKind::Results(_, call) | EquationKind::Call(call) => always.push(call),
            EquationKind::For(iteration, body) => {
                always.push(&iteration.range);
                equations(body, always);
            }
            EquationKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    always.push(condition);
                    equations(body, always);
                }
                equations(otherwise, always);
            }
            EquationKind::When(_) => {}
        }
    }
}

fn statements<'e>(list: &'e [Statement], always: &mut Vec<&'e Expr>) {
    for statement in list {
        match &statement.kind {
            StatementKind::Assign(_, value) => always.push(value),
            StatementKind::AssignResults(_, call) | StatementKind::Call(call) => always.push(call),
            StatementKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    always.push(condition);
                    statements(body, always);
                }
                statements(otherwise, always);
            }
            StatementKind::For(iteration, body) => {
                always.push(&iteration.range);
                statements(body, always);
            }
            StatementKind::While(condition, body) => {
                always.push(condition);
                statements(body, always);
            }
            StatementKind::When(_) | StatementKind::Break | StatementKind::Return => {}
        }
    }
}
