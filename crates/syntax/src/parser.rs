//! Tokens to tree, by recursive descent.
//!
//! In: the tokens of a file. Out: a tree of all of them and the mistakes. The grammar is spread over the files of this
//! folder as appendix A.2 of the specification is over its sections; this file holds the functions that all of them
//! use.
//!
//! Nodes are finished in postorder: a node is pushed when its last token has been read, and holds all nodes that were
//! pushed since it was begun. That makes it cheap to begin a node before one that is finished already (operators, the `==`
//! that should be `=`) and to forget one. [`build`] turns postorder into the tree's preorder.

mod build;
mod classes;
mod components;
mod equations;
mod expressions;
mod modifications;
mod primaries;
mod recovery;
mod statements;

use std::collections::HashMap;
use std::sync::Arc;

use rhei_source::{Diagnostic, FileId, Span};

use crate::lex::{Token, lex};
use crate::{Mistake, Parsed, SyntaxKind as K};

/// How deeply brackets, classes and blocks may be nested. The deepest nesting of the standard library is about 60; a level
/// takes a few kilobytes of stack in an unoptimised build, and a thread has two megabytes.
const MAX_DEPTH: u32 = 256;

/// How many of the levels are kept for expressions.
const ROOM_FOR_EXPRESSIONS: u32 = 56;

/// How high the tree over the left operand of an operator may be: `a + a + a + …` is a node higher with each `+`.
const MAX_LEFT_HEIGHT: u32 = 2000;

/// A parser that looks at the same token more often than this does not get on; checked in debug builds.
#[cfg(debug_assertions)]
const MAX_LOOKS: u32 = 1_000_000;

/// How many mistakes of a file are reported.
const MAX_DIAGNOSTICS: usize = 100;

/// Start symbol of the grammar for a text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    StoredDefinition,
    Expression,
    ComponentReference,
    Argument,
}

/// Parses a text.
pub(crate) fn parse(file: FileId, text: Arc<str>, entry: Entry) -> Parsed {
    let (tokens, lexical) = lex(file, &text);
    let mut parser = Parser::new(file, &text, &tokens);
    match entry {
        Entry::StoredDefinition => parser.stored_definition(),
        Entry::Expression => parser.fragment(|p| p.expression().is_some()),
        Entry::ComponentReference => parser.fragment(|p| p.component_reference().is_some()),
        Entry::Argument => parser.fragment(|p| p.argument(false)),
    }
    let Parser { nodes, significant, diagnostics: grammatical, .. } = parser;
    let nodes = build::preorder(&nodes, &significant, tokens.len());
    let diagnostics = merge(lexical, grammatical);
    Parsed { tree: crate::Tree { file, text, tokens, nodes }, diagnostics }
}

fn merge(mut diagnostics: Vec<Diagnostic>, more: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.extend(more);
    diagnostics.sort_by_key(|d| d.labels.first().map_or(0, |label| label.span.range.start));
    if diagnostics.len() > MAX_DIAGNOSTICS {
        let left_out = diagnostics.len() - MAX_DIAGNOSTICS;
        let place = diagnostics[MAX_DIAGNOSTICS].labels.first().map(|label| label.span);
        diagnostics.truncate(MAX_DIAGNOSTICS);
        let message = format!("{left_out} or more further mistakes in this file are not shown");
        let mut last = Diagnostic::note(Mistake::TooManyMistakes.id(), message);
        if let Some(span) = place {
            last = last.at(span, "the next one");
        }
        diagnostics.push(last);
    }
    diagnostics
}

/// A finished node, in postorder.
#[derive(Clone, Copy, Debug)]
struct Finished {
    kind: K,
    /// Index of its first descendant, or its own where it has none.
    first_node: u32,
    /// Positions among the significant tokens.
    first: u32,
    end: u32,
    /// Nodes on the longest path below and including it.
    height: u32,
}

/// A node that was begun.
#[derive(Clone, Copy, Debug)]
struct Marker {
    first_node: u32,
    first: u32,
}

