//! What a run makes of the state sets of a model, and which fixed choice would have done.

use std::fmt::Write;
use std::sync::Arc;

use rhei_equations::{VarId, number};
use rhei_model::CompiledModel;
use rhei_run::{Options, Outcome, Status, VisitedMode, VisitedSet, simulate};
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::modifiers::modifiers;
use super::{ModeAnswer, SetAnswer, depends};
use crate::arguments::{Simulate, States};
use crate::commands::Usage;
use crate::commands::simulate::answer::{Change, ModeChangeAnswer, mode_changes};
use crate::commands::simulate::nobody::Nobody;
use crate::commands::simulate::settings::run_options;
use crate::talk::Talk;

/// Changes of one set that are listed for people.
const LISTED: usize = 12;

#[derive(Serialize)]
pub(super) struct RunAnswer {
    stop_time: f64,
    finished: bool,
    sets: Vec<SetRun>,
    /// Modifiers for all sets; nothing where one of them has no fixed choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    modifiers: Option<String>,
    /// Changes of the mode on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mode_changes: Vec<ModeChangeAnswer>,
    /// The class that they are modifiers of.
    #[serde(skip)]
    class: String,
}

#[derive(Serialize)]
struct SetRun {
    id: usize,
    candidates: Vec<String>,
    shares: Vec<Share>,
    changes: Vec<Change>,
    /// The fixed choice that would have done.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<Advised>,
}

/// How long the states were these, as a part of the run.
#[derive(Serialize)]
struct Share {
    states: Vec<String>,
    share: f64,
}

#[derive(Serialize)]
struct Advised {
    states: Vec<String>,
    /// The smallest share that a pivot had of the largest there was.
    worst: f64,
}

/// How the model is run.
pub(super) fn settings(
    options: &States,
    model: &CompiledModel,
    set: FxHashMap<VarId, f64>,
    talk: &Talk,
) -> Result<Options, Usage> {
    run_options(&Simulate::without_rows(&options.how, options.stop_time), model, set, talk)
}

/// Runs a model, and tells what became of its sets, and which modes it was in.
pub(super) fn run(
    options: &States,
    model: &Arc<CompiledModel>,
    set: FxHashMap<VarId, f64>,
    talk: &Talk,
) -> Result<(RunAnswer, Vec<ModeAnswer>, Vec<Diagnostic>), Usage> {
    let settings = settings(options, model, set, talk)?;
    let outcome = simulate(model, &settings, &[], &mut Nobody::watched());
    let answer = RunAnswer::new(model, &outcome, options.advise);
    Ok((answer, outcome.modes.iter().map(ModeAnswer::of).collect(), outcome.diagnostics))
}

impl ModeAnswer {
    fn of(visited: &VisitedMode) -> ModeAnswer {
        let set = |(place, set): (usize, &VisitedSet)| SetAnswer {
            id: place + 1,
            equations: set.equations.clone(),
            candidates: set.candidates.clone(),
            depends: depends(set.depends_on_itself, set.depends_on_others),
        };
        ModeAnswer {
            clock: visited.clock.clone(),
            id: visited.mode.id,
            guards: visited.mode.guards.iter().cloned().collect(),
            n_states: visited.n_states,
            states: visited.states.clone(),
            sets: visited.sets.iter().enumerate().map(set).collect(),
        }
    }
}

