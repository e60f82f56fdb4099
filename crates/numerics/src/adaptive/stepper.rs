//! One view on diffsol's four solvers, and the cell that keeps a solver beside the problem it borrows.

use std::cell::RefCell;

use diffsol::error::DiffsolError;
use diffsol::ode_solver::state::StateCommon;
use diffsol::{
    Bdf, OdeBuilder, OdeSolverConfig, OdeSolverMethod, OdeSolverProblem, OdeSolverState, RkState, Sdirk,
    Tableau,
};

use super::Scheme;
use super::equations::{Equations, Mat64, Vec64, slice, vector};
use super::linear_solver::Linear;
use crate::constants::{EPSILON, REJECTIONS_PER_STEP, STOP_IN_ULPS};
use crate::integrator::Settings;

/// The interface to diffsol's solvers that all adaptive methods share.
pub(super) trait Stepper {
    /// One accepted step that does not pass the stop time.
    fn step(&mut self, stop: f64) -> Result<(), DiffsolError>;
    /// Bounds for the next step: the shortest, and how much longer than this one the one after may be.
    fn set_limits(&mut self, shortest: f64, growth: f64);
    /// A new beginning.
    fn restart(&mut self, start: &Start) -> Result<(), DiffsolError>;
    /// The solution within the last step.
    fn interpolate(&self, t: f64, y: &mut [f64]) -> Result<(), DiffsolError>;
    /// Time and step to come.
    fn time_and_step(&self) -> (f64, f64);
    fn state(&self) -> &[f64];
    fn derivative(&self) -> &[f64];
    fn order(&self) -> u32;
    fn work(&self) -> Work;
}

/// Counts as diffsol keeps them.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    pub(super) rejected: u64,
    pub(super) unsolved: u64,
    pub(super) factorisations: u64,
    pub(super) newton_iterations: u64,
}

/// Initial values and first step of a solver.
pub(super) struct Start<'a> {
    pub(super) t: f64,
    pub(super) y: &'a [f64],
    pub(super) dy: &'a [f64],
    pub(super) step: f64,
}

impl Start<'_> {
    fn state<S: OdeSolverState<Vec64>>(
        &self,
        problem: &OdeSolverProblem<Equations>,
    ) -> Result<S, DiffsolError> {
        let none = || vector(&[]);
        let mut state = S::new_from_common(StateCommon {
            y: vector(self.y),
            dy: vector(self.dy),
            g: none(),
            dg: none(),
            s: none(),
            ds: none(),
            sg: none(),
            dsg: none(),
            t: self.t,
            h: self.step,
        });
        state.set_problem(problem)?;
        Ok(state)
    }
}

/// A solver, and memory for interpolated values.
struct Solver<S> {
    solver: S,
    interpolated: RefCell<Vec64>,
    /// Whether its matrix is one of a longer step where a step is shortened to hit the stop time.
    forgets_matrix: bool,
}

impl<'a, S: OdeSolverMethod<'a, Equations> + 'a> Solver<S> {
    fn boxed(solver: S) -> BoxedStepper<'a> {
        let interpolated = RefCell::new(solver.state().y.clone());
        Box::new(Solver { solver, interpolated, forgets_matrix: false })
    }

    /// One of the implicit Runge–Kutta methods.
    fn boxed_implicit(solver: S) -> BoxedStepper<'a> {
        let interpolated = RefCell::new(solver.state().y.clone());
        Box::new(Solver { solver, interpolated, forgets_matrix: true })
    }

    /// Renews the matrix where the next step was shortened to hit the stop time.
    ///
    /// diffsol shortens the step and keeps the matrix of the longer one, with the rate of convergence that was
    /// measured there. The first iterate then counts as converged, however far off: on a stiff problem by as much as
    /// the solution changes in the step. The error test uses the same matrix and does not see it.
    fn renew_matrix_before(&mut self, stop: f64) {
        let (t, h) = (self.solver.state().t, self.solver.state().h);
        let hits_stop = (t + h - stop).abs() <= STOP_IN_ULPS * EPSILON * (t.abs() + h.abs());
        if self.forgets_matrix && hits_stop {
            let state = self.solver.state_clone();
            self.solver.set_state(state);
        }
    }
}

