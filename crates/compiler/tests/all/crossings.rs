//! Crossings of relations, counted, beside what the curves themselves come to on a fine grid.

use std::f64::consts::PI;

use rhei_numerics::Method;
use rhei_run::{EventSearch, Execution, Status};

use crate::workshop::{Settings, model, run_as};

const STOP: f64 = 10.0;
/// Without options there are 500 output intervals: a careful search may miss what comes and goes within a thousandth of one.
const INTERVAL: f64 = STOP / 500.0;
/// Points of the grid on which crossings are counted beside the run.
const GRID: usize = 4_000_000;

/// A relation `expression > 0` of `u`, and the same as a function.
struct Crossing {
    expression: String,
    value: Box<dyn Fn(f64) -> f64>,
}

/// How `u`, which is the time, comes about.
const SOURCES: [&str; 4] = [
    // no state at all
    "Real u = time;",
    // beside a slow state
    "Real u = time; Real x(start = 1, fixed = true); equation der(x) = -x/100;",
    // a state itself, with steps as long as the run
    "Real u(start = 0, fixed = true); equation der(u) = 1;",
    // made of states that turn
    "Real c(start = 1, fixed = true); Real s(start = 0, fixed = true); Real k(start = 0, fixed = true);
     Real u = k + 0*(c + s); equation der(c) = -s; der(s) = c; der(k) = c*c + s*s;",
];

/// Those that follow the states of the last source closely; then those whose steps are given and whose order is low.
const METHODS: [Method; 11] = [
    Method::Bdf,
    Method::FlcBdf,
    Method::Esdirk34,
    Method::TrBdf2,
    Method::Tsit45,
    Method::Rk4,
    Method::Euler,
    Method::Heun,
    Method::Midpoint,
    Method::ImplicitEuler,
    Method::ImplicitTrapezoid,
];
const CLOSE: usize = 6;

fn counted(crossing: &Crossing, source: &str, method: Method, events: EventSearch) -> i64 {
    let equation = if source.contains("equation") { "" } else { "equation" };
    let text = format!(
        "model M {source} {equation} when {} > 0 then n = pre(n) + 1; end when; Integer n(start = 0, fixed = true); end M;",
        crossing.expression
    );
    // declarations come first
    let text = match text.split_once("equation") {
        Some((head, rest)) => {
            let rest = rest.replace(" Integer n(start = 0, fixed = true);", "");
            format!("{head} Integer n(start = 0, fixed = true); equation {rest}")
        }
        None => text,
    };
    let settings = Settings {
        stop: Some(STOP),
        tolerance: Some(1e-8),
        method: Some(method),
        step: Some(STOP / 1000.0),
        events,
        ..Settings::default()
    };
    let (outcome, rows) = run_as(&model(&text), &settings, vec![STOP], Execution::default());
    assert_eq!(outcome.status, Status::Finished, "{text}: {:?}", outcome.diagnostics);
    rows.get("n").unwrap()[0] as i64
}

/// How often the relation becomes true, by the function itself.
fn expected(crossing: &Crossing) -> i64 {
    let at = |point: usize| (crossing.value)(STOP * point as f64 / GRID as f64) > 0.0;
    let mut before = at(0);
    let mut n = 0;
    for point in 1..=GRID {
        let now = at(point);
        n += i64::from(now && !before);
        before = now;
    }
    n
}

fn crossing(expression: String, value: impl Fn(f64) -> f64 + 'static) -> Crossing {
    Crossing { expression, value: Box::new(value) }
}

/// Runs each crossing with each source. Here each with another method, all with each in the end; `in_full`, with every method.
fn are_counted(crossings: impl IntoIterator<Item = Crossing>, in_full: bool) -> usize {
    let mut runs = 0;
    for (place, crossing) in crossings.into_iter().enumerate() {
        let expected = expected(&crossing);
        for (k, source) in SOURCES.iter().enumerate() {
            let methods = if k + 1 < SOURCES.len() { &METHODS[..] } else { &METHODS[..CLOSE] };
            let one = [methods[(place + 3 * k) % methods.len()]];
            for &method in if in_full { methods } else { &one } {
                for events in [EventSearch::Careful, EventSearch::Proven] {
                    let found = counted(&crossing, source, method, events);
                    let said = &crossing.expression;
                    assert_eq!(found, expected, "{said} > 0 with `{source}`, {method}, {events:?}");
                    runs += 1;
                }
            }
        }
    }
    runs
}

