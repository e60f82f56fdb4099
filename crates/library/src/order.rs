//! Order of the elements of a package (MLS §13.4.1).

use indexmap::IndexSet;
use rhei_source::{Diagnostic, EntryKind, decode};
use rhei_syntax::ast;
use rustc_hash::FxBuildHasher;
use smol_str::SmolStr;

use crate::file_names::ident_of_stem;
use crate::folder::PACKAGE_FILE;
use crate::store::{State, name_span};
use crate::{ClassId, Library};

const ORDER_FILE: &str = "package.order";

type Names = IndexSet<SmolStr, FxBuildHasher>;

impl Library {
    /// The names of the classes in a class, without reading their files: as `package.order` has them, then those in the body,
    /// then those in files that it does not name.
    pub fn children(&self, parent: ClassId) -> Vec<SmolStr> {
        self.children_locked(&mut self.state(), parent)
    }

    pub(crate) fn children_locked(&self, state: &mut State, parent: ClassId) -> Vec<SmolStr> {
        self.compare_with_body(state, parent);
        let mut known: Names = self.body(parent).keys().cloned().collect();
        known.extend(self.in_folder(state, parent));
        known.extend(added(state, parent));
        let order = self.order(state, parent);
        if let Some(order) = &order {
            self.check_order(state, parent, order, &known);
        }
        let listed = order.into_iter().flatten().filter(|name| known.contains(name));
        let ordered: Names = listed.chain(known.iter().cloned()).collect();
        ordered.into_iter().collect()
    }

    fn in_folder(&self, state: &mut State, parent: ClassId) -> Vec<SmolStr> {
        let Some(path) = &self.class(parent).folder else { return Vec::new() };
        let Some(folder) = self.folder(state, path) else { return Vec::new() };
        let stem = |(entry, kind): &(String, EntryKind)| match kind {
            EntryKind::File if entry == PACKAGE_FILE => None,
            EntryKind::File => entry.strip_suffix(".mo").and_then(ident_of_stem),
            EntryKind::Directory => ident_of_stem(entry).filter(|_| self.is_package(&path.join(entry))),
        };
        folder.entries.iter().filter_map(stem).map(SmolStr::from).collect()
    }

    fn order(&self, state: &mut State, parent: ClassId) -> Option<Names> {
        let path = self.class(parent).folder.as_ref()?;
        if !self.folder(state, path)?.holds(ORDER_FILE, EntryKind::File) {
            return None;
        }
        let text = decode(self.world.read(&path.join(ORDER_FILE)).ok()?).text;
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        Some(lines.filter(|line| !line.is_empty()).map(SmolStr::new).collect())
    }

    /// Complains, once, where `package.order` and the package do not agree. The order also names constants.
    fn check_order(&self, state: &mut State, parent: ClassId, order: &Names, known: &Names) {
        if !state.ordered.insert(parent) {
            return;
        }
        let definition = self.definition(parent);
        let components: Names = definition
            .elements()
            .filter_map(|element| match element {
                ast::Element::Component(clause) => Some(clause),
                _ => None,
            })
            .flat_map(ast::ComponentClause::components)
            .filter_map(|component| component.name().map(|name| SmolStr::new(name.ident())))
            .collect();
        let stray: Vec<&SmolStr> =
            order.iter().filter(|name| !known.contains(*name) && !components.contains(*name)).collect();
        let forgotten: Vec<&SmolStr> = known.iter().filter(|name| !order.contains(*name)).collect();
        let mut say = |names: &[&SmolStr], what: &str| {
            if !names.is_empty() {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let message = format!(
                    "the {ORDER_FILE} of `{}` {what} {}",
                    self.qualified_name(parent),
                    names.join(", ")
                );
                let diagnostic = Diagnostic::warning("package-order", message);
                state.diagnostics.push(diagnostic.at(name_span(definition), "this package"));
            }
        };
        say(&stray, "names what is not in the package:");
        say(&forgotten, "does not name");
    }
}

/// Classes that files of the user's put into the package by `within`; sorted, as they are not in the package's own order.
fn added(state: &State, parent: ClassId) -> Vec<SmolStr> {
    let children = state.children.get(&parent).into_iter().flatten();
    let mut added: Vec<SmolStr> =
        children.filter(|(_, class)| class.is_some()).map(|(name, _)| name.clone()).collect();
    added.sort();
    added
}
