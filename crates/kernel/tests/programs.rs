//! From equations to values: the results, the number of instructions, and the faults of missing values.

use expect_test::{Expect, expect};
use rhei_equations::{Equations, read};
use rhei_kernel::Functions;
use rhei_kernel::{Code, Program, Step, compile};
use rhei_solvable::Mode;
use rhei_structure::make_solvable;

fn compiled(text: &str) -> (Equations, Code) {
    let equations = read(text).unwrap();
    let (made, diagnostics) = make_solvable(&equations, &Mode::default());
    let (equations, solvable) = made.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let code = compile(&equations, &solvable);
    code.verify().unwrap();
    (equations, code)
}

/// The values of all variables at the start.
fn start(equations: &Equations, code: &Code) -> Vec<f64> {
    let mut values = code.new_values();
    values[code.time().index()] = 0.0;
    code.parameters.run(&mut values, &no_functions()).unwrap();
    for program in code.initial.programs() {
        program.run(&mut values, &no_functions()).unwrap();
    }
    values.truncate(equations.variables.len());
    values
}

#[test]
fn shared_terms_are_computed_once_and_only_the_branch_taken() {
    let (_, code) = compiled(
        "\
model M
  unknown x(start = 4, fixed)
  derivative der(x)
  unknown y
equation
  der(x) = -sin(x)*sin(x)
  y = if x > 0 then sqrt(x) else sin(x)
",
    );
    check_program(
        &code.dynamic.to_string(),
        expect![[r#"
            program
               0: s6 = sin s0
               1: s7 = Mul s6 s6
               2: s1 = -s7
        "#]],
    );
    check_program(
        &code.watched.to_string(),
        expect![[r#"
            program
               0: s6 = s0 > s5
               1: unless s6 go to 5
               2: s8 = sqrt s0
               3: s7 = s8
               4: go to 7
               5: s9 = sin s0
               6: s7 = s9
               7: s2 = s7
        "#]],
    );
}

/// With a heading: the indentation that all lines share is not compared.
fn check_program(seen: &str, expected: Expect) {
    expected.assert_eq(&format!("program\n{seen}"));
}

#[test]
fn a_value_used_twice_reaches_both_variables() {
    let (equations, code) = compiled(
        "model M\n  unknown a\n  unknown b\n  unknown c\nequation\n  a = time + 1\n  b = time + 1\n  c = a + b\n",
    );
    assert_eq!(start(&equations, &code), [1.0, 1.0, 2.0]);
}

#[test]
fn a_branch_without_value_is_not_entered() {
    let text = "\
model M
  parameter p(fixed) = -1
  unknown y
  unknown z
equation
  y = if p > 0 then log(p) else if p < -2 then 1/(p + 1) else 7
  z = (if p > 0 then log(p) else 1) + y
";
    let (equations, code) = compiled(text);
    assert_eq!(start(&equations, &code), [-1.0, 7.0, 8.0]);
}

#[test]
fn what_has_no_value_is_traced_to_its_operation() {
    let (equations, code) = compiled(
        "model Pump\n  parameter p(fixed) = -0.3\n  unknown head\n  unknown q\nequation\n  q = 2*head\n  head = 1 + log(p)/2\n",
    );
    let mut values = code.new_values();
    values[code.time().index()] = 0.0;
    code.parameters.run(&mut values, &no_functions()).unwrap();
    let fault = code.initial.programs()[0].run(&mut values, &no_functions()).unwrap_err();
    let notation = equations.notation();
    assert_eq!(equations.variable(fault.target.unwrap()).name, "head");
    assert_eq!(notation.expression(fault.expression.unwrap()), "log(p)");
    assert_eq!(fault.operands, [-0.3]);
    assert!(fault.value.is_nan());
}

/// The change along a direction agrees with differences for every kind of operation.
#[test]
fn changes_agree_with_differences() {
    let (equations, code) = compiled(
        "\
model M
  unknown x(start = 0.4, fixed)
  unknown y(start = 0.7, fixed)
  derivative der(x)
  derivative der(y)
equation
  der(x) = (x + 2*y - x*y)/(1 + x^2) + x^y + atan2(x, y) + min(x, y) - max(x, y)
  der(y) = sin(x)*cos(y) + tan(x) + asin(x) + acos(y) + atan(x) + sinh(x)*cosh(y) + tanh(x)
    + exp(-x)*log(y) + log10(x) + sqrt(x) + abs(-x) + (if x > y then x else -y) + sign(x)
"
        .replace("\n    +", " +")
        .as_str(),
    );
    let states = [0, 1];
    let derivatives = |at: [f64; 2]| {
        let mut values = code.new_values();
        values[code.time().index()] = 0.0;
        values[..2].copy_from_slice(&at);
        code.dynamic
            .programs()
            .into_iter()
            .for_each(|program| program.run(&mut values, &no_functions()).unwrap());
        (values[2], values[3])
    };
    assert_eq!(equations.variables.len(), 4);
    for state in states {
        let mut values = code.new_values();
        values[code.time().index()] = 0.0;
        values[..2].copy_from_slice(&[0.4, 0.7]);
        let mut changes = vec![0.0; values.len()];
        changes[state] = 1.0;
        code.dynamic
            .programs()
            .into_iter()
            .for_each(|program| program.propagate(&mut values, &mut changes, &no_functions()));
        let step = 1e-6;
        let mut up = [0.4, 0.7];
        let mut down = up;
        up[state] += step;
        down[state] -= step;
        let (up, down) = (derivatives(up), derivatives(down));
        for (change, difference) in [(changes[2], up.0 - down.0), (changes[3], up.1 - down.1)] {
            assert!(
                (change - difference / (2.0 * step)).abs() < 1e-8,
                "{change} and {}",
                difference / (2.0 * step)
            );
        }
    }
}

fn no_functions() -> Functions {
    Functions::new(std::sync::Arc::default())
}

/// Of guards, impulses and discrete variables as of all else.
#[test]
fn programs_that_read_beyond_their_values_are_found_wherever_they_stand() {
    let small = "model M\n  unknown x(start = 1, fixed)\n  derivative der(x)\nequation\n  der(x) = -x\n";
    let large = "model M\n  unknown x(start = 1, fixed)\n  derivative der(x)\n  unknown y\nequation\n  der(x) = -x*x\n  y = 1 + 2*sin(3*x)*cos(4*x)*exp(x)\n";
    let alien = compiled(large).1.watched.programs()[0].clone();
    let places: [fn(&mut Code, Program); 4] = [
        |code, program| code.guards.program = program,
        |code, program| code.impulses.program = program,
        |code, program| code.discrete.steps.push(Step::Run(program)),
        |code, program| code.dynamic.steps.push(Step::Run(program)),
    ];
    for place in places {
        let mut code = compiled(small).1;
        place(&mut code, alien.clone());
        assert!(code.verify().is_err());
    }
}
