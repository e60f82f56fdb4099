//! Runs that go on from where they were saved.

use std::sync::Arc;

use rhei::{Experiment, InMemory, Method, Model, Reached, Results, Session, Simulation};

fn model(text: &str) -> Model {
    let files = InMemory::default().with_file("m.mo", text);
    Session::in_world(Arc::new(files), Vec::new())
        .compile("m.mo")
        .unwrap_or_else(|refused| panic!("{refused}"))
}

/// Something of all that a run remembers: events and `pre`, a delay, a clock, a loop, a state that is set anew.
const ALL: &str = "model All
  input Real push(start = 0);
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  discrete Integer bounces(start = 0, fixed = true);
  Real late = delay(h, 0.15);
  Real sampled = sample(h, Clock(1, 10));
  Real slow(start = 0, fixed = true);
  Real sum = hold(previous(total));
  Real total(start = 0) = previous(total) + sampled;
  Real y;
equation
  der(h) = v;
  der(v) = -9.81 + push;
  der(slow) = sum - slow;
  y + y^3 = h + late;
  when h <= 0 then
    reinit(v, -0.7*pre(v));
    bounces = pre(bounces) + 1;
  end when;
end All;";

/// A pendulum in coordinates of which a run chooses the states.
const PENDULUM: &str = "model Pendulum
  Real x(start = 0.6, fixed = true);
  Real y(start = 0.8);
  Real vx(start = 0, fixed = true);
  Real vy;
  Real force;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -force*x;
  der(vy) = -force*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;";

/// Caught at a rope: a constraint comes and goes.
const ROPE: &str = "model Rope
  Real h(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real tension;
  Boolean taut = h <= 0;
equation
  der(h) = v;
  der(v) = -9.81 + tension;
  if taut then
    v = 0;
  else
    tension = 0;
  end if;
end Rope;";

fn experiment(method: Method, stop: f64) -> Experiment {
    let step = method.is_fixed_step().then_some(0.002);
    Experiment { method: Some(method), step, tolerance: Some(1e-8), ..Experiment::until(stop) }
}

fn finished(run: Simulation) -> Results {
    let results = run.finish();
    assert!(results.is_complete(), "{}", results.messages());
    results
}

/// All rows of two runs, as far apart as they are.
fn distance(a: &Results, b: &Results) -> f64 {
    assert_eq!(a.time().len(), b.time().len());
    let names = a.rows().columns().iter().map(|column| column.name.as_str());
    let distance = |name: &str| {
        let pairs = a.get(name).unwrap().iter().zip(b.get(name).unwrap());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    names.map(distance).fold(0.0, f64::max)
}

/// A run that is saved, goes on to its end, goes back, and goes on to its end once more; and the same by another simulation.
fn check(text: &str, method: Method, saved_at: f64, stop: f64, off: f64) -> Results {
    let model = model(text);
    let experiment = experiment(method, stop);
    let mut run = model.start(&experiment).unwrap();
    assert_eq!(run.run_to(saved_at), Reached::Time);
    let snapshot = run.save().unwrap();
    assert_eq!(snapshot.time(), saved_at);
    run.run_to(stop);
    let whole = finished(run);

    let mut again = model.start(&experiment).unwrap();
    again.run_to(0.9 * stop);
    again.restore(&snapshot).unwrap();
    assert_eq!(again.time(), saved_at);
    assert_eq!(again.run_to(stop), Reached::End);
    let again = finished(again);
    let apart = distance(&whole, &again);
    assert!(apart <= off, "{method}: {apart}");
    assert_eq!(whole.outcome.events, again.outcome.events, "{method}");

    let mut other = model.start(&experiment).unwrap();
    other.restore(&snapshot).unwrap();
    other.run_to(stop);
    assert_eq!(distance(&finished(other), &again), 0.0, "{method}: a snapshot may be used again");
    whole
}

#[test]
fn a_run_goes_on_from_a_snapshot_to_the_same_bits() {
    for method in [Method::FlcBdf, Method::Rk4, Method::ImplicitEuler] {
        for saved_at in [0.0, 0.3, 1.0] {
            check(ALL, method, saved_at, 1.6, 0.0);
        }
    }
}

#[test]
fn it_goes_on_within_the_tolerance_where_the_integrator_starts_anew() {
    for method in [Method::Bdf, Method::Tsit45, Method::Esdirk34, Method::TrBdf2] {
        check(ALL, method, 0.3, 0.9, 1e-4);
    }
}

#[test]
fn state_sets_and_modes_are_as_they_were() {
    let swung = check(PENDULUM, Method::FlcBdf, 1.0, 3.0, 0.0);
    let changes = &swung.outcome.set_changes;
    assert!(changes.iter().any(|change| change.time < 1.0), "{changes:?}");
    assert!(changes.iter().any(|change| change.time > 1.0), "{changes:?}");
    for saved_at in [0.2, 0.7] {
        let caught = check(ROPE, Method::FlcBdf, saved_at, 1.0, 0.0);
        let modes: Vec<f64> = caught.outcome.mode_changes.iter().map(|change| change.time).collect();
        assert!(modes.len() == 1 && (0.4..0.5).contains(&modes[0]), "{modes:?}");
    }
}

#[test]
fn inputs_that_were_set_come_back() {
    let model = model(ALL);
    let mut run = model.start(&experiment(Method::FlcBdf, 1.0)).unwrap();
    run.run_to(0.2);
    run.set("push", 5.0).unwrap();
    let snapshot = run.save().unwrap();
    run.set("push", 1.0).unwrap();
    run.run_to(0.4);
    run.restore(&snapshot).unwrap();
    assert_eq!((run.time(), run.get("push")), (0.2, Some(5.0)));
    run.run_to(0.3);
    assert_eq!(run.derivatives()[1], -9.81 + 5.0);
}

#[test]
fn a_snapshot_of_another_model_is_refused() {
    let (one, other) = (model(ROPE), model(ALL));
    let snapshot = one.start(&Experiment::default()).unwrap().save().unwrap();
    assert!(other.start(&Experiment::default()).unwrap().restore(&snapshot).is_err());
    let mut ended = one.start(&Experiment::default()).unwrap();
    ended.run_to(2.0);
    assert!(ended.save().is_none(), "what has ended does not go on");
}

#[test]
fn a_run_is_saved_within_a_step_of_the_integrator() {
    // sampled values affect no state
    let text = "model Logged
      Real x(start = 1, fixed = true);
      Real v(start = 0, fixed = true);
      discrete Real log(start = 0, fixed = true);
    equation
      der(x) = v;
      der(v) = -x;
      when sample(0.01, 0.013) then
        log = pre(log) + x;
      end when;
    end Logged;";
    let model = model(text);
    for (method, off) in [(Method::FlcBdf, 0.0), (Method::Bdf, 1e-5)] {
        let experiment = experiment(method, 4.0);
        let mut run = model.start(&experiment).unwrap();
        run.run_to(2.0);
        assert_eq!(run.run_to_event(4.0), Reached::Event);
        let (snapshot, x) = (run.save().unwrap(), run.get("x").unwrap());
        run.run_to(4.0);
        let whole = finished(run);
        let mut again = model.start(&experiment).unwrap();
        again.restore(&snapshot).unwrap();
        assert_eq!(again.get("x"), Some(x), "{method}");
        again.run_to(4.0);
        let apart = distance(&whole, &finished(again));
        assert!(apart <= off, "{method}: {apart}");
    }
}
