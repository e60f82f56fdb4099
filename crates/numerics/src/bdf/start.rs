//! How a run begins: its second derivative, and a first step.
//!
//! One evaluation a little further along the solution gives its second derivative, so that the first step is of order two.
//! Another, as far away as a step of order one could go, estimates the third, and with it the length of the first step. If
//! the third says no more than the second (a stiff problem, which an explicit step throws off the solution), the first
//! step is one of order one.

use super::corrector::norm;
use crate::constants::{
    BDF_FIRST_ERROR, EPSILON, FIRST_STEP_BEYOND_TRIAL, FIRST_STEP_FRACTION, FIRST_STEP_NEGLIGIBLE,
    FIRST_STEP_OF_RUN, FIRST_STEP_OF_TIME,
};
use crate::evaluator::Evaluation;
use crate::integrator::Settings;

/// A point to begin at.
pub(super) struct Beginning<'a> {
    pub(super) t: f64,
    pub(super) y: &'a [f64],
    pub(super) dy: &'a [f64],
    pub(super) weights: &'a [f64],
    /// How long the run is.
    pub(super) run: f64,
}

/// Room for evaluations.
#[derive(Clone)]
pub(super) struct Trial {
    pub(super) second: Vec<f64>,
    at: Vec<f64>,
    f: Vec<f64>,
}

impl Trial {
    pub(super) fn new(n: usize) -> Trial {
        Trial { second: vec![0.0; n], at: vec![0.0; n], f: vec![0.0; n] }
    }

    /// Order and length of a first step, the second derivative being known or not.
    pub(super) fn first_step(
        &mut self,
        known: bool,
        evaluation: &mut Evaluation<'_>,
        settings: &Settings,
        from: &Beginning<'_>,
    ) -> (usize, f64) {
        let (longest, blind) = bounds(settings, from);
        let passing = passing_time(settings, from);
        let straight = if passing.is_finite() { FIRST_STEP_FRACTION * passing } else { blind };
        let first = if known {
            let bend = norm(&self.second, from.weights);
            (2.0 * BDF_FIRST_ERROR / bend).sqrt().min(straight)
        } else {
            straight.min(blind)
        };
        let first = first.min(longest);
        let second = if known { self.second_order_step(evaluation, from, first) } else { 0.0 };
        match settings.step {
            Some(given) => (1, given.min(longest)),
            None if second > first => (2, second.min(longest)),
            None => (1, first),
        }
    }

    /// The second derivative by a difference along the solution, left in `second`; zero, and false, where it has none.
    pub(super) fn differentiate(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        settings: &Settings,
        from: &Beginning<'_>,
    ) -> bool {
        let (longest, blind) = bounds(settings, from);
        let scale = passing_time(settings, from).min(longest.max(blind));
        let scale = if scale.is_finite() { scale } else { 1.0 };
        let increment = EPSILON.sqrt() * scale.max(FIRST_STEP_OF_TIME * from.t.abs());
        let to = from.t + increment;
        let increment = to - from.t;
        self.second.fill(0.0);
        for i in 0..self.at.len() {
            self.at[i] = from.y[i] + increment * from.dy[i];
        }
        if increment <= 0.0 || evaluation.rhs(to, &self.at, &mut self.f).is_err() {
            return false;
        }
        for i in 0..self.at.len() {
            self.second[i] = (self.f[i] - from.dy[i]) / increment;
        }
        true
    }

    /// The step whose error by the third derivative is small; zero if that is not known.
    fn second_order_step(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        from: &Beginning<'_>,
        trial: f64,
    ) -> f64 {
        let to = from.t + trial;
        let trial = to - from.t;
        for i in 0..self.at.len() {
            self.at[i] = from.y[i] + trial * (from.dy[i] + 0.5 * trial * self.second[i]);
        }
        if trial <= 0.0 || evaluation.rhs(to, &self.at, &mut self.f).is_err() {
            return 0.0;
        }
        for i in 0..self.at.len() {
            self.f[i] = 2.0 * ((self.f[i] - from.dy[i]) / trial - self.second[i]) / trial;
        }
        let third = norm(&self.f, from.weights);
        (6.0 * BDF_FIRST_ERROR / third).cbrt().min(FIRST_STEP_BEYOND_TRIAL * trial)
    }
}

/// The longest first step, and one for which nothing speaks.
fn bounds(settings: &Settings, from: &Beginning<'_>) -> (f64, f64) {
    let room = settings.t_stop - from.t;
    (settings.max_step.unwrap_or(f64::INFINITY).min(room), FIRST_STEP_OF_RUN * from.run)
}

/// In which time a state of its usual size would be gone through; infinite where nothing moves.
fn passing_time(settings: &Settings, from: &Beginning<'_>) -> f64 {
    let speed = norm(from.dy, from.weights);
    if speed > FIRST_STEP_NEGLIGIBLE { 1.0 / (settings.rtol * speed) } else { f64::INFINITY }
}
