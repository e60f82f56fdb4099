//! Runs through several modes: what is told about them, what is conserved, and what they are the limit of.

use rhei_numerics::Method;
use rhei_run::{ModeChange, Outcome, Projection, Status};

use crate::conformance::check_table;
use crate::workshop::{Settings, compile, read, run};

/// The text of a model of `tests/language/variable_structure.md`.
fn model(name: &str) -> String {
    let text = read("tests/language/variable_structure.md");
    let begin = text.find(&format!("model {name}")).unwrap_or_else(|| panic!("there is no {name}"));
    let end = format!("end {name};");
    let length = text[begin..].find(&end).expect("a model has an end") + end.len();
    text[begin..begin + length].to_owned()
}

/// Runs a model, and reads off these variables at these times.
fn ran(text: &str, tolerance: f64, times: &[f64], names: &[&str]) -> (Outcome, Vec<Vec<f64>>) {
    let (done, _) = compile(text);
    let compiled = done.model.expect("it is a model");
    let settings =
        Settings { tolerance: Some(tolerance), stop: times.last().copied(), ..Settings::default() };
    let (outcome, rows) = run(&compiled, &settings, times.to_vec());
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    let columns = names.iter().map(|name| rows.get(name).expect("it is recorded").to_vec()).collect();
    (outcome, columns)
}

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

/// The sum of all jumps of a change, each times its weight.
fn sum_of_jumps(change: &ModeChange) -> f64 {
    change.jumps.iter().map(|(_, before, after)| after - before).sum()
}

#[test]
fn a_change_of_mode_is_told_with_jumps_impulses_and_what_is_conserved() {
    let (outcome, _) = ran(&model("SwitchedInductors"), 1e-9, &[3.0], &[]);
    let counts: Vec<usize> = outcome.modes.iter().map(|mode| mode.n_states).collect();
    assert_eq!(counts, [2, 1]);
    let [opened, closed] = &outcome.mode_changes[..] else { panic!("{:?}", outcome.mode_changes) };
    close(opened.time, 1.0, 0.0);
    assert_eq!((opened.from, opened.n_states, &opened.conserved[..]), (0, 1, &["p1 + p2".to_owned()][..]));
    let [(impulsive, impulse)] = &opened.impulses[..] else { panic!("{:?}", opened.impulses) };
    assert_eq!(impulsive, "v12");
    close(*impulse, 6.837265994106, 1e-7);
    let names: Vec<&str> = opened.jumps.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["p1", "p2"]);
    close(opened.jumps[0].1, 6.321205588286, 1e-7);
    close(opened.jumps[0].2, -0.516060405821, 1e-7);
    close(sum_of_jumps(opened), 0.0, 1e-12);
    assert!(closed.jumps.is_empty() && closed.impulses.is_empty(), "{closed:?}");
    assert_eq!((closed.to, closed.n_states), (0, 2));
}

/// Each chain of a cascade shares its flux by inductance, in all sixteen modes (S4-A3).
#[test]
fn every_mode_of_a_cascade_agrees_with_the_sums_of_its_chains() {
    let (inductance, flux) = ([0.1, 0.2, 0.3, 0.4, 0.5], [1.0, -2.0, 3.0, 0.5, 4.0]);
    let names = ["p[1]", "p[2]", "p[3]", "p[4]", "p[5]"];
    for mode in 0..16 {
        let opens: Vec<bool> = (0..4).map(|k| mode >> k & 1 == 1).collect();
        let text = opens.iter().map(bool::to_string).collect::<Vec<_>>().join(", ");
        let text = model("Cascade").replace("true, true, false, true", &text);
        let (_, columns) = ran(&text, 1e-6, &[1.0], &names);
        let mut begin = 0;
        for end in 1..=5 {
            if end < 5 && opens[end - 1] {
                continue;
            }
            let current = flux[begin..end].iter().sum::<f64>() / inductance[begin..end].iter().sum::<f64>();
            (begin..end).for_each(|k| close(columns[k][0], inductance[k] * current, 4e-15));
            begin = end;
        }
    }
}

