//! Stiff problems against published end values (the IVP test set of Bari/CWI; Hairer & Wanner II).
//!
//! At a tolerance of 1e-8 every stiff method must come within 1e-5 of them; TR-BDF2, of order 2 only, takes
//! thousands of steps for that and gathers a little more.

use rhei_numerics::{Method, Settings};

use crate::problems::{Ode, hires, oregonator, robertson, run, van_der_pol};

const STIFF: [Method; 4] = [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2];

fn check(
    problem: fn() -> Ode,
    methods: &[Method],
    y0: &[f64],
    nominal: &[f64],
    t_end: f64,
    expected: &[f64],
) {
    for &method in methods {
        let settings = Settings::new(1e-8, nominal, t_end);
        let mut integrator = problem().start(method, 0.0, y0, settings).unwrap();
        run(&mut integrator).unwrap_or_else(|failure| panic!("{method}: {failure}"));
        for (i, (y, expected)) in integrator.state().iter().zip(expected).enumerate() {
            let error = ((y - expected) / expected).abs();
            let bound = if method == Method::TrBdf2 { 1e-4 } else { 1e-5 };
            assert!(error < bound, "{method}, component {i}: {y}, off by {error:.2e}");
        }
    }
}

#[test]
fn robertson_over_eleven_decades() {
    let nominal = [1e-7, 1e-13, 1.0];
    let expected = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505];
    check(robertson, &[Method::Bdf, Method::FlcBdf], &[1.0, 0.0, 0.0], &nominal, 1e11, &expected);
}

#[test]
fn van_der_pol_1000() {
    let expected = [1.706167732170469, -0.8928097010248125e-3];
    check(van_der_pol, &STIFF, &[2.0, 0.0], &[1.0, 1e-3], 2000.0, &expected);
}

#[test]
fn hires_to_321() {
    let mut y0 = [0.0; 8];
    (y0[0], y0[7]) = (1.0, 0.0057);
    let nominal = [1e-3, 1e-4, 1e-4, 1e-3, 1e-3, 1e-3, 1e-3, 1e-3];
    let expected = [
        0.7371312573325668e-3,
        0.1442485726316185e-3,
        0.5888729740967575e-4,
        0.1175651343283149e-2,
        0.2386356198831331e-2,
        0.6238968252742796e-2,
        0.2849998395185769e-2,
        0.2850001604814231e-2,
    ];
    check(hires, &STIFF, &y0, &nominal, 321.8122, &expected);
}

#[test]
fn oregonator_to_360() {
    let expected = [1.000814870318523, 1228.178521549917, 132.0554942846706];
    check(oregonator, &STIFF, &[1.0, 2.0, 3.0], &[1.0, 1.0, 1.0], 360.0, &expected);
}

/// An empty storage that fills within 1e-20, and whose derivative a blind guess of the first step would take to 1e118.
#[test]
fn a_tiny_storage_that_starts_empty() {
    let storage = || Ode::new(1, |_, y, dy| dy[0] = 1e20 * (1.0 - 0.5 * y[0] - 0.5 * y[0].powi(7)));
    check(storage, &STIFF, &[0.0], &[1.0], 1.0, &[1.0]);
}

/// `y' = -λy` with a step of `10⁶/λ`: what is left after it is the stability function at `-10⁶`, which vanishes at infinity for two of
/// the rules and is -1 there for the trapezoid.
#[test]
fn what_is_left_of_a_motion_much_faster_than_the_step() {
    let ode = || Ode::new(1, |_, y, dy| dy[0] = -1e6 * y[0]);
    for (method, expected) in [
        (Method::ImplicitEuler, 1.0 / (1.0 + 1e6)),
        (Method::ImplicitTrapezoid, (1.0 - 5e5) / (1.0 + 5e5)),
        (Method::Sdirk2, (1.0 - (2f64.sqrt() - 1.0) * 1e6) / (1.0 + (1.0 - 0.5f64.sqrt()) * 1e6).powi(2)),
    ] {
        let mut settings = Settings::new(1e-10, &[1.0], 1.0);
        settings.step = Some(1.0);
        let mut integrator = ode().start(method, 0.0, &[1.0], settings).unwrap();
        run(&mut integrator).unwrap();
        let left = integrator.state()[0];
        assert!((left - expected).abs() < 1e-9, "{method}: {left}, not {expected}");
    }
}
