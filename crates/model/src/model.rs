//! The compiled model, shared between runs.

use std::sync::{Arc, OnceLock};

use rhei_equations::{Equations, Notation, VarId, Variable};
use rhei_kernel::{Code, Moves, Slices, Slot, Without};
use rhei_results::{Column, Columns, Kind};
use rhei_solvable::Solvable;
use rhei_source::Diagnostic;

use crate::aliases::mark_aliases;
use crate::carried::KnownCarried;
use crate::complementary_plan::ComplementaryPlan;
use crate::places::Places;
use crate::{CompiledPart, JacobianPlan, LandingPlan, Structures};

/// A model ready to run. Immutable: a thousand runs can share one.
#[derive(Debug)]
pub struct CompiledModel {
    /// Its variables and equations.
    pub equations: Equations,
    /// How they are solved.
    pub solvable: Solvable,
    /// The code of these.
    pub code: Code,
    /// Its clocked partitions.
    pub parts: Arc<[Arc<CompiledPart>]>,
    /// Diagnostics for runs that begin in this mode.
    pub start_notes: Vec<Diagnostic>,
    /// Whether no run can begin with this structure; it may be entered on the way.
    pub is_refused_at_start: bool,
    /// Diagnostics for all runs that enter this mode.
    pub entry_notes: Vec<Diagnostic>,
    /// Its other modes, if it has any.
    pub modes: Option<Arc<dyn Structures>>,
    /// The Jacobian that implicit integrators are given.
    pub jacobian: JacobianPlan,
    /// That of the states alone, made on demand, if the other one has inner unknowns.
    of_states: OnceLock<JacobianPlan>,
    /// Places of the states.
    pub states: Places,
    /// Places of the derivatives of the states.
    pub derivatives: Places,
    /// The structure of projections in this mode, made at the first one.
    landing: OnceLock<LandingPlan>,
    /// Its common variables with the modes from which it was entered.
    pub(crate) carried: KnownCarried,
    /// The formulas of the event indicators, made on demand.
    crossing_slices: OnceLock<Arc<Slices>>,
    /// The equations of all modes for a complementarity problem, made at the first change of the mode.
    complementary: OnceLock<Option<ComplementaryPlan>>,
}

impl CompiledModel {
    /// The model with its code, and the Jacobian that implicit integrators are given.
    pub fn new(equations: Equations, solvable: Solvable, code: Code, jacobian: JacobianPlan) -> Self {
        let states = Places::new(solvable.states.iter().map(|state| state.variable));
        let derivatives = Places::new(solvable.states.iter().map(|state| state.derivative));
        let parts = Arc::from([]);
        CompiledModel {
            equations,
            solvable,
            code,
            parts,
            start_notes: Vec::new(),
            is_refused_at_start: false,
            entry_notes: Vec::new(),
            modes: None,
            jacobian,
            of_states: OnceLock::new(),
            states,
            derivatives,
            landing: OnceLock::new(),
            carried: KnownCarried::default(),
            crossing_slices: OnceLock::new(),
            complementary: OnceLock::new(),
        }
    }

    /// The Jacobian of the states alone.
    pub fn state_jacobian(&self) -> &JacobianPlan {
        match self.jacobian.inner.is_empty() {
            true => &self.jacobian,
            false => self.of_states.get_or_init(|| JacobianPlan::of_states(&self.equations, &self.solvable)),
        }
    }

    /// The structure of projections in this mode.
    pub fn landing(&self) -> &LandingPlan {
        self.landing.get_or_init(|| LandingPlan::new(self))
    }

    /// The equations of all modes for a complementarity problem; none if it has only one, or no relation chooses between them.
    pub fn complementary(&self) -> Option<&ComplementaryPlan> {
        let find = || self.modes.as_ref().and_then(|modes| ComplementaryPlan::new(modes.equations()));
        self.complementary.get_or_init(find).as_ref()
    }

