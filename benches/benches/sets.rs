//! What it costs that the run chooses the states: a chain of links with state sets beside the same chain with a choice that is
//! regular throughout.
//!
//! `cargo bench -p rhei-benches --bench sets`. Prints the time per step of both and their ratio, all of one run.

use std::time::Duration;

use rhei_benches::{compiled, fastest, models};
use rhei_numerics::Method;
use rhei_results::Trajectories;
use rhei_run::{Choices, Execution, Options, Status, simulate};

const LINKS: usize = 20;
const STOP: f64 = 2.0;
/// What the choice may cost at most.
const MOST: f64 = 2.0;

fn main() {
    println!("a chain of {LINKS} links for {STOP} s, tolerance 1e-8, by our own BDF");
    println!("{:>14} {:>6} {:>8} {:>10} {:>12}", "states", "sets", "steps", "time", "per step");
    let [in_sets, fixed] = [false, true].map(|has_fixed_states| {
        let model = compiled(&models::chain(LINKS, has_fixed_states));
        let options = Options {
            tolerance: 1e-8,
            method: Method::FlcBdf,
            choices: Choices { execution: Execution::Machine, ..Choices::default() },
            ..Options::until(STOP)
        };
        let mut steps = 0;
        let took = fastest(5, || {
            let (columns, recorded) = model.columns(|name| name == "x[1]");
            let outcome = simulate(&model, &options, &recorded, &mut Trajectories::new(columns));
            assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
            steps = outcome.statistics.steps;
        });
        let per_step = per_step(took, steps);
        println!(
            "{:>14} {:>6} {steps:>8} {:>7.2} ms {:>9.2} µs",
            if has_fixed_states { "fixed" } else { "chosen" },
            model.solvable.sets.len(),
            took.as_secs_f64() * 1e3,
            per_step * 1e6
        );
        per_step
    });
    let ratio = in_sets / fixed;
    let verdict = if ratio <= MOST { "within" } else { "NOT within" };
    println!("ratio per step: {ratio:.2}, {verdict} {MOST}");
}

fn per_step(took: Duration, steps: u64) -> f64 {
    took.as_secs_f64() / steps.max(1) as f64
}
