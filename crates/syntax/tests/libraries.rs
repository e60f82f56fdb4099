//! Every file of the libraries at hand: the tree is sound, gives back the file, and where the library is right, nothing is
//! reported.
//!
//! The libraries are looked for in MODELICAPATH and in `~/.rhei`; a test that finds none says so and passes.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rhei_source::{FileId, Files, Style, decode, render};
use rhei_syntax::{Parsed, parse_all};

fn folder(name: &str, inside: &str) -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".rhei").join(name));
    let path = std::env::var_os("MODELICAPATH").unwrap_or_default();
    let found = std::env::split_paths(&path).chain(home).find(|root| root.join(inside).exists());
    if found.is_none() {
        println!("skipped: no {inside} in MODELICAPATH or ~/.rhei/{name}");
    }
    found
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| collect(entry, into));
    } else if path.extension().is_some_and(|extension| extension == "mo") {
        into.push(path.to_owned());
    }
}

/// Parses everything below a folder and checks the invariants of any text.
fn parse_folder(root: &Path) -> (Files, Vec<Parsed>) {
    let mut paths = Vec::new();
    collect(root, &mut paths);
    let mut files = Files::default();
    for path in &paths {
        files.add(path.strip_prefix(root).unwrap(), decode(std::fs::read(path).unwrap()).text);
    }
    let texts: Vec<(FileId, Arc<str>)> = files.iter().map(|(id, file)| (id, file.text.clone())).collect();
    let parsed = parse_all(texts);
    for (result, (_, file)) in parsed.iter().zip(files.iter()) {
        result.tree.verify().unwrap_or_else(|what| panic!("{}: {what}", file.path.display()));
        assert_eq!(result.tree.print(), *file.text, "{} is not given back", file.path.display());
    }
    (files, parsed)
}

#[test]
fn the_standard_library_has_no_mistakes() {
    let Some(root) = folder("libraries", "Modelica/package.mo") else { return };
    let (files, parsed) = parse_folder(&root);
    let messages: Vec<String> =
        parsed.iter().flat_map(|p| &p.diagnostics).map(|d| render(d, &files, Style::Plain)).collect();
    println!("{} files", files.len());
    assert!(
        messages.is_empty(),
        "{} messages:\n{}",
        messages.len(),
        messages[..messages.len().min(40)].join("\n\n")
    );
}

#[test]
fn the_compliance_suite_has_the_mistakes_that_it_means_to_have() {
    let Some(root) = folder("compliance", "ModelicaCompliance/package.mo") else { return };
    let (files, parsed) = parse_folder(&root);
    let listed: Vec<&str> = include_str!("compliance_syntax_errors.txt")
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim())
        .filter(|line| !line.is_empty())
        .collect();
    let mut wrong = Vec::new();
    for (result, (_, file)) in parsed.iter().zip(files.iter()) {
        let path = file.path.display().to_string();
        let meant = listed.contains(&path.as_str());
        if meant != result.has_errors() {
            let messages: Vec<String> =
                result.diagnostics.iter().map(|d| render(d, &files, Style::Plain)).collect();
            wrong.push(format!("{path} (listed: {meant})\n{}", messages.join("\n")));
        }
    }
    let unknown: Vec<&&str> = listed
        .iter()
        .filter(|path| !files.iter().any(|(_, f)| f.path.display().to_string() == ***path))
        .collect();
    assert!(wrong.is_empty(), "{} files differ:\n{}", wrong.len(), wrong.join("\n\n"));
    println!(
        "{} files, {} with mistakes on purpose, {} of the list are not there",
        files.len(),
        listed.len(),
        unknown.len()
    );
}
