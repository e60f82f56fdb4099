//! A map from many expressions to small numbers.
//!
//! While entries are few beside the pool, they are hashed; once they are a good part of it, they stand in an array by id. Passes
//! go through a model from its beginning to its end, and neighbours in the array are neighbours in the model. A hash would send
//! each of them to another end of the memory.

use rustc_hash::FxHashMap;

use crate::ExprId;

/// A number below `u32::MAX` for expressions that have one.
#[derive(Clone, Debug, Default)]
pub struct ByExpression {
    hashed: FxHashMap<ExprId, u32>,
    /// By id; empty as long as they are hashed.
    array: Vec<u32>,
    /// The largest id so far.
    largest: u32,
}

const NONE: u32 = u32::MAX;
/// Number of entries up to which they are always hashed.
const FEW: usize = 64;
/// The array is made once this share of it (the inverse) would be used: its cost is then that of its content.
const SHARE: usize = 16;

impl ByExpression {
    /// The number of an expression.
    pub fn get(&self, e: ExprId) -> Option<u32> {
        if self.array.is_empty() {
            return self.hashed.get(&e).copied();
        }
        self.array.get(e.0 as usize).copied().filter(|&value| value != NONE)
    }

    /// Sets the number of an expression.
    pub fn insert(&mut self, e: ExprId, value: u32) {
        debug_assert_ne!(value, NONE);
        self.largest = self.largest.max(e.0);
        if self.array.is_empty() {
            self.hashed.insert(e, value);
            if self.hashed.len() > FEW && self.hashed.len() * SHARE > self.largest as usize {
                self.array = vec![NONE; self.largest as usize + 1];
                self.hashed.drain().for_each(|(e, value)| self.array[e.0 as usize] = value);
            }
            return;
        }
        let place = e.0 as usize;
        if place >= self.array.len() {
            self.array.resize(place + 1, NONE);
        }
        self.array[place] = value;
    }

    /// Removes the number of an expression.
    pub fn remove(&mut self, e: ExprId) {
        if self.array.is_empty() {
            self.hashed.remove(&e);
        } else if let Some(place) = self.array.get_mut(e.0 as usize) {
            *place = NONE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Few beside the largest id, and then many: both ways agree.
    #[test]
    fn what_was_given_is_there_hashed_or_not() {
        let mut map = ByExpression::default();
        map.insert(ExprId(5_000), 7);
        for i in 0..1_000 {
            map.insert(ExprId(2 * i), i);
            assert_eq!(map.get(ExprId(i + 1)), (i % 2 == 1).then_some(i.div_ceil(2)));
            assert_eq!(map.get(ExprId(5_000)), Some(7));
        }
        assert!(!map.array.is_empty() && map.hashed.is_empty());
        map.insert(ExprId(9_000), 1);
        map.remove(ExprId(9_000));
        map.remove(ExprId(20_000));
        assert_eq!((map.get(ExprId(9_000)), map.get(ExprId(998))), (None, Some(499)));
    }
}
