//! Other classes and components in the place of replaceable ones (MLS §7.3).

use expect_test::expect;

use crate::check;

#[test]
fn a_component_of_another_class() {
    check(
        r#"model A Real x = 1; end A; model B Real x = 2; Real y = 3; end B;
         model C replaceable A part; end C;
         model M C c(redeclare B part); end M;"#,
        expect![[r#"
            C c
              B part
                Real 'c.part.x' = 2
                Real 'c.part.y' = 3
        "#]],
    );
}

#[test]
fn a_class_of_which_components_are() {
    check(
        r#"model C replaceable type T = Real; T x; T y; end C;
         model M C c(redeclare type T = Real(unit = "m")); end M;"#,
        expect![[r#"
            C c
              Real 'c.x'(unit = "m")
              Real 'c.y'(unit = "m")
        "#]],
    );
}

#[test]
fn the_modifications_of_the_constraint_stay() {
    check(
        r#"model A parameter Real k = 1; end A; model B extends A; parameter Real l = 2; end B;
         model C replaceable A part constrainedby A(k = 5); end C;
         model M C c(redeclare B part); end M;"#,
        expect![[r#"
            C c
              B part
                parameter Real 'c.part.k' = 5
                parameter Real 'c.part.l' = 2
        "#]],
    );
}

#[test]
fn a_redeclaration_inside_a_derived_class() {
    check(
        r#"model C replaceable Real x = 1; end C;
         model M extends C; redeclare Real x(unit = "m") = 2; end M;"#,
        expect![[r#"
            Real x(unit = "m") = 2
        "#]],
    );
}

#[test]
fn a_redeclaration_of_another_type() {
    check(
        r#"model C replaceable Real x = 1; end C;
         model M extends C; redeclare Integer x = 2; end M;"#,
        expect![[r#"
            redeclare-mismatch: `x` does not fit what it replaces: it is of type Integer and not of type Real
        "#]],
    );
}

#[test]
fn what_is_not_replaceable() {
    check(
        r#"model A Real x = 1; end A; model B Real x = 2; end B;
         model C A part; end C;
         model M C c(redeclare B part); end M;"#,
        expect![[r#"
            not-replaceable: `part` is not replaceable and cannot be redeclared
        "#]],
    );
}

#[test]
fn a_class_that_lacks_what_the_constraint_has() {
    check(
        r#"model A Real x = 1; end A; model B Real y = 2; end B;
         model C replaceable A part; end C;
         model M C c(redeclare B part); end M;"#,
        expect![[r#"
            redeclare-mismatch: `part` does not fit what it replaces: it has no `x`
        "#]],
    );
}

#[test]
fn nothing_to_redeclare() {
    check(
        r#"model C Real x = 1; end C;
         model M C c(redeclare Real z); end M;"#,
        expect![[r#"
            unknown-element: `C` has no element `z` to modify
        "#]],
    );
}

#[test]
fn a_package_is_chosen() {
    check(
        r#"package Medium constant Integer n = 1; end Medium;
         package Mixture extends Medium(n = 3); end Mixture;
         model Tank replaceable package P = Medium; Real x[P.n]; end Tank;
         model M Tank t(redeclare package P = Mixture); end M;"#,
        expect![[r#"
            Tank t
              Real[3] 't.x'
        "#]],
    );
}
