//! Files that are no UTF-8.

use std::path::PathBuf;
use std::sync::Arc;

use expect_test::expect;
use rhei_library::{Library, parse_files};
use rhei_source::InMemory;

use crate::said;

/// `é` before the first byte that cannot be UTF-8, so that offsets differ before and after decoding.
const LATIN1: &[u8] = b"within P;\nmodel M \"caf\xc3\xa9, Gr\xf6\xdfe\" end M;\n";

fn reading(encoding: Option<&str>) -> Library {
    let world = InMemory::default()
        .with_file("/lib/P/package.mo", "package P end P;")
        .with_file("/lib/P/M.mo", LATIN1);
    let world = match encoding {
        Some(encoding) => world.with_file("/lib/P/package.encoding", encoding),
        None => world,
    };
    let library = Library::new(Arc::new(world), vec!["/lib".into()]);
    library.find("P.M").unwrap();
    library
}

#[test]
fn latin1_is_read_and_told() {
    expect![[r#"
        warning[not-utf8]: `/lib/P/M.mo` is not UTF-8 and was read as Latin-1
         --> /lib/P/M.mo:2:19
          |
        2 | model M "cafÃ©, Größe" end M;
          |                   ^ the first such character
          |
          = note: Modelica files are UTF-8 (MLS §13.4); a library that is not says so in a file `package.encoding` beside its `package.mo`"#]]
    .assert_eq(&said(&reading(None)));
}

#[test]
fn files_parsed_together_are_told_in_their_order() {
    let world = InMemory::default()
        .with_file("/a.mo", "model A\n  Real x\nend A;\n")
        .with_file("/b.mo", LATIN1)
        .with_file("/c.mo", "model C\n  Real\nend C;\n");
    let paths = ["/c.mo", "/b.mo", "/a.mo", "/b.mo"].map(PathBuf::from);
    let (files, diagnostics) = parse_files(&world, &paths).unwrap();
    let told: Vec<String> = diagnostics
        .iter()
        .map(|d| format!("{} {}", files.get(d.labels[0].span.file).path.display(), d.id))
        .collect();
    assert_eq!(told.len(), 4, "{told:?}");
    assert!(told[0].starts_with("/c.mo") && told[2].starts_with("/a.mo"), "{told:?}");
    assert_eq!([&told[1], &told[3]], ["/b.mo not-utf8"; 2]);
    let missing = parse_files(&world, &["/gone.mo".into(), "/a.mo".into(), "/lost.mo".into()]).unwrap_err();
    expect!["cannot read `/gone.mo`: entity not found"].assert_eq(&missing.to_string());
}

#[test]
fn a_library_that_says_so_is_left_in_peace() {
    assert_eq!(said(&reading(Some("ISO-8859-1\n"))), "");
    assert_ne!(said(&reading(Some("Shift-JIS"))), "");
}
