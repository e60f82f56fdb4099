//! `tests/flat/<class>.mo`: small examples of the Standard Library as flat models, read against the
//! library and the specification before they were committed. `UPDATE_EXPECT=1` writes them anew; read what was written.
//!
//! Skipped, and saying so, where the library is not laid out.

use std::sync::Arc;

use rhei_compiler::with_deep_stack;
use rhei_flatten::flatten;
use rhei_library::{Library, default_roots};
use rhei_semantics::instantiate;
use rhei_source::{Diagnostic, Disk};

use crate::workshop::root;

/// The flat model of a class of the library, or what is said instead.
fn flat_text(class: &str) -> String {
    let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
    let said = |diagnostics: Vec<Diagnostic>| {
        diagnostics.into_iter().map(|one| format!("[{}] {}\n", one.id, one.message)).collect()
    };
    let found = match library.find(class) {
        Ok(found) => found,
        Err(not_found) => return said(vec![not_found.diagnostic()]),
    };
    match instantiate(&library, found) {
        (Some(instance), _) => {
            let (flattened, diagnostics) = flatten(instance);
            flattened.flat().map_or_else(|| said(diagnostics), |flat| flat.to_string())
        }
        (None, diagnostics) => said(diagnostics),
    }
}

#[test]
fn examples_of_the_library_are_flattened_as_they_were_read() {
    let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
    if library.top_level("Modelica").is_none() {
        println!("skipped: the standard library is not in MODELICAPATH or ~/.rhei/libraries");
        return;
    }
    let folder = root().join("tests/flat");
    let mut different = Vec::new();
    let mut compared = 0;
    for entry in std::fs::read_dir(&folder).expect("there are flat models") {
        let path = entry.expect("it can be read").path();
        let class = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let committed = std::fs::read_to_string(&path).expect("it can be read");
        let now = with_deep_stack(|| flat_text(&class));
        compared += 1;
        if committed == now {
            continue;
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &now).expect("it can be written");
        }
        let first = committed.lines().zip(now.lines()).find(|(before, now)| before != now);
        let (before, now) = first.unwrap_or(("the end", "the end of one of them"));
        different.push(format!("{class}\n- {before}\n+ {now}"));
    }
    assert!(compared > 0, "there is nothing to compare");
    assert!(different.is_empty(), "flat models are other ones:\n{}", different.join("\n"));
}
