//! Consistent restart in a new mode: the differentiated variables are projected onto its constraints, by jumps and impulses.
//!
//! Every equation of the mode is integrated over the instant (`rhei_solvable::Impulses`). That leaves linear relations between
//! the jumps `Δq` and the impulses `Z`: conservation laws. Together with the constraints of the mode, which its own evaluation
//! keeps, they determine the states `y` of the mode and the impulses: `M·(q(y) − q⁻) + B·Z = 0`, by Newton's method. There may
//! be more relations than unknowns; they agree if the mode can be entered.
//!
//! Factors that depend on jumping variables are integrated along the way. If the result depends on the way, and jumps and
//! impulses have only one way to go together, it is followed (`path`); if there are several, the result is not determined.

use rhei_equations::{EqId, VarId, number};
use rhei_model::{CompiledModel, place_of};
use rhei_numerics::sparse_least_squares::Closest;
use rhei_solvable::{Cause, ImpulseRow, Impulses};
use rustc_hash::FxHashMap;

use super::landing_matrix::{SparseRow, eliminated, freedom, merged, step};
use super::{energy, path};
use crate::constants::{
    JUMP_CONVERGED, JUMP_ITERATIONS, JUMP_PROJECTED, JUMP_ROUNDING, JUMP_SAME_FACTORS, JUMP_SAME_WAY,
};
use crate::evaluate::NoValue;
use crate::problem::ModelProblem;

/// The jump at the entry of a mode.
#[derive(Clone, Debug, Default)]
pub struct Jump {
    /// Variables with an impulse, and its size.
    pub impulses: Vec<(VarId, f64)>,
    /// Conserved quantities.
    pub conserved: Vec<String>,
    /// Variables whose impulse or value is not determined.
    pub undetermined: Vec<VarId>,
    /// The energy of the variables that jumped, before and after, if it is known.
    pub energy: Option<(f64, f64)>,
}

/// Why a mode cannot be entered.
pub enum NoLanding {
    /// An evaluation failed.
    NoValue(NoValue),
    /// These would have to be infinite, but stand in nonlinear terms of these equations.
    Nonlinear(Vec<(VarId, EqId)>),
    /// A variable would have to jump, but is the integral of a finite one: by this equation, from and to these values.
    Teleport(VarId, EqId, f64, f64),
    /// The same without the value after the jump: there is no solution nearby.
    Stuck(VarId, EqId, f64),
    /// These are not determined by the conservation laws.
    Undetermined(Vec<VarId>),
    /// The conservation laws of these depend on the way.
    PathDependent(Vec<VarId>),
}

impl From<NoValue> for NoLanding {
    fn from(why: NoValue) -> Self {
        NoLanding::NoValue(why)
    }
}

/// Projects onto the constraints of the mode, from the values `before` of the differentiated variables, all others being
/// unchanged.
pub fn land(problem: &mut ModelProblem, t: f64, before: &[f64], tolerance: f64) -> Result<Jump, NoLanding> {
    let model = problem.model.clone();
    let impulses = &model.solvable.impulses;
    let mut y = problem.states();
    if let Err(why) = problem.evaluate(t, &y) {
        return Err(no_room(problem, before, why));
    }
    let sizes: Vec<f64> = impulses
        .jumping
        .iter()
        .map(|&v| {
            problem.evaluator.nominal(v).max(before[v.index()].abs()).max(problem.values[v.index()].abs())
        })
        .collect();
    let far = |problem: &ModelProblem| {
        impulses
            .jumping
            .iter()
            .zip(&sizes)
            .any(|(v, size)| (problem.values[v.index()] - before[v.index()]).abs() > tolerance * size)
    };
    if !far(problem) {
        land_quietly(problem, t, before, sizes, tolerance)?;
        return Ok(Jump::default());
    }
    let mut landing = Landing { impulses, before, sizes, z: vec![0.0; impulses.impulsive.len()] };
    let mut free = landing.iterate(problem, t, &mut y)?;
    let bent = landing.depending_on_way(problem, tolerance)?;
    landing.check(problem, tolerance, &bent)?;
    if !bent.is_empty() {
        let curved = path::land(&mut landing, &bent, problem, t, &mut y, tolerance)?;
        landing.check(problem, tolerance, &curved)?;
        free.clear();
    }
    let (of_states, of_impulses): (Vec<usize>, Vec<usize>) =
        free.into_iter().partition(|&place| place < y.len());
    if !of_states.is_empty() {
        let states = of_states.into_iter().map(|place| model.solvable.states[place].variable);
        return Err(NoLanding::Undetermined(states.collect()));
    }
    let undetermined = of_impulses.into_iter().map(|place| impulses.impulsive[place - y.len()]).collect();
    let conserved = landing.conserved(problem)?;
    let energy = energy::energy(&landing, problem)?;
    Ok(Jump { impulses: landing.all_impulses(problem)?, conserved, undetermined, energy })
}

