//! The cost of balances, beside other ways to solve the same.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_results::Trajectories;
use rhei_run::{Execution, Options, Outcome, Status, simulate};
use rhei_solve::GroupWork;

use crate::workshop::{Settings, model, read, root, run, run_as, value};

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
const INVERSE: &str = "a = if 10*x < -1 then 40*x + 3 elseif 10*x > 1 then 40*x - 3 else 10*x;";
const SMOOTH_INVERSE: &str =
    "a = noEvent(if 10*x < -1 then 40*x + 3 elseif 10*x > 1 then 40*x - 3 else 10*x);";
const ADAPTIVE: [&str; 5] = ["bdf", "flc-bdf", "esdirk34", "tr-bdf2", "tsit45"];

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
    let [newton, along_the_flow] = group.most_calls;
    assert!(newton <= 5 && along_the_flow <= 20, "{:?} evaluations in one search", group.most_calls);
    let failed: Vec<f64> = failures(group);
    assert!(matches!(failed.as_slice(), [t] if (t - 0.9).abs() < 1e-9), "a flow was followed at {failed:?}");
}

/// The ends of the steps in which a flow was followed.
fn failures(group: &GroupWork) -> Vec<f64> {
    group.per_step.iter().filter(|(_, _, followed)| *followed).map(|(t, ..)| *t).collect()
}

/// With steps twice as long Newton's method fails three times, and shorter ones do not change what is found.
#[test]
fn larger_steps_fail_more_often_and_cost_no_more() {
    let cases = [(0.01, -0.010917089974761, 0), (0.2, -0.018143090404955, 3)];
    for (step, x, failed) in cases {
        let settings = Settings::parse(&format!("stop=20 method=heun step={step}")).unwrap();
        let (outcome, rows) = run(&model(&spring(SMOOTH)), &settings, vec![20.0]);
        assert!((value(&rows, "x", 0) - x).abs() < 1e-13, "{step}: {}", value(&rows, "x", 0));
        let [group] = outcome.balances.as_slice() else { panic!("{:?}", outcome.balances) };
        assert!(group.most_calls[0] <= 5 && group.most_calls[1] <= 20, "{step}: {:?}", group.most_calls);
        assert_eq!(failures(group).len(), failed, "{step}");
    }
}

/// Balanced variables do not limit the step: the integrator takes the same steps as with a formula for the force.
#[test]
fn steps_are_those_of_the_explicit_inverse() {
    for method in ADAPTIVE {
        let settings = Settings::parse(&format!("stop=20 tolerance=1e-6 method={method}")).unwrap();
        let [balanced, inverse] = [BALANCED, INVERSE].map(|line| {
            let (outcome, rows) = run(&model(&spring(line)), &settings, vec![20.0]);
            assert!((value(&rows, "x", 0) + 0.010916338591).abs() < 1e-5, "{method}");
            assert_eq!(outcome.events, 13, "{method}");
            outcome.statistics.steps as f64
        });
        assert!((balanced / inverse - 1.0).abs() <= 0.02, "{method}: {balanced} steps, and {inverse}");
    }
}

/// The same where no event cuts a step. How steps get over a kink depends on the last digit: the formula written in another order
/// takes up to 5 % more or less in a single run. Taken together, runs tell.
#[test]
fn steps_over_kinks_are_those_of_the_explicit_inverse() {
    for method in ADAPTIVE {
        let [balanced, inverse] = [SMOOTH, SMOOTH_INVERSE].map(|line| {
            let model = model(&spring(line));
            let steps = |k: u32| {
                let tolerance = 1e-5 * (1.0 + 0.05 * f64::from(k));
                let words = format!("stop=20 tolerance={tolerance} method={method}");
                let settings = Settings::parse(&words).unwrap();
                let (outcome, rows) = run_as(&model, &settings, vec![20.0], Execution::Machine);
                assert!((value(&rows, "x", 0) + 0.010916338591).abs() < 1e-3, "{method}");
                outcome.statistics.steps
            };
            (0..16).map(steps).sum::<u64>() as f64
        });
        assert!((balanced / inverse - 1.0).abs() <= 0.02, "{method}: {balanced} steps, and {inverse}");
    }
}

