//! Textbook problems, written directly as functions.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rhei_numerics::{
    EvaluationFailed, Failure, Integrator, Method, Pattern, Problem, Settings, SparseMatrix, Step,
};

type Rhs = Box<dyn FnMut(f64, &[f64], &mut [f64]) -> Result<(), EvaluationFailed>>;
type Jacobian = Box<dyn FnMut(f64, &[f64], &mut SparseMatrix)>;

/// A problem from closures.
pub struct Ode {
    pub n: usize,
    pub rhs: Rhs,
    pub jacobian: Option<Jacobian>,
    pub pattern: Option<Pattern>,
}

impl Ode {
    pub fn new(n: usize, mut rhs: impl FnMut(f64, &[f64], &mut [f64]) + 'static) -> Ode {
        let rhs = Box::new(move |t: f64, y: &[f64], dy: &mut [f64]| {
            rhs(t, y, dy);
            Ok(())
        });
        Ode { n, rhs, jacobian: None, pattern: None }
    }

    pub fn with_jacobian(mut self, jacobian: impl FnMut(f64, &[f64], &mut SparseMatrix) + 'static) -> Ode {
        self.jacobian = Some(Box::new(jacobian));
        self
    }

    pub fn start(
        self,
        method: Method,
        t0: f64,
        y0: &[f64],
        settings: Settings,
    ) -> Result<Integration<Ode>, Failure> {
        Integration::start(self, method, t0, y0, settings)
    }
}

/// An integrator with the problem that is lent to it.
pub struct Integration<P> {
    problem: P,
    integrator: Box<dyn Integrator>,
}

impl<P: Problem> Integration<P> {
    pub fn start(
        mut problem: P,
        method: Method,
        t0: f64,
        y0: &[f64],
        settings: Settings,
    ) -> Result<Integration<P>, Failure> {
        let integrator = method.start(&mut problem, t0, y0, settings)?;
        Ok(Integration { problem, integrator })
    }

    pub fn step(&mut self) -> Result<Step, Failure> {
        self.integrator.step(&mut self.problem)
    }

    pub fn restart(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.integrator.restart(&mut self.problem, t, y)
    }

    pub fn resume(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.integrator.resume(&mut self.problem, t, y)
    }
}

impl<P> Deref for Integration<P> {
    type Target = dyn Integrator;

    fn deref(&self) -> &(dyn Integrator + 'static) {
        &*self.integrator
    }
}

impl<P> DerefMut for Integration<P> {
    fn deref_mut(&mut self) -> &mut (dyn Integrator + 'static) {
        &mut *self.integrator
    }
}

impl Problem for Ode {
    fn n(&self) -> usize {
        self.n
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), EvaluationFailed> {
        (self.rhs)(t, y, dy)
    }

    fn pattern(&self) -> Option<Arc<Pattern>> {
        self.pattern.clone().map(Arc::new)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut SparseMatrix) -> Result<bool, EvaluationFailed> {
        let Some(function) = &mut self.jacobian else { return Ok(false) };
        function(t, y, jacobian);
        Ok(true)
    }
}

/// Steps to the stop time.
pub fn run(integrator: &mut Integration<impl Problem>) -> Result<(), Failure> {
    while !integrator.step()?.reached_stop {}
    Ok(())
}

/// `dy/dt = cos(t) y`: `y = exp(sin(t))`.
pub fn growth() -> (Ode, f64, impl Fn(f64) -> f64) {
    (Ode::new(1, |t, y, dy| dy[0] = t.cos() * y[0]), 1.0, |t: f64| t.sin().exp())
}

/// The logistic equation, nonlinear: `dy/dt = y (1 - y)`, `y(0) = 0.1`.
pub fn logistic() -> (Ode, f64, impl Fn(f64) -> f64) {
    let ode = Ode::new(1, |_, y, dy| dy[0] = y[0] * (1.0 - y[0]))
        .with_jacobian(|_, y, jacobian| jacobian.set(0, 0, 1.0 - 2.0 * y[0]));
    (ode, 0.1, |t: f64| 1.0 / (1.0 + 9.0 * (-t).exp()))
}

/// A circle, two states.
pub fn circle() -> Ode {
    Ode::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = -y[0];
    })
}

/// Robertson's kinetics (1966), stiff.
pub fn robertson() -> Ode {
    Ode::new(3, |_, y, dy| {
        dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
        dy[2] = 3e7 * y[1] * y[1];
        dy[1] = -dy[0] - dy[2];
    })
    .with_jacobian(|_, y, j| {
        let first = [-0.04, 1e4 * y[2], 1e4 * y[1]];
        let third = [0.0, 6e7 * y[1], 0.0];
        for (column, (first, third)) in first.into_iter().zip(third).enumerate() {
            j.set(0, column, first);
            j.set(1, column, -first - third);
            j.set(2, column, third);
        }
    })
}

/// Van der Pol's oscillator with μ = 1000, unscaled.
pub fn van_der_pol() -> Ode {
    Ode::new(2, |_, y, dy| {
        dy[0] = y[1];
        dy[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
    })
}

/// HIRES: eight substances of a plant's answer to light (Hairer & Wanner II, IV.10).
pub fn hires() -> Ode {
    Ode::new(8, |_, y, dy| {
        dy[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
        dy[1] = 1.71 * y[0] - 8.75 * y[1];
        dy[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
        dy[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
        dy[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
        dy[5] = -280.0 * y[5] * y[7] + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
        dy[6] = 280.0 * y[5] * y[7] - 1.81 * y[6];
        dy[7] = -dy[6];
    })
}

/// The Oregonator (Hairer & Wanner II, IV.10).
pub fn oregonator() -> Ode {
    Ode::new(3, |_, y, dy| {
        dy[0] = 77.27 * (y[1] + y[0] * (1.0 - 8.375e-6 * y[0] - y[1]));
        dy[1] = (y[2] - (1.0 + y[0]) * y[1]) / 77.27;
        dy[2] = 0.161 * (y[0] - y[2]);
    })
}

/// Heat in a rod of n cells, its ends held at zero; the slowest mode decays at a known rate.
pub fn heat(n: usize) -> (Ode, Vec<f64>, impl Fn(f64, usize) -> f64) {
    let dx = 1.0 / (n + 1) as f64;
    let entries = (0..n).flat_map(move |i| (i.saturating_sub(1)..n.min(i + 2)).map(move |j| (i, j)));
    let mut ode = Ode::new(n, move |_, y, dy| {
        for i in 0..n {
            let left = if i > 0 { y[i - 1] } else { 0.0 };
            let right = if i + 1 < n { y[i + 1] } else { 0.0 };
            dy[i] = (left - 2.0 * y[i] + right) / (dx * dx);
        }
    });
    ode.pattern = Some(Pattern::from_entries(n, n, entries));
    let mode = move |i: usize| (std::f64::consts::PI * (i + 1) as f64 * dx).sin();
    let rate = 2.0 * ((std::f64::consts::PI * dx).cos() - 1.0) / (dx * dx);
    (ode, (0..n).map(mode).collect(), move |t, i| mode(i) * (rate * t).exp())
}
