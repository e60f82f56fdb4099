//! Runs that are led from outside, beside those that lead themselves.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rhei::{Experiment, InMemory, Model, Reached, Session, Status, Value};

fn model(text: &str) -> Model {
    let files = InMemory::default().with_file("m.mo", text);
    Session::in_world(Arc::new(files), Vec::new())
        .compile("m.mo")
        .unwrap_or_else(|refused| panic!("{refused}"))
}

const BALL: &str = "model Ball
  parameter Real e = 0.7;
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  discrete Integer bounces(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h <= 0 then
    reinit(v, -e*pre(v));
    bounces = pre(bounces) + 1;
  end when;
  annotation(experiment(StopTime = 1.5));
end Ball;";

#[test]
fn eight_threads_run_one_model_to_the_same_bits() {
    let ball = model(BALL);
    let end = |ball: &Model| {
        let results = ball.simulate(&Experiment::default()).unwrap();
        assert!(results.is_complete(), "{}", results.messages());
        results.get("h").unwrap().iter().map(|h| h.to_bits()).collect::<Vec<_>>()
    };
    let alone = end(&ball);
    let others: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| end(&ball))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(others.iter().all(|other| *other == alone));
}

#[test]
fn a_run_that_is_led_to_its_end_at_once_is_the_same_run() {
    let ball = model(BALL);
    let whole = ball.simulate(&Experiment::default()).unwrap();
    let mut led = ball.start(&Experiment::default()).unwrap();
    assert_eq!(led.run_to(f64::INFINITY), Reached::End);
    let led = led.finish();
    assert_eq!(led.outcome.status, Status::Finished);
    assert_eq!((led.time(), led.get("h")), (whole.time(), whole.get("h")));
    assert_eq!(led.outcome.events, whole.outcome.events);
}

#[test]
fn events_are_reached_one_by_one() {
    let mut run = model(BALL).start(&Experiment::default()).unwrap();
    let fall = f64::sqrt(2.0 / 9.81);
    assert_eq!(run.run_to_event(1.5), Reached::Event);
    assert!((run.time() - fall).abs() < 1e-6, "{}", run.time());
    assert_eq!(run.get("bounces"), Some(1.0));
    assert!(run.get("v").unwrap() > 3.0, "after the event");
    assert_eq!(run.run_to(1.0), Reached::Time);
    assert_eq!(run.time(), 1.0);
    assert_eq!(run.event_indicators().len(), 1);
    assert_eq!(run.run_to(9.0), Reached::End);
    assert_eq!(run.run_to(9.0), Reached::End, "it stays there");
    assert_eq!(run.finish().outcome.status, Status::Finished);
}

#[test]
fn pieces_make_the_whole() {
    let oscillator = model(
        "model M Real x(start = 1, fixed = true); Real v(start = 0, fixed = true); equation der(x) = v; der(v) = -x; end M;",
    );
    let mut run = oscillator.start(&Experiment::until(10.0)).unwrap();
    for piece in 1..10 {
        assert_eq!(run.run_to(f64::from(piece)), Reached::Time);
        let off = (run.get("x").unwrap() - f64::from(piece).cos()).abs();
        assert!(off < 1e-4, "{off} at {piece}");
    }
    let before = run.time();
    assert_eq!(run.step(), Reached::Time);
    assert!(run.time() > before);
    assert_eq!(run.finish().outcome.status, Status::Stopped);
}

