//! Hash-consed expressions: equal expressions have equal ids.
//!
//! The constructors simplify as they build: constants are folded, neutral elements vanish, signs move outwards. They never
//! reorder sums or products of unknowns, so that rounding is as the modeller wrote them.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::call::scalar_among;
use crate::known::NodeIndex;
use crate::{Binary, Call, CallId, Elementary, Relation, Split, VarId, Whole};

/// An expression of a [`Pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// One operation with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Node {
    /// A number, by its bits: `-0.0` is not `0.0`.
    Number(u64),
    /// A whole number that is no `f64`.
    Large(i64),
    /// `true` or `false`.
    Truth(bool),
    /// A variable.
    Variable(VarId),
    /// The independent variable.
    Time,
    /// `-a`
    Negate(ExprId),
    /// Arithmetic.
    Binary(Binary, ExprId, ExprId),
    /// Arithmetic of whole numbers, exact.
    Whole(Whole, ExprId, ExprId),
    /// A function of one number.
    Call(Elementary, ExprId),
    /// A comparison.
    Relation(Relation, ExprId, ExprId),
    /// `not a`
    Not(ExprId),
    /// `a and b`
    And(ExprId, ExprId),
    /// `a or b`
    Or(ExprId, ExprId),
    /// `if a then b else c`
    If(ExprId, ExprId, ExprId),
    /// A call with all its results, which [`Node::Output`] takes out one by one.
    Invoke(CallId),
    /// One number of the results of a call.
    Output(ExprId, u32),
}

/// A leaf of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// A variable.
    Variable(VarId),
    /// The independent variable.
    Time,
}

impl Node {
    /// The leaf it refers to, if it can vary.
    pub fn leaf(self) -> Option<Leaf> {
        match self {
            Node::Variable(v) => Some(Leaf::Variable(v)),
            Node::Time => Some(Leaf::Time),
            _ => None,
        }
    }
}

/// All expressions of a model. Operands always stand before their users.
///
/// A clone shares its original until one of both grows: modes of a model that are made of the same pieces have one pool.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    all: Arc<All>,
    /// Operands that vanished since the last question, as the factor of a zero does; kept only if somebody asks.
    vanished: Option<Vec<ExprId>>,
}

#[derive(Clone, Debug, Default)]
struct All {
    nodes: Vec<Node>,
    known: NodeIndex,
    calls: Vec<Call>,
    known_calls: FxHashMap<Call, CallId>,
}

/// Nodes and calls; the index of them is made again when they are read.
impl Serialize for Pool {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.all.nodes, &self.all.calls).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Pool {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pool, D::Error> {
        let (nodes, calls): (Vec<Node>, Vec<Call>) = Deserialize::deserialize(deserializer)?;
        let mut all = All { nodes: Vec::with_capacity(nodes.len()), ..All::default() };
        for node in nodes {
            all.nodes.push(node);
            all.known.insert_last(&all.nodes);
        }
        all.known_calls =
            calls.iter().enumerate().map(|(i, call)| (call.clone(), CallId(i as u32))).collect();
        all.calls = calls;
        Ok(Pool { all: Arc::new(all), vanished: None })
    }
}

impl Pool {
    /// The operation of an expression.
    pub fn node(&self, e: ExprId) -> Node {
        self.all.nodes[e.0 as usize]
    }

    /// A call.
    pub fn call_of(&self, call: CallId) -> &Call {
        &self.all.calls[call.0 as usize]
    }

    /// The operands of an operation, in order.
    pub fn operands(&self, node: Node) -> impl Iterator<Item = ExprId> {
        let (few, n): ([ExprId; 3], usize) = match node {
            Node::Number(_)
            | Node::Large(_)
            | Node::Truth(_)
            | Node::Variable(_)
            | Node::Time
            | Node::Invoke(_) => ([ExprId(0); 3], 0),
            Node::Negate(a) | Node::Call(_, a) | Node::Not(a) | Node::Output(a, _) => ([a, a, a], 1),
            Node::Binary(_, a, b)
            | Node::Whole(_, a, b)
            | Node::Relation(_, a, b)
            | Node::And(a, b)
            | Node::Or(a, b) => ([a, b, b], 2),
            Node::If(a, b, c) => ([a, b, c], 3),
        };
        let many: &[ExprId] = match node {
            Node::Invoke(call) => &self.call_of(call).operands,
            _ => &[],
        };
        few.into_iter().take(n).chain(many.iter().copied())
    }

