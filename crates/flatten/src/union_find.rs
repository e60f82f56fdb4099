//! Sets that only ever merge (Tarjan 1975).

/// Numbers from zero in disjoint sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnionFind {
    parents: Vec<usize>,
}

impl UnionFind {
    /// A set of its own for a new number.
    pub(crate) fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    /// The smallest number of the set: the same for all of its members.
    pub(crate) fn find(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }

    /// Makes two sets one; whether they were two.
    pub(crate) fn union(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        // the smaller number leads, so that order does not depend on the way sets were merged
        self.parents[a.max(b)] = a.min(b);
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_sets_stay_merged() {
        let mut sets = UnionFind::default();
        (0..5).for_each(|_| _ = sets.add());
        assert!(sets.union(4, 2));
        assert!(sets.union(2, 1));
        assert!(!sets.union(1, 4));
        assert_eq!([0, 1, 2, 3, 4].map(|n| sets.find(n)), [0, 1, 1, 3, 1]);
    }
}
