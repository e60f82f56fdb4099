//! Bounds on the values of an expression, whatever its variables are.
//!
//! Interval arithmetic from the leaves up. The attributes `min` and `max` of variables and parameters are taken as bounds
//! (MLS §4.9: a value outside them is a mistake of the model). The value of a parameter is not: it may be another in the next
//! run. Structural parameters and constants have their values.

use rhei_elementary::Zeros;
use rhei_equations::{Binary, Dae, Elementary, ExprId, Kind, Node, Pool, VarId, Whole};
use rustc_hash::FxHashMap;

use crate::present::PresentValues;

/// Bounds on the values of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    low: f64,
    high: f64,
    /// Whether zero is excluded, even where it is a bound.
    not_zero: bool,
}

impl Range {
    const ANY: Range = Range { low: f64::NEG_INFINITY, high: f64::INFINITY, not_zero: false };

    pub(crate) fn new(low: f64, high: f64) -> Range {
        if low.is_nan() || high.is_nan() {
            return Range::ANY;
        }
        Range { low, high, not_zero: low > 0.0 || high < 0.0 }
    }

    /// Whether the value is never zero.
    pub(crate) fn excludes_zero(self) -> bool {
        self.not_zero
    }

    pub(crate) fn plus(self, other: Range) -> Range {
        let sum = Range::new(self.low + other.low, self.high + other.high);
        let (a, b) = (self, other);
        let same_side = a.low >= 0.0 && b.low >= 0.0 || a.high <= 0.0 && b.high <= 0.0;
        Range { not_zero: sum.not_zero || same_side && (a.not_zero || b.not_zero), ..sum }
    }

    pub(crate) fn negated(self) -> Range {
        Range { low: -self.high, high: -self.low, ..self }
    }

    pub(crate) fn times(self, other: Range) -> Range {
        // zero times an infinite bound is zero: the bound itself is never reached
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let ends = [
            product(self.low, other.low),
            product(self.low, other.high),
            product(self.high, other.low),
            product(self.high, other.high),
        ];
        let low = ends.iter().copied().fold(f64::INFINITY, f64::min);
        let high = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Range { not_zero: self.not_zero && other.not_zero, ..Range::new(low, high) }
    }

    fn inverse(self) -> Range {
        // a fraction is never zero; its sign is that of the denominator
        if self.low >= 0.0 {
            Range { low: 0.0, high: f64::INFINITY, not_zero: true }
        } else if self.high <= 0.0 {
            Range { low: f64::NEG_INFINITY, high: 0.0, not_zero: true }
        } else {
            Range { not_zero: true, ..Range::ANY }
        }
    }

    pub(crate) fn power(self, n: u32) -> Range {
        let mut product = Range::new(1.0, 1.0);
        for _ in 0..n {
            product = product.times(self);
        }
        // the square of one value, not the product of two
        if n.is_multiple_of(2) && product.low < 0.0 { Range { low: 0.0, ..product } } else { product }
    }

    fn united(self, other: Range) -> Range {
        Range {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            not_zero: self.not_zero && other.not_zero,
        }
    }
}

/// Whether an expression is made of numbers and parameters, without a condition.
pub(crate) fn is_steady(equations: &Dae, pool: &Pool, e: ExprId) -> bool {
    pool.below(&[e]).into_iter().all(|e| is_steady_by_itself(equations, pool.node(e)))
}

fn is_steady_by_itself(equations: &Dae, node: Node) -> bool {
    match node {
        Node::Time | Node::If(..) | Node::Invoke(_) => false,
        Node::Variable(v) => equations.variable(v).is_parameter(),
        _ => true,
    }
}

