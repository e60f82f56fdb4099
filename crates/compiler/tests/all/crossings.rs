//! Crossings of relations, counted, beside what the curves themselves come to on a fine grid.

use std::f64::consts::PI;

use rhei_numerics::Method;
use rhei_simulate::{EventSearch, Execution, Status};

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

const METHODS: [Method; 6] =
    [Method::Bdf, Method::FlcBdf, Method::Esdirk34, Method::TrBdf2, Method::Tsit45, Method::Rk4];

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

/// Whatever the source and the method are, and however careful the search is.
fn are_counted(crossings: impl IntoIterator<Item = Crossing>) {
    for (place, crossing) in crossings.into_iter().enumerate() {
        let expected = expected(&crossing);
        for (k, source) in SOURCES.iter().enumerate() {
            // each with another method, all with each in the end
            let method = METHODS[(place + k) % METHODS.len()];
            for events in [EventSearch::Careful, EventSearch::Proven] {
                let found = counted(&crossing, source, method, events);
                let said = &crossing.expression;
                assert_eq!(found, expected, "{said} > 0 with `{source}`, {method}, {events:?}");
            }
        }
    }
}

#[test]
fn fast_oscillations() {
    let frequencies = [0.7, 3.0, 12.5, 50.0, 123.0];
    are_counted(frequencies.into_iter().enumerate().map(|(k, f)| {
        let level = [0.9, -0.2, 0.5, 0.9, 0.999][k];
        crossing(format!("sin({}*u) - ({level})", 2.0 * PI * f), move |u| (2.0 * PI * f * u).sin() - level)
    }));
}

#[test]
fn pairs_within_a_step() {
    let widths = [2e-3 * INTERVAL, 1e-2 * INTERVAL, 0.1 * INTERVAL, INTERVAL, 30.0 * INTERVAL];
    are_counted(widths.into_iter().enumerate().map(|(k, width)| {
        let middle = 1.234_567 + 1.7 * k as f64;
        let half = 0.5 * width;
        crossing(format!("{} - (u - {middle})^2", half * half), move |u| half * half - (u - middle).powi(2))
    }));
}

#[test]
fn peaks_and_products() {
    are_counted([
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
        crossing("tanh(40*sin(5*u)) - 0.3".into(), |u| (40.0 * (5.0 * u).sin()).tanh() - 0.3),
        crossing("sqrt(1.02 + sin(30*u)) - 1.42".into(), |u| (1.02 + (30.0 * u).sin()).sqrt() - 1.42),
    ]);
}

/// What touches its border without passing it is no event.
#[test]
fn tangents() {
    are_counted([
        crossing("-(u - 3.3)^2".into(), |_| -1.0),
        crossing("sin(40*u) - 1".into(), |_| -1.0),
        crossing("-abs(u - 4)".into(), |_| -1.0),
        crossing("-(u - 2)^2*(u - 5)^2".into(), |_| -1.0),
        crossing("-(u - 2)^4*(u - 6)".into(), |u| if u < 6.0 { 1.0 } else { -1.0 }),
    ]);
}

/// Where the terms of a relation cancel, as in friction that sticks, ranges of them are wide however short a piece is, and their expansion
/// is narrow.
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
