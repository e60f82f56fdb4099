//! Tearing: of unknowns that need each other, a few are guessed, and the others follow one by one.
//!
//! Equations with one unknown left are solved for it, as long as there are any; then the unknown that stands in most of the
//! equations left is guessed (Cellier's heuristic; Cellier & Kofman, *Continuous System Simulation*, 2006, §7.4). An equation
//! is solved only where its unknown has a number as its factor: one that may vanish would be divided by.
//!
//! A formula passes on what it depends on: along a chain of formulas an unknown comes to depend on ever more guesses, and
//! residuals on all of them. In small loops that does no harm, fewer guesses are better. In large ones it would fill the matrix,
//! and formulas stop where they would depend on more than a few guesses: more is guessed, and the matrix stays sparse.
//!
//! It also hands on mistakes: see [`influence`].

mod influence;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rhei_equations::{ExprId, Node, Pool, VarId, solve_for};
use rhei_solvable::{Assignment, Block, Factors, Loop, Residual};
use rustc_hash::FxHashSet;

use crate::Matching;
use crate::blocks::System;
use influence::{Factor, Influence};

/// Loops that have more guesses are torn such that their matrix stays sparse.
const LARGE: usize = 100;
/// Guesses that an unknown of a large loop may depend on.
const MOST_REACH: usize = 12;

/// The rows of a strong component as a loop.
pub(crate) fn tear(system: &System<'_>, component: &[usize], matching: &Matching, pool: &mut Pool) -> Block {
    let mut columns: Vec<usize> = component.iter().filter_map(|&row| matching.column_of(row)).collect();
    columns.sort_unstable();
    let unknowns: Vec<VarId> = columns.iter().map(|&column| system.unknowns[column]).collect();
    let inside: FxHashSet<VarId> = unknowns.iter().copied().collect();
    let mut tearing = Tearing::new(system, component, &columns, &unknowns, &inside);
    let mut torn = tearing.guess_and_follow(pool);
    if torn.guessed.len() > LARGE {
        tearing = Tearing::new(system, component, &columns, &unknowns, &inside);
        tearing.is_large = true;
        torn = tearing.guess_and_follow(pool);
    }
    for (place, &row) in component.iter().enumerate() {
        if !tearing.used[place] {
            let value = pool.sub(system.rows[row].lhs, system.rows[row].rhs);
            torn.residuals.push(Residual { value, because: system.rows[row].because });
        }
    }
    torn.factors = factors(&torn, &inside, pool);
    Block::Solve(Box::new(torn))
}

/// Variables on which the factors of the unknowns depend, if all formulas and residuals are linear in them.
fn factors(torn: &Loop, inside: &FxHashSet<VarId>, pool: &mut Pool) -> Option<Factors> {
    let mut variables = FxHashSet::default();
    let mut on_time = false;
    let following = torn.following.iter().map(|assignment| assignment.value);
    let mut seen = FxHashSet::default();
    for value in following.chain(torn.residuals.iter().map(|residual| residual.value)) {
        let mut unknowns = pool.variables_of(value);
        unknowns.retain(|v| inside.contains(v));
        let factors: Option<Vec<ExprId>> =
            pool.partials(value, &unknowns).into_iter().map(Result::ok).collect();
        let new = pool.below_but(&factors?, |e| seen.contains(&e));
        for &e in &new {
            match pool.node(e) {
                Node::Variable(v) if inside.contains(&v) => return None,
                Node::Variable(v) => {
                    variables.insert(v);
                }
                Node::Time => on_time = true,
                // derivatives of calls are differences: not exact enough to solve in one go
                Node::Invoke(_) => return None,
                _ => {}
            }
        }
        seen.extend(new);
    }
    let mut variables: Vec<VarId> = variables.into_iter().collect();
    variables.sort_unstable();
    Some(Factors { variables, on_time })
}

struct Tearing<'a> {
    system: &'a System<'a>,
    rows: &'a [usize],
    unknowns: &'a [VarId],
    /// The same as a set.
    inside: &'a FxHashSet<VarId>,
    /// Per row, its unknowns of the loop.
    holds: Vec<Vec<usize>>,
    /// Per unknown, the rows it stands in.
    stands_in: Vec<Vec<usize>>,
    known: Vec<bool>,
    n_open: usize,
    used: Vec<bool>,
    /// Per row, how many of its unknowns are open.
    open: Vec<usize>,
    /// Rows with one open unknown that have not been tried yet, first ones first.
    ready: BinaryHeap<Reverse<usize>>,
    /// Per unknown, in how many rows that are left it stands.
    count: Vec<usize>,
    /// Unknowns by that count, which may have fallen since.
    by_count: BinaryHeap<(usize, Reverse<usize>)>,
    /// Per unknown that is known, its dependence on guesses.
    influences: Vec<Influence>,
    /// Whether unknowns may depend on few guesses only.
    is_large: bool,
}