/// Projects states onto the constraints of their mode as a jump would: from the values `before` of the differentiated variables;
/// the search begins at `y`, which holds the result.
pub(crate) fn project(
    problem: &mut ModelProblem,
    t: f64,
    before: &[f64],
    y: &mut [f64],
) -> Result<(), String> {
    let model = problem.model.clone();
    let impulses = &model.solvable.impulses;
    let none = |_: NoValue| "the constraints have no solution near where the step leads".to_owned();
    problem.evaluate(t, y).map_err(none)?;
    let size = |v: &VarId| problem.evaluator.nominal(*v).max(before[v.index()].abs());
    let sizes = impulses.jumping.iter().map(size).collect();
    let mut landing = Landing { impulses, before, sizes, z: vec![0.0; impulses.impulsive.len()] };
    let landed = landing.iterate(problem, t, y).and_then(|_| landing.check(problem, JUMP_PROJECTED, &[]));
    landed.map_err(|why| match why {
        NoLanding::Teleport(v, ..) => format!(
            "`{}` is off its constraint at the end of a step, and no impulse brings it back: it is the integral of what stays finite",
            model.equations.variable(v).name
        ),
        _ => "no impulse brings the end of a step back onto the constraints".to_owned(),
    })
}

/// Why a mode has no values at its entry: perhaps a variable would have to jump that cannot.
pub fn no_room(problem: &mut ModelProblem, before: &[f64], why: NoValue) -> NoLanding {
    let model = problem.model.clone();
    let impulses = &model.solvable.impulses;
    let involved = involved_in(&model, &why);
    if !impulses.jumping.iter().any(|v| involved.contains(v)) {
        return NoLanding::NoValue(why);
    }
    for &v in &impulses.jumping {
        problem.values[v.index()] = before[v.index()];
    }
    let sizes = impulses.jumping.iter().map(|&v| problem.evaluator.nominal(v)).collect();
    let landing = Landing { impulses, before, sizes, z: Vec::new() };
    let Some(held) = landing.held(problem) else { return NoLanding::NoValue(why) };
    let found = held.into_iter().find(|(place, _)| involved.contains(&impulses.jumping[*place]));
    match found {
        Some((place, equation)) => {
            let v = impulses.jumping[place];
            NoLanding::Stuck(v, equation, before[v.index()])
        }
        None => NoLanding::NoValue(why),
    }
}

