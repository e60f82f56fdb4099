//! The ring of windings and bridges in `examples/InductionMotor.mo`, with diodes and without: currents, modes and what jumps
//! (S4-A12 to A16).

use rhei_run::{Outcome, Status};

use crate::workshop::{Settings, compile, read, run};

/// Inductances and resistances that differ (S4-A14).
const UNEQUAL: &str = "L = {0.010, 0.012, 0.008, 0.010, 0.015, 0.009}, R = {0.5, 0.4, 0.6, 0.5, 0.3, 0.7}";
const DIODES: &str = "redeclare model AnyBridge = MotorParts.DiodeBridge";

struct Ran {
    outcome: Outcome,
    /// By time: the currents of all windings.
    currents: Vec<Vec<f64>>,
    /// By time: what each bridge is connected to, as in `HlLLHL`; `f` floats, `u` and `l` conduct by a diode.
    bridges: Vec<String>,
}

/// Runs a ring with these modifications.
fn ring(modifications: &str, times: &[f64]) -> Ran {
    let text = format!(
        "{}\nmodel Variant\n  extends MotorParts.Ring({modifications});\nend Variant;",
        read("examples/InductionMotor.mo")
    );
    let (done, _) = compile(&text);
    let compiled = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let settings = Settings { tolerance: Some(1e-10), stop: times.last().copied(), ..Settings::default() };
    let (outcome, rows) = run(&compiled, &settings, times.to_vec());
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    let value = |name: &str, k: usize| rows.get(name).map(|column| column[k]);
    let current = |j: usize, k: usize| value(&format!("winding[{j}].i"), k).expect("it is recorded");
    let bridge = |j: usize, k: usize| {
        let is = |part: &str| value(&format!("bridge[{j}].{part}"), k) == Some(1.0);
        match value(&format!("bridge[{j}].state"), k) {
            Some(1.0) => 'H',
            Some(2.0) => 'L',
            Some(3.0) if is("upper") => 'u',
            Some(3.0) if is("lower") => 'l',
            Some(3.0) => 'f',
            other => panic!("{other:?} is no state of a bridge"),
        }
    };
    let currents = (0..times.len()).map(|k| (1..=6).map(|j| current(j, k)).collect()).collect();
    let bridges = (0..times.len()).map(|k| (1..=6).map(|j| bridge(j, k)).collect()).collect();
    Ran { outcome, currents, bridges }
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }
}

const AT_20: [f64; 6] = [15.170893412, 15.170893412, 0.0, -30.341786824, 30.341786824, -30.341786824];
const AT_30: [f64; 6] =
    [18.644876156, 18.644876156, -18.644876156, -18.644876156, 37.289752313, -37.289752313];
const AT_40: [f64; 6] =
    [30.195217369, 11.308689035, -20.751953202, -20.751953202, 41.503906405, -41.503906405];
/// Just before an event: what the currents do until then is less than the tolerance of the numbers.
const JUST: f64 = 1e-13;

#[test]
fn without_diodes_currents_jump_where_a_bridge_opens() {
    let times = [0.01 - JUST, 0.01, 0.02 - JUST, 0.02, 0.03 - JUST, 0.03, 0.04];
    let ran = ring("", &times);
    let before = [0.0, 18.886528334, 0.0, -18.886528334, 18.886528334, -18.886528334];
    assert_close(&ran.currents[0], &before, 2e-8);
    assert_close(&ran.currents[1][..2], &[9.443264167; 2], 1e-8);
    assert_close(&ran.currents[1][2..], &before[2..], 2e-8);
    assert_close(&ran.currents[2], &AT_20, 5e-8);
    assert_close(&ran.currents[3][2..4], &[-15.170893412; 2], 5e-8);
    assert_close(&ran.currents[4], &AT_30, 5e-8);
    assert_close(&ran.currents[5], &AT_30, 5e-8);
    assert_close(&ran.currents[6], &AT_40, 5e-8);
    let bridges = ["HHLLHL", "HfLLHL", "HfLLHL", "HfLfHL", "HfLfHL", "HLLfHL", "HLLfHL"];
    assert_eq!(ran.bridges, bridges);
    // 4 of 729 modes are analysed
    let counts: Vec<usize> = ran.outcome.modes.iter().map(|mode| mode.n_states).collect();
    assert_eq!(counts, [6, 5, 4, 5]);
    let [first, second, third] = &ran.outcome.mode_changes[..] else { panic!("three changes") };
    assert_eq!(first.conserved, ["winding[1].p + winding[2].p"]);
    assert_eq!(second.conserved, ["winding[3].p + winding[4].p"]);
    for change in [first, second] {
        let sum: f64 = change.jumps.iter().map(|(_, before, after)| after - before).sum();
        assert!(sum.abs() < 1e-15, "{sum}");
    }
    assert!(third.jumps.is_empty(), "a bridge that closes makes nothing jump");
}

