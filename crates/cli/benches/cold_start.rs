//! From the start of the program to the result file: a bouncing ball; and a model of the Standard Library, compiled and kept.
//!
//! `cargo bench -p rhei-cli --bench cold_start`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The bound of the acceptance test of machine code.
const MOST: Duration = Duration::from_millis(50);
/// How many times faster a kept model starts than one that is compiled.
const LEAST_GAIN: f64 = 5.0;
/// A model of the library with more than 5,000 equations.
const OF_LIBRARY: &str = "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6";

fn main() {
    bouncing_ball();
    kept_model();
}

fn bouncing_ball() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures/BouncingBall.mo");
    let result = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bouncing-ball.csv");
    let took = times(20, &|| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rhei"));
        command.args(["simulate", "--no-cache"]).args([&model, Path::new("-o"), &result]);
        command
    });
    let verdict = if took.median <= MOST { "within" } else { "NOT within" };
    println!("bouncing ball: {took}; {verdict} {} ms", MOST.as_millis());
}

fn kept_model() {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cold-start-cache");
    let begin = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rhei"));
        command
            .env("XDG_CACHE_HOME", &cache)
            .args(["simulate", OF_LIBRARY, "--stop-time", "1e-6"])
            .args(options);
        command
    };
    if !begin(&[]).stderr(Stdio::null()).stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
        println!("skipped: {OF_LIBRARY}, since the Modelica Standard Library is not installed");
        return;
    }
    let compiled = times(5, &|| begin(&["--no-cache"]));
    let kept = times(5, &|| begin(&[]));
    let gain = compiled.median.as_secs_f64() / kept.median.as_secs_f64();
    let verdict = if gain >= LEAST_GAIN { "as it should" } else { "NOT as it should" };
    println!("{OF_LIBRARY}: compiled {compiled}; kept {kept}; {gain:.1} times faster, {verdict}");
    let _ = std::fs::remove_dir_all(&cache);
}

/// How long some runs of a command took.
struct Times {
    fastest: Duration,
    median: Duration,
    slowest: Duration,
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        write!(
            f,
            "{:.1} ms, median {:.1} ms, at most {:.1} ms",
            ms(self.fastest),
            ms(self.median),
            ms(self.slowest)
        )
    }
}

fn times(runs: usize, command: &dyn Fn() -> Command) -> Times {
    let mut took: Vec<Duration> = (0..runs)
        .map(|_| {
            let begun = Instant::now();
            let status = command().stdout(Stdio::null()).stderr(Stdio::null()).status();
            assert!(status.is_ok_and(|status| status.success()), "the run succeeds");
            begun.elapsed()
        })
        .collect();
    took.sort_unstable();
    Times { fastest: took[0], median: took[runs / 2], slowest: took[runs - 1] }
}
