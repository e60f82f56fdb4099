//! Failures are reported with their cause, by every method, and never hang.

use std::fmt;

use rhei_numerics::{EvaluationFailed, Failure, Method, NotFinite, Settings};

use crate::problems::{Integration, Ode, run};

fn settings(method: Method, n: usize, t_stop: f64) -> Settings {
    let mut settings = Settings::new(1e-6, &vec![1.0; n], t_stop);
    settings.step = method.is_fixed_step().then_some(0.01);
    settings
}

fn fails(ode: Ode, method: Method, y0: &[f64], t_stop: f64) -> (Integration<Ode>, Failure) {
    let mut integrator = ode.start(method, 0.0, y0, settings(method, y0.len(), t_stop)).unwrap();
    let failure = run(&mut integrator).expect_err(method.name());
    (integrator, failure)
}

#[test]
fn a_derivative_that_is_not_a_number_is_located() {
    for method in Method::ALL {
        let ode = Ode::new(2, |t, y, dy| {
            dy[0] = -y[0];
            dy[1] = if t > 0.5 { f64::NAN } else { 1.0 };
        });
        let (integrator, failure) = fails(ode, method, &[1.0, 0.0], 1.0);
        let Failure::EvaluationFailed { t, reached, reason } = failure else {
            panic!("{method}: {failure}");
        };
        let NotFinite { component, by, value } = *reason.downcast_ref().unwrap();
        assert!(component == 1 && by.is_none() && value.is_nan());
        assert!(t > 0.5 && t < 0.53, "{method}: {t}");
        // An adaptive method comes close to the wall, a fixed-step one stops a step before.
        let gap = if method.is_fixed_step() { 0.011 } else { 1e-6 };
        assert!(reached <= 0.5 + 1e-12 && reached > 0.5 - gap, "{method}: {reached}");
        assert_eq!(integrator.time(), reached);
        assert!(integrator.state().iter().all(|y| y.is_finite()));
        assert!((integrator.state()[1] - reached).abs() < 1e-5, "{method}");
    }
}

#[derive(Debug, PartialEq)]
struct Drained {
    level: f64,
}

impl fmt::Display for Drained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tank is empty")
    }
}

impl std::error::Error for Drained {}

/// Torricelli's tank, whose level must not fall below zero: it does at t = 2.
fn tank() -> Ode {
    let mut ode = Ode::new(1, |_, _, _| {});
    ode.rhs = Box::new(|_, y, dy| {
        if y[0] < 0.0 {
            return Err(EvaluationFailed::new(Drained { level: y[0] }));
        }
        dy[0] = -y[0].sqrt() - 1e-3;
        Ok(())
    });
    ode
}

#[test]
fn the_problems_own_reason_comes_back() {
    for method in Method::ALL {
        let (_, failure) = fails(tank(), method, &[1.0], 3.0);
        // An implicit step beyond the wall has no solution, and Newton may see that first.
        if method.is_fixed_step() && matches!(failure, Failure::NewtonFailed { .. }) {
            continue;
        }
        let Failure::EvaluationFailed { reached, reason, .. } = failure else {
            panic!("{method}: {failure}");
        };
        assert!(reason.downcast_ref::<Drained>().is_some_and(|drained| drained.level < 0.0));
        assert!((reached - 1.985).abs() < 0.05, "{method}: {reached}");
    }
}

#[test]
fn a_start_that_cannot_be_evaluated_is_refused() {
    for method in Method::ALL {
        let started = tank().start(method, 0.0, &[-1.0], settings(method, 1, 1.0));
        assert!(matches!(started, Err(Failure::EvaluationFailed { t: 0.0, reached: 0.0, .. })), "{method}");
    }
}

#[test]
fn a_wall_that_can_be_stepped_along_is_no_failure() {
    // The root must not be tried below zero, yet the solution y = (1 - t/2)² only touches it.
    for method in [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45] {
        let mut ode = Ode::new(1, |_, _, _| {});
        ode.rhs = Box::new(|_, y, dy| {
            dy[0] = 1.0 - y[0].sqrt();
            if y[0] < 0.0 { Err(EvaluationFailed::new("below zero")) } else { Ok(()) }
        });
        let mut integrator = ode.start(method, 0.0, &[0.0], settings(method, 1, 1.0)).unwrap();
        run(&mut integrator).unwrap_or_else(|failure| panic!("{method}: {failure}"));
        assert!(integrator.state()[0] > 0.2);
    }
}

#[test]
fn blow_up_is_named_with_its_time_and_state() {
    for method in [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45] {
        let ode = Ode::new(2, |_, y, dy| {
            dy[0] = 1.0;
            dy[1] = y[1] * y[1];
        });
        let (integrator, failure) = fails(ode, method, &[0.0, 1.0], 2.0);
        match failure {
            Failure::StepTooSmall { t, fastest, .. } => {
                assert!((t - 1.0).abs() < 1e-4, "{method}: {t}");
                assert_eq!(fastest, Some(1), "{method}");
            }
            // The square may overflow first.
            Failure::EvaluationFailed { reached, .. } => {
                assert!((reached - 1.0).abs() < 1e-4, "{method}: {reached}");
            }
            other => panic!("{method}: {other}"),
        }
        assert!(integrator.statistics().steps < 10_000);
    }
}

