//! Mistakes in classes, types, arrays and functions: one a file, and the text that a person sees.

mod said;

use expect_test::expect;
use said::check;

#[test]
fn a_class_that_is_misspelt() {
    check(
        "a_class_that_is_misspelt",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Resistr r;
end M;
",
        expect![[r#"
            error[unknown-type]: there is no class or type `Resistr` in `M`
             --> a_class_that_is_misspelt.mo:8:3
              |
            8 |   Resistr r;
              |   ^^^^^^^ not known
              |
              = note: did you mean `Resistor`?
        "#]],
    );
}

#[test]
fn a_class_that_its_package_does_not_have() {
    check(
        "a_class_that_its_package_does_not_have",
        "\
package Parts
  model Spring
    Real s = 1;
  end Spring;
end Parts;
model M
  Parts.Sprung s;
end M;
",
        expect![[r#"
            error[unknown-type]: there is no class or type `Sprung` in `Parts`
             --> a_class_that_its_package_does_not_have.mo:7:9
              |
            7 |   Parts.Sprung s;
              |         ^^^^^^ not known
              |
              = note: did you mean `Spring`?
        "#]],
    );
}

#[test]
fn a_base_class_that_is_not_there() {
    check(
        "a_base_class_that_is_not_there",
        "\
model M
  extends Base;
  Real x = 1;
end M;
",
        expect![[r#"
            error[unknown-type]: there is no class or type `Base` in `M`
             --> a_base_class_that_is_not_there.mo:2:11
              |
            2 |   extends Base;
              |           ^^^^ not known
        "#]],
    );
}

#[test]
fn a_class_that_extends_itself() {
    check(
        "a_class_that_extends_itself",
        "\
model M
  extends M;
  Real x = 1;
end M;
",
        expect![[r#"
            error[extends-itself]: `M` extends itself
             --> a_class_that_extends_itself.mo:2:11
              |
            2 |   extends M;
              |           ^ here
        "#]],
    );
}

#[test]
fn a_class_inside_itself() {
    check(
        "a_class_inside_itself",
        "\
model Tank
  Tank next;
  Real h = 1;
end Tank;
model M
  Tank t;
end M;
",
        expect![[r#"
            error[recursive-class]: `Tank` contains itself without end
             --> a_class_inside_itself.mo:2:8
              |
            2 |   Tank next;
              |        ^^^^ here
        "#]],
    );
}

#[test]
fn a_partial_class_as_a_component() {
    check(
        "a_partial_class_as_a_component",
        "\
partial model TwoPin
  Real v;
end TwoPin;
model M
  TwoPin p;
equation
  p.v = 1;
end M;
",
        expect![[r#"
            error[partial-class]: `TwoPin` is partial: something is left to be filled in
             --> a_partial_class_as_a_component.mo:5:10
              |
            5 |   TwoPin p;
              |          ^ used here
              |
              = note: redeclare it, or extend it with what is missing
        "#]],
    );
}

#[test]
fn a_modifier_for_no_element() {
    check(
        "a_modifier_for_no_element",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Resistor load(Rr = 5);
end M;
",
        expect![[r#"
            error[unknown-element]: `Resistor` has no element `Rr` to modify
             --> a_modifier_for_no_element.mo:8:17
              |
            8 |   Resistor load(Rr = 5);
              |                 ^^^^^^ not there
              |
              = note: did you mean `R`?
        "#]],
    );
}

#[test]
fn a_modifier_of_an_element_of_an_element() {
    check(
        "a_modifier_of_an_element_of_an_element",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model Box
  Resistor inside;
end Box;
model M
  Box box(inside(resistance = 5));
end M;
",
        expect![[r#"
            error[unknown-element]: `Resistor` has no element `resistance` to modify
              --> a_modifier_of_an_element_of_an_element.mo:11:18
               |
            11 |   Box box(inside(resistance = 5));
               |                  ^^^^^^^^^^^^^^ not there
        "#]],
    );
}

#[test]
fn an_attribute_that_is_misspelt() {
    check(
        "an_attribute_that_is_misspelt",
        "\
model M
  Real x(strat = 1) = time;
end M;
",
        expect![[r#"
            error[unknown-attribute]: `Real` has no attribute `strat`
             --> an_attribute_that_is_misspelt.mo:2:10
              |
            2 |   Real x(strat = 1) = time;
              |          ^^^^^^^^^ not an attribute
              |
              = note: did you mean `start`?
        "#]],
    );
}

#[test]
fn an_attribute_of_another_type() {
    check(
        "an_attribute_of_another_type",
        "\
model M
  Real x(start = \"0\", fixed = 1);
equation
  der(x) = 1;
end M;
",
        expect![[r#"
            error[type-mismatch]: `start` of `x` must be Real, and this is String
             --> an_attribute_of_another_type.mo:2:18
              |
            2 |   Real x(start = "0", fixed = 1);
              |                  ^^^ String
              |
              = note: write a number without quotes
            error[type-mismatch]: `fixed` of `x` must be Boolean, and this is Integer
             --> an_attribute_of_another_type.mo:2:31
              |
            2 |   Real x(start = "0", fixed = 1);
              |                               ^ Integer
              |
              = note: compare the number with another one: `x > 0`
        "#]],
    );
}

#[test]
fn a_modifier_written_twice() {
    check(
        "a_modifier_written_twice",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Resistor load(R = 5, R = 6);
end M;
",
        expect![[r#"
            error[duplicate-modification]: `R` is modified twice
             --> a_modifier_written_twice.mo:8:24
              |
            8 |   Resistor load(R = 5, R = 6);
              |                 -----  ^^^^^ modified again
              |                 |
              |                 first modified here
              |
              = note: keep one of them
        "#]],
    );
}

#[test]
fn a_modifier_of_what_is_final() {
    check(
        "a_modifier_of_what_is_final",
        "\
model Earth
  final parameter Real g = 9.81;
  Real w = g;
end Earth;
model M
  Earth moon(g = 1.62);
end M;
",
        expect![[r#"
            error[modified-final]: `g` is final and cannot be modified
             --> a_modifier_of_what_is_final.mo:6:14
              |
            2 |   final parameter Real g = 9.81;
              |                        - final here
            ...
            6 |   Earth moon(g = 1.62);
              |              ^^^^^^^^ modified here
        "#]],
    );
}

#[test]
fn a_value_of_another_type() {
    check(
        "a_value_of_another_type",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Resistor load(R = true);
end M;
",
        expect![[r#"
            error[type-mismatch]: the value of `load.R` must be Real, and this is Boolean
             --> a_value_of_another_type.mo:8:21
              |
            8 |   Resistor load(R = true);
              |                     ^^^^ Boolean
              |
              = note: write `if b then 1 else 0` to make a number of a Boolean
        "#]],
    );
}

#[test]
fn a_redeclaration_of_what_is_fixed() {
    check(
        "a_redeclaration_of_what_is_fixed",
        "\
model Fan
  Real n = 1;
end Fan;
model Pump
  Real n = 2;
end Pump;
model Unit
  Fan drive;
end Unit;
model M
  Unit u(redeclare Pump drive);
end M;
",
        expect![[r#"
            error[not-replaceable]: `drive` is not replaceable and cannot be redeclared
              --> a_redeclaration_of_what_is_fixed.mo:11:10
               |
             8 |   Fan drive;
               |       ----- declared without `replaceable`
            ...
            11 |   Unit u(redeclare Pump drive);
               |          ^^^^^^^^^^^^^^^^^^^^ redeclared here
               |
               = note: write `replaceable` before its declaration, or modify it instead
        "#]],
    );
}

#[test]
fn a_redeclaration_of_nothing() {
    check(
        "a_redeclaration_of_nothing",
        "\
model Base
  Real x = 1;
end Base;
model M
  extends Base;
  redeclare Real y = 2;
end M;
",
        expect![[r#"
            error[nothing-to-redeclare]: `M` inherits no `y` to redeclare
             --> a_redeclaration_of_nothing.mo:6:18
              |
            6 |   redeclare Real y = 2;
              |                  ^ redeclared here
              |
              = note: leave out `redeclare` to declare a new element
        "#]],
    );
}

#[test]
fn a_name_declared_twice() {
    check(
        "a_name_declared_twice",
        "\
model M
  Real x = 1;
  parameter Real x = 2;
end M;
",
        expect![[r#"
            error[duplicate-name]: `x` is declared twice
             --> a_name_declared_twice.mo:3:18
              |
            2 |   Real x = 1;
              |        - first declared here
            3 |   parameter Real x = 2;
              |                  ^ declared again
        "#]],
    );
}

#[test]
fn two_base_classes_that_differ() {
    check(
        "two_base_classes_that_differ",
        "\
model A
  Real x = 1;
end A;
model B
  Real x = 2;
end B;
model M
  extends A;
  extends B;
end M;
",
        expect![[r#"
            error[duplicate-name]: `M` has two different elements `x`
             --> two_base_classes_that_differ.mo:2:8
              |
            2 |   Real x = 1;
              |        ^ declared here
            ...
            5 |   Real x = 2;
              |        - and inherited from here
              |
              = note: elements that are inherited twice must be declared alike, modifiers included
        "#]],
    );
}

#[test]
fn an_outer_without_an_inner() {
    check(
        "an_outer_without_an_inner",
        "\
model World
  parameter Real g = 9.81;
end World;
model Ball
  outer parameter Real g;
  Real w = g;
end Ball;
model M
  Ball b;
end M;
",
        expect![[r#"
            warning[missing-inner]: no `inner Real g` is declared around this `outer` one: one with defaults is used
             --> an_outer_without_an_inner.mo:5:24
              |
            5 |   outer parameter Real g;
              |                        ^ declared here
              |
              = note: declare `inner Real g;` in the model
            error[too-few-equations]: `M` has 1 equation for 2 unknowns: only 1 equation for the 2 unknowns `b.w` and `g`
             --> an_outer_without_an_inner.mo:6:8
              |
            5 |   outer parameter Real g;
              |                        - `g`
            6 |   Real w = g;
              |        ^ `b.w`
              |
              = note: add an equation, give the variable a binding, or declare it as a parameter
        "#]],
    );
}

#[test]
fn a_component_that_is_not_there() {
    check(
        "a_component_that_is_not_there",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  parameter Boolean heated = false;
  Resistor heater if heated;
  Real v = heater.v;
end M;
",
        expect![[r#"
            error[absent-component]: `heater` is not there: its condition is false
              --> a_component_that_is_not_there.mo:10:12
               |
            10 |   Real v = heater.v;
               |            ^^^^^^ used here
               |
               = note: give what uses it the same condition, or change that condition
        "#]],
    );
}

#[test]
fn a_condition_that_is_a_number() {
    check(
        "a_condition_that_is_a_number",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Resistor heater if 1;
end M;
",
        expect![[r#"
            error[type-mismatch]: the condition of a component must be Boolean, and this is Integer
             --> a_condition_that_is_a_number.mo:8:22
              |
            8 |   Resistor heater if 1;
              |                      ^ Integer
              |
              = note: compare the number with another one: `x > 0`
        "#]],
    );
}

#[test]
fn a_condition_that_is_known_too_late() {
    check(
        "a_condition_that_is_known_too_late",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Real x = time;
  Resistor heater if x > 1;
end M;
",
        expect![[r#"
            error[condition-not-evaluable]: the condition of a component must be known before the run
             --> a_condition_that_is_known_too_late.mo:9:22
              |
            9 |   Resistor heater if x > 1;
              |                      ^^^^^ `x` is not known before the run
        "#]],
    );
}

#[test]
fn a_size_without_a_value() {
    check(
        "a_size_without_a_value",
        "\
model M
  parameter Integer n;
  Real x[n] = fill(1.0, n);
end M;
",
        expect![[r#"
            error[size-not-evaluable]: an array size must be known before the run
             --> a_size_without_a_value.mo:3:10
              |
            3 |   Real x[n] = fill(1.0, n);
              |          ^ `n` is not known before the run
              |
              = note: sizes are made of numbers, constants, and parameters that have a value
        "#]],
    );
}

#[test]
fn a_size_that_is_no_whole_number() {
    check(
        "a_size_that_is_no_whole_number",
        "\
model M
  Real x[2.5];
end M;
",
        expect![[r#"
            error[type-mismatch]: a size must be Integer, and this is Real
             --> a_size_that_is_no_whole_number.mo:2:10
              |
            2 |   Real x[2.5];
              |          ^^^ Real
              |
              = note: `integer(x)` is the largest Integer that is not above `x`
        "#]],
    );
}

#[test]
fn a_size_below_zero() {
    check(
        "a_size_below_zero",
        "\
model M
  parameter Integer n = 2;
  Real x[n - 3];
end M;
",
        expect![[r#"
            error[size-not-evaluable]: an array cannot have the size -1
             --> a_size_below_zero.mo:3:10
              |
            3 |   Real x[n - 3];
              |          ^^^^^ this is -1
              |
              = note: a size is zero or more
        "#]],
    );
}

#[test]
fn one_value_for_many_components() {
    check(
        "one_value_for_many_components",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Resistor bank[3](R = 5);
end M;
",
        expect![[r#"
            error[size-mismatch]: the value of `bank.R` (without `each`) must have the sizes [3], and this is Integer
             --> one_value_for_many_components.mo:8:24
              |
            8 |   Resistor bank[3](R = 5);
              |                        ^ Integer
              |
              = note: `each` before the modifier gives every element the same value, `fill` makes an array of one
        "#]],
    );
}

#[test]
fn a_list_of_another_length() {
    check(
        "a_list_of_another_length",
        "\
model Resistor
  parameter Real R = 1;
  Real v;
equation
  v = R*time;
end Resistor;
model M
  Resistor bank[3](R = {1, 2});
end M;
",
        expect![[r#"
            error[size-mismatch]: the value of `bank.R` must have the sizes [3], and this is Integer[2]
             --> a_list_of_another_length.mo:8:24
              |
            8 |   Resistor bank[3](R = {1, 2});
              |                        ^^^^^^ Integer[2]
        "#]],
    );
}

#[test]
fn a_value_of_other_sizes() {
    check(
        "a_value_of_other_sizes",
        "\
model M
  Real x[2, 2] = {{1, 2, 3}, {4, 5, 6}};
end M;
",
        expect![[r#"
            error[size-mismatch]: the value of `x` must have the sizes [2, 2], and this is Integer[2, 3]
             --> a_value_of_other_sizes.mo:2:18
              |
            2 |   Real x[2, 2] = {{1, 2, 3}, {4, 5, 6}};
              |                  ^^^^^^^^^^^^^^^^^^^^^^ Integer[2, 3]
        "#]],
    );
}

#[test]
fn an_open_size_without_a_value() {
    check(
        "an_open_size_without_a_value",
        "\
model M
  parameter Real table[:, 2];
end M;
",
        expect![[r#"
            error[size-not-evaluable]: an array size must be known before the run
             --> an_open_size_without_a_value.mo:2:18
              |
            2 |   parameter Real table[:, 2];
              |                  ^^^^^ `table` has no value to take its size from
              |
              = note: sizes are made of numbers, constants, and parameters that have a value
        "#]],
    );
}

#[test]
fn more_subscripts_than_dimensions() {
    check(
        "more_subscripts_than_dimensions",
        "\
model M
  Real x[3] = {1, 2, 3};
  Real y = x[1, 2];
end M;
",
        expect![[r#"
            error[wrong-subscripts]: `x` has 1 dimension, and 2 subscripts are given
             --> more_subscripts_than_dimensions.mo:3:13
              |
            3 |   Real y = x[1, 2];
              |             ^^^^^^ here
        "#]],
    );
}

#[test]
fn a_subscript_of_a_scalar() {
    check(
        "a_subscript_of_a_scalar",
        "\
model M
  Real x = 1;
  Real y = x[1];
end M;
",
        expect![[r#"
            error[wrong-subscripts]: `x` is a scalar, and 1 subscript is given
             --> a_subscript_of_a_scalar.mo:3:13
              |
            3 |   Real y = x[1];
              |             ^^^ here
        "#]],
    );
}

#[test]
fn a_subscript_beyond_the_end() {
    check(
        "a_subscript_beyond_the_end",
        "\
model M
  Real x[3] = {1, 2, 3};
  Real y = x[end + 1];
end M;
",
        expect![[r#"
            error[subscript-out-of-bounds]: the subscript 4 is outside `x`, which goes from 1 to 3 there
             --> a_subscript_beyond_the_end.mo:3:14
              |
            3 |   Real y = x[end + 1];
              |              ^^^^^^^ this is 4
        "#]],
    );
}

#[test]
fn a_subscript_that_is_a_real() {
    check(
        "a_subscript_that_is_a_real",
        "\
model M
  parameter Real i = 2;
  Real x[3] = {1, 2, 3};
  Real y = x[i];
end M;
",
        expect![[r#"
            error[type-mismatch]: a subscript must be Integer or a vector of Integer, and this is Real
             --> a_subscript_that_is_a_real.mo:4:14
              |
            4 |   Real y = x[i];
              |              ^ Real
        "#]],
    );
}

#[test]
fn a_constant_from_a_parameter() {
    check(
        "a_constant_from_a_parameter",
        "\
model M
  parameter Real p = 1;
  constant Real c = 2*p;
end M;
",
        expect![[r#"
            error[variability]: the value of `c` must be constant, and `p` is a parameter
             --> a_constant_from_a_parameter.mo:3:23
              |
            3 |   constant Real c = 2*p;
              |                       ^ `p` is a parameter
        "#]],
    );
}

#[test]
fn a_parameter_from_a_variable() {
    check(
        "a_parameter_from_a_variable",
        "\
model M
  Real x = sin(time);
  parameter Real p = 2*x;
end M;
",
        expect![[r#"
            error[variability]: the value of `p` must be known before the run, as a parameter or constant is, and `x` varies with time
             --> a_parameter_from_a_variable.mo:3:24
              |
            3 |   parameter Real p = 2*x;
              |                        ^ `x` varies with time
        "#]],
    );
}

#[test]
fn parameters_in_a_circle() {
    check(
        "parameters_in_a_circle",
        "\
model M
  parameter Integer a = b + 1;
  parameter Integer b = a - 1;
  Real x[a];
end M;
",
        expect![[r#"
            error[size-not-evaluable]: an array size must be known before the run
             --> parameters_in_a_circle.mo:4:10
              |
            4 |   Real x[a];
              |          ^ the value of `a` depends on itself
              |
              = note: sizes are made of numbers, constants, and parameters that have a value
        "#]],
    );
}

#[test]
fn a_constant_without_a_value() {
    check(
        "a_constant_without_a_value",
        "\
package Data
  constant Real c;
end Data;
model M
  Real x = Data.c;
end M;
",
        expect![[r#"
            error[constant-without-value]: the constant `Data.c` has no value
             --> a_constant_without_a_value.mo:5:12
              |
            2 |   constant Real c;
              |                 - declared here
            ...
            5 |   Real x = Data.c;
              |            ^^^^^^ used here
        "#]],
    );
}

#[test]
fn a_parameter_of_a_package() {
    check(
        "a_parameter_of_a_package",
        "\
package Data
  parameter Real p;
end Data;
model M
  Real x = Data.p;
end M;
",
        expect![[r#"
            error[not-a-constant]: `Data.p` is not a constant, and only constants can be used from outside an instance
             --> a_parameter_of_a_package.mo:5:12
              |
            5 |   Real x = Data.p;
              |            ^^^^^^ used here
              |
              = note: declare it as `constant`, or declare a component and use its part
            error[class-restriction]: the package `Data` may only hold constants and classes, and `p` is neither
             --> a_parameter_of_a_package.mo:2:3
              |
            2 |   parameter Real p;
              |   ^^^^^^^^^^^^^^^^ not allowed here
        "#]],
    );
}

#[test]
fn a_class_as_a_value() {
    check(
        "a_class_as_a_value",
        "\
model M
  type Length = Real(unit = \"m\");
  Real x = 2*Length;
end M;
",
        expect![[r#"
            error[not-a-value]: `Length` is a class, not a value
             --> a_class_as_a_value.mo:3:14
              |
            3 |   Real x = 2*Length;
              |              ^^^^^^ used as a value
        "#]],
    );
}

#[test]
fn a_function_that_is_misspelt() {
    check(
        "a_function_that_is_misspelt",
        "\
model M
  Real x = sqr(time);
end M;
",
        expect![[r#"
            error[unknown-function]: there is no function `sqr`
             --> a_function_that_is_misspelt.mo:2:12
              |
            2 |   Real x = sqr(time);
              |            ^^^ not known
              |
              = note: did you mean `sqrt`?
        "#]],
    );
}

#[test]
fn a_function_of_a_package_that_is_not_there() {
    check(
        "a_function_of_a_package_that_is_not_there",
        "\
package Maths
end Maths;
model M
  Real x = Maths.average(time, 1);
end M;
",
        expect![[r#"
            error[unknown-function]: there is no function `average` in `Maths`
             --> a_function_of_a_package_that_is_not_there.mo:4:18
              |
            4 |   Real x = Maths.average(time, 1);
              |                  ^^^^^^^ not known
        "#]],
    );
}

#[test]
fn one_argument_for_two() {
    check(
        "one_argument_for_two",
        "\
model M
  Real x = atan2(time);
end M;
",
        expect![[r#"
            error[wrong-arguments]: `atan2` takes two arguments, and 1 is given
             --> one_argument_for_two.mo:2:12
              |
            2 |   Real x = atan2(time);
              |            ^^^^^^^^^^^ in this call
        "#]],
    );
}

#[test]
fn no_argument_for_one() {
    check(
        "no_argument_for_one",
        "\
model M
  Real x = sin();
end M;
",
        expect![[r#"
            error[wrong-arguments]: `sin` takes one argument, and none is given
             --> no_argument_for_one.mo:2:12
              |
            2 |   Real x = sin();
              |            ^^^^^ in this call
        "#]],
    );
}

#[test]
fn an_argument_for_no_input() {
    check(
        "an_argument_for_no_input",
        "\
model M
  function gain
    input Real u;
    input Real k;
    output Real y;
  algorithm
    y := k*u;
  end gain;
  Real x = gain(time, K = 2);
end M;
",
        expect![[r#"
            error[wrong-arguments]: `M.gain` has no input `K`
             --> an_argument_for_no_input.mo:9:23
              |
            9 |   Real x = gain(time, K = 2);
              |                       ^ not an input
              |
              = note: did you mean `k`?
        "#]],
    );
}

#[test]
fn an_input_without_an_argument() {
    check(
        "an_input_without_an_argument",
        "\
model M
  function gain
    input Real u;
    input Real k;
    output Real y;
  algorithm
    y := k*u;
  end gain;
  Real x = gain(time);
end M;
",
        expect![[r#"
            error[wrong-arguments]: the input `k` of `M.gain` is not given and has no default
             --> an_input_without_an_argument.mo:9:12
              |
            9 |   Real x = gain(time);
              |            ^^^^^^^^^^ in this call
        "#]],
    );
}

#[test]
fn an_input_with_two_arguments() {
    check(
        "an_input_with_two_arguments",
        "\
model M
  function gain
    input Real u;
    input Real k;
    output Real y;
  algorithm
    y := k*u;
  end gain;
  Real x = gain(time, 2, u = 3);
end M;
",
        expect![[r#"
            error[wrong-arguments]: the input `u` of `M.gain` is given twice
             --> an_input_with_two_arguments.mo:9:26
              |
            9 |   Real x = gain(time, 2, u = 3);
              |                          ^ given again
        "#]],
    );
}

#[test]
fn an_argument_of_another_type() {
    check(
        "an_argument_of_another_type",
        "\
model M
  function gain
    input Real u;
    input Real k;
    output Real y;
  algorithm
    y := k*u;
  end gain;
  Real x = gain(time, \"2\");
end M;
",
        expect![[r#"
            error[type-mismatch]: `k` of `M.gain` must be Real, and this is String
             --> an_argument_of_another_type.mo:9:23
              |
            9 |   Real x = gain(time, "2");
              |                       ^^^ String
              |
              = note: write a number without quotes
        "#]],
    );
}

#[test]
fn an_argument_too_many() {
    check(
        "an_argument_too_many",
        "\
model M
  function gain
    input Real u;
    input Real k;
    output Real y;
  algorithm
    y := k*u;
  end gain;
  Real x = gain(time, 2, 3);
end M;
",
        expect![[r#"
            error[wrong-arguments]: `M.gain` takes 2 arguments, and 3 are given
             --> an_argument_too_many.mo:9:12
              |
            9 |   Real x = gain(time, 2, 3);
              |            ^^^^^^^^^^^^^^^^ in this call
        "#]],
    );
}

#[test]
fn a_result_too_many() {
    check(
        "a_result_too_many",
        "\
model M
  function gain
    input Real u;
    input Real k;
    output Real y;
  algorithm
    y := k*u;
  end gain;
  Real x;
  Real y;
equation
  (x, y) = gain(time, 2);
end M;
",
        expect![[r#"
            error[wrong-arguments]: `M.gain` has 1 result, and 2 are asked for
              --> a_result_too_many.mo:12:12
               |
            12 |   (x, y) = gain(time, 2);
               |            ^^^^^^^^^^^^^ this call
        "#]],
    );
}

#[test]
fn results_of_no_call() {
    check(
        "results_of_no_call",
        "\
model M
  Real x;
  Real y;
equation
  (x, y) = (1, 2);
end M;
",
        expect![[r#"
            error[type-mismatch]: a list of results can only stand on the left of a function call
             --> results_of_no_call.mo:5:12
              |
            5 |   (x, y) = (1, 2);
              |            ^^^^^^ here
        "#]],
    );
}

#[test]
fn an_assignment_to_a_parameter() {
    check(
        "an_assignment_to_a_parameter",
        "\
model M
  parameter Real p = 1;
  Real x;
algorithm
  x := time;
  p := 2;
end M;
",
        expect![[r#"
            error[not-assignable]: `p` is a parameter or constant and cannot be assigned to
             --> an_assignment_to_a_parameter.mo:6:3
              |
            6 |   p := 2;
              |   ^ assigned here
              |
              = note: give it its value where it is declared, or declare it as a variable
        "#]],
    );
}

#[test]
fn an_assignment_to_an_input() {
    check(
        "an_assignment_to_an_input",
        "\
model M
  function f
    input Real u;
    output Real y;
  algorithm
    u := max(u, 0);
    y := sqrt(u);
  end f;
  Real x = f(time);
end M;
",
        expect![[r#"
            error[not-assignable]: `u` is an input or constant of the function and cannot be assigned to
             --> an_assignment_to_an_input.mo:6:5
              |
            6 |     u := max(u, 0);
              |     ^ assigned here
              |
              = note: copy it to a protected variable, and change that
        "#]],
    );
}

#[test]
fn equations_in_a_function() {
    check(
        "equations_in_a_function",
        "\
model M
  function f
    input Real u;
    output Real y;
  equation
    y = 2*u;
  end f;
  Real x = f(time);
end M;
",
        expect![[r#"
            error[not-in-function]: the function `M.f` has equations
             --> equations_in_a_function.mo:5:3
              |
            5 | /   equation
            6 | |     y = 2*u;
              | |____________^ only an algorithm is allowed
              |
              = note: write `algorithm` instead of `equation`, and `:=` instead of `=`
        "#]],
    );
}

#[test]
fn a_derivative_in_a_function() {
    check(
        "a_derivative_in_a_function",
        "\
model M
  function f
    input Real u;
    output Real y;
  algorithm
    y := der(u);
  end f;
  Real x = f(time);
end M;
",
        expect![[r#"
            error[not-in-function]: `der` means nothing in a function
             --> a_derivative_in_a_function.mo:6:10
              |
            6 |     y := der(u);
              |          ^^^^^^ here
              |
              = note: a function knows its inputs only, neither time nor events: make it an input
        "#]],
    );
}

#[test]
fn a_pure_function_that_is_not() {
    check(
        "a_pure_function_that_is_not",
        "\
model M
  impure function roll
    output Real y = 4;
  algorithm
  end roll;
  pure function twice
    output Real y;
  algorithm
    y := 2*roll();
  end twice;
  parameter Real p = twice();
end M;
",
        expect![[r#"
            error[impure-call]: a function that is declared as pure calls `M.roll`, which is not
             --> a_pure_function_that_is_not.mo:9:12
              |
            9 |     y := 2*roll();
              |            ^^^^^^ called here
              |
              = note: leave out `pure` before the function around, or write `pure(…)` around this call
        "#]],
    );
}

#[test]
fn a_partial_function_that_is_called() {
    check(
        "a_partial_function_that_is_called",
        "\
model M
  partial function Law
    input Real x;
    output Real y;
  end Law;
  Real x = Law(time);
end M;
",
        expect![[r#"
            error[partial-class]: `M.Law` is partial: something is left to be filled in
             --> a_partial_function_that_is_called.mo:6:12
              |
            6 |   Real x = Law(time);
              |            ^^^^^^^^^ used here
              |
              = note: redeclare it, or extend it with what is missing
        "#]],
    );
}

#[test]
fn branches_of_two_types() {
    check(
        "branches_of_two_types",
        "\
model M
  parameter Boolean on = true;
  Real x = if on then 1 else \"off\";
end M;
",
        expect![[r#"
            error[type-mismatch]: the branches of an if-expression do not go together: Integer and String
             --> branches_of_two_types.mo:3:30
              |
            3 |   Real x = if on then 1 else "off";
              |                       -      ^^^^^ String
              |                       |
              |                       Integer
        "#]],
    );
}

#[test]
fn a_condition_that_is_an_integer() {
    check(
        "a_condition_that_is_an_integer",
        "\
model M
  parameter Integer mode = 1;
  Real x = if mode then 1 else 2;
end M;
",
        expect![[r#"
            error[type-mismatch]: a condition must be Boolean, and this is Integer
             --> a_condition_that_is_an_integer.mo:3:15
              |
            3 |   Real x = if mode then 1 else 2;
              |               ^^^^ Integer
              |
              = note: compare the number with another one: `x > 0`
        "#]],
    );
}

#[test]
fn sides_of_two_sizes() {
    check(
        "sides_of_two_sizes",
        "\
model M
  Real x[3];
equation
  x = {1, 2};
end M;
",
        expect![[r#"
            error[size-mismatch]: the sides of the equation do not go together: Real[3] and Integer[2]
             --> sides_of_two_sizes.mo:4:7
              |
            4 |   x = {1, 2};
              |   -   ^^^^^^ Integer[2]
              |   |
              |   Real[3]
        "#]],
    );
}

#[test]
fn sides_of_two_types() {
    check(
        "sides_of_two_types",
        "\
model M
  Boolean b;
equation
  b = 1 + time;
end M;
",
        expect![[r#"
            error[type-mismatch]: the sides of the equation do not go together: Boolean and Real
             --> sides_of_two_types.mo:4:7
              |
            4 |   b = 1 + time;
              |   -   ^^^^^^^^ Real
              |   |
              |   Boolean
        "#]],
    );
}

#[test]
fn a_vector_plus_a_number() {
    check(
        "a_vector_plus_a_number",
        "\
model M
  Real x[2] = {1, 2} + time;
end M;
",
        expect![[r#"
            error[size-mismatch]: the operands of `+` (`.+` goes element by element) do not go together: Integer[2] and Real
             --> a_vector_plus_a_number.mo:2:24
              |
            2 |   Real x[2] = {1, 2} + time;
              |               ------   ^^^^ Real
              |               |
              |               Integer[2]
        "#]],
    );
}

#[test]
fn a_product_that_does_not_fit() {
    check(
        "a_product_that_does_not_fit",
        "\
model M
  parameter Real A[2, 3] = ones(2, 3);
  Real x[2] = A*{1, 2};
end M;
",
        expect![[r#"
            error[size-mismatch]: the operands of `*` do not go together: Real[2, 3] and Integer[2]
             --> a_product_that_does_not_fit.mo:3:17
              |
            3 |   Real x[2] = A*{1, 2};
              |               - ^^^^^^ Integer[2]
              |               |
              |               Real[2, 3]
        "#]],
    );
}

#[test]
fn equality_of_reals() {
    check(
        "equality_of_reals",
        "\
model M
  parameter Real x = 0.1;
  Real y = if x == 0.1 then 1 else 2;
end M;
",
        expect![[r#"
            error[real-equality]: `==` of Reals is allowed in functions only
             --> equality_of_reals.mo:3:15
              |
            3 |   Real y = if x == 0.1 then 1 else 2;
              |               ^^^^^^^^ Reals are compared here
              |
              = note: compare their difference with a tolerance, `abs(a - b) < eps`, or use `<` and `>`
        "#]],
    );
}

#[test]
fn texts_that_are_subtracted() {
    check(
        "texts_that_are_subtracted",
        "\
model M
  parameter String s = \"ab\" - \"b\";
end M;
",
        expect![[r#"
            error[type-mismatch]: the operands of `-` must be numbers, and this is String
             --> texts_that_are_subtracted.mo:2:24
              |
            2 |   parameter String s = "ab" - "b";
              |                        ^^^^ String
        "#]],
    );
}

#[test]
fn records_that_have_no_sum() {
    check(
        "records_that_have_no_sum",
        "\
model M
  record Point
    Real x;
    Real y;
  end Point;
  Point a = Point(1, 2);
  Point b = a + a;
end M;
",
        expect![[r#"
            error[type-mismatch]: there is no `+` for M.Point and M.Point
             --> records_that_have_no_sum.mo:7:13
              |
            7 |   Point b = a + a;
              |             ^^^^^ here
        "#]],
    );
}

#[test]
fn a_field_that_is_not_there() {
    check(
        "a_field_that_is_not_there",
        "\
model M
  record Point
    Real x;
    Real y;
  end Point;
  Point a = Point(x = 1, y = 2);
  Real z = a.z;
end M;
",
        expect![[r#"
            error[unknown-name]: there is no `z` in `a`
             --> a_field_that_is_not_there.mo:7:14
              |
            7 |   Real z = a.z;
              |              ^ not declared
              |
              = note: did you mean `x`?
        "#]],
    );
}

#[test]
fn a_function_that_does_not_reduce() {
    check(
        "a_function_that_does_not_reduce",
        "\
model M
  Real x = mean(i for i in 1:3);
end M;
",
        expect![[r#"
            error[not-a-reduction]: `mean` cannot be used with `for`
             --> a_function_that_does_not_reduce.mo:2:12
              |
            2 |   Real x = mean(i for i in 1:3);
              |            ^^^^^^^^^^^^^^^^^^^^ here
              |
              = note: `sum`, `product`, `min`, `max` and `array` can
        "#]],
    );
}

#[test]
fn an_iterator_without_a_range() {
    check(
        "an_iterator_without_a_range",
        "\
model M
  Real x = sum(i^2 for i);
end M;
",
        expect![[r#"
            error[no-range]: the iterator `i` has no range, and is nowhere alone between brackets
             --> an_iterator_without_a_range.mo:2:24
              |
            2 |   Real x = sum(i^2 for i);
              |                        ^ which values?
              |
              = note: write the range: `for i in 1:n`
        "#]],
    );
}

#[test]
fn an_iterator_with_two_ranges() {
    check(
        "an_iterator_with_two_ranges",
        "\
model M
  parameter Real price[3] = {1, 2, 3};
  parameter Real amount[2] = {1, 2};
  Real x = sum(price[k]*amount[k] for k);
end M;
",
        expect![[r#"
            error[no-range]: the range of the iterator `k` is not clear: `price` has 3 there, and `amount` has 2 there
             --> an_iterator_with_two_ranges.mo:4:39
              |
            4 |   Real x = sum(price[k]*amount[k] for k);
              |                                       ^ which values?
              |
              = note: write the range: `for k in 1:n`
        "#]],
    );
}

#[test]
fn a_range_that_is_a_number() {
    check(
        "a_range_that_is_a_number",
        "\
model M
  Real x[3];
equation
  for i in 3 loop
    x[i] = i;
  end for;
end M;
",
        expect![[r#"
            error[type-mismatch]: the range of `i` must be a vector, and this is Integer
             --> a_range_that_is_a_number.mo:4:12
              |
            4 |   for i in 3 loop
              |            ^ Integer
        "#]],
    );
}

#[test]
fn a_literal_that_is_not_there() {
    check(
        "a_literal_that_is_not_there",
        "\
model M
  type Mode = enumeration(off, slow, fast);
  parameter Mode m = Mode.fsat;
end M;
",
        expect![[r#"
            error[unknown-name]: there is no `fsat` in `M.Mode`
             --> a_literal_that_is_not_there.mo:3:27
              |
            3 |   parameter Mode m = Mode.fsat;
              |                           ^^^^ not declared
              |
              = note: did you mean `fast`?
        "#]],
    );
}

#[test]
fn a_literal_compared_with_a_number() {
    check(
        "a_literal_compared_with_a_number",
        "\
model M
  type Mode = enumeration(off, slow, fast);
  parameter Mode m = Mode.slow;
  Real x = if m > 1 then 1 else 2;
end M;
",
        expect![[r#"
            error[type-mismatch]: the operands of `>` do not go together: M.Mode and Integer
             --> a_literal_compared_with_a_number.mo:4:19
              |
            4 |   Real x = if m > 1 then 1 else 2;
              |               -   ^ Integer
              |               |
              |               M.Mode
        "#]],
    );
}

#[test]
fn a_connection_to_a_variable() {
    check(
        "a_connection_to_a_variable",
        "\
connector Pin
  Real v;
  flow Real i;
end Pin;
model M
  Pin p;
equation
  connect(p, p.v + 1);
end M;
",
        expect![[r#"
            error[syntax-error]: `connect` joins two connectors, not expressions
             --> a_connection_to_a_variable.mo:8:14
              |
            8 |   connect(p, p.v + 1);
              |              ^^^^^^^ expected the name of a connector
            error[not-a-connector]: `p.v + 1` is not a connector
             --> a_connection_to_a_variable.mo:8:14
              |
            8 |   connect(p, p.v + 1);
              |              ^^^^^^^ connected here
        "#]],
    );
}

#[test]
fn an_assertion_before_the_run() {
    check(
        "an_assertion_before_the_run",
        "\
package Of
  function checked
    input Integer n;
    output Integer m = n;
  algorithm
    assert(n > 0, \"n must be positive\");
  end checked;
end Of;
model M
  Real x[Of.checked(-1)];
end M;
",
        expect![[r#"
            error[size-not-evaluable]: an array size must be known before the run
              --> an_assertion_before_the_run.mo:10:10
               |
            10 |   Real x[Of.checked(-1)];
               |          ^^^^^^^^^^^^^^ n must be positive
               |
               = note: sizes are made of numbers, constants, and parameters that have a value
        "#]],
    );
}

#[test]
fn a_loop_without_an_end() {
    check(
        "a_loop_without_an_end",
        "\
package Of
  function spin
    input Integer n;
    output Integer m = n;
  algorithm
    while m > 0 loop
      m := m + 1;
    end while;
  end spin;
  constant Integer n = spin(1);
end Of;
model M
  parameter Integer n = Of.n;
end M;
",
        expect![[r#"
            error[too-much-work]: the evaluation takes too many steps in `Of.spin`
             --> a_loop_without_an_end.mo:6:5
              |
            6 | /     while m > 0 loop
            7 | |       m := m + 1;
            8 | |     end while;
              | |_____________^ given up here
              |
              = note: does a loop never end?
        "#]],
    );
}

#[test]
fn a_division_by_zero_before_the_run() {
    check(
        "a_division_by_zero_before_the_run",
        "\
package Of
  constant Real a = 0;
  constant Real b = 1/a;
end Of;
model M
  Real x = Of.b;
end M;
",
        expect![[r#"
            error[division-by-zero]: a number is divided by zero
             --> a_division_by_zero_before_the_run.mo:3:21
              |
            3 |   constant Real b = 1/a;
              |                     ^^^ the divisor is 0
        "#]],
    );
}

#[test]
fn a_subscript_outside_before_the_run() {
    check(
        "a_subscript_outside_before_the_run",
        "\
package Of
  function third
    input Real x[:];
    output Real y;
  algorithm
    y := x[3];
  end third;
  constant Real y = third({1, 2});
end Of;
model M
  Real x = Of.y;
end M;
",
        expect![[r#"
            error[subscript-out-of-bounds]: subscript 3 is outside 1:2
             --> a_subscript_outside_before_the_run.mo:6:12
              |
            6 |     y := x[3];
              |            ^ this is 3; dimension 1 has size 2
        "#]],
    );
}

#[test]
fn parts_that_cannot_be_joined() {
    check(
        "parts_that_cannot_be_joined",
        "\
model M
  Real x[4] = cat(2, {1, 2}, {3, 4});
end M;
",
        expect![[r#"
            error[wrong-subscripts]: there is no dimension 2 of Integer[2]
             --> parts_that_cannot_be_joined.mo:2:15
              |
            2 |   Real x[4] = cat(2, {1, 2}, {3, 4});
              |               ^^^^^^^^^^^^^^^^^^^^^^ here
              |
              = note: dimensions count from 1
        "#]],
    );
}

#[test]
fn a_line_of_one_point() {
    check(
        "a_line_of_one_point",
        "\
model M
  parameter Real x[:] = linspace(0, 1, 1);
end M;
",
        expect![[r#"
            error[wrong-argument]: `linspace` makes two elements or more, and 1 is asked for
             --> a_line_of_one_point.mo:2:40
              |
            2 |   parameter Real x[:] = linspace(0, 1, 1);
              |                                        ^ here
        "#]],
    );
}

#[test]
fn start_values_fixed_by_a_variable() {
    check(
        "start_values_fixed_by_a_variable",
        "\
model M
  Real s = time;
  Real x(start = 1, fixed = s > 1);
equation
  der(x) = 1;
end M;
",
        expect![[r#"
            error[variability]: `fixed` of `x` must be known before the run, as a parameter or constant is, and `s` varies with time
             --> start_values_fixed_by_a_variable.mo:3:29
              |
            3 |   Real x(start = 1, fixed = s > 1);
              |                             ^ `s` varies with time
        "#]],
    );
}

#[test]
fn an_operator_that_could_be_two() {
    check(
        "an_operator_that_could_be_two",
        "\
operator record V
  Real x;
  encapsulated operator '*'
    import V;
    function dot
      input V a;
      input V b;
      output Real y = a.x*b.x;
    algorithm
    end dot;
    function outer_
      input V a;
      input V b;
      output V y = V(a.x*b.x);
    algorithm
    end outer_;
  end '*';
end V;
model M
  V a = V(time);
  Real x = a*a;
end M;
",
        expect![[r#"
            error[ambiguous-operator]: `*` could be `V.'*'.dot` or `V.'*'.outer_` here
              --> an_operator_that_could_be_two.mo:21:12
               |
            21 |   Real x = a*a;
               |            ^^^ which one?
               |
               = note: call the function that is meant by its name
        "#]],
    );
}
