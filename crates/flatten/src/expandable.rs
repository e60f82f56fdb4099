//! Expandable connectors grow by their connections (MLS §9.1.3).
//!
//! A name that nobody declared becomes a member with the type of the other side, an array where elements of it are named;
//! connected expandable connectors come to have the members of both. This is repeated until nothing changes.

use rhei_flat::{Attributes, Expr, ExprKind, Name, NamePart, Size, Subscript, Type, Variable};
use rhei_instance::{Component, ComponentId, Connection, Connector};
use smol_str::SmolStr;

use crate::known_values::KnownValues;
use crate::member_sizes::{Wanted, enlarge, wanted_sizes};
use crate::mistake::Mistake;
use crate::sides::{is_present, named, subscripts, written_name};
use crate::tree::Tree;

/// Expandable connectors nest no deeper: beyond that they contain themselves.
const DEEPEST_NESTING: usize = 50;

/// Adds all members that follow from the connections.
pub(crate) fn expand_connectors(
    tree: &mut Tree,
    values: &KnownValues<'_>,
    connections: &[Connection],
    mistakes: &mut Vec<Mistake>,
) {
    let about_expandable: Vec<&Connection> = connections
        .iter()
        .filter(|connection| is_present(connection))
        .filter(|connection| {
            let is_about = |side: &Connector| {
                !side.undeclared.is_empty()
                    || tree.is_expandable(side.component)
                    || tree.is_in_expandable(side.component)
            };
            [&connection.left, &connection.right].into_iter().any(is_about)
        })
        .collect();
    let wanted: Result<Vec<(&Connection, [Wanted; 2])>, Mistake> = about_expandable
        .iter()
        .map(|connection| Ok((*connection, wanted_sizes(values, connection)?)))
        .collect();
    let grown = wanted.and_then(|mut wanted| {
        // members that one connection names element by element have no size, whatever another one says
        wanted.sort_by_key(|(connection, _)| !names_new_elements(connection));
        grow_all(tree, &wanted)
    });
    if let Err(mistake) = grown {
        mistakes.push(mistake);
        return;
    }
    for connection in about_expandable {
        mistakes.extend(still_undeclared(tree, connection));
    }
}

fn names_new_elements(connection: &Connection) -> bool {
    let sides = [&connection.left, &connection.right];
    sides.iter().any(|side| side.undeclared.iter().any(|member| !member.subscripts.is_empty()))
}

/// Repeats all connections until nothing grows. Members named in connections come before those that one connector brings
/// into another.
fn grow_all(tree: &mut Tree, wanted: &[(&Connection, [Wanted; 2])]) -> Result<(), Mistake> {
    loop {
        let mut grown = false;
        for (connection, wanted) in wanted {
            grown |= name_members(tree, connection, wanted);
        }
        if grown {
            continue;
        }
        for (connection, _) in wanted {
            if let (Some(a), Some(b)) = (named(tree, &connection.left), named(tree, &connection.right))
                && tree.is_expandable(a)
                && tree.is_expandable(b)
            {
                grown |= unite(tree, a, b, connection)?;
                grown |= unite(tree, b, a, connection)?;
            }
        }
        if !grown {
            return Ok(());
        }
    }
}

/// Whether a connection added a member or enlarged one.
fn name_members(tree: &mut Tree, connection: &Connection, wanted: &[Wanted; 2]) -> bool {
    let (left, right) = (&connection.left, &connection.right);
    let grown = enlarge(tree, left, &wanted[0]) | enlarge(tree, right, &wanted[1]);
    match (named(tree, left), named(tree, right)) {
        (Some(_), Some(_)) | (None, None) => grown,
        (Some(source), None) => add_undeclared(tree, (right, &wanted[1]), left, source) || grown,
        (None, Some(source)) => add_undeclared(tree, (left, &wanted[0]), right, source) || grown,
    }
}

