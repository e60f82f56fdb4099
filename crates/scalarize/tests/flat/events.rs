//! What makes events (MLS §3.7.5, §8.5).

use expect_test::expect;

use crate::check;

#[test]
fn a_relation_is_held() {
    check(
        "model M Real x(start = 0, fixed = true); Boolean b = x > 1; equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown Boolean b
              given discrete nudge (x > 1)
              unknown Boolean (x > 1)
              derivative der(x)
            equation
              (x > 1) = x - 1 + nudge (x > 1) > 0
              b = (x > 1)
              der(x) = 1
            event
              relation (x > 1) = x - 1 > 0, nudge (x > 1)
        "#]],
    );
}

#[test]
fn a_relation_of_time_is_met_exactly() {
    check(
        "model M parameter Real t = 2; Boolean b = time >= t; end M;",
        expect![[r#"
              parameter t(fixed) = 2
              unknown Boolean b
              given discrete nudge (time >= t)
              unknown Boolean (time >= t)
            equation
              (time >= t) = time >= t
              b = (time >= t)
            event
              instant (time >= t) = t, nudge (time >= t)
        "#]],
    );
}

#[test]
fn no_event_no_variable() {
    check(
        "model M Real x(start = 0, fixed = true); Real y = noEvent(if x > 1 then 1 else x); equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown y
              derivative der(x)
            equation
              y = if x > 1 then 1 else x
              der(x) = 1
        "#]],
    );
}

#[test]
fn a_smooth_expression_has_no_events() {
    check(
        "model M Real x(start = 0, fixed = true); Real y = smooth(1, if x > 1 then 2*x - 1 else x^2); equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown y
              derivative der(x)
            equation
              y = if x > 1 then 2*x - 1 else x^2
              der(x) = 1
        "#]],
    );
}

#[test]
fn the_same_relation_twice_is_held_once() {
    check(
        "model M Real x(start = 0, fixed = true); Boolean b = x > 1; Boolean c = x > 1 and time > 3; equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown Boolean b
              unknown Boolean c
              given discrete nudge (x > 1)
              unknown Boolean (x > 1)
              given discrete nudge (time > 3)
              unknown Boolean (time > 3)
              given Boolean initial()
              derivative der(x)
            equation
              (x > 1) = x - 1 + nudge (x > 1) > 0
              b = (x > 1)
              (time > 3) = if initial() then time > 3 else time >= 3
              c = (x > 1) and (time > 3)
              der(x) = 1
            event
              initial initial()
              relation (x > 1) = x - 1 > 0, nudge (x > 1)
              instant (time > 3) = 3, nudge (time > 3)
        "#]],
    );
}

#[test]
fn whole_numbers() {
    check(
        "model M Real x(start = 0, fixed = true); Real f = floor(x); Integer i = integer(x); Real c = ceil(x); equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown f
              unknown Integer i
              unknown c
              given discrete nudge (floor(x))
              unknown Integer (floor(x))
              given discrete nudge (floor(-x))
              unknown Integer (floor(-x))
              derivative der(x)
            equation
              (floor(x)) = floor(x + nudge (floor(x)))
              f = (floor(x))
              i = integer(x)
              (floor(-x)) = floor(-x + nudge (floor(-x)))
              c = -(floor(-x))
              der(x) = 1
            event
              floor (floor(x)) = x, nudge (floor(x))
              floor (floor(-x)) = -x, nudge (floor(-x))
        "#]],
    );
}

#[test]
fn a_remainder_jumps_where_its_quotient_does() {
    check(
        "model M Real x(start = 0, fixed = true); Real r = mod(x, 2); equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown r
              given discrete nudge (floor(x/2))
              unknown Integer (floor(x/2))
              derivative der(x)
            equation
              (floor(x/2)) = floor(x/2 + nudge (floor(x/2)))
              r = x - (floor(x/2))*2
              der(x) = 1
            event
              floor (floor(x/2)) = x/2, nudge (floor(x/2))
        "#]],
    );
}

#[test]
fn ticks() {
    check(
        "model M parameter Real p = 0.5; discrete Integer n(start = 0, fixed = true); equation when sample(1, p) then n = pre(n) + 1; end when; end M;",
        expect![[r#"
              parameter p(fixed) = 0.5
              unknown Integer n(start = 0, fixed)
              given Boolean sample 1
              given Boolean initial()
              previous Boolean pre(sample 1)
              previous Integer pre(n)(start = 0)
            equation
              n = if not initial() and (sample 1 and not pre(sample 1)) then pre(n) + 1 else pre(n)
            event
              initial initial()
              sample sample 1 = 1, p
        "#]],
    );
}

#[test]
fn edge_and_change() {
    check(
        "model M Boolean b = time > 1; Boolean e = edge(b); Integer n = if b then 1 else 2; Boolean c = change(n); end M;",
        expect![[r#"
              unknown Boolean b
              unknown Boolean e
              unknown Integer n
              unknown Boolean c
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
              previous Boolean pre(b)
              previous Integer pre(n)
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              b = (time > 1)
              e = b and not pre(b)
              n = if b then 1 else 2
              c = n <> pre(n)
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}

#[test]
fn a_relation_of_parameters_is_no_event() {
    check(
        "model M parameter Real p = 1; Real x = if p > 2 then time else -time; end M;",
        expect![[r#"
              parameter p(fixed) = 1
              unknown x
            equation
              x = if p > 2 then time else -time
        "#]],
    );
}

#[test]
fn the_start_and_the_end() {
    check(
        "model M Boolean b = initial() or terminal(); end M;",
        expect![[r#"
              unknown Boolean b
              given Boolean initial()
              given Boolean terminal()
            equation
              b = initial() or terminal()
            event
              initial initial()
              terminal terminal()
        "#]],
    );
}
