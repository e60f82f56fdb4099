//! Constraints that no single equation shows: where all but differentiated variables cancel in a sum of equations.
//!
//! In: the equations of a model. Out: the same, with such a sum in place of one of its equations. `3*i0 = i1 + i2 + i3` beside
//! `i1 + i2 + i3 = 0` says `3*i0 = 0`: a constraint, if `i0` is differentiated, but structure alone sees two equations for three
//! currents. Only equations that are linear with numbers as factors are combined, exactly, by elimination (Otter & Elmqvist 2017).

use std::borrow::Cow;

use rhei_equations::{Binary, Equation, Equations, ExprId, Kind, Node, Pool, Ratio, VarId, Variable};
use rustc_hash::FxHashMap;

use crate::Bipartite;

/// A sum with more terms, or of more equations, than this is not followed: a hidden constraint is a matter of neighbours.
const MOST_TERMS: usize = 100;

/// Factors up to this are taken as exact.
const LARGEST_FACTOR: f64 = 1e9;

/// The equations, with every hidden constraint in the open.
pub(crate) fn with_hidden_constraints(equations: Cow<'_, Equations>) -> Cow<'_, Equations> {
    let rows = core(with_one_name_each(linear_core(&equations)));
    let unknowns = rows.iter().map(|row| (row.equation, row.unknowns.iter().map(|&(v, _)| v).collect()));
    let unknowns: FxHashMap<usize, Vec<VarId>> = unknowns.collect();
    let mut found = eliminate(rows);
    found.retain(|row| row.is_hidden(&unknowns));
    if found.is_empty() {
        return equations;
    }
    let mut made = equations.into_owned();
    for row in found {
        let origin = made.equations[row.equation].origin.clone();
        let states = row.states.iter().map(|&(v, factor)| (Node::Variable(v), factor)).collect();
        let known = row.known.iter().map(|&(e, factor)| (made.pool.node(e), negated(factor))).collect();
        let (lhs, rhs) = (sum(states, &mut made.pool), sum(known, &mut made.pool));
        made.equations[row.equation] = Equation::new(lhs, rhs, origin);
    }
    Cow::Owned(made)
}

fn sum(terms: Vec<(Node, Ratio)>, pool: &mut Pool) -> ExprId {
    let mut total = pool.number(0.0);
    for (node, factor) in terms {
        let value = pool.with_operands(node, |operand| operand);
        let factor = pool.number(factor.to_f64());
        let term = pool.mul(factor, value);
        total = pool.add(total, term);
    }
    total
}

/// An equation, or a sum of equations: terms that add up to zero.
struct Row {
    /// The equation, or the last of them.
    equation: usize,
    /// The equations with their factors.
    combined: Vec<(usize, Ratio)>,
    /// Algebraic unknowns with their factors.
    unknowns: Vec<(VarId, Ratio)>,
    /// Differentiated variables with their factors.
    states: Vec<(VarId, Ratio)>,
    /// Known terms with their factors.
    known: Vec<(ExprId, Ratio)>,
}

impl Row {
    /// Whether structure does not show the constraint: its equations have as many unknowns as they are, or more.
    fn is_hidden(&self, unknowns: &FxHashMap<usize, Vec<VarId>>) -> bool {
        let mut all: Vec<VarId> =
            self.combined.iter().flat_map(|(equation, _)| &unknowns[equation]).copied().collect();
        all.sort_unstable();
        all.dedup();
        all.len() >= self.combined.len()
    }
}

/// The rows of linear equations in which nothing stands alone. Of a large model next to nothing is left: its rows are only made
/// once it is known which.
fn linear_core(equations: &Equations) -> Vec<Row> {
    let derivatives = equations.derivatives();
    let kinds: Vec<Side> = equations.variables.iter().map(Side::of).collect();
    let linear = Linear { equations, derivatives, kinds };
    let mut places = Vec::new();
    let mut graph = Bipartite::new(equations.variables.len());
    let mut terms = Terms::default();
    for (place, equation) in equations.equations.iter().enumerate() {
        if !equation.is_discrete && equation.balance.is_none() && linear.read(place, &mut terms).is_some() {
            places.push(place);
            graph.push_row(terms.unknowns.iter().map(|(v, _)| v.index()));
        }
    }
    let mut stays = staying(&graph).into_iter();
    places.retain(|_| stays.next() == Some(true));
    places.into_iter().filter_map(|place| linear.row(place)).collect()
}

/// Role of a variable in a sum.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Unknown,
    /// The same during a run.
    Fixed,
    Other,
}

impl Side {
    fn of(variable: &Variable) -> Side {
        match variable.kind {
            Kind::Constant | Kind::Parameter => Side::Fixed,
            _ if variable.is_unknown() && !variable.is_discrete => Side::Unknown,
            _ => Side::Other,
        }
    }
}

/// The terms of an equation.
#[derive(Default)]
struct Terms {
    unknowns: Vec<(VarId, Ratio)>,
    states: Vec<(VarId, Ratio)>,
    known: Vec<(ExprId, Ratio)>,
    /// Terms not yet visited, with whether each is subtracted.
    open: Vec<(ExprId, bool)>,
    variables: Vec<VarId>,
}

