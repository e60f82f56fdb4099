//! The modes of a model ahead of a run: how many states each has, and which cannot be entered.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Serialize;

/// Most modes that are listed for people.
const LISTED: usize = 40;

/// The combinations of guards that were analysed.
#[derive(Serialize)]
pub(super) struct AllModes {
    /// Number of combinations.
    looked_at: usize,
    /// Whether these are all combinations.
    complete: bool,
    modes: Vec<PossibleMode>,
}

#[derive(Serialize)]
struct PossibleMode {
    guards: BTreeMap<String, bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n_states: Option<usize>,
    states: Vec<String>,
    /// Why it cannot be entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Refusal>,
}

#[derive(Serialize)]
struct Refusal {
    id: &'static str,
    message: String,
}

impl PossibleMode {
    fn of(mode: &rhei::PossibleMode) -> PossibleMode {
        let refusal = mode.refusal.as_ref();
        PossibleMode {
            guards: mode.guards.iter().cloned().collect(),
            n_states: mode.n_states,
            states: mode.states.clone(),
            error: refusal.map(|said| Refusal { id: said.id, message: said.message.clone() }),
        }
    }
}

impl AllModes {
    pub(super) fn of(all: &rhei::AllModes) -> AllModes {
        AllModes {
            looked_at: all.modes.len(),
            complete: all.is_complete,
            modes: all.modes.iter().map(PossibleMode::of).collect(),
        }
    }

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
