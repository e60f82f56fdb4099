//! Stored definitions and classes (MLS §A.2.1 and §A.2.2).

use rhei_source::Diagnostic;

use super::recovery::{is_class_start, is_element_keyword, is_section_start};
use super::{Marker, Parser};
use crate::{Mistake, SyntaxKind as K};

impl Parser<'_> {
    /// `[ within [ name ] ; ] { [ final ] class-definition ; }`
    pub(super) fn stored_definition(&mut self) {
        let file = self.start();
        if self.at(K::KwWithin) {
            self.within_clause();
        }
        while !self.at(K::EndOfFile) {
            let before = self.pos;
            self.stored_class();
            if self.pos == before {
                self.skip_one(); // whatever it is, it is reported
            }
        }
        self.finish(file, K::StoredDefinition);
    }

    fn within_clause(&mut self) {
        let marker = self.start();
        self.bump();
        if self.at(K::Ident) {
            self.name(K::Name);
        }
        self.finish(marker, K::WithinClause);
        self.semicolon("the `within` clause", |p| is_class_start(p.current()));
    }

    fn stored_class(&mut self) {
        let begins_class = |p: &Self| is_class_start(p.current()) || p.at(K::KwFinal);
        if begins_class(self) {
            self.muted = false;
            self.declaration();
            self.semicolon("a class definition", begins_class);
            return;
        }
        match self.current() {
            K::KwWithin => {
                let what = "`within` must be the first thing in a file, and only once";
                self.mistake_here(Mistake::SyntaxError, what, "move it to the top");
                self.within_clause();
            }
            K::Semicolon => {
                self.expected("a class");
                self.skip_one();
            }
            K::KwEnd => {
                let word = if self.nth(1) == K::Ident { self.text_of(self.pos + 1) } else { "" };
                let message = format!("`end {word}` closes nothing: no class is open here");
                self.mistake_here(Mistake::StrayEnd, message, "no class for this");
                let marker = self.start();
                self.bump();
                if !self.at(K::Semicolon) && !begins_class(self) {
                    self.bump();
                }
                self.finish(marker, K::ErrorNode);
                self.eat(K::Semicolon);
            }
            kind if kind == K::Ident || is_element_keyword(kind) => {
                self.mistake_with_note(
                    Mistake::SyntaxError,
                    format!("expected a class, found {}", self.found()),
                    "only classes can stand at the top of a file",
                    "a class begins with `model`, `package`, `function`, `record`, `block`, `connector`, `type` or `class`",
                );
                if is_element_keyword(kind) || self.nth(1) == K::Ident {
                    self.element();
                }
                self.skip_until(begins_class);
                self.eat(K::Semicolon);
                self.muted = true; // one message for a run of them
            }
            _ => {
                self.expected("a class");
                self.skip_one();
                self.skip_until(begins_class);
                if !begins_class(self) {
                    self.eat(K::Semicolon);
                }
                self.muted = true;
            }
        }
    }

    /// The class after its prefixes `redeclare … replaceable encapsulated partial`, which the caller has read.
    /// Finishes the specifier, not the definition.
    pub(super) fn class_after_prefixes(&mut self) {
        let keyword = self.pos;
        self.class_kind();
        if !self.enter_block() {
            self.too_deep("classes are");
            self.give_up();
            return;
        }
        self.class_specifier(keyword);
        self.leave();
    }

    fn class_kind(&mut self) {
        let pure = self.eat(K::KwPure) || self.eat(K::KwImpure);
        if self.eat(K::KwOperator) {
            if pure || matches!(self.current(), K::KwRecord | K::KwFunction) {
                self.expect_class_keyword(&[K::KwRecord, K::KwFunction], "`function`");
            }
        } else if pure {
            self.expect_class_keyword(&[K::KwFunction], "`function`");
        } else if self.eat(K::KwExpandable) {
            self.expect_class_keyword(&[K::KwConnector], "`connector` after `expandable`");
        } else {
            use K::*;
            let any = [KwClass, KwModel, KwRecord, KwBlock, KwConnector, KwType, KwPackage, KwFunction];
            self.expect_class_keyword(
                &any,
                "the kind of class: `model`, `package`, `function`, `record`, `block`, …",
            );
        }
    }

    fn expect_class_keyword(&mut self, allowed: &[K], what: &str) {
        if allowed.contains(&self.current()) {
            self.bump();
        } else {
            self.expected(what);
        }
    }

    fn class_specifier(&mut self, keyword: usize) {
        let marker = self.start();
        if self.eat(K::KwExtends) {
            let name = self.class_name(keyword);
            if self.at(K::LParen) {
                self.class_modification(false);
            }
            self.class_body(keyword, name);
            self.finish(marker, K::ExtendsClassSpecifier);
            return;
        }
        let name = self.class_name(keyword);
        if self.lacks_equal(keyword) {
            self.expected("`=`");
        } else if !self.eat(K::Equal) {
            self.class_body(keyword, name);
            self.finish_if_any(marker, K::LongClassSpecifier);
            return;
        }
        let kind = match self.current() {
            K::KwEnumeration => self.enumeration(),
            K::KwDer => self.der_class(),
            _ => self.short_class(),
        };
        self.description();
        self.finish(marker, kind);
    }

    /// `type Voltage Real(…)`
    fn lacks_equal(&self, keyword: usize) -> bool {
        self.at(K::Ident)
            && !self.begins_line(self.pos)
            && (self.kinds[keyword] == K::KwType || matches!(self.nth(1), K::LParen | K::Semicolon))
    }

    fn class_name(&mut self, keyword: usize) -> Option<usize> {
        let at = self.pos;
        // `model`, and on the next line `Real x`: that is no model of the name `Real`
        let next_declaration = self.begins_line(at) && self.nth(1) == K::Ident && !self.begins_line(at + 1);
        if !next_declaration && (self.eat(K::Ident) || self.keyword_as_name()) {
            return Some(at);
        }
        let kind = self.text_of(keyword);
        let found = self.found();
        let place = if self.begins_line(at) { self.after_last() } else { self.span(at) };
        self.report(|_| {
            Diagnostic::error(
                Mistake::MissingName.id(),
                format!("expected the name of the {kind}, found {found}"),
            )
            .at(place, "expected a name")
        });
        if self.nth(1) == K::Equal || matches!(self.current(), K::Integer | K::Real) {
            self.skip_one();
        }
        None
    }

    /// `base-prefix type-specifier [ array-subscripts ] [ class-modification ]`
    fn short_class(&mut self) -> K {
        if matches!(self.current(), K::KwInput | K::KwOutput) {
            self.bump();
        }
        if self.type_specifier("the class that this one is equal to") {
            if self.at(K::LBracket) {
                self.array_subscripts();
            }
            if self.at(K::LParen) {
                self.class_modification(false);
            }
        }
        K::ShortClassSpecifier
    }

    /// `enumeration ( [ enum-list ] | : )`
    fn enumeration(&mut self) -> K {
        self.bump();
        let open = self.pos;
        if self.expect(K::LParen, "`(` and the literals after `enumeration`") {
            if self.at(K::Colon) {
                self.bump();
                self.close(K::RParen, open, "nothing more");
            } else if !self.eat(K::RParen) {
                self.list(K::RParen, open, "`,`", |p| {
                    let marker = p.start();
                    let named = p.name_token("the name of an enumeration literal");
                    p.description();
                    p.finish_if_any(marker, K::EnumerationLiteral);
                    named
                });
            }
        }
        K::EnumerationSpecifier
    }

    /// `der ( type-specifier , IDENT { , IDENT } )`
    fn der_class(&mut self) -> K {
        self.bump();
        let open = self.pos;
        if self.expect(K::LParen, "`(` after `der`") {
            self.type_specifier("the function to differentiate");
            if self.expect(K::Comma, "`,` and the input to differentiate by") {
                self.list(K::RParen, open, "`,`", |p| p.name_token("the name of an input"));
            } else {
                self.skip_until(|p| matches!(p.current(), K::RParen));
                self.close(K::RParen, open, "`,`");
            }
        }
        K::DerClassSpecifier
    }

    /// `description-string composition end IDENT`
    fn class_body(&mut self, keyword: usize, name: Option<usize>) {
        self.description_string();
        self.eat_body_separator();
        self.open_block(K::KwClass, name.unwrap_or(keyword));
        let outer = std::mem::replace(&mut self.headless, false);
        self.composition();
        self.headless = outer;
        if self.gave_up {
            self.blocks.pop();
        } else {
            self.end_of_class(keyword, name);
        }
    }

    /// `model A;` as some write it.
    fn eat_body_separator(&mut self) {
        if self.at(K::Semicolon) {
            let message = "expected the elements of the class, found `;`";
            self.mistake_here(
                Mistake::SyntaxError,
                message,
                "no `;` after the name and description of a class",
            );
            self.skip_one();
        }
    }

    fn composition(&mut self) {
        let mut annotated: Option<usize> = None; // start of the annotation of the class
        loop {
            match self.current() {
                K::EndOfFile => return,
                K::KwEnd => {
                    if self.stray_end() || self.stray_end_of_class() {
                        continue;
                    }
                    return;
                }
                K::KwAnnotation => {
                    let at = self.pos;
                    self.annotation_clause();
                    self.semicolon("the annotation", |_| true);
                    self.misplaced(annotated.replace(at));
                    continue;
                }
                _ => {}
            }
            self.misplaced(annotated.take());
            let section = self.start();
            match self.current() {
                K::KwPublic | K::KwProtected => {
                    self.bump();
                    self.element_list();
                    self.finish(section, K::ElementSection);
                }
                K::KwEquation => self.equation_section(section),
                K::KwAlgorithm => self.algorithm_section(section),
                K::KwInitial if self.nth(1) == K::KwEquation => self.equation_section(section),
                K::KwInitial if self.nth(1) == K::KwAlgorithm => self.algorithm_section(section),
                K::KwExternal => self.external_clause(section),
                _ if self.at_equation() => self.headless_section(section),
                _ => {
                    self.element_list();
                    self.finish_if_any(section, K::ElementSection);
                }
            }
        }
    }

    fn misplaced(&mut self, annotation: Option<usize>) {
        let Some(at) = annotation else { return };
        let span = self.span(at);
        self.report(|_| {
            Diagnostic::error(
                Mistake::MisplacedAnnotation.id(),
                "the annotation of a class must be the last thing in it",
            )
            .at(span, "move it before `end`")
        });
    }

    /// Equations or statements where only declarations may be: read as the section they look like.
    fn headless_section(&mut self, section: Marker) {
        let assigns = self.assigns();
        let (what, keyword) =
            if assigns { ("a statement", "algorithm") } else { ("an equation", "equation") };
        self.mistake_here(
            Mistake::EquationInDeclarations,
            format!("expected a declaration, found {what}"),
            format!("write `{keyword}` on a line before this"),
        );
        let outer = std::mem::replace(&mut self.headless, true);
        if assigns {
            self.statements();
            self.finish(section, K::AlgorithmSection);
        } else {
            self.equations();
            self.finish(section, K::EquationSection);
        }
        self.headless = outer;
    }

    fn element_list(&mut self) {
        loop {
            let before = self.pos;
            match self.current() {
                K::KwEnd | K::KwExternal | K::KwAnnotation => return,
                K::KwInitial if matches!(self.nth(1), K::KwEquation | K::KwAlgorithm) => return,
                kind if is_section_start(kind) => return,
                _ if self.at_equation() => return,
                _ => self.element(),
            }
            if self.gave_up {
                return;
            }
            if self.pos == before {
                self.skip_one(); // whatever it is, it is reported
            }
        }
    }

    /// `external [ STRING ] [ [ component-reference = ] IDENT ( [ expression-list ] ) ] [ annotation-clause ] ;`
    fn external_clause(&mut self, marker: Marker) {
        self.bump();
        if self.at(K::String) {
            self.bump();
        }
        if self.at(K::Ident) || self.at(K::Dot) {
            let before = (self.pos, self.nodes.len());
            self.component_reference();
            if self.eat(K::Equal) {
                self.external_call();
            } else {
                (self.pos, _) = before; // it is the function itself
                self.nodes.truncate(before.1);
                self.external_call();
            }
        }
        if self.at(K::KwAnnotation) {
            self.annotation_clause();
        }
        self.finish(marker, K::ExternalClause);
        self.semicolon("the `external` clause", |_| false);
    }

    fn external_call(&mut self) {
        if self.name_token("the name of the external function") {
            let open = self.pos;
            if self.expect(K::LParen, "`(` and the arguments of the external function")
                && !self.eat(K::RParen)
            {
                self.list(K::RParen, open, "`,`", |p| p.expression().is_some());
            }
        }
    }
}
