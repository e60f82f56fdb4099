//! State sets land on their constraints: `F(C − C_ref) = 0, E(C) = 0`, by [`project`].
//!
//! - At the start `C_ref` are the start values, and what is fixed is kept.
//! - At a jump (`reinit`) and at a change of states they are the values before; what the present states say is kept where that
//!   has a solution, else as much as can be.
//! - Between events the equations of the model do the same for the present states, at every evaluation: nothing drifts.

use rhei_equations::VarId;
use rhei_kernel::{Confined, Watch};
use rhei_numerics::EvaluationFailed;
use rhei_numerics::newton::{Newton, Options, System};
use rhei_numerics::projection::{Began, Keep, Landed, Manifold, ProjectionFailure, project};
use rhei_solvable::StateSet;

use crate::CompiledModel;
use crate::charts::Charts;
use crate::evaluate::Evaluator;

/// As near as can be to where the search begins.
const NEAREST: Keep<'static> = Keep::Nearest { fixed: &[], may_displace: false };

/// Brings the candidates of a set, and what follows from them, from where they are in `values` onto its constraints.
pub(crate) fn land(
    model: &CompiledModel,
    place: usize,
    keep: Keep<'_>,
    evaluator: &Evaluator,
    values: &mut [f64],
) -> Result<Landed, ProjectionFailure> {
    let set = &model.solvable.sets[place];
    let unknowns = &set.manifold.unknowns;
    follow(model, place, evaluator, values);
    let nominals: Vec<f64> = unknowns.iter().map(|v| evaluator.nominal(*v)).collect();
    let before: Vec<f64> = unknowns.iter().map(|v| values[v.index()]).collect();
    let mut x = before.clone();
    let code = &model.code.manifolds[place];
    let mut constraints = Constraints { set, code, evaluator, values: &mut *values };
    let landed =
        project(&mut constraints, keep, &mut x, &Options { nominal: &nominals, ..Options::default() });
    write(unknowns, if landed.is_ok() { &x } else { &before }, values);
    landed
}

/// Brings what the constraints of a set give in any case into line with its candidates.
pub(crate) fn follow(model: &CompiledModel, place: usize, evaluator: &Evaluator, values: &mut [f64]) {
    let set = &model.solvable.sets[place];
    let n = set.manifold.eliminated;
    let unknowns = &set.manifold.unknowns[set.manifold.unknowns.len() - n..];
    let nominals: Vec<f64> = unknowns.iter().map(|v| evaluator.nominal(*v)).collect();
    let before: Vec<f64> = unknowns.iter().map(|v| values[v.index()]).collect();
    let mut x = before.clone();
    let code = &model.code.manifolds[place];
    let mut following = Following { n, unknowns, code, evaluator, values: &mut *values };
    let options = Options { nominal: &nominals, ..Options::default() };
    let solved = Newton::new(n).solve(&mut following, &mut x, &options);
    write(unknowns, if solved.is_ok() { &x } else { &before }, values);
}

/// After some states have jumped: the sets follow, with the least change where their own states cannot stay.
pub(crate) fn land_after_jump(model: &CompiledModel, evaluator: &Evaluator, values: &mut [f64]) {
    for (place, set) in model.solvable.sets.iter().enumerate() {
        let factors: Vec<f64> = set.factors.iter().flatten().map(|v| values[v.index()]).collect();
        let kept = land(model, place, Keep::Combinations(&factors), evaluator, values);
        if kept.is_err() && land(model, place, NEAREST, evaluator, values).is_err() {
            continue; // the equations of the event will say what is wrong
        }
        combine(set, values);
    }
}

/// Where other states have been chosen: what is no state any more follows from those that are, as exactly as it can.
pub(crate) fn land_in_charts(
    model: &CompiledModel,
    charts: &Charts,
    evaluator: &Evaluator,
    values: &mut [f64],
) {
    for place in 0..model.solvable.sets.len() {
        // where it fails, the values are those of the last evaluation
        let _ = land(model, place, Keep::Coordinates(charts.chosen(place)), evaluator, values);
    }
}

/// From start values to points on the constraints, for all sets about which enough is known before the initial problem is
/// solved. Writes what was kept as the factors of their states, so that the initial problem keeps the same. Says whether there
/// are any; sets for which the search began elsewhere than at the start values are noted in `displaced`.
pub(crate) fn land_at_start(
    model: &CompiledModel,
    charts: &Charts,
    evaluator: &mut Evaluator,
    values: &mut [f64],
    displaced: &mut Vec<(usize, Began)>,
) -> bool {
    let mut any = false;
    let mut known = Known::new(model);
    for (place, set) in model.solvable.sets.iter().enumerate() {
        if !known.determines(model, set) {
            continue;
        }
        let start = values.to_vec();
        let chosen = charts.chosen(place);
        let kept = land(model, place, Keep::Coordinates(chosen), evaluator, values);
        if kept.is_err() || !charts.is_good(model, place, evaluator, values) {
            values.copy_from_slice(&start);
            let fixed = fixed_candidates(model, set);
            if fixed.len() > set.dimension() {
                continue;
            }
            let keep = Keep::Nearest { fixed: &fixed, may_displace: kept.is_err() };
            let Ok(landed) = land(model, place, keep, evaluator, values) else {
                continue;
            };
            if landed.began != Began::There {
                displaced.push((place, landed.began));
            }
            write_combinations(set, &landed.combinations, values);
        }
        any = true;
        combine(set, values);
        known.add(set);
    }
    any
}

