//! Expandable connectors grow by their connections (MLS §9.1.3).
//!
//! A name that nobody declared becomes a member with the type of the other side; connected expandable connectors come to
//! have the members of both. This is repeated until nothing changes.

use rhei_flat::{Attributes, Expr, ExprKind, Name, NamePart, Size, Subscript, Type, Variable};
use rhei_semantics::{Component, ComponentId, Connection, Connector};
use smol_str::SmolStr;

use crate::mistake::Mistake;
use crate::sides::{is_present, named, written_name};
use crate::tree::Tree;

/// Expandable connectors nest no deeper: beyond that they contain themselves.
const DEEPEST_NESTING: usize = 50;

/// Adds all members that follow from the connections.
pub(crate) fn expand_connectors(tree: &mut Tree, connections: &[Connection], mistakes: &mut Vec<Mistake>) {
    let about_expandable: Vec<&Connection> = connections
        .iter()
        .filter(|connection| is_present(connection))
        .filter(|connection| {
            let sides = [&connection.left, &connection.right];
            sides.iter().any(|side| !side.undeclared.is_empty() || tree.is_expandable(side.component))
        })
        .collect();
    let mut growing = true;
    while growing {
        growing = false;
        for connection in &about_expandable {
            match grow(tree, connection) {
                Ok(grown) => growing |= grown,
                Err(mistake) => {
                    mistakes.push(mistake);
                    return;
                }
            }
        }
    }
    for connection in about_expandable {
        let (left, right) = (&connection.left, &connection.right);
        if named(tree, left).is_none() || named(tree, right).is_none() {
            let (left, right) = (written_name(tree, left), written_name(tree, right));
            mistakes.push(Mistake::Undeclared { left, right, span: connection.span });
        }
    }
}

/// Whether a connection added something.
fn grow(tree: &mut Tree, connection: &Connection) -> Result<bool, Mistake> {
    let (left, right) = (&connection.left, &connection.right);
    match (named(tree, left), named(tree, right)) {
        (Some(a), Some(b)) if tree.is_expandable(a) && tree.is_expandable(b) => {
            let grown = [unite(tree, a, b, connection)?, unite(tree, b, a, connection)?];
            Ok(grown.contains(&true))
        }
        (Some(_), Some(_)) | (None, None) => Ok(false),
        (Some(source), None) => Ok(add_undeclared(tree, right, left, source)),
        (None, Some(source)) => Ok(add_undeclared(tree, left, right, source)),
    }
}

/// Gives `to` the members that only `from` has.
fn unite(
    tree: &mut Tree,
    from: ComponentId,
    to: ComponentId,
    connection: &Connection,
) -> Result<bool, Mistake> {
    if tree.path(to).len() > DEEPEST_NESTING {
        let top = tree.path(to)[0];
        return Err(Mistake::EndlessExpansion { name: tree.name(top), span: connection.span });
    }
    let mut grown = false;
    for part in tree.component(from).parts.clone() {
        let name = tree.component(part).name.clone();
        match tree.part(to, &name) {
            Some(same) if tree.is_expandable(part) && tree.is_expandable(same) => {
                grown |= unite(tree, part, same, connection)?;
            }
            Some(_) => {}
            None => {
                let sizes = tree.component(part).sizes.clone();
                copy(tree, part, to, name, sizes);
                grown = true;
            }
        }
    }
    Ok(grown)
}

/// Adds the last of the undeclared names of a side, if those before it are there by now.
fn add_undeclared(tree: &mut Tree, new: &Connector, declared: &Connector, source: ComponentId) -> bool {
    let Some((name, around)) = new.undeclared.split_last() else { return false };
    let mut parent = new.component;
    for name in around {
        match tree.part(parent, name) {
            Some(part) => parent = part,
            None => return false,
        }
    }
    let around = shape(tree, new, parent).len();
    let sizes = shape(tree, declared, source);
    copy(tree, source, parent, name.clone(), sizes[around.min(sizes.len())..].to_vec());
    true
}

/// The sizes of what a side names.
fn shape(tree: &Tree, written: &Connector, component: ComponentId) -> Vec<Size> {
    let full = tree.type_sizes(component);
    let of_dimension = |(d, size): (usize, &Size)| match written.subscripts.get(d) {
        None | Some(Subscript::Whole) => vec![*size],
        Some(Subscript::Index(e)) => e.ty.sizes.clone(),
    };
    full.iter().enumerate().flat_map(of_dimension).collect()
}

/// A component like `source`, as a part of `parent`.
fn copy(tree: &mut Tree, source: ComponentId, parent: ComponentId, name: SmolStr, sizes: Vec<Size>) {
    let original = tree.component(source).clone();
    let flowing = tree.flowing(source);
    let variable = original.variable;
    let id = tree.add(Component {
        name,
        parent: Some(parent),
        parts: Vec::new(),
        variable: None,
        sizes,
        flowing,
        causality: None,
        is_protected: false,
        ..original.clone()
    });
    if let Some(v) = variable {
        let variable = copied_variable(tree, id, &tree.variable(v).clone());
        tree.add_variable(id, variable);
    }
    for part in original.parts {
        let (name, sizes) = (tree.component(part).name.clone(), tree.component(part).sizes.clone());
        copy(tree, part, id, name, sizes);
    }
}

fn copied_variable(tree: &Tree, id: ComponentId, original: &Variable) -> Variable {
    let parts = tree.path(id).into_iter().map(|part| {
        let part = tree.component(part);
        NamePart { name: part.name.clone(), dimensions: part.sizes.len() }
    });
    // values that speak of other variables or of single elements belong to the original
    let literal = |e: &Option<Expr>| e.clone().filter(is_literal);
    let attributes = &original.attributes;
    Variable {
        name: Name { parts: parts.collect() },
        ty: Type::array(original.ty.scalar, tree.type_sizes(id)),
        causality: None,
        is_protected: false,
        structural: false,
        attributes: Attributes {
            start: literal(&attributes.start),
            min: literal(&attributes.min),
            max: literal(&attributes.max),
            nominal: literal(&attributes.nominal),
            fixed: None,
            state_select: None,
            ..attributes.clone()
        },
        binding: None,
        ..original.clone()
    }
}

fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Negate(inner) => is_literal(inner),
        ExprKind::Real(_) | ExprKind::Integer(_) | ExprKind::Boolean(_) | ExprKind::String(_) => true,
        ExprKind::Enumeration(..) => true,
        _ => false,
    }
}
