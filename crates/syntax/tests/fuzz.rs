//! Whatever the text: no panic, a sound tree, the text given back, and not too many messages.

use std::sync::Arc;

use proptest::prelude::*;
use rhei_source::{FileId, decode};
use rhei_syntax::ast::{Expression, View};
use rhei_syntax::{
    SyntaxKind, Token, lex, parse, parse_component_reference, parse_expression, parse_modification,
};

/// A text that uses every production of the grammar.
const MODEL: &str = include_str!("everything.mo");

fn check(text: &str) {
    let text: Arc<str> = text.into();
    let entries = [parse, parse_expression, parse_component_reference, parse_modification];
    for entry in entries {
        let parsed = entry(FileId(0), text.clone());
        parsed.tree.verify().unwrap();
        assert_eq!(parsed.tree.print(), *text);
        assert!(parsed.diagnostics.len() <= 101);
        for diagnostic in &parsed.diagnostics {
            for label in &diagnostic.labels {
                let range = label.span.range.as_usize();
                assert!(text.get(range).is_some(), "{} points outside of the text", diagnostic.id);
            }
        }
        read_all(&parsed);
    }
}

/// Calls the accessors that look for tokens and children, which may be absent.
fn read_all(parsed: &rhei_syntax::Parsed) {
    for node in parsed.tree.nodes() {
        node.leading_comments();
        node.trailing_comment();
        if let Some(expression) = Expression::cast(node) {
            match expression {
                Expression::Binary(e) => drop(e.chain()),
                Expression::Reference(e) => drop(e.parts().count()),
                Expression::Tuple(e) => drop(e.places()),
                Expression::Range(e) => drop((e.start(), e.step(), e.stop())),
                Expression::Integer(e) => drop(e.value()),
                Expression::Real(e) => assert!(!e.value().is_nan()),
                Expression::String(e) => drop(e.value()),
                _ => {}
            }
        }
        if let Some(class) = rhei_syntax::ast::ClassDefinition::cast(node) {
            let _ = (class.name(), class.kind(), class.annotation(), class.elements().count());
        }
    }
}

/// The tokens of the model with the blanks after them.
fn pieces() -> Vec<&'static str> {
    let (tokens, _) = lex(FileId(0), MODEL);
    let end = |i: usize| tokens.get(i + 1).map_or(MODEL.len(), |next: &Token| next.start as usize);
    (0..tokens.len()).map(|i| &MODEL[tokens[i].start as usize..end(i)]).collect()
}

#[derive(Clone, Debug)]
enum Edit {
    Delete(usize),
    Duplicate(usize),
    Swap(usize, usize),
    Replace(usize, usize),
    Cut(usize, usize),
}

fn edit() -> impl Strategy<Value = Edit> {
    let i = || 0..100_000usize;
    prop_oneof![
        i().prop_map(Edit::Delete),
        i().prop_map(Edit::Duplicate),
        (i(), i()).prop_map(|(a, b)| Edit::Swap(a, b)),
        (i(), i()).prop_map(|(a, b)| Edit::Replace(a, b)),
        (i(), 1..30usize).prop_map(|(a, n)| Edit::Cut(a, n)),
    ]
}

fn apply(pieces: &mut Vec<&'static str>, edit: &Edit) {
    let n = pieces.len();
    if n < 2 {
        return;
    }
    match *edit {
        Edit::Delete(i) => drop(pieces.remove(i % n)),
        Edit::Duplicate(i) => pieces.insert(i % n, pieces[i % n]),
        Edit::Swap(i, j) => pieces.swap(i % n, j % n),
        Edit::Replace(i, j) => pieces[i % n] = pieces[j % n],
        Edit::Cut(i, len) => drop(pieces.drain(i % n..(i % n + len).min(n))),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_characters(text in ".{0,200}") {
        check(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&decode(bytes).text);
    }

    #[test]
    fn any_tokens(picks in prop::collection::vec(0..100_000usize, 0..120)) {
        let pieces = pieces();
        let text: Vec<&str> = picks.iter().map(|&i| pieces[i % pieces.len()]).collect();
        check(&text.join(" "));
    }

    #[test]
    fn a_model_with_some_tokens_changed(edits in prop::collection::vec(edit(), 1..6)) {
        let mut pieces = pieces();
        edits.iter().for_each(|edit| apply(&mut pieces, edit));
        check(&pieces.concat());
    }

    #[test]
    fn a_model_cut_off(end in 0..100_000usize) {
        let mut end = end % MODEL.len();
        while !MODEL.is_char_boundary(end) {
            end -= 1;
        }
        check(&MODEL[..end]);
    }
}

#[test]
fn the_model_itself_has_no_mistake() {
    let parsed = parse(FileId(0), MODEL.into());
    assert_eq!(parsed.diagnostics, []);
    assert!(parsed.tree.nodes().all(|node| node.kind() != SyntaxKind::ErrorNode));
}

/// One token left out of the model costs a few messages at most, not a cascade.
#[test]
fn one_token_left_out_gives_few_messages() {
    let pieces = pieces();
    let mut worst = (0, String::new());
    let mut total = 0;
    let mut count = 0;
    for i in 0..pieces.len() {
        if pieces[i].trim().is_empty() || pieces[i].starts_with('/') {
            continue;
        }
        let text: String =
            pieces.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, piece)| *piece).collect();
        let messages = parse(FileId(0), text.as_str().into()).diagnostics.len();
        total += messages;
        count += 1;
        if messages > worst.0 {
            let before: String = pieces[i.saturating_sub(6)..i].concat();
            worst = (messages, format!("{before}⟨{}⟩", pieces[i]));
        }
    }
    println!("{total} messages for {count} omissions; most: {} for {}", worst.0, worst.1);
    assert!(worst.0 <= 7, "{} messages where this is left out: {}", worst.0, worst.1);
    assert!(total <= count, "{total} messages for {count} omissions");
}
