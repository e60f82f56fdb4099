//! Folders with classes in them (MLS §13.4.1): which file or folder holds the class of a name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_source::{Diagnostic, EntryKind};
use rhei_syntax::ast;

use crate::file_names::stems;
use crate::store::{State, name_span};
use crate::{ClassId, Library};

/// The node of a folder that is a package.
pub(crate) const PACKAGE_FILE: &str = "package.mo";

/// Entries of a folder, sorted by name.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) entries: Vec<(String, EntryKind)>,
}

/// Storage of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// In the `package.mo` of this folder.
    Folder(PathBuf),
    /// In this file.
    File(PathBuf),
}

impl Stored {
    /// The file that holds the definition.
    pub(crate) fn definition_file(&self) -> PathBuf {
        match self {
            Stored::Folder(folder) => folder.join(PACKAGE_FILE),
            Stored::File(file) => file.clone(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        match self {
            Stored::Folder(path) | Stored::File(path) => path,
        }
    }
}

impl Folder {
    /// Whether it holds this, by exactly this name: file systems that ignore case would say so too often.
    pub(crate) fn holds(&self, name: &str, kind: EntryKind) -> bool {
        self.entries
            .binary_search_by(|(known, _)| known.as_str().cmp(name))
            .is_ok_and(|place| self.entries[place].1 == kind)
    }
}

impl Library {
    /// The entries of a folder.
    pub(crate) fn folder(&self, state: &mut State, path: &Path) -> Option<Arc<Folder>> {
        if let Some(known) = state.folders.get(path) {
            return known.clone();
        }
        let folder = self.world.list(path).ok().map(|mut entries| {
            entries.sort_by(|a, b| a.0.cmp(&b.0)); // as promised, but binary search relies on it
            Arc::new(Folder { entries })
        });
        state.folders.insert(path.to_owned(), folder.clone());
        folder
    }

    /// Whether a folder is a package.
    pub(crate) fn is_package(&self, path: &Path) -> bool {
        self.world.kind(&path.join(PACKAGE_FILE)) == Some(EntryKind::File)
    }

    /// The file or folder that stores the class of this name in a folder.
    pub(crate) fn stored_in(&self, state: &mut State, path: &Path, name: &str) -> Option<Stored> {
        let folder = self.folder(state, path)?;
        for stem in stems(name) {
            if folder.holds(&stem, EntryKind::Directory) && self.is_package(&path.join(&*stem)) {
                return Some(Stored::Folder(path.join(&*stem)));
            }
            let file = format!("{stem}.mo");
            if folder.holds(&file, EntryKind::File) && file != PACKAGE_FILE {
                return Some(Stored::File(path.join(file)));
            }
        }
        None
    }

    /// Complains, once, about classes that a package holds twice: MLS §13.4.1 wants one place for each.
    pub(crate) fn compare_with_body(&self, state: &mut State, package: ClassId) {
        let Some(path) = &self.class(package).folder else { return };
        if !state.compared.insert(package) {
            return;
        }
        let Some(folder) = self.folder(state, path) else { return };
        for (name, node) in self.body(package) {
            if let Some(stored) = self.stored_in(state, path, name) {
                let Some(inner) = ast::view(self.tree(self.file(package)), *node) else { continue };
                let message =
                    format!("`{}.{name}` is defined twice: here and in a file", self.qualified_name(package));
                let note = format!("`{}` is not read", stored.definition_file().display());
                state.refuse(
                    Diagnostic::error("duplicate-class", message)
                        .at(name_span(inner), "this one counts")
                        .with_note(note),
                );
            }
        }
        for (file, kind) in &folder.entries {
            if let Some(stem) = file.strip_suffix(".mo")
                && *kind == EntryKind::File
                && folder.holds(stem, EntryKind::Directory)
                && self.is_package(&path.join(stem))
            {
                let message = format!(
                    "`{}.{stem}` is stored twice: in a file and in a folder",
                    self.qualified_name(package)
                );
                let note = format!(
                    "`{}` counts, `{}` is not read",
                    path.join(stem).join(PACKAGE_FILE).display(),
                    path.join(file).display()
                );
                state.refuse(Diagnostic::error("duplicate-class", message).with_note(note));
            }
        }
    }
}
