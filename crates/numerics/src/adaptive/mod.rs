//! Integrators with error control: BDF (variable order), ESDIRK34, TR-BDF2 and Tsit45, by the crate diffsol.
//!
//! Added here to what diffsol does: evaluations may fail (`equations`), and singular matrices do not panic
//! (`linear_solver`). Steps have a longest and, by the rounding unit of the present time, a shortest length. A NaN
//! that slipped through an error test is thrown out again, and a panic, should there be one, becomes a failure.

mod equations;
mod linear_solver;
mod stepper;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use diffsol::error::{DiffsolError, OdeSolverError};

use crate::chattering::Chattering;
use crate::constants::{
    CRUMB, EPSILON, RETREAT_AFTER_FAILED_EVALUATION, SHORTEST_STEP_IN_ULPS, SHORTEST_STEP_OF_RUN,
    STEP_GROWTH, STOP_IN_ULPS, TIGHTEST_STEP_TOLERANCE,
};
use crate::evaluator::Evaluator;
use crate::initial_step::{initial_step, run_scale};
use crate::integrator::{Failure, Integrator, Settings, Statistics, Step};
use crate::problem::Problem;
use equations::{Equations, FailureNote, lend};
use stepper::{SolverCell, Start, Stepper, build};

/// The methods of diffsol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Bdf,
    Esdirk34,
    TrBdf2,
    Tsit45,
}

impl Scheme {
    /// The order that the first step is chosen for.
    fn first_order(self) -> u32 {
        match self {
            Scheme::Bdf => 1,
            Scheme::TrBdf2 => 2,
            Scheme::Esdirk34 => 3,
            Scheme::Tsit45 => 4,
        }
    }

    /// The tolerance of a single step, for a tolerance of the whole run.
    ///
    /// Errors of steps add up, and a method of order `p` that controls the error of each step takes some
    /// `tolerance^(-1/(p+1))` of them. To let the error of the run follow the tolerance, that of a step must be
    /// proportional to `tolerance^((p+1)/p)` (Stetter 1980; RADAU5 does alike). The factors were found with the
    /// problems of `tests/integrators/tolerance.rs`. BDF raises its order as the tolerance falls, and needs a factor
    /// only; Tsit45 needs nothing.
    fn step_tolerance(self, tolerance: f64) -> f64 {
        let strict = match self {
            Scheme::Bdf => 0.25 * tolerance,
            Scheme::Esdirk34 => 4.0 * tolerance.powf(4.0 / 3.0),
            Scheme::TrBdf2 => 8.0 * tolerance.powf(3.0 / 2.0),
            Scheme::Tsit45 => tolerance,
        };
        strict.max(TIGHTEST_STEP_TOLERANCE).min(tolerance)
    }

    /// The settings with that tolerance.
    fn settings_of_steps(self, mut settings: Settings) -> Settings {
        let part = self.step_tolerance(settings.rtol) / settings.rtol;
        settings.rtol *= part;
        settings.atol.iter_mut().for_each(|atol| *atol *= part);
        settings
    }
}

/// An adaptive integrator.
pub(crate) struct Adaptive {
    scheme: Scheme,
    cell: SolverCell,
    evaluator: Rc<Evaluator>,
    failure: Rc<FailureNote>,
    settings: Settings,
    /// How long the run is: the scale of steps for which nothing else speaks.
    run: f64,
    /// Start of the last step; the present time if there is no step to interpolate in.
    from: f64,
    time: f64,
    state: Vec<f64>,
    derivative: Vec<f64>,
    /// The derivative where the last step began.
    derivative_before: Vec<f64>,
    chattering: Chattering,
    steps: u64,
    rejected: u64,
    order: u32,
}

impl Adaptive {
    pub(crate) fn start(
        scheme: Scheme,
        problem: &mut dyn Problem,
        t0: f64,
        y0: &[f64],
        settings: Settings,
    ) -> Result<Adaptive, Failure> {
        let settings = scheme.settings_of_steps(settings);
        let evaluator = Rc::new(Evaluator::new(problem, &settings));
        let failure = Rc::new(RefCell::new(None));
        let mut derivative = vec![0.0; y0.len()];
        let evaluated = evaluator.of(problem).rhs(t0, y0, &mut derivative);
        evaluated.map_err(|reason| Failure::EvaluationFailed { t: t0, reached: t0, reason })?;
        let run = run_scale(t0, settings.t_stop);
        let order = scheme.first_order();
        let step = initial_step(&mut evaluator.of(problem), &settings, order, run, (t0, y0, &derivative));
        let start = Start { t: t0, y: y0, dy: &derivative, step };
        let equations = Equations::new(evaluator.clone(), failure.clone());
        let cell = caught(t0, || lend(problem, || build(scheme, equations, &settings, &start)))?
            .map_err(|error| Failure::Internal { t: t0, message: error.to_string() })?;
        Ok(Adaptive {
            scheme,
            cell,
            evaluator,
            failure,
            settings,
            run,
            from: t0,
            time: t0,
            state: y0.to_vec(),
            derivative_before: derivative.clone(),
            derivative,
            chattering: Chattering::new(y0.len(), run),
            steps: 0,
            rejected: 0,
            order: scheme.first_order(),
        })
    }

