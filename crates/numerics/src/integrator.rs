//! The interface of integrators: one accepted step at a time, with a solution that can be evaluated anywhere
//! within the last.
//!
//! Rules that hold for every method:
//! - `step` never goes past the stop time, and lands on it exactly (`time()` is then equal to it, bit by bit).
//!   Without a stop time to respect, set it to infinity and interpolate.
//! - Events are the caller's: look for them on the dense output of the last step, then `resume` at the event.
//! - The problem is the caller's, and lent for each call that may evaluate it: always the same one.
//! - A failed step leaves time and state where they were; within the last step nothing is left to interpolate.

use std::fmt;

use crate::bernstein::MOST_DEGREE;
use crate::problem::{EvaluationFailed, Problem};

/// One way of integrating one problem.
pub trait Integrator {
    /// Takes one accepted step. At the stop time nothing happens but `reached_stop`.
    fn step(&mut self, problem: &mut dyn Problem) -> Result<Step, Failure>;

    /// Takes a step that somebody else has made, to this time and state; false for integrators that make their own.
    fn follow(&mut self, t: f64, y: &[f64]) -> bool {
        let _ = (t, y);
        false
    }

    /// The solution at a time within the last step (clamped to it), to the order of the method or one less.
    /// Before the first step and right after a restart that is the present state.
    fn interpolate(&self, t: f64, y: &mut [f64]);

    /// A bound on the degree of the polynomials that [`Integrator::interpolate`] gives within the last step.
    fn degree(&self) -> usize {
        MOST_DEGREE
    }

    /// Start of the last step, and the time reached.
    fn last_step(&self) -> (f64, f64);

    /// The time reached.
    fn time(&self) -> f64;

    /// The state at that time.
    fn state(&self) -> &[f64];

    /// Goes on from another time and state, forgetting the past: after an event. A fixed-step method starts a
    /// new grid there.
    fn restart(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure>;

    /// Goes on from a point of the last step where something happened: to the state, to the equations, or to both. States
    /// that still fit their past keep it. A method without a past restarts.
    fn resume(&mut self, problem: &mut dyn Problem, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.restart(problem, t, y)
    }

    /// Goes on at the present time in other variables, that have these values and nominal values. `past` turns a state of
    /// the past into the new variables, or says that it cannot; it is asked for ever earlier points. False where nothing is left of the
    /// past: then it has to be restarted. A method without a past has nothing to keep.
    fn remap(&mut self, y: &[f64], nominal: &[f64], past: &mut Remap<'_>) -> bool {
        let _ = (y, nominal, past);
        false
    }

    /// Sets the time that no step passes; it may lie anywhere at or after the present time, or be infinite.
    fn set_stop(&mut self, t_stop: f64);

    /// The state that keeps the steps short: the one whose derivative changed most over the last step, measured by
    /// its tolerance. None where the step is given.
    fn limiting_state(&self) -> Option<usize> {
        None
    }

    /// The same integrator once more, that goes on to the same bits; none where that cannot be, and a run that is continued restarts.
    fn copied(&self) -> Option<Box<dyn Integrator>> {
        None
    }

    /// Work so far, over all restarts.
    fn statistics(&self) -> Statistics;
}

/// The state at a time, in the variables of before, written in new variables; false where it cannot be.
pub type Remap<'a> = dyn FnMut(f64, &[f64], &mut [f64]) -> bool + 'a;

/// How to integrate.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Relative tolerance of every state (adaptive methods).
    pub rtol: f64,
    /// Absolute tolerance of each state (adaptive methods; the Newton iteration of the implicit fixed-step ones).
    pub atol: Vec<f64>,
    /// The time that no step passes; infinite for none.
    pub t_stop: f64,
    /// The longest step an adaptive method may take.
    pub max_step: Option<f64>,
    /// The step of a fixed-step method, which needs one; the first step of an adaptive one, which finds its own
    /// where none is given.
    pub step: Option<f64>,
    /// How many steps may be taken in all; `None` for no limit.
    pub max_steps: Option<u64>,
}

impl Settings {
    /// One tolerance for all: relative as it is, absolute times each state's nominal value (1 where that is zero).
    pub fn new(tolerance: f64, nominal: &[f64], t_stop: f64) -> Settings {
        let size = |nominal: &f64| if *nominal == 0.0 { 1.0 } else { nominal.abs() };
        let atol = nominal.iter().map(|nominal| tolerance * size(nominal)).collect();
        Settings { rtol: tolerance, atol, t_stop, max_step: None, step: None, max_steps: None }
    }
}

/// An accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Its start.
    pub from: f64,
    /// Its end: the present time.
    pub to: f64,
    /// Whether that is the stop time.
    pub reached_stop: bool,
}

/// Work done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Attempts thrown away: for their error, or because Newton or an evaluation failed.
    pub rejected: u64,
    /// Of these, those for which Newton or an evaluation failed.
    pub unsolved: u64,
    /// Evaluations of the right-hand side, those for finite differences included.
    pub rhs_calls: u64,
    /// Jacobians evaluated.
    pub jacobians: u64,
    /// Matrices factorised.
    pub factorisations: u64,
    /// Newton iterations.
    pub newton_iterations: u64,
    /// The order of the last step.
    pub order: u32,
}

