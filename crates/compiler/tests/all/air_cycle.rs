//! The air cycle of the examples: with balances, with artificial states, and with nothing but its equations.

use std::path::Path;
use std::sync::Arc;

use rhei_compiler::{Session, recompiled, with_deep_stack};
use rhei_model::CompiledModel;
use rhei_numerics::eigenvalues::eigenvalues;
use rhei_results::Trajectories;
use rhei_run::{Options, Outcome, Status, advise_balances, linearize, simulate};
use rhei_solvable::Block;
use rhei_source::InMemory;

use crate::workshop::{model, read, value};

/// One of the models of the air cycle.
fn air_cycle(name: &str) -> Arc<CompiledModel> {
    air_cycle_of(name, read("examples/AirCycle.mo"))
}

fn air_cycle_of(name: &str, text: String) -> Arc<CompiledModel> {
    let world = InMemory::default().with_file("AirCycle.mo", text);
    let name = format!("AirCycleParts.{name}");
    let done = with_deep_stack(move || {
        let mut session = Session::new(Arc::new(world), Vec::new());
        session.compile(Path::new("AirCycle.mo"), Some(&name)).expect("the file is there")
    });
    done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

fn options_of(model: &CompiledModel, stop_time: f64, set: &[(&str, f64)]) -> Options {
    let by_name = |name: &str| model.equations.variable_named(name).expect("it is there");
    Options {
        set: set.iter().map(|(name, value)| (by_name(name), *value)).collect(),
        ..Options::until(stop_time)
    }
}

fn last(model: &Arc<CompiledModel>, options: &Options, names: &[&str]) -> (Outcome, Vec<f64>) {
    let (columns, recorded) = model.columns(|_| true);
    let mut rows = Trajectories::new(columns);
    let outcome = simulate(model, options, &recorded, &mut rows);
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    let values = names.iter().map(|name| value(&rows, name, rows.time().len() - 1)).collect();
    (outcome, values)
}

/// The guesses of the loops of the model while it runs.
fn guesses(model: &CompiledModel) -> Vec<usize> {
    let loops = model.solvable.continuous.iter().filter_map(|block| match block {
        Block::Solve(torn) => Some(torn.guessed.len()),
        _ => None,
    });
    loops.collect()
}

/// More than two hundred equations, five balances, everything else in order; from rough starts to one equilibrium.
#[test]
fn the_air_cycle_comes_to_rest_from_rough_starts() {
    let model = air_cycle("Cycle");
    assert!(model.equations.equations.len() > 200, "{}", model.equations.equations.len());
    assert_eq!(guesses(&model), [5], "nothing but what is balanced is guessed");
    let names = ["shaft.speed.x", "primary.wall.x", "main.wall.x", "reheater.wall.x", "condenser.wall.x"];
    let powers = ["turbine.power", "compressor.power", "fan.power"];
    let known = [4712.338911, 396.304601, 348.516551, 337.184379, 302.075537];
    for w0 in [1.0, 30.0, 1000.0, 4000.0, 2e4] {
        for t0 in [293.0, 300.0, 500.0] {
            let options = options_of(&model, 0.0, &[("w0", w0), ("T0", t0)]);
            let (_, found) = last(&model, &options, &names);
            let is_near = found.iter().zip(known).all(|(found, known)| (found / known - 1.0).abs() < 1e-8);
            assert!(is_near, "from {w0} and {t0}: {found:?}");
            let (_, power) = last(&model, &options, &powers);
            assert!((power[0] - power[1] - power[2]).abs() < 1e-6 * power[0]);
        }
    }
}

/// The flow comes to rest because all eigenvalues are negative: those of the same with storages, and one wrong sign of five is found.
#[test]
fn the_equilibrium_of_the_air_cycle_is_stable() {
    let stored = air_cycle("WithStorages");
    let (columns, _) = stored.columns(|_| false);
    let (found, said) = linearize(
        &stored,
        &options_of(&stored, 20.0, &[("ram.swing", 0.0)]),
        &mut Trajectories::new(columns),
    );
    let found = found.unwrap_or_else(|| panic!("{said:?}"));
    assert_eq!(found.states.len(), 6, "{:?}", found.states);
    let values = eigenvalues(&found.a).expect("a small matrix has eigenvalues");
    assert!(values.iter().all(|(re, _)| *re < 0.0), "{values:?}");

    let right = "f = turbine.tau + compressor.tau + fan.tau";
    let text = read("examples/AirCycle.mo");
    assert!(text.contains(right));
    let wrong = air_cycle_of("Cycle", text.replace(right, "f = -(turbine.tau + compressor.tau + fan.tau)"));
    let (columns, recorded) = wrong.columns(|_| true);
    let outcome = simulate(&wrong, &options_of(&wrong, 0.0, &[]), &recorded, &mut Trajectories::new(columns));
    let said: Vec<&str> = outcome.diagnostics.iter().map(|said| said.id).collect();
    assert_eq!(said, ["balance-unstable"], "{:?}", outcome.diagnostics);
    assert!(outcome.diagnostics[0].message.contains("shaft.speed.x"), "{}", outcome.diagnostics[0].message);
}

/// The same with artificial states, and with nothing but its equations.
#[test]
fn the_air_cycle_beside_other_ways_to_solve_it() {
    let balanced = air_cycle("Cycle");
    let (outcome, exact) = last(&balanced, &options_of(&balanced, 600.0, &[]), &["shaft.speed.x"]);
    let stored = air_cycle("WithStorages");
    let (with_storages, polluted) = last(&stored, &options_of(&stored, 600.0, &[]), &["shaft.speed.x"]);
    assert!(2 * outcome.statistics.steps < with_storages.statistics.steps);
    let error = (polluted[0] / exact[0] - 1.0).abs();
    assert!(error > 1e-6 && error < 1e-3, "{error}");
    let plain = air_cycle("WithoutHelp");
    let guessed: usize = guesses(&plain).iter().sum();
    assert!(guessed > 5, "{guessed} iteration variables");
    // it has to begin its search elsewhere, but then it comes to the same
    let (tried, alone) = last(&plain, &options_of(&plain, 600.0, &[]), &["shaft.speed.x"]);
    assert!((alone[0] / exact[0] - 1.0).abs() < 1e-8, "{} and {}", alone[0], exact[0]);
    assert!(tried.statistics.steps.abs_diff(outcome.statistics.steps) <= 1, "{tried:?}");
    // the table of the manual; times are of one machine, and only their ratio means something
    let [own, other, without] = [&balanced, &stored, &plain]
        .map(|model| fastest(|| drop(last(model, &options_of(model, 600.0, &[]), &[]))));
    let [a, b] = [&outcome, &with_storages].map(|outcome| outcome.statistics);
    println!("balanced: 5 guesses, {} steps, {} evaluations, time 1", a.steps, outcome.balances[0].calls);
    println!(
        "with storages: {} steps, {} evaluations, time {:.2}, off by {error:.1e}",
        b.steps,
        b.rhs_calls,
        other / own
    );
    println!("without help: {guessed} guesses, {} steps, time {:.2}", tried.statistics.steps, without / own);
}

/// The least time of several, in seconds.
fn fastest(mut run: impl FnMut()) -> f64 {
    let timed = (0..10).map(|_| {
        let begun = std::time::Instant::now();
        run();
        begun.elapsed().as_secs_f64()
    });
    timed.fold(f64::INFINITY, f64::min)
}

#[test]
fn all_artificial_states_of_the_air_cycle_are_found_and_no_others() {
    let advised = |model: &Arc<CompiledModel>, stop: f64| -> Vec<String> {
        let (columns, _) = model.columns(|_| false);
        let remake = |equations| recompiled(model, &equations);
        let options = options_of(model, stop, &[]);
        let (advice, said) = advise_balances(model, &options, &mut Trajectories::new(columns), &remake);
        let advice = advice.unwrap_or_else(|| panic!("{said:?}"));
        advice.iter().flat_map(|advice| advice.proposals.clone()).collect()
    };
    assert_eq!(
        advised(&air_cycle("WithStorages"), 600.0),
        ["primary.wall", "main.wall", "reheater.wall", "condenser.wall", "shaft.speed"]
            .map(|name| format!("{name}.storage*balance({name}.x) = {name}.f"))
    );
    assert_eq!(advised(&air_cycle("Cycle"), 600.0), [""; 0]);
    let heated = "model Heated
        parameter Real m = 2, c0 = 1000, c1 = 0.5;
        Real U;
        Real T(start = 300, fixed = true, stateSelect = StateSelect.prefer);
      equation
        der(U) = 5e4;
        U = m*(c0*T + 0.5*c1*T^2);
      end Heated;";
    assert_eq!(advised(&model(heated), 1.0), [""; 0]);
    // what moves as one, however fast its parts would be by themselves; what grows somewhere on its way
    let rod = "model Rod
        parameter Integer n = 12;
        Real T[n](each start = 1, each fixed = true);
      equation
        der(T[1]) = 50*(T[2] - T[1]);
        for i in 2:n-1 loop
          der(T[i]) = 50*(T[i - 1] - 2*T[i] + T[i + 1]);
        end for;
        der(T[n]) = 50*(T[n - 1] - T[n]) - T[n];
      end Rod;";
    assert_eq!(advised(&model(rod), 100.0), [""; 0]);
    let stiff = "model Stiff
        Real x(start = 2, fixed = true), y(start = 0, fixed = true);
      equation
        der(x) = y;
        der(y) = 200*(1 - x^2)*y - x;
      end Stiff;";
    assert_eq!(advised(&model(stiff), 400.0), [""; 0]);
    let sensor = "model Sensor
        parameter Real T = 1e-5;
        Real x(start = 0, fixed = true), m(start = 0, fixed = true);
      equation
        der(x) = sin(time) - m;
        T*der(m) = x - m;
      end Sensor;";
    assert_eq!(advised(&model(sensor), 10.0), ["T*balance(m) = x - m"]);
    let oscillator = "model Oscillator
        Real x(start = 1, fixed = true), v(start = 0, fixed = true);
      equation
        der(x) = v;
        der(v) = -1e6*x;
      end Oscillator;";
    assert_eq!(advised(&model(oscillator), 1.0), [""; 0]);
    let looped = "model Loop
        Real x(start = 0), y(start = 0);
      equation
        x^3 + x + y = 2 + sin(time);
        y^3 + y = x/2 + 1;
      end Loop;";
    let [proposal] = advised(&model(looped), 1.0).try_into().unwrap();
    assert!(proposal.starts_with("balance("), "{proposal}");
}
