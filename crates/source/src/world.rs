//! The one door through which the compiler reaches files and the environment.
//!
//! The command line opens [`Disk`]; tests, and later a language server or a browser, supply their own.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Kind of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A file.
    File,
    /// A folder.
    Directory,
}

/// Files and environment, as the compiler may see them.
pub trait World: Send + Sync {
    /// The bytes of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The kind of a path, if it exists.
    fn kind(&self, path: &Path) -> Option<EntryKind>;
    /// Names in a folder, sorted.
    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>>;
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;
}

/// The machine rhei runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl World for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(if metadata.is_dir() { EntryKind::Directory } else { EntryKind::File })
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(directory)? {
            let entry = entry?;
            let kind = match entry.file_type()? {
                kind if kind.is_dir() => Some(EntryKind::Directory),
                kind if kind.is_file() => Some(EntryKind::File),
                _ => self.kind(&entry.path()), // a link counts as its target
            };
            if let (Ok(name), Some(kind)) = (entry.file_name().into_string(), kind) {
                names.push((name, kind));
            }
        }
        names.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(names)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

/// A world of files in memory, for tests and embedded examples.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    files: BTreeMap<PathBuf, Vec<u8>>,
    variables: BTreeMap<String, String>,
}

impl InMemory {
    /// With a further file; its folders come into being.
    #[must_use]
    pub fn with_file(mut self, path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.into(), content.into());
        self
    }

    /// With a variable of the environment.
    #[must_use]
    pub fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }
}

impl World for InMemory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        if self.files.contains_key(path) {
            Some(EntryKind::File)
        } else {
            let inside = self.files.keys().any(|file| file.starts_with(path));
            inside.then_some(EntryKind::Directory)
        }
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        let mut names = BTreeMap::new();
        for file in self.files.keys() {
            let Ok(below) = file.strip_prefix(directory) else { continue };
            let mut parts = below.components();
            if let Some(first) = parts.next() {
                let kind = if parts.next().is_some() { EntryKind::Directory } else { EntryKind::File };
                names.insert(first.as_os_str().to_string_lossy().into_owned(), kind);
            }
        }
        if names.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(names.into_iter().collect()) }
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_the_memory_world_follow_from_its_files() {
        let world = InMemory::default().with_file("/lib/M/package.mo", "").with_file("/lib/Complex.mo", "");
        let listed = world.list(Path::new("/lib")).unwrap();
        assert_eq!(listed, [("Complex.mo".into(), EntryKind::File), ("M".into(), EntryKind::Directory)]);
        assert_eq!(world.kind(Path::new("/lib/M")), Some(EntryKind::Directory));
        assert_eq!(world.kind(Path::new("/lib/N")), None);
        assert!(world.list(Path::new("/nowhere")).is_err());
    }
}
