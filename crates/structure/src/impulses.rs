//! The equations of a mode integrated over an instant: which jumps and impulses go together.
//!
//! In: the equations of a model that has modes, is in one, or has constraints that change at events. Out: [`Impulses`].
//!
//! A variable is finite if the mode differentiates it, or if an equation gives it from finite variables (`p = L*i` keeps
//! the current finite). All others may be infinite for an instant, and equations must be linear in them. Impulses in one
//! equation only have no influence on the others, and follow.

use rhei_equations::{Dae, EqId, ExprId, Kind, Leaf, Pool, Scalar, VarId, solve_for};
use rhei_solvable::{ImpulseRow, Impulses};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constraints::terms;
use crate::generic::GenericPoint;
use crate::nonzero::{Ranges, is_steady};

/// The relations between jumps and impulses in the first `of_model` equations.
pub(crate) fn impulses(equations: &Dae, of_model: usize, pool: &mut Pool) -> Impulses {
    Integrating::new(equations, of_model, pool).finish(pool)
}

/// An equation on its way.
struct Row {
    equation: EqId,
    /// Variables in it that may be infinite, with their factors.
    entries: Vec<(VarId, ExprId)>,
    /// Pairs of variables that are multiplied with each other, or stand in one nonlinear term.
    inside: Vec<(VarId, VarId)>,
}

struct Integrating<'a> {
    equations: &'a Dae,
    /// Whether the mode differentiates a variable.
    is_differentiated: Vec<bool>,
    /// Whether a variable may be infinite.
    may_be_infinite: Vec<bool>,
    rows: Vec<Row>,
    following: Vec<(VarId, Row)>,
    /// Variables found to be finite, each with the formula that gives it, in the order in which they were
    /// found.
    finite: Vec<(VarId, Option<ExprId>)>,
    /// Place of each of them in that list.
    found_at: FxHashMap<VarId, usize>,
}

impl<'a> Integrating<'a> {
    fn new(equations: &'a Dae, of_model: usize, pool: &mut Pool) -> Self {
        let n = equations.variables.len();
        let mut is_differentiated = vec![false; n];
        let mut is_there = vec![false; n];
        let rows = equations.equations[..of_model].iter().enumerate();
        let rows: Vec<_> = rows.filter(|(_, equation)| !equation.is_discrete).collect();
        for (_, equation) in &rows {
            for v in [equation.lhs, equation.rhs].into_iter().flat_map(|side| pool.variables_of(side)) {
                is_there[v.index()] = true;
                if let Kind::Derivative { of } = equations.variable(v).kind {
                    is_differentiated[of.index()] = true;
                }
            }
        }
        let varies = |v: usize| {
            let variable = &equations.variables[v];
            variable.is_unknown() && !variable.is_discrete && variable.scalar == Scalar::Real
        };
        let may_be_infinite: Vec<bool> =
            (0..n).map(|v| is_there[v] && varies(v) && !is_differentiated[v]).collect();
        let rows = rows.into_iter().map(|(place, equation)| {
            row(EqId(place as u32), equation.lhs, equation.rhs, &may_be_infinite, pool)
        });
        let rows = rows.collect();
        Integrating {
            equations,
            is_differentiated,
            may_be_infinite,
            rows,
            following: Vec::new(),
            finite: Vec::new(),
            found_at: FxHashMap::default(),
        }
    }

    fn is_derivative(&self, v: VarId) -> bool {
        matches!(self.equations.variable(v).kind, Kind::Derivative { .. })
    }

    fn live<'r>(&'r self, row: &'r Row) -> impl Iterator<Item = VarId> + 'r {
        row.entries.iter().map(|&(v, _)| v).filter(|v| self.may_be_infinite[v.index()])
    }

    fn is_linear(&self, row: &Row) -> bool {
        self.nonlinear(row).next().is_none()
    }

    /// Pairs in one nonlinear term that may both be infinite.
    fn nonlinear<'r>(&'r self, row: &'r Row) -> impl Iterator<Item = (VarId, VarId)> + 'r {
        let may_be = |v: VarId| self.may_be_infinite[v.index()];
        row.inside.iter().copied().filter(move |&(a, b)| may_be(a) && may_be(b))
    }

