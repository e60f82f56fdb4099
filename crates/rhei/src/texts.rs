//! A world with texts in memory: those of an editor, or of a program that writes models.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use rhei_source::{EntryKind, World};

/// Another world, with texts in the place of its files or beside them.
pub(crate) struct Texts {
    world: Arc<dyn World>,
    texts: RwLock<BTreeMap<PathBuf, String>>,
}

impl Texts {
    pub(crate) fn new(world: Arc<dyn World>) -> Texts {
        Texts { world, texts: RwLock::default() }
    }

    /// Puts a text under a name, or removes the one there.
    pub(crate) fn set(&self, name: &str, text: Option<String>) {
        let mut texts = self.texts.write().unwrap_or_else(PoisonError::into_inner);
        match text {
            Some(text) => texts.insert(name.into(), text),
            None => texts.remove(Path::new(name)),
        };
    }

    fn texts(&self) -> RwLockReadGuard<'_, BTreeMap<PathBuf, String>> {
        self.texts.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl World for Texts {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if let Some(text) = self.texts().get(path) {
            return Ok(text.clone().into_bytes());
        }
        self.world.read(path)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let texts = self.texts();
        if texts.contains_key(path) {
            return Some(EntryKind::File);
        }
        let is_around = || texts.keys().any(|name| name.starts_with(path) && !path.as_os_str().is_empty());
        self.world.kind(path).or_else(|| is_around().then_some(EntryKind::Directory))
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let mut names = BTreeMap::new();
        for name in self.texts().keys() {
            let Ok(below) = name.strip_prefix(directory) else { continue };
            let mut parts = below.components();
            if let Some(first) = parts.next() {
                let kind = if parts.next().is_some() { EntryKind::Directory } else { EntryKind::File };
                names.insert(first.as_os_str().to_string_lossy().into_owned(), kind);
            }
        }
        match self.world.list(directory) {
            Ok(listed) => names.extend(listed),
            Err(error) if names.is_empty() => return Err(error),
            Err(_) => {}
        }
        Ok(names.into_iter().collect())
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }
}