/// The unknowns that equations of the form `v = e` give as products and quotients of parameters, or of such unknowns: they are zero only
/// where one of these is.
fn steady_unknowns(equations: &Dae, pool: &Pool) -> FxHashMap<VarId, ExprId> {
    let is_unknown = |v: VarId| equations.variable(v).is_unknown() && !equations.variable(v).is_discrete;
    let is_zero = |v: VarId| {
        let variable = equations.variable(v);
        let is_settled = variable.kind == Kind::Constant || variable.structural;
        is_settled && variable.binding.and_then(|value| pool.as_number(value)) == Some(0.0)
    };
    // per formula, what it gives, and how many of its unknowns are not known to be steady
    let mut formulas: Vec<(VarId, ExprId, usize)> = Vec::new();
    let mut formulas_with: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    for equation in equations.equations.iter().filter(|e| !e.is_discrete && e.balance.is_none()) {
        for (v, e) in [(equation.lhs, equation.rhs), (equation.rhs, equation.lhs)] {
            let Node::Variable(v) = pool.node(v) else { continue };
            let parts = pool.below(&[e]);
            // no sum: the entry of a constant rotation may well be zero
            let is_factor = |&e: &ExprId| match pool.node(e) {
                Node::Number(bits) => f64::from_bits(bits) != 0.0,
                Node::Variable(v) => is_unknown(v) || equations.variable(v).is_parameter() && !is_zero(v),
                Node::Negate(_) | Node::Binary(Binary::Mul | Binary::Div, ..) => true,
                _ => false,
            };
            if !is_unknown(v) || !parts.iter().all(is_factor) {
                continue;
            }
            let inputs = parts.iter().filter_map(|&e| match pool.node(e) {
                Node::Variable(v) if is_unknown(v) => Some(v),
                _ => None,
            });
            let mut n_open = 0;
            for input in inputs {
                n_open += 1;
                formulas_with.entry(input).or_default().push(formulas.len());
            }
            formulas.push((v, e, n_open));
        }
    }
    let mut steady = FxHashMap::default();
    let known = formulas.iter().filter(|(.., n_open)| *n_open == 0);
    let mut open: Vec<(VarId, ExprId)> = known.map(|&(v, e, _)| (v, e)).collect();
    while let Some((v, e)) = open.pop() {
        if steady.contains_key(&v) {
            continue;
        }
        steady.insert(v, e);
        for &formula in formulas_with.get(&v).into_iter().flatten() {
            let (gives, e, n_open) = &mut formulas[formula];
            *n_open -= 1;
            if *n_open == 0 {
                open.push((*gives, *e));
            }
        }
    }
    steady
}

/// Ranges found so far, for the expressions of one model. Each expression is looked at once, whatever it is a part of: factors
/// that elimination makes grow with each step, and share all but their last operation.
pub(crate) struct Ranges<'a> {
    equations: &'a Dae,
    known: FxHashMap<ExprId, Range>,
    steady: FxHashMap<ExprId, bool>,
    /// Unknowns that equations give from parameters alone, with these formulas.
    steady_unknowns: FxHashMap<VarId, ExprId>,
    present: PresentValues<'a>,
    /// Operations looked at: the cost of the answers.
    pub(crate) work: u64,
}

/// Exponents up to this are looked at as repeated products.
const LARGEST_POWER: f64 = 16.0;

impl<'a> Ranges<'a> {
    pub(crate) fn new(equations: &'a Dae) -> Self {
        Ranges {
            equations,
            known: FxHashMap::default(),
            steady: FxHashMap::default(),
            steady_unknowns: FxHashMap::default(),
            present: PresentValues::new(equations, FxHashMap::default()),
            work: 0,
        }
    }

    /// The same, with unknowns that are products of parameters as steady as these: the mass of an incompressible fluid,
    /// `m = d*V`.
    pub(crate) fn with_steady_unknowns(mut self, pool: &Pool) -> Self {
        self.steady_unknowns = steady_unknowns(self.equations, pool);
        self.present = PresentValues::new(self.equations, self.steady_unknowns.clone());
        self
    }

    /// Takes for granted that `e` is never zero, for a reason that its operations do not show.
    pub(crate) fn take_as_nonzero(&mut self, e: ExprId) {
        self.known.insert(e, Range { not_zero: true, ..Range::ANY });
    }

    /// Bounds on the values of `e`.
    pub(crate) fn of(&mut self, pool: &Pool, e: ExprId) -> Range {
        if let Some(&range) = self.known.get(&e) {
            return range;
        }
        let new = pool.below_but(&[e], |e| self.known.contains_key(&e));
        self.work += new.len() as u64;
        for e in new {
            let range = self.operation(pool, pool.node(e));
            self.known.insert(e, range);
        }
        self.known[&e]
    }

    /// As [`is_steady`].
    pub(crate) fn is_steady(&mut self, pool: &Pool, e: ExprId) -> bool {
        let new = pool.below_but(&[e], |e| self.steady.contains_key(&e));
        self.work += new.len() as u64;
        for e in new {
            let node = pool.node(e);
            let is_given = matches!(node, Node::Variable(v) if self.steady_unknowns.contains_key(&v));
            let is_steady = (is_given || is_steady_by_itself(self.equations, node))
                && pool.operands(node).all(|operand| self.steady[&operand]);
            self.steady.insert(e, is_steady);
        }
        self.steady[&e]
    }

    /// Whether `e` is made of parameters, and not zero as the model is written: known when a run begins, and a pivot then unless the run
    /// sets others.
    pub(crate) fn is_steady_pivot(&mut self, pool: &Pool, e: ExprId) -> bool {
        self.is_steady(pool, e) && !self.present.is_zero(pool, e)
    }

    /// The value of `e` as the model is written, if it is made of parameters.
    pub(crate) fn present(&mut self, pool: &Pool, e: ExprId) -> Option<f64> {
        self.present.value(pool, e)
    }