/// Equations whose terms are read.
struct Linear<'a> {
    equations: &'a Equations,
    derivatives: Vec<Option<VarId>>,
    /// By variable.
    kinds: Vec<Side>,
}

impl Linear<'_> {
    fn row(&self, place: usize) -> Option<Row> {
        let mut terms = Terms::default();
        self.read(place, &mut terms)?;
        let Terms { unknowns, states, known, .. } = terms;
        Some(Row { equation: place, combined: vec![(place, Ratio::ONE)], unknowns, states, known })
    }

    /// Reads the terms of an equation; nothing where one of them is not a number times an unknown, or known.
    fn read(&self, place: usize, into: &mut Terms) -> Option<()> {
        let pool = &self.equations.pool;
        let Terms { unknowns, states, known, open, variables } = into;
        unknowns.clear();
        states.clear();
        known.clear();
        open.clear();
        let equation = &self.equations.equations[place];
        open.extend([(equation.rhs, true), (equation.lhs, false)]);
        while let Some((e, is_negative)) = open.pop() {
            match pool.node(e) {
                Node::Binary(Binary::Add, a, b) => open.extend([(b, is_negative), (a, is_negative)]),
                Node::Binary(Binary::Sub, a, b) => open.extend([(b, !is_negative), (a, is_negative)]),
                Node::Negate(a) => open.push((a, !is_negative)),
                _ => {
                    let sign = Ratio::whole(if is_negative { -1 } else { 1 });
                    match self.multiple(e) {
                        Some((v, factor)) => {
                            let is_state = self.derivatives[v.index()].is_some();
                            let side = if is_state { &mut *states } else { &mut *unknowns };
                            side.push((v, factor.times(sign)?));
                        }
                        None if pool.as_number(e) == Some(0.0) => {}
                        None => {
                            pool.variables_into(&[e], variables);
                            if variables.iter().any(|v| self.kinds[v.index()] != Side::Fixed) {
                                return None;
                            }
                            known.push((e, sign));
                        }
                    }
                }
            }
        }
        collect(unknowns)?;
        collect(states)?;
        collect(known)
    }

    /// An unknown and its factor.
    fn multiple(&self, e: ExprId) -> Option<(VarId, Ratio)> {
        match self.equations.pool.node(e) {
            Node::Variable(v) => (self.kinds[v.index()] == Side::Unknown).then_some((v, Ratio::ONE)),
            Node::Negate(a) => {
                let (v, factor) = self.multiple(a)?;
                Some((v, negated(factor)))
            }
            Node::Binary(Binary::Mul, a, b) => {
                let (number, other) = match number(self.equations, a) {
                    Some(number) => (number, b),
                    None => (number(self.equations, b)?, a),
                };
                let (v, factor) = self.multiple(other)?;
                Some((v, factor.times(number)?))
            }
            Node::Binary(Binary::Div, a, b) => {
                let (v, factor) = self.multiple(a)?;
                Some((v, factor.over(number(self.equations, b)?)?))
            }
            _ => None,
        }
    }
}

fn negated(ratio: Ratio) -> Ratio {
    Ratio::ZERO
        .minus(ratio)
        .expect("a sign overflows nothing but the least number of all, which factors do not reach")
}

/// The whole number that an expression is and stays, other than zero.
fn number(equations: &Equations, e: ExprId) -> Option<Ratio> {
    let settled = match equations.pool.node(e) {
        Node::Variable(v) => {
            let variable = equations.variable(v);
            let is_settled = variable.kind == Kind::Constant || variable.structural;
            variable.binding.filter(|_| is_settled)?
        }
        _ => e,
    };
    let value = equations.pool.as_number(settled)?;
    let is_whole = value != 0.0 && value.abs() <= LARGEST_FACTOR && value.fract() == 0.0;
    is_whole.then(|| Ratio::whole(value as i64))
}

/// The terms in order, each once.
fn collect<T: Copy + Ord>(terms: &mut Vec<(T, Ratio)>) -> Option<()> {
    terms.sort_by_key(|&(v, _)| v);
    let mut kept: usize = 0;
    for next in 0..terms.len() {
        let (v, factor) = terms[next];
        match kept.checked_sub(1).map(|last| &mut terms[last]) {
            Some((last, total)) if *last == v => *total = total.plus(factor)?,
            _ => {
                terms[kept] = (v, factor);
                kept += 1;
            }
        }
    }
    terms.truncate(kept);
    terms.retain(|&(_, factor)| factor != Ratio::ZERO);
    Some(())
}

/// The rows in which every unknown occurs in another row too: where it does not, nothing can cancel it. In a circuit with a ground
/// next to nothing is left.
fn core(mut rows: Vec<Row>) -> Vec<Row> {
    let columns = rows.iter().flat_map(|row| &row.unknowns).map(|(v, _)| v.index() + 1).max().unwrap_or(0);
    let mut graph = Bipartite::new(columns);
    for row in &rows {
        graph.push_row(row.unknowns.iter().map(|(v, _)| v.index()));
    }
    let mut stays = staying(&graph).into_iter();
    rows.retain(|_| stays.next() == Some(true));
    rows
}

