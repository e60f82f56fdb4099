//! The modes of a clocked partition, analysed at their first entry and cached.

use std::sync::Arc;

use rhei_equations::{Equations, Partition};
use rhei_model::{CompiledModel, CompiledPart, PartInMode, TickingStructures};
use rhei_solvable::{Mode, SolverMethod, Ticking};
use rhei_source::Diagnostic;
use rhei_structure::{
    Entry, Steps, TickingModes, gauged, made_solvable, made_ticking, make_ticking, of_rhythm,
};

use crate::generate::{generate, generate_part};
use crate::mode_cache::ModeCache;
use crate::modes::{described, in_mode};

/// A clocked partition without code, with its modes.
pub(crate) struct TickingPart {
    pub(crate) ticking: Ticking,
    pub(crate) modes: Option<TickingModes>,
}

/// Analyses a clocked partition.
pub(crate) fn make_part(partition: Partition) -> (Option<TickingPart>, Vec<Diagnostic>) {
    let modes = TickingModes::of(&partition);
    let (made, said) = make_ticking(modes.as_ref().map_or(partition, |modes| modes.partition().clone()));
    (made.map(|ticking| TickingPart { ticking, modes }), said)
}

impl TickingPart {
    /// The partition with its code.
    pub(crate) fn generate(self) -> CompiledPart {
        let part = generate_part(self.ticking);
        match self.modes {
            Some(modes) => part.with_modes(Arc::new(KnownTickingModes { modes, kept: ModeCache::new() })),
            None => part,
        }
    }
}

/// The modes of a partition, with a cache of those analysed.
#[derive(Debug)]
struct KnownTickingModes {
    modes: TickingModes,
    /// The partition, or the reasons why the mode cannot be entered; by whether a rhythm ticks for the first time.
    kept: ModeCache<bool, Result<Arc<PartInMode>, Vec<Diagnostic>>>,
}

impl TickingStructures for KnownTickingModes {
    fn partition(&self) -> &Partition {
        self.modes.partition()
    }

    fn enter(&self, guards: &[bool], first: bool) -> Result<Arc<PartInMode>, Vec<Diagnostic>> {
        let guards = self.modes.deciding(guards);
        let entry = if first { Entry::AtStart } else { Entry::OnTheWay };
        self.kept.enter(&guards, first, |id| self.make(&guards, id, entry).map(Arc::new))
    }
}

impl KnownTickingModes {
    fn make(&self, guards: &[bool], id: u32, entry: Entry) -> Result<PartInMode, Vec<Diagnostic>> {
        let of_part = &self.modes.partition().equations;
        let texts = of_part.guards.iter().map(|guard| of_part.guard_text(guard));
        let mode = Mode { id, guards: texts.zip(guards.iter().copied()).collect() };
        let (partition, notes) = without_redundant_equations(self.modes.in_mode(guards), &mode);
        let part = Arc::new(compiled(partition.clone(), &mode, entry, Steps::ByMethods)?);
        let is_implicit = |method: &Option<SolverMethod>| {
            matches!(method, Some(SolverMethod::ImplicitEuler | SolverMethod::ImplicitTrapezoid))
        };
        let arrival = match part.schedule.methods.iter().any(is_implicit) {
            true => Arc::new(compiled(partition.clone(), &mode, entry, Steps::Made)?),
            false => part.clone(),
        };
        let has_guards = |rhythm: u32| self.modes.rhythms().contains(&Some(rhythm));
        let between_ticks = |rhythm: u32| match has_guards(rhythm) {
            true => of_equations(&of_rhythm(&partition, rhythm), &mode).map(|model| Some(Arc::new(model))),
            false => Ok(None),
        };
        let rhythms = 0..partition.rhythms.len() as u32;
        let between_ticks = rhythms.map(between_ticks).collect::<Result<_, _>>()?;
        Ok(PartInMode { part, arrival, between_ticks, rhythms: self.modes.rhythms().to_vec(), notes })
    }
}

/// The partition without redundant equations, and notes about these.
fn without_redundant_equations(partition: Partition, mode: &Mode) -> (Partition, Vec<Diagnostic>) {
    let Some(gauged) = gauged(&partition.equations) else { return (partition, Vec::new()) };
    let where_it_is = format!("in the mode where {}", described(mode));
    let notes = gauged.warnings().into_iter().map(|note| note.with_note(where_it_is.clone())).collect();
    (Partition { equations: gauged.equations, ..partition }, notes)
}

fn compiled(
    partition: Partition,
    mode: &Mode,
    entry: Entry,
    steps: Steps,
) -> Result<CompiledPart, Vec<Diagnostic>> {
    let (made, said) = made_ticking(partition, mode, entry, steps);
    made.map(generate_part).ok_or_else(|| refused(said, mode))
}

fn of_equations(equations: &Equations, mode: &Mode) -> Result<CompiledModel, Vec<Diagnostic>> {
    let (made, said) = made_solvable(equations, mode, Entry::OnTheWay);
    let made = made.ok_or_else(|| refused(said, mode))?;
    Ok(generate(made.0, made.1))
}

fn refused(said: Vec<Diagnostic>, mode: &Mode) -> Vec<Diagnostic> {
    said.into_iter().map(|diagnostic| in_mode(diagnostic, mode)).collect()
}