/// Frequencies beside the step, up to 12,300 crossings in a run whose steps may be as long as it is.
fn oscillations() -> Vec<Crossing> {
    let of = [
        (0.7, 0.9),
        (3.0, -0.2),
        (12.5, 0.5),
        (50.0, 0.9),
        (123.0, 0.999),
        // as often as there are output intervals, twice as often, and beside that
        (25.0, 0.3),
        (49.99, -0.7),
        (100.0, 0.1),
        (200.0, 0.95),
        (61.8, -0.99),
        (0.05, 0.5),
        (7.77, 0.0),
    ];
    let crossing = |(f, level): (f64, f64)| {
        crossing(format!("sin({}*u) - ({level})", 2.0 * PI * f), move |u| (2.0 * PI * f * u).sin() - level)
    };
    of.into_iter().map(crossing).collect()
}

/// Two crossings, from twice as close as a careful search may miss to three hundred output intervals.
fn pairs() -> Vec<Crossing> {
    let widths = [2e-3, 5e-3, 1e-2, 0.03, 0.1, 0.3, 1.0, 3.0, 30.0, 300.0];
    let crossing = |(k, width): (usize, f64)| {
        let middle = 3.234_567 + 0.31 * k as f64;
        let half = 0.5 * width * INTERVAL;
        crossing(format!("{} - (u - {middle})^2", half * half), move |u| half * half - (u - middle).powi(2))
    };
    widths.into_iter().enumerate().map(crossing).collect()
}

fn peaks_and_products() -> Vec<Crossing> {
    vec![
        crossing("exp(-((u - 3)/0.004)^2) + exp(-((u - 7)/0.02)^2) - 0.5".into(), |u| {
            (-((u - 3.0) / 0.004).powi(2)).exp() + (-((u - 7.0) / 0.02).powi(2)).exp() - 0.5
        }),
        crossing("sin(3*u)*sin(47*u) - 0.6".into(), |u| (3.0 * u).sin() * (47.0 * u).sin() - 0.6),
        crossing("(u - 2)*(u - 2.01)*(u - 8)*(8.5 - u)".into(), |u| {
            (u - 2.0) * (u - 2.01) * (u - 8.0) * (8.5 - u)
        }),
        crossing("1/(1 + (100*(u - 5.5))^2) - 0.5".into(), |u| {
            1.0 / (1.0 + (100.0 * (u - 5.5)).powi(2)) - 0.5
        }),
        crossing("abs(sin(9*u)) - 0.99".into(), |u| (9.0 * u).sin().abs() - 0.99),
        crossing("max(sin(20*u), cos(33*u)) - 0.95".into(), |u| {
            (20.0 * u).sin().max((33.0 * u).cos()) - 0.95
        }),
        crossing("min(sin(20*u), cos(33*u)) + 0.3".into(), |u| (20.0 * u).sin().min((33.0 * u).cos()) + 0.3),
        crossing("tanh(40*sin(5*u)) - 0.3".into(), |u| (40.0 * (5.0 * u).sin()).tanh() - 0.3),
        crossing("sqrt(1.02 + sin(30*u)) - 1.42".into(), |u| (1.02 + (30.0 * u).sin()).sqrt() - 1.42),
        crossing("log(1.1 + cos(17*u)) + 1".into(), |u| (1.1 + (17.0 * u).cos()).ln() + 1.0),
        crossing("sin(u*u*3) - 0.5".into(), |u| (3.0 * u * u).sin() - 0.5),
        crossing("exp(-0.2*u)*sin(31*u) - 0.4".into(), |u| (-0.2 * u).exp() * (31.0 * u).sin() - 0.4),
        crossing("atan2(sin(11*u), 1.5 + cos(7*u)) - 0.6".into(), |u| {
            f64::atan2((11.0 * u).sin(), 1.5 + (7.0 * u).cos()) - 0.6
        }),
        crossing("(1.2 + sin(13*u))^3 - 7".into(), |u| (1.2 + (13.0 * u).sin()).powi(3) - 7.0),
    ]
}

