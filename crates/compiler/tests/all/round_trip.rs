//! The text of a flat model reads back to the same flat model: of everything in `tests/language` and `tests/models`, and of
//! examples of the standard library. All of them with `RHEI_ALL_EXAMPLES=1`, a sample without.

use std::path::Path;
use std::sync::Arc;

use rhei_compiler::with_deep_stack;
use rhei_flat::{Expr, Flat, Scalar, Type, Variability};
use rhei_flatten::flatten;
use rhei_library::{ClassId, Library, default_roots};
use rhei_semantics::instantiate;
use rhei_source::{Diagnostic, Disk, InMemory};

use crate::language;
use crate::workshop::{read, root};

/// Without the variable, every so many examples of the library are tried.
const SAMPLE: usize = 12;

fn flat_of(library: &Library, class: ClassId) -> Result<Flat, String> {
    let told = |said: Vec<Diagnostic>| {
        let said = said.iter().filter(|diagnostic| diagnostic.is_error());
        said.map(|diagnostic| format!("[{}] {}", diagnostic.id, diagnostic.message))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let (instance, said) = instantiate(library, class);
    let broken = library.take_diagnostics();
    if broken.iter().any(Diagnostic::is_error) {
        return Err(told(broken));
    }
    let (flattened, said) = flatten(instance.ok_or_else(|| told(said))?);
    flattened.flat().ok_or_else(|| told(said))
}

/// The flat model of the last model of a text.
fn flat_of_text(text: &str) -> Result<Flat, String> {
    let library = Library::new(Arc::new(InMemory::default().with_file("model.mo", text)), Vec::new());
    let classes = library.load_file(Path::new("model.mo")).map_err(|unreadable| unreadable.to_string())?;
    let class = library.main_class(&classes).ok_or("there is no class")?;
    flat_of(&library, class)
}

/// The differences after the way to text and back.
fn difference(flat: &Flat) -> Option<String> {
    let text = flat.to_string();
    let again = match flat_of_text(&text) {
        Ok(again) => again,
        Err(message) => return Some(format!("does not read back: {message}")),
    };
    let second = again.to_string();
    if let Some((before, after)) = text.lines().zip(second.lines()).find(|(before, after)| before != after) {
        return Some(format!("is another text\n- {before}\n+ {after}"));
    }
    if text != second {
        return Some("is a longer or a shorter text".into());
    }
    let (before, after) = (beside_the_text(flat), beside_the_text(&again));
    let place = before.iter().zip(&after).position(|(before, after)| before != after);
    let place = place.or((before.len() != after.len()).then(|| before.len().min(after.len())))?;
    Some(format!("has changed from {:?} to {:?}", before.get(place), after.get(place)))
}

/// Removes the properties that the text does not show: the parts of names, structural parameters, the types of expressions.
fn beside_the_text(flat: &Flat) -> Vec<String> {
    let mut seen = Vec::new();
    for variable in &flat.variables {
        let structural = variable.structural && variable.variability == Variability::Parameter;
        seen.push(format!("{:?}, structural: {structural}", variable.name));
    }
    let mut expression = |e: &Expr| seen.push(kind_and_sizes(&e.ty));
    for equation in flat.initial.iter().chain(&flat.equations) {
        equation.walk_expressions(&mut expression);
    }
    for algorithm in flat.initial_algorithms.iter().chain(&flat.algorithms) {
        algorithm.loops.iter().for_each(|iteration| expression(&iteration.range));
        algorithm.statements.iter().for_each(|statement| statement.walk_expressions(&mut expression));
    }
    seen
}

/// A type without the numbers of its definition.
fn kind_and_sizes(ty: &Type) -> String {
    let scalar = match ty.scalar {
        Scalar::Enumeration(_) => "an enumeration".into(),
        Scalar::Record(_) => "a record".into(),
        Scalar::ExternalObject(_) => "an object".into(),
        plain => format!("{plain:?}"),
    };
    format!("{scalar} {:?}", ty.sizes)
}

#[test]
fn texts_of_tests_read_back() {
    let mut texts: Vec<(String, String)> = language::models();
    for entry in std::fs::read_dir(root().join("tests/models")).expect("there are models") {
        let path = entry.expect("it can be read").path();
        texts.push((path.display().to_string(), read(&path)));
    }
    let (flattened, told) = with_deep_stack(move || {
        let mut flattened = 0;
        let mut told = Vec::new();
        for (place, text) in &texts {
            // what is refused has no flat model
            let Ok(flat) = flat_of_text(text) else { continue };
            flattened += 1;
            told.extend(difference(&flat).map(|difference| format!("{place} {difference}")));
        }
        (flattened, told)
    });
    assert!(told.is_empty(), "{} of {flattened}:\n{}", told.len(), told.join("\n"));
    assert!(flattened > 100, "only {flattened} models have a flat model");
}

#[test]
fn examples_of_the_library_read_back() {
    let library = Library::new(Arc::new(Disk), default_roots(&Disk, []));
    if library.top_level("Modelica").is_none() {
        println!("skipped: the standard library is not in MODELICAPATH or ~/.rhei/libraries");
        return;
    }
    let all = std::env::var_os("RHEI_ALL_EXAMPLES").is_some();
    let table = read("tests/conformance/library_instances.tsv");
    let names: Vec<String> = (table.lines().skip(1).step_by(if all { 1 } else { SAMPLE }))
        .filter_map(|line| line.strip_suffix("\tok").map(str::to_owned))
        .collect();
    let count = names.len();
    let (flattened, told) = with_deep_stack(move || {
        let mut flattened = 0;
        let mut told = Vec::new();
        for name in &names {
            let Ok(flat) =
                library.find(name).map_err(|_| String::new()).and_then(|class| flat_of(&library, class))
            else {
                continue;
            };
            flattened += 1;
            told.extend(difference(&flat).map(|difference| format!("{name} {difference}")));
        }
        (flattened, told)
    });
    println!("{flattened} of {count} examples have a flat model");
    assert!(told.is_empty(), "{} of {flattened}:\n{}", told.len(), told.join("\n"));
    assert!(flattened > count / 2, "only {flattened} of {count} examples have a flat model");
}
