//! Variables that differ by a sign and a constant at most.

use rhei_equations::{Binary, Dae, Equation, ExprId, Node, Pool, VarId, Variable};

use crate::nonzero::is_steady;

/// Classes of variables that are tied by equations `a = b`, `a = -b` or `a = b + constant`.
pub(crate) struct Aliases {
    parent: Vec<u32>,
}

/// An equation with more terms than this is no alias.
const MOST_TERMS: usize = 6;

impl Aliases {
    pub(crate) fn new(equations: &Dae, pool: &Pool) -> Aliases {
        let mut aliases = Aliases { parent: (0..equations.variables.len() as u32).collect() };
        let is_unknown = unknowns(equations);
        let mut open = Vec::new();
        for equation in &equations.equations {
            if let Some((a, b)) = alias((equations, pool), equation, &is_unknown, &mut open) {
                aliases.unite(a, b);
            }
        }
        for v in 0..aliases.parent.len() {
            aliases.parent[v] = aliases.parent[aliases.parent[v] as usize]; // parents come first
        }
        aliases
    }

    /// The representative of the class of a variable: its first member.
    pub(crate) fn class(&self, v: VarId) -> VarId {
        VarId(self.parent[v.index()])
    }

    fn root(&mut self, v: VarId) -> u32 {
        let mut v = v.index();
        while self.parent[v] as usize != v {
            self.parent[v] = self.parent[self.parent[v] as usize];
            v = self.parent[v] as usize;
        }
        v as u32
    }

    fn unite(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.root(a), self.root(b));
        let (first, later) = (a.min(b), a.max(b));
        self.parent[later as usize] = first;
    }
}

/// By variable: whether the equations have to find it. A small array: the passes ask for it in the order of the equations, and
/// variables are large.
pub(crate) fn unknowns(equations: &Dae) -> Vec<bool> {
    equations.variables.iter().map(Variable::is_unknown).collect()
}

/// The two unknowns that an equation ties with factors of one.
fn alias(
    (equations, pool): (&Dae, &Pool),
    equation: &Equation,
    is_unknown: &[bool],
    open: &mut Vec<ExprId>,
) -> Option<(VarId, VarId)> {
    if equation.balance.is_some() {
        return None; // it finds one variable from the other: a filter, not a second name
    }
    let (mut found, mut n_terms) = ([None; 2], 0);
    open.clear();
    open.extend([equation.lhs, equation.rhs]);
    while let Some(e) = open.pop() {
        match pool.node(e) {
            Node::Binary(Binary::Add | Binary::Sub, a, b) => open.extend([a, b]),
            Node::Negate(a) => open.push(a),
            Node::Variable(v) if is_unknown[v.index()] => {
                *found.iter_mut().find(|place| place.is_none())? = Some(v);
                n_terms += 1;
            }
            _ if !is_steady(equations, pool, e) => return None,
            _ => n_terms += 1,
        }
        if n_terms + open.len() > MOST_TERMS {
            return None;
        }
    }
    let [Some(a), Some(b)] = found else { return None };
    (a != b).then_some((a, b))
}

/// The two unknowns that an equation makes one, and whether the one is the negative of the other.
pub(crate) fn same_but_for_sign(
    pool: &Pool,
    equation: &Equation,
    is_unknown: &[bool],
    open: &mut Vec<(ExprId, bool)>,
) -> Option<(VarId, VarId, bool)> {
    open.clear();
    open.extend([(equation.lhs, false), (equation.rhs, true)]);
    let mut found = [None; 2];
    for _ in 0..2 * MOST_TERMS {
        let Some((e, negated)) = open.pop() else { break };
        match pool.node(e) {
            Node::Binary(Binary::Add, a, b) => open.extend([(a, negated), (b, negated)]),
            Node::Binary(Binary::Sub, a, b) => open.extend([(a, negated), (b, !negated)]),
            Node::Negate(a) => open.push((a, !negated)),
            Node::Variable(v) if is_unknown[v.index()] => {
                *found.iter_mut().find(|place| place.is_none())? = Some((v, negated));
            }
            _ if pool.as_number(e) == Some(0.0) => {}
            _ => return None,
        }
    }
    match found {
        [Some((a, one)), Some((b, other))] if open.is_empty() && a != b => Some((a, b, one == other)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    #[test]
    fn signs_and_constants_do_not_matter() {
        let model = read(
            "model M\n  parameter p\n  unknown a\n  unknown b\n  unknown c\n  unknown d\n  unknown e\n\
             equation\n  d = c + p/2\n  0 = a + b\n  c - b = 1\n  e = 2*a\n  e = d + time\n",
        )
        .unwrap();
        let aliases = Aliases::new(&model, &model.pool);
        let classes: Vec<u32> = (1..6).map(|v| aliases.class(VarId(v)).0).collect();
        assert_eq!(classes, [1, 1, 1, 1, 5]);
    }
}