/// Branches that are taken without events, stairs among them.
fn branches() -> Vec<Crossing> {
    vec![
        // its border falls on instants at which the branch is not known, but for rounding
        crossing(
            "noEvent(if sin(6.283185307179586*u) >= 0 then 1 else -1)*sin(6.283185307179586*u) - 0.7".into(),
            |u| (2.0 * PI * u).sin().abs() - 0.7,
        ),
        crossing("noEvent(if cos(9*u) > 0.2 then sin(40*u) - 0.5 else -1)".into(), |u| {
            if (9.0 * u).cos() > 0.2 { (40.0 * u).sin() - 0.5 } else { -1.0 }
        }),
        crossing("noEvent(if u < 3.3 then u - 1.1 elseif u < 6.6 then 5 - u else u - 8.8)".into(), |u| {
            if u < 3.3 {
                u - 1.1
            } else if u < 6.6 {
                5.0 - u
            } else {
                u - 8.8
            }
        }),
        crossing("noEvent(max(0, sin(4*u) - 0.98)) - 1e-3".into(), |u| {
            ((4.0 * u).sin() - 0.98).max(0.0) - 1e-3
        }),
        crossing("noEvent(abs(u - 5)) - 0.001".into(), |u| (u - 5.0).abs() - 0.001),
    ]
}

/// An indicator that touches its border without passing it makes no event.
fn tangents() -> Vec<Crossing> {
    vec![
        crossing("-(u - 3.3)^2".into(), |_| -1.0),
        crossing("sin(40*u) - 1".into(), |_| -1.0),
        crossing("-abs(u - 4)".into(), |_| -1.0),
        crossing("-(u - 2)^2*(u - 5)^2".into(), |_| -1.0),
        crossing("-(u - 2)^4*(u - 6)".into(), |u| if u < 6.0 { 1.0 } else { -1.0 }),
        crossing("-max(0, u - 5)^2".into(), |_| -1.0),
        crossing("cos(12*u) - 1 - 1e-6".into(), |_| -1.0),
        crossing("cos(12*u) - 1 + 1e-6".into(), |u| (12.0 * u).cos() - 1.0 + 1e-6),
        crossing("(u - 2.5)*(u - 7.5)^2".into(), |u| if u > 2.5 { 1.0 } else { -1.0 }),
    ]
}

#[test]
fn fast_oscillations_are_counted() {
    are_counted(oscillations(), false);
}

#[test]
fn pairs_within_a_step_are_counted() {
    are_counted(pairs(), false);
}

#[test]
fn peaks_and_products_are_counted() {
    are_counted(peaks_and_products(), false);
}

#[test]
fn branches_are_counted() {
    are_counted(branches(), false);
}

#[test]
fn tangents_are_no_crossings() {
    are_counted(tangents(), false);
}

/// Two hundred models with every method: `cargo nextest run -p rhei-compiler --run-ignored only -E 'test(crossings)'`.
#[test]
#[ignore = "minutes; the tests above run a part"]
fn all_are_counted_with_every_method() {
    let all = [oscillations(), pairs(), peaks_and_products(), branches(), tangents()];
    let all: Vec<Crossing> = all.into_iter().flatten().collect();
    assert!(all.len() * SOURCES.len() >= 200);
    assert_eq!(are_counted(all, true), 50 * 2 * (3 * METHODS.len() + CLOSE));
}

/// A filter that follows its input more closely than the tolerance: where they cross, the curve of the step and the equations disagree
/// about which one is above next. The event changes neither, so nothing was turned back by it.
#[test]
fn extremes_of_a_signal_are_found_where_a_fast_filter_crosses_it() {
    let text = "model Extremes
      Real u = sin(56.5*time)*(2 + sin(11*time));
      Real x(start = 0, fixed = true);
      Real highest(start = 0, fixed = true);
      Real lowest(start = 0, fixed = true);
    equation
      der(x) = (u - x)/1e-6;
      when {u <= x, u >= x} then
        highest = max(pre(highest), u);
        lowest = min(pre(lowest), u);
      end when;
    end Extremes;";
    let u = |t: f64| (56.5 * t).sin() * (2.0 + (11.0 * t).sin());
    let at = |point: usize| u(point as f64 / 1e6);
    let most = (0..=1_000_000).map(at).fold(0.0, f64::max);
    let least = (0..=1_000_000).map(at).fold(0.0, f64::min);
    for method in [Method::Bdf, Method::FlcBdf] {
        for events in [EventSearch::Careful, EventSearch::Proven, EventSearch::Fast] {
            let settings = Settings { stop: Some(1.0), method: Some(method), events, ..Settings::default() };
            let (outcome, rows) = run_as(&model(text), &settings, vec![1.0], Execution::default());
            assert_eq!(outcome.status, Status::Finished, "{method}, {events:?}: {:?}", outcome.diagnostics);
            let off = |name: &str, is: f64| (rows.get(name).unwrap()[0] - is).abs();
            assert!(off("highest", most) < 1e-4, "{method}, {events:?}: {}", off("highest", most));
            assert!(off("lowest", least) < 1e-4, "{method}, {events:?}: {}", off("lowest", least));
        }
    }
}

