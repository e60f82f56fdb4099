//! The stages that `ARCHITECTURE.md` prints are what the code prints. `UPDATE_EXPECT=1` writes them anew.
//!
//! A stage stands in the block after the line `<!-- stage: NAME -->`.

use std::fmt::Write;
use std::sync::Arc;

use rhei_model::CompiledModel;
use rhei_numerics::Method;
use rhei_results::csv::{write_header, write_row};
use rhei_solvable::Described;
use rhei_source::Files;

use crate::workshop::{Settings, compile, read, root, run};

const DOCUMENT: &str = "ARCHITECTURE.md";

#[test]
fn the_stages_are_as_printed() {
    let document = read(DOCUMENT);
    let text = stage(&document, "text").expect("the model itself is in the document").to_owned();
    let mut fresh = document.clone();
    for (name, content) in stages(&text) {
        let old = stage(&fresh, name).unwrap_or_else(|| panic!("{DOCUMENT} has no stage `{name}`"));
        let begin = old.as_ptr() as usize - fresh.as_ptr() as usize;
        let range = begin..begin + old.len();
        fresh.replace_range(range, &content);
    }
    if fresh == document {
        return;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(root().join(DOCUMENT), fresh).expect("the document can be written");
        return;
    }
    let line = document.lines().zip(fresh.lines()).position(|(old, new)| old != new).unwrap_or(0);
    panic!(
        "{DOCUMENT}:{}: this is what the code prints now (UPDATE_EXPECT=1 writes it there):\n{}",
        line + 1,
        fresh.lines().nth(line).unwrap_or("")
    );
}

/// The content of the block after the line that names a stage.
fn stage<'a>(document: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = document.split_once(&format!("<!-- stage: {name} -->\n```"))?;
    let (_, content) = after.split_once('\n')?;
    content.find("```").map(|end| &content[..end])
}

/// The model at every stage.
fn stages(text: &str) -> Vec<(&'static str, String)> {
    let (done, _) = compile(text);
    let model = done.model.expect("the example compiles");
    let described = Described { solvable: &model.solvable, equations: &model.equations };
    vec![
        ("tree", tree_of_first_equation(text)),
        ("flat", done.flat.expect("it is flat before it runs").to_string()),
        ("equations", model.equations.to_string()),
        ("solvable", described.to_string()),
        ("program", model.code.dynamic.to_string()),
        ("result", head_of_result(&model)),
    ]
    .into_iter()
    .map(|(name, content)| (name, content.trim_end().to_owned() + "\n"))
    .collect()
}

/// The part of the tree that stands for the first equation: the whole would fill a page.
fn tree_of_first_equation(text: &str) -> String {
    let mut files = Files::default();
    let file = files.add("Tank.mo", text);
    let dump = rhei_syntax::parse(file, text.into()).tree.dump();
    let mut lines = dump.lines().skip_while(|line| !line.trim_start().starts_with("SimpleEquation"));
    let indent = |line: &str| line.len() - line.trim_start().len();
    let first = lines.next().expect("the example has an equation");
    let mut out = String::new();
    for line in std::iter::once(first).chain(lines.take_while(|line| indent(line) > indent(first))) {
        let _ = writeln!(out, "{}", &line[indent(first)..]);
    }
    out
}

/// A method of fixed step and our own arithmetic only: the same digits everywhere.
fn head_of_result(model: &Arc<CompiledModel>) -> String {
    let settings = Settings { method: Some(Method::Rk4), step: Some(0.25), ..Settings::default() };
    let (_, rows) = run(model, &settings, vec![0.0, 0.25, 0.5]);
    let mut out = Vec::new();
    write_header(&mut out, rows.columns()).expect("memory can be written");
    for (row, &t) in rows.time().iter().enumerate() {
        let values: Vec<f64> = (0..rows.columns().len()).map(|column| rows.column(column)[row]).collect();
        write_row(&mut out, t, &values).expect("memory can be written");
    }
    String::from_utf8(out).expect("names and numbers are text")
}
