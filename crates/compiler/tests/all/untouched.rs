//! The cost of events and of the search for them, counted: events that the integrator does not see cost it nothing.

use rhei_run::Outcome;

use crate::workshop::{Settings, compile, run};

/// How a model of an oscillator with these declarations and equations in addition runs for ten seconds.
fn outcome(declarations: &str, equations: &str) -> Outcome {
    let text = format!(
        "model M\n  Real x(start = 1, fixed = true);\n  Real v(start = 0, fixed = true);\n  {declarations}\nequation\n  \
         der(x) = v;\n  der(v) = -x;\n  {equations}\nend M;\n"
    );
    let (done, _) = compile(&text);
    let model = done.model.unwrap_or_else(|| panic!("{:?}\n{text}", done.diagnostics));
    let settings = Settings { stop: Some(10.0), ..Settings::default() };
    let (outcome, _) = run(&model, &settings, vec![10.0]);
    assert!(outcome.diagnostics.is_empty(), "{:?}\n{text}", outcome.diagnostics);
    outcome
}

#[test]
fn ticks_that_the_integrator_does_not_see_cost_no_step() {
    let alone = outcome("", "");
    for (declarations, equations) in [
        ("Integer n(start = 0, fixed = true);", "when sample(0.05, 0.1) then n = pre(n) + 1; end when;"),
        ("discrete Real seen(start = 0, fixed = true);", "when sample(0.05, 0.1) then seen = x; end when;"),
        ("Boolean late = time >= 5; Real y = if late then x else v;", ""),
        ("Integer n(start = 0, fixed = true);", "when x > 0.5 then n = pre(n) + 1; end when;"),
        (
            "Boolean even(start = true, fixed = true); Integer n(start = 0, fixed = true);",
            "when sample(0.05, 0.1) then even = not pre(even); end when; when even then n = pre(n) + 1; end when;",
        ),
        // a clock whose values go nowhere, or only to where they are looked at
        ("Real sum(start = 0) = previous(sum) + sample(x, Clock(1, 20));", ""),
        ("Real sum(start = 0) = previous(sum) + sample(x, Clock(1, 20)); Real y = hold(sum) + x;", ""),
    ] {
        let ticking = outcome(declarations, equations);
        assert!(ticking.events > 0);
        assert_eq!(ticking.statistics, alone.statistics, "{declarations} {equations}");
    }
}

#[test]
fn ticks_that_it_sees_begin_anew() {
    let alone = outcome("", "");
    for (declarations, equations) in [
        // by a discrete variable in a derivative, by way of another one, by a state, by its own `pre`
        (
            "discrete Real u(start = 0, fixed = true); Real z(start = 0, fixed = true);",
            "when sample(0.05, 0.1) then u = x; end when; der(z) = u;",
        ),
        (
            "Integer n(start = 0, fixed = true); Boolean odd = mod(n, 2) == 1; Real z(start = 0, fixed = true);",
            "when sample(0.05, 0.1) then n = pre(n) + 1; end when; der(z) = if odd then 1 else 0;",
        ),
        ("Real u = sample(x, Clock(1, 20)); Real z(start = 0, fixed = true);", "der(z) = hold(u);"),
        (
            "Real z(start = 0, fixed = true);",
            "der(z) = 1; when sample(0.05, 0.1) then reinit(z, 0); end when;",
        ),
    ] {
        let ticking = outcome(declarations, equations);
        assert!(ticking.statistics.steps > 2 * alone.statistics.steps, "{declarations} {equations}");
    }
}

#[test]
fn a_step_is_looked_at_three_times() {
    let looking = outcome("Boolean high = x > 2;", "");
    assert_eq!(looking.statistics, outcome("", "").statistics);
    // eight early looks in the first step, the start, and the row at the end
    assert!(looking.evaluations <= 3 * looking.statistics.steps + 10, "{looking:?}");
}