/// The energy that impulses take: S4-A3, A6 (without the leaks), A7, A8; none is reported if a source forces the jump.
#[test]
fn the_energy_that_a_jump_takes_is_told() {
    let energy = |text: &str, stop: f64| {
        let (outcome, _) = ran(text, 1e-9, &[stop], &[]);
        outcome.mode_changes.iter().map(|change| change.energy).collect::<Vec<_>>()
    };
    let of = |text: &str, stop: f64| energy(text, stop)[0].expect("it is known");
    let (before, after) = of(&model("Cascade"), 1.0);
    close(before, 46.3125, 1e-12);
    close(after, 14.0 + 7.0 / 12.0, 1e-12);
    let (before, after) =
        of(&model("TwoCapacitors").replace("R1 = 1e3", "R1 = 1e12").replace("R2 = 2e3", "R2 = 1e12"), 2.0);
    close(before - after, 0.024, 1e-9);
    let (before, after) = of(
        &model("Clutch").replace("w1(start = 0", "w1(start = 9").replace("w2(start = 0", "w2(start = -2"),
        3.0,
    );
    close(before - after, 0.5 * 0.75 * 144.0, 1e-7);
    let (before, after) = of(&model("Rope"), 1.0);
    close(before - after, 2.39466685, 1e-6);
    assert_eq!(energy(&model("BatteryOnCapacitor"), 2.0), [None]);
}

