//! The choice for people: the states and the reasons, the candidates, and ways to change the choice.

use std::collections::HashMap;
use std::fmt::Write;

use rhei::{Role, StateReport, VariableState};

use super::{Answer, role};

/// Whether variables of a role belong to a part of the table.
type Belongs = fn(Role) -> bool;

pub(super) fn table(report: &StateReport, answer: &Answer, all: bool) -> String {
    let mut text = answer.heading() + "\n";
    let parts: [(&str, Belongs); 3] = [
        ("states", |role| role == Role::State),
        ("states in some places", |role| matches!(role, Role::Candidate { .. })),
        ("no states, though they could be", |role| role == Role::Dummy),
    ];
    for (title, belongs) in parts {
        section(&mut text, report, title, belongs, all);
    }
    modes(&mut text, answer);
    let is_other: Belongs = |role| matches!(role, Role::Algebraic | Role::Discrete);
    let others = shown(report).filter(|variable| is_other(variable.role)).count();
    if all {
        section(&mut text, report, "computed from these", is_other, all);
    } else if others > 0 {
        let variables = if others == 1 { "variable is" } else { "variables are" };
        let _ = writeln!(text, "\n{others} further {variables} computed from these: `--all` lists them");
    }
    text
}

/// Most modes that are listed for people.
const LISTED: usize = 20;

/// The guards that the structure depends on, and the known modes.
fn modes(text: &mut String, answer: &Answer) {
    if answer.guards.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nthe structure may change with");
    for guard in answer.guards.iter().take(LISTED) {
        let _ = writeln!(text, "  {guard}");
    }
    if answer.guards.len() > LISTED {
        let _ = writeln!(text, "  and {} conditions more", answer.guards.len() - LISTED);
    }
    if answer.run.is_none() {
        let _ =
            writeln!(text, "what is told here is of the mode in which a run begins; `--run` finds others");
        return;
    }
    let _ = writeln!(text, "\nmodes of the run");
    for mode in answer.modes.iter().take(LISTED) {
        let holds: Vec<&str> =
            mode.guards.iter().filter(|(_, holds)| **holds).map(|(text, _)| text.as_str()).collect();
        let when = match (mode.guards.is_empty(), holds.is_empty()) {
            (true, _) => "the structure that is common to most".into(),
            (false, true) => "none of the conditions holds".into(),
            (false, false) => format!("where {}", holds.join(", ")),
        };
        let states = if mode.n_states == 1 { "state" } else { "states" };
        let names =
            if mode.states.is_empty() { String::new() } else { format!(": {}", mode.states.join(", ")) };
        let ticks = mode.clock.as_ref().map_or_else(String::new, |clock| format!(" of what ticks {clock}"));
        let _ = writeln!(text, "  mode {}{ticks}, {when}: {} {states}{names}", mode.id, mode.n_states);
    }
    if answer.modes.len() > LISTED {
        let _ = writeln!(text, "  and {} modes more: `--json` lists them", answer.modes.len() - LISTED);
    }
}

/// The variables of the table, in the order of the model.
fn shown(report: &StateReport) -> impl Iterator<Item = &VariableState> {
    super::shown(report).filter(|variable| !variable.is_clocked)
}

/// So many variables of which the same is told, but for numbers, are listed one by one; more are told of together.
const ALIKE: usize = 3;
/// Names of variables that are told of together; the others are counted.
const NAMED: usize = 4;

/// What is told of a variable, but for numbers: elements of an array and components that are numbered are told of together.
#[derive(PartialEq, Eq, Hash)]
struct Alike {
    role: std::mem::Discriminant<Role>,
    name: String,
    why: String,
    change: Option<String>,
}

impl Alike {
    fn of(variable: &VariableState) -> Alike {
        let change = variable.change.as_deref().map(without_numbers);
        let role = std::mem::discriminant(&variable.role);
        Alike { role, name: without_numbers(&variable.name), why: without_numbers(&variable.why), change }
    }
}

/// `inertia12.phi` is `inertia#.phi`.
fn without_numbers(text: &str) -> String {
    let mut shape = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if shape.ends_with('#') => {}
            true => shape.push('#'),
            false => shape.push(c),
        }
    }
    shape
}

/// The variables with those that are told of with them, in the order of the first of each.
fn rows<'a>(variables: &[&'a VariableState], all: bool) -> Vec<(&'a VariableState, Vec<&'a VariableState>)> {
    if all {
        return variables.iter().map(|&variable| (variable, Vec::new())).collect();
    }
    let mut groups: HashMap<Alike, Vec<&VariableState>> = HashMap::new();
    variables.iter().for_each(|&variable| groups.entry(Alike::of(variable)).or_default().push(variable));
    let row = |&variable: &&'a VariableState| {
        let group = &groups[&Alike::of(variable)];
        match group.len() > ALIKE {
            true => std::ptr::eq(group[0], variable).then(|| (variable, group[1..].to_vec())),
            false => Some((variable, Vec::new())),
        }
    };
    variables.iter().filter_map(row).collect()
}

fn section(text: &mut String, report: &StateReport, title: &str, belongs: Belongs, all: bool) {
    let variables: Vec<&VariableState> = shown(report).filter(|variable| belongs(variable.role)).collect();
    let rows = rows(&variables, all);
    let width = |(variable, _): &(&VariableState, Vec<&VariableState>)| variable.name.chars().count();
    let Some(width) = rows.iter().map(width).max() else { return };
    let _ = writeln!(text, "\n{title}");
    for (variable, alike) in rows {
        let place = match variable.role {
            Role::Candidate { .. } => format!("{}: ", role(variable.role)),
            _ => String::new(),
        };
        let _ = writeln!(text, "  {:width$}  {place}{}", variable.name, variable.why);
        if let Some(change) = &variable.change {
            let _ = writeln!(text, "  {:width$}  to change: {change}", "");
        }
        if !alike.is_empty() {
            let is_same = |other: &&VariableState| {
                (&other.why, &other.change, other.role) == (&variable.why, &variable.change, variable.role)
            };
            let like = if alike.iter().all(is_same) {
                "the same holds of"
            } else {
                "but for numbers the same holds of"
            };
            let names = alike.iter().map(|variable| variable.name.as_str());
            let _ = writeln!(text, "  {:width$}  {like} {}: `--all` lists each", "", first_of(names));
        }
    }
}

/// The first names, and how many more there are.
fn first_of<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(NAMED);
    let first: Vec<String> = names.take(NAMED).map(|name| format!("`{name}`")).collect();
    if more == 0 { first.join(", ") } else { format!("{} and {more} more", first.join(", ")) }
}
