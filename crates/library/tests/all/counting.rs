//! A world that counts its calls.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rhei_source::{EntryKind, World};

/// Remembers which files were read and which folders were listed.
pub(crate) struct Counting<W> {
    world: W,
    pub(crate) read: Mutex<Vec<PathBuf>>,
    pub(crate) listed: Mutex<Vec<PathBuf>>,
}

impl<W> Counting<W> {
    pub(crate) fn new(world: W) -> Self {
        Counting { world, read: Mutex::default(), listed: Mutex::default() }
    }

    pub(crate) fn files_read(&self) -> Vec<String> {
        self.read.lock().unwrap().iter().map(|path| path.display().to_string()).collect()
    }

    pub(crate) fn folders_listed(&self) -> Vec<String> {
        self.listed.lock().unwrap().iter().map(|path| path.display().to_string()).collect()
    }
}

impl<W: World> World for Counting<W> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read.lock().unwrap().push(path.to_owned());
        self.world.read(path)
    }

    fn kind(&self, path: &Path) -> Option<EntryKind> {
        self.world.kind(path)
    }

    fn list(&self, directory: &Path) -> io::Result<Vec<(String, EntryKind)>> {
        self.listed.lock().unwrap().push(directory.to_owned());
        self.world.list(directory)
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.world.variable(name)
    }
}
