//! What a run says on its way: each thing once.

use rhei_model::CompiledModel;
use rhei_source::{Diagnostic, Span};
use rustc_hash::FxHashSet;

/// What was said, and of what enough was said.
#[derive(Clone, Default)]
pub(crate) struct Told {
    pub(crate) said: Vec<Diagnostic>,
    /// By assert, whether it was said to be broken.
    pub(crate) asserts: Vec<bool>,
    /// What functions that were called for their effect warned of: the call, and the assert.
    pub(crate) effects: FxHashSet<(usize, Span)>,
    /// Whether it was said that states set anew take others along.
    pub(crate) of_setting: bool,
    /// How many jumps from one branch of equilibria to another were told.
    pub(crate) branch_jumps: usize,
}

impl Told {
    /// As a run of a model begins, this having been said of its start.
    pub(crate) fn new(model: &CompiledModel, of_start: Vec<Diagnostic>) -> Told {
        let notes = model.start_notes.iter().chain(&model.entry_notes).cloned();
        let asserts = vec![false; model.equations.asserts.len()];
        Told { said: notes.chain(of_start).collect(), asserts, ..Told::default() }
    }

    pub(crate) fn say(&mut self, said: Diagnostic) {
        self.said.push(said);
    }

    pub(crate) fn say_all(&mut self, said: impl IntoIterator<Item = Diagnostic>) {
        self.said.extend(said);
    }
}
