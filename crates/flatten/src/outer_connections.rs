//! Connections never tie two connectors of `outer` elements together, neither directly nor by way of others (MLS §9.3):
//! where the inner ones are, it may be said a second time.

use rhei_instance::ComponentId;
use rustc_hash::FxHashMap;

use crate::connect::Node;
use crate::union_find::UnionFind;

/// The connectors that the connections of each component tie together, element by element.
#[derive(Default)]
pub(crate) struct OuterConnections {
    numbers: FxHashMap<(ComponentId, Node), usize>,
    merged: UnionFind,
    /// By the number of a set: the connector of an outer element in it.
    outer: Vec<Option<Node>>,
}

impl OuterConnections {
    /// Ties two elements together in a component, each with whether it belongs to an outer one; two different outer
    /// ones that come together.
    pub(crate) fn connect(&mut self, owner: ComponentId, ends: [(Node, bool); 2]) -> Option<[Node; 2]> {
        let [a, b] = ends.map(|(node, is_outer)| self.set(owner, node, is_outer));
        let outer = [self.outer[a], self.outer[b]];
        self.merged.union(a, b);
        let set = self.merged.find(a);
        self.outer[set] = outer[0].or(outer[1]);
        match outer {
            [Some(first), Some(second)] if a != b && first != second => Some([first, second]),
            _ => None,
        }
    }

    /// The number of the set that an element is in.
    fn set(&mut self, owner: ComponentId, node: Node, is_outer: bool) -> usize {
        let (merged, outer) = (&mut self.merged, &mut self.outer);
        let number = *self.numbers.entry((owner, node)).or_insert_with(|| {
            outer.push(is_outer.then_some(node));
            merged.add()
        });
        self.merged.find(number)
    }
}