impl<'a> Tearing<'a> {
    fn new(
        system: &'a System<'a>,
        rows: &'a [usize],
        columns: &[usize],
        unknowns: &'a [VarId],
        inside: &'a FxHashSet<VarId>,
    ) -> Self {
        let places = |row: &usize| {
            system.graph.columns(*row).filter_map(|column| columns.binary_search(&column).ok()).collect()
        };
        let holds: Vec<Vec<usize>> = rows.iter().map(places).collect();
        let mut stands_in = vec![Vec::new(); unknowns.len()];
        for (place, own) in holds.iter().enumerate() {
            own.iter().for_each(|&unknown| stands_in[unknown].push(place));
        }
        let open: Vec<usize> = holds.iter().map(Vec::len).collect();
        let count: Vec<usize> = stands_in.iter().map(Vec::len).collect();
        Tearing {
            system,
            rows,
            unknowns,
            inside,
            known: vec![false; unknowns.len()],
            n_open: unknowns.len(),
            used: vec![false; rows.len()],
            ready: (0..rows.len()).filter(|&place| open[place] == 1).map(Reverse).collect(),
            by_count: count.iter().enumerate().map(|(unknown, &count)| (count, Reverse(unknown))).collect(),
            influences: vec![Influence::default(); unknowns.len()],
            holds,
            stands_in,
            open,
            count,
            is_large: false,
        }
    }

    /// Guesses and formulas, until everything is known, or there are too many guesses for a loop that is not large.
    fn guess_and_follow(&mut self, pool: &mut Pool) -> Loop {
        let mut torn = Loop::default();
        while self.n_open > 0 && (self.is_large || torn.guessed.len() <= LARGE) {
            match self.next_formula(pool) {
                Some(assignment) => torn.following.push(assignment),
                None => torn.guessed.push(self.next_guess()),
            }
        }
        torn
    }

    /// The first row that gives its last unknown by a formula.
    fn next_formula(&mut self, pool: &mut Pool) -> Option<Assignment> {
        while let Some(Reverse(place)) = self.ready.pop() {
            let open = self.holds[place].iter().copied().find(|&unknown| !self.known[unknown]);
            let Some(unknown) = open.filter(|_| !self.used[place]) else { continue };
            let row = &self.system.rows[self.rows[place]];
            let target = self.unknowns[unknown];
            let Some(influence) = self.influence_through(pool, place, unknown) else { continue };
            if let Some(value) = solve_for(pool, row.sides(), target) {
                self.influences[unknown] = influence;
                self.used[place] = true;
                self.holds[place].iter().for_each(|&unknown| self.count[unknown] -= 1);
                self.learn(unknown);
                return Some(Assignment { target, value, because: row.because });
            }
        }
        None
    }

    /// Influence of the guesses on an unknown if it is computed from a row; none if it should not be.
    ///
    /// It has to have a factor that can be divided by: a number. A variable may pass through zero, and a parameter may be set to
    /// zero (an ideal element); guessing another unknown of the row instead costs little.
    fn influence_through(&self, pool: &mut Pool, place: usize, unknown: usize) -> Option<Influence> {
        let row = &self.system.rows[self.rows[place]];
        let residual = pool.sub(row.lhs, row.rhs);
        let factor = pool.partial(residual, self.unknowns[unknown]).ok()?;
        let factor = pool.as_number(factor).filter(|&factor| factor != 0.0)?;
        let mut parts = Vec::new();
        let others: Vec<usize> =
            self.holds[place].iter().copied().filter(|&other| other != unknown).collect();
        let variables: Vec<VarId> = others.iter().map(|&other| self.unknowns[other]).collect();
        for (other, factor_of_other) in others.into_iter().zip(pool.partials(residual, &variables)) {
            let of_other = Factor::new(pool, factor_of_other.ok(), self.inside);
            let influence = &self.influences[other];
            if of_other.is_bent && !influence.is_harmless_where_bent() {
                return None;
            }
            parts.push((-of_other.about / factor, influence));
        }
        let influence = Influence::of_sum(&parts);
        let is_within_reach = !self.is_large || influence.n_guesses() <= MOST_REACH;
        (is_within_reach && influence.is_harmless()).then_some(influence)
    }

    /// From here on an unknown is known.
    fn learn(&mut self, unknown: usize) {
        self.known[unknown] = true;
        self.n_open -= 1;
        for &place in &self.stands_in[unknown] {
            self.open[place] -= 1;
            if self.open[place] == 1 && !self.used[place] {
                self.ready.push(Reverse(place));
            }
        }
    }

    /// The unknown that stands in most of the rows left.
    fn next_guess(&mut self) -> VarId {
        loop {
            let (count, Reverse(unknown)) = self.by_count.pop().expect("there is an unknown left");
            if self.known[unknown] {
                continue;
            }
            if count > self.count[unknown] {
                self.by_count.push((self.count[unknown], Reverse(unknown)));
                continue;
            }
            self.influences[unknown] = Influence::of_guess(unknown);
            self.learn(unknown);
            return self.unknowns[unknown];
        }
    }
}
