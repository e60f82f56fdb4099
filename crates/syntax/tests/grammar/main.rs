//! Trees of all productions of the grammar, as text (MLS appendix A.2).
//!
//! The trees are written anew by `UPDATE_EXPECT=1 cargo test -p rhei-syntax --test grammar`.

mod classes;
mod equations;
mod expressions;

use expect_test::Expect;
use rhei_source::FileId;
use rhei_syntax::{Parsed, parse, parse_expression};

/// The tree, or the part of it below the first node of a kind, and the messages.
fn shown(parsed: &Parsed, text: &str, below: &str) -> String {
    parsed.tree.verify().unwrap();
    assert_eq!(parsed.tree.print(), text);
    let dump = parsed.tree.dump();
    let from = if below.is_empty() {
        0
    } else {
        dump.lines().position(|line| line.trim() == below).map_or(0, |at| at + 1)
    };
    let mut lines = dump.lines().skip(from).peekable();
    let indent = lines.peek().map_or(0, |line| line.len() - line.trim_start().len());
    let part = lines.take_while(|line| line.len() - line.trim_start().len() >= indent);
    let mut shown: String = part.map(|line| format!("{}\n", &line[indent..])).collect();
    for diagnostic in &parsed.diagnostics {
        shown += &format!("{}: {}\n", diagnostic.id, diagnostic.message);
    }
    shown
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(&parse(FileId(0), text.into()), text, ""));
}

fn check_in(frame: &str, below: &str, text: &str, expected: Expect) {
    let text = format!("model M {frame}{text} end M;");
    expected.assert_eq(&shown(&parse(FileId(0), text.as_str().into()), &text, below));
}

fn check_element(text: &str, expected: Expect) {
    let below = if text.starts_with("external") { "M" } else { "ElementSection" };
    check_in("", below, text, expected);
}

fn check_equation(text: &str, expected: Expect) {
    check_in("equation ", "EquationSection", text, expected);
}

fn check_statement(text: &str, expected: Expect) {
    check_in("algorithm ", "AlgorithmSection", text, expected);
}

fn check_expression(text: &str, expected: Expect) {
    expected.assert_eq(&shown(&parse_expression(FileId(0), text.into()), text, "Fragment"));
}