    /// Marks a variable as finite if an equation gives it from finite ones only.
    fn bound(&mut self, pool: &mut Pool) {
        loop {
            let mut found = Vec::new();
            for row in &self.rows {
                let mut live = self.live(row);
                if let (Some(v), None) = (live.next(), live.next())
                    && !self.is_derivative(v)
                    && self.is_linear(row)
                {
                    found.push((v, row.equation));
                }
            }
            if found.is_empty() {
                return;
            }
            for (v, equation) in found {
                if std::mem::replace(&mut self.may_be_infinite[v.index()], false) {
                    let tie = &self.equations.equations[equation.index()];
                    let formula = solve_for(pool, [tie.lhs, tie.rhs], v);
                    self.found_at.insert(v, self.finite.len());
                    self.finite.push((v, formula));
                }
            }
        }
    }

    /// An expression in terms of differentiated variables, as far as possible: factors are integrated along the path of
    /// these.
    fn of_differentiated(&self, e: ExprId, pool: &mut Pool) -> ExprId {
        let mut e = e;
        let mut until = self.finite.len();
        // those found later are given by those found earlier
        let latest = |e: ExprId, until: usize, pool: &Pool| {
            let places = pool.variables_of(e).into_iter().filter_map(|v| self.found_at.get(&v).copied());
            places.filter(|&place| place < until).max()
        };
        while let Some(place) = latest(e, until, pool) {
            let (v, formula) = self.finite[place];
            if let Some(formula) = formula {
                e = pool.substitute(e, |leaf| (leaf == Leaf::Variable(v)).then_some(formula));
            }
            until = place;
        }
        e
    }

    /// Takes out variables in one equation only, with that equation.
    fn take_out_following(&mut self) {
        loop {
            let mut count = vec![0_u32; self.equations.variables.len()];
            for row in &self.rows {
                let inside = self.nonlinear(row).flat_map(|(a, b)| [a, b]);
                let all: FxHashSet<VarId> = self.live(row).chain(inside).collect();
                all.into_iter().for_each(|v| count[v.index()] += 1);
            }
            let alone = |row: &Row| {
                let is_inside = |v: VarId| self.nonlinear(row).any(|(a, b)| a == v || b == v);
                let is_alone = |v: &VarId| count[v.index()] == 1 && !self.is_derivative(*v) && !is_inside(*v);
                self.live(row).find(is_alone)
            };
            let Some((place, v)) =
                self.rows.iter().enumerate().find_map(|(place, row)| Some((place, alone(row)?)))
            else {
                return;
            };
            let row = self.rows.remove(place);
            self.following.push((v, row));
        }
    }

    fn finish(mut self, pool: &mut Pool) -> Impulses {
        self.bound(pool);
        self.take_out_following();
        let mut nonlinear = Vec::new();
        for row in &self.rows {
            nonlinear.extend(self.nonlinear(row).flat_map(|(a, b)| [(a, row.equation), (b, row.equation)]));
        }
        nonlinear.sort_unstable_by_key(|&(v, e)| (v, e.0));
        nonlinear.dedup();
        // only a finite value makes sense there
        nonlinear.iter().for_each(|(v, _)| self.may_be_infinite[v.index()] = false);
        let jumping: Vec<VarId> = (0..self.is_differentiated.len())
            .filter(|&v| self.is_differentiated[v])
            .map(|v| VarId(v as u32))
            .collect();
        let rows: Vec<ImpulseRow> = self
            .rows
            .iter()
            .map(|row| self.split(row, &jumping, pool))
            .filter(|row| !row.is_empty())
            .collect();
        // those found first depend on those found later
        let following: Vec<(VarId, ImpulseRow)> = self
            .following
            .iter()
            .rev()
            .filter(|(_, row)| self.is_linear(row))
            .map(|(v, row)| (*v, self.split(row, &jumping, pool)))
            .collect();
        let mut rows = rows;
        for &(v, equation) in &nonlinear {
            // a variable with a finite derivative does not jump
            if let Kind::Derivative { of } = self.equations.variable(v).kind
                && let Ok(place) = jumping.binary_search(&of)
            {
                rows.push(ImpulseRow {
                    equation,
                    jumps: vec![(place, pool.number(1.0))],
                    impulses: Vec::new(),
                });
            }
        }
        let mut impulsive: Vec<VarId> = rows.iter().flat_map(|row| &row.impulses).map(|&(v, _)| v).collect();
        impulsive.sort_unstable();
        impulsive.dedup();
        let proportions = self.proportions(&jumping, pool);
        Impulses { jumping, impulsive, rows, nonlinear, following, proportions }
    }

