//! Libraries in memory and on disk, and the messages users see about them.

mod counting;
mod encodings;
mod lookup;
mod messages;
mod nested;
mod real_library;
mod resources;
mod user_files;
mod versions;

use std::path::PathBuf;
use std::sync::Arc;

use rhei_library::{ClassId, Library};
use rhei_source::{Diagnostic, InMemory, Style, render};

/// A world of these files.
fn world(files: &[(&str, &str)]) -> InMemory {
    files.iter().fold(InMemory::default(), |world, (path, text)| world.with_file(*path, *text))
}

/// These files, with libraries in `/lib`.
fn library(files: &[(&str, &str)]) -> Library {
    Library::new(Arc::new(world(files)), vec![PathBuf::from("/lib")])
}

/// Messages as users see them, in one text.
fn shown(library: &Library, diagnostics: &[Diagnostic]) -> String {
    let files = library.files();
    let texts: Vec<String> = diagnostics.iter().map(|d| render(d, &files, Style::Plain)).collect();
    texts.join("\n")
}

/// The same for the files read so far.
fn said(library: &Library) -> String {
    shown(library, &library.take_diagnostics())
}

fn full_names(library: &Library, classes: &[ClassId]) -> Vec<String> {
    classes.iter().map(|class| library.qualified_name(*class)).collect()
}
