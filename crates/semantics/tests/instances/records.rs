//! Records, their constructors and operators (MLS §12.6, §14).

use expect_test::expect;

use crate::check;

#[test]
fn a_record_becomes_its_fields() {
    check(
        r#"record R Real a; Integer n = 1; end R;
         model M R r(a = 2); equation r.n = 2; end M;"#,
        expect![[r#"
            R r
              Real 'r.a' = 2
              Integer 'r.n' = 1
            equation
              'r.n' = 2;
        "#]],
    );
}

#[test]
fn a_constructor_takes_defaults_of_the_class() {
    check(
        r#"record R Real a = 1; Real b = 2*a; end R;
         model M R r = R(a = 3); end M;"#,
        expect![[r#"
            R r
              Real 'r.a'
              Real 'r.b'
            equation
              R('r.a', 'r.b') = R(3, 2*3);
        "#]],
    );
}

#[test]
fn a_field_that_no_constructor_has() {
    check(
        r#"record R Real a; end R;
         model M R r = R(1, c = 2); end M;"#,
        expect![[r#"
            wrong-arguments: `R` has no input `c`
        "#]],
    );
}

#[test]
fn an_operator_of_a_record_is_a_call() {
    check(
        r#"operator record C Real re; Real im;
           operator 'constructor' function fromReal input Real re; input Real im = 0; output C c(re = re, im = im); algorithm end fromReal; end 'constructor';
           operator '+' function add input C a; input C b; output C c; algorithm c := C(a.re + b.re, a.im + b.im); end add; end '+';
         end C;
         model M C a; C b; C c = a + b; C d = a + 1; end M;"#,
        expect![[r#"
            C a
              Real 'a.re'
              Real 'a.im'
            C b
              Real 'b.re'
              Real 'b.im'
            C c
              Real 'c.re'
              Real 'c.im'
            C d
              Real 'd.re'
              Real 'd.im'
            equation
              C('c.re', 'c.im') = 'C.\'+\'.add'(C('a.re', 'a.im'), C('b.re', 'b.im'));
              C('d.re', 'd.im') = 'C.\'+\'.add'(C('a.re', 'a.im'), 'C.\'constructor\'.fromReal'(1, 0));
        "#]],
    );
}

#[test]
fn an_operator_that_a_record_does_not_have() {
    check(
        r#"operator record C Real re;
           operator '+' function add input C a; input C b; output C c; algorithm c := C(a.re + b.re); end add; end '+';
         end C;
         model M C a; C b; C c = a*b; end M;"#,
        expect![[r#"
            type-mismatch: there is no `*` for C and C
        "#]],
    );
}

#[test]
fn records_with_other_fields_are_not_equal() {
    check(
        r#"record R Real a; end R; record S Real b; end S;
         model M R r; S s; equation r = s; end M;"#,
        expect![[r#"
            type-mismatch: the sides of the equation do not go together: R and S
        "#]],
    );
}
