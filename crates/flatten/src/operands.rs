//! Operands of operators on connectors: from an expression back to the component it stands for.

use rhei_evaluate::Value;
use rhei_flat::{Expr, ExprKind, Subscript};
use rhei_instance::ComponentId;

use crate::known_values::KnownValues;
use crate::sides::index;
use crate::tree::Tree;

/// The component that an expression stands for, with its subscripts over all dimensions around and of it.
pub(crate) fn operand(tree: &Tree, e: &Expr) -> Option<(ComponentId, Vec<Subscript>)> {
    match &e.kind {
        ExprKind::Variable(v, subscripts) => {
            let component = tree.component_of(*v);
            let whole = vec![Subscript::Whole; tree.variable(*v).ty.dimensions()];
            Some((component, if subscripts.is_empty() { whole } else { subscripts.clone() }))
        }
        // a record is made of its parts
        ExprKind::Record(_, fields) => {
            let (part, mut subscripts) = fields.iter().find_map(|field| operand(tree, field))?;
            let whole = tree.component(part).parent?;
            subscripts.truncate(tree.full_sizes(whole).len());
            Some((whole, subscripts))
        }
        ExprKind::Comprehension(body, _) => operand(tree, body),
        _ => None,
    }
}

/// The place that subscripts mean among elements of these sizes, if they can be known and mean one.
pub(crate) fn place(values: &KnownValues<'_>, subscripts: &[Subscript], sizes: &[usize]) -> Option<usize> {
    let mut place = 0;
    for (subscript, &size) in subscripts.iter().zip(sizes) {
        let value: Value = values.value(subscript.index()?).ok()?;
        place = place * size + index(&value, size)?;
    }
    Some(place)
}
