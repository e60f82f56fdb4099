//! From a path to classes: reading, parsing, and the rules for files in a folder.

use std::io;
use std::path::{Path, PathBuf};

use rhei_source::{Decoded, Diagnostic, FileId, decode};
use rhei_syntax::ast;

use crate::encoding::encoding_warning;
use crate::folder::Stored;
use crate::store::{State, name_span};
use crate::{ClassId, Library};

/// A file that could not be read.
#[derive(Debug)]
pub struct UnreadableFile {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl std::fmt::Display for UnreadableFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot read `{}`: {}", self.path.display(), self.source)
    }
}

impl std::error::Error for UnreadableFile {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

impl Library {
    /// The tree of a file, read now if it was not before.
    pub(crate) fn read(&self, state: &mut State, path: &Path) -> Result<FileId, UnreadableFile> {
        if let Some(file) = state.file_of_path.get(path) {
            return Ok(*file);
        }
        let bytes =
            self.world.read(path).map_err(|source| UnreadableFile { path: path.to_owned(), source })?;
        let file = self.add(state, path, decode(bytes));
        state.file_of_path.insert(path.to_owned(), file);
        Ok(file)
    }

    /// The tree of a text.
    pub(crate) fn add(&self, state: &mut State, path: &Path, decoded: Decoded) -> FileId {
        let file = FileId(state.files.len() as u32);
        let warning = encoding_warning(&*self.world, path, file, &decoded);
        let kept = state.kept.remove(path).filter(|tree| **tree.text() == *decoded.text);
        let (tree, mistakes) = match kept {
            Some(tree) => (tree.moved_to(file), Vec::new()),
            None => {
                state.n_parsed += 1;
                let parsed = rhei_syntax::parse(file, decoded.text.into());
                state.is_broken |= parsed.has_errors();
                (parsed.tree, parsed.diagnostics)
            }
        };
        state.files.add(path, tree.text().clone());
        let place = self.trees.push(tree);
        debug_assert_eq!(place, file.0 as usize, "files and trees go in step");
        if !mistakes.is_empty() {
            state.mistaken.insert(file);
        }
        state.diagnostics.extend(warning);
        state.diagnostics.extend(mistakes);
        file
    }

    /// The classes of a file.
    pub(crate) fn classes_in(&self, file: FileId) -> Vec<ast::ClassDefinition<'_>> {
        self.stored_definition(file).into_iter().flat_map(ast::StoredDefinition::classes).collect()
    }

    pub(crate) fn stored_definition(&self, file: FileId) -> Option<ast::StoredDefinition<'_>> {
        ast::View::cast(self.tree(file).root())
    }

    /// The class `name` from where it is stored in a library.
    pub(crate) fn load_stored(
        &self,
        state: &mut State,
        stored: &Stored,
        parent: Option<ClassId>,
        name: &str,
    ) -> Option<ClassId> {
        let path = stored.definition_file();
        let file = match self.read(state, &path) {
            Ok(file) => file,
            Err(unreadable) => {
                state.refuse(Diagnostic::error("unreadable-file", unreadable.to_string()));
                return None;
            }
        };
        let definition = self.only_class(state, file, &path, name)?;
        self.check_within(state, file, parent);
        let folder = match stored {
            Stored::Folder(folder) => Some(folder.clone()),
            Stored::File(_) => None,
        };
        Some(self.register(state, definition, parent, folder))
    }

    /// The one class of a file, which must have this name (MLS §13.4.2); files with several are ignored (MLS §13.5).
    fn only_class(
        &self,
        state: &mut State,
        file: FileId,
        path: &Path,
        name: &str,
    ) -> Option<ast::ClassDefinition<'_>> {
        let shown = path.display();
        let error = |message: String| Diagnostic::error("file-name-mismatch", message);
        match *self.classes_in(file) {
            [only] => match only.name() {
                Some(found) if found.ident() == name => return Some(only),
                Some(found) => {
                    let message = format!("`{shown}` should define `{name}` and defines `{}`", found.ident());
                    let note =
                        "a class of a library is stored under its own name; rename the file or the class";
                    state.refuse(error(message).at(found.span(), "this name").with_note(note));
                }
                None => {} // a mistake in its syntax, which is reported
            },
            [] => state.refuse(error(format!("`{shown}` should define `{name}` and defines nothing"))),
            [first, ref others @ ..] => {
                let others = others.iter().map(|other| name_span(*other));
                let diagnostic = Diagnostic::warning(
                    "file-name-mismatch",
                    format!("`{shown}` defines several classes and is not searched for `{name}`"),
                )
                .at(name_span(first), "one class")
                .with_note("a file of a library defines one class, named as the file (MLS §13.5)");
                let all =
                    others.fold(diagnostic, |diagnostic, other| diagnostic.at(other, "a further class"));
                state.diagnostics.push(all);
            }
        }
        None
    }

    /// Complains, once, about a file that does not say where it lies: in `parent`, or at the top (MLS §13.4.3).
    pub(crate) fn check_within(&self, state: &mut State, file: FileId, parent: Option<ClassId>) {
        let Some(stored) = self.stored_definition(file).filter(|_| state.placed.insert(file)) else { return };
        let expected = parent.map(|parent| self.qualified_name(parent));
        let clause = stored.within();
        let said = clause.and_then(ast::WithinClause::name).map(|name| name.to_string());
        if said == expected {
            return;
        }
        let wanted = match &expected {
            Some(package) => format!("`within {package};`"),
            None => "no `within`, or `within;`".into(),
        };
        let diagnostic = match clause {
            Some(clause) => {
                let message =
                    format!("expected {wanted}, as the file lies, and found `{}`", clause.node().text());
                let error = Diagnostic::error("within-mismatch", message);
                return state.refuse(error.at(clause.span(), "this says where the file belongs"));
            }
            None => {
                let message =
                    format!("expected {wanted} at the beginning of the file, as it lies, and found none");
                let diagnostic = Diagnostic::warning("within-mismatch", message);
                match stored.classes().next() {
                    Some(first) => diagnostic.at(name_span(first), "this class is not at the top"),
                    None => diagnostic,
                }
            }
        };
        state.diagnostics.push(diagnostic);
    }
}
