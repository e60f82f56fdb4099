//! Models compiled before, in a folder: a model whose sources are as they were is not compiled again.
//!
//! An entry belongs to a question: a target, a class in it, settings that shape the model. It holds the compiled model, and every file,
//! folder and variable of the environment that its compilation looked at, each with a number for the content found there. It answers
//! where all of them still have that content. Whatever is wrong with an entry, it is as if there were none.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use rhei_compiler::{BUILD, PortableModel};
use rhei_source::World;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::seen::{Seen, SeenContent};
use crate::write_whole::write_whole;
use crate::{Model, Size};

/// The folder's entries take so many bytes at most, about a thousand models of the Standard Library; those used longest ago go first.
const MOST_BYTES: u64 = 512 << 20;

/// A folder with compiled models.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
}

/// What was asked.
pub(crate) struct Question<'a> {
    pub(crate) target: &'a str,
    pub(crate) class: Option<&'a str>,
    pub(crate) settings: &'a [String],
    /// Folders with libraries.
    pub(crate) roots: &'a [PathBuf],
}

/// What stands before the model in an entry.
#[derive(Serialize, Deserialize)]
struct Entry {
    seen: SeenContent,
    size: Option<Size>,
}

impl Cache {
    pub(crate) fn in_folder(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    fn path(&self, question: &Question<'_>) -> PathBuf {
        let mut hasher = Xxh3::new();
        let mut part = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        let Question { target, class, settings, roots } = question;
        part(BUILD.as_bytes());
        // names of files may begin where the program was started
        part(std::env::current_dir().unwrap_or_default().as_os_str().as_encoded_bytes());
        part(target.as_bytes());
        part(class.unwrap_or_default().as_bytes());
        part(&(roots.len() as u64).to_le_bytes());
        roots.iter().for_each(|root| part(root.as_os_str().as_encoded_bytes()));
        settings.iter().for_each(|setting| part(setting.as_bytes()));
        self.folder.join(format!("{:032x}.rhei", hasher.digest128()))
    }

    /// The model that was compiled for this question, where its sources are as they were.
    pub(crate) fn find(
        &self,
        question: &Question<'_>,
        world: &Arc<dyn World>,
    ) -> Option<(Model, Option<Size>)> {
        let path = self.path(question);
        let bytes = fs::read(&path).ok()?;
        let (sum, rest) = bytes.split_at_checked(16)?;
        let (entry, model): (Entry, &[u8]) = postcard::take_from_bytes(rest).ok()?;
        let head = &rest[..rest.len() - model.len()];
        if xxh3_128(head).to_le_bytes() != sum || !entry.seen.is_unchanged(&**world) {
            return None;
        }
        let (model, set) = PortableModel::read_own(model).ok()?;
        // used now: others go first
        let _ = fs::File::options().append(true).open(&path).map(|file| file.set_modified(SystemTime::now()));
        Some((Model::new(model, set), entry.size))
    }

    /// Keeps a model, unless the folder cannot be written to, or the model follows from more than its sources.
    pub(crate) fn keep(&self, question: &Question<'_>, seen: &Seen, size: Option<Size>, model: &Model) {
        if !model.made().follows_from_sources() {
            return;
        }
        let Ok(head) = postcard::to_allocvec(&Entry { seen: seen.content(), size }) else { return };
        let mut bytes = xxh3_128(&head).to_le_bytes().to_vec();
        bytes.extend(head);
        bytes.extend(model.to_bytes());
        let kept = fs::create_dir_all(&self.folder).and_then(|()| write_whole(&self.path(question), &bytes));
        if kept.is_ok() {
            let _ = self.make_room();
        }
    }

    /// Removes what was used longest ago.
    fn make_room(&self) -> io::Result<()> {
        let mut entries = BTreeMap::new();
        let mut total = 0;
        for entry in fs::read_dir(&self.folder)?.flatten() {
            let data = entry.metadata()?;
            if data.is_file() {
                total += data.len();
                entries.insert((data.modified()?, entry.path()), data.len());
            }
        }
        for ((_, path), length) in entries {
            if total <= MOST_BYTES {
                break;
            }
            total -= length;
            fs::remove_file(path)?;
        }
        Ok(())
    }
}

/// Where compiled models are kept unless somebody says otherwise: `$XDG_CACHE_HOME/rhei/models`, or `~/.cache/rhei/models`.
pub(crate) fn default_folder(world: &dyn World) -> Option<PathBuf> {
    let set =
        |name: &str| world.variable(name).filter(|text| Path::new(text).is_absolute()).map(PathBuf::from);
    let base = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(base.join("rhei").join("models"))
}
