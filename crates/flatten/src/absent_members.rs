//! Members of expandable connectors that are not there are left out, the other variables numbered anew.

use std::sync::Arc;

use rhei_flat::{Expr, ExprKind, VarId, Variable};
use rhei_instance::Sections;

use crate::presence::Presence;
use crate::tree::Tree;

/// For each variable, whether no element of it is there; nothing where all variables are.
pub(crate) fn absent_variables(tree: &Tree, presence: &mut Presence) -> Vec<bool> {
    let mut absent = Vec::new();
    for v in (0..tree.variables.len() as u32).map(VarId) {
        let component = tree.component_of(v);
        let is_absent = tree.is_in_expandable(component)
            && !(0..tree.count(component)).any(|place| presence.is_present(tree, v, place));
        absent.push(is_absent);
    }
    if absent.contains(&true) { absent } else { Vec::new() }
}

/// Drops the variables that are absent.
pub(crate) fn drop_absent(absent: &[bool], variables: &mut Vec<Variable>, sections: &mut Sections) {
    if absent.is_empty() {
        return;
    }
    let mut count = 0;
    let numbers: Vec<u32> = absent
        .iter()
        .map(|absent| {
            count += u32::from(!absent);
            count.saturating_sub(1)
        })
        .collect();
    let mut is_absent = absent.iter();
    variables.retain(|_| is_absent.next() != Some(&true));
    let mut renumber = |e: Expr| renumbered(e, &numbers);
    sections.change_expressions(&mut |e| e.change(&mut renumber));
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
