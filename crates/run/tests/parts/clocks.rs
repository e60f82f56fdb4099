//! Parts that tick.

use crate::Run;

#[test]
fn each_tick_sees_the_values_before_it() {
    // x = t is sampled at 0, 0.1, 0.2, …: up to 0.25 that sums to 0.3
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           given discrete s
           unknown y(start = 0)
           previous pre(y)
           given discrete h
           unknown z
         equation
           der(x) = 1
           y = pre(y) + s
           z = h
         clock
           clock c = 1/10
           sample s = x, c
           hold h = y
           remember pre(y)",
        0.25,
    )
    .finished();
    run.assert_at("z", 0.25, 0.3, 1e-9);
    assert_eq!(run.outcome.events, 2, "the first tick belongs to the start");
}

#[test]
fn every_second_tick() {
    // n counts the ticks at 0, 0.1, …, 0.5: six; its copy is taken at 0, 0.2, 0.4, when there were five
    let run = Run::of(
        "model M
           unknown n(start = 0)
           previous pre(n)
           given discrete t
           unknown m
           given discrete h
           unknown z
         equation
           n = pre(n) + 1
           m = t
           z = h
         clock
           clock c = 1/10
           equation 1, c
           remember pre(n)
           subSample t = n, 2
           hold h = m",
        0.55,
    )
    .finished();
    run.assert_at("n", 0.55, 6.0, 0.0);
    run.assert_at("z", 0.55, 5.0, 0.0);
}

#[test]
fn a_clock_that_begins_later() {
    // shifted by half an interval: ticks at 0.05, 0.15, 0.25
    let run = Run::of(
        "model M
           unknown n(start = 0)
           previous pre(n)
         equation
           n = pre(n) + 1
         clock
           clock c = 1/10
           clock d = shiftSample(c, 1, 2)
           equation 1, d
           remember pre(n)",
        0.28,
    )
    .finished();
    run.assert_at("n", 0.04, 0.0, 0.0);
    run.assert_at("n", 0.28, 3.0, 0.0);
}

/// `der(x) = -x` on a clock of half a second, from 1 on.
fn decay(method: &str) -> Run {
    let text = format!(
        "model M
           unknown u
           given discrete s
           unknown x(start = 1, fixed)
           derivative der(x)
         equation
           u = 0*time
           der(x) = s - x
         clock
           clock c = 1/2
           clock d = solver(c, {method})
           sample s = u, d"
    );
    Run::of(&text, 1.0).finished()
}

#[test]
fn an_implicit_step_from_tick_to_tick() {
    // x₁ = x₀ - ½x₁: 2/3, then 4/9
    let run = decay("ImplicitEuler");
    run.assert_at("x", 0.5, 2.0 / 3.0, 1e-9);
    run.assert_at("x", 1.0, 4.0 / 9.0, 1e-9);
}

#[test]
fn an_explicit_step_from_tick_to_tick() {
    // x₁ = x₀ - ½x₀: 1/2, then 1/4
    let run = decay("ExplicitEuler");
    run.assert_at("x", 0.5, 0.5, 1e-9);
    run.assert_at("x", 1.0, 0.25, 1e-9);
}

#[test]
fn a_step_by_the_trapezoid() {
    // x₁ = x₀ - ¼(x₀ + x₁): 3/5, then 9/25
    let run = decay("ImplicitTrapezoid");
    run.assert_at("x", 0.5, 0.6, 1e-9);
    run.assert_at("x", 1.0, 0.36, 1e-9);
}

#[test]
fn the_first_tick_and_the_interval_are_told() {
    // at 0 the first, 0.25 s after it the second
    let run = Run::of(
        "model M
           unknown n(start = 0)
           previous pre(n)
           given discrete h
           given Boolean first
           unknown y
         equation
           n = pre(n) + 1
           y = if first then 10*n else h*n
         clock
           clock c = 1/4
           equation 1, c
           remember pre(n)
           interval h = n
           firstTick first = n",
        0.3,
    )
    .finished();
    run.assert_at("y", 0.1, 10.0, 0.0);
    run.assert_at("y", 0.3, 0.5, 1e-12);
}

#[test]
fn a_clock_of_events_ticks_when_its_condition_becomes_true() {
    // x = t passes 0.4 once
    let run = Run::of(
        "model M
           parameter p(fixed) = 0
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown Boolean b
           given discrete n
           given discrete s
           unknown y
         equation
           der(x) = 1
           b = x - 0.4 + n > 0
           y = s
         event
           relation b = x - 0.4 > 0, n
         clock
           clock c = event(b, p)
           sample s = x, c",
        1.0,
    )
    .finished();
    run.assert_at("y", 0.3, 0.0, 0.0);
    run.assert_at("y", 1.0, 0.4, 1e-9);
}
