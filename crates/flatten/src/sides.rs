//! One side of a connection: the connector it names, and which elements of it.

use rhei_evaluate::Value;
use rhei_flat::Subscript;
use rhei_instance::{ComponentId, ComponentKind, Connection, Connector};

use crate::known_values::KnownValues;
use crate::mistake::Mistake;
use crate::tree::Tree;

/// The model itself: stands where a component is absent because its condition is false.
pub(crate) const ABSENT: ComponentId = ComponentId(0);

/// Some elements of a connector.
pub(crate) struct Side {
    pub(crate) connector: ComponentId,
    /// Their places among all elements of the connector, row by row.
    pub(crate) places: Vec<usize>,
    /// The sizes of the array they make up; none for a single one.
    pub(crate) shape: Vec<usize>,
    pub(crate) outside: bool,
}

/// Whether both sides are present: connections with absent components are removed (MLS §4.8).
pub(crate) fn is_present(connection: &Connection) -> bool {
    connection.left.component != ABSENT && connection.right.component != ABSENT
}

/// The component that a side names, members of expandable connectors included.
pub(crate) fn named(tree: &Tree, written: &Connector) -> Option<ComponentId> {
    let mut component = written.component;
    for member in &written.undeclared {
        component = tree.part(component, &member.name)?;
    }
    Some(component)
}

/// The subscripts of a side, one for each dimension of its component and of those around.
pub(crate) fn subscripts(tree: &Tree, written: &Connector) -> Vec<Subscript> {
    let mut component = written.component;
    let mut subscripts = written.subscripts.clone();
    subscripts.resize(tree.full_sizes(component).len(), Subscript::Whole);
    for member in &written.undeclared {
        let Some(part) = tree.part(component, &member.name) else { break };
        component = part;
        let before = subscripts.len();
        subscripts.extend(member.subscripts.iter().cloned());
        subscripts.resize(before + tree.component(part).sizes.len(), Subscript::Whole);
    }
    subscripts
}

/// How a side is called in messages.
pub(crate) fn written_name(tree: &Tree, written: &Connector) -> String {
    let mut name = tree.name(written.component);
    for member in &written.undeclared {
        name = format!("{name}.{}", member.name);
    }
    name
}

/// Everything in an expandable connector is a connector (MLS §9.1.3).
pub(crate) fn is_connector(tree: &Tree, component: ComponentId) -> bool {
    tree.component(component).kind != ComponentKind::Inside || tree.is_in_expandable(component)
}

/// The elements a side names with the iterators at their values now.
pub(crate) fn side(
    tree: &Tree,
    values: &KnownValues<'_>,
    written: &Connector,
    owner: ComponentId,
    connector: ComponentId,
) -> Result<Side, Mistake> {
    check_members(tree, written)?;
    let sizes = tree.full_sizes(connector);
    let subscripts = subscripts(tree, written);
    let mut places = vec![0];
    let mut shape = Vec::new();
    for (d, &size) in sizes.iter().enumerate() {
        let indices: Vec<usize> = match subscripts.get(d) {
            None | Some(Subscript::Whole) => {
                shape.push(size);
                (0..size).collect()
            }
            Some(Subscript::Index(e)) => {
                let value = values.value(e)?;
                if !e.ty.is_scalar() {
                    shape.extend(value.sizes());
                }
                let index = |value: &Value| {
                    index(value, size).ok_or_else(|| out_of_bounds(tree, connector, value, size, e.span))
                };
                value.elements().iter().map(index).collect::<Result<_, _>>()?
            }
        };
        places = places.iter().flat_map(|place| indices.iter().map(move |i| place * size + i)).collect();
    }
    Ok(Side { connector, places, shape, outside: tree.is_outside(owner, connector) })
}

/// Members added by connections have as many dimensions as they have subscripts. Those whose sizes follow only from
/// connections to their elements are not connected as a whole (MLS §9.1.3).
fn check_members(tree: &Tree, written: &Connector) -> Result<(), Mistake> {
    let (mut component, span) = (written.component, written.span);
    for member in &written.undeclared {
        let Some(part) = tree.part(component, &member.name) else { break };
        component = part;
        let (dimensions, found) = (tree.component(part).sizes.len(), member.subscripts.len());
        let name = tree.name(part);
        if found > dimensions {
            return Err(Mistake::MemberDimensions { name, dimensions, found, span });
        }
        if (found..dimensions).any(|d| tree.is_sizeless(part, d)) {
            return Err(Mistake::SizelessMember { name, span });
        }
    }
    Ok(())
}

fn out_of_bounds(
    tree: &Tree,
    connector: ComponentId,
    value: &Value,
    size: usize,
    span: rhei_source::Span,
) -> Mistake {
    let subscript = number(value).unwrap_or_default();
    Mistake::SubscriptOutOfBounds { array: tree.name(connector), subscript, size, span }
}

/// A subscript as an index from zero, if it is inside.
pub(crate) fn index(value: &Value, size: usize) -> Option<usize> {
    let index = usize::try_from(number(value)? - 1).ok()?;
    (index < size).then_some(index)
}

/// Subscripts are whole numbers, truth values or enumeration literals (MLS §10.5).
pub(crate) fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(i) => Some(*i),
        Value::Boolean(b) => Some(i64::from(*b) + 1),
        Value::Enumeration(_, number) => Some(i64::from(*number)),
        _ => None,
    }
}
