//! Clocked partitions of a model (MLS §16), shared between runs.

use std::fmt::Debug;
use std::sync::Arc;

use rhei_equations::Partition;
use rhei_solvable::{Mode, Schedule};
use rhei_source::Diagnostic;

use crate::CompiledModel;

/// A clocked partition, shared between runs.
#[derive(Debug)]
pub struct CompiledPart {
    /// Its equations and code.
    pub model: Arc<CompiledModel>,
    /// The schedule of its evaluation.
    pub schedule: Schedule,
    /// Its modes, if it has any.
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

/// The source of a clocked partition in its modes.
pub trait TickingStructures: Debug + Send + Sync {
    /// The part for all modes at once, with its guards.
    fn partition(&self) -> &Partition;

    /// The partition at these values of its guards; able to tick for the first time only if asked for.
    fn enter(&self, guards: &[bool], first: bool) -> Result<Arc<PartInMode>, Vec<Diagnostic>>;
}

/// A clocked partition in one of its modes.
#[derive(Debug)]
pub struct PartInMode {
    /// The partition from tick to tick.
    pub part: Arc<CompiledPart>,
    /// The partition at the tick with which the mode begins: its states are known.
    pub arrival: Arc<CompiledPart>,
    /// By rhythm: its continuous equations, if it has guards.
    pub between_ticks: Vec<Option<Arc<CompiledModel>>>,
    /// By guard: the rhythm it ticks with.
    pub rhythms: Vec<Option<u32>>,
    /// Diagnostics for all runs that enter this mode.
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
