//! The choice of a model's states, with reasons.

mod change;
#[cfg(test)]
mod claims;
mod modes;
mod modifiers;
mod run;
mod why;

use rhei_equations::VarId;
use rhei_solvable::{Reason, Role, StateSet as SolvableSet};
use rhei_source::Diagnostic;

use self::change::change;
use self::why::{text, why};
use crate::engine::{CompiledModel, begins_in};
use crate::{Experiment, Model, WrongExperiment};

pub use modes::{AllModes, PossibleMode};
pub use run::{FixedChoice, SetRun, Share, StateRun};

/// The states of a model as a run begins, with reasons.
#[derive(Clone, Debug)]
pub struct StateReport {
    /// Number of states, those of state sets among them.
    pub n_states: usize,
    /// Their names, without those of state sets.
    pub states: Vec<String>,
    /// Its state sets.
    pub sets: Vec<StateSet>,
    /// All unknowns, each with its role and the reason, in the order of the model.
    pub variables: Vec<VariableState>,
    /// The mode in which a run begins.
    pub mode: Mode,
    /// Conditions on which the structure of the model may depend.
    pub guards: Vec<String>,
    /// Diagnostics of a run that begins like this.
    pub notes: Vec<Diagnostic>,
}

/// Variables among which a run chooses the states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateSet {
    /// The constraints that tie them.
    pub equations: Vec<String>,
    /// Their names.
    pub candidates: Vec<String>,
    /// Number of them that are states at a time.
    pub dimension: usize,
    /// Dependence of the derivatives of the constraints: `self` on the candidates of this set, `cross` on those of others,
    /// `self+cross`, `independent`.
    pub depends: &'static str,
    /// Pairs of a constraint and a candidate in it, by index.
    pub ties: Vec<(usize, usize)>,
    /// Whether it belongs to a clocked partition.
    pub is_clocked: bool,
}

/// A variable in a choice of states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableState {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// The wish of the modeller: `default`, `never`, `avoid`, `prefer`, `always`.
    pub select: &'static str,
    /// The reason, as a sentence.
    pub why: String,
    /// A modification that would change its role, if there is one.
    pub change: Option<String>,
    /// The constraints that give it from states, if it is a dummy.
    pub given_by: Vec<String>,
    /// The states they give it from.
    pub given_from: Vec<String>,
    /// Whether it belongs to a clocked partition.
    pub is_clocked: bool,
    /// Whether it is a derivative introduced by index reduction.
    pub is_introduced: bool,
}

/// A mode of a model: the active conditional equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mode {
    /// The clock of the partition whose mode it is; none for the unclocked part.
    pub clock: Option<String>,
    /// Its number.
    pub id: u32,
    /// The conditions, with their values; none for the structure that is common to most modes.
    pub guards: Vec<(String, bool)>,
    /// Number of its states.
    pub n_states: usize,
    /// Their names, without those of state sets.
    pub states: Vec<String>,
    /// Its state sets.
    pub sets: Vec<StateSet>,
}

impl Model {
    /// Its states, as a run begins in this experiment, with reasons and with ways to get others.
    pub fn states(&self, experiment: &Experiment) -> Result<StateReport, WrongExperiment> {
        let options = experiment.without_rows().resolve_at_start(self)?.options;
        let begun = begins_in(self.compiled(), &options);
        Ok(StateReport { guards: guards(self.compiled()), ..report(&begun) })
    }
}

fn report(model: &CompiledModel) -> StateReport {
    let solvable = &model.solvable;
    let parts = || model.parts.iter().map(|part| &*part.model);
    let sets = solvable.sets.iter().map(|set| state_set(model, set, false));
    let clocked = parts().flat_map(|of| of.solvable.sets.iter().map(move |set| state_set(of, set, true)));
    let sets: Vec<StateSet> = sets.chain(clocked).collect();
    // states of clocked partitions are states too; the memory of `previous` is not
    let states: Vec<String> = model.states().iter().map(|variable| variable.name.to_string()).collect();
    let n_clocked: usize = model.parts.iter().map(|part| part.schedule.states.len()).sum();
    let n_states = solvable.states.len() + n_clocked;
    let mut variables = variables(model, false);
    variables.extend(parts().flat_map(|part| self::variables(part, true)));
    let mode = Mode {
        clock: None,
        id: solvable.mode.id,
        guards: solvable.mode.guards.to_vec(),
        n_states,
        states: states.clone(),
        sets: sets.clone(),
    };
    let notes = model.start_notes.clone();
    StateReport { n_states, states, sets, variables, mode, guards: Vec::new(), notes }
}

/// The conditions on which the structure of a model may depend, or of a clocked partition of it.
fn guards(model: &CompiledModel) -> Vec<String> {
    let parts = model.parts.iter().filter(|part| part.modes.is_some()).map(|part| &part.model.equations);
    let all = std::iter::once(&model.equations).chain(parts);
    all.flat_map(|of| of.guards.iter().map(|guard| of.guard_text(guard))).collect()
}

/// The variables that a model, or a clocked partition of it, computes.
fn variables(model: &CompiledModel, is_clocked: bool) -> Vec<VariableState> {
    let all = model.equations.iter_variables();
    let computed = all.filter(|(_, variable)| variable.is_unknown() && !variable.is_hidden);
    let state = |(v, variable): (VarId, &rhei_equations::Variable)| {
        let choice = &model.solvable.roles[v.index()];
        let (given_by, given_from) = match &choice.reason {
            Reason::Deselected { by, from, .. } => {
                let mut from = from.first.clone();
                from.sort_unstable();
                (by.first.iter().map(|&e| text(model.into(), e)).collect(), names(model, &from))
            }
            _ => (Vec::new(), Vec::new()),
        };
        let why = why(model.into(), v, choice)?;
        Some(VariableState {
            name: variable.name.to_string(),
            role: choice.role,
            select: choice.select.name(),
            why,
            change: change(model.into(), v, choice),
            given_by,
            given_from,
            is_clocked,
            is_introduced: variable.is_introduced,
        })
    };
    computed.filter_map(state).collect()
}

fn state_set(model: &CompiledModel, set: &SolvableSet, is_clocked: bool) -> StateSet {
    StateSet {
        equations: set.equations.iter().map(|&e| text(model.into(), e)).collect(),
        candidates: names(model, &set.candidates),
        dimension: set.dimension(),
        depends: depends(set.depends_on_itself, set.depends_on_others),
        ties: set.ties(),
        is_clocked,
    }
}

/// The dependence of the derivatives of the constraints of a set.
fn depends(on_itself: bool, on_others: bool) -> &'static str {
    match (on_itself, on_others) {
        (true, true) => "self+cross",
        (true, false) => "self",
        (false, true) => "cross",
        (false, false) => "independent",
    }
}

fn names(model: &CompiledModel, variables: &[VarId]) -> Vec<String> {
    variables.iter().map(|&v| model.equations.variable(v).name.to_string()).collect()
}
