//! A world that records which of its files and folders were read, and detects later changes.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rhei_source::{EntryKind, World};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// All that was looked at, each with a number for what was found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct SeenContent {
    paths: BTreeMap<PathBuf, Answers>,
    /// Variables of the environment.
    variables: BTreeMap<String, Option<u128>>,
}

/// The answers at a path, as hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Answers {
    content: Option<u128>,
    kind: Option<Kind>,
    names: Option<u128>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Nothing,
    File,
    Directory,
}

impl From<Option<EntryKind>> for Kind {
    fn from(kind: Option<EntryKind>) -> Kind {
        match kind {
            None => Kind::Nothing,
            Some(EntryKind::File) => Kind::File,
            Some(EntryKind::Directory) => Kind::Directory,
        }
    }
}

/// Another world, watched.
pub(crate) struct Seen {
    world: Arc<dyn World>,
    seen: Mutex<SeenContent>,
}

impl SeenContent {
    /// Whether a world still answers the same.
    pub(crate) fn is_unchanged(&self, world: &dyn World) -> bool {
        let mut variables = self.variables.iter();
        variables.all(|(name, value)| *value == of_variable(world.variable(name).as_deref()))
            && self.paths.iter().all(|(path, seen)| {
                seen.content.is_none_or(|content| content == of_file(&world.read(path)))
                    && seen.kind.is_none_or(|kind| kind == world.kind(path).into())
                    && seen.names.is_none_or(|names| names == of_folder(&world.list(path)))
            })
    }
}

impl Seen {
    pub(crate) fn new(world: Arc<dyn World>) -> Seen {
        Seen { world, seen: Mutex::default() }
    }

    /// Whether all answers would be the same now.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.seen().is_unchanged(&*self.world)
    }

    /// All that was looked at so far.
    pub(crate) fn content(&self) -> SeenContent {
        self.seen().clone()
    }

    fn seen(&self) -> MutexGuard<'_, SeenContent> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, path: &Path, note: impl FnOnce(&mut Answers)) {
        let mut seen = self.seen();
        match seen.paths.get_mut(path) {
            Some(known) => note(known),
            None => note(seen.paths.entry(path.to_owned()).or_default()),
        }
    }
}

/// A number for the answer of a world; another one, as good as surely, for another answer.
fn number<T>(answer: &io::Result<T>, content: impl FnOnce(&T, &mut Xxh3)) -> u128 {
    let mut hasher = Xxh3::new();
    match answer {
        Ok(answer) => {
            hasher.update(&[1]);
            content(answer, &mut hasher);
        }
        Err(error) => {
            hasher.update(&[0]);
            hasher.update(error.kind().to_string().as_bytes());
        }
    }
    hasher.digest128()
}

fn of_file(answer: &io::Result<Vec<u8>>) -> u128 {
    number(answer, |content, hasher| hasher.update(content))
}

fn of_folder(answer: &io::Result<Vec<(String, EntryKind)>>) -> u128 {
    number(answer, |names, hasher| {
        for (name, kind) in names {
            hasher.update(name.as_bytes());
            // no name holds a zero
            hasher.update(&[0, u8::from(*kind == EntryKind::Directory)]);
        }
    })
}

fn of_variable(value: Option<&str>) -> Option<u128> {
    value.map(|value| number(&Ok(value), |value, hasher| hasher.update(value.as_bytes())))
}

impl World for Seen {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let content = self.world.read(path);
        self.note(path, |seen| seen.content = Some(of_file(&content)));
        content
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let kind = self.world.kind(path);
        self.note(path, |seen| seen.kind = Some(kind.into()));
        kind
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let names = self.world.list(directory);
        self.note(directory, |seen| seen.names = Some(of_folder(&names)));
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        let value = self.world.variable(name);
        self.seen().variables.insert(name.to_owned(), of_variable(value.as_deref()));
        value
    }
}
