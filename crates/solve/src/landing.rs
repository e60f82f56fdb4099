//! Projection of state sets onto their constraints: `F(C − C_ref) = 0, E(C) = 0`, by [`project`].
//!
//! - At the start `C_ref` are the start values, and fixed candidates are kept.
//! - At a jump (`reinit`) and at a change of states they are the values before; the present states are kept if that has a
//!   solution, else as nearly as possible.
//! - Between events the equations of the model do the same for the present states, at every evaluation: nothing drifts.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_kernel::{Confined, Watch};
use rhei_model::CompiledModel;
use rhei_numerics::newton::{Newton, Options, System};
use rhei_numerics::projection::{Began, Keep, Landed, Manifold, ProjectionFailure, project};
use rhei_numerics::sparse_least_squares::DENSE_PART;
use rhei_numerics::{EvaluationFailed, Pattern};
use rhei_solvable::{Assumed, Jacobian, StateSet};
use rustc_hash::FxHashSet;

use crate::charts::{Charts, is_unwritten_beside, is_written};
use crate::constants::WRITTEN_HOLDS;
use crate::evaluate::Evaluator;
use crate::start::jacobians;

/// As near as possible to the reference.
const NEAREST: Keep<'static> = Keep::Nearest { fixed: &[], may_displace: false };

/// Projects the candidates of a set, and the variables that follow from them, from their present `values` onto its constraints.
pub fn land(
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
    let mut constraints = Constraints::new(model, place, evaluator, &mut *values);
    let landed =
        project(&mut constraints, keep, &mut x, &Options { nominal: &nominals, ..Options::default() });
    write(unknowns, if landed.is_ok() { &x } else { &before }, values);
    landed
}

/// Computes the variables that the constraints of a set always determine from its candidates.
pub fn follow(model: &CompiledModel, place: usize, evaluator: &Evaluator, values: &mut [f64]) {
    let set = &model.solvable.sets[place];
    let n = set.manifold.eliminated;
    let unknowns = &set.manifold.unknowns[set.manifold.unknowns.len() - n..];
    let nominals: Vec<f64> = unknowns.iter().map(|v| evaluator.nominal(*v)).collect();
    let before: Vec<f64> = unknowns.iter().map(|v| values[v.index()]).collect();
    let mut x = before.clone();
    let code = &model.code.manifolds[place];
    let entries = Following::entries(set);
    let is_large = n > DENSE_PART;
    let sparse = is_large.then(|| SparseEntries::new(n, n, entries.iter().map(|&(_, at)| at)));
    let newton = sparse.as_ref().and_then(|sparse| Newton::sparse(sparse.pattern.clone()));
    let mut following = Following { n, unknowns, code, evaluator, entries, sparse, values: &mut *values };
    let options = Options { nominal: &nominals, ..Options::default() };
    let solved = newton.unwrap_or_else(|| Newton::new(n)).solve(&mut following, &mut x, &options);
    write(unknowns, if solved.is_ok() { &x } else { &before }, values);
}

/// After jumps of some states: projects the sets, with the least change if their own states cannot stay.
pub fn land_after_jump(model: &CompiledModel, evaluator: &Evaluator, values: &mut [f64]) {
    for (place, set) in model.solvable.sets.iter().enumerate() {
        let of_state = |factors: &Vec<(usize, VarId)>| {
            let factors = factors.iter().map(|&(place, v)| (place, values[v.index()]));
            factors.filter(|(_, factor)| *factor != 0.0).collect()
        };
        let factors: Vec<Vec<(usize, f64)>> = set.factors.iter().map(of_state).collect();
        let kept = land(model, place, Keep::Combinations(&factors), evaluator, values);
        if kept.is_err() && land(model, place, NEAREST, evaluator, values).is_err() {
            continue; // the equations of the event report the failure
        }
        combine(set, values);
    }
}

