//! Nothing is computed more often than needed: a quantity with many names once, a matrix that does not change once.

use rhei_solve::matrices_made;

use crate::workshop::compile;

/// Five unknowns that need each other, with these factors.
fn coupled(factor: &str) -> String {
    format!(
        "model Coupled
  parameter Real A[5, 5] = {{{{if i == j then 4 else 1/(i + j) for j in 1:5}} for i in 1:5}};
  Real x[5], y(start = 1, fixed = true);
equation
  for i in 1:5 loop
    sum(({factor})*A[i, j]*x[j] for j in 1:5) = sin(i*time) + y;
  end for;
  der(y) = -x[1] - x[5];
end Coupled;"
    )
}

const TIMES: [f64; 6] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5];

fn matrices(text: &str) -> u64 {
    let (done, _) = compile(text);
    assert!(!done.has_errors(), "{:?}", done.diagnostics);
    matrices_made(&done.model.expect("it compiles"), &TIMES).expect("it starts")
}

/// Parameters do not change during a run: neither do matrices made of them, and derivatives are solved with the same.
#[test]
fn matrices_of_parameters_are_made_once() {
    assert_eq!(matrices(&coupled("1")), 1);
    assert!(matrices(&coupled("1 + i*exp(j*y)")) > 1, "this one changes with the state");
}

/// A signal through ten gains of one is computed once, and has all its names in the results.
#[test]
fn what_has_many_names_is_computed_once() {
    let text = "block Gain parameter Real k = 1; input Real u; output Real y; equation y = u; end Gain;
model Chain
  Gain g[10];
  Real x(start = 1, fixed = true);
  Real back;
equation
  der(x) = -g[10].y;
  g[1].u = x;
  for i in 1:9 loop g[i + 1].u = g[i].y; end for;
  back = -g[5].y;
end Chain;";
    let (done, _) = compile(text);
    let model = done.model.expect("it compiles");
    assert_eq!(model.solvable.continuous.len(), 1, "the derivative is all there is to compute");
    assert_eq!(model.solvable.aliases.len(), 21);
    let (columns, _) = model.columns(|_| true);
    for name in ["g[1].u", "g[10].y", "back", "x"] {
        assert!(columns.iter().any(|column| column.name == name), "{name}");
    }
}