    /// The number of expressions.
    pub fn len(&self) -> usize {
        self.all.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.nodes.is_empty()
    }

    /// This operation as it is, not simplified.
    pub(crate) fn intern(&mut self, node: Node) -> ExprId {
        if let Some(there) = self.known(node) {
            return there;
        }
        let All { nodes, known, .. } = Arc::make_mut(&mut self.all);
        let e = ExprId(nodes.len() as u32);
        nodes.push(node);
        known.insert_last(nodes);
        e
    }

    /// The expression that is this operation, if there is one.
    pub(crate) fn known(&self, node: Node) -> Option<ExprId> {
        self.all.known.find(&node, &self.all.nodes)
    }

    /// A number.
    pub fn number(&mut self, value: f64) -> ExprId {
        self.intern(Node::Number(value.to_bits()))
    }

    /// A whole number, exactly.
    pub fn whole_number(&mut self, value: i64) -> ExprId {
        let split = Split::of(value);
        if split.rest == 0.0 { self.number(split.nearest) } else { self.intern(Node::Large(value)) }
    }

    /// `true` or `false`.
    pub fn truth(&mut self, value: bool) -> ExprId {
        self.intern(Node::Truth(value))
    }

    /// A variable.
    pub fn variable(&mut self, v: VarId) -> ExprId {
        self.intern(Node::Variable(v))
    }

    /// The independent variable.
    pub fn time(&mut self) -> ExprId {
        self.intern(Node::Time)
    }

