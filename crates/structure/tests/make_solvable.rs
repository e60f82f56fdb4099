//! Textual-IR tests: equations in, `Solvable` or diagnostics out.

use expect_test::{Expect, expect};
use rhei_equations::read;
use rhei_solvable::{Described, Mode};
use rhei_structure::make_solvable;

fn check(text: &str, expected: Expect) {
    let equations = read(text).unwrap();
    equations.verify().unwrap();
    let (made, diagnostics) = make_solvable(&equations, &Mode::default());
    let mut seen = made.map_or(String::new(), |(equations, solvable)| {
        Described { solvable: &solvable, equations: &equations }.to_string()
    });
    for diagnostic in diagnostics {
        seen += &format!("{}[{}]: {}\n", diagnostic.severity.name(), diagnostic.id, diagnostic.message);
    }
    expected.assert_eq(&seen);
}

#[test]
fn unknowns_are_sorted_and_what_is_only_watched_comes_last() {
    check(
        "\
model Tank
  parameter area(fixed) = 2*unit
  constant unit = 1
  unknown watched
  unknown out
  unknown level(start = 3, fixed)
  derivative der(level)
equation
  watched = out/2
  area*der(level) = 1 - out
  out = sqrt(level)
",
        expect![[r#"
            solvable Tank in mode 0
            states level
            parameters
              unit := 1  // binding
              area := 2*unit  // binding
            initial
              level := 3  // start
              out := sqrt(level)  // equation 3
              watched := out/2  // equation 1
              der(level) := (1 - out)/area  // equation 2
            dynamic
              out := sqrt(level)  // equation 3
              der(level) := (1 - out)/area  // equation 2
            watched
              watched := out/2  // equation 1
        "#]],
    );
}

#[test]
fn an_initial_equation_determines_a_state_and_a_missing_one_is_noted() {
    check(
        "\
model M
  unknown x
  unknown y(start = 2)
  derivative der(x)
  derivative der(y)
equation
  der(x) = 1 - 2*x
  der(y) = x
initial equation
  der(x) = 0
",
        expect![[r#"
            solvable M in mode 0
            states x, y
            initial
              der(x) := 0  // initial equation 1
              x := (1 - der(x))/2  // equation 1
              der(y) := x  // equation 2
              y := 2  // start
            dynamic
              der(x) := 1 - 2*x  // equation 1
              der(y) := x  // equation 2
            note[start-assumed]: `y` starts at its start value 2, although nothing says it is fixed
        "#]],
    );
}

#[test]
fn too_few_and_too_many_equations_name_what_is_concerned() {
    check(
        "model M\n  unknown a\n  unknown b\n  unknown c\nequation\n  a = 1\n  b + c = a\n",
        expect![[r#"
            error[too-few-equations]: `M` has 2 equations for 3 unknowns: only 1 equation for the 2 unknowns `b` and `c`
        "#]],
    );
    check(
        "model M\n  unknown a\n  unknown b\nequation\n  a = 1\n  b = a\n  a = 2\n",
        expect![[r#"
            error[too-many-equations]: `M` has 3 equations for 2 unknowns: 2 equations for the 1 unknown `a`
        "#]],
    );
    check(
        "model M\n  unknown a\n  unknown b\nequation\n  a = 1\n  a = 2\n",
        expect![[r#"
            error[structurally-singular]: the equations of `M` do not determine its unknowns: 2 equations for the 1 unknown `a`
        "#]],
    );
}

#[test]
fn what_is_not_done_yet_is_said() {
    check(
        "model M\n  unknown a\n  unknown b\nequation\n  a + b = 1\n  a - b = 2\n",
        expect![[r#"
            solvable M in mode 0
            states none
            initial
              a := 1.5  // equation 2
              b := 1 - a  // equation 1
            watched
              a := 1.5  // equation 2
              b := 1 - a  // equation 1
        "#]],
    );
    check(
        "model M\n  unknown a\nequation\n  a = cos(a)\n",
        expect![[r#"
            solvable M in mode 0
            states none
            initial
              solve for a
                0 = a - cos(a)  // equation 1
            watched
              solve for a
                0 = a - cos(a)  // equation 1
        "#]],
    );
    check(
        "model M\n  unknown x\n  unknown f\n  derivative der(x)\nequation\n  der(x) = f\n  x = sin(time)\n",
        expect![[r#"
            solvable M in mode 0
            states none
            aliases
              der(x) := f  // equation 1
            initial
              x := sin(time)  // equation 2
              f := cos(time)  // equation 3
            watched
              x := sin(time)  // equation 2
              f := cos(time)  // equation 3
        "#]],
    );
    check(
        "model M\n  unknown x(start = 1, fixed)\n  derivative der(x)\nequation\n  der(x) = -x\ninitial equation\n  der(x) = 0\n",
        expect![[r#"
            solvable M in mode 0
            states x
            initial
              der(x) := 0  // initial equation 1
              x := -der(x)  // equation 1
            dynamic
              der(x) := -x  // equation 1
            note[redundant-initial]: there are more initial conditions than the model leaves free: `der(x) = 0` and `x(fixed=true)`
        "#]],
    );
}

#[test]
fn parameters_that_need_each_other_are_refused() {
    check(
        "model M\n  parameter a(fixed) = b\n  parameter b(fixed) = 2*a\n  parameter c(fixed)\n",
        expect![[r#"
            warning[parameter-without-value]: the parameter `c` has no value: 0 is used
            error[cyclic-binding]: the values of `a` and `b` depend on each other
        "#]],
    );
}
