//! Redundant equations of a mode, and the unknowns left undetermined by them.
//!
//! In: the equations of a mode. Out: the same with redundant ones replaced.
//!
//! All switches around a ring may be open: `i1 = i2`, `i2 = i3`, `i3 = i1`. The last follows from the others, currents are
//! determined all the same, and the potentials of the nodes are but for a constant. Each equation is taken as a sum of
//! variables and other terms with factors; those that can be combined to nothing, constants included, are found by exact
//! elimination at a generic point. Without them some unknowns can be shifted together as no equation notices (again exactly:
//! the derivatives of the equations with respect to the highest derivatives). Of all values those are taken that have no part
//! in this shift, which are the smallest: that is the equation that takes the place of the dropped one.

use rhei_equations::{Binary, EqId, Equations, ExprId, Kind, Node, Pool, VarId};
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::basis::{Elimination, Entry, Grade, summed};
use crate::chains::Chains;
use crate::constraints::terms;
use crate::diagnose::listed;
use crate::generic::{GenericPoint, Residue};
use crate::matching::Matching;
use crate::pantelides::pantelides;

/// Most rows of a combination that are remembered, for the message.
const MOST_TOLD: usize = 12;
/// Places of the text that are shown.
const MOST_LABELS: usize = 4;

/// The equations of a mode without those that follow from the others.
#[derive(Debug)]
pub struct Gauged {
    /// With conditions for the smallest values in their places.
    pub equations: Equations,
    /// The dropped equations.
    pub gauges: Vec<Gauge>,
}

/// An equation that follows from others, and the unknowns that are undetermined without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauge {
    /// It is no longer among the equations; this is its text.
    pub dropped: String,
    /// Its place, where a condition for the smallest values stands now.
    pub equation: EqId,
    /// The equations that it follows from, the first few of them.
    pub follows_from: Vec<EqId>,
    /// Unknowns that can be shifted together.
    pub free: Vec<VarId>,
    /// Whether by the same amount.
    pub is_level: bool,
}

impl Gauged {
    /// One warning for each dropped equation.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        self.gauges.iter().map(|gauge| gauge.warning(&self.equations)).collect()
    }
}

impl Gauge {
    fn warning(&self, equations: &Equations) -> Diagnostic {
        let names = listed(self.free.iter().map(|&v| equations.variable(v).name.as_str()));
        let up_to = match (self.is_level, self.free.len()) {
            (_, 1) => "not determined",
            (true, _) => "determined only up to a constant",
            (false, _) => "determined only up to a common part",
        };
        let message =
            format!("{names} are {up_to}, because `{}` follows from the other constraints", self.dropped);
        let message = if self.free.len() == 1 { message.replacen(" are ", " is ", 1) } else { message };
        let mut diagnostic = Diagnostic::warning("gauge-free", message);
        let span = |e: EqId| equations.equations[e.index()].origin.span;
        if let Some(span) = span(self.equation) {
            diagnostic = diagnostic.at(span, "redundant constraint");
        }
        for span in self.follows_from.iter().filter_map(|&e| span(e)) {
            if diagnostic.labels.len() < MOST_LABELS && diagnostic.labels.iter().all(|l| l.span != span) {
                diagnostic = diagnostic.at(span, "it follows from this");
            }
        }
        diagnostic.with_note("the smallest values are taken; nothing else depends on them")
    }
}

/// The equations of a mode with redundant ones replaced; `None` if all are needed, or if they leave more undetermined than a
/// shift of algebraic unknowns.
pub fn gauged(equations: &Equations) -> Option<Gauged> {
    said_once(equations).ok().flatten()
}

/// Redundant equations leave more undetermined than a shift of algebraic unknowns.
#[derive(Debug)]
pub(crate) struct NotJustShifts;

/// As [`gauged`], where it makes a difference why there is nothing to be done.
pub(crate) fn said_once(equations: &Equations) -> Result<Option<Gauged>, NotJustShifts> {
    let mut pool = equations.pool.clone();
    let mut point = GenericPoint::default();
    settle(equations, &mut pool, &mut point);
    let redundant = redundant_rows(equations, &mut pool, &mut point);
    if redundant.is_empty() {
        return Ok(None);
    }
    let shifts = shifts(equations, &redundant, &mut pool, &mut point).ok_or(NotJustShifts)?;
    let mut made = equations.clone();
    let mut gauges = Vec::new();
    for ((row, others), shift) in redundant.into_iter().zip(shifts) {
        let dropped = equations.notation().equation(&equations.equations[row]);
        let is_level = shift.iter().all(|&(_, share)| share == shift[0].1);
        let free = shift.iter().map(|&(v, _)| v).collect();
        let (pool, equation) = (&mut made.pool, &mut made.dae.equations[row]);
        let mut sum = pool.number(0.0);
        for (v, share) in shift {
            let (v, share) = (pool.variable(v), pool.number(share));
            let term = pool.mul(share, v);
            sum = pool.add(sum, term);
        }
        (equation.lhs, equation.rhs, equation.family) = (sum, pool.number(0.0), None);
        let follows_from = others.into_iter().map(|row| EqId(row as u32)).collect();
        gauges.push(Gauge { dropped, equation: EqId(row as u32), follows_from, free, is_level });
    }
    Ok(Some(Gauged { equations: made, gauges }))
}

