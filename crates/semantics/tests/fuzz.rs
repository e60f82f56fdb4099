//! Whatever the text: an instance or a message, never a panic, and never for long.
//!
//! The texts are others every time. `RHEI_FUZZ_SEED` brings back those of a run that failed, `RHEI_FUZZ_CASES` asks for more
//! of them. Each text is written to a file before it is looked at: one that overflows the stack or hangs is left behind.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rhei_library::Library;
use rhei_semantics::instantiate;
use rhei_source::{FileId, InMemory};
use rhei_syntax::{Token, lex};

/// Models that use most of the language, in groups that belong together.
const MODELS: &str = include_str!("everything.mo");

/// How many texts are made where nobody asks for more.
const CASES: u32 = 300;

/// Far more than any of these models needs; a loop without end is given up within a second or two.
const LONGEST: Duration = Duration::from_secs(20);

/// Instantiates every class at the top of a text.
fn check(text: &str) {
    let begun = Instant::now();
    let world = InMemory::default().with_file("model.mo", text);
    let library = Library::new(Arc::new(world), Vec::new());
    let classes = library.load_file("model.mo".as_ref()).expect("the file is there");
    let mut broken = false;
    for class in classes {
        let (instance, diagnostics) = instantiate(&library, class);
        let refused = diagnostics.iter().any(|diagnostic| diagnostic.is_error());
        // mistakes reported by the parser are not reported again
        broken |= library.take_diagnostics().iter().any(|diagnostic| diagnostic.is_error());
        assert!(if refused { instance.is_none() } else { instance.is_some() || broken }, "{diagnostics:?}");
        for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
            let range = label.span.range.as_usize();
            assert!(text.get(range).is_some(), "a label points outside of the text");
        }
    }
    assert!(begun.elapsed() < LONGEST, "this takes {:?}", begun.elapsed());
}

/// Makes texts and looks at them, on a stack as deep as that of the program.
fn run<S: Strategy>(name: &str, strategy: fn() -> S, text: fn(S::Value) -> String) {
    let seed = asked_for("RHEI_FUZZ_SEED").unwrap_or_else(|| RandomState::new().hash_one(name));
    let cases = asked_for("RHEI_FUZZ_CASES").map_or(CASES, |cases| cases as u32);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.mo"));
    eprintln!("RHEI_FUZZ_SEED={seed}; the last text is in {}", file.display());
    on_deep_stack(|| {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let outcome = TestRunner::new_with_rng(config, rng).run(&strategy(), |value| {
            let text = text(value);
            std::fs::write(&file, &text).expect("the folder of the build can be written to");
            check(&text);
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("with RHEI_FUZZ_SEED={seed}: {failure}");
        }
    });
}

fn asked_for(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn on_deep_stack(work: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, work);
        thread.expect("a thread can be started").join().expect("nothing makes it panic");
    });
}

/// The tokens of a text, each with the blanks after it.
fn pieces(text: &str) -> Vec<&str> {
    let (tokens, _) = lex(FileId(0), text);
    let end = |i: usize| tokens.get(i + 1).map_or(text.len(), |next: &Token| next.start as usize);
    (0..tokens.len()).map(|i| &text[tokens[i].start as usize..end(i)]).collect()
}

fn groups() -> Vec<&'static str> {
    MODELS.split("//---\n").collect()
}

/// A change of a list of tokens at a place, which counts from anywhere.
#[derive(Clone, Debug)]
enum Change {
    Delete(usize),
    Duplicate(usize),
    Swap(usize, usize),
    /// A token of any group at the place of another.
    Replace(usize, usize),
    /// An element that leads back to a class of the text, or is too large, after a `;`.
    Insert(usize, usize, usize),
}

/// Elements that make recursions and large models; `@` is a name of the text.
const ELEMENTS: &[&str] = &[
    "extends @;",
    "@ x;",
    "@ x[3];",
    "@ x if @;",
    "replaceable model @ = @;",
    "package @ = @;",
    "redeclare model extends @ end @;",
    "model @ extends @; @ y; end @;",
    "record @ @ r; Real x; end @;",
    "type @ = @[2];",
    "function @ input Real x; output Real y = @(x); algorithm end @;",
    "import @.*;",
    "inner @ x;",
    "outer @ x;",
    "parameter Integer n = size(x, 1);",
    "Real x[n];",
    "Real x[1000000000];",
    "Real x[:] = 1:1000000000;",
    "Real x = sum(i for i in 1:1000000000);",
    "constant Integer n = @.n + 1;",
];

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        any::<usize>().prop_map(Change::Delete),
        any::<usize>().prop_map(Change::Duplicate),
        any::<(usize, usize)>().prop_map(|(a, b)| Change::Swap(a, b)),
        any::<(usize, usize)>().prop_map(|(a, b)| Change::Replace(a, b)),
        any::<(usize, usize, usize)>().prop_map(|(at, what, name)| Change::Insert(at, what, name)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let all = pieces(MODELS);
    let inserted: Vec<String> = changes.iter().map(|change| inserted(text, change)).collect();
    let mut tokens = pieces(text);
    for (change, inserted) in changes.iter().zip(&inserted) {
        let n = tokens.len();
        if n == 0 {
            break;
        }
        match *change {
            Change::Delete(at) => drop(tokens.remove(at % n)),
            Change::Duplicate(at) => tokens.insert(at % n, tokens[at % n]),
            Change::Swap(a, b) => tokens.swap(a % n, b % n),
            Change::Replace(at, by) => tokens[at % n] = all[by % all.len()],
            Change::Insert(at, ..) => {
                let ends: Vec<usize> = (0..n).filter(|&i| tokens[i].trim() == ";").collect();
                if !ends.is_empty() {
                    tokens.insert(ends[at % ends.len()] + 1, inserted);
                }
            }
        }
    }
    tokens.concat()
}

