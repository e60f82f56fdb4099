//! Calls of functions that are formulas: a function whose statements only assign whole components is put in place of its
//! calls, the arguments in place of its inputs.
//!
//! Nothing but the call is lost by that, and differentiation and solving see through it. Functions with loops, conditions,
//! elements assigned one by one, or code outside the language stay calls.

use rhei_flat::{Expr, ExprKind, Function, LocalId, LocalKind, StatementKind};

/// Formulas nested deeper than this are no formulas: a function that calls itself would never end.
const DEEPEST: usize = 50;
/// Formulas larger than this stay calls: what stands in several places would be computed in all of them.
const LARGEST: usize = 2_000;

/// The value of the first output of a call as a formula over its arguments, calls inside it not yet looked at.
pub(crate) fn inlined(function: &Function, arguments: &[Expr], depth: usize) -> Option<Expr> {
    if depth > DEEPEST || function.external.is_some() || function.is_impure {
        return None;
    }
    let (output, _) = function.outputs().next()?;
    let mut values: Vec<Option<Expr>> = vec![None; function.locals.len()];
    let mut given = arguments.iter();
    for (place, local) in function.locals.iter().enumerate() {
        match local.kind {
            LocalKind::Input => values[place] = Some(given.next()?.clone()),
            _ => values[place] = None,
        }
    }
    // first values in the order of declaration: one that speaks of a later one is left a call
    for (place, local) in function.locals.iter().enumerate() {
        if let (None, Some(binding)) = (&values[place], &local.binding) {
            values[place] = Some(substituted(binding, &values)?);
        }
    }
    for statement in &function.body {
        let StatementKind::Assign(target, value) = &statement.kind else { return None };
        let ExprKind::Local(LocalId(place)) = target.kind else { return None };
        let value = substituted(value, &values)?;
        if size(&value) > LARGEST {
            return None;
        }
        values[place as usize] = Some(value);
    }
    values.swap_remove(output.0 as usize)
}

/// `e` with components in place; none where one has no value yet.
fn substituted(e: &Expr, values: &[Option<Expr>]) -> Option<Expr> {
    match &e.kind {
        ExprKind::Local(LocalId(place)) => values[*place as usize].clone(),
        ExprKind::ApplyLocal(..) => None,
        _ => {
            let mut complete = true;
            let copy = e.clone().map_parts(&mut |part| match substituted(&part, values) {
                Some(value) => value,
                None => {
                    complete = false;
                    part
                }
            });
            complete.then_some(copy)
        }
    }
}

fn size(e: &Expr) -> usize {
    let mut count = 0;
    e.walk(&mut |_| count += 1);
    count
}
