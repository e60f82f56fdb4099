//! The choice for people: what is a state and why, what could be one, and what would change that.

use std::fmt::Write;

use rhei_equations::VarId;
use rhei_simulate::CompiledModel;
use rhei_solvable::Role;

use super::Answer;
use super::change::change;
use super::why::{role, why};

/// Whether a variable of a role stands in a part of the table.
type Belongs = fn(Role) -> bool;

pub(super) fn table(model: &CompiledModel, answer: &Answer, all: bool) -> String {
    let mut text = answer.heading() + "\n";
    let parts: [(&str, Belongs); 3] = [
        ("states", |role| role == Role::State),
        ("states in some places", |role| matches!(role, Role::Candidate { .. })),
        ("no states, though they could be", |role| role == Role::Dummy),
    ];
    for (title, belongs) in parts {
        section(&mut text, model, title, &|v| belongs(model.solvable.roles[v.index()].role));
    }
    let is_other =
        |v: VarId| matches!(model.solvable.roles[v.index()].role, Role::Algebraic | Role::Discrete);
    let others = shown(model).filter(|&v| is_other(v)).count();
    if all {
        section(&mut text, model, "computed from these", &is_other);
    } else if others > 0 {
        let variables = if others == 1 { "variable is" } else { "variables are" };
        let _ = writeln!(text, "\n{others} further {variables} computed from these: `--all` lists them");
    }
    text
}

/// The variables that are told of, in the order of the model.
fn shown(model: &CompiledModel) -> impl Iterator<Item = VarId> {
    let variables = model.equations.iter_variables();
    let of_model = variables
        .filter(|(_, variable)| variable.is_unknown() && !variable.is_hidden && !variable.is_introduced());
    of_model.map(|(v, _)| v)
}

fn section(text: &mut String, model: &CompiledModel, title: &str, belongs: &dyn Fn(VarId) -> bool) {
    let variables: Vec<VarId> = shown(model).filter(|&v| belongs(v)).collect();
    if variables.is_empty() {
        return;
    }
    let name = |v: VarId| model.equations.variable(v).name.as_str();
    let width = variables.iter().map(|&v| name(v).chars().count()).max().unwrap_or(0);
    let _ = writeln!(text, "\n{title}");
    for v in variables {
        let choice = &model.solvable.roles[v.index()];
        let place = match choice.role {
            Role::Candidate { .. } => format!("{}: ", role(choice.role)),
            _ => String::new(),
        };
        let _ = writeln!(text, "  {:width$}  {place}{}", name(v), why(model, v, choice));
        if let Some(change) = change(model, v, choice) {
            let _ = writeln!(text, "  {:width$}  to change: {change}", "");
        }
    }
}