/// Constants and structural parameters have their values at the point, too.
fn settle(equations: &Equations, pool: &mut Pool, point: &mut GenericPoint) {
    for (v, variable) in equations.iter_variables() {
        let is_settled = variable.kind == Kind::Constant || variable.structural;
        if let Some(value) = variable.binding.filter(|&value| is_settled && pool.as_number(value).is_some()) {
            let v = pool.variable(v);
            point.settle(pool, v, value);
        }
    }
}

/// Equations that follow from others, each with the first of these.
fn redundant_rows(
    equations: &Equations,
    pool: &mut Pool,
    point: &mut GenericPoint,
) -> Vec<(usize, Vec<usize>)> {
    let mut columns: FxHashMap<Option<ExprId>, usize> = FxHashMap::default();
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    for (place, equation) in equations.equations.iter().enumerate() {
        // a balance says more than its equation
        if equation.is_discrete || equation.balance.is_some() {
            continue;
        }
        let mut entries: Vec<Entry> = Vec::new();
        for (term, is_negative) in terms(pool, equation.lhs, equation.rhs) {
            let (factor, rest) = factored(equations, pool, point, term);
            let value = if is_negative { factor.negated() } else { factor };
            let next = columns.len();
            let column = *columns.entry(rest).or_insert(next);
            match entries.iter_mut().find(|entry| entry.column == column) {
                Some(entry) => entry.value = entry.value.plus(value),
                None => entries.push(Entry { column, value, grade: Grade::Number }),
            }
        }
        entries.retain(|entry| !entry.value.is_zero());
        entries.sort_unstable_by_key(|entry| entry.column);
        rows.push(entries);
        places.push(place);
    }
    let mut elimination = Elimination::new(rows, columns.len(), MOST_TOLD);
    elimination.add_all(0..columns.len());
    let left: Vec<usize> = elimination.rows_left().collect();
    let others = |row: usize| elimination.combined(row).iter().filter(move |&&other| other != row);
    left.into_iter().map(|row| (places[row], others(row).map(|&row| places[row]).collect())).collect()
}

/// A term as a factor without unknowns, and the rest; no rest if the term is such a factor.
fn factored(
    equations: &Equations,
    pool: &Pool,
    point: &mut GenericPoint,
    term: ExprId,
) -> (Residue, Option<ExprId>) {
    let is_factor = |e: ExprId| pool.variables_of(e).into_iter().all(|v| !varies(equations, v));
    let (mut factor, mut rest) = (Residue::ONE, term);
    loop {
        if is_factor(rest) {
            return (factor.times(point.value(pool, rest)), None);
        }
        rest = match pool.node(rest) {
            Node::Negate(a) => {
                factor = factor.negated();
                a
            }
            Node::Binary(Binary::Mul, a, b) if is_factor(a) => {
                factor = factor.times(point.value(pool, a));
                b
            }
            Node::Binary(Binary::Mul, a, b) if is_factor(b) => {
                factor = factor.times(point.value(pool, b));
                a
            }
            Node::Binary(Binary::Div, a, b) if is_factor(b) && !point.value(pool, b).is_zero() => {
                factor = factor.times(point.value(pool, b).inverse().unwrap_or(Residue::ONE));
                a
            }
            _ => return (factor, Some(rest)),
        };
    }
}

fn varies(equations: &Equations, v: VarId) -> bool {
    let variable = equations.variable(v);
    variable.is_unknown() && !variable.is_discrete
}