    fn shortest_step(&self) -> f64 {
        (SHORTEST_STEP_IN_ULPS * EPSILON * self.time.abs()).max(SHORTEST_STEP_OF_RUN * self.run)
    }

    fn solver(&self) -> &dyn Stepper {
        &**self.cell.borrow_dependent()
    }

    fn with_solver<T>(&mut self, problem: &mut dyn Problem, f: impl FnOnce(&mut dyn Stepper) -> T) -> T {
        lend(problem, || self.cell.with_dependent_mut(|_, solver| f(&mut **solver)))
    }

    /// One step by diffsol; the result may still hold a NaN.
    fn attempt(&mut self, problem: &mut dyn Problem) -> Result<Result<(), DiffsolError>, Failure> {
        let shortest = self.shortest_step();
        let (stop, longest, t) = (self.settings.t_stop, self.settings.max_step, self.time);
        *self.failure.borrow_mut() = None;
        caught(t, || {
            self.with_solver(problem, |solver| {
                let (_, step) = solver.time_and_step();
                let stop = without_crumb(t, step, stop);
                let room = longest.map_or(STEP_GROWTH, |longest| (longest / step).clamp(1.0, STEP_GROWTH));
                solver.set_limits(shortest, room);
                solver.step(stop)
            })
        })
    }

    /// Begins anew at the present point with a given step.
    fn begin(&mut self, problem: &mut dyn Problem, step: f64) -> Result<(), Failure> {
        let (t, y, dy) = (self.time, self.state.clone(), self.derivative.clone());
        self.from = t;
        let begun =
            caught(t, || self.with_solver(problem, |s| s.restart(&Start { t, y: &y, dy: &dy, step })))?;
        begun.map_err(|error| Failure::Internal { t, message: error.to_string() })
    }

    fn explain(&self, error: DiffsolError) -> Failure {
        let t = self.time;
        match error {
            DiffsolError::OdeSolverError(
                OdeSolverError::StepSizeTooSmall { .. }
                | OdeSolverError::TooManyErrorTestFailures { .. }
                | OdeSolverError::TooManyNonlinearSolverFailures { .. },
            ) => self.step_too_small(self.solver().time_and_step().1),
            DiffsolError::LaError(_) => Failure::SingularMatrix { t },
            error => Failure::Internal { t, message: error.to_string() },
        }
    }

    /// No step is short enough: because the equations cannot be evaluated, or because of the error.
    fn step_too_small(&self, step: f64) -> Failure {
        if let Some((t, reason)) = self.failure.borrow_mut().take() {
            return Failure::EvaluationFailed { t, reached: self.time, reason };
        }
        let fastest = self.largest(|i| self.derivative[i]);
        Failure::StepTooSmall { t: self.time, step, fastest }
    }

    /// The state for which something is largest, measured by its tolerance.
    fn largest(&self, something: impl Fn(usize) -> f64) -> Option<usize> {
        let settings = &self.settings;
        let size = |i: usize| something(i).abs() / (settings.atol[i] + settings.rtol * self.state[i].abs());
        (0..self.state.len()).max_by(|&a, &b| size(a).total_cmp(&size(b)))
    }

    /// Takes over diffsol's result.
    fn accept(&mut self) -> Step {
        let from = self.time;
        let (t, step) = self.solver().time_and_step();
        let reached_stop = is_at_stop(t, step, self.settings.t_stop);
        self.from = from;
        self.time = if reached_stop { self.settings.t_stop } else { t };
        let solver = &**self.cell.borrow_dependent();
        self.state.copy_from_slice(solver.state());
        std::mem::swap(&mut self.derivative, &mut self.derivative_before);
        self.derivative.copy_from_slice(solver.derivative());
        self.order = solver.order();
        self.steps += 1;
        Step { from, to: self.time, reached_stop }
    }
}

