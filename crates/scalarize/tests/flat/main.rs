//! A small flat model, and the scalar equations it becomes. The flat model is that of the text: the classes in it have no components of
//! other classes, so that a mistake here is one of taking apart what stands in one class.

mod algorithms;
mod arrays;
mod branches;
mod clocks;
mod effects;
mod events;
mod functions;
mod past;
mod records;
mod when;

use std::fmt::Write;
use std::sync::Arc;

use expect_test::Expect;
use rhei_library::Library;
use rhei_scalarize::scalarize;
use rhei_source::InMemory;

/// The equations of the last class of a text, or what is said of it.
fn equations(text: &str) -> String {
    let library = Library::new(Arc::new(InMemory::default()), Vec::new());
    let class = *library.load_text("test.mo", text).last().expect("a class");
    let (instance, said) = rhei_semantics::instantiate(&library, class);
    let (flattened, more) = rhei_flatten::flatten(instance.unwrap_or_else(|| panic!("{said:?}")));
    let flat = flattened.flat().unwrap_or_else(|| panic!("{more:?}"));
    let (equations, said) = scalarize(&flat);
    let mut out = String::new();
    if let Ok(equations) = equations {
        assert_eq!(equations.verify(), Ok(()));
        let text = equations.to_string();
        out += text.split_once('\n').map_or("", |(_, lines)| lines); // but for the name
    }
    for diagnostic in said {
        let _ = writeln!(out, "{}: {}", diagnostic.id, diagnostic.message);
    }
    out
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&equations(text));
}
