//! Conditions that decide about the structure of a model, and the model in one of its modes.
//!
//! In: the equations of a model. Out: [`Modes`], where the structure can change at events.
//!
//! An equation with a choice, by a condition that does not change between events, is harmless as long as differentiating the
//! equations equally often in all cases determines the highest derivatives of all unknowns (Pryce 2001: the same offsets). One
//! structure then serves all cases. If each equation finds a partner among the unknowns that it holds in *every* case, that is
//! certain. Otherwise the conditions involved are *guards*: it depends on their values whether the common structure will do,
//! or the equations that are left in that mode need one of their own.

use rhei_equations::{EqId, Equation, Equations, ExprId, Guard, Node, Pool, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::chains::Chains;
use crate::chosen_factors::with_choices_outside;
use crate::held::Held;
use crate::pantelides::{Offsets, pantelides};
use crate::uncouple::uncoupled;
use crate::vanishing::without_zero_terms;
use crate::{Bipartite, Matching};

/// A model whose structure depends on conditions.
#[derive(Debug)]
pub struct Modes {
    /// The equations for all modes, with their guards.
    equations: Equations,
    /// How often rows and columns are differentiated in the structure that is common to most modes.
    offsets: Offsets,
    /// Guards by their conditions.
    place_of: FxHashMap<ExprId, usize>,
    /// The sides of equations in which guards stand: they are evaluated at each event, and most equations have none.
    guarded: Vec<ExprId>,
    /// The equations that they are sides of.
    choosing: Vec<EqId>,
    /// Incidence of the equations, whatever the guards are.
    chains: Chains,
}

impl Modes {
    /// The modes of a model; `None` where one structure serves all cases, or none is found.
    pub fn of(equations: &Equations) -> Option<Modes> {
        // most models have no such condition anywhere
        let mut all = (0..equations.pool.len() as u32).map(ExprId);
        let held = Held::of(equations);
        if !all.any(|e| held.condition_of(equations, e).is_some()) {
            return None;
        }
        let equations = &*without_zero_terms(equations);
        let equations = &*with_choices_outside(equations);
        let held = &Held::of(equations);
        let sides: Vec<ExprId> = continuous_sides(equations).collect();
        let below = equations.pool.below(&sides);
        if !below.iter().any(|&e| held.condition_of(equations, e).is_some()) {
            return None;
        }
        let chains = Chains::continuous(equations);
        let offsets = common_offsets(&chains)?;
        let guards = guards(equations, held, &chains, &offsets);
        if guards.is_empty() {
            return None;
        }
        let mut equations = equations.clone();
        equations.guards = guards;
        Some(Modes::assembled(equations, chains, offsets))
    }

    /// The modes of equations whose guards were found before; `None` where no structure is common to most of them.
    pub fn with_guards(equations: Equations) -> Option<Modes> {
        let chains = Chains::continuous(&equations);
        let offsets = common_offsets(&chains)?;
        Some(Modes::assembled(equations, chains, offsets))
    }

    fn assembled(equations: Equations, chains: Chains, offsets: Offsets) -> Modes {
        let conditions = equations.guards.iter().map(|guard| guard.condition);
        let place_of: FxHashMap<ExprId, usize> =
            conditions.enumerate().map(|(place, condition)| (condition, place)).collect();
        let is_guard = |&e: &ExprId| match equations.pool.node(e) {
            Node::If(condition, ..) => place_of.contains_key(&condition),
            _ => false,
        };
        let guarded: Vec<ExprId> = continuous_sides(&equations)
            .filter(|&e| equations.pool.below(&[e]).iter().any(is_guard))
            .collect();
        let is_guarded: FxHashSet<ExprId> = guarded.iter().copied().collect();
        let chooses = |equation: &Equation| {
            !equation.is_discrete && [equation.lhs, equation.rhs].iter().any(|side| is_guarded.contains(side))
        };
        let choosing = equations.equations.iter().enumerate().filter(|(_, equation)| chooses(equation));
        let choosing = choosing.map(|(place, _)| EqId(place as u32)).collect();
        Modes { equations, offsets, place_of, guarded, choosing, chains }
    }

    /// The equations for all modes at once.
    pub fn equations(&self) -> &Equations {
        &self.equations
    }

    /// The equations that hold where the guards have these values.
    pub fn in_mode(&self, values: &[bool]) -> Equations {
        let mut made = self.equations.clone();
        for (e, lhs, rhs) in self.chosen(values, &mut made.pool) {
            let equation = &mut made.equations[e.index()];
            (equation.lhs, equation.rhs) = (lhs, rhs);
        }
        made
    }

    /// The equations in which guards stand, with the sides that they have where the guards have these values. `pool` is that of the
    /// equations, or one that has grown from it.
    pub(crate) fn chosen(&self, values: &[bool], pool: &mut Pool) -> Vec<(EqId, ExprId, ExprId)> {
        let mut chosen: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut made = Vec::with_capacity(self.choosing.len());
        for &id in &self.choosing {
            let equation = &self.equations.equations[id.index()];
            for e in pool.below_but(&[equation.lhs, equation.rhs], |e| chosen.contains_key(&e)) {
                let new = match (self.guard_of(pool, e), pool.node(e)) {
                    (Some(guard), Node::If(_, then, other)) => {
                        chosen[if values[guard] { &then } else { &other }]
                    }
                    (_, node) => pool.with_operands(node, |operand| chosen[&operand]),
                };
                chosen.insert(e, new);
            }
            let (lhs, rhs) = (chosen[&equation.lhs], chosen[&equation.rhs]);
            let (lhs, rhs) = match equation.balance {
                // the flow of a balance stays on the right
                Some(_) => (lhs, rhs),
                None => as_written(pool, lhs, rhs),
            };
            made.push((id, lhs, rhs));
        }
        made
    }

    /// Incidence of the equations, whatever the guards are.
    pub(crate) fn chains(&self) -> &Chains {
        &self.chains
    }

    /// The same values, with false for the guards that decide nothing: those within an equation that does not hold.
    pub fn deciding(&self, values: &[bool]) -> Vec<bool> {
        let mut deciding = vec![false; values.len()];
        let pool = &self.equations.pool;
        let mut seen = FxHashSet::default();
        let mut open = self.guarded.clone();
        while let Some(e) = open.pop() {
            if !seen.insert(e) {
                continue;
            }
            match (self.guard_of(pool, e), pool.node(e)) {
                (Some(guard), Node::If(_, then, other)) => {
                    deciding[guard] = values[guard];
                    open.push(if values[guard] { then } else { other });
                }
                (_, node) => open.extend(pool.operands(node)),
            }
        }
        deciding
    }

    /// Whether the common structure will do for these equations of one mode.
    pub fn is_common(&self, in_mode: &Equations) -> bool {
        self.is_common_where(Chains::continuous(in_mode).orders.iter().map(Vec::as_slice))
    }

    /// The same, by the columns of the equations with their derivatives.
    pub(crate) fn is_common_where<'a>(&self, orders: impl Iterator<Item = &'a [(usize, u32)]>) -> bool {
        Matching::is_possible(&tight(&self.offsets, orders, self.chains.members.len()))
    }

    /// The equations of a mode without the constraints between differentiated variables, dropping those of this mode alone if
    /// possible; `Ok(None)` if there are none, an error with the unknowns left without equations otherwise.
    pub fn uncoupled(&self, in_mode: &Equations) -> Result<Option<Equations>, Vec<String>> {
        let sides = |equation: &Equation| (equation.lhs, equation.rhs);
        let of_model = &self.equations.equations;
        uncoupled(in_mode, |e| sides(&of_model[e.index()]) == sides(&in_mode.equations[e.index()]))
    }

    fn guard_of(&self, pool: &Pool, e: ExprId) -> Option<usize> {
        match pool.node(e) {
            Node::If(condition, ..) => self.place_of.get(&condition).copied(),
            _ => None,
        }
    }
}

