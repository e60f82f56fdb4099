//! Tables `tests/conformance/*.tsv` from clauses of the specification to cases of `tests/language`: every case is there.

use std::collections::{BTreeMap, BTreeSet};

use crate::workshop::{read, root};

/// Tables that hold every case of the files they speak of.
const COMPLETE: &[&str] = &["clauses.tsv"];

/// Checks a table from requirements to tests: each test is where the table says, and each heading of these topics is in it.
/// Answers the requirements.
pub fn check_table(table: &str, topics: &[&str]) -> BTreeSet<String> {
    let table = read(format!("tests/conformance/{table}"));
    let mut named = BTreeSet::new();
    let mut requirements = BTreeSet::new();
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("requirement\ttest\twhat is tested"));
    for line in lines {
        let [requirement, test, _] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("three columns: {line}")
        };
        requirements.insert(requirement.to_owned());
        if let Some((file, heading)) = test.split_once(" ## ") {
            let is_there = read(file).lines().any(|line| line.strip_prefix("## ") == Some(heading));
            assert!(is_there, "no heading: {test}");
            named.insert((file.to_owned(), heading.to_owned()));
        } else {
            let (file, function) = test.split_once(" fn ").unwrap_or_else(|| panic!("{test}: no test"));
            assert!(read(file).contains(&format!("fn {function}(")), "{file} has no `{function}`");
        }
    }
    for topic in topics {
        for heading in read(topic).lines().filter_map(|line| line.strip_prefix("## ")) {
            let place = (topic.to_string(), heading.to_owned());
            assert!(named.contains(&place), "{topic} ## {heading} has no line in the table");
        }
    }
    requirements
}

/// The anchor of a heading, as it is made of its words.
fn anchor(heading: &str) -> String {
    let words = heading.to_lowercase();
    words
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn anchors(file: &str) -> BTreeSet<String> {
    read(format!("tests/language/{file}"))
        .lines()
        .filter_map(|line| line.strip_prefix("## ").map(anchor))
        .collect()
}

/// The cases of a table by their files; nothing for tables of other things.
fn cases(table: &str) -> BTreeMap<String, BTreeSet<String>> {
    let text = read(format!("tests/conformance/{table}"));
    let mut lines = text.lines();
    let column = lines.next().and_then(|head| head.split('\t').position(|name| name == "case"));
    let mut cases: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines.filter(|_| column.is_some()) {
        let case = line.split('\t').nth(column.unwrap_or(0)).expect("every line has all columns");
        let (file, anchor) = case.split_once('#').expect("a case is file#anchor");
        cases.entry(file.into()).or_default().insert(anchor.into());
    }
    cases
}

#[test]
fn every_case_of_the_tables_is_there() {
    let mut wrong = Vec::new();
    let mut tables = 0;
    for entry in std::fs::read_dir(root().join("tests/conformance")).expect("there are tables") {
        let table = entry.expect("it can be read").file_name().into_string().expect("a name");
        let cases = cases(&table);
        tables += usize::from(!cases.is_empty());
        for (file, named) in cases {
            let found = anchors(&file);
            wrong.extend(named.difference(&found).map(|case| format!("{table}: no case {file}#{case}")));
            if COMPLETE.contains(&table.as_str()) {
                wrong.extend(found.difference(&named).map(|case| format!("{table} lacks {file}#{case}")));
            }
        }
    }
    assert!(tables > 0, "no table speaks of cases");
    wrong.sort();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
