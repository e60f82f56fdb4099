//! Promises of every integrator: where steps end, what a restart forgets, how long a step may be.

use rhei_numerics::{Method, Settings};

use crate::problems::{Ode, circle, run};

fn settings(method: Method, t_stop: f64) -> Settings {
    let mut settings = Settings::new(1e-6, &[1.0, 1.0], t_stop);
    settings.step = method.is_fixed_step().then_some(0.01);
    settings
}

#[test]
fn the_stop_time_is_hit_exactly_and_can_be_moved() {
    for method in Method::ALL {
        let mut integrator = circle().start(method, 0.0, &[1.0, 0.0], settings(method, 0.3)).unwrap();
        for stop in [0.3, 0.3f64.next_up(), 0.7, std::f64::consts::PI] {
            integrator.set_stop(stop);
            run(&mut integrator).unwrap();
            assert_eq!(integrator.time(), stop, "{method}");
            let again = integrator.step().unwrap();
            assert!(again.reached_stop && again.from == stop && again.to == stop, "{method}");
        }
        let off = (integrator.state()[0] + 1.0).abs();
        assert!(off < 0.02, "{method}: {off:.2e}");
    }
}

#[test]
fn fixed_steps_do_not_drift() {
    let mut settings = Settings::new(1e-6, &[1.0], 1e4);
    settings.step = Some(0.1);
    let ode = Ode::new(1, |_, _, dy| dy[0] = 1.0);
    let mut integrator = ode.start(Method::Euler, 0.0, &[0.0], settings).unwrap();
    for k in 1..=100_000u32 {
        let step = integrator.step().unwrap();
        assert_eq!(step.reached_stop, k == 100_000);
        assert!(step.reached_stop || step.to == f64::from(k) * 0.1);
    }
    assert_eq!(integrator.time(), 1e4);
    assert_eq!(integrator.statistics().steps, 100_000);
}

#[test]
fn the_last_step_is_shortened() {
    for method in Method::ALL.into_iter().filter(|method| method.is_fixed_step()) {
        let mut settings = settings(method, 1.0);
        settings.step = Some(0.3);
        let mut integrator = circle().start(method, 0.0, &[1.0, 0.0], settings).unwrap();
        let times: Vec<f64> = std::iter::from_fn(|| Some(integrator.step().unwrap().to)).take(4).collect();
        assert_eq!(times, [0.3, 0.6, 0.8999999999999999, 1.0], "{method}");
    }
}

#[test]
fn a_restart_forgets_the_past() {
    for method in Method::ALL {
        let mut integrator = circle().start(method, 0.0, &[1.0, 0.0], settings(method, 3.0)).unwrap();
        for _ in 0..20 {
            integrator.step().unwrap();
        }
        let mut y = [0.0; 2];
        integrator.restart(1.0, &[0.0, 2.0]).unwrap();
        assert_eq!(integrator.time(), 1.0);
        for t in [0.5, 1.0, 1.5] {
            integrator.interpolate(t, &mut y);
            assert_eq!(y, [0.0, 2.0], "{method}");
        }
        integrator.set_stop(1.0 + std::f64::consts::FRAC_PI_2);
        run(&mut integrator).unwrap();
        // A quarter turn from (0, 2) is (2, 0).
        let off = (integrator.state()[0] - 2.0).abs().max(integrator.state()[1].abs());
        assert!(off < 0.03, "{method}: {off:.2e}");
    }
}

#[test]
fn a_stop_time_that_was_never_reached_is_forgotten() {
    for method in Method::ALL {
        let mut integrator = circle().start(method, 0.0, &[1.0, 0.0], settings(method, 1.0)).unwrap();
        integrator.step().unwrap();
        integrator.set_stop(f64::INFINITY);
        integrator.restart(5.0, &[1.0, 0.0]).unwrap();
        assert!(!integrator.step().unwrap().reached_stop, "{method}");
        assert!(integrator.time() > 5.0);
    }
}

#[test]
fn no_step_is_longer_than_allowed() {
    for method in [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45] {
        let mut settings = Settings::new(1e-3, &[1.0, 1.0], 100.0);
        settings.max_step = Some(0.25);
        let ode = Ode::new(2, |_, y, dy| (dy[0], dy[1]) = (-y[0], 0.0));
        let mut integrator = ode.start(method, 0.0, &[1.0, 1.0], settings).unwrap();
        loop {
            let step = integrator.step().unwrap();
            assert!(step.to - step.from <= 0.25 * (1.0 + 1e-12), "{method}: {step:?}");
            if step.reached_stop {
                break;
            }
        }
        let steps = integrator.statistics().steps;
        assert!((400..520).contains(&steps), "{method}: {steps}");
    }
}

#[test]
fn time_scales_from_picoseconds_to_years_work() {
    for method in [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45] {
        for scale in [1e-12, 1.0, 3e7] {
            let ode = Ode::new(1, move |_, y, dy| dy[0] = -y[0] / scale);
            let settings = Settings::new(1e-6, &[1.0], scale);
            let mut integrator = ode.start(method, 0.0, &[1.0], settings).unwrap();
            run(&mut integrator).unwrap_or_else(|failure| panic!("{method} at {scale}: {failure}"));
            let error = (integrator.state()[0] - (-1.0f64).exp()).abs();
            assert!(error < 2e-5, "{method} at {scale}: {error:.1e}");
        }
    }
}

#[test]
fn an_infinite_stop_time_is_no_stop() {
    for method in Method::ALL {
        let mut integrator =
            circle().start(method, 0.0, &[1.0, 0.0], settings(method, f64::INFINITY)).unwrap();
        while integrator.time() < 2.0 {
            assert!(!integrator.step().unwrap().reached_stop);
        }
        let mut y = [0.0; 2];
        integrator.interpolate(2.0, &mut y);
        assert!((y[0] - 2.0f64.cos()).abs() < 0.02, "{method}");
    }
}

/// One state turns round ten times a second, one runs away in a straight line, only faster: the line costs no steps.
#[test]
fn the_state_that_bends_most_limits_the_step() {
    for method in [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45] {
        let ode = Ode::new(2, |t, _, dy| (dy[0], dy[1]) = (1000.0, (60.0 * t).sin()));
        let mut integrator =
            ode.start(method, 0.0, &[0.0, 0.0], Settings::new(1e-6, &[1.0; 2], 1.0)).unwrap();
        for _ in 0..20 {
            integrator.step().unwrap();
        }
        assert_eq!(integrator.limiting_state(), Some(1), "{method}");
    }
    let mut settings = Settings::new(1e-6, &[1.0; 2], 1.0);
    settings.step = Some(0.1);
    let mut given = circle().start(Method::Rk4, 0.0, &[1.0, 0.0], settings).unwrap();
    given.step().unwrap();
    assert_eq!(given.limiting_state(), None);
}
