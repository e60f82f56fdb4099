//! The outcome of a run: a line for people, JSON for scripts.

use std::collections::BTreeMap;
use std::fmt::Write;

use rhei::{BalanceWork, Compilation, Integration, ModeChange, Outcome, SetChange, Status, instant, number};
use rhei_source::{Diagnostic, Report, ReportedDiagnostic};
use serde::Serialize;

use super::limits::{self, LimitsAnswer};
use crate::talk::Talk;

/// Most jumped variables, and most guards, in a line for people.
const TOLD: usize = 6;

/// The outcome for people.
pub(super) fn summary(model: &str, outcome: &Outcome, seconds: f64, talk: &Talk) {
    let statistics = &outcome.statistics;
    let word = word(outcome.status);
    for integration in &outcome.integrations {
        let Integration { method, tolerance, because } = integration;
        let because = because.map_or(String::new(), |because| format!(": {because}"));
        talk.explain(&format!("integrated by {method} with a tolerance of {}{because}", number(*tolerance)));
    }
    let events = if outcome.events > 0 { format!(", {} events", outcome.events) } else { String::new() };
    talk.say(&format!(
        "{model}: {word} at t = {} in {:.3} s: {} steps, {} rejected, {} Jacobians{events}",
        instant(outcome.time),
        seconds,
        statistics.steps,
        statistics.rejected,
        statistics.jacobians
    ));
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Finished => "finished",
        Status::Terminated => "terminated",
        Status::Stopped => "stopped",
        Status::Failed => "failed",
    }
}

#[derive(Serialize)]
struct Answer<'a> {
    model: &'a str,
    status: &'a str,
    stop_time: f64,
    steps: u64,
    rejected: u64,
    events: u64,
    solver: Solver,
    sets: Vec<SetAnswer>,
    chart_changes: usize,
    modes_analysed: usize,
    mode_changes: Vec<ModeChangeAnswer>,
    mode_changes_left_out: u64,
    balance: Vec<BalanceAnswer>,
    limits: LimitsAnswer,
    diagnostics: Vec<ReportedDiagnostic>,
    timings: BTreeMap<&'static str, f64>,
}

#[derive(Serialize)]
struct SetAnswer {
    id: usize,
    changes: Vec<Change>,
}

/// A change of the states of a set.
#[derive(Serialize)]
pub(in crate::commands) struct Change {
    pub(in crate::commands) time: f64,
    pub(in crate::commands) from: Vec<String>,
    pub(in crate::commands) to: Vec<String>,
}

impl Change {
    pub(in crate::commands) fn of(change: &SetChange) -> Change {
        Change { time: change.time, from: change.from.clone(), to: change.to.clone() }
    }
}

/// A change of the mode.
#[derive(Serialize)]
pub(in crate::commands) struct ModeChangeAnswer {
    time: f64,
    /// The clock, if a clocked partition changes its mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<String>,
    from: u32,
    to: u32,
    /// The guards that have changed.
    because: BTreeMap<String, bool>,
    n_states: usize,
    jumps: BTreeMap<String, [f64; 2]>,
    impulses: BTreeMap<String, f64>,
    conserved: Vec<String>,
    /// Before and after.
    #[serde(skip_serializing_if = "Option::is_none")]
    energy: Option<[f64; 2]>,
    tried: Vec<u32>,
}

impl ModeChangeAnswer {
    /// For people.
    pub(in crate::commands) fn tell(&self, text: &mut String) {
        // as many digits as a plot shows
        let short = |value: f64| number(format!("{value:.5e}").parse().unwrap_or(value));
        let states = if self.n_states == 1 { "state" } else { "states" };
        let (from, to, n) = (self.from, self.to, self.n_states);
        let _ = write!(text, "  t = {}: mode {from} → {to}", short(self.time));
        let guards = self.because.iter().take(TOLD).map(|(guard, value)| format!("`{guard}` is {value}"));
        let guards: Vec<String> = guards.collect();
        let _ = match guards.is_empty() {
            true => Ok(()),
            false => write!(text, " as {}", guards.join(", ")),
        };
        let _ = write!(text, ", {n} {states}");
        let names: Vec<&str> = self.jumps.keys().take(TOLD).map(String::as_str).collect();
        let more = if self.jumps.len() > TOLD { ", …" } else { "" };
        let _ = match names.is_empty() {
            true => Ok(()),
            false => write!(text, ", {}{more} jump", names.join(", ")),
        };
        if let Some([before, after]) = self.energy {
            let _ = write!(text, ", energy {} → {}", short(before), short(after));
        }
        let _ = writeln!(text);
    }
}

