//! One case, taken through all passes and, where it says so, run.

use rhei_compiler::Compilation;
use rhei_source::{Diagnostic, Files, Severity};

use super::case::{Case, Failure, cases};
use crate::expectation::{Expectation, times};
use crate::workshop::{compile, flatten_only, run};

/// The failures of a case.
pub fn check(case: &Case) -> Vec<Failure> {
    if case.announced.is_empty()
        && case.states.is_none()
        && case.sets.is_none()
        && case.flat.is_none()
        && case.result.is_none()
    {
        return vec![(case.line, "nothing is expected of this model".into())];
    }
    let (done, files) = taken_through(case);
    let mut failures = Vec::new();
    let mut diagnostics = done.diagnostics.clone();
    if let Some(result) = &case.result {
        check_result(case, &done, result, &mut diagnostics, &mut failures);
    }
    check_diagnostics(case, &diagnostics, &files, &mut failures);
    check_states(case, &done, &mut failures);
    check_sets(case, &done, &mut failures);
    check_flat(case, &done, &mut failures);
    failures
}

fn taken_through(case: &Case) -> (Compilation, Files) {
    if case.until_flat { flatten_only(&case.model) } else { compile(&case.model) }
}

/// The text with every `flat` block as the code prints it now.
pub fn with_flat_blocks(text: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for case in cases(text).0.iter().rev() {
        let Some((line, _)) = &case.flat else { continue };
        let end = lines[*line..].iter().position(|line| line.starts_with("```")).map_or(*line, |n| line + n);
        let flat = taken_through(case).0.flat.map_or(String::new(), |flat| flat.to_string());
        lines.splice(*line..end, flat.trim_end().lines().map(str::to_owned));
    }
    lines.join("\n") + "\n"
}

/// Every announcement meets one diagnostic, and every error and warning is announced.
fn check_diagnostics(case: &Case, diagnostics: &[Diagnostic], files: &Files, failures: &mut Vec<Failure>) {
    // a diagnostic without a place counts as lying on the first line of the model
    let line_of = |diagnostic: &Diagnostic| {
        case.line + diagnostic.labels.first().map_or(1, |label| files.position(label.span).line)
    };
    let mut met = vec![false; diagnostics.len()];
    for announced in &case.announced {
        let found = diagnostics.iter().enumerate().position(|(i, diagnostic)| {
            !met[i]
                && line_of(diagnostic) == announced.line
                && diagnostic.severity == announced.severity
                && diagnostic.id == announced.id
                && diagnostic.message.contains(&announced.part)
        });
        match found {
            Some(i) => met[i] = true,
            None => {
                let part = if announced.part.is_empty() { "" } else { " with these words" };
                let message = format!("{}[{}]{part} does not come", announced.severity.name(), announced.id);
                failures.push((announced.line, message));
            }
        }
    }
    for (diagnostic, _) in diagnostics.iter().zip(met).filter(|(_, met)| !met) {
        if diagnostic.severity > Severity::Note {
            let Diagnostic { id, message, severity, .. } = diagnostic;
            let message = format!("{}[{id}] is not announced: {message}", severity.name());
            failures.push((line_of(diagnostic), message));
        }
    }
}

fn check_states(case: &Case, done: &Compilation, failures: &mut Vec<Failure>) {
    let Some((line, expected)) = &case.states else { return };
    let Some(model) = &done.model else {
        failures.push((*line, "the model has no states: it is refused".into()));
        return;
    };
    let mut found: Vec<String> =
        model.states().into_iter().map(|variable| variable.name.to_string()).collect();
    found.sort();
    if found != *expected {
        let listed = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        failures.push((*line, format!("the states are {}, and not {}", listed(&found), listed(expected))));
    }
}

fn check_sets(case: &Case, done: &Compilation, failures: &mut Vec<Failure>) {
    let Some((line, expected)) = &case.sets else { return };
    let Some(model) = &done.model else {
        failures.push((*line, "the model has no state sets: it is refused".into()));
        return;
    };
    let name = |v: &rhei_equations::VarId| model.equations.variable(*v).name.to_string();
    let candidates = |set: &rhei_solvable::StateSet| {
        let mut names: Vec<String> = set.candidates.iter().map(name).collect();
        names.sort();
        names
    };
    let mut found: Vec<Vec<String>> = model.solvable.sets.iter().map(candidates).collect();
    found.sort();
    if found != *expected {
        failures.push((*line, format!("the candidates of sets are {found:?}, and not {expected:?}")));
    }
}

fn check_flat(case: &Case, done: &Compilation, failures: &mut Vec<Failure>) {
    let Some((line, expected)) = &case.flat else { return };
    let found = done.flat.as_ref().map_or("nothing".to_owned(), ToString::to_string);
    if found.trim() != expected.trim() {
        failures.push((*line, format!("the flat model is another one:\n{}", found.trim_end())));
    }
}

/// Runs the model; what the run says comes to the other diagnostics.
fn check_result(
    case: &Case,
    done: &Compilation,
    result: &[(usize, Expectation)],
    diagnostics: &mut Vec<Diagnostic>,
    failures: &mut Vec<Failure>,
) {
    let Some(model) = &done.model else {
        failures.push((case.line, "a result is expected of a model that is refused".into()));
        return;
    };
    let (start, stop) = case.settings.span(&model.equations.experiment);
    let expectations: Vec<Expectation> = result.iter().map(|(_, expectation)| expectation.clone()).collect();
    let (outcome, rows) = run(model, &case.settings, times(&expectations, start, stop));
    diagnostics.extend(outcome.diagnostics);
    for (line, expectation) in result {
        if let Err(message) = expectation.check(&rows) {
            failures.push((*line, message));
        }
    }
}
