//! The manual speaks of every diagnostic, its models do what it says, and every example has its picture.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_compiler::{Session, Target, with_deep_stack};
use rhei_source::InMemory;

use crate::language::check_file;
use crate::workshop::{compile, read, root};

const DIAGNOSTICS: &str = "docs/diagnostics.md";

#[test]
fn every_diagnostic_has_an_entry() {
    let written: BTreeSet<String> = read(DIAGNOSTICS)
        .lines()
        .filter_map(|line| Some(line.strip_prefix("### `")?.strip_suffix('`')?.to_owned()))
        .collect();
    let known = ids_in_sources();
    let missing: Vec<&String> = known.difference(&written).collect();
    let surplus: Vec<&String> = written.difference(&known).collect();
    assert!(missing.is_empty(), "{DIAGNOSTICS} has no entry (### `id`) for {missing:?}");
    assert!(surplus.is_empty(), "{DIAGNOSTICS} speaks of ids that no source has: {surplus:?}");
}

#[test]
fn every_method_has_a_row() {
    let chapter = read("docs/methods.md");
    let rows: Vec<&str> = chapter.lines().filter(|line| line.starts_with("| `")).collect();
    let is_missing = |name: &&str| !rows.iter().any(|row| row.contains(&format!("`{name}`")));
    let missing: Vec<&str> =
        rhei_numerics::Method::ALL.map(|m| m.name()).into_iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "docs/methods.md has no row for {missing:?}");
}

#[test]
fn the_examples_of_the_diagnostics_bring_them_about() {
    check_file(DIAGNOSTICS);
}

#[test]
fn the_models_of_the_language_chapter_do_what_it_says() {
    check_file("docs/language.md");
}

#[test]
fn the_models_of_the_chapter_on_states_do_what_it_says() {
    check_file("docs/state-selection.md");
}

#[test]
fn the_models_of_the_chapter_on_events_do_what_it_says() {
    check_file("docs/events.md");
    let model = read("docs/pictures/BouncingBall.mo");
    assert!(read("docs/events.md").contains(&model), "the model of the picture is another one");
}

#[test]
fn the_models_of_the_chapter_on_clocks_do_what_it_says() {
    check_file("docs/clocks.md");
    let model = read("docs/pictures/SampledLevel.mo");
    assert!(read("docs/clocks.md").contains(&model), "the model of the picture is another one");
}

#[test]
fn the_models_of_the_chapter_on_balances_do_what_it_says() {
    check_file("docs/balance.md");
    let model = read("docs/pictures/BentSpring.mo");
    assert!(read("docs/balance.md").contains(&model), "the model of the picture is another one");
}

/// The files of the chapter on libraries, each after a line with its name, are a library that can be used as it says.
#[test]
fn the_page_about_variable_structure_is_true() {
    check_file("docs/variable-structure.md");
    let model = read("docs/pictures/SwitchedInductors.mo");
    assert!(read("docs/variable-structure.md").contains(&model), "the model of the picture is another one");
}

#[test]
fn the_library_of_its_chapter_is_found() {
    let text = read("docs/libraries.md");
    let mut world = InMemory::default();
    let parts: Vec<&str> = text.split("```modelica\n").collect();
    for pair in parts.windows(2) {
        let name = pair[0].trim_end().lines().last().expect("a name").trim_matches('`');
        let (content, _) = pair[1].split_once("```").expect("the block is closed");
        let folder = if name.contains('/') { "/libraries" } else { "/models" };
        world = world.with_file(format!("{folder}/{name}"), content);
    }
    let targets = [
        ("Cooling.Examples.TwoCups", None),
        ("/libraries/Cooling/Examples/TwoCups.mo", None),
        ("/libraries/Cooling", Some("Examples.TwoCups")),
        ("/models/Breakfast.mo", None),
    ];
    for (target, name) in targets {
        let world = world.clone();
        let (compiled, diagnostics) = with_deep_stack(move || {
            let target = Target::of(target, &world);
            let mut session = Session::new(Arc::new(world.clone()), vec!["/libraries".into()]);
            let done = session.compile(target, name).expect("the file is there");
            (done.model.is_some(), done.diagnostics)
        });
        assert!(compiled && diagnostics.is_empty(), "{target}: {diagnostics:?}");
    }
}

#[test]
fn every_example_compiles_and_has_a_picture_and_a_paragraph() {
    let readme = read("examples/README.md");
    let files = files_below(&root().join("examples"), "mo");
    assert!(files.len() >= 4);
    for file in files {
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        let (done, _) = compile(&read(&file));
        assert!(done.diagnostics.is_empty(), "{name}: {:?}", done.diagnostics);
        assert!(done.model.is_some(), "{name}");
        assert!(file.with_extension("svg").exists(), "{name} has no picture");
        for part in [format!("{name}.mo"), format!("({name}.svg)")] {
            assert!(readme.contains(&part), "examples/README.md does not speak of {part}");
        }
    }
}

/// Links between the documents lead somewhere.
#[test]
fn links_lead_to_files() {
    let mut documents = files_below(&root().join("docs"), "md");
    documents.extend(["README.md", "ARCHITECTURE.md", "examples/README.md"].map(|path| root().join(path)));
    for document in documents {
        let text = read(&document);
        for target in text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            // `x[2](start = 1)` is no link
            let is_file = !target.is_empty() && !target.contains("://") && !target.contains([' ', '=']);
            let path = document.parent().expect("a folder").join(target);
            assert!(!is_file || path.exists(), "{}: there is no `{target}`", document.display());
        }
    }
}

/// All ids of diagnostics: the first argument of `Diagnostic::error` and its kin, kebab-case texts in the files that
/// speak of mistakes, and those of the syntax.
fn ids_in_sources() -> BTreeSet<String> {
    let mut ids: BTreeSet<String> =
        rhei_syntax::Mistake::ALL.iter().map(|mistake| mistake.id().to_owned()).collect();
    for file in files_below(&root().join("crates"), "rs") {
        if !file.components().any(|part| part.as_os_str() == "src") {
            continue;
        }
        let text = read(&file);
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        for call in ["Diagnostic::error(", "Diagnostic::warning(", "Diagnostic::note("] {
            for rest in code.split(call).skip(1) {
                let literal = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
                ids.extend(literal.filter(|id| is_kebab(id)).map(str::to_owned));
            }
        }
        let of_mistakes = ["mistake", "mistakes", "diagnose", "failure"];
        let mut names = file.iter().filter_map(|part| Path::new(part).file_stem()?.to_str());
        if names.any(|name| of_mistakes.contains(&name)) {
            let literals = code.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
            ids.extend(literals.filter(|id| id.contains('-') && is_kebab(id)).map(str::to_owned));
        }
    }
    ids
}

fn is_kebab(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// Files with an extension in a folder and those inside it, sorted.
fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}
