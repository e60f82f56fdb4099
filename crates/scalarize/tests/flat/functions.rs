//! Functions put in place of their calls, or kept as calls (MLS §12).

use expect_test::expect;

use crate::check;

#[test]
fn a_function_becomes_its_formula() {
    check(
        "function f input Real a; output Real y; protected Real b; algorithm b := a + 1; y := b*b; end f;
         model M Real x = f(time); end M;",
        expect![[r#"
              unknown x
            equation
              x = (time + 1)*(time + 1)
        "#]],
    );
}

#[test]
fn an_if_in_a_function_makes_no_event() {
    check(
        "function f input Real a; output Real y; algorithm if a > 1 then y := a; else y := 1; end if; end f;
         model M Real x(start = 0, fixed = true); Real y = f(x); equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown y
              derivative der(x)
            equation
              y = if x > 1 then x else 1
              der(x) = 1
        "#]],
    );
}

#[test]
fn relations_that_are_to_make_events() {
    check(
        "function f input Real a; output Real y; algorithm y := if a > 1 then a else 1; annotation(GenerateEvents = true, Inline = true); end f;
         model M Real x(start = 0, fixed = true); Real y = f(x); equation der(x) = 1; end M;",
        expect![[r#"
              unknown x(start = 0, fixed)
              unknown y
              given discrete nudge (x > 1)
              unknown Boolean (x > 1)
              derivative der(x)
            equation
              (x > 1) = x - 1 + nudge (x > 1) > 0
              y = if (x > 1) then x else 1
              der(x) = 1
            event
              relation (x > 1) = x - 1 > 0, nudge (x > 1)
        "#]],
    );
}

#[test]
fn a_while_stays_a_call() {
    check(
        "function f input Real a; output Real y; algorithm y := a; while y > 1 loop y := y/2; end while; end f;
         model M Real x = f(time); end M;",
        expect![[r#"
              unknown x
            equation
              x = f(time)
        "#]],
    );
}

#[test]
fn several_results_of_a_call() {
    check(
        "function f input Real a; output Real p; output Real q; algorithm p := a; q := 0; while q < p loop q := q + 1; end while; end f;
         model M Real x; Real y; equation (x, y) = f(time); end M;",
        expect![[r#"
              unknown x
              unknown y
            equation
              x = f(time)[1]
              y = f(time)[2]
        "#]],
    );
}

#[test]
fn recursion_with_a_known_end() {
    check(
        "function f input Integer n; input Real a; output Real y; algorithm y := if n < 1 then a else f(n - 1, 2*a); end f;
         model M Real x = f(3, time); end M;",
        expect![[r#"
              unknown x
            equation
              x = 2*(2*(2*time))
        "#]],
    );
}

#[test]
fn a_function_as_an_argument() {
    check(
        "partial function g input Real u; output Real y; end g;
         function twice extends g; algorithm y := 2*u; end twice;
         function f input g h; input Real a; output Real y; algorithm y := h(h(a)); end f;
         model M Real x = f(function twice(), time); end M;",
        expect![[r#"
              unknown x
            equation
              x = f(time)
        "#]],
    );
}

#[test]
fn external_code_that_is_not_there() {
    check(
        r#"function f input Real a; output Real y; external "C" y = somewhere(a); end f;
         model M Real x = f(time); end M;"#,
        expect![[r#"
            not-supported-yet: a call of the function `f` is not supported yet
        "#]],
    );
}
