//! Arrays of components and their sizes (MLS §10.1, §7.2.5).

use expect_test::expect;

use crate::check;

#[test]
fn a_variable_inside_has_the_sizes_around_it_in_front() {
    check(
        r#"model Inner Real x[3]; end Inner;
         model M Inner a[2]; end M;"#,
        expect![[r#"
            Inner a[2]
              Real[2, 3] 'a[:].x'
        "#]],
    );
}

#[test]
fn equations_of_an_array_of_components_stand_in_a_loop() {
    check(
        r#"model Inner Real x; equation x = 1; end Inner;
         model M Inner a[2]; end M;"#,
        expect![[r#"
            Inner a[2]
              Real[2] 'a[:].x'
            equation
              for i in 1:2 loop
                'a[:].x'[i] = 1;
              end for;
        "#]],
    );
}

#[test]
fn a_size_from_a_value() {
    check(
        r#"model M parameter Real k[:] = {1, 2, 3}; Real x[size(k, 1)] = k; end M;"#,
        expect![[r#"
        parameter Real[3] k = {1, 2, 3}
        Real[3] x = k
    "#]],
    );
}

#[test]
fn a_matrix_expression_has_sizes() {
    check(
        r#"model M Real A[2, 3]; Real v[3]; Real w[2]; equation w = A*v; end M;"#,
        expect![[r#"
        Real[2, 3] A
        Real[3] v
        Real[2] w
        equation
          w = A*v;
    "#]],
    );
}

#[test]
fn sizes_that_do_not_fit() {
    check(
        r#"model M Real A[2, 3]; Real v[2]; Real w[2]; equation w = A*v; end M;"#,
        expect![[r#"
        size-mismatch: the operands of `*` do not go together: Real[2, 3] and Real[2]
    "#]],
    );
}

#[test]
fn a_subscript_that_is_not_there() {
    check(
        r#"model M Real x[2]; Real y = x[3]; end M;"#,
        expect![[r#"
        subscript-out-of-bounds: the subscript 3 is outside `x`, which goes from 1 to 2 there
    "#]],
    );
}

#[test]
fn elements_that_differ_in_structure_are_taken_apart() {
    check(
        r#"model Inner parameter Integer n = 1; Real x[n]; end Inner;
         model M Inner a[2](n = {1, 2}); end M;"#,
        expect![[r#"
            Inner a[1]
              parameter Integer 'a[1].n' = 1 annotation(Evaluate = true)
              Real[1] 'a[1].x'
            Inner a[2]
              parameter Integer 'a[2].n' = 2 annotation(Evaluate = true)
              Real[2] 'a[2].x'
        "#]],
    );
}

#[test]
fn an_enumeration_as_a_dimension() {
    check(
        r#"type E = enumeration(one, two);
         model M Real x[E]; equation x[E.one] = 1; x[E.two] = 2; end M;"#,
        expect![[r#"
            Real[2] x
            equation
              x[1] = 1;
              x[2] = 2;
        "#]],
    );
}

#[test]
fn a_loop_over_an_array_keeps_its_iterator() {
    check(
        r#"model M Real x[3]; equation for i in 1:3 loop x[i] = i; end for; end M;"#,
        expect![[r#"
        Real[3] x
        equation
          for i in 1:3 loop
            x[i] = i;
          end for;
    "#]],
    );
}
