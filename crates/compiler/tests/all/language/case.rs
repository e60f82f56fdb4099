//! A topic's text taken apart into cases.

use rhei_source::Severity;

use crate::expectation::Expectation;
use crate::workshop::Settings;

/// A line of the topic's file, and what is wrong there.
pub type Failure = (usize, String);

/// One model with what is expected of it.
#[derive(Debug, Default)]
pub struct Case {
    /// The line of the file that opens the block of the model.
    pub line: usize,
    pub model: String,
    pub settings: Settings,
    /// Whether it ends with the flat model.
    pub until_flat: bool,
    pub announced: Vec<Announced>,
    pub states: Option<(usize, Vec<String>)>,
    /// The candidates of each state set.
    pub sets: Option<(usize, Vec<Vec<String>>)>,
    pub flat: Option<(usize, String)>,
    /// Lines of the file with what is expected there; `Some` means that the model is run.
    pub result: Option<Vec<(usize, Expectation)>>,
}

/// A diagnostic that must come.
#[derive(Debug)]
pub struct Announced {
    /// The line of the file.
    pub line: usize,
    pub severity: Severity,
    pub id: String,
    /// A part of its message.
    pub part: String,
}

/// A fenced block of the text.
struct Block<'a> {
    line: usize,
    language: &'a str,
    rest: &'a str,
    lines: Vec<&'a str>,
}

/// All cases of a text, and what cannot be understood of it.
pub fn cases(text: &str) -> (Vec<Case>, Vec<Failure>) {
    let mut cases: Vec<Case> = Vec::new();
    let mut failures = Vec::new();
    for block in blocks(text, &mut failures) {
        if block.language == "modelica" {
            cases.push(case(&block, &mut failures));
        } else if matches!(block.language, "states" | "sets" | "flat" | "result") {
            match cases.last_mut() {
                Some(case) => add(&block, case, &mut failures),
                None => failures.push((block.line, "this block follows no model".into())),
            }
        }
    }
    (cases, failures)
}

fn blocks<'a>(text: &'a str, failures: &mut Vec<Failure>) -> Vec<Block<'a>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'a>> = None;
    for (i, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                let (language, rest) = info.trim().split_once(' ').unwrap_or((info.trim(), ""));
                open = Some(Block { line: i + 1, language, rest, lines: Vec::new() });
            }
            (None, Some(block)) => block.lines.push(line),
            (None, None) => {}
        }
    }
    if let Some(block) = open {
        failures.push((block.line, "this block is not closed".into()));
    }
    blocks
}

fn case(block: &Block<'_>, failures: &mut Vec<Failure>) -> Case {
    let (until, words): (Vec<&str>, Vec<&str>) =
        block.rest.split_whitespace().partition(|word| *word == "until=flat");
    let settings = Settings::parse(&words.join(" ")).unwrap_or_else(|message| {
        failures.push((block.line, message));
        Settings::default()
    });
    let mut announced = Vec::new();
    for (i, line) in block.lines.iter().enumerate() {
        announcements(line, block.line + 1 + i, &mut announced, failures);
    }
    let model = block.lines.join("\n") + "\n";
    let until_flat = !until.is_empty();
    Case { line: block.line, model, settings, until_flat, announced, ..Case::default() }
}

/// `// error: [id] part of the message`, any number of them.
fn announcements(line: &str, at: usize, announced: &mut Vec<Announced>, failures: &mut Vec<Failure>) {
    for comment in line.split("//").skip(1) {
        let Some((word, rest)) = comment.trim().split_once(':') else { continue };
        let severity = match word {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            "note" => Severity::Note,
            _ => continue,
        };
        match rest.trim().strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((id, part)) => {
                announced.push(Announced { line: at, severity, id: id.into(), part: part.trim().into() });
            }
            None => failures.push((at, "an announcement is written `// error: [id]`".into())),
        }
    }
}

fn add(block: &Block<'_>, case: &mut Case, failures: &mut Vec<Failure>) {
    match block.language {
        "states" => {
            let names = split_names(&block.lines.join(","));
            case.states = Some((block.line, names));
        }
        "sets" => {
            let mut sets: Vec<Vec<String>> = block.lines.iter().map(|line| split_names(line)).collect();
            sets.retain(|set| !set.is_empty());
            sets.sort();
            case.sets = Some((block.line, sets));
        }
        "flat" => case.flat = Some((block.line, block.lines.join("\n"))),
        _ => {
            let result = case.result.get_or_insert_default();
            for (i, line) in block.lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                let at = block.line + 1 + i;
                match Expectation::parse(line) {
                    Ok(expectation) => result.push((at, expectation)),
                    Err(message) => failures.push((at, message)),
                }
            }
        }
    }
}

/// Names between commas, which may stand in brackets too; sorted.
fn split_names(text: &str) -> Vec<String> {
    let mut depth = 0;
    let names = text.split(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    });
    let mut names: Vec<String> = names.map(|name| name.trim().to_owned()).collect();
    names.retain(|name| !name.is_empty() && name != "none");
    names.sort();
    names
}
