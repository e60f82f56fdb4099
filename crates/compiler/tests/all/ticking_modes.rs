//! Structures that change from tick to tick: by every method, with sets of states, with balances.

use rhei_run::Outcome;

use crate::workshop::{Settings, model, run, value};

/// Two inductors and a switch that is open from 1 to 2, in steps from tick to tick.
fn inductors(method: &str, per_second: u32) -> String {
    format!(
        "model Inductors
  parameter Real Vcc = 10;
  Real p1(start = 0, fixed = true);
  Real p2(start = 0, fixed = true);
  Real i1;
  Real i2;
  Real v;
  Real s = sample(time, Clock(Clock(1, {per_second}), solverMethod = \"{method}\"));
  Boolean closed = s < 1 - 1e-9 or s > 2 - 1e-9;
equation
  der(p1) = Vcc - i1 - v;
  der(p2) = v - i2 - Vcc;
  p1 = i1;
  p2 = 2*i2;
  if closed then v = 0; else i1 = i2; end if;
end Inductors;
"
    )
}

fn ran(text: &str, times: &[f64], names: &[&str]) -> (Outcome, Vec<Vec<f64>>) {
    let stop = times.last().copied().unwrap_or(1.0);
    let settings = Settings { stop: Some(stop), tolerance: Some(1e-8), ..Settings::default() };
    let (outcome, rows) = run(&model(text), &settings, times.to_vec());
    let of = |row: usize| names.iter().map(|name| value(&rows, name, row)).collect();
    (outcome, (0..times.len()).map(of).collect())
}

/// How far the fluxes are from those of continuous time (10 s⁻¹ voltage, the switch open from 1 to 2), just after the switch has
/// opened, when it closes, and at the end.
fn off(method: &str, per_second: u32) -> f64 {
    let exact = [
        [-0.516060405821, -1.032120811641],
        [-0.264954246803, -0.529908493606],
        [6.223734368036, -8.190792553962],
    ];
    let (outcome, rows) = ran(&inductors(method, per_second), &[1.0, 2.0, 3.0], &["p1", "p2"]);
    assert_eq!(outcome.time, 3.0, "{:?}", outcome.diagnostics);
    let pairs = rows.iter().zip(exact).flat_map(|(row, exact)| [row[0] - exact[0], row[1] - exact[1]]);
    pairs.fold(0.0, |most: f64, off| most.max(off.abs()))
}

#[test]
fn every_method_keeps_its_order_over_changes_of_the_mode() {
    let methods = [
        ("ExplicitEuler", 1.0),
        ("ImplicitEuler", 1.0),
        ("ExplicitMidPoint2", 2.0),
        ("ImplicitTrapezoid", 2.0),
        ("Rosenbrock2", 2.0),
        ("ExplicitRungeKutta4", 4.0),
    ];
    for (method, order) in methods {
        let (coarse, fine) = (off(method, 20), off(method, 40));
        let observed = (coarse / fine).log2();
        assert!((observed - order).abs() < 0.1, "{method}: {observed} from {coarse} and {fine}");
    }
    assert!(off("External", 10) < 1e-6);
}

#[test]
fn fluxes_land_at_the_tick_and_their_sum_stays() {
    for method in
        ["ExplicitEuler", "ImplicitEuler", "ImplicitTrapezoid", "ExplicitRungeKutta4", "Rosenbrock2"]
    {
        let (outcome, _) = ran(&inductors(method, 10), &[3.0], &[]);
        let [open, closed] = &outcome.mode_changes[..] else { panic!("{:?}", outcome.mode_changes) };
        assert_eq!((open.time, open.n_states, closed.time, closed.n_states), (1.0, 1, 2.0, 2));
        assert!(open.clock.is_some());
        let sum: f64 = open.jumps.iter().map(|(_, before, after)| after - before).sum();
        assert!(open.jumps.len() == 2 && sum.abs() < 1e-12, "{method}: {:?}", open.jumps);
        assert_eq!(open.conserved, ["p1 + p2"]);
        assert_eq!(open.impulses.len(), 1, "{:?}", open.impulses);
        assert!((open.impulses[0].1 - (open.jumps[0].1 - open.jumps[0].2)).abs() < 1e-12);
        assert!(closed.jumps.is_empty(), "{method}: {:?}", closed.jumps);
        assert_eq!(outcome.modes_visited, 2);
        let states: Vec<usize> = outcome.modes.iter().map(|mode| mode.n_states).collect();
        assert_eq!(states, [2, 1], "{method}");
    }
}

/// A pendulum in Cartesian coordinates, whose arm is coupled to a wheel half a second later.
fn coupled_pendulum(ticks: &str) -> String {
    format!(
        "model CoupledPendulum
  Real x(start = 0.6, fixed = true);
  Real y(start = -0.8);
  Real vx(start = 0, fixed = true);
  Real vy;
  Real T;
  Real w(start = 3, fixed = true);
  Real tau;
  Real s = {ticks};
  Boolean coupled = s > 0.5 - 1e-9;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -T*x - tau*y;
  der(vy) = -T*y - 9.81 + tau*x;
  x^2 + y^2 = 1;
  0.5*der(w) = -tau;
  if coupled then x*vy - y*vx = w; else tau = 0; end if;
end CoupledPendulum;
"
    )
}

#[test]
fn sets_of_states_go_on_in_another_mode() {
    let names = ["x", "y", "vx", "vy", "w"];
    let times = [0.4995, 0.5, 1.0];
    let (_, smooth) = ran(&coupled_pendulum("time"), &times, &names);
    for (method, within) in
        [("ExplicitRungeKutta4", 1e-6), ("ImplicitTrapezoid", 1e-5), ("ExplicitEuler", 2e-2)]
    {
        let clock = format!("sample(time, Clock(Clock(1, 1000), solverMethod = \"{method}\"))");
        let (outcome, rows) = ran(&coupled_pendulum(&clock), &times, &names);
        assert_eq!(outcome.mode_changes.len(), 1, "{:?}", outcome.diagnostics);
        assert_eq!(outcome.mode_changes[0].n_states, 2);
        for (row, smooth) in rows.iter().zip(&smooth).skip(1) {
            let [x, y, vx, vy, w] = row[..] else { unreachable!() };
            assert!(
                (x * x + y * y - 1.0).abs() < 1e-12 && (x * vx + y * vy).abs() < 1e-12,
                "{method}: {row:?}"
            );
            assert!((x * vy - y * vx - w).abs() < 1e-12, "{method}: {row:?}");
            let off = row.iter().zip(smooth).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            assert!(off < within, "{method}: off by {off}");
        }
        // what the arm loses the wheel gains
        let jump = |name: &str| {
            let found = outcome.mode_changes[0].jumps.iter().find(|(jumped, ..)| jumped == name);
            found.map(|(_, before, after)| after - before).expect("it jumps")
        };
        let of_arm = rows[1][0] * jump("vy") - rows[1][1] * jump("vx");
        assert!((of_arm + 0.5 * jump("w")).abs() < 1e-12, "{method}: {:?}", outcome.mode_changes);
    }
}

#[test]
fn a_balance_goes_on_in_another_mode() {
    for method in ["ExplicitEuler", "ImplicitEuler"] {
        let text = format!(
            "model Balanced
  Real p1(start = 6, fixed = true);
  Real p2(start = -2, fixed = true);
  Real i2(start = -0.8);
  Real v;
  Real s = sample(time, Clock(Clock(1, 10), solverMethod = \"{method}\"));
  Boolean closed = s < 1 - 1e-9;
equation
  der(p1) = -v;
  der(p2) = v;
  balance(i2) = p2 - 2*i2 - 0.5*i2^3;
  if closed then v = 0; else p1 = i2; end if;
end Balanced;
"
        );
        let (_, rows) = ran(&text, &[0.5, 1.0, 1.5], &["p1", "p2", "i2"]);
        assert!((rows[0][2] + 0.8477075981396).abs() < 1e-9, "{method}: {rows:?}");
        for row in &rows[1..] {
            assert!((row[2] - 1.1071475644353).abs() < 1e-9, "{method}: {row:?}");
            assert!((row[0] + row[1] - 4.0).abs() < 1e-12, "{method}: {row:?}");
        }
    }
}