/// Both sides of the equations that hold between events.
fn continuous_sides(equations: &Equations) -> impl Iterator<Item = ExprId> {
    let continuous = equations.equations.iter().filter(|equation| !equation.is_discrete);
    continuous.flat_map(|equation| [equation.lhs, equation.rhs])
}

/// The offsets of the equations in which all conditions are open.
fn common_offsets(chains: &Chains) -> Option<Offsets> {
    let asked: Vec<u32> = chains.members.iter().map(|members| members.len() as u32 - 1).collect();
    pantelides(&chains.orders, &asked).ok()
}

/// `0 = a - b`, which the parts of an if-equation have become, as the modeller wrote it.
fn as_written(pool: &mut Pool, lhs: ExprId, rhs: ExprId) -> (ExprId, ExprId) {
    match (pool.as_number(lhs), pool.node(rhs)) {
        (Some(0.0), Node::Binary(rhei_equations::Binary::Sub, a, b)) => (a, b),
        (Some(0.0), Node::Variable(_)) => (rhs, lhs),
        _ => (lhs, rhs),
    }
}

/// Which unknowns may be the partner of which equation, given how often they are differentiated.
fn tight<'a>(
    offsets: &Offsets,
    orders: impl Iterator<Item = &'a [(usize, u32)]>,
    n_columns: usize,
) -> Bipartite {
    let mut graph = Bipartite::new(n_columns);
    for (orders, offset) in orders.zip(&offsets.rows) {
        let is_tight = |&&(column, order): &&(usize, u32)| order + offset == offsets.columns[column];
        graph.push_row(orders.iter().filter(is_tight).map(|&(column, _)| column));
    }
    graph
}

