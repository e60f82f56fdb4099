//! `balance(x) = f`: variables that may be balanced, relations that follow the search, and tearing of a
//! group.
//!
//! For index reduction a balance is the algebraic equation `0 = f`. In the matching, `x` is the partner of its balance whatever
//! else `f` could determine, and is guessed: all other equations must have partners without it. Equations of one strong
//! component that are balances are one group, solved together.

use std::borrow::Cow;

use rhei_equations::{
    Balance, Border, Dae, Elementary, Equation, Equations, ExprId, Leaf, Pool, StateSelect, VarId,
};
use rhei_solvable::{Block, Loop, Residual};
use rhei_source::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::aliases::Aliases;
use crate::blocks::System;
use crate::diagnose::{at_equations, at_variables};
use crate::{Bipartite, Matching, Part, strong_components};

/// The balances of a model.
pub(crate) fn balances(equations: &Dae) -> impl Iterator<Item = (&Equation, Balance)> {
    equations.equations.iter().filter_map(|equation| Some((equation, equation.balance?)))
}

/// The model as the other passes take it: balanced variables are never states, and relations of a group follow its search. `None`
/// where something is balanced that cannot be.
pub(crate) fn prepared<'a>(
    equations: &'a Equations,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Cow<'a, Equations>> {
    if balances(equations).next().is_none() {
        return Some(Cow::Borrowed(equations));
    }
    let aliases = Aliases::new(equations, &equations.pool);
    let refused = refusals(equations, &aliases);
    if !refused.is_empty() {
        diagnostics.extend(refused);
        return None;
    }
    let mut prepared = equations.clone();
    let classes: FxHashSet<VarId> =
        balances(equations).map(|(_, balance)| aliases.class(balance.variable)).collect();
    for (v, _) in equations.iter_variables() {
        if classes.contains(&aliases.class(v)) {
            prepared.variables[v.index()].select = StateSelect::Never;
        }
    }
    for v in given_by_balances(equations) {
        let select = &mut prepared.variables[v.index()].select;
        *select = StateSelect::min(*select, StateSelect::Avoid);
    }
    follow_search(&mut prepared);
    Some(Cow::Owned(prepared))
}

/// Variables that follow from balanced ones alone, one after the other: as states they would leave their balances nothing to
/// determine. Variables that are preferred as states are left out.
fn given_by_balances(equations: &Equations) -> Vec<VarId> {
    let mut given: FxHashSet<VarId> = balances(equations).map(|(_, balance)| balance.variable).collect();
    let mut found = Vec::new();
    let rows =
        equations.equations.iter().filter(|equation| !equation.is_discrete && equation.balance.is_none());
    let mut open: Vec<Vec<VarId>> = rows
        .map(|row| {
            let sides = [row.lhs, row.rhs].map(|side| equations.pool.variables_of(side));
            let unknowns = sides.into_iter().flatten().filter(|v| equations.variable(*v).is_unknown());
            unknowns.collect::<std::collections::BTreeSet<VarId>>().into_iter().collect()
        })
        .collect();
    loop {
        let before = open.len();
        open.retain(|unknowns| {
            let free: Vec<VarId> = unknowns.iter().copied().filter(|v| !given.contains(v)).collect();
            let &[last] = free.as_slice() else { return true };
            let is_wished = equations.variable(last).select >= StateSelect::Prefer;
            if unknowns.len() > 1 && !is_wished {
                given.insert(last);
                found.push(last);
            }
            false
        });
        if open.len() == before {
            return found;
        }
    }
}