#[test]
fn an_implicit_fixed_step_says_when_newton_fails() {
    // y² = -1 has no solution: y₁ = y₀ + h (-(y₁² + 1)/h²) with a step of 1.
    for method in [Method::ImplicitEuler, Method::ImplicitTrapezoid] {
        let ode = Ode::new(1, |_, y, dy| dy[0] = y[0] * y[0] + 100.0);
        let mut settings = Settings::new(1e-6, &[1.0], 10.0);
        settings.step = Some(1.0);
        let mut integrator = ode.start(method, 0.0, &[0.0], settings).unwrap();
        let failure = run(&mut integrator).unwrap_err();
        assert!(matches!(failure, Failure::NewtonFailed { t: 1.0, worst: 0, .. }), "{failure}");
        assert_eq!(integrator.time(), 0.0);
    }
}

#[test]
fn evaluations_that_fail_now_and_then_are_survived() {
    for method in [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45] {
        for seed in 1..30u64 {
            let mut random = seed;
            let mut ode = Ode::new(2, |_, _, _| {});
            ode.rhs = Box::new(move |t, y, dy| {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                dy[0] = -50.0 * (y[0] - t.cos());
                dy[1] = -y[1];
                match (random >> 33) % 100 {
                    0 if t > 0.0 => Err(EvaluationFailed::new("bad luck")),
                    1 if t > 0.0 => {
                        dy[1] = f64::INFINITY;
                        Ok(())
                    }
                    _ => Ok(()),
                }
            });
            let mut integrator = ode.start(method, 0.0, &[0.0, 1.0], settings(method, 2, 2.0)).unwrap();
            run(&mut integrator).unwrap_or_else(|failure| panic!("{method}, {seed}: {failure}"));
            let error = (integrator.state()[1] - (-2.0f64).exp()).abs();
            assert!(error < 1e-4, "{method}, {seed}: {error:.1e}");
        }
    }
}

#[test]
fn limits_and_nonsense_are_refused() {
    let ode = || Ode::new(1, |_, _, dy| dy[0] = 1.0);
    for method in Method::ALL {
        let mut limited = settings(method, 1, 1e9);
        limited.max_steps = Some(3);
        limited.max_step = Some(1.0);
        let mut integrator = ode().start(method, 0.0, &[0.0], limited).unwrap();
        let failure = run(&mut integrator).unwrap_err();
        assert!(matches!(failure, Failure::TooManySteps { limit: 3, .. }), "{method}: {failure}");
    }
    let refused = |settings| ode().start(Method::Rk4, 0.0, &[0.0], settings).err().unwrap().to_string();
    let plain = Settings::new(1e-6, &[1.0], 1.0);
    expect_test::expect!["a fixed-step method needs a step"].assert_eq(&refused(plain.clone()));
    expect_test::expect!["the step is -1"]
        .assert_eq(&refused(Settings { step: Some(-1.0), ..plain.clone() }));
    expect_test::expect!["1 states, but 1 start values and 2 absolute tolerances"]
        .assert_eq(&refused(Settings::new(1e-6, &[1.0, 1.0], 1.0)));
    let mut wrong = ode();
    wrong.pattern = Some(rhei_numerics::Pattern::dense(2));
    let refused_pattern = wrong.start(Method::Bdf, 0.0, &[0.0], plain.clone()).err().unwrap();
    expect_test::expect!["1 states, but a Jacobian of 2 by 2"].assert_eq(&refused_pattern.to_string());
    expect_test::expect!["the absolute tolerance of state 0 is 0"]
        .assert_eq(&refused(Settings { atol: vec![0.0], ..plain }));
}

#[test]
fn a_jacobian_without_a_value_is_made_by_differences() {
    // `2/(1 + exp(-y/0.01)) - 1`, a smooth sign: far to the left the derivative is zero times infinite
    let sign = |y: f64| 2.0 / (1.0 + (-y / 0.01).exp()) - 1.0;
    for method in Method::ALL {
        let ode = Ode::new(2, move |_, y, dy| {
            dy[0] = -sign(y[0]);
            dy[1] = -1000.0 * (y[1] - y[0]);
        });
        let ode = ode.with_jacobian(move |_, y, jacobian| {
            let below = 1.0 + (-y[0] / 0.01).exp();
            jacobian.set(0, 0, -2.0 / below * (below - 1.0) / 0.01 / below);
            jacobian.set(1, 0, 1000.0);
            jacobian.set(1, 1, -1000.0);
        });
        let mut settings = settings(method, 2, 5.0);
        settings.step = method.is_fixed_step().then_some(1e-3);
        let mut integrator = ode.start(method, 0.0, &[-10.0, -10.0], settings).unwrap();
        run(&mut integrator).unwrap_or_else(|failure| panic!("{method}: {failure}"));
        assert!((integrator.state()[0] + 5.0).abs() < 1e-4, "{method}: {:?}", integrator.state());
    }
}
