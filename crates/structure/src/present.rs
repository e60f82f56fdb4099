//! Values of parameters as the model is written.
//!
//! In another run they may be others, so that nothing is proved by them. But they say which of several choices a run can begin with: a
//! length that is zero is no pivot.

use rhei_equations::{Dae, ExprId, Node, Pool, VarId, Whole};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values found so far, for the expressions of one model; none of those that take a call, or are not made of parameters.
pub(crate) struct PresentValues<'a> {
    equations: &'a Dae,
    /// Unknowns that equations give from parameters alone, with the formulas.
    formulas: FxHashMap<VarId, ExprId>,
    known: FxHashMap<ExprId, Option<f64>>,
}

impl<'a> PresentValues<'a> {
    pub(crate) fn new(equations: &'a Dae, formulas: FxHashMap<VarId, ExprId>) -> Self {
        PresentValues { equations, formulas, known: FxHashMap::default() }
    }

    /// Whether `e` is zero, as the model is written.
    pub(crate) fn is_zero(&mut self, pool: &Pool, e: ExprId) -> bool {
        self.value(pool, e) == Some(0.0)
    }

    /// The value of `e`, if it is known: that of each variable in it is found from its own formula first.
    pub(crate) fn value(&mut self, pool: &Pool, e: ExprId) -> Option<f64> {
        let mut open = vec![e];
        let mut under_way = FxHashSet::default();
        while let Some(&next) = open.last() {
            let new = pool.below_but(&[next], |e| self.known.contains_key(&e));
            let before = open.len();
            for &part in &new {
                if let Node::Variable(v) = pool.node(part)
                    && let Some(formula) = self.formula(v)
                    && !self.known.contains_key(&formula)
                    && under_way.insert(formula)
                {
                    open.push(formula);
                }
            }
            if open.len() == before {
                for part in new {
                    let value = self.operation(pool.node(part));
                    self.known.insert(part, value);
                }
                open.pop();
            }
        }
        self.known[&e]
    }

    fn formula(&self, v: VarId) -> Option<ExprId> {
        let variable = self.equations.variable(v);
        match variable.is_parameter() && variable.fixed && !variable.is_given_from_outside() {
            true => variable.binding.or(variable.start),
            false => self.formulas.get(&v).copied(),
        }
    }

    fn operation(&self, node: Node) -> Option<f64> {
        let of = |e: ExprId| self.known.get(&e).copied().flatten();
        let truth = |holds: bool| f64::from(u8::from(holds));
        match node {
            Node::Number(bits) => Some(f64::from_bits(bits)),
            Node::Large(number) => Some(number as f64),
            Node::Truth(holds) => Some(truth(holds)),
            // a formula that is not known by now is a part of itself
            Node::Variable(v) => of(self.formula(v)?),
            Node::Negate(a) => Some(-of(a)?),
            Node::Binary(op, a, b) => Some(op.value(of(a)?, of(b)?)),
            Node::Whole(Whole::Add, a, b) => Some(of(a)? + of(b)?),
            Node::Whole(Whole::Subtract, a, b) => Some(of(a)? - of(b)?),
            Node::Whole(Whole::Multiply, a, b) => Some(of(a)? * of(b)?),
            Node::Whole(Whole::OfReal, a, _) => of(a),
            Node::Call(f, a) => Some(f.value(of(a)?)),
            Node::Relation(relation, a, b) => Some(truth(relation.holds(of(a)?, of(b)?))),
            Node::Not(a) => Some(1.0 - of(a)?),
            Node::And(a, b) => Some(truth(of(a)? != 0.0 && of(b)? != 0.0)),
            Node::Or(a, b) => Some(truth(of(a)? != 0.0 || of(b)? != 0.0)),
            Node::If(condition, a, b) => of(if of(condition)? != 0.0 { a } else { b }),
            Node::Whole(..) | Node::Time | Node::Invoke(_) | Node::Output(..) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    #[test]
    fn values_follow_from_those_that_the_model_gives() {
        let model = read(
            "model M\n  parameter a(fixed) = 0\n  parameter b(fixed) = 2*a + 3\n  parameter c(fixed) = d\n  parameter d(fixed) = c\n  parameter n\n  unknown x\nequation\n  \
             0 = b - 3\n  0 = a*b\n  0 = 1/b\n  0 = c\n  0 = n\n  0 = a*x\n  0 = if a > 1 then x else b\n",
        )
        .unwrap();
        let mut present = PresentValues::new(&model, FxHashMap::default());
        let values: Vec<Option<f64>> =
            model.equations.iter().map(|e| present.value(&model.pool, e.rhs)).collect();
        let expected = [Some(0.0), Some(0.0), Some(1.0 / 3.0), None, None, None, Some(3.0)];
        assert_eq!(values, expected);
    }
}
