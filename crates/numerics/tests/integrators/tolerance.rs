//! Adaptive methods reach the tolerance they are asked for, on problems of different kinds.
//!
//! The measure is the error of the whole run, not of single steps: at every step, for every state, in units of
//! `tolerance·(|y| + 1)`.

use rhei_numerics::{Method, Settings};

use crate::problems::{Ode, circle, growth, heat, logistic, run};

const ADAPTIVE: [Method; 5] = [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45];

/// A problem with its solution.
pub struct SolvedOde {
    pub name: &'static str,
    pub ode: Ode,
    pub stop: f64,
    pub solution: Box<dyn Fn(f64) -> Vec<f64>>,
}

fn known(name: &'static str, ode: Ode, stop: f64, solution: impl Fn(f64) -> Vec<f64> + 'static) -> SolvedOde {
    SolvedOde { name, ode, stop, solution: Box::new(solution) }
}

pub fn problems() -> Vec<SolvedOde> {
    let (growth, _, grown) = growth();
    let (logistic, _, saturated) = logistic();
    let (heat, _, cooled) = heat(20);
    vec![
        known("linear, coefficients vary with time", growth, 10.0, move |t| vec![grown(t)]),
        known("nonlinear, saturating", logistic, 12.0, move |t| vec![saturated(t)]),
        known("oscillation without damping", circle(), 10.0, |t| vec![t.cos(), -t.sin()]),
        known("stiff, follows an input", prothero_robinson(), 10.0, |t| vec![t.cos()]),
        known("diffusion in twenty cells", heat, 0.2, move |t| (0..20).map(|i| cooled(t, i)).collect()),
        known("stiff and nonlinear", kaps(), 5.0, |t| vec![(-2.0 * t).exp(), (-t).exp()]),
        known("nonlinear, coefficients vary with time", fading(), 10.0, |t| vec![1.0 / (1.0 + t * t)]),
        known("damped, driven by a sine", driven(), 20.0, |t| vec![driven_solution(t)]),
    ]
}

/// Follows `cos(t)` within a ten thousandth of a second (Prothero & Robinson 1974).
fn prothero_robinson() -> Ode {
    Ode::new(1, |t, y, dy| dy[0] = -1e4 * (y[0] - t.cos()) - t.sin())
}

/// Kaps's problem (Dekker & Verwer 1984): the first state is the square of the second, but for a stiff transient.
fn kaps() -> Ode {
    const STIFF: f64 = 1e3;
    Ode::new(2, |_, y, dy| {
        dy[0] = -(STIFF + 2.0) * y[0] + STIFF * y[1] * y[1];
        dy[1] = y[0] - y[1] - y[1] * y[1];
    })
}

/// A rational solution.
fn fading() -> Ode {
    Ode::new(1, |t, y, dy| dy[0] = -2.0 * t * y[0] * y[0])
}

/// A low pass at three times its corner frequency.
fn driven() -> Ode {
    Ode::new(1, |t, y, dy| dy[0] = (3.0 * t).sin() - y[0])
}

fn driven_solution(t: f64) -> f64 {
    (0.3 * (-t).exp()) + ((3.0 * t).sin() - 3.0 * (3.0 * t).cos()) / 10.0
}

/// The largest error of a run, in units of the tolerance.
fn error(method: Method, problem: SolvedOde, tolerance: f64) -> f64 {
    let start = (problem.solution)(0.0);
    let settings = Settings::new(tolerance, &vec![1.0; start.len()], problem.stop);
    let mut integrator = problem.ode.start(method, 0.0, &start, settings).unwrap();
    let mut worst = 0.0_f64;
    loop {
        let step = integrator.step().unwrap();
        for (y, exact) in integrator.state().iter().zip((problem.solution)(step.to)) {
            worst = worst.max((y - exact).abs() / (tolerance * (exact.abs() + 1.0)));
        }
        if step.reached_stop {
            return worst;
        }
    }
}

#[test]
fn adaptive_methods_reach_the_asked_tolerance_within_a_factor_of_ten() {
    let mut missed = String::new();
    for tolerance in [1e-4, 1e-6, 1e-8] {
        for method in ADAPTIVE {
            for problem in problems() {
                let name = problem.name;
                let error = error(method, problem, tolerance);
                if error > 10.0 {
                    missed += &format!("{method} at {tolerance:e}: {error:.1} times the tolerance: {name}\n");
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed}");
}

/// The step that hits the stop time is shorter than planned: it must not be done with the matrix of the longer one.
#[test]
fn the_last_step_is_as_good_as_the_others() {
    for method in ADAPTIVE {
        for stop in [0.7, 3.0, 9.3, 10.0] {
            let settings = Settings::new(1e-4, &[1.0], stop);
            let mut integrator = prothero_robinson().start(method, 0.0, &[1.0], settings).unwrap();
            run(&mut integrator).unwrap();
            let error = (integrator.state()[0] - stop.cos()).abs();
            assert!(error < 3e-4, "{method} at {stop}: {error:.1e}");
        }
    }
}
