//! Values at a generic point, in a finite field: an expression that vanishes there vanishes everywhere.
//!
//! Every variable gets a number drawn once and for all, and expressions are evaluated modulo the prime 2^61 - 1. Two
//! expressions that are equal as rational functions of their variables have equal values, and unequal ones differ but for a
//! chance of about their degree in 2^61 (Schwartz 1980). Numbers of the model are exact: a double is an integer times a power
//! of two. Sines and cosines are drawn as a point of the circle, so that sin² + cos² is 1 here too.

use rhei_elementary::{Algebra, Parity};
use rhei_equations::{Binary, Elementary, ExprId, Node, Pool, Whole};
use rustc_hash::FxHashMap;

/// A number modulo 2^61 - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Residue(u64);

const P: u64 = PRIME;

/// The prime.
pub(crate) const PRIME: u64 = (1 << 61) - 1;

impl Residue {
    pub(crate) const ZERO: Residue = Residue(0);
    pub(crate) const ONE: Residue = Residue(1);

    /// Of a number below the prime.
    pub(crate) fn whole(number: u64) -> Residue {
        debug_assert!(number < P);
        Residue(number)
    }

    pub(crate) fn number(self) -> u64 {
        self.0
    }

    pub(crate) fn is_zero(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn plus(self, other: Residue) -> Residue {
        let sum = self.0 + other.0;
        Residue(if sum >= P { sum - P } else { sum })
    }

    pub(crate) fn negated(self) -> Residue {
        Residue(if self.0 == 0 { 0 } else { P - self.0 })
    }

    pub(crate) fn minus(self, other: Residue) -> Residue {
        self.plus(other.negated())
    }

    pub(crate) fn times(self, other: Residue) -> Residue {
        let product = u128::from(self.0) * u128::from(other.0);
        let folded = (product & u128::from(P)) as u64 + (product >> 61) as u64;
        Residue(if folded >= P { folded - P } else { folded })
    }

    pub(crate) fn power(self, mut exponent: u64) -> Residue {
        let (mut product, mut square) = (Residue::ONE, self);
        while exponent > 0 {
            if exponent & 1 == 1 {
                product = product.times(square);
            }
            square = square.times(square);
            exponent >>= 1;
        }
        product
    }

    /// `1/x`; nothing for zero.
    pub(crate) fn inverse(self) -> Option<Residue> {
        (self.0 != 0).then(|| self.power(P - 2))
    }

    /// The number as a simple fraction, if it is one: most numbers here are none.
    pub(crate) fn as_fraction(self) -> Option<f64> {
        const MOST: u64 = 1000;
        (1..=MOST).find_map(|denominator| {
            let numerator = self.times(Residue(denominator));
            let size = |numerator: u64| numerator as f64 / denominator as f64;
            if numerator.0 <= MOST {
                Some(size(numerator.0))
            } else if P - numerator.0 <= MOST {
                Some(-size(P - numerator.0))
            } else {
                None
            }
        })
    }

    /// A double, exactly.
    fn of(value: f64) -> Residue {
        let (mantissa, exponent) = in_binary(value);
        // 2^61 is 1 here
        let shift = exponent.rem_euclid(61) as u64;
        let size = Residue(mantissa % P).times(Residue(2).power(shift));
        if value < 0.0 { size.negated() } else { size }
    }
}

/// The size of a double as a whole number and the power of two that it is multiplied by.
pub(crate) fn in_binary(value: f64) -> (u64, i64) {
    let bits = value.abs().to_bits();
    match bits >> 52 {
        0 => (bits, -1074),
        biased => (bits & ((1 << 52) - 1) | (1 << 52), biased as i64 - 1075),
    }
}

/// A number that looks drawn at random, the same for the same key everywhere (SplitMix64).
fn drawn(key: u64) -> Residue {
    let mut z = key.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Residue((z ^ (z >> 31)) % P)
}

fn drawn_for(what: u64, of: &[Residue]) -> Residue {
    of.iter().fold(drawn(what), |key, value| drawn(key.0 ^ value.0.rotate_left(7)))
}

/// The generic point, with the values found so far.
#[derive(Default)]
pub(crate) struct GenericPoint {
    known: FxHashMap<ExprId, Residue>,
}

impl GenericPoint {
    /// Something has the value of something else here.
    pub(crate) fn settle(&mut self, pool: &Pool, e: ExprId, value: ExprId) {
        let value = self.value(pool, value);
        self.known.insert(e, value);
    }

