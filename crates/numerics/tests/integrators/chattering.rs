//! Right-hand sides that jump: chattering over the jump is reported soon; other runs of many steps go on.

use rhei_numerics::{Failure, Method, Settings};

use crate::problems::Ode;

const ADAPTIVE: [Method; 5] = [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45];
/// Steps after which it must have been said.
const SOON: u64 = 10_000;

fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Runs on until something fails, the end is reached, or so many steps are made.
fn run(ode: Ode, method: Method, y0: &[f64], t_stop: f64, steps: u64) -> Result<u64, Failure> {
    let mut settings = Settings::new(1e-6, &vec![1.0; y0.len()], t_stop);
    settings.max_steps = Some(steps);
    let mut integrator = ode.start(method, 0.0, y0, settings)?;
    while !integrator.step()?.reached_stop {}
    Ok(integrator.statistics().steps)
}

fn chatters(name: &str, make: impl Fn() -> Ode, y0: &[f64], t_stop: f64, (state, at): (usize, f64)) {
    for method in ADAPTIVE {
        match run(make(), method, y0, t_stop, SOON) {
            Err(Failure::Chattering { t, since, state: found, sides }) => {
                assert_eq!(found, state, "{name} by {method}");
                assert!(since <= t && (t - at).abs() < 0.05, "{name} by {method}: {t} since {since}");
                assert!(sides[0].rate != sides[1].rate);
            }
            other => panic!("{name} by {method}: {other:?}"),
        }
    }
}

#[test]
fn what_is_led_back_to_a_jump_from_both_sides() {
    let friction = || Ode::new(1, |_, y, dy| dy[0] = -2.0 * sign(y[0]));
    chatters("friction", friction, &[1.0], 3.0, (0, 0.5));
    chatters("friction in a short run", friction, &[1.0], 1.0, (0, 0.5));
    chatters(
        "two values",
        || Ode::new(1, |_, y, dy| dy[0] = if y[0] > 0.2 { -3.0 } else { 1.0 }),
        &[1.0],
        10.0,
        (0, 0.8 / 3.0),
    );
    chatters(
        "pushed",
        || {
            Ode::new(2, |t, y, dy| {
                dy[0] = y[1];
                dy[1] = 0.3 * t.sin() - 0.5 * sign(y[1]);
            })
        },
        &[0.0, 0.2],
        20.0,
        (1, 0.48),
    );
}

/// Beside others: the first that is stuck is named.
#[test]
fn one_of_several() {
    let two = || {
        Ode::new(3, |t, y, dy| {
            dy[0] = -sign(y[0]) + 0.2 * t.sin();
            dy[1] = -3.0 * sign(y[1]) + 0.5;
            dy[2] = y[0] + y[1];
        })
    };
    chatters("the second", two, &[1.0, -0.3, 0.0], 5.0, (1, 0.086));
}

/// Along `x + y = 0` no rate changes its sign.
#[test]
fn sliding_along_a_line() {
    for method in ADAPTIVE {
        let ode = Ode::new(2, |_, y, dy| {
            let back = sign(y[0] + y[1]);
            (dy[0], dy[1]) = (5.0 - back, -5.0 - 2.0 * back);
        });
        let failure = run(ode, method, &[1.0, 0.5], 100.0, SOON).expect_err(method.name());
        assert!(matches!(failure, Failure::Chattering { .. }), "{method}: {failure}");
    }
}

/// Smooth, however fast or stiff; and jumps that are met again and again without being stuck at them.
#[test]
fn whatever_else_takes_many_tiny_steps_goes_on() {
    const MANY: u64 = 20_000;
    let goes_on = |name: &str, make: &dyn Fn() -> Ode, y0: &[f64], t_stop: f64, method: Method| match run(
        make(),
        method,
        y0,
        t_stop,
        MANY,
    ) {
        Ok(_) | Err(Failure::TooManySteps { .. }) => {}
        other => panic!("{name} by {method}: {other:?}"),
    };
    let oscillator = || Ode::new(3, |_, y, dy| (dy[0], dy[1], dy[2]) = (y[1], -y[0], y[0] - y[2]));
    let bang_bang = || Ode::new(2, |_, y, dy| (dy[0], dy[1]) = (y[1], -sign(y[0])));
    let stiff = || Ode::new(2, |_, y, dy| (dy[0], dy[1]) = (y[1], 1e4 * (1.0 - y[0] * y[0]) * y[1] - y[0]));
    // a derivative of rounding errors beside a fast oscillation
    let noise = || {
        Ode::new(3, |_, y, dy| {
            (dy[0], dy[1]) = (y[1], -y[0]);
            dy[2] = 1e6 * ((y[2] + 0.1) + 0.2 - y[2] - 0.3);
        })
    };
    for method in ADAPTIVE {
        goes_on("oscillator", &oscillator, &[1.0, 0.0, 0.0], 6e6, method);
        goes_on("bang-bang", &bang_bang, &[1.0, 0.0], 1e6, method);
        goes_on("noise", &noise, &[1.0, 0.0, 0.3], 6e6, method);
        goes_on("van der Pol", &stiff, &[2.0, 0.0], 1e9, method);
    }
}
