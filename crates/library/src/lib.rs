//! Classes by name: in the user's files and in libraries, reading only the files that are needed.
//!
//! In: a [`World`] and folders with libraries. Out: [`ClassId`]s, the syntax of the classes they stand for, the files that were
//! read and their diagnostics. MLS chapter 13 (packages) says how names map to files, chapter 18 (annotations, section on
//! versions) how versions do.
//!
//! A [`Library`] only grows: everything works on `&self`, and views into trees stay valid while further files are read. After a
//! change of sources, [`Library::renewed`] makes a new library from this one, which takes over the trees of unchanged files. A
//! file is read when a class in it is asked for and never again; a folder is listed when something in it is asked for. Names are
//! compared with those listed, so that `resistor.mo` is not taken for `Resistor` where the file system would.
//!
//! - [`load_file`](Library::load_file) and [`load_text`](Library::load_text): the user's own classes (`load.rs`)
//! - [`find`](Library::find), [`top_level`](Library::top_level), [`child`](Library::child): lookup by full name (`lookup.rs`, `search_roots.rs`)
//! - [`class_of`](Library::class_of): from syntax back to ids (`nested.rs`)
//! - [`children`](Library::children): what a package holds, in order (`order.rs`)
//! - [`parse_files`]: many files for their syntax alone (`parse_files.rs`)
//! - [`check_uses`](Library::check_uses): versions (`uses.rs`); [`resolve_uri`](Library::resolve_uri): resources (`uri.rs`)
//!
//! Names are written as in the text, the quotes of `'x y'` included. Inheritance and imports are not the business of this
//! crate: `child` knows the classes written in a class or stored in its folder, no others.

mod encoding;
mod file_names;
mod folder;
mod load;
mod lookup;
mod nested;
mod not_found;
mod order;
mod parse_files;
mod read;
mod roots;
mod search_roots;
mod store;
mod uri;
mod uses;
mod version;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rhei_source::{Diagnostic, FileId, Files, World};
use rhei_syntax::{Tree, ast};
use smol_str::SmolStr;

use crate::store::{Class, State};

pub use file_names::split_name;
pub use not_found::{NotFound, Root};
pub use parse_files::parse_files;
pub use read::UnreadableFile;
pub use roots::default_roots;
pub use store::ClassId;
pub use uri::{UriError, UriFault};
pub use version::Version;

/// All classes of a session, known and yet to be found.
pub struct Library {
    world: Arc<dyn World>,
    roots: Vec<PathBuf>,
    /// By [`FileId`]; addresses never change.
    trees: boxcar::Vec<Tree>,
    /// By [`ClassId`]; addresses never change.
    classes: boxcar::Vec<Class>,
    /// Indices of files and classes. Held while files are read, so that none is read twice.
    state: Mutex<State>,
}

impl Library {
    /// No classes yet; those of libraries are found in `roots`, the first one wins. See [`default_roots`].
    pub fn new(world: Arc<dyn World>, roots: Vec<PathBuf>) -> Self {
        Library {
            world,
            roots,
            trees: boxcar::Vec::new(),
            classes: boxcar::Vec::new(),
            state: Mutex::default(),
        }
    }

    /// A library that knows no classes yet, for sources that have changed. It parses only files whose texts are others than here; texts
    /// that are no files are forgotten.
    #[must_use]
    pub fn renewed(self, world: Arc<dyn World>) -> Library {
        let Library { roots, trees, state, .. } = self;
        let State { file_of_path, mut kept, mistaken, .. } =
            state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut trees: Vec<Option<Tree>> = trees.into_iter().map(Some).collect();
        for (path, file) in file_of_path {
            // mistakes are found by parsing
            if !mistaken.contains(&file)
                && let Some(tree) = trees[file.0 as usize].take()
            {
                kept.insert(path, tree);
            }
        }
        kept.retain(|path, _| world.kind(path).is_some());
        let library = Library::new(world, roots);
        library.state().kept = kept;
        library
    }

    /// How many files and texts were parsed, those left out that were known from a library before this one.
    pub fn n_parsed(&self) -> usize {
        self.state().n_parsed
    }

    /// How many texts were taken up that are no files.
    pub fn n_texts(&self) -> usize {
        self.state().n_texts
    }

    /// How many trees there are: those of files, and those kept from a library before this one.
    pub fn n_trees(&self) -> usize {
        self.trees.count() + self.state().kept.len()
    }

    /// The definition of a class.
    pub fn definition(&self, class: ClassId) -> ast::ClassDefinition<'_> {
        let class = self.class(class);
        ast::view(self.tree(class.file), class.node).expect("a class is made of a definition only")
    }

    /// The class around it; `None` at the top.
    pub fn parent(&self, class: ClassId) -> Option<ClassId> {
        self.class(class).parent
    }

    /// Its name, without those of the packages around it.
    pub fn name(&self, class: ClassId) -> &SmolStr {
        &self.class(class).name
    }

    /// Its name with those of the packages around it: `Modelica.Blocks.Sources.Sine`.
    pub fn qualified_name(&self, class: ClassId) -> String {
        let mut names: Vec<&str> = self.outwards(class).map(|class| self.name(class).as_str()).collect();
        names.reverse();
        names.join(".")
    }

    /// The outermost class around it, or itself.
    pub fn top_of(&self, class: ClassId) -> ClassId {
        self.outwards(class).last().unwrap_or(class)
    }

    /// The class, the one around it, and so on.
    pub fn outwards(&self, class: ClassId) -> impl Iterator<Item = ClassId> {
        std::iter::successors(Some(class), |class| self.parent(*class))
    }

    /// The file that a class is written in.
    pub fn file(&self, class: ClassId) -> FileId {
        self.class(class).file
    }

    /// The syntax of a file.
    pub fn tree(&self, file: FileId) -> &Tree {
        &self.trees[file.0 as usize]
    }

    /// All files read so far.
    pub fn files(&self) -> Files {
        self.state().files.clone()
    }

    /// Diagnostics of the files read since the last call: their syntax, their places, their names.
    pub fn take_diagnostics(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.state().diagnostics)
    }

    /// Whether a file that was read since [`Library::forget_broken`] is broken: it does not follow the grammar, or contradicts where it
    /// lies.
    pub fn is_broken(&self) -> bool {
        self.state().is_broken
    }

    /// Files that were read so far count as whole.
    pub fn forget_broken(&self) {
        self.state().is_broken = false;
    }

    fn class(&self, class: ClassId) -> &Class {
        &self.classes[class.0 as usize]
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // a panic elsewhere leaves nothing half done here that a later question could not live with
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Library({} files, {} classes)", self.trees.count(), self.classes.count())
    }
}