impl std::ops::Add for Statistics {
    type Output = Statistics;

    /// The work of both, one after the other.
    fn add(self, later: Statistics) -> Statistics {
        Statistics {
            steps: self.steps + later.steps,
            unsolved: self.unsolved + later.unsolved,
            rejected: self.rejected + later.rejected,
            rhs_calls: self.rhs_calls + later.rhs_calls,
            jacobians: self.jacobians + later.jacobians,
            factorisations: self.factorisations + later.factorisations,
            newton_iterations: self.newton_iterations + later.newton_iterations,
            order: if later.steps > 0 { later.order } else { self.order },
        }
    }
}

/// Why an integrator cannot go on.
#[derive(Debug)]
pub enum Failure {
    /// No step was short enough: the error test or Newton's method refuses all of them.
    StepTooSmall {
        /// The time reached.
        t: f64,
        /// The step that was refused last.
        step: f64,
        /// The state that moves fastest there, measured by its tolerance: mostly the culprit.
        fastest: Option<usize>,
    },
    /// Newton's method does not converge (a fixed-step method cannot try a shorter step).
    NewtonFailed {
        /// The time the step should have reached.
        t: f64,
        /// Iterations done.
        iterations: u32,
        /// The state whose correction stays largest, measured by its tolerance.
        worst: usize,
    },
    /// The right-hand side jumps, and the solution goes back and forth over the jump in steps that lead nowhere.
    Chattering {
        /// The time reached.
        t: f64,
        /// Since when, within some thousand steps.
        since: f64,
        /// The state whose derivative jumps.
        state: usize,
        /// Points on both sides of the jump, next to each other.
        sides: Box<[Side; 2]>,
    },
    /// The iteration matrix cannot be factorised.
    SingularMatrix {
        /// The time of the matrix.
        t: f64,
    },
    /// The right-hand side or the Jacobian could not be evaluated.
    EvaluationFailed {
        /// The time of the last evaluation that failed: no step that stops short of it helped.
        t: f64,
        /// The time up to which the solution is good.
        reached: f64,
        /// The problem's own reason.
        reason: EvaluationFailed,
    },
    /// The limit on the number of steps is reached.
    TooManySteps {
        /// The time reached.
        t: f64,
        /// The limit.
        limit: u64,
    },
    /// Settings that contradict each other or the method: a fixed-step method without a step, tolerances of
    /// the wrong number.
    BadSettings(String),
    /// The integrator broke an assumption of its own; a bug in it.
    Internal {
        /// The time reached.
        t: f64,
        /// Its message.
        message: String,
    },
}

impl Failure {
    /// The same with the time up to which the solution is good as its time, for whoever wants to know that and not where the last
    /// attempt was made.
    pub fn said_at(mut self, reached: f64) -> Failure {
        match &mut self {
            Failure::StepTooSmall { t, .. }
            | Failure::NewtonFailed { t, .. }
            | Failure::Chattering { t, .. }
            | Failure::SingularMatrix { t }
            | Failure::EvaluationFailed { t, .. }
            | Failure::TooManySteps { t, .. }
            | Failure::Internal { t, .. } => *t = reached,
            Failure::BadSettings(_) => {}
        }
        self
    }
}

/// A point beside a jump of the right-hand side.
#[derive(Clone, Debug)]
pub struct Side {
    /// Its time.
    pub t: f64,
    /// The states there.
    pub state: Vec<f64>,
    /// The derivative that jumps.
    pub rate: f64,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::StepTooSmall { t, step, fastest } => {
                write!(f, "the step size fell to {step:e} at t = {t}")?;
                match fastest {
                    Some(state) => write!(f, "; state {state} moves fastest"),
                    None => Ok(()),
                }
            }
            Failure::NewtonFailed { t, iterations, worst } => write!(
                f,
                "the step to t = {t} has no solution after {iterations} Newton iterations; state {worst} is worst"
            ),
            Failure::Chattering { t, state, sides, .. } => write!(
                f,
                "the derivative of state {state} jumps between {} and {} from step to step at t = {t}",
                sides[0].rate, sides[1].rate
            ),
            Failure::SingularMatrix { t } => write!(f, "the iteration matrix at t = {t} is singular"),
            Failure::EvaluationFailed { t, reached, reason } => {
                write!(f, "the equations cannot be evaluated at t = {t} (reached: t = {reached}): {reason}")
            }
            Failure::TooManySteps { t, limit } => write!(f, "{limit} steps were taken, up to t = {t}"),
            Failure::BadSettings(message) => f.write_str(message),
            Failure::Internal { t, message } => write!(f, "the integrator failed at t = {t}: {message}"),
        }
    }
}

impl std::error::Error for Failure {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failure::EvaluationFailed { reason, .. } => Some(reason),
            _ => None,
        }
    }
}
