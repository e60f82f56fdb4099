//! Small models, and the flat models they become.

mod buses;
mod connectors;
mod graphs;
mod mistakes;
mod streams;

use std::path::PathBuf;
use std::sync::Arc;

use expect_test::Expect;
use rhei_library::Library;
use rhei_source::{Diagnostic, InMemory, Style, render};

/// The flat model of the last class of a text, or its diagnostics.
fn flat(text: &str) -> String {
    let library = Library::new(Arc::new(InMemory::default()), Vec::<PathBuf>::new());
    let classes = library.load_text("test.mo", text);
    let class = *classes.last().expect("a class");
    let (instance, mut diagnostics) = rhei_semantics::instantiate(&library, class);
    let flat = instance.and_then(|instance| {
        let (flattened, more) = rhei_flatten::flatten(instance);
        let flat = flattened.flat();
        // these models have only what their connections need: balance is not checked
        let told = |d: &Diagnostic| flat.is_none() || !d.is_error();
        diagnostics.extend(more.into_iter().filter(told));
        flat
    });
    let said: Vec<String> =
        diagnostics.iter().map(|d: &Diagnostic| render(d, &library.files(), Style::Plain)).collect();
    let flat = flat.map(|flat| {
        assert_eq!(flat.verify(), Ok(()));
        flat.to_string()
    });
    said.into_iter().chain(flat).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&flat(text));
}