/// The unknowns for which no values were found.
fn involved_in(model: &CompiledModel, why: &NoValue) -> Vec<VarId> {
    match why {
        NoValue::Unsolved(unsolved) => {
            let mut all = unsolved.iteration.guessed.clone();
            for cause in &unsolved.iteration.because {
                if let Cause::Equation(e) = cause {
                    let equation = &model.equations.equations[e.index()];
                    all.extend(
                        [equation.lhs, equation.rhs]
                            .iter()
                            .flat_map(|&e| model.equations.pool.variables_of(e)),
                    );
                }
            }
            all
        }
        NoValue::Fault(fault) => fault.target.into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Violations too small to count as jumps are projected away by the conservation laws, too, if possible: over thousands of
/// events they would add up. That is not reported, and no condition sees its impulses.
fn land_quietly(
    problem: &mut ModelProblem,
    t: f64,
    before: &[f64],
    sizes: Vec<f64>,
    tolerance: f64,
) -> Result<(), NoValue> {
    let model = problem.model.clone();
    let impulses = &model.solvable.impulses;
    let is_off = |problem: &ModelProblem, sizes: &[f64], share: f64| {
        let mut jumping = impulses.jumping.iter().zip(sizes);
        jumping.any(|(v, size)| (problem.values[v.index()] - before[v.index()]).abs() > share * size)
    };
    if !is_off(problem, &sizes, JUMP_ROUNDING) {
        return Ok(());
    }
    let kept = problem.states();
    let mut y = kept.clone();
    let mut landing = Landing { impulses, before, sizes, z: vec![0.0; impulses.impulsive.len()] };
    let is_determined =
        landing.iterate(problem, t, &mut y).is_ok_and(|free| free.iter().all(|&place| place >= y.len()));
    if !is_determined || is_off(problem, &landing.sizes, tolerance) {
        problem.evaluate(t, &kept)?;
    }
    Ok(())
}

pub(crate) struct Landing<'a> {
    pub(crate) impulses: &'a Impulses,
    /// By variable.
    pub before: &'a [f64],
    /// Nominal values of the variables that may jump.
    pub sizes: Vec<f64>,
    pub(crate) z: Vec<f64>,
}

/// The factors of all rows: of jumps, then of impulses.
pub type Factors = Vec<(Vec<f64>, Vec<f64>)>;

impl Landing<'_> {
    /// Finds states and impulses; answers the undetermined ones, by index: states first.
    fn iterate(
        &mut self,
        problem: &mut ModelProblem,
        t: f64,
        y: &mut [f64],
    ) -> Result<Vec<usize>, NoLanding> {
        let model = problem.model.clone();
        let mut undetermined = Vec::new();
        for _ in 0..JUMP_ITERATIONS {
            let residuals = self.residuals(problem, Way::Straight)?;
            let factors = self.factors(problem)?;
            let sizes = self.row_sizes(&factors);
            let found = step(model.landing(), problem, &factors, &residuals, &sizes);
            let Closest { x: step, freedom } = found.ok_or_else(|| self.no_way())?;
            undetermined = (0..step.len()).filter(|&k| freedom[k] > 1e-6).collect();
            let mut settled = true;
            for (k, y) in y.iter_mut().enumerate() {
                settled &= step[k].abs()
                    <= JUMP_CONVERGED
                        * y.abs().max(problem.evaluator.nominal(problem.model.solvable.states[k].variable));
                *y += step[k];
            }
            self.z.iter_mut().zip(&step[y.len()..]).for_each(|(z, step)| *z += step);
            problem.evaluate(t, y)?;
            if settled {
                break;
            }
        }
        Ok(undetermined)
    }

    /// The variables that cannot jump whatever the impulses are, each with the equation that prevents it.
    fn held(&self, problem: &mut ModelProblem) -> Option<Vec<(usize, EqId)>> {
        let factors = self.factors(problem).ok()?;
        let n_jumps = self.impulses.jumping.len();
        let n = n_jumps + self.impulses.impulsive.len();
        let mut rows = Vec::new();
        for (row, (jumps, impulses)) in self.impulses.rows.iter().zip(&factors) {
            let of_jumps = row.jumps.iter().zip(jumps).map(|(&(place, _), f)| (place, f * self.sizes[place]));
            let of_impulses =
                row.impulses.iter().zip(impulses).map(|(&(v, _), f)| (n_jumps + self.place(v), *f));
            let mut entries = merged(of_jumps.chain(of_impulses).collect());
            let largest = entries.iter().fold(0.0, |most: f64, (_, entry)| most.max(entry.abs()));
            if !largest.is_finite() {
                return None;
            }
            entries.iter_mut().for_each(|(_, entry)| *entry /= if largest > 0.0 { largest } else { 1.0 });
            rows.push(entries);
        }
        let freedom = freedom(&rows, n)?;
        let is_held = |place: usize| freedom[place] <= 1e-9;
        let of = |place: usize| {
            let row = self.impulses.rows.iter().find(|row| row.jumps.iter().any(|&(own, _)| own == place))?;
            Some((place, row.equation))
        };
        Some((0..n_jumps).filter(|&place| is_held(place)).filter_map(of).collect())
    }

    fn no_way(&self) -> NoLanding {
        NoLanding::Undetermined(self.impulses.jumping.clone())
    }

    pub(crate) fn place(&self, v: VarId) -> usize {
        place_of(self.impulses, v)
    }

    /// The nominal size of each row: that of the terms of its jumps.
    pub(crate) fn row_sizes(&self, factors: &Factors) -> Vec<f64> {
        let size = |(row, (jumps, impulses)): (&ImpulseRow, &(Vec<f64>, Vec<f64>))| {
            let of_jumps =
                row.jumps.iter().zip(jumps).map(|(&(place, _), factor)| (factor * self.sizes[place]).abs());
            let size: f64 = of_jumps.sum();
            let largest = impulses.iter().fold(0.0, |most: f64, factor| most.max(factor.abs()));
            if size > 0.0 {
                size
            } else if largest > 0.0 {
                largest
            } else {
                1.0
            }
        };
        self.impulses.rows.iter().zip(factors).map(size).collect()
    }

    pub(crate) fn jump(&self, problem: &ModelProblem, place: usize) -> f64 {
        let v = self.impulses.jumping[place].index();
        problem.values[v] - self.before[v]
    }

    /// The factors at the point that was evaluated last.
    pub fn factors(&self, problem: &mut ModelProblem) -> Result<Factors, NoValue> {
        let model = problem.model.clone();
        let values = problem.watched(&model.code.impulses)?;
        Ok(self.in_rows(&values))
    }

    fn in_rows(&self, values: &[f64]) -> Factors {
        let mut values = values.iter().copied();
        let mut take = |n: usize| values.by_ref().take(n).collect::<Vec<f64>>();
        self.impulses.rows.iter().map(|row| (take(row.jumps.len()), take(row.impulses.len()))).collect()
    }

    /// The residuals of the relations, with factors integrated on a way from before to now.
    fn residuals(&self, problem: &mut ModelProblem, way: Way) -> Result<Vec<f64>, NoValue> {
        let now = problem.values.clone();
        let (first, last) =
            (self.factors_at(problem, &now, way, 0.0)?, self.factors_at(problem, &now, way, 1.0)?);
        let mut sums = vec![0.0; self.impulses.rows.len()];
        if is_steady(&first, &last) {
            self.add(problem, &last, 1.0, |_| 1.0, &mut sums);
            return Ok(sums);
        }
        for (s, weight) in quadrature() {
            let factors = self.factors_at(problem, &now, way, s)?;
            self.add(problem, &factors, weight, |place| way.speed(place, s), &mut sums);
        }
        Ok(sums)
    }

    /// Adds the terms of jumps, each at its speed, and of impulses, with these factors.
    fn add(
        &self,
        problem: &ModelProblem,
        factors: &Factors,
        weight: f64,
        speed: impl Fn(usize) -> f64,
        sums: &mut [f64],
    ) {
        for ((sum, row), (jumps, impulses)) in sums.iter_mut().zip(&self.impulses.rows).zip(factors) {
            for (&(place, _), factor) in row.jumps.iter().zip(jumps) {
                *sum += weight * factor * self.jump(problem, place) * speed(place);
            }
            for (&(v, _), factor) in row.impulses.iter().zip(impulses) {
                *sum += weight * factor * self.z[self.place(v)];
            }
        }
    }

    /// The factors at a point of the way.
    fn factors_at(
        &self,
        problem: &mut ModelProblem,
        now: &[f64],
        way: Way,
        s: f64,
    ) -> Result<Factors, NoValue> {
        problem.values.copy_from_slice(now);
        for (place, v) in self.impulses.jumping.iter().enumerate() {
            let (from, to) = (self.before[v.index()], now[v.index()]);
            problem.values[v.index()] = from + way.share(place, s) * (to - from);
        }
        let found = self.factors(problem);
        problem.values.copy_from_slice(now);
        found
    }

    /// Fails if the relations, except `apart`, do not all hold.
    fn check(&self, problem: &mut ModelProblem, tolerance: f64, apart: &[usize]) -> Result<(), NoLanding> {
        let factors = self.factors(problem)?;
        let sizes = self.row_sizes(&factors);
        let residuals = self.residuals(problem, Way::Straight)?;
        let off = residuals.iter().zip(&sizes).map(|(residual, size)| residual.abs() / size);
        let off = off.enumerate().filter(|(place, _)| !apart.contains(place));
        let worst = off.max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((place, off)) = worst else { return Ok(()) };
        // events are located to the tolerance
        if off <= 100.0 * tolerance {
            return Ok(());
        }
        if !self.impulses.nonlinear.is_empty() {
            return Err(NoLanding::Nonlinear(self.impulses.nonlinear.clone()));
        }
        let row = &self.impulses.rows[place];
        let largest = row.jumps.iter().max_by(|a, b| {
            let size = |place: usize| (self.jump(problem, place) / self.sizes[place]).abs();
            size(a.0).total_cmp(&size(b.0))
        });
        match largest {
            Some(&(jump, _)) => {
                let v = self.impulses.jumping[jump];
                let (from, to) = (self.before[v.index()], problem.values[v.index()]);
                Err(NoLanding::Teleport(v, row.equation, from, to))
            }
            None => Err(self.no_way()),
        }
    }

    /// Relations that would not hold on another way.
    fn depending_on_way(&self, problem: &mut ModelProblem, tolerance: f64) -> Result<Vec<usize>, NoLanding> {
        let (first, last) = self.both_factors(problem)?;
        if is_steady(&first, &last) {
            return Ok(Vec::new());
        }
        let sizes = self.row_sizes(&last);
        let (straight, bent) = (self.residuals(problem, Way::Straight)?, self.residuals(problem, Way::Bent)?);
        let differs = |place: usize| (straight[place] - bent[place]).abs() > JUMP_SAME_WAY * sizes[place];
        // impulses need not act at the pace of the jumps; but events are located to the tolerance
        let varies = |place: usize| {
            let is_other = |(a, b): (&f64, &f64)| (a - b).abs() > 100.0 * tolerance * a.abs().max(b.abs());
            first[place].1.iter().zip(&last[place].1).any(is_other) && !first[place].0.is_empty()
        };
        Ok((0..straight.len()).filter(|&place| differs(place) || varies(place)).collect())
    }

    /// The impulses that are not zero, those that follow among them.
    fn all_impulses(&self, problem: &mut ModelProblem) -> Result<Vec<(VarId, f64)>, NoValue> {
        let model = problem.model.clone();
        let values = problem.watched(&model.code.impulses)?;
        let in_rows: usize = self.impulses.rows.iter().map(|row| row.jumps.len() + row.impulses.len()).sum();
        let mut factors = values[in_rows..].iter().copied();
        let mut all: Vec<(VarId, f64)> =
            self.impulses.impulsive.iter().copied().zip(self.z.iter().copied()).collect();
        let mut known: FxHashMap<VarId, f64> = all.iter().copied().collect();
        for (v, row) in &self.impulses.following {
            let (mut sum, mut own) = (0.0, 0.0);
            for &(place, _) in &row.jumps {
                sum += factors.next().unwrap_or(0.0) * self.jump(problem, place);
            }
            for &(other, _) in &row.impulses {
                let factor = factors.next().unwrap_or(0.0);
                match known.get(&other) {
                    _ if other == *v => own = factor,
                    Some(z) => sum += factor * z,
                    None => {}
                }
            }
            if own != 0.0 {
                all.push((*v, -sum / own));
                known.entry(*v).or_insert(-sum / own);
            }
        }
        let most = all.iter().fold(0.0, |most: f64, (_, z)| most.max(z.abs()));
        all.retain(|(_, z)| z.abs() > 1e-12 * most);
        all.sort_by_key(|&(v, _)| v);
        Ok(all)
    }

    /// The factors as they were before, and as they are now.
    pub(crate) fn both_factors(&self, problem: &mut ModelProblem) -> Result<(Factors, Factors), NoValue> {
        let now = problem.values.clone();
        let first = self.factors_at(problem, &now, Way::Straight, 0.0)?;
        Ok((first, self.factors_at(problem, &now, Way::Straight, 1.0)?))
    }

    /// The sums of jumped variables that no impulse changes.
    fn conserved(&self, problem: &mut ModelProblem) -> Result<Vec<String>, NoValue> {
        let (first, last) = self.both_factors(problem)?;
        if !is_steady(&first, &last) {
            return Ok(Vec::new());
        }
        let n = self.impulses.impulsive.len();
        // impulses first: the rows left after their elimination are conserved
        let mut rows: Vec<SparseRow> = Vec::new();
        for (row, (jumps, impulses)) in self.impulses.rows.iter().zip(&last) {
            let of_impulses = row.impulses.iter().zip(impulses).map(|(&(v, _), f)| (self.place(v), *f));
            let of_jumps = row.jumps.iter().zip(jumps).map(|(&(place, _), f)| (n + place, *f));
            rows.push(merged(of_impulses.chain(of_jumps).collect()));
        }
        let of_jumps = |row: &SparseRow| -> SparseRow {
            row.iter().filter(|(column, _)| *column >= n).map(|&(column, f)| (column - n, f)).collect()
        };
        let text = |row: &SparseRow| self.sum(problem, &of_jumps(row));
        Ok(eliminated(rows, n).iter().filter_map(text).collect())
    }

    /// The text of a sum of jumped variables; none for a single term.
    fn sum(&self, problem: &ModelProblem, factors: &SparseRow) -> Option<String> {
        let largest = factors.iter().fold(0.0, |most: f64, (_, factor)| most.max(factor.abs()));
        let terms: Vec<&(usize, f64)> =
            factors.iter().filter(|(_, factor)| factor.abs() > 1e-9 * largest).collect();
        let jumped = |(k, _): &&(usize, f64)| self.jump(problem, *k).abs() > 1e-12 * self.sizes[*k];
        if terms.len() < 2 || !terms.iter().any(jumped) {
            return None;
        }
        let unit = terms[0].1;
        let mut text = String::new();
        for &&(k, factor) in &terms {
            let factor = factor / unit;
            let factor = if (factor.abs() - 1.0).abs() < 1e-12 { factor.signum() } else { factor };
            let name = &problem.model.equations.variable(self.impulses.jumping[k]).name;
            text += match (text.is_empty(), factor < 0.0) {
                (true, _) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            if factor.abs() != 1.0 {
                text += &number(factor.abs());
                text.push('*');
            }
            text += name;
        }
        Some(text)
    }
}

/// How jumps happen together.
#[derive(Clone, Copy)]
enum Way {
    /// All at the same pace.
    Straight,
    /// Some first, some last.
    Bent,
}

impl Way {
    /// The share of its jump that a variable has made at `s`.
    fn share(self, place: usize, s: f64) -> f64 {
        match self {
            Way::Straight => s,
            Way::Bent => s.powi(1 + (place % 3) as i32),
        }
    }

    /// The derivative of that.
    fn speed(self, place: usize, s: f64) -> f64 {
        match self {
            Way::Straight => 1.0,
            Way::Bent => {
                let power = 1 + (place % 3) as i32;
                f64::from(power) * s.powi(power - 1)
            }
        }
    }
}

/// Whether factors are the same at both ends.
fn is_steady(first: &Factors, last: &Factors) -> bool {
    let pairs = first.iter().zip(last);
    pairs
        .into_iter()
        .all(|(a, b)| are_same(&a.0, &b.0, JUMP_SAME_FACTORS) && are_same(&a.1, &b.1, JUMP_SAME_FACTORS))
}

/// Whether numbers are equal to within a relative tolerance.
pub(crate) fn are_same(first: &[f64], last: &[f64], share: f64) -> bool {
    first.iter().zip(last).all(|(a, b)| (a - b).abs() <= share * a.abs().max(b.abs()))
}

/// Points and weights of an integral from 0 to 1: Gauss's rule with five points, on several parts.
fn quadrature() -> Vec<(f64, f64)> {
    const PARTS: usize = 8;
    let (inner, outer) = (
        (5.0 - 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 3.0,
        (5.0 + 2.0 * (10.0_f64 / 7.0).sqrt()).sqrt() / 3.0,
    );
    let root = 70.0_f64.sqrt();
    let (heavy, light) = ((322.0 + 13.0 * root) / 900.0, (322.0 - 13.0 * root) / 900.0);
    let rule = [(0.0, 128.0 / 225.0), (inner, heavy), (-inner, heavy), (outer, light), (-outer, light)];
    let width = 1.0 / PARTS as f64;
    let part =
        |k: usize| rule.iter().map(move |&(x, w)| ((k as f64 + 0.5 + x / 2.0) * width, w * width / 2.0));
    (0..PARTS).flat_map(part).collect()
}
