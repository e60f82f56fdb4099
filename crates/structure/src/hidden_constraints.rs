//! Constraints that no single equation shows: where the highest derivatives cancel in a sum of equations and their derivatives.
//!
//! In: the equations of a model, and how often structure says that each has to be differentiated. Out: the same equations, with such
//! a sum in place of one of them. `3*i0 = i1 + i2 + i3` beside `i1 + i2 + i3 = 0` says `3*i0 = 0`: a constraint if `i0` is
//! differentiated, but structure alone sees two equations for three currents. `2*der(x) + der(y) = 1` beside `2*x + y = 0` says
//! `0 = 1 + 0`: differentiated once, the second equation is the left side of the first.
//!
//! This is the linear combination method (Tan, Nedialkov & Pryce 2016) for factors that are numbers. With the offsets `c` of rows
//! and `d` of columns of the structural analysis, the Jacobian of the rows differentiated `c` times by the columns differentiated
//! `d` times must be regular. If rows `i` with factors `u` add up to zero in it, the one with the least offset `c[l]` becomes
//! `sum u[i] * (row i differentiated c[i] - c[l] times)`. Nothing is lost, since all other rows stay, and the highest derivatives are
//! gone: the sum of `d` less that of `c` falls with each round, so that the rounds come to an end.
//!
//! That takes exact factors in every round, and these grow. Fractions have no limit ([`exact`](crate::exact)), and those of a sum are
//! kept beside its equation, in which they are doubles ([`Sums`]). How they are found: [`cancelling_sums`].

use std::cmp::Reverse;

use rhei_equations::{Binary, Dae, Equation, Equations, ExprId, Kind, Leaf, Node, VarId};
use rustc_hash::FxHashMap;

use crate::Bipartite;
use crate::cancelling_sums::{Sum, cancelling_sums};
use crate::chains::Chains;
use crate::exact::{Exact, to_whole};
use crate::pantelides::Offsets;
use crate::reduce_index::{derivative_variable, is_broken};

/// The exact terms of equations that are sums, by equation: they add up to zero.
pub(crate) type Sums = FxHashMap<usize, Vec<(ExprId, Exact)>>;

/// The equations with hidden constraints in the open; none if the structural analysis finds all there are. `sums` are those of
/// earlier rounds, and get the new ones.
pub(crate) fn with_hidden_constraints(
    equations: &Equations,
    chains: &Chains,
    offsets: &Offsets,
    sums: &mut Sums,
) -> Option<Equations> {
    let linear = Linear::new(equations, chains, offsets, sums);
    let rows = core(with_one_name_each(linear.core(), offsets));
    let found: Vec<Row> = without_leading(rows, offsets);
    let found: Vec<Row> = found.into_iter().filter(|row| linear.is_constraint(row)).collect();
    if found.is_empty() {
        return None;
    }
    let mut making = Making { made: equations.clone(), chains, derivatives: equations.derivatives() };
    let written: Vec<(usize, Vec<(ExprId, Exact)>)> =
        found.iter().filter_map(|row| making.write(row, &linear)).collect();
    let are_written = !written.is_empty();
    sums.extend(written);
    are_written.then_some(making.made)
}

/// An equation, or a sum of equations and their derivatives: terms that add up to zero.
struct Row {
    /// The row of the chains, or the last of them.
    last: usize,
    /// The rows with their factors.
    combined: Vec<(usize, Exact)>,
    /// Highest derivatives, by column, with their factors.
    leading: Vec<(usize, Exact)>,
    /// Whether it has no other terms.
    is_pure: bool,
}

/// The terms of an equation.
#[derive(Default)]
struct Terms {
    /// Highest derivatives, by column, with their factors.
    leading: Vec<(usize, Exact)>,
    /// All else, with factors.
    rest: Vec<(ExprId, Exact)>,
    /// Terms not yet visited, with their factors.
    open: Vec<(ExprId, Exact)>,
    variables: Vec<VarId>,
}

/// Equations whose terms are read.
struct Linear<'a> {
    equations: &'a Equations,
    chains: &'a Chains,
    offsets: &'a Offsets,
    sums: &'a Sums,
}

impl<'a> Linear<'a> {
    fn new(equations: &'a Equations, chains: &'a Chains, offsets: &'a Offsets, sums: &'a Sums) -> Self {
        Linear { equations, chains, offsets, sums }
    }