    /// Differentiated variables, by place, of which a finite variable is a constant multiple, each with the
    /// first such constant.
    fn proportions(&self, jumping: &[VarId], pool: &mut Pool) -> Vec<(usize, ExprId)> {
        let mut found: Vec<(usize, ExprId)> = Vec::new();
        let mut point = GenericPoint::default();
        for formula in self.finite.iter().filter_map(|&(_, formula)| formula) {
            let mut unknowns = pool.variables_of(formula);
            unknowns.retain(|&v| self.equations.variable(v).is_unknown());
            let [of] = unknowns[..] else { continue };
            let Ok(place) = jumping.binary_search(&of) else { continue };
            let Ok(slope) = pool.partial(formula, of) else { continue };
            let known = found.iter().any(|&(other, _)| other == place);
            if known || !is_steady(self.equations, pool, slope) {
                continue;
            }
            let of = pool.variable(of);
            let line = pool.mul(slope, of);
            if point.value(pool, formula) == point.value(pool, line) {
                found.push((place, slope));
            }
        }
        found
    }

    /// Jumps and impulses of a row. If its only impulse has a factor that may change on the way but is never zero, the row is
    /// divided by it: the rest can be integrated.
    fn split(&self, row: &Row, jumping: &[VarId], pool: &mut Pool) -> ImpulseRow {
        let (mut jumps, mut impulses) = (Vec::new(), Vec::new());
        for &(v, factor) in row.entries.iter().filter(|(v, _)| self.may_be_infinite[v.index()]) {
            let factor = self.of_differentiated(factor, pool);
            match self.equations.variable(v).kind {
                Kind::Derivative { of } => {
                    let place = jumping.binary_search(&of).expect("what is differentiated may jump");
                    jumps.push((place, factor));
                }
                _ => impulses.push((v, factor)),
            }
        }
        if let [(_, factor)] = impulses.as_mut_slice()
            && self.varies(*factor, pool)
            && Ranges::new(self.equations).of(pool, *factor).excludes_zero()
        {
            jumps.iter_mut().for_each(|(_, jump)| *jump = pool.div(*jump, *factor));
            *factor = pool.number(1.0);
        }
        ImpulseRow { equation: row.equation, jumps, impulses }
    }

    fn varies(&self, factor: ExprId, pool: &Pool) -> bool {
        pool.variables_of(factor).into_iter().any(|v| {
            let variable = self.equations.variable(v);
            variable.is_unknown() && !variable.is_discrete
        })
    }
}

/// The linear row of the variables in an equation that may be infinite.
fn row(equation: EqId, lhs: ExprId, rhs: ExprId, may_be_infinite: &[bool], pool: &mut Pool) -> Row {
    let mut entries: Vec<(VarId, ExprId)> = Vec::new();
    let mut place_of: FxHashMap<VarId, usize> = FxHashMap::default();
    let mut inside = Vec::new();
    for (term, is_negative) in terms(pool, lhs, rhs) {
        let infinite = |v: &VarId| may_be_infinite[v.index()];
        let mut variables = pool.variables_of(term);
        variables.retain(infinite);
        for (factor, &v) in pool.partials(term, &variables).into_iter().zip(&variables) {
            let Ok(factor) = factor else {
                inside.push((v, v));
                continue;
            };
            // variables in the factor of another are in a product with it
            inside.extend(
                pool.variables_of(factor)
                    .into_iter()
                    .filter(infinite)
                    .map(|other| (v.min(other), v.max(other))),
            );
            let factor = if is_negative { pool.negate(factor) } else { factor };
            match place_of.get(&v) {
                Some(&place) => {
                    let (_, sum) = &mut entries[place];
                    *sum = pool.add(*sum, factor);
                }
                None => {
                    place_of.insert(v, entries.len());
                    entries.push((v, factor));
                }
            }
        }
    }
    let zero = pool.number(0.0);
    entries.retain(|&(_, factor)| factor != zero);
    inside.sort_unstable();
    inside.dedup();
    Row { equation, entries, inside }
}
