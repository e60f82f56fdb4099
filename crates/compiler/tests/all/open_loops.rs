//! Loops between many states and their derivatives: what the Jacobian takes, and that curves are those of a method that needs none.

use std::sync::Arc;

use rhei_model::{CompiledModel, StateMatrix, state_matrix};
use rhei_run::Status;

use crate::workshop::{GRID_OUTFLOW, Settings, grid_currents, model, run, value};

/// A square grid of resistors with this law, a source at one corner, and a capacitor to the ground at every fifth node: all other
/// potentials are one loop.
fn grid(n: usize, law: &str) -> String {
    let currents = grid_currents(law);
    format!(
        "model Grid
           constant Integer n = {n};
           Real v[n, n], out[n, n], x[n, div(n, 5)](each start = 0, each fixed = true);
           Real across[n, n - 1], along[n - 1, n], da[n, n - 1], db[n - 1, n];
         equation
           {currents}
           for i in 1:n, j in 1:n loop
             {GRID_OUTFLOW} = out[i, j];
             if mod(j + 2*i, 5) <> 0 then
               out[i, j] = if i == 1 and j == 1 then 10 + sin(time) - v[1, 1] else 0;
             end if;
           end for;
           for i in 1:n, k in 1:div(n, 5) loop
             v[i, 5*k - 4 + mod(-2*i - 1, 5)] = x[i, k];
             0.1*der(x[i, k]) = -out[i, 5*k - 4 + mod(-2*i - 1, 5)];
           end for;
         end Grid;"
    )
}

const LINEAR: &str = "i = u;";
const CUBIC: &str = "i = 0.1*u^3 + u;";

fn matrix(law: &str, n: usize) -> StateMatrix {
    state_matrix(&model(&grid(n, law)))
}

/// More than twice as many nodes take more than twice as many entries, and no more sweeps; all pairs of states would be five times as
/// many.
#[test]
fn the_jacobian_through_a_grid_stays_sparse() {
    for law in [LINEAR, CUBIC] {
        let [small, large] = [40, 60].map(|n| matrix(law, n));
        assert!(small.inner > small.states && large.inner > large.states, "{small:?} {large:?}");
        let per_state = |matrix: StateMatrix| matrix.entries as f64 / matrix.states as f64;
        assert!(per_state(large) < 1.1 * per_state(small), "{small:?} {large:?}");
        assert!(large.entries < large.states * large.states / 4, "{large:?}");
        assert!(large.sweeps < 60 && large.sweeps < 2 * small.sweeps, "{small:?} {large:?}");
    }
}

/// A loop between few states, or in a small model, is gone through.
#[test]
fn small_loops_leave_the_states_alone() {
    let few = "model Few
                 Real x[40](each start = 0, each fixed = true), y;
               equation
                 y + y^3 = x[1] + x[2];
                 for i in 1:40 loop
                   der(x[i]) = (if i < 4 then y else 0) - i*x[i];
                 end for;
               end Few;";
    assert_eq!(state_matrix(&model(few)).inner, 0);
    assert_eq!(state_matrix(&model(&mean(30, ""))).inner, 0);
    assert_eq!(
        state_matrix(&model(&mean(100, ""))),
        StateMatrix { states: 100, inner: 1, entries: 301, sweeps: 101 }
    );
}

/// One unknown between all states and all derivatives, with something `more` in its equation.
fn mean(n: usize, more: &str) -> String {
    format!(
        "model Mean
           constant Integer n = {n};
           Real x[n](each start = 0, each fixed = true), y;
         equation
           y + y^3 = sum(x)/n + sin(time){more};
           for i in 1:n loop
             der(x[i]) = 1 + y - (1 + 10*i/n)*x[i];
           end for;
         end Mean;"
    )
}

/// Two rings of unknowns one after the other: the states go into the first, derivatives come out of the second.
const RINGS: &str = "model Rings
  constant Integer n = 500, m = 250;
  Real x[n](each start = 0, each fixed = true), y[m], z[m];
