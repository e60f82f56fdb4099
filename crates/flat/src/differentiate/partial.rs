//! `function g = der(f, x, y)`: partial derivatives of a function (MLS §12.7.2).

use rhei_source::Span;
use smol_str::{SmolStr, format_smolstr};

use super::build::real;
use super::{Derivatives, NotDifferentiable, new_name};
use crate::{
    Expr, ExprKind, Function, FunctionId, Inline, Local, LocalId, LocalKind, Statement, StatementKind, Tables,
};

impl Derivatives {
    /// The function with the inputs of `function` whose outputs are the derivatives of its outputs by these inputs, one
    /// after the other. Each is a scalar Real.
    pub fn partial(
        &mut self,
        tables: &mut Tables,
        function: FunctionId,
        inputs: &[LocalId],
        name: SmolStr,
        span: Span,
    ) -> Result<Function, NotDifferentiable> {
        let mut of = function;
        let mut made: Option<Function> = None;
        for input in inputs {
            if let Some(before) = made.take() {
                of = FunctionId(tables.functions.len() as u32);
                let name = new_name(tables, format_smolstr!("{name}_before"));
                tables.functions.push(Function { name, ..before });
            }
            let varying: Vec<bool> = tables.function(of).inputs().map(|(id, _)| id == *input).collect();
            let derivative = self.of_function(tables, of, &varying)?;
            made = Some(called_with_one(tables, of, derivative, name.clone(), span));
        }
        let whole = || tables.function(function).clone();
        Ok(made.unwrap_or_else(whole))
    }
}

/// A function that calls `derivative` with one for the derivative of the one input that varies. Its locals begin with
/// those of `function`, so that inputs keep their places.
fn called_with_one(
    tables: &Tables,
    function: FunctionId,
    derivative: FunctionId,
    name: SmolStr,
    span: Span,
) -> Function {
    let of = tables.function(function);
    let mut locals: Vec<Local> = Vec::new();
    for local in &of.locals {
        let kept = local.kind == LocalKind::Input
            || (local.kind == LocalKind::Output && tables.holds_reals(&local.ty));
        let kind = if kept { local.kind } else { LocalKind::Protected };
        let binding = if local.kind == LocalKind::Input { local.binding.clone() } else { None };
        locals.push(Local { kind, binding, ..local.clone() });
    }
    let expression =
        |id: LocalId, local: &Local| Expr { kind: ExprKind::Local(id), ty: local.ty.clone(), span };
    let outputs: Vec<Expr> = of
        .outputs()
        .filter(|(_, local)| tables.holds_reals(&local.ty))
        .map(|(id, local)| expression(id, local))
        .collect();
    let arguments: Vec<Expr> =
        of.inputs().map(|(id, local)| expression(id, local)).chain([real(1.0, span)]).collect();
    let mut body = Vec::new();
    if let Some(ty) = outputs.first().map(|output| output.ty.clone()) {
        let call = Expr { kind: ExprKind::Apply(derivative, arguments), ty, span };
        let kind = match outputs.as_slice() {
            [only] => StatementKind::Assign(only.clone(), call),
            _ => StatementKind::AssignResults(outputs.into_iter().map(Some).collect(), call),
        };
        body.push(Statement { kind, span });
    }
    Function {
        name,
        locals,
        body,
        external: None,
        is_impure: of.is_impure,
        says_impure: of.says_impure,
        inline: Inline::Unsaid,
        generate_events: of.generate_events,
        smooth_order: None,
        derivatives: Vec::new(),
        inverses: Vec::new(),
        span,
    }
}
