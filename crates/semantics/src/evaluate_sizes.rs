//! Whole numbers that shape a model: array sizes and ranges, found before the run.

use rhei_flat::{Arithmetic, Expr, ExprKind, Variability};

use crate::mistake::Mistake;
use crate::scope::Scope;

/// Constants bound to constants bound to constants…: more than this is a cycle or no model of a person's.
const DEEPEST_BINDING: usize = 100;

/// A size: a whole number, zero or more.
pub(crate) fn evaluate_size(e: &Expr, scope: &Scope) -> Result<usize, Mistake> {
    let value = evaluate_integer(e, scope)?;
    usize::try_from(value).map_err(|_| Mistake::SizeNotEvaluable {
        why: format!("this is {value}, and a size is not negative"),
        span: e.span,
    })
}

/// The value of an Integer expression over constants and parameters.
pub(crate) fn evaluate_integer(e: &Expr, scope: &Scope) -> Result<i64, Mistake> {
    evaluate(e, scope, 0)
}

fn evaluate(e: &Expr, scope: &Scope, depth: usize) -> Result<i64, Mistake> {
    let fail = |why: String| Err(Mistake::SizeNotEvaluable { why, span: e.span });
    if depth > DEEPEST_BINDING {
        return fail("its value depends on itself".into());
    }
    let overflow = || Mistake::SizeNotEvaluable { why: "too large".into(), span: e.span };
    match &e.kind {
        ExprKind::Integer(value) => Ok(*value),
        ExprKind::Negate(a) => evaluate(a, scope, depth)?.checked_neg().ok_or_else(overflow),
        ExprKind::Arithmetic(op, a, b) => {
            let (a, b) = (evaluate(a, scope, depth)?, evaluate(b, scope, depth)?);
            match op {
                Arithmetic::Add => a.checked_add(b).ok_or_else(overflow),
                Arithmetic::Subtract => a.checked_sub(b).ok_or_else(overflow),
                Arithmetic::Multiply => a.checked_mul(b).ok_or_else(overflow),
                Arithmetic::Divide | Arithmetic::Power => fail("not a whole number".into()),
            }
        }
        ExprKind::Variable(v, subscripts) if subscripts.is_empty() => {
            let variable = scope.variable(*v);
            match &variable.binding {
                _ if variable.variability > Variability::Parameter => {
                    fail(format!("`{}` varies", variable.name))
                }
                Some(binding) => evaluate(binding, scope, depth + 1),
                None => fail(format!("`{}` has no value", variable.name)),
            }
        }
        _ => fail("cannot be found out before the run".into()),
    }
}
