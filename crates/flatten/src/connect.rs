//! Connections element by element: loops turned, arrays taken apart, connectors matched part by part.
//!
//! In: the connections of an instance. Out: connection sets of all primitive parts, edges between overdetermined parts, how
//! often each connector is named, and the members of expandable connectors that are present.

use rhei_flat::{Causality, Iteration, Tables, VarId, Variability};
use rhei_instance::{ComponentId, ComponentKind, Connection, Flowing};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::connection_sets::{ConnectionSets, Element, Origin};
use crate::known_values::KnownValues;
use crate::match_connectors::{Pair, match_connectors};
use crate::mistake::Mistake;
use crate::outer_connections::OuterConnections;
use crate::parameter_assertions::ParameterPair;
use crate::presence::Presence;
use crate::sides::{Side, is_connector, is_present, named, side, written_name};
use crate::tree::Tree;

/// An overdetermined part of one element of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) component: ComponentId,
    /// The place among all elements of what it is part of, row by row.
    pub(crate) place: usize,
}

/// A connection of two overdetermined parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) ends: [Node; 2],
    pub(crate) outside: [bool; 2],
    pub(crate) origin: Origin,
}

/// The connection sets of an instance, and all else that its connections determine.
#[derive(Default)]
pub(crate) struct Connected {
    pub(crate) sets: ConnectionSets,
    pub(crate) edges: Vec<Edge>,
    /// How often a connector is named, by component and place.
    pub(crate) cardinality: FxHashMap<(ComponentId, usize), usize>,
    pub(crate) presence: Presence,
    pub(crate) parameters: Vec<ParameterPair>,
}

/// Takes all connections apart.
pub(crate) fn connect<'a>(
    tree: &'a Tree<'a>,
    tables: &'a Tables,
    values: &'a KnownValues<'a>,
    connections: &'a [Connection],
    mistakes: &mut Vec<Mistake>,
) -> Connected {
    let (connected, outer) = Default::default();
    let mut pass = Pass { tree, tables, values, connected, with_outer: with_outer(connections), outer };
    for (origin, connection) in connections.iter().enumerate().filter(|(_, c)| is_present(c)) {
        if let Err(mistake) = pass.connection(origin, connection)
            && !mistakes.contains(&mistake)
        {
            mistakes.push(mistake);
        }
    }
    pass.unconnected_flows();
    let mut connected = pass.connected;
    connected.sets.finish();
    connected
}

struct Pass<'a> {
    tree: &'a Tree<'a>,
    tables: &'a Tables,
    values: &'a KnownValues<'a>,
    connected: Connected,
    /// Components that name connectors of outer elements more than once.
    with_outer: FxHashSet<&'a str>,
    outer: OuterConnections,
}

fn with_outer(connections: &[Connection]) -> FxHashSet<&str> {
    let mut sides: FxHashMap<&str, usize> = FxHashMap::default();
    for connection in connections {
        let outer =
            [&connection.left, &connection.right].into_iter().filter(|side| side.through_outer).count();
        *sides.entry(&connection.component).or_default() += outer;
    }
    sides.into_iter().filter(|(_, count)| *count > 1).map(|(component, _)| component).collect()
}

