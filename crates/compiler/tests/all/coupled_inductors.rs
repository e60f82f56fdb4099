//! Inductors between switches: as components that exchange sums, as components with pins, and as equations. Jumps follow from
//! conservation, whichever way the model is written.

use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_numerics::Method;
use rhei_results::Trajectories;
use rhei_run::{Choices, Execution, Options, Outcome, OutputTimes, Status, simulate};

use crate::workshop::{Settings, compile, read, run};

/// Runs the last model of a text, and reads off these variables at these times.
fn ran(text: &str, settings: Settings, times: &[f64], names: &[String]) -> (Outcome, Vec<Vec<f64>>) {
    let (done, _) = compile(text);
    let compiled = done.model.unwrap_or_else(|| panic!("{:?}", done.diagnostics));
    let settings = Settings { stop: times.last().copied(), ..settings };
    let (outcome, rows) = run(&compiled, &settings, times.to_vec());
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    let columns = names.iter().map(|name| rows.get(name).expect("it is recorded").to_vec()).collect();
    (outcome, columns)
}

fn within(tolerance: f64) -> Settings {
    Settings { tolerance: Some(tolerance), ..Settings::default() }
}

/// `name[1].part` and so on.
fn each(n: usize, name: &str, part: &str) -> Vec<String> {
    (1..=n).map(|k| format!("{name}[{k}]{part}")).collect()
}

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

fn assert_all_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).for_each(|(found, expected)| assert_close(*found, *expected, tolerance));
}

/// The values of all columns at one of the times.
fn at(columns: &[Vec<f64>], place: usize) -> Vec<f64> {
    columns.iter().map(|column| column[place]).collect()
}

/// Inductors in a row, written as equations: switch `k` is open where `isOpen` says so.
fn row_of_equations(name: &str, n: usize, fluxes: &str, resistances: &str, is_open: &str) -> String {
    format!(
        "model {name}
          constant Integer n = {n};
          parameter Real L[n] = {{0.1*k for k in 1:n}};
          parameter Real R[n] = {resistances};
          Real p[n](start = {fluxes}, each fixed = true);
          Real i[n];
          Real v[n + 1];
          Boolean isOpen[n - 1] = {is_open};
        equation
          v[1] = 0;
          v[n + 1] = 0;
          for k in 1:n loop
            p[k] = L[k]*i[k];
            der(p[k]) = v[k] - v[k + 1] - R[k]*i[k]*(if time < 0.5 then 0 else 1);
          end for;
          for k in 1:n - 1 loop
            if isOpen[k] then
              i[k] = i[k + 1];
            else
              v[k + 1] = 0;
            end if;
          end for;
        end {name};"
    )
}

const FLUXES: &str = "{1, -2, 3, 0.5, 4}";
const BEFORE: [f64; 5] = [1.0, -2.0, 3.0, 0.5, 4.0];

/// The fluxes after a jump: each chain of inductors between closed switches has one current, `p_k = L_k*sum(p)/sum(L)`.
fn by_the_formula(before: &[f64], inductances: &[f64], is_open: &[bool]) -> Vec<f64> {
    let mut after = vec![0.0; before.len()];
    let mut first = 0;
    for (last, is_coupled) in is_open.iter().copied().chain([false]).enumerate() {
        if is_coupled {
            continue;
        }
        let chain = first..=last;
        let flux: f64 = before[chain.clone()].iter().sum();
        let inductance: f64 = inductances[chain.clone()].iter().sum();
        chain.for_each(|k| after[k] = inductances[k] * flux / inductance);
        first = last + 1;
    }
    after
}

/// The point of least energy of the jump among those that the open switches allow, with the impulses of their voltages: the
/// conditions of Karush, Kuhn and Tucker, solved by elimination.
fn by_least_energy(before: &[f64], inductances: &[f64], is_open: &[bool]) -> (Vec<f64>, Vec<f64>) {
    let n = before.len();
    let open: Vec<usize> = (0..n - 1).filter(|&k| is_open[k]).collect();
    let size = n + open.len();
    let mut matrix = vec![vec![0.0; size + 1]; size];
    for k in 0..n {
        matrix[k][k] = 1.0;
        matrix[k][size] = before[k];
    }
    for (place, &k) in open.iter().enumerate() {
        let row = n + place;
        (matrix[k][row], matrix[k + 1][row]) = (1.0, -1.0);
        (matrix[row][k], matrix[row][k + 1]) = (1.0 / inductances[k], -1.0 / inductances[k + 1]);
    }
    for pivot in 0..size {
        let largest =
            (pivot..size).max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()));
        matrix.swap(pivot, largest.expect("there is a row"));
        for row in 0..size {
            if row != pivot {
                let factor = matrix[row][pivot] / matrix[pivot][pivot];
                let (from, to) = (matrix[pivot].clone(), &mut matrix[row]);
                to.iter_mut().zip(from).for_each(|(to, from)| *to -= factor * from);
            }
        }
    }
    let solution: Vec<f64> = (0..size).map(|k| matrix[k][size] / matrix[k][k]).collect();
    (solution[..n].to_vec(), solution[n..].to_vec())
}

