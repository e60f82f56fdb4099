//! Work as snapshots: a speed test without a clock.

use expect_test::{Expect, expect};
use rhei_numerics::{Method, Settings};

use crate::problems::{Ode, hires, oregonator, robertson, run, van_der_pol};

fn check(ode: Ode, method: Method, y0: &[f64], t_end: f64, expected: Expect) {
    let settings = Settings::new(1e-6, &vec![1.0; y0.len()], t_end);
    let mut integrator = ode.start(method, 0.0, y0, settings).unwrap();
    run(&mut integrator).unwrap();
    let s = integrator.statistics();
    expected.assert_eq(&format!(
        "steps {}, rejected {}, rhs {}, jacobians {}, factorisations {}, newton {}, order {}",
        s.steps, s.rejected, s.rhs_calls, s.jacobians, s.factorisations, s.newton_iterations, s.order
    ));
}

#[test]
fn bdf() {
    check(
        robertson(),
        Method::Bdf,
        &[1.0, 0.0, 0.0],
        4e4,
        expect!["steps 253, rejected 16, rhs 440, jacobians 10, factorisations 53, newton 438, order 4"],
    );
    check(
        van_der_pol(),
        Method::Bdf,
        &[2.0, 0.0],
        2000.0,
        expect!["steps 1041, rejected 162, rhs 2355, jacobians 23, factorisations 238, newton 2284, order 3"],
    );
    let hires_start = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057];
    check(
        hires(),
        Method::Bdf,
        &hires_start,
        321.8122,
        expect!["steps 201, rejected 18, rhs 562, jacobians 8, factorisations 44, newton 488, order 5"],
    );
    check(
        oregonator(),
        Method::Bdf,
        &[1.0, 2.0, 3.0],
        360.0,
        expect!["steps 1681, rejected 152, rhs 4416, jacobians 51, factorisations 271, newton 4210, order 4"],
    );
}

/// A pendulum that is pushed a hundred times: what a restart costs each method.
#[test]
fn restarts() {
    let pushed = |method: Method| {
        let ode = Ode::new(2, |_, y, dy| (dy[0], dy[1]) = (y[1], -y[0].sin() - 0.5 * y[1]));
        let settings = Settings::new(1e-6, &[1.0, 1.0], 1.0);
        let mut integrator = ode.start(method, 0.0, &[0.0, 1.0], settings).unwrap();
        for push in 1..=100 {
            run(&mut integrator).unwrap();
            let (t, y) = (integrator.time(), integrator.state().to_vec());
            integrator.set_stop(t + 1.0);
            integrator.restart(t, &[y[0], y[1] + 0.4]).unwrap();
            assert_eq!(t, f64::from(push));
        }
        let s = integrator.statistics();
        format!("{method}: {:.1} steps, {:.1} rhs a push", s.steps as f64 / 100.0, s.rhs_calls as f64 / 100.0)
    };
    expect!["bdf: 24.1 steps, 36.2 rhs a push"].assert_eq(&pushed(Method::Bdf));
    expect!["esdirk34: 24.3 steps, 150.9 rhs a push"].assert_eq(&pushed(Method::Esdirk34));
    expect!["tr-bdf2: 157.9 steps, 497.3 rhs a push"].assert_eq(&pushed(Method::TrBdf2));
    expect!["tsit45: 4.0 steps, 26.0 rhs a push"].assert_eq(&pushed(Method::Tsit45));
}

#[test]
fn one_step_methods() {
    check(
        van_der_pol(),
        Method::Esdirk34,
        &[2.0, 0.0],
        2000.0,
        expect![
            "steps 1758, rejected 50, rhs 14617, jacobians 48, factorisations 205, newton 14471, order 3"
        ],
    );
    check(
        van_der_pol(),
        Method::TrBdf2,
        &[2.0, 0.0],
        2000.0,
        expect![
            "steps 9497, rejected 1, rhs 36251, jacobians 191, factorisations 600, newton 35676, order 2"
        ],
    );
    let arenstorf = || {
        Ode::new(4, |_, y, dy| {
            let mu = 0.012277471;
            let d1 = ((y[0] + mu).powi(2) + y[1] * y[1]).powf(1.5);
            let d2 = ((y[0] - 1.0 + mu).powi(2) + y[1] * y[1]).powf(1.5);
            dy[0] = y[2];
            dy[1] = y[3];
            dy[2] = y[0] + 2.0 * y[3] - (1.0 - mu) * (y[0] + mu) / d1 - mu * (y[0] - 1.0 + mu) / d2;
            dy[3] = y[1] - 2.0 * y[2] - (1.0 - mu) * y[1] / d1 - mu * y[1] / d2;
        })
    };
    let start = [0.994, 0.0, 0.0, -2.001_585_106_379_082_5];
    check(
        arenstorf(),
        Method::Tsit45,
        &start,
        17.06,
        expect!["steps 134, rejected 46, rhs 1082, jacobians 0, factorisations 0, newton 0, order 4"],
    );
}
