//! Modes of a model whose structure changes at events: which equations hold, and so how many states there are.
//!
//! A run begins with the structure that is common to most modes. Where the guards of the model take values for which that will
//! not do, [`Structures`] makes a model of the equations that hold then. `jump` lands on its constraints.

mod energy;
pub(crate) mod jump;
pub(crate) mod landing_matrix;
pub(crate) mod off;
mod path;

use std::fmt::Debug;
use std::sync::Arc;

use rhei_equations::{EqId, VarId};
use rhei_solvable::{Mode, State, StateSet};
use rhei_source::Diagnostic;
use rustc_hash::FxHashMap;

use crate::Options;
use crate::charts::Charts;
use crate::evaluate::NoValue;
use crate::landing::follow;
use crate::modes::jump::Jump;
use crate::start::{Prepared, Started, jacobians, prepare, state_nominals};
use crate::{CompiledModel, CompiledPart};

/// Modes in the neighbourhood of one that cannot be, before it is said that it cannot.
const MOST_NEIGHBOURS: usize = 200;
/// What is added to what crosses zero by an impulse: more than any finite value.
const INFINITE: f64 = 1e300;
/// Impulses of less than this share of the largest are rounding.
const NO_IMPULSE: f64 = 1e-9;

/// Who knows what a model is in its modes.
pub trait Structures: Debug + Send + Sync {
    /// The model where its guards have these values.
    fn enter(&self, guards: &[bool], occasion: Occasion) -> Result<Entered, Vec<Diagnostic>>;

    /// The model where its guards have these values, without the constraints between what it differentiates; `None` where it has
    /// none.
    fn uncoupled(&self, guards: &[bool]) -> Result<Option<Arc<CompiledModel>>, Vec<Diagnostic>>;

    /// What that has cost so far, all runs of the model together.
    fn work(&self) -> ModeWork;
}

/// What the modes of a model have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeWork {
    /// How often a mode was analysed.
    pub analyses: u64,
    /// Equations that were analysed in all of these.
    pub equations: u64,
    /// How many modes are kept now.
    pub kept: usize,
}

/// When a mode is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// As the run begins.
    Start,
    /// On the way.
    Way,
    /// To see whether the guards could have these values, which they have not yet: with a structure of its own in any case.
    Trial,
}

/// The model in a mode.
#[derive(Clone, Debug)]
pub enum Entered {
    /// As it was compiled: with the structure that is common to most modes.
    Common,
    /// With a structure of its own. The variables that were there before come first, in the same order.
    Own(Arc<CompiledModel>),
}

impl Entered {
    /// The model in this mode, `common` being that with the common structure.
    pub(crate) fn model(self, common: &Arc<CompiledModel>) -> Arc<CompiledModel> {
        match self {
            Entered::Common => common.clone(),
            Entered::Own(model) => model,
        }
    }

    /// Whether a model is in this mode.
    pub(crate) fn is_mode_of(&self, model: &CompiledModel) -> bool {
        match self {
            Entered::Common => model.solvable.mode.id == 0,
            Entered::Own(other) => other.solvable.mode == model.solvable.mode,
        }
    }
}

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

/// Values of guards that differ in one, or then in two.
pub(crate) fn neighbours(guards: &[bool]) -> impl Iterator<Item = Vec<bool>> + '_ {
    let n = guards.len();
    let pairs = (0..n).flat_map(move |a| (a + 1..n).map(move |b| vec![a, b]));
    let flips = (0..n).map(|a| vec![a]).chain(pairs).take(MOST_NEIGHBOURS);
    flips.map(|flips| {
        let mut changed = guards.to_vec();
        flips.into_iter().for_each(|place| changed[place] = !changed[place]);
        changed
    })
}

/// What is to be added to what crosses zero where impulses move it by so much; nothing where they do not.
pub(crate) fn has_impulse(by: f64, jump: &Jump) -> Option<f64> {
    let largest = jump.impulses.iter().fold(0.0, |most: f64, (_, z)| most.max(z.abs()));
    (by.abs() > NO_IMPULSE * largest).then(|| INFINITE.copysign(by))
}

/// All values before a change of the mode, of a model in another mode.
#[derive(Clone)]
pub(crate) struct Left {
    pub(crate) model: Arc<CompiledModel>,
    pub(crate) values: Vec<f64>,
}

impl Left {
    /// The values of all variables of `model`, as far as they were known before: those that are in every mode by place, what
    /// index reduction has added by name.
    pub(crate) fn carried(&self, model: &CompiledModel, values: &mut [f64]) {
        let n_common = self.n_common(model);
        values[..n_common].copy_from_slice(&self.values[..n_common]);
        if n_common == model.equations.variables.len() {
            return;
        }
        let further = self.model.equations.iter_variables().skip(n_common);
        let by_name: FxHashMap<&str, usize> =
            further.map(|(v, variable)| (variable.name.as_str(), v.index())).collect();
        for (v, variable) in model.equations.iter_variables().skip(n_common) {
            if let Some(&place) = by_name.get(variable.name.as_str()) {
                values[v.index()] = self.values[place];
            }
        }
    }

    /// All values of `model` before the change. What was not known is as it is in `entered`; what was, is not: what follows from the
    /// candidates of a state set has been computed there.
    pub(crate) fn of(&self, model: &CompiledModel, entered: &[f64]) -> Vec<f64> {
        let mut before = entered.to_vec();
        self.carried(model, &mut before);
        before
    }

    /// How many of the first variables are the same in both models.
    pub(crate) fn n_common(&self, model: &CompiledModel) -> usize {
        let (a, b) = (&self.model.equations.variables, &model.equations.variables);
        a.iter().zip(b).take_while(|(a, b)| a.name == b.name).count()
    }
}

/// A model in a mode that is entered on the way: all values as they were before, not yet on its constraints.
pub(crate) fn enter(
    model: &Arc<CompiledModel>,
    left: &Left,
    t: f64,
    options: &Options,
) -> Result<Started, NoValue> {
    let Prepared { mut values, mut evaluator, nominals: given } =
        prepare(model, t, &options.set, options.execution)?;
    left.carried(model, &mut values);
    values[model.code.time().index()] = t;
    let mut nominals = state_nominals(model, &given);
    let mut charts = Charts::new(model, &given);
    (0..model.solvable.sets.len()).for_each(|set| follow(model, set, &evaluator, &mut values));
    if let Ok(jacobians) = jacobians(&model.code.sets, &mut evaluator, &mut values) {
        let _ = charts.choose(model, &jacobians);
    }
    charts.write(model, &mut values);
    charts.write_nominals(model, &mut nominals);
    Ok(Started { values, evaluator, nominals, charts, said: Vec::new() })
}
