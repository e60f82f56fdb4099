//! Asserts, ends of the run, calls for their effect (MLS §8.3.7, §8.3.8).

use expect_test::expect;

use crate::check;

#[test]
fn an_assert_of_a_model() {
    check(
        r#"model M Real x = time; equation assert(x < 1, "too large"); assert(x < 2, "near", AssertionLevel.warning); end M;"#,
        expect![[r#"
              unknown x
            equation
              x = time
            event
              assert x < 1
              assert x < 2, warning
        "#]],
    );
}

#[test]
fn an_assert_in_a_when() {
    check(
        r#"model M Real x = time; equation when x > 1 then assert(x < 2, "no"); end when; end M;"#,
        expect![[r#"
              unknown x
              given discrete nudge (x > 1)
              unknown Boolean (x > 1)
              given Boolean initial()
              previous Boolean pre((x > 1))
            equation
              x = time
              (x > 1) = x - 1 + nudge (x > 1) > 0
            event
              initial initial()
              relation (x > 1) = x - 1 > 0, nudge (x > 1)
              assert not (not initial() and ((x > 1) and not pre((x > 1)))) or x < 2, turn
        "#]],
    );
}

#[test]
fn an_assert_of_a_function() {
    check(
        r#"function f input Real a; output Real y; algorithm assert(a > 0, "negative"); y := sqrt(a); end f;
         model M Real x = if time > 1 then f(time) else 0; end M;"#,
        expect![[r#"
              unknown x
              given discrete nudge (time > 1)
              unknown Boolean (time > 1)
              given Boolean initial()
            equation
              (time > 1) = if initial() then time > 1 else time >= 1
              x = if (time > 1) then sqrt(time) else 0
            event
              initial initial()
              instant (time > 1) = 1, nudge (time > 1)
              assert not (time > 1) or time > 0
        "#]],
    );
}

#[test]
fn an_end_of_the_run() {
    check(
        r#"model M Real x = time; equation when x > 1 then terminate("done"); end when; end M;"#,
        expect![[r#"
              unknown x
              given discrete nudge (x > 1)
              unknown Boolean (x > 1)
              given Boolean initial()
              previous Boolean pre((x > 1))
            equation
              x = time
              (x > 1) = x - 1 + nudge (x > 1) > 0
            event
              initial initial()
              relation (x > 1) = x - 1 > 0, nudge (x > 1)
              terminate not initial() and ((x > 1) and not pre((x > 1)))
        "#]],
    );
}

#[test]
fn an_assert_in_an_initial_equation() {
    check(
        r#"model M Real x(start = 1); equation der(x) = 1; initial equation x = 2; assert(x > 1, "small"); end M;"#,
        expect![[r#"
              unknown x(start = 1)
              derivative der(x)
            equation
              der(x) = 1
            initial equation
              x = 2
            event
              assert x > 1, start
        "#]],
    );
}