    /// The rows that are linear in their highest derivatives and in which nothing stands alone. Of a large model next to nothing is
    /// left: its rows are only made once it is known which.
    fn core(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut graph = Bipartite::new(self.chains.members.len());
        let mut terms = Terms::default();
        for row in 0..self.chains.equations.len() {
            if self.read(row, &mut terms).is_some() {
                rows.push(row);
                graph.push_row(terms.leading.iter().map(|(column, _)| *column));
            }
        }
        let mut stays = staying(&graph).into_iter();
        rows.retain(|_| stays.next() == Some(true));
        rows.into_iter().filter_map(|row| self.row(row)).collect()
    }

    fn row(&self, row: usize) -> Option<Row> {
        let mut terms = Terms::default();
        self.read(row, &mut terms)?;
        let Terms { leading, rest, .. } = terms;
        Some(Row { last: row, combined: vec![(row, Exact::ONE)], leading, is_pure: rest.is_empty() })
    }

    fn equation(&self, row: usize) -> &Equation {
        &self.equations.equations[self.chains.equations[row].index()]
    }

    /// Reads the terms of a row; nothing if a highest derivative stands in a term that is no multiple of it.
    fn read(&self, row: usize, into: &mut Terms) -> Option<()> {
        let pool = &self.equations.pool;
        let Terms { leading, rest, open, variables } = into;
        leading.clear();
        rest.clear();
        open.clear();
        let equation = self.equation(row);
        if equation.is_discrete || equation.balance.is_some() {
            return None;
        }
        match self.sums.get(&self.chains.equations[row].index()) {
            Some(sum) => open.extend(sum.iter().cloned()),
            None => open.extend([(equation.rhs, Exact::ONE.negated()), (equation.lhs, Exact::ONE)]),
        }
        while let Some((e, factor)) = open.pop() {
            match pool.node(e) {
                Node::Binary(Binary::Add, a, b) => open.extend([(b, factor.clone()), (a, factor)]),
                Node::Binary(Binary::Sub, a, b) => open.extend([(b, factor.negated()), (a, factor)]),
                Node::Negate(a) => open.push((a, factor.negated())),
                node => match (self.multiple(node), node) {
                    (Some((of, own)), _) => open.push((of, factor.times(&own))),
                    (None, Node::Variable(v)) if self.chains.place(v).is_some() => {
                        match self.leading_column(row, v) {
                            Some(column) => leading.push((column, factor)),
                            None => rest.push((e, factor)),
                        }
                    }
                    _ if pool.as_number(e) == Some(0.0) => {}
                    _ => {
                        pool.variables_into(&[e], variables);
                        if variables.iter().any(|&v| self.leading_column(row, v).is_some()) {
                            return None;
                        }
                        rest.push((e, factor));
                    }
                },
            }
        }
        collect(leading);
        collect(rest);
        Some(())
    }

    /// What a number is a factor of, and the number.
    fn multiple(&self, node: Node) -> Option<(ExprId, Exact)> {
        let number = |e: ExprId| number(self.equations, e);
        match node {
            Node::Binary(Binary::Mul, a, b) => match number(a) {
                Some(number) => Some((b, number)),
                None => Some((a, number(b)?)),
            },
            Node::Binary(Binary::Div, a, b) => Some((a, Exact::ONE.over(&number(b)?))),
            _ => None,
        }
    }

    /// The column of a variable that is its highest derivative once the row has been differentiated.
    fn leading_column(&self, row: usize, v: VarId) -> Option<usize> {
        let (column, order) = self.chains.place(v)?;
        (order + self.offsets.rows[row] == self.offsets.columns[column]).then_some(column)
    }

    /// The terms of a sum of rows without highest derivatives: expressions with their factors, and how often each is
    /// differentiated.
    fn sum(&self, row: &Row) -> Option<Vec<((u32, ExprId), Exact)>> {
        let mut sum = Vec::new();
        let mut terms = Terms::default();
        for (part, factor) in &row.combined {
            self.read(*part, &mut terms)?;
            let times = self.times(row, *part);
            for (e, own) in &terms.rest {
                sum.push(((times, *e), own.times(factor)));
            }
        }
        collect(&mut sum);
        Some(sum)
    }

    /// How often a part of a sum is differentiated.
    fn times(&self, row: &Row, part: usize) -> u32 {
        self.offsets.rows[part] - self.offsets.rows[row.last]
    }

    /// Whether a sum says something about unknowns, and can be made. What says nothing is redundant: the consequences are found where
    /// the mode is solved.
    fn is_constraint(&self, row: &Row) -> bool {
        let Some(sum) = self.sum(row) else { return false };
        let pool = &self.equations.pool;
        let speaks = |e: ExprId| pool.variables_of(e).iter().any(|&v| self.chains.place(v).is_some());
        let is_smooth = |e: ExprId| pool.below(&[e]).iter().all(|&part| !is_broken(self.equations, part));
        sum.iter().any(|((_, e), _)| speaks(*e))
            && sum.iter().all(|((times, e), _)| *times == 0 || is_smooth(*e))
    }
}

