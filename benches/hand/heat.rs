//! The right-hand side of the heat equation, written by hand, and how long it takes.
//!
//! A program of its own so that it can be built with and without auto-vectorisation; see `benches/heat.rs`.
//! Prints the nanoseconds of one evaluation, for the number of nodes that it is given.

use std::hint::black_box;
use std::time::Instant;

/// `dT/dt` of a rod that is warm at one end and insulated at the other.
#[inline(never)]
fn right_hand_side(a: f64, temperature: &[f64], change: &mut [f64]) {
    let n = temperature.len();
    let (temperature, change) = (&temperature[..n], &mut change[..n]);
    change[0] = a * (1.0 - 2.0 * temperature[0] + temperature[1]);
    for i in 1..n - 1 {
        change[i] = a * (temperature[i - 1] - 2.0 * temperature[i] + temperature[i + 1]);
    }
    change[n - 1] = a * (temperature[n - 2] - temperature[n - 1]);
}

fn main() {
    let nodes: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).expect("a number of nodes");
    let a = 0.01 * (nodes * nodes) as f64;
    let temperature: Vec<f64> = (0..nodes).map(|i| (i as f64).sin()).collect();
    let mut change = vec![0.0; nodes];
    let evaluations = 20_000_000 / nodes / 10;
    // the fastest of several: what else the machine does only adds
    let batch = |change: &mut [f64]| {
        let begun = Instant::now();
        for _ in 0..evaluations {
            right_hand_side(black_box(a), black_box(&temperature), change);
            black_box(&change);
        }
        begun.elapsed().as_nanos() as f64 / evaluations as f64
    };
    let fastest = (0..20).map(|_| batch(&mut change)).fold(f64::INFINITY, f64::min);
    println!("{fastest}");
}
