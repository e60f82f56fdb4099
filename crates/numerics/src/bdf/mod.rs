//! Backward differentiation of variable order (1 to 5) and variable step, for stiff problems.
//!
//! | file | what |
//! |---|---|
//! | `history` | the polynomial through the last points; prediction, dense output |
//! | `coefficients` | the formula of each order and its error |
//! | `corrector` | Newton's method within a step |
//! | `control` | order and length of the next step |
//! | `start` | the first step |
//! | `resume` | what is left of the past after an event or a change of variables |

mod coefficients;
mod control;
mod corrector;
mod history;
mod resume;
mod start;

use crate::chattering::Chattering;
use crate::constants::{
    BDF_ERROR_OF_MADE_UP, BDF_NEWTON_SHARE, BDF_RETREATS_TO_ORDER_ONE, BDF_STEP_TOLERANCE,
    BDF_STEP_TOLERANCE_POWER, EPSILON, REJECTIONS_PER_STEP, RETREAT_AFTER_FAILED_EVALUATION,
    SHORTEST_STEP_IN_ULPS, SHORTEST_STEP_OF_RUN, STOP_IN_ULPS, TIGHTEST_STEP_TOLERANCE,
};
use crate::evaluator::Evaluator;
use crate::initial_step::{first_step_floor, run_scale};
use crate::integrator::{Failure, Integrator, Remap, Settings, Statistics, Step};
use crate::problem::{EvaluationFailed, Problem};
use coefficients::{error_of_step, leading};
use control::{Control, Sizes};
use corrector::{Corrector, Equation, NoSolution, norm, rounding_noise};
use history::{Advance, History};
use start::{Beginning, Trial};

/// The integrator.
#[derive(Clone)]
pub(crate) struct Bdf {
    evaluator: Evaluator,
    settings: Settings,
    history: History,
    control: Control,
    corrector: Corrector,
    trial: Trial,
    /// How long the run is: the scale of steps for which nothing else speaks.
    run: f64,
    /// Start of the last step; the present time if there is no step to interpolate in.
    from: f64,
    /// The order of the last step.
    order: usize,
    derivative: Vec<f64>,
    derivative_before: Vec<f64>,
    chattering: Chattering,
    /// The predicted state and derivative.
    predicted: Vec<f64>,
    slope: Vec<f64>,
    weights: Vec<f64>,
    room: Vec<f64>,
    is_touched: Vec<bool>,
    /// Steps for which part of the past is made up.
    made_up: usize,
    steps: u64,
    rejected: u64,
    unsolved: u64,
}

/// Outcome of an attempted step.
enum Attempt {
    Accepted,
    /// The error is too large: its ratio to the permitted one.
    Inaccurate(f64, f64, Sizes),
    /// There is no solution.
    Unsolved(f64, NoSolution),
}

impl Bdf {
    pub(crate) fn start(
        problem: &mut dyn Problem,
        t0: f64,
        y0: &[f64],
        settings: Settings,
    ) -> Result<Bdf, Failure> {
        let (stop, settings) = (settings.t_stop, settings_of_steps(settings));
        let evaluator = Evaluator::new(problem, &settings);
        let zeros = || vec![0.0; y0.len()];
        let mut bdf = Bdf {
            history: History::new(t0, y0),
            control: Control::new(1, 0.0),
            corrector: Corrector::new(&evaluator),
            trial: Trial::new(y0.len()),
            evaluator,
            settings,
            run: run_scale(t0, stop),
            from: t0,
            order: 1,
            derivative: zeros(),
            derivative_before: zeros(),
            chattering: Chattering::new(y0.len(), run_scale(t0, stop)),
            predicted: zeros(),
            slope: zeros(),
            weights: zeros(),
            room: zeros(),
            is_touched: vec![false; y0.len()],
            made_up: 0,
            steps: 0,
            rejected: 0,
            unsolved: 0,
        };
        bdf.restart(problem, t0, y0)?;
        Ok(bdf)
    }

    fn shortest_step(&self) -> f64 {
        (SHORTEST_STEP_IN_ULPS * EPSILON * self.time().abs()).max(SHORTEST_STEP_OF_RUN * self.run)
    }

    fn weigh(&mut self) {
        let states = self.history.state().iter().zip(&self.settings.atol);
        for (weight, (y, atol)) in self.weights.iter_mut().zip(states) {
            *weight = atol + self.settings.rtol * y.abs();
        }
    }

    /// End of the next step: not past the stop time, and not just before it.
    fn next_time(&self) -> f64 {
        let (t, stop) = (self.time(), self.settings.t_stop);
        let step = self.settings.max_step.map_or(self.control.step, |longest| longest.min(self.control.step));
        let left = stop - t;
        if left <= step * (1.0 + STOP_IN_ULPS * EPSILON) + STOP_IN_ULPS * EPSILON * t.abs() {
            stop
        } else if left < 2.0 * step {
            t + 0.5 * left
        } else {
            t + step
        }
    }

