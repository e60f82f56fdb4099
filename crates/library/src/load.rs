//! The user's own files: their classes come before those of libraries.
//!
//! A file in a folder with a `package.mo` belongs to that package, and its siblings are found as the package's classes. Any
//! other file defines classes at the top, or in the package that its `within` names.

use std::io;
use std::path::{Path, PathBuf};

use rhei_source::{Decoded, Diagnostic, EntryKind, FileId};
use rhei_syntax::ast;

use crate::folder::PACKAGE_FILE;
use crate::store::{State, name_of, name_span};
use crate::{ClassId, Library, UnreadableFile};

/// Packages are nested less deep than this; a path such as `../../…` has no end that could be seen.
const MAX_DEPTH: usize = 64;

impl Library {
    /// Takes up a file of the user's, or the package that a folder is, and gives its outermost classes in order.
    pub fn load_file(&self, path: &Path) -> Result<Vec<ClassId>, UnreadableFile> {
        let state = &mut self.state();
        let path = match self.world.kind(path) {
            Some(EntryKind::Directory) => self.package_file(path)?,
            _ => path.to_owned(),
        };
        let file = self.read(state, &path)?;
        let (folder, around) = self.folders_around(&path);
        let parent = if folder.is_some() || self.classes_in(file).len() == 1 {
            self.load_packages(state, &around)
        } else {
            None // several classes in a file can only be at the top (MLS §13.5)
        };
        let parent = match parent {
            Some(parent) => {
                self.check_own_name(state, file, &path);
                self.check_within(state, file, Some(parent));
                Some(parent)
            }
            None => self.package_of_within(state, file),
        };
        Ok(self.take_up(state, file, parent, folder))
    }

    /// Takes up a text as if it were a file of the user's that lies nowhere, and gives its outermost classes in order.
    pub fn load_text(&self, name: &str, text: &str) -> Vec<ClassId> {
        let state = &mut self.state();
        state.n_texts += 1;
        let file = self.add(state, Path::new(name), Decoded { text: text.into(), latin1_from: None });
        let parent = self.package_of_within(state, file);
        self.take_up(state, file, parent, None)
    }

    fn package_file(&self, folder: &Path) -> Result<PathBuf, UnreadableFile> {
        if self.is_package(folder) {
            return Ok(folder.join(PACKAGE_FILE));
        }
        let source = io::Error::new(io::ErrorKind::NotFound, format!("the folder holds no {PACKAGE_FILE}"));
        Err(UnreadableFile { path: folder.to_owned(), source })
    }

    /// The folder whose `package.mo` the file is, and the folders of the packages around, from the inside out.
    fn folders_around(&self, path: &Path) -> (Option<PathBuf>, Vec<PathBuf>) {
        let beside = folder_around(path);
        let is_package = path.file_name().is_some_and(|name| name == PACKAGE_FILE);
        let (own, mut next) = match beside {
            Some(folder) if is_package => (Some(folder.clone()), folder_around(&folder)),
            beside => (None, beside),
        };
        let mut around = Vec::new();
        while let Some(folder) = next.filter(|folder| self.is_package(folder)) {
            next = folder_around(&folder);
            around.push(folder);
            if around.len() == MAX_DEPTH {
                break;
            }
        }
        (own, around)
    }

    /// The innermost of these packages, with those around it; they are the user's too.
    fn load_packages(&self, state: &mut State, around: &[PathBuf]) -> Option<ClassId> {
        let mut parent = None;
        for folder in around.iter().rev() {
            let file = self.read(state, &folder.join(PACKAGE_FILE)).ok()?;
            match parent {
                Some(_) => self.check_within(state, file, parent),
                None => parent = self.package_of_within(state, file),
            }
            parent = Some(*self.take_up(state, file, parent, Some(folder.clone())).first()?);
        }
        parent
    }

    /// The package that the `within` of a file names. If there is no such package, the file stands at the
    /// top.
    fn package_of_within(&self, state: &mut State, file: FileId) -> Option<ClassId> {
        let clause = self.stored_definition(file)?.within()?;
        let name = clause.name()?;
        match self.find_locked(state, &name.to_string()) {
            Ok(package) => Some(package),
            Err(_) if !state.placed.insert(file) => None, // said before
            Err(not_found) => {
                let message = format!("the package `{name}`, which the file lies within, is not found");
                let mut diagnostic = Diagnostic::warning("within-mismatch", message)
                    .at(name.node().span(), "this package")
                    .with_note("the classes of the file are taken to be at the top");
                diagnostic.notes.extend(not_found.diagnostic().notes);
                state.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// Makes the classes of a file known under their names.
    fn take_up(
        &self,
        state: &mut State,
        file: FileId,
        parent: Option<ClassId>,
        folder: Option<PathBuf>,
    ) -> Vec<ClassId> {
        let mut classes = Vec::new();
        for definition in self.classes_in(file) {
            let Some(name) = name_of(definition) else { continue };
            let class = self.register(state, definition, parent, folder.clone());
            let known = match parent {
                None => *state.loaded.entry(name).or_insert(class),
                Some(parent) => {
                    // classes of the user win over those of the library
                    state.children.entry(parent).or_default().insert(name, Some(class));
                    class
                }
            };
            if known == class {
                classes.push(class);
            } else {
                self.say_duplicate(state, definition, known);
            }
            if parent.is_none() {
                self.want_used_versions(state, class);
            }
        }
        classes
    }

    fn say_duplicate(&self, state: &mut State, definition: ast::ClassDefinition<'_>, known: ClassId) {
        let message = format!("there are two classes `{}`", self.name(known));
        state.refuse(
            Diagnostic::error("duplicate-class", message)
                .at(name_span(definition), "the second one")
                .at(name_span(self.definition(known)), "the first one"),
        );
    }

    /// A file of a package is found by its name, so it should have that of its class.
    fn check_own_name(&self, state: &mut State, file: FileId, path: &Path) {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if state.placed.contains(&file) || path.file_name().is_some_and(|name| name == PACKAGE_FILE) {
            return;
        }
        for definition in self.classes_in(file) {
            let Some(name) = name_of(definition) else { continue };
            if !crate::file_names::stems(&name).any(|wanted| wanted == stem) {
                let message =
                    format!("`{}` defines `{name}`, which is not found there by its name", path.display());
                state.diagnostics.push(
                    Diagnostic::warning("file-name-mismatch", message)
                        .at(name_span(definition), "this name")
                        .with_note(format!(
                            "a class of a package is stored under its own name, here `{name}.mo`"
                        )),
                );
            }
        }
    }
}

/// The folder that holds a file or folder; relative paths go on above where they begin.
fn folder_around(path: &Path) -> Option<PathBuf> {
    match path.components().next_back() {
        None => Some("..".into()), // the empty path is the current folder
        Some(std::path::Component::CurDir) => Some("..".into()),
        Some(std::path::Component::ParentDir) => Some(path.join("..")),
        Some(_) => {
            let parent = path.parent()?;
            Some(if parent.as_os_str().is_empty() { ".".into() } else { parent.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_climbed_from_relative_paths_too() {
        let climbed: Vec<PathBuf> =
            std::iter::successors(Some(PathBuf::from("a/b.mo")), |path| folder_around(path))
                .take(5)
                .collect();
        assert_eq!(climbed, ["a/b.mo", "a", ".", "..", "../.."].map(PathBuf::from));
        assert_eq!(folder_around(Path::new("/a")), Some("/".into()));
        assert_eq!(folder_around(Path::new("/")), None);
    }
}
