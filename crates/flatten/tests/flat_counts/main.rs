//! The table `tests/conformance/flat_counts.tsv`: one line per example of the standard library with its scalar unknowns and
//! equations, the number of unknowns that Dymola counts, and the reason for the difference. An independent tool counting
//! the same finds equations missing or too many in a flat model. `UPDATE_EXPECT=1` writes it anew, so that a diff shows
//! progress.
//!
//! Skipped, and saying so, where the library is not laid out.

mod explain;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

use rhei_flatten::{Counts, flatten};
use rhei_library::{Library, default_roots};
use rhei_semantics::instantiate;
use rhei_source::{Diagnostic, Disk};

use crate::explain::explain;

/// Deep enough for any model of the library, in a build without optimisation too.
const STACK: usize = 256 << 20;

fn table() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/flat_counts.tsv")
}

#[test]
fn examples_have_as_many_unknowns_as_the_table_says() {
    let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
    if library.top_level("Modelica").is_none() {
        println!("skipped: the standard library is not in MODELICAPATH or ~/.rhei/libraries");
        return;
    }
    let committed = std::fs::read_to_string(table()).expect("the table is there");
    let examples: Vec<(String, Option<usize>)> = committed
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (fields[0].to_owned(), fields.get(3).and_then(|theirs| theirs.parse().ok()))
        })
        .collect();
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || count_all(&examples));
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

fn count_all(examples: &[(String, Option<usize>)]) -> String {
    let mut table = String::from("example\tunknowns\tequations\tDymola's unknowns\tdifference\twhy\n");
    for (name, theirs) in examples {
        let theirs_text = theirs.map_or(String::new(), |theirs| theirs.to_string());
        let line = match counted(name, *theirs) {
            Ok(Line { counts: Counts { unknowns, equations }, difference, why }) => {
                format!("{unknowns}\t{equations}\t{theirs_text}\t{difference}\t{why}")
            }
            Err(refusal) => format!("\t\t{theirs_text}\t\t{}", refusal.replace(['\n', '\t'], " ")),
        };
        writeln!(table, "{name}\t{line}").expect("writing to a string does not fail");
    }
    table
}

struct Line {
    counts: Counts,
    /// Ours less theirs; empty where there is no figure of theirs.
    difference: String,
    why: &'static str,
}

fn counted(name: &str, theirs: Option<usize>) -> Result<Line, String> {
    // a library of its own for each: none stands on what another has loaded
    let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
    let class = library.find(name).map_err(|not_found| not_found.diagnostic().message)?;
    let (instance, said) = instantiate(&library, class);
    let instance = instance.ok_or_else(|| refusal(&said))?;
    let (flattened, said) = flatten(instance.clone());
    let flat = flattened.whole().ok_or_else(|| refusal(&said))?;
    let counts = Counts::of(&flat).map_err(|failure| failure.into_diagnostic().message)?;
    let (difference, why) = match theirs {
        None => (String::new(), "no figure"),
        Some(theirs) => {
            let difference = counts.unknowns as i64 - theirs as i64;
            (difference.to_string(), explain(&instance, difference))
        }
    };
    Ok(Line { counts, difference, why })
}

fn refusal(said: &[Diagnostic]) -> String {
    match said.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(first) => format!("[{}] {}", first.id, first.message),
        None => "refused without a word".into(),
    }
}
