//! URIs of resources.

use std::path::Path;

use expect_test::expect;

use crate::library;

const FILES: &[(&str, &str)] = &[
    ("/lib/A/package.mo", "package A package B end B; end A;"),
    ("/lib/S.mo", "package S end S;"),
    ("/w/U/package.mo", "package U end U;"),
    ("/lib/U/package.mo", "package U end U;"),
];

fn resolved(uri: &str) -> String {
    let library = library(FILES);
    let from = library.load_file(Path::new("/w/U")).unwrap()[0];
    match library.resolve_uri(uri, from) {
        Ok(path) => path.display().to_string(),
        Err(error) => format!("{}: {error}", error.diagnostic().id),
    }
}

#[test]
fn uris_lead_into_the_folder_of_the_library() {
    assert_eq!(resolved("modelica://A/Resources/x.txt"), "/lib/A/Resources/x.txt");
    assert_eq!(resolved("modelica:/A/Resources/x.txt"), "/lib/A/Resources/x.txt");
    assert_eq!(resolved("Modelica:/A.B/x.txt"), "/lib/A/B/x.txt", "however `A.B` is stored");
    assert_eq!(resolved("modelica:/A/Resources"), "/lib/A/Resources");
    assert_eq!(resolved("modelica:/A/Resources/"), "/lib/A/Resources/", "a slash at the end stays");
    assert_eq!(resolved("modelica:/A/a%20b.txt"), "/lib/A/a b.txt");
    assert_eq!(resolved("modelica:/A/Resources/../Data/x"), "/lib/A/Data/x");
    assert_eq!(resolved("modelica:/S/x.txt"), "/lib/x.txt", "beside a library of one file");
    assert_eq!(resolved("modelica:/U/x.txt"), "/w/U/x.txt", "the library's own folder");
    assert_eq!(resolved("modelica:/A.'a%2F..%2Fb'/x"), "/lib/A/'a%2F..%2Fb'/x");
    assert_eq!(resolved("file:///data/x.txt"), "/data/x.txt");
    assert_eq!(resolved("file:/data/x%20y.txt"), "/data/x y.txt");
}

#[test]
fn uris_do_not_leave_the_library() {
    let refused = [
        "modelica:/A/../x",
        "modelica://A/Resources/../../x",
        "modelica:/A/%2e%2e/x",
        "modelica:/A/%2e%2e%2fx",
        "file:///data/../etc/passwd",
    ]
    .map(resolved)
    .join("\n");
    expect![[r#"
        uri-outside-library: `modelica:/A/../x` leaves the folder of its library by `..`
        uri-outside-library: `modelica://A/Resources/../../x` leaves the folder of its library by `..`
        uri-outside-library: `modelica:/A/%2e%2e/x` leaves the folder of its library by `..`
        uri-outside-library: `modelica:/A/%2e%2e%2fx` leaves the folder of its library by `..`
        uri-outside-library: `file:///data/../etc/passwd` contains `..`"#]]
    .assert_eq(&refused);
}

#[test]
fn what_is_no_uri_is_told() {
    let told = [
        "x.txt",
        "https://example.org/x",
        "modelica:A/x",
        "modelica:/Nowhere/x",
        "file://host/x",
        "modelica:/A..B/x",
    ]
    .map(resolved)
    .join("\n");
    expect![[r#"
        uri-malformed: `x.txt` does not name a resource
        uri-malformed: `https:` of `https://example.org/x` is not known
        uri-malformed: `modelica:A/x` does not name a resource
        class-not-found: there is no class or library `Nowhere`, which `modelica:/Nowhere/x` names
        uri-malformed: `file://host/x` does not name a resource
        uri-malformed: `modelica:/A..B/x` does not name a resource"#]]
    .assert_eq(&told);
}

#[test]
fn a_text_has_no_resources() {
    let library = library(&[]);
    let from = library.load_text("a.mo", "package A end A;")[0];
    let error = library.resolve_uri("modelica:/A/x", from).unwrap_err();
    expect!["`modelica:/A/x` names a resource of `A`, which was not read from a file and has none"]
        .assert_eq(&error.to_string());
}