impl RunAnswer {
    fn new(model: &CompiledModel, outcome: &Outcome, advises: bool) -> RunAnswer {
        let finished = matches!(outcome.status, Status::Finished | Status::Terminated);
        let history = &outcome.chart_history;
        let advice = if advises && finished { history.advise(model) } else { Vec::new() };
        let sets: Vec<SetRun> = (0..model.solvable.sets.len())
            .map(|place| {
                let advised = advice.get(place).and_then(Option::as_ref);
                let advised =
                    advised.map(|own| Advised { states: names(model, &own.states), worst: own.worst });
                SetRun::new(model, outcome, place, advised)
            })
            .collect();
        let is_advised = !sets.is_empty() && sets.iter().all(|set| set.advice.is_some());
        let states: Vec<VarId> = advice.iter().flatten().flat_map(|advice| advice.states.clone()).collect();
        RunAnswer {
            stop_time: outcome.time,
            finished,
            sets,
            modifiers: is_advised.then(|| modifiers(model, &states)),
            mode_changes: mode_changes(outcome),
            class: model.equations.name.clone(),
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.finished
    }

    /// For people.
    pub(super) fn text(&self, advises: bool) -> String {
        let changes: usize = self.sets.iter().map(|set| set.changes.len()).sum();
        let mut text = format!("\nrun to t = {}", number(self.stop_time));
        let _ = match (self.sets.len(), changes) {
            (0, _) if self.mode_changes.len() == 1 => writeln!(text, ": the mode changes once"),
            (0, _) if !self.mode_changes.is_empty() => {
                writeln!(text, ": the mode changes {} times", self.mode_changes.len())
            }
            (0, _) => writeln!(text, ": there are no state sets, the states never change"),
            (_, 0) => writeln!(text, ": the states never change"),
            (_, 1) => writeln!(text, ": the states change once"),
            (_, n) => writeln!(text, ": the states change {n} times"),
        };
        self.mode_changes.iter().take(LISTED).for_each(|change| change.tell(&mut text));
        if self.mode_changes.len() > LISTED {
            let more = self.mode_changes.len() - LISTED;
            let _ = writeln!(text, "  and {more} changes more: `--json` lists them");
        }
        self.sets.iter().for_each(|set| set.tell(&mut text));
        if advises && !self.sets.is_empty() {
            self.tell_advice(&mut text);
        }
        text
    }

    fn tell_advice(&self, text: &mut String) {
        let _ = writeln!(text, "\nadvice");
        if !self.finished {
            let _ = writeln!(text, "  none: the run did not come to its end");
            return;
        }
        if !self.mode_changes.is_empty() {
            // `always` must hold in each of them, also where more is tied together
            let _ = writeln!(
                text,
                "  none: the mode changes on the way, and states that suit one may be tied in another"
            );
            return;
        }
        for set in &self.sets {
            let _ = match &set.advice {
                Some(Advised { states, worst }) => writeln!(
                    text,
                    "  set {}: {} would have done throughout (smallest pivot {worst:.2} of the largest)",
                    set.id,
                    states.join(", ")
                ),
                None => writeln!(text, "  set {}: each fixed choice comes close to being singular", set.id),
            };
        }
        if let Some(modifiers) = &self.modifiers {
            let _ = writeln!(text, "\n  {}({modifiers})", self.class);
            let _ = writeln!(text, "\nfor this run; with other parameters or start values it may not do");
        }
    }
}

impl SetRun {
    fn new(model: &CompiledModel, outcome: &Outcome, place: usize, advice: Option<Advised>) -> SetRun {
        let changes = outcome.chart_changes.iter().filter(|change| change.set == place);
        let shares = outcome.chart_history.shares(model, place);
        SetRun {
            id: place + 1,
            candidates: names(model, &model.solvable.sets[place].candidates),
            shares: shares
                .iter()
                .map(|(states, share)| Share { states: names(model, states), share: *share })
                .collect(),
            changes: changes.map(Change::of).collect(),
            advice,
        }
    }

    fn tell(&self, text: &mut String) {
        let share = |share: &Share| format!("{} {:.0} %", share.states.join(", "), 100.0 * share.share);
        let shares: Vec<String> = self.shares.iter().take(LISTED).map(share).collect();
        let (id, candidates) = (self.id, self.candidates.join(", "));
        let _ = match shares.is_empty() {
            true => writeln!(text, "  set {id} of {candidates}"),
            false => writeln!(text, "  set {id} of {candidates}: {} of the time", shares.join("; ")),
        };
        for Change { time, from, to } in self.changes.iter().take(LISTED) {
            // as many digits as a plot shows
            let time = format!("{time:.5e}").parse().unwrap_or(*time);
            let _ = writeln!(text, "    t = {}: {} → {}", number(time), from.join(", "), to.join(", "));
        }
        if self.changes.len() > LISTED {
            let _ =
                writeln!(text, "    and {} changes more: `--json` lists them", self.changes.len() - LISTED);
        }
    }
}

fn names(model: &CompiledModel, variables: &[VarId]) -> Vec<String> {
    variables.iter().map(|&v| model.equations.variable(v).name.to_string()).collect()
}