    pub(crate) fn value(&mut self, pool: &Pool, e: ExprId) -> Residue {
        if let Some(&value) = self.known.get(&e) {
            return value;
        }
        let mut open = vec![e];
        while let Some(&next) = open.last() {
            if self.known.contains_key(&next) {
                open.pop();
                continue;
            }
            let node = pool.node(next);
            let operands: Vec<ExprId> = pool.operands(node).collect();
            let before = open.len();
            open.extend(operands.iter().filter(|operand| !self.known.contains_key(operand)));
            if open.len() == before {
                let values: Vec<Residue> = operands.iter().map(|operand| self.known[operand]).collect();
                self.known.insert(next, operation(pool, node, &operands, &values));
                open.pop();
            }
        }
        self.known[&e]
    }
}

fn operation(pool: &Pool, node: Node, operands: &[ExprId], values: &[Residue]) -> Residue {
    match node {
        Node::Number(bits) => Residue::of(f64::from_bits(bits)),
        Node::Large(number) => Residue::of(number as f64),
        Node::Truth(value) => Residue(u64::from(value)),
        Node::Variable(v) => drawn(u64::from(v.0)),
        Node::Time => drawn(u64::MAX),
        Node::Negate(_) => values[0].negated(),
        Node::Binary(op, ..) => binary(pool, op, operands, values),
        Node::Whole(Whole::Add, ..) => values[0].plus(values[1]),
        Node::Whole(Whole::Subtract, ..) => values[0].minus(values[1]),
        Node::Whole(Whole::Multiply, ..) => values[0].times(values[1]),
        Node::Whole(Whole::OfReal, ..) => values[0],
        Node::Whole(op, ..) => drawn_for(140 + op as u64, values),
        Node::Call(f, _) => elementary(f, values[0]),
        Node::Relation(relation, ..) => drawn_for(100 + relation as u64, values),
        Node::Not(_) => Residue::ONE.minus(values[0]),
        Node::And(..) => drawn_for(120, values),
        Node::Or(..) => drawn_for(121, values),
        Node::If(..) if values[1] == values[2] => values[1],
        Node::If(..) => drawn_for(122, values),
        Node::Invoke(call) => {
            let call = pool.call_of(call);
            let function = (u64::from(call.function.0) << 4) + u64::from(call.depth);
            drawn_for(1000 + function, values)
        }
        Node::Output(_, place) => drawn_for(200 + u64::from(place), values),
    }
}

fn binary(pool: &Pool, op: Binary, operands: &[ExprId], values: &[Residue]) -> Residue {
    let (a, b) = (values[0], values[1]);
    match (op, pool.as_number(operands[1])) {
        (Binary::Div, _) if b.inverse().is_none() => drawn_for(130, values),
        (Binary::Pow, Some(n)) if n == n.trunc() && n.abs() < 1e6 => {
            let power = a.power(n.abs() as u64);
            if n < 0.0 { power.inverse().unwrap_or(Residue::ZERO) } else { power }
        }
        _ => Residues.binary(op, a, b),
    }
}

fn elementary(f: Elementary, a: Residue) -> Residue {
    let Some((parity, formula)) = f.row().of_half_argument else {
        return drawn_for(150 + f as u64, &[a]);
    };
    // an argument and its negative share a point, mirrored
    let mirrored = a.negated().0 < a.0;
    let t = drawn_for(140, &[if mirrored { a.negated() } else { a }]);
    let value = formula.at(&mut Residues, &t, &Residue::ZERO);
    if parity == Parity::Odd && mirrored { value.negated() } else { value }
}

/// The finite field; a quotient that has no value there is zero.
struct Residues;

impl Algebra for Residues {
    type Number = Residue;

    fn constant(&mut self, value: f64) -> Residue {
        Residue::of(value)
    }

    fn negate(&mut self, a: Residue) -> Residue {
        a.negated()
    }

    fn binary(&mut self, op: Binary, a: Residue, b: Residue) -> Residue {
        match op {
            Binary::Add => a.plus(b),
            Binary::Sub => a.minus(b),
            Binary::Mul => a.times(b),
            Binary::Div => b.inverse().map_or(Residue::ZERO, |inverse| a.times(inverse)),
            Binary::Pow => drawn_for(131, &[a, b]),
            Binary::Atan2 => drawn_for(132, &[a, b]),
            Binary::Min => drawn_for(133, &[a, b]),
            Binary::Max => drawn_for(134, &[a, b]),
        }
    }

    fn call(&mut self, f: Elementary, a: Residue) -> Residue {
        elementary(f, a)
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    fn vanishes(text: &str) -> bool {
        let text = format!("model M\n  parameter a\n  unknown x\n  unknown y\nequation\n  0 = {text}\n");
        let model = read(&text).unwrap();
        GenericPoint::default().value(&model.pool, model.equations[0].rhs).is_zero()
    }

    #[test]
    fn what_vanishes_identically_is_zero_and_nothing_else() {
        assert!(vanishes("(x + y)^2 - x^2 - 2*x*y - y*y"));
        assert!(vanishes("sin(x)^2 + cos(x)^2 - 1"));
        assert!(vanishes("sin(-x) + sin(x)"));
        assert!(vanishes("cosh(x)*cosh(x) - sinh(x)*sinh(x) - 1"));
        assert!(vanishes("x/(x*y) - 1/y"));
        assert!(vanishes("0.5*x - x/2"));
        assert!(!vanishes("0.1*x + 0.2*x - 0.3*x"), "these doubles do not add up");
        assert!(!vanishes("sin(x) - sin(y)"));
        assert!(!vanishes("x - a"));
    }
}
