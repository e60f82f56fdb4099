//! The command line goes through the front door: of the crates beside it, it knows the library and the renderer of diagnostics.

#[test]
fn the_command_line_depends_on_the_library_alone() {
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let (_, dependencies) = manifest.split_once("\n[dependencies]\n").unwrap();
    let dependencies = dependencies.split("\n[").next().unwrap();
    let names = dependencies.lines().filter_map(|line| line.split(['.', ' ']).next());
    let own: Vec<&str> = names.filter(|name| name.starts_with("rhei")).collect();
    assert_eq!(own, ["rhei", "rhei-source"]);
}
