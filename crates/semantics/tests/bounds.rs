//! Small texts that once never ended, overflowed the stack or took all memory, each with its diagnostics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rhei_library::Library;
use rhei_semantics::instantiate;
use rhei_source::InMemory;

/// The ids of the diagnostics of the last model of a text.
fn said(text: &str) -> Vec<String> {
    let begun = Instant::now();
    let ids = std::thread::scope(|scope| {
        let work = || {
            let world = InMemory::default().with_file("model.mo", text);
            let library = Library::new(Arc::new(world), Vec::new());
            let classes = library.load_file("model.mo".as_ref()).expect("the file is there");
            let main = library.main_class(&classes).expect("there is a model");
            let (_, diagnostics) = instantiate(&library, main);
            diagnostics.iter().filter(|said| said.is_error()).map(|said| said.id.to_string()).collect()
        };
        let thread = std::thread::Builder::new().stack_size(128 << 20).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().expect("nothing makes it panic")
    });
    assert!(begun.elapsed() < Duration::from_secs(30), "this takes {:?}", begun.elapsed());
    ids
}

fn check(text: &str, id: &str) {
    let ids = said(text);
    assert!(ids.iter().any(|said| said == id), "{ids:?} instead of {id} for\n{text}");
}

#[test]
fn classes_that_contain_themselves() {
    check("model M M a; M b; equation a.x = b.x; end M;", "recursive-class");
    check("model M parameter Integer n = 4; M x[n](start = fill(2, n)); end M;", "recursive-class");
    check("record R R r; Real x; end R; model M R r; R s; Real y = r.x; end M;", "recursive-class");
    check("model A replaceable model B = A; B b; end A; model M A a; end M;", "recursive-class");
}

#[test]
fn packages_that_stand_for_themselves() {
    check("model M package P = P; Real x = P.c; end M;", "extends-itself");
    check("model M package P = Q; package Q = P; Real x = P.c; end M;", "extends-itself");
}

#[test]
fn what_doubles_with_every_level() {
    let mut components = String::from("model A0 Real x = 1; end A0;");
    let mut bases = String::from("model A0 Real x = 1; end A0;");
    for i in 1..40 {
        components += &format!("model A{i} A{} a; A{} b; end A{i};", i - 1, i - 1);
        bases += &format!("model A{i} extends A{}; extends A{}; end A{i};", i - 1, i - 1);
    }
    check(&components, "too-much-work");
    check(&bases, "too-much-work");
    let defaults: String = (1..60).map(|i| format!("input Real a{i} = a{} + a{};", i - 1, i - 1)).collect();
    let function = format!("function f input Real a0; {defaults} output Real y; algorithm y := a59; end f;");
    check(&format!("{function} model M Real x = f(1); end M;"), "too-much-work");
}

#[test]
fn chains_that_are_too_long_for_the_stack() {
    let constants: String = (1..20_000).map(|i| format!("constant Integer c{i} = c{} + 1;", i - 1)).collect();
    let package = format!("package P constant Integer c0 = 1; {constants} end P;");
    check(&format!("{package} model M Real x = P.c19999; end M;"), "too-much-work");
    let functions: String = (0..3000)
        .map(|i| {
            format!(
                "function f{i} input Real x; output Real y; algorithm y := f{}(x); end f{i};",
                (i + 1) % 3000
            )
        })
        .collect();
    check(&format!("{functions} model M Real x = f0(1); end M;"), "too-much-work");
}

#[test]
fn arrays_that_are_too_large() {
    check("model M Real x[1000000000]; end M;", "too-many-elements");
    check(
        "model A Real x; end A; model B A a[10000]; end B; model M B b[10000]; end M;",
        "too-many-elements",
    );
    check("model M Real x[:] = 1:1000000000; end M;", "too-much-work");
    check("model M Real x = promote(1, 1000000000); end M;", "type-mismatch");
}

#[test]
fn evaluations_that_are_too_long() {
    let fibonacci = "function f input Integer n; output Integer y; algorithm y := if n < 2 then n else f(n - 1) + f(n - 2); end f;";
    check(&format!("{fibonacci} model M Real x[f(60)]; end M;"), "size-not-evaluable");
    let doubled = "function f output Integer n = 1; protected String s = \"x\"; algorithm for i in 1:200 loop s := s + s; end for; end f;";
    check(&format!("{doubled} model M Real x[f()]; end M;"), "size-not-evaluable");
}

#[test]
fn a_size_that_is_not_known_brings_no_further_mistakes() {
    let ids = said("model M Real x[n] = {1, 2, 3}; Real y[3] = x; equation x[2] = 1; end M;");
    assert_eq!(ids, ["unknown-name"]);
}

#[test]
fn names_of_the_language() {
    check("model Real end Real;", "taken-name");
    assert_eq!(said("model Connections Real x = 1; end Connections;"), Vec::<String>::new());
}
