//! Values given from outside (MLS §7.2).

use expect_test::expect;

use crate::check;

#[test]
fn the_outer_modification_wins() {
    check(
        r#"model A parameter Real k = 1; end A;
         model B A a(k = 2); end B;
         model M B b(a(k = 3)); end M;"#,
        expect![[r#"
            B b
              A a
                parameter Real 'b.a.k' = 3
        "#]],
    );
}

#[test]
fn a_value_means_the_names_of_the_place_where_it_is_written() {
    check(
        r#"model A parameter Real n = 1; parameter Real k = n; end A;
         model M parameter Real n = 5; A a(k = n); end M;"#,
        expect![[r#"
            parameter Real n = 5
            A a
              parameter Real 'a.n' = 1
              parameter Real 'a.k' = n
        "#]],
    );
}

#[test]
fn attributes_merge_with_those_that_are_there() {
    check(
        r#"model A Real x(start = 1, unit = "m"); end A;
         model M A a(x(start = 2, fixed = true)); end M;"#,
        expect![[r#"
            A a
              Real 'a.x'(start = 2, fixed = true, unit = "m")
        "#]],
    );
}

#[test]
fn what_is_final_stays() {
    check(
        r#"model A final parameter Real k = 1; end A;
         model M A a(k = 2); end M;"#,
        expect![[r#"
            modified-final: `k` is final and cannot be modified
        "#]],
    );
}

#[test]
fn an_element_that_is_not_there() {
    check(
        r#"model A parameter Real k = 1; end A;
         model M A a(kk = 2); end M;"#,
        expect![[r#"
            unknown-element: `A` has no element `kk` to modify
        "#]],
    );
}

#[test]
fn an_element_twice_in_one_modification() {
    check(
        r#"model A parameter Real k = 1; end A;
         model M A a(k = 2, k = 3); end M;"#,
        expect![[r#"
            duplicate-modification: `k` is modified twice
        "#]],
    );
}

#[test]
fn each_gives_every_element_the_same_value() {
    check(
        r#"model A parameter Real k = 1; end A;
         model M A a[2](each k = 2); end M;"#,
        expect![[r#"
            A a[2]
              parameter Real[2] 'a[:].k' = fill(2, 2)
        "#]],
    );
}

#[test]
fn without_each_every_element_gets_its_own() {
    check(
        r#"model A parameter Real k = 1; end A;
         model M A a[2](k = {2, 3}); end M;"#,
        expect![[r#"
            A a[2]
              parameter Real[2] 'a[:].k' = {2, 3}
        "#]],
    );
}

#[test]
fn an_attribute_that_a_type_does_not_have() {
    check(
        r#"model M Real x(strat = 1); end M;"#,
        expect![[r#"
        unknown-attribute: `Real` has no attribute `strat`
    "#]],
    );
}

#[test]
fn a_value_of_another_type() {
    check(
        r#"model M parameter Integer n = 1.5; parameter Boolean b = 1; end M;"#,
        expect![[r#"
        type-mismatch: the value of `n` must be Integer, and this is Real
        type-mismatch: the value of `b` must be Boolean, and this is Integer
    "#]],
    );
}