#[test]
fn inputs_are_events() {
    let mut run = model(
        "model M
           input Real u(start = 0);
           input Boolean open(start = false);
           parameter Real twice = 2;
           Real x(start = 0, fixed = true);
           Real y;
           Integer n(start = 0, fixed = true);
         equation
           der(x) = twice*u;
           y + 2*y^3 = if open then 3*u else 0;
           when u > 0.5 then
             n = pre(n) + 1;
           end when;
         end M;",
    )
    .start(&Experiment::until(4.0))
    .unwrap();
    let steps = [(0.0, false, 0.0), (1.0, true, 1.0), (0.25, true, 1.0), (0.75, false, 2.0)];
    let mut x = 0.0;
    for (second, (u, open, n)) in steps.into_iter().enumerate() {
        assert_eq!(run.set("u", u).unwrap(), Reached::Event);
        run.set("open", open).unwrap();
        assert_eq!((run.get("u"), run.get("n")), (Some(u), Some(n)), "in second {second}");
        assert!((run.get("x").unwrap() - x).abs() < 1e-9, "nothing jumps");
        let y = run.get("y").unwrap();
        let expected = if open { 3.0 * u } else { 0.0 };
        assert!((y + 2.0 * y.powi(3) - expected).abs() < 1e-9, "{y} in second {second}");
        x += 2.0 * u;
        run.run_to(second as f64 + 1.0);
        assert!((run.get("x").unwrap() - x).abs() < 1e-6, "in second {second}");
    }
    let wrong = run.set("v", 1.0).unwrap_err();
    assert_eq!(wrong.diagnostics[0].id, "setting-unknown");
    assert_eq!(run.set("u", true).unwrap_err().diagnostics[0].id, "setting-type");
}

#[test]
fn states_can_be_set() {
    let mut run =
        model("model M Real x(start = 1, fixed = true); Real y = 2*x; equation der(x) = -x; end M;")
            .start(&Experiment::until(2.0))
            .unwrap();
    run.run_to(1.0);
    assert_eq!(run.state_names(), ["x"]);
    run.set_states(&[5.0]);
    assert_eq!((run.states(), run.derivatives(), run.get("y")), (vec![5.0], vec![-5.0], Some(10.0)));
    run.run_to(2.0);
    assert!((run.finish().last("x").unwrap() - 5.0 * (-1.0f64).exp()).abs() < 1e-5);
}

#[test]
fn a_run_can_be_interrupted() {
    let mut run = model(BALL).start(&Experiment::default()).unwrap();
    run.run_to(0.2);
    run.interrupt().store(true, Ordering::Relaxed);
    assert_eq!(run.run_to(1.0), Reached::End);
    assert_eq!(run.finish().outcome.status, Status::Stopped);
}

#[test]
fn a_run_that_cannot_begin_says_why() {
    let mut run =
        model("model M Real x; equation x^2 = -1 - time; end M;").start(&Experiment::default()).unwrap();
    assert_eq!((run.run_to(1.0), run.get("x")), (Reached::End, None));
    let results = run.finish();
    assert_eq!(results.outcome.status, Status::Failed);
    assert!(results.messages().contains("error["), "{}", results.messages());
}

#[test]
fn parameters_are_set_by_type() {
    let chain = "model Chain
        type Mode = enumeration(Off, Slow, Full);
        parameter Integer n = 2;
        parameter Real k[2] = {1, 1};
        parameter Mode mode = Mode.Off;
        Real x[n](each start = 1, each fixed = true);
        Real speed = if mode == Mode.Full then 2 else 1;
      equation
        der(x) = -k[1]*speed*x;
      end Chain;";
    let two = model(chain);
    let fast = two.with("k", [2.0, 1.0]).unwrap().with("mode", Value::Literal("Full".into())).unwrap();
    let end = |model: &Model| model.simulate(&Experiment::default()).unwrap().last("x[1]").unwrap();
    assert!((end(&two) - (-1.0f64).exp()).abs() < 1e-5);
    assert!((end(&fast) - (-4.0f64).exp()).abs() < 1e-5);
    assert_eq!(two.with("n", 3).unwrap_err().diagnostics[0].id, "setting-structural");
    assert_eq!(two.with("n", 0.5).unwrap_err().diagnostics[0].id, "setting-type");

    let files = InMemory::default().with_file("m.mo", chain);
    let mut session = Session::in_world(Arc::new(files), Vec::new());
    let three = session.compile_with("m.mo", None, &[("n", 3.into())]).unwrap();
    assert_eq!(three.states(), ["x[1]", "x[2]", "x[3]"]);
    let info = three.variables();
    assert!(info.iter().any(|variable| variable.name == "der(x[3])"));
}
