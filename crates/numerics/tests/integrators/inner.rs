//! Unknowns that a right-hand side finds by itself and that stay in the Jacobian: the same curves as where they are eliminated.

use std::sync::Arc;

use rhei_numerics::{EvaluationFailed, Method, Opened, Pattern, Problem, Settings, SparseMatrix};

use crate::problems::{Integration, run};

/// How a problem tells its derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    /// By the states alone, by finite differences.
    Eliminated,
    /// With its inner unknowns, exactly.
    Kept,
    /// With its inner unknowns, by finite differences.
    KeptByDifferences,
    /// With its inner unknowns, but without a value.
    KeptWithoutValue,
}

const N: usize = 40;

/// A ring: `der(y) = 50(z - y)`, `3z + z' + 0.1z³ = y + sin(t + k)`, where z' is the z of the next one.
struct Ring {
    told: Told,
    z: Vec<f64>,
}

impl Ring {
    fn next(i: usize) -> usize {
        (i + 1) % N
    }

    fn residual(t: f64, y: &[f64], z: &[f64], i: usize) -> f64 {
        3.0 * z[i] + z[Ring::next(i)] + 0.1 * z[i].powi(3) - y[i] - (t + i as f64).sin()
    }

    fn rates(y: &[f64], z: &[f64], dy: &mut [f64]) {
        (0..N).for_each(|i| dy[i] = 50.0 * (z[i] - y[i]));
    }
}

impl Problem for Ring {
    fn n(&self) -> usize {
        N
    }

    fn rhs(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), EvaluationFailed> {
        for _ in 0..80 {
            (0..N).for_each(|i| {
                self.z[i] -= Ring::residual(t, y, &self.z, i) / (3.0 + 0.3 * self.z[i].powi(2))
            });
        }
        Ring::rates(y, &self.z, dy);
        Ok(())
    }

    fn inner(&self) -> usize {
        if self.told == Told::Eliminated { 0 } else { N }
    }

    fn opened(&mut self) -> Option<&mut dyn Opened> {
        Some(self)
    }

    fn pattern(&self) -> Option<Arc<Pattern>> {
        let entries =
            (0..N).flat_map(|i| [(i, i), (i, N + i), (N + i, i), (N + i, N + i), (N + i, N + Ring::next(i))]);
        (self.inner() > 0).then(|| Arc::new(Pattern::from_entries(2 * N, 2 * N, entries)))
    }

    fn jacobian(&mut self, t: f64, y: &[f64], jacobian: &mut SparseMatrix) -> Result<bool, EvaluationFailed> {
        if !matches!(self.told, Told::Kept | Told::KeptWithoutValue) {
            return Ok(false);
        }
        self.rhs(t, y, &mut [0.0; N])?;
        for i in 0..N {
            jacobian.set(i, i, -50.0);
            jacobian.set(i, N + i, 50.0);
            jacobian.set(N + i, i, if self.told == Told::Kept { -1.0 } else { f64::NAN });
            jacobian.set(N + i, N + i, 3.0 + 0.3 * self.z[i].powi(2));
            jacobian.set(N + i, N + Ring::next(i), 1.0);
        }
        Ok(true)
    }
}

impl Opened for Ring {
    fn found(&self, inner: &mut [f64]) {
        inner.copy_from_slice(&self.z);
    }

    fn sizes(&self, inner: &mut [f64]) {
        inner.fill(1.0);
    }

    fn open_rhs(
        &mut self,
        t: f64,
        y: &[f64],
        inner: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationFailed> {
        let (dy, residuals) = values.split_at_mut(N);
        Ring::rates(y, inner, dy);
        (0..N).for_each(|i| residuals[i] = Ring::residual(t, y, inner, i));
        Ok(())
    }
}

/// Final state of the ring, and the work it took.
fn end(method: Method, told: Told) -> (Vec<f64>, [u64; 3]) {
    let ring = Ring { told, z: vec![0.0; N] };
    let mut settings = Settings::new(1e-6, &[1.0; N], 2.0);
    settings.step = method.is_fixed_step().then_some(5e-3);
    let mut integrator = Integration::start(ring, method, 0.0, &[0.5; N], settings).unwrap();
    run(&mut integrator).unwrap();
    let work = integrator.statistics();
    (integrator.state().to_vec(), [work.steps, work.newton_iterations, work.jacobians])
}

#[test]
fn curves_are_those_without_inner_unknowns() {
    for method in Method::ALL {
        let (expected, work) = end(method, Told::Eliminated);
        for told in [Told::Kept, Told::KeptByDifferences, Told::KeptWithoutValue] {
            let (state, own) = end(method, told);
            let off = state.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-7, "{method}, {told:?}: {off}");
            // the same Newton iterations, but for the errors of finite differences
            let is_close = own.iter().zip(&work).all(|(own, work)| own.abs_diff(*work) <= work / 20);
            assert!(is_close, "{method}, {told:?}: {own:?} and {work:?}");
        }
    }
}
