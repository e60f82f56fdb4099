//! What a change of the mode costs in a model of 1,000 equations of which 20 change, and in larger ones.
//!
//! `cargo bench -p rhei-benches --bench modes`. The first entry of a mode is its analysis, up to programs that can run; a cached
//! one is the answer that is kept. Both are the median of many modes. Then whole runs: what a change costs more than an
//! event that leaves the mode as it is, jumps and a new integrator included.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rhei_benches::{compiled, fastest, models};
use rhei_model::{CompiledModel, Occasion};
use rhei_results::Trajectories;
use rhei_run::{Choices, Execution, Options, Status, simulate};

fn main() {
    println!(
        "first entry of a mode: under 20 ms at 1,000 equations, 20 of which change; a cached one under 0.1 ms"
    );
    for size in [1_000, 2_000, 4_000] {
        entries(size);
    }
    println!("whole changes in a run, beside events that change no mode");
    changes(1_000);
}

/// How long modes take to be entered.
fn entries(size: usize) {
    let model = compiled(&models::switches(size, "time > g"));
    let structures = model.modes.clone().expect("it has modes");
    let groups = model.equations.guards.len();
    let modes: Vec<Vec<bool>> = (0..groups).map(|open| (0..groups).map(|g| g == open).collect()).collect();
    let enter = |guards: &Vec<bool>| {
        let begun = Instant::now();
        let entered = structures.enter(guards, Occasion::Way);
        let took = begun.elapsed();
        entered.expect("the mode can be");
        took
    };
    let analysed = |guards: &Vec<bool>| {
        let before = structures.work().equations;
        let took = enter(guards);
        (took, structures.work().equations - before)
    };
    let (first, again): (Vec<Duration>, Vec<u64>) = modes.iter().map(analysed).unzip();
    let (first, again) = (median(first), median(again));
    let cached = median((0..100).flat_map(|_| modes.iter().map(enter)).collect());
    let work = structures.work();
    assert_eq!(work.analyses, modes.len() as u64, "each mode is analysed once");
    let equations = model.equations.equations.len();
    println!(
        "  {equations:>6} equations: first {:>8.3} ms, {again} equations analysed again ({} at the very first); cached {:.4} ms",
        milliseconds(first),
        work.equations - again * (work.analyses - 1),
        milliseconds(cached),
    );
}

/// How long changes of the mode take in a run, of modes that are known.
fn changes(size: usize) {
    let period = 1e-3;
    let often = 200;
    // the last group is thrown back and forth; beside it a Boolean of which nothing depends but a derivative
    let thrown = format!("g == 1 and sin({}*time) > 0", std::f64::consts::PI / period);
    let still = models::switches(size, "g == 1 and time < 0").replace(
        "der(p[k]) =",
        &format!("der(p[k]) = (if sin({}*time) > 0 then 1e-9 else 0) +", std::f64::consts::PI / period),
    );
    let [with, without] = [models::switches(size, &thrown), still].map(|text| {
        let model = compiled(&text);
        ran(&model, period * f64::from(often)); // all modes are known after that
        fastest(5, || ran(&model, period * f64::from(often)))
    });
    let each = |took: Duration| milliseconds(took) / f64::from(often);
    println!("  {often} events: {:.3} ms each with a change, {:.3} ms without", each(with), each(without));
}

fn ran(model: &Arc<CompiledModel>, stop_time: f64) {
    let choices = Choices { execution: Execution::Interpreted, ..Choices::default() };
    let options = Options { tolerance: 1e-4, choices, ..Options::until(stop_time) };
    let (columns, recorded) = model.columns(|variable| variable == "p[1]");
    let outcome = simulate(model, &options, &recorded, &mut Trajectories::new(columns));
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
}

fn median<T: Copy + Ord>(mut all: Vec<T>) -> T {
    all.sort();
    all[all.len() / 2]
}

fn milliseconds(took: Duration) -> f64 {
    took.as_secs_f64() * 1e3
}
