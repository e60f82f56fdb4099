//! Models whose states change on the way: how often, how well, and that it costs the integrator nothing.

use std::ops::ControlFlow;
use std::path::PathBuf;

use rhei_numerics::Method;
use rhei_results::{Progress, Sink, WriteError};
use rhei_simulate::{Execution, Options, Outcome, OutputTimes, Status, simulate};

use crate::workshop::compile;

/// All rows of some variables, and the times between which steps went.
#[derive(Default)]
struct Notes {
    rows: Vec<Vec<f64>>,
    steps: Vec<f64>,
}

impl Sink for Notes {
    fn row(&mut self, _: f64, values: &[f64]) -> Result<(), WriteError> {
        self.rows.push(values.to_vec());
        Ok(())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> Result<ControlFlow<()>, WriteError> {
        self.steps.push(progress.time);
        Ok(ControlFlow::Continue(()))
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        Ok(())
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        Ok(None)
    }
}

/// Runs a model to a time with a tolerance of 1e-8, noting these variables.
fn run(text: &str, stop_time: f64, names: &[&str]) -> (Outcome, Notes) {
    let (done, _) = compile(text);
    let model = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let options = Options {
        start_time: 0.0,
        stop_time,
        tolerance: 1e-8,
        method: Method::Bdf,
        step: 0.1,
        output: OutputTimes::At((0..=100).map(|k| stop_time * f64::from(k) / 100.0).collect()),
        set: Default::default(),
        execution: Execution::Machine,
    };
    let variable = |name: &&str| {
        let found = model.equations.iter_variables().find(|(_, variable)| variable.name == *name);
        found.unwrap_or_else(|| panic!("there is no {name}")).0
    };
    let recorded: Vec<_> = names.iter().map(variable).collect();
    let mut notes = Notes::default();
    let outcome = simulate(&model, &options, &recorded, &mut notes);
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    (outcome, notes)
}

fn pendulum(guess: [f64; 2], start: &str) -> String {
    format!(
        "model Pendulum
           Real x(start = {}), y(start = {}), vx, vy, T;
         initial equation
           {start}
         equation
           der(x) = vx; der(y) = vy; der(vx) = T*x; der(vy) = T*y - 9.81; x^2 + y^2 = 1;
         end Pendulum;",
        guess[0], guess[1]
    )
}

/// The pendulum starting level, at 120 degrees, and turning over: changes of states, energy, constraints, the place at t = 10.
#[test]
fn a_pendulum_in_cartesian_coordinates() {
    let cases = [
        ("y = 0; vy = 0;", [1.0, 0.0], 17, [0.275087463, -0.961419205]),
        ("y = 0.5; vx = 0;", [0.8, 0.5], 14, [-0.998608223, -0.052741028]),
        ("x = 0; vx = 7;", [0.0, -1.0], 31, [-0.915728347, 0.401797953]),
    ];
    for (start, guess, expected, end) in cases {
        let (outcome, notes) = run(&pendulum(guess, start), 10.0, &["x", "y", "vx", "vy"]);
        for set in 0..2 {
            let changes = outcome.chart_changes.iter().filter(|change| change.set == set).count();
            assert!(changes <= 2 * expected, "{start} {changes} changes of set {set}");
        }
        let energy = |row: &[f64]| 0.5 * (row[2] * row[2] + row[3] * row[3]) + 9.81 * row[1];
        for row in &notes.rows {
            let (position, speed) =
                (row[0] * row[0] + row[1] * row[1] - 1.0, row[0] * row[2] + row[1] * row[3]);
            assert!(position.abs() < 1e-9 && speed.abs() < 1e-9, "{start} {position:e} {speed:e}");
            let lost = energy(row) - energy(&notes.rows[0]);
            assert!(lost.abs() < 1e-6, "{start} {lost:e}");
        }
        let last = notes.rows.last().unwrap();
        assert!((last[0] - end[0]).abs().max((last[1] - end[1]).abs()) < 2e-5, "{start} {last:?}");
        no_restart_at_changes(&outcome, &notes.steps);
    }
}

/// The step after a change of states is about that before it.
fn no_restart_at_changes(outcome: &Outcome, steps: &[f64]) {
    for change in &outcome.chart_changes {
        let Some(place) = steps.iter().position(|t| *t == change.time) else { continue };
        if place == 0 || place + 1 >= steps.len() {
            continue;
        }
        let (before, after) = (steps[place] - steps[place - 1], steps[place + 1] - steps[place]);
        let ratio = after / before;
        assert!(ratio > 0.5 && ratio < 2.0, "steps of {before} and {after} around t = {}", change.time);
    }
}

/// A chain of rigid links that hang on each other, in Cartesian coordinates, from any start.
fn chain(n: usize, seed: u64) -> String {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (mut x, mut y, mut xs, mut ys) = (0.0, 0.0, Vec::new(), Vec::new());
    for _ in 0..n {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let angle = (random >> 33) as f64 / 2f64.powi(31) * std::f64::consts::TAU;
        x += angle.sin();
        y -= angle.cos();
        xs.push(format!("{x:.6}"));
        ys.push(format!("{y:.6}"));
    }
    let (xs, ys, m) = (xs.join(", "), ys.join(", "), n + 1);
    format!(
        "model Chain
           Real x[{n}](start = {{{xs}}}), y[{n}](start = {{{ys}}}), vx[{n}], vy[{n}], T[{m}];
           Real dx[{n}], dy[{n}], energy = sum(0.5*(vx[i]^2 + vy[i]^2) + 9.81*y[i] for i in 1:{n});
         equation
           T[{m}] = 0;
           for i in 1:{n} loop
             dx[i] = x[i] - (if i > 1 then x[max(i - 1, 1)] else 0);
             dy[i] = y[i] - (if i > 1 then y[max(i - 1, 1)] else 0);
             der(x[i]) = vx[i];
             der(y[i]) = vy[i];
             der(vx[i]) = (if i < {n} then T[i + 1]*dx[min(i + 1, {n})] else 0) - T[i]*dx[i];
             der(vy[i]) = (if i < {n} then T[i + 1]*dy[min(i + 1, {n})] else 0) - T[i]*dy[i] - 9.81;
             dx[i]^2 + dy[i]^2 = 1;
           end for;
         end Chain;"
    )
}

#[test]
fn chains_of_rigid_links_run_through_from_any_start() {
    for (n, seeds) in [(1, 10), (2, 10), (3, 5), (4, 2)] {
        for seed in 1..=seeds {
            let (outcome, notes) = run(&chain(n, seed), 5.0, &["energy"]);
            let first = notes.rows[0][0];
            let size = first.abs().max(9.81 * (n * (n + 1)) as f64 / 2.0);
            let lost = notes.rows.iter().map(|row| (row[0] - first).abs()).fold(0.0, f64::max) / size;
            assert!(lost < 1e-5, "{n} links, {seed}: {lost:e} of the energy");
            no_restart_at_changes(&outcome, &notes.steps);
        }
    }
}
