//! A missing class: the places searched, and names that may have been meant.

use std::path::{Path, PathBuf};

use rhei_source::{Diagnostic, EntryKind, nearest_name};
use smol_str::SmolStr;

use crate::folder::PACKAGE_FILE;
use crate::store::State;
use crate::{ClassId, Library};

/// Why a name leads to no class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFound {
    /// The whole name.
    pub qualified: String,
    /// The part of it that is not there.
    pub missing: String,
    /// The full name of the class that does not hold it; `None` where it was looked for at the top.
    pub scope: Option<String>,
    /// Names that could be meant instead of the missing part, the nearest first.
    pub near: Vec<String>,
    /// The folders searched, where it was looked for at the top.
    pub roots: Vec<Root>,
    /// Suggestions, as sentences.
    pub hints: Vec<String>,
}

/// A folder with libraries that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Which one.
    pub path: PathBuf,
    /// Whether it is there.
    pub exists: bool,
}

/// Most similar names in a message.
const NEAR: usize = 3;

impl NotFound {
    /// The diagnostic; the caller that knows the place of the name adds it.
    pub fn diagnostic(&self) -> Diagnostic {
        let message = match &self.scope {
            _ if self.missing.is_empty() => format!("`{}` is not the name of a class", self.qualified),
            Some(scope) => format!("there is no class `{}` in `{scope}`", self.missing),
            None => format!("there is no class or library `{}`", self.missing),
        };
        let mut diagnostic = Diagnostic::error("class-not-found", message);
        if let [near @ .., last] = &self.near[..] {
            let near: String = near.iter().map(|name| format!("`{name}`, ")).collect();
            diagnostic = diagnostic.with_note(match near.strip_suffix(", ") {
                Some(near) => format!("did you mean {near} or `{last}`?"),
                None => format!("did you mean `{last}`?"),
            });
        }
        for hint in &self.hints {
            diagnostic = diagnostic.with_note(hint);
        }
        if self.scope.is_none() {
            diagnostic = diagnostic.with_note(self.searched());
        }
        diagnostic
    }

    fn searched(&self) -> String {
        if self.roots.is_empty() {
            return "no folder with libraries is known: give one with --library-path or in MODELICAPATH"
                .into();
        }
        let roots = self.roots.iter().map(|root| {
            let missing = if root.exists { "" } else { " (there is no such folder)" };
            format!("`{}`{missing}", root.path.display())
        });
        let roots: Vec<String> = roots.collect();
        format!("looked in {}; --library-path and MODELICAPATH add folders", roots.join(", "))
    }
}

impl std::fmt::Display for NotFound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.diagnostic().message)
    }
}

impl std::error::Error for NotFound {}

impl Library {
    /// Why `missing`, a part of `qualified`, is not in `scope`.
    pub(crate) fn not_found(
        &self,
        state: &mut State,
        qualified: &str,
        scope: Option<ClassId>,
        missing: &str,
    ) -> Box<NotFound> {
        let (candidates, roots, hints) = match scope {
            Some(scope) => {
                let hints = self.folder_hint(state, scope, missing).into_iter().collect();
                (self.children_locked(state, scope), Vec::new(), hints)
            }
            None => {
                let roots = self
                    .roots
                    .iter()
                    .map(|root| Root { path: root.clone(), exists: self.world.kind(root).is_some() });
                (self.top_level_names(state), roots.collect(), self.hints(state, missing))
            }
        };
        Box::new(NotFound {
            qualified: qualified.into(),
            missing: missing.into(),
            scope: scope.map(|scope| self.qualified_name(scope)),
            near: nearest(missing, &candidates),
            roots,
            hints,
        })
    }

    /// Why `missing`, a part of `qualified`, is not in the file that holds `classes`.
    pub(crate) fn not_in_file(
        &self,
        state: &mut State,
        classes: &[ClassId],
        qualified: &str,
        missing: &str,
    ) -> Box<NotFound> {
        let mut candidates: Vec<SmolStr> = classes.iter().map(|class| self.name(*class).clone()).collect();
        for class in classes {
            candidates.extend(self.children_locked(state, *class));
        }
        let file = classes.first().map(|class| state.files.get(self.file(*class)).path.display().to_string());
        Box::new(NotFound {
            qualified: qualified.into(),
            missing: missing.into(),
            scope: Some(file.unwrap_or_else(|| "the file".into())),
            near: nearest(missing, &candidates),
            roots: Vec::new(),
            hints: Vec::new(),
        })
    }

    /// A folder of the right name that is no package.
    fn folder_hint(&self, state: &mut State, scope: ClassId, missing: &str) -> Option<String> {
        let path = self.class(scope).folder.as_ref()?;
        let folder = self.folder(state, path)?;
        let is_folder = !missing.is_empty() && folder.holds(missing, EntryKind::Directory);
        is_folder.then(|| format!("the folder `{}` holds no {PACKAGE_FILE}", path.join(missing).display()))
    }

    /// Suggestions for a library that lies one folder further up, or beside a file of the user.
    fn hints(&self, state: &mut State, name: &str) -> Vec<String> {
        let mut hints = Vec::new();
        for root in &self.roots {
            let parent = root.parent().filter(|parent| !parent.as_os_str().is_empty());
            let parent = parent.unwrap_or(Path::new("."));
            let held = self.stored_in(state, parent, name);
            if self.is_package(root) {
                hints.push(format!(
                    "`{}` holds a {PACKAGE_FILE}, so it is itself a library; did you mean the parent folder, `{}`?",
                    root.display(),
                    parent.display()
                ));
            } else if let Some(stored) = held {
                hints.push(format!(
                    "did you mean the parent folder of `{}`? it holds `{}`",
                    root.display(),
                    stored.path().display()
                ));
            }
        }
        hints.extend(self.beside_loaded(state, name));
        hints
    }

    /// A class in a file beside one that the user gave: the folder should have been given.
    fn beside_loaded(&self, state: &mut State, name: &str) -> Option<String> {
        let mut files: Vec<_> = state.loaded.values().map(|class| self.file(*class)).collect();
        files.sort();
        files.dedup();
        for file in files {
            let path = state.files.get(file).path.clone();
            if !state.file_of_path.contains_key(&path) {
                continue; // a text without place
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            if let Some(stored) = self.stored_in(state, folder, name) {
                return Some(format!(
                    "`{}` lies beside `{}`: give its folder with --library-path `{}`",
                    stored.path().display(),
                    path.display(),
                    folder.display()
                ));
            }
        }
        None
    }
}

/// The names that a writer of `missing` most likely meant.
fn nearest(missing: &str, candidates: &[SmolStr]) -> Vec<String> {
    // all names of one letter are near to each other, and none is meant
    let short = missing.chars().count() < 3;
    let meant = |candidate: &&str| !short || candidate.eq_ignore_ascii_case(missing);
    let mut candidates: Vec<&str> = candidates.iter().map(SmolStr::as_str).filter(meant).collect();
    let mut near = Vec::new();
    while near.len() < NEAR
        && let Some(next) = nearest_name(missing, candidates.iter().copied())
    {
        candidates.retain(|candidate| *candidate != next);
        near.push(next.to_owned());
    }
    near
}