/// After a change of charts: computes the former states from the present ones, as exactly as possible.
pub fn land_in_charts(model: &CompiledModel, charts: &Charts, evaluator: &Evaluator, values: &mut [f64]) {
    for place in 0..model.solvable.sets.len() {
        // after a failure, the values are those of the last evaluation
        let _ = land(model, place, Keep::Coordinates(charts.chosen(place)), evaluator, values);
    }
}

/// Projects start values onto the constraints, for all sets about which enough is known before the initial problem is solved.
/// Writes the kept combinations as the factors of their states, so that the initial problem keeps the same. Says whether
/// there are any; sets whose search began away from the start values are recorded in `displaced`.
pub fn land_at_start(
    model: &CompiledModel,
    charts: &mut Charts,
    evaluator: &mut Evaluator,
    values: &mut [f64],
    displaced: &mut Vec<(usize, Began)>,
) -> bool {
    let mut any = false;
    let mut known = KnownVariables::new(model);
    for (place, set) in model.solvable.sets.iter().enumerate() {
        if !known.determines(model, set) {
            continue;
        }
        let unknowns = &set.manifold.unknowns;
        let start: Vec<f64> = unknowns.iter().map(|v| values[v.index()]).collect();
        let chosen = charts.chosen(place);
        let kept = land(model, place, Keep::Coordinates(chosen), evaluator, values);
        if kept.is_err() || !charts.is_good(model, place, evaluator, values) {
            write(unknowns, &start, values);
            let fixed = fixed_candidates(model, set);
            if fixed.len() > set.dimension() {
                continue;
            }
            let nearest = Keep::Nearest { fixed: &fixed, may_displace: kept.is_err() };
            let Ok(landed) = land(model, place, nearest, evaluator, values) else {
                continue;
            };
            if landed.began != Began::There {
                displaced.push((place, landed.began));
            }
            keep(model, charts, place, &landed.combinations, evaluator, values);
        }
        if let Some(began) = keep_written(model, charts, place, &start, evaluator, values)
            && began != Began::There
        {
            displaced.push((place, began));
        }
        any = true;
        combine(set, values);
        known.add(set);
    }
    any
}

/// Where a candidate with a written start value has lost it beside one without: projects once more, with the written values kept like
/// fixed ones, if the constraints leave room for all of them. Where that has no solution, the set stays as it is.
fn keep_written(
    model: &CompiledModel,
    charts: &mut Charts,
    place: usize,
    start: &[f64],
    evaluator: &mut Evaluator,
    values: &mut [f64],
) -> Option<Began> {
    let set = &model.solvable.sets[place];
    if !is_unwritten_beside(model, set) {
        return None;
    }
    let is_fixed = |candidate: usize| model.equations.variable(set.candidates[candidate]).fixed;
    let kept = |&candidate: &usize| is_fixed(candidate) || is_written(model, set, candidate);
    let kept: Vec<usize> = (0..set.candidates.len()).filter(kept).collect();
    // the initial problem keeps what is fixed
    let has_lost = |&candidate: &usize| {
        let v = set.candidates[candidate];
        !is_fixed(candidate)
            && (values[v.index()] - start[candidate]).abs()
                > WRITTEN_HOLDS * start[candidate].abs().max(evaluator.nominal(v))
    };
    if kept.len() > set.dimension() || !kept.iter().any(has_lost) {
        return None;
    }
    let unknowns = &set.manifold.unknowns;
    let first: Vec<f64> = unknowns.iter().map(|v| values[v.index()]).collect();
    write(unknowns, start, values);
    let nearest = Keep::Nearest { fixed: &kept, may_displace: true };
    match land(model, place, nearest, evaluator, values) {
        Ok(landed) => {
            keep(model, charts, place, &landed.combinations, evaluator, values);
            Some(landed.began)
        }
        Err(_) => {
            write(unknowns, &first, values);
            None
        }
    }
}

/// The fixed candidates of a set, by index.
pub(crate) fn fixed_candidates(model: &CompiledModel, set: &StateSet) -> Vec<usize> {
    let is_fixed = |candidate: &usize| model.equations.variable(set.candidates[*candidate]).fixed;
    (0..set.candidates.len()).filter(is_fixed).collect()
}

