//! Sizes that connections require of members of expandable connectors: `connect(bus.x[3], y)` needs a third element
//! (MLS §9.1.3).

use rhei_evaluate::Value;
use rhei_flat::{Iteration, Subscript};
use rhei_instance::{ComponentId, Connection, Connector};

use crate::known_values::KnownValues;
use crate::mistake::Mistake;
use crate::sides::number;
use crate::tree::Tree;

/// A subscript that is larger makes an array that nobody wants.
const LARGEST_SUBSCRIPT: usize = 100_000;

/// The largest subscripts of one side, over all turns of the loops around.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Over all dimensions of the declared component and around it.
    declared: Vec<usize>,
    /// Of each undeclared member.
    pub(crate) members: Vec<Vec<usize>>,
}

/// Sizes required by the two sides of a connection.
pub(crate) fn wanted_sizes(
    values: &KnownValues<'_>,
    connection: &Connection,
) -> Result<[Wanted; 2], Mistake> {
    let mut wanted = [&connection.left, &connection.right].map(|side| Wanted {
        declared: vec![0; side.subscripts.len()],
        members: side.undeclared.iter().map(|member| vec![0; member.subscripts.len()]).collect(),
    });
    turns(values, connection, &connection.loops, &mut wanted)?;
    Ok(wanted)
}

fn turns(
    values: &KnownValues<'_>,
    connection: &Connection,
    loops: &[Iteration],
    wanted: &mut [Wanted; 2],
) -> Result<(), Mistake> {
    if let Some((outer, inner)) = loops.split_first() {
        for value in values.range(&outer.range)? {
            values.set_iterator(outer.iterator, value);
            turns(values, connection, inner, wanted)?;
        }
        values.forget_iterator(outer.iterator);
        return Ok(());
    }
    for (side, wanted) in [&connection.left, &connection.right].into_iter().zip(wanted) {
        largest(values, side, &side.subscripts, &mut wanted.declared)?;
        for (member, wanted) in side.undeclared.iter().zip(&mut wanted.members) {
            largest(values, side, &member.subscripts, wanted)?;
        }
    }
    Ok(())
}

fn largest(
    values: &KnownValues<'_>,
    side: &Connector,
    subscripts: &[Subscript],
    wanted: &mut [usize],
) -> Result<(), Mistake> {
    for (subscript, wanted) in subscripts.iter().zip(wanted) {
        let Subscript::Index(e) = subscript else { continue };
        for index in values.value(e)?.elements().iter().filter_map(number as fn(&Value) -> Option<i64>) {
            let index = usize::try_from(index).unwrap_or(0);
            if index > LARGEST_SUBSCRIPT {
                let most = LARGEST_SUBSCRIPT;
                return Err(Mistake::TooManyElements { most, span: e.span.cover(side.span) });
            }
            *wanted = index.max(*wanted);
        }
    }
    Ok(())
}

/// Enlarges the members of a side to the required sizes; whether something grew.
pub(crate) fn enlarge(tree: &mut Tree, side: &Connector, wanted: &Wanted) -> bool {
    let mut grown = false;
    let mut dimension = 0;
    for component in tree.path(side.component) {
        let own = tree.component(component).sizes.len();
        let here: Vec<usize> = wanted.declared.iter().skip(dimension).take(own).copied().collect();
        grown |= tree.enlarge(component, &here);
        dimension += own;
    }
    let mut component: ComponentId = side.component;
    for (member, wanted) in side.undeclared.iter().zip(&wanted.members) {
        let Some(part) = tree.part(component, &member.name) else { break };
        component = part;
        grown |= tree.enlarge(component, wanted);
    }
    grown
}
