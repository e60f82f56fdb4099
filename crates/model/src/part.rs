//! The parts of a model that tick (MLS §16), as they are shared between runs.

use std::fmt::Debug;
use std::sync::Arc;

use rhei_equations::Partition;
use rhei_solvable::{Mode, Schedule};
use rhei_source::Diagnostic;

use crate::CompiledModel;

/// A part that ticks, as it is shared between runs.
#[derive(Debug)]
pub struct CompiledPart {
    /// Its equations and code.
    pub model: Arc<CompiledModel>,
    /// When what is computed.
    pub schedule: Schedule,
    /// Who knows its modes, where it has any.
    pub modes: Option<Arc<dyn TickingStructures>>,
}

impl CompiledPart {
    /// A model that ticks by this schedule.
    pub fn new(model: CompiledModel, schedule: Schedule) -> Self {
        CompiledPart { model: Arc::new(model), schedule, modes: None }
    }

    /// The same with modes.
    pub fn with_modes(self, modes: Arc<dyn TickingStructures>) -> Self {
        CompiledPart { modes: Some(modes), ..self }
    }
}

/// Who knows what a part that ticks is in its modes.
pub trait TickingStructures: Debug + Send + Sync {
    /// The part for all modes at once, with its guards.
    fn partition(&self) -> &Partition;

    /// The part where its guards have these values; able to tick for the first time only if asked for.
    fn enter(&self, guards: &[bool], first: bool) -> Result<Arc<PartInMode>, Vec<Diagnostic>>;
}

/// A part in one of its modes.
#[derive(Debug)]
pub struct PartInMode {
    /// As it goes from tick to tick.
    pub part: Arc<CompiledPart>,
    /// As it is at the tick with which the mode begins: its states are known.
    pub arrival: Arc<CompiledPart>,
    /// By rhythm: its equations between ticks, where it has guards.
    pub between_ticks: Vec<Option<Arc<CompiledModel>>>,
    /// By guard: the rhythm it ticks with.
    pub rhythms: Vec<Option<u32>>,
    /// What is to be said where a run is in this mode.
    pub notes: Vec<Diagnostic>,
}

impl PartInMode {
    /// Its mode.
    pub fn mode(&self) -> &Mode {
        &self.part.model.solvable.mode
    }

    /// The values of its guards.
    pub fn guards(&self) -> Vec<bool> {
        self.mode().guards.iter().map(|(_, value)| *value).collect()
    }
}
