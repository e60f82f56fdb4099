//! Messages about files that are not as they should be, or not there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use expect_test::expect;
use rhei_library::Library;

use crate::{library, said, shown, world};

fn missing(library: &Library, name: &str) -> String {
    shown(library, &[library.find(name).unwrap_err().diagnostic()])
}

#[test]
fn near_names_are_told_where_the_name_fails() {
    let library = library(&[
        ("/lib/Modelica/package.mo", "package Modelica model Ramp end Ramp; end Modelica;"),
        ("/lib/Modelica/Resistor.mo", ""),
        ("/lib/Modelica/Resistors/package.mo", ""),
        ("/lib/Modelica/Electrical/Pin.mo", ""),
    ]);
    expect![[r#"
        error[class-not-found]: there is no class or library `Modlica`
         |
         = note: did you mean `Modelica`?
         = note: looked in `/lib`; --library-path and MODELICAPATH add folders"#]]
    .assert_eq(&missing(&library, "Modlica.Resistor"));
    expect![[r#"
        error[class-not-found]: there is no class `Resitor` in `Modelica`
         |
         = note: did you mean `Resistor` or `Resistors`?"#]]
    .assert_eq(&missing(&library, "Modelica.Resitor"));
    expect![[r#"
        error[class-not-found]: there is no class `Electrical` in `Modelica`
         |
         = note: the folder `/lib/Modelica/Electrical` holds no package.mo"#]]
    .assert_eq(&missing(&library, "Modelica.Electrical.Pin"));
    expect!["error[class-not-found]: there is no class `Deeper` in `Modelica.Ramp`"]
        .assert_eq(&missing(&library, "Modelica.Ramp.Deeper"));
    expect!["error[class-not-found]: `Modelica..Ramp` is not the name of a class"]
        .assert_eq(&missing(&library, "Modelica..Ramp"));
}

#[test]
fn a_root_that_is_a_library_itself_is_told() {
    let files = world(&[
        ("/lib/Modelica/package.mo", "package Modelica end Modelica;"),
        ("/lib/Modelica/Blocks/x.txt", ""),
    ]);
    let files = Arc::new(files);
    let library = Library::new(files.clone(), vec!["/lib/Modelica".into(), "/gone".into()]);
    expect![[r#"
        error[class-not-found]: there is no class or library `Modelica`
         |
         = note: `/lib/Modelica` holds a package.mo, so it is itself a library; did you mean the parent folder, `/lib`?
         = note: looked in `/lib/Modelica`, `/gone` (there is no such folder); --library-path and MODELICAPATH add folders"#]]
    .assert_eq(&missing(&library, "Modelica.Blocks"));
    let library = Library::new(files.clone(), vec!["/lib/other".into()]);
    expect![[r#"
        error[class-not-found]: there is no class or library `Modelica`
         |
         = note: did you mean the parent folder of `/lib/other`? it holds `/lib/Modelica`
         = note: looked in `/lib/other` (there is no such folder); --library-path and MODELICAPATH add folders"#]]
    .assert_eq(&missing(&library, "Modelica"));
    let library = Library::new(files, Vec::<PathBuf>::new());
    expect![[r#"
        error[class-not-found]: there is no class or library `Modelica`
         |
         = note: no folder with libraries is known: give one with --library-path or in MODELICAPATH"#]]
    .assert_eq(&missing(&library, "Modelica"));
}

#[test]
fn a_file_beside_the_one_given_is_told() {
    let library = library(&[("/w/A.mo", "model A end A;"), ("/w/B.mo", "model B end B;"), ("/lib/C.mo", "")]);
    library.load_file(Path::new("/w/A.mo")).unwrap();
    expect![[r#"
        error[class-not-found]: there is no class or library `B`
         |
         = note: `/w/B.mo` lies beside `/w/A.mo`: give its folder with --library-path `/w`
         = note: looked in `/lib`; --library-path and MODELICAPATH add folders"#]]
    .assert_eq(&missing(&library, "B"));
}

#[test]
fn a_file_must_say_where_it_lies() {
    let library = library(&[
        ("/lib/P/package.mo", "within Q;\npackage P end P;\n"),
        ("/lib/P/A.mo", "within P.Q;\nmodel A end A;\n"),
        ("/lib/P/B.mo", "model B end B;\n"),
    ]);
    library.find("P.A").unwrap();
    library.find("P.B").unwrap();
    expect![[r#"
        error[within-mismatch]: expected no `within`, or `within;`, as the file lies, and found `within Q`
         --> /lib/P/package.mo:1:1
          |
        1 | within Q;
          | ^^^^^^^^ this says where the file belongs
        error[within-mismatch]: expected `within P;`, as the file lies, and found `within P.Q`
         --> /lib/P/A.mo:1:1
          |
        1 | within P.Q;
          | ^^^^^^^^^^ this says where the file belongs
        warning[within-mismatch]: expected `within P;` at the beginning of the file, as it lies, and found none
         --> /lib/P/B.mo:1:7
          |
        1 | model B end B;
          |       ^ this class is not at the top"#]]
    .assert_eq(&said(&library));
}

#[test]
fn a_file_must_define_the_class_it_is_named_after() {
    let library = library(&[
        ("/lib/P/package.mo", "package P end P;\n"),
        ("/lib/P/A.mo", "within P;\nmodel B end B;\n"),
        ("/lib/P/C.mo", "within P;\n"),
        ("/lib/D.mo", "model D end D;\nmodel E end E;\n"),
    ]);
    for name in ["P.A", "P.C", "D"] {
        assert!(library.find(name).is_err());
    }
    expect![[r#"
        error[file-name-mismatch]: `/lib/P/A.mo` should define `A` and defines `B`
         --> /lib/P/A.mo:2:7
          |
        2 | model B end B;
          |       ^ this name
          |
          = note: a class of a library is stored under its own name; rename the file or the class
        error[file-name-mismatch]: `/lib/P/C.mo` should define `C` and defines nothing
        warning[file-name-mismatch]: `/lib/D.mo` defines several classes and is not searched for `D`
         --> /lib/D.mo:1:7
          |
        1 | model D end D;
          |       ^ one class
        2 | model E end E;
          |       - a further class
          |
          = note: a file of a library defines one class, named as the file (MLS §13.5)"#]]
    .assert_eq(&said(&library));
}

#[test]
fn a_file_of_the_user_in_a_package_is_compared_too_and_once() {
    let library =
        library(&[("/w/P/package.mo", "package P end P;\n"), ("/w/P/A.mo", "within Q;\nmodel B end B;\n")]);
    for _ in 0..2 {
        let classes = library.load_file(Path::new("/w/P/A.mo")).unwrap();
        assert_eq!(library.qualified_name(classes[0]), "P.B");
    }
    expect![[r#"
        warning[file-name-mismatch]: `/w/P/A.mo` defines `B`, which is not found there by its name
         --> /w/P/A.mo:2:7
          |
        2 | model B end B;
          |       ^ this name
          |
          = note: a class of a package is stored under its own name, here `B.mo`
        error[within-mismatch]: expected `within P;`, as the file lies, and found `within Q`
         --> /w/P/A.mo:1:1
          |
        1 | within Q;
          | ^^^^^^^^ this says where the file belongs"#]]
    .assert_eq(&said(&library));
}

#[test]
fn a_class_stored_twice_is_told_once() {
    let library = library(&[
        ("/lib/P/package.mo", "package P\n  model A end A;\nend P;\n"),
        ("/lib/P/A.mo", "within P; model A end A;"),
        ("/lib/P/B.mo", "within P; model B end B;"),
        ("/lib/P/B/package.mo", "within P; package B end B;"),
    ]);
    library.find("P.A").unwrap();
    library.find("P.B").unwrap();
    expect![[r#"
        error[duplicate-class]: `P.A` is defined twice: here and in a file
         --> /lib/P/package.mo:2:9
          |
        2 |   model A end A;
          |         ^ this one counts
          |
          = note: `/lib/P/A.mo` is not read
        error[duplicate-class]: `P.B` is stored twice: in a file and in a folder
         |
         = note: `/lib/P/B/package.mo` counts, `/lib/P/B.mo` is not read"#]]
    .assert_eq(&said(&library));
}

#[test]
fn an_order_that_does_not_fit_is_told_once() {
    let library = library(&[
        ("/lib/P/package.mo", "package P\n  constant Real c = 1;\n  model A end A;\nend P;\n"),
        ("/lib/P/package.order", "\u{feff}B\r\nc\r\nGone\r\n"),
        ("/lib/P/B.mo", ""),
    ]);
    let package = library.top_level("P").unwrap();
    assert_eq!(library.children(package), ["B", "A"]);
    assert_eq!(library.children(package), ["B", "A"]);
    expect![[r#"
        warning[package-order]: the package.order of `P` names what is not in the package: `Gone`
         --> /lib/P/package.mo:1:9
          |
        1 | package P
          |         ^ this package
        warning[package-order]: the package.order of `P` does not name `A`
         --> /lib/P/package.mo:1:9
          |
        1 | package P
          |         ^ this package"#]]
    .assert_eq(&said(&library));
}

#[test]
fn mistakes_in_the_syntax_of_a_library_are_told_once() {
    let library = library(&[("/lib/A.mo", "model A\n  Real x\nend A;\n")]);
    library.find("A").unwrap();
    library.find("A").unwrap();
    assert_eq!(library.take_diagnostics().len(), 1);
    assert!(library.take_diagnostics().is_empty());
}
