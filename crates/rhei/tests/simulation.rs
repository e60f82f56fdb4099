//! Runs led by the caller, beside whole runs.

use std::sync::Arc;

use rhei::{
    Causality, Experiment, InMemory, Model, Reached, Results, Role, Session, Status, Value, Variability,
    VariableType, Watch, eigenvalues,
};

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
    run.set_states(&[5.0]).unwrap();
    assert_eq!((run.states(), run.derivatives(), run.get("y")), (vec![5.0], vec![-5.0], Some(10.0)));
    run.run_to(2.0);
    assert!((run.finish().last("x").unwrap() - 5.0 * (-1.0f64).exp()).abs() < 1e-5);
}

#[test]
fn a_run_can_be_interrupted() {
    let mut run = model(BALL).start(&Experiment::default()).unwrap();
    run.run_to(0.2);
    run.watch().interrupt();
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
    assert_eq!(three.state_names(), ["x[1]", "x[2]", "x[3]"]);
    let info = three.variables();
    assert!(info.iter().any(|variable| variable.name == "der(x[3])"));
}

#[test]
fn a_model_can_be_sent_and_shared() {
    fn is_shared<T: Send + Sync>() {}
    fn is_sent<T: Send>() {}
    is_shared::<Model>();
    is_shared::<Experiment>();
    is_shared::<Watch>();
    is_shared::<Results>();
    is_sent::<Session>();
}

#[test]
fn a_run_tells_how_far_it_is_and_can_be_ended_from_another_thread() {
    let model = model(
        "model M Real x(start = 1, fixed = true); Real v(start = 0, fixed = true); equation der(x) = v; der(v) = -x; end M;",
    );
    let watch = Watch::new();
    assert_eq!(watch.progress(), None, "nothing has begun");
    let experiment =
        Experiment { watch: Some(watch.clone()), start_time: Some(2.0), ..Experiment::until(1e9) };
    let results = std::thread::scope(|scope| {
        let run = scope.spawn(|| model.simulate(&experiment).unwrap());
        let seen = loop {
            match watch.progress() {
                Some(progress) if progress.steps >= 100 => break progress,
                _ => std::thread::yield_now(),
            }
        };
        assert!(seen.time > 2.0 && seen.share > 0.0 && seen.share < 1.0, "{seen:?}");
        watch.interrupt();
        run.join().unwrap()
    });
    assert_eq!(results.outcome.status, Status::Stopped);
    assert!(results.outcome.statistics.steps >= 99);

    let mut run = model.start(&Experiment::until(4.0)).unwrap();
    run.run_to(1.0);
    let progress = run.progress().unwrap();
    assert!((0.25..0.5).contains(&progress.share) && progress.time >= 1.0, "{progress:?}");
    run.run_to(4.0);
    assert_eq!(run.progress().unwrap().share, 1.0);
}

#[test]
fn variables_are_told_as_they_are_declared() {
    let model = model(
        "model M
           type Mode = enumeration(Off, Slow, Full);
           parameter Real k(unit = \"1/s\", min = 0, max = 10) = 2 \"How fast\";
           parameter Real twice = 2*k;
           parameter Integer n = 3;
           parameter Boolean open = true;
           parameter Mode mode = Mode.Slow;
           parameter String file = \"a.csv\";
           input Real u(start = 0.5);
           output Real y[2];
           Real T(unit = \"K\", displayUnit = \"degC\", start = 2*k, fixed = true, nominal = 300);
           discrete Integer count(start = 1, fixed = true);
         equation
           der(T) = -k*T + u;
           y = {T, twice*n};
           when T < 1 then
             count = pre(count) + 1;
           end when;
         end M;",
    );
    let model = model.with("k", 3.0).unwrap();
    let variables = model.variables();
    let of = |name: &str| variables.iter().find(|variable| variable.name == name).unwrap();
    let k = of("k");
    assert_eq!((&k.ty, k.unit, k.description), (&VariableType::Real, Some("1/s"), "How fast"));
    assert_eq!((k.variability, k.causality), (Variability::Parameter, Causality::Parameter));
    assert_eq!((k.start.clone(), k.min, k.max), (Some(Value::Real(3.0)), Some(0.0), Some(10.0)));
    assert_eq!(of("twice").start, Some(Value::Real(6.0)), "by the value that was set");
    assert_eq!((&of("n").ty, of("n").start.clone()), (&VariableType::Integer, Some(Value::Integer(3))));
    assert_eq!(
        (&of("open").ty, of("open").start.clone()),
        (&VariableType::Boolean, Some(Value::Boolean(true)))
    );
    let mode = of("mode");
    assert!(
        matches!(&mode.ty, VariableType::Enumeration { name, literals }
            if name.ends_with("Mode") && *literals == ["Off", "Slow", "Full"]),
        "{mode:?}"
    );
    assert!(matches!(&mode.start, Some(Value::Literal(name)) if name.ends_with(".Slow")), "{mode:?}");
    assert_eq!((&of("file").ty, of("file").start.clone()), (&VariableType::String, Some("a.csv".into())));
    let u = of("u");
    assert_eq!(
        (u.causality, u.variability, u.start.clone()),
        (Causality::Input, Variability::Continuous, Some(Value::Real(0.5)))
    );
    assert_eq!((of("y[2]").causality, of("y[2]").start.clone()), (Causality::Output, None));
    let t = of("T");
    assert_eq!((t.unit, t.display_unit, t.nominal), (Some("K"), Some("degC"), Some(300.0)));
    assert_eq!((t.start.clone(), t.fixed), (Some(Value::Real(6.0)), true));
    assert_eq!(of("count").variability, Variability::Discrete);
    assert_eq!(of("der(T)").variability, Variability::Continuous);
}

#[test]
fn states_are_told_with_their_reasons() {
    let model = model(
        "model M
           Real x(start = 1, fixed = true);
           Real y;
           Real z;
         equation
           der(x) + der(y) = -z;
           y = 2*x;
           z = x;
         end M;",
    );
    let report = model.states(&Experiment::default()).unwrap();
    assert_eq!((report.n_states, report.sets.len()), (1, 0));
    let dummy = report.variables.iter().find(|variable| variable.role == Role::Dummy).unwrap();
    let state = report.variables.iter().find(|variable| variable.role == Role::State).unwrap();
    assert_eq!(report.states, std::slice::from_ref(&state.name));
    assert!(!state.why.is_empty());
    assert_eq!(dummy.given_from, std::slice::from_ref(&state.name));
    assert!(dummy.given_by[0].contains("2*x"), "{dummy:?}");
    assert!(dummy.change.as_ref().is_some_and(|change| change.contains("stateSelect")), "{dummy:?}");
}

#[test]
fn a_model_is_linearised_where_it_is_asked_to() {
    let model = model(
        "model M
           input Real u(start = 0);
           output Real y = 3*x;
           Real x(start = 1, fixed = true);
         equation
           der(x) = -x^2 + u;
         end M;",
    );
    let linear = |experiment: &Experiment| model.linearize(experiment).unwrap().matrices.unwrap();
    let at_start = linear(&Experiment::default());
    assert_eq!((at_start.time, &at_start.a, &at_start.c), (0.0, &vec![vec![-2.0]], &vec![vec![3.0]]));
    assert_eq!((at_start.b, at_start.inputs), (vec![vec![1.0]], vec!["u".to_owned()]));
    // x = 1/(1 + t)
    let later = linear(&Experiment::until(1.0));
    assert!((later.a[0][0] + 1.0).abs() < 1e-5, "{later:?}");
    assert_eq!(eigenvalues(&later.a).unwrap()[0].1, 0.0);
}
