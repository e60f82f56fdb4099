//! Functions, their calls, and what they may do (MLS §12).

use expect_test::expect;

use crate::check;

#[test]
fn named_arguments_take_their_places() {
    check(
        r#"function f input Real a; input Real b = 2*a; output Real y; algorithm y := a - b; end f;
         model M Real x = f(b = 1, a = time); Real y = f(time); end M;"#,
        expect![[r#"
            Real x = f(time, 1)
            Real y = f(time, 2*time)
        "#]],
    );
}

#[test]
fn a_call_goes_through_an_array() {
    check(
        r#"function f input Real a; output Real y; algorithm y := 2*a; end f;
         model M Real v[3]; Real w[3] = f(v); end M;"#,
        expect![[r#"
            Real[3] v
            Real[3] w = {f(v[i]) for i in 1:3}
        "#]],
    );
}

#[test]
fn a_constant_is_computed() {
    check(
        r#"function fac input Integer n; output Integer y; algorithm y := if n < 2 then 1 else n*fac(n - 1); end fac;
         model M constant Integer n = fac(4); Real x[n - 20]; end M;"#,
        expect![[r#"
            constant Integer n = 24
            Real[4] x
        "#]],
    );
}

#[test]
fn several_results() {
    check(
        r#"function f input Real a; output Real p; output Real q; algorithm p := a; q := -a; end f;
         model M Real x; Real y; Real z = f(time); equation (x, y) = f(time); end M;"#,
        expect![[r#"
            Real x
            Real y
            Real z = f(time)
            equation
              (x, y) = f(time);
        "#]],
    );
}

#[test]
fn arguments_that_are_missing_or_too_many() {
    check(
        r#"function f input Real a; output Real y; algorithm y := a; end f;
         model M Real x = f(); Real y = f(1, 2); Real z = f(b = 1); end M;"#,
        expect![[r#"
            wrong-arguments: the input `a` of `f` is not given and has no default
            wrong-arguments: `f` takes one argument, and 2 are given
            wrong-arguments: `f` has no input `b`
        "#]],
    );
}

#[test]
fn an_input_is_not_assigned() {
    check(
        r#"function f input Real a; output Real y; algorithm a := 1; y := a; end f;
         model M Real x = f(1); end M;"#,
        expect![[r#"
            not-assignable: `a` is an input or constant of the function and cannot be assigned to
        "#]],
    );
}

#[test]
fn an_output_without_a_value() {
    check(
        r#"function f input Real a; output Real y; algorithm end f;
         model M Real x = f(1); end M;"#,
        expect![[r#"
            not-assigned: `f` is called and never gives its output `y` a value
        "#]],
    );
}

#[test]
fn an_impure_function_in_an_equation() {
    check(
        r#"impure function f output Real y; external "C"; end f;
         model M Real x = f(); end M;"#,
        expect![[r#"
            impure-call: `f` is impure and cannot be called in an equation that holds all the time
        "#]],
    );
}

#[test]
fn a_function_knows_no_time() {
    check(
        r#"function f input Real a; output Real y; algorithm y := a + time; end f;
         model M Real x = f(1); end M;"#,
        expect![[r#"
            not-in-function: `time` means nothing in a function
        "#]],
    );
}

#[test]
fn a_function_behind_another_name() {
    check(
        r#"function sine input Real u; output Real y; external "builtin" y = sin(u); end sine;
         model M Real x = sine(time); end M;"#,
        expect![[r#"
            Real x = sin(time)
        "#]],
    );
}
