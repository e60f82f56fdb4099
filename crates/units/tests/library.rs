//! Every unit of the library at hand can be read.
//!
//! It is looked for in MODELICAPATH and in `~/.rhei`; where it is not there, the test says so and passes.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rhei_source::decode;
use rhei_units::Unit;

fn library() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".rhei/libraries"));
    let path = std::env::var_os("MODELICAPATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).chain(home).find(|root| root.join("Modelica/package.mo").exists());
    if found.is_none() {
        println!("skipped: no Modelica/package.mo in MODELICAPATH or ~/.rhei/libraries");
    }
    found
}

/// The texts in the files below a folder that `unit` and `displayUnit` are set to.
fn collect(path: &Path, into: &mut BTreeSet<String>) {
    if path.is_dir() {
        std::fs::read_dir(path).unwrap().for_each(|entry| collect(&entry.unwrap().path(), into));
    } else if path.extension().is_some_and(|extension| extension == "mo") {
        let text = decode(std::fs::read(path).unwrap()).text;
        for after in ["unit", "displayUnit"].iter().flat_map(|attribute| text.split(attribute).skip(1)) {
            let value = after.trim_start().strip_prefix('=').map(str::trim_start);
            let unit = value.and_then(|value| value.strip_prefix('"')?.split('"').next());
            into.extend(unit.map(str::to_owned));
        }
    }
}

#[test]
fn every_unit_of_the_standard_library_is_known() {
    let Some(root) = library() else { return };
    let mut units = BTreeSet::new();
    collect(&root, &mut units);
    let refused: Vec<&String> = units.iter().filter(|unit| Unit::parse(unit).is_err()).collect();
    println!("{} units", units.len());
    assert!(units.len() > 200, "only {} found", units.len());
    assert!(refused.is_empty(), "{refused:?}");
}
