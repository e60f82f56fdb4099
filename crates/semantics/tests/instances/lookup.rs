//! What names mean (MLS §5.3, §13.2).

use expect_test::expect;

use crate::check;

#[test]
fn enclosing_classes_from_the_inside_out() {
    check(
        r#"package P constant Real k = 1; package Q constant Real k = 2; model A Real x = k; end A; end Q; model B Real x = k; end B; end P;
         model M P.Q.A a; P.B b; end M;"#,
        expect![[r#"
            P.Q.A a
              Real 'a.x' = 2.0
            P.B b
              Real 'b.x' = 1.0
        "#]],
    );
}

#[test]
fn imports_of_all_kinds() {
    check(
        r#"package P constant Real a = 1; constant Real b = 2; constant Real c = 3; end P;
         model M import P.a; import Q = P; import P.{b, c}; Real x = a + Q.b + b + c; end M;"#,
        expect![[r#"
            Real x = 1.0 + 2.0 + 2.0 + 3.0
        "#]],
    );
}

#[test]
fn what_is_imported_twice_is_ambiguous() {
    check(
        r#"package P constant Real a = 1; end P; package Q constant Real a = 2; end Q;
         model M import P.*; import Q.*; Real x = a; end M;"#,
        expect![[r#"
            ambiguous-import: two packages that are imported have a `a`
        "#]],
    );
}

#[test]
fn an_unknown_name_with_the_nearest_one() {
    check(
        r#"model M Real speed = 1; Real x = sped; end M;"#,
        expect![[r#"
        unknown-name: there is no `sped` in `M`
    "#]],
    );
}

#[test]
fn only_constants_of_a_package() {
    check(
        r#"package P model A Real x = k; end A; constant Real k = 1; end P;
         model N Real y = 1; model B Real x = y; end B; end N;
         model M P.A a; N.B b; end M;"#,
        expect![[r#"
            not-a-constant: `N.y` is not a constant, and only constants can be used from outside an instance
        "#]],
    );
}

#[test]
fn what_is_protected_is_not_reached_with_a_dot() {
    check(
        r#"model A protected Real x = 1; end A;
         model M A a; Real y = a.x; end M;"#,
        expect![[r#"
            protected-access: `x` of `A` is protected
        "#]],
    );
}

#[test]
fn a_name_from_the_top() {
    check(
        r#"package P constant Real k = 1; end P;
         model M package P constant Real k = 2; end P; Real x = P.k; Real y = .P.k; end M;"#,
        expect![[r#"
            Real x = 2.0
            Real y = 1.0
        "#]],
    );
}
