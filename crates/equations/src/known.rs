//! The index of expressions by operation (hash-consing).
//!
//! An operation is found from the last of its operands, which is mostly a recent one: each expression heads a short list of those
//! that it is the last operand of. Models are built from their beginning to their end, so that lookups touch adjacent memory; a
//! hash of everything would send each lookup to another end of the memory, and cost a large model more than a small one.
//! Operations without operands, and those beyond a short list, are hashed.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::{ExprId, Node, VarId};

/// The expressions of a pool by operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct NodeIndex {
    /// By expression: the newest of those that it is the last operand of.
    first: Vec<u32>,
    /// By expression: the next in the list that it is in.
    next: Vec<u32>,
    /// By variable: its expression, as far as variables have small numbers.
    variables: Vec<u32>,
    /// All others. Ids only: the operations are in the pool.
    hashed: HashTable<ExprId>,
}

const NONE: u32 = u32::MAX;
/// Most members of a list.
const LONGEST: usize = 8;

/// The place at which an operation is kept.
enum Bucket {
    /// Among those with this last operand.
    List(ExprId),
    Variable(VarId),
    Hashed,
}

fn place(node: &Node) -> Bucket {
    match *node {
        Node::Number(_) | Node::Large(_) | Node::Truth(_) | Node::Time | Node::Invoke(_) => Bucket::Hashed,
        Node::Variable(v) => Bucket::Variable(v),
        Node::Negate(a) | Node::Call(_, a) | Node::Not(a) | Node::Output(a, _) => Bucket::List(a),
        Node::Binary(_, a, b)
        | Node::Whole(_, a, b)
        | Node::Relation(_, a, b)
        | Node::And(a, b)
        | Node::Or(a, b) => Bucket::List(a.max(b)),
        Node::If(a, b, c) => Bucket::List(a.max(b).max(c)),
    }
}

fn hash(node: &Node) -> u64 {
    FxBuildHasher.hash_one(node)
}

impl NodeIndex {
    /// The expression that is this operation.
    pub(crate) fn find(&self, node: &Node, nodes: &[Node]) -> Option<ExprId> {
        match place(node) {
            Bucket::List(operand) => {
                let mut length = 0;
                for member in self.members(self.first[operand.0 as usize]) {
                    if nodes[member as usize] == *node {
                        return Some(ExprId(member));
                    }
                    length += 1;
                }
                if length < LONGEST {
                    return None;
                }
            }
            Bucket::Variable(v) => match self.variables.get(v.index()) {
                Some(&NONE) | None => {}
                Some(&there) => return Some(ExprId(there)),
            },
            Bucket::Hashed => {}
        }
        self.hashed.find(hash(node), |e| nodes[e.0 as usize] == *node).copied()
    }

    /// The list that begins with this member, if there is one.
    fn members(&self, first: u32) -> impl Iterator<Item = u32> {
        let some = |member: u32| (member != NONE).then_some(member);
        std::iter::successors(some(first), move |&member| some(self.next[member as usize]))
    }

    /// Adds the last of `nodes`, which is new.
    pub(crate) fn insert_last(&mut self, nodes: &[Node]) {
        let e = self.next.len();
        let node = &nodes[e];
        self.first.push(NONE);
        self.next.push(NONE);
        match place(node) {
            Bucket::List(operand) => {
                let first = self.first[operand.0 as usize];
                if self.members(first).take(LONGEST).count() == LONGEST {
                    return self.hash(e, nodes);
                }
                self.next[e] = first;
                self.first[operand.0 as usize] = e as u32;
            }
            // few variables with large numbers do not make a large table
            Bucket::Variable(v) if v.index() <= 2 * nodes.len() + LONGEST => {
                if v.index() >= self.variables.len() {
                    self.variables.resize(v.index() + 1, NONE);
                }
                self.variables[v.index()] = e as u32;
            }
            Bucket::Variable(_) | Bucket::Hashed => self.hash(e, nodes),
        }
    }

    fn hash(&mut self, e: usize, nodes: &[Node]) {
        self.hashed.insert_unique(hash(&nodes[e]), ExprId(e as u32), |e| hash(&nodes[e.0 as usize]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, Pool};

    /// Lists that are too long, variables with large numbers: everything is found again.
    #[test]
    fn operations_are_found_wherever_they_are_kept() {
        let mut pool = Pool::default();
        let hub = pool.variable(VarId(1_000_000));
        let mut made = Vec::new();
        for i in 0..200_u32 {
            let number = pool.number(f64::from(i) + 2.0);
            let v = pool.variable(VarId(7 * i));
            for (op, a, b) in [(Binary::Mul, number, hub), (Binary::Add, hub, v), (Binary::Div, v, hub)] {
                made.push((Node::Binary(op, a, b), pool.binary(op, a, b)));
            }
        }
        let last = pool.variable(VarId(3)); // the last operand of all that follows
        for &(_, e) in &made.clone() {
            made.push((Node::Binary(Binary::Max, e, last), pool.binary(Binary::Max, e, last)));
        }
        let n = pool.len();
        for (node, e) in made {
            assert_eq!((pool.node(e), pool.known(node)), (node, Some(e)));
            assert_eq!(pool.intern(node), e);
        }
        assert_eq!((pool.len(), pool.variable(VarId(1_000_000))), (n, hub));
        assert_eq!(pool.known(Node::Negate(last)), None);
    }
}
