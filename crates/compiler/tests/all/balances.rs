//! What balances cost, beside other ways to solve the same.

use std::path::Path;
use std::sync::Arc;

use rhei_compiler::{Session, with_deep_stack};
use rhei_numerics::Method;
use rhei_results::Trajectories;
use rhei_simulate::{
    CompiledModel, Execution, Options, Outcome, OutputTimes, Status, advise_balances, simulate,
};
use rhei_solvable::Block;
use rhei_source::InMemory;

use crate::workshop::{Settings, compile, read, run};

/// A spring with two slopes; `line` says how its force `a` is found from the position `x`.
fn spring(line: &str) -> String {
    format!(
        "model Spring
           Real x(start = 1, fixed = true);
           Real y(start = 0, fixed = true);
           Real a(start = 37);
         equation
           der(x) = y;
           der(y) = -0.1*a - 0.4*y;
           {line}
         end Spring;"
    )
}

const BALANCED: &str = "balance(a) = 10*x - (if a < -1 then a/4 - 0.75 elseif a > 1 then a/4 + 0.75 else a);";
const SMOOTH: &str =
    "balance(a) = 10*x - noEvent(if a < -1 then a/4 - 0.75 elseif a > 1 then a/4 + 0.75 else a);";
const INVERSE: &str = "a = noEvent(if 10*x < -1 then 40*x + 3 elseif 10*x > 1 then 40*x - 3 else 10*x);";

