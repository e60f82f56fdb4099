//! Models of `tests/switching` at their changes of mode: the quantities conserved at each of them, to rounding, and the limits
//! they are as a neglected quantity (a resistance, a conductance, a compliance) becomes small.

use std::collections::BTreeMap;
use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_results::Trajectories;
use rhei_run::{Choices, Execution, Options, Outcome, OutputTimes, Status, simulate};

use crate::workshop::{compile, read};

fn compiled(text: &str) -> Arc<CompiledModel> {
    let (done, _) = compile(text);
    done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics))
}

fn of_file(name: &str) -> Arc<CompiledModel> {
    compiled(&read(format!("tests/switching/{name}.mo")))
}

/// A model of `tests/language/variable_structure.md`.
fn of_text(name: &str) -> String {
    let text = read("tests/language/variable_structure.md");
    let (begin, end) = (format!("model {name}\n"), format!("end {name};"));
    let text = &text[text.find(&begin).expect("it is there")..];
    text[..text.find(&end).expect("it ends") + end.len()].to_owned()
}

fn rod() -> Arc<CompiledModel> {
    compiled(&of_text("LandingRod"))
}

fn run(
    model: &Arc<CompiledModel>,
    set: &[(&str, f64)],
    tolerance: f64,
    stop_time: f64,
    output: OutputTimes,
) -> (Outcome, Trajectories) {
    let named = |name: &str| {
        let found = model.equations.iter_variables().find(|(_, variable)| variable.name == name);
        found.unwrap_or_else(|| panic!("there is no {name}")).0
    };
    let options = Options {
        tolerance,
        output,
        set: set.iter().map(|&(name, value)| (named(name), value)).collect(),
        choices: Choices { execution: Execution::Interpreted, ..Choices::default() },
        ..Options::until(stop_time)
    };
    let (columns, recorded) = model.columns(|_| true);
    let mut rows = Trajectories::new(columns);
    let outcome = simulate(model, &options, &recorded, &mut rows);
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    (outcome, rows)
}

/// A quantity as a sum: factors and products of variables.
type Quantity<'a> = &'a [(f64, &'a [&'a str])];

/// Asserts that quantities stay the same to 1e-10 of their size at each event, and answers how many events there were.
fn assert_conserved(
    model: &Arc<CompiledModel>,
    set: &[(&str, f64)],
    (tolerance, stop): (f64, f64),
    quantities: &[Quantity],
) -> usize {
    let (outcome, rows) = run(model, set, tolerance, stop, OutputTimes::Intervals(100));
    let time = rows.time();
    let value = |quantity: Quantity, row: usize| -> f64 {
        let factor = |name: &&str| rows.get(name).unwrap_or_else(|| panic!("no {name}"))[row];
        quantity.iter().map(|(k, names)| k * names.iter().map(factor).product::<f64>()).sum()
    };
    let mut events = 0;
    for row in (1..time.len()).filter(|&row| time[row] == time[row - 1]) {
        events += 1;
        for (place, quantity) in quantities.iter().enumerate() {
            let (before, after) = (value(quantity, row - 1), value(quantity, row));
            let size = before.abs().max(after.abs()).max(1.0);
            assert!(
                (after - before).abs() <= 1e-10 * size,
                "quantity {place} goes from {before} to {after} at t = {}",
                time[row]
            );
        }
    }
    // of one at the start there is no row before
    let later = outcome.mode_changes.iter().filter(|change| change.time > time[0]).count();
    assert!(events >= later, "{events} events are in the rows");
    outcome.mode_changes.len()
}

/// Differences at these times fall as `small` does: tenfold, for each variable.
fn assert_first_order(
    (ideal, with_losses): (&Arc<CompiledModel>, &Arc<CompiledModel>),
    set: &[(&str, f64)],
    tolerance: f64,
    times: &[f64],
    names: &[&str],
    smalls: &[f64],
) {
    let stop = *times.last().expect("a time");
    let values = |model: &Arc<CompiledModel>, set: &[(&str, f64)]| -> Vec<f64> {
        let (_, rows) = run(model, set, tolerance, stop, OutputTimes::At(times.to_vec()));
        names.iter().flat_map(|name| rows.get(name).expect("it is recorded").to_vec()).collect()
    };
    let limit = values(ideal, set);
    let mut differences: Vec<Vec<f64>> = Vec::new();
    for &small in smalls {
        let mut set = set.to_vec();
        set.push(("small", small));
        let found = values(with_losses, &set);
        differences.push(found.iter().zip(&limit).map(|(found, limit)| found - limit).collect());
    }
    for (place, pair) in differences.windows(2).enumerate() {
        let decades = (smalls[place] / smalls[place + 1]).log10();
        for (k, (coarse, fine)) in pair[0].iter().zip(&pair[1]).enumerate() {
            let order = (coarse / fine).log10() / decades;
            let (name, time) = (names[k / times.len()], times[k % times.len()]);
            assert!(
                (order - 1.0).abs() < 0.1,
                "{name} at t = {time}: {coarse:e} and {fine:e}, order {order}"
            );
        }
    }
}