/// Reports of changes of the mode.
pub(in crate::commands) fn mode_changes(changes: &[ModeChange]) -> Vec<ModeChangeAnswer> {
    let answer = |change: &ModeChange| ModeChangeAnswer {
        time: change.time,
        clock: change.clock.clone(),
        from: change.from,
        to: change.to,
        because: change.because.iter().cloned().collect(),
        n_states: change.n_states,
        jumps: change.jumps.iter().map(|(name, before, after)| (name.clone(), [*before, *after])).collect(),
        impulses: change.impulses.iter().cloned().collect(),
        conserved: change.conserved.clone(),
        energy: change.energy.map(|(before, after)| [before, after]),
        tried: change.tried.clone(),
    };
    changes.iter().map(answer).collect()
}

/// The state sets of a model, each with the changes of its states.
fn sets(outcome: &Outcome) -> Vec<SetAnswer> {
    let changes_of = |set: usize| {
        let own = outcome.set_changes.iter().filter(|change| change.set == set);
        own.map(Change::of).collect()
    };
    (0..outcome.n_sets).map(|set| SetAnswer { id: set + 1, changes: changes_of(set) }).collect()
}

#[derive(Serialize)]
struct BalanceAnswer {
    variables: Vec<String>,
    solves: u64,
    calls: u64,
    continuations: u64,
    /// The most calls of one search, by Newton's method alone and along the flow.
    most_calls: [u32; 2],
    /// The end of each step, with the calls since the last.
    calls_per_step: Vec<(f64, u32)>,
}

/// The work of the groups of balances.
fn balances(outcome: &Outcome) -> Vec<BalanceAnswer> {
    let answer = |work: &BalanceWork| BalanceAnswer {
        variables: work.variables.clone(),
        solves: work.solves,
        calls: work.calls,
        continuations: work.continuations,
        most_calls: work.most_calls,
        calls_per_step: work.steps.iter().map(|step| (step.time, step.calls)).collect(),
    };
    outcome.balances.iter().map(answer).collect()
}

#[derive(Serialize)]
struct Solver {
    /// Methods and tolerances that integrated; more than one if a mode needs another.
    integrations: Vec<IntegrationAnswer>,
    newton: u64,
    jacobians: u64,
    order: u32,
}

#[derive(Serialize)]
struct IntegrationAnswer {
    method: &'static str,
    tolerance: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<&'static str>,
}

impl IntegrationAnswer {
    fn of(integration: &Integration) -> IntegrationAnswer {
        let Integration { method, tolerance, because } = *integration;
        IntegrationAnswer { method: method.name(), tolerance, because }
    }
}

/// The outcome for scripts.
pub(super) fn answer(
    talk: &Talk,
    done: &Compilation,
    said: &[Diagnostic],
    outcome: Option<&Outcome>,
    seconds: f64,
) {
    if !talk.json {
        return;
    }
    let statistics = outcome.map(|outcome| outcome.statistics).unwrap_or_default();
    let mut timings: BTreeMap<&'static str, f64> =
        done.timings.iter().map(|(pass, duration)| (*pass, duration.as_secs_f64())).collect();
    if outcome.is_some() {
        timings.insert("simulate", seconds);
    }
    talk.answer(&Answer {
        model: &done.name,
        status: outcome.map_or("failed", |outcome| word(outcome.status)),
        stop_time: outcome.map_or(0.0, |outcome| outcome.time),
        steps: statistics.steps,
        rejected: statistics.rejected,
        events: outcome.map_or(0, |outcome| outcome.events),
        solver: Solver {
            integrations: outcome
                .map_or(&[][..], |outcome| &outcome.integrations)
                .iter()
                .map(IntegrationAnswer::of)
                .collect(),
            newton: statistics.newton_iterations,
            jacobians: statistics.jacobians,
            order: statistics.order,
        },
        chart_changes: outcome.map_or(0, |outcome| outcome.set_changes.len()),
        sets: outcome.map_or_else(Vec::new, sets),
        modes_analysed: outcome.map_or(0, |outcome| outcome.modes_visited),
        mode_changes: outcome.map_or_else(Vec::new, |outcome| mode_changes(&outcome.mode_changes)),
        mode_changes_left_out: outcome.map_or(0, |outcome| outcome.mode_changes_left_out),
        balance: outcome.map_or_else(Vec::new, balances),
        limits: outcome.map(|outcome| limits::answer(outcome, &done.files)).unwrap_or_default(),
        diagnostics: Report::new(said, &done.files).diagnostics,
        timings,
    });
}
