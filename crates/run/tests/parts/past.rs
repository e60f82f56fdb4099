//! What is remembered: `delay`.

use crate::Run;

#[test]
fn a_value_of_some_time_ago() {
    // x = t²: at 1 it was ¼ half a second ago; before the start it was what it is at the start
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           given d
           unknown y
         equation
           der(x) = 2*time
           y = d
         event
           delay d = x, 0.5",
        1.0,
    )
    .finished();
    run.assert_at("y", 0.3, 0.0, 1e-9);
    run.assert_at("y", 1.0, 0.25, 1e-5);
}

#[test]
fn a_delay_that_varies() {
    // x = t, delayed by 1 - t/2: t - 1 + t/2, from t = 2/3 on
    let run = Run::of(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           given d
           unknown y
         equation
           der(x) = 1
           y = d
         event
           delay d = x, 1 - time/2, 1",
        2.0,
    )
    .finished();
    run.assert_at("y", 0.4, 0.0, 1e-6);
    run.assert_at("y", 1.0, 0.5, 1e-6);
    run.assert_at("y", 2.0, 2.0, 1e-6);
}

#[test]
fn a_jump_comes_again_when_the_delay_is_over() {
    // s jumps at 0.5, its past at 0.8: x grows from there on
    let run = Run::of(
        "model M
           unknown Boolean c
           given discrete n
           unknown s
           given d
           unknown x(start = 0, fixed)
           derivative der(x)
         equation
           c = time >= 0.5
           s = if c then 1 else 0
           der(x) = d
         event
           instant c = 0.5, n
           delay d = s, 0.3",
        1.0,
    )
    .finished();
    run.assert_at("x", 0.8, 0.0, 1e-6);
    run.assert_at("x", 1.0, 0.2, 1e-6);
}

#[test]
fn a_state_that_depends_on_its_own_past() {
    // der(x) = -x(t - 1), x = 1 before: x = 1 - t up to 1, then 1 - t + (t - 1)²/2, which is -½ at 2
    let run = Run::of(
        "model M
           unknown x(start = 1, fixed)
           derivative der(x)
           given d
         equation
           der(x) = -d
         event
           delay d = x, 1",
        2.0,
    )
    .finished();
    run.assert_at("x", 1.0, 0.0, 1e-5);
    run.assert_at("x", 2.0, -0.5, 1e-5);
}
