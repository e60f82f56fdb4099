//! Which members of expandable connectors are present (MLS §9.1.3): those with other connections, or in an equation.
//! The others are undefined and left out.

use rhei_flat::{Expr, ExprKind, Subscript, VarId, Variability};
use rhei_instance::{ComponentId, Sections};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::connection_equations::indices;
use crate::connection_sets::{Element, Origin};
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

    /// An element gives a signal to the elements it is connected with.
    pub(crate) fn add_source(&mut self, variable: VarId, offset: usize) {
        let number = self.number(variable, offset);
        self.sources.push(number);
    }

    /// To be called once all is connected.
    pub(crate) fn finish(&mut self, tree: &Tree, sections: &Sections, mistakes: &mut Vec<Mistake>) {
        let sources: Vec<usize> = std::mem::take(&mut self.sources);
        let sources: FxHashSet<usize> = sources.into_iter().map(|number| self.merged.find(number)).collect();
        let elements: FxHashMap<usize, (VarId, usize)> =
            self.numbers.iter().map(|(element, number)| (*number, *element)).collect();
        for (number, origin) in std::mem::take(&mut self.referenced) {
            let first = self.merged.find(number);
            if self.present.insert(first) && !sources.contains(&first) {
                let (variable, offset) = elements[&number];
                let indices = indices(tree, Element { variable, offset, outside: false });
                let name = tree.variable(variable).name.element(&indices).into();
                mistakes.push(Mistake::NoSource { name, span: sections.connections[origin].span });
            }
        }
        if !(0..tree.components.len()).any(|i| tree.is_expandable(ComponentId(i as u32))) {
            return;
        }
        let mut used: FxHashMap<VarId, Vec<Vec<Subscript>>> = FxHashMap::default();
        let mut note = |e: &Expr| {
            e.walk(&mut |part| {
                if let ExprKind::Variable(v, subscripts) = &part.kind
                    && tree.is_in_expandable(tree.component_of(*v))
                {
                    used.entry(*v).or_default().push(subscripts.clone());
                }
            });
        };
        sections.clone().change_expressions(&mut |e| note(e));
        for variable in tree.variables.iter() {
            variable.binding.iter().for_each(&mut note);
            variable.attributes.expressions().for_each(|(_, e)| note(e));
        }
        let mut used: Vec<(VarId, Vec<Vec<Subscript>>)> = used.into_iter().collect();
        used.sort_unstable_by_key(|(v, _)| *v);
        for (v, references) in used {
            if let Some(mistake) = self.check_used(tree, v, &references) {
                mistakes.push(mistake);
            }
        }
    }

    /// Variables in equations must be present, element by element.
    fn check_used(&mut self, tree: &Tree, v: VarId, references: &[Vec<Subscript>]) -> Option<Mistake> {
        let sizes = tree.full_sizes(tree.component_of(v));
        for subscripts in references {
            for indices in elements_named(&sizes, subscripts) {
                let is_inside = indices.iter().zip(&sizes).all(|(index, size)| (1..=*size).contains(index));
                let offset =
                    || indices.iter().zip(&sizes).fold(0, |place, (index, size)| place * size + (index - 1));
                if !is_inside || !self.is_present(tree, v, offset()) {
                    let variable = tree.variable(v);
                    let name = variable.name.element(&indices).into();
                    return Some(Mistake::AbsentMember { name, span: variable.span });
                }
            }
        }
        None
    }

    /// Whether an element of a variable is there; always, outside of expandable connectors.
    pub(crate) fn is_present(&mut self, tree: &Tree, v: VarId, offset: usize) -> bool {
        let variable = tree.variable(v);
        if variable.variability <= Variability::Parameter
            || variable.binding.is_some()
            || !tree.is_in_expandable(tree.component_of(v))
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

/// The elements that a reference names, by indices from one: where a subscript is no number, all of its dimension.
fn elements_named(sizes: &[usize], subscripts: &[Subscript]) -> Vec<Vec<usize>> {
    let mut elements = vec![Vec::new()];
    for (d, &size) in sizes.iter().enumerate() {
        let indices = subscripts.get(d).and_then(numbers).unwrap_or_else(|| (1..=size).collect());
        elements = elements
            .into_iter()
            .flat_map(|before: Vec<usize>| indices.iter().map(move |i| [before.as_slice(), &[*i]].concat()))
            .collect();
    }
    elements
}

/// A subscript of literal numbers.
fn numbers(subscript: &Subscript) -> Option<Vec<usize>> {
    let Subscript::Index(e) = subscript else { return None };
    let number = |e: &Expr| match e.kind {
        ExprKind::Integer(i) => usize::try_from(i).ok(),
        _ => None,
    };
    match &e.kind {
        ExprKind::Array(parts) => parts.iter().map(number).collect(),
        _ => number(e).map(|number| vec![number]),
    }
}
