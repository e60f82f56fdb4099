//! Connection sets to equations (MLS §9.2): potentials are equal, flows sum up to zero.

use rhei_flat::{Arithmetic, Causality, Equation, EquationKind, Expr, ExprKind, VarId};
use rhei_instance::{ComponentId, Connection, Flowing};
use rhei_source::Span;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::array_equations::{BlockRow, Row, element, gather, reference, zero};
use crate::connect::Connected;
use crate::connection_sets::{Element, Origin};
use crate::mistake::Mistake;
use crate::tree::Tree;

/// The equations of all sets but those of streams and overdetermined parts.
pub(crate) fn connection_equations(
    tree: &Tree,
    connections: &[Connection],
    connected: &mut Connected,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Equation> {
    let (mut equal, mut flows) = (Vec::new(), Vec::new());
    let mut blamed = FxHashSet::default();
    let Connected { sets, presence, .. } = connected;
    for set in sets.sets() {
        let (first, origin) = set[0];
        if !presence.is_present(tree, first.variable, first.offset) {
            continue;
        }
        if let Some(mistake) = check_quantities(tree, connections, &set)
            && !mistakes.contains(&mistake)
        {
            mistakes.push(mistake);
        }
        match tree.flowing(tree.component_of(first.variable)) {
            Flowing::Stream => {}
            Flowing::Flow => {
                let (mut elements, outside): (Vec<Element>, Vec<Element>) =
                    set.iter().map(|(element, _)| *element).partition(|element| !element.outside);
                elements.extend(outside);
                flows.push(Row { elements, origin });
            }
            Flowing::Potential => {
                let mistake = check_sources(tree, connections, &set)
                    .or_else(|| check_has_source(tree, connections, &set))
                    .or_else(|| check_protected(tree, connections, &set));
                if let Some(mistake) = mistake
                    && blamed.insert(set.iter().map(|(e, _)| (e.variable, e.outside)).collect::<Vec<_>>())
                {
                    mistakes.push(mistake);
                }
                for pair in set.windows(2) {
                    let (a, b) = (pair[0], pair[1]);
                    // an inner connector may be there from inside and outside
                    if (a.0.variable, a.0.offset) != (b.0.variable, b.0.offset) {
                        equal.push(Row { elements: vec![a.0, b.0], origin: b.1 });
                    }
                }
            }
        }
    }
    let mut equations: Vec<Equation> =
        gather(tree, equal).into_iter().map(|row| equality(tree, connections, &row)).collect();
    equations.extend(gather(tree, flows).into_iter().map(|row| balance(tree, connections, &row)));
    equations.extend(absent_elements(tree, connected));
    equations
}

/// The equations of rows of two elements each.
pub(crate) fn equalities(tree: &Tree, connections: &[Connection], rows: Vec<Row>) -> Vec<Equation> {
    gather(tree, rows).into_iter().map(|row| equality(tree, connections, &row)).collect()
}

fn equality(tree: &Tree, connections: &[Connection], row: &BlockRow) -> Equation {
    let (component, span) = place(tree, connections, row);
    let [a, b] = [0, 1].map(|side| reference(tree, row.blocks[side], span));
    Equation { kind: EquationKind::Equal(a, b), component, span }
}

/// `a + b - c = 0`: the flows from inside less those to the outside.
fn balance(tree: &Tree, connections: &[Connection], row: &BlockRow) -> Equation {
    let (component, span) = place(tree, connections, row);
    let mut sum: Option<Expr> = None;
    for block in &row.blocks {
        let flow = reference(tree, *block, span);
        let ty = flow.ty.clone();
        let op = if block.outside { Arithmetic::Subtract } else { Arithmetic::Add };
        let kind = match sum {
            None if !block.outside => {
                sum = Some(flow);
                continue;
            }
            None => ExprKind::Negate(Box::new(flow)),
            Some(before) => ExprKind::Arithmetic(op, Box::new(before), Box::new(flow)),
        };
        sum = Some(Expr { kind, ty, span });
    }
    let sum = sum.expect("a set has an element");
    let nothing = zero(&sum.ty, span);
    Equation { kind: EquationKind::Equal(sum, nothing), component, span }
}

/// Origin of an equation: the connection, or for an unconnected connector its declaration.
fn place(tree: &Tree, connections: &[Connection], row: &BlockRow) -> (SmolStr, Span) {
    match row.origin {
        Some(origin) => origin_of(connections, origin),
        None => {
            let component = tree.component_of(row.blocks[0].variable);
            let connector = tree.connector_around(component).unwrap_or(component);
            (unconnected_in(tree, connector), tree.component(connector).span)
        }
    }
}

/// The component in which a connector could have been connected: around the one it belongs to, or that one if nobody sees
/// it from outside.
fn unconnected_in(tree: &Tree, connector: ComponentId) -> SmolStr {
    match tree.component(connector).parent {
        Some(owner) if !tree.component(connector).is_protected => tree.parent_name(owner),
        _ => tree.parent_name(connector),
    }
}

/// The component that a connection is written in, and its place in the text.
pub(crate) fn origin_of(connections: &[Connection], origin: Origin) -> (SmolStr, Span) {
    (connections[origin].component.clone(), connections[origin].span)
}

/// A set has one source and no more: an output inside or an input outside (MLS §9.3). Members of expandable connectors and
/// protected connectors pass on what they are given, in either direction.
fn check_sources(
    tree: &Tree,
    connections: &[Connection],
    set: &[(Element, Option<Origin>)],
) -> Option<Mistake> {
    let mut sources = Vec::new();
    let (mut passed_on, mut is_causal) = (false, false);
    for (element, _) in set {
        let component = tree.component_of(element.variable);
        if tree.is_in_expandable(component) {
            passed_on = true;
            continue;
        }
        is_causal |= tree.causality(component).is_some();
        let connector = tree.connector_around(component).unwrap_or(component);
        let source = match (tree.causality(component), element.outside) {
            (Some(Causality::Output), false) => "the output",
            (Some(Causality::Input), true) if !tree.component(connector).is_protected => {
                "the input of the model around"
            }
            _ => {
                passed_on |= element.outside && tree.component(connector).is_protected;
                continue;
            }
        };
        let name = tree.variable(element.variable).name.element(&indices(tree, *element)).into();
        sources.push((name, source, tree.component(component).span));
    }
    let (last, origin) = set.last()?;
    let (_, span) = origin_of(connections, (*origin)?);
    match sources.len() {
        0 if is_causal && !passed_on => {
            let name = tree.variable(last.variable).name.element(&indices(tree, *last)).into();
            Some(Mistake::NoSource { name, span })
        }
        0 | 1 => None,
        _ => Some(Mistake::Causality { sources, span }),
    }
}

/// A set of inputs and outputs needs a source, unless a protected or expandable connector may bring it (MLS §9.3).
fn check_has_source(
    tree: &Tree,
    connections: &[Connection],
    set: &[(Element, Option<Origin>)],
) -> Option<Mistake> {
    let only_takes = |(element, _): &(Element, Option<Origin>)| {
        let component = tree.component_of(element.variable);
        let connector = tree.connector_around(component).unwrap_or(component);
        let may_bring =
            tree.is_in_expandable(component) || (element.outside && tree.component(connector).is_protected);
        let is_bound = tree.variable(element.variable).binding.is_some();
        !may_bring
            && !is_bound
            && match tree.causality(component) {
                Some(Causality::Input) => !element.outside,
                Some(Causality::Output) => element.outside,
                None => false,
            }
    };
    let (last, origin) = set.last().filter(|_| set.len() > 1 && set.iter().all(only_takes))?;
    let (_, span) = origin_of(connections, (*origin)?);
    let name = tree.variable(last.variable).name.element(&indices(tree, *last)).into();
    Some(Mistake::NoSource { name, span })
}

/// A protected connector must be connected with one that gives a signal its direction: a connector inside, or a declared
/// public one outside. New members of expandable connectors do not (MLS §9.3).
fn check_protected(
    tree: &Tree,
    connections: &[Connection],
    set: &[(Element, Option<Origin>)],
) -> Option<Mistake> {
    let added = set.iter().find(|(element, _)| tree.is_added(tree.component_of(element.variable)))?;
    let only_protected = set.iter().all(|(element, _)| {
        let component = tree.component_of(element.variable);
        let connector = tree.connector_around(component).unwrap_or(component);
        tree.is_added(component) || (element.outside && tree.component(connector).is_protected)
    });
    let has_protected = set.iter().any(|(element, _)| !tree.is_added(tree.component_of(element.variable)));
    if !only_protected || !has_protected {
        return None;
    }
    let (element, origin) = added;
    let (_, span) = origin_of(connections, (*origin)?);
    let name = tree.variable(element.variable).name.element(&indices(tree, *element)).into();
    Some(Mistake::ProtectedWithNew { name, span })
}

/// Connected variables have the same `quantity`, if both declare one (MLS §9.3).
fn check_quantities(
    tree: &Tree,
    connections: &[Connection],
    set: &[(Element, Option<Origin>)],
) -> Option<Mistake> {
    let quantity = |v: VarId| tree.variable(v).attributes.quantity.as_ref().filter(|text| !text.is_empty());
    let mut known =
        set.iter().filter_map(|(element, origin)| Some((element, origin, quantity(element.variable)?)));
    let (first, _, is) = known.next()?;
    let (other, origin, other_is) = known.find(|(_, _, other)| *other != is)?;
    let (_, span) = origin_of(connections, (*origin)?);
    let named = |v: VarId, quantity: &SmolStr| (tree.variable(v).name.to_string(), quantity.to_string());
    Some(Mistake::Quantities {
        left: named(first.variable, is),
        right: named(other.variable, other_is),
        span,
    })
}

/// The indices of an element, from one.
pub(crate) fn indices(tree: &Tree, element: Element) -> Vec<usize> {
    let sizes = tree.variable(element.variable).ty.known_sizes().unwrap_or_default();
    let mut indices = vec![0; sizes.len()];
    let mut rest = element.offset;
    for d in (0..sizes.len()).rev() {
        indices[d] = rest % sizes[d] + 1;
        rest /= sizes[d];
    }
    indices
}

/// Elements of a member of an expandable connector that are not there while others are: they have the default value.
fn absent_elements(tree: &Tree, connected: &mut Connected) -> Vec<Equation> {
    let mut equations = Vec::new();
    for (i, variable) in tree.variables.iter().enumerate() {
        let v = VarId(i as u32);
        let component = tree.component_of(v);
        if !tree.is_in_expandable(component) {
            continue;
        }
        let count = tree.count(component);
        let absent: Vec<usize> =
            (0..count).filter(|offset| !connected.presence.is_present(tree, v, *offset)).collect();
        if absent.len() == count {
            continue;
        }
        for offset in absent {
            let e = element(tree, Element { variable: v, offset, outside: false }, variable.span);
            let nothing = zero(&e.ty, variable.span);
            let component = tree.parent_name(component);
            equations.push(Equation {
                kind: EquationKind::Equal(e, nothing),
                component,
                span: variable.span,
            });
        }
    }
    equations
}