/// Of each row, whether every unknown in it occurs in another row too that stays.
fn staying(graph: &Bipartite) -> Vec<bool> {
    let places = graph.rows_of_columns();
    let mut counts: Vec<u32> = (0..graph.n_columns()).map(|v| places.row(v).len() as u32).collect();
    // an equation without unknowns is no hidden constraint
    let mut stays: Vec<bool> = (0..graph.n_rows()).map(|row| !graph.row(row).is_empty()).collect();
    let mut open: Vec<u32> = (0..counts.len()).filter(|&v| counts[v] == 1).map(|v| v as u32).collect();
    while let Some(column) = open.pop() {
        let Some(row) = places.columns(column as usize).find(|&row| stays[row]) else { continue };
        stays[row] = false;
        for &v in graph.row(row) {
            counts[v as usize] -= 1;
            if counts[v as usize] == 1 {
                open.push(v);
            }
        }
    }
    stays
}

/// The rows without those that say that an unknown is a multiple of another: it is that everywhere else. With each such row goes
/// an unknown, so that hidden constraints stay hidden.
fn with_one_name_each(rows: Vec<Row>) -> Vec<Row> {
    let mut names = Names::default();
    let mut others = Vec::with_capacity(rows.len());
    for row in rows {
        let is_name = row.states.is_empty() && row.known.is_empty();
        match row.unknowns.as_slice() {
            &[(a, of_a), (b, of_b)] if is_name && names.join(a, of_a, b, of_b).is_some() => {}
            _ => others.push(row),
        }
    }
    let mut renamed = |mut row: Row| {
        for (v, factor) in &mut row.unknowns {
            let (name, times) = names.of(*v)?;
            (*v, *factor) = (name, factor.times(times)?);
        }
        collect(&mut row.unknowns)?;
        Some(row)
    };
    others.into_iter().filter_map(&mut renamed).collect()
}

/// Unknowns that are multiples of others.
#[derive(Default)]
struct Names(FxHashMap<VarId, (VarId, Ratio)>);

impl Names {
    /// The unknown that `v` is a multiple of, and the factor.
    fn of(&mut self, v: VarId) -> Option<(VarId, Ratio)> {
        let (mut name, mut times) = (v, Ratio::ONE);
        let mut way = Vec::new();
        while let Some(&(next, factor)) = self.0.get(&name) {
            way.push(name);
            (name, times) = (next, times.times(factor)?);
        }
        // the next one to ask finds it at once
        let mut left = times;
        for v in way {
            let (_, factor) = self.0.insert(v, (name, left))?;
            left = left.over(factor)?;
        }
        Some((name, times))
    }

    /// Notes that `of_a*a + of_b*b = 0`; nothing where both have one name already.
    fn join(&mut self, a: VarId, of_a: Ratio, b: VarId, of_b: Ratio) -> Option<()> {
        let ((a, a_times), (b, b_times)) = (self.of(a)?, self.of(b)?);
        if a == b {
            return None;
        }
        let factor = negated(of_b.times(b_times)?.over(of_a.times(a_times)?)?);
        self.0.insert(a, (b, factor));
        Some(())
    }
}

/// The sums without unknowns, each in place of its last equation. Equations with states come last: they are the ones to be
/// replaced.
fn eliminate(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| !row.states.is_empty());
    let mut pivots: FxHashMap<VarId, Row> = FxHashMap::default();
    let mut found = Vec::new();
    for row in rows {
        let Some(row) = reduced(row, &pivots) else { continue };
        match row.unknowns.first() {
            Some(&(v, _)) => {
                pivots.insert(v, row);
            }
            None if !row.states.is_empty() => found.push(row),
            // redundant: the consequences are found where the mode is solved
            None => {}
        }
    }
    found
}

/// The row minus multiples of others, until its first unknown is that of none of them; nothing where it becomes too long.
fn reduced(mut row: Row, pivots: &FxHashMap<VarId, Row>) -> Option<Row> {
    while let Some(&(v, factor)) = row.unknowns.first()
        && let Some(pivot) = pivots.get(&v)
    {
        let times = negated(factor.over(pivot.unknowns[0].1)?);
        row.unknowns = added(row.unknowns, &pivot.unknowns, times)?;
        row.states = added(row.states, &pivot.states, times)?;
        row.combined = added(row.combined, &pivot.combined, times)?;
        row.known = added(row.known, &pivot.known, times)?;
        let terms = row.unknowns.len() + row.states.len() + row.known.len();
        if terms > MOST_TERMS || row.combined.len() > MOST_TERMS {
            return None;
        }
    }
    Some(row)
}

fn added<T: Copy + Ord>(
    mut terms: Vec<(T, Ratio)>,
    others: &[(T, Ratio)],
    times: Ratio,
) -> Option<Vec<(T, Ratio)>> {
    for &(v, factor) in others {
        terms.push((v, factor.times(times)?));
    }
    collect(&mut terms)?;
    Some(terms)
}
