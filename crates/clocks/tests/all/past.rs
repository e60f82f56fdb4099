//! `delay` and `sample(start, interval)` in what ticks.

use expect_test::expect;

use crate::check;

#[test]
fn a_delay_is_an_equation_of_its_partition() {
    check(
        "model M
           unknown x
           given s
           given d
           given e
           unknown y
           unknown z
         equation
           x = time
           y = s + d
           z = x + e
         event
           delay d = y, 1
           delay e = x, 1
         clock
           clock c = 1/10
           sample s = x, c",
        expect![[r#"
            no clock: x, z
              x = time
              z = x + e
              delay e = x, 1
            partition in seconds
              c every 1/10 from 0, to be integrated: s, d, y, value of d, time of d, longest time of d, share of d, slope of the share of d, past of d, slope of the past of d
              sample s = x
              delay d = value of d, time of d
              y = s + d
              value of d = y
              time of d = 1
              longest time of d = 1
              d = share of d*value of d + past of d
        "#]],
    );
}

#[test]
fn a_sample_belongs_to_each_group_that_asks_for_it() {
    // n ticks with s, m with t, and k has no clock
    check(
        "model M
           unknown x
           given s
           given t
           given Boolean b
           unknown n
           unknown m
           unknown k
         equation
           x = time
           n = if b then s else 0
           m = if b then t else 0
           k = if b then x else 0
         event
           sample b = 0, 1
         clock
           clock c = 1/10
           clock d = 1/5
           sample s = x, c
           sample t = x, d",
        expect![[r#"
            no clock: x, k
              x = time
              k = if b then x else 0
              sample b = 0, 1
            partition in seconds
              c every 1/10 from 0, to be integrated: s, n, b of what ticks, 1, start of b of what ticks, 1, interval of b of what ticks, 1
              sample s = x
              sample b of what ticks, 1 = start of b of what ticks, 1, interval of b of what ticks, 1
              n = if b of what ticks, 1 then s else 0
              start of b of what ticks, 1 = 0
              interval of b of what ticks, 1 = 1
            partition in seconds
              d every 1/5 from 0, to be integrated: t, m, b of what ticks, 2, start of b of what ticks, 2, interval of b of what ticks, 2
              sample t = x
              sample b of what ticks, 2 = start of b of what ticks, 2, interval of b of what ticks, 2
              m = if b of what ticks, 2 then t else 0
              start of b of what ticks, 2 = 0
              interval of b of what ticks, 2 = 1
        "#]],
    );
}

#[test]
fn a_sample_that_only_ticks_ask_for_makes_no_events_elsewhere() {
    check(
        "model M
           unknown x
           given s
           given Boolean b
           unknown n
         equation
           x = time
           n = if b then s else 0
         event
           sample b = 0, 1
         clock
           clock c = 1/10
           sample s = x, c",
        expect![[r#"
            no clock: x
              x = time
            partition in seconds
              c every 1/10 from 0, to be integrated: s, n, b of what ticks, 1, start of b of what ticks, 1, interval of b of what ticks, 1
              sample s = x
              sample b of what ticks, 1 = start of b of what ticks, 1, interval of b of what ticks, 1
              n = if b of what ticks, 1 then s else 0
              start of b of what ticks, 1 = 0
              interval of b of what ticks, 1 = 1
        "#]],
    );
}