    /// The number an expression is, if it is one.
    pub fn as_number(&self, e: ExprId) -> Option<f64> {
        match self.node(e) {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The whole number an expression is, if it is one.
    pub fn as_whole(&self, e: ExprId) -> Option<i64> {
        match self.node(e) {
            Node::Number(bits) => Split { nearest: f64::from_bits(bits), rest: 0.0 }.whole(),
            Node::Large(value) => Some(value),
            _ => None,
        }
    }

    fn is(&self, e: ExprId, value: f64) -> bool {
        self.as_number(e) == Some(value)
    }

    /// `-a`
    pub fn negate(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Number(bits) => self.number(-f64::from_bits(bits)),
            Node::Negate(inner) => inner,
            Node::Binary(Binary::Sub, x, y) => self.binary(Binary::Sub, y, x),
            _ => self.intern(Node::Negate(a)),
        }
    }

    /// Arithmetic, simplified.
    pub fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.as_number(a), self.as_number(b)) {
            let value = op.value(x, y);
            // operations without a finite value stay as written, so that the message at run time can show them
            return if value.is_finite() { self.number(value) } else { self.intern(Node::Binary(op, a, b)) };
        }
        match op {
            Binary::Add if self.is(a, 0.0) => b,
            Binary::Add | Binary::Sub if self.is(b, 0.0) => a,
            Binary::Add => match self.node(b) {
                Node::Negate(y) => self.binary(Binary::Sub, a, y),
                _ => self.intern(Node::Binary(op, a, b)),
            },
            Binary::Sub if self.is(a, 0.0) => self.negate(b),
            Binary::Sub if a == b => {
                self.vanish(a);
                self.number(0.0)
            }
            Binary::Sub => match self.node(b) {
                Node::Negate(y) => self.binary(Binary::Add, a, y),
                _ => self.intern(Node::Binary(op, a, b)),
            },
            Binary::Mul if self.is(a, 0.0) || self.is(b, 0.0) => {
                self.vanish(if self.is(a, 0.0) { b } else { a });
                self.number(0.0)
            }
            Binary::Mul if self.is(a, 1.0) => b,
            Binary::Mul | Binary::Div | Binary::Pow if self.is(b, 1.0) => a,
            Binary::Mul | Binary::Div if self.is(b, -1.0) => self.negate(a),
            Binary::Mul if self.is(a, -1.0) => self.negate(b),
            Binary::Mul | Binary::Div => self.signs_outwards(op, a, b),
            Binary::Pow if self.is(b, 0.0) => {
                self.vanish(a);
                self.number(1.0)
            }
            _ => self.intern(Node::Binary(op, a, b)),
        }
    }

    /// `(-a)*b` is `-(a*b)`, and so for `/`: the same value, with the sign in a single place.
    fn signs_outwards(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        match (self.node(a), self.node(b)) {
            (Node::Negate(x), Node::Negate(y)) => self.binary(op, x, y),
            (Node::Negate(x), _) => {
                let product = self.binary(op, x, b);
                self.negate(product)
            }
            (_, Node::Negate(y)) => {
                let product = self.binary(op, a, y);
                self.negate(product)
            }
            _ if op == Binary::Div && self.is(a, 0.0) && self.as_number(b).is_none() => {
                self.vanish(b);
                a
            }
            _ => self.intern(Node::Binary(op, a, b)),
        }
    }

    /// Arithmetic of whole numbers, simplified. Operations without a value stay as written, so that the run reports them.
    pub fn whole(&mut self, op: Whole, a: ExprId, b: ExprId) -> ExprId {
        if let (Some(x), Some(y)) = (self.as_whole(a), self.as_whole(b)) {
            return match op.value(x, y) {
                Some(value) => self.whole_number(value),
                None => self.intern(Node::Whole(op, a, b)),
            };
        }
        match op {
            Whole::Add if self.is(a, 0.0) => b,
            Whole::Add | Whole::Subtract if self.is(b, 0.0) => a,
            Whole::Subtract if a == b => {
                self.vanish(a);
                self.number(0.0)
            }
            Whole::Multiply if self.is(a, 0.0) || self.is(b, 0.0) => {
                self.vanish(if self.is(a, 0.0) { b } else { a });
                self.number(0.0)
            }
            Whole::Multiply if self.is(a, 1.0) => b,
            Whole::Multiply | Whole::Quotient if self.is(b, 1.0) => a,
            Whole::OfReal if matches!(self.node(a), Node::Whole(..)) => a,
            _ => self.intern(Node::Whole(op, a, b)),
        }
    }

    /// From now on keeps the operands that vanish from an operation: the factor of a zero, the difference of an expression with itself.
    /// They are no part of its value, but of the equation that was written (MLS §16.7.2).
    pub fn keep_vanished(&mut self) {
        self.vanished = Some(Vec::new());
    }

    /// Keeps them no longer.
    pub fn forget_vanished(&mut self) {
        self.vanished = None;
    }

    /// The operands that vanished since the last call, with `instead` as what vanished so far.
    pub fn swap_vanished(&mut self, instead: Vec<ExprId>) -> Vec<ExprId> {
        self.vanished.as_mut().map_or_else(Vec::new, |vanished| std::mem::replace(vanished, instead))
    }

    fn vanish(&mut self, e: ExprId) {
        if self.as_number(e).is_none()
            && let Some(vanished) = &mut self.vanished
        {
            vanished.push(e);
        }
    }

    /// `-a` of a whole number.
    pub fn negate_whole(&mut self, a: ExprId) -> ExprId {
        let zero = self.number(0.0);
        self.whole(Whole::Subtract, zero, a)
    }

    /// `a + b`
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Add, a, b)
    }

    /// `a - b`
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Sub, a, b)
    }

    /// `a*b`
    pub fn mul(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Mul, a, b)
    }

    /// `a/b`
    pub fn div(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Div, a, b)
    }

    /// `a^b`
    pub fn pow(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(Binary::Pow, a, b)
    }

    /// `f(a)`
    pub fn call(&mut self, f: Elementary, a: ExprId) -> ExprId {
        match self.as_number(a).map(|x| f.value(x)) {
            Some(value) if value.is_finite() => self.number(value),
            _ => self.intern(Node::Call(f, a)),
        }
    }

    /// A comparison.
    pub fn relation(&mut self, relation: Relation, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_number(a), self.as_number(b)) {
            (Some(x), Some(y)) => self.truth(relation.holds(x, y)),
            _ => match (self.as_whole(a), self.as_whole(b)) {
                (Some(x), Some(y)) => self.truth(relation.holds(x, y)),
                _ => self.intern(Node::Relation(relation, a, b)),
            },
        }
    }

    /// `not a`
    pub fn not(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Truth(value) => self.truth(!value),
            Node::Not(inner) => inner,
            _ => self.intern(Node::Not(a)),
        }
    }

    /// `a and b`
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.node(a), self.node(b)) {
            (Node::Truth(false), _) | (_, Node::Truth(true)) => a,
            (Node::Truth(true), _) | (_, Node::Truth(false)) => b,
            _ if a == b => a,
            _ => self.intern(Node::And(a, b)),
        }
    }

    /// `a or b`
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.node(a), self.node(b)) {
            (Node::Truth(true), _) | (_, Node::Truth(false)) => a,
            (Node::Truth(false), _) | (_, Node::Truth(true)) => b,
            _ if a == b => a,
            _ => self.intern(Node::Or(a, b)),
        }
    }

    /// `if condition then a else b`
    pub fn if_else(&mut self, condition: ExprId, a: ExprId, b: ExprId) -> ExprId {
        match self.node(condition) {
            Node::Truth(true) => a,
            Node::Truth(false) => b,
            _ if a == b => a,
            _ => self.intern(Node::If(condition, a, b)),
        }
    }

    /// A call.
    pub fn invoke(&mut self, call: Call) -> ExprId {
        let id = match self.all.known_calls.get(&call) {
            Some(&id) => id,
            None => {
                let All { calls, known_calls, .. } = Arc::make_mut(&mut self.all);
                let id = CallId(calls.len() as u32);
                calls.push(call.clone());
                known_calls.insert(call, id);
                id
            }
        };
        self.intern(Node::Invoke(id))
    }

    /// One number of the results of a call.
    pub fn output(&mut self, invoked: ExprId, place: u32) -> ExprId {
        debug_assert!(matches!(self.node(invoked), Node::Invoke(_)));
        self.intern(Node::Output(invoked, place))
    }

    /// The call whose result an expression is, with the type of the number.
    pub fn output_of(&self, invoked: ExprId, place: u32) -> Option<(&Call, rhei_flat::Scalar)> {
        let Node::Invoke(call) = self.node(invoked) else { return None };
        let call = self.call_of(call);
        Some((call, scalar_among(&call.results, place as usize)?))
    }

    /// The same operation with other operands, simplified anew.
    pub fn with_operands(&mut self, node: Node, mut map: impl FnMut(ExprId) -> ExprId) -> ExprId {
        match node {
            Node::Number(_) | Node::Large(_) | Node::Truth(_) | Node::Variable(_) | Node::Time => {
                self.intern(node)
            }
            Node::Negate(a) => self.negate(map(a)),
            Node::Binary(op, a, b) => self.binary(op, map(a), map(b)),
            Node::Whole(op, a, b) => self.whole(op, map(a), map(b)),
            Node::Call(f, a) => self.call(f, map(a)),
            Node::Relation(relation, a, b) => self.relation(relation, map(a), map(b)),
            Node::Not(a) => self.not(map(a)),
            Node::And(a, b) => self.and(map(a), map(b)),
            Node::Or(a, b) => self.or(map(a), map(b)),
            Node::If(c, a, b) => self.if_else(map(c), map(a), map(b)),
            Node::Invoke(call) => {
                let mut call = self.call_of(call).clone();
                call.operands.iter_mut().for_each(|operand| *operand = map(*operand));
                self.invoke(call)
            }
            Node::Output(invoked, place) => {
                let invoked = map(invoked);
                self.output(invoked, place)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_expressions_are_one_and_neutral_elements_vanish() {
        let mut pool = Pool::default();
        let (x, y) = (pool.variable(VarId(0)), pool.variable(VarId(1)));
        let (zero, one) = (pool.number(0.0), pool.number(1.0));
        assert_eq!(pool.add(x, y), pool.add(x, y));
        assert_ne!(pool.add(x, y), pool.add(y, x), "sums keep their order");
        assert_eq!(pool.add(x, zero), x);
        assert_eq!(pool.mul(one, x), x);
        assert_eq!(pool.mul(zero, x), zero);
        assert_eq!(pool.sub(x, x), zero);
        let minus_y = pool.negate(y);
        assert_eq!(pool.add(x, minus_y), pool.sub(x, y));
        let product = pool.mul(x, y);
        let minus_product = pool.negate(product);
        assert_eq!(pool.mul(x, minus_y), minus_product);
        let infinite = pool.div(one, zero);
        assert_eq!(pool.node(infinite), Node::Binary(Binary::Div, one, zero), "no infinity is folded");
    }
}
