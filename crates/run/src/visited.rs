//! What is told of the modes of a run: those it was in, and each change from one to another.

use rhei_equations::{EqId, VarId};
use rhei_model::{CompiledModel, CompiledPart};
use rhei_solvable::{Mode, State, StateSet};
use rustc_hash::FxHashSet;

/// A change of the mode.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeChange {
    /// When.
    pub time: f64,
    /// The clock of the part that changes its mode; none for the part of the model that does not tick.
    pub clock: Option<String>,
    /// The mode before, by its number.
    pub from: u32,
    /// The mode after.
    pub to: u32,
    /// The guards that are others than before, with their values.
    pub because: Vec<(String, bool)>,
    /// What jumped: its value before and after.
    pub jumps: Vec<(String, f64, f64)>,
    /// What had an impulse, and how large.
    pub impulses: Vec<(String, f64)>,
    /// What stayed the same all the same.
    pub conserved: Vec<String>,
    /// The energy in what jumped, before and after: where it is stored by constants, and the impulses take from it only.
    pub energy: Option<(f64, f64)>,
    /// How many states there are now.
    pub n_states: usize,
    /// Modes that were tried on the way and found impossible.
    pub tried: Vec<u32>,
}

/// A mode that a run was in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitedMode {
    /// The clock of the part whose mode it is; none for the part of the model that does not tick.
    pub clock: Option<String>,
    /// Its number, and the values of its guards; none for the structure that is common to most modes.
    pub mode: Mode,
    /// How many states it has.
    pub n_states: usize,
    /// Their names, without those of state sets.
    pub states: Vec<String>,
    /// Its state sets.
    pub sets: Vec<VisitedSet>,
}

/// A state set of a mode that a run was in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitedSet {
    /// Its constraints.
    pub equations: Vec<String>,
    /// The names of its candidates.
    pub candidates: Vec<String>,
    /// How many of them are states.
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

    /// The mode in which a run begins; that of a model without modes does not count beside parts that have some.
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

/// Modes and changes of the mode that are kept.
const MOST_TOLD: usize = 10_000;

/// The modes of a run.
#[derive(Clone)]
pub(crate) struct Visits {
    pub(crate) changes: Vec<ModeChange>,
    pub(crate) changes_left_out: u64,
    /// In the order in which they were entered first.
    pub(crate) modes: Vec<VisitedMode>,
    /// The numbers of the modes it was in.
    numbers: FxHashSet<u32>,
    /// How many modes the parts that tick were in.
    of_clocks: usize,
    /// The guards as they were told last.
    pub(crate) guards: Vec<bool>,
}

impl Visits {
    /// Where a run begins in the mode of `model`.
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

    /// Keeps what there is to say about a change, or that there is more than is kept.
    pub(crate) fn note_change(&mut self, change: ModeChange) {
        if self.changes.len() < MOST_TOLD {
            self.changes.push(change);
        } else {
            self.changes_left_out += 1;
        }
    }

    /// Notes that a mode was entered; says whether it is a new one that is kept.
    pub(crate) fn note_mode(&mut self, model: &CompiledModel) -> bool {
        let is_kept = self.numbers.insert(model.solvable.mode.id) && self.modes.len() < MOST_TOLD;
        if is_kept {
            self.modes.push(VisitedMode::new(model));
        }
        is_kept
    }

    /// Notes the modes that parts which tick were in for the first time.
    pub(crate) fn note_modes_of_clocks(&mut self, visited: Vec<VisitedMode>) {
        self.of_clocks += visited.len();
        let room = MOST_TOLD.saturating_sub(self.modes.len());
        self.modes.extend(visited.into_iter().take(room));
    }

    /// How many modes it was in; one that never changes counts only where no other does.
    pub(crate) fn count(&self, base: &CompiledModel) -> usize {
        match (&base.modes, self.of_clocks) {
            (None, of_clocks @ 1..) => of_clocks,
            (_, of_clocks) => self.numbers.len() + of_clocks,
        }
    }
}
