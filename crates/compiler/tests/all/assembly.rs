//! Mechanisms that are put together from rough guesses.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_model::CompiledModel;
use rhei_results::Trajectories;
use rhei_run::{Choices, Execution, Options, Outcome, Status, simulate};

use crate::workshop::{model, read};

/// Numbers between -1 and 1 that depend on nothing but the seed (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn variable(model: &CompiledModel, name: &str) -> VarId {
    let found = model.equations.iter_variables().find(|(_, variable)| variable.name == name);
    found.unwrap_or_else(|| panic!("there is no {name}")).0
}

/// The start alone, some parameters having other values; what it came to of each variable.
fn start(model: &Arc<CompiledModel>, set: &[(String, f64)]) -> (Outcome, Trajectories) {
    let options = Options {
        set: set.iter().map(|(name, value)| (variable(model, name), *value)).collect(),
        choices: Choices { execution: Execution::Interpreted, ..Choices::default() },
        ..Options::until(0.0)
    };
    let (columns, recorded) = model.columns(|_| true);
    let mut rows = Trajectories::new(columns);
    let outcome = simulate(model, &options, &recorded, &mut rows);
    (outcome, rows)
}

/// Parameters `guess` with values that are up to 20 % off: of themselves, or of a usual length where they are smaller.
fn rough(exact: &[(&str, &[f64])], length: f64, random: &mut Random) -> Vec<(String, f64)> {
    let mut guesses = Vec::new();
    for (name, values) in exact {
        for (i, value) in values.iter().enumerate() {
            let off = 0.2 * random.next() * value.abs().max(length);
            guesses.push((format!("{name}[{}]", i + 1), value + off));
        }
    }
    guesses
}

/// The result of trials: how many started, and on how many of these each point is nearer than `near` to its intended place.
fn trials(
    model: &Arc<CompiledModel>,
    exact: &[(&str, &[f64])],
    of: &[&str],
    length: f64,
    near: f64,
) -> (usize, usize) {
    let (mut started, mut as_meant) = (0, 0);
    for seed in 1..=100 {
        let (outcome, rows) = start(model, &rough(exact, length, &mut Random::new(seed)));
        if outcome.status != Status::Finished {
            assert_eq!(outcome.status, Status::Failed, "{seed}");
            assert!(outcome.diagnostics.iter().any(|said| said.id == "initial-no-solution"), "{seed}");
            continue;
        }
        let at_start = |name: &str| rows.get(name).unwrap_or_else(|| panic!("{name} is recorded"))[0];
        assert!(at_start("residual").abs() < 1e-9, "{seed}: {:e}", at_start("residual"));
        started += 1;
        let off = exact.iter().zip(of).flat_map(|((_, values), name)| {
            values
                .iter()
                .enumerate()
                .map(move |(i, value)| (at_start(&format!("{name}[{}]", i + 1)) - value).abs())
        });
        as_meant += usize::from(off.fold(0.0, f64::max) < near);
    }
    (started, as_meant)
}

const PX: &[f64] = &[0.6, 2.0, 3.2, 2.7, 1.4];
const PY: &[f64] = &[0.8, 1.8, 1.5, 2.6, 3.1];

/// Three loops of rods, all coordinates of its points being 20 % off: it is put together, and nearly always as it was meant.
#[test]
fn three_loops_are_put_together_from_guesses_that_are_off() {
    let model = model(&read("tests/mechanisms/ThreeLoops.mo"));
    let guesses: [(&str, &[f64]); 2] = [("guess_x", PX), ("guess_y", PY)];
    let (started, as_meant) = trials(&model, &guesses, &["x", "y"], 1.5, 1.5);
    assert!(started >= 95 && as_meant >= 90, "{started} started, {as_meant} as they were meant");
}

/// A rod that is much too short: no way to put it together, which is said.
#[test]
fn what_cannot_be_put_together_says_so() {
    let model = model(&read("tests/mechanisms/ThreeLoops.mo"));
    let (outcome, _) = start(&model, &[("length[1]".into(), 0.05), ("length[9]".into(), 0.1)]);
    assert_eq!(outcome.status, Status::Failed);
    let [.., said] = &outcome.diagnostics[..] else { panic!("nothing is said") };
    assert_eq!(said.id, "initial-no-solution", "{}", said.message);
}