/// Writes the kept combinations as the factors of the states of a set. In large sets, whose states are candidates, the best of
/// these at the point that `values` holds are kept.
pub fn keep(
    model: &CompiledModel,
    charts: &mut Charts,
    place: usize,
    combinations: &[f64],
    evaluator: &mut Evaluator,
    values: &mut [f64],
) {
    let set = &model.solvable.sets[place];
    if set.order.is_empty() {
        for (&(_, factor), value) in set.factors.iter().flatten().zip(combinations) {
            values[factor.index()] = *value;
        }
        return;
    }
    if let Ok(jacobians) = jacobians(&model.code.sets[place..=place], evaluator, values) {
        charts.guess_for(model, place, &jacobians[0]);
    }
    charts.write_factors(model, place, values);
}

/// The variables known before the initial problem is solved.
pub struct KnownVariables(Vec<bool>);

impl KnownVariables {
    pub(crate) fn new(model: &CompiledModel) -> KnownVariables {
        let mut is_known: Vec<bool> = model.equations.variables.iter().map(|v| !v.is_unknown()).collect();
        model.solvable.unfixed.iter().for_each(|v| is_known[v.index()] = false);
        KnownVariables(is_known)
    }

    /// Whether the constraints of a set hold only its own unknowns and known variables.
    pub fn determines(&self, model: &CompiledModel, set: &StateSet) -> bool {
        let pool = &model.equations.pool;
        let own: FxHashSet<VarId> = set.manifold.unknowns.iter().copied().collect();
        let mut variables = set.manifold.residuals.iter().flat_map(|&residual| pool.variables_of(residual));
        variables.all(|v| self.0[v.index()] || own.contains(&v))
    }

    pub(crate) fn add(&mut self, set: &StateSet) {
        set.manifold.unknowns.iter().for_each(|v| self.0[v.index()] = true);
    }
}

/// Computes the states of a set from its candidates, and makes them the references of the initial problem.
pub(crate) fn combine(set: &StateSet, values: &mut [f64]) {
    for (state, factors) in set.states.iter().zip(&set.factors) {
        let terms =
            factors.iter().map(|&(place, f)| values[f.index()] * values[set.candidates[place].index()]);
        values[state.index()] = terms.sum();
    }
    write_references(set, values);
}

/// Makes the present values of the states of a set, and of the values assumed beside fixed ones, the references of the
/// initial problem.
pub(crate) fn write_references(set: &StateSet, values: &mut [f64]) {
    for (reference, state) in set.references.iter().zip(&set.states) {
        values[reference.index()] = values[state.index()];
    }
    for Assumed { factors, reference } in &set.starts {
        let terms =
            factors.iter().map(|&(place, f)| values[f.index()] * values[set.candidates[place].index()]);
        values[reference.index()] = terms.sum();
    }
}

fn write(unknowns: &[VarId], x: &[f64], values: &mut [f64]) {
    for (v, x) in unknowns.iter().zip(x) {
        values[v.index()] = *x;
    }
}

/// The values of a watch at these values of the unknowns.
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

/// Places in a sparse matrix of entries that come row by row.
pub(crate) struct SparseEntries {
    pub pattern: Arc<Pattern>,
    /// By entry.
    places: Vec<usize>,
}

impl SparseEntries {
    fn new(
        n_rows: usize,
        n_columns: usize,
        entries: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> SparseEntries {
        let pattern = Pattern::from_entries(n_rows, n_columns, entries.clone());
        let place = |(row, column)| pattern.position(row, column).expect("an entry of the pattern");
        let places = entries.map(place).collect();
        SparseEntries { pattern: Arc::new(pattern), places }
    }

    fn write(&self, found: impl Iterator<Item = f64>, entries: &mut [f64]) {
        self.places.iter().zip(found).for_each(|(&place, value)| entries[place] = value);
    }
}

/// The constraints of a set, as functions of their own unknowns; all other variables are as in `values`.
pub struct Constraints<'a> {
    set: &'a StateSet,
    code: &'a Confined,
    evaluator: &'a Evaluator,
    /// Sparse form, for large sets.
    sparse: Option<SparseEntries>,
    values: &'a mut [f64],
}

