//! Names to classes, and the files read on the way.

use std::path::PathBuf;
use std::sync::Arc;

use expect_test::expect;
use rhei_library::{Library, default_roots};
use rhei_source::InMemory;

use crate::counting::Counting;
use crate::{library, said, world};

const LAYOUT: &[(&str, &str)] = &[
    (
        "/lib/M/package.mo",
        "within;\npackage M\n  constant Real c = 1;\n  model InBody\n    model Deep end Deep;\n  end InBody;\nend M;\n",
    ),
    ("/lib/M/package.order", "Sub\nc\nInBody\nAlone\n'x y'\n"),
    ("/lib/M/Alone.mo", "within M;\nmodel Alone end Alone;\n"),
    ("/lib/M/'x y'.mo", "within M;\nmodel 'x y' end 'x y';\n"),
    ("/lib/M/Resources/Data.txt", ""),
    ("/lib/M/Sub/package.mo", "within M;\npackage Sub end Sub;\n"),
    ("/lib/M/Sub/Leaf.mo", "within M.Sub;\nmodel Leaf end Leaf;\n"),
    ("/lib/Single.mo", "package Single model A end A; end Single;\n"),
];

#[test]
fn classes_are_found_in_bodies_files_and_folders() {
    let library = library(LAYOUT);
    for name in ["M", "M.InBody", "M.InBody.Deep", "M.Alone", "M.'x y'", "M.Sub.Leaf", "Single.A", ".M.Sub"] {
        let class = library.find(name).unwrap_or_else(|missing| panic!("{missing}"));
        assert_eq!(library.qualified_name(class), name.trim_start_matches('.'));
        assert_eq!(library.find(name).unwrap(), class, "the same class has one id");
    }
    let deep = library.find("M.InBody.Deep").unwrap();
    let parent = library.parent(deep).unwrap();
    assert_eq!(library.child(parent, "Deep"), Some(deep));
    assert_eq!(library.top_of(deep), library.top_level("M").unwrap());
    assert_eq!(library.definition(deep).node().text(), "model Deep end Deep");
    assert_eq!(said(&library), "");
}

#[test]
fn only_files_on_the_way_are_read_and_only_once() {
    let counting = Arc::new(Counting::new(world(LAYOUT)));
    let library = Library::new(counting.clone(), vec!["/lib".into()]);
    for _ in 0..2 {
        library.find("M.Sub.Leaf").unwrap();
        assert_eq!(library.top_level("Real"), None);
    }
    let read = counting.files_read();
    assert_eq!(read, ["/lib/M/package.mo", "/lib/M/Sub/package.mo", "/lib/M/Sub/Leaf.mo"]);
    assert_eq!(counting.folders_listed(), ["/lib", "/lib/M", "/lib/M/Sub"]);
}

#[test]
fn children_come_in_the_order_of_the_package_without_being_read() {
    let counting = Arc::new(Counting::new(world(LAYOUT)));
    let library = Library::new(counting.clone(), vec!["/lib".into()]);
    let package = library.top_level("M").unwrap();
    assert_eq!(library.children(package), ["Sub", "InBody", "Alone", "'x y'"]);
    assert_eq!(counting.files_read(), ["/lib/M/package.mo", "/lib/M/package.order"]);
    assert_eq!(said(&library), "");
}

#[test]
fn the_order_of_children_does_not_depend_on_what_was_asked_before() {
    let files = [
        ("/lib/P/package.mo", "package P end P;"),
        ("/lib/P/A.mo", ""),
        ("/lib/P/B.mo", "within P; model B end B;"),
    ];
    let library = library(&files);
    library.find("P.B").unwrap();
    assert_eq!(library.children(library.top_level("P").unwrap()), ["A", "B"]);
}

#[test]
fn letters_of_another_case_are_another_name() {
    /// A world like a file system that ignores case: every file is there under any case.
    struct IgnoringCase(InMemory);
    impl rhei_source::World for IgnoringCase {
        fn read(&self, path: &std::path::Path) -> std::io::Result<Vec<u8>> {
            self.0.read(&PathBuf::from(path.to_string_lossy().to_lowercase()))
        }
        fn kind(&self, path: &std::path::Path) -> Option<rhei_source::EntryKind> {
            self.0.kind(&PathBuf::from(path.to_string_lossy().to_lowercase()))
        }
        fn list(&self, path: &std::path::Path) -> std::io::Result<Vec<(String, rhei_source::EntryKind)>> {
            self.0.list(&PathBuf::from(path.to_string_lossy().to_lowercase()))
        }
        fn variable(&self, name: &str) -> Option<String> {
            self.0.variable(name)
        }
    }
    let files = world(&[
        ("/lib/p/package.mo", "package p end p;"),
        ("/lib/p/resistor.mo", "within p; model resistor end resistor;"),
    ]);
    let library = Library::new(Arc::new(IgnoringCase(files)), vec!["/lib".into()]);
    assert!(library.find("p.resistor").is_ok());
    assert!(library.find("p.Resistor").is_err());
    assert!(library.find("P").is_err());
    assert_eq!(said(&library), "");
}

#[test]
fn names_that_climb_find_nothing() {
    let library = library(&[("/secret.mo", "model secret end secret;"), ("/lib/A.mo", "model A end A;")]);
    assert!(library.find("../secret").is_err());
    assert!(library.find("'../secret'").is_err());
}

#[test]
fn roots_are_those_given_then_modelicapath_then_home() {
    let joined = std::env::join_paths(["/a", "/b"]).unwrap().into_string().unwrap();
    let world = InMemory::default().with_variable("MODELICAPATH", &joined).with_variable("HOME", "/home/u");
    let roots = default_roots(&world, [PathBuf::from("/given"), PathBuf::from("/b")]);
    assert_eq!(roots, ["/given", "/b", "/a", "/home/u/.rhei/libraries"].map(PathBuf::from));
    assert!(default_roots(&InMemory::default(), []).is_empty());
}

#[test]
fn the_first_root_that_holds_a_library_wins() {
    let files = world(&[("/one/A.mo", "model A \"one\" end A;"), ("/two/A.mo", "model A \"two\" end A;")]);
    let library = Library::new(Arc::new(files), vec!["/none".into(), "/two".into(), "/one".into()]);
    let class = library.top_level("A").unwrap();
    expect!["two"].assert_eq(&library.definition(class).description().unwrap().value());
}

#[test]
fn a_library_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&library(&[]));
}

#[test]
fn the_model_of_a_file_is_named_from_the_file() {
    let library = library(LAYOUT);
    let classes = library.load_text(
        "a.mo",
        "within M.Sub; package P package Quite model R end R; end Quite; end P; model S end S; function f end f;",
    );
    for name in ["P.Quite.R", "Quite.R", "M.Sub.P.Quite.R"] {
        let found = library.find_in(&classes, name).unwrap_or_else(|missing| panic!("{missing}"));
        assert_eq!(library.qualified_name(found), "M.Sub.P.Quite.R");
    }
    assert_eq!(library.main_class(&classes).map(|class| library.name(class).as_str()), Some("S"));
    expect![[r#"
        error[class-not-found]: there is no class `Quit` in `a.mo`
         |
         = note: did you mean `Quite`?"#]]
    .assert_eq(&crate::shown(&library, &[library.find_in(&classes, "Quit").unwrap_err().diagnostic()]));
}
