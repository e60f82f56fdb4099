//! Reports on the modes of a run: those visited, and each change from one to another.

use rhei_equations::{EqId, VarId};
use rhei_model::{CompiledModel, CompiledPart};
use rhei_solvable::{Mode, State, StateSet};
use rustc_hash::FxHashSet;

use crate::constants::MODES_KEPT;

/// A change of the mode.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeChange {
    /// Time of the change.
    pub time: f64,
    /// The clock of the partition that changes its mode; none for the unclocked part of the model.
    pub clock: Option<String>,
    /// The mode before, by its number.
    pub from: u32,
    /// The mode after.
    pub to: u32,
    /// The guards that changed, with their values.
    pub because: Vec<(String, bool)>,
    /// Variables that jumped, with their values before and after.
    pub jumps: Vec<(String, f64, f64)>,
    /// Variables with an impulse, and its size.
    pub impulses: Vec<(String, f64)>,
    /// Conserved quantities.
    pub conserved: Vec<String>,
    /// The energy of the variables that jumped, before and after: if it is stored by constants, and impulses only dissipate it.
    pub energy: Option<(f64, f64)>,
    /// Number of states after the change.
    pub n_states: usize,
    /// Modes that were tried on the way and found impossible.
    pub tried: Vec<u32>,
}

/// A visited mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitedMode {
    /// The clock of the partition whose mode it is; none for the unclocked part of the model.
    pub clock: Option<String>,
    /// Its number, and the values of its guards; none for the structure that is common to most modes.
    pub mode: Mode,
    /// Number of its states.
    pub n_states: usize,
    /// Their names, without those of state sets.
    pub states: Vec<String>,
    /// Its state sets.
    pub sets: Vec<VisitedSet>,
}

/// A state set of a visited mode.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitedSet {
    /// Its constraints.
    pub equations: Vec<String>,
    /// The names of its candidates.
    pub candidates: Vec<String>,
    /// Number of them that are states.
    pub dimension: usize,
    /// Which candidates stand in which constraints, by place.
    pub ties: Vec<(usize, usize)>,
    /// Whether the derivatives of its constraints depend on its own candidates.
    pub depends_on_itself: bool,
    /// Whether they depend on candidates of other sets.
    pub depends_on_others: bool,
}

impl VisitedMode {
    pub(crate) fn new(model: &CompiledModel) -> VisitedMode {
        Self::with_states(model, &model.solvable.states, None)
    }

    /// The mode in which a run begins; that of a model without modes does not count beside clocked partitions with modes.
    pub(crate) fn at_start(model: &CompiledModel, base: &CompiledModel) -> Vec<VisitedMode> {
        let has_ticking_modes = base.parts.iter().any(|part| part.modes.is_some());
        if base.modes.is_none() && has_ticking_modes { Vec::new() } else { vec![VisitedMode::new(model)] }
    }

    pub(crate) fn of_part(part: &CompiledPart) -> VisitedMode {
        let clock = part.schedule.rhythms.first().map(|rhythm| rhythm.name.clone());
        Self::with_states(&part.model, &part.schedule.states, clock)
    }

    fn with_states(model: &CompiledModel, of_mode: &[State], clock: Option<String>) -> VisitedMode {
        let solvable = &model.solvable;
        let name = |v: VarId| model.equations.variable(v).name.to_string();
        let states = of_mode.iter().map(|state| state.variable);
        let text = |e: &EqId| model.notation().equation(&model.equations.equations[e.index()]);
        let set = |set: &StateSet| VisitedSet {
            equations: set.equations.iter().map(text).collect(),
            candidates: set.candidates.iter().copied().map(name).collect(),
            dimension: set.dimension(),
            ties: set.ties(),
            depends_on_itself: set.depends_on_itself,
            depends_on_others: set.depends_on_others,
        };
        VisitedMode {
            mode: solvable.mode.clone(),
            clock,
            n_states: of_mode.len(),
            states: states.filter(|&v| !model.equations.variable(v).is_hidden).map(name).collect(),
            sets: solvable.sets.iter().map(set).collect(),
        }
    }
}

/// The modes of a run.
#[derive(Clone)]
pub(crate) struct Visits {
    pub(crate) changes: Vec<ModeChange>,
    pub(crate) changes_left_out: u64,
    /// In the order in which they were entered first.
    pub(crate) modes: Vec<VisitedMode>,
    /// The numbers of the visited modes.
    numbers: FxHashSet<u32>,
    /// Number of modes that clocked partitions visited.
    of_clocks: usize,
    /// The guards at the last reported change.
    pub(crate) guards: Vec<bool>,
}

impl Visits {
    /// The visits of a run that begins in the mode of `model`.
    pub(crate) fn at_start(model: &CompiledModel, base: &CompiledModel, guards: Vec<bool>) -> Visits {
        Visits {
            changes: Vec::new(),
            changes_left_out: 0,
            modes: VisitedMode::at_start(model, base),
            numbers: FxHashSet::from_iter([model.solvable.mode.id]),
            of_clocks: 0,
            guards,
        }
    }

    /// Keeps the report of a change, or counts it if there are too many.
    pub(crate) fn note_change(&mut self, change: ModeChange) {
        if self.changes.len() < MODES_KEPT {
            self.changes.push(change);
        } else {
            self.changes_left_out += 1;
        }
    }

    /// Notes a mode that was entered; says whether it is a new one that is kept.
    pub(crate) fn note_mode(&mut self, model: &CompiledModel) -> bool {
        let is_kept = self.numbers.insert(model.solvable.mode.id) && self.modes.len() < MODES_KEPT;
        if is_kept {
            self.modes.push(VisitedMode::new(model));
        }
        is_kept
    }

    /// Notes the modes that clocked partitions entered for the first time.
    pub(crate) fn note_modes_of_clocks(&mut self, visited: Vec<VisitedMode>) {
        self.of_clocks += visited.len();
        let room = MODES_KEPT.saturating_sub(self.modes.len());
        self.modes.extend(visited.into_iter().take(room));
    }

    /// Number of visited modes; one that never changes counts only if no other does.
    pub(crate) fn count(&self, base: &CompiledModel) -> usize {
        match (&base.modes, self.of_clocks) {
            (None, of_clocks @ 1..) => of_clocks,
            (_, of_clocks) => self.numbers.len() + of_clocks,
        }
    }
}