/// Shifts of unknowns that the equations other than these do not notice, one for each of these.
fn shifts(
    equations: &Equations,
    redundant: &[(usize, Vec<usize>)],
    pool: &mut Pool,
    point: &mut GenericPoint,
) -> Option<Vec<Vec<(VarId, f64)>>> {
    let is_dropped = |e: EqId| redundant.iter().any(|&(row, _)| row == e.index());
    let chains = Chains::continuous(equations);
    // the row in place of a dropped one holds all columns that may turn out to be undetermined
    let all: Vec<(usize, u32)> = (0..chains.members.len())
        .filter(|&column| chains.members[column].len() == 1)
        .map(|c| (c, 0))
        .collect();
    let orders: Vec<Vec<(usize, u32)>> = chains
        .orders
        .iter()
        .zip(&chains.equations)
        .map(|(orders, &e)| if is_dropped(e) { all.clone() } else { orders.clone() })
        .collect();
    let mut graph = crate::Bipartite::new(chains.members.len());
    for row in &orders {
        graph.push_row(row.iter().map(|&(column, _)| column));
    }
    if !Matching::maximum(&graph).is_perfect() {
        return None;
    }
    let asked: Vec<u32> = chains.members.iter().map(|members| members.len() as u32 - 1).collect();
    let offsets = pantelides(&orders, &asked).ok()?;
    let mut rows = Vec::new();
    for (row, &e) in chains.equations.iter().enumerate() {
        if is_dropped(e) {
            continue;
        }
        let equation = &equations.equations[e.index()];
        let mut found: Vec<Entry> = Vec::new();
        for (term, is_negative) in terms(pool, equation.lhs, equation.rhs) {
            let column_of = |v: VarId| {
                let (column, order) = chains.place(v)?;
                (order + offsets.rows[row] == offsets.columns[column]).then_some((v, column))
            };
            let (variables, columns): (Vec<VarId>, Vec<usize>) =
                pool.variables_of(term).into_iter().filter_map(column_of).unzip();
            for (slope, column) in pool.partials(term, &variables).into_iter().zip(columns) {
                let value = point.value(pool, slope.ok()?);
                let value = if is_negative { value.negated() } else { value };
                found.push(Entry { column, value, grade: Grade::Number });
            }
        }
        rows.push(summed(found));
    }
    let n = chains.members.len();
    let mut elimination = Elimination::new(rows, n, 0);
    let dependent = elimination.add_all(0..n);
    if dependent.len() != redundant.len() || elimination.rows_left().next().is_some() {
        return None;
    }
    let mut found = Vec::new();
    for &column in &dependent {
        let shift = elimination.unnoticed(column, n)?;
        let is_algebraic = |column: usize| offsets.columns[column] == 0;
        if !shift.iter().all(|&(column, _)| is_algebraic(column)) {
            return None;
        }
        found.push(
            weights(&shift, column).into_iter().map(|(c, share)| (chains.variable(c), share)).collect(),
        );
    }
    Some(found)
}

/// The shares of a shift as numbers, by which the smallest values are found. If some are no simple fractions (they depend on
/// parameters) the column that the shift was found by is set to zero instead: smallest or not, it is one of the values.
fn weights(shift: &[(usize, Residue)], own: usize) -> Vec<(usize, f64)> {
    let simple: Option<Vec<(usize, f64)>> =
        shift.iter().map(|&(column, share)| Some((column, share.as_fraction()?))).collect();
    simple.unwrap_or_else(|| vec![(own, 1.0)])
}

#[cfg(test)]
mod tests {
    use rhei_equations::read;

    use super::*;

    const RING: &str = "\
model Ring
  parameter c
  unknown q1
  unknown q2
  unknown q3
  unknown z1
  unknown z2
  unknown z3
  derivative der(q1)
  derivative der(q2)
  derivative der(q3)
equation
  der(q1) = z1 - z2
  der(q2) = z2 - z3
  der(q3) = z3 - z1
  q1 = q2
  q2 = q3
  q3 = q1
";

    fn told(text: &str) -> Option<(String, Vec<String>, String)> {
        let gauged = gauged(&read(text).unwrap())?;
        let [gauge] = &gauged.gauges[..] else { panic!("{:?}", gauged.gauges) };
        let name = |v: &VarId| gauged.equations.variable(*v).name.to_string();
        let instead =
            gauged.equations.notation().equation(&gauged.equations.equations[gauge.equation.index()]);
        Some((gauge.dropped.clone(), gauge.free.iter().map(name).collect(), instead))
    }

    #[test]
    fn the_smallest_values_take_the_place_of_what_is_said_twice() {
        let (dropped, free, instead) = told(RING).expect("one follows from the others");
        assert_eq!((dropped.as_str(), instead.as_str()), ("q3 = q1", "z1 + z2 + z3 = 0"));
        assert_eq!(free, ["z1", "z2", "z3"]);
    }

    #[test]
    fn what_contradicts_or_is_needed_is_left_alone() {
        assert!(told(&RING.replace("q3 = q1", "q3 = q1 + 1")).is_none(), "a contradiction");
        assert!(told(&RING.replace("q3 = q1", "q3 = c*q1")).is_none(), "it depends on the parameter");
        assert!(told(&RING.replace("q3 = q1", "z3 = 0")).is_none(), "all are needed");
    }

    #[test]
    fn factors_and_nonlinear_terms_are_seen_through() {
        let text = RING.replace("q1 = q2", "c*sin(q1) = c*q2").replace("q3 = q1", "q3 - sin(q1) = 0");
        let (dropped, ..) = told(&text).expect("one follows from the others");
        assert_eq!(dropped, "q3 - sin(q1) = 0");
    }
}