    fn attempt(&mut self, problem: &mut dyn Problem) -> Attempt {
        let order = self.control.order;
        let advance = self.history.advance(self.next_time());
        self.history.predict(&advance, order, &mut self.predicted, &mut self.slope);
        let error_share = error_of_step(order, &advance);
        let gamma = advance.h / leading(order);
        let solved = self.corrector.solve(&mut Equation {
            evaluation: self.evaluator.of(problem),
            t: advance.t,
            gamma,
            y: &self.predicted,
            dy: &self.slope,
            weights: &self.weights,
            tolerance: BDF_NEWTON_SHARE / error_share,
            noise: rounding_noise(self.settings.rtol),
        });
        if let Err(no_solution) = solved {
            return Attempt::Unsolved(advance.h, no_solution);
        }
        let error = error_share * norm(&self.corrector.off, &self.weights);
        let error = error.max(self.error_of_made_up());
        if error > 1.0 {
            let sizes = self.sizes(&advance, order);
            return Attempt::Inaccurate(advance.h, error, sizes);
        }
        self.accept(&advance, order, gamma);
        Attempt::Accepted
    }

    /// The error of the states whose past is made up.
    fn error_of_made_up(&self) -> f64 {
        if self.made_up == 0 {
            return 0.0;
        }
        let states = self.corrector.off.iter().zip(&self.weights).zip(&self.is_touched);
        let touched = states.filter(|(_, is_touched)| **is_touched);
        let sum: f64 = touched.map(|((off, weight), _)| (off / weight).powi(2)).sum();
        BDF_ERROR_OF_MADE_UP * (sum / self.weights.len() as f64).sqrt()
    }

    /// The sizes of the derivatives around the order, by the differences at the new point, before it is taken in.
    fn sizes(&mut self, advance: &Advance, order: usize) -> Sizes {
        let size_of_error = advance.to_derivative(order + 1) * norm(&self.corrector.off, &self.weights);
        self.history.difference(advance, order, &self.corrector.off, &mut self.room);
        let size_of_order = advance.to_derivative(order) * norm(&self.room, &self.weights);
        Sizes { order: size_of_order, error: size_of_error, beyond: None }
    }

    fn accept(&mut self, advance: &Advance, order: usize, gamma: f64) {
        self.control.accepted();
        let sizes = self.control.is_due().then(|| {
            let mut sizes = self.sizes(advance, order);
            if self.history.known() > order + 1 {
                self.history.grown(advance, order + 1, &mut self.room);
                for (room, off) in self.room.iter_mut().zip(&self.corrector.off) {
                    *room = off - *room;
                }
                sizes.beyond = Some(advance.to_derivative(order + 2) * norm(&self.room, &self.weights));
            }
            sizes
        });
        std::mem::swap(&mut self.derivative, &mut self.derivative_before);
        for i in 0..self.derivative.len() {
            self.derivative[i] = self.slope[i] + self.corrector.off[i] / gamma;
        }
        self.from = self.time();
        self.order = order;
        self.history.accept(advance, order, &self.corrector.off);
        self.corrector.grow_older();
        self.steps += 1;
        self.made_up = self.made_up.saturating_sub(1);
        self.weigh();
        if let Some(sizes) = sizes {
            self.control.choose(advance.h, &sizes);
        }
    }

    /// Restarts with order one after too many attempts, from the known derivative.
    fn begin_with_order_one(&mut self, step: f64) {
        self.trial.second.fill(0.0);
        let (t, y) = (self.time(), self.history.state().to_vec());
        self.history.begin(t, &y, &self.derivative, &self.trial.second, step);
        self.control = Control::new(1, step);
    }

    /// No step is short enough: because the equations cannot be evaluated, or because of the error.
    fn step_too_small(&self, step: f64, evaluation: Option<(f64, EvaluationFailed)>) -> Failure {
        if let Some((t, reason)) = evaluation {
            return Failure::EvaluationFailed { t, reached: self.time(), reason };
        }
        let fastest = self.largest(|i| self.derivative[i]);
        Failure::StepTooSmall { t: self.time(), step, fastest }
    }

    /// The failure that it is where the last step was one of many back and forth over a jump.
    fn refuse_chattering(&mut self, problem: &mut dyn Problem) -> Option<Failure> {
        let (from, to) = (self.from, self.history.time());
        let weights = &self.weights;
        let suspicion = self.chattering.notice((from, to), self.history.state(), |i| weights[i])?;
        let mut left = vec![0.0; self.weights.len()];
        self.interpolate(from, &mut left);
        suspicion.proven(self.evaluator.of(problem), (from, &left), (to, self.history.state()))
    }

