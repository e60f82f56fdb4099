//! What a model is in its modes: which equations hold, and so how many states there are.
//!
//! A run begins with the structure that is common to most modes. Where the guards of the model take values for which that will
//! not do, [`Structures`] makes a model of the equations that hold then.

use std::fmt::Debug;
use std::sync::Arc;

use rhei_equations::Equations;
use rhei_source::Diagnostic;

use crate::CompiledModel;

/// Who knows what a model is in its modes.
pub trait Structures: Debug + Send + Sync {
    /// The equations of all modes at once, with their guards.
    fn equations(&self) -> &Equations;

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
