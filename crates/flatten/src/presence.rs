//! Which members of expandable connectors are there (MLS §9.1.3): those that something else is connected to, or that an
//! equation speaks of. The others are undefined and left out.

use rhei_flat::{Expr, ExprKind, VarId, Variability};
use rhei_semantics::{ComponentId, Sections};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::connection_sets::Origin;
use crate::mistake::Mistake;
use crate::tree::Tree;
use crate::union_find::UnionFind;

/// Members of expandable connectors, element by element, and which of them are there.
#[derive(Default)]
pub(crate) struct Presence {
    numbers: FxHashMap<(VarId, usize), usize>,
    merged: UnionFind,
    referenced: Vec<(usize, Origin)>,
    sources: Vec<usize>,
    present: FxHashSet<usize>,
    used: FxHashSet<VarId>,
}

impl Presence {
    fn number(&mut self, variable: VarId, offset: usize) -> usize {
        let merged = &mut self.merged;
        *self.numbers.entry((variable, offset)).or_insert_with(|| merged.add())
    }

    /// Elements of two members are connected; `whole` where the connection names expandable connectors, not members.
    pub(crate) fn connect(&mut self, a: (VarId, usize), b: (VarId, usize), whole: bool, origin: Origin) {
        let (a, b) = (self.number(a.0, a.1), self.number(b.0, b.1));
        self.merged.union(a, b);
        if !whole {
            self.referenced.push((a, origin));
        }
    }

    /// An element gives a signal to what it is connected with.
    pub(crate) fn add_source(&mut self, variable: VarId, offset: usize) {
        let number = self.number(variable, offset);
        self.sources.push(number);
    }

    /// To be called once all is connected.
    pub(crate) fn finish(&mut self, tree: &Tree, sections: &Sections, mistakes: &mut Vec<Mistake>) {
        let sources: Vec<usize> = std::mem::take(&mut self.sources);
        let sources: FxHashSet<usize> = sources.into_iter().map(|number| self.merged.find(number)).collect();
        let mut names: FxHashMap<usize, VarId> = FxHashMap::default();
        for ((v, _), number) in &self.numbers {
            names.insert(*number, *v);
        }
        for (number, origin) in std::mem::take(&mut self.referenced) {
            let first = self.merged.find(number);
            if self.present.insert(first) && !sources.contains(&first) {
                let name = tree.variable(names[&number]).name.to_string();
                mistakes.push(Mistake::NoSource { name, span: sections.connections[origin].span });
            }
        }
        if !(0..tree.components.len()).any(|i| tree.is_expandable(ComponentId(i as u32))) {
            return;
        }
        let mut used = FxHashSet::default();
        let mut note = |e: &Expr| {
            e.walk(&mut |part| {
                if let ExprKind::Variable(v, _) = &part.kind {
                    used.insert(*v);
                }
            });
        };
        sections.clone().map_expressions(&mut |e| {
            note(&e);
            e
        });
        for variable in &tree.variables {
            variable.binding.iter().for_each(&mut note);
            variable.attributes.expressions().for_each(|(_, e)| note(e));
        }
        self.check_used(tree, &used, mistakes);
        for ((v, _), number) in &self.numbers {
            if used.contains(v) {
                let first = self.merged.find(*number);
                self.present.insert(first);
            }
        }
        self.used = used;
    }

    /// What equations speak of must be there.
    fn check_used(&mut self, tree: &Tree, used: &FxHashSet<VarId>, mistakes: &mut Vec<Mistake>) {
        let mut used: Vec<VarId> = used.iter().copied().collect();
        used.sort_unstable();
        for v in used {
            let count = tree.count(tree.component_of(v));
            if count > 0 && !(0..count).any(|offset| self.is_present(tree, v, offset)) {
                let variable = tree.variable(v);
                mistakes.push(Mistake::AbsentMember { name: variable.name.to_string(), span: variable.span });
            }
        }
    }

    /// Whether an element of a variable is there; always, outside of expandable connectors.
    pub(crate) fn is_present(&mut self, tree: &Tree, v: VarId, offset: usize) -> bool {
        let variable = tree.variable(v);
        if variable.variability <= Variability::Parameter
            || variable.binding.is_some()
            || !tree.is_in_expandable(tree.component_of(v))
            || self.used.contains(&v)
        {
            return true;
        }
        match self.numbers.get(&(v, offset)) {
            Some(&number) => {
                let first = self.merged.find(number);
                self.present.contains(&first)
            }
            None => false,
        }
    }
}