/// Errors: variables balanced twice, or balanced states.
fn refusals(equations: &Equations, aliases: &Aliases) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut first: FxHashMap<VarId, &Equation> = FxHashMap::default();
    let derivatives = equations.derivatives();
    for (equation, Balance { variable, .. }) in balances(equations) {
        if let Some(other) = first.insert(aliases.class(variable), equation) {
            found.push(balanced_twice(equations, other, equation));
            continue;
        }
        let declared = equations.variable(variable);
        let wish = declared.select;
        let why = if derivatives[variable.index()].is_some() {
            "the model differentiates it: it would be a state".to_owned()
        } else if equations.events.reinits.iter().any(|reinit| reinit.target == variable) {
            "`reinit` sets it: it would be a state".to_owned()
        } else if wish >= StateSelect::Prefer {
            format!("`stateSelect = StateSelect.{}` wants it as a state", wish.name())
        } else {
            continue;
        };
        let message = format!("`{}` cannot be balanced: {why}", declared.name);
        let said = Diagnostic::error("balance-target", message)
            .with_note("what is balanced is found anew at every point and is no state; write `der` or `balance`, not both");
        let said = at_equations(said, std::iter::once(equation), &equations.notation());
        found.push(at_variables(said, equations, &[variable]));
    }
    found
}

fn balanced_twice(equations: &Equations, first: &Equation, second: &Equation) -> Diagnostic {
    let name = |equation: &Equation| {
        let balance = equation.balance.map(|balance| balance.variable);
        balance.map_or("", |v| equations.variable(v).name.as_str())
    };
    let (a, b) = (name(first), name(second));
    let message = match a == b {
        true => format!("`{a}` is balanced twice"),
        false => format!("`{a}` and `{b}` are one variable, and both are balanced"),
    };
    let said = Diagnostic::error("balance-twice", message)
        .with_note("each balance finds one variable: which other one shall the second find?");
    at_equations(said, [first, second].into_iter(), &equations.notation())
}

/// Adds relations to the conditions that hold them, in equations of a group and wherever they depend on the group's unknowns.
/// Inside the search they have their present values, unless an integrator tries points within a step. Events watch them as all
/// others.
fn follow_search(equations: &mut Equations) {
    let mut literals: FxHashMap<VarId, ExprId> = FxHashMap::default();
    let Equations { pool, dae } = equations;
    for crossing in &dae.events.crossings {
        let literal = match crossing.border {
            Border::Zero { difference, relation } => {
                let zero = pool.number(0.0);
                pool.relation(relation, difference, zero)
            }
            Border::Whole { value } => pool.call(Elementary::Floor, value),
            Border::Time { .. } => continue,
        };
        literals.insert(crossing.held, literal);
    }
    if literals.is_empty() {
        return;
    }
    let mut followed: FxHashSet<VarId> = FxHashSet::default();
    for (place, group) in groups(dae, pool, &literals) {
        let Equation { lhs, rhs, .. } = dae.equations[place];
        let sides = [lhs, rhs].map(|side| pool.variables_of(side));
        let mut put: FxHashMap<VarId, ExprId> = FxHashMap::default();
        for held in sides.into_iter().flatten() {
            if !depends(pool, held, &literals, &group) {
                continue;
            }
            let literal = written_out(pool, held, &literals, &group, &mut followed);
            let either = match dae.events.holding {
                Some(holding) => {
                    let (holding, held) = (pool.variable(holding), pool.variable(held));
                    pool.if_else(holding, held, literal)
                }
                None => literal,
            };
            put.insert(held, either);
        }
        let (lhs, rhs) = (replace(pool, lhs, &put), replace(pool, rhs, &put));
        let equation = &mut dae.equations[place];
        (equation.lhs, equation.rhs) = (lhs, rhs);
    }
    for crossing in &mut dae.events.crossings {
        crossing.is_followed |= followed.contains(&crossing.held);
    }
}

/// Whether a held condition is a relation between unknowns of a group.
fn depends(pool: &Pool, held: VarId, literals: &FxHashMap<VarId, ExprId>, group: &FxHashSet<VarId>) -> bool {
    literals
        .get(&held)
        .is_some_and(|literal| reached(pool, *literal, literals).iter().any(|v| group.contains(v)))
}

