//! `rhei parse`: syntax only; folders are walked.

use std::path::{Path, PathBuf};

use rhei_library::parse_files;
use rhei_source::{Diagnostic, Disk, EntryKind, Report, World};

use super::{Exit, Usage, exit};
use crate::arguments::Parse;
use crate::talk::Talk;

pub(crate) fn parse(options: &Parse, talk: &Talk) -> Result<Exit, Usage> {
    let mut paths = Vec::new();
    for path in &options.paths {
        collect(path, &mut paths)?;
    }
    let (files, diagnostics) = parse_files(&Disk, &paths).map_err(|unreadable| unreadable.to_string())?;
    if talk.json {
        talk.answer(&Report::new(&diagnostics, &files));
    } else {
        talk.diagnostics(&diagnostics, &files);
        let files = if files.len() == 1 { "1 file".into() } else { format!("{} files", files.len()) };
        talk.say(&format!("{files} read, {} diagnostics", diagnostics.len()));
    }
    Ok(exit(diagnostics.iter().any(Diagnostic::is_error)))
}

/// The file itself, or all `.mo` files below a folder, sorted.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Usage> {
    match Disk.kind(path) {
        Some(EntryKind::File) => files.push(path.to_owned()),
        Some(EntryKind::Directory) => {
            let entries =
                Disk.list(path).map_err(|error| format!("cannot list `{}`: {error}", path.display()))?;
            for (name, kind) in entries {
                let inner = path.join(&name);
                if kind == EntryKind::Directory || name.ends_with(".mo") {
                    collect(&inner, files)?;
                }
            }
        }
        None => return Err(format!("there is no `{}`", path.display())),
    }
    Ok(())
}