/// The opened bridge is tried first, found to ask for an impulse, and left for a diode: nothing has jumped (S4-A16).
#[test]
fn with_diodes_nothing_jumps() {
    let commuted = [0.016635931315, 0.0297976025];
    let times = [0.01, 0.0166359, 0.0166360, 0.02, 0.0297975, 0.0297977, 0.03, 0.04];
    let ran = ring(DIODES, &times);
    let bridges = ["HlLLHL", "HlLLHL", "HfLLHL", "HfLuHL", "HfLuHL", "HfLfHL", "HLLfHL", "HLLfHL"];
    assert_eq!(ran.bridges, bridges);
    // because all R/L are equal, what two windings have together does not depend on how they came together
    assert_close(&ran.currents[3], &AT_20, 5e-8);
    assert_close(&ran.currents[6], &AT_30, 5e-8);
    assert_close(&ran.currents[7], &AT_40, 5e-8);
    let changes = &ran.outcome.mode_changes;
    let found: Vec<f64> = changes.iter().map(|change| change.time).collect();
    assert_close(&found, &[0.01, commuted[0], 0.02, commuted[1], 0.03], 1e-9);
    assert!((commuted[0] - 0.01 - (1.0 + 18.886528334 * 0.5 / 24.0_f64).ln() / 50.0).abs() < 1e-11);
    assert!(changes.iter().all(|change| change.jumps.is_empty() && change.impulses.is_empty()));
    let tried: Vec<usize> = changes.iter().map(|change| change.tried.len()).collect();
    assert_eq!(tried, [1, 0, 1, 0, 0]);
    let meeting = ring(DIODES, &[commuted[0]]);
    assert_close(&meeting.currents[0][..2], &[13.553601639; 2], 1e-7);
}

#[test]
fn windings_that_differ_come_to_other_currents_without_diodes() {
    let ran = ring(UNEQUAL, &[0.02 - JUST, 0.04]);
    let at_20 = [15.115618117, 15.115618117, 0.0, -30.341786824, 26.374396317, -27.048956990];
    let at_40 = [30.406873595, 13.609679835, -20.356609457, -20.356609457, 44.053682871, -32.758236814];
    assert_close(&ran.currents[0], &at_20, 5e-8);
    assert_close(&ran.currents[1], &at_40, 5e-8);

    let ran = ring(&format!("{UNEQUAL}, {DIODES}"), &[0.02, 0.04]);
    let at_40 = [30.472016668, 13.686637281, -20.621520565, -20.621520565, 44.053682871, -32.758236814];
    assert_close(&ran.currents[0][..3], &[15.277307462, 15.277307462, 0.0], 5e-8);
    assert_close(&ran.currents[1], &at_40, 5e-8);
    let commuted: Vec<f64> = [1, 3].map(|k| ran.outcome.mode_changes[k].time).to_vec();
    assert_close(&commuted, &[0.0166724374, 0.0288854047], 1e-9);
}

/// The last row of the table opens the first bridge: the second, which floats already, conducts again in the same event (S4-A14).
#[test]
fn a_bridge_that_floats_conducts_again() {
    let table = "table = [H, H, O, O, H, O; H, T, O, O, H, O; H, T, O, T, H, O; T, T, O, T, H, O]";
    let ran = ring(&format!("{UNEQUAL}, {DIODES}, {table}"), &[0.03 - JUST, 0.03, 0.04]);
    assert_eq!(ran.bridges, ["HfLfHL", "llLfHL", "llLfHL"]);
    assert_close(&ran.currents[1], &ran.currents[0], 1e-9);
    let at_40 = [11.585488334, 13.686637281, -20.621520565, -20.621520565, 44.053682871, -14.224265067];
    assert_close(&ran.currents[2], &at_40, 5e-8);
}

/// Any number of bridges open at once (S4-A15).
#[test]
fn bridges_that_open_together_land_by_conservation() {
    let after = |last: &str| {
        let modifications = format!(
            "L = {{0.010, 0.012, 0.008, 0.010, 0.015, 0.009}}, R = zeros(6), V = 0, \
             winding(p(start = {{0.1, -0.05, 0.2, 0.02, -0.1, 0.06}})), table = [H, H, H, H, H, H; {last}]"
        );
        let ran = ring(&modifications, &[0.02]);
        let sum: f64 =
            ran.outcome.mode_changes[0].jumps.iter().map(|(_, before, after)| after - before).sum();
        assert!(sum.abs() < 1e-15, "{sum}");
        (ran.currents[0].clone(), ran.outcome.diagnostics)
    };
    let expected = [8.421052632, -4.166666667, 3.636363636, 3.636363636, 3.636363636, 8.421052632];
    assert_close(&after("T, O, H, T, T, O").0, &expected, 1e-9);
    assert_close(&after("O, T, T, T, T, T").0, &[3.59375; 6], 1e-12);
    // the potentials of all nodes are left open
    let (currents, said) = after("T, T, T, T, T, T");
    assert_close(&currents, &[3.59375; 6], 1e-12);
    assert!(said.iter().any(|said| said.id == "gauge-free"), "{said:?}");
}