/// A node that was finished.
#[derive(Clone, Copy, Debug)]
struct Done {
    kind: K,
    index: u32,
}

/// A construct that an `end` closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Block {
    /// `if`, `for`, `when`, `while`; or `class` for any class.
    kind: K,
    /// Position of the keyword, or of the name of a class.
    at: usize,
    /// Position of an `else` directly followed by `if`.
    else_if: Option<usize>,
}

/// `end` closes a class or block, or is the last index of a dimension: the tokens after it decide.
fn tell_ends_apart(kinds: &mut [K]) {
    for i in 0..kinds.len() {
        let closes = |next: K| {
            matches!(
                next,
                K::Ident | K::KwIf | K::KwFor | K::KwWhen | K::KwWhile | K::Semicolon | K::EndOfFile
            )
        };
        if kinds[i] == K::KwEnd
            && !kinds.get(i + 1).is_none_or(|&next| closes(next) || next.is_keyword() && next != K::KwElse)
        {
            kinds[i] = K::EndExpression;
        }
    }
}

struct Parser<'a> {
    file: FileId,
    text: &'a str,
    tokens: &'a [Token],
    /// Kinds of the tokens that are no trivia, as they are meant; an end of file follows them. An `end` that closes nothing
    /// has the kind of the expression.
    kinds: Vec<K>,
    /// Their indices among all tokens.
    significant: Vec<u32>,
    pos: usize,
    nodes: Vec<Finished>,
    diagnostics: Vec<Diagnostic>,
    depth: u32,
    /// How many subscripts are open: only there `end` is an expression.
    subscripts: u32,
    blocks: Vec<Block>,
    /// Position of the last mistake: there is one message for a token.
    last_mistake: Option<usize>,
    /// Set when the rest of the file is passed over.
    gave_up: bool,
    /// Nesting that is too deep is reported once for a file.
    was_too_deep: bool,
    /// After a mistake in the structure nothing is reported until the next `;`.
    muted: bool,
    /// Last position of each `end NAME`; found when a name does not agree.
    last_ends: Option<HashMap<&'a str, usize>>,
    /// Whether the section at hand lacks its keyword: it ends where declarations go on.
    headless: bool,
    /// Whether the last thing in the section at hand was a declaration that should not be there.
    after_misplaced: bool,
    /// How often the token at hand was looked at.
    #[cfg(debug_assertions)]
    looks: std::cell::Cell<u32>,
}

impl<'a> Parser<'a> {
    fn new(file: FileId, text: &'a str, tokens: &'a [Token]) -> Self {
        let significant: Vec<u32> =
            (0..tokens.len() as u32).filter(|&i| !tokens[i as usize].kind.is_trivia()).collect();
        let mut kinds: Vec<K> = Vec::with_capacity(significant.len() + 1);
        kinds.extend(significant.iter().map(|&i| tokens[i as usize].kind.as_meant()));
        kinds.push(K::EndOfFile);
        tell_ends_apart(&mut kinds);
        let nodes = Vec::with_capacity(significant.len());
        Parser {
            file,
            text,
            tokens,
            kinds,
            significant,
            pos: 0,
            nodes,
            diagnostics: Vec::new(),
            depth: 0,
            subscripts: 0,
            blocks: Vec::new(),
            last_mistake: None,
            gave_up: false,
            was_too_deep: false,
            muted: false,
            last_ends: None,
            headless: false,
            after_misplaced: false,
            #[cfg(debug_assertions)]
            looks: std::cell::Cell::new(0),
        }
    }

    /// One production alone, and nothing after it.
    fn fragment(&mut self, parse: impl FnOnce(&mut Self) -> bool) {
        let marker = self.start();
        parse(self);
        if !self.at(K::EndOfFile) {
            let found = self.found();
            self.mistake_here(
                Mistake::SyntaxError,
                format!("expected nothing more, found {found}"),
                "too much",
            );
            self.skip_until(|_| false);
        }
        self.finish(marker, K::Fragment);
    }

