//! Cases of state selection that compare runs or look at how a model is computed, and the table of all cases.

use rhei_numerics::Method;
use rhei_run::Status;
use rhei_solvable::Block;

use crate::conformance::check_table;
use crate::workshop::{Settings, compile, read, run};

/// The text of a model of `tests/language/state_cases.md`.
fn model(name: &str) -> String {
    let text = read("tests/language/state_cases.md");
    let begin = text.find(&format!("model {name}\n")).unwrap_or_else(|| panic!("there is no {name}"));
    let end = format!("end {name};");
    let length = text[begin..].find(&end).expect("a model has an end") + end.len();
    text[begin..begin + length].to_owned()
}

/// How many loops it takes to compute a model from its states: linear and nonlinear ones.
fn loops(name: &str) -> (usize, usize) {
    let (done, _) = compile(&model(name));
    let compiled = done.model.unwrap_or_else(|| panic!("{name} is refused"));
    let found = compiled.solvable.continuous.iter().filter_map(|block| match block {
        Block::Solve(torn) => Some(torn.factors.is_some()),
        _ => None,
    });
    let linear: Vec<bool> = found.collect();
    (linear.iter().filter(|is| **is).count(), linear.iter().filter(|is| !**is).count())
}

/// The choice decides whether anything has to be iterated (S0-A6, and an ideal gas).
#[test]
fn preferred_states_leave_nothing_nonlinear() {
    assert_eq!(loops("Temperature"), (0, 0));
    assert_eq!(loops("Energy"), (0, 1));
    for gas in ["IdealGas", "GasByDensity"] {
        assert_eq!(loops(gas).1, 0, "{gas}");
    }
}

/// Absolute angles grow with time, relative ones do not: at one tolerance the relative angle is better known (S0-A16).
#[test]
fn relative_coordinates_are_more_accurate() {
    let relative = model("Relative");
    let absolute = relative.replace(", stateSelect = StateSelect.prefer", "");
    let error = |text: &str, method: Method| {
        let (done, _) = compile(text);
        let compiled = done.model.expect("both are models");
        let settings =
            Settings { method: Some(method), tolerance: Some(1e-3), stop: Some(1.0), ..Settings::default() };
        let (outcome, rows) = run(&compiled, &settings, vec![1.0]);
        assert_eq!(outcome.status, Status::Finished);
        (rows.get("phi_rel").expect("it is recorded")[0] - 0.9995031338).abs()
    };
    for (method, times) in [(Method::Tsit45, 20.0), (Method::Bdf, 3.0)] {
        let (with, without) = (error(&relative, method), error(&absolute, method));
        assert!(without >= times * with, "{method}: {with} with relative angles, {without} without");
    }
}

/// Every case of the tables is where it says, and every heading of their topics is in them.
#[test]
fn the_tables_of_cases_are_up_to_date() {
    check_table("state_selection.tsv", &["tests/language/state_cases.md"]);
    check_table("state_sets.tsv", &["tests/language/starting_sets.md"]);
}
