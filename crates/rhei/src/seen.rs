//! A world that records which of its files and folders were read, and detects later changes.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rhei_source::{EntryKind, World};
use rustc_hash::FxHasher;

/// The answers at a path, as hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Answers {
    content: Option<u64>,
    kind: Option<Option<EntryKind>>,
    names: Option<u64>,
}

/// Another world, watched.
pub(crate) struct Seen {
    world: Arc<dyn World>,
    seen: Mutex<BTreeMap<PathBuf, Answers>>,
}

impl Seen {
    pub(crate) fn new(world: Arc<dyn World>) -> Seen {
        Seen { world, seen: Mutex::default() }
    }

    /// Whether all answers would be the same now.
    pub(crate) fn is_unchanged(&self) -> bool {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().all(|(path, seen)| {
            seen.content.is_none_or(|content| content == number(&self.world.read(path)))
                && seen.kind.is_none_or(|kind| kind == self.world.kind(path))
                && seen.names.is_none_or(|names| names == number(&self.world.list(path)))
        })
    }

    fn note(&self, path: &Path, note: impl FnOnce(&mut Answers)) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        note(seen.entry(path.to_owned()).or_default());
    }
}

/// A hash of an answer; practically certain to differ for another answer.
fn number<T: Hash>(answer: &io::Result<T>) -> u64 {
    let mut hasher = FxHasher::default();
    answer.as_ref().map_err(io::Error::kind).hash(&mut hasher);
    hasher.finish()
}

impl World for Seen {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let content = self.world.read(path);
        self.note(path, |seen| seen.content = Some(number(&content)));
        content
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let kind = self.world.kind(path);
        self.note(path, |seen| seen.kind = Some(kind));
        kind
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let names = self.world.list(directory);
        self.note(directory, |seen| seen.names = Some(number(&names)));
        names
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }
}
