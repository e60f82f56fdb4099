//! The modes of a model, analysed at their first entry and cached.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rhei_equations::Equations;
use rhei_model::{CompiledModel, CompiledPart, Entered, ModeWork, Occasion, Structures};
use rhei_solvable::Mode;
use rhei_source::Diagnostic;
use rhei_structure::{Entry, Found, Made, Modes, Pieces, gauged, made_solvable};

use crate::generate::generate;
use crate::mode_cache::ModeCache;

/// The modes of a model, with a cache of those analysed.
#[derive(Debug)]
pub(crate) struct KnownModes {
    modes: Modes,
    /// The clocked partitions, which all modes share.
    parts: Arc<[Arc<CompiledPart>]>,
    /// The model, or the reasons why the mode cannot be entered.
    kept: ModeCache<Occasion, Result<Entered, Vec<Diagnostic>>>,
    /// Number of modes analysed as a whole.
    whole: AtomicU64,
    /// The pieces that modes entered during a run are composed of, if they can be.
    pieces: Mutex<Option<Pieces>>,
}

impl KnownModes {
    pub(crate) fn new(modes: Modes, parts: Arc<[Arc<CompiledPart>]>) -> Self {
        let pieces = Mutex::new(Pieces::new(&modes));
        KnownModes { modes, parts, kept: ModeCache::new(), whole: AtomicU64::new(0), pieces }
    }

    /// A mode entered during a run, composed of pieces; `None` if all its equations have to be analysed together.
    fn of_pieces(&self, guards: &[bool], id: u32, is_trial: bool) -> Option<Entered> {
        let mode = self.mode(guards, id);
        let mut pieces = self.pieces.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let found = pieces.as_mut()?.enter(&self.modes, guards, mode.clone(), is_trial);
        drop(pieces);
        match found {
            Found::Common => Some(Entered::Common),
            Found::Own(made) => {
                let Made { equations, solvable, notes } = *made;
                let model = generate(equations, solvable).with_parts(self.parts.clone());
                Some(Entered::Own(Arc::new(model.with_entry_notes(with_mode_note(notes, &mode)))))
            }
            Found::Whole => None,
        }
    }

    fn analyse(&self, guards: &[bool], id: u32, occasion: Occasion) -> Result<Entered, Vec<Diagnostic>> {
        if occasion != Occasion::Start
            && let Some(found) = self.of_pieces(guards, id, occasion == Occasion::Trial)
        {
            return Ok(found);
        }
        self.whole.fetch_add(1, Ordering::Relaxed);
        // a trial has a structure of its own
        let (equations, notes) = match occasion {
            Occasion::Trial => (self.modes.in_mode(guards), Vec::new()),
            Occasion::Start | Occasion::Way => self.equations_in(guards),
        };
        if occasion != Occasion::Trial && notes.is_empty() && self.modes.is_common(&equations) {
            return Ok(Entered::Common);
        }
        let mode = self.mode(guards, id);
        let entry = if occasion == Occasion::Start { Entry::AtStart } else { Entry::OnTheWay };
        let (made, said) = made_solvable(&equations, &mode, entry);
        match made {
            Some((equations, solvable)) => {
                let model = generate(equations, solvable).with_parts(self.parts.clone());
                let model = model.with_start_notes(said).with_entry_notes(with_mode_note(notes, &mode));
                Ok(Entered::Own(Arc::new(model)))
            }
            None => Err(said.into_iter().map(|diagnostic| in_mode(diagnostic, &mode)).collect()),
        }
    }
}

impl Structures for KnownModes {
    fn equations(&self) -> &Equations {
        self.modes.equations()
    }

    fn enter(&self, guards: &[bool], occasion: Occasion) -> Result<Entered, Vec<Diagnostic>> {
        let guards = self.modes.deciding(guards);
        self.kept.enter(&guards, occasion, |id| self.analyse(&guards, id, occasion))
    }

    fn uncoupled(&self, guards: &[bool]) -> Result<Option<Arc<CompiledModel>>, Vec<Diagnostic>> {
        let guards = self.modes.deciding(guards);
        let mode = self.mode(&guards, 0);
        let (equations, _) = self.equations_in(&guards);
        let uncoupled = self.modes.uncoupled(&equations).map_err(|names| {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            let message = format!(
                "in the mode where {}: steps cannot be projected at their end, as nothing but constraints determines {}",
                described(&mode),
                names.join(", ")
            );
            vec![Diagnostic::error("projection-not-possible", message)]
        })?;
        let Some(equations) = uncoupled else { return Ok(None) };
        let (made, said) = made_solvable(&equations, &mode, Entry::OnTheWay);
        match made {
            Some((equations, solvable)) => Ok(Some(Arc::new(generate(equations, solvable)))),
            None => Err(said.into_iter().map(|diagnostic| in_mode(diagnostic, &mode)).collect()),
        }
    }

    fn work(&self) -> ModeWork {
        let in_pieces = {
            let pieces = self.pieces.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            pieces.as_ref().map_or(0, |pieces| pieces.work().equations)
        };
        let of_model = self.modes.equations().equations.len() as u64;
        ModeWork {
            analyses: self.kept.analyses(),
            equations: in_pieces + self.whole.load(Ordering::Relaxed) * of_model,
            kept: self.kept.len(),
        }
    }
}

impl KnownModes {
    /// The equations of a mode without redundant ones, and warnings about these.
    fn equations_in(&self, guards: &[bool]) -> (Equations, Vec<Diagnostic>) {
        let equations = self.modes.in_mode(guards);
        match gauged(&equations) {
            Some(gauged) => {
                let notes = gauged.warnings();
                (gauged.equations, notes)
            }
            None => (equations, Vec::new()),
        }
    }

    fn mode(&self, guards: &[bool], id: u32) -> Mode {
        let of_model = self.modes.equations();
        let texts = of_model.guards.iter().map(|guard| of_model.guard_text(guard));
        Mode { id, guards: texts.zip(guards.iter().copied()).collect() }
    }
}

/// Adds the mode to diagnostics.
fn with_mode_note(notes: Vec<Diagnostic>, mode: &Mode) -> Vec<Diagnostic> {
    let where_it_is = format!("in the mode where {}", described(mode));
    notes.into_iter().map(|note| note.with_note(where_it_is.clone())).collect()
}

/// The diagnostic of an error in a mode.
pub(crate) fn in_mode(diagnostic: Diagnostic, mode: &Mode) -> Diagnostic {
    let message = format!("in the mode where {}: {}", described(mode), diagnostic.message);
    let said = match diagnostic.id {
        "always-conflict" => Diagnostic::error("always-violated-in-mode", message),
        "structurally-singular" | "too-few-equations" | "too-many-equations" => {
            Diagnostic::error("mode-singular", message)
        }
        _ => return Diagnostic { message, ..diagnostic },
    };
    Diagnostic { labels: diagnostic.labels, notes: diagnostic.notes, ..said }
}

/// The first guards of a mode with their values.
pub(crate) fn described(mode: &Mode) -> String {
    let told = |(text, value): &(String, bool)| format!("`{text}` is {value}");
    let told: Vec<String> = mode.guards.iter().take(6).map(told).collect();
    told.join(" and ")
}
