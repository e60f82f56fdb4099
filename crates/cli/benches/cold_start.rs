//! From the start of the program to the result file: a bouncing ball.
//!
//! `cargo bench -p rhei-cli --bench cold_start`

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The bound of the acceptance test of machine code.
const MOST: Duration = Duration::from_millis(50);
const RUNS: usize = 20;

fn main() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/BouncingBall.mo");
    let result = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bouncing-ball.csv");
    let mut took: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            let status = Command::new(env!("CARGO_BIN_EXE_rhei"))
                .arg("simulate")
                .args([&model, Path::new("-o"), &result])
                .stderr(Stdio::null())
                .status();
            assert!(status.is_ok_and(|status| status.success()), "the ball bounces");
            begun.elapsed()
        })
        .collect();
    took.sort_unstable();
    let (fastest, median, slowest) = (took[0], took[RUNS / 2], took[RUNS - 1]);
    let verdict = if median <= MOST { "within" } else { "NOT within" };
    println!(
        "bouncing ball, {RUNS} runs: {:.1} ms, median {:.1} ms, at most {:.1} ms; {verdict} {} ms",
        fastest.as_secs_f64() * 1e3,
        median.as_secs_f64() * 1e3,
        slowest.as_secs_f64() * 1e3,
        MOST.as_millis()
    );
}