/// The error for a member of a connection to which no declaration gives a type.
fn still_undeclared(tree: &Tree, connection: &Connection) -> Option<Mistake> {
    let (left, right) = (&connection.left, &connection.right);
    let span = connection.span;
    let side = match (named(tree, left), named(tree, right)) {
        (Some(_), Some(_)) => return None,
        (None, None) => {
            let (left, right) = (written_name(tree, left), written_name(tree, right));
            return Some(Mistake::Undeclared { left, right, span });
        }
        (None, Some(_)) => left,
        (Some(_), None) => right,
    };
    let mut around = side.component;
    let mut name = tree.name(around);
    for member in &side.undeclared {
        name = format!("{name}.{}", member.name);
        match tree.part(around, &member.name) {
            Some(part) => around = part,
            None => break,
        }
    }
    Some(Mistake::UndeclaredAround { member: written_name(tree, side), around: name, span: side.span })
}

/// Gives `to` the members that only `from` has, and makes those without a size as large as there.
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
            Some(same) => {
                let sizes = tree.sizes(part);
                grown |= tree.enlarge(same, &sizes);
                if tree.is_expandable(part) && tree.is_expandable(same) {
                    grown |= unite(tree, part, same, connection)?;
                }
            }
            None => {
                let sizes = tree.component(part).sizes.clone();
                let sizeless = (0..sizes.len()).map(|d| tree.is_sizeless(part, d)).collect();
                let added = copy(tree, part, to, name, sizes);
                tree.set_sizeless(added, sizeless);
                grown = true;
            }
        }
    }
    Ok(grown)
}

/// Adds the last of the undeclared members of a side, if those before it are there by now.
fn add_undeclared(
    tree: &mut Tree,
    (new, wanted): (&Connector, &Wanted),
    declared: &Connector,
    source: ComponentId,
) -> bool {
    let (Some((member, around)), Some(wanted)) = (new.undeclared.split_last(), wanted.members.last()) else {
        return false;
    };
    let mut parent = new.component;
    for member in around {
        match tree.part(parent, &member.name) {
            Some(part) => parent = part,
            None => return false,
        }
    }
    // dimensions that subscripts leave open are those of the other side
    let open_around = shape(tree, new, parent).len();
    let is_open = |subscript: &&Subscript| !matches!(subscript, Subscript::Index(e) if e.ty.is_scalar());
    let open = open_around + member.subscripts.iter().filter(is_open).count();
    let of_source = shape(tree, declared, source);
    let mut sizes: Vec<Size> = wanted.iter().map(|size| Size::Known(*size)).collect();
    sizes.extend(&of_source[open.min(of_source.len())..]);
    let sizeless = (0..sizes.len()).map(|d| d < wanted.len()).collect();
    let added = copy(tree, source, parent, member.name.clone(), sizes);
    tree.set_sizeless(added, sizeless);
    true
}

/// The sizes of the component that a side names.
fn shape(tree: &Tree, written: &Connector, component: ComponentId) -> Vec<Size> {
    let full = tree.type_sizes(component);
    let subscripts = subscripts(tree, written);
    let of_dimension = |(d, size): (usize, &Size)| match subscripts.get(d) {
        None | Some(Subscript::Whole) => vec![*size],
        Some(Subscript::Index(e)) => e.ty.sizes.clone(),
    };
    full.iter().enumerate().flat_map(of_dimension).collect()
}

/// A component like `source`, as a part of `parent`.
fn copy(
    tree: &mut Tree,
    source: ComponentId,
    parent: ComponentId,
    name: SmolStr,
    sizes: Vec<Size>,
) -> ComponentId {
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
    id
}

fn copied_variable(tree: &Tree, id: ComponentId, original: &Variable) -> Variable {
    let parts = tree.path(id).into_iter().map(|part| {
        let part = tree.component(part);
        NamePart { name: part.name.clone(), dimensions: part.sizes.len() }
    });
    // values that hold other variables or single elements belong to the original
    let literal = |e: &Option<Expr>| e.clone().filter(is_literal);
    let attributes = &original.attributes;
    Variable {
        name: Name { parts: parts.collect() },
        ty: Type::array(original.ty.scalar, tree.type_sizes(id)),
        causality: None,
        is_protected: false,
        is_final: false,
        structural: false,
        attributes: Attributes {
            start: literal(&attributes.start),
            min: literal(&attributes.min),
            max: literal(&attributes.max),
            nominal: literal(&attributes.nominal),
            fixed: None,
            state_select: None,
            ..(**attributes).clone()
        }
        .shared(),
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
