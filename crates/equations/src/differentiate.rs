//! Symbolic derivatives.
//!
//! One rule per operation, applied from the leaves up; what the leaves' derivatives are is the caller's: 1 for one variable
//! and 0 for the others gives a partial derivative, `der(x)` for `x` and 1 for time the derivative along a solution.

use rhei_flat::Scalar;

use crate::{Binary, Call, Elementary, ExprId, Leaf, Node, Pool, Relation, VarId};

/// Calls are differentiated so often at most: their operands double each time.
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
        // what stands before the variable is not made of it
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
        Ok(match node {
            Node::Variable(_) | Node::Time => unreachable!("leaves are the seed's"),
            Node::Number(_) | Node::Large(_) | Node::Truth(_) => zero,
            // piecewise constant; their jumps are events, not derivatives
            Node::Whole(..) | Node::Relation(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => zero,
            Node::Negate(a) if d(a) == zero => zero, // and not -0
            Node::Negate(a) => self.negate(d(a)),
            Node::If(c, a, b) => self.if_else(c, d(a), d(b)),
            Node::Binary(op, a, b) => self.rule_of_binary(op, e, (a, d(a)), (b, d(b)), zero),
            Node::Call(f, a) if d(a) != zero => {
                let outer = self.derivative_of(f, a, e);
                self.mul(outer, d(a))
            }
            Node::Call(..) => zero,
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
                _ => zero, // whole numbers and truth values jump or stay
            },
        })
    }

    fn rule_of_binary(
        &mut self,
        op: Binary,
        e: ExprId,
        (a, da): (ExprId, ExprId),
        (b, db): (ExprId, ExprId),
        zero: ExprId,
    ) -> ExprId {
        if da == zero && db == zero {
            return zero;
        }
        match op {
            Binary::Add | Binary::Sub => self.binary(op, da, db),
            Binary::Mul => {
                let (left, right) = (self.mul(da, b), self.mul(a, db));
                self.add(left, right)
            }
            Binary::Div => {
                // (da - (a/b)*db)/b
                let carried = self.mul(e, db);
                let numerator = self.sub(da, carried);
                self.div(numerator, b)
            }
            Binary::Pow => self.rule_of_power(e, (a, da), (b, db), zero),
            Binary::Atan2 => {
                let (left, right) = (self.mul(da, b), self.mul(a, db));
                let (a2, b2) = (self.mul(a, a), self.mul(b, b));
                let (numerator, denominator) = (self.sub(left, right), self.add(a2, b2));
                self.div(numerator, denominator)
            }
            Binary::Min | Binary::Max => {
                let relation = if op == Binary::Min { Relation::Less } else { Relation::Greater };
                let second = self.relation(relation, b, a);
                self.if_else(second, db, da)
            }
        }
    }

    fn rule_of_power(
        &mut self,
        e: ExprId,
        (a, da): (ExprId, ExprId),
        (b, db): (ExprId, ExprId),
        zero: ExprId,
    ) -> ExprId {
        let one = self.number(1.0);
        let lower = self.sub(b, one);
        let base = self.pow(a, lower);
        let slope = self.mul(b, base);
        let by_base = self.mul(slope, da);
        if db == zero {
            return by_base; // no log(a): a constant exponent is fine for a negative base
        }
        let log = self.call(Elementary::Log, a);
        let growth = self.mul(e, log);
        let by_exponent = self.mul(growth, db);
        self.add(by_base, by_exponent)
    }

    /// The derivative of `f` at `x`; `fx` is `f(x)`.
    fn derivative_of(&mut self, f: Elementary, x: ExprId, fx: ExprId) -> ExprId {
        use Elementary as E;
        let one = self.number(1.0);
        match f {
            E::Sin => self.call(E::Cos, x),
            E::Cos => {
                let sin = self.call(E::Sin, x);
                self.negate(sin)
            }
            E::Tan => {
                let square = self.mul(fx, fx);
                self.add(one, square)
            }
            E::Asin | E::Acos => {
                let square = self.mul(x, x);
                let inside = self.sub(one, square);
                let root = self.call(E::Sqrt, inside);
                let slope = self.div(one, root);
                if f == E::Asin { slope } else { self.negate(slope) }
            }
            E::Atan => {
                let square = self.mul(x, x);
                let below = self.add(one, square);
                self.div(one, below)
            }
            E::Sinh => self.call(E::Cosh, x),
            E::Cosh => self.call(E::Sinh, x),
            E::Tanh => {
                let square = self.mul(fx, fx);
                self.sub(one, square)
            }
            E::Exp => fx,
            E::Log => self.div(one, x),
            E::Log10 => {
                let ln10 = self.number(std::f64::consts::LN_10);
                let below = self.mul(x, ln10);
                self.div(one, below)
            }
            E::Sqrt => {
                let half = self.number(0.5);
                self.div(half, fx)
            }
            E::Abs => self.call(E::Sign, x),
            E::Sign | E::Floor | E::Ceil | E::Truncate => self.number(0.0),
        }
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
