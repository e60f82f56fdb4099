//! The model as the integrators see it: `dy/dt = f(t, y)` over the states; and all its variables at any point.

use std::sync::Arc;

use rhei_kernel::Watch;
use rhei_numerics::{EvaluationFailed, Pattern, Problem, SparseMatrix};

use crate::delays::Delays;
use crate::evaluate::{Evaluator, NoValue};
use crate::{CompiledModel, jacobian};

/// Evaluations of one point for delays that vary: two, unless they depend on what is delayed.
const MOST_TURNS_OF_DELAYS: usize = 4;

/// What changes during a run, beside what the integrator keeps.
pub(crate) struct ModelProblem {
    pub(crate) model: Arc<CompiledModel>,
    pub(crate) values: Vec<f64>,
    changes: Vec<f64>,
    pub(crate) evaluator: Evaluator,
    pub(crate) delays: Delays,
}

impl ModelProblem {
    /// At a point where parameters and unknowns are known.
    pub(crate) fn new(model: Arc<CompiledModel>, values: Vec<f64>, evaluator: Evaluator) -> Self {
        // nothing changes but what a direction says: zero for parameters, constants and time
        let changes = vec![0.0; values.len()];
        let delays =
            Delays::new(model.equations.events.delays.iter().map(|delay| (delay.result, delay.varies)));
        ModelProblem { model, values, changes, evaluator, delays }
    }

    fn set(&mut self, t: f64, y: &[f64]) {
        self.values[self.model.code.time().index()] = t;
        for (state, &value) in self.model.solvable.states.iter().zip(y) {
            self.values[state.variable.index()] = value;
        }
        self.delays.set(t, &mut self.values);
    }

    /// Keeps what is delayed, at the point that was evaluated last.
    pub(crate) fn keep_delayed(&mut self, t: f64) -> Result<(), NoValue> {
        if self.delays.is_empty() {
            return Ok(());
        }
        let model = self.model.clone();
        let now = self.look(&model.code.delays)?;
        self.delays.keep(t, &now);
        Ok(())
    }

    /// As [`ModelProblem::keep_delayed`], at the start of a run: what was before is as what is now.
    pub(crate) fn begin_delayed(&mut self, t: f64) -> Result<(), NoValue> {
        self.delays.forget();
        self.keep_delayed(t)?;
        self.delays.set(t, &mut self.values);
        Ok(())
    }

    /// The states among the values.
    pub(crate) fn states(&self) -> Vec<f64> {
        self.model.solvable.states.iter().map(|state| self.values[state.variable.index()]).collect()
    }

    /// All variables at this point, what is discrete staying as it is.
    pub(crate) fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<&[f64], NoValue> {
        self.set(t, y);
        self.run_dynamic(t)?;
        self.evaluator.run(&self.model.code.watched, &mut self.values)?;
        Ok(&self.values)
    }

    /// Everything that derivatives depend on. Where delays vary, again with the times by which values are delayed at this
    /// point, which are known only now.
    fn run_dynamic(&mut self, t: f64) -> Result<(), NoValue> {
        let model = self.model.clone();
        self.evaluator.run(&model.code.dynamic, &mut self.values)?;
        if !self.delays.vary() {
            return Ok(());
        }
        for _ in 0..MOST_TURNS_OF_DELAYS {
            self.evaluator.run(&model.code.watched, &mut self.values)?;
            let now = self.look(&model.code.delays)?;
            if !self.delays.take_times(&now) {
                break;
            }
            self.delays.set(t, &mut self.values);
            self.evaluator.run(&model.code.dynamic, &mut self.values)?;
        }
        Ok(())
    }

    /// Everything at an event, from the states and the values before it.
    pub(crate) fn evaluate_event(&mut self) -> Result<(), NoValue> {
        self.evaluator.run(&self.model.code.event, &mut self.values)
    }

    /// What somebody looks at, at the point that was evaluated last.
    pub(crate) fn look(&mut self, watch: &Watch) -> Result<Vec<f64>, NoValue> {
        self.evaluator.run_program(&watch.program, &mut self.values)?;
        Ok(watch.slots.iter().map(|slot| self.values[slot.index()]).collect())
    }
}

impl Problem for ModelProblem {
    fn n(&self) -> usize {
        self.model.solvable.states.len()
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), EvaluationFailed> {
        self.set(t, y);
        self.run_dynamic(t).map_err(EvaluationFailed::new)?;
        for (state, derivative) in self.model.solvable.states.iter().zip(dy) {
            *derivative = self.values[state.derivative.index()];
        }
        Ok(())
    }

    fn pattern(&self) -> Option<Arc<Pattern>> {
        Some(self.model.pattern.clone())
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut SparseMatrix) -> Result<bool, EvaluationFailed> {
        self.set(t, y);
        jacobian::evaluate(&self.model, &mut self.values, &mut self.changes, &mut self.evaluator, jacobian)
            .map_err(EvaluationFailed::new)?;
        Ok(true)
    }
}