#[test]
fn a_buck_converter_keeps_its_current_and_voltage_at_each_event() {
    let buck = of_file("Buck");
    let kept: [Quantity; 2] = [&[(1.0, &["i"])], &[(1.0, &["v"])]];
    for (resistance, changes) in [(100.0, 60), (5.0, 0)] {
        let found = assert_conserved(&buck, &[("R", resistance)], (1e-8, 2e-3), &kept);
        assert!(found > changes, "{found} changes");
    }
}

#[test]
fn a_buck_converter_is_the_limit_of_one_with_losses() {
    let models = (&of_file("Buck"), &of_file("BuckWithLosses"));
    let times = [0.0005, 0.0010111, 0.002];
    // a load that lets the current come to rest between pulses, and one that does not
    for resistance in [100.0, 5.0] {
        let set = [("R", resistance)];
        assert_first_order(models, &set, 1e-9, &times, &["i", "v"], &[1e-3, 1e-4, 1e-5]);
    }
}

#[test]
fn a_rectifier_keeps_its_currents_at_each_event() {
    let kept: [Quantity; 4] =
        [&[(1.0, &["id"])], &[(1.0, &["i[1]"])], &[(1.0, &["i[2]"])], &[(1.0, &["i[3]"])]];
    let found = assert_conserved(&of_file("Rectifier"), &[], (1e-8, 0.04), &kept);
    assert!(found >= 20, "{found} changes");
}

#[test]
fn a_rectifier_is_the_limit_of_one_with_losses() {
    let models = (&of_file("Rectifier"), &of_file("RectifierWithLosses"));
    assert_first_order(models, &[], 1e-8, &[0.004, 0.0123, 0.03], &["id", "i[2]"], &[1e-2, 1e-3, 1e-4]);
}

/// Sticking begins where both speeds are the same: each is kept, and so is the momentum of both.
#[test]
fn a_clutch_keeps_momentum_at_each_event() {
    let kept: [Quantity; 3] = [&[(1.0, &["w1"]), (2.0, &["w2"])], &[(1.0, &["w1"])], &[(1.0, &["w2"])]];
    assert_eq!(assert_conserved(&of_file("StickSlip"), &[], (1e-8, 10.0), &kept), 13);
}

#[test]
fn a_clutch_is_the_limit_of_one_that_creeps() {
    let models = (&of_file("StickSlip"), &of_file("ViscousStickSlip"));
    assert_first_order(models, &[], 1e-9, &[2.0, 4.7, 10.0], &["w1", "w2"], &[1e-2, 1e-3, 1e-4, 1e-5]);
}

/// A rope takes momentum along itself only: the position stays, and so does the speed across.
#[test]
fn a_rope_keeps_angular_momentum_at_each_event() {
    let kept: [Quantity; 3] =
        [&[(1.0, &["x", "vy"]), (-1.0, &["y", "vx"])], &[(1.0, &["x"])], &[(1.0, &["y"])]];
    assert_eq!(assert_conserved(&of_file("SlackRope"), &[], (1e-9, 2.0), &kept), 3);
}

/// As the rope goes slack the ball leaves its circle by the third power of time: errors of the integrator must not pull it taut again.
#[test]
fn a_rope_goes_slack_at_every_tolerance() {
    let rope = of_file("SlackRope");
    for (digits, stop) in (4..=10).flat_map(|digits| [(digits, 1.0), (digits, 2.5), (digits, 10.0)]) {
        let tolerance = 10f64.powi(-digits);
        let (outcome, rows) = run(&rope, &[], tolerance, stop, OutputTimes::Intervals(100));
        let changes: Vec<(u32, u32)> = outcome.mode_changes.iter().map(|c| (c.from, c.to)).collect();
        assert_eq!(changes, [(0, 2), (2, 0), (0, 2)], "at tolerance {tolerance}, until {stop}");
        let (time, energy) = (rows.time(), rows.get("E").expect("it is recorded"));
        let ends = (1..time.len()).filter(|&row| time[row] == time[row - 1]).chain([time.len()]);
        let mut begin = 0;
        for end in ends {
            let off = energy[begin..end].iter().map(|e| (e - energy[begin]).abs()).fold(0.0, f64::max);
            assert!(off <= 100.0 * tolerance, "{off} at tolerance {tolerance}, until {stop}");
            begin = end;
        }
    }
}