/// All modes of a cascade of five (S4-A3): fluxes, impulses and energy.
#[test]
fn a_cascade_lands_where_the_energy_of_the_jump_is_least() {
    let inductances = [0.1, 0.2, 0.3, 0.4, 0.5];
    for mode in 0..16_u32 {
        let is_open: Vec<bool> = (0..4).map(|k| mode & (1 << k) != 0).collect();
        let opens: Vec<String> = is_open.iter().map(|open| format!("{open} and time >= 0.5")).collect();
        let text = row_of_equations("Cascade", 5, FLUXES, "zeros(n)", &format!("{{{}}}", opens.join(", ")));
        let (outcome, columns) = ran(&text, within(1e-6), &[0.4, 1.0], &each(5, "p", ""));
        let (after, impulses) = by_least_energy(&BEFORE, &inductances, &is_open);
        assert_all_close(&at(&columns, 0), &BEFORE, 0.0);
        assert_all_close(&at(&columns, 1), &after, 1e-15);
        let [change] = &outcome.mode_changes[..] else {
            assert_eq!((mode, outcome.mode_changes.len()), (0, 0));
            continue;
        };
        let told: Vec<f64> = change.impulses.iter().map(|&(_, z)| z).collect();
        assert_all_close(&told, &impulses, 5e-15);
        assert_eq!(change.n_states, 5 - impulses.len());
    }
    let is_open = [true, true, false, true];
    let (after, impulses) = by_least_energy(&BEFORE, &inductances, &is_open);
    assert_all_close(&after, &[1.0 / 3.0, 2.0 / 3.0, 1.0, 2.0, 2.5], 1e-14);
    assert_all_close(&impulses, &[2.0 / 3.0, -2.0, -1.5], 1e-14);
    let energy = |p: &[f64]| p.iter().zip(inductances).map(|(p, l)| p * p / (2.0 * l)).sum::<f64>();
    assert_close(energy(&BEFORE), 46.3125, 1e-12);
    assert_close(energy(&after), 14.583333333333334, 1e-12);
}

/// Eight inductors at once, and then their common decay (S4-A3).
#[test]
fn eight_inductors_become_one() {
    let text = row_of_equations(
        "Eight",
        8,
        "{sin(k) for k in 1:n}",
        "linspace(0.5, 2, n)",
        "fill(time >= 0.5, n - 1)",
    );
    let (outcome, columns) = ran(&text, within(1e-10), &[0.5, 0.75, 1.0], &each(8, "i", ""));
    for column in &columns {
        assert_close(column[0], 0.4286363880, 1e-10);
        assert_close((column[0] / column[1]).ln() / 0.25, 25.0 / 9.0, 1e-7);
        assert_close(column[2], 0.1068814301, 1e-9);
    }
    let counts: Vec<usize> = outcome.modes.iter().map(|mode| mode.n_states).collect();
    assert_eq!(counts, [8, 1]);
}

/// Switches open one after the other: as many modes are analysed as there are events, of `2^(n - 1)` (S4-A3).
#[test]
fn of_all_modes_only_those_visited_are_analysed() {
    for n in [10, 20, 40] {
        let text = row_of_equations(
            "Growing",
            n,
            "{sin(k) for k in 1:n}",
            "fill(1, n)",
            "{time >= 0.01*k for k in 1:n - 1}",
        );
        let (outcome, columns) = ran(&text, within(1e-6), &[0.5], &each(n, "i", ""));
        assert_eq!((outcome.modes.len(), outcome.mode_changes.len()), (n, n - 1));
        columns.iter().for_each(|i| assert_close(i[0], columns[0][0], 1e-12));
    }
}

