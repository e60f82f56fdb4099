//! Very many ticks: none is late, and none is lost; and a mechanism that ticks.

use rhei_run::{Options, simulate};

use crate::workshop::{Settings, compile, run};

/// Counts ticks, and those that are not at the number nearest to their place.
const TICKS: &str = "model Ticks
  Integer n(start = 0, fixed = true);
  Integer late(start = 0, fixed = true);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when sample(0, 1e-5) then
    n = pre(n) + 1;
    late = if abs(time - 1e-5*pre(n)) > 0 then pre(late) + 1 else pre(late);
  end when;
end Ticks;
";

/// Ticks over `stop` seconds and how many of them were late; nothing is kept but the last row.
fn ticks(stop: f64) -> (f64, f64, f64) {
    let (done, _) = compile(TICKS);
    let model = done.model.expect("it compiles");
    let options = Options::until(stop);
    let (columns, recorded) = model.columns(|_| true);
    let mut rows = rhei_results::Trajectories::new(columns);
    let outcome = simulate(&model, &options, &recorded, &mut rows);
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    let last = |name: &str| rows.get(name).expect("it is recorded")[0];
    (last("n"), last("late"), last("x"))
}

#[test]
fn no_tick_of_ten_thousand_is_late() {
    let (n, late, x) = ticks(0.1);
    assert_eq!((n, late), (10_001.0, 0.0));
    assert!((x - 0.1).abs() < 1e-6, "{x}");
}

#[test]
#[ignore = "takes a few seconds"]
fn no_tick_of_a_million_is_late() {
    let (n, late, x) = ticks(10.0);
    assert_eq!((n, late), (1_000_001.0, 0.0));
    assert!((x - 10.0).abs() < 1e-5, "{x}");
}

/// A pendulum that goes round and round, in Cartesian coordinates, integrated from tick to tick.
fn pendulum(per_second: u32, method: &str) -> String {
    format!(
        "model Pendulum
  Real g = sample(9.81, Clock(Clock(1, {per_second}), \"{method}\"));
  Real x(start = 0, fixed = true), y(start = -1);
  Real vx(start = 7, fixed = true), vy(start = 0);
  Real F;
  Real off = abs(x^2 + y^2 - 1);
  Real slides = abs(x*vx + y*vy);
  Real worst(start = 0) = max(previous(worst), max(off, slides));
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - g;
  x^2 + y^2 = 1;
end Pendulum;
"
    )
}

/// The value of `y` after a second, the largest distance from the constraints, and the number of chart changes.
fn swing(per_second: u32, method: &str) -> (f64, f64, usize) {
    let (done, _) = compile(&pendulum(per_second, method));
    let model = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let settings = Settings { stop: Some(1.0), tolerance: Some(1e-9), ..Settings::default() };
    let (outcome, rows) = run(&model, &settings, vec![1.0]);
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    let last = |name: &str| rows.get(name).expect("it is recorded")[0];
    // places and speeds are two sets that change together
    let mut times: Vec<f64> = outcome.chart_changes.iter().map(|change| change.time).collect();
    times.dedup();
    (last("y"), last("worst"), times.len())
}

/// The position after a second (S2-A3).
const EXACT: f64 = 0.237062863;

#[test]
fn states_of_a_mechanism_that_ticks_are_chosen_at_ticks() {
    // X-A1: of first order, on its constraints at every tick
    for (per_second, error) in [(1000, 0.109), (2000, 0.0539), (4000, 0.0268), (10_000, 0.0107)] {
        let (y, worst, changes) = swing(per_second, "ExplicitEuler");
        assert!(((y - EXACT).abs() - error).abs() <= 0.006 * error, "{per_second}: {y}");
        assert!(worst <= 1e-12, "{per_second}: {worst}");
        assert_eq!(changes, 3, "{per_second}");
    }
}

#[test]
fn every_method_goes_on_with_other_states() {
    let allowed = [
        ("ExplicitMidPoint2", 1e-4),
        ("ExplicitRungeKutta4", 1e-8),
        ("ImplicitEuler", 0.11),
        ("ImplicitTrapezoid", 1e-4),
        ("Rosenbrock2", 1e-4),
        ("External", 2e-7),
    ];
    for (method, allowed) in allowed {
        let (y, worst, changes) = swing(1000, method);
        assert!((y - EXACT).abs() <= allowed, "{method}: {y}");
        assert!(worst <= 1e-12 && changes == 3, "{method}: {worst}, {changes}");
    }
}
