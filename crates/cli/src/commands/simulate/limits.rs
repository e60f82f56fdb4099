//! The causes of a slow run, for people with `--timings` and for scripts.

use rhei::{LoopWork, Outcome};
use rhei_source::Files;
use serde::Serialize;

use crate::talk::Talk;

/// Most unknowns of a loop that are named.
const NAMED: usize = 4;

#[derive(Default, Serialize)]
pub(super) struct LimitsAnswer {
    /// States with the steps that each kept short.
    steps: Vec<StepsAnswer>,
    loops: Vec<LoopAnswer>,
    /// Conditions with how often each switched.
    events: Vec<EventsAnswer>,
}

#[derive(Serialize)]
struct StepsAnswer {
    state: String,
    steps: u64,
}

#[derive(Serialize)]
struct LoopAnswer {
    unknowns: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceAnswer>,
    solves: u64,
    newton: u64,
}

#[derive(Serialize)]
struct PlaceAnswer {
    file: String,
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct EventsAnswer {
    condition: String,
    count: u64,
}

/// For scripts.
pub(super) fn answer(outcome: &Outcome, files: &Files) -> LimitsAnswer {
    let limits = &outcome.limits;
    let of_loop = |work: &LoopWork| LoopAnswer {
        unknowns: work.unknowns.clone(),
        place: place(work, files),
        solves: work.solves,
        newton: work.iterations,
    };
    let steps =
        limits.states.iter().map(|(state, steps)| StepsAnswer { state: state.clone(), steps: *steps });
    let events = limits.conditions.iter();
    let events =
        events.map(|(condition, count)| EventsAnswer { condition: condition.clone(), count: *count });
    LimitsAnswer {
        steps: steps.collect(),
        loops: limits.loops.iter().map(of_loop).collect(),
        events: events.collect(),
    }
}

fn place(work: &LoopWork, files: &Files) -> Option<PlaceAnswer> {
    let span = work.span?;
    let position = files.position(span);
    let file = files.get(span.file).path.display().to_string();
    Some(PlaceAnswer { file, line: position.line, column: position.column })
}

/// For people: one line for each kind with entries.
pub(super) fn tell(outcome: &Outcome, files: &Files, talk: &Talk) {
    let limits = &outcome.limits;
    let counted = |all: &[(String, u64)]| {
        let all: Vec<String> = all.iter().map(|(name, count)| format!("`{name}` {count}")).collect();
        all.join(", ")
    };
    if !limits.states.is_empty() {
        talk.say(&format!("steps kept short by: {}", counted(&limits.states)));
    }
    for work in &limits.loops {
        let mut names: Vec<String> =
            work.unknowns.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        if work.unknowns.len() > NAMED {
            names.push(format!("{} more", work.unknowns.len() - NAMED));
        }
        let place =
            place(work, files).map_or(String::new(), |place| format!(" ({}:{})", place.file, place.line));
        let (iterations, solves) = (work.iterations, work.solves);
        let names = names.join(", ");
        talk.say(&format!("loop of {names}{place}: {iterations} Newton iterations in {solves} solutions"));
    }
    if !limits.conditions.is_empty() {
        talk.say(&format!("conditions that switched: {}", counted(&limits.conditions)));
    }
}