/// The element that a change puts in.
fn inserted(text: &str, change: &Change) -> String {
    let Change::Insert(_, what, name) = *change else { return String::new() };
    let is_class = |token: &&str| token.starts_with(|c: char| c.is_ascii_uppercase());
    let names: Vec<&str> = pieces(text).into_iter().filter(is_class).collect();
    let mut element = String::from(" ");
    for (i, part) in ELEMENTS[what % ELEMENTS.len()].split('@').enumerate() {
        if i > 0 && !names.is_empty() {
            element += names[(name >> (8 * (i % 4))) % names.len()].trim();
        }
        element += part;
    }
    element + "\n"
}

#[test]
fn the_models_are_right() {
    on_deep_stack(|| {
        for group in groups() {
            let world = InMemory::default().with_file("model.mo", group);
            let library = Library::new(Arc::new(world), Vec::new());
            let classes = library.load_file("model.mo".as_ref()).expect("the file is there");
            let main = library.main_class(&classes).expect("the last class is a model");
            let (instance, diagnostics) = instantiate(&library, main);
            let said: Vec<&String> = diagnostics.iter().map(|diagnostic| &diagnostic.message).collect();
            assert!(instance.is_some(), "{}: {said:?}", library.qualified_name(main));
        }
    });
}

#[test]
fn changed_models_are_instances_or_mistakes() {
    let strategy = || (0..groups().len(), proptest::collection::vec(change(), 1..6));
    run("changed_models", strategy, |(group, changes)| changed(groups()[group], &changes));
}

/// Modifications of a component, in brackets.
fn modifiers() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        Just("load"),
        Just("c"),
        Just("s"),
        Just("world"),
        Just("R"),
        Just("C"),
        Just("v"),
        Just("p"),
        Just("i"),
        Just("n"),
        Just("start"),
        Just("fixed"),
        Just("amplitude"),
        Just("extra"),
        Just("Load"),
        Just("grounded"),
        Just("v.start"),
        Just("load.R"),
        Just("nothing"),
    ];
    let value = prop_oneof![
        Just("1"),
        Just("-2.5"),
        Just("true"),
        Just("\"text\""),
        Just("{1, 2}"),
        Just("n"),
        Just("{{1}}"),
        Just("time"),
        Just("fill(1, 0)"),
        Just("1:3"),
        Just("s.v"),
        Just("zeros(2)*2"),
        Just("outside"),
        Just("{i for i in 1:2}"),
        Just("Complex(1)"),
        Just("R"),
    ];
    let prefix = prop_oneof![4 => Just(""), 1 => Just("each "), 1 => Just("final ")];
    let given = (prefix, name, value).prop_map(|(prefix, name, value)| format!("{prefix}{name} = {value}"));
    let redeclared = prop_oneof![
        Just("redeclare model Load = Capacitor".to_owned()),
        Just("redeclare replaceable model Load = TwoPin".to_owned()),
        Just("redeclare World world".to_owned()),
        Just("redeclare Resistor c".to_owned()),
        Just("redeclare function signal = cos".to_owned()),
        Just("redeclare package Load = Complex".to_owned()),
        Just("break c".to_owned()),
    ];
    let leaf = prop_oneof![4 => given, 1 => redeclared];
    leaf.prop_recursive(4, 12, 3, |inner| {
        let name =
            prop_oneof![Just("load"), Just("c"), Just("s"), Just("world"), Just("p"), Just("v"), Just("R")];
        (name, proptest::collection::vec(inner, 0..3))
            .prop_map(|(name, inside)| format!("{name}({})", inside.join(", ")))
    })
}

#[test]
fn modified_models_are_instances_or_mistakes() {
    let strategy = || {
        let form = prop_oneof![
            Just("Circuit c1(@);"),
            Just("extends Circuit(@);"),
            Just("Circuit c1[2](@);"),
            Just("model C = Circuit(@); C c1;"),
        ];
        (form, proptest::collection::vec(modifiers(), 1..5))
    };
    run("modified_models", strategy, |(form, modifiers)| {
        let circuit = groups().into_iter().find(|group| group.contains("model Circuit"));
        let circuit = circuit.expect("there is a circuit");
        let body = form.replace('@', &modifiers.join(", "));
        format!("{circuit}\nmodel Modified\n  {body}\nend Modified;\n")
    });
}
