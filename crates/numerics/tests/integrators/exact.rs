//! Exact solutions: between the steps, for large problems, and where nothing moves.

use rhei_numerics::{Method, Settings};

use crate::problems::{circle, heat, logistic, run};

const ADAPTIVE: [Method; 5] = [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45];

#[test]
fn dense_output_is_as_good_as_the_steps() {
    for method in ADAPTIVE {
        let (ode, y0, exact) = logistic();
        let mut integrator = ode.start(method, 0.0, &[y0], Settings::new(1e-7, &[1.0], 8.0)).unwrap();
        let mut worst = 0.0f64;
        loop {
            let step = integrator.step().unwrap();
            for k in 0..=10 {
                let t = step.from + (step.to - step.from) * f64::from(k) / 10.0;
                let mut y = [0.0];
                integrator.interpolate(t, &mut y);
                worst = worst.max((y[0] - exact(t)).abs());
            }
            if step.reached_stop {
                break;
            }
        }
        assert!(worst < 2e-5, "{method}: {worst:.2e}");
    }
}

#[test]
fn dense_output_is_continuous() {
    for method in Method::ALL {
        let mut settings = Settings::new(1e-6, &[1.0, 1.0], 5.0);
        settings.step = method.is_fixed_step().then_some(0.1);
        let mut integrator = circle().start(method, 0.0, &[1.0, 0.0], settings).unwrap();
        let mut last = vec![1.0, 0.0];
        loop {
            let step = integrator.step().unwrap();
            let mut y = [0.0; 2];
            integrator.interpolate(step.from, &mut y);
            // A BDF of lowered order does not pass exactly through its last point.
            let jump = (y[0] - last[0]).abs().max((y[1] - last[1]).abs());
            assert!(jump < 1e-5, "{method}: {jump:.2e} at {}", step.from);
            integrator.interpolate(step.to, &mut y);
            assert_eq!(y, integrator.state());
            last = integrator.state().to_vec();
            if step.reached_stop {
                break;
            }
        }
    }
}

#[test]
fn a_large_sparse_problem_uses_its_pattern() {
    for method in [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::ImplicitTrapezoid] {
        let (ode, y0, exact) = heat(300);
        let mut settings = Settings::new(1e-7, &[1.0; 300], 0.1);
        settings.step = method.is_fixed_step().then_some(0.001);
        let mut integrator = ode.start(method, 0.0, &y0, settings).unwrap();
        run(&mut integrator).unwrap();
        let error = (0..300).map(|i| (integrator.state()[i] - exact(0.1, i)).abs()).fold(0.0, f64::max);
        assert!(error < 1e-5, "{method}: {error:.2e}");
        // Three colours: the base and three evaluations a Jacobian, however many states.
        let statistics = integrator.statistics();
        assert!(statistics.rhs_calls < 4 * statistics.jacobians + 6000, "{method}: {statistics:?}");
    }
}

#[test]
fn no_states_no_trouble() {
    use crate::problems::Ode;
    for method in Method::ALL {
        let mut settings = Settings::new(1e-6, &[], 1.0);
        settings.step = method.is_fixed_step().then_some(0.25);
        let mut integrator = Ode::new(0, |_, _, _| {}).start(method, 0.0, &[], settings).unwrap();
        run(&mut integrator).unwrap();
        assert_eq!(integrator.time(), 1.0);
    }
}

#[test]
fn a_constant_state_stays() {
    use crate::problems::Ode;
    for method in Method::ALL {
        let mut settings = Settings::new(1e-6, &[1.0], 1e3);
        settings.step = method.is_fixed_step().then_some(1.0);
        let mut integrator =
            Ode::new(1, |_, _, dy| dy[0] = 0.0).start(method, 0.0, &[3.0], settings).unwrap();
        run(&mut integrator).unwrap();
        assert_eq!(integrator.state(), [3.0], "{method}");
    }
}
