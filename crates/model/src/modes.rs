//! A model in its modes, which differ in their equations, and so in the number of states.
//!
//! A run begins with the structure that is common to most modes. For values of the guards that need another one,
//! [`Structures`] compiles the equations that hold then.

use std::fmt::Debug;
use std::sync::Arc;

use rhei_equations::Equations;
use rhei_source::Diagnostic;

use crate::CompiledModel;

/// The source of a model in its modes.
pub trait Structures: Debug + Send + Sync {
    /// The equations of all modes at once, with their guards.
    fn equations(&self) -> &Equations;

    /// The model at these values of its guards.
    fn enter(&self, guards: &[bool], occasion: Occasion) -> Result<Entered, Vec<Diagnostic>>;

    /// The model at these values of its guards, without the constraints between its differentiated variables; `None` if there
    /// are none.
    fn uncoupled(&self, guards: &[bool]) -> Result<Option<Arc<CompiledModel>>, Vec<Diagnostic>>;

    /// The work so far, of all runs of the model together.
    fn work(&self) -> ModeWork;
}

/// The work of analysing modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModeWork {
    /// Number of analyses.
    pub analyses: u64,
    /// Equations analysed in all of these.
    pub equations: u64,
    /// Number of modes in the cache.
    pub kept: usize,
}

/// The occasion on which a mode is entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occasion {
    /// As the run begins.
    Start,
    /// On the way.
    Way,
    /// As a trial of values that the guards do not yet have: with a structure of its own in any case.
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
    pub fn model(self, common: &Arc<CompiledModel>) -> Arc<CompiledModel> {
        match self {
            Entered::Common => common.clone(),
            Entered::Own(model) => model,
        }
    }

    /// Whether a model is in this mode.
    pub fn is_mode_of(&self, model: &CompiledModel) -> bool {
        match self {
            Entered::Common => model.solvable.mode.id == 0,
            Entered::Own(other) => other.solvable.mode == model.solvable.mode,
        }
    }
}
