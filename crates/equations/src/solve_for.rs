//! An equation solved for one of its unknowns, if the solution is unique.
//!
//! An unknown that occurs once is isolated step by step, which keeps the modeller's terms together. One that occurs more often
//! is found from `a*v + b` if the equation is linear in it. Multi-valued functions are never inverted (`x^2 = a`).

use crate::{Binary, ExprId, Leaf, Node, Pool, VarId, Whole};

/// `v` from the other variables of the equation between two sides; none if that takes an iteration.
///
/// A factor that depends on other variables is a divisor: if it is zero at run time, the solution does not exist.
pub fn solve_for(pool: &mut Pool, sides: [ExprId; 2], v: VarId) -> Option<ExprId> {
    let [lhs, rhs] = sides;
    if pool.node(lhs) == Node::Variable(v) && !pool.depends_on(rhs, v) {
        return Some(rhs); // as most equations of a long calculation stand
    }
    isolate(pool, sides, v).or_else(|| solve_linear(pool, sides, v))
}

/// How often a variable occurs in expressions, counting up to two.
struct Occurrences {
    /// Ascending.
    below: Vec<ExprId>,
    counts: Vec<u8>,
}

impl Occurrences {
    /// Of `v`, in each expression below `roots`.
    fn of(pool: &Pool, roots: &[ExprId], v: VarId) -> Occurrences {
        let below = pool.below(roots);
        let mut count = Occurrences { counts: Vec::with_capacity(below.len()), below };
        for place in 0..count.below.len() {
            let node = pool.node(count.below[place]);
            let inside = pool.operands(node).map(|operand| count.within(operand));
            let n = inside.fold(u8::from(node == Node::Variable(v)), u8::saturating_add);
            count.counts.push(n.min(2));
        }
        count
    }

    fn within(&self, e: ExprId) -> u8 {
        self.below.binary_search(&e).map_or(0, |place| self.counts[place])
    }
}

fn isolate(pool: &mut Pool, sides @ [lhs, rhs]: [ExprId; 2], v: VarId) -> Option<ExprId> {
    let count = Occurrences::of(pool, &sides, v);
    let (mut holding, mut other) = match (count.within(lhs), count.within(rhs)) {
        (1, 0) => (lhs, rhs),
        (0, 1) => (rhs, lhs),
        _ => return None,
    };
    loop {
        (holding, other) = match pool.node(holding) {
            Node::Variable(_) => return Some(other),
            Node::Negate(a) => (a, pool.negate(other)),
            Node::Not(a) => (a, pool.not(other)),
            Node::Binary(op, a, b) => match (op, count.within(a) == 1) {
                (Binary::Add, true) => (a, pool.sub(other, b)),
                (Binary::Add, false) => (b, pool.sub(other, a)),
                (Binary::Sub, true) => (a, pool.add(other, b)),
                (Binary::Sub, false) => (b, pool.sub(a, other)),
                (Binary::Mul, true) => (a, pool.div(other, b)),
                (Binary::Mul, false) => (b, pool.div(other, a)),
                (Binary::Div, true) => (a, pool.mul(other, b)),
                (Binary::Div, false) => (b, pool.div(a, other)),
                _ => return None,
            },
            Node::Whole(op, a, b) => match (op, count.within(a) == 1) {
                (Whole::Add, true) => (a, pool.whole(Whole::Subtract, other, b)),
                (Whole::Add, false) => (b, pool.whole(Whole::Subtract, other, a)),
                (Whole::Subtract, true) => (a, pool.whole(Whole::Add, other, b)),
                (Whole::Subtract, false) => (b, pool.whole(Whole::Subtract, a, other)),
                _ => return None,
            },
            _ => return None,
        };
    }
}

fn solve_linear(pool: &mut Pool, [lhs, rhs]: [ExprId; 2], v: VarId) -> Option<ExprId> {
    let residual = pool.sub(lhs, rhs);
    let slope = pool.partial(residual, v).ok()?;
    let zero = pool.number(0.0);
    if pool.as_number(slope) == Some(0.0) || pool.depends_on(slope, v) {
        return None;
    }
    let rest = pool.substitute(residual, |leaf| (leaf == Leaf::Variable(v)).then_some(zero));
    let numerator = pool.negate(rest);
    Some(pool.div(numerator, slope))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{read, solve_for};

    fn check(equation: &str, expected: Expect) {
        let text = format!("model M\n  parameter a\n  unknown x\n  unknown y\nequation\n  {equation}\n");
        let mut model = read(&text).unwrap();
        let x = model.variable_named("x").unwrap();
        let sides = [model.equations[0].lhs, model.equations[0].rhs];
        let solution = solve_for(&mut model.pool, sides, x);
        expected.assert_eq(&solution.map_or("no".into(), |e| model.notation().expression(e)));
    }

    #[test]
    fn one_occurrence_is_isolated() {
        check("x = a*y", expect!["a*y"]);
        check("a*x = y", expect!["y/a"]);
        check("y = a - x/2", expect!["(a - y)*2"]);
        check("sin(y) = a/(x + 1)", expect!["a/sin(y) - 1"]);
        check("0 = y - -x", expect!["-y"]);
    }

    #[test]
    fn several_occurrences_are_collected_where_linear() {
        check("x = a*x + y", expect!["y/(1 - a)"]);
        check("x*y + x = 3", expect!["3/(y + 1)"]);
    }

    #[test]
    fn what_needs_iteration_is_left() {
        check("x^2 = a", expect!["no"]);
        check("x = sin(x)", expect!["no"]);
        check("if x > 0 then x else 2*x = y", expect!["no"]);
        check("x - x = y", expect!["no"]);
    }
}
