//! Runs whose steps the caller makes, by the method of Runge and Kutta and bisection.

use std::sync::Arc;

use rhei::{Accepted, Exchange, Experiment, InMemory, Model, Session, WrongPoint};

fn model(text: &str) -> Model {
    let files = InMemory::default().with_file("m.mo", text);
    let mut session = Session::in_world(Arc::new(files), Vec::new());
    session.compile("m.mo").unwrap_or_else(|refused| panic!("{refused}"))
}

/// The states after a step of the classical method of the fourth order.
fn runge_kutta(run: &mut Exchange, (t, y): (f64, &[f64]), h: f64) -> Vec<f64> {
    let moved =
        |k: &[f64], share: f64| -> Vec<f64> { y.iter().zip(k).map(|(y, k)| y + share * h * k).collect() };
    let rates = |run: &mut Exchange, t: f64, y: &[f64]| {
        run.set_point(t, y).unwrap();
        run.derivatives()
    };
    let k1 = rates(run, t, y);
    let k2 = rates(run, t + 0.5 * h, &moved(&k1, 0.5));
    let k3 = rates(run, t + 0.5 * h, &moved(&k2, 0.5));
    let k4 = rates(run, t + h, &moved(&k3, 1.0));
    (0..y.len()).map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])).collect()
}

/// Steps of at most `h` up to a time; how many events there were.
fn integrate(run: &mut Exchange, until: f64, h: f64) -> usize {
    let mut events = 0;
    while !run.has_ended() && run.time() < until {
        let (t, y) = (run.time(), run.states());
        let end = (t + h).min(until).min(run.next_event().unwrap_or(f64::INFINITY));
        let mut h = end - t;
        let next = runge_kutta(run, (t, &y), h);
        run.set_point(end, &next).unwrap();
        let is_left = |run: &mut Exchange| run.event_indicators().unwrap().iter().any(|z| *z < 0.0);
        let mut accepted = (end, next);
        if is_left(run) {
            let mut stays = 0.0;
            while h - stays > 1e-13 {
                let middle = 0.5 * (stays + h);
                let y = runge_kutta(run, (t, &y), middle);
                run.set_point(t + middle, &y).unwrap();
                if is_left(run) { (h, accepted) = (middle, (t + middle, y)) } else { stays = middle }
            }
        }
        run.set_point(accepted.0, &accepted.1).unwrap();
        let mut answer = run.accept();
        while answer == Accepted::Event {
            events += 1;
            answer = run.event();
        }
    }
    events
}

#[test]
fn a_ball_bounces() {
    let text = "
        model Ball
          Real h(start = 1, fixed = true);
          Real v(start = 0, fixed = true);
          Integer n(start = 0, fixed = true);
        equation
          der(h) = v;
          der(v) = -9.81;
          when h <= 0 then
            reinit(v, -0.8*pre(v));
            n = pre(n) + 1;
          end when;
        end Ball;";
    let mut run = model(text).exchange(&Experiment::until(2.0)).unwrap();
    assert_eq!(run.state_names(), ["h", "v"]);
    assert_eq!(integrate(&mut run, 2.0, 0.05), 3);
    // it falls for sqrt(2/g), and each flight takes 0.8 of the time of the one before
    let fall = (2.0f64 / 9.81).sqrt();
    let since = 2.0 - fall * (1.0 + 2.0 * (0.8 + 0.64));
    let speed = 9.81 * fall * 0.8f64.powi(3);
    assert!((run.get("h").unwrap() - (speed * since - 4.905 * since * since)).abs() < 1e-9);
    let results = run.finish();
    assert!(results.is_complete(), "{}", results.messages());
    assert_eq!(results.last("n"), Some(3.0));
}

#[test]
fn known_times_and_inputs_are_events() {
    let text = "
        model Counter
          input Real u(start = 1);
          Real x(start = 0, fixed = true);
          Integer n(start = 0, fixed = true);
          Boolean late = time > 0.45;
        equation
          der(x) = if late then 2*u else u;
          when sample(0.1, 0.2) then
            n = pre(n) + 1;
          end when;
        end Counter;";
    let mut run = model(text).exchange(&Experiment::until(1.0)).unwrap();
    assert_eq!(run.next_event(), Some(0.1));
    integrate(&mut run, 0.5, 0.3);
    assert_eq!((run.get("n"), run.get("late")), (Some(3.0), Some(1.0)));
    assert!((run.get("x").unwrap() - 0.55).abs() < 1e-12);
    assert_eq!(run.set("u", -1.0).unwrap(), Accepted::Jumps);
    integrate(&mut run, 1.0, 0.3);
    assert!((run.get("x").unwrap() + 0.45).abs() < 1e-12);
    assert_eq!(run.get("n"), Some(5.0));
    assert!(run.finish().is_complete());
}

#[test]
fn points_without_values_are_no_end() {
    let text = "model M Real x(start = 1, fixed = true); equation der(x) = -sqrt(x); assert(x > 0.2, \"low\"); end M;";
    let mut run = model(text).exchange(&Experiment::until(3.0)).unwrap();
    assert!(matches!(run.set_point(0.1, &[1.0, 2.0]), Err(WrongPoint::States { given: 2, expected: 1 })));
    assert!(matches!(run.set_point(0.1, &[-1.0]), Err(WrongPoint::NoValues(_))));
    run.set_point(0.1, &[0.9]).unwrap();
    assert_eq!(run.accept(), Accepted::Goes);
    run.set_point(0.2, &[0.1]).unwrap();
    assert_eq!(run.accept(), Accepted::End);
    assert!(matches!(run.set_point(0.3, &[0.1]), Err(WrongPoint::Ended)));
    let results = run.finish();
    assert!(results.messages().contains("low"), "{}", results.messages());
    assert_eq!(results.last("time").is_some(), results.last("x").is_some());
}

/// The states of a pendulum that turns over change during the run.
#[test]
fn state_sets_change_on_the_way() {
    let text = "
        model Pendulum
          Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), f;
        equation
          der(x) = vx;
          der(y) = vy;
          der(vx) = -f*x;
          der(vy) = -f*y - 9.81;
          x^2 + y^2 = 1;
        end Pendulum;";
    let pendulum = model(text);
    let mut run = pendulum.exchange(&Experiment::until(2.0)).unwrap();
    integrate(&mut run, 2.0, 1e-3);
    let whole = pendulum.simulate(&Experiment { tolerance: Some(1e-10), ..Experiment::until(2.0) }).unwrap();
    for name in ["x", "y", "vx", "vy"] {
        let off = run.get(name).unwrap() - whole.last(name).unwrap();
        assert!(off.abs() < 1e-6, "{name}: {off:e}");
    }
    assert!(run.finish().is_complete());
}
