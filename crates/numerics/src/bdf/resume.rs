//! The past kept after an event, or after a change of variables.
//!
//! An event changes the derivatives of some states; the past of the others is as good as before. States that are touched get a
//! past that never was, the parabola of their value, first and second derivative after the event. The order stays, and the step
//! becomes as short as the third derivatives of the touched states demand. A change of variables is made at the points of the
//! past: nothing has happened to the solution, and nothing to the order and the step.

use super::Bdf;
use super::control::Sizes;
use super::start::Beginning;
use crate::constants::{
    BDF_BEND_UNSURE, BDF_CLOSEST_POINT, BDF_MADE_UP_STEPS, BDF_SLOPE_UNSURE, BDF_UNTOUCHED,
};
use crate::initial_step::first_step_floor;
use crate::integrator::{Failure, Integrator, Remap};
use crate::problem::Problem;

impl Bdf {
    /// Goes on from a point of the last step.
    pub(super) fn resume_at(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure> {
        if t > self.time() || t < self.from {
            return self.restart(problem, t, y);
        }
        if t < self.time() {
            self.history.rewind(self.order, t, BDF_CLOSEST_POINT * self.control.step);
        }
        self.from = t;
        let order = self.order.min(self.history.known() - 1);
        self.history.derivatives(order, t, &mut self.predicted, &mut self.room);
        let evaluated = self.evaluator.of(problem).rhs(t, y, &mut self.derivative);
        self.derivative_before.copy_from_slice(&self.derivative);
        evaluated.map_err(|reason| Failure::EvaluationFailed { t, reached: t, reason })?;
        self.weigh();
        let beginning = Beginning { t, y, dy: &self.derivative, weights: &self.weights, run: self.run };
        if order < 2 || !self.trial.differentiate(&mut self.evaluator.of(problem), &self.settings, &beginning)
        {
            return self.restart(problem, t, y);
        }
        let touched = self.find_touched(y);
        if touched == y.len() {
            return self.restart(problem, t, y);
        }
        self.history.replace(y, &self.derivative, &self.trial.second, &self.is_touched);
        self.control.lower_to(order);
        if touched > 0 {
            self.begin_with_touched(problem, t, y, order);
        }
        self.corrector.forget();
        Ok(())
    }

    /// Marks the states that go on otherwise than the past says, and counts them.
    fn find_touched(&mut self, y: &[f64]) -> usize {
        let step = self.control.step;
        for (i, y) in y.iter().enumerate() {
            let jump = (y - self.history.state()[i]).abs();
            let slope = step * (self.derivative[i] - self.predicted[i]).abs();
            let bend = 0.5 * step * step * (self.trial.second[i] - self.room[i]).abs();
            let change = jump.max(slope / BDF_SLOPE_UNSURE).max(bend / BDF_BEND_UNSURE);
            let is_as_before = change <= BDF_UNTOUCHED * self.weights[i];
            self.is_touched[i] = !is_as_before;
        }
        self.is_touched.iter().filter(|is_touched| **is_touched).count()
    }

    /// The step that suits the touched states.
    fn begin_with_touched(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64], order: usize) {
        for (weight, is_touched) in self.weights.iter_mut().zip(&self.is_touched) {
            if !is_touched {
                *weight = f64::INFINITY;
            }
        }
        let beginning = Beginning { t, y, dy: &self.derivative, weights: &self.weights, run: self.run };
        let (_, step) =
            self.trial.first_step(true, &mut self.evaluator.of(problem), &self.settings, &beginning);
        self.weigh();
        self.control.begin_anew(order, step.max(first_step_floor(t)).max(self.shortest_step()));
        self.made_up = BDF_MADE_UP_STEPS;
    }

    /// Goes on in other variables.
    pub(super) fn change_variables(&mut self, y: &[f64], nominal: &[f64], past: &mut Remap<'_>) -> bool {
        let rtol = self.settings.rtol;
        for (atol, nominal) in self.settings.atol.iter_mut().zip(nominal) {
            *atol = rtol * if *nominal == 0.0 { 1.0 } else { nominal.abs() };
        }
        let last = self.history.last_step();
        self.history.remap(y, past);
        let t = self.time();
        if self.history.known() < 2 {
            return false;
        }
        self.from = t;
        let order = self.order.min(self.history.known() - 1);
        self.history.derivatives(order, t, &mut self.derivative, &mut self.room);
        self.derivative_before.copy_from_slice(&self.derivative);
        self.weigh();
        let size = |j: usize| self.history.size_of_derivative(j, last, &self.weights);
        if let (Some(of_order), Some(error)) = (size(order), size(order + 1)) {
            let sizes = Sizes { order: of_order, error, beyond: size(order + 2) };
            self.control.go_on(order, last, &sizes);
            self.history.tighten(self.control.step);
        } else {
            self.control.lower_to(order);
        }
        self.corrector.forget();
        true
    }
}