/// The relation itself; conditions may stand in conditions, and are written out level by level.
fn written_out(
    pool: &mut Pool,
    held: VarId,
    literals: &FxHashMap<VarId, ExprId>,
    group: &FxHashSet<VarId>,
    followed: &mut FxHashSet<VarId>,
) -> ExprId {
    let mut e = pool.variable(held);
    for _ in 0..=literals.len() {
        let mut inside = pool.variables_of(e);
        inside.retain(|&v| depends(pool, v, literals, group));
        if inside.is_empty() {
            break;
        }
        followed.extend(&inside);
        let put = inside.into_iter().map(|v| (v, literals[&v])).collect();
        e = replace(pool, e, &put);
    }
    e
}

fn replace(pool: &mut Pool, e: ExprId, put: &FxHashMap<VarId, ExprId>) -> ExprId {
    pool.substitute(e, |leaf| match leaf {
        Leaf::Variable(v) => put.get(&v).copied(),
        Leaf::Time => None,
    })
}

/// The variables of an expression, those of the conditions in it among them.
fn reached(pool: &Pool, e: ExprId, literals: &FxHashMap<VarId, ExprId>) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    let mut open = vec![e];
    while let Some(e) = open.pop() {
        for v in pool.variables_of(e) {
            if found.insert(v) {
                open.extend(literals.get(&v));
            }
        }
    }
    found
}

/// The equations of each group, by their places, with the unknowns of the group; as if all conditions followed the search.
fn groups(
    equations: &Dae,
    pool: &Pool,
    literals: &FxHashMap<VarId, ExprId>,
) -> Vec<(usize, std::rc::Rc<FxHashSet<VarId>>)> {
    let derivatives = equations.derivatives();
    let mut column_of: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut unknowns = Vec::new();
    for (v, variable) in equations.iter_variables() {
        // the unknown of a differentiated variable is its derivative
        if variable.is_unknown() && !variable.is_discrete && derivatives[v.index()].is_none() {
            column_of.insert(v, unknowns.len());
            unknowns.push(v);
        }
    }
    let (mut graph, mut places, mut forced) = (Bipartite::new(unknowns.len()), Vec::new(), Vec::new());
    for (place, equation) in equations.equations.iter().enumerate().filter(|(_, e)| !e.is_discrete) {
        let both = [equation.lhs, equation.rhs].map(|side| reached(pool, side, literals));
        graph.push_row(both.iter().flatten().filter_map(|v| column_of.get(v).copied()));
        forced.push(equation.balance.and_then(|balance| column_of.get(&balance.variable).copied()));
        places.push(place);
    }
    let matching = Matching::maximum(&forced_graph(&graph, &forced));
    let depends_on: Vec<Vec<usize>> = (0..graph.n_rows())
        .map(|row| graph.columns(row).filter_map(|column| matching.row_of(column)).collect())
        .collect();
    let mut found = Vec::new();
    for component in strong_components(depends_on.len(), |i| &depends_on[i]) {
        if component.iter().any(|&row| forced[row].is_some()) {
            let own = component.iter().filter_map(|&row| Some(unknowns[matching.column_of(row)?]));
            let own = std::rc::Rc::new(own.collect::<FxHashSet<VarId>>());
            found.extend(component.iter().map(|&row| (places[row], own.clone())));
        }
    }
    found
}

/// The graph in which rows with a forced column have no other, and nobody else has theirs.
fn forced_graph(graph: &Bipartite, forced: &[Option<usize>]) -> Bipartite {
    let taken: FxHashSet<usize> = forced.iter().flatten().copied().collect();
    let mut made = Bipartite::new(graph.n_columns());
    for (row, column) in forced.iter().enumerate() {
        match column {
            Some(column) => made.push_row([*column]),
            None => made.push_row(graph.columns(row).filter(|column| !taken.contains(column))),
        };
    }
    made
}