impl Adaptive {
    /// The failure that it is where the last step was one of many back and forth over a jump.
    fn refuse_chattering(&mut self, problem: &mut dyn Problem) -> Option<Failure> {
        let (settings, state) = (&self.settings, &self.state[..]);
        let weight = |i: usize| settings.atol[i] + settings.rtol * state[i].abs();
        let suspicion = self.chattering.notice((self.from, self.time), state, weight)?;
        let mut left = vec![0.0; self.state.len()];
        self.interpolate(self.from, &mut left);
        suspicion.proven(self.evaluator.of(problem), (self.from, &left), (self.time, &self.state))
    }
}

impl Integrator for Adaptive {
    fn step(&mut self, problem: &mut dyn Problem) -> Result<Step, Failure> {
        let from = self.time;
        if let Some(limit) = self.settings.max_steps.filter(|limit| self.steps >= *limit) {
            return Err(Failure::TooManySteps { t: from, limit });
        }
        loop {
            let (solver_time, step) = self.solver().time_and_step();
            if from >= self.settings.t_stop || is_at_stop(solver_time, step, self.settings.t_stop) {
                // Nothing but rounding errors to go.
                self.time = from.max(self.settings.t_stop);
                return Ok(Step { from, to: self.time, reached_stop: true });
            }
            self.attempt(problem)?.map_err(|error| self.explain(error))?;
            let solver = self.solver();
            let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
            if finite(solver.state()) && finite(solver.derivative()) {
                let step = self.accept();
                return self.refuse_chattering(problem).map_or(Ok(step), Err);
            }
            // diffsol's error test lets a NaN pass. Back to where we were, with a much shorter step.
            let tried = solver.time_and_step().0 - from;
            let shorter = RETREAT_AFTER_FAILED_EVALUATION * tried.min(step);
            self.rejected += 1;
            self.begin(problem, shorter.max(self.shortest_step()))?;
            if shorter.is_nan() || shorter < self.shortest_step() {
                return Err(self.step_too_small(shorter));
            }
        }
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) {
        let inside = self.from < self.time && t < self.time;
        let interpolated = inside && self.solver().interpolate(t.max(self.from), y).is_ok();
        if !interpolated {
            y.copy_from_slice(&self.state);
        }
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

    fn restart(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.time = t;
        self.state.copy_from_slice(y);
        let evaluated = self.evaluator.of(problem).rhs(t, y, &mut self.derivative);
        evaluated.map_err(|reason| Failure::EvaluationFailed { t, reached: t, reason })?;
        let order = self.scheme.first_order();
        let from = (t, y, &self.derivative[..]);
        let step = initial_step(&mut self.evaluator.of(problem), &self.settings, order, self.run, from);
        self.derivative_before.copy_from_slice(&self.derivative);
        self.begin(problem, step)
    }

    fn set_stop(&mut self, t_stop: f64) {
        self.settings.t_stop = t_stop;
    }

    fn limiting_state(&self) -> Option<usize> {
        self.largest(|i| self.derivative[i] - self.derivative_before[i])
    }

    fn statistics(&self) -> Statistics {
        let work = self.solver().work();
        Statistics {
            steps: self.steps,
            rejected: work.rejected + self.rejected,
            unsolved: work.unsolved + self.rejected,
            rhs_calls: self.evaluator.rhs_calls(),
            jacobians: self.evaluator.jacobians(),
            factorisations: work.factorisations,
            newton_iterations: work.newton_iterations,
            order: self.order,
        }
    }
}

/// Latest end of the next step: half-way to the stop if a whole step would leave a tiny remainder in front of it. A multistep
/// method that makes a step of rounding errors has nothing but these in its past, and grows from there.
fn without_crumb(t: f64, step: f64, stop: f64) -> f64 {
    let left = stop - t;
    if step < left && left < (1.0 + CRUMB) * step { t + 0.5 * left } else { stop }
}

/// Whether a time is the stop time but for rounding.
fn is_at_stop(t: f64, step: f64, stop: f64) -> bool {
    t >= stop || stop - t <= STOP_IN_ULPS * EPSILON * (t.abs() + step.abs())
}

/// A panic of a dependency as a failure.
fn caught<T>(t: f64, f: impl FnOnce() -> T) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Failure::Internal { t, message: text.unwrap_or("a panic without a text").to_owned() }
    })
}
