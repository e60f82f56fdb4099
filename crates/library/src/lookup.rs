//! Classes by their full name (MLS §13.3 and §13.4).

use rhei_syntax::ast::{self, ClassKind};

use crate::store::State;
use crate::{ClassId, Library, NotFound, split_name};

impl Library {
    /// The class of this full name, such as `Modelica.Blocks.Sources.Sine`.
    pub fn find(&self, qualified: &str) -> Result<ClassId, Box<NotFound>> {
        self.find_locked(&mut self.state(), qualified)
    }

    /// The class that a user names who gave a file with these classes: `Pkg.Sub.Model`, or `Sub.Model` where the file holds
    /// `Pkg`. If the file lies within another package, the full name is understood too.
    pub fn find_in(&self, classes: &[ClassId], name: &str) -> Result<ClassId, Box<NotFound>> {
        let state = &mut self.state();
        let parts = split_name(name);
        for class in classes {
            let full_name = self.qualified_name(*class);
            for own_name in [&full_name, self.name(*class).as_str()] {
                if let Some(inner) = parts.strip_prefix(&split_name(own_name)[..]) {
                    return self.descend(state, name, Some(*class), inner);
                }
            }
        }
        for class in classes {
            if self.child_locked(state, *class, parts[0]).is_some() {
                return self.descend(state, name, Some(*class), &parts);
            }
        }
        Err(self.not_in_file(state, classes, name, parts[0]))
    }

    /// The class that a user means who gave a file with these classes and named none: the last one that can be simulated, or
    /// the last one.
    pub fn main_class(&self, classes: &[ClassId]) -> Option<ClassId> {
        let is_model = |class: &&ClassId| {
            let definition = self.definition(**class);
            let kind = matches!(definition.kind(), ClassKind::Model | ClassKind::Block | ClassKind::Class);
            kind && !definition.is_partial()
        };
        classes.iter().rfind(is_model).or(classes.last()).copied()
    }

    /// The class of this name at the top: one of the user's, or one in the roots.
    pub fn top_level(&self, name: &str) -> Option<ClassId> {
        self.top_level_locked(&mut self.state(), name)
    }

    /// The class of this name in the body of `parent`, or in a file of its folder.
    pub fn child(&self, parent: ClassId, name: &str) -> Option<ClassId> {
        self.child_locked(&mut self.state(), parent, name)
    }

    pub(crate) fn find_locked(&self, state: &mut State, qualified: &str) -> Result<ClassId, Box<NotFound>> {
        self.descend(state, qualified, None, &split_name(qualified))
    }

    /// From a class, or from the top, down a name; `qualified` is what the user wrote.
    fn descend(
        &self,
        state: &mut State,
        qualified: &str,
        from: Option<ClassId>,
        parts: &[&str],
    ) -> Result<ClassId, Box<NotFound>> {
        let mut found = from;
        for name in parts {
            let next = match found {
                None => self.top_level_locked(state, name),
                Some(parent) => self.child_locked(state, parent, name),
            };
            found = Some(next.ok_or_else(|| self.not_found(state, qualified, found, name))?);
        }
        Ok(found.expect("a name has at least one part"))
    }

    pub(crate) fn top_level_locked(&self, state: &mut State, name: &str) -> Option<ClassId> {
        if let Some(class) = state.loaded.get(name) {
            return Some(*class);
        }
        if let Some(known) = state.from_roots.get(name) {
            return *known;
        }
        let found = self.search_roots(state, name);
        state.from_roots.insert(name.into(), found);
        found
    }

    pub(crate) fn child_locked(&self, state: &mut State, parent: ClassId, name: &str) -> Option<ClassId> {
        if let Some(known) = state.children.get(&parent).and_then(|children| children.get(name)) {
            return *known;
        }
        let found = self.search_class(state, parent, name);
        state.children.entry(parent).or_default().insert(name.into(), found);
        found
    }

    fn search_class(&self, state: &mut State, parent: ClassId, name: &str) -> Option<ClassId> {
        self.compare_with_body(state, parent);
        if let Some(node) = self.body(parent).get(name) {
            let definition = ast::view(self.tree(self.file(parent)), *node)?;
            return Some(self.register(state, definition, Some(parent), None));
        }
        let folder = self.class(parent).folder.as_deref()?;
        let stored = self.stored_in(state, folder, name)?;
        self.load_stored(state, &stored, Some(parent), name)
    }
}
