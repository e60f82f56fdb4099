//! State sets of clocked partitions: charts change after a tick, never between two.
//!
//! After a tick all candidates and their derivatives are known, so that the next step goes on with any of
//! them.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_model::CompiledModel;
use rhei_solve::charts::{ChartChange, Charts};
use rhei_solve::evaluate::NoValue;
use rhei_solve::landing::{follow, land_at_start, land_in_charts};
use rhei_solve::problem::ModelProblem;
use rhei_solve::start::jacobians;
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::failure::of_singular_set;

/// The charts of the state sets of a partition.
#[derive(Clone)]
pub(super) struct Pivots {
    charts: Charts,
    /// Per set, the derivative of each of its states, and of each of its candidates.
    rates: Vec<(Vec<VarId>, Vec<VarId>)>,
}

impl Pivots {
    /// The first charts, at start values.
    pub(super) fn new(
        model: &Arc<CompiledModel>,
        problem: &mut ModelProblem,
        nominals: &FxHashMap<VarId, f64>,
    ) -> Pivots {
        let mut charts = Charts::new(model, nominals);
        let sets = &model.solvable.sets;
        if sets.is_empty() {
            return Pivots { charts, rates: Vec::new() };
        }
        let ModelProblem { values, evaluator, .. } = problem;
        (0..sets.len()).for_each(|set| follow(model, set, evaluator, values));
        if let Ok(jacobians) = jacobians(&model.code.sets, evaluator, values) {
            charts.guess(model, &jacobians);
        }
        charts.write(model, values);
        let derivatives = model.equations.derivatives();
        let rates = |of: &[VarId]| of.iter().filter_map(|v| derivatives[v.index()]).collect();
        let rates = sets.iter().map(|set| (rates(&set.states), rates(&set.candidates))).collect();
        Pivots { charts, rates }
    }

    /// Before the first tick: projects start values onto the constraints, as far as enough is known.
    pub(super) fn begin(&mut self, problem: &mut ModelProblem) {
        if self.rates.is_empty() {
            return;
        }
        let model = problem.model.clone();
        let mut displaced = Vec::new();
        land_at_start(&model, &mut self.charts, &mut problem.evaluator, &mut problem.values, &mut displaced);
    }

    /// After a tick: better charts, if there are any; the next step begins with the values of the new states.
    ///
    /// The inner error says that the constraints of a set determine no chart.
    pub(super) fn improve(
        &mut self,
        problem: &mut ModelProblem,
        t: f64,
    ) -> Result<Result<(), Box<Diagnostic>>, NoValue> {
        if self.rates.is_empty() {
            return Ok(Ok(()));
        }
        let model = problem.model.clone();
        let ModelProblem { values, evaluator, .. } = problem;
        let jacobians = jacobians(&model.code.sets, evaluator, values)?;
        let before = self.charts.names(&model);
        match self.charts.improve_at_tick(&model, &jacobians) {
            Ok(false) => return Ok(Ok(())),
            Ok(true) => {}
            Err(set) => return Ok(Err(Box::new(of_singular_set(&model, set, t)))),
        }
        self.charts.note(&model, before, t);
        land_in_charts(&model, &self.charts, evaluator, values);
        self.charts.write(&model, values);
        self.write_rates(values);
        Ok(Ok(()))
    }

    /// In another mode: the best charts for the present values, which become those of the states.
    pub(super) fn choose_anew(&mut self, problem: &mut ModelProblem) {
        if self.rates.is_empty() {
            return;
        }
        let model = problem.model.clone();
        let ModelProblem { values, evaluator, .. } = problem;
        if let Ok(jacobians) = jacobians(&model.code.sets, evaluator, values) {
            let _ = self.charts.choose(&model, &jacobians);
        }
        self.charts.write(&model, values);
        self.write_rates(values);
    }

    /// The derivatives of the states are those of the candidates they stand for.
    fn write_rates(&self, values: &mut [f64]) {
        for (set, (of_states, of_candidates)) in self.rates.iter().enumerate() {
            for (rate, &chosen) in of_states.iter().zip(self.charts.chosen(set)) {
                values[rate.index()] = values[of_candidates[chosen].index()];
            }
        }
    }

    /// Takes over the changes recorded before a change of the structure.
    pub(super) fn go_on_after(&mut self, changes: Vec<ChartChange>) {
        self.charts.changes = changes;
    }

    /// The recorded changes.
    pub(super) fn take_changes(&mut self) -> Vec<ChartChange> {
        std::mem::take(&mut self.charts.changes)
    }
}
