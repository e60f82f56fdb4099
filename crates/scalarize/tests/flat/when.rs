//! When-equations as equations for discrete variables (MLS §8.3.5).

use expect_test::expect;

use crate::check;

#[test]
fn a_value_that_is_kept() {
    check(
        "model M discrete Real x(start = 1, fixed = true); equation when time > 1 then x = pre(x) + 1; end when; end M;",
        expect![[r#"
              unknown discrete x(start = 1, fixed)
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
              previous Boolean pre((time > 1))
              previous discrete pre(x)(start = 1)
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              x = if not initial() and ((time > 1) and not pre((time > 1))) then pre(x) + 1 else pre(x)
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
        "#]],
    );
}

#[test]
fn two_branches() {
    check(
        "model M discrete Real x(start = 0, fixed = true); equation when time > 1 then x = 1; elsewhen time > 2 then x = 2; end when; end M;",
        expect![[r#"
              unknown discrete x(start = 0, fixed)
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
              previous Boolean pre((time > 1))
              given discrete nudge (time > 2)
              unknown Boolean (time > 2)
              previous Boolean pre((time > 2))
              previous discrete pre(x)(start = 0)
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              (time > 2) = if initial() then time > 2 else time >= 2
              x = if not initial() and ((time > 1) and not pre((time > 1))) then 1 else if not (not initial() and ((time > 1) and not pre((time > 1)))) and (not initial() and ((time > 2) and not pre((time > 2)))) then 2 else pre(x)
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
              instant (time > 2) = 2, nudge (time > 2)
        "#]],
    );
}

#[test]
fn one_of_several_conditions() {
    check(
        "model M discrete Real x(start = 0, fixed = true); equation when {time > 1, time > 2} then x = time; end when; end M;",
        expect![[r#"
              unknown discrete x(start = 0, fixed)
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
              previous Boolean pre((time > 1))
              given discrete nudge (time > 2)
              unknown Boolean (time > 2)
              previous Boolean pre((time > 2))
              previous discrete pre(x)(start = 0)
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              (time > 2) = if initial() then time > 2 else time >= 2
              x = if not initial() and ((time > 1) and not pre((time > 1))) or not initial() and ((time > 2) and not pre((time > 2))) then time else pre(x)
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
              instant (time > 2) = 2, nudge (time > 2)
        "#]],
    );
}

#[test]
fn at_the_start() {
    check(
        "model M discrete Real x; equation when initial() then x = 3; end when; end M;",
        expect![[r#"
              unknown discrete x
              given Boolean initial()
              previous discrete pre(x)
            equation
              x = if initial() then 3 else pre(x)
            event
              initial initial()
        "#]],
    );
}

#[test]
fn a_state_set_anew() {
    check(
        "model M Real x(start = 1, fixed = true); Real v(start = 0, fixed = true); equation der(x) = v; der(v) = -1; when x < 0 then reinit(v, -0.5*pre(v)); end when; end M;",
        expect![[r#"
              unknown x(start = 1, fixed)
              unknown v(start = 0, fixed)
              derivative der(x)
              derivative der(v)
              given discrete nudge (x < 0)
              unknown Boolean (x < 0)
              given Boolean initial()
              previous Boolean pre((x < 0))
              previous discrete pre(v)(start = 0)
            equation
              der(x) = v
              der(v) = -1
              (x < 0) = x + nudge (x < 0) < 0
            event
              initial initial()
              relation (x < 0) = x < 0, nudge (x < 0)
              reinit v = -0.5*pre(v), not initial() and ((x < 0) and not pre((x < 0)))
        "#]],
    );
}

#[test]
fn whether_what_is_set_anew_is_a_state_is_not_asked_here() {
    check(
        "model M Real x = time; Boolean b = time > 1; equation when b then reinit(x, 0); end when; end M;",
        expect![[r#"
              unknown x
              unknown Boolean b
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
              previous Boolean pre(b)
            equation
              x = time
              (time > 1) = if initial() then time > 1 else time >= 1
              b = (time > 1)
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
              reinit x = 0, not initial() and (b and not pre(b))
        "#]],
    );
}
