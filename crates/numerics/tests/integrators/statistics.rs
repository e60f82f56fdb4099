//! Work as snapshots: a speed test without a clock.

use expect_test::{Expect, expect};
use rhei_numerics::{Method, Settings};

use crate::problems::{Ode, hires, oregonator, robertson, run, van_der_pol};

fn check(ode: Ode, method: Method, y0: &[f64], t_end: f64, expected: Expect) {
    let settings = Settings::new(1e-6, &vec![1.0; y0.len()], t_end);
    let mut integrator = ode.start(method, 0.0, y0, settings).unwrap();
    run(&mut *integrator).unwrap();
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
        expect!["steps 190, rejected 21, rhs 365, jacobians 14, factorisations 52, newton 363, order 4"],
    );
    check(
        van_der_pol(),
        Method::Bdf,
        &[2.0, 0.0],
        2000.0,
        expect!["steps 801, rejected 153, rhs 1883, jacobians 21, factorisations 210, newton 1818, order 4"],
    );
    let hires_start = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057];
    check(
        hires(),
        Method::Bdf,
        &hires_start,
        321.8122,
        expect!["steps 168, rejected 21, rhs 499, jacobians 9, factorisations 46, newton 416, order 3"],
    );
    check(
        oregonator(),
        Method::Bdf,
        &[1.0, 2.0, 3.0],
        360.0,
        expect!["steps 1371, rejected 159, rhs 3866, jacobians 45, factorisations 265, newton 3684, order 5"],
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
            run(&mut *integrator).unwrap();
            let (t, y) = (integrator.time(), integrator.state().to_vec());
            integrator.set_stop(t + 1.0);
            integrator.restart(t, &[y[0], y[1] + 0.4]).unwrap();
            assert_eq!(t, f64::from(push));
        }
        let s = integrator.statistics();
        format!("{method}: {:.1} steps, {:.1} rhs a push", s.steps as f64 / 100.0, s.rhs_calls as f64 / 100.0)
    };
    expect!["bdf: 22.1 steps, 34.2 rhs a push"].assert_eq(&pushed(Method::Bdf));
    expect!["esdirk34: 12.0 steps, 72.2 rhs a push"].assert_eq(&pushed(Method::Esdirk34));
    expect!["tr-bdf2: 32.3 steps, 103.2 rhs a push"].assert_eq(&pushed(Method::TrBdf2));
    expect!["tsit45: 4.0 steps, 26.0 rhs a push"].assert_eq(&pushed(Method::Tsit45));
}

#[test]
fn one_step_methods() {
    check(
        van_der_pol(),
        Method::Esdirk34,
        &[2.0, 0.0],
        2000.0,
        expect!["steps 825, rejected 52, rhs 7472, jacobians 31, factorisations 152, newton 7377, order 3"],
    );
    check(
        van_der_pol(),
        Method::TrBdf2,
        &[2.0, 0.0],
        2000.0,
        expect!["steps 1887, rejected 38, rhs 7989, jacobians 43, factorisations 200, newton 7858, order 2"],
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
        expect!["steps 134, rejected 47, rhs 1088, jacobians 0, factorisations 0, newton 0, order 4"],
    );
}
