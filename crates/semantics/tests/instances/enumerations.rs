//! Enumeration types (MLS §4.9.5).

use expect_test::expect;

use crate::check;

#[test]
fn a_literal_and_its_order() {
    check(
        r#"type Level = enumeration(low, middle, high);
         model M parameter Level l = Level.middle; Boolean b = l < Level.high; Integer i = Integer(l); end M;"#,
        expect![[r#"
            parameter Level l = Level.middle
            Boolean b = l < Level.high
            Integer i = Integer(l)
        "#]],
    );
}

#[test]
fn two_types_with_the_same_literals_are_one() {
    check(
        r#"type A = enumeration(x, y); type B = enumeration(x, y);
         model M parameter A a = A.x; parameter B b = a; end M;"#,
        expect![[r#"
            parameter A a = A.x
            parameter B b = a
        "#]],
    );
}

#[test]
fn two_types_with_other_literals_are_not() {
    check(
        r#"type A = enumeration(x, y); type B = enumeration(x, z);
         model M parameter A a = A.x; parameter B b = a; end M;"#,
        expect![[r#"
            type-mismatch: the value of `b` must be B, and this is A
        "#]],
    );
}

#[test]
fn a_literal_that_is_not_there() {
    check(
        r#"type A = enumeration(x, y);
         model M parameter A a = A.z; end M;"#,
        expect![[r#"
            unknown-name: there is no `z` in `A`
        "#]],
    );
}

#[test]
fn numbers_are_no_literals() {
    check(
        r#"type A = enumeration(x, y);
         model M parameter A a = 1; Real r = A.x + 1; end M;"#,
        expect![[r#"
            type-mismatch: the value of `a` must be A, and this is Integer
            type-mismatch: the operands of `+` must be numbers, and this is A
        "#]],
    );
}
