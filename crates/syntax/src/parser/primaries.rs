//! Operands: literals, references, calls, brackets of all sorts (MLS §A.2.7).

use rhei_source::Diagnostic;

use super::{Done, Parser};
use crate::{Mistake, SyntaxKind as K};

impl Parser<'_> {
    /// Whether an operand can begin with the current token.
    pub(super) fn begins_primary(&self) -> bool {
        use K::*;
        matches!(
            self.current(),
            Integer | Real | String | KwTrue | KwFalse | KwTime | Ident | LParen | LBracket | LBrace | KwDer
        )
    }

    /// An operand. If there is none, that is reported and nothing is read.
    pub(super) fn primary(&mut self) -> Option<Done> {
        match self.current() {
            K::Integer => Some(self.literal(K::IntegerLiteral)),
            K::Real => Some(self.literal(K::RealLiteral)),
            K::String => Some(self.literal(K::StringLiteral)),
            K::KwTrue | K::KwFalse => Some(self.literal(K::BooleanLiteral)),
            K::KwTime => Some(self.literal(K::TimeExpression)),
            K::KwEnd | K::EndExpression if self.subscripts > 0 => Some(self.literal(K::EndExpression)),
            K::Ident | K::Dot => self.reference_or_call(),
            K::KwDer | K::KwInitial | K::KwPure if self.nth(1) == K::LParen => {
                let marker = self.start();
                self.bump();
                let callee = self.finish(marker, K::ComponentReference);
                self.call(callee)
            }
            K::LParen => self.parenthesized(),
            K::LBracket => self.matrix(),
            K::LBrace => self.array(),
            _ => {
                let marker = self.start();
                if self.keyword_as_name() {
                    return Some(self.finish(marker, K::ComponentReference));
                }
                self.no_expression();
                None
            }
        }
    }

    fn no_expression(&mut self) {
        if !matches!(self.current(), K::KwDer | K::KwInitial | K::KwPure) {
            return self.expected_next("an expression");
        }
        let (word, found) = (self.text_of(self.pos), self.name_of(self.pos + 1));
        let span = self.span(self.pos + 1);
        self.report(|_| {
            Diagnostic::error(
                Mistake::SyntaxError.id(),
                format!("expected `(` after `{word}`, found {found}"),
            )
            .at(span, "expected `(`")
        });
    }

    fn literal(&mut self, kind: K) -> Done {
        let marker = self.start();
        self.bump();
        self.finish(marker, kind)
    }

    fn reference_or_call(&mut self) -> Option<Done> {
        let reference = self.component_reference()?;
        if self.at(K::LParen) { self.call(reference) } else { Some(reference) }
    }

    /// `[ . ] IDENT [ array-subscripts ] { . IDENT [ array-subscripts ] }`
    pub(super) fn component_reference(&mut self) -> Option<Done> {
        let marker = self.start();
        self.eat(K::Dot);
        if !self.name_token("a name") {
            self.finish_if_any(marker, K::ErrorNode);
            return None;
        }
        loop {
            if self.at(K::LBracket) {
                self.array_subscripts();
            }
            if !self.eat(K::Dot) {
                break;
            }
            if self.at(K::Ident) {
                self.bump();
            } else if self.begins_line(self.pos) || !self.keyword_as_name() {
                self.expected("a name after `.`");
                break;
            }
        }
        Some(self.finish(marker, K::ComponentReference))
    }

    /// `[ subscript { , subscript } ]`
    pub(super) fn array_subscripts(&mut self) {
        let marker = self.start();
        let open = self.pos;
        self.bump();
        self.subscripts += 1;
        self.list(K::RBracket, open, "`,`", |p| {
            if p.at(K::Colon) && matches!(p.nth(1), K::Comma | K::RBracket) {
                p.literal(K::ColonSubscript);
                return true;
            }
            p.expression().is_some()
        });
        self.subscripts -= 1;
        self.finish(marker, K::ArraySubscripts);
    }

    fn call(&mut self, callee: Done) -> Option<Done> {
        let marker = self.start_before(callee);
        self.function_arguments(true);
        Some(self.finish(marker, K::FunctionCall))
    }

    /// `( [ function-arguments ] )`, where `positional` says whether other than named ones are allowed.
    fn function_arguments(&mut self, positional: bool) {
        let marker = self.start();
        let open = self.pos;
        self.bump();
        if !self.eat(K::RParen) {
            let mut named = !positional;
            let mut count = 0;
            self.list(K::RParen, open, "`,`", |p| {
                count += 1;
                p.function_argument(&mut named, count)
            });
        }
        self.finish(marker, K::FunctionArguments);
    }

    fn function_argument(&mut self, named: &mut bool, count: usize) -> bool {
        let keyword_is_name = self.current().is_keyword() && self.nth(1) == K::Equal;
        if (self.at(K::Ident) || keyword_is_name) && self.nth(1) == K::Equal {
            *named = true;
            let marker = self.start();
            self.name_token("the name of an argument");
            self.bump();
            let value = self.argument_value();
            self.finish(marker, K::NamedArgument);
            return value;
        }
        let at = self.pos;
        if !self.argument_value() {
            return false;
        }
        if *named {
            let span = self.span(at).cover(self.span(self.pos - 1));
            self.report(|_| {
                Diagnostic::error(
                    Mistake::PositionalAfterNamed.id(),
                    "expected a named argument `name = value`, found one without a name",
                )
                .at(span, "arguments after a named one need names too")
            });
        }
        if self.at(K::KwFor) {
            self.comprehension(count);
        }
        true
    }

    /// `for for-indices` after the only argument.
    fn comprehension(&mut self, count: usize) {
        if count > 1 {
            let message = "`for` can only follow a single expression";
            self.mistake_here(Mistake::SyntaxError, message, "there is more than one before it");
        }
        self.bump();
        self.for_indices();
    }

    /// `function-partial-application | expression`
    fn argument_value(&mut self) -> bool {
        if !self.at(K::KwFunction) {
            return self.expression().is_some();
        }
        let marker = self.start();
        self.bump();
        if self.type_specifier("the name of a function") {
            if !self.at(K::LParen) {
                self.expected("`(` and the arguments to fix");
            } else if self.enter() {
                self.function_arguments(false);
                self.leave();
            } else {
                self.too_deep("expressions are");
                self.skip_brackets();
            }
        }
        self.finish(marker, K::FunctionPartialApplication);
        true
    }

    /// `( output-expression-list ) [ array-subscripts | . IDENT ]`
    fn parenthesized(&mut self) -> Option<Done> {
        let marker = self.start();
        let open = self.pos;
        self.bump();
        let mut single = true;
        let mut any = false;
        if !self.at(K::RParen) {
            self.list(K::RParen, open, "`,`", |p| {
                if matches!(p.current(), K::Comma | K::RParen) {
                    single = false; // an output that is not wanted
                    return true;
                }
                single &= !any;
                any = true;
                p.expression().is_some()
            });
        } else {
            single = false;
            self.bump();
        }
        let kind = if single { K::ParenthesizedExpression } else { K::TupleExpression };
        let done = self.finish(marker, kind);
        match self.current() {
            K::LBracket => {
                let marker = self.start_before(done);
                self.array_subscripts();
                Some(self.finish(marker, K::IndexedExpression))
            }
            K::Dot => {
                let marker = self.start_before(done);
                self.bump();
                self.name_token("a name after `.`");
                Some(self.finish(marker, K::FieldAccess))
            }
            _ => Some(done),
        }
    }

    /// `[ expression-list { ; expression-list } ]`
    fn matrix(&mut self) -> Option<Done> {
        let marker = self.start();
        let open = self.pos;
        self.bump();
        loop {
            let row = self.start();
            loop {
                if self.expression().is_none() {
                    self.skip_until(|p| matches!(p.current(), K::Comma | K::RBracket));
                }
                if !self.eat(K::Comma) {
                    break;
                }
            }
            self.finish_if_any(row, K::MatrixRow);
            if !self.at(K::Semicolon) || self.matrix_ends_here() {
                break;
            }
            self.bump();
        }
        self.close(K::RBracket, open, "`,`, `;`");
        Some(self.finish(marker, K::MatrixConstructor))
    }

    /// Whether the `;` at hand ends an equation rather than a row, the `]` having been forgotten.
    fn matrix_ends_here(&self) -> bool {
        use super::recovery::{is_class_start, is_element_keyword, is_equation_keyword, is_section_start};
        let next = self.nth(1);
        let begins =
            is_class_start(next) || is_element_keyword(next) || is_equation_keyword(next) && next != K::KwIf;
        let equation =
            next == K::Ident && self.begins_line(self.pos + 1) && matches!(self.nth(2), K::Equal | K::Ident);
        begins || equation || is_section_start(next) || matches!(next, K::KwEnd | K::KwAnnotation)
    }

    /// `{ array-arguments }`
    fn array(&mut self) -> Option<Done> {
        let marker = self.start();
        let open = self.pos;
        self.bump();
        let mut count = 0;
        self.list(K::RBrace, open, "`,`", |p| {
            count += 1;
            let there = p.expression().is_some();
            if there && p.at(K::KwFor) {
                p.comprehension(count);
            }
            there
        });
        Some(self.finish(marker, K::ArrayConstructor))
    }

    /// Passes over the bracket that begins here and all that is in it.
    pub(super) fn skip_brackets(&mut self) {
        let marker = self.start();
        let mut open = 0usize;
        loop {
            match self.current() {
                K::LParen | K::LBracket | K::LBrace => open += 1,
                K::RParen | K::RBracket | K::RBrace => open -= 1,
                K::EndOfFile => break,
                _ => {}
            }
            self.bump();
            if open == 0 {
                break;
            }
        }
        self.finish(marker, K::ErrorNode);
    }
}
