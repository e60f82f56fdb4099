//! Members of expandable connectors that are not there are left out, the other variables numbered anew.

use std::sync::Arc;

use rhei_flat::{Expr, ExprKind, VarId, Variable};
use rhei_semantics::Sections;

use crate::presence::Presence;
use crate::tree::Tree;

/// Drops the variables of which no element is there.
pub(crate) fn drop_absent(
    tree: &Tree,
    presence: &mut Presence,
    variables: &mut Vec<Variable>,
    sections: &mut Sections,
) {
    let mut kept = Vec::new();
    for i in 0..variables.len() {
        let v = VarId(i as u32);
        let component = tree.component_of(v);
        let elements = tree.count(component);
        kept.push(
            !tree.is_in_expandable(component)
                || (0..elements).any(|place| presence.is_present(tree, v, place)),
        );
    }
    if kept.iter().all(|kept| *kept) {
        return;
    }
    let mut count = 0;
    let numbers: Vec<u32> = kept
        .iter()
        .map(|kept| {
            count += u32::from(*kept);
            count.saturating_sub(1)
        })
        .collect();
    let mut is_kept = kept.into_iter();
    variables.retain(|_| is_kept.next().unwrap_or(true));
    let mut renumber = |e: Expr| renumbered(e, &numbers);
    sections.map_expressions(&mut renumber);
    for variable in variables {
        map_values(variable, &mut renumber);
    }
}

/// Changes the binding and the attributes of a variable.
pub(crate) fn map_values(variable: &mut Variable, change: &mut impl FnMut(Expr) -> Expr) {
    variable.binding = variable.binding.take().map(&mut *change);
    if variable.attributes.expressions().next().is_none() {
        return;
    }
    let attributes = Arc::make_mut(&mut variable.attributes);
    let values = [
        &mut attributes.start,
        &mut attributes.fixed,
        &mut attributes.min,
        &mut attributes.max,
        &mut attributes.nominal,
    ];
    for value in values {
        *value = value.take().map(&mut *change);
    }
}

fn renumbered(e: Expr, numbers: &[u32]) -> Expr {
    let mut e = e.map_parts(&mut |part| renumbered(part, numbers));
    if let ExprKind::Variable(v, _) = &mut e.kind {
        *v = VarId(numbers[v.index()]);
    }
    e
}
