//! Files that the user gives.

use std::path::Path;

use expect_test::expect;

use crate::{full_names, library, said};

#[test]
fn a_file_defines_classes_at_the_top_before_libraries() {
    let library = library(&[
        ("/home/a.mo", "model M \"mine\" end M; model N end N;"),
        ("/lib/M.mo", "model M \"of a library\" end M;"),
    ]);
    let classes = library.load_file(Path::new("/home/a.mo")).unwrap();
    assert_eq!(full_names(&library, &classes), ["M", "N"]);
    let found = library.top_level("M").unwrap();
    assert_eq!(library.definition(found).description().unwrap().value(), "mine");
    assert_eq!(library.load_file(Path::new("/home/a.mo")).unwrap(), classes, "a file is taken up once");
    assert_eq!(said(&library), "");
}

#[test]
fn a_file_of_a_package_finds_its_siblings() {
    let files = [
        ("/w/P/package.mo", "package P end P;"),
        ("/w/P/Q/package.mo", "within P; package Q model InBody end InBody; end Q;"),
        ("/w/P/Q/M.mo", "within P.Q; model M end M;"),
        ("/w/P/Q/Sibling.mo", "within P.Q; model Sibling end Sibling;"),
        ("/w/P/Q/R/package.mo", "within P.Q; package R end R;"),
    ];
    for (path, name) in [
        ("/w/P/Q/M.mo", "P.Q.M"),
        ("/w/P/Q/package.mo", "P.Q"),
        ("/w/P/Q", "P.Q"),
        ("/w/P/Q/R", "P.Q.R"),
        ("/w/P", "P"),
    ] {
        let library = library(&files);
        let classes = library.load_file(Path::new(path)).unwrap();
        assert_eq!(full_names(&library, &classes), [name], "{path}");
        assert_eq!(library.find(name), Ok(classes[0]));
        for sibling in ["P.Q.Sibling", "P.Q.InBody", "P.Q.R"] {
            assert!(library.find(sibling).is_ok(), "{sibling} from {path}");
        }
        assert_eq!(said(&library), "");
    }
}

#[test]
fn a_relative_path_belongs_to_packages_above_it() {
    let library = library(&[
        ("../package.mo", "package P end P;"),
        ("./package.mo", "within P; package Q end Q;"),
        ("M.mo", "within P.Q; model M end M;"),
    ]);
    let classes = library.load_file(Path::new("M.mo")).unwrap();
    assert_eq!(full_names(&library, &classes), ["P.Q.M"]);
}

#[test]
fn within_puts_a_lone_file_into_a_package_of_a_library() {
    let library = library(&[
        ("/lib/P/package.mo", "package P model Other end Other; end P;"),
        ("/lib/P/M.mo", "within P; model M \"of the library\" end M;"),
        ("/home/M.mo", "within P; model M \"mine\" end M;"),
    ]);
    let classes = library.load_file(Path::new("/home/M.mo")).unwrap();
    assert_eq!(full_names(&library, &classes), ["P.M"]);
    let found = library.find("P.M").unwrap();
    assert_eq!(library.definition(found).description().unwrap().value(), "mine");
    assert!(library.find("P.Other").is_ok());
    assert_eq!(library.children(library.top_level("P").unwrap()), ["Other", "M"]);
    assert_eq!(said(&library), "");
}

#[test]
fn several_classes_in_a_file_are_at_the_top_wherever_it_lies() {
    let library = library(&[
        ("/w/P/package.mo", "package P end P;"),
        ("/w/P/tests.mo", "model A end A; model B end B;"),
    ]);
    let classes = library.load_file(Path::new("/w/P/tests.mo")).unwrap();
    assert_eq!(full_names(&library, &classes), ["A", "B"]);
    assert_eq!(said(&library), "");
}

#[test]
fn a_missing_file_is_told_apart_from_a_folder_without_package() {
    let library = library(&[("/w/A/readme.txt", "")]);
    expect!["cannot read `/w/M.mo`: entity not found"]
        .assert_eq(&library.load_file(Path::new("/w/M.mo")).unwrap_err().to_string());
    expect!["cannot read `/w/A`: the folder holds no package.mo"]
        .assert_eq(&library.load_file(Path::new("/w/A")).unwrap_err().to_string());
}

#[test]
fn a_package_around_that_is_not_there_is_told() {
    let library = library(&[]);
    let classes = library.load_text("a.mo", "within Modlica.Blocks;\nmodel M end M;\n");
    assert_eq!(full_names(&library, &classes), ["M"]);
    expect![[r#"
        warning[within-mismatch]: the package `Modlica.Blocks`, which the file lies within, is not found
         --> a.mo:1:8
          |
        1 | within Modlica.Blocks;
          |        ^^^^^^^^^^^^^^ this package
          |
          = note: the classes of the file are taken to be at the top
          = note: looked in `/lib` (there is no such folder); --library-path and MODELICAPATH add folders"#]]
    .assert_eq(&said(&library));
}

#[test]
fn two_classes_of_one_name_are_told() {
    let library = library(&[("/w/a.mo", "model M end M;\n"), ("/w/b.mo", "model M end M;\n")]);
    library.load_file(Path::new("/w/a.mo")).unwrap();
    library.load_file(Path::new("/w/b.mo")).unwrap();
    expect![[r#"
        error[duplicate-class]: there are two classes `M`
         --> /w/b.mo:1:7
          |
        1 | model M end M;
          |       ^ the second one
          |
         ::: /w/a.mo:1:7
          |
        1 | model M end M;
          |       - the first one"#]]
    .assert_eq(&said(&library));
}
