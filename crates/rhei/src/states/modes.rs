//! The modes of a model ahead of a run: how many states each has, and which cannot be entered.

use rhei_source::Diagnostic;

use crate::Model;
use crate::engine::{CompiledModel, Entered, Occasion};

/// The combinations of guards that were analysed.
#[derive(Clone, Debug)]
pub struct AllModes {
    /// Whether these are all combinations.
    pub is_complete: bool,
    /// One for each combination.
    pub modes: Vec<PossibleMode>,
}

/// A combination of guards. A run need not reach it.
#[derive(Clone, Debug)]
pub struct PossibleMode {
    /// The conditions, with their values.
    pub guards: Vec<(String, bool)>,
    /// Number of its states; none if it cannot be entered.
    pub n_states: Option<usize>,
    /// Their names, without those of state sets.
    pub states: Vec<String>,
    /// Why it cannot be entered.
    pub refusal: Option<Diagnostic>,
}

impl Model {
    /// Analyses at most `most` combinations of guards; none for a model of one mode.
    pub fn all_modes(&self, most: usize) -> Option<AllModes> {
        let model = self.compiled();
        let structures = model.modes.as_ref()?;
        let texts: Vec<String> =
            model.equations.guards.iter().map(|guard| model.equations.guard_text(guard)).collect();
        let n_all = u32::try_from(texts.len()).ok().and_then(|n| 1_usize.checked_shl(n)).filter(|&n| n > 0);
        let n_looked_at = n_all.map_or(most, |all| all.min(most));
        let mut modes = Vec::new();
        for number in 0..n_looked_at {
            let guards: Vec<bool> = (0..texts.len())
                .map(|place| place < usize::BITS as usize && number >> place & 1 == 1)
                .collect();
            let named = texts.iter().cloned().zip(guards.iter().copied()).collect();
            modes.push(match structures.enter(&guards, Occasion::Way) {
                Ok(Entered::Common) => PossibleMode::new(named, model),
                Ok(Entered::Own(own)) => PossibleMode::new(named, &own),
                Err(said) => PossibleMode::refused(named, said),
            });
        }
        Some(AllModes { is_complete: n_all == Some(n_looked_at), modes })
    }
}

impl PossibleMode {
    fn new(guards: Vec<(String, bool)>, model: &CompiledModel) -> PossibleMode {
        let states = model.solvable.states.iter().map(|state| model.equations.variable(state.variable));
        let names = states.filter(|variable| !variable.is_hidden).map(|variable| variable.name.to_string());
        let n_states = Some(model.solvable.states.len());
        PossibleMode { guards, n_states, states: names.collect(), refusal: None }
    }

    fn refused(guards: Vec<(String, bool)>, said: Vec<Diagnostic>) -> PossibleMode {
        let refusal = said.into_iter().find(Diagnostic::is_error);
        PossibleMode { guards, n_states: None, states: Vec::new(), refusal }
    }
}
