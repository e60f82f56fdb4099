//! Storage of classes and files.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rhei_source::{Diagnostic, FileId, Files, Span};
use rhei_syntax::{NodeId, Tree, ast};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::Library;
use crate::folder::Folder;
use crate::version::Version;

/// A class of the session. Ids ascend in the order in which classes were first asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u32);

/// Data of a class; immutable.
pub(crate) struct Class {
    pub(crate) name: SmolStr,
    pub(crate) parent: Option<ClassId>,
    pub(crate) file: FileId,
    pub(crate) node: NodeId,
    /// The folder whose `package.mo` defines it.
    pub(crate) folder: Option<PathBuf>,
    /// The classes written in its body, made when first asked for.
    body: OnceLock<Body>,
}

/// Classes by name, in the order of the text; the first one wins.
pub(crate) type Body = IndexMap<SmolStr, NodeId, FxBuildHasher>;

/// Indices of files and classes.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) files: Files,
    pub(crate) file_of_path: FxHashMap<PathBuf, FileId>,
    /// Top-level classes of the user's files.
    pub(crate) loaded: FxHashMap<SmolStr, ClassId>,
    /// Top-level classes looked for in the roots.
    pub(crate) from_roots: FxHashMap<SmolStr, Option<ClassId>>,
    /// Classes looked for in other classes.
    pub(crate) children: FxHashMap<ClassId, FxHashMap<SmolStr, Option<ClassId>>>,
    pub(crate) class_of_node: FxHashMap<(FileId, NodeId), ClassId>,
    /// Folders that were listed; `None` where that failed.
    pub(crate) folders: FxHashMap<PathBuf, Option<Arc<Folder>>>,
    /// Files whose name and `within` were compared with where they lie.
    pub(crate) placed: FxHashSet<FileId>,
    /// Packages whose folder was compared with their body.
    pub(crate) compared: FxHashSet<ClassId>,
    /// Packages whose `package.order` was complained about.
    pub(crate) ordered: FxHashSet<ClassId>,
    /// The versions of libraries that `uses` annotations ask for; the first one wins.
    pub(crate) wanted_versions: FxHashMap<SmolStr, Version>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Whether a file that was read is broken, and not yet forgotten.
    pub(crate) is_broken: bool,
    /// Trees of a library before this one, by path.
    pub(crate) kept: FxHashMap<PathBuf, Tree>,
    /// Files that do not follow the grammar.
    pub(crate) mistaken: FxHashSet<FileId>,
    /// Files that were parsed, and not taken from what was kept.
    pub(crate) n_parsed: usize,
    /// Texts that are no files.
    pub(crate) n_texts: usize,
}

impl State {
    /// Reports that a file is broken: nothing is built on it.
    pub(crate) fn refuse(&mut self, error: Diagnostic) {
        self.is_broken = true;
        self.diagnostics.push(error);
    }
}

impl Library {
    /// The id of a definition, made now if it has none.
    pub(crate) fn register(
        &self,
        state: &mut State,
        definition: ast::ClassDefinition<'_>,
        parent: Option<ClassId>,
        folder: Option<PathBuf>,
    ) -> ClassId {
        let (file, node) = (definition.node().tree().file(), definition.id());
        *state.class_of_node.entry((file, node)).or_insert_with(|| {
            let name = name_of(definition).unwrap_or_default();
            let class = Class { name, parent, file, node, folder, body: OnceLock::new() };
            ClassId(self.classes.push(class) as u32)
        })
    }

    /// The classes written in the body of a class.
    pub(crate) fn body(&self, class: ClassId) -> &Body {
        self.class(class).body.get_or_init(|| {
            let mut body = Body::default();
            for element in self.definition(class).elements() {
                if let ast::Element::Class(inner) = element
                    && let Some(name) = name_of(inner)
                {
                    body.entry(name).or_insert(inner.id());
                }
            }
            body
        })
    }
}

/// The name of a definition, as it is looked up.
pub(crate) fn name_of(definition: ast::ClassDefinition<'_>) -> Option<SmolStr> {
    definition.name().map(|name| SmolStr::new(name.ident()))
}

/// Span of a definition's name; all of the definition if it has none.
pub(crate) fn name_span(definition: ast::ClassDefinition<'_>) -> Span {
    definition.name().map_or(definition.span(), |name| name.span())
}