impl Pass<'_> {
    fn connection(&mut self, origin: Origin, connection: &Connection) -> Result<(), Mistake> {
        let mut ends = Vec::new();
        for written in [&connection.left, &connection.right] {
            // undeclared members have been reported
            let Some(component) = named(self.tree, written) else { return Ok(()) };
            if !is_connector(self.tree, component) {
                let name = written_name(self.tree, written);
                return Err(Mistake::NotAConnector { name, span: written.span });
            }
            if self.tree.depth(self.tree.at(&connection.component), component) > 1 {
                let name = written_name(self.tree, written);
                return Err(Mistake::TooDeep { name, span: written.span });
            }
            ends.push(component);
        }
        let pairs = match_connectors(self.tree, self.tables, ends[0], ends[1], connection.span)?;
        self.turns(origin, connection, &connection.loops, [ends[0], ends[1]], &pairs)
    }

    /// Every turn of the loops around.
    fn turns(
        &mut self,
        origin: Origin,
        connection: &Connection,
        loops: &[Iteration],
        ends: [ComponentId; 2],
        pairs: &[Pair],
    ) -> Result<(), Mistake> {
        let Some((outer, inner)) = loops.split_first() else {
            return self.turn(origin, connection, ends, pairs);
        };
        for value in self.values.range(&outer.range)? {
            self.values.set_iterator(outer.iterator, value);
            self.turns(origin, connection, inner, ends, pairs)?;
        }
        self.values.forget_iterator(outer.iterator);
        Ok(())
    }

    fn turn(
        &mut self,
        origin: Origin,
        connection: &Connection,
        ends: [ComponentId; 2],
        pairs: &[Pair],
    ) -> Result<(), Mistake> {
        let owner = self.tree.at(&connection.component);
        let left = side(self.tree, self.values, &connection.left, owner, ends[0])?;
        let right = side(self.tree, self.values, &connection.right, owner, ends[1])?;
        if left.shape != right.shape {
            let why = format!("their sizes are {:?} and {:?}", left.shape, right.shape);
            let (left, right) = (self.tree.name(ends[0]), self.tree.name(ends[1]));
            return Err(Mistake::Mismatch { left, right, why, span: connection.span });
        }
        self.refuse_outer_pair(connection, &left, &right)?;
        for side in [&left, &right] {
            for &place in &side.places {
                *self.connected.cardinality.entry((side.connector, place)).or_default() += 1;
            }
        }
        for pair in pairs {
            if pair.overdetermined {
                self.connect_nodes(pair, &left, &right, origin);
            } else {
                self.connect_variables(pair, &left, &right, origin, connection)?;
            }
        }
        Ok(())
    }

    fn refuse_outer_pair(
        &mut self,
        connection: &Connection,
        left: &Side,
        right: &Side,
    ) -> Result<(), Mistake> {
        if !self.with_outer.contains(connection.component.as_str()) {
            return Ok(());
        }
        let owner = self.tree.at(&connection.component);
        for (&a, &b) in left.places.iter().zip(&right.places) {
            let left = Node { component: left.connector, place: a };
            let right = Node { component: right.connector, place: b };
            let ends = [(left, connection.left.through_outer), (right, connection.right.through_outer)];
            if let Some(outer) = self.outer.connect(owner, ends) {
                let [first, second] = outer.map(|node| self.tree.name(node.component));
                return Err(Mistake::OuterConnectors { first, second, span: connection.span });
            }
        }
        Ok(())
    }

    fn connect_nodes(&mut self, pair: &Pair, left: &Side, right: &Side, origin: Origin) {
        for (&a, &b) in left.places.iter().zip(&right.places) {
            for i in 0..pair.count {
                let node = |component, place| Node { component, place: place * pair.count + i };
                let ends = [node(pair.left, a), node(pair.right, b)];
                self.connected.edges.push(Edge { ends, outside: [left.outside, right.outside], origin });
            }
        }
    }

    fn connect_variables(
        &mut self,
        pair: &Pair,
        left: &Side,
        right: &Side,
        origin: Origin,
        connection: &Connection,
    ) -> Result<(), Mistake> {
        let tree = self.tree;
        let variable = |id: ComponentId| tree.component(id).variable.expect("a primitive part is a variable");
        let (v, w) = (variable(pair.left), variable(pair.right));
        if tree.variable(v).variability <= Variability::Parameter {
            self.compare(pair, (v, left), (w, right), connection)?;
            self.pair_parameters(pair, (v, left), (w, right), origin);
            return Ok(());
        }
        let whole = tree.is_expandable(left.connector) && tree.is_expandable(right.connector);
        let members = tree.is_in_expandable(pair.left) || tree.is_in_expandable(pair.right);
        for (&a, &b) in left.places.iter().zip(&right.places) {
            for i in 0..pair.count {
                let (a, b) = (a * pair.count + i, b * pair.count + i);
                let left = Element { variable: v, offset: a, outside: left.outside };
                let right = Element { variable: w, offset: b, outside: right.outside };
                self.connected.sets.connect(left, right, origin);
                if members {
                    self.connected.presence.connect((v, a), (w, b), whole, origin);
                    for element in [left, right] {
                        if !self.only_takes(element) {
                            self.connected.presence.add_source(element.variable, element.offset);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether an element takes a signal and never gives one: an input inside, or a member that passes it on.
    fn only_takes(&self, element: Element) -> bool {
        let component = self.tree.component_of(element.variable);
        if self.tree.is_in_expandable(component) {
            return true;
        }
        match self.tree.causality(component) {
            Some(Causality::Input) => !element.outside,
            Some(Causality::Output) => element.outside,
            None => false,
        }
    }

    /// Parameters in connectors are not connected: they must be the same (MLS §9.3).
    fn compare(
        &self,
        pair: &Pair,
        (v, left): (VarId, &Side),
        (w, right): (VarId, &Side),
        connection: &Connection,
    ) -> Result<(), Mistake> {
        let [a, b] = [v, w].map(|v| self.values.current_value(v, connection.span));
        let (Some(a), Some(b)) = (a, b) else { return Ok(()) };
        for (&p, &q) in left.places.iter().zip(&right.places) {
            for i in 0..pair.count {
                let values = (a.elements().get(p * pair.count + i), b.elements().get(q * pair.count + i));
                if matches!(values, (Some(a), Some(b)) if a != b) {
                    let [left, right] = [v, w].map(|v| self.tree.variable(v).name.to_string());
                    let why = "these parameters have different values".into();
                    return Err(Mistake::Mismatch { left, right, why, span: connection.span });
                }
            }
        }
        Ok(())
    }

    /// Parameters that can still be changed are compared when the run begins.
    fn pair_parameters(
        &mut self,
        pair: &Pair,
        (v, left): (VarId, &Side),
        (w, right): (VarId, &Side),
        origin: Origin,
    ) {
        for (&p, &q) in left.places.iter().zip(&right.places) {
            for i in 0..pair.count {
                let element =
                    |variable, place| Element { variable, offset: place * pair.count + i, outside: false };
                let (left, right) = (element(v, p), element(w, q));
                self.connected.parameters.push(ParameterPair { left, right, origin });
            }
        }
    }

    /// Flows that nothing is connected to are zero: each is a set of its own (MLS §9.2).
    fn unconnected_flows(&mut self) {
        let tree = self.tree;
        for (i, component) in tree.components.iter().enumerate() {
            let id = ComponentId(i as u32);
            let Some(variable) = component.variable else { continue };
            if tree.flowing(id) != Flowing::Flow || !in_connector(tree, id) {
                continue;
            }
            for offset in 0..tree.count(id) {
                self.connected.sets.add(Element { variable, offset, outside: false }, None);
                if tree.is_added(id) {
                    self.connected.sets.add(Element { variable, offset, outside: true }, None);
                }
            }
        }
    }
}

fn in_connector(tree: &Tree, id: ComponentId) -> bool {
    tree.outwards(id).any(|around| tree.component(around).kind != ComponentKind::Inside)
}