/// The conditions that may change the structure, in the order of the equations.
fn guards(equations: &Equations, held: &Held, chains: &Chains, offsets: &Offsets) -> Vec<Guard> {
    let certain: Vec<Vec<(usize, u32)>> =
        (0..chains.equations.len()).map(|row| certain_orders(equations, held, chains, row)).collect();
    let n = chains.members.len();
    let certainly = tight(offsets, certain.iter().map(Vec::as_slice), n);
    let matching = Matching::maximum(&certainly);
    if matching.is_perfect() {
        return Vec::new();
    }
    let possibly = tight(offsets, chains.orders.iter().map(Vec::as_slice), n);
    let parts = Parts::of(&possibly);
    let mut is_open = vec![false; n];
    for row in (0..certainly.n_rows()).filter(|&row| matching.column_of(row).is_none()) {
        possibly.columns(row).next().into_iter().for_each(|column| is_open[parts.of_column(column)] = true);
    }
    for column in (0..n).filter(|&column| matching.row_of(column).is_none()) {
        is_open[parts.of_column(column)] = true;
    }
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    for row in 0..certainly.n_rows() {
        let is_uncertain = possibly.row(row).len() > certainly.row(row).len();
        let part = possibly.columns(row).next().map(|column| parts.of_column(column));
        if !is_uncertain || !part.is_some_and(|part| is_open[part]) {
            continue;
        }
        let equation = &equations.equations[chains.equations[row].index()];
        let orders = orders_below(equations, held, chains, equation);
        for e in equations.pool.below(&[equation.lhs, equation.rhs]) {
            if let (Some(condition), Node::If(_, then, other)) =
                (held.condition_of(equations, e), equations.pool.node(e))
                && sorted(&orders[&then]) != sorted(&orders[&other])
                && seen.insert(condition)
            {
                found.push(Guard { condition, origin: equation.origin.clone() });
            }
        }
    }
    found
}

/// Columns that rows tie together.
struct Parts {
    leader: Vec<usize>,
}

impl Parts {
    fn of(graph: &Bipartite) -> Parts {
        let mut parts = Parts { leader: (0..graph.n_columns()).collect() };
        for row in 0..graph.n_rows() {
            for pair in graph.row(row).windows(2) {
                let (a, b) = (parts.of_column(pair[0] as usize), parts.of_column(pair[1] as usize));
                parts.leader[a.max(b)] = a.min(b);
            }
        }
        parts
    }

    fn of_column(&self, mut column: usize) -> usize {
        while self.leader[column] != column {
            column = self.leader[column];
        }
        column
    }
}

/// The columns of a row with the derivative that occurs in every case.
fn certain_orders(equations: &Equations, held: &Held, chains: &Chains, row: usize) -> Vec<(usize, u32)> {
    let Equation { lhs, rhs, .. } = equations.equations[chains.equations[row].index()];
    let below = equations.pool.below(&[lhs, rhs]);
    if !below.iter().any(|&e| held.condition_of(equations, e).is_some()) {
        return chains.orders[row].clone();
    }
    let orders = orders_below(equations, held, chains, &equations.equations[chains.equations[row].index()]);
    in_either(orders[&lhs].clone(), &orders[&rhs])
}

