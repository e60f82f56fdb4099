//! One mistake a file, and the text that a person sees: the id, the line, and what to try.

mod said;

use expect_test::expect;
use said::check;

#[test]
fn a_semicolon_is_missing() {
    check(
        "a_semicolon_is_missing",
        "\
model M
  Real x = 1
  Real y = 2;
end M;
",
        expect![[r#"
            error[missing-semicolon]: `;` is missing after a declaration
             --> a_semicolon_is_missing.mo:2:13
              |
            2 |   Real x = 1
              |             ^ put a `;` here
        "#]],
    );
}

#[test]
fn another_class_is_closed() {
    check(
        "another_class_is_closed",
        "\
model Motor
  Real x = 1;
end Moter;
",
        expect![[r#"
            error[end-name-mismatch]: `end Moter` closes the class `Motor`: the names must agree
             --> another_class_is_closed.mo:3:5
              |
            1 | model Motor
              |       ----- the name of the class
            2 |   Real x = 1;
            3 | end Moter;
              |     ^^^^^ write `end Motor`
        "#]],
    );
}

#[test]
fn a_bracket_is_not_closed() {
    check(
        "a_bracket_is_not_closed",
        "\
model M
  Real x;
equation
  x = 2*(time + 1;
end M;
",
        expect![[r#"
            error[unclosed-bracket]: expected `,` or `)` to close the `(`, found `;`
             --> a_bracket_is_not_closed.mo:4:18
              |
            4 |   x = 2*(time + 1;
              |         -        ^ expected `)`
              |         |
              |         opened here
        "#]],
    );
}

#[test]
fn an_assignment_among_equations() {
    check(
        "an_assignment_among_equations",
        "\
model M
  Real x;
equation
  x := time;
end M;
",
        expect![[r#"
            error[assignment-in-equation]: `:=` assigns; an equation is written with `=`
             --> an_assignment_among_equations.mo:4:5
              |
            4 |   x := time;
              |     ^^ write `=`
              |
              = note: assignments belong in an `algorithm` section
        "#]],
    );
}

#[test]
fn unknown_name() {
    check(
        "unknown_name",
        "\
model M
  Real height = 1;
  Real y = 2*hieght;
end M;
",
        expect![[r#"
            error[unknown-name]: there is no `hieght` in `M`
             --> unknown_name.mo:3:14
              |
            3 |   Real y = 2*hieght;
              |              ^^^^^^ not declared
              |
              = note: did you mean `height`?
        "#]],
    );
}

#[test]
fn unknown_type() {
    check(
        "unknown_type",
        "\
model M
  Rael x = 1;
end M;
",
        expect![[r#"
            error[unknown-type]: there is no class or type `Rael` in `M`
             --> unknown_type.mo:2:3
              |
            2 |   Rael x = 1;
              |   ^^^^ not known
              |
              = note: did you mean `Real`?
        "#]],
    );
}

#[test]
fn unknown_function() {
    check(
        "unknown_function",
        "\
model M
  Real x = sine(time);
end M;
",
        expect![[r#"
            error[unknown-function]: there is no function `sine`
             --> unknown_function.mo:2:12
              |
            2 |   Real x = sine(time);
              |            ^^^^ not known
              |
              = note: did you mean `sin`?
        "#]],
    );
}

#[test]
fn unknown_attribute() {
    check(
        "unknown_attribute",
        "\
model M
  Real x(strat = 1, fixed = true);
equation
  der(x) = -x;
end M;
",
        expect![[r#"
            error[unknown-attribute]: `Real` has no attribute `strat`
             --> unknown_attribute.mo:2:10
              |
            2 |   Real x(strat = 1, fixed = true);
              |          ^^^^^^^^^ not an attribute
              |
              = note: did you mean `start`?
        "#]],
    );
}

#[test]
fn type_mismatch() {
    check(
        "type_mismatch",
        "\
model M
  parameter Boolean on = true;
  Real x;
equation
  x = 1 + on;
end M;
",
        expect![[r#"
            error[type-mismatch]: the operands of `+` must be numbers, and this is Boolean
             --> type_mismatch.mo:5:11
              |
            5 |   x = 1 + on;
              |           ^^ Boolean
        "#]],
    );
}

#[test]
fn size_mismatch() {
    check(
        "size_mismatch",
        "\
model M
  Real x[3];
equation
  x = {1, 2};
end M;
",
        expect![[r#"
            error[size-mismatch]: the sides of the equation do not go together: Real[3] and Integer[2]
             --> size_mismatch.mo:4:7
              |
            4 |   x = {1, 2};
              |   -   ^^^^^^ Integer[2]
              |   |
              |   Real[3]
        "#]],
    );
}

#[test]
fn start_without_each() {
    check(
        "start_without_each",
        "\
model M
  Real x[2](start = 1, each fixed = true);
equation
  der(x) = -x;
end M;
",
        expect![[r#"
            error[size-mismatch]: `start` of `x` (without `each`) must have the sizes [2], and this is Integer
             --> start_without_each.mo:2:21
              |
            2 |   Real x[2](start = 1, each fixed = true);
              |                     ^ Integer
              |
              = note: `each` before the modifier gives every element the same value, `fill` makes an array of one
        "#]],
    );
}

#[test]
fn wrong_number_of_arguments() {
    check(
        "wrong_number_of_arguments",
        "\
model M
  Real x = atan2(time);
end M;
",
        expect![[r#"
            error[wrong-arguments]: `atan2` takes two arguments, and 1 is given
             --> wrong_number_of_arguments.mo:2:12
              |
            2 |   Real x = atan2(time);
              |            ^^^^^^^^^^^ in this call
        "#]],
    );
}

#[test]
fn too_many_subscripts() {
    check(
        "too_many_subscripts",
        "\
model M
  Real x[2] = {1, 2};
  Real y = x[1, 1];
end M;
",
        expect![[r#"
            error[wrong-subscripts]: `x` has 1 dimension, and 2 subscripts are given
             --> too_many_subscripts.mo:3:13
              |
            3 |   Real y = x[1, 1];
              |             ^^^^^^ here
        "#]],
    );
}

#[test]
fn subscript_out_of_bounds() {
    check(
        "subscript_out_of_bounds",
        "\
model M
  Real x[2] = {1, 2};
  Real y = x[3];
end M;
",
        expect![[r#"
            error[subscript-out-of-bounds]: the subscript 3 is outside `x`, which goes from 1 to 2 there
             --> subscript_out_of_bounds.mo:3:14
              |
            3 |   Real y = x[3];
              |              ^ this is 3
        "#]],
    );
}

#[test]
fn declared_twice() {
    check(
        "declared_twice",
        "\
model M
  Real x = 1;
  Real x = 2;
end M;
",
        expect![[r#"
            error[duplicate-name]: `x` is declared twice
             --> declared_twice.mo:3:8
              |
            2 |   Real x = 1;
              |        - first declared here
            3 |   Real x = 2;
              |        ^ declared again
        "#]],
    );
}

#[test]
fn a_parameter_that_varies() {
    check(
        "a_parameter_that_varies",
        "\
model M
  Real x = time;
  parameter Real p = 2*x;
end M;
",
        expect![[r#"
            error[variability]: the value of `p` must be known before the run, as a parameter or constant is, and `x` varies with time
             --> a_parameter_that_varies.mo:3:24
              |
            3 |   parameter Real p = 2*x;
              |                        ^ `x` varies with time
        "#]],
    );
}

#[test]
fn a_size_without_value() {
    check(
        "a_size_without_value",
        "\
model M
  parameter Integer n;
  Real x[n];
end M;
",
        expect![[r#"
            error[size-not-evaluable]: an array size must be known before the run
             --> a_size_without_value.mo:3:10
              |
            3 |   Real x[n];
              |          ^ `n` is not known before the run
              |
              = note: sizes are made of numbers, constants, and parameters that have a value
        "#]],
    );
}

#[test]
fn parameters_in_a_circle() {
    check(
        "parameters_in_a_circle",
        "\
model M
  parameter Real a = b + 1;
  parameter Real b = 2*a;
  Real x = a;
end M;
",
        expect![[r#"
            error[cyclic-binding]: the values of `a` and `b` depend on each other
             --> parameters_in_a_circle.mo:2:18
              |
            2 |   parameter Real a = b + 1;
              |                  ^ `a`
            3 |   parameter Real b = 2*a;
              |                  - `b`
        "#]],
    );
}

#[test]
fn too_few_equations() {
    check(
        "too_few_equations",
        "\
model M
  Real x;
  Real y;
  Real z;
equation
  x = time;
  y + z = x;
end M;
",
        expect![[r#"
            error[too-few-equations]: `M` has 2 equations for 3 unknowns: only 1 equation for the 2 unknowns `y` and `z`
             --> too_few_equations.mo:3:8
              |
            3 |   Real y;
              |        ^ `y`
            4 |   Real z;
              |        - `z`
              |
              = note: add an equation, give the variable a binding, or declare it as a parameter
        "#]],
    );
}

#[test]
fn too_many_equations() {
    check(
        "too_many_equations",
        "\
model M
  Real x;
  Real y;
equation
  x = time;
  y = 2*x;
  x + y = 3;
end M;
",
        expect![[r#"
            error[too-many-equations]: `M` has 3 equations for 2 unknowns: 3 equations for the 2 unknowns `x` and `y`
             --> too_many_equations.mo:5:3
              |
            5 |   x = time;
              |   ^^^^^^^^ x = time
            6 |   y = 2*x;
              |   ------- y = 2*x
            7 |   x + y = 3;
              |   --------- x + y = 3
              |
              = note: one of these equations must go, or another variable be left free
        "#]],
    );
}

#[test]
fn structurally_singular() {
    check(
        "structurally_singular",
        "\
model M
  Real x;
  Real y;
equation
  x = time;
  2*x = 3;
end M;
",
        expect![[r#"
            error[structurally-singular]: the equations of `M` do not determine its unknowns: 2 equations for the 1 unknown `x`
             --> structurally_singular.mo:5:3
              |
            3 |   Real y;
              |        - `y`
            4 | equation
            5 |   x = time;
              |   ^^^^^^^^ x = time
            6 |   2*x = 3;
              |   ------- 2*x = 3
              |
              = note: while no equation determines `y`
        "#]],
    );
}

#[test]
fn no_class_at_all() {
    check(
        "no_class_at_all",
        "\
// nothing here
",
        expect![[r#"
            error[class-not-found]: there is no class in `no_class_at_all.mo`
        "#]],
    );
}
