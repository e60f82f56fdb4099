//! The sides of relations after an event, as a linear complementarity problem.
//!
//! In: all values before the event, and the discrete ones that it begins with. Out: for each relation by whose side the equations
//! differ, on which side it is, for impulses, values and derivatives in this order; without a walk through modes.
//!
//! A relation is *complementary* if the equations do not jump where it switches: with its indicator `g`, an equation is `E + k·g = 0`
//! on the side where it holds, and `E = 0` on the other (an ideal diode: `v = if s < 0 then s else 0`, `i = if s < 0 then 0 else s`).
//! With `g = p − n`, `p ≥ 0`, `n ≥ 0` and `p·n = 0`, one of the two parts takes the place of the condition, and all equations are
//! linear around the values before. A step `h` of implicit Euler, `x − x⁻ = h·der(x)`, is then solved for all small `h` at once
//! (`rhei_numerics::complementarity`). Nothing is assumed of the mode that comes out; that it keeps its sides is checked as it is
//! entered. Relations at which equations jump keep the side they have.

use rhei_equations::VarId;
use rhei_kernel::Functions;
use rhei_model::{CompiledModel, ComplementaryPlan, Residuals};
use rhei_numerics::complementarity::{ACCURATE, Active, Problem, Right, Row, Series, Unsolved, solve};

use super::Left;
use crate::constants::{IMPULSE_INFINITE, SIDES_ROUNDING, SIDES_SAME, SIDES_TURNS};
use crate::evaluate::NoValue;
use crate::problem::ModelProblem;

/// The sides that relations take.
#[derive(Clone, Debug)]
pub struct Sides {
    /// By crossing, for the complementary ones: whether its indicator is on the upper side of its border.
    pub is_above: Vec<(usize, bool)>,
    /// All values, discrete ones as they follow from the sides.
    pub values: Vec<f64>,
}

/// The sides after an event from the values before it, `problem` holding the discrete values it began with. `is_at_border` tells of a
/// crossing whether it was just found at its border. None if no relation is complementary, or the equations have no values.
pub fn next_sides(
    base: &CompiledModel,
    problem: &mut ModelProblem,
    left: &Left,
    t: f64,
    is_at_border: &dyn Fn(usize) -> bool,
) -> Option<Result<Sides, Unsolved>> {
    let plan = base.complementary()?;
    let mut finding = Finding::new(plan, left, t, problem)?;
    let mut last: Option<Vec<(usize, bool)>> = None;
    for _ in 0..SIDES_TURNS {
        let is_above = match finding.sides(problem, is_at_border)? {
            Ok(is_above) => is_above,
            Err(why) => return Some(Err(why)),
        };
        let settles = finding.take(problem, &is_above).ok()?;
        if settles && last.as_ref().is_none_or(|last| *last == is_above) {
            return Some(Ok(Sides { is_above, values: finding.discrete }));
        }
        last = Some(is_above);
    }
    None
}

/// Residuals linear around a point.
#[derive(Clone)]
struct Linear {
    values: Vec<f64>,
    /// Their rates of change with time.
    rates: Vec<f64>,
    /// By residual, its derivatives by unknowns.
    slopes: Vec<Vec<(usize, f64)>>,
}

/// A complementary relation.
struct Pair {
    /// Its place among the relations of the plan.
    place: usize,
    /// Equations with the share that its indicator has in them where it holds.
    shares: Vec<(usize, f64)>,
}

struct Finding<'a> {
    plan: &'a ComplementaryPlan,
    functions: Functions,
    t: f64,
    /// The unknowns before.
    before: Vec<f64>,
    /// Accuracy of each, as a share of [`ACCURATE`].
    sizes: Vec<f64>,
    /// All values of the model, discrete ones as they are now.
    discrete: Vec<f64>,
    /// Whether relations held before the event.
    held_before: Vec<bool>,
    /// Whether they hold now.
    holds: Vec<bool>,
}

