//! What an integrator sees between events.

use rhei_equations::number;
use rhei_numerics::Method;
use rhei_run::{Options, OutputTimes};

use crate::Run;

const DECAY: &str = "model M
   unknown x(start = 1, fixed)
   derivative der(x)
 equation
   der(x) = -2*x";

#[test]
fn a_decay_follows_its_exponential() {
    let run = Run::of(DECAY, 1.0).finished();
    run.assert_at("x", 1.0, (-2.0f64).exp(), 1e-5);
    run.assert_at("der(x)", 1.0, -2.0 * (-2.0f64).exp(), 2e-5);
    assert_eq!(run.outcome.events, 0);
}

#[test]
fn a_fixed_step_is_the_step_that_is_asked_for() {
    // explicit Euler: x(1) = (1 - 2·0.25)⁴ = 1/16, in four steps
    let options = Options { method: Method::Euler, step: 0.25, ..Options::until(1.0) };
    let run = Run::with(DECAY, options).finished();
    assert_eq!(number(run.at("x", 1.0)), "0.0625");
    assert_eq!(run.outcome.statistics.steps, 4);
}

#[test]
fn rows_are_there_at_exactly_the_times_asked_for() {
    let times = vec![0.1, 0.30000000000000004, 0.7];
    let options = Options { output: OutputTimes::At(times.clone()), ..Options::until(1.0) };
    let run = Run::with(DECAY, options).finished();
    assert_eq!(run.rows.time(), times);
    run.assert_at("x", 0.7, (-1.4f64).exp(), 1e-5);
}

#[test]
fn a_constraint_of_two_states_leaves_one() {
    // x + y = 3 and der(x) = y: der(x) = 3 - x, x = 3 - 2·e⁻ᵗ from x = 1
    let run = Run::of(
        "model M
           unknown x(start = 1, fixed, always)
           unknown y
           derivative der(x)
           derivative der(y)
           unknown rate
         equation
           x + y = 3
           der(x) = y
           der(y) = rate",
        1.0,
    )
    .finished();
    run.assert_at("x", 1.0, 3.0 - 2.0 * (-1.0f64).exp(), 1e-5);
    run.assert_at("rate", 1.0, -2.0 * (-1.0f64).exp(), 1e-5);
}

#[test]
fn a_linear_loop_is_solved_in_each_evaluation() {
    // a + b = x, a - b = 1: a = (x + 1)/2; der(x) = 2a - x = 1
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown a
           unknown b
         equation
           a + b = x
           a - b = 1
           der(x) = 2*a - x",
        2.0,
    )
    .finished();
    run.assert_at("x", 2.0, 2.0, 1e-9);
    run.assert_at("b", 2.0, 0.5, 1e-9);
}

#[test]
fn a_balance_rests_where_its_flow_does() {
    // the flow 4 - y³ comes to rest at the cube root of 4·x with x = 2: y = 2
    let run = Run::of(
        "model M
           unknown x(start = 2, fixed)
           derivative der(x)
           unknown y(start = 1)
         equation
           der(x) = 0
           balance(y) = 4*x - y^3",
        1.0,
    )
    .finished();
    run.assert_at("y", 1.0, 2.0, 1e-9);
    assert_eq!(run.outcome.balances.len(), 1);
}

#[test]
fn where_there_is_no_value_the_run_ends_there() {
    // x = 1 - t, and there is no root beyond t = 1
    let run = Run::of(
        "model M
           unknown x(start = 1, fixed)
           derivative der(x)
           unknown y
         equation
           der(x) = -1 - 0*y
           y = sqrt(x)",
        2.0,
    );
    assert_eq!(run.said(), ["evaluation-failed"]);
    assert!((run.outcome.time - 1.0).abs() < 1e-3, "{}", run.outcome.time);
}

#[test]
fn an_assert_that_breaks_ends_the_run_where_it_is_seen() {
    // x = t passes 0.5; looked at after steps, the largest of which is a tenth
    let text = "model M
           unknown x(start = 0, fixed)
           derivative der(x)
         equation
           der(x) = 1
         event
           assert x < 0.5";
    let options = Options { method: Method::Rk4, step: 0.1, ..Options::until(1.0) };
    let run = Run::with(text, options);
    assert_eq!(run.said(), ["assert-failed"]);
    assert!((0.5..=0.6001).contains(&run.outcome.time), "{}", run.outcome.time);
}

#[test]
fn a_warning_lets_the_run_go_on() {
    let text = "model M
           unknown x(start = 0, fixed)
           derivative der(x)
         equation
           der(x) = 1
         event
           assert x < 0.5, warning";
    let run = Run::of(text, 1.0).finished();
    assert_eq!(run.said().len(), 1, "{:?}", run.said());
}
