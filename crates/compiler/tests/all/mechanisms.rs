//! Mechanisms of index three, one per file of `tests/mechanisms`: a thousand seconds without leaving their constraints and
//! without losing energy, by the explicit method Tsit45.

use rhei_run::Status;

use crate::workshop::{Settings, compile, read, run};

/// A thousand seconds, two rows for each.
const STOP: f64 = 1000.0;
const ROWS: usize = 2000;
/// Constraints of positions and of speeds, at every row.
const RESIDUAL: f64 = 1e-9;
/// Of the energy at the start.
const DRIFT: f64 = 1e-4;

fn check(name: &str, n_states: usize) {
    let (done, _) = compile(&read(format!("tests/mechanisms/{name}.mo")));
    let model = done.model.unwrap_or_else(|| panic!("{name} is refused: {:?}", done.diagnostics));
    assert_eq!(model.solvable.states.len(), n_states, "states of {name}");
    let settings = Settings::parse(&format!("stop={STOP} tolerance=1e-9 method=tsit45")).unwrap();
    let times = (0..=ROWS).map(|row| STOP * row as f64 / ROWS as f64).collect();
    let (outcome, rows) = run(&model, &settings, times);
    assert_eq!(outcome.status, Status::Finished, "{name}: {:?}", outcome.diagnostics);
    let column = |name: &str| rows.get(name).expect("it is recorded");
    assert_eq!(column("energy").len(), ROWS + 1);
    let energy = column("energy")[0];
    let worst =
        |name: &str, from: f64| column(name).iter().fold(0.0, |worst: f64, x| worst.max((x - from).abs()));
    let told =
        [worst("residual", 0.0), worst("residual_of_speeds", 0.0), worst("energy", energy) / energy.abs()];
    assert!(told[0] <= RESIDUAL && told[1] <= RESIDUAL, "{name}: residuals of positions and speeds {told:?}");
    assert!(told[2] <= DRIFT, "{name}: drift of energy {}", told[2]);
}

#[test]
fn a_crane() {
    check("Crane", 4);
}

#[test]
fn a_slider_crank() {
    check("SliderCrank", 2);
}

#[test]
fn a_double_pendulum_in_mixed_coordinates() {
    check("MixedDoublePendulum", 4);
}

#[test]
fn a_planetary_gear() {
    check("PlanetaryGear", 4);
}

#[test]
fn a_gear_train() {
    check("GearTrain", 2);
}
