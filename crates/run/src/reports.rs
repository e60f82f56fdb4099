//! Messages of a run, each reported once.

use rhei_model::CompiledModel;
use rhei_source::{Diagnostic, Span};
use rustc_hash::FxHashSet;

use crate::constants::BRANCH_JUMPS_REPORTED;

/// The messages so far, and marks of those reported already.
#[derive(Clone, Default)]
pub(crate) struct Reports {
    pub(crate) said: Vec<Diagnostic>,
    /// By assert, whether its violation was reported.
    pub(crate) asserts: Vec<bool>,
    /// Warnings of functions called for their effect: the call, and the assert.
    pub(crate) effects: FxHashSet<(usize, Span)>,
    /// Whether it was noted that states set anew take others along.
    pub(crate) of_reinit: bool,
    /// Number of reported jumps from one branch of equilibria to another.
    pub(crate) branch_jumps: usize,
}

impl Reports {
    /// For a run of a model, with the messages of its start.
    pub(crate) fn new(model: &CompiledModel, of_start: Vec<Diagnostic>) -> Reports {
        let notes = model.start_notes.iter().chain(&model.entry_notes).cloned();
        let asserts = vec![false; model.equations.asserts.len()];
        Reports { said: notes.chain(of_start).collect(), asserts, ..Reports::default() }
    }

    pub(crate) fn add(&mut self, said: Diagnostic) {
        self.said.push(said);
    }

    /// Adds a jump from one branch of equilibria to another, of which only so many are reported.
    pub(crate) fn add_branch_jump(&mut self, said: Diagnostic) {
        if self.branch_jumps < BRANCH_JUMPS_REPORTED {
            self.branch_jumps += 1;
            let is_last = self.branch_jumps == BRANCH_JUMPS_REPORTED;
            self.add(if is_last { said.with_note("further jumps are not told") } else { said });
        }
    }

    pub(crate) fn add_all(&mut self, said: impl IntoIterator<Item = Diagnostic>) {
        self.said.extend(said);
    }
}
