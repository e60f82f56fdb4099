//! The state sets of a model in the course of a run, and the fixed choice that would have sufficed.

use std::fmt::Write;

use rhei::{StateRun, number};
use serde::Serialize;

use crate::commands::simulate::answer::{Change, ModeChangeAnswer, mode_changes};

/// Most changes of one set that are listed for people.
const LISTED: usize = 12;

#[derive(Serialize)]
pub(super) struct RunAnswer {
    stop_time: f64,
    finished: bool,
    sets: Vec<SetRun>,
    /// Modifiers for all sets; none if one of them has no fixed choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    modifiers: Option<String>,
    /// Changes of the mode during the run.
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
    /// The fixed choice that would have sufficed.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<Advised>,
}

/// The share of the run with these states.
#[derive(Serialize)]
struct Share {
    states: Vec<String>,
    share: f64,
}

#[derive(Serialize)]
struct Advised {
    states: Vec<String>,
    /// Smallest pivot ratio.
    worst: f64,
}

impl RunAnswer {
    pub(super) fn new(class: &str, run: &StateRun) -> RunAnswer {
        let sets = run.sets.iter().enumerate().map(|(place, set)| SetRun::new(place, set));
        RunAnswer {
            stop_time: run.time,
            finished: run.is_complete,
            sets: sets.collect(),
            modifiers: run.modifiers.clone(),
            mode_changes: mode_changes(&run.mode_changes),
            class: class.to_owned(),
        }
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
            // `always` must hold in each of them, also in those with more constraints
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
    fn new(place: usize, set: &rhei::SetRun) -> SetRun {
        let share = |share: &rhei::Share| Share { states: share.states.clone(), share: share.share };
        let choice = set.fixed_choice.as_ref();
        SetRun {
            id: place + 1,
            candidates: set.candidates.clone(),
            shares: set.shares.iter().map(share).collect(),
            changes: set.changes.iter().map(Change::of).collect(),
            advice: choice.map(|own| Advised { states: own.states.clone(), worst: own.worst }),
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
