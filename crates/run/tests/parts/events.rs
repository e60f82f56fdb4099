//! Events: crossings located, bounces and their rest, the iteration until nothing changes, ticks of `sample`, what an event leaves alone.

use rhei_numerics::Method;
use rhei_run::{Choices, EventSearch, Options, OutputTimes, Status};

use crate::Run;

#[track_caller]
fn assert_instants(run: &Run, expected: &[f64], tolerance: f64) {
    let found = run.instants();
    let fits = found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= tolerance);
    assert!(fits, "events at {found:?}, not at {expected:?}");
}

/// `x = t`, and `c` is held while `x² > 2`.
const ROOT: &str = "model M
   unknown x(start = 0, fixed)
   derivative der(x)
   unknown Boolean c
   given discrete n
   unknown y
 equation
   der(x) = 1
   c = x^2 - 2 + n > 0
   y = if c then 5 else 0
 event
   relation c = x^2 - 2 > 0, n";

#[test]
fn a_crossing_is_located() {
    // x² = 2 at √2
    let run = Run::of(ROOT, 2.0).finished();
    assert_instants(&run, &[2.0f64.sqrt()], 1e-9);
    run.assert_at("y", 1.4, 0.0, 0.0);
    run.assert_at("y", 1.42, 5.0, 0.0);
}

#[test]
fn an_instant_that_is_known_is_met_exactly() {
    let run = Run::of(
        "model M
           parameter p(fixed) = 0.7
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown Boolean c
           given discrete n
         equation
           c = time >= p
           der(x) = if c then 1 else 0
         event
           instant c = p, n",
        1.0,
    )
    .finished();
    assert_eq!(run.instants(), [0.7]);
    run.assert_at("x", 1.0, 0.3, 1e-9);
}

#[test]
fn a_whole_number_changes_at_each_border() {
    // x = 2t passes 1 and 2 within the run
    let run = Run::of(
        "model M
           unknown x(start = 0.1, fixed)
           derivative der(x)
           unknown Integer k
           given discrete n
         equation
           der(x) = 2
           k = floor(x + n)
         event
           floor k = x, n",
        1.0,
    )
    .finished();
    assert_instants(&run, &[0.45, 0.95], 1e-9);
    run.assert_at("k", 0.5, 1.0, 0.0);
    run.assert_at("k", 1.0, 2.0, 0.0);
}

#[test]
fn a_state_set_anew_goes_on_from_there() {
    // x = t, back to 0 at 1 and at 2
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown Boolean c
           previous Boolean pre(c)
           given discrete n
           given Boolean first
         equation
           der(x) = 1
           c = x - 1 + n > 0
         event
           initial first
           relation c = x - 1 > 0, n
           reinit x = 0, not first and (c and not pre(c))",
        2.5,
    )
    .finished();
    assert_instants(&run, &[1.0, 2.0], 1e-8);
    run.assert_at("x", 2.5, 0.5, 1e-8);
}

#[test]
fn bounces_follow_each_other_and_come_to_rest() {
    // h = 1 - t², down at 1 with speed 2; each flight lasts half as long as the one before, 1 + 1/2 + … after the first: all is over at 3
    let run = Run::of(
        "model Ball
           unknown h(start = 1, fixed)
           unknown v(start = 0, fixed)
           derivative der(h)
           derivative der(v)
           unknown Boolean low
           previous Boolean pre(low)
           given discrete n
           unknown Boolean falling
           given discrete m
           unknown Boolean resting
           given Boolean first
         equation
           low = h + n <= 0
           falling = v + m <= 0
           resting = low and falling
           der(h) = if resting then 0 else v
           der(v) = if resting then 0 else -2
         event
           initial first
           relation low = h <= 0, n
           relation falling = v <= 0, m
           reinit v = -0.5*v, not first and (low and not pre(low))",
        4.0,
    )
    .finished();
    let down: Vec<f64> = [1.0, 2.0, 2.5, 2.75].to_vec();
    for t in down {
        assert!(
            run.instants().iter().any(|found| (found - t).abs() < 1e-5),
            "nothing at {t}: {:?}",
            run.instants()
        );
    }
    // at the top of the first bounce, half a second after it: v = 1 - 2·½ = 0, h = ½·1 - ¼
    run.assert_at("h", 1.5, 0.25, 1e-2);
    run.assert_at("h", 4.0, 0.0, 1e-3);
    run.assert_at("resting", 4.0, 1.0, 0.0);
}

#[test]
fn an_event_is_repeated_until_nothing_changes() {
    // each turn adds one to what there was before it, up to 3: all at the instant 0.5
    let run = Run::of(
        "model M
           unknown Integer k(start = 0, fixed)
           previous Integer pre(k)
           unknown Boolean c
           given discrete n
         equation
           c = time >= 0.5
           k = if c then min(pre(k) + 1, 3) else 0
         event
           instant c = 0.5, n",
        1.0,
    )
    .finished();
    assert_eq!(run.instants(), [0.5]);
    assert_eq!(run.outcome.events, 1);
    run.assert_at("k", 0.5, 3.0, 0.0);
}