    fn operation(&self, pool: &Pool, node: Node) -> Range {
        let of = |e: ExprId| self.known[&e];
        match node {
            Node::Number(bits) => {
                let value = f64::from_bits(bits);
                Range::new(value, value)
            }
            Node::Variable(v) => self.variable(pool, v),
            Node::Negate(a) => of(a).negated(),
            Node::If(_, a, b) => of(a).united(of(b)),
            Node::Call(f, a) => elementary(f, of(a)),
            Node::Whole(Whole::Add, a, b) => of(a).plus(of(b)),
            Node::Whole(Whole::Subtract, a, b) => of(a).plus(of(b).negated()),
            Node::Whole(Whole::Multiply, a, b) if a == b => of(a).power(2),
            Node::Whole(Whole::Multiply, a, b) => of(a).times(of(b)),
            Node::Whole(Whole::OfReal, a, _) => of(a),
            Node::Binary(op, a, b) => match op {
                Binary::Add => of(a).plus(of(b)),
                Binary::Sub => of(a).plus(of(b).negated()),
                Binary::Mul if a == b => of(a).power(2),
                Binary::Mul => of(a).times(of(b)),
                Binary::Div => of(a).times(of(b).inverse()),
                Binary::Pow => self.power(pool, a, b),
                Binary::Min => Range::new(of(a).low.min(of(b).low), of(a).high.min(of(b).high)),
                Binary::Max => Range::new(of(a).low.max(of(b).low), of(a).high.max(of(b).high)),
                Binary::Atan2 => Range::ANY,
            },
            _ => Range::ANY,
        }
    }

    fn power(&self, pool: &Pool, base: ExprId, exponent: ExprId) -> Range {
        let base = self.known[&base];
        match pool.as_number(exponent) {
            Some(n) if n == n.trunc() && (0.0..=LARGEST_POWER).contains(&n) => base.power(n as u32),
            Some(n) if n == n.trunc() && (-LARGEST_POWER..0.0).contains(&n) => {
                base.power(-n as u32).inverse()
            }
            _ if base.low >= 0.0 => Range { low: 0.0, high: f64::INFINITY, not_zero: base.not_zero },
            _ => Range::ANY,
        }
    }

    fn variable(&self, pool: &Pool, v: rhei_equations::VarId) -> Range {
        let variable = self.equations.variable(v);
        let number = |e: Option<ExprId>| e.and_then(|e| pool.as_number(e));
        let is_settled = variable.kind == Kind::Constant || variable.structural;
        match number(variable.binding) {
            Some(value) if is_settled => Range::new(value, value),
            _ if matches!(variable.kind, Kind::Parameter | Kind::Unknown) => {
                let low = number(variable.min).unwrap_or(f64::NEG_INFINITY);
                let high = number(variable.max).unwrap_or(f64::INFINITY);
                Range::new(low, high)
            }
            _ => Range::ANY,
        }
    }
}

fn elementary(f: Elementary, of: Range) -> Range {
    let row = f.row();
    let image = Range::new(row.image.low, row.image.high);
    match row.zeros {
        Zeros::Somewhere => image,
        Zeros::AtZero => Range { not_zero: image.not_zero || of.not_zero, ..image },
        Zeros::Nowhere => Range { not_zero: true, ..image },
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    fn is_nonzero(text: &str) -> bool {
        let text = format!(
            "model M\n  parameter a\n  parameter m(min = 0.1)\n  parameter s(min = 0)\n  constant c = 3\n  unknown x\n  unknown T(min = 1)\nequation\n  0 = {text}\n"
        );
        let model = read(&text).unwrap();
        Ranges::new(&model).of(&model.pool, model.equations[0].rhs).excludes_zero()
    }

    #[test]
    fn what_can_be_known_is_known() {
        for text in [
            "-2",
            "1 + x^2",
            "exp(x)",
            "m*cosh(a*x)",
            "2 + sin(x)",
            "-m - s",
            "x*x + exp(-x)",
            "c",
            "1/x",
            "m^0.5",
            "287*T",
        ] {
            assert!(is_nonzero(text), "{text}");
        }
        for text in ["a", "s", "x", "x^2", "1 + sin(x)", "m - s", "x^3 + 1", "sqrt(x)", "x*exp(x)"] {
            assert!(!is_nonzero(text), "{text}");
        }
    }

    #[test]
    fn what_parameters_give_is_as_steady_as_they_are() {
        let model = read(
            "model M\n  parameter V\n  unknown m\n  unknown d\n  unknown u\n  unknown t\nequation\n  m = d*V\n  1000 = d\n\
             u = m*t\n  t = time\n",
        )
        .unwrap();
        let mut ranges = Ranges::new(&model).with_steady_unknowns(&model.pool);
        let is_steady = model.equations.iter().map(|e| ranges.is_steady(&model.pool, e.lhs));
        assert_eq!(is_steady.collect::<Vec<_>>(), [true, true, false, false]);
    }
}