impl System<'_> {
    /// A perfect matching in which every balance has its variable; otherwise the restricted graph and a maximum matching of it.
    pub(crate) fn with_balances(&self, matching: Matching) -> Result<Matching, Box<(Bipartite, Matching)>> {
        let forced: Vec<Option<usize>> = (0..self.rows.len()).map(|row| self.balanced_column(row)).collect();
        if forced.iter().all(Option::is_none) {
            return Ok(matching);
        }
        let graph = forced_graph(&self.graph, &forced);
        let matching = Matching::maximum(&graph);
        if matching.is_perfect() { Ok(matching) } else { Err(Box::new((graph, matching))) }
    }

    /// The column of the variable that a row balances.
    fn balanced_column(&self, row: usize) -> Option<usize> {
        self.column(self.rows[row].balance?.variable)
    }

    /// Whether a row is a balance that has its variable.
    pub(crate) fn is_balance(&self, row: usize, matching: &Matching) -> bool {
        let own = self.balanced_column(row);
        own.is_some() && own == matching.column_of(row)
    }

    /// Rows that need each other, balances among them: balanced variables are guessed, the rest follows in order as far as
    /// possible. Rows left over are residuals of further guesses, solved together with the balances.
    pub(crate) fn tear_group(&self, component: &[usize], matching: &Matching, pool: &mut Pool) -> Block {
        let (own, rest): (Vec<usize>, Vec<usize>) =
            component.iter().partition(|&&row| self.is_balance(row, matching));
        let mut torn = Loop::default();
        for &row in &own {
            let own = &self.rows[row];
            let Some(balance) = own.balance else { continue };
            torn.guessed.push(balance.variable);
            torn.balance.push(balance.factor);
            torn.residuals.push(Residual { value: own.rhs, because: own.because });
        }
        let taken: FxHashSet<usize> = own.iter().filter_map(|&row| matching.column_of(row)).collect();
        for part in self.in_order(&rest, |column| !taken.contains(&column), matching) {
            let block = match self.solve_alone(&part, matching, pool) {
                Some(block) => block,
                None => crate::tear::tear(self, &part, matching, pool),
            };
            match block {
                Block::Assign(assignment) => torn.following.push(assignment),
                Block::Solve(inner) => {
                    torn.guessed.extend(inner.guessed);
                    torn.following.extend(inner.following);
                    torn.residuals.extend(inner.residuals);
                }
                Block::Settle(_) => debug_assert!(false, "truth values are no part of a group"),
            }
        }
        Block::Solve(Box::new(torn))
    }

    /// Why balances leave something without a partner.
    pub(crate) fn unmatched(&self, graph: &Bipartite, matching: &Matching, pool: &Pool) -> Diagnostic {
        let Part { rows, columns } = graph.overdetermined(matching);
        let rows: Vec<usize> = rows.into_iter().filter(|&row| self.rows[row].balance.is_none()).collect();
        let name = |v: VarId| self.equations.variable(v).name.clone();
        let quoted = |names: Vec<String>| crate::diagnose::listed(names.iter().map(String::as_str));
        let balanced: Vec<VarId> = rows
            .iter()
            .flat_map(|&row| self.graph.columns(row))
            .map(|column| self.unknowns[column])
            .filter(|v| self.rows.iter().any(|row| row.balance.is_some_and(|b| b.variable == *v)))
            .collect::<std::collections::BTreeSet<VarId>>()
            .into_iter()
            .collect();
        let left = graph.underdetermined(matching).columns;
        let left: Vec<String> = left.iter().map(|&column| name(self.unknowns[column]).into()).collect();
        let n = rows.len();
        let mut message = format!(
            "with {} balanced, {n} equation{} left for {} other unknown{}",
            quoted(balanced.iter().map(|v| name(*v).into()).collect()),
            if n == 1 { " is" } else { "s are" },
            columns.len(),
            if columns.len() == 1 { "" } else { "s" },
        );
        if !left.is_empty() {
            message += &format!(", and none determines {}", quoted(left));
        }
        let said = Diagnostic::error("balance-unmatched", message)
            .with_note("once what is balanced is known, the other equations must give all other unknowns");
        let equations: Vec<Equation> = rows.iter().map(|&row| self.equation(row)).collect();
        at_equations(said, equations.iter(), &self.equations.notation_in(pool))
    }
}
