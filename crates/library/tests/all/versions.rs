//! Several versions of a library, and the choice by `uses`.

use std::sync::Arc;

use expect_test::expect;
use rhei_library::Library;

use crate::counting::Counting;
use crate::{library, shown, world};

const VERSIONS: &[(&str, &str)] = &[
    ("/one/L 2.1/package.mo", "package L annotation(version = \"2.1\"); end L;"),
    ("/one/L 3.0 Beta 1.mo", "package L annotation(version = \"3.0 Beta 1\"); end L;"),
    (
        "/one/L 3.0.mo",
        "package L annotation(version = \"3.0\", conversion(noneFromVersion = \"2.9\", from(version = {\"1.0\", \"1.1\"}, script = \"c.mos\"))); end L;",
    ),
    ("/two/L/package.mo", "package L annotation(version = \"2.2\"); end L;"),
    ("/two/L 9/Resources.txt", ""),
];

fn chosen(user: &str, roots: &[&str]) -> String {
    let library = Library::new(Arc::new(world(VERSIONS)), roots.iter().map(Into::into).collect());
    library.load_text("user.mo", user);
    let class = library.top_level("L").unwrap();
    library.version(class).unwrap().to_string()
}

fn uses(version: &str) -> String {
    format!("model User annotation(uses(L(version = \"{version}\"))); end User;")
}

#[test]
fn the_version_asked_for_is_taken_from_whichever_root_holds_it() {
    assert_eq!(chosen(&uses("2.1"), &["/one", "/two"]), "2.1");
    assert_eq!(chosen(&uses("2.2"), &["/one", "/two"]), "2.2", "its version stands in the file only");
    assert_eq!(chosen(&uses("3.0 Beta 1"), &["/one", "/two"]), "3.0 Beta 1");
    assert_eq!(chosen(&uses("2.9"), &["/two", "/one"]), "3.0", "it says that it can stand in for 2.9");
}

#[test]
fn without_a_wish_the_highest_version_of_the_first_root_is_taken() {
    assert_eq!(chosen("", &["/one", "/two"]), "3.0");
    assert_eq!(chosen("", &["/two", "/one"]), "2.2");
    assert_eq!(chosen(&uses("7"), &["/one"]), "3.0");
}

#[test]
fn a_file_of_several_classes_is_passed_over_for_the_next_root() {
    let files = [("/one/L.mo", "model L end L; model M end M;"), ("/two/L.mo", "model L \"two\" end L;")];
    let library = Library::new(Arc::new(world(&files)), vec!["/one".into(), "/two".into()]);
    let class = library.top_level("L").unwrap();
    assert_eq!(library.definition(class).description().unwrap().value(), "two");
    let told = library.take_diagnostics();
    assert_eq!(
        told.iter().map(|d| (d.id, d.is_error())).collect::<Vec<_>>(),
        [("file-name-mismatch", false)]
    );
}

#[test]
fn a_library_without_rivals_is_not_read_to_choose_it() {
    let counting = Arc::new(Counting::new(world(VERSIONS)));
    let library = Library::new(counting.clone(), vec!["/two".into()]);
    library.top_level("L").unwrap();
    assert_eq!(counting.files_read(), ["/two/L/package.mo"]);
}

fn checked(version: &str) -> String {
    let library = Library::new(Arc::new(world(VERSIONS)), vec!["/one".into()]);
    let user = library.load_text("user.mo", &uses(version))[0];
    shown(&library, &library.check_uses(user))
}

#[test]
fn a_version_that_fits_is_not_worth_a_word() {
    assert_eq!(checked("3.0"), "");
    assert_eq!(checked("3.0.0"), "");
    assert_eq!(checked("2.9"), "");
}

#[test]
fn a_version_that_does_not_fit_is_told() {
    expect![[r#"
        warning[library-version]: `User` uses L 1.1, and the L found is 3.0
         --> user.mo:1:28
          |
        1 | model User annotation(uses(L(version = "1.1"))); end User;
          |                            ^^^^^^^^^^^^^^^^^^ asked for here
          |
          = note: classes made for L 1.1 have to be converted first: names and parameters may differ
          = note: it was found in `/one/L 3.0.mo`"#]]
    .assert_eq(&checked("1.1"));
    expect![[r#"
        warning[library-version]: `User` uses L 7, and the L found is 3.0
         --> user.mo:1:28
          |
        1 | model User annotation(uses(L(version = "7"))); end User;
          |                            ^^^^^^^^^^^^^^^^ asked for here
          |
          = note: L 3.0 does not say that it can stand in for 7
          = note: it was found in `/one/L 3.0.mo`"#]]
    .assert_eq(&checked("7"));
}

#[test]
fn a_library_that_is_not_there_is_missed_only_when_it_is_reached() {
    let library = library(&[]);
    let user = library.load_text("user.mo", &uses("1.0"))[0];
    assert_eq!(shown(&library, &library.check_uses(user)), "");
}

#[test]
fn uses_is_that_of_the_outermost_package() {
    let library = Library::new(Arc::new(world(VERSIONS)), vec!["/one".into()]);
    library.load_text("user.mo", "package P model M end M; annotation(uses(L(version = \"7\"))); end P;");
    let inner = library.find("P.M").unwrap();
    assert_eq!(library.check_uses(inner).len(), 1);
}
