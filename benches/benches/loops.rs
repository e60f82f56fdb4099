//! How the cost of an algebraic loop grows with its size: grids of resistors.
//!
//! `cargo bench -p rhei-benches --bench loops`. Each line is one model: to compile it, to start it, and one evaluation of all
//! its unknowns when the source has moved on. The cost per equation should hardly grow.

use std::time::Instant;

use rhei_benches::{compiled, models};
use rhei_numerics::Problem;
use rhei_run::Execution;
use rhei_solve::{at_start, loop_matrices};

const EVALUATIONS: u32 = 10;

fn main() {
    for (name, law) in [("linear", "R*i = v"), ("cubic", "i = a*v^3 + b*v")] {
        println!("{name}: growth per equation from 400 to 10,000 nodes");
        let costs = [5, 20, 50, 100].map(|n| line(n, law));
        println!(
            "  compile {:.2}, start {:.2}, evaluation {:.2}",
            costs[3].0 / costs[1].0,
            costs[3].1 / costs[1].1,
            costs[3].2 / costs[1].2
        );
    }
}

/// Prints what a grid takes; returns microseconds per equation to compile, to start and to evaluate.
fn line(n: usize, law: &str) -> (f64, f64, f64) {
    let text = models::grid(n, law);
    let begin = Instant::now();
    let model = compiled(&text);
    let compile = begin.elapsed().as_secs_f64();
    let equations = model.equations.equations.len() as f64;
    let begin = Instant::now();
    let (mut problem, states) = at_start(&model, 0.0, Execution::default()).expect("it starts");
    let start = begin.elapsed().as_secs_f64();
    let mut derivatives = vec![0.0; states.len()];
    let begin = Instant::now();
    for i in 1..=EVALUATIONS {
        problem.rhs(0.1 * f64::from(i), &states, &mut derivatives).expect("it has a value");
    }
    let evaluate = begin.elapsed().as_secs_f64() / f64::from(EVALUATIONS);
    println!(
        "  {:>6} nodes: compile {:>8.1} ms, start {:>8.1} ms, evaluation {:>8.2} ms  {:?}",
        n * n,
        compile * 1e3,
        start * 1e3,
        evaluate * 1e3,
        loop_matrices(&model)
    );
    (compile / equations * 1e6, start / equations * 1e6, evaluate / equations * 1e6)
}
