//! Tearing: of unknowns that need each other, a few are guessed, and the others follow one by one.
//!
//! Equations with one unknown left are solved for it, as long as there are any; then the unknown that stands in most of the
//! equations left is guessed (Cellier's heuristic; Cellier & Kofman, *Continuous System Simulation*, 2006, §7.4). An equation
//! is solved only where its unknown has a number as its factor: one that may vanish would be divided by.

use rhei_equations::{Node, Pool, VarId, solve_for};
use rhei_solvable::{Assignment, Block, Factors, Loop, Residual};
use rustc_hash::FxHashSet;

use crate::Matching;
use crate::blocks::System;

/// The rows of a strong component as a loop.
pub(crate) fn tear(system: &System<'_>, component: &[usize], matching: &Matching, pool: &mut Pool) -> Block {
    let mut columns: Vec<usize> = component.iter().filter_map(|&row| matching.column_of(row)).collect();
    columns.sort_unstable();
    let unknowns: Vec<VarId> = columns.iter().map(|&column| system.unknowns[column]).collect();
    let mut tearing = Tearing {
        system,
        rows: component,
        unknowns: &unknowns,
        // per row, its unknowns of the loop as places in `columns`
        holds: component
            .iter()
            .map(|&row| {
                system.graph.row(row).iter().filter_map(|column| columns.binary_search(column).ok()).collect()
            })
            .collect(),
        known: vec![false; columns.len()],
        used: vec![false; component.len()],
    };
    let mut torn = Loop { guessed: Vec::new(), following: Vec::new(), residuals: Vec::new(), factors: None };
    while tearing.known.contains(&false) {
        match tearing.next_formula(pool) {
            Some(assignment) => torn.following.push(assignment),
            None => torn.guessed.push(tearing.next_guess()),
        }
    }
    for (place, &row) in component.iter().enumerate() {
        if !tearing.used[place] {
            let equation = &system.rows[row].equation;
            let value = pool.sub(equation.lhs, equation.rhs);
            torn.residuals.push(Residual { value, because: system.rows[row].because });
        }
    }
    torn.factors = factors(&torn, &unknowns, pool);
    Block::Solve(torn)
}

/// What the factors of the unknowns depend on, if all formulas and residuals are linear in them.
fn factors(torn: &Loop, unknowns: &[VarId], pool: &mut Pool) -> Option<Factors> {
    let inside: FxHashSet<VarId> = unknowns.iter().copied().collect();
    let mut variables = FxHashSet::default();
    let mut on_time = false;
    let following = torn.following.iter().map(|assignment| assignment.value);
    for value in following.chain(torn.residuals.iter().map(|residual| residual.value)) {
        for unknown in pool.variables_of(value).into_iter().filter(|v| inside.contains(v)) {
            let factor = pool.partial(value, unknown).ok()?;
            for e in pool.below(&[factor]) {
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
        }
    }
    let mut variables: Vec<VarId> = variables.into_iter().collect();
    variables.sort_unstable();
    Some(Factors { variables, on_time })
}

struct Tearing<'a> {
    system: &'a System<'a>,
    rows: &'a [usize],
    unknowns: &'a [VarId],
    holds: Vec<Vec<usize>>,
    known: Vec<bool>,
    used: Vec<bool>,
}

impl Tearing<'_> {
    /// The first row that gives its last unknown by a formula.
    fn next_formula(&mut self, pool: &mut Pool) -> Option<Assignment> {
        for place in 0..self.rows.len() {
            let mut open = self.holds[place].iter().filter(|&&unknown| !self.known[unknown]);
            let (Some(&unknown), None) = (open.next(), open.next()) else { continue };
            if self.used[place] {
                continue;
            }
            let row = &self.system.rows[self.rows[place]];
            let target = self.unknowns[unknown];
            if !self.has_steady_factor(pool, place, target) {
                continue;
            }
            if let Some(value) = solve_for(pool, &row.equation, target) {
                self.known[unknown] = true;
                self.used[place] = true;
                return Some(Assignment { target, value, because: row.because });
            }
        }
        None
    }

    /// Whether an unknown has a factor that can be divided by: a number. What varies may pass through zero, and a parameter
    /// may be set to zero (an ideal element); guessing another unknown of the row instead costs little.
    fn has_steady_factor(&self, pool: &mut Pool, place: usize, target: VarId) -> bool {
        let equation = &self.system.rows[self.rows[place]].equation;
        let residual = pool.sub(equation.lhs, equation.rhs);
        let factor = pool.partial(residual, target).ok();
        factor.and_then(|factor| pool.as_number(factor)).is_some_and(|factor| factor != 0.0)
    }

    /// The unknown that stands in most of the rows left.
    fn next_guess(&mut self) -> VarId {
        let mut count = vec![0; self.unknowns.len()];
        for place in (0..self.rows.len()).filter(|&place| !self.used[place]) {
            self.holds[place].iter().for_each(|&unknown| count[unknown] += 1);
        }
        let open = (0..self.unknowns.len()).filter(|&unknown| !self.known[unknown]);
        let guess = open.max_by_key(|&unknown| (count[unknown], std::cmp::Reverse(unknown)));
        let guess = guess.expect("there is an unknown left");
        self.known[guess] = true;
        self.unknowns[guess]
    }
}
