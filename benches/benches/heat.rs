//! The heat equation of 1,000 and 10,000 nodes against code written by hand: its right-hand side, and a whole simulation.
//!
//! `cargo bench -p rhei-benches --bench heat`. Prints ratios, all of one run. The hand-written right-hand side
//! (`hand/heat.rs`) is compiled by `rustc` here, once as it is and once without auto-vectorisation; the whole simulation is
//! compared with diffsol driven by a hand-written right-hand side and product with the Jacobian.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use diffsol::{FaerSparseLU, FaerSparseMat, FaerVec, OdeBuilder, OdeSolverMethod, OdeSolverStopReason};
use rhei_benches::{compiled, fastest, models};
use rhei_numerics::Problem;
use rhei_results::Trajectories;
use rhei_run::{Execution, Options, OutputTimes, simulate};
use rhei_solve::at_start;

/// What the acceptance of machine code asks for.
const MOST: f64 = 1.5;
const STOP: f64 = 10.0;
const ROWS: usize = 100;
const TOLERANCE: f64 = 1e-6;

fn main() {
    println!("right-hand side of the heat equation, per evaluation");
    println!(
        "{:>7} {:>10} {:>10} {:>10} {:>9} {:>12}",
        "nodes", "rhei", "scalar", "vector", "to scalar", "to vector"
    );
    let by_hand = [["-C", "no-vectorize-loops", "-C", "no-vectorize-slp"].as_slice(), &[]].map(built_by_hand);
    for nodes in [1_000, 10_000] {
        let own = right_hand_side(nodes);
        let [scalar, vector] =
            by_hand.each_ref().map(|program| program.as_deref().map(|program| measured(program, nodes)));
        let (Some(scalar), Some(vector)) = (scalar, vector) else {
            println!(
                "{nodes:>7} {own:>7.0} ns  (skipped: rustc was not found, so there is nothing to compare with)"
            );
            continue;
        };
        let (to_scalar, to_vector) = (own / scalar, own / vector);
        println!(
            "{nodes:>7} {own:>7.0} ns {scalar:>7.0} ns {vector:>7.0} ns {to_scalar:>9.2} {to_vector:>12.2}  {}",
            verdict(to_scalar)
        );
    }
    println!("\nwhole simulation, {ROWS} rows, tolerance {TOLERANCE}");
    println!("{:>7} {:>10} {:>6} {:>10} {:>6} {:>8}", "nodes", "rhei", "steps", "diffsol", "steps", "ratio");
    for nodes in [1_000, 10_000] {
        let (own, own_steps) = whole(nodes);
        let (other, other_steps) = by_diffsol(nodes);
        let ratio = own.as_secs_f64() / other.as_secs_f64();
        println!(
            "{nodes:>7} {:>7.2} ms {own_steps:>6} {:>7.2} ms {other_steps:>6} {ratio:>8.2}  {}",
            own.as_secs_f64() * 1e3,
            other.as_secs_f64() * 1e3,
            verdict(ratio)
        );
    }
}

fn verdict(ratio: f64) -> String {
    if ratio <= MOST { format!("within {MOST}") } else { format!("NOT within {MOST}") }
}

/// The program `hand/heat.rs`, compiled with these options; `None` without a compiler.
fn built_by_hand(options: &[&str]) -> Option<PathBuf> {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("heat-{}", options.len()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("hand/heat.rs");
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--edition", "2024", "-C", "opt-level=3"]).args(options).arg("-o").arg(&program).arg(source);
    rustc.status().ok()?.success().then_some(program)
}

/// Nanoseconds of one evaluation, as the program measures them.
fn measured(program: &Path, nodes: usize) -> f64 {
    let output = Command::new(program).arg(nodes.to_string()).output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("it prints a number")
}

/// Nanoseconds of one evaluation of ours, as an integrator sees it.
fn right_hand_side(nodes: usize) -> f64 {
    let model = compiled(&models::heat(nodes));
    let (mut problem, states) = at_start(&model, 0.0, Execution::Machine).expect("it starts");
    let mut derivatives = vec![0.0; states.len()];
    let evaluations = 20_000_000 / nodes / 10;
    let took = fastest(20, || {
        for _ in 0..evaluations {
            problem.rhs(0.0, std::hint::black_box(&states), &mut derivatives).expect("it has a value");
        }
    });
    took.as_nanos() as f64 / evaluations as f64
}

/// Time and steps of a run of ours.
fn whole(nodes: usize) -> (Duration, u64) {
    let model = compiled(&models::heat(nodes));
    let options = Options {
        tolerance: TOLERANCE,
        output: OutputTimes::At((1..=ROWS).map(|i| STOP * i as f64 / ROWS as f64).collect()),
        ..Options::until(STOP)
    };
    let last = format!("T[{nodes}]");
    let mut steps = 0;
    let took = fastest(5, || {
        let (columns, recorded) = model.columns(|name| name == last);
        let mut rows = Trajectories::new(columns);
        steps = simulate(&model, &options, &recorded, &mut rows).statistics.steps;
    });
    (took, steps)
}

/// Time and steps of diffsol's own solver on hand-written functions, without the time it takes to find the sparsity.
fn by_diffsol(nodes: usize) -> (Duration, u64) {
    let a = 0.01 * (nodes * nodes) as f64;
    let linear = move |boundary: f64, y: &[f64], dy: &mut [f64]| {
        let n = y.len();
        dy[0] = a * (boundary - 2.0 * y[0] + y[1]);
        for i in 1..n - 1 {
            dy[i] = a * (y[i - 1] - 2.0 * y[i] + y[i + 1]);
        }
        dy[n - 1] = a * (y[n - 2] - y[n - 1]);
    };
    let problem = OdeBuilder::<FaerSparseMat<f64>>::new()
        .rtol(TOLERANCE)
        .atol([TOLERANCE])
        .use_coloring(true)
        .rhs_implicit(
            move |y: &[f64], _: &[f64], _: f64, dy: &mut [f64]| linear(1.0, y, dy),
            move |_: &[f64], _: &[f64], _: f64, v: &[f64], dy: &mut [f64]| linear(0.0, v, dy),
        )
        .init(|_: &[f64], _: f64, y: &mut [f64]| y.fill(0.0), nodes)
        .build()
        .expect("the problem is well-formed");
    let mut steps = 0;
    let took = fastest(5, || {
        let mut solver = problem.bdf::<FaerSparseLU<f64>>().expect("it starts");
        let mut last: Vec<FaerVec<f64>> = Vec::with_capacity(ROWS);
        let mut row = 1;
        steps = 0;
        solver.set_stop_time(STOP).expect("it lies ahead");
        loop {
            let reason = solver.step().expect("it goes on");
            steps += 1;
            while row <= ROWS && STOP * row as f64 / ROWS as f64 <= solver.state().t {
                last.push(solver.interpolate(STOP * row as f64 / ROWS as f64).expect("it lies in the step"));
                row += 1;
            }
            if matches!(reason, OdeSolverStopReason::TstopReached) {
                break;
            }
        }
    });
    (took, steps)
}