fn model(text: &str) -> Arc<CompiledModel> {
    let (done, _) = compile(text);
    done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

fn value(rows: &Trajectories, name: &str, place: usize) -> f64 {
    let column = rows.columns().iter().position(|column| column.name == name).expect("it is recorded");
    rows.column(column)[place]
}

/// Two hundred steps of Heun's method: Newton's method fails at one instant, where up to twenty evaluations are allowed; elsewhere a
/// search takes five at most.
#[test]
fn large_steps_cost_few_evaluations() {
    let settings = Settings::parse("stop=20 method=heun step=0.1").unwrap();
    let (outcome, rows) = run(&model(&spring(SMOOTH)), &settings, vec![20.0]);
    assert_eq!(outcome.statistics.steps, 200);
    assert!((value(&rows, "x", 0) + 0.011511565542553).abs() < 1e-13);
    let [group] = outcome.balances.as_slice() else { panic!("{:?}", outcome.balances) };
    assert!(group.calls <= 900, "{}", group.calls);
    assert_eq!(group.calls, group.per_step.iter().map(|(_, calls, _)| u64::from(*calls)).sum::<u64>());
    // a step has two searches, at its second stage and at its end; the first stage is the end of the step before
    for (t, calls, followed) in &group.per_step {
        assert!(*calls <= if *followed { 25 } else { 10 }, "{calls} evaluations in the step to {t}");
        assert!(!followed || (*t - 0.9).abs() < 1e-9, "a flow was followed in the step to {t}");
    }
}

/// What is balanced does not limit the step: the integrator does what it does where the force is a formula.
#[test]
fn steps_are_those_of_the_explicit_inverse() {
    for method in ["bdf", "tsit45"] {
        let settings = Settings::parse(&format!("stop=20 tolerance=1e-7 method={method}")).unwrap();
        let [balanced, inverse] = [SMOOTH, INVERSE].map(|line| {
            let (outcome, rows) = run(&model(&spring(line)), &settings, vec![20.0]);
            assert!((value(&rows, "x", 0) + 0.010916338591).abs() < 1e-5, "{method}");
            outcome.statistics.steps as f64
        });
        assert!((balanced / inverse - 1.0).abs() <= 0.02, "{method}: {balanced} steps, and {inverse}");
    }
}

/// Tolerances so tight that steps are rejected at the kinks change nothing but the accuracy.
#[test]
fn rejected_steps_leave_no_trace() {
    for (method, line) in [("tsit45", SMOOTH), ("bdf", SMOOTH), ("tsit45", BALANCED)] {
        let settings = Settings::parse(&format!("stop=5 tolerance=1e-10 method={method}")).unwrap();
        let (outcome, rows) = run(&model(&spring(line)), &settings, vec![5.0]);
        assert!(outcome.statistics.rejected > 0, "{method} rejects nothing");
        assert!((value(&rows, "x", 0) + 0.355359054051).abs() < 2e-8, "{method}: {}", value(&rows, "x", 0));
        assert!((value(&rows, "a", 0) + 11.2143621620).abs() < 1e-6, "{method}");
    }
    // `c` stays below the end of the branch, which steps that are tried go beyond
    let text = "model M
        Real c(start = 0, fixed = true);
        Real v(start = 3.8, fixed = true);
        Real a(start = -1);
      equation
        der(c) = v;
        der(v) = -100*c;
        balance(a) = -(a^3 - a - c);
      end M;";
    let settings = Settings::parse("stop=3 tolerance=1e-4 method=tsit45").unwrap();
    let (outcome, rows) = run(&model(text), &settings, (0..=300).map(|i| f64::from(i) / 100.0).collect());
    assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    assert!((0..=300).all(|place| value(&rows, "a", place) < -0.5));
}

/// Junctions between turbulent orifices on a grid, with three reservoirs; `line` says how a pressure is found from what flows in.
fn grid(n: usize, line: &str) -> String {
    format!(
        "model Grid
           parameter Integer n = {n};
           parameter Real p0[n, n] = fill(2e5, n, n);
           Real p[n, n](start = p0, each nominal = 1e5);
           Real h[n, n - 1], v[n - 1, n], m[n, n];
           function turbulent
             input Real k, dp;
             output Real m = k*(if dp > 0 then 1 else -1)*sqrt(abs(dp));
           algorithm
             annotation(Inline = true);
           end turbulent;
         equation
           for i in 1:n loop
             for j in 1:n - 1 loop
               h[i, j] = noEvent(turbulent(1e-3*(1 + 0.5*sin(7*i + 3*j)), p[i, j] - p[i, j + 1]));
               v[j, i] = noEvent(turbulent(1e-3*(1 + 0.5*cos(5*i + 2*j)), p[j, i] - p[j + 1, i]));
             end for;
             for j in 1:n loop
               m[i, j] = (if j > 1 then h[i, max(j - 1, 1)] else 0) - (if j < n then h[i, min(j, n - 1)] else 0)
                 + (if i > 1 then v[max(i - 1, 1), j] else 0) - (if i < n then v[min(i, n - 1), j] else 0)
                 + (if i == 1 and j == 1 then noEvent(turbulent(2e-3, 5e5 - p[i, j])) else 0)
                 + (if i == n and j == n then noEvent(turbulent(2e-3, 1e5 - p[i, j])) else 0)
                 + (if i == 1 and j == n then noEvent(turbulent(1e-3, 2e5 - p[i, j])) else 0);
               {line}
             end for;
           end for;
         end Grid;"
    )
}

fn from_random(model: &Arc<CompiledModel>, seed: u64) -> Outcome {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let is_start = |name: &str| name.starts_with("p0[");
    let starts = model.equations.iter_variables().filter(|(_, variable)| is_start(&variable.name));
    let options = Options {
        start_time: 0.0,
        stop_time: 0.0,
        tolerance: 1e-6,
        method: Method::Bdf,
        step: 1.0,
        output: OutputTimes::At(vec![0.0]),
        // four decades of pressure
        set: starts.map(|(v, _)| (v, 1e3 * 10.0_f64.powf(4.0 * next()))).collect(),
        execution: Execution::default(),
        projection: Default::default(),
    };
    let (columns, recorded) = model.columns(|name| name == "p[5,5]");
    simulate(model, &options, &recorded, &mut Trajectories::new(columns))
}

/// A hundred junctions from a hundred random starts: all come to rest. How many of them plain Newton iteration solves is told.
#[test]
fn a_hydraulic_network_settles_from_everywhere() {
    let balanced = model(&grid(10, "balance(p[i, j]) = m[i, j];"));
    let mut calls = 0;
    for seed in 0..100 {
        let outcome = from_random(&balanced, seed);
        assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
        calls += outcome.balances.iter().map(|group| group.calls).sum::<u64>();
    }
    let plain = model(&grid(10, "0 = m[i, j];"));
    let solved = (0..100).filter(|&seed| from_random(&plain, seed).status == Status::Finished).count();
    println!("balance: 100 of 100, {} evaluations each; without: {solved} of 100", calls / 100);
}

/// One of the models of the air cycle.
fn air_cycle(name: &str) -> Arc<CompiledModel> {
    let world = InMemory::default().with_file("AirCycle.mo", read("examples/AirCycle.mo"));
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
        start_time: 0.0,
        stop_time,
        tolerance: 1e-6,
        method: Method::Bdf,
        step: 1.0,
        output: OutputTimes::At(vec![stop_time]),
        set: set.iter().map(|(name, value)| (by_name(name), *value)).collect(),
        execution: Execution::default(),
        projection: Default::default(),
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
    let (columns, recorded) = plain.columns(|_| true);
    let tried = simulate(&plain, &options_of(&plain, 600.0, &[]), &recorded, &mut Trajectories::new(columns));
    println!(
        "balanced: {} steps, {} evaluations; with storages: {} steps, off by {error:.1e}; without help: {guessed} \
         iteration variables, {:?}",
        outcome.statistics.steps, outcome.balances[0].calls, with_storages.statistics.steps, tried.status
    );
}

#[test]
fn all_artificial_states_of_the_air_cycle_are_found_and_no_others() {
    let advised = |model: &Arc<CompiledModel>, stop: f64| -> Vec<String> {
        let (columns, _) = model.columns(|_| false);
        let (advice, said) =
            advise_balances(model, &options_of(model, stop, &[]), &mut Trajectories::new(columns));
        let advice = advice.unwrap_or_else(|| panic!("{said:?}"));
        advice.iter().flat_map(|advice| advice.proposals.clone()).collect()
    };
    assert_eq!(
        advised(&air_cycle("WithStorages"), 600.0),
        ["primary.wall", "main.wall", "reheater.wall", "condenser.wall", "shaft.speed"]
            .map(|name| format!("balance({name}.x) = {name}.f"))
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