fn sorted(orders: &[(usize, u32)]) -> Vec<(usize, u32)> {
    let mut orders = orders.to_vec();
    orders.sort_unstable();
    orders
}

/// For each subexpression of an equation, the columns with the derivative that occurs in every case.
fn orders_below(
    equations: &Equations,
    held: &Held,
    chains: &Chains,
    equation: &Equation,
) -> FxHashMap<ExprId, Vec<(usize, u32)>> {
    let mut orders: FxHashMap<ExprId, Vec<(usize, u32)>> = FxHashMap::default();
    let place = |v: VarId| chains.place(v);
    for e in equations.pool.below(&[equation.lhs, equation.rhs]) {
        let found = match (held.condition_of(equations, e), equations.pool.node(e)) {
            (Some(_), Node::If(_, then, other)) => in_both(&orders[&then], &orders[&other]),
            (_, Node::Variable(v)) => place(v).into_iter().collect(),
            (_, node) => {
                let operands = equations.pool.operands(node);
                operands.fold(Vec::new(), |all, operand| in_either(all, &orders[&operand]))
            }
        };
        orders.insert(e, found);
    }
    orders
}

/// Columns of both, with the lower derivative.
fn in_both(a: &[(usize, u32)], b: &[(usize, u32)]) -> Vec<(usize, u32)> {
    let other = |column: usize| b.iter().find(|&&(other, _)| other == column);
    a.iter().filter_map(|&(column, order)| Some((column, order.min(other(column)?.1)))).collect()
}

/// Columns of either, with the higher derivative.
fn in_either(mut all: Vec<(usize, u32)>, more: &[(usize, u32)]) -> Vec<(usize, u32)> {
    for &(column, order) in more {
        match all.iter_mut().find(|(known, _)| *known == column) {
            Some((_, highest)) => *highest = order.max(*highest),
            None => all.push((column, order)),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    fn modes(text: &str) -> Option<Modes> {
        Modes::of(&read(text).unwrap())
    }

    fn shown(modes: &Modes, values: &[bool]) -> (Vec<String>, bool) {
        let made = modes.in_mode(values);
        let texts = made.equations.iter().map(|equation| made.notation().equation(equation)).collect();
        (texts, modes.is_common(&made))
    }

    const SWITCH: &str = "\
model Switch
  unknown p1
  unknown p2
  unknown v
  unknown discrete Boolean closed
  derivative der(p1)
  derivative der(p2)
equation
  der(p1) = -p1 - v
  der(p2) = v - p2
  0 = if closed then v else p1 - p2
  closed = time > 1
";

    #[test]
    fn a_switch_between_storages_is_a_guard() {
        let modes = modes(SWITCH).expect("it has modes");
        assert_eq!(modes.equations().guards.len(), 1);
        let (texts, is_common) = shown(&modes, &[true]);
        assert_eq!((texts[2].as_str(), is_common), ("v = 0", true));
        let (texts, is_common) = shown(&modes, &[false]);
        assert_eq!((texts[2].as_str(), is_common), ("p1 = p2", false));
    }

    #[test]
    fn what_is_computed_in_every_case_is_none() {
        let text = SWITCH.replace("if closed then v else p1 - p2", "if closed then v else v - p1");
        assert!(modes(&text).is_none());
    }

    /// The locked clutch of the Standard Library: an unknown missing in one equation is in the other.
    #[test]
    fn a_clutch_with_one_structure_is_common_in_all_modes() {
        let text = "\
model Clutch
  unknown w
  unknown s
  unknown tau
  unknown discrete Boolean locked
  derivative der(w)
equation
  der(w) = 1 - tau
  der(w) = if locked then 0 else s
  tau = if locked then s else 0.5
  locked = time > 1
";
        let modes = modes(text).expect("it has suspects");
        for locked in [true, false] {
            assert!(shown(&modes, &[locked]).1);
        }
    }
}