impl<'a> Constraints<'a> {
    pub(crate) fn new(
        model: &'a CompiledModel,
        place: usize,
        evaluator: &'a Evaluator,
        values: &'a mut [f64],
    ) -> Constraints<'a> {
        let (set, code) = (&model.solvable.sets[place], &model.code.manifolds[place]);
        let manifold = &set.manifold;
        let (m, n) = (manifold.residuals.len(), manifold.unknowns.len());
        let sparse = (!set.order.is_empty()).then(|| SparseEntries::new(m, n, places_in(&manifold.jacobian)));
        Constraints { set, code, evaluator, sparse, values }
    }
}

/// Row and column of each entry.
fn places_in(jacobian: &Jacobian) -> impl Iterator<Item = (usize, usize)> + Clone + '_ {
    let rows = jacobian.iter().enumerate();
    rows.flat_map(|(row, entries)| entries.iter().map(move |&(column, _)| (row, column)))
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
        let manifold = &self.set.manifold;
        let found = look(&self.code.jacobian, &manifold.unknowns, x, self.evaluator, self.values)?;
        jacobian.fill(0.0);
        for ((row, column), found) in places_in(&manifold.jacobian).zip(found) {
            jacobian[row * x.len() + column] = found;
        }
        Ok(())
    }

    fn pattern(&self) -> Option<Arc<Pattern>> {
        self.sparse.as_ref().map(|sparse| sparse.pattern.clone())
    }

    fn entries(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        let unknowns = &self.set.manifold.unknowns;
        let found = look(&self.code.jacobian, unknowns, x, self.evaluator, self.values)?;
        if let Some(sparse) = &self.sparse {
            sparse.write(found, entries);
        }
        Ok(())
    }
}

/// The last constraints of a set, as equations for as many unknowns.
struct Following<'a> {
    n: usize,
    unknowns: &'a [VarId],
    code: &'a Confined,
    evaluator: &'a Evaluator,
    /// The derivatives by these unknowns, by index among all, with their rows and columns.
    entries: Vec<(usize, (usize, usize))>,
    /// Sparse form, for many unknowns.
    sparse: Option<SparseEntries>,
    values: &'a mut [f64],
}

impl Following<'_> {
    fn entries(set: &StateSet) -> Vec<(usize, (usize, usize))> {
        let manifold = &set.manifold;
        let first_row = manifold.residuals.len() - manifold.eliminated;
        let first_column = manifold.unknowns.len() - manifold.eliminated;
        let own = |(row, column): (usize, usize)| {
            Some((row.checked_sub(first_row)?, column.checked_sub(first_column)?))
        };
        let all = places_in(&manifold.jacobian).enumerate();
        all.filter_map(|(place, at)| Some((place, own(at)?))).collect()
    }

    /// The derivatives by these unknowns.
    fn derivatives(&mut self, x: &[f64]) -> Result<Vec<f64>, EvaluationFailed> {
        let found: Vec<f64> =
            look(&self.code.jacobian, self.unknowns, x, self.evaluator, self.values)?.collect();
        Ok(self.entries.iter().map(|&(place, _)| found[place]).collect())
    }
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
        let found = self.derivatives(x)?;
        jacobian.fill(0.0);
        for (&(_, (row, column)), value) in self.entries.iter().zip(found) {
            jacobian[row * self.n + column] = value;
        }
        Ok(())
    }

    fn sparse_jacobian(&mut self, x: &[f64], entries: &mut [f64]) -> Result<(), EvaluationFailed> {
        let found = self.derivatives(x)?;
        if let Some(sparse) = &self.sparse {
            sparse.write(found.into_iter(), entries);
        }
        Ok(())
    }
}
