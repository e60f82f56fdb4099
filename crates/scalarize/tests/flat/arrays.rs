//! Arrays and loops, element by element (MLS §10, §8.3.2).

use expect_test::expect;

use crate::check;

#[test]
fn an_array_equation_is_one_for_each_element() {
    check(
        "model M Real x[2]; Real y[2]; equation x = 2*y; y = {time, 1}; end M;",
        expect![[r#"
              unknown x[1]
              unknown x[2]
              unknown y[1]
              unknown y[2]
            equation
              x[1] = 2*y[1]
              x[2] = 2*y[2]
              y[1] = time
              y[2] = 1
        "#]],
    );
}

#[test]
fn a_product_of_matrices() {
    check(
        "model M parameter Real A[2, 2] = [1, 2; 3, 4]; Real v[2]; equation v = A*{time, 1}; end M;",
        expect![[r#"
              parameter A[1,1](fixed) = 1
              parameter A[1,2](fixed) = 2
              parameter A[2,1](fixed) = 3
              parameter A[2,2](fixed) = 4
              unknown v[1]
              unknown v[2]
            equation
              v[1] = A[1,1]*time + A[1,2]
              v[2] = A[2,1]*time + A[2,2]
        "#]],
    );
}

#[test]
fn a_loop_with_its_index_as_a_number() {
    check(
        "model M Real x[3]; equation x[1] = time; for i in 2:3 loop x[i] = i*x[i - 1]; end for; end M;",
        expect![[r#"
              unknown x[1]
              unknown x[2]
              unknown x[3]
            equation
              x[1] = time
              x[2] = 2*x[1]
              x[3] = 3*x[2]
        "#]],
    );
}

#[test]
fn a_loop_backwards_and_one_without_turns() {
    check(
        "model M Real x[2]; equation for i in 2:-1:1 loop x[i] = i*time; end for; for i in 1:0 loop x[i] = 7; end for; end M;",
        expect![[r#"
              unknown x[1]
              unknown x[2]
            equation
              x[2] = 2*time
              x[1] = time
        "#]],
    );
}

#[test]
fn a_sum_over_a_slice() {
    check(
        "model M Real x[3] = {1, 2, time}; Real s = sum(x[2:3]); Real m = max(x); end M;",
        expect![[r#"
              unknown x[1]
              unknown x[2]
              unknown x[3]
              unknown s
              unknown m
            equation
              x[1] = 1
              x[2] = 2
              x[3] = time
              s = x[2] + x[3]
              m = max(max(x[1], x[2]), x[3])
        "#]],
    );
}

#[test]
fn a_subscript_of_the_run() {
    check(
        "model M parameter Integer i = 2; Real x[3] = {1, 2, time}; Real y = x[i]; end M;",
        expect![[r#"
              parameter Integer i(fixed) = 2
              unknown x[1]
              unknown x[2]
              unknown x[3]
              unknown y
            equation
              x[1] = 1
              x[2] = 2
              x[3] = time
              y = if i == 1 then x[1] else if i == 2 then x[2] else if i == 3 then x[3] else 0/0
        "#]],
    );
}

#[test]
fn a_subscript_out_of_bounds_in_a_loop() {
    check(
        "model M Real x[2]; equation for i in 1:2 loop x[i] = if i < 2 then x[i + 2] else 1; end for; end M;",
        expect![[r#"
            subscript-out-of-bounds: the subscript 3 is outside `x`, which goes from 1 to 2 there
        "#]],
    );
}

#[test]
fn derivatives_of_an_array() {
    check(
        "model M Real x[2](start = {1, 2}, each fixed = true); equation der(x) = -x; end M;",
        expect![[r#"
              unknown x[1](start = 1, fixed)
              unknown x[2](start = 2, fixed)
              derivative der(x[1])
              derivative der(x[2])
            equation
              der(x[1]) = -x[1]
              der(x[2]) = -x[2]
        "#]],
    );
}

#[test]
fn the_derivative_of_an_expression() {
    check(
        "model M Real x; Real y; equation y = sin(time); der(x*y) = 1; end M;",
        expect![[r#"
              unknown x
              unknown y
              derivative der(x)
              derivative der(y)
            equation
              y = sin(time)
              der(x)*y + x*der(y) = 1
        "#]],
    );
}

#[test]
fn attributes_of_elements() {
    check(
        "model M Real x[2](start = {1, 2}, each min = 0) = {time, 2*time}; end M;",
        expect![[r#"
              unknown x[1](start = 1, min = 0)
              unknown x[2](start = 2, min = 0)
            equation
              x[1] = time
              x[2] = 2*time
        "#]],
    );
}
