//! Base classes and what is taken from them (MLS §7.1).

use expect_test::expect;

use crate::check;

#[test]
fn the_elements_of_a_base_class_stand_where_it_is_extended() {
    check(
        r#"model Base Real x; equation x = 1; end Base;
         model M Real a; extends Base; Real b; equation a = x; b = a; end M;"#,
        expect![[r#"
            Real a
            Real x
            Real b
            equation
              x = 1;
              a = x;
              b = a;
        "#]],
    );
}

#[test]
fn a_base_class_is_modified_where_it_is_extended() {
    check(
        r#"model Base parameter Real k = 1; Real x(start = k); end Base;
         model Middle extends Base(k = 2); end Middle;
         model M extends Middle(x(fixed = true)); end M;"#,
        expect![[r#"
            parameter Real k = 2
            Real x(start = k, fixed = true)
        "#]],
    );
}

#[test]
fn an_equal_element_inherited_twice_is_there_once() {
    check(
        r#"model Base Real x = 1; end Base;
         model A extends Base; end A; model B extends Base; end B;
         model M extends A; extends B; end M;"#,
        expect![[r#"
            Real x = 1
        "#]],
    );
}

#[test]
fn elements_of_one_name_that_differ_are_refused() {
    check(
        r#"model A Real x = 1; end A; model B Integer x = 1; end B;
         model M extends A; extends B; end M;"#,
        expect![[r#"
            duplicate-name: `M` has two different elements `x`
        "#]],
    );
}

#[test]
fn what_an_extends_breaks_is_left_out() {
    check(
        r#"model Part Real x = 1; end Part;
         model Base Part p; Part q; end Base;
         model M extends Base(break p); end M;"#,
        expect![[r#"
            Part q
              Real 'q.x' = 1
        "#]],
    );
}

#[test]
fn a_variable_is_not_broken_out() {
    check(
        r#"model Base Real x = 1; Real y = 2; end Base;
         model M extends Base(break y); end M;"#,
        expect![[r#"
            class-restriction: `break` takes out components that are models, blocks or connectors
        "#]],
    );
}

#[test]
fn a_class_cannot_extend_itself() {
    check(
        r#"model M extends M; end M;"#,
        expect![[r#"
        extends-itself: `M` extends itself
    "#]],
    );
}

#[test]
fn a_type_extended_keeps_its_attributes() {
    check(
        r#"type Length = Real(unit = "m", min = 0);
         type Height = Length(max = 100);
         model M Height h(start = 1); end M;"#,
        expect![[r#"
            Real h(start = 1, min = 0, max = 100, unit = "m")
        "#]],
    );
}

#[test]
fn a_model_is_no_base_of_a_record() {
    check(
        r#"model Base Real x; equation x = 1; end Base;
         record R extends Base; end R;
         model M R r; end M;"#,
        expect![[r#"
            wrong-base-class: a record cannot extend a model
        "#]],
    );
}
