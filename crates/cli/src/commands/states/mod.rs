//! `rhei states`: which variables are the states, and why.

mod all_modes;
mod page;
mod run;
mod table;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use rhei::{Mode, Role, StateReport, StateSet, VariableState};
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use self::all_modes::AllModes;
use self::run::RunAnswer;
use super::simulate::interrupt;
use super::simulate::settings::{explain, in_words};
use super::{Exit, Usage, compile, exit_of_set, explain_files};
use crate::arguments::{Common, HowToRun, Model};
use crate::needless::{of_run, refuse};
use crate::talk::Talk;

#[derive(Debug, Args)]
pub(crate) struct States {
    #[command(flatten)]
    pub(crate) model: Model,
    /// List every variable, not only those that are states or could be
    #[arg(long)]
    pub(crate) all: bool,
    /// Draw constraints, candidates and the choice into a page of its own
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Analyse every mode, up to N combinations of conditions (256): how many states each has, and which cannot be
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "256")]
    pub(crate) all_modes: Option<usize>,
    /// Run the model, and tell which states its state sets had when
    #[arg(long)]
    pub(crate) run: bool,
    /// Run the model, and propose a fixed choice of states that would have done, as modifiers
    #[arg(long)]
    pub(crate) advise: bool,
    /// Where time stops, for --run and --advise
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) stop_time: Option<f64>,
    #[command(flatten)]
    pub(crate) how: HowToRun,
}

impl States {
    /// Whether the model is run.
    pub(crate) fn runs(&self) -> bool {
        self.run || self.advise
    }

    /// Options that would do nothing are wrong usage.
    fn check(&self, common: &Common) -> Result<(), Usage> {
        if self.all && common.json {
            return refuse("--all", "`--json` lists every variable");
        }
        if self.all_modes == Some(0) {
            return Err("`--all-modes` must be at least 1".into());
        }
        match self.stop_time {
            _ if self.runs() => Ok(()),
            Some(_) => refuse("--stop-time", "nothing is run without `--run` or `--advise`"),
            None => of_run(&self.how, "nothing is run without `--run` or `--advise`"),
        }
    }
}

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
    all_modes: Option<AllModes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<RunAnswer>,
    diagnostics: Vec<ReportedDiagnostic>,
}

#[derive(Serialize)]
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
    /// The clock, if the mode is that of a clocked partition.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    id: u32,
    guards: BTreeMap<String, bool>,
    n_states: usize,
    states: Vec<String>,
    sets: Vec<SetAnswer>,
}