    // ---- tokens

    fn current(&self) -> K {
        #[cfg(debug_assertions)]
        {
            self.looks.set(self.looks.get() + 1);
            assert!(self.looks.get() < MAX_LOOKS, "the parser stands still at token {}", self.pos);
        }
        self.kinds[self.pos]
    }

    fn nth(&self, n: usize) -> K {
        self.kinds.get(self.pos + n).copied().unwrap_or(K::EndOfFile)
    }

    fn at(&self, kind: K) -> bool {
        self.current() == kind
    }

    fn bump(&mut self) {
        #[cfg(debug_assertions)]
        self.looks.set(0);
        if self.pos + 1 < self.kinds.len() {
            self.pos += 1;
        }
    }

    fn eat(&mut self, kind: K) -> bool {
        let there = self.at(kind);
        if there {
            self.bump();
        }
        there
    }

    /// Byte range of a significant token; empty at the end of the text for the end of file.
    fn range(&self, pos: usize) -> (u32, u32) {
        match self.significant.get(pos) {
            Some(&i) => {
                let end = self.tokens.get(i as usize + 1).map_or(self.text.len() as u32, |next| next.start);
                (self.tokens[i as usize].start, end)
            }
            None => {
                // the end of the last token: comments and blanks at the end of a file are no place to point at
                let end = if pos > 0 && !self.significant.is_empty() {
                    self.range(self.significant.len() - 1).1
                } else {
                    0
                };
                (end, end)
            }
        }
    }

    fn span(&self, pos: usize) -> Span {
        let (start, end) = self.range(pos);
        Span::new(self.file, start, end)
    }

