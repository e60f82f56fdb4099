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
    numbers: Numbers,
    elements: Vec<Element>,
    /// The connection that named an element first; none where it is in no connection.
    origins: Vec<Option<Origin>>,
    merged: UnionFind,
    /// The numbers of all elements, set by set, in the order of the first of each; filled by [`ConnectionSets::finish`].
    members: Vec<u32>,
    /// By the number of an element: where the set that it is the first of begins and ends there.
    sets: Vec<(u32, u32)>,
}

/// Elements by number.
#[derive(Default)]
struct Numbers {
    /// The first elements of variables, from inside and outside, by variable: all there are where nothing is an array. Variables are
    /// met in the order of their declaration, and a hash would scatter them.
    first: [Vec<u32>; 2],
    others: FxHashMap<Element, u32>,
}

const NONE: u32 = u32::MAX;

impl Numbers {
    fn get(&self, element: Element) -> Option<usize> {
        let number = match element.offset {
            0 => self.first[usize::from(element.outside)].get(element.variable.index()).copied(),
            _ => self.others.get(&element).copied(),
        };
        number.filter(|&number| number != NONE).map(|number| number as usize)
    }

    fn insert(&mut self, element: Element, number: usize) {
        if element.offset > 0 {
            self.others.insert(element, number as u32);
            return;
        }
        let first = &mut self.first[usize::from(element.outside)];
        if first.len() <= element.variable.index() {
            first.resize(element.variable.index() + 1, NONE);
        }
        first[element.variable.index()] = number as u32;
    }
}

impl ConnectionSets {
    /// The set of an element, one of its own if it is new.
    pub(crate) fn add(&mut self, element: Element, origin: Option<Origin>) -> usize {
        self.numbers.get(element).unwrap_or_else(|| {
            self.elements.push(element);
            self.origins.push(origin);
            let number = self.merged.add();
            self.numbers.insert(element, number);
            number
        })
    }

    pub(crate) fn connect(&mut self, a: Element, b: Element, origin: Origin) {
        let (a, b) = (self.add(a, Some(origin)), self.add(b, Some(origin)));
        self.merged.union(a, b);
    }

    /// To be called once all is connected.
    pub(crate) fn finish(&mut self) {
        let n = self.elements.len();
        self.sets = vec![(0, 0); n];
        for number in 0..n {
            self.sets[self.merged.find(number)].1 += 1;
        }
        let mut begin = 0;
        for (from, to) in &mut self.sets {
            begin += std::mem::replace(to, begin);
            *from = *to;
        }
        self.members = vec![0; n];
        for number in 0..n {
            let end = &mut self.sets[self.merged.find(number)].1;
            self.members[*end as usize] = number as u32;
            *end += 1;
        }
    }

    /// All sets, in the order of their first elements; each element with the connection that named it first.
    pub(crate) fn sets(&self) -> impl Iterator<Item = Vec<(Element, Option<Origin>)>> {
        let named = |number: usize| (self.elements[number], self.origins[number]);
        let sets = (0..self.sets.len()).filter(|&first| self.sets[first].0 < self.sets[first].1);
        sets.map(move |first| self.members(first).map(named).collect())
    }

    /// All elements connected with this one, itself among them; nothing where it is in no connection.
    pub(crate) fn set_of(&mut self, element: Element) -> Vec<Element> {
        let Some(number) = self.numbers.get(element) else { return Vec::new() };
        let first = self.merged.find(number);
        self.members(first).map(|number| self.elements[number]).collect()
    }

    /// The numbers of the elements of a set, by its first.
    fn members(&self, first: usize) -> impl Iterator<Item = usize> {
        let (from, to) = self.sets[first];
        self.members[from as usize..to as usize].iter().map(|&number| number as usize)
    }
}