pub(crate) fn states(options: &States, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    options.check(common)?;
    let done = compile(&options.model, &options.how.set, common, talk)?;
    let mut said = done.diagnostics.clone();
    let mut failed = done.has_errors();
    let mut answer = Answer::default();
    let mut report = None;
    if let Some(model) = &done.built {
        let experiment = options.how.until(options.stop_time);
        let begun = model.states(&experiment).map_err(|wrong| in_words(&wrong))?;
        answer = Answer::of(model.name(), &begun);
        answer.all_modes =
            options.all_modes.and_then(|most| model.all_modes(most)).map(|all| AllModes::of(&all));
        if options.runs() && !failed {
            explain(&experiment.resolve(model).map_err(|wrong| in_words(&wrong))?, talk);
            let run = model.run_states(&interrupt::watched(experiment), options.advise);
            let run = run.map_err(|wrong| in_words(&wrong))?;
            if !talk.json {
                talk.diagnostics(&run.diagnostics, &done.files);
            }
            failed = !run.is_complete;
            answer.modes = run.modes.iter().map(ModeAnswer::of).collect();
            answer.run = Some(RunAnswer::new(model.name(), &run));
            said.extend(run.diagnostics);
        } else {
            explain_files(talk, &done.files);
            talk.diagnostics(&begun.notes, &done.files);
            said.extend(begun.notes.iter().cloned());
        }
        report = Some(begun);
    }
    answer.diagnostics = Report::new(&said, &done.files).diagnostics;
    if let (Some(path), Some(report)) = (&options.html, &report) {
        std::fs::write(path, page::page(report, &answer))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    if talk.json {
        talk.answer(&answer);
    } else if let Some(report) = &report {
        talk.print(table::table(report, &answer, options.all).trim_end());
        match &answer.all_modes {
            Some(modes) => talk.print(modes.text().trim_end()),
            None if options.all_modes.is_some() => {
                talk.print("\nits structure never changes: it has one mode")
            }
            None => {}
        }
        if let Some(run) = &answer.run {
            talk.print(run.text(options.advise).trim_end());
        }
    }
    Ok(exit_of_set(failed, done.blames_settings))
}

impl Answer {
    fn of(model: &str, report: &StateReport) -> Answer {
        Answer {
            model: model.to_owned(),
            n_states: report.n_states,
            states: report.states.clone(),
            sets: SetAnswer::all(&report.sets),
            variables: shown(report).map(Described::of).collect(),
            modes: vec![ModeAnswer::of(&report.mode)],
            guards: report.guards.clone(),
            all_modes: None,
            run: None,
            diagnostics: Vec::new(),
        }
    }
}

/// The variables of the model itself.
fn shown(report: &StateReport) -> impl Iterator<Item = &VariableState> {
    report.variables.iter().filter(|variable| !variable.is_introduced)
}

impl ModeAnswer {
    fn of(mode: &Mode) -> ModeAnswer {
        ModeAnswer {
            clock: mode.clock.clone(),
            id: mode.id,
            guards: mode.guards.iter().cloned().collect(),
            n_states: mode.n_states,
            states: mode.states.clone(),
            sets: SetAnswer::all(&mode.sets),
        }
    }
}

impl Described {
    fn of(variable: &VariableState) -> Described {
        Described {
            name: variable.name.clone(),
            role: role(variable.role),
            select: variable.select,
            why: variable.why.clone(),
        }
    }
}

fn role(role: Role) -> String {
    match role {
        Role::Parameter => "parameter".into(),
        Role::State => "state".into(),
        Role::Dummy => "dummy".into(),
        Role::Algebraic => "algebraic".into(),
        Role::Discrete => "discrete".into(),
        Role::Candidate { set } => format!("in set {}", set + 1),
    }
}

impl SetAnswer {
    fn all(sets: &[StateSet]) -> Vec<SetAnswer> {
        let answer = |(place, set): (usize, &StateSet)| SetAnswer {
            id: place + 1,
            equations: set.equations.clone(),
            candidates: set.candidates.clone(),
            depends: set.depends,
        };
        sets.iter().enumerate().map(answer).collect()
    }
}

/// Names in the heading, or of the candidates of one set there; the others are counted.
const NAMED_IN_HEADING: usize = 20;

fn first_of(names: &[String]) -> String {
    match names.len().saturating_sub(NAMED_IN_HEADING) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..NAMED_IN_HEADING].join(", ")),
    }
}

impl Answer {
    /// One line: how many states, and which.
    fn heading(&self) -> String {
        let mut named: Vec<String> = self.states.iter().take(NAMED_IN_HEADING).cloned().collect();
        let room = NAMED_IN_HEADING - named.len();
        let sets = self.sets.iter().take(room);
        named.extend(sets.map(|set| format!("set {} of {}", set.id, first_of(&set.candidates))));
        let more = self.states.len() + self.sets.len() - named.len();
        if more > 0 {
            let last = named.last_mut().expect("as many as there is room for are named");
            last.push_str(&format!(" and {more} more"));
        }
        match self.n_states {
            0 => format!("{} has no states", self.model),
            1 => format!("{} has 1 state: {}", self.model, named.join("; ")),
            n if self.sets.is_empty() => format!("{} has {n} states: {}", self.model, named.join(", ")),
            n => format!("{} has {n} states: {}", self.model, named.join("; ")),
        }
    }
}
