//! Components that are there or not (MLS §4.4.5).

use expect_test::expect;

use crate::check;

#[test]
fn a_component_whose_condition_is_false_is_left_out() {
    check(
        r#"model Part Real x = 1; end Part;
         model M parameter Boolean with = false; Part p if with; Part q if not with; end M;"#,
        expect![[r#"
            parameter Boolean with = false annotation(Evaluate = true)
            Part q
              Real 'q.x' = 1
        "#]],
    );
}

#[test]
fn connections_to_it_go_with_it() {
    check(
        r#"connector Pin Real v; flow Real i; end Pin;
         model M Pin a if false; Pin b; equation connect(a, b); end M;"#,
        expect![[r#"
            connector Pin b
              Real 'b.v'
              Real 'b.i'
        "#]],
    );
}

#[test]
fn what_is_not_there_cannot_be_asked() {
    check(
        r#"model Part Real x = 1; end Part;
         model M Part p if false; Real y = p.x; end M;"#,
        expect![[r#"
            absent-component: `p` is not there: its condition is false
        "#]],
    );
}

#[test]
fn a_condition_must_be_known() {
    check(
        r#"model M Real x = time; Real y if x > 1; end M;"#,
        expect![[r#"
        condition-not-evaluable: the condition of a component must be known before the run
    "#]],
    );
}

#[test]
fn a_condition_is_a_truth_value() {
    check(
        r#"model M Real y if 1; end M;"#,
        expect![[r#"
        type-mismatch: the condition of a component must be Boolean, and this is Integer
    "#]],
    );
}
