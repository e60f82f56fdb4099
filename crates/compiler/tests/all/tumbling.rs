//! Mechanisms without a word about their states, tumbling for 100 s: they run through, on their constraints, and keep their energy.

use rhei_run::{Execution, Status};

use crate::workshop::{Settings, compile, read, run_as};

const STOP: f64 = 100.0;
const ROWS: usize = 1000;
/// Of the energy at the start.
const DRIFT: f64 = 1e-5;
/// Constraints of positions and of speeds, at every row.
const RESIDUAL: f64 = 1e-9;

fn check(name: &str, sets: &[usize]) {
    let (done, _) = compile(&read(format!("tests/mechanisms/{name}.mo")));
    let model = done.model.unwrap_or_else(|| panic!("{name} is refused: {:?}", done.diagnostics));
    let candidates: Vec<usize> = model.solvable.sets.iter().map(|set| set.candidates.len()).collect();
    assert_eq!(candidates, sets, "sets of {name}");
    let settings = Settings::parse(&format!("stop={STOP} tolerance=1e-8")).unwrap();
    let times = (0..=ROWS).map(|row| STOP * row as f64 / ROWS as f64).collect();
    let (outcome, rows) = run_as(&model, &settings, times, Execution::Machine);
    assert_eq!(outcome.status, Status::Finished, "{name}: {:?}", outcome.diagnostics);
    assert!(outcome.chart_changes.len() > 100, "{name} does not tumble");
    let column = |name: &str| rows.get(name).expect("it is recorded");
    let first = column("energy")[0];
    assert_eq!(column("energy").len(), ROWS + 1);
    let worst = |name: &str, from: f64| column(name).iter().map(|x| (x - from).abs()).fold(0.0, f64::max);
    let drift = worst("energy", first) / first.abs();
    assert!(drift <= DRIFT, "{name}: {drift:e} of the energy");
    for residual in ["residual", "residual_of_speeds"] {
        assert!(worst(residual, 0.0) <= RESIDUAL, "{name}: {residual} {:e}", worst(residual, 0.0));
    }
}

#[test]
fn a_spherical_pendulum() {
    check("SphericalPendulum", &[3, 3]);
}

#[test]
fn a_four_bar_loop() {
    check("FourBar", &[4, 4]);
}

#[test]
fn a_five_bar_loop() {
    check("FiveBar", &[6, 6]);
}

/// Two constraints that come to say the same: where the run ends, that is said, and of which variables.
#[test]
fn constraints_that_become_one_are_named() {
    let text = "model Parallel parameter Real p = 1, q = 1; Real x, y, z(start = 0.3), l, m;
        equation der(x) = -x + p*l + p*m; der(y) = 1 + q*l + (2 - time)*m; der(z) = p*l + p*m;
        p*x + q*y + p*z = 0; p*x + (2 - time)*y + p*z = 1; end Parallel;";
    let (done, _) = compile(text);
    let settings = Settings::parse("stop=2").unwrap();
    let (outcome, _) = run_as(&done.model.unwrap(), &settings, vec![0.0], Execution::Machine);
    assert_eq!(outcome.status, Status::Failed);
    let [said] = &outcome.diagnostics[..] else { panic!("{:?}", outcome.diagnostics) };
    assert_eq!(said.id, "state-set-singular");
    assert!(
        ["t = 0.99999", "`x`, `y` and `z`"].iter().all(|part| said.message.contains(part)),
        "{}",
        said.message
    );
}
