//! Modifications, redeclarations, annotations and descriptions (MLS §A.2.5).

use rhei_source::Diagnostic;

use super::Parser;
use super::recovery::is_class_start;
use crate::{Mistake, SyntaxKind as K};

impl Parser<'_> {
    /// `[ class-modification ] [ = modification-expression ]`, with `:=` as older versions have it.
    pub(super) fn modification(&mut self) {
        let marker = self.start();
        if self.at(K::LParen) {
            self.class_modification(false);
        }
        let value = match self.current() {
            K::Equal | K::Assign => true,
            K::EqualEqual => {
                let message = "`==` compares; a value is given with `=`";
                self.mistake_here(Mistake::ComparisonAsEquation, message, "write `=`");
                true
            }
            _ => false,
        };
        if value {
            self.bump();
            if !self.eat(K::KwBreak) {
                self.expression();
            }
        }
        self.finish_if_any(marker, K::Modification);
    }

    /// `( [ argument { , argument } ] )`; in an `extends`, `break` is an argument too.
    pub(super) fn class_modification(&mut self, in_extends: bool) {
        if !self.enter() {
            self.too_deep("modifications are");
            self.skip_brackets();
            return;
        }
        let marker = self.start();
        let open = self.pos;
        self.bump();
        if !self.eat(K::RParen) {
            self.list(K::RParen, open, "`,`", |p| p.argument(in_extends));
        }
        self.finish(marker, K::ClassModification);
        self.leave();
    }

    /// One argument; says whether there was one.
    pub(super) fn argument(&mut self, in_extends: bool) -> bool {
        let marker = self.start();
        if self.at(K::KwBreak) {
            self.inheritance_break(in_extends);
            return true;
        }
        let before = self.pos;
        let replaceable = self.prefixes();
        let prefixes = &self.kinds[before..self.pos];
        let declares = prefixes.iter().any(|k| !matches!(k, K::KwEach | K::KwFinal));
        let redeclares = prefixes.iter().any(|k| matches!(k, K::KwRedeclare | K::KwReplaceable));
        self.refuse_prefixes(marker, &[K::KwInner, K::KwOuter], "cannot stand in a modification");
        if declares && !redeclares {
            let found = self.name_of(before);
            let span = self.span(before);
            self.report(|_| {
                Diagnostic::error(
                    Mistake::SyntaxError.id(),
                    format!("expected `redeclare` or `replaceable`, found {found}"),
                )
                .at(span, "a declaration in a modification begins with `redeclare` or `replaceable`")
            });
        }
        if is_class_start(self.current()) {
            if !declares {
                self.expected("a name to modify, or `redeclare` before a class");
            }
            let keyword = self.pos;
            self.class_after_prefixes();
            self.require_short_class(keyword);
            if self.at(K::KwConstrainedby) {
                self.constraining_clause(replaceable);
            }
            self.finish(marker, K::ClassDefinition);
            return true;
        }
        if declares {
            if self.type_specifier("a type") {
                if self.at(K::LBracket) {
                    self.warn_here(
                        Mistake::MisplacedSubscripts,
                        "in a modification the grammar has subscripts after the name only; other tools may refuse this",
                    );
                    self.array_subscripts();
                }
                self.component(false);
            }
            if self.at(K::KwConstrainedby) {
                self.constraining_clause(replaceable);
            }
            self.finish_if_any(marker, K::ComponentClause);
            return true;
        }
        self.element_modification(marker)
    }

    /// In a modification only `model M = N` and enumerations are allowed.
    fn require_short_class(&mut self, keyword: usize) {
        let Some(specifier) = self.nodes.last() else { return };
        if matches!(specifier.kind, K::LongClassSpecifier | K::ExtendsClassSpecifier | K::DerClassSpecifier) {
            let span = self.span(keyword);
            let word = self.text_of(keyword);
            self.report(|_| {
                Diagnostic::error(
                    Mistake::SyntaxError.id(),
                    "a class in a modification must have the short form",
                )
                .at(span, format!("write `{word} A = B`"))
            });
        }
    }

    fn element_modification(&mut self, marker: super::Marker) -> bool {
        if self.at(K::Ident) && matches!(self.nth(1), K::Ident) {
            self.mistake_with_note(
                Mistake::SyntaxError,
                format!(
                    "expected the name of an element to modify, found the declaration `{} {}`",
                    self.text_of(self.pos),
                    self.text_of(self.pos + 1)
                ),
                "expected a name, then `=` or `(`",
                "to declare the element anew, write `redeclare` before it",
            );
            self.skip_one();
        }
        if self.at(K::Ident) {
            self.name(K::Name);
        } else if !self.keyword_as_name() {
            self.expected("the name of an element to modify");
            self.finish_if_any(marker, K::ErrorNode);
            return false;
        }
        if self.at(K::LBracket) {
            let message = "a modification cannot have subscripts: it applies to the whole array";
            self.mistake_with_note(
                Mistake::SyntaxError,
                message,
                "expected `=` or `(`",
                "give the whole array a value, such as `{1, 2, 3}`, or use `each`",
            );
            self.skip_brackets();
        }
        self.modification();
        self.description_string();
        self.finish(marker, K::ElementModification);
        true
    }

    /// `break ( connect-equation | IDENT )`
    fn inheritance_break(&mut self, in_extends: bool) {
        let marker = self.start();
        if !in_extends {
            let message =
                "`break` removes inherited elements and can only stand in the modification of an `extends`";
            self.mistake_here(Mistake::SyntaxError, message, "not allowed here");
        }
        self.bump();
        if self.at(K::KwConnect) {
            self.connect_equation();
        } else {
            self.name_token("the name of the element to remove, or `connect`");
        }
        self.finish(marker, K::InheritanceBreak);
    }

    /// `description-string [ annotation-clause ]`
    pub(super) fn description(&mut self) {
        self.description_string();
        if self.at(K::KwAnnotation) {
            self.annotation_clause();
        }
    }

    /// `[ STRING { + STRING } ]`
    pub(super) fn description_string(&mut self) {
        if !self.at(K::String) {
            return;
        }
        let marker = self.start();
        self.bump();
        while self.at(K::Plus) {
            self.bump();
            if !self.expect(K::String, "a string after `+`") {
                break;
            }
        }
        self.finish(marker, K::DescriptionString);
    }

    /// `annotation class-modification`
    pub(super) fn annotation_clause(&mut self) {
        let marker = self.start();
        self.bump();
        if self.at(K::LParen) {
            self.class_modification(false);
        } else {
            self.expected("`(` after `annotation`");
        }
        self.finish(marker, K::AnnotationClause);
    }
}