impl<'a> Finding<'a> {
    fn new(plan: &'a ComplementaryPlan, left: &Left, t: f64, problem: &ModelProblem) -> Option<Finding<'a>> {
        let before: Vec<f64> = plan.unknowns.iter().map(|v| left.values[v.index()]).collect();
        let size = |(v, x): (&VarId, &f64)| problem.evaluator.nominal(*v).max(x.abs());
        let full: Vec<f64> = plan.unknowns.iter().zip(&before).map(size).collect();
        let mut sizes: Vec<f64> = full.iter().map(|size| SIDES_ROUNDING / ACCURATE * size).collect();
        plan.derivatives.iter().for_each(|&(of, _)| sizes[of] = full[of]);
        let holds = |values: &[f64]| -> Vec<bool> {
            plan.relations.iter().map(|relation| values[relation.held.index()] != 0.0).collect()
        };
        let is_known = before.iter().all(|x| x.is_finite());
        is_known.then(|| Finding {
            functions: Functions::new(plan.code.functions.clone()),
            t,
            before,
            sizes,
            discrete: problem.values.clone(),
            held_before: holds(&left.values),
            holds: holds(&problem.values),
            plan,
        })
    }

    /// Complementary relations with their sides.
    fn sides(
        &self,
        problem: &mut ModelProblem,
        is_at_border: &dyn Fn(usize) -> bool,
    ) -> Option<Result<Vec<(usize, bool)>, Unsolved>> {
        let plan = self.plan;
        let present = self.forced(problem, &self.holds).ok()?;
        let all = self.linear(&plan.all, &present)?;
        let conditional = self.linear(&plan.conditional, &present)?;
        let mut pairs = Vec::new();
        for place in 0..plan.relations.len() {
            let mut flipped = self.holds.clone();
            flipped[place] = !flipped[place];
            let values = self.forced(problem, &flipped).ok()?;
            let Some(other) = self.linear(&plan.conditional, &values) else { continue };
            let shares = self.shares(place, &all, &conditional, &other);
            pairs.extend(shares.map(|shares| Pair { place, shares }));
        }
        if pairs.is_empty() {
            return None;
        }
        let active = match solve(self.problem(&all, &pairs, is_at_border)) {
            Ok(active) => active,
            Err(why) => return Some(Err(why)),
        };
        let is_above = |(pair, active): (&Pair, &Active)| (pair.place, *active == Active::Positive);
        let sides: Vec<(usize, bool)> = pairs.iter().zip(&active).map(is_above).collect();
        if !self.is_sum(problem, &sides, &all, &pairs) {
            return None;
        }
        let of_crossing = |(place, is_above): (usize, bool)| (plan.relations[place].crossing, is_above);
        Some(Ok(sides.into_iter().map(of_crossing).collect()))
    }

    /// Takes these sides, and the discrete values that follow from them; says whether those were taken already.
    fn take(&mut self, problem: &mut ModelProblem, is_above: &[(usize, bool)]) -> Result<bool, NoValue> {
        for (relation, holds) in self.plan.relations.iter().zip(&mut self.holds) {
            let own = is_above.iter().find(|(crossing, _)| *crossing == relation.crossing);
            if let Some(&(_, is_above)) = own {
                *holds = is_above == relation.holds_above;
            }
        }
        let mut values = self.forced(problem, &self.holds)?;
        let mut settles = true;
        for (of, previous) in problem.model.equations.kept_before() {
            if problem.model.equations.variable(of).is_discrete {
                settles &= values[of.index()] == values[previous.index()];
                values[previous.index()] = values[of.index()];
            }
        }
        for relation in &self.plan.relations {
            values[relation.nudge.index()] = problem.values[relation.nudge.index()];
        }
        self.discrete = values;
        Ok(settles)
    }

    /// Discrete values where relations hold or do not.
    fn forced(&self, problem: &mut ModelProblem, holds: &[bool]) -> Result<Vec<f64>, NoValue> {
        let was = std::mem::replace(&mut problem.only_discrete, true);
        let found = problem.at_values(&self.discrete, |problem| {
            for (relation, holds) in self.plan.relations.iter().zip(holds) {
                let far = if *holds == relation.holds_above { IMPULSE_INFINITE } else { -IMPULSE_INFINITE };
                problem.values[relation.nudge.index()] = far;
            }
            problem.evaluate_event().map(|()| problem.values.clone())
        });
        problem.only_discrete = was;
        found
    }

    /// Residuals at the values before the event with these discrete ones; none where they have no value.
    fn linear(&self, residuals: &Residuals, discrete: &[f64]) -> Option<Linear> {
        let plan = self.plan;
        let watch = plan.watch(residuals);
        let mut values = plan.code.new_values();
        let n = plan.code.time().index();
        values[..n].copy_from_slice(&discrete[..n]);
        plan.unknowns.iter().zip(&self.before).for_each(|(v, x)| values[v.index()] = *x);
        values[n] = self.t;
        watch.program.run(&mut values, &self.functions).ok()?;
        let found: Vec<f64> = watch.slots.iter().map(|slot| values[slot.index()]).collect();
        let mut slopes = vec![Vec::new(); found.len()];
        let mut changes = vec![0.0; values.len()];
        let mut along = |directions: &[usize], values: &mut [f64]| -> Vec<f64> {
            changes.fill(0.0);
            directions.iter().for_each(|&slot| changes[slot] = 1.0);
            watch.program.propagate(values, &mut changes, &self.functions);
            watch.slots.iter().map(|slot| changes[slot.index()]).collect()
        };
        let rates = along(&[n], &mut values);
        for group in &residuals.colouring.groups {
            let slots: Vec<usize> = group.iter().map(|&column| plan.unknowns[column].index()).collect();
            let changed = along(&slots, &mut values);
            for &column in group {
                for &row in residuals.pattern.column(column) {
                    if changed[row] != 0.0 {
                        slopes[row].push((column, changed[row]));
                    }
                }
            }
        }
        slopes
            .iter_mut()
            .for_each(|row: &mut Vec<(usize, f64)>| row.sort_unstable_by_key(|(column, _)| *column));
        // a root at zero has an infinite slope; whether that matters is seen in the mode
        let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
        slopes.iter_mut().flatten().for_each(|(_, slope)| *slope = finite(*slope));
        let rates = rates.into_iter().map(finite).collect();
        let is_finite = found.iter().all(|x| x.is_finite());
        is_finite.then_some(Linear { values: found, rates, slopes })
    }

    /// The shares of an indicator in the equations that its relation switches; none if it switches nothing, or they jump.
    fn shares(
        &self,
        place: usize,
        all: &Linear,
        present: &Linear,
        flipped: &Linear,
    ) -> Option<Vec<(usize, f64)>> {
        let border = self.plan.n_equations + place;
        let sign = if self.holds[place] { -1.0 } else { 1.0 };
        let &(steepest, slope) = all.slopes[border].iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))?;
        let mut shares = Vec::new();
        for (place, &row) in self.plan.conditional_rows.iter().enumerate() {
            let (own, other) = (&present.slopes[place], &flipped.slopes[place]);
            let size = own.iter().chain(other).fold(0.0, |most: f64, (_, slope)| most.max(slope.abs()));
            let change = |column: usize| slope_by(other, column) - slope_by(own, column);
            let share = change(steepest) / slope;
            let mut columns = own.iter().chain(other).chain(&all.slopes[border]).map(|(column, _)| *column);
            let is_share = |column: usize| {
                let expected = share * slope_by(&all.slopes[border], column);
                (change(column) - expected).abs() <= SIDES_SAME * (size + expected.abs())
            };
            let expected = share * all.values[border];
            let (from, to) = (present.values[place], flipped.values[place]);
            let is_continuous =
                (to - from - expected).abs() <= SIDES_SAME * (from.abs() + to.abs() + expected.abs() + size);
            if !columns.all(is_share) || !is_continuous {
                return None;
            }
            if share.abs() > SIDES_SAME * size {
                shares.push((row, sign * share));
            }
        }
        (!shares.is_empty()).then_some(shares)
    }

    /// Whether the equations on these sides are the sum of what each of the pairs switches.
    fn is_sum(
        &self,
        problem: &mut ModelProblem,
        sides: &[(usize, bool)],
        all: &Linear,
        pairs: &[Pair],
    ) -> bool {
        let plan = self.plan;
        let mut holds = self.holds.clone();
        for &(place, is_above) in sides {
            holds[place] = is_above == plan.relations[place].holds_above;
        }
        let Ok(values) = self.forced(problem, &holds) else { return false };
        let Some(found) = self.linear(&plan.conditional, &values) else { return false };
        plan.conditional_rows.iter().enumerate().all(|(at, &row)| {
            let mut expected = all.slopes[row].clone();
            for pair in pairs.iter().filter(|pair| holds[pair.place] != self.holds[pair.place]) {
                let sign = if holds[pair.place] { 1.0 } else { -1.0 };
                for (_, share) in pair.shares.iter().filter(|(own, _)| *own == row) {
                    add(&mut expected, &all.slopes[plan.n_equations + pair.place], sign * share);
                }
            }
            let size = expected.iter().fold(0.0, |most: f64, (_, slope)| most.max(slope.abs()));
            let mut columns = expected.iter().chain(&found.slopes[at]).map(|(column, _)| *column);
            columns.all(|column| {
                let (a, b) = (slope_by(&expected, column), slope_by(&found.slopes[at], column));
                (a - b).abs() <= SIDES_SAME * (size + a.abs() + b.abs())
            })
        })
    }

    /// An implicit Euler step of any length from the values before, with pairs in place of conditions.
    fn problem(&self, all: &Linear, pairs: &[Pair], is_at_border: &dyn Fn(usize) -> bool) -> Problem {
        let (plan, n) = (self.plan, self.plan.unknowns.len());
        let mut made = all.clone();
        let mut parts: Vec<Vec<(usize, f64)>> = vec![Vec::new(); plan.n_equations];
        for (number, pair) in pairs.iter().enumerate() {
            let (relation, border) = (&plan.relations[pair.place], plan.n_equations + pair.place);
            for &(row, share) in &pair.shares {
                if self.holds[pair.place] {
                    add(&mut made.slopes[row], &all.slopes[border], -share);
                    made.values[row] -= share * all.values[border];
                    made.rates[row] -= share * all.rates[border];
                }
                // where it holds, the indicator is p, or it is −n
                let part = match relation.holds_above {
                    true => (n + 2 * number, share),
                    false => (n + 2 * number + 1, -share),
                };
                parts[row].push(part);
            }
        }
        let mut rows: Vec<Row> =
            (0..plan.n_equations).map(|row| self.row(&made, all, row, &parts[row], 0.0)).collect();
        for (number, pair) in pairs.iter().enumerate() {
            let border = plan.n_equations + pair.place;
            let parts = [(n + 2 * number, -1.0), (n + 2 * number + 1, 1.0)];
            let found = is_at_border(plan.relations[pair.place].crossing);
            let size = if found { 2.0 * all.values[border].abs() / ACCURATE } else { 0.0 };
            rows.push(self.row(all, all, border, &parts, size));
        }
        rows.extend(plan.derivatives.iter().map(|&(of, derivative)| self.row_of_derivative(of, derivative)));
        let first = pairs.iter().map(|pair| {
            let is_above = self.held_before[pair.place] == plan.relations[pair.place].holds_above;
            if is_above { Active::Positive } else { Active::Negative }
        });
        Problem { rows, n_ordinary: n, first: first.collect() }
    }

    fn row(&self, made: &Linear, all: &Linear, row: usize, parts: &[(usize, f64)], size: f64) -> Row {
        let entries = made.slopes[row].iter().chain(parts).filter(|(_, slope)| *slope != 0.0);
        let entries = entries.map(|&(column, slope)| (column, Series::number(slope))).collect();
        let of_time = Series::term(-made.rates[row], 1);
        let value = Series::number(-made.values[row]).plus_rounded(&of_time);
        let terms = all.slopes[row].iter().map(|&(column, slope)| slope.abs() * self.sizes[column]);
        let rounding = SIDES_ROUNDING / ACCURATE * (made.values[row].abs() + all.values[row].abs());
        let size = Series::number(size + rounding + terms.sum::<f64>());
        let of_time = Series::number(SIDES_ROUNDING / ACCURATE).times(&of_time.absolute());
        Row { entries, right: Right { value, size: size.plus_rounded(&of_time) } }
    }

    /// `x − x⁻ = h·der(x)`, divided by `h`.
    fn row_of_derivative(&self, of: usize, derivative: usize) -> Row {
        let mut entries = vec![(of, Series::term(-1.0, -1)), (derivative, Series::number(1.0))];
        entries.sort_unstable_by_key(|(column, _)| *column);
        let (value, size) = (-self.before[derivative], self.sizes[derivative]);
        Row { entries, right: Right { value: Series::number(value), size: Series::number(size) } }
    }
}

fn slope_by(slopes: &[(usize, f64)], column: usize) -> f64 {
    let found = slopes.binary_search_by_key(&column, |(column, _)| *column);
    found.map_or(0.0, |place| slopes[place].1)
}

/// Adds a multiple of a row, without what cancels.
fn add(slopes: &mut Vec<(usize, f64)>, other: &[(usize, f64)], factor: f64) {
    for &(column, slope) in other {
        let change = factor * slope;
        match slopes.binary_search_by_key(&column, |(column, _)| *column) {
            Ok(place) => {
                let sum = slopes[place].1 + change;
                let is_zero = sum.abs() <= SIDES_SAME * (slopes[place].1.abs() + change.abs());
                slopes[place].1 = if is_zero { 0.0 } else { sum };
            }
            Err(place) => slopes.insert(place, (column, change)),
        }
    }
}

impl Sides {
    /// Whether a relation of a crossing is among them.
    pub fn has(&self, crossing: usize) -> bool {
        self.is_above.iter().any(|(own, _)| *own == crossing)
    }
}
