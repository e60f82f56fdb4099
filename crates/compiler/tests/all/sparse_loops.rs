//! Large loops: what their matrices take, and what is said where they have no solution.

use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_results::Trajectories;
use rhei_run::{Outcome, Status};
use rhei_solve::{LoopMatrix, loop_matrices};

use crate::workshop::{GRID_OUTFLOW, Settings, grid_currents, model, run, value};

/// A square grid of nodes between resistors with this law; `rest` says what else there is.
fn grid(n: usize, law: &str, rest: &str) -> String {
    let currents = grid_currents(law);
    format!(
        "model Grid
           parameter Integer n = {n};
           parameter Real R = 1;
           Real v[n, n], outside[n, n];
           Real across[n, n - 1], along[n - 1, n], da[n, n - 1], db[n - 1, n];
           Real x(start = 0, fixed = true);
         equation
           {currents}
           for i in 1:n, j in 1:n loop
             {GRID_OUTFLOW} = outside[i, j];
             if not ((i == 1 or i == n) and j == i) then
               outside[i, j] = 0;
             end if;
           end for;
           der(x) = across[1, 1] - x;
           {rest}
         end Grid;"
    )
}

const LINEAR: &str = "R*i = u;";
const CUBIC: &str = "i = 0.1*u^3 + u;";
const SUPPLIED: &str = "v[1, 1] = 10 + sin(time); v[n, n] = 0;";

fn run_to_one(model: &Arc<CompiledModel>) -> (Outcome, Trajectories) {
    run(model, &Settings::parse("stop=1").expect("settings"), vec![1.0])
}

fn matrix(law: &str, n: usize) -> LoopMatrix {
    let all = loop_matrices(&model(&grid(n, law, SUPPLIED)));
    all.into_iter().max_by_key(|matrix| matrix.guesses).expect("a grid is a loop")
}

/// Four times as many nodes take four times as many entries, and no more sweeps.
#[test]
fn matrices_of_grids_stay_sparse() {
    for law in [LINEAR, CUBIC] {
        let [small, large] = [20, 40].map(|n| matrix(law, n));
        assert!(small.is_sparse && large.is_sparse, "{small:?} {large:?}");
        let per_guess = |matrix: LoopMatrix| matrix.entries as f64 / matrix.guesses as f64;
        assert!(per_guess(large) < 1.1 * per_guess(small), "{small:?} {large:?}");
        assert!(large.sweeps < 2 * small.sweeps && large.sweeps < 100, "{small:?} {large:?}");
        assert!(large.guesses < 5 * small.guesses, "{small:?} {large:?}");
    }
}

/// Turned upside down and with its signs changed a grid is itself: its second diagonal is half way between source and ground.
#[test]
fn grids_are_symmetric() {
    for law in [LINEAR, CUBIC] {
        let (outcome, rows) = run_to_one(&model(&grid(16, law, SUPPLIED)));
        assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
        let half = 0.5 * (10.0 + 1.0_f64.sin());
        for (i, j) in [(1, 16), (5, 12), (16, 1)] {
            assert!((value(&rows, &format!("v[{i},{j}]"), 0) - half).abs() < 1e-9);
        }
        let (into, out) = (value(&rows, "outside[1,1]", 0), value(&rows, "outside[16,16]", 0));
        assert!((into + out).abs() < 1e-9 && into > 1.0, "{into} {out}");
    }
}

/// The message of a run to one that fails.
fn failure(law: &str, rest: &str) -> String {
    let (outcome, _) = run_to_one(&model(&grid(12, law, rest)));
    assert_eq!(outcome.status, Status::Failed);
    outcome.diagnostics.iter().map(|said| format!("[{}] {}\n", said.id, said.message)).collect()
}

/// The guess of zero is singular; then half of what flows in leaves by the square of a potential, and ever less of it has to.
#[test]
fn a_large_loop_ends_where_its_solution_does() {
    let said = failure(CUBIC, "outside[1, 1] = 1; outside[n, n] = -v[n, n]^2 - 2*time;");
    assert!(said.contains("[loop-no-solution]") && said.contains("`v["), "{said}");
}

/// A ground by way of a conductance that is zero: as many equations as unknowns, and all potentials may move together.
#[test]
fn a_large_loop_that_is_not_determined_names_an_unknown() {
    let rest = "outside[1, 1] = 1; outside[n, n] = -g*v[n, n];";
    for law in [LINEAR, CUBIC] {
        let text = grid(12, law, rest).replace("parameter Real R = 1;", "parameter Real R = 1, g = 0;");
        let (outcome, _) = run_to_one(&model(&text));
        assert_eq!(outcome.status, Status::Failed);
        let said: String =
            outcome.diagnostics.iter().map(|said| format!("[{}] {}\n", said.id, said.message)).collect();
        assert!(said.contains("`v[") || said.contains("`d"), "{said}");
    }
}
