//! The names of a class while its expressions are typed.

use rhei_flat::{VarId, Variable};
use rhei_source::nearest_name;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// Variables by name.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) class: SmolStr,
    pub(crate) variables: Vec<Variable>,
    by_name: FxHashMap<SmolStr, VarId>,
}

impl Scope {
    pub(crate) fn new(class: SmolStr) -> Self {
        Scope { class, ..Scope::default() }
    }

    /// Declares a variable under a name that is not taken.
    pub(crate) fn declare(&mut self, name: SmolStr, variable: Variable) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(variable);
        self.by_name.insert(name, id);
        id
    }

    pub(crate) fn find(&self, name: &str) -> Option<VarId> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn variable(&self, v: VarId) -> &Variable {
        &self.variables[v.index()]
    }

    /// What the writer of `name` may have meant.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        let mut names: Vec<&str> = self.by_name.keys().map(SmolStr::as_str).collect();
        names.sort_unstable();
        nearest_name(name, names).map(str::to_owned)
    }
}
