//! Libraries in the roots, and which of several versions is taken (MLS §13.3; chapter 18, versions in the file system).

use std::path::Path;

use rhei_source::{EntryKind, FileId, decode};
use smol_str::SmolStr;

use crate::file_names::ident_of_stem;
use crate::folder::{PACKAGE_FILE, Stored};
use crate::store::State;
use crate::uses::{Release, release};
use crate::version::Version;
use crate::{ClassId, Library};

/// A place where a root holds a library.
struct Candidate {
    /// The place of the root among all of them.
    root: usize,
    stored: Stored,
    /// From the name of the file; without one there, from its text, where it matters.
    version: Option<Version>,
}

impl Library {
    /// The library of this name.
    pub(crate) fn search_roots(&self, state: &mut State, name: &str) -> Option<ClassId> {
        let mut candidates = Vec::new();
        for root in 0..self.roots.len() {
            self.add_candidates(state, root, name, &mut candidates);
        }
        if candidates.len() > 1 {
            self.prefer(state, name, &mut candidates);
        }
        // a file that does not define the library is passed over (MLS §13.5)
        let class = candidates.iter().find_map(|at| self.load_stored(state, &at.stored, None, name))?;
        self.want_used_versions(state, class);
        Some(class)
    }

    /// `Name/package.mo`, `Name.mo`, `Name 4.1.0/package.mo` and `Name 4.1.0.mo` of a root.
    fn add_candidates(&self, state: &mut State, root: usize, name: &str, candidates: &mut Vec<Candidate>) {
        let path: &Path = &self.roots[root];
        if let Some(stored) = self.stored_in(state, path, name) {
            candidates.push(Candidate { root, stored, version: None });
        }
        let Some(folder) = self.folder(state, path) else { return };
        let prefix = format!("{name} ");
        let first = folder.entries.partition_point(|(entry, _)| entry.as_str() < prefix.as_str());
        for (entry, kind) in &folder.entries[first..] {
            let Some(rest) = entry.strip_prefix(&prefix) else { break };
            let path = path.join(entry);
            let (stored, version) = match kind {
                EntryKind::Directory if self.is_package(&path) => (Stored::Folder(path), rest),
                EntryKind::File if rest.ends_with(".mo") => {
                    (Stored::File(path), rest.trim_end_matches(".mo"))
                }
                _ => continue,
            };
            candidates.push(Candidate { root, stored, version: Some(Version::parse(version)) });
        }
    }

    /// Sorts so that the best comes first: the version that a `uses` annotation asks for, then one that says it can stand in for
    /// it, then by root, then the highest version.
    fn prefer(&self, state: &State, name: &str, candidates: &mut [Candidate]) {
        for candidate in &mut *candidates {
            if candidate.version.is_none() {
                candidate.version = self.peek(&candidate.stored).and_then(|release| release.version);
            }
        }
        let wanted = state.wanted_versions.get(name);
        let exact = candidates.iter().any(|candidate| candidate.version.as_ref() == wanted);
        let fits = |candidate: &Candidate| match wanted {
            None => false,
            Some(wanted) if exact => candidate.version.as_ref() == Some(wanted),
            Some(wanted) => {
                self.peek(&candidate.stored).is_some_and(|release| release.replaces.contains(wanted))
            }
        };
        candidates.sort_by_cached_key(|candidate| {
            (!fits(candidate), candidate.root, std::cmp::Reverse(candidate.version.clone()))
        });
    }

    /// The version of a library and those it replaces, from its file, without taking the file up.
    fn peek(&self, stored: &Stored) -> Option<Release> {
        let bytes = self.world.read(&stored.definition_file()).ok()?;
        let parsed = rhei_syntax::parse(FileId(u32::MAX), decode(bytes).text.into());
        let class = parsed.stored_definition()?.classes().next()?;
        Some(release(class))
    }

    /// Names at the top that could be meant, without reading files: of the user's classes, and of those in the roots.
    pub fn top_level_classes(&self) -> Vec<SmolStr> {
        self.top_level_names(&mut self.state())
    }

    pub(crate) fn top_level_names(&self, state: &mut State) -> Vec<SmolStr> {
        let mut names: Vec<SmolStr> = state.loaded.keys().cloned().collect();
        for root in &self.roots {
            let Some(folder) = self.folder(state, root) else { continue };
            for (entry, kind) in &folder.entries {
                let stem = match kind {
                    EntryKind::Directory => Some(entry.as_str()),
                    EntryKind::File if entry == PACKAGE_FILE => None,
                    EntryKind::File => entry.strip_suffix(".mo"),
                };
                let name = stem.map(|stem| stem.split_once(' ').map_or(stem, |(name, _version)| name));
                names.extend(name.and_then(ident_of_stem).map(SmolStr::from));
            }
        }
        names.sort();
        names.dedup();
        names
    }
}
