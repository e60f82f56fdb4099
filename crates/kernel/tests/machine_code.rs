//! Machine code and the interpreter yield the same bits, and find the same faults.

use std::fmt::Write;
use std::sync::Arc;

use rhei_equations::read;
use rhei_kernel::{Code, Execution, Functions, compile};
use rhei_solvable::Mode;
use rhei_structure::make_solvable;

fn compiled(text: &str) -> (usize, Code) {
    let equations = read(text).unwrap();
    let (made, diagnostics) = make_solvable(&equations, &Mode::default());
    let (equations, solvable) = made.unwrap_or_else(|| panic!("{diagnostics:?}"));
    (equations.variables.len(), compile(&equations, &solvable))
}

fn functions(execution: Execution) -> Functions {
    Functions::new(Arc::default()).with_execution(execution)
}

/// Numbers that are neither random nor regular: some small, some large, zeros of both signs.
fn number(seed: u64) -> f64 {
    let mut bits = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^= bits >> 29;
    match bits % 17 {
        0 => 0.0,
        1 => -0.0,
        2 => 1.0,
        3 => 1e200,
        _ => ((bits >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 4.0,
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    // which of the many numbers that are none it is does not matter
    values.iter().map(|value| if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() }).collect()
}

/// Runs the dynamic part interpreted and as both kinds of machine code, at many points.
fn compare(text: &str) {
    let (n, code) = compiled(text);
    let interpreted = functions(Execution::Interpreted);
    let mut fine = 0;
    for round in 0..200 {
        let mut values = code.new_values();
        values[code.time().index()] = number(round);
        (0..n).for_each(|i| values[i] = number(round * 1000 + i as u64));
        let mut changes = vec![0.0; values.len()];
        (0..n).for_each(|i| changes[i] = number(round * 2000 + i as u64));
        for program in code.dynamic.programs().into_iter().chain(code.watched.programs()) {
            let (mut there, mut there_with) = (values.clone(), values.clone());
            let mut there_changes = changes.clone();
            let expected = program.run(&mut there, &interpreted);
            fine += u32::from(expected.is_ok());
            program.propagate(&mut there_with, &mut there_changes, &interpreted);
            for way in [Execution::Quick, Execution::Machine] {
                let machine = functions(way);
                let (mut here, mut here_changes) = (values.clone(), changes.clone());
                let seen = program.run(&mut here, &machine);
                assert_eq!(format!("{seen:?}"), format!("{expected:?}"), "round {round}, {way:?}");
                assert_eq!(bits(&here[..n]), bits(&there[..n]), "values in round {round}, {way:?}");
                let mut here = values.clone();
                program.propagate(&mut here, &mut here_changes, &machine);
                assert_eq!(bits(&here[..n]), bits(&there_with[..n]), "values with changes, {round}, {way:?}");
                assert_eq!(bits(&here_changes[..n]), bits(&there_changes[..n]), "changes, {round}, {way:?}");
            }
        }
    }
    assert!(fine > 10, "only {fine} points have values");
}

/// A model with one derivative per formula, of two states.
fn with_formulas(formulas: &[&str]) -> String {
    let mut text = String::from("model M\n");
    for i in 0..formulas.len() {
        let _ = writeln!(text, "  unknown x{i}(start = 1, fixed)\n  derivative der(x{i})");
    }
    text.push_str("equation\n");
    for (i, formula) in formulas.iter().enumerate() {
        let formula = formula.replace('x', "x0").replace('y', "x1");
        let formula = formula.replace("ex0p", "exp").replace("max0", "max");
        let _ = writeln!(text, "  der(x{i}) = {formula}");
    }
    text
}

#[test]
fn arithmetic() {
    compare(&with_formulas(&["x + y - x*y", "-x/y", "x*x - 2*y + 3", "1/(1 + x^2)", "time*x - time"]));
}

#[test]
fn powers() {
    compare(&with_formulas(&["x^2", "x^3 + y^(-2)", "x^0.5", "x^y", "2^x", "x^16", "y^17", "x^1 - 2*x^2"]));
}

#[test]
fn functions_of_numbers() {
    let formulas = [
        "sin(x)",
        "cos(y)",
        "tan(x)",
        "asin(x/4)",
        "acos(x/4)",
        "atan(x)",
        "sinh(x)",
        "cosh(x)",
        "tanh(x)",
        "exp(x)",
        "log(x)",
        "log10(x)",
        "sqrt(x)",
        "abs(x)",
        "sign(x)",
        "atan2(x, y)",
        "min(x, y)",
        "max(x, y)",
    ];
    for formula in formulas {
        compare(&with_formulas(&[formula, "y"]));
    }
}

#[test]
fn branches() {
    compare(&with_formulas(&[
        "if x > y then x else y",
        "if x > 0 then (if y > 0 then log(x*y) else sqrt(x)) else 3",
        "(if x <= y and not y > 1 then sin(x) else 2*x) + (if x < 0 or y <> 1 then 1 else y)",
        "(if x >= 0 then sqrt(x) else -sqrt(-x)) + 2*(if x > 1 then x*x else y*y*x)",
    ]));
}

/// A rod of cells with flows between them: two families, the first and the last cell apart, a table of unequal distances.
#[test]
fn families() {
    let n = 40;
    let mut text = String::from("model Rod\n");
    for i in 0..n {
        let _ = writeln!(text, "  unknown t{i}(start = {i}, fixed)\n  derivative der(t{i})\n  unknown q{i}");
    }
    text.push_str("  unknown s\nequation\n");
    for i in 0..n - 1 {
        let _ = writeln!(text, "  q{i} = (0.{i} + 1)*(t{i} - t{})", (i * i + 7) % n);
    }
    let _ = writeln!(text, "  q{} = if t0 > 1 then t0 else 2*s", n - 1);
    let _ = writeln!(text, "  s = q1 + q2*sin(q3)");
    for i in 0..n {
        let _ = writeln!(
            text,
            "  der(t{i}) = 3*(q{i} - q{})*t{i}^2 + (if t{i} > 0.5 then sqrt(t{i}) else s)",
            (i + 1) % n
        );
    }
    compare(&text);
}

/// Each needs the one before: a loop whose turns follow each other.
#[test]
fn chains() {
    let mut text = String::from("model Chain\n  unknown x(start = 1, fixed)\n  derivative der(x)\n");
    (0..30).for_each(|i| {
        let _ = writeln!(text, "  unknown a{i}\n  unknown b{i}");
    });
    text.push_str("equation\n  der(x) = a29 - b29\n  a0 = x\n  b0 = 2*x\n");
    for i in 1..30 {
        let before = i - 1;
        let _ = writeln!(text, "  a{i} = 0.5*a{before} + x\n  b{i} = cos(b{before})*x - a{i}");
    }
    compare(&text);
}

/// Arrays `x`, `a` and `b` of `n` unknowns each that stand side by side, `x` with derivatives; `equations` says those of element `i`.
fn arrays(n: usize, equations: impl Fn(usize) -> String) -> String {
    let mut text = String::from("model Arrays\n");
    let mut declare = |kind: &dyn Fn(usize) -> String| (0..n).for_each(|i| text.push_str(&kind(i)));
    declare(&|i| format!("  unknown x{i}(start = {i}, fixed)\n"));
    declare(&|i| format!("  derivative der(x{i})\n"));
    declare(&|i| format!("  unknown a{i}\n"));
    declare(&|i| format!("  unknown b{i}\n"));
    text.push_str("equation\n");
    (0..n).for_each(|i| text.push_str(&equations(i)));
    text
}

/// Formulas on arrays, which are computed two by two: all kinds of arithmetic, any number of them, what is the same for all.
#[test]
fn arrays_of_any_length() {
    for n in 4..15 {
        compare(&arrays(n, |i| {
            let (left, right) = (i.max(1) - 1, (i + 1).min(n - 1));
            format!(
                "  der(x{i}) = 3*(x{left} - 2*x{i} + x{right}) - time/(1 + a{i}*a{i})\n  \
                 a{i} = min(x{i}, x{right}) - max(0.5, -x{i})*b{i}\n  \
                 b{i} = sqrt(abs(x{i})) + sign(x{i}) - x{i}^3/2\n"
            )
        }));
        compare(&arrays(n, |i| format!("  der(x{i}) = -a{i}\n  a{i} = b{i}/x0\n  b{i} = x{i}\n")));
    }
}

/// Members that need the result of the one before, or of one further back.
#[test]
fn arrays_whose_elements_need_those_before() {
    for distance in 1..4 {
        compare(&arrays(23, |i| {
            let a = if i < distance { "time".into() } else { format!("a{}", i - distance) };
            format!("  der(x{i}) = a{i} + b{i}\n  a{i} = x{i} - 0.5*{a}\n  b{i} = 2*x{i}\n")
        }));
        compare(&arrays(23, |i| {
            let a = if i + distance >= 23 { "time".into() } else { format!("a{}", i + distance) };
            format!("  der(x{i}) = a{i}*b{i}\n  a{i} = x{i} - 0.5*{a}\n  b{i} = 2*x{i}\n")
        }));
    }
}

#[test]
fn thousands_of_formulas_become_several_functions() {
    let formulas: Vec<String> = (0..700)
        .map(|i| (0..i % 7 + 1).fold(format!("x*{i}"), |sum, k| format!("{sum} - y/{}", i * 3 + k + 1)))
        .collect();
    let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
    compare(&with_formulas(&formulas));
}
