//! The order of each fixed-step method, measured on a nonlinear problem by halving the step.

use rhei_numerics::{Method, Settings};

use crate::problems::{logistic, run};

fn error(method: Method, step: f64) -> f64 {
    let (ode, y0, exact) = logistic();
    let mut settings = Settings::new(1e-10, &[1.0], 4.0);
    settings.step = Some(step);
    let mut integrator = ode.start(method, 0.0, &[y0], settings).unwrap();
    run(&mut integrator).unwrap();
    (integrator.state()[0] - exact(4.0)).abs()
}

fn measured(method: Method, step: f64) -> f64 {
    (error(method, step) / error(method, step / 2.0)).log2()
}

#[test]
fn fixed_step_methods_have_their_order() {
    let expected = [
        (Method::Euler, 1.0),
        (Method::Heun, 2.0),
        (Method::Midpoint, 2.0),
        (Method::Rk4, 4.0),
        (Method::ImplicitEuler, 1.0),
        (Method::ImplicitTrapezoid, 2.0),
        (Method::Sdirk2, 2.0),
    ];
    let fixed: Vec<Method> = Method::ALL.into_iter().filter(|method| method.is_fixed_step()).collect();
    assert_eq!(expected.map(|(method, _)| method)[..], fixed[..]);
    for (method, order) in expected {
        let slope = measured(method, 1.0 / 64.0);
        assert!((slope - order).abs() < 0.1, "{method}: {slope:.3}");
    }
}
