//! Which variables and equations tick together (MLS §16.7.2, §16.7.4).

use expect_test::expect;

use crate::check;

#[test]
fn a_model_without_clocks_stays_whole() {
    check(
        "model M
           unknown x
           unknown y
         equation
           x = time
           y = 2*x",
        expect![[r#"
            no clock: x, y
              x = time
              y = 2*x
        "#]],
    );
}

#[test]
fn what_meets_in_an_equation_ticks_together() {
    // y is tied to the sampled s, z to y by an equation; w meets nothing that ticks
    check(
        "model M
           unknown x
           unknown w
           given s
           unknown y
           unknown z
         equation
           x = time
           w = 2*x
           y = s + 1
           z = 3*y
         clock
           clock c = 1/10
           sample s = x, c",
        expect![[r#"
            no clock: x, w
              x = time
              w = 2*x
            partition in seconds
              c every 1/10 from 0: s, y, z
              sample s = x
              y = s + 1
              z = 3*y
        "#]],
    );
}

#[test]
fn a_parameter_ties_nothing_together() {
    check(
        "model M
           parameter p = 2
           unknown x
           given s
           unknown y
         equation
           x = p*time
           y = p*s
         clock
           clock c = 1/10
           sample s = x, c",
        expect![[r#"
            no clock: x
              x = p*time
            partition in seconds
              c every 1/10 from 0: s, y
              sample s = x
              y = p*s
        "#]],
    );
}

#[test]
fn a_value_before_the_last_tick_ticks_with_its_variable() {
    check(
        "model M
           unknown n(start = 0)
           previous pre(n)
         equation
           n = pre(n) + 1
         clock
           clock c = 1/2
           remember pre(n)
           equation 1, c",
        expect![[r#"
            no clock: nothing
            partition in seconds
              c every 1/2 from 0: n, pre(n)
              n = pre(n) + 1
        "#]],
    );
}

#[test]
fn a_derivative_makes_its_partition_one_to_be_integrated() {
    check(
        "model M
           unknown u
           given s
           unknown x(start = 1, fixed)
           derivative der(x)
         equation
           u = time
           der(x) = s - x
         clock
           clock c = 1/10
           clock d = solver(c, ImplicitEuler)
           sample s = u, d",
        expect![[r#"
            no clock: u
              u = time
            partition in seconds
              d every 1/10 from 0, integrated by ImplicitEuler: s, x, der(x)
              c every 1/10 from 0: nothing
              sample s = u
              der(x) = s - x
        "#]],
    );
}

#[test]
fn what_is_held_is_given_where_there_is_no_clock() {
    check(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           given s
           unknown u
           given h
         equation
           der(x) = h
           u = -s
         clock
           clock c = 1/10
           sample s = x, c
           hold h = u",
        expect![[r#"
            no clock: x
              der(x) = h
            partition in seconds
              c every 1/10 from 0: s, u
              sample s = x
              hold h = u
              u = -s
        "#]],
    );
}

#[test]
fn two_clocks_that_know_nothing_of_each_other_are_two_partitions() {
    check(
        "model M
           unknown x
           given s
           given t
           unknown y
           unknown z
         equation
           x = time
           y = s
           z = t
         clock
           clock c = 1/10
           clock d = 1/7
           sample s = x, c
           sample t = x, d",
        expect![[r#"
            no clock: x
              x = time
            partition in seconds
              c every 1/10 from 0: s, y
              sample s = x
              y = s
            partition in seconds
              d every 1/7 from 0: t, z
              sample t = x
              z = t
        "#]],
    );
}

#[test]
fn two_clocks_said_to_be_the_same_are_one() {
    check(
        "model M
           unknown x
           given s
           given t
           unknown y
           unknown z
         equation
           x = time
           y = s
           z = t
         clock
           clock c = 1/10
           clock d
           same c, d
           sample s = x, c
           sample t = x, d",
        expect![[r#"
            no clock: x
              x = time
            partition in seconds
              c every 1/10 from 0: s, t, y, z
              sample s = x
              sample t = x
              y = s
              z = t
        "#]],
    );
}

#[test]
fn a_variable_of_a_clocked_when_ticks_with_it() {
    check(
        "model M
           unknown n(start = 0)
           previous pre(n)
           unknown k
         equation
           n = pre(n) + 1
           k = time
         clock
           clock c = 1/2
           remember pre(n)
           variable n, c",
        expect![[r#"
            no clock: k
              k = time
            partition in seconds
              c every 1/2 from 0: n, pre(n)
              n = pre(n) + 1
        "#]],
    );
}

#[test]
fn questions_about_the_clock_are_answered_by_the_one_of_the_equation() {
    check(
        "model M
           unknown x
           given s
           given h
           given Boolean first
           unknown y
         equation
           x = time
           y = if first then s else h
         clock
           clock c = 1/10
           sample s = x, c
           interval h = y
           firstTick first = y",
        expect![[r#"
            no clock: x
              x = time
            partition in seconds
              c every 1/10 from 0: s, h, first, y
                h is its interval
                first is its firstTick
              sample s = x
              y = if first then s else h
        "#]],
    );
}

#[test]
fn a_measured_state_goes_into_its_partition() {
    check(
        "model M
           unknown x
           given s
           unknown z
           derivative der(z)
           unknown u
         equation
           x = time
           der(z) = u
           z = 2*u
         clock
           clock c = 1/10
           clock d = solver(c, ImplicitEuler)
           sample s = x, d
           measured z = s",
        expect![[r#"
            no clock: x
              x = time
            partition in seconds
              d every 1/10 from 0, integrated by ImplicitEuler: s, z, der(z), u
              c every 1/10 from 0: nothing
              sample s = x
              measured z = s
              der(z) = u
              z = 2*u
        "#]],
    );
}

#[test]
fn asserts_and_reinits_go_with_what_they_are_about() {
    // x has no clock, y ticks
    check(
        "model M
           unknown x(start = 0, fixed)
           derivative der(x)
           unknown Boolean c
           given n
           given s
           unknown y
         equation
           der(x) = 1
           c = x - 1 > 0
           y = s
         event
           relation c = x - 1 > 0, n
           reinit x = 0, c
           assert y > 0
         clock
           clock k = 1/10
           sample s = x, k",
        expect![[r#"
            no clock: x, c
              der(x) = 1
              c = x - 1 > 0
              relation c = x - 1 > 0, n
              reinit x = 0, c
            partition in seconds
              k every 1/10 from 0: s, y
              sample s = x
              y = s
              assert y > 0
        "#]],
    );
}
