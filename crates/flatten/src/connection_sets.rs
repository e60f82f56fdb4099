//! Connection sets (MLS §9.2): which elements of which variables are connected, each as seen from inside or outside.

use rhei_flat::VarId;
use rustc_hash::FxHashMap;

use crate::union_find::UnionFind;

/// One scalar of a variable of a connector, from one of the two sides of the connector's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Element {
    pub(crate) variable: VarId,
    /// Its place among all elements of the variable, row by row.
    pub(crate) offset: usize,
    /// Whether the connector is outside as seen from where the connection is written.
    pub(crate) outside: bool,
}

/// The number of a connection of the instance.
pub(crate) type Origin = usize;

/// Sets of elements; those of one set stay in the order they were first named.
#[derive(Default)]
pub(crate) struct ConnectionSets {
    numbers: FxHashMap<Element, usize>,
    elements: Vec<Element>,
    /// The connection that named an element first; none where it is in no connection.
    origins: Vec<Option<Origin>>,
    merged: UnionFind,
    /// By the number of the first element; filled by [`ConnectionSets::finish`].
    sets: Vec<Vec<usize>>,
}

impl ConnectionSets {
    /// The set of an element, one of its own if it is new.
    pub(crate) fn add(&mut self, element: Element, origin: Option<Origin>) -> usize {
        let (elements, origins, merged) = (&mut self.elements, &mut self.origins, &mut self.merged);
        *self.numbers.entry(element).or_insert_with(|| {
            elements.push(element);
            origins.push(origin);
            merged.add()
        })
    }

    pub(crate) fn connect(&mut self, a: Element, b: Element, origin: Origin) {
        let (a, b) = (self.add(a, Some(origin)), self.add(b, Some(origin)));
        self.merged.union(a, b);
    }

    /// To be called once all is connected.
    pub(crate) fn finish(&mut self) {
        self.sets = vec![Vec::new(); self.elements.len()];
        for number in 0..self.elements.len() {
            let first = self.merged.find(number);
            self.sets[first].push(number);
            self.merged.union(first, number);
        }
    }

    /// All sets, in the order of their first elements; each element with the connection that named it first.
    pub(crate) fn sets(&self) -> impl Iterator<Item = Vec<(Element, Option<Origin>)>> {
        let named = |number: &usize| (self.elements[*number], self.origins[*number]);
        self.sets.iter().filter(|set| !set.is_empty()).map(move |set| set.iter().map(named).collect())
    }

    /// All elements connected with this one, itself among them; nothing where it is in no connection.
    pub(crate) fn set_of(&mut self, element: Element) -> Vec<Element> {
        let Some(&number) = self.numbers.get(&element) else { return Vec::new() };
        let first = self.merged.find(number);
        self.sets[first].iter().map(|number| self.elements[*number]).collect()
    }
}