/// Tolerances so tight that steps are rejected at the kinks change nothing but the accuracy.
#[test]
fn rejected_steps_leave_no_trace() {
    for (method, tolerance) in
        [("bdf", 1e-10), ("flc-bdf", 1e-10), ("esdirk34", 1e-10), ("tr-bdf2", 1e-8), ("tsit45", 1e-10)]
    {
        let settings = Settings::parse(&format!("stop=5 tolerance={tolerance} method={method}")).unwrap();
        for line in [SMOOTH, BALANCED] {
            let (outcome, rows) = run_as(&model(&spring(line)), &settings, vec![5.0], Execution::Machine);
            assert!(line == BALANCED || outcome.statistics.rejected > 0, "{method} rejects nothing");
            let (x, a) = (value(&rows, "x", 0), value(&rows, "a", 0));
            assert!((x + 0.355359054051).abs() < 2e-8, "{method}: {x}");
            assert!((a + 11.2143621620).abs() < 1e-6, "{method}: {a}");
        }
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
    for method in ADAPTIVE {
        let settings = Settings::parse(&format!("stop=3 tolerance=1e-4 method={method}")).unwrap();
        let (outcome, rows) = run(&model(text), &settings, (0..=300).map(|i| f64::from(i) / 100.0).collect());
        assert!(outcome.diagnostics.is_empty(), "{method}: {:?}", outcome.diagnostics);
        assert!((0..=300).all(|place| value(&rows, "a", place) < -0.5), "{method}");
    }
}

/// The singular limit of van der Pol's oscillator, with its period from jumps that are told: every method passes the ends of its branches.
#[test]
fn a_relaxation_oscillator_keeps_its_period() {
    let oscillator = model(
        "model Relaxation
           Real y(start = 0, fixed = true);
           Real x(start = 2);
         equation
           der(y) = -x;
           balance(x) = y + x - x^3/3;
         end Relaxation;",
    );
    let period = |words: &str| {
        let settings = Settings::parse(&format!("stop=6 {words}")).unwrap();
        let (outcome, _) = run_as(&oscillator, &settings, vec![6.0], Execution::Machine);
        assert_eq!(outcome.status, Status::Finished, "{words}: {:?}", outcome.diagnostics);
        let told = |said: &str| said.strip_prefix("at t = ")?.split(' ').next()?.parse::<f64>().ok();
        let jumps: Vec<f64> = outcome.diagnostics.iter().filter_map(|said| told(&said.message)).collect();
        assert!((7..=8).contains(&jumps.len()), "{words}: jumps at {jumps:?}");
        println!("{words}: {} steps, {} rejected", outcome.statistics.steps, outcome.statistics.rejected);
        (jumps[6] - jumps[0]) / 3.0
    };
    let exact = 3.0 - 2.0 * 2.0_f64.ln();
    for method in ["euler", "heun", "midpoint", "rk4", "implicit-euler", "implicit-trapezoid", "sdirk2"] {
        for step in [0.1, 0.01] {
            let off = period(&format!("method={method} step={step}")) - exact;
            assert!(off.abs() < 10.0 * step, "{method} {step}: {off}");
        }
    }
    for method in ADAPTIVE {
        for tolerance in [1e-3, 1e-6] {
            let off = period(&format!("method={method} tolerance={tolerance}")) - exact;
            assert!(off.abs() < 1e3 * tolerance, "{method} {tolerance}: {off}");
        }
    }
}

/// What is balanced beside a state that does not need it costs no steps: as many as with a formula in its place.
#[test]
fn a_balance_beside_a_state_costs_no_steps() {
    let beside = |line: &str| {
        model(&format!(
            "model Beside
               Real x(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
               Real a(start = 1);
             equation
               der(x) = y;
               der(y) = -x;
               der(z) = -z;
               {line}
             end Beside;"
        ))
    };
    for method in ADAPTIVE {
        let settings = Settings::parse(&format!("stop=20 method={method}")).unwrap();
        let lines = ["balance(a) = x - a^3;", "a = noEvent(if x > 0 then x^(1/3) else -(-x)^(1/3));"];
        let [balanced, inverse] =
            lines.map(|line| run(&beside(line), &settings, vec![20.0]).0.statistics.steps);
        assert_eq!(balanced, inverse, "{method}");
    }
}

/// Flow through an orifice.
const TURBULENT: &str = "
  function turbulent
    input Real k, dp;
    output Real m = k*(if dp > 0 then 1 else -1)*sqrt(abs(dp));
  algorithm
    annotation(Inline = true);
  end turbulent;";

/// A chain of turbulent orifices that begins with equal pressures: the search for its rest takes as many evaluations however long it is.
#[test]
fn the_search_does_not_grow_with_the_length_of_a_chain() {
    let chain = |n: usize| {
        model(&format!(
            "model Chain
               parameter Integer n = {n};
               Real p[n](each start = 2e5, each nominal = 1e5);
               Real m[n + 1];
               {TURBULENT}
             equation
               m[1] = noEvent(turbulent(1e-3, 5e5 - p[1]));
               for i in 2:n loop
                 m[i] = noEvent(turbulent(1e-3*(1 + 0.5*sin(7*i)), p[i - 1] - p[i]));
               end for;
               m[n + 1] = noEvent(turbulent(1e-3, p[n] - 1e5));
               for i in 1:n loop
                 balance(p[i]) = m[i] - m[i + 1];
               end for;
             end Chain;"
        ))
    };
    for n in [100, 1000, 10_000] {
        let settings = Settings::parse("stop=0").unwrap();
        let (outcome, _) = run(&chain(n), &settings, vec![0.0]);
        assert_eq!(outcome.status, Status::Finished, "{n}: {:?}", outcome.diagnostics);
        let [work] = outcome.balances.as_slice() else { panic!("{n} unknowns need each other") };
        assert!(work.calls <= 40, "{n}: {} evaluations", work.calls);
    }
}

/// If an equilibrium ends and the flow leads to no other, the run ends: at that instant, whatever the steps are.
#[test]
fn an_equilibrium_that_vanishes_is_found_to_the_instant() {
    let with_state = |balance: &str| {
        format!(
            "model M
               Real c(start = -1, fixed = true);
               Real x(start = 0, fixed = true);
               Real a(start = -1);
             equation
               der(c) = 1;
               der(x) = a;
               {balance}
             end M;"
        )
    };
    let smooth = with_state("balance(a) = c + a^2;");
    let bent = with_state("balance(a) = if a < -0.5 then c + a^2 else c + 0.25 + 2*(a + 0.5);");
    let stateless = "model M
        Real a(start = -1);
      equation
        balance(a) = time - 1 + a^2;
      end M;";
    for (text, ends) in [(smooth.as_str(), 1.0), (bent.as_str(), 0.75), (stateless, 1.0)] {
        for method in ["bdf", "flc-bdf", "esdirk34", "tr-bdf2", "tsit45", "heun", "implicit-euler"] {
            let fixed = if matches!(method, "heun" | "implicit-euler") { "step=0.17" } else { "" };
            let settings = Settings::parse(&format!("stop=3 method={method} {fixed}")).unwrap();
            let (outcome, _) = run(&model(text), &settings, vec![3.0]);
            let [said] = outcome.diagnostics.as_slice() else { panic!("{:?}", outcome.diagnostics) };
            assert_eq!(said.id, "balance-no-equilibrium", "{method}");
            assert!((outcome.time - ends).abs() < 1e-6, "{method}: {} and not {ends}", outcome.time);
            let told = said.message.split("at t = ").nth(1).and_then(|rest| rest.split(": ").next());
            let told: f64 = told.and_then(|told| told.parse().ok()).expect("the time is told");
            assert!((told - ends).abs() < 1e-6, "{method}: {}", said.message);
        }
    }
}

/// Every case of the table is where it says, and every heading of the topic is in the table.
#[test]
fn the_table_of_cases_is_up_to_date() {
    let topic = read("tests/language/balance.md");
    let headings: BTreeSet<&str> = topic.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let mut named = BTreeSet::new();
    let table = read("tests/conformance/balance.tsv");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("requirement\ttest\twhat is tested"));
    for line in lines {
        let [_, test, _] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("three columns: {line}") };
        let is_there = match (test.split_once(" ## "), test.split_once(" fn ")) {
            (Some((file, heading)), _) => {
                named.insert(heading.to_owned());
                read(file).lines().any(|line| line.strip_prefix("## ") == Some(heading))
            }
            (None, Some((file, function))) => {
                root().join(file).is_file() && read(file).contains(&format!("fn {function}("))
            }
            _ => false,
        };
        assert!(is_there, "no such test: {test}");
    }
    let unnamed: Vec<&str> = headings.into_iter().filter(|heading| !named.contains(*heading)).collect();
    assert_eq!(unnamed, [""; 0], "headings without a line in the table");
}

/// Junctions between turbulent orifices on a grid, with three reservoirs; `line` says how a pressure is found from what flows in.
fn grid(n: usize, line: &str) -> String {
    format!(
        "model Grid
           parameter Integer n = {n};
           parameter Real p0[n, n] = fill(2e5, n, n);
           Real p[n, n](start = p0, each nominal = 1e5);
           Real h[n, n - 1], v[n - 1, n], m[n, n];
           {TURBULENT}
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
        // four decades of pressure
        set: starts.map(|(v, _)| (v, 1e3 * 10.0_f64.powf(4.0 * next()))).collect(),
        ..Options::until(0.0)
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
    let solved = (0..100).filter(|&seed| {
        let outcome = from_random(&plain, seed);
        let is_helped = outcome.diagnostics.iter().any(|said| said.id == "start-by-continuation");
        outcome.status == Status::Finished && !is_helped
    });
    let solved = solved.count();
    println!("balance: 100 of 100, {} evaluations each; without: {solved} of 100", calls / 100);
}
