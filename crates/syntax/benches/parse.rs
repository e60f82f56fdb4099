//! How fast the standard library is parsed, beside merely reading and hashing its files.
//!
//! `cargo bench -p rhei-syntax`; says so and ends where there is no library in MODELICAPATH or `~/.rhei/libraries`.

use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use divan::Bencher;
use divan::counter::BytesCount;
use rhei_source::{FileId, decode};
use rhei_syntax::{lex, parse, parse_all};

struct Library {
    paths: Vec<PathBuf>,
    files: Vec<(FileId, Arc<str>)>,
    bytes: usize,
}

fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    LIBRARY.get_or_init(find).as_ref()
}

fn find() -> Option<Library> {
    let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".rhei/libraries"));
    let path = std::env::var_os("MODELICAPATH").unwrap_or_default();
    let root =
        std::env::split_paths(&path).chain(home).find(|root| root.join("Modelica/package.mo").exists())?;
    let mut paths = Vec::new();
    collect(&root, &mut paths);
    let texts = paths.iter().map(|path| decode(std::fs::read(path).unwrap_or_default()).text);
    let files: Vec<_> = texts.enumerate().map(|(i, text)| (FileId(i as u32), Arc::from(text))).collect();
    let bytes = files.iter().map(|(_, text): &(FileId, Arc<str>)| text.len()).sum();
    Some(Library { paths, files, bytes })
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| collect(entry, into));
    } else if path.extension().is_some_and(|extension| extension == "mo") {
        into.push(path.to_owned());
    }
}

fn hash_files(paths: &[PathBuf]) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    for path in paths {
        hasher.write(&std::fs::read(path).unwrap_or_default());
    }
    hasher.finish()
}

#[divan::bench]
fn read_and_hash(bencher: Bencher<'_, '_>) {
    let Some(library) = library() else { return };
    bencher.counter(BytesCount::new(library.bytes)).bench_local(|| hash_files(&library.paths));
}

#[divan::bench]
fn lex_on_one_processor(bencher: Bencher<'_, '_>) {
    let Some(library) = library() else { return };
    bencher
        .counter(BytesCount::new(library.bytes))
        .bench_local(|| library.files.iter().map(|(file, text)| lex(*file, text).0.len()).sum::<usize>());
}

#[divan::bench]
fn parse_on_one_processor(bencher: Bencher<'_, '_>) {
    let Some(library) = library() else { return };
    bencher.counter(BytesCount::new(library.bytes)).bench_local(|| {
        library.files.iter().map(|(file, text)| parse(*file, text.clone())).collect::<Vec<_>>()
    });
}

#[divan::bench]
fn parse_on_all_processors(bencher: Bencher<'_, '_>) {
    let Some(library) = library() else { return };
    bencher.counter(BytesCount::new(library.bytes)).bench_local(|| parse_all(library.files.clone()));
}

/// The best of a few tries.
fn best<T>(mut work: impl FnMut() -> T) -> Duration {
    let tries = (0..5).map(|_| {
        let begin = Instant::now();
        divan::black_box(work());
        begin.elapsed()
    });
    tries.min().unwrap_or_default()
}

fn main() {
    let Some(library) = library() else {
        println!("skipped: no Modelica library in MODELICAPATH or ~/.rhei/libraries");
        return;
    };
    let read = best(|| hash_files(&library.paths));
    let parsed = best(|| parse_all(library.files.clone()));
    println!(
        "{} files, {:.1} MB: read and hashed in {:.0} ms, parsed on all processors in {:.0} ms, {:.1} times that",
        library.files.len(),
        library.bytes as f64 / 1e6,
        read.as_secs_f64() * 1e3,
        parsed.as_secs_f64() * 1e3,
        parsed.as_secs_f64() / read.as_secs_f64(),
    );
    divan::main();
}
