//! When each clock ticks, in exact fractions (MLS §16.5.2, §16.7.5).

use expect_test::{Expect, expect};

use crate::parts;

/// The schedules of a chain `x → s (clock c) → t`, where `t` comes from `s` by `passage`, on the clocks given.
fn schedule(clocks: &str, passage: &str, expected: Expect) {
    let text = format!(
        "model M
           parameter p = 0.3
           unknown x
           unknown k
           unknown Boolean b
           given s
           unknown y
           given t
           unknown z
         equation
           x = time
           k = 2 + s
           b = x > 1
           y = s + k
           z = t
         clock
           {clocks}
           sample s = x, c
           {passage}"
    );
    let parts = parts(&text);
    let is_schedule =
        |line: &&str| line.contains(" every ") || line.starts_with("partition") || line.contains(": ");
    let lines: Vec<&str> =
        parts.lines().filter(|line| !line.starts_with("no clock")).filter(is_schedule).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn every_second_tick() {
    schedule(
        "clock c = 1/10",
        "subSample t = y, 2",
        expect![[r#"
        partition in seconds
          c every 1/10 from 0: k, s, y
          every 1/5 s every 1/5 from 0: t, z
    "#]],
    );
}

#[test]
fn three_ticks_for_one() {
    schedule(
        "clock c = 1/10",
        "superSample t = y, 3",
        expect![[r#"
        partition in seconds
          c every 1/10 from 0: k, s, y
          every 1/30 s every 1/30 from 0: t, z
    "#]],
    );
}

#[test]
fn a_third_of_an_interval_later() {
    schedule(
        "clock c = 1/10",
        "shiftSample t = y, 1, 3",
        expect![[r#"
        partition in seconds
          c every 1/10 from 0: k, s, y
          every 1/10 s every 1/10 from 1/30: t, z
    "#]],
    );
}

#[test]
fn back_by_less_than_it_was_shifted() {
    // 3/2 of an interval later, and half of one back: one interval
    schedule(
        "clock fast = 1/10\nclock c = shiftSample(fast, 3, 2)",
        "backSample t = y, 1, 2",
        expect![[r#"
            partition in seconds
              c every 1/10 from 3/20: k, s, y
              every 1/10 s every 1/10 from 1/10: t, z
              fast every 1/10 from 0: nothing
        "#]],
    );
}

#[test]
fn a_factor_that_is_not_given_follows_from_the_other_clock() {
    schedule(
        "clock c = 1/10\nclock d = 1/5\nvariable z, d",
        "subSample t = y, 0",
        expect![[r#"
        partition in seconds
          c every 1/10 from 0: k, s, y
          d every 1/5 from 0: t, z
    "#]],
    );
}

#[test]
fn a_factor_that_nothing_tells_is_one() {
    schedule(
        "clock c = 1/10",
        "superSample t = y, 0",
        expect![[r#"
        partition in seconds
          c every 1/10 from 0: k, s, y
          every 1/10 s every 1/10 from 0: t, z
    "#]],
    );
}

#[test]
fn the_base_is_taken_from_a_clock_made_of_another_in_either_direction() {
    // d = c/2 is known, c follows
    schedule(
        "clock c\nclock d = 1/20\nvariable z, d",
        "superSample t = y, 2",
        expect![[r#"
        partition in seconds
          c every 1/10 from 0: k, s, y
          d every 1/20 from 0: t, z
    "#]],
    );
}

#[test]
fn a_clock_by_a_parameter_is_counted_in_units_of_it() {
    schedule(
        "clock c = interval(p)",
        "subSample t = y, 3",
        expect![[r#"
        partition in units of p
          c every 1 from 0: k, s, y
          every 3 of its ticks every 3 from 0: t, z
    "#]],
    );
}

#[test]
fn a_clock_whose_interval_is_set_counts_ticks() {
    schedule(
        "clock c = varying(k)",
        "subSample t = y, 2",
        expect![[r#"
        partition in ticks k apart
          c every 1 from 0: k, s, y
          every 2 of its ticks every 2 from 0: t, z
    "#]],
    );
}

#[test]
fn a_clock_whose_counter_is_set_counts_ticks() {
    schedule(
        "clock c = counter(k)/1000",
        "subSample t = y, 2",
        expect![[r#"
        partition in ticks k/1000 apart
          c every 1 from 0: k, s, y
          every 2 of its ticks every 2 from 0: t, z
    "#]],
    );
}

#[test]
fn a_clock_of_events_counts_them() {
    schedule(
        "clock c = event(b, p)",
        "shiftSample t = y, 2, 1",
        expect![[r#"
        partition in events of b
          c every 1 from 0: k, s, y
          every 1 of its ticks every 1 from 2: t, z
    "#]],
    );
}

#[test]
fn a_clock_nobody_defines_ticks_every_second() {
    schedule(
        "clock c",
        "subSample t = y, 2",
        expect![[r#"
        partition in seconds
          c every 1 from 0: k, s, y
          every 2 s every 2 from 0: t, z
        clock-assumed: nothing says how often `c` ticks: every second is taken
    "#]],
    );
}