/// Equations in which sums are written.
struct Making<'a> {
    made: Equations,
    chains: &'a Chains,
    derivatives: Vec<Option<VarId>>,
}

impl Making<'_> {
    /// Puts a sum in place of its last equation, known terms on its right side; answers the equation with its exact terms.
    ///
    /// The factors are made whole numbers where doubles would not be exact: what cancels in them must cancel in the equation.
    fn write(&mut self, row: &Row, linear: &Linear<'_>) -> Option<(usize, Vec<(ExprId, Exact)>)> {
        let mut terms = Vec::new();
        for ((times, e), factor) in linear.sum(row)? {
            terms.push(((0..times).try_fold(e, |e, _| self.differentiated(e))?, factor));
        }
        if !terms.iter().all(|(_, factor)| factor.is_read_back()) {
            let factors: Vec<Exact> = terms.iter().map(|(_, factor)| factor.clone()).collect();
            let by = to_whole(&factors);
            terms.iter_mut().for_each(|(_, factor)| *factor = factor.times(&by));
        }
        let Equations { pool, dae } = &mut self.made;
        let (mut lhs, mut rhs) = (pool.number(0.0), pool.number(0.0));
        for (e, factor) in &terms {
            let is_known = pool.variables_of(*e).iter().all(|v| dae.variable(*v).is_parameter());
            let (side, factor) =
                if is_known { (&mut rhs, factor.negated()) } else { (&mut lhs, factor.clone()) };
            let factor = pool.number(factor.to_f64());
            let term = pool.mul(factor, *e);
            *side = pool.add(*side, term);
        }
        let place = self.chains.equations[row.last].index();
        let origin = dae.equations[place].origin.clone();
        dae.equations[place] = Equation::new(lhs, rhs, origin);
        Some((place, terms))
    }

    /// The derivative of an expression along a solution, with variables for the derivatives of unknowns that have none yet.
    fn differentiated(&mut self, e: ExprId) -> Option<ExprId> {
        let Equations { pool, dae } = &mut self.made;
        let (zero, one) = (pool.number(0.0), pool.number(1.0));
        let mut derivatives = std::mem::take(&mut self.derivatives);
        let result = pool.differentiate(e, |pool, leaf| match leaf {
            Leaf::Time => one,
            Leaf::Variable(v) if !varies(dae, v) => zero,
            Leaf::Variable(v) => {
                let derivative = *derivatives[v.index()].get_or_insert_with(|| {
                    dae.variables.push(derivative_variable(dae.variable(v), v));
                    VarId(dae.variables.len() as u32 - 1)
                });
                pool.variable(derivative)
            }
        });
        derivatives.resize(dae.variables.len(), None);
        self.derivatives = derivatives;
        result.ok()
    }
}

/// Whether a variable changes between events.
fn varies(dae: &Dae, v: VarId) -> bool {
    let variable = dae.variable(v);
    variable.is_unknown() && !variable.is_discrete
}

/// The number that an expression is and stays, other than zero.
fn number(equations: &Equations, e: ExprId) -> Option<Exact> {
    let settled = match equations.pool.node(e) {
        Node::Variable(v) => {
            let variable = equations.variable(v);
            let is_settled = variable.kind == Kind::Constant || variable.structural;
            variable.binding.filter(|_| is_settled)?
        }
        _ => e,
    };
    Exact::of(equations.pool.as_number(settled)?).filter(|number| !number.is_zero())
}

/// The terms in order, each once.
fn collect<T: Copy + Ord>(terms: &mut Vec<(T, Exact)>) {
    terms.sort_by_key(|(v, _)| *v);
    let mut kept: Vec<(T, Exact)> = Vec::with_capacity(terms.len());
    for (v, factor) in terms.drain(..) {
        match kept.last_mut() {
            Some((last, total)) if *last == v => *total = total.plus(&factor),
            _ => kept.push((v, factor)),
        }
    }
    kept.retain(|(_, factor)| !factor.is_zero());
    *terms = kept;
}

/// The rows in which every unknown occurs in another row too: where it does not, nothing can cancel it. In a circuit with a ground
/// next to nothing is left.
fn core(mut rows: Vec<Row>) -> Vec<Row> {
    let columns = rows.iter().flat_map(|row| &row.leading).map(|(column, _)| column + 1).max().unwrap_or(0);
    let mut graph = Bipartite::new(columns);
    for row in &rows {
        graph.push_row(row.leading.iter().map(|(column, _)| *column));
    }
    let mut stays = staying(&graph).into_iter();
    rows.retain(|_| stays.next() == Some(true));
    rows
}

