//! Subexpressions of expressions, and substitution of leaves. Expressions share subexpressions: each is visited once.

use rustc_hash::FxHashSet;

use crate::{Binary, ByExpression, ExprId, Leaf, Node, Pool, VarId};

impl Pool {
    /// All subexpressions of `roots`, operands before their users, each once.
    pub fn below(&self, roots: &[ExprId]) -> Vec<ExprId> {
        self.below_but(roots, |_| false)
    }

    /// As [`Pool::below`], without those that are `is_known`, and without subexpressions of these alone.
    pub fn below_but(&self, roots: &[ExprId], is_known: impl Fn(ExprId) -> bool) -> Vec<ExprId> {
        let mut seen = Seen::new(self.len());
        roots.iter().filter(|&&root| !is_known(root)).for_each(|&root| seen.insert(root));
        let mut next = 0;
        while let Some(&e) = seen.found.get(next) {
            next += 1;
            self.operands(self.node(e)).filter(|&operand| !is_known(operand)).for_each(|e| seen.insert(e));
        }
        let mut found = seen.found;
        found.sort_unstable(); // ids grow from operands to their users
        found
    }

    /// The variables of an expression, each once, by id.
    pub fn variables_of(&self, e: ExprId) -> Vec<VarId> {
        let mut found: Vec<VarId> = Vec::new();
        self.variables_into(&[e], &mut found);
        found
    }

    /// The variables of some expressions, each once, by id; they replace the content of `found`. Most formulas are short, and
    /// then nothing is allocated.
    pub fn variables_into(&self, roots: &[ExprId], found: &mut Vec<VarId>) {
        found.clear();
        let variable = |e: ExprId| if let Node::Variable(v) = self.node(e) { Some(v) } else { None };
        let mut seen = SeenFew { found: [ExprId(0); FEW], n: 0, are_more: false };
        roots.iter().for_each(|&root| seen.insert(root));
        let mut next = 0;
        while next < seen.n && !seen.are_more {
            self.operands(self.node(seen.found[next])).for_each(|operand| seen.insert(operand));
            next += 1;
        }
        match seen.are_more {
            false => found.extend(seen.found[..seen.n].iter().copied().filter_map(variable)),
            true => found.extend(self.below(roots).into_iter().filter_map(variable)),
        }
        found.sort_unstable();
    }

    /// The terms of a sum, in order, each with whether it is subtracted.
    pub fn terms(&self, sum: ExprId) -> Vec<(ExprId, bool)> {
        let (mut open, mut found) = (vec![(sum, false)], Vec::new());
        while let Some((e, is_negative)) = open.pop() {
            match self.node(e) {
                Node::Binary(Binary::Add, a, b) => open.extend([(b, is_negative), (a, is_negative)]),
                Node::Binary(Binary::Sub, a, b) => open.extend([(b, !is_negative), (a, is_negative)]),
                Node::Negate(a) => open.push((a, !is_negative)),
                _ => found.push((e, is_negative)),
            }
        }
        found
    }

    /// Whether `v` occurs in `e`.
    pub fn depends_on(&self, e: ExprId, v: VarId) -> bool {
        let Some(leaf) = self.known(Node::Variable(v)) else { return false };
        // expressions before the variable do not contain it
        self.below_but(&[e], |e| e < leaf).first() == Some(&leaf)
    }

    /// `e` with leaves replaced by `replacement`.
    pub fn substitute(&mut self, e: ExprId, replacement: impl Fn(Leaf) -> Option<ExprId>) -> ExprId {
        self.substitute_also(e, &mut Replaced::default(), replacement)
    }

    /// As [`Pool::substitute`], for many expressions with one `replacement`: shared subexpressions are replaced once.
    pub fn substitute_also(
        &mut self,
        e: ExprId,
        replaced: &mut Replaced,
        replacement: impl Fn(Leaf) -> Option<ExprId>,
    ) -> ExprId {
        let made = &mut replaced.made;
        for e in self.below_but(&[e], |e| made.get(e).is_some()) {
            let node = self.node(e);
            let new = match node.leaf().and_then(&replacement) {
                Some(new) => new,
                None => self.with_operands(node, |operand| became(made, operand)),
            };
            made.insert(e, new.0);
        }
        became(made, e)
    }
}