#[test]
fn a_rope_is_the_limit_of_one_that_gives_way() {
    let models = (&of_file("SlackRope"), &of_file("GivingRope"));
    assert_first_order(models, &[], 1e-9, &[0.19, 0.7, 1.3, 2.0], &["x", "y"], &[1e-3, 1e-4, 1e-5]);
}

/// At the first contact the angular momentum about it stays, at the second one there is nothing left to be conserved: both
/// contacts have an impulse. The position stays at both.
#[test]
fn a_rod_keeps_what_the_contact_cannot_take() {
    let rod = rod();
    let kept: [Quantity; 2] = [&[(1.0, &["y"])], &[(1.0, &["phi"])]];
    assert_eq!(assert_conserved(&rod, &[], (1e-8, 1.0), &kept), 2);
    let (outcome, rows) = run(&rod, &[], 1e-8, 1.0, OutputTimes::Intervals(100));
    let [first, second] = &outcome.mode_changes[..] else { panic!("two contacts") };
    let jumps: BTreeMap<&str, f64> =
        first.jumps.iter().map(|(name, before, after)| (name.as_str(), after - before)).collect();
    let landing = rows.time().iter().position(|&t| t == first.time).expect("the event is in the rows");
    let lever = 0.5 * rows.get("phi").expect("it is recorded")[landing].cos();
    // about the left end: m*lever*Δvy + J*Δw
    let change = lever * jumps["vy"] + jumps["w"] / 12.0;
    assert!(change.abs() < 1e-10, "{change}");
    let ((_, before, _), momentum) = (&first.jumps[0], jumps["vy"]);
    assert!(*before < 0.0);
    assert_eq!(first.impulses.len(), 1);
    // all of the change of momentum comes from the contact
    assert!((first.impulses[0].1 - momentum).abs() < 1e-10);
    let sum: f64 = second.impulses.iter().map(|(_, impulse)| impulse).sum();
    let stopped = second.jumps.iter().find(|(name, ..)| name == "vy").expect("it stops");
    assert!((sum - (stopped.2 - stopped.1)).abs() < 1e-10);
    assert_eq!((second.impulses.len(), second.conserved.len()), (2, 0));
}

#[test]
fn a_rod_is_the_limit_of_one_on_soft_ground() {
    let models = (&rod(), &of_file("RodOnSoftGround"));
    assert_first_order(models, &[], 1e-9, &[0.44, 0.5, 1.0], &["y"], &[1e-3, 1e-4, 1e-5]);
    assert_first_order(models, &[], 1e-9, &[0.44], &["phi", "w"], &[1e-3, 1e-4, 1e-5]);
}

/// A rod with weights beyond its contacts, nearly flat to either side: the end that lands second is the one that stays. Flat, soft ground
/// takes both at once, and ideal contacts are refused.
#[test]
fn what_lands_first_matters_for_soft_ground_too() {
    for phi in ["1e-5", "-1e-5"] {
        let ideal = of_text("LeftFirst").replace("start = 1e-6", &format!("start = {phi}"));
        let soft =
            read("tests/switching/RodOnSoftGround.mo").replace("start = 0.2", &format!("start = {phi}"));
        let models = (&compiled(&ideal), &compiled(&soft));
        assert_first_order(models, &[("J", 1.0)], 1e-10, &[0.46], &["vy", "w"], &[1e-7, 1e-8, 1e-9]);
    }
}

/// In a chain of fifty inductors what each run of open switches has together stays, at each of a thousand events.
#[test]
fn a_long_chain_conserves_flux_at_each_of_a_thousand_events() {
    let (outcome, _) = run(&of_file("Chain"), &[], 1e-5, 1.0005, OutputTimes::At(vec![1.0005]));
    assert_eq!(outcome.mode_changes.len(), 1000);
    let mut opened = 0;
    for change in &outcome.mode_changes {
        let sum: f64 = change.jumps.iter().map(|(_, before, after)| after - before).sum();
        assert!(sum.abs() < 1e-10, "{sum} at t = {}", change.time);
        opened += usize::from(!change.jumps.is_empty());
    }
    assert!(opened > 300, "{opened} events at which something jumped");
}

#[test]
fn a_long_chain_is_the_limit_of_one_with_losses() {
    let models = (&of_file("Chain"), &of_file("ChainWithLosses"));
    let (outcome, _) = run(models.0, &[], 1e-6, 0.0305, OutputTimes::At(vec![0.0305]));
    // what jumped first in these thirty events
    let jumped = outcome.mode_changes.iter().find_map(|change| change.jumps.first());
    let (name, ..) = jumped.expect("something jumps");
    assert_first_order(models, &[], 1e-11, &[0.0305], &[name], &[1e-3, 1e-4, 1e-5]);
}
