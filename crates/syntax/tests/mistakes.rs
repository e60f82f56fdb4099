//! The sections of `mistakes.md`: one mistake, one message, in the right line, and all the rest is found.
//!
//! `UPDATE_EXPECT=1 cargo test -p rhei-syntax --test mistakes` writes the file anew.

use expect_test::expect_file;
use rhei_source::{Files, Style, render};
use rhei_syntax::ast::{ClassDefinition, Component, Equation, Statement, View};
use rhei_syntax::{Mistake, Parsed, parse};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mistakes.md");

/// The classes, components, equations and statements found in a broken file.
fn outline(parsed: &Parsed) -> Vec<String> {
    let nodes = parsed.tree.nodes();
    let lines = nodes.filter_map(|node| {
        if let Some(class) = ClassDefinition::cast(node) {
            return Some(format!("{:?} {}", class.kind(), class.name().map_or("?", |name| name.text())));
        }
        if let Some(component) = Component::cast(node) {
            return Some(component.name()?.text().to_owned());
        }
        let simple =
            matches!(
                Equation::cast(node),
                Some(Equation::Simple(_) | Equation::Call(_) | Equation::Connect(_))
            ) || matches!(Statement::cast(node), Some(Statement::Assignment(_) | Statement::Call(_)));
        simple.then(|| node.text().split_whitespace().collect::<Vec<_>>().join(" "))
    });
    lines.collect()
}

/// The message and the elements found, and a complaint if the section does not hold its promise.
fn check(title: &str, text: &str) -> (String, String, Option<String>) {
    let mut files = Files::default();
    let file = files.add("m.mo", text);
    let parsed = parse(file, text.into());
    parsed.tree.verify().unwrap();
    assert_eq!(parsed.tree.print(), text);
    let message: Vec<String> = parsed.diagnostics.iter().map(|d| render(d, &files, Style::Plain)).collect();
    let found = outline(&parsed);
    let complaint = if parsed.diagnostics.len() != 1 {
        Some(format!("{title}: {} messages instead of one", parsed.diagnostics.len()))
    } else {
        let line = files.position(parsed.diagnostics[0].labels[0].span).line;
        let here = text.lines().position(|line| line.contains("// here")).map(|i| i + 1);
        let wanted = ["before", "after", "before = 1", "after = 2", "before := 1", "after := 2"];
        let lost = wanted.iter().find(|wanted| {
            let written = text.contains(&format!("  {wanted};")) || text.contains(&format!("Real {wanted};"));
            written && !found.iter().any(|line| line == **wanted)
        });
        let class_lost = ["before", "after"].iter().find(|name| {
            text.contains(&format!("end {name}")) && !found.iter().any(|line| line.ends_with(*name))
        });
        if here.is_some_and(|here| here != line) {
            Some(format!("{title}: the message is at line {line}"))
        } else {
            lost.or(class_lost).map(|lost| format!("{title}: `{lost}` is lost"))
        }
    };
    (message.join("\n"), found.join("\n"), complaint)
}

#[test]
fn one_mistake_gives_one_message_and_costs_nothing_else() {
    let document = std::fs::read_to_string(PATH).unwrap();
    let mut sections = document.split("\n## ");
    let mut out = sections.next().unwrap_or("").to_owned();
    let mut complaints = Vec::new();
    let mut count = 0;
    for section in sections {
        let (title, rest) = section.split_once('\n').unwrap();
        let code = rest.split("```modelica\n").nth(1).and_then(|rest| rest.split("```\n").next()).unwrap();
        let (message, found, complaint) = check(title, code);
        complaints.extend(complaint);
        count += 1;
        let block = |name: &str, text: &str| {
            let end = if text.is_empty() { "" } else { "\n" };
            format!("\n```{name}\n{text}{end}```\n")
        };
        out += &format!(
            "\n## {title}\n\n```modelica\n{code}```\n{}{}",
            block("message", &message),
            block("found", &found)
        );
    }
    expect_file![PATH].assert_eq(&out);
    assert!(complaints.is_empty(), "{} of {count}:\n{}", complaints.len(), complaints.join("\n"));
    assert!(count >= 60);
}

#[test]
fn ids_are_kebab_case_and_differ() {
    let mut ids: Vec<&str> = Mistake::ALL.iter().map(|mistake| mistake.id()).collect();
    assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), Mistake::ALL.len());
}