equation
  for k in 1:m loop
    y[k] + 0.1*y[k]^3 + 0.3*(y[mod(k, m) + 1] + y[mod(k - 2, m) + 1]) = x[k] + x[k + m] + sin(time + k);
    z[k] + 0.1*z[k]^3 + 0.3*(z[mod(k, m) + 1] - z[mod(k - 2, m) + 1]) = y[k] - y[mod(k + 6, m) + 1];
  end for;
  for i in 1:n loop
    der(x[i]) = z[mod(i, m) + 1] - (1 + 10*i/n)*x[i];
  end for;
end Rings;
";

/// The same unknown beside a pendulum in coordinates of the plane, and an event.
const BESIDE_A_SET: &str = "model Beside
  constant Integer n = 100;
  Real x[n](each start = 0, each fixed = true), y;
  Real px(start = 0.6, fixed = true), py(start = -0.8), vx(start = 3, fixed = true), vy, T;
equation
  y + y^3 = sum(x)/n + px;
  for i in 1:n loop
    der(x[i]) = (if time > 0.7 then 3 else 2)*y - (1 + 10*i/n)*x[i] + 0.1;
  end for;
  der(px) = vx;
  der(py) = vy;
  der(vx) = T*px;
  der(vy) = T*py - 9.81 + 0.01*y;
  px^2 + py^2 = 1;
end Beside;
";

/// The same in two modes: in one of them there is a second such unknown.
const MODES: &str = "model Modes
  constant Integer n = 100;
  Real x[n](each start = 0, each fixed = true), y, u;
equation
  y + y^3 = sum(x)/n + sin(time) + u;
  if time > 0.5 then
    u = 0.2;
  else
    u + u^3 = 0.1*sum(x);
  end if;
  for i in 1:n loop
    der(x[i]) = 3*y - (1 + 10*i/n)*x[i] + 0.1;
  end for;
end Modes;
";

fn end(model: &Arc<CompiledModel>, settings: &str, names: &[&str]) -> Vec<f64> {
    let (outcome, rows) = run(model, &Settings::parse(settings).expect("settings"), vec![1.0]);
    assert_eq!(outcome.status, Status::Finished, "{settings}: {:?}", outcome.diagnostics);
    names.iter().map(|name| value(&rows, name, 0)).collect()
}

/// An explicit method knows of no matrix.
fn assert_as_explicit(text: &str, inner: usize, methods: &[&str], names: &[&str]) {
    let model = model(text);
    assert_eq!(state_matrix(&model).inner, inner);
    let expected = end(&model, "stop=1 method=tsit45", names);
    for method in methods {
        let found = end(&model, &format!("stop=1 method={method}"), names);
        let off = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 2e-5, "{method}: {found:?} and {expected:?}");
    }
}

const METHODS: [&str; 4] = ["bdf", "flc-bdf", "esdirk34", "tr-bdf2"];

#[test]
fn one_unknown_between_all_states() {
    assert_as_explicit(&mean(100, ""), 1, &METHODS, &["x[1]", "x[100]", "y"]);
}

/// A derivative by a state without a value, as that of a root at zero, is replaced by a difference.
#[test]
fn derivatives_of_a_loop_without_a_value() {
    assert_as_explicit(&mean(100, " + sqrt(x[1])"), 1, &METHODS, &["x[1]", "x[100]", "y"]);
}

#[test]
fn one_loop_after_the_other() {
    assert_as_explicit(RINGS, 248, &["bdf", "esdirk34"], &["x[1]", "x[150]", "z[7]"]);
}

#[test]
fn beside_a_state_set_and_an_event() {
    assert_as_explicit(BESIDE_A_SET, 1, &["bdf", "tr-bdf2"], &["x[1]", "x[100]", "px"]);
}

#[test]
fn in_modes() {
    assert_as_explicit(MODES, 1, &["bdf", "esdirk34"], &["x[1]", "x[100]", "y"]);
}

#[test]
fn a_grid() {
    assert_as_explicit(&grid(35, CUBIC), 1225 - 245, &["bdf"], &["x[1,1]", "v[20,20]", "v[1,2]"]);
}