impl<'a, S: OdeSolverMethod<'a, Equations> + 'a> Stepper for Solver<S> {
    fn step(&mut self, stop: f64) -> Result<(), DiffsolError> {
        // Set every time, also where there is none: a stop time of the past would be in the way.
        self.solver.set_stop_time(stop.min(f64::MAX))?;
        self.renew_matrix_before(stop);
        self.solver.step()?;
        Ok(())
    }

    fn set_limits(&mut self, shortest: f64, growth: f64) {
        let config = self.solver.config_mut().as_base_mut();
        *config.minimum_timestep = shortest;
        *config.maximum_timestep_growth = growth;
    }

    fn restart(&mut self, start: &Start) -> Result<(), DiffsolError> {
        let state = start.state(self.solver.problem())?;
        self.solver.set_state(state);
        // Marks the state as changed, so that counters of the past (equal steps, for the order) start anew too.
        let _ = self.solver.state_mut();
        Ok(())
    }

    fn interpolate(&self, t: f64, y: &mut [f64]) -> Result<(), DiffsolError> {
        let interpolated = &mut *self.interpolated.borrow_mut();
        self.solver.interpolate_inplace(t, interpolated)?;
        y.copy_from_slice(slice(interpolated));
        Ok(())
    }

    fn time_and_step(&self) -> (f64, f64) {
        let state = self.solver.state();
        (state.t, state.h)
    }

    fn state(&self) -> &[f64] {
        slice(self.solver.state().y)
    }

    fn derivative(&self) -> &[f64] {
        slice(self.solver.state().dy)
    }

    fn order(&self) -> u32 {
        self.solver.order() as u32
    }

    fn work(&self) -> Work {
        let counts = self.solver.get_statistics();
        let rejected = counts.number_of_error_test_failures + counts.number_of_nonlinear_solver_fails;
        Work {
            rejected: rejected as u64,
            unsolved: counts.number_of_nonlinear_solver_fails as u64,
            factorisations: counts.number_of_linear_solver_setups as u64,
            newton_iterations: counts.number_of_nonlinear_solver_iterations as u64,
        }
    }
}

type BoxedStepper<'a> = Box<dyn Stepper + 'a>;

self_cell::self_cell!(
    /// diffsol's solvers borrow their problem for as long as they live; the cell keeps both.
    pub(super) struct SolverCell {
        owner: OdeSolverProblem<Equations>,
        #[covariant]
        dependent: BoxedStepper,
    }
);

/// Makes the problem and the solver of a scheme.
pub(super) fn build(
    scheme: Scheme,
    equations: Equations,
    settings: &Settings,
    start: &Start,
) -> Result<SolverCell, DiffsolError> {
    let builder = OdeBuilder::<Mat64>::new()
        .t0(start.t)
        .h0(start.step)
        .rtol(settings.rtol)
        .atol(settings.atol.iter().copied());
    let mut problem = builder.build_from_eqn(equations)?;
    problem.ode_options.max_error_test_failures = REJECTIONS_PER_STEP;
    // Counted over the whole run, not over a step: a long run would run into any limit. The shortest step is one.
    problem.ode_options.max_nonlinear_solver_failures = usize::MAX;
    SolverCell::try_new(problem, |problem| {
        let linear = Linear::new(problem.eqn.beside());
        Ok(match scheme {
            Scheme::Bdf => {
                Solver::boxed(<Bdf<'_, Equations, Linear>>::new(problem, start.state(problem)?, linear)?)
            }
            Scheme::Esdirk34 => {
                Solver::boxed_implicit(implicit(problem, start, Tableau::esdirk34(), linear)?)
            }
            Scheme::TrBdf2 => Solver::boxed_implicit(implicit(problem, start, Tableau::tr_bdf2(), linear)?),
            Scheme::Tsit45 => Solver::boxed(problem.tsit45_solver(start.rk(problem)?)?),
        })
    })
}

fn implicit<'a>(
    problem: &'a OdeSolverProblem<Equations>,
    start: &Start,
    tableau: Tableau<f64>,
    linear: Linear,
) -> Result<Sdirk<'a, Equations, Linear>, DiffsolError> {
    Sdirk::new(problem, start.rk(problem)?, tableau, linear)
}

impl Start<'_> {
    fn rk(&self, problem: &OdeSolverProblem<Equations>) -> Result<RkState<Vec64>, DiffsolError> {
        self.state(problem)
    }
}