/// The images of expressions under a substitution.
#[derive(Clone, Debug, Default)]
pub struct Replaced {
    made: ByExpression,
}

fn became(made: &ByExpression, e: ExprId) -> ExprId {
    ExprId(made.get(e).expect("operands come first"))
}

/// A few expressions, each once.
struct SeenFew {
    found: [ExprId; FEW],
    n: usize,
    /// Whether there is no room for all.
    are_more: bool,
}

impl SeenFew {
    fn insert(&mut self, e: ExprId) {
        if self.found[..self.n].contains(&e) {
            return;
        }
        self.are_more |= self.n == FEW;
        if let Some(place) = self.found.get_mut(self.n) {
            *place = e;
            self.n += 1;
        }
    }
}

/// Expressions in the order they were found, each once. Most formulas are short and searched linearly; long ones are hashed,
/// or marked if they are a good part of the pool.
struct Seen {
    found: Vec<ExprId>,
    hashed: FxHashSet<ExprId>,
    marked: Vec<bool>,
    n_pool: usize,
}

/// Number of expressions up to which they are searched linearly.
const FEW: usize = 16;
/// Marks for the whole pool are made once this share of it (the inverse) was found: their cost is then that of
/// the expressions found.
const MANY: usize = 64;

impl Seen {
    fn new(n_pool: usize) -> Self {
        Seen { found: Vec::with_capacity(FEW), hashed: FxHashSet::default(), marked: Vec::new(), n_pool }
    }

    fn insert(&mut self, e: ExprId) {
        let is_new = if !self.marked.is_empty() {
            !std::mem::replace(&mut self.marked[e.0 as usize], true)
        } else if !self.hashed.is_empty() {
            self.hashed.insert(e)
        } else {
            !self.found.contains(&e)
        };
        if is_new {
            self.found.push(e);
            self.change_way();
        }
    }

    fn change_way(&mut self) {
        if self.hashed.is_empty() && self.marked.is_empty() && self.found.len() > FEW {
            self.hashed.extend(&self.found);
        }
        if self.marked.is_empty() && self.found.len() > FEW && self.found.len() * MANY > self.n_pool {
            self.marked = vec![false; self.n_pool];
            self.found.iter().for_each(|e| self.marked[e.0 as usize] = true);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_chain_needs_no_stack() {
        let mut pool = Pool::default();
        let x = pool.variable(VarId(0));
        let mut sum = x;
        for i in 1..200_000 {
            let term = pool.variable(VarId(i));
            sum = pool.add(sum, term);
        }
        let y = pool.variable(VarId(200_000));
        let replaced = pool.substitute(sum, |leaf| (leaf == Leaf::Variable(VarId(0))).then_some(y));
        assert!(pool.depends_on(sum, VarId(0)));
        assert!(!pool.depends_on(replaced, VarId(0)));
    }

    /// Few, some and many expressions are remembered in three ways, which must agree.
    #[test]
    fn each_part_is_found_once_however_many_there_are() {
        let mut pool = Pool::default();
        let mut sums = Vec::new();
        let mut sum = pool.variable(VarId(0));
        for i in 1..3_000 {
            let term = pool.variable(VarId(i));
            let product = pool.mul(sum, term);
            sum = pool.add(product, term);
            sums.push(sum);
        }
        for n in [0, 5, 10, 20, 2_998] {
            let below = pool.below(&[sums[n], sums[n]]);
            assert!(below.is_sorted_by(|a, b| a < b));
            assert_eq!(below.len(), 3 * (n + 1) + 1);
        }
    }

    #[test]
    fn what_is_shared_is_replaced_once_and_alike() {
        let mut pool = Pool::default();
        let (x, y) = (pool.variable(VarId(0)), pool.variable(VarId(1)));
        let shared = pool.mul(x, y);
        let (a, b) = (pool.add(shared, x), pool.sub(shared, y));
        let mut replaced = Replaced::default();
        let by = |leaf: Leaf| (leaf == Leaf::Variable(VarId(0))).then_some(y);
        let (also_a, also_b) =
            (pool.substitute_also(a, &mut replaced, by), pool.substitute_also(b, &mut replaced, by));
        assert_eq!((also_a, also_b), (pool.substitute(a, by), pool.substitute(b, by)));
    }
}
