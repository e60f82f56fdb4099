//! What cannot be told apart.

use expect_test::expect;

use crate::check;

#[test]
fn a_sampled_value_that_meets_one_without_clock() {
    check(
        "model M
           unknown x
           given s
           unknown y
         equation
           x = time + y
           y = s
         clock
           clock c = 1/10
           sample s = x, c",
        expect![[r#"
            clocks-mixed: `x`, `s`, `y` are tied by equations, but part of it ticks and part has no clock
        "#]],
    );
}

#[test]
fn what_is_held_meets_what_ticks() {
    check(
        "model M
           unknown x
           given s
           unknown y
           given h
         equation
           x = time
           y = s + h
         clock
           clock c = 1/10
           sample s = x, c
           hold h = y",
        expect![[r#"
            clocks-mixed: `s`, `y`, `h` are tied by equations, but part of it ticks and part has no clock
        "#]],
    );
}

#[test]
fn a_clock_that_would_tick_in_two_ways() {
    check(
        "model M
           unknown x
           given s
           given t
           unknown y
         equation
           x = time
           y = s + t
         clock
           clock c = 1/10
           clock d = 1/7
           sample s = x, c
           sample t = x, d",
        expect![[r#"
            clocks-disagree: the clocks `c` and `d` meet, but do not tick together
        "#]],
    );
}

#[test]
fn two_ways_to_a_clock_that_do_not_agree() {
    check(
        "model M
           unknown x
           given s
           given t
           given u
           unknown y
         equation
           x = time
           y = t + u
         clock
           clock c = 1/10
           sample s = x, c
           subSample t = s, 2
           subSample u = s, 3",
        expect![[r#"
            clocks-disagree: values meet that come from one clock in different ways, and would not tick together
        "#]],
    );
}

#[test]
fn a_clock_of_events_cannot_be_compared_with_one_of_time() {
    check(
        "model M
           parameter p = 1
           unknown x
           unknown Boolean b
           given s
           given t
           unknown y
         equation
           x = time
           b = x > 1
           y = s + t
         clock
           clock c = 1/10
           clock d = event(b, p)
           sample s = x, c
           sample t = x, d",
        expect![[r#"
            clocks-disagree: `d` and `c` cannot be compared, but what ticks with them meets
        "#]],
    );
}

#[test]
fn no_tick_between_the_ticks_of_events() {
    check(
        "model M
           parameter p = 1
           unknown x
           unknown Boolean b
           given s
           given t
           unknown y
         equation
           x = time
           b = x > 1
           y = t
         clock
           clock d = event(b, p)
           sample s = x, d
           superSample t = s, 2",
        expect![[r#"
            clock-impossible: `every 1/2 of its ticks` would tick between the ticks of a clock whose next tick is not known before
        "#]],
    );
}

#[test]
fn no_tick_before_the_first_one() {
    check(
        "model M
           unknown x
           given s
           given t
           unknown y
         equation
           x = time
           y = t
         clock
           clock c = 1/10
           sample s = x, c
           backSample t = s, 1, 2",
        expect![[r#"
            clock-impossible: `every 1/10 s` would tick before the clock it is made from starts
        "#]],
    );
}

#[test]
fn a_state_that_is_measured_where_nothing_ticks() {
    check(
        "model M
           unknown u
           given s
           unknown y
           unknown x
           derivative der(x)
         equation
           u = time
           y = s
           der(x) = 1
         clock
           clock c = 1/10
           sample s = u, c
           measured x = 2",
        expect![[r#"
            measured-outside-clock: `x` is set from a measurement, but has no clock that says when
        "#]],
    );
}

#[test]
fn a_condition_that_makes_a_clock_tick_has_none_itself() {
    check(
        "model M
           parameter p = 1
           unknown x
           given s
           unknown Boolean b
         equation
           x = time
           b = s > 1
         clock
           clock c = 1/10
           clock d = event(b, p)
           sample s = x, c",
        expect![[r#"
            clocks-mixed: `s`, `b` are tied by equations, but part of it ticks and part has no clock
        "#]],
    );
}
