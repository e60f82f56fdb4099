//! `rhei states`: which variables are the states, and why.

mod all_modes;
mod change;
mod modifiers;
mod page;
mod run;
mod table;
mod why;

use std::collections::BTreeMap;

use rhei_compiler::Configured;
use rhei_model::CompiledModel;
use rhei_run::begins_in;
use rhei_solvable::StateSet;
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use self::why::{role, text, why};
use super::{Exit, Usage, compile_set, exit_of_set, report};
use crate::arguments::{Common, States};
use crate::talk::Talk;

#[derive(Default, Serialize)]
struct Answer {
    model: String,
    n_states: usize,
    states: Vec<String>,
    sets: Vec<SetAnswer>,
    variables: Vec<Described>,
    modes: Vec<ModeAnswer>,
    /// Conditions on which the structure may depend.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    guards: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_modes: Option<all_modes::AllModes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<run::RunAnswer>,
    diagnostics: Vec<ReportedDiagnostic>,
}

#[derive(Clone, Serialize)]
struct SetAnswer {
    id: usize,
    equations: Vec<String>,
    candidates: Vec<String>,
    depends: &'static str,
}

#[derive(Serialize)]
struct Described {
    name: String,
    role: String,
    select: &'static str,
    why: String,
}

#[derive(Serialize)]
struct ModeAnswer {
    /// Of the part that ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    id: u32,
    guards: BTreeMap<String, bool>,
    n_states: usize,
    states: Vec<String>,
    sets: Vec<SetAnswer>,
}

pub(crate) fn states(options: &States, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let (session, configured) = compile_set(&options.model, &options.how, common)?;
    let Configured { compilation: mut done, set, is_refused } = configured;
    report(talk, &session, &done);
    // what is told is told of the mode in which the run begins
    let begun = match &done.model {
        Some(model) if model.modes.is_some() => {
            Some(begins_in(model, &run::settings(options, model, set.clone(), talk)?))
        }
        model => model.clone(),
    };
    let mut answer = begun.as_deref().map_or_else(Answer::default, describe);
    if let (Some(model), Some(begun)) = (&done.model, &begun) {
        answer.guards = guards(model);
        answer.all_modes = options.all_modes.and_then(|most| all_modes::all_modes(model, most));
        if !(options.run || options.advise) {
            talk.diagnostics(&begun.start_notes, session.files());
            done.diagnostics.extend(begun.start_notes.iter().cloned());
        }
    }
    let mut failed = done.has_errors();
    if let Some(model) = done.model.clone().filter(|_| (options.run || options.advise) && !failed) {
        let (run, modes, said) = run::run(options, &model, set, talk)?;
        answer.modes = modes;
        if !talk.json {
            talk.diagnostics(&said, session.files());
        }
        failed = !run.is_whole();
        answer.run = Some(run);
        done.diagnostics.extend(said);
    }
    answer.diagnostics = Report::new(&done.diagnostics, session.files()).diagnostics;
    if let (Some(path), Some(model)) = (&options.html, begun.as_deref()) {
        std::fs::write(path, page::page(model, &answer))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    if talk.json {
        talk.answer(&answer);
    } else if let Some(model) = begun.as_deref() {
        talk.print(table::table(model, &answer, options.all).trim_end());
        if let Some(modes) = &answer.all_modes {
            talk.print(modes.text().trim_end());
        }
        if let Some(run) = &answer.run {
            talk.print(run.text(options.advise).trim_end());
        }
    }
    Ok(exit_of_set(failed, is_refused))
}

fn describe(model: &CompiledModel) -> Answer {
    let solvable = &model.solvable;
    let parts = model.parts.iter().map(|part| &*part.model);
    let sets =
        std::iter::once(model).chain(parts).flat_map(|of| of.solvable.sets.iter().map(move |set| (of, set)));
    let sets: Vec<SetAnswer> = sets.enumerate().map(|(i, (of, set))| describe_set(of, i, set)).collect();
    // states of what ticks are states too; the memory of `previous` is not
    let states: Vec<String> = model.states().iter().map(|variable| variable.name.to_string()).collect();
    let ticking = model.parts.iter().map(|part| part.schedule.states.len());
    let n_states = solvable.states.len() + ticking.sum::<usize>();
    let models = std::iter::once(model).chain(model.parts.iter().map(|part| &*part.model));
    let mode = &solvable.mode;
    Answer {
        model: model.equations.name.clone(),
        n_states,
        variables: models.flat_map(described).collect(),
        modes: vec![ModeAnswer {
            clock: None,
            id: mode.id,
            guards: mode.guards.iter().cloned().collect(),
            n_states,
            states: states.clone(),
            sets: sets.clone(),
        }],
        sets,
        states,
        guards: Vec::new(),
        all_modes: None,
        run: None,
        diagnostics: Vec::new(),
    }
}

/// The conditions on which the structure of a model may depend, or of a part that ticks.
fn guards(model: &CompiledModel) -> Vec<String> {
    let parts = model.parts.iter().filter(|part| part.modes.is_some()).map(|part| &part.model.equations);
    let all = std::iter::once(&model.equations).chain(parts);
    all.flat_map(|of| of.guards.iter().map(|guard| of.guard_text(guard))).collect()
}

/// The variables that a model, or a part that ticks, computes.
fn described(model: &CompiledModel) -> Vec<Described> {
    let shown = model
        .equations
        .iter_variables()
        .filter(|(_, variable)| variable.is_unknown() && !variable.is_hidden && !variable.is_introduced);
    let described = shown.map(|(v, variable)| {
        let choice = &model.solvable.roles[v.index()];
        Described {
            name: variable.name.to_string(),
            role: role(choice.role),
            select: choice.select.name(),
            why: why(model, v, choice),
        }
    });
    described.collect()
}

fn describe_set(model: &CompiledModel, place: usize, set: &StateSet) -> SetAnswer {
    SetAnswer {
        id: place + 1,
        equations: set.equations.iter().map(|&e| text(model, e)).collect(),
        candidates: set.candidates.iter().map(|&v| model.equations.variable(v).name.to_string()).collect(),
        depends: depends(set.depends_on_itself, set.depends_on_others),
    }
}

/// What the derivatives of the constraints of a set depend on.
fn depends(on_itself: bool, on_others: bool) -> &'static str {
    match (on_itself, on_others) {
        (true, true) => "self+cross",
        (true, false) => "self",
        (false, true) => "cross",
        (false, false) => "independent",
    }
}

impl Answer {
    /// One line: how many states, and which.
    fn heading(&self) -> String {
        let mut named: Vec<String> = self.states.clone();
        named.extend(self.sets.iter().map(|set| format!("set {} of {}", set.id, set.candidates.join(", "))));
        match self.n_states {
            0 => format!("{} has no states", self.model),
            1 => format!("{} has 1 state: {}", self.model, named.join("; ")),
            n if self.sets.is_empty() => format!("{} has {n} states: {}", self.model, named.join(", ")),
            n => format!("{} has {n} states: {}", self.model, named.join("; ")),
        }
    }
}
