//! Models whose states change on the way: how often, how well, and that it costs the integrator nothing.

use std::ops::ControlFlow;
use std::path::PathBuf;

use rhei_equations::VarId;
use rhei_model::CompiledModel;
use rhei_results::{Progress, Sink, WriteError};
use rhei_run::{Choices, Execution, Options, Outcome, OutputTimes, Status, simulate};

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

fn options(stop_time: f64) -> Options {
    Options {
        tolerance: 1e-8,
        output: OutputTimes::At((0..=100).map(|k| stop_time * f64::from(k) / 100.0).collect()),
        choices: Choices { execution: Execution::Machine, ..Choices::default() },
        ..Options::until(stop_time)
    }
}

fn variable(model: &CompiledModel, name: &str) -> VarId {
    let found = model.equations.iter_variables().find(|(_, variable)| variable.name == name);
    found.unwrap_or_else(|| panic!("there is no {name}")).0
}

/// Runs a model to a time with a tolerance of 1e-8, noting these variables.
fn run(text: &str, stop_time: f64, names: &[&str]) -> (Outcome, Notes) {
    let (done, _) = compile(text);
    let model = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let recorded: Vec<_> = names.iter().map(|name| variable(&model, name)).collect();
    let mut notes = Notes::default();
    let outcome = simulate(&model, &options(stop_time), &recorded, &mut notes);
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

/// The ends of the links of a chain, each of length 1 in any direction.
fn places_of_links(n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (mut x, mut y, mut xs, mut ys) = (0.0, 0.0, Vec::new(), Vec::new());
    for _ in 0..n {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let angle = (random >> 33) as f64 / 2f64.powi(31) * std::f64::consts::TAU;
        x += angle.sin();
        y -= angle.cos();
        xs.push(x);
        ys.push(y);
    }
    (xs, ys)
}

/// A chain of rigid links that hang on each other, in Cartesian coordinates, from any start.
fn chain(n: usize, seed: u64) -> String {
    let (xs, ys) = places_of_links(n, seed);
    let list =
        |places: &[f64]| places.iter().map(|place| format!("{place:.6}")).collect::<Vec<_>>().join(", ");
    let (xs, ys, m) = (list(&xs), list(&ys), n + 1);
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

/// Starts at the given values, runs through and keeps its energy. Changes are no restarts if there are few enough links for steps
/// to show them, and these do not crack like a whip meanwhile.
fn check_chain(n: usize, seed: u64) {
    let places: Vec<String> =
        ["x", "y"].iter().flat_map(|name| (1..=n).map(move |i| format!("{name}[{i}]"))).collect();
    let names: Vec<&str> = ["energy"].into_iter().chain(places.iter().map(String::as_str)).collect();
    let (outcome, notes) = run(&chain(n, seed), 5.0, &names);
    let (xs, ys) = places_of_links(n, seed);
    for (value, meant) in notes.rows[0][1..].iter().zip(xs.iter().chain(&ys)) {
        assert!((value - meant).abs() < 1e-4, "{n} links, {seed}: {value} on another branch than {meant}");
    }
    let first = notes.rows[0][0];
    let lost = notes.rows.iter().map(|row| (row[0] - first).abs()).fold(0.0, f64::max) / first.abs();
    assert!(lost < 1e-5, "{n} links, {seed}: {lost:e} of the energy");
    if n <= 4 {
        no_restart_at_changes(&outcome, &notes.steps);
    }
}

#[test]
fn chains_of_rigid_links_run_through_from_any_start() {
    for n in [1, 2, 3, 4] {
        (1..=10).for_each(|seed| check_chain(n, seed));
    }
    check_chain(8, 1);
    check_chain(16, 1);
}

/// The rest of the ten starts each, of chains of eight links and of sixteen.
#[test]
#[ignore = "half a minute"]
fn long_chains_of_rigid_links_run_through_from_any_start() {
    for n in [8, 16] {
        (2..=10).for_each(|seed| check_chain(n, seed));
    }
}

/// Two sets, the second of which depends on the first; both always have the same component as their state.
#[test]
fn positions_and_speeds_of_a_pendulum_change_together() {
    let text = pendulum([0.0, -1.0], "x = 0; vx = 7;");
    let (done, _) = compile(&text);
    let model = done.model.unwrap();
    let sets = &model.solvable.sets;
    let names = |set: usize| -> Vec<&str> {
        sets[set].candidates.iter().map(|&v| model.equations.variable(v).name.as_str()).collect()
    };
    assert_eq!((sets.len(), names(0), names(1)), (2, vec!["x", "y"], vec!["vx", "vy"]));
    assert!(sets[0].depends_on_itself && !sets[0].depends_on_others);
    assert!(!sets[1].depends_on_itself && sets[1].depends_on_others);
    // the nominal values alone would have other speeds than positions
    let unequal = text.replace("vx, vy, T;", "vx(nominal = 10), vy(nominal = 0.1), T;");
    assert_ne!(unequal, text);
    for text in [text, unequal] {
        let (outcome, _) = run(&text, 10.0, &["x"]);
        assert!(outcome.chart_changes.len() > 20);
        for pair in outcome.chart_changes.chunks(2) {
            let [position, speed] = pair else { panic!("one changes alone: {pair:?}") };
            assert_eq!((position.time, format!("v{}", position.to[0])), (speed.time, speed.to[0].clone()));
        }
    }
}

/// A set for each link, the second of which depends on the first.
#[test]
fn a_double_pendulum_in_cartesian_coordinates() {
    let text = "model Double Real x1(start = 1), y1(start = 0), x2(start = 2), y2(start = 0); Real vx1, vy1, vx2, vy2, T1, T2;
        equation der(x1) = vx1; der(y1) = vy1; der(x2) = vx2; der(y2) = vy2;
        der(vx1) = -T1*x1 + T2*(x2 - x1); der(vy1) = -T1*y1 + T2*(y2 - y1) - 9.81;
        der(vx2) = -T2*(x2 - x1); der(vy2) = -T2*(y2 - y1) - 9.81;
        x1^2 + y1^2 = 1; (x2 - x1)^2 + (y2 - y1)^2 = 1; end Double;";
    let (done, _) = compile(text);
    let sets = &done.model.unwrap().solvable.sets;
    assert_eq!(sets.iter().map(|set| set.candidates.len()).collect::<Vec<_>>(), [2, 2, 2, 2]);
    assert!(sets[1].depends_on_itself && sets[1].depends_on_others);
    let (_, notes) = run(text, 2.0, &["x1", "y1", "x2", "y2"]);
    let expected = [
        (25, [0.540029409, -0.841646147, 1.473465670, -1.200389435]),
        (50, [-0.585168392, -0.810911803, -1.444818850, -1.321794461]),
        (100, [-0.464412869, -0.885618816, -1.434124817, -1.129870196]),
    ];
    for (row, expected) in expected {
        for (value, expected) in notes.rows[row].iter().zip(expected) {
            assert!((value - expected).abs() < 1e-6, "{:?}", notes.rows[row]);
        }
    }
}

/// Swinging to exactly 45 degrees, where both choices are equally good: no chattering.
#[test]
fn at_the_border_between_two_choices_nothing_chatters() {
    let (outcome, _) = run(&pendulum([0.7, -0.7], "x = sqrt(0.5); vx = 0;"), 10.0, &["x"]);
    let half_swings = 2.0 * 10.0 / 2.0;
    for set in 0..2 {
        let changes = outcome.chart_changes.iter().filter(|change| change.set == set).count();
        assert!(changes as f64 <= 2.0 * half_swings, "{changes} changes");
    }
}

/// A rope that gets longer at once, at 50 degrees: after a jump the better choice is taken, be it better by ever so little; without
/// one at 63 degrees.
#[test]
fn after_a_jump_states_are_chosen_anew() {
    let text = |happens: &str| {
        format!(
            "model Longer Real L(start = 1, fixed = true);
             Real x(start = 0, fixed = true), y(start = -1), vx(start = 5, fixed = true), vy, T;
             equation der(L) = 0; der(x) = vx; der(y) = vy; der(vx) = T*x; der(vy) = T*y - 9.81;
             x^2 + y^2 = L^2; when time >= 0.2 then {happens} end when; end Longer;"
        )
    };
    let first_change = |happens: &str| {
        let (outcome, _) = run(&text(happens), 0.5, &["x"]);
        outcome.chart_changes.first().map(|change| (change.time, change.to.clone())).expect("it changes")
    };
    assert_eq!(first_change("reinit(L, 1.05);"), (0.2, vec!["y".to_owned()]));
    let undisturbed = first_change("reinit(L, pre(L));");
    assert!(undisturbed.0 > 0.22 && undisturbed.1 == ["y"], "{undisturbed:?}");
}

/// A pressure of 1e5 and a temperature of 300, tied to each other: the one with the larger derivative in nominal values is solved
/// for, though its factor is the smaller one. Nothing flips.
#[test]
fn nominal_values_keep_a_choice() {
    let text = |nominals: [f64; 2]| {
        format!(
            "model Scaled parameter Real a = 1e-5, b = 1; Real q;
             Real p(start = 1e5, nominal = {}), T(start = 300, nominal = {});
             equation der(p) = 1e4*q - 100*(p - 1e5); der(T) = -q + cos(time);
             a*p + b*T = 400; end Scaled;",
            nominals[0], nominals[1]
        )
    };
    // in the last case both count the same: either will do, and stays
    for (nominals, expected) in
        [([1e5, 300.0], Some("p")), ([1e5, 0.1], Some("T")), ([1e8, 300.0], Some("T")), ([1e5, 1.0], None)]
    {
        let text = text(nominals);
        let model = compile(&text).0.model.unwrap();
        assert_eq!(model.solvable.sets.len(), 1);
        let (outcome, notes) = run(&text, 20.0, &["p", "T"]);
        assert!(outcome.chart_changes.is_empty(), "{nominals:?} {:?}", outcome.chart_changes);
        assert!(notes.rows.iter().all(|row| (1e-5 * row[0] + row[1] - 400.0).abs() < 1e-9));
        let [(states, _)] = &outcome.chart_history.shares(&model, 0)[..] else { panic!("one choice") };
        let state = model.equations.variable(states[0]).name.as_str();
        assert!(expected.is_none_or(|expected| expected == state), "{nominals:?}: {state}");
    }
}

/// Which variable is a state depends on parameters: one compilation, no changes in the run, and said where none can be.
#[test]
fn parameters_choose_the_state() {
    let text = "model Chosen parameter Real p = 1, q = 1; Real x1(start = 0.5), x2(start = 0.5), l;
         equation der(x1) = 1 + p*l; der(x2) = -x2 + 1 + q*l; p*x1 + q*x2 = 0; end Chosen;";
    let (done, _) = compile(text);
    let model = done.model.unwrap();
    let cases = [
        ([0.0, 1.0], Some([1.5, 0.0])),
        ([1.0, 0.0], Some([0.0, 0.8160602794])),
        ([1.0, 1.0], Some([0.3032653299, -0.3032653299])),
        ([0.0, 0.0], None),
    ];
    for (parameters, expected) in cases {
        let set =
            ["p", "q"].iter().zip(parameters).map(|(name, value)| (variable(&model, name), value)).collect();
        let options = Options { set, ..options(1.0) };
        let mut notes = Notes::default();
        let recorded = ["x1", "x2"].map(|name| variable(&model, name));
        let outcome = simulate(&model, &options, &recorded, &mut notes);
        let Some(expected) = expected else {
            assert_eq!(outcome.status, Status::Failed);
            let said = outcome.diagnostics.last().expect("it says why");
            assert!(said.id == "state-set-singular" && said.message.contains("`x1` and `x2`"), "{said:?}");
            continue;
        };
        assert_eq!(outcome.status, Status::Finished, "{parameters:?} {:?}", outcome.diagnostics);
        assert!(outcome.chart_changes.is_empty());
        let last = notes.rows.last().unwrap();
        let off =
            last.iter().zip(expected).map(|(value, expected)| (value - expected).abs()).fold(0.0, f64::max);
        assert!(off < 1e-7, "{parameters:?}: {last:?}");
    }
}