/// The unknown of a loop has no formula: it is looked at, also within steps that are much longer than the output interval.
#[test]
fn crossings_of_a_loop_are_seen_in_long_steps() {
    let text = "model Loop
      Real x(start = 1, fixed = true);
      Real y;
      Integer n(start = 0, fixed = true);
    equation
      der(x) = -x/100;
      y + exp(y) = 1.5 + sin(2*3.141592653589793*50*time);
      when y > 0.2 then
        n = pre(n) + 1;
      end when;
    end Loop;";
    for method in &METHODS[..CLOSE - 1] {
        let settings = Settings { stop: Some(STOP), method: Some(*method), ..Settings::default() };
        let (outcome, rows) = run_as(&model(text), &settings, vec![STOP], Execution::default());
        assert_eq!(outcome.status, Status::Finished, "{method}: {:?}", outcome.diagnostics);
        assert_eq!(rows.get("n").unwrap()[0], 500.0, "{method}");
    }
}

/// Events reverse a rate again and again; what jumps without an event beside them is a millionth of what the tolerance sees.
#[test]
fn a_chopper_does_not_chatter() {
    let text = "model Chopper
      Real x(start = 0, fixed = true);
      Boolean on = mod(time, 2e-6) < 1e-6;
    equation
      der(x) = (if on then 1 else -1) + noEvent(if x > 0.5e-6 then 1e-13 else 0);
      when time > 0.005 then
        terminate(\"enough\");
      end when;
    end Chopper;";
    for method in &METHODS[..CLOSE - 1] {
        let settings = Settings { stop: Some(0.2), method: Some(*method), ..Settings::default() };
        let (outcome, _) = run_as(&model(text), &settings, vec![0.2], Execution::default());
        assert_eq!(outcome.status, Status::Terminated, "{method}: {:?}", outcome.diagnostics);
    }
}

/// If the terms of a relation cancel, as in friction that sticks, ranges of them are wide however short a piece is, and their
/// expansion is narrow.
#[test]
fn what_cancels_takes_few_enclosures() {
    let text = "model M
      Real x(start = 1, fixed = true);
      Real v(start = 0, fixed = true);
      Real a = (x + v)^2 + sin(x);
      Real b = x^2 + 2*x*v + v^2 + 2*sin(x/2)*cos(x/2);
      Integer n(start = 0, fixed = true);
    equation
      der(x) = v;
      der(v) = sin(3*time) - x - v/10;
      when a - b > 1e-9 then n = pre(n) + 1; end when;
    end M;";
    for events in [EventSearch::Careful, EventSearch::Proven] {
        let settings = Settings { stop: Some(STOP), tolerance: Some(1e-8), events, ..Settings::default() };
        let (outcome, rows) = run_as(&model(text), &settings, vec![STOP], Execution::default());
        assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
        assert_eq!(rows.get("n").unwrap(), &[0.0]);
        let (steps, enclosures) = (outcome.statistics.steps, outcome.enclosures);
        assert!(enclosures <= 5 * steps, "{events:?}: {enclosures} enclosures in {steps} steps");
    }
}

/// The current through an open switch is its conductance times its voltage: a relation between the two is at its border, up to rounding,
/// while both grow by many orders of magnitude.
#[test]
fn terms_that_cancel_cross_by_rounding_hardly_ever() {
    let open_switch = model(
        "model OpenSwitch
           parameter Real R = 3, G = 1e-5;
           Real u(start = 1e-30, fixed = true), v, i;
           Boolean quenched(start = true, fixed = true);
         equation
           der(u) = 20*u;
           u = v + R*i;
           i = G*v;
           quenched = abs(i)*(1 + R*G) <= G*abs(u) or pre(quenched);
         end OpenSwitch;",
    );
    for method in &METHODS[..CLOSE] {
        let settings =
            Settings { stop: Some(5.0), method: Some(*method), step: Some(0.01), ..Settings::default() };
        let (outcome, _) = run_as(&open_switch, &settings, vec![5.0], Execution::default());
        assert_eq!(outcome.status, Status::Finished, "{method}: {:?}", outcome.diagnostics);
        // the terms grow by 43 orders of magnitude, and outgrow a nudge at every 3.6 of them
        assert!(outcome.events <= 14, "{method}: {} events", outcome.events);
    }
}