/// Of each row, whether every unknown in it occurs in another row too that stays.
fn staying(graph: &Bipartite) -> Vec<bool> {
    let places = graph.rows_of_columns();
    let mut counts: Vec<u32> = (0..graph.n_columns()).map(|v| places.row(v).len() as u32).collect();
    // a row in which the other names of unknowns have cancelled stays
    let mut stays = vec![true; graph.n_rows()];
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

/// The rows without those that say that a highest derivative is a multiple of another: it is that everywhere else. With each such row
/// goes an unknown, so that hidden constraints stay hidden. A row that would have to take the place of others, for it is
/// differentiated less often than these, is none of them.
fn with_one_name_each(rows: Vec<Row>, offsets: &Offsets) -> Vec<Row> {
    let mut most: FxHashMap<usize, u32> = FxHashMap::default();
    for row in &rows {
        for (column, _) in &row.leading {
            let most = most.entry(*column).or_default();
            *most = offsets.rows[row.last].max(*most);
        }
    }
    let mut names = Names::default();
    let mut others = Vec::with_capacity(rows.len());
    for row in rows {
        let is_highest = |column: usize| most[&column] <= offsets.rows[row.last];
        match row.leading.as_slice() {
            [(a, of_a), (b, of_b)]
                if row.is_pure
                    && is_highest(*a)
                    && is_highest(*b)
                    && names.join((*a, of_a), (*b, of_b)).is_some() => {}
            _ => others.push(row),
        }
    }
    let mut renamed = |mut row: Row| {
        for (column, factor) in &mut row.leading {
            let (name, times) = names.of(*column);
            (*column, *factor) = (name, factor.times(&times));
        }
        collect(&mut row.leading);
        row
    };
    others.into_iter().map(&mut renamed).collect()
}

/// Columns whose highest derivatives are multiples of others.
#[derive(Default)]
struct Names {
    /// The column that a column is a multiple of, and the factor.
    of: FxHashMap<usize, (usize, Exact)>,
    /// By column that is a multiple of no other, most digits of a factor of it.
    digits: FxHashMap<usize, u64>,
}

/// Most binary digits of a factor between two names. Along a thousand gears the product of their ratios has thousands: there another
/// name begins, and the row between the two is one as all others.
const MOST_DIGITS: u64 = 120;

impl Names {
    /// The column that a column is a multiple of, and the factor.
    fn of(&mut self, column: usize) -> (usize, Exact) {
        let (mut name, mut times) = (column, Exact::ONE);
        let mut way = Vec::new();
        while let Some((next, factor)) = self.of.get(&name) {
            way.push((name, times.clone()));
            (name, times) = (*next, times.times(factor));
        }
        // the next one to ask finds it at once
        for (column, before) in way {
            self.of.insert(column, (name, times.over(&before)));
        }
        (name, times)
    }

    /// Notes that `of_a*a + of_b*b = 0`; nothing where both have one name already, or the factors become too long.
    fn join(&mut self, (a, of_a): (usize, &Exact), (b, of_b): (usize, &Exact)) -> Option<()> {
        let ((a, a_times), (b, b_times)) = (self.of(a), self.of(b));
        if a == b {
            return None;
        }
        let factor = of_b.times(&b_times).over(&of_a.times(&a_times)).negated();
        let of = |column: &usize| self.digits.get(column).copied().unwrap_or(0);
        let digits = of(&b).max(of(&a) + factor.digits());
        if digits > MOST_DIGITS {
            return None;
        }
        self.digits.insert(b, digits);
        self.of.insert(a, (b, factor));
        Some(())
    }
}

/// The sums without highest derivatives, each in place of its last equation. Rows that are differentiated least come last, and among
/// them those with other terms: they are the ones to be replaced.
fn without_leading(mut rows: Vec<Row>, offsets: &Offsets) -> Vec<Row> {
    rows.sort_by_key(|row| (Reverse(offsets.rows[row.last]), !row.is_pure));
    let leading: Vec<_> = rows.iter().map(|row| &row.leading).collect();
    let found = cancelling_sums(&leading);
    let row = |sum: Sum| {
        let last = rows[sum.last()?.0].last;
        let combined = sum.into_iter().map(|(place, factor)| (rows[place].last, factor)).collect();
        Some(Row { last, combined, leading: Vec::new(), is_pure: false })
    };
    found.into_iter().filter_map(row).collect()
}
