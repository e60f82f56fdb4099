//! Models of `tests/rest` that come to rest, stick or lock, with every method: never through the border, never endless, never silent.

use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_numerics::Method;
use rhei_run::{Execution, Status};

use crate::workshop::{Settings, compile_class, read, run_as};

const TOLERANCES: [f64; 6] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
const ROWS: usize = 400;

/// The expected rest of a model.
struct Case {
    name: &'static str,
    stop: f64,
    /// A variable, and the value that it never passes by more than the tolerance; the model rests there at the end.
    at_rest: (&'static str, f64),
    /// Whether the border is passed from below.
    from_below: bool,
    /// Nominal value.
    size: f64,
}

impl Case {
    fn new(name: &'static str, stop: f64, at_rest: (&'static str, f64)) -> Case {
        Case { name, stop, at_rest, from_below: false, size: 1.0 }
    }
}

fn model(name: &str) -> Arc<CompiledModel> {
    let (done, _) = compile_class(&read("tests/rest/Rest.mo"), Some(&format!("Rest.{name}")));
    done.model.unwrap_or_else(|| panic!("{name} is refused: {:?}", done.diagnostics))
}

/// All methods with all tolerances; the tolerance means nothing to methods with a fixed step.
fn ways() -> impl Iterator<Item = (Method, f64)> {
    let all = Method::ALL.into_iter();
    all.flat_map(|method| {
        let tolerances = if method.is_fixed_step() { &TOLERANCES[2..3] } else { &TOLERANCES[..] };
        tolerances.iter().map(move |&tolerance| (method, tolerance))
    })
}

fn settings(stop: f64, method: Method, tolerance: f64) -> Settings {
    Settings { stop: Some(stop), method: Some(method), tolerance: Some(tolerance), ..Settings::default() }
}

/// Of a method of the first order with a fixed step nothing is expected to be better than this.
const FIRST_ORDER: f64 = 2e-2;

fn comes_to_rest(case: Case) {
    let model = model(case.name);
    for (method, tolerance) in ways() {
        let times = (0..=ROWS).map(|row| case.stop * row as f64 / ROWS as f64).collect();
        let settings = settings(case.stop, method, tolerance);
        let (outcome, rows) = run_as(&model, &settings, times, Execution::default());
        let way = format!("{} with {method} at {tolerance:e}", case.name);
        assert_eq!(outcome.status, Status::Finished, "{way}: {:?}", outcome.diagnostics);
        let column = rows.get(case.at_rest.0).unwrap_or_else(|| panic!("{way}: nothing recorded"));
        let sign = if case.from_below { -1.0 } else { 1.0 };
        let beyond = column.iter().map(|x| sign * (case.at_rest.1 - x)).fold(f64::MIN, f64::max);
        let off = (column[ROWS] - case.at_rest.1).abs();
        let is_rough = matches!(method, Method::Euler | Method::ImplicitEuler);
        let allowed = if is_rough { FIRST_ORDER } else { tolerance.min(1e-6) } * case.size;
        assert!(beyond <= allowed.max(tolerance * case.size), "{way}: beyond its border by {beyond}");
        assert!(off <= allowed, "{way}: at rest {off} from its border");
    }
}

#[test]
fn balls_come_to_rest() {
    comes_to_rest(Case::new("Ball", 4.0, ("h", 0.0)));
    comes_to_rest(Case::new("DullBall", 3.0, ("h", 0.0)));
    comes_to_rest(Case::new("StuckBall", 3.0, ("h", 0.0)));
    comes_to_rest(Case::new("OtherOrder", 3.0, ("h", 0.0)));
    comes_to_rest(Case::new("Lies", 3.0, ("h", 0.0)));
    comes_to_rest(Case { size: 1e3, ..Case::new("HighBall", 120.0, ("h", 0.0)) });
    comes_to_rest(Case { size: 1e-6, ..Case::new("MicroBall", 0.01, ("h", 0.0)) });
}

