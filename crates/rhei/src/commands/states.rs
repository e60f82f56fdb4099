//! `rhei states`: which variables are the states, and why.

use std::collections::BTreeMap;

use rhei_equations::VarId;
use rhei_simulate::CompiledModel;
use rhei_solvable::{Choice, Reason, Role};
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use super::{Exit, Usage, compile, exit, report};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

#[derive(Default, Serialize)]
struct Answer {
    model: String,
    n_states: usize,
    states: Vec<String>,
    sets: Vec<()>,
    variables: Vec<Described>,
    modes: Vec<ModeAnswer>,
    diagnostics: Vec<ReportedDiagnostic>,
}

#[derive(Serialize)]
struct Described {
    name: String,
    role: &'static str,
    select: &'static str,
    why: String,
}

#[derive(Serialize)]
struct ModeAnswer {
    id: u32,
    guards: BTreeMap<String, bool>,
    n_states: usize,
    states: Vec<String>,
    sets: Vec<()>,
}

pub(crate) fn states(model: &Model, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let (session, done) = compile(model, common)?;
    report(talk, &session, &done);
    let mut answer = done.model.as_deref().map_or_else(Answer::default, describe);
    answer.diagnostics = Report::new(&done.diagnostics, session.files()).diagnostics;
    if talk.json {
        talk.answer(&answer);
    } else if done.model.is_some() {
        print_table(&answer, talk);
    }
    Ok(exit(done.has_errors()))
}

fn describe(model: &CompiledModel) -> Answer {
    let name = |v: VarId| model.equations.variable(v).name.clone();
    let states: Vec<String> = model.solvable.states.iter().map(|state| name(state.variable)).collect();
    let unknowns =
        model.equations.iter_variables().filter(|(_, variable)| variable.is_unknown() && !variable.is_hidden);
    let variables = unknowns.map(|(v, variable)| {
        let choice = &model.solvable.roles[v.index()];
        Described {
            name: variable.name.clone(),
            role: role(choice.role),
            select: choice.select.name(),
            why: why(model, v, choice),
        }
    });
    let mode = &model.solvable.mode;
    Answer {
        model: model.equations.name.clone(),
        n_states: states.len(),
        sets: Vec::new(),
        variables: variables.collect(),
        modes: vec![ModeAnswer {
            id: mode.id,
            guards: mode.guards.iter().cloned().collect(),
            n_states: states.len(),
            states: states.clone(),
            sets: Vec::new(),
        }],
        states,
        diagnostics: Vec::new(),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Parameter => "parameter",
        Role::State => "state",
        Role::Algebraic => "algebraic",
        Role::Discrete => "discrete",
    }
}

fn why(model: &CompiledModel, v: VarId, choice: &Choice) -> String {
    match choice.reason {
        Reason::Unchanging => "it does not change".into(),
        Reason::Differentiated => {
            let name = &model.equations.variable(v).name;
            format!("der({name}) appears in the model, and no equation ties `{name}` to other states")
        }
        Reason::DerivativeOfState => "it is the derivative of a state".into(),
        Reason::AtEventsOnly => "it changes at events only".into(),
        Reason::NotDifferentiated => "it is not differentiated in the model".into(),
    }
}

fn print_table(answer: &Answer, talk: &Talk) {
    let heading = match answer.n_states {
        0 => format!("{} has no states", answer.model),
        1 => format!("{} has 1 state: {}", answer.model, answer.states[0]),
        n => format!("{} has {n} states: {}", answer.model, answer.states.join(", ")),
    };
    talk.print(&heading);
    let width = answer.variables.iter().map(|variable| variable.name.chars().count()).max().unwrap_or(0);
    for Described { name, role, why, .. } in &answer.variables {
        talk.print(&format!("  {name:width$}  {role:9}  {why}"));
    }
}
