//! The text of a class, and the instance it becomes: the tree of its components, what its equations say, and what is refused. A
//! mistake here is one of lookup, inheritance, modification or typing, whatever later passes do.

mod arrays;
mod conditional;
mod enumerations;
mod functions;
mod inheritance;
mod inner_outer;
mod lookup;
mod modification;
mod records;
mod redeclaration;
mod structural;

use std::fmt::Write;
use std::sync::Arc;

use expect_test::Expect;
use rhei_flat::Printer;
use rhei_library::Library;
use rhei_semantics::instantiate;
use rhei_source::InMemory;

/// The instance of the last class of a text, as far as there is one, then what is said.
fn instance(text: &str) -> String {
    let library = Library::new(Arc::new(InMemory::default()), Vec::new());
    let class = *library.load_text("test.mo", text).last().expect("a class");
    let (instance, said) = instantiate(&library, class);
    let mut out = String::new();
    if let Some(instance) = instance {
        assert_eq!(instance.verify(), Ok(()));
        let tree = instance.to_string();
        let lines = tree.lines().skip(1); // the name of the class
        lines.filter(|line| line.starts_with(' ')).for_each(|line| out += &format!("{}\n", &line[2..]));
        let printer = Printer::new(&instance.variables, &instance.tables);
        let sections = &instance.sections;
        for (title, equations) in [("equation", &sections.equations), ("initial equation", &sections.initial)]
        {
            if !equations.is_empty() {
                let _ = writeln!(out, "{title}");
            }
            for equation in equations {
                printer.equation(equation).lines().for_each(|line| out += &format!("  {line}\n"));
            }
        }
    }
    for diagnostic in said {
        let _ = writeln!(out, "{}: {}", diagnostic.id, diagnostic.message);
    }
    out
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&instance(text));
}
