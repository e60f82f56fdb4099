//! `tests/conformance/{hybrid,loops}.tsv`: one line for each model of these topics, with what it tests. `UPDATE_EXPECT=1`
//! writes them anew, so that a diff shows which models came and went.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{TOPICS, case};
use crate::workshop::{read, root};

#[test]
fn the_table_of_hybrid_models_is_up_to_date() {
    check("hybrid", 60);
}

#[test]
fn the_table_of_loops_and_starts_is_up_to_date() {
    check("loops", 30);
}

/// Compares a table with the topics whose names begin with its own; `least` is how many models there must be.
fn check(name: &str, least: usize) {
    let path = format!("tests/conformance/{name}.tsv");
    let mut table = String::from("model\tcase\twhat is tested\n");
    let (mut models, mut bodies) = (BTreeSet::new(), BTreeSet::new());
    for topic in TOPICS.iter().filter(|topic| topic.starts_with(name)) {
        let text = read(format!("tests/language/{topic}.md"));
        for case in case::cases(&text).0 {
            let heading = text.lines().take(case.line).filter_map(|line| line.strip_prefix("## ")).last();
            let heading = heading.unwrap_or_else(|| panic!("{topic}.md:{}: no heading", case.line));
            let model = last_class(&case.model);
            writeln!(table, "{model}\t{topic}.md#{}\t{heading}{}", anchor(heading), outcome(&case)).unwrap();
            assert!(models.insert(model.to_owned()), "two models are called `{model}`");
            assert!(bodies.insert(case.model.replace(model, "")), "another model says the same as `{model}`");
        }
    }
    assert!(models.len() >= least, "{} models, at least {least} are wanted", models.len());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(root().join(&path), &table).expect("the table can be written");
    }
    assert!(read(&path) == table, "{path} is out of date: `UPDATE_EXPECT=1` writes it anew");
}

/// The name in the last `end Name;`.
fn last_class(model: &str) -> &str {
    let mut ends = model.lines().rev().filter_map(|line| line.strip_prefix("end "));
    ends.next().and_then(|rest| rest.split(';').next()).expect("a model has an end")
}

/// The anchor of a heading in a link.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The ids of what is said of a model.
fn outcome(case: &case::Case) -> String {
    let ids: BTreeSet<&str> = case.announced.iter().map(|announced| announced.id.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    if ids.is_empty() { String::new() } else { format!(" ({})", ids.join(", ")) }
}
