//! Methods with a given step: no error control, exact step counts.
//!
//! The grid is `t0 + k·dt`, computed and not summed up, so that a million steps of 0.1 end where they should. The
//! last step is shortened to hit the stop time. A step that cannot be done is a failure: there is no shorter one to
//! try.

mod explicit;
mod implicit;
mod interpolation;

pub(crate) use explicit::Explicit;
pub(crate) use implicit::{Implicit, Tableau};

use crate::constants::LAST_STEP_SLACK;
use crate::evaluator::{Evaluation, Evaluator};
use crate::integrator::{Failure, Integrator, Settings, Statistics, Step};
use crate::problem::{EvaluationFailed, Problem};
use interpolation::Interpolation;

/// How one step is done.
pub(crate) trait Rule: Clone + 'static {
    /// The dense output that suits the method.
    fn interpolation(&self) -> Interpolation;

    /// Order of convergence.
    fn order(&self) -> u32;

    /// Sets up the parts that depend on the problem.
    fn prepare(&mut self, evaluator: &Evaluator) {
        let _ = evaluator;
    }

    /// Goes from `from` to `to`; `from.dy` is known, `to.t` is set, `to.y` is wanted.
    fn advance(
        &mut self,
        evaluation: &mut Evaluation<'_>,
        settings: &Settings,
        from: &Point,
        to: &mut Point,
    ) -> Result<(), Failure>;

    /// Factorisations and Newton iterations so far.
    fn work(&self) -> (u64, u64) {
        (0, 0)
    }
}

/// A time with its state and derivative.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) t: f64,
    pub(crate) y: Vec<f64>,
    pub(crate) dy: Vec<f64>,
}

impl Point {
    /// Becomes the same as another, in the memory it has.
    fn copy(&mut self, other: &Point) {
        self.t = other.t;
        self.y.copy_from_slice(&other.y);
        self.dy.copy_from_slice(&other.dy);
    }
}

/// A fixed-step integrator.
#[derive(Clone)]
pub(crate) struct Fixed<R> {
    rule: R,
    evaluator: Evaluator,
    settings: Settings,
    step: f64,
    /// Origin of the grid, and the number of its points at or before the present time (the origin not counted).
    origin: f64,
    index: u64,
    now: Point,
    before: Point,
    spare: Point,
    steps: u64,
}

impl<R: Rule> Fixed<R> {
    pub(crate) fn start(
        mut rule: R,
        problem: &mut dyn Problem,
        t0: f64,
        y0: &[f64],
        settings: Settings,
    ) -> Result<Fixed<R>, Failure> {
        let Some(step) = settings.step else {
            return Err(Failure::BadSettings("a fixed-step method needs a step".to_owned()));
        };
        let evaluator = Evaluator::new(problem, &settings);
        rule.prepare(&evaluator);
        let now = Point { t: t0, y: y0.to_vec(), dy: vec![0.0; y0.len()] };
        let mut fixed = Fixed {
            rule,
            evaluator,
            settings,
            step,
            origin: t0,
            index: 0,
            before: now.clone(),
            spare: now.clone(),
            now,
            steps: 0,
        };
        fixed.restart(problem, t0, y0)?;
        Ok(fixed)
    }

    /// The next time, and whether it is a point of the grid.
    fn next_time(&self) -> (f64, bool) {
        let grid = self.origin + (self.index + 1) as f64 * self.step;
        let remainder = self.settings.t_stop - grid;
        if remainder > LAST_STEP_SLACK * self.step {
            (grid, true)
        } else {
            (self.settings.t_stop, remainder.abs() <= LAST_STEP_SLACK * self.step)
        }
    }
}

impl<R: Rule> Integrator for Fixed<R> {
    fn step(&mut self, problem: &mut dyn Problem) -> Result<Step, Failure> {
        let from = self.now.t;
        if from >= self.settings.t_stop {
            return Ok(Step { from, to: from, reached_stop: true });
        }
        if let Some(limit) = self.settings.max_steps.filter(|limit| self.steps >= *limit) {
            return Err(Failure::TooManySteps { t: from, limit });
        }
        let (to, on_grid) = self.next_time();
        if to <= from {
            // The step is below the rounding unit of the time.
            return Err(Failure::StepTooSmall { t: from, step: self.step, fastest: None });
        }
        self.spare.t = to;
        let mut evaluation = self.evaluator.of(problem);
        self.rule.advance(&mut evaluation, &self.settings, &self.now, &mut self.spare)?;
        let arrived = &mut self.spare;
        let derivative = evaluation.rhs(to, &arrived.y, &mut arrived.dy);
        derivative.map_err(|reason| Failure::EvaluationFailed { t: to, reached: from, reason })?;

        std::mem::swap(&mut self.before, &mut self.now);
        std::mem::swap(&mut self.now, &mut self.spare);
        self.index += u64::from(on_grid);
        self.steps += 1;
        Ok(Step { from, to, reached_stop: to >= self.settings.t_stop })
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        self.rule.interpolation().evaluate(&self.before, &self.now, t, y);
    }

    fn degree(&self) -> usize {
        self.rule.interpolation().degree()
    }

    fn last_step(&self) -> (f64, f64) {
        (self.before.t, self.now.t)
    }

    fn time(&self) -> f64 {
        self.now.t
    }

    fn state(&self) -> &[f64] {
        &self.now.y
    }

    fn restart(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure> {
        (self.origin, self.index) = (t, 0);
        self.now.t = t;
        self.now.y.copy_from_slice(y);
        let derivative = self.evaluator.of(problem).rhs(t, y, &mut self.now.dy);
        self.before.copy(&self.now);
        derivative.map_err(|reason| Failure::EvaluationFailed { t, reached: t, reason })
    }

    fn set_stop(&mut self, t_stop: f64) {
        self.settings.t_stop = t_stop;
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn statistics(&self) -> Statistics {
        let (factorisations, newton_iterations) = self.rule.work();
        Statistics {
            steps: self.steps,
            rejected: 0,
            unsolved: 0,
            rhs_calls: self.evaluator.rhs_calls(),
            jacobians: self.evaluator.jacobians(),
            factorisations,
            newton_iterations,
            order: self.rule.order(),
        }
    }
}

/// An evaluation within a step, its failure placed in time.
fn evaluate(
    evaluation: &mut Evaluation<'_>,
    reached: f64,
    t: f64,
    y: &[f64],
    dy: &mut [f64],
) -> Result<(), Failure> {
    let failure = |reason: EvaluationFailed| Failure::EvaluationFailed { t, reached, reason };
    evaluation.rhs(t, y, dy).map_err(failure)
}