    /// The formulas of the event indicators between events.
    pub fn crossing_slices(&self) -> Arc<Slices> {
        let find = || {
            let mut moves = vec![Moves::Not; self.equations.variables.len()];
            self.solvable.states.iter().for_each(|state| moves[state.variable.index()] = Moves::WithStates);
            let events = &self.equations.events;
            let past = events.delays.iter().map(|delay| delay.result);
            let past = past.chain(events.transports.iter().flat_map(|each| each.ends));
            past.for_each(|v| moves[v.index()] = Moves::Beyond(Without::Past));
            let time = self.code.time();
            let moving = |slot: Slot| match moves.get(slot.index()) {
                Some(moves) => *moves,
                None if slot == time => Moves::WithTime,
                None => Moves::Not,
            };
            let routines = [&self.code.dynamic, &self.code.watched];
            Arc::new(Slices::new(&routines, &self.code.crossings, &moving))
        };
        self.crossing_slices.get_or_init(find).clone()
    }

    /// The same with clocked partitions.
    pub fn with_parts(self, parts: impl Into<Arc<[Arc<CompiledPart>]>>) -> Self {
        CompiledModel { parts: parts.into(), ..self }
    }

    /// The same with diagnostics for runs that begin in this mode.
    pub fn with_start_notes(self, start_notes: Vec<Diagnostic>) -> Self {
        CompiledModel { start_notes, ..self }
    }

    /// The same, marked whether no run can begin with this structure.
    pub fn refused_at_start(self, is_refused_at_start: bool) -> Self {
        CompiledModel { is_refused_at_start, ..self }
    }

    /// The same with diagnostics for all runs that enter this mode.
    pub fn with_entry_notes(self, entry_notes: Vec<Diagnostic>) -> Self {
        CompiledModel { entry_notes, ..self }
    }

    /// The same with other modes.
    pub fn with_modes(self, modes: Arc<dyn Structures>) -> Self {
        CompiledModel { modes: Some(modes), ..self }
    }

    /// All its states, those of clocked partitions among them, but not those that the run chooses in state sets.
    pub fn states(&self) -> Vec<&Variable> {
        let ticking = self.parts.iter().map(|part| (&part.model.equations, &part.schedule.states));
        let all = std::iter::once((&self.equations, &self.solvable.states)).chain(ticking);
        let all =
            all.flat_map(|(equations, states)| states.iter().map(|state| equations.variable(state.variable)));
        all.filter(|variable| !variable.is_hidden).collect()
    }

    /// The notation of this model's expressions.
    pub fn notation(&self) -> Notation<'_> {
        self.equations.notation()
    }

    /// The columns that can be recorded: every variable of the model and the derivatives of its states, by id, as far as
    /// `wanted` selects them.
    pub fn columns(&self, wanted: impl Fn(&str) -> bool) -> (Columns, Vec<VarId>) {
        let mut columns = Columns::new();
        let mut variables = Vec::new();
        let is_of_model = |v: &rhei_equations::Variable| !v.is_introduced && !v.is_hidden;
        let mut is_shown: Vec<bool> = self.equations.variables.iter().map(is_of_model).collect();
        for state in &self.solvable.states {
            is_shown[state.derivative.index()] = !self.equations.variable(state.variable).is_hidden;
        }
        let shown = self.equations.iter_variables().filter(|(v, _)| is_shown[v.index()]);
        for (v, variable) in shown.filter(|(_, variable)| wanted(&variable.name)) {
            let kind = match variable {
                variable if variable.is_parameter() => Kind::Constant,
                variable if variable.is_discrete => Kind::Discrete,
                _ => Kind::Continuous,
            };
            let unit = (!variable.unit.is_empty()).then(|| variable.unit.to_string());
            let description = variable.description.to_string();
            columns.push(Column { unit, description, ..Column::new(variable.name.as_str(), kind) });
            variables.push(v);
        }
        mark_aliases(&self.equations.pool, &self.solvable, &mut columns, &variables);
        (columns, variables)
    }
}
