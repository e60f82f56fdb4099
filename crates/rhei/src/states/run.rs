//! The state sets of a model in the course of a run, and the fixed choice that would have sufficed.

use rhei_equations::VarId;
use rhei_source::Diagnostic;

use super::modifiers::modifiers;
use super::{Mode, StateSet, depends, names};
use crate::engine::{
    Advice, CompiledModel, ModeChange, RunOutcome, SetChange, Status, VisitedMode, VisitedSet, simulate,
};
use crate::watch::Nobody;
use crate::{Experiment, Model, WrongExperiment};

/// The states of a model in the course of a run.
#[derive(Clone, Debug)]
pub struct StateRun {
    /// The time reached.
    pub time: f64,
    /// Whether that is the stop time, or the model ended the run.
    pub is_complete: bool,
    /// The state sets of the model in the mode that it was compiled in.
    pub sets: Vec<SetRun>,
    /// `always` for a fixed choice in all sets, as modifiers of the model; none if one of them has no fixed choice.
    pub modifiers: Option<String>,
    /// Changes of the mode.
    pub mode_changes: Vec<ModeChange>,
    /// The visited modes, in the order of their first entry.
    pub modes: Vec<Mode>,
    /// Errors, warnings and notes of the run.
    pub diagnostics: Vec<Diagnostic>,
}

/// A state set in the course of a run.
#[derive(Clone, Debug)]
pub struct SetRun {
    /// The variables among which the run chose.
    pub candidates: Vec<String>,
    /// The share of the run of each choice of states, the largest first.
    pub shares: Vec<Share>,
    /// The changes of its states.
    pub changes: Vec<SetChange>,
    /// The fixed choice that would have sufficed.
    pub fixed_choice: Option<FixedChoice>,
}

/// The share of the run with one choice of states.
#[derive(Clone, Debug, PartialEq)]
pub struct Share {
    /// The states.
    pub states: Vec<String>,
    /// The share.
    pub share: f64,
}

/// States that need not have changed.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedChoice {
    /// The states.
    pub states: Vec<String>,
    /// The smallest pivot ratio: how close the constraints came to being singular for the others.
    pub worst: f64,
}

impl Model {
    /// Runs it, and reports the states of its state sets over time, the visited modes and, if `advises` is set, the fixed choice
    /// of states that would have sufficed.
    pub fn run_states(&self, experiment: &Experiment, advises: bool) -> Result<StateRun, WrongExperiment> {
        let options = experiment.without_rows().resolve(self)?.options;
        let model = self.compiled();
        let outcome = experiment.watched(&options, &mut Nobody, |sink| simulate(model, &options, &[], sink));
        Ok(StateRun::new(model, outcome, advises))
    }
}

impl StateRun {
    fn new(model: &CompiledModel, outcome: RunOutcome, advises: bool) -> StateRun {
        let is_complete = matches!(outcome.status, Status::Finished | Status::Terminated);
        let history = &outcome.chart_history;
        let advice = if advises && is_complete { history.advise(model) } else { Vec::new() };
        let sets: Vec<SetRun> = (0..model.solvable.sets.len())
            .map(|place| SetRun::new(model, &outcome, place, advice.get(place).and_then(Option::as_ref)))
            .collect();
        let is_advised = !sets.is_empty() && sets.iter().all(|set| set.fixed_choice.is_some());
        let states: Vec<VarId> = advice.iter().flatten().flat_map(|advice| advice.states.clone()).collect();
        StateRun {
            time: outcome.time,
            is_complete,
            sets,
            modifiers: is_advised.then(|| modifiers(model, &states)),
            mode_changes: outcome.mode_changes,
            modes: outcome.modes.iter().map(visited).collect(),
            diagnostics: outcome.diagnostics,
        }
    }
}

impl SetRun {
    fn new(model: &CompiledModel, outcome: &RunOutcome, place: usize, advice: Option<&Advice>) -> SetRun {
        let shares = outcome.chart_history.shares(model, place);
        let share =
            |(states, share): &(Vec<VarId>, f64)| Share { states: names(model, states), share: *share };
        SetRun {
            candidates: names(model, &model.solvable.sets[place].candidates),
            shares: shares.iter().map(share).collect(),
            changes: outcome.chart_changes.iter().filter(|change| change.set == place).cloned().collect(),
            fixed_choice: advice
                .map(|own| FixedChoice { states: names(model, &own.states), worst: own.worst }),
        }
    }
}

fn visited(visited: &VisitedMode) -> Mode {
    Mode {
        clock: visited.clock.clone(),
        id: visited.mode.id,
        guards: visited.mode.guards.to_vec(),
        n_states: visited.n_states,
        states: visited.states.clone(),
        sets: visited.sets.iter().map(|set| visited_set(set, visited.clock.is_some())).collect(),
    }
}

fn visited_set(set: &VisitedSet, is_clocked: bool) -> StateSet {
    StateSet {
        equations: set.equations.clone(),
        candidates: set.candidates.clone(),
        dimension: set.dimension,
        depends: depends(set.depends_on_itself, set.depends_on_others),
        ties: set.ties.clone(),
        is_clocked,
    }
}