/// S4-A4: with projection in each stage the fourth order stays; with projection at the end of each step, as in the document,
/// the order is one. With Euler's method both are the same, a step of the series circuit (10) = (11).
#[test]
fn explicit_methods_keep_their_order_where_stages_are_projected() {
    let open = model("SwitchedInductors")
        .replace("time < 1 or time >= 2", "time < 0")
        .replace("p1(start = 0", "p1(start = 1")
        .replace("p2(start = 0", "p2(start = 2");
    let compiled = compile(&open).0.model.expect("it is a model");
    let p2 = |method: Method, projection: Projection, steps: u32| {
        let step = 1.0 / f64::from(steps);
        let settings = Settings {
            method: Some(method),
            step: Some(step),
            stop: Some(1.0),
            projection,
            ..Settings::default()
        };
        let (outcome, rows) = run(&compiled, &settings, vec![1.0]);
        assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
        rows.get("p2").expect("it is recorded")[0]
    };
    let exact = 2.0 * (-2.0_f64 / 3.0).exp();
    let order = |projection: Projection| {
        let error = |steps: u32| (p2(Method::Rk4, projection, steps) - exact).abs();
        (error(10) / error(160)).log2() / 4.0
    };
    let (stage, end) = (order(Projection::Stage), order(Projection::End));
    assert!(stage >= 3.9, "{stage}");
    assert!((0.95..1.05).contains(&end), "{end}");
    // the same scheme written out by hand
    let by_hand = {
        let (mut p, h) = ([1.0, 2.0], 0.1);
        let slope = |p: [f64; 2]| [10.0 - p[0], -10.0 - p[1] / 2.0];
        let along = |p: [f64; 2], by: f64, k: [f64; 2]| [p[0] + by * k[0], p[1] + by * k[1]];
        for _ in 0..10 {
            let k1 = slope(p);
            let k2 = slope(along(p, h / 2.0, k1));
            let k3 = slope(along(p, h / 2.0, k2));
            let k4 = slope(along(p, h, k3));
            let next = |i: usize| p[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            let sum = next(0) + next(1);
            p = [sum / 3.0, 2.0 * sum / 3.0];
        }
        p[1]
    };
    close(p2(Method::Rk4, Projection::End, 10), by_hand, 1e-12);
    let mut series: f64 = 2.0;
    (0..10).for_each(|_| series -= 0.1 * 2.0 / 3.0 * series);
    close(p2(Method::Euler, Projection::Stage, 10), series, 1e-15);
    close(p2(Method::Euler, Projection::End, 10), series, 3e-15);
}

/// A position that has left its constraint is brought back by no impulse.
#[test]
fn steps_that_no_impulse_brings_back_are_refused() {
    let refused = |text: &str, method: Method| {
        let compiled = compile(text).0.model.expect("it is a model");
        let settings = Settings {
            method: Some(method),
            step: Some(0.01),
            stop: Some(1.0),
            projection: Projection::End,
            ..Settings::default()
        };
        let (outcome, _) = run(&compiled, &settings, vec![1.0]);
        assert_eq!(outcome.status, Status::Failed);
        outcome.diagnostics.last().expect("it says why").id
    };
    assert_eq!(refused(&model("Rope"), Method::Rk4), "projection-not-possible");
    assert_eq!(refused(&model("Clutch"), Method::ImplicitEuler), "projection-not-possible");
    let always = "model Always Real a(start = 1, fixed = true); Real b; Real z; equation der(a) = z; der(b) = -z; a = 2*b; end Always;";
    assert_eq!(refused(always, Method::Rk4), "projection-not-possible");
}

/// Only the modes that are visited are analysed: 4 of 729 (S4-A12); diodes try the open bridge first and reject it (S4-A16).
#[test]
fn rings_visit_few_modes_and_diodes_reject_what_would_jump() {
    let (outcome, _) = ran(&model("Ring"), 1e-9, &[0.04], &[]);
    let counts: Vec<usize> = outcome.modes.iter().map(|mode| mode.n_states).collect();
    assert_eq!(counts, [6, 5, 4, 5]);
    assert!(outcome.mode_changes[2].jumps.is_empty(), "a bridge that closes makes nothing jump");

    let (outcome, _) = ran(&model("DiodeRing"), 1e-9, &[0.04], &[]);
    let times: Vec<f64> = outcome.mode_changes.iter().map(|change| change.time).collect();
    let expected = [0.01, 0.016635931315, 0.02, 0.0297976025, 0.03];
    assert_eq!(times.len(), expected.len(), "{times:?}");
    times.iter().zip(expected).for_each(|(time, expected)| close(*time, expected, 1e-8));
    assert!(outcome.mode_changes.iter().all(|change| change.jumps.is_empty()), "nothing jumps");
    let rejected: Vec<bool> = outcome.mode_changes.iter().map(|change| !change.tried.is_empty()).collect();
    assert_eq!(rejected, [true, false, true, false, false]);
}

/// The open switch is the limit of a large resistance, at first order (S4-A2).
#[test]
fn a_mode_is_the_limit_of_its_fast_transient() {
    let ideal = model("SwitchedInductors");
    let resistive =
        |resistance: f64| ideal.replace("    i1 = i2;", &format!("    v12 = {resistance}*(i1 - i2);"));
    let at_end = |text: &str| {
        let (_, columns) = ran(text, 1e-10, &[1.999999999999], &["p1", "p2"]);
        [columns[0][0], columns[1][0]]
    };
    let limit = at_end(&ideal);
    for (resistance, expected) in
        [(1e4, [5.51e-4, -9.15e-4]), (1e5, [5.51e-5, -9.15e-5]), (1e6, [5.51e-6, -9.15e-6])]
    {
        let found = at_end(&resistive(resistance));
        for k in 0..2 {
            close(found[k] - limit[k], expected[k], 0.02 * expected[k].abs());
        }
    }
}

/// Hardly a mode twice, and more than are kept: what is conserved stays to 1e-12 at each event (S4-A20).
#[test]
fn a_chain_of_inductors_conserves_its_flux_at_each_event() {
    let chain = read("tests/switching/Chain.mo").replace("n = 50", "n = 13");
    let (outcome, _) = ran(&chain, 1e-6, &[0.4], &[]);
    assert_eq!((outcome.events, outcome.mode_changes.len()), (400, 400));
    assert!(outcome.modes.len() > 256, "{} modes", outcome.modes.len());
    let mut opened = 0;
    for change in &outcome.mode_changes {
        close(sum_of_jumps(change), 0.0, 1e-12);
        opened += usize::from(!change.jumps.is_empty());
    }
    assert!(opened > 100, "{opened} events at which something jumped");
}

/// The mean voltage of the load is that of the sources, less what the change of the current from one to the next takes:
/// `3*sqrt(3)/pi*Vm - 6*f*Ls*Id`.
#[test]
fn a_rectifier_has_the_voltage_that_commutation_leaves() {
    let times: Vec<f64> = (0..=2000).map(|k| 0.3 + f64::from(k) * 1e-5).collect();
    let (outcome, columns) =
        ran(&read("tests/switching/Rectifier.mo"), 1e-7, &times, &["id", "i[1]", "iu[1]"]);
    let mean = columns[0].iter().sum::<f64>() / columns[0].len() as f64;
    let expected = 3.0 * 3.0_f64.sqrt() / std::f64::consts::PI * 325.0 / (10.0 + 6.0 * 50.0 * 1e-3);
    close(mean, expected, 2e-3 * expected);
    assert!(columns[2].iter().all(|i| *i > -1e-6), "a diode lets nothing back");
    assert!(outcome.mode_changes.iter().all(|change| change.jumps.is_empty()), "no current jumps");
    let counts: Vec<usize> = outcome.modes.iter().map(|mode| mode.n_states).collect();
    assert!(counts.contains(&1) && counts.contains(&2), "two or three diodes conduct: {counts:?}");
}

/// The current of the inductor stays zero between pulses, and never goes below it.
#[test]
fn a_buck_converter_comes_to_discontinuous_conduction() {
    let times: Vec<f64> = (0..=2000).map(|k| f64::from(k) * 1e-6).collect();
    let (outcome, columns) = ran(&read("tests/switching/Buck.mo"), 1e-8, &times, &["i", "v"]);
    let (current, voltage) = (&columns[0], &columns[1]);
    assert!(current.iter().all(|i| *i > -1e-6), "a diode lets nothing back");
    let at_rest = current[1000..].iter().filter(|i| i.abs() < 1e-9).count();
    assert!(at_rest > 300, "{at_rest} of 1000 instants without current");
    let counts: Vec<usize> = outcome.modes.iter().map(|mode| mode.n_states).collect();
    assert!(counts.contains(&1) && counts.contains(&2), "{counts:?}");
    // between 0.4*24 (all the time conducting) and 24
    assert!((9.6..24.0).contains(voltage.last().unwrap()));
}

/// The clutch slips and sticks; while it sticks both speeds are one, and it holds no more than it can.
#[test]
fn a_clutch_sticks_and_slips() {
    let times: Vec<f64> = (0..=1000).map(|k| f64::from(k) * 0.01).collect();
    let names = ["slip", "tau", "stuck", "w1"];
    let (outcome, columns) = ran(&read("tests/switching/StickSlip.mo"), 1e-8, &times, &names);
    assert_eq!(outcome.mode_changes.len(), 13);
    for ((slip, tau), stuck) in columns[0].iter().zip(&columns[1]).zip(&columns[2]) {
        assert!(tau.abs() <= 3.0 + 1e-6);
        assert!(*stuck == 0.0 || slip.abs() < 1e-9);
    }
    // sticking begins where the speeds are equal: nothing jumps
    assert!(outcome.mode_changes.iter().all(|change| change.jumps.is_empty()));
}

/// A rope takes energy when it becomes taut and never gives any (X-A5).
#[test]
fn a_rope_only_takes_energy() {
    let times: Vec<f64> = (0..=500).map(|k| f64::from(k) * 0.01).collect();
    let (outcome, columns) = ran(&read("tests/switching/SlackRope.mo"), 1e-9, &times, &["E", "x", "y"]);
    assert!(columns[0].windows(2).all(|pair| pair[1] <= pair[0] + 1e-5), "energy from nowhere");
    assert!(columns[1].iter().zip(&columns[2]).all(|(x, y)| x.hypot(*y) <= 1.0 + 1e-7));
    let counts: Vec<usize> = outcome.mode_changes.iter().map(|change| change.n_states).collect();
    assert_eq!(counts, [2, 4, 2], "taut, slack, taut");
    for change in outcome.mode_changes.iter().filter(|change| change.n_states == 2) {
        let jumped: Vec<&str> = change.jumps.iter().map(|(name, ..)| name.as_str()).collect();
        assert_eq!(jumped, ["vx", "vy"], "positions do not jump");
        assert_eq!(change.impulses.len(), 1);
    }
}

/// Every case of the table is where it says.
#[test]
fn the_table_of_changes_of_structure_is_up_to_date() {
    let requirements = check_table("variable_structure.tsv", &["tests/language/mode_interactions.md"]);
    for case in [1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 18, 19, 20] {
        assert!(requirements.contains(&format!("S4-A{case}")), "S4-A{case} has no test");
    }
    for case in 1..=8 {
        assert!(requirements.contains(&format!("X-A{case}")), "X-A{case} has no test");
    }
}
