//! How compile time grows with the size of a model: an irregular circuit, ten families, a shaft of inertias and gears, a sum over all
//! states, a chain of links.
//!
//! `cargo bench -p rhei-benches --bench compile`. Each line is the fastest of a few compilations, from text to a model that can
//! run, with the time of each pass.

use std::time::Duration;

use rhei_benches::{models, timed_compilation};

/// As the command line has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let sizes = [1_000, 10_000, 100_000];
    println!("irregular circuit: grows by less than 1.5 per equation, 100,000 under 10 s");
    let per_equation = sizes.map(|size| line(size, &models::circuit(size)));
    growth(&per_equation);
    println!("ten families: 100,000 under 2 s");
    let per_equation = sizes.map(|size| line(size, &models::families(size)));
    growth(&per_equation);
    let logarithm = f64::log2(10_000.0) / f64::log2(1_000.0);
    println!("10,000 inertias and gears: under 2 s, growth per equation from 1,000 on under {logarithm:.2}");
    for (form, text) in
        [("components", models::gears as fn(usize) -> String), ("arrays with parameters", models::train)]
    {
        println!("  {form}");
        let per_equation = [1_000, 10_000].map(|inertias| line(inertias, &text(inertias)));
        growth(&per_equation);
    }
    println!(
        "states tied by one sum, and a chain of links with preferred angles: twice the size takes at most 2.2 times the time"
    );
    doubled(10_000, models::tied);
    doubled(300, models::links);
}

/// A model and one of twice the size.
fn doubled(size: usize, text: fn(usize) -> String) {
    let per_equation = [size, 2 * size].map(|size| line(size, &text(size)));
    growth(&per_equation);
}

/// Microseconds of one equation: by the clock, and on a processor.
type PerEquation = (f64, Option<f64>);

/// From the smallest model to the largest.
fn growth(per_equation: &[PerEquation]) {
    let [(wall, processor), .., (last_wall, last_processor)] = per_equation else { return };
    print!("  growth per equation: {:.2}", last_wall / wall);
    match processor.zip(*last_processor) {
        Some((processor, last_processor)) => {
            println!(", in time of the processor {:.2}", last_processor / processor)
        }
        None => println!(),
    }
}

/// Prints how long a model takes; returns the time per equation. By the clock it is that of the fastest compilation; on a processor
/// the mean of all.
fn line(size: usize, text: &str) -> PerEquation {
    let repeats = if size < 10_000 { 30 } else { 10 };
    let mut runs = Vec::new();
    for _ in 0..repeats {
        let (done, took) = timed_compilation(text);
        let passes: Vec<(&str, Duration)> = done.timings.iter().collect();
        let equations = done.equations.as_ref().map_or(0, |equations| equations.equations.len());
        runs.push((took.wall, took.processor, equations, passes));
    }
    let processor: Option<Duration> = runs.iter().map(|run| run.1).sum();
    let processor = processor.map(|all| all / repeats);
    let (wall, _, equations, passes) = runs.into_iter().min().expect("it was compiled at least once");
    let milliseconds = |took: Duration| took.as_secs_f64() * 1e3;
    let passes: Vec<String> =
        passes.iter().map(|(pass, took)| format!("{pass} {:.1}", milliseconds(*took))).collect();
    let each = |took: Duration| took.as_secs_f64() * 1e6 / equations as f64;
    println!(
        "  {size:>7}: {equations:>7} equations {:>9.1} ms {:>6.2} µs each, on a processor {:>6.2} ({})",
        milliseconds(wall),
        each(wall),
        processor.map_or(f64::NAN, each),
        passes.join(", ")
    );
    (each(wall), processor.map(each))
}