/// The candidates of a set that are fixed, by place.
pub(crate) fn fixed_candidates(model: &CompiledModel, set: &StateSet) -> Vec<usize> {
    let is_fixed = |candidate: &usize| model.equations.variable(set.candidates[*candidate]).fixed;
    (0..set.candidates.len()).filter(is_fixed).collect()
}

/// What is kept, as the factors of the states of a set.
pub(crate) fn write_combinations(set: &StateSet, combinations: &[f64], values: &mut [f64]) {
    for (factor, value) in set.factors.iter().flatten().zip(combinations) {
        values[factor.index()] = *value;
    }
}

/// What is known before the initial problem is solved.
pub(crate) struct Known(Vec<bool>);

impl Known {
    pub(crate) fn new(model: &CompiledModel) -> Known {
        let mut is_known: Vec<bool> = model.equations.variables.iter().map(|v| !v.is_unknown()).collect();
        model.solvable.unfixed.iter().for_each(|v| is_known[v.index()] = false);
        Known(is_known)
    }

    /// Whether the constraints of a set speak of its own unknowns and what is known only.
    pub(crate) fn determines(&self, model: &CompiledModel, set: &StateSet) -> bool {
        let pool = &model.solvable.pool;
        let of_set = |v: &VarId| set.manifold.unknowns.contains(v);
        let mut variables = set.manifold.residuals.iter().flat_map(|&residual| pool.variables_of(residual));
        variables.all(|v| self.0[v.index()] || of_set(&v))
    }

    pub(crate) fn add(&mut self, set: &StateSet) {
        set.manifold.unknowns.iter().for_each(|v| self.0[v.index()] = true);
    }
}

/// The states of a set from its candidates, and what they are to be where the run says it.
pub(crate) fn combine(set: &StateSet, values: &mut [f64]) {
    for (state, factors) in set.states.iter().zip(&set.factors) {
        let terms = factors.iter().zip(&set.candidates).map(|(f, c)| values[f.index()] * values[c.index()]);
        values[state.index()] = terms.sum();
    }
    for (reference, state) in set.references.iter().zip(&set.states) {
        values[reference.index()] = values[state.index()];
    }
}

fn write(unknowns: &[VarId], x: &[f64], values: &mut [f64]) {
    for (v, x) in unknowns.iter().zip(x) {
        values[v.index()] = *x;
    }
}

/// The values of a watch where these unknowns have these values.
fn look(
    watch: &Watch,
    unknowns: &[VarId],
    x: &[f64],
    evaluator: &Evaluator,
    values: &mut [f64],
) -> Result<impl Iterator<Item = f64>, EvaluationFailed> {
    write(unknowns, x, values);
    evaluator.run_program(&watch.program, values).map_err(EvaluationFailed::new)?;
    Ok(watch.slots.iter().map(|slot| values[slot.index()]))
}

/// The constraints of a set at the point that `values` holds, apart from their own unknowns.
pub(crate) struct Constraints<'a> {
    pub(crate) set: &'a StateSet,
    pub(crate) code: &'a Confined,
    pub(crate) evaluator: &'a Evaluator,
    pub(crate) values: &'a mut [f64],
}

impl Manifold for Constraints<'_> {
    fn coordinates(&self) -> usize {
        self.set.candidates.len()
    }

    fn following(&self) -> usize {
        self.set.manifold.unknowns.len() - self.set.candidates.len()
    }

    fn constraints(&self) -> usize {
        self.set.manifold.residuals.len()
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        let unknowns = &self.set.manifold.unknowns;
        let found = look(&self.code.residual, unknowns, x, self.evaluator, self.values)?;
        residual.iter_mut().zip(found).for_each(|(residual, found)| *residual = found);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        let unknowns = &self.set.manifold.unknowns;
        let found = look(&self.code.jacobian, unknowns, x, self.evaluator, self.values)?;
        jacobian.iter_mut().zip(found).for_each(|(entry, found)| *entry = found);
        Ok(())
    }
}

/// The last so many constraints, for as many unknowns.
struct Following<'a> {
    n: usize,
    unknowns: &'a [VarId],
    code: &'a Confined,
    evaluator: &'a Evaluator,
    values: &'a mut [f64],
}

impl System for Following<'_> {
    fn n(&self) -> usize {
        self.n
    }

    fn residual(&mut self, x: &[f64], residual: &mut [f64]) -> Result<(), EvaluationFailed> {
        let watch = &self.code.residual;
        let skipped = watch.slots.len() - self.n;
        let found = look(watch, self.unknowns, x, self.evaluator, self.values)?;
        residual.iter_mut().zip(found.skip(skipped)).for_each(|(residual, found)| *residual = found);
        Ok(())
    }

    fn jacobian(&mut self, x: &[f64], jacobian: &mut [f64]) -> Result<(), EvaluationFailed> {
        let n_rows = self.code.residual.slots.len();
        let width = self.code.jacobian.slots.len().checked_div(n_rows).unwrap_or(0);
        let found: Vec<f64> =
            look(&self.code.jacobian, self.unknowns, x, self.evaluator, self.values)?.collect();
        let rows = found.chunks_exact(width.max(1)).skip(n_rows - self.n);
        for (row, entries) in jacobian.chunks_exact_mut(self.n.max(1)).zip(rows) {
            row.copy_from_slice(&entries[width - self.n..]);
        }
        Ok(())
    }
}
