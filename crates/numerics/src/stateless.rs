//! The integrator of a problem without states: time passes, nothing moves.
//!
//! Models of algebra and events only have no state. Their steps go to the stop time, or as far as the longest step
//! allows, so that whoever looks for events on the way still gets a step to look at.

use crate::integrator::{Failure, Integrator, Settings, Statistics, Step};
use crate::problem::Problem;

/// Time alone.
#[derive(Clone)]
pub(crate) struct Stateless {
    settings: Settings,
    time: f64,
    steps: u64,
}

impl Stateless {
    pub(crate) fn start(t0: f64, settings: Settings) -> Stateless {
        Stateless { settings, time: t0, steps: 0 }
    }
}

impl Integrator for Stateless {
    fn step(&mut self, _: &mut dyn Problem) -> Result<Step, Failure> {
        let from = self.time;
        let Settings { t_stop, max_step, max_steps, .. } = self.settings;
        if from >= t_stop {
            return Ok(Step { from, to: from, reached_stop: true });
        }
        if let Some(limit) = max_steps.filter(|limit| self.steps >= *limit) {
            return Err(Failure::TooManySteps { t: from, limit });
        }
        // Without any bound a step has no natural length.
        let longest = max_step.unwrap_or(if t_stop.is_finite() { f64::INFINITY } else { 1.0 });
        self.time = (from + longest).min(t_stop);
        if self.time <= from {
            return Err(Failure::StepTooSmall { t: from, step: longest, fastest: None });
        }
        self.steps += 1;
        Ok(Step { from, to: self.time, reached_stop: self.time >= t_stop })
    }

    fn interpolate(&self, _: f64, _: &mut [f64]) {}

    fn last_step(&self) -> (f64, f64) {
        (self.time, self.time)
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn state(&self) -> &[f64] {
        &[]
    }

    fn restart(&mut self, _: &mut dyn Problem, t: f64, _: &[f64]) -> Result<(), Failure> {
        self.time = t;
        Ok(())
    }

    fn set_stop(&mut self, t_stop: f64) {
        self.settings.t_stop = t_stop;
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn statistics(&self) -> Statistics {
        Statistics { steps: self.steps, ..Statistics::default() }
    }
}
