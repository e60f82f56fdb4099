//! Changes of the chart of a state set during a run.
//!
//! The model itself does not change with its states. The integrator keeps its order and its step: the past points of its
//! history are evaluated in the old states, and the new ones read off.

use rhei_solve::landing::land_in_charts;
use rhei_solve::start::jacobians;

use crate::failure::of_singular_set;
use crate::running::Running;
use crate::stop::Stop;

impl Running<'_> {
    /// Chooses better states within the state sets at the point evaluated last: clearly better ones only, unless states have
    /// jumped. Answers all values as they were in the old states, or none if nothing changed.
    pub(crate) fn improve_charts(&mut self, t: f64, has_jumped: bool) -> Result<Option<Vec<f64>>, Stop> {
        if self.model.solvable.sets.is_empty() {
            return Ok(None);
        }
        let model = self.model.clone();
        let problem = &mut self.problem;
        let jacobians = jacobians(&model.code.sets, &mut problem.evaluator, &mut problem.values);
        let jacobians = jacobians.map_err(|why| Stop::NoValue(why, t))?;
        self.charts.remember(t, &jacobians);
        let before = self.charts.names(&model);
        let changed = match has_jumped {
            true => self.charts.choose(&model, &jacobians),
            false => self.charts.improve(&model, &jacobians),
        };
        if !changed.map_err(|set| Stop::Broken(of_singular_set(&model, set, t)))? {
            return Ok(None);
        }
        self.charts.note(&model, before, t);
        let values = problem.values.clone();
        land_in_charts(&model, &self.charts, &problem.evaluator, &mut problem.values);
        self.charts.write(&model, &mut problem.values);
        self.charts.write_nominals(&model, &mut self.nominals);
        self.on_branch.regularity.forget_loops();
        Ok(Some(values))
    }

    /// Maps the integrator's history to the new states; `values` are those of the present in the old states.
    pub(crate) fn remap(&mut self, mut values: Vec<f64>) -> Result<(), Stop> {
        let states = self.problem.states();
        (self.integrating.is_fresh, self.current) = (true, None);
        self.forget_step();
        let Some(integrator) = &mut self.integrating.integrator else { return Ok(()) };
        let (problem, charts, model) = (&mut self.problem, &self.charts, &self.model);
        let mut past = |t: f64, old: &[f64], new: &mut [f64]| {
            std::mem::swap(&mut problem.values, &mut values);
            let has_values = problem.evaluate(t, old).is_ok();
            charts.write_states(model, &mut problem.values);
            new.copy_from_slice(&problem.states());
            std::mem::swap(&mut problem.values, &mut values);
            has_values
        };
        integrator.set_stop(f64::INFINITY);
        if integrator.remap(&states, &self.nominals, &mut past) {
            return Ok(());
        }
        integrator.restart(&mut self.problem, self.time, &states).map_err(Stop::Integrator)
    }
}
