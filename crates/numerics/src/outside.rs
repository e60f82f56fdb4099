//! The integrator of a problem whose steps somebody else makes: it keeps the last of them, and draws a straight line between its ends.

use crate::integrator::{Failure, Integrator, Statistics, Step};
use crate::problem::Problem;

/// Steps from outside.
#[derive(Clone)]
pub struct Outside {
    from: f64,
    time: f64,
    before: Vec<f64>,
    state: Vec<f64>,
    steps: u64,
}

impl Outside {
    /// At a point, before any step.
    pub fn start(t: f64, y: &[f64]) -> Outside {
        Outside { from: t, time: t, before: y.to_vec(), state: y.to_vec(), steps: 0 }
    }
}

impl Integrator for Outside {
    /// It makes no step of its own: it stays where it is.
    fn step(&mut self, _: &mut dyn Problem) -> Result<Step, Failure> {
        Err(Failure::StepTooSmall { t: self.time, step: 0.0, fastest: None })
    }

    fn follow(&mut self, t: f64, y: &[f64]) -> bool {
        self.from = self.time;
        self.time = t;
        self.before.clone_from(&self.state);
        self.state.clear();
        self.state.extend_from_slice(y);
        self.steps += 1;
        true
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let length = self.time - self.from;
        let share = if length > 0.0 { ((t - self.from) / length).clamp(0.0, 1.0) } else { 1.0 };
        for ((y, before), now) in y.iter_mut().zip(&self.before).zip(&self.state) {
            *y = if share == 1.0 { *now } else { before + share * (now - before) };
        }
    }

    fn degree(&self) -> usize {
        1
    }

    fn last_step(&self) -> (f64, f64) {
        (self.from, self.time)
    }

    fn time(&self) -> f64 {
        self.time
    }

    fn state(&self) -> &[f64] {
        &self.state
    }

    fn restart(&mut self, _: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure> {
        let steps = self.steps;
        *self = Outside { steps, ..Outside::start(t, y) };
        Ok(())
    }

    fn set_stop(&mut self, _: f64) {}

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn statistics(&self) -> Statistics {
        Statistics { steps: self.steps, ..Statistics::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_the_ends_of_a_step_lies_a_straight_line() {
        let mut outside = Outside::start(1.0, &[2.0]);
        let at = |outside: &Outside, t: f64| {
            let mut y = [0.0];
            outside.interpolate(t, &mut y);
            y[0]
        };
        assert_eq!(at(&outside, 1.0), 2.0);
        assert!(outside.follow(3.0, &[6.0]));
        assert_eq!([0.0, 1.0, 1.5, 3.0, 4.0].map(|t| at(&outside, t)), [2.0, 2.0, 3.0, 6.0, 6.0]);
        assert_eq!((outside.last_step(), outside.statistics().steps), ((1.0, 3.0), 1));
    }
}
