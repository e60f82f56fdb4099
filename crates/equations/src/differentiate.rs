//! Symbolic derivatives.
//!
//! The rules of [`rhei_elementary`], applied from the leaves up. The caller chooses the derivatives of the leaves: 1 for one
//! variable and 0 for the others gives a partial derivative, `der(x)` for `x` and 1 for time the derivative along a solution.

use rhei_elementary::{Algebra, Arithmetic, Exception, change_of_binary, change_of_call};
use rhei_flat::Scalar;

use crate::{Binary, Call, Elementary, ExprId, Leaf, Node, Pool, Relation, VarId};

/// Highest order of derivatives of calls: each doubles their operands.
const DEEPEST: u8 = 4;

/// A call that would have to be differentiated too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotDifferentiable(pub ExprId);

impl Pool {
    /// The derivative of `e`, the derivative of every leaf being `seed` of it.
    pub fn differentiate(
        &mut self,
        e: ExprId,
        seed: impl FnMut(&mut Pool, Leaf) -> ExprId,
    ) -> Result<ExprId, NotDifferentiable> {
        self.derivative_from(ExprId(0), e, seed)
    }

    /// The partial derivative of `e` with respect to `v`.
    pub fn partial(&mut self, e: ExprId, v: VarId) -> Result<ExprId, NotDifferentiable> {
        let (zero, one) = (self.number(0.0), self.number(1.0));
        // expressions before the variable do not contain it
        let Some(first) = self.known(Node::Variable(v)) else { return Ok(zero) };
        self.derivative_from(first, e, |_, leaf| if leaf == Leaf::Variable(v) { one } else { zero })
    }

    /// As [`Pool::differentiate`], where the derivatives of all expressions before `first` are zero.
    fn derivative_from(
        &mut self,
        first: ExprId,
        e: ExprId,
        mut seed: impl FnMut(&mut Pool, Leaf) -> ExprId,
    ) -> Result<ExprId, NotDifferentiable> {
        let zero = self.number(0.0);
        let below = self.below_but(&[e], |e| e < first);
        let mut derivatives: Vec<ExprId> = Vec::with_capacity(below.len());
        for &e in &below {
            let node = self.node(e);
            let known =
                |operand: ExprId| below.binary_search(&operand).map_or(zero, |place| derivatives[place]);
            let d = match node.leaf() {
                Some(leaf) => seed(self, leaf),
                None => self.rule(node, e, known, zero)?,
            };
            derivatives.push(d);
        }
        Ok(derivatives.last().copied().unwrap_or(zero))
    }

    fn rule(
        &mut self,
        node: Node,
        e: ExprId,
        d: impl Fn(ExprId) -> ExprId,
        zero: ExprId,
    ) -> Result<ExprId, NotDifferentiable> {
        let change = |operand: ExprId| Some(d(operand)).filter(|&change| change != zero);
        Ok(match node {
            Node::Variable(_) | Node::Time => unreachable!("leaves are the seed's"),
            Node::Number(_) | Node::Large(_) | Node::Truth(_) => zero,
            // piecewise constant; their jumps are events, not derivatives
            Node::Whole(..) | Node::Relation(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => zero,
            Node::Negate(a) if d(a) == zero => zero, // and not -0
            Node::Negate(a) => self.negate(d(a)),
            Node::If(c, a, b) => self.if_else(c, d(a), d(b)),
            Node::Binary(op, a, b) => {
                let [a, b] = [a, b].map(|operand| (operand, change(operand)));
                change_of_binary(self, op, e, a, b).unwrap_or(zero)
            }
            Node::Call(f, a) => change_of_call(self, f, e, (a, change(a))).unwrap_or(zero),
            Node::Invoke(call) => {
                let call = self.call_of(call);
                let changes: Vec<ExprId> = call.operands.iter().map(|&operand| d(operand)).collect();
                if changes.iter().all(|&change| change == zero) {
                    return Ok(zero);
                }
                if call.depth >= DEEPEST {
                    return Err(NotDifferentiable(e));
                }
                let mut derivative = Call { depth: call.depth + 1, ..call.clone() };
                derivative.operands.extend(changes);
                self.invoke(derivative)
            }
            Node::Output(invoked, _) if d(invoked) == zero => zero,
            Node::Output(invoked, place) => match self.output_of(invoked, place) {
                Some((_, Scalar::Real)) => self.output(d(invoked), place),
                _ => zero, // integers and Booleans are piecewise constant
            },
        })
    }
}

impl Algebra for Pool {
    type Number = ExprId;

    fn constant(&mut self, value: f64) -> ExprId {
        self.number(value)
    }

    fn negate(&mut self, a: ExprId) -> ExprId {
        Pool::negate(self, a)
    }

    fn binary(&mut self, op: Binary, a: ExprId, b: ExprId) -> ExprId {
        Pool::binary(self, op, a, b)
    }

    fn call(&mut self, f: Elementary, a: ExprId) -> ExprId {
        Pool::call(self, f, a)
    }
}

/// Exceptional cases are not tested: a factor without a value is reported by the run.
impl Arithmetic for Pool {
    fn choose(&mut self, relation: Relation, [a, b]: [ExprId; 2], x: ExprId, y: ExprId) -> ExprId {
        let holds = self.relation(relation, a, b);
        self.if_else(holds, x, y)
    }

    fn except(
        &mut self,
        _: Exception<ExprId>,
        _: bool,
        otherwise: impl FnOnce(&mut Self) -> ExprId,
    ) -> ExprId {
        otherwise(self)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{Node, Pool, read};

    /// d(right-hand side of the only equation)/dx, as text.
    fn check(text: &str, expected: Expect) {
        let mut model =
            read(&format!("model M\n  parameter a\n  unknown x\nequation\n  0 = {text}\n")).unwrap();
        let x = model.variable_named("x").unwrap();
        let derivative = model.pool.partial(model.equations[0].rhs, x).unwrap();
        expected.assert_eq(&model.notation().expression(derivative));
    }

    #[test]
    fn rules() {
        check("3*x + a", expect!["3"]);
        check("x^3", expect!["3*x^2"]);
        check("a^x", expect!["a^x*log(a)"]);
        check("x/a", expect!["1/a"]);
        check("a/x", expect!["-a/x/x"]);
        check("sin(2*x)", expect!["cos(2*x)*2"]);
        check("sqrt(x)", expect!["0.5/sqrt(x)"]);
        check("if x > 0 then x else -a", expect!["if x > 0 then 1 else 0"]);
        check("max(x, a)", expect!["if a > x then 0 else 1"]);
    }

    /// Every elementary function's rule against a central difference.
    #[test]
    fn rules_agree_with_differences() {
        for &f in crate::Elementary::ALL {
            let mut pool = Pool::default();
            let x = pool.variable(crate::VarId(0));
            let e = pool.call(f, x);
            let derivative = pool.partial(e, crate::VarId(0)).unwrap();
            for at in [0.3, 0.7] {
                let exact = evaluate(&mut pool.clone(), derivative, at);
                let difference = (f.value(at + 1e-6) - f.value(at - 1e-6)) / 2e-6;
                assert!((exact - difference).abs() < 1e-8, "{} at {at}: {exact} and {difference}", f.name());
            }
        }
    }

    fn evaluate(pool: &mut Pool, e: crate::ExprId, x: f64) -> f64 {
        let value = pool.number(x);
        let folded = pool.substitute(e, |_| Some(value));
        match pool.node(folded) {
            Node::Number(bits) => f64::from_bits(bits),
            other => panic!("not folded: {other:?}"),
        }
    }
}
