//! Expressions of one pool in another, as they are.

use crate::{ByExpression, ExprId, Node, Pool, VarId};

/// The images of another pool's expressions.
#[derive(Clone, Debug, Default)]
pub struct Copied {
    /// Number of leading expressions that both pools share.
    same: u32,
    made: ByExpression,
}

impl Copied {
    /// An empty map between pools that have grown from one with so many expressions.
    pub fn beyond(same: usize) -> Copied {
        Copied { same: same as u32, made: ByExpression::default() }
    }

    fn get(&self, e: ExprId) -> Option<ExprId> {
        if e.0 < self.same { Some(e) } else { self.made.get(e).map(ExprId) }
    }
}

impl Pool {
    /// `e` of the pool `from`, with its variables renamed. Nothing is simplified, so that results are the same; shared
    /// subexpressions are copied once.
    pub fn copy(
        &mut self,
        from: &Pool,
        e: ExprId,
        copied: &mut Copied,
        variable: impl Fn(VarId) -> VarId,
    ) -> ExprId {
        for e in from.below_but(&[e], |e| copied.get(e).is_some()) {
            let to = |operand: ExprId| copied.get(operand).expect("operands come first");
            let node = match from.node(e) {
                node @ (Node::Number(_) | Node::Large(_) | Node::Truth(_) | Node::Time) => node,
                Node::Variable(v) => Node::Variable(variable(v)),
                Node::Negate(a) => Node::Negate(to(a)),
                Node::Binary(op, a, b) => Node::Binary(op, to(a), to(b)),
                Node::Whole(op, a, b) => Node::Whole(op, to(a), to(b)),
                Node::Call(f, a) => Node::Call(f, to(a)),
                Node::Relation(relation, a, b) => Node::Relation(relation, to(a), to(b)),
                Node::Not(a) => Node::Not(to(a)),
                Node::And(a, b) => Node::And(to(a), to(b)),
                Node::Or(a, b) => Node::Or(to(a), to(b)),
                Node::If(c, a, b) => Node::If(to(c), to(a), to(b)),
                Node::Output(invoked, place) => Node::Output(to(invoked), place),
                Node::Invoke(call) => {
                    let mut call = from.call_of(call).clone();
                    call.operands.iter_mut().for_each(|operand| *operand = to(*operand));
                    let invoked = self.invoke(call);
                    copied.made.insert(e, invoked.0);
                    continue;
                }
            };
            let new = self.intern(node);
            copied.made.insert(e, new.0);
        }
        copied.get(e).expect("it is copied")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_keep_their_form_and_share_their_parts() {
        let mut one = Pool::default();
        let (x, y) = (one.variable(VarId(3)), one.variable(VarId(5)));
        let product = one.mul(x, y);
        let sum = one.add(product, x);
        let mut other = Pool::default();
        let mut copied = Copied::default();
        let there = other.copy(&one, sum, &mut copied, |v| VarId(v.0 - 3));
        assert_eq!(other.len(), 4, "two variables, a product, a sum");
        let (x, y) = (other.variable(VarId(0)), other.variable(VarId(2)));
        let product = other.mul(x, y);
        assert_eq!(there, other.add(product, x));
        let Node::Binary(_, part, _) = one.node(sum) else { panic!("a sum") };
        assert_eq!(other.copy(&one, part, &mut copied, |v| VarId(v.0 - 3)), product);
        assert_eq!(other.len(), 4);
    }
}