    /// The state for which something is largest, measured by its tolerance.
    fn largest(&self, something: impl Fn(usize) -> f64) -> Option<usize> {
        let size = |i: usize| something(i).abs() / self.weights[i];
        (0..self.weights.len()).max_by(|&a, &b| size(a).total_cmp(&size(b)))
    }
}

impl Integrator for Bdf {
    fn step(&mut self, problem: &mut dyn Problem) -> Result<Step, Failure> {
        let from = self.time();
        if from >= self.settings.t_stop {
            return Ok(Step { from, to: from, reached_stop: true });
        }
        if let Some(limit) = self.settings.max_steps.filter(|limit| self.steps >= *limit) {
            return Err(Failure::TooManySteps { t: from, limit });
        }
        let mut evaluation = None;
        let mut inaccurate = 0;
        let mut attempts = 0;
        loop {
            match self.attempt(problem) {
                Attempt::Accepted => {
                    let to = self.time();
                    let step = Step { from, to, reached_stop: to >= self.settings.t_stop };
                    return self.refuse_chattering(problem).map_or(Ok(step), Err);
                }
                Attempt::Inaccurate(h, error, sizes) => {
                    inaccurate += 1;
                    self.control.retreat(h, error, &sizes, inaccurate);
                    self.history.tighten(self.control.step);
                    if inaccurate >= BDF_RETREATS_TO_ORDER_ONE {
                        self.begin_with_order_one(self.control.step);
                    }
                }
                Attempt::Unsolved(h, no_solution) => {
                    if let NoSolution::Evaluation(t, reason) = no_solution {
                        evaluation = Some((t, reason));
                    }
                    self.unsolved += 1;
                    self.corrector.forget();
                    self.control.shorten(h, RETREAT_AFTER_FAILED_EVALUATION);
                }
            }
            self.rejected += 1;
            attempts += 1;
            if self.control.step < self.shortest_step() || attempts > REJECTIONS_PER_STEP {
                return Err(self.step_too_small(self.control.step, evaluation));
            }
        }
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        if self.from < self.time() && t < self.time() {
            self.history.interpolate(self.order, t.max(self.from), y);
        } else {
            y.copy_from_slice(self.history.state());
        }
    }

    fn degree(&self) -> usize {
        self.order
    }

    fn last_step(&self) -> (f64, f64) {
        (self.from, self.time())
    }

    fn time(&self) -> f64 {
        self.history.time()
    }

    fn state(&self) -> &[f64] {
        self.history.state()
    }

    fn restart(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.from = t;
        let evaluated = self.evaluator.of(problem).rhs(t, y, &mut self.derivative);
        self.derivative_before.copy_from_slice(&self.derivative);
        self.trial.second.fill(0.0);
        self.history.begin(t, y, &self.derivative, &self.trial.second, 1.0);
        evaluated.map_err(|reason| Failure::EvaluationFailed { t, reached: t, reason })?;
        self.weigh();
        let beginning = Beginning { t, y, dy: &self.derivative, weights: &self.weights, run: self.run };
        let mut evaluation = self.evaluator.of(problem);
        let known = self.trial.differentiate(&mut evaluation, &self.settings, &beginning);
        let (order, step) = self.trial.first_step(known, &mut evaluation, &self.settings, &beginning);
        let step = step.max(first_step_floor(t)).max(self.shortest_step());
        self.history.begin(t, y, &self.derivative, &self.trial.second, step);
        self.control = Control::new(order, step);
        self.made_up = 1;
        self.is_touched.fill(true);
        self.corrector.forget();
        Ok(())
    }

    fn resume(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.resume_at(problem, t, y)
    }

    fn remap(&mut self, y: &[f64], nominal: &[f64], past: &mut Remap<'_>) -> bool {
        self.change_variables(y, nominal, past)
    }

    fn set_stop(&mut self, t_stop: f64) {
        self.settings.t_stop = t_stop;
    }

    fn limiting_state(&self) -> Option<usize> {
        self.largest(|i| self.derivative[i] - self.derivative_before[i])
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn statistics(&self) -> Statistics {
        Statistics {
            steps: self.steps,
            rejected: self.rejected,
            unsolved: self.unsolved,
            rhs_calls: self.evaluator.rhs_calls(),
            jacobians: self.evaluator.jacobians(),
            factorisations: self.corrector.factorisations(),
            newton_iterations: self.corrector.iterations,
            order: self.order as u32,
        }
    }
}

/// The settings with the tolerance of a single step, which is stricter than that of the whole run: errors add up.
fn settings_of_steps(mut settings: Settings) -> Settings {
    let part = (BDF_STEP_TOLERANCE * settings.rtol.powf(BDF_STEP_TOLERANCE_POWER))
        .max(TIGHTEST_STEP_TOLERANCE / settings.rtol)
        .min(1.0);
    settings.rtol *= part;
    settings.atol.iter_mut().for_each(|atol| *atol *= part);
    settings
}
