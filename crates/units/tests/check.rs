//! Models with units that go together, and the text that is shown for those with units that do not.

mod model;

use expect_test::{Expect, expect};
use rhei_source::{Style, render};
use rhei_units::check_units;

const QUANTITIES: &str = r#"Real v(unit="V");
Real i(unit="A");
Real R(unit="Ohm");
Real P(unit="W");
Real x(unit="m");
Real y(unit="mm");
Real w(unit="rad/s");
Real f(unit="Hz");
Real phi(unit="rad");
Real alpha(unit="deg");
Real r(unit="kg/kg");
Real T(unit="K");
Real theta(unit="degC");
Real dT(unit="K");
Real tf(unit="degF");
Real cp(unit="J/(kg.K)");
Real h(unit="J/kg");
Real m(unit="kg");
Real speed(unit="m/s");
Real D(unit="s");
Real level(unit="dB");
Real k(unit="1");
Real none;
Real empty(unit="");
"#;

/// Warnings for a model, the declarations above before it.
fn shown(text: &str) -> String {
    let (flat, files) = model::read(&format!("{QUANTITIES}{text}"));
    let all: Vec<String> = check_units(&flat).iter().map(|d| render(d, &files, Style::Plain)).collect();
    all.join("\n\n")
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text));
}

#[test]
fn sides_of_equations() {
    check(
        "equation\n  v = R*i;\n  v = i;\n  R*i = P;\n  der(x) = x;",
        expect![[r#"
        warning[unit-mismatch]: the sides of this equation have the units `V` and `A`
          --> a.mo:27:3
           |
        27 |   v = i;
           |   ^   - this has the unit `A`
           |   |
           |   this has the unit `V`

        warning[unit-mismatch]: the sides of this equation have the units `Ohm.A` and `W`
          --> a.mo:28:3
           |
        28 |   R*i = P;
           |   ^^^   - this has the unit `W`
           |   |
           |   this has the unit `Ohm.A`, that is `V`

        warning[unit-mismatch]: the sides of this equation have the units `m/s` and `m`
          --> a.mo:29:3
           |
        29 |   der(x) = x;
           |   ^^^^^^   - this has the unit `m`
           |   |
           |   this has the unit `m/s`"#]],
    );
}

#[test]
fn the_same_quantity_in_another_unit() {
    check(
        "equation\n  x = y;\n  T = theta;\n  theta = tf;\n  phi = alpha;\n  sin(alpha) = k;",
        expect![[r#"
            warning[unit-mismatch]: the sides of this equation have the units `m` and `mm`
              --> a.mo:26:3
               |
            26 |   x = y;
               |   ^   - this has the unit `mm`
               |   |
               |   this has the unit `m`
               |
               = note: both measure the same, but one `m` is 1000 `mm`

            warning[unit-mismatch]: the sides of this equation have the units `K` and `degC`
              --> a.mo:27:3
               |
            27 |   T = theta;
               |   ^   ----- this has the unit `degC`
               |   |
               |   this has the unit `K`
               |
               = note: both are temperatures, but 0 `K` is -273.15 `degC`

            warning[unit-mismatch]: the sides of this equation have the units `degC` and `degF`
              --> a.mo:28:3
               |
            28 |   theta = tf;
               |   ^^^^^   -- this has the unit `degF`
               |   |
               |   this has the unit `degC`
               |
               = note: both are temperatures, but 0 `degC` is 32 `degF`

            warning[unit-mismatch]: the sides of this equation have the units `rad` and `deg`
              --> a.mo:29:3
               |
            29 |   phi = alpha;
               |   ^^^   ----- this has the unit `deg`
               |   |
               |   this has the unit `rad`
               |
               = note: both measure the same, but one `rad` is 57.2957795 `deg`

            warning[unit-mismatch]: the argument of `sin` has the unit `deg`, but has to be a pure number
              --> a.mo:30:7
               |
            30 |   sin(alpha) = k;
               |       ^^^^^ this has the unit `deg`
               |
               = note: one `deg` is the number 0.0174532925"#]],
    );
}

#[test]
fn sums_comparisons_branches_and_arguments() {
    check(
        "equation
  0 = v + 2 - i;
  when x > v then
    none = if time > 1 then v else i;
  end when;
  none = max(x, v)*2;
  none = sin(x/D);
  none = atan2(x, v);
  reinit(x, speed);",
        expect![[r#"
            warning[unit-mismatch]: the terms of this sum have the units `V` and `A`
              --> a.mo:26:7
               |
            26 |   0 = v + 2 - i;
               |       ^^^^^   - this has the unit `A`
               |       |
               |       this has the unit `V`

            warning[unit-mismatch]: the sides of this comparison have the units `m` and `V`
              --> a.mo:27:8
               |
            27 |   when x > v then
               |        ^   - this has the unit `V`
               |        |
               |        this has the unit `m`

            warning[unit-mismatch]: the branches of this `if` have the units `V` and `A`
              --> a.mo:28:29
               |
            28 |     none = if time > 1 then v else i;
               |                             ^      - this has the unit `A`
               |                             |
               |                             this has the unit `V`

            warning[unit-mismatch]: the arguments of `max` have the units `m` and `V`
              --> a.mo:30:14
               |
            30 |   none = max(x, v)*2;
               |              ^  - this has the unit `V`
               |              |
               |              this has the unit `m`

            warning[unit-mismatch]: the argument of `sin` has the unit `m/s`, but has to be a pure number
              --> a.mo:31:14
               |
            31 |   none = sin(x/D);
               |              ^^^ this has the unit `m/s`

            warning[unit-mismatch]: the arguments of `atan2` have the units `m` and `V`
              --> a.mo:32:16
               |
            32 |   none = atan2(x, v);
               |                ^  - this has the unit `V`
               |                |
               |                this has the unit `m`

            warning[unit-mismatch]: the arguments of `reinit` have the units `m` and `m/s`
              --> a.mo:33:10
               |
            33 |   reinit(x, speed);
               |          ^  ----- this has the unit `m/s`
               |          |
               |          this has the unit `m`"#]],
    );
}

#[test]
fn declarations_and_assignments() {
    check(
        "Real z(unit=\"m\", start=D) = v;\nalgorithm\n  z := D*speed;\n  z := D/speed;",
        expect![[r#"
        warning[unit-mismatch]: `z` has the unit `m`, but its `start` has the unit `s`
          --> a.mo:25:6
           |
        25 | Real z(unit="m", start=D) = v;
           |      ^                 - this has the unit `s`
           |      |
           |      this has the unit `m`

        warning[unit-mismatch]: `z` has the unit `m`, but its value has the unit `V`
          --> a.mo:25:6
           |
        25 | Real z(unit="m", start=D) = v;
           |      ^                      - this has the unit `V`
           |      |
           |      this has the unit `m`

        warning[unit-mismatch]: a value with the unit `s2/m` is assigned to a variable with the unit `m`
          --> a.mo:28:3
           |
        28 |   z := D/speed;
           |   ^    ------- this has the unit `s2/m`
           |   |
           |   this has the unit `m`"#]],
    );
}

#[test]
fn an_equation_is_told_of_once() {
    check(
        "equation\n  v + i = x + D;",
        expect![[r#"
        warning[unit-mismatch]: the terms of this sum have the units `V` and `A`
          --> a.mo:26:3
           |
        26 |   v + i = x + D;
           |   ^   - this has the unit `A`
           |   |
           |   this has the unit `V`"#]],
    );
    check(
        "equation\n  {x, v} = {y, i};",
        expect![[r#"
        warning[unit-mismatch]: the sides of this equation have the units `m` and `mm`
          --> a.mo:26:4
           |
        26 |   {x, v} = {y, i};
           |    ^        - this has the unit `mm`
           |    |
           |    this has the unit `m`
           |
           = note: both measure the same, but one `m` is 1000 `mm`"#]],
    );
}

#[test]
fn an_equation_of_a_class_is_told_of_once_for_all_instances() {
    let (mut flat, _) = model::read(&format!("{QUANTITIES}equation\n  v = i;"));
    let again = flat.equations[0].clone();
    flat.equations.push(again);
    assert_eq!(check_units(&flat).len(), 1);
}

#[test]
fn units_that_go_together_or_may_be_meant_to() {
    let silent = [
        // products, quotients, powers, roots
        "P = v*i",
        "v^2/R = P",
        "sqrt(P*R) = v",
        "(v*v)^0.5 = v",
        "x = (x^3)^(1/3)",
        "speed = x*w",
        "der(x) = speed",
        "der(m*speed)*x = P*D",
        // angles are numbers
        "w = f",
        "phi = k",
        "sin(w*D) = r",
        "asin(k) = phi",
        "atan2(x, 2*x) = phi",
        // expressions without unit may have any
        "v = 2*i",
        "v = none*i",
        "v = empty",
        "v = none + 1",
        "i = f1(v)",
        "1/R = v",
        "x^none = v",
        "x^1.37 = v",
        "P = v*i*2 + none",
        "level = v",
        "level = k",
        "T = 20",
        // a number left out
        "v = sin(time)",
        "v = sin(x*f1(2))",
        "x = time",
        "v = exp(-time)",
        "v = der(sin(time))",
        "none = if time > x then 1 else 2",
        "none = log(P)",
        // but not where a unit is there
        "x = speed*time",
        "v = v*sin(w*time)*sign(x)",
        "x = x + 1",
        // temperatures
        "theta = T - 273.15",
        "T = 273.15 + theta",
        "dT = theta - theta",
        "theta = theta + dT",
        "h = cp*(theta - theta)",
        "h = cp*(T - 298.15)",
        "der(theta) = der(T)",
        // numbers are converted by numbers
        "y = 1000*x",
        "alpha = phi*180/3.14",
        // arrays
        "{x, v} = f1(2)",
        "none = {x, v}*2",
        "{0, 0, v} = {v, v, v}",
        "max({x, v}) = i",
        // functions that keep a unit
        "x = abs(x)",
        "x = delay(x, D)",
        "x = smooth(1, noEvent(if x < 0 then 0 else x))",
        "x = homotopy(x, 2*x)",
        "P = semiLinear(m/D, h, h)",
        "x = mod(x, 2)",
    ];
    for equation in silent {
        assert_eq!(shown(&format!("equation {equation};")), "", "{equation}");
    }
}

#[test]
fn what_is_known_is_known_through_functions() {
    let told = [
        "x = abs(v)",
        "x = delay(v, D)",
        "x = smooth(1, noEvent(v))",
        "x = homotopy(x, v)",
        "x = semiLinear(m/D, h, h)",
        "x = mod(v, 2)",
        "x = speed*time^2",
        "{0, 0, v} = i",
        "v = i*sin(time)",
        "x = T - 273.15 + v",
        "h = x*(T - 273.15)",
        "theta = theta + v",
        "none = exp(v)",
        "x = sqrt(x)",
        "x = sum({v, v})",
    ];
    for equation in told {
        assert_ne!(shown(&format!("equation {equation};")), "", "{equation}");
    }
}

#[test]
fn texts_that_are_no_units_are_told_of_once() {
    check(
        "Real a(unit=\"Nm\");\nReal b(unit=\"Nm\");\nReal c(unit=\"m\", displayUnit=\"furlong/h\");\nequation a = v;",
        expect![[r#"
            warning[bad-unit]: `Nm` is not a unit
              --> a.mo:25:6
               |
            25 | Real a(unit="Nm");
               |      ^ `a` has it as its `unit`
               |
               = note: a product is written with a dot: `N.m`

            warning[bad-unit]: `furlong/h` is not a unit: there is no unit `furlong`
              --> a.mo:27:6
               |
            27 | Real c(unit="m", displayUnit="furlong/h");
               |      ^ `c` has it as its `displayUnit`"#]],
    );
}
