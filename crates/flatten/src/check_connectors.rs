//! Connectors as they must be, connected or not (MLS §9.3 and §15.1).

use rhei_flat::{Scalar, Tables, Variability};
use rhei_instance::{ComponentId, ComponentKind, Flowing};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::mistake::Mistake;
use crate::tree::Tree;

/// How many scalars of each kind a connector has.
#[derive(Default)]
struct Counts {
    potentials: usize,
    flows: usize,
    streams: usize,
    causal: usize,
    /// Parameters and constants.
    unvarying: usize,
}

/// Checks every connector of the model, each class once.
pub(crate) fn check_connectors(tree: &Tree, tables: &Tables, mistakes: &mut Vec<Mistake>) {
    let mut checked: FxHashSet<SmolStr> = FxHashSet::default();
    for (i, component) in tree.components.iter().enumerate() {
        let id = ComponentId(i as u32);
        if tree.is_added(id) {
            continue;
        }
        if component.equality_constraint.is_some()
            && tree.connector_around(id).is_some()
            && has_flow(tree, id)
        {
            mistakes.push(Mistake::OverdeterminedFlow { name: tree.name(id), span: component.span });
        }
        let around =
            component.parent.map(|parent| (tree.component(parent).kind, tree.connector_around(parent)));
        match (component.kind, around) {
            (ComponentKind::Inside, Some((_, None))) if component.flowing != Flowing::Potential => {
                let prefix = if component.flowing == Flowing::Flow { "flow" } else { "stream" };
                mistakes.push(Mistake::OutsideConnector {
                    name: tree.name(id),
                    prefix,
                    span: component.span,
                });
            }
            (_, Some((ComponentKind::Expandable, _))) if component.flowing == Flowing::Flow => {
                mistakes.push(Mistake::FlowInExpandable { name: tree.name(id), span: component.span });
            }
            (ComponentKind::Connector, Some((_, None) | (ComponentKind::Expandable, _)))
                if !checked.contains(&component.class) =>
            {
                if let Some(mistake) = check(tree, tables, id) {
                    checked.insert(component.class.clone());
                    mistakes.push(mistake);
                }
            }
            _ => {}
        }
    }
}

fn has_flow(tree: &Tree, id: ComponentId) -> bool {
    tree.flowing(id) == Flowing::Flow || tree.component(id).parts.iter().any(|part| has_flow(tree, *part))
}

fn check(tree: &Tree, tables: &Tables, id: ComponentId) -> Option<Mistake> {
    let component = tree.component(id);
    let mut counts = Counts::default();
    count(tree, tables, id, 1, &mut counts);
    let Counts { potentials, flows, streams, causal, unvarying } = counts;
    let (class, span) = (component.class.to_string(), component.span);
    if unvarying > 0 && potentials + flows + streams + causal == 0 {
        return Some(Mistake::UnvaryingConnector { name: tree.name(id), span });
    }
    if let Some((class, flows)) = unclear_carrier(tree, id) {
        return Some(Mistake::StreamFlows { class, flows, span });
    }
    // a connector without flows is for signals: it says in which direction, or is not seen from outside
    let is_signal = flows == 0 && streams == 0 && causal == 0;
    if flows != potentials && !(is_signal && component.is_protected) && !tree.is_in_expandable(id) {
        return Some(Mistake::Unbalanced { class, potentials, flows, span });
    }
    None
}

/// A connector, be it inside this one, whose streams are not carried by one flow beside them, a Real scalar (MLS §15.1).
fn unclear_carrier(tree: &Tree, id: ComponentId) -> Option<(String, usize)> {
    let component = tree.component(id);
    let parts = || component.parts.iter().map(|part| (*part, tree.component(*part)));
    if parts().any(|(_, part)| part.flowing == Flowing::Stream) {
        let flows = || parts().filter(|(_, part)| part.flowing == Flowing::Flow);
        let is_real =
            |v: Option<rhei_flat::VarId>| v.is_some_and(|v| tree.variable(v).ty.scalar == Scalar::Real);
        let elements: usize = flows().map(|(id, _)| tree.sizes(id).into_iter().product::<usize>()).sum();
        if elements != 1 || !flows().all(|(_, part)| is_real(part.variable)) {
            return Some((component.class.to_string(), elements));
        }
    }
    parts().find_map(|(part, _)| unclear_carrier(tree, part))
}

fn count(tree: &Tree, tables: &Tables, id: ComponentId, elements: usize, counts: &mut Counts) {
    let component = tree.component(id);
    if let Some(function) = component.equality_constraint {
        let output = tables.function(function).outputs().next().and_then(|(_, local)| local.ty.known_sizes());
        let place =
            if tree.flowing(id) == Flowing::Flow { &mut counts.flows } else { &mut counts.potentials };
        *place += elements * output.map_or(0, |sizes| sizes.into_iter().product());
        return;
    }
    if let Some(v) = component.variable {
        let unvarying = tree.variable(v).variability <= Variability::Parameter;
        let place = match tree.flowing(id) {
            _ if unvarying => &mut counts.unvarying,
            Flowing::Flow => &mut counts.flows,
            Flowing::Stream => &mut counts.streams,
            Flowing::Potential if tree.causality(id).is_some() => &mut counts.causal,
            Flowing::Potential => &mut counts.potentials,
        };
        *place += elements;
    }
    for &part in &component.parts {
        let own: usize = tree.sizes(part).into_iter().product();
        // the dimensions of an overdetermined type are part of it
        let own = if tree.component(part).equality_constraint.is_some() { 1 } else { own };
        count(tree, tables, part, elements * own, counts);
    }
}
