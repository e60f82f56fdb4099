//! `tests/language/<topic>.md`: prose, a model, and what is expected of it.
//!
//! A block with the language `modelica` is a case; settings of its run may follow on the same line
//! (`stop=2 tolerance=1e-8 method=rk4 step=0.01`). Expectations stand in it, as comments on the lines where a diagnostic
//! must be (`// error: [id] part of the message`, likewise `warning` and `note`), and in the blocks that follow it:
//!
//! - `states`: the names of the states, one a line or with commas; `none` for none;
//! - `sets`: the candidates of the state sets, a line for each set; `none` for none;
//! - `flat`: the flat model, as `rhei flatten` prints it;
//! - `result`: numbers, see [`Expectation`](crate::expectation::Expectation).
//!
//! With `until=flat` on the line of the model it is taken to the flat model and no further: what later passes say is not asked.
//! `UPDATE_EXPECT=1` writes `flat` blocks anew; read what was written.
//!
//! Every error and warning of a model must be announced, and everything announced must come. A model of which nothing is
//! expected is a mistake of the test. The model is run where a `result` block, be it empty, follows.

mod case;
mod check;
mod tables;

use crate::workshop::{read, root};

/// A test for each file; a new file needs its name here.
macro_rules! topics {
    ($($topic:ident),* $(,)?) => {
        const TOPICS: &[&str] = &[$(stringify!($topic)),*];

        $(#[test]
        fn $topic() {
            check_file(concat!("tests/language/", stringify!($topic), ".md"));
        })*
    };
}

topics! {
    declarations, arrays, equations, initialisation, types, states, steps, expressions, external, array_functions,
    array_expressions, functions, integers, records, operators, classes, lookup, packages, inheritance,
    modification,
    redeclaration, inner_outer, elements, inputs, restrictions_of_connections, equation_sections, connections,
    expandable_connectors, overconstrained, algorithms, streams, state_selection, state_cases, branches,
    projection, starting_sets,
    hybrid_when, hybrid_effects, hybrid_time_events, hybrid_modes, hybrid_operators, hybrid_sections, hybrid_transport, loops_algebraic,
    loops_initial, clocks, clocked_past, measured_states, balance, variable_structure, mode_interactions,
    complementary_modes,
}

/// Checks all cases of a file and tells all that is wrong with them.
pub fn check_file(path: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text = check::with_flat_blocks(&read(path));
        std::fs::write(root().join(path), text).expect("the file can be written");
    }
    let (cases, mut failures) = case::cases(&read(path));
    assert!(!cases.is_empty(), "{path} has no model");
    failures.extend(cases.iter().flat_map(check::check));
    failures.sort();
    let told: Vec<String> =
        failures.iter().map(|(line, message)| format!("{path}:{line}: {message}")).collect();
    assert!(told.is_empty(), "{} failures in {} cases\n{}", told.len(), cases.len(), told.join("\n"));
}

/// All models of all topics, each with its place.
pub fn models() -> Vec<(String, String)> {
    let mut models = Vec::new();
    for topic in TOPICS {
        let path = format!("tests/language/{topic}.md");
        let (cases, _) = case::cases(&read(&path));
        models.extend(cases.into_iter().map(|case| (format!("{path}:{}", case.line), case.model)));
    }
    models
}

#[test]
fn every_file_is_a_topic() {
    let entries = std::fs::read_dir(root().join("tests/language")).expect("there are language tests");
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            entry.ok()?.file_name().into_string().ok()?.strip_suffix(".md").map(str::to_owned)
        })
        .collect();
    found.sort();
    let mut known = TOPICS.to_vec();
    known.sort_unstable();
    assert_eq!(found, known, "files of tests/language, and `topics!` in this file");
}

/// The runner itself: what it must find in a text.
#[test]
fn the_runner_finds_what_is_wrong() {
    let failures = |text: &str| -> Vec<String> {
        let (cases, mut failures) = case::cases(text);
        failures.extend(cases.iter().flat_map(check::check));
        failures.sort();
        failures.into_iter().map(|(line, message)| format!("{line}: {message}")).collect()
    };
    let model =
        |body: &str, after: &str| format!("Prose.\n\n```modelica\nmodel M\n{body}\nend M;\n```\n{after}");

    assert_eq!(failures(&model("  Real x = 1;", "")), ["3: nothing is expected of this model"]);
    assert_eq!(failures(&model("  Real x = 1;", "```result\nx = 1 ± 0\n```\n")), [""; 0]);
    assert_eq!(
        failures(&model("  Real x = y; // warning: [unknown-name]", "")),
        [
            "5: error[unknown-name] is not announced: there is no `y` in `M`",
            "5: warning[unknown-name] does not come",
        ]
    );
    assert_eq!(failures(&model("  Real x = y; // error: [unknown-name] no `y`", "")), [""; 0]);
    assert_eq!(
        failures(&model("  Real x = 1; // error: [unknown-name]", ""))[0],
        "5: error[unknown-name] does not come"
    );
    assert_eq!(
        failures(&model("  Real x = 1;", "```result\nx = 2 ± 0\n```\n")),
        ["9: at t = 0, x is 1 and not 2: off by 1.00e0, allowed is 0e0"]
    );
    assert_eq!(
        failures(&model("  Real x = 1;", "```states\nx\n```\n")),
        ["8: the states are none, and not x"]
    );
    assert_eq!(failures("```result\n```\n"), ["1: this block follows no model"]);
    assert_eq!(failures("```modelica nonsense\n```\n")[0], "1: `nonsense` is not name=value");
    assert_eq!(failures("```modelica\nmodel M\n")[0], "1: this block is not closed");
}
