//! The choice as a page: constraints, candidates and states as a graph, and a table. Nothing is loaded from anywhere.

mod drawing;

use std::fmt::Write;

use rhei::{Role, StateReport};

use super::{Answer, role};

pub(super) fn page(report: &StateReport, answer: &Answer) -> String {
    let mut body = String::new();
    let _ = write!(body, "<h1>{}</h1><p>{}</p>", escaped(&answer.model), escaped(&summary(answer)));
    for (place, set) in report.sets.iter().filter(|set| !set.is_clocked).enumerate() {
        let _ = write!(
            body,
            "<h2>Set {}: {} of {} are states, chosen by the run</h2>{}",
            place + 1,
            set.dimension,
            set.candidates.len(),
            drawing::of_set(set)
        );
    }
    if let Some(tied) = drawing::of_dummies(report) {
        let _ = write!(body, "<h2>Given by constraints</h2>{tied}");
    }
    body += &table(report);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>States of {}</title><style>{STYLE}</style></head>\n<body>{body}</body></html>\n",
        escaped(&answer.model)
    )
}

fn summary(answer: &Answer) -> String {
    let states = if answer.n_states == 1 { "1 state".into() } else { format!("{} states", answer.n_states) };
    match answer.sets.len() {
        0 => states,
        1 => format!("{states}, some of them in a set that the run chooses from"),
        n => format!("{states}, some of them in {n} sets that the run chooses from"),
    }
}

/// States, candidates of sets and dummies with their reasons.
fn table(report: &StateReport) -> String {
    let mut rows = String::new();
    for variable in report.variables.iter().filter(|variable| !variable.is_clocked) {
        let class = match variable.role {
            Role::State => "state",
            Role::Dummy => "dummy",
            Role::Candidate { .. } => "set",
            _ => continue,
        };
        let change = variable.change.as_ref().map_or(String::new(), |change| in_words(change));
        let _ = write!(
            rows,
            "<tr><td class=\"name\">{}</td><td><span class=\"chip {class}\">{}</span></td><td>{}</td><td>{}</td><td>{change}</td></tr>",
            escaped(&variable.name),
            role(variable.role),
            variable.select,
            in_words(&variable.why),
        );
    }
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<h2>All candidates</h2><div class=\"graph\"><table><thead><tr><th>variable</th><th>role</th><th>stateSelect</th>\
         <th>why</th><th>what would change it</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// Makes texts between backticks code.
fn in_words(text: &str) -> String {
    let mut out = String::new();
    for (place, part) in text.split('`').enumerate() {
        let part = escaped(part);
        let _ = if place % 2 == 1 { write!(out, "<code>{part}</code>") } else { write!(out, "{part}") };
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1c1c1e; --paper: #ffffff; --faint: #6b6f76; --line: #c9ccd1;
  --state: #d7ecd9; --state-line: #2e7d32; --dummy: #eceff3; --dummy-line: #8a93a0; --set: #fdebc8; --set-line: #b26a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8ea; --paper: #17181a; --faint: #9a9fa8; --line: #4a4e55;
  --state: #1d3a22; --state-line: #66bb6a; --dummy: #2a2d32; --dummy-line: #7d8794; --set: #3d2f12; --set-line: #ffb74d; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; padding: 1rem; max-width: 72rem; }
h1 { font-size: 1.3rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
p { color: var(--faint); margin: 0; }
.graph { overflow-x: auto; }
svg { display: block; }
svg path { fill: none; stroke: var(--line); stroke-width: 1.4; }
svg text { font: 12px ui-monospace, monospace; fill: var(--ink); }
svg text.more { fill: var(--faint); font-family: system-ui, sans-serif; }
svg rect { stroke-width: 1.2; }
.state rect, .chip.state { fill: var(--state); background: var(--state); stroke: var(--state-line); border-color: var(--state-line); }
.dummy rect, .chip.dummy { fill: var(--dummy); background: var(--dummy); stroke: var(--dummy-line); border-color: var(--dummy-line); }
.set rect, .chip.set { fill: var(--set); background: var(--set); stroke: var(--set-line); border-color: var(--set-line); }
.constraint rect { fill: var(--paper); stroke: var(--line); }
.chip { border: 1px solid; border-radius: 5px; padding: 0 .4rem; white-space: nowrap; }
table { border-collapse: collapse; min-width: 44rem; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 600; }
code, .name { font-family: ui-monospace, monospace; font-size: .85em; overflow-wrap: anywhere; }
td:nth-child(4), td:nth-child(5) { max-width: 24rem; }
";
