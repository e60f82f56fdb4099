//! The choice as a page: constraints, candidates and states as a graph, and a table. Nothing is loaded from anywhere.

use std::collections::BTreeMap;
use std::fmt::Write;

use rhei_equations::{EqId, VarId};
use rhei_simulate::CompiledModel;
use rhei_solvable::{Reason, Role, StateSet};

use super::Answer;
use super::change::change;
use super::why::{role, text, why};

/// Distances of the drawing, in pixels.
const ROW: usize = 34;
const HEIGHT: usize = 24;
const NAME: usize = 220;
const MIDDLE: usize = 320;
const GAP: usize = 70;
/// Letters that fit into a box.
const LETTERS_OF_NAME: usize = 29;
const LETTERS_OF_EQUATION: usize = 41;

pub(super) fn page(model: &CompiledModel, answer: &Answer) -> String {
    let mut body = String::new();
    let _ = write!(body, "<h1>{}</h1><p>{}</p>", escaped(&answer.model), escaped(&summary(answer)));
    for (place, set) in model.solvable.sets.iter().enumerate() {
        let _ = write!(
            body,
            "<h2>Set {}: {} of {} are states, chosen by the run</h2>{}",
            place + 1,
            set.dimension(),
            set.candidates.len(),
            draw(&of_set(model, set))
        );
    }
    let tied = of_dummies(model);
    if !tied.links.is_empty() {
        let _ = write!(body, "<h2>Given by constraints</h2>{}", draw(&tied));
    }
    body += &table(model);
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

/// Three columns of boxes with lines between them: what is given, by which constraints, from which states.
#[derive(Default)]
struct Graph {
    left: Vec<Node>,
    middle: Vec<Node>,
    right: Vec<Node>,
    /// Places in the left, middle and right column.
    links: Vec<(usize, usize, Vec<usize>)>,
}

struct Node {
    text: String,
    class: &'static str,
}

/// Each variable that constraints give, with the states they give it from.
fn of_dummies(model: &CompiledModel) -> Graph {
    let mut graph = Graph::default();
    let mut places: BTreeMap<VarId, usize> = BTreeMap::new();
    for (v, variable) in model.equations.iter_variables() {
        let choice = &model.solvable.roles[v.index()];
        let Reason::Deselected { by, from } = &choice.reason else { continue };
        if choice.role != Role::Dummy || variable.is_hidden {
            continue;
        }
        let mut rights = Vec::new();
        for &state in from {
            let place = *places.entry(state).or_insert_with(|| {
                graph.right.push(Node { text: name(model, state), class: "state" });
                graph.right.len() - 1
            });
            rights.push(place);
        }
        graph.left.push(Node { text: variable.name.clone(), class: "dummy" });
        graph.middle.push(Node { text: constraints(model, by), class: "constraint" });
        graph.links.push((graph.left.len() - 1, graph.middle.len() - 1, rights));
    }
    graph
}

/// A set: its candidates, its constraints, and those of which nobody says that they are states.
fn of_set(model: &CompiledModel, set: &StateSet) -> Graph {
    let mut graph = Graph::default();
    for &e in &set.equations {
        graph.middle.push(Node { text: text(model, e), class: "constraint" });
    }
    for (place, &v) in set.candidates.iter().enumerate() {
        graph.left.push(Node { text: name(model, v), class: "set" });
        for (row, entries) in set.jacobian.iter().enumerate().take(graph.middle.len()) {
            let e = entries.get(set.others.len() + place);
            if e.is_some_and(|&e| model.solvable.pool.as_number(e) != Some(0.0)) {
                graph.links.push((place, row, Vec::new()));
            }
        }
    }
    graph
}

fn name(model: &CompiledModel, v: VarId) -> String {
    model.equations.variable(v).name.clone()
}

fn constraints(model: &CompiledModel, equations: &[EqId]) -> String {
    let texts: Vec<String> = equations.iter().map(|&e| text(model, e)).collect();
    texts.join("\n")
}

fn draw(graph: &Graph) -> String {
    let rows = graph.left.len().max(graph.middle.len()).max(graph.right.len());
    let height = rows * ROW + 10;
    let columns = [0, NAME + GAP, NAME + GAP + MIDDLE + GAP];
    // a little more than the boxes, for their outline
    let width = 2 + if graph.right.is_empty() { columns[1] + MIDDLE } else { columns[2] + NAME };
    // a column with few boxes stands in the middle of the others
    let y = |column: &[Node], place: usize| 5 + place * ROW + (rows - column.len()) * ROW / 2;
    let mut svg = format!(
        "<div class=\"graph\"><svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">"
    );
    for (left, middle, rights) in &graph.links {
        let from = (NAME, y(&graph.left, *left) + HEIGHT / 2);
        let to = (columns[1], y(&graph.middle, *middle) + HEIGHT / 2);
        line(&mut svg, from, to);
        for &right in rights {
            let from = (columns[1] + MIDDLE, y(&graph.middle, *middle) + HEIGHT / 2);
            line(&mut svg, from, (columns[2], y(&graph.right, right) + HEIGHT / 2));
        }
    }
    let parts = [
        (&graph.left, columns[0], NAME, LETTERS_OF_NAME),
        (&graph.middle, columns[1], MIDDLE, LETTERS_OF_EQUATION),
        (&graph.right, columns[2], NAME, LETTERS_OF_NAME),
    ];
    for (nodes, x, width, letters) in parts {
        for (place, node) in nodes.iter().enumerate() {
            boxed(&mut svg, node, (x, y(nodes, place)), width, letters);
        }
    }
    svg + "</svg></div>"
}

fn line(svg: &mut String, (x1, y1): (usize, usize), (x2, y2): (usize, usize)) {
    let bend = GAP / 2;
    let _ = write!(svg, "<path d=\"M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}\"/>", x1 + bend, x2 - bend);
}

fn boxed(svg: &mut String, node: &Node, (x, y): (usize, usize), width: usize, letters: usize) {
    let mut lines = node.text.lines();
    let first = lines.next().unwrap_or_default();
    let more = lines.count();
    let mut shown = if more > 0 { format!("{first} and {more} more") } else { first.to_owned() };
    if shown.chars().count() > letters {
        let kept = if more > 0 { letters.saturating_sub(5) } else { letters - 1 };
        shown = first.chars().take(kept).collect::<String>() + "…";
        if more > 0 {
            let _ = write!(shown, " +{more}");
        }
    }
    let _ = write!(
        svg,
        "<g class=\"{}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"5\"/>\
         <text x=\"{}\" y=\"{}\">{}</text></g>",
        node.class,
        escaped(&node.text),
        x + 8,
        y + HEIGHT - 8,
        escaped(&shown)
    );
}

/// States, candidates of sets and dummies with their reasons.
fn table(model: &CompiledModel) -> String {
    let mut rows = String::new();
    for (v, variable) in model.equations.iter_variables() {
        let choice = &model.solvable.roles[v.index()];
        let class = match choice.role {
            Role::State => "state",
            Role::Dummy => "dummy",
            Role::Candidate { .. } => "set",
            _ => continue,
        };
        if variable.is_hidden {
            continue;
        }
        let change = change(model, v, choice).map_or(String::new(), |change| in_words(&change));
        let _ = write!(
            rows,
            "<tr><td class=\"name\">{}</td><td><span class=\"chip {class}\">{}</span></td><td>{}</td><td>{}</td><td>{change}</td></tr>",
            escaped(&variable.name),
            role(choice.role),
            choice.select.name(),
            in_words(&why(model, v, choice)),
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

/// What stands between backticks is code.
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