    fn text_of(&self, pos: usize) -> &'a str {
        let (start, end) = self.range(pos);
        &self.text[start as usize..end as usize]
    }

    /// Whether a token is the first one on its line.
    fn begins_line(&self, pos: usize) -> bool {
        pos == 0
            || self.text[self.range(pos - 1).1 as usize..self.range(pos).0 as usize].contains(['\n', '\r'])
            || pos >= self.significant.len()
    }

    // ---- nodes

    fn start(&self) -> Marker {
        Marker { first_node: self.nodes.len() as u32, first: self.pos as u32 }
    }

    /// Begins a node before one that is finished, so that it becomes a child.
    fn start_before(&self, done: Done) -> Marker {
        let node = &self.nodes[done.index as usize];
        Marker { first_node: node.first_node, first: node.first }
    }

    fn finish(&mut self, marker: Marker, kind: K) -> Done {
        let index = self.nodes.len() as u32;
        let is_root = matches!(kind, K::StoredDefinition | K::Fragment);
        if marker.first == self.pos as u32 && !is_root {
            return Done { kind, index: index.saturating_sub(1) }; // nothing was read: there is no empty node
        }
        let mut height = 0;
        let mut child = index;
        while child > marker.first_node {
            let node = &self.nodes[child as usize - 1];
            height = height.max(node.height);
            child = node.first_node;
        }
        self.nodes.push(Finished {
            kind,
            first_node: marker.first_node,
            first: marker.first,
            end: self.pos as u32,
            height: height + 1,
        });
        Done { kind, index }
    }

    fn height(&self, done: Done) -> u32 {
        self.nodes[done.index as usize].height
    }

    // ---- depth

    /// Whether one level more is allowed; where it is, [`leave`](Self::leave) must follow.
    fn enter(&mut self) -> bool {
        if self.depth >= MAX_DEPTH {
            return false;
        }
        self.depth += 1;
        true
    }

    /// As [`enter`](Self::enter), for classes and blocks: the expressions in the innermost one still have room.
    fn enter_block(&mut self) -> bool {
        self.depth + ROOM_FOR_EXPRESSIONS < MAX_DEPTH && self.enter()
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    // ---- mistakes

    /// How a token is called in a message.
    fn name_of(&self, pos: usize) -> String {
        let text = self.text_of(pos);
        match self.kinds.get(pos).copied().unwrap_or(K::EndOfFile) {
            K::EndOfFile => "the end of the file".into(),
            K::EndExpression => "the keyword `end`".into(),
            K::String => "a string".into(),
            K::Integer | K::Real => format!("the number `{text}`"),
            kind if kind.is_keyword() => format!("the keyword `{text}`"),
            _ => format!("`{text}`"),
        }
    }

    fn found(&self) -> String {
        self.name_of(self.pos)
    }

    /// Whether a mistake at the current token is news: neither said already nor due to a character that was.
    fn is_news(&self) -> bool {
        let hidden = || {
            let first = if self.pos == 0 { 0 } else { self.significant[self.pos - 1] as usize };
            let last = self.significant.get(self.pos).map_or(self.tokens.len(), |&i| i as usize);
            self.tokens[first..last].iter().any(|t| matches!(t.kind, K::Error | K::UnterminatedComment))
        };
        !self.gave_up
            && !self.muted
            && self.last_mistake != Some(self.pos)
            && self.diagnostics.len() <= MAX_DIAGNOSTICS
            && !hidden()
    }

    /// Reports a mistake, unless the token at hand has been reported already.
    fn report(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) {
        if self.is_news() {
            let diagnostic = diagnostic(self);
            self.muted =
                [Mistake::SyntaxError, Mistake::UnclosedBracket].map(Mistake::id).contains(&diagnostic.id);
            self.diagnostics.push(diagnostic);
        }
        self.last_mistake = Some(self.pos);
    }

    /// Reports a mistake at the current token.
    fn mistake_here(&mut self, mistake: Mistake, message: impl Into<String>, label: impl Into<String>) {
        let pos = self.pos;
        self.report(|p| Diagnostic::error(mistake.id(), message).at(p.span(pos), label));
    }

    /// Warns of common constructs that the grammar does not have.
    fn warn_here(&mut self, mistake: Mistake, message: &str) {
        let pos = self.pos;
        self.report(|p| Diagnostic::warning(mistake.id(), message).at(p.span(pos), ""));
        self.last_mistake = None;
    }

    /// Reports a mistake at the current token, with a suggestion.
    fn mistake_with_note(
        &mut self,
        mistake: Mistake,
        message: impl Into<String>,
        label: impl Into<String>,
        note: impl Into<String>,
    ) {
        let pos = self.pos;
        self.report(|p| Diagnostic::error(mistake.id(), message).at(p.span(pos), label).with_note(note));
    }

    /// "expected X, found Y" at the current token.
    fn expected(&mut self, what: &str) {
        let found = self.found();
        self.mistake_here(
            Mistake::SyntaxError,
            format!("expected {what}, found {found}"),
            format!("expected {what}"),
        );
    }

    /// "expected X, found Y" for a token that continues the text before: right after the last token, if the next one
    /// is on another line and hence innocent.
    fn expected_next(&mut self, what: &str) {
        // at the beginning of an element, equation or statement the token at hand is the one to blame
        let begins_item = |kind| {
            use K::*;
            matches!(
                kind,
                Semicolon | KwEquation | KwAlgorithm | KwThen | KwElse | KwLoop | KwPublic | KwProtected
            )
        };
        if self.pos == 0 || !self.begins_line(self.pos) || begins_item(self.kinds[self.pos - 1]) {
            return self.expected(what);
        }
        let found = self.found();
        let place = self.after_last();
        self.report(|_| {
            Diagnostic::error(Mistake::SyntaxError.id(), format!("expected {what}, found {found}"))
                .at(place, format!("expected {what}"))
        });
    }

    /// The place right after the last token.
    fn after_last(&self) -> Span {
        let end = if self.pos == 0 { 0 } else { self.range(self.pos - 1).1 };
        Span::new(self.file, end, end)
    }

    /// Reads a token that must be there.
    fn expect(&mut self, kind: K, what: &str) -> bool {
        let there = self.eat(kind);
        if !there {
            self.expected_next(what);
        }
        there
    }
}
