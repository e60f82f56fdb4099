//! Parameters that are evaluated because the structure depends on them (MLS §18.3, §4.5).

use expect_test::expect;

use crate::check;

#[test]
fn a_size_makes_its_parameters_structural() {
    check(
        r#"model M parameter Integer n = 2; parameter Integer m = n + 1; parameter Real k = 3; Real x[m]; end M;"#,
        expect![[r#"
            parameter Integer n = 2 annotation(Evaluate = true)
            parameter Integer m = 3 annotation(Evaluate = true)
            parameter Real k = 3
            Real[3] x
        "#]],
    );
}

#[test]
fn an_evaluated_parameter_is_folded() {
    check(
        r#"model M parameter Real k = 2 annotation(Evaluate = true); final parameter Real l = 2*k; parameter Real p = l; end M;"#,
        expect![[r#"
            parameter Real k = 2 annotation(Evaluate = true)
            parameter Real l = 4.0 annotation(Evaluate = true)
            parameter Real p = l
        "#]],
    );
}

#[test]
fn an_if_equation_is_chosen() {
    check(
        r#"model M parameter Boolean with = true; Real x; equation if with then x = 1; else x = 2; x = 3; end if; end M;"#,
        expect![[r#"
            parameter Boolean with = true annotation(Evaluate = true)
            Real x
            equation
              x = 1;
        "#]],
    );
}

#[test]
fn an_if_equation_of_the_run_stays() {
    check(
        r#"model M Real x; equation if time > 1 then x = 1; else x = 2; end if; end M;"#,
        expect![[r#"
        Real x
        equation
          if time > 1 then
            x = 1;
          else
            x = 2;
          end if;
    "#]],
    );
}

#[test]
fn a_size_without_a_value() {
    check(
        r#"model M parameter Integer n; Real x[n]; end M;"#,
        expect![[r#"
        size-not-evaluable: an array size must be known before the run
    "#]],
    );
}

#[test]
fn a_size_that_varies() {
    check(
        r#"model M Integer n = integer(time); Real x[n]; end M;"#,
        expect![[r#"
        size-not-evaluable: an array size must be known before the run
    "#]],
    );
}

#[test]
fn a_constant_without_a_value() {
    check(
        r#"model M constant Real k; Real x = k; end M;"#,
        expect![[r#"
        constant Real k
        Real x = k
    "#]],
    );
}

#[test]
fn a_parameter_that_depends_on_the_time() {
    check(
        r#"model M parameter Real k = x; Real x = time; end M;"#,
        expect![[r#"
        variability: the value of `k` must be known before the run, as a parameter or constant is, and `x` varies with time
    "#]],
    );
}