#[test]
fn bodies_come_to_rest_at_borders_of_other_kinds() {
    comes_to_rest(Case { from_below: true, ..Case::new("Balloon", 12.0, ("h", 2.0)) });
    comes_to_rest(Case::new("Lift", 4.0, ("gap", 0.0)));
    comes_to_rest(Case::new("Pressed", 4.0, ("x", 0.0)));
    comes_to_rest(Case::new("Pendulum", 4.0, ("phi", 0.2)));
    comes_to_rest(Case::new("TwoBalls", 4.0, ("a.h", 0.0)));
    comes_to_rest(Case::new("TwoBalls", 4.0, ("b.h", 0.0)));
    comes_to_rest(Case::new("CaughtBelow", 6.0, ("h", -1e-3)));
    comes_to_rest(Case::new("Latch", 8.0, ("phi", 0.0)));
}

#[test]
fn bodies_stick_and_lock() {
    comes_to_rest(Case::new("Block", 2.0, ("v", 0.0)));
    comes_to_rest(Case { from_below: true, ..Case::new("Belt", 2.0, ("v", 1.0)) });
    comes_to_rest(Case { from_below: true, ..Case::new("Tank", 5.0, ("level", 1.0)) });
    comes_to_rest(Case::new("Clutch", 4.0, ("slip", 0.0)));
}

/// With Euler's method a ball that loses little gains more from each step than it loses.
#[test]
fn a_lively_ball_bounces_often_and_rests() {
    let model = model("LivelyBall");
    for (method, tolerance) in ways().filter(|(method, _)| *method != Method::Euler) {
        let (outcome, rows) =
            run_as(&model, &settings(30.0, method, tolerance), vec![30.0], Execution::default());
        assert_eq!(outcome.status, Status::Finished, "{method} at {tolerance}: {:?}", outcome.diagnostics);
        assert!(outcome.events > 150, "{method} at {tolerance}: {} events", outcome.events);
        let h = rows.get("h").unwrap()[0];
        let is_rough = method == Method::ImplicitEuler;
        assert!(h.abs() <= if is_rough { FIRST_ORDER } else { 1e-6 }, "{method} at {tolerance}: {h}");
    }
}

/// A model at rest may be released.
#[test]
fn a_ball_that_lies_falls_where_its_floor_opens() {
    let model = model("Trapdoor");
    for (method, tolerance) in ways() {
        let (outcome, rows) =
            run_as(&model, &settings(4.5, method, tolerance), vec![4.0, 4.5], Execution::default());
        assert_eq!(outcome.status, Status::Finished, "{method} at {tolerance}: {:?}", outcome.diagnostics);
        let (h, fallen) = (rows.get("h").unwrap(), -0.5 * 9.81 * 0.25);
        let off = if method.is_fixed_step() { 0.05 } else { 10.0 * tolerance };
        assert!(h[0].abs() < 0.01 && (h[1] - fallen).abs() <= off, "{method} at {tolerance}: {h:?}");
    }
}

#[test]
fn what_sticks_moves_again() {
    for (name, variable, expected) in [("StickSlip", "x", 7.11272), ("Ratchet", "phi", 2.74843)] {
        let model = model(name);
        for (method, tolerance) in ways() {
            let (outcome, rows) =
                run_as(&model, &settings(8.0, method, tolerance), vec![8.0], Execution::default());
            assert_eq!(outcome.status, Status::Finished, "{name}, {method}: {:?}", outcome.diagnostics);
            let off = if method.is_fixed_step() { FIRST_ORDER } else { (30.0 * tolerance).max(2e-5) };
            let found = rows.get(variable).unwrap()[0];
            assert!((found - expected).abs() <= off, "{name}, {method} at {tolerance}: {found}");
        }
    }
}

/// A model that cannot come to rest is refused where its events accumulate; it neither goes on for ever nor through its border.
#[test]
fn what_cannot_rest_is_refused() {
    for name in ["NoRest", "NoRestEither", "CaughtByNothing", "Relay"] {
        let model = model(name);
        for (method, tolerance) in ways() {
            let times = (0..=ROWS).map(|row| 8.0 * row as f64 / ROWS as f64).collect();
            let (outcome, rows) =
                run_as(&model, &settings(8.0, method, tolerance), times, Execution::default());
            let way = format!("{name} with {method} at {tolerance:e}");
            assert_eq!(outcome.status, Status::Failed, "{way}");
            assert!(
                outcome.diagnostics.iter().any(|said| said.id == "zeno"),
                "{way}: {:?}",
                outcome.diagnostics
            );
            let lowest = rows.get("h").map_or(0.0, |h| h.iter().fold(0.0, |low: f64, h| low.min(*h)));
            assert!(lowest >= -1e-3, "{way}: {lowest}");
        }
    }
}
