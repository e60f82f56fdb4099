//! What can be said of modes ahead of a run: how many states each has, and which cannot be.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use rhei_model::{CompiledModel, Entered, Occasion};
use rhei_source::Diagnostic;
use serde::Serialize;

/// Modes that are listed for people.
const LISTED: usize = 40;

/// The combinations of guards that were looked at.
#[derive(Serialize)]
pub(super) struct AllModes {
    /// How many there were.
    looked_at: usize,
    /// Whether these are all there are.
    complete: bool,
    modes: Vec<PossibleMode>,
}

#[derive(Serialize)]
struct PossibleMode {
    guards: BTreeMap<String, bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n_states: Option<usize>,
    states: Vec<String>,
    /// Why it cannot be.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Refusal>,
}

#[derive(Serialize)]
struct Refusal {
    id: &'static str,
    message: String,
}

/// Analyses the combinations of guards, so many at most; nothing for a model of one mode. Whether a run comes to them is not asked.
pub(super) fn all_modes(model: &Arc<CompiledModel>, most: usize) -> Option<AllModes> {
    let structures = model.modes.as_ref()?;
    let texts: Vec<String> =
        model.equations.guards.iter().map(|guard| model.equations.guard_text(guard)).collect();
    let n_all = u32::try_from(texts.len()).ok().and_then(|n| 1_usize.checked_shl(n)).filter(|&n| n > 0);
    let looked_at = n_all.map_or(most, |all| all.min(most));
    let mut modes = Vec::new();
    for number in 0..looked_at {
        let guards: Vec<bool> =
            (0..texts.len()).map(|place| place < usize::BITS as usize && number >> place & 1 == 1).collect();
        let named = || texts.iter().cloned().zip(guards.iter().copied()).collect();
        modes.push(match structures.enter(&guards, Occasion::Way) {
            Ok(Entered::Common) => PossibleMode::new(named(), model),
            Ok(Entered::Own(own)) => PossibleMode::new(named(), &own),
            Err(said) => PossibleMode::refused(named(), &said),
        });
    }
    Some(AllModes { looked_at, complete: n_all == Some(looked_at), modes })
}

impl PossibleMode {
    fn new(guards: BTreeMap<String, bool>, model: &CompiledModel) -> PossibleMode {
        let states = model.solvable.states.iter().map(|state| model.equations.variable(state.variable));
        let names = states.filter(|variable| !variable.is_hidden).map(|variable| variable.name.to_string());
        let n_states = Some(model.solvable.states.len());
        PossibleMode { guards, n_states, states: names.collect(), error: None }
    }

    fn refused(guards: BTreeMap<String, bool>, said: &[Diagnostic]) -> PossibleMode {
        let first = said.iter().find(|diagnostic| diagnostic.is_error());
        let error = first.map(|said| Refusal { id: said.id, message: said.message.clone() });
        PossibleMode { guards, n_states: None, states: Vec::new(), error }
    }
}

impl AllModes {
    /// For people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let refused = self.modes.iter().filter(|mode| mode.error.is_some()).count();
        let all = if self.complete { "all" } else { "the first" };
        let _ = writeln!(
            text,
            "\n{all} {} combinations of these conditions: {refused} cannot be",
            self.looked_at
        );
        for mode in self.modes.iter().take(LISTED) {
            let holds: Vec<&str> =
                mode.guards.iter().filter(|(_, holds)| **holds).map(|(text, _)| text.as_str()).collect();
            let when = if holds.is_empty() { "none holds".into() } else { holds.join(", ") };
            let _ = match (&mode.error, mode.n_states) {
                (Some(error), _) => writeln!(text, "  {when}: {}: {}", error.id, error.message),
                (None, Some(1)) => writeln!(text, "  {when}: 1 state"),
                (None, n) => writeln!(text, "  {when}: {} states", n.unwrap_or(0)),
            };
        }
        if self.modes.len() > LISTED {
            let _ =
                writeln!(text, "  and {} combinations more: `--json` lists them", self.modes.len() - LISTED);
        }
        if !self.complete {
            let _ = writeln!(text, "there are more: `--all-modes=N` looks at N of them");
        }
        text
    }
}
