//! A number for the sources of everything that makes a compiled model: a model file is read by the build that wrote it, and by no other.

use std::collections::BTreeSet;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// The crates a compiled model is made by, or made of. Those that run it can change without making it another one.
const MAKERS: &str = "clocks compiler elementary equations evaluate external flat flatten instance library scalarize semantics solvable \
                      source structure syntax units";

fn main() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = BTreeSet::new();
    for name in MAKERS.split(' ') {
        let sources = crates.join(name).join("src");
        if sources.is_dir() {
            println!("cargo:rerun-if-changed={}", sources.display());
        }
        collect(&sources, &mut files);
    }
    let mut hasher = DefaultHasher::new();
    for file in &files {
        hasher.write(&fs::read(file).unwrap_or_default());
    }
    println!("cargo:rustc-env=RHEI_BUILD={:016x}", hasher.finish());
}

/// All files below a folder; none where it is not there, as in a package of this crate alone.
fn collect(folder: &Path, files: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path);
        }
    }
}
