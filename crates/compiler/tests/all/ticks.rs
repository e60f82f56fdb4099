//! Very many ticks: none is late, and none is lost.

use rhei_simulate::{Options, OutputTimes, simulate};

use crate::workshop::compile;

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
    let options = Options {
        start_time: 0.0,
        stop_time: stop,
        tolerance: 1e-6,
        method: rhei_numerics::Method::Bdf,
        step: 1.0,
        output: OutputTimes::At(vec![stop]),
        set: Default::default(),
        execution: Default::default(),
    };
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
