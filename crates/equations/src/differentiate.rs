//! Symbolic derivatives.
//!
//! The rules of [`rhei_elementary`], applied from the leaves up. The caller chooses the derivatives of the leaves: 1 for one
//! variable and 0 for the others gives a partial derivative, `der(x)` for `x` and 1 for time the derivative along a solution.

use rhei_elementary::{Algebra, Arithmetic, Exception, change_of_binary, change_of_call};
use rhei_flat::Scalar;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Binary, Call, Elementary, ExprId, Leaf, Node, Pool, Relation, VarId};

/// Highest order of derivatives of calls: each doubles their operands.
const DEEPEST: u8 = 4;

/// Up to so many partial derivatives are made one by one.
const FEW: usize = 8;

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

    /// The partial derivatives of `e` with respect to each of `variables`: the same expressions as [`Pool::partial`] makes. A sum of
    /// many terms costs its length once, not once for each variable.
    pub fn partials(&mut self, e: ExprId, variables: &[VarId]) -> Vec<Result<ExprId, NotDifferentiable>> {
        if variables.len() <= FEW {
            return variables.iter().map(|&v| self.partial(e, v)).collect();
        }
        let (zero, wanted) = (self.number(0.0), variables.iter().copied().collect());
        let mut gradients = Gradients::new(wanted);
        let found = gradients.of(self, e);
        let by = |v: &VarId| match gradients.refused.get(v) {
            Some(&refused) => Err(refused),
            None => Ok(found.get(v).copied().unwrap_or(zero)),
        };
        variables.iter().map(by).collect()
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

/// Derivatives by variable; those that are left out are zero.
type Gradient = FxHashMap<VarId, ExprId>;

/// The gradients of the parts of an expression, made from the leaves up. A sum takes over that of its longer side: along a sum of
/// many terms nothing is copied.
struct Gradients {
    wanted: FxHashSet<VarId>,
    /// Of the parts whose users are still to come.
    made: FxHashMap<ExprId, Gradient>,
    /// Variables by which a call cannot be differentiated, with the first such call.
    refused: FxHashMap<VarId, NotDifferentiable>,
    /// Parts looked at, and derivatives made: the cost.
    work: usize,
}

impl Gradients {
    fn new(wanted: FxHashSet<VarId>) -> Gradients {
        Gradients { wanted, made: FxHashMap::default(), refused: FxHashMap::default(), work: 0 }
    }

    fn of(&mut self, pool: &mut Pool, e: ExprId) -> Gradient {
        let below = pool.below(&[e]);
        let mut users: FxHashMap<ExprId, usize> = FxHashMap::default();
        for &part in &below {
            pool.operands(pool.node(part)).for_each(|operand| *users.entry(operand).or_default() += 1);
        }
        self.work += below.len();
        for part in below {
            let node = pool.node(part);
            let gradient = match (node.leaf(), node) {
                (Some(leaf), _) => self.of_leaf(pool, leaf),
                (None, Node::Binary(Binary::Add | Binary::Sub, a, b)) if a != b => {
                    self.of_sum(pool, part, node, [a, b], &users)
                }
                _ => self.of_operation(pool, part, node),
            };
            if !gradient.is_empty() {
                self.made.insert(part, gradient);
            }
            let operands: Vec<ExprId> = pool.operands(node).collect();
            for operand in operands {
                let left = users.entry(operand).or_default();
                *left = left.saturating_sub(1);
                if *left == 0 {
                    self.made.remove(&operand);
                }
            }
        }
        self.made.remove(&e).unwrap_or_default()
    }

    fn of_leaf(&self, pool: &mut Pool, leaf: Leaf) -> Gradient {
        let wanted = match leaf {
            Leaf::Variable(v) => Some(v).filter(|v| self.wanted.contains(v)),
            Leaf::Time => None,
        };
        let one = pool.number(1.0);
        wanted.map(|v| (v, one)).into_iter().collect()
    }

    /// That of `a + b` or `a - b`: of variables in one of them only, the derivatives of `a` are those of the sum.
    fn of_sum(
        &mut self,
        pool: &mut Pool,
        sum: ExprId,
        node: Node,
        [a, b]: [ExprId; 2],
        users: &FxHashMap<ExprId, usize>,
    ) -> Gradient {
        let mut taken = |operand: ExprId| match users[&operand] {
            1 => self.made.remove(&operand).unwrap_or_default(),
            _ => self.made.get(&operand).cloned().unwrap_or_default(),
        };
        let (mut of_a, mut of_b) = (taken(a), taken(b));
        let is_sum = matches!(node, Node::Binary(Binary::Add, ..));
        let (kept, keeps_a) = match is_sum && of_b.len() > of_a.len() {
            true => (&mut of_b, false),
            false => (&mut of_a, true),
        };
        let mut kept = std::mem::take(kept);
        let zero = pool.number(0.0);
        let mut others: Vec<(VarId, ExprId)> = if keeps_a { of_b } else { of_a }.into_iter().collect();
        others.sort_unstable();
        self.work += others.len();
        for (v, other) in others {
            let own = kept.get(&v).copied().unwrap_or(zero);
            let (of_a, of_b) = if keeps_a { (own, other) } else { (other, own) };
            let derivative = pool.rule(node, sum, |operand| if operand == a { of_a } else { of_b }, zero);
            match derivative {
                Ok(derivative) if derivative != zero => kept.insert(v, derivative),
                _ => kept.remove(&v),
            };
        }
        kept
    }

    fn of_operation(&mut self, pool: &mut Pool, e: ExprId, node: Node) -> Gradient {
        let operands = pool.operands(node);
        let held = operands.filter_map(|operand| self.made.get(&operand)).flat_map(|own| own.keys().copied());
        let mut variables: Vec<VarId> = held.collect();
        variables.sort_unstable();
        variables.dedup();
        self.work += variables.len();
        let zero = pool.number(0.0);
        let mut gradient = Gradient::default();
        for v in variables {
            let made = &self.made;
            let of =
                |operand: ExprId| made.get(&operand).and_then(|own| own.get(&v)).copied().unwrap_or(zero);
            match pool.rule(node, e, of, zero) {
                Ok(derivative) if derivative != zero => {
                    gradient.insert(v, derivative);
                }
                Ok(_) => {}
                Err(refused) => {
                    self.refused.entry(v).or_insert(refused);
                }
            }
        }
        gradient
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

    use super::Gradients;
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

    /// All at once come to what one by one does, expression by expression.
    #[test]
    fn gradients_are_partial_derivatives() {
        let names: Vec<String> = (0..12).map(|i| format!("x{i}")).collect();
        let unknowns: String = names.iter().map(|name| format!("  unknown {name}\n")).collect();
        let sum = names.join(" + ");
        let neighbours: Vec<String> = (0..11).map(|i| format!("x{i}*x{}", i + 1)).collect();
        let nested = (0..12).fold("a".to_owned(), |inner, i| format!("x{i} - ({inner})"));
        for text in [
            sum.clone(),
            format!("-({sum})/a - ({sum})*sin({sum})"),
            neighbours.join(" - "),
            nested,
            format!("({sum})^2 + (if x3 > x4 then x5 else x6*x5) + max(x7, {sum})"),
            "x0 - x0 + x1*0".into(),
        ] {
            let text = format!("model M\n  parameter a\n{unknowns}equation\n  0 = {text}\n");
            let mut model = read(&text).unwrap();
            let variables: Vec<_> = names.iter().map(|name| model.variable_named(name).unwrap()).collect();
            let e = model.equations[0].rhs;
            let one_by_one: Vec<_> = variables.iter().map(|&v| model.pool.partial(e, v)).collect();
            assert_eq!(model.pool.partials(e, &variables), one_by_one, "{text}");
        }
    }

    /// A sum costs its length, however its terms are bracketed and whatever stands before them.
    #[test]
    fn the_gradient_of_a_long_sum_costs_its_length() {
        let cost = |n: usize, right_to_left: bool| {
            let mut pool = Pool::default();
            let a = pool.variable(crate::VarId(n as u32));
            let mut sum = pool.number(0.0);
            for i in 0..n {
                let x = pool.variable(crate::VarId(i as u32));
                let term = pool.mul(a, x);
                sum = if right_to_left { pool.add(term, sum) } else { pool.add(sum, term) };
            }
            let mean = pool.mul(a, sum);
            let mut gradients = Gradients::new((0..n as u32).map(crate::VarId).collect());
            assert_eq!(gradients.of(&mut pool, mean).len(), n);
            gradients.work
        };
        for right_to_left in [false, true] {
            let (once, twice) = (cost(1_000, right_to_left), cost(2_000, right_to_left));
            assert!(once < 8_000 && twice <= 2 * once, "{once}, then {twice}");
        }
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
