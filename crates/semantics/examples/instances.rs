//! Instantiates the classes named on standard input, one a line, and says how it went: a table, tab-separated.
//!
//! `cargo run --release -p rhei-semantics --example instances < names`

use std::io::BufRead;
use std::sync::Arc;

use rhei_library::{Library, default_roots};
use rhei_semantics::instantiate;
use rhei_source::{Diagnostic, Disk};

fn main() {
    let work = std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread can be started");
    work.join().expect("no class makes it panic");
}

fn run() {
    let names: Vec<String> = std::io::stdin().lock().lines().map_while(Result::ok).collect();
    for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
        let begun = std::time::Instant::now();
        let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
        let verdict = match library.find(name) {
            Err(not_found) => not_found.diagnostic().message,
            Ok(class) => {
                let done =
                    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| instantiate(&library, class)));
                match done {
                    Err(_) => "panicked".into(),
                    Ok((Some(instance), _)) => format!(
                        "ok\t{} variables, {} equations, {} connections",
                        instance.variables.len(),
                        instance.sections.equations.len(),
                        instance.sections.connections.len()
                    ),
                    Ok((None, said)) => describe(&library, &said),
                }
            }
        };
        let seconds = begun.elapsed().as_secs_f64();
        println!("{name}\t{seconds:.3}\t{}", verdict.replace('\n', " "));
    }
}

fn describe(library: &Library, said: &[Diagnostic]) -> String {
    let files = library.files();
    let errors: Vec<&Diagnostic> = said.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    let Some(first) = errors.first() else { return "refused without a word".into() };
    let place = first.labels.first().map_or(String::new(), |label| {
        let at = files.position(label.span);
        let path = files.get(label.span.file).path.clone();
        let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        format!(" ({name}:{})", at.line)
    });
    format!("{}\t[{}] {}{place}", errors.len(), first.id, first.message)
}