#[test]
fn ticks_of_sample_are_counted() {
    // at 0.5, 0.75 and 1
    let run = Run::of(
        "model M
           unknown Integer k(start = 0, fixed)
           previous Integer pre(k)
           given Boolean tick
           previous Boolean pre(tick)
         equation
           k = if tick and not pre(tick) then pre(k) + 1 else pre(k)
         event
           sample tick = 0.5, 0.25",
        1.0,
    )
    .finished();
    assert_eq!(run.outcome.events, 3);
    run.assert_at("k", 0.6, 1.0, 0.0);
    run.assert_at("k", 1.0, 3.0, 0.0);
}

#[test]
fn ticks_that_no_state_depends_on_cost_no_step() {
    let model = |events: &str| {
        format!(
            "model M
               unknown x(start = 1, fixed)
               derivative der(x)
               unknown Integer k(start = 0, fixed)
               previous Integer pre(k)
               given Boolean tick
               previous Boolean pre(tick)
             equation
               der(x) = -x
               k = if tick and not pre(tick) then pre(k) + 1 else pre(k)
             event
               sample tick = {events}"
        )
    };
    let [often, once] = ["0.01, 0.01", "5, 1"].map(|events| Run::of(&model(events), 1.0).finished());
    often.assert_at("k", 1.0, 100.0, 0.0);
    assert_eq!(often.outcome.statistics.steps, once.outcome.statistics.steps);
}

#[test]
fn two_crossings_within_one_step_happen_in_their_order() {
    // a holds from 0.5 on, b from 0.5001 on; s notes which one came first: 1 for a
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown Boolean a
           given discrete n
           unknown Boolean b
           given discrete m
           unknown Integer s(start = 0, fixed)
           previous Integer pre(s)
         equation
           der(x) = 1
           a = x - 0.5 + n > 0
           b = x - 0.5001 + m > 0
           s = if pre(s) > 0 then pre(s) else if a then 1 else if b then 2 else 0
         event
           relation b = x - 0.5001 > 0, m
           relation a = x - 0.5 > 0, n",
        1.0,
    )
    .finished();
    assert_instants(&run, &[0.5, 0.5001], 1e-9);
    run.assert_at("s", 1.0, 1.0, 0.0);
}

/// Below zero for 2·10⁻³ around 0.5, in the midst of a step.
const NARROW: &str = "model M
   unknown x(start = 0, fixed)
   derivative der(x)
   unknown Boolean c
   given discrete n
 equation
   der(x) = 1
   c = (x - 0.5)^2 - 1e-6 + n < 0
 event
   relation c = (x - 0.5)^2 - 1e-6 < 0, n";

#[test]
fn a_crossing_there_and_back_within_a_step_is_enclosed() {
    let run = Run::of(NARROW, 1.0).finished();
    assert_instants(&run, &[0.499, 0.501], 1e-8);
}

#[test]
fn between_the_points_of_a_fast_search_it_is_not_seen() {
    let choices = Choices { events: EventSearch::Fast, ..Choices::default() };
    let output = OutputTimes::Intervals(10);
    let options = Options { choices, method: Method::Rk4, step: 0.3, output, ..Options::until(1.0) };
    // the points are 0.025 apart: between 0.5 and 0.525
    let run = Run::with(&NARROW.replace("0.5", "0.5137"), options).finished();
    assert_instants(&run, &[], 0.0);
}

#[test]
fn a_model_can_end_its_run() {
    let run = Run::of(&ROOT.replace("event", "event\n   terminate c"), 2.0);
    assert_eq!(run.outcome.status, Status::Terminated);
    assert!((run.outcome.time - 2.0f64.sqrt()).abs() < 1e-9, "{}", run.outcome.time);
}

#[test]
fn both_sides_that_lead_back_are_named() {
    // up below 0.5, down above it
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown Boolean c
           given discrete n
         equation
           der(x) = if c then -1 else 1
           c = x - 0.5 + n > 0
         event
           relation c = x - 0.5 > 0, n",
        1.0,
    );
    assert_eq!(run.said(), ["zeno"]);
    assert!((run.outcome.time - 0.5).abs() < 1e-6, "{}", run.outcome.time);
}

#[test]
fn a_truth_value_and_what_it_depends_on_settle_together() {
    // y = x + 1 where y < 2, else x: from x = 1 on the first does not hold, and y falls to x, which makes it hold again only where
    // x + 1 < 2; here y = x once b is false
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown y
           unknown Boolean b
           given discrete n
         equation
           der(x) = 1
           y = if b then 3*x else x
           b = x - 0.5 + n > 0
         event
           relation b = x - 0.5 > 0, n",
        1.0,
    )
    .finished();
    run.assert_at("y", 0.4, 0.4, 1e-9);
    run.assert_at("y", 1.0, 3.0, 1e-9);
}
