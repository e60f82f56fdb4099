//! Elements of classes: imports, extends, class and component declarations (MLS §A.2.2 to §A.2.4).

use rhei_source::Diagnostic;

use super::recovery::{is_class_start, is_element_keyword};
use super::{Marker, Parser};
use crate::{Mistake, SyntaxKind as K};

/// Rank of a prefix: prefixes are written in ascending rank, one of each.
fn prefix_rank(kind: K) -> Option<u8> {
    Some(match kind {
        K::KwRedeclare => 0,
        K::KwEach => 1,
        K::KwFinal => 2,
        K::KwInner => 3,
        K::KwOuter => 4,
        K::KwReplaceable => 5,
        K::KwEncapsulated => 6,
        K::KwPartial => 7,
        K::KwFlow | K::KwStream => 8,
        K::KwDiscrete | K::KwParameter | K::KwConstant => 9,
        K::KwInput | K::KwOutput => 10,
        _ => return None,
    })
}

const FIRST_CLASS_PREFIX: u8 = 6;
const FIRST_TYPE_PREFIX: u8 = 8;

impl Parser<'_> {
    /// One element and its `;`.
    pub(super) fn element(&mut self) {
        let begins_next = |p: &Self| {
            is_class_start(p.current())
                || is_element_keyword(p.current())
                || p.at(K::KwAnnotation) && p.begins_line(p.pos)
        };
        match self.current() {
            K::KwImport => {
                self.import_clause();
                self.semicolon("the `import` clause", begins_next);
            }
            K::KwExtends => {
                self.extends_clause();
                self.semicolon("the `extends` clause", begins_next);
            }
            K::Semicolon => {
                self.mistake_here(
                    Mistake::SyntaxError,
                    "expected an element, found a second `;`",
                    "remove it",
                );
                self.skip_one();
            }
            kind if prefix_rank(kind).is_some()
                || is_class_start(kind)
                || matches!(kind, K::Ident | K::Dot) =>
            {
                self.declaration();
                self.semicolon("a declaration", begins_next);
            }
            _ => {
                self.expected("a declaration");
                self.skip_one();
                self.skip_until(|p| p.begins_line(p.pos) && (begins_next(p) || p.at(K::Ident)));
                self.eat(K::Semicolon);
            }
        }
    }

    /// A class or component declaration with its prefixes.
    pub(super) fn declaration(&mut self) {
        let marker = self.start();
        let replaceable = self.prefixes();
        self.refuse_prefixes(marker, &[K::KwEach], "can only stand in a modification");
        let kind = if is_class_start(self.current()) {
            self.class_after_prefixes();
            K::ClassDefinition
        } else {
            self.component_clause_after_prefixes();
            K::ComponentClause
        };
        if self.at(K::KwConstrainedby) {
            self.constraining_clause(replaceable);
        }
        self.finish_if_any(marker, kind);
    }

    /// Reports the first prefix read since `marker` that is one of these.
    pub(super) fn refuse_prefixes(&mut self, marker: Marker, refused: &[K], why: &str) {
        if let Some(at) = (marker.first as usize..self.pos).find(|&at| refused.contains(&self.kinds[at])) {
            let (word, span) = (self.text_of(at), self.span(at));
            self.report(|_| {
                Diagnostic::error(Mistake::PrefixOrder.id(), format!("`{word}` {why}"))
                    .at(span, "wrong place for this prefix")
            });
        }
    }

    /// All prefixes up to the class or type; says whether `replaceable` is among them.
    pub(super) fn prefixes(&mut self) -> bool {
        let mut highest: Option<(u8, usize)> = None;
        let mut replaceable = false;
        while let Some(rank) = prefix_rank(self.current()) {
            replaceable |= self.at(K::KwReplaceable);
            match highest {
                Some((before, at)) if before >= rank => {
                    let (this, other) = (self.text_of(self.pos), self.text_of(at));
                    let message = if before == rank {
                        format!("`{other}` and `{this}` exclude each other")
                    } else {
                        format!("`{this}` must be written before `{other}`")
                    };
                    self.mistake_here(Mistake::PrefixOrder, message, "wrong place for this prefix");
                }
                _ => highest = Some((rank, self.pos)),
            }
            self.bump();
        }
        if let Some((rank, at)) = highest {
            let word = self.text_of(at);
            let of_class = is_class_start(self.current());
            if of_class && rank >= FIRST_TYPE_PREFIX {
                let message = format!("`{word}` is a prefix of components and cannot stand before a class");
                self.mistake_here(Mistake::PrefixOrder, message, "expected a type here");
            } else if !of_class && (FIRST_CLASS_PREFIX..FIRST_TYPE_PREFIX).contains(&rank) {
                let found = self.found();
                self.mistake_here(
                    Mistake::PrefixOrder,
                    format!("`{word}` is a prefix of classes; expected `model`, `package`, `function`, …, found {found}"),
                    "expected the kind of class",
                );
            }
        }
        replaceable
    }

    /// `import ( IDENT = name | name [ .* | . ( * | { import-list } ) ] ) description`
    fn import_clause(&mut self) {
        let marker = self.start();
        self.bump();
        if self.at(K::Ident) && self.nth(1) == K::Equal {
            self.bump();
            self.bump();
        }
        if self.at(K::Dot) {
            self.mistake_here(
                Mistake::SyntaxError,
                "expected the name of a package, found `.`: names in imports are always looked up from the top",
                "remove the leading `.`",
            );
            self.skip_one();
        }
        if self.at(K::Ident) {
            self.name(K::Name);
        } else {
            self.expected("the name of what to import");
        }
        if self.eat(K::Dot) {
            let open = self.pos;
            if self.at(K::LBrace) {
                let list = self.start();
                self.bump();
                self.list(K::RBrace, open, "`,`", |p| p.name_token("a name to import"));
                self.finish(list, K::ImportList);
            } else if !self.eat(K::Star) {
                self.expected("a name, `*` or `{`");
            }
        } else {
            self.eat(K::DotStar);
        }
        self.description();
        self.finish(marker, K::ImportClause);
    }

    /// `extends type-specifier [ class-or-inheritance-modification ] [ annotation-clause ]`
    fn extends_clause(&mut self) {
        let marker = self.start();
        self.bump();
        self.type_specifier("the class to extend");
        if self.at(K::LParen) {
            self.class_modification(true);
        }
        if self.at(K::String) {
            self.warn_here(
                Mistake::MisplacedDescription,
                "an `extends` clause has no description in the grammar; other tools may refuse it",
            );
            self.description_string();
        }
        if self.at(K::KwAnnotation) {
            self.annotation_clause();
        }
        self.finish(marker, K::ExtendsClause);
    }

    /// `constrainedby type-specifier [ class-modification ] description`
    pub(super) fn constraining_clause(&mut self, replaceable: bool) {
        let marker = self.start();
        if !replaceable {
            self.mistake_here(
                Mistake::SyntaxError,
                "`constrainedby` needs `replaceable` at the beginning of the declaration",
                "the declaration is not replaceable",
            );
        }
        self.bump();
        self.type_specifier("the constraining type");
        if self.at(K::LParen) {
            self.class_modification(false);
        }
        self.description();
        self.finish(marker, K::ConstrainingClause);
    }

    fn component_clause_after_prefixes(&mut self) {
        let type_at = self.pos;
        if !self.type_specifier("a type") {
            return;
        }
        if self.at(K::LBracket) {
            self.array_subscripts();
        }
        if !self.at(K::Ident) && !self.keyword_begins_component() {
            let type_name = self.text_of(type_at);
            let found = self.found();
            self.mistake_here(
                Mistake::MissingName,
                format!("expected the name of a component after its type `{type_name}`, found {found}"),
                "expected a name",
            );
            return;
        }
        loop {
            self.component(true);
            if !self.eat(K::Comma) {
                break;
            }
            if self.at(K::Semicolon) {
                self.expected("another component after `,`");
                break;
            }
        }
    }

    fn keyword_begins_component(&mut self) -> bool {
        let at = (self.pos, self.last_mistake);
        if !self.keyword_as_name() {
            return false;
        }
        self.pos = at.0; // reported; `component` reads it
        true
    }

    /// `IDENT [ array-subscripts ] [ modification ] [ if expression ] description`
    pub(super) fn component(&mut self, with_condition: bool) {
        let marker = self.start();
        if !self.name_token("the name of a component") {
            return;
        }
        if self.at(K::LBracket) {
            self.array_subscripts();
        }
        self.modification();
        if self.at(K::KwIf) && with_condition {
            let condition = self.start();
            self.bump();
            self.expression();
            self.finish(condition, K::ConditionAttribute);
        }
        self.description();
        self.finish(marker, K::Component);
    }

    /// `[ . ] IDENT { . IDENT }`; says whether there was one.
    pub(super) fn type_specifier(&mut self, what: &str) -> bool {
        let there = self.at(K::Ident) || self.at(K::Dot) && self.nth(1) == K::Ident;
        if there {
            self.name(K::TypeSpecifier);
        } else {
            self.expected(what);
        }
        there
    }

    /// `[ . ] IDENT { . IDENT }`, the current token being its first.
    pub(super) fn name(&mut self, kind: K) {
        let marker = self.start();
        self.eat(K::Dot);
        self.bump();
        while self.at(K::Dot) {
            if self.nth(1) == K::Ident {
                self.bump();
                self.bump();
            } else if kind == K::Name && matches!(self.nth(1), K::Star | K::LBrace) {
                break; // an import goes on
            } else {
                self.bump();
                if !self.begins_line(self.pos) && self.keyword_as_name() {
                    continue;
                }
                self.expected("a name after `.`");
                break;
            }
        }
        self.finish(marker, kind);
    }
}
