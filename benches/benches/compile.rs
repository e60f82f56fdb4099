//! How compile time grows with the size of a model: an irregular circuit, ten families, a shaft of inertias and gears.
//!
//! `cargo bench -p rhei-benches --bench compile`. Each line is the fastest of a few compilations, from text to a model that can
//! run, with the time of each pass.

use std::time::Duration;

use rhei_benches::{compilation, models};

fn main() {
    let sizes = [1_000, 10_000, 100_000];
    println!("irregular circuit: grows by less than 1.5 per equation, 100,000 under 10 s");
    let per_equation = sizes.map(|size| line(size, &models::circuit(size)));
    println!("  growth per equation: {:.2}", per_equation[2] / per_equation[0]);
    println!("ten families: 100,000 under 2 s");
    for size in sizes {
        line(size, &models::families(size));
    }
    let logarithm = f64::log2(10_000.0) / f64::log2(1_000.0);
    println!("10,000 inertias and gears: under 2 s, growth per equation from 1,000 on under {logarithm:.2}");
    for (form, text) in
        [("components", models::gears as fn(usize) -> String), ("arrays with parameters", models::train)]
    {
        println!("  {form}");
        let per_equation = [1_000, 10_000].map(|inertias| line(inertias, &text(inertias)));
        println!("  growth per equation: {:.2}", per_equation[1] / per_equation[0]);
    }
}

/// Prints how long a model takes; returns the time per equation.
fn line(size: usize, text: &str) -> f64 {
    let repeats = if size < 10_000 { 10 } else { 3 };
    let fastest = (0..repeats)
        .map(|_| {
            let done = compilation(text);
            let passes: Vec<(&str, Duration)> = done.timings.iter().collect();
            let equations = done.equations.as_ref().map_or(0, |equations| equations.equations.len());
            (passes.iter().map(|(_, took)| *took).sum::<Duration>(), equations, passes)
        })
        .min()
        .expect("it was compiled at least once");
    let (took, equations, passes) = fastest;
    let milliseconds = |took: Duration| took.as_secs_f64() * 1e3;
    let per_equation = took.as_secs_f64() * 1e6 / equations as f64;
    let passes: Vec<String> =
        passes.iter().map(|(pass, took)| format!("{pass} {:.1}", milliseconds(*took))).collect();
    let total = milliseconds(took);
    println!(
        "  {size:>7}: {equations:>7} equations {total:>9.1} ms {per_equation:>6.2} µs each  ({})",
        passes.join(", ")
    );
    per_equation
}
