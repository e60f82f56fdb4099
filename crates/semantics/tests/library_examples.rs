//! The table `tests/conformance/library_instances.tsv`: one line per example of the standard library, whether it can be
//! instantiated, or the diagnostic instead. `UPDATE_EXPECT=1` writes it anew, so that a diff shows progress.
//!
//! Skipped, and saying so, where the library is not laid out.

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use rhei_library::{Library, default_roots};
use rhei_semantics::instantiate;
use rhei_source::Disk;

/// Deep enough for any model of the library, in a build without optimisation too.
const STACK: usize = 256 << 20;

fn table() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/library_instances.tsv")
}

#[test]
fn examples_instantiate_as_the_table_says() {
    let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
    if library.top_level("Modelica").is_none() {
        println!("skipped: the standard library is not in MODELICAPATH or ~/.rhei/libraries");
        return;
    }
    let committed = std::fs::read_to_string(table()).expect("the table is there");
    let names: Vec<String> =
        committed.lines().skip(1).map(|line| line.split('\t').next().unwrap_or("").to_owned()).collect();
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || instantiate_all(&names));
    let now = work.expect("a thread can be started").join().expect("no example makes it panic");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(table(), &now).expect("the table can be written");
    }
    let differences: Vec<String> = committed
        .lines()
        .zip(now.lines())
        .filter(|(before, now)| before != now)
        .map(|(before, now)| format!("- {before}\n+ {now}"))
        .collect();
    assert!(differences.is_empty(), "the table is out of date:\n{}", differences.join("\n"));
}

fn instantiate_all(names: &[String]) -> String {
    let mut table = String::from("example\tinstance\n");
    for name in names {
        // a library of its own for each: none stands on what another has loaded
        let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
        let verdict = match library.find(name) {
            Err(not_found) => not_found.diagnostic().message,
            Ok(class) => match instantiate(&library, class) {
                (Some(_), _) => "ok".into(),
                (None, said) => match said.iter().find(|diagnostic| diagnostic.is_error()) {
                    Some(first) => format!("[{}] {}", first.id, first.message),
                    None => "refused without a word".into(),
                },
            },
        };
        writeln!(table, "{name}\t{}", verdict.replace(['\n', '\t'], " "))
            .expect("writing to a string does not fail");
    }
    table
}