/// Components that know only sums come to the same as the equations of the whole (S4-A19); with a method of a fixed step also
/// between the events.
#[test]
fn components_that_exchange_sums_are_the_same_as_equations() {
    let library = read("examples/CoupledInductors.mo");
    let is_open = "{time >= 0.5 and time < 0.9, time >= 0.5, false, time >= 0.5 or time < 0.2}";
    for (method, tolerance) in [(Method::Rk4, 1e-12), (Method::Bdf, 1e-6)] {
        for resistances in ["zeros(n)", "{0.2, 0.1, 0.4, 0.3, 0.2}"] {
            let equations = row_of_equations("Whole", 5, FLUXES, resistances, is_open);
            let equations = equations.replace("*(if time < 0.5 then 0 else 1)", "");
            // coupled from the start, two of them have to have the same current there
            let equations = equations.replace(FLUXES, "{1, -2, 3, 3.2, 4}");
            let components = format!(
                "{library}
                model Composed
                  extends FluxSums.Row(n = 5, L = {{0.1*k for k in 1:n}}, R = {resistances},
                    p0 = {{1, -2, 3, 3.2, 4}}, isOpen = {is_open});
                end Composed;"
            );
            let settings = Settings { method: Some(method), step: Some(0.001), ..within(1e-8) };
            let times = [0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0];
            let (_, whole) = ran(&equations, settings.clone(), &times, &each(5, "p", ""));
            let (_, composed) = ran(&components, settings, &times, &each(5, "inductor", ".p"));
            for (whole, composed) in whole.iter().zip(&composed) {
                assert_all_close(whole, composed, tolerance);
            }
            if resistances == "zeros(n)" {
                let after = by_the_formula(
                    &[1.0, -2.0, 3.0, 3.2, 4.0],
                    &[0.1, 0.2, 0.3, 0.4, 0.5],
                    &[true, true, false, true],
                );
                assert_all_close(&at(&composed, 4), &after, 1e-12);
            }
        }
    }
}

/// Of 2^12 modes a thousand are entered. In each chain of open switches the fluxes are those of the components' formula
/// (S4-A20), and no more modes are kept than there is room for.
#[test]
fn every_chain_of_a_thousand_modes_has_its_share() {
    let n = 13;
    let (done, _) = compile(&read("tests/switching/Chain.mo").replace("n = 50", "n = 13"));
    let model = done.model.expect("it is a model");
    let (outcome, rows) = both_sides(&model, 1.0005);
    assert_eq!((outcome.events, outcome.mode_changes.len()), (1000, 1000));
    let column = |name: String| rows.get(&name).expect("it is recorded");
    let fluxes: Vec<&[f64]> = (1..=n).map(|k| column(format!("p[{k}]"))).collect();
    let switches: Vec<&[f64]> = (1..n).map(|k| column(format!("open[{k}]"))).collect();
    let inductances: Vec<f64> = (1..=n).map(|k| 0.1 + 0.01 * k as f64).collect();
    let time = rows.time();
    let (mut events, mut jumped) = (0, 0);
    for row in (1..time.len()).filter(|&row| time[row] == time[row - 1]) {
        let [before, after] = [row - 1, row].map(|row| fluxes.iter().map(|p| p[row]).collect::<Vec<f64>>());
        let is_open: Vec<bool> = switches.iter().map(|open| open[row] != 0.0).collect();
        assert_all_close(&after, &by_the_formula(&before, &inductances, &is_open), 1e-12);
        assert_close(after.iter().sum(), before.iter().sum(), 1e-12);
        events += 1;
        jumped += usize::from(after != before);
    }
    assert_eq!(events, 1000);
    assert!(jumped > 300, "{jumped} events at which something jumped");
    let work = model.modes.as_ref().expect("it has modes").work();
    assert!(work.kept <= 256, "{} modes are kept", work.kept);
    assert!(work.analyses <= 1001, "{} analyses of 1000 modes", work.analyses);
    assert_eq!(outcome.modes_visited, outcome.modes.len());
}

/// A run with rows on both sides of each event.
fn both_sides(model: &Arc<CompiledModel>, stop_time: f64) -> (Outcome, Trajectories) {
    let options = Options {
        output: OutputTimes::Intervals(10),
        choices: Choices { execution: Execution::Interpreted, ..Choices::default() },
        ..Options::until(stop_time)
    };
    let (columns, recorded) = model.columns(|_| true);
    let mut rows = Trajectories::new(columns);
    let outcome = simulate(model, &options, &recorded, &mut rows);
    assert_eq!(outcome.status, Status::Finished, "{:?}", outcome.diagnostics);
    (outcome, rows)
}
