//! A model after all structural passes: all that code generation needs, and all that a file has to hold.

use std::sync::Arc;

use rhei_equations::Equations;
use rhei_model::CompiledModel;
use rhei_solvable::Solvable;
use rhei_source::Diagnostic;
use rhei_structure::Modes;

use crate::generate::generate;
use crate::modes::KnownModes;
use crate::ticking_modes::TickingPart;

/// A model that is solved, its clocked partitions beside it.
pub(crate) struct Solved {
    pub(crate) equations: Equations,
    pub(crate) solvable: Solvable,
    pub(crate) ticking: Vec<TickingPart>,
    /// Where its structure changes at events.
    pub(crate) modes: Option<Modes>,
    /// Diagnostics of a run that begins with this structure.
    pub(crate) start_notes: Vec<Diagnostic>,
    /// Whether no run can begin with this structure.
    pub(crate) is_refused_at_start: bool,
}

impl Solved {
    /// The model with its code.
    pub(crate) fn generate(self) -> CompiledModel {
        let Solved { equations, solvable, ticking, modes, start_notes, is_refused_at_start } = self;
        let parts: Arc<[_]> = ticking.into_iter().map(TickingPart::generate).map(Arc::new).collect();
        let model = generate(equations, solvable).with_parts(parts.clone());
        let model = model.with_start_notes(start_notes).refused_at_start(is_refused_at_start);
        match modes {
            Some(modes) => model.with_modes(Arc::new(KnownModes::new(modes, parts))),
            None => model,
        }
    }
}
