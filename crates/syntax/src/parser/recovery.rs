//! Recovery after a mistake: ends of lines and blocks, brackets, and tokens that are passed over.

use rhei_source::Diagnostic;

use super::{Block, Marker, Parser};
use crate::{Mistake, SyntaxKind as K};

/// Begins a section of a class, or ends something: no mistake reaches past these.
pub(super) fn is_section_start(kind: K) -> bool {
    matches!(kind, K::KwEquation | K::KwAlgorithm | K::KwPublic | K::KwProtected | K::EndOfFile)
}

/// Begins a class definition.
pub(super) fn is_class_start(kind: K) -> bool {
    matches!(
        kind,
        K::KwEncapsulated
            | K::KwPartial
            | K::KwClass
            | K::KwModel
            | K::KwRecord
            | K::KwBlock
            | K::KwConnector
            | K::KwExpandable
            | K::KwType
            | K::KwPackage
            | K::KwFunction
            | K::KwPure
            | K::KwImpure
            | K::KwOperator
    )
}

/// A keyword that begins an element of a class, other than a class.
pub(super) fn is_element_keyword(kind: K) -> bool {
    matches!(
        kind,
        K::KwImport
            | K::KwExtends
            | K::KwRedeclare
            | K::KwReplaceable
            | K::KwFinal
            | K::KwInner
            | K::KwOuter
            | K::KwFlow
            | K::KwStream
            | K::KwDiscrete
            | K::KwParameter
            | K::KwConstant
            | K::KwInput
            | K::KwOutput
    )
}

/// A keyword that begins an equation or statement.
pub(super) fn is_equation_keyword(kind: K) -> bool {
    matches!(kind, K::KwIf | K::KwFor | K::KwWhen | K::KwWhile | K::KwConnect | K::KwReturn)
}

/// A keyword that people use as a name, and that cannot go on in the place of a name.
fn may_be_meant_as_name(kind: K) -> bool {
    kind.is_keyword()
        && !is_equation_keyword(kind)
        && !is_section_start(kind)
        && !matches!(kind, K::KwEnd | K::KwThen | K::KwElse | K::KwElseif | K::KwElsewhen | K::KwLoop)
        && !matches!(kind, K::KwAnnotation | K::KwAnd | K::KwOr | K::KwNot | K::KwTrue | K::KwFalse)
}

impl Parser<'_> {
    /// Passes over tokens, at least none, until `stop` holds outside of brackets opened on the way, or something begins
    /// that no mistake reaches past. The tokens passed over become an error node.
    pub(super) fn skip_until(&mut self, stop: impl Fn(&Self) -> bool) {
        let marker = self.start();
        let mut open = 0usize;
        let mut square = 0usize;
        while !self.at(K::EndOfFile) {
            if open == 0 && stop(self) {
                break;
            }
            match self.current() {
                K::LParen | K::LBrace => open += 1,
                K::LBracket => {
                    open += 1;
                    square += 1;
                }
                K::RParen | K::RBrace => open = open.saturating_sub(1),
                K::RBracket => {
                    open = open.saturating_sub(1);
                    square = square.saturating_sub(1);
                }
                K::Semicolon if square == 0 => break,
                K::KwEnd if square == 0 => break,
                kind if is_section_start(kind) => break,
                _ => {}
            }
            self.bump();
        }
        self.finish(marker, K::ErrorNode);
    }

    /// Passes over the rest of the file: its structure is lost.
    pub(super) fn give_up(&mut self) {
        let marker = self.start();
        self.gave_up = true;
        self.pos = self.kinds.len() - 1;
        self.finish(marker, K::ErrorNode);
    }

    /// Reports that something is nested too deeply.
    pub(super) fn too_deep(&mut self, what: &str) {
        let message = format!("{what} nested more than {} levels deep", self.depth);
        self.nesting(
            message,
            "too deep from here on",
            "split it into classes, equations or variables of their own",
        );
    }

    /// Reports that operators are chained too long.
    pub(super) fn too_long(&mut self) {
        let message = format!("this expression chains more than {} operators", super::MAX_LEFT_HEIGHT);
        self.nesting(message, "too long from here on", "use `sum`, `product`, or variables for its parts");
    }

    fn nesting(&mut self, message: String, label: &str, note: &str) {
        if !self.was_too_deep {
            self.mistake_with_note(Mistake::NestingTooDeep, message, label, note);
        }
        self.was_too_deep = true;
        self.muted = true; // no further reports: the rest is only skimmed
    }

    /// The `;` after an element, equation or statement. If it is missing, `begins_next` says whether the token at hand
    /// begins something new; otherwise all up to the `;` is passed over.
    pub(super) fn semicolon(&mut self, after: &str, begins_next: impl Fn(&Self) -> bool) {
        if self.eat(K::Semicolon) {
            self.muted = false;
            return;
        }
        let ends = matches!(
            self.current(),
            K::KwEnd | K::KwElse | K::KwElseif | K::KwElsewhen | K::KwExternal | K::EndOfFile
        );
        if ends || is_section_start(self.current()) || self.begins_line(self.pos) || begins_next(self) {
            // right after the last token, not at the next one, which may be lines away
            let place = self.after_last();
            if self.pos > 0 && self.last_mistake != Some(self.pos - 1) {
                self.report(|_| {
                    Diagnostic::error(Mistake::MissingSemicolon.id(), format!("`;` is missing after {after}"))
                        .at(place, "put a `;` here")
                });
            }
            self.muted = false;
            return;
        }
        match self.current() {
            K::RParen | K::RBracket | K::RBrace => {
                let found = self.text_of(self.pos);
                self.mistake_here(
                    Mistake::UnopenedBracket,
                    format!("`{found}` closes a bracket that was not opened"),
                    "no opening bracket for this",
                );
            }
            _ => self.expected(&format!("`;` after {after}")),
        }
        self.skip_until(|p| p.at(K::Semicolon) || p.begins_line(p.pos) && begins_next(p));
        self.eat(K::Semicolon);
        self.muted = false;
    }

    /// The bracket that closes the one at `open`.
    pub(super) fn close(&mut self, kind: K, open: usize, inside: &str) -> bool {
        if self.eat(kind) {
            return true;
        }
        let (sign, opening) = (closing_sign(kind), self.text_of(open));
        let found = self.found();
        let begin = self.span(open);
        let place = if self.begins_line(self.pos) { self.after_last() } else { self.span(self.pos) };
        self.report(|_| {
            Diagnostic::error(
                Mistake::UnclosedBracket.id(),
                format!("expected {inside} or `{sign}` to close the `{opening}`, found {found}"),
            )
            .at(place, format!("expected `{sign}`"))
            .at(begin, "opened here")
        });
        // a wrong closing bracket is taken for the right one
        if matches!(self.current(), K::RParen | K::RBracket | K::RBrace) {
            self.skip_one();
        }
        false
    }

    /// A list of items, separated by commas, up to the closing bracket `kind` of the bracket at `open`.
    pub(super) fn list(&mut self, kind: K, open: usize, what: &str, mut item: impl FnMut(&mut Self) -> bool) {
        loop {
            let before = self.pos;
            if !item(self) {
                self.skip_until(|p| matches!(p.current(), K::Comma | K::RParen | K::RBracket | K::RBrace));
            }
            if self.eat(K::Comma) {
                continue;
            }
            if self.at(kind) {
                break;
            }
            // a forgotten comma: the next item follows on the same line
            if self.pos > before && !self.begins_line(self.pos) && self.begins_primary() {
                self.expected("`,`");
                continue;
            }
            break;
        }
        self.close(kind, open, what);
    }

    /// Passes over one token.
    pub(super) fn skip_one(&mut self) {
        let marker = self.start();
        self.bump();
        self.finish(marker, K::ErrorNode);
    }

    /// Reads a name. A keyword in its place is taken for the name if the tokens after it fit that.
    pub(super) fn name_token(&mut self, what: &str) -> bool {
        if self.eat(K::Ident) {
            return true;
        }
        if self.keyword_as_name() {
            return true;
        }
        self.expected_next(what);
        false
    }

    /// A keyword used as a name, if the tokens after it show that it is meant as one.
    pub(super) fn keyword_as_name(&mut self) -> bool {
        use K::*;
        let follows = matches!(
            self.nth(1),
            Semicolon
                | Comma
                | Equal
                | Assign
                | LParen
                | RParen
                | LBracket
                | RBracket
                | RBrace
                | Dot
                | String
                | Plus
                | Minus
                | Star
                | Slash
                | Caret
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | EqualEqual
                | NotEqual
        );
        if !may_be_meant_as_name(self.current()) || !follows {
            return false;
        }
        let word = self.text_of(self.pos);
        self.mistake_with_note(
            Mistake::KeywordAsName,
            format!("`{word}` is a keyword and cannot be a name"),
            "choose another name",
            format!("`'{word}'`, in single quotes, is a name"),
        );
        self.bump();
        true
    }

    // ---- blocks

    pub(super) fn open_block(&mut self, kind: K, at: usize) {
        self.blocks.push(Block { kind, at, else_if: None });
    }

    /// Whether an `end` with this keyword closes a block that is open around the innermost one.
    fn closes_outer(&self, kind: K) -> bool {
        let outer = &self.blocks[..self.blocks.len().saturating_sub(1)];
        outer.iter().rev().take_while(|block| block.kind != K::KwClass).any(|block| block.kind == kind)
    }

    /// `end if`, `end for`, `end when`, `end while`: the end of the innermost block.
    pub(super) fn end_of_block(&mut self, kind: K) {
        let Some(block) = self.blocks.last().copied() else { return };
        let word = self.text_of(block.at);
        if self.at(K::KwEnd) && self.nth(1) == kind {
            self.bump();
            self.bump();
        } else if self.at(K::Ident) && self.text_of(self.pos) == format!("end{word}") {
            self.mistake_here(
                Mistake::ForeignKeyword,
                format!("`end{word}` is written as two words in Modelica"),
                format!("write `end {word}`"),
            );
            self.bump();
        } else {
            let closes_this = self.at(K::KwEnd)
                && match self.nth(1) {
                    other @ (K::KwIf | K::KwFor | K::KwWhen | K::KwWhile) => !self.closes_outer(other),
                    K::Semicolon => true,
                    _ => false,
                };
            self.missing_end(&format!("end {word}"), block);
            if closes_this {
                self.bump();
                if !self.at(K::Semicolon) {
                    self.bump();
                }
            }
        }
        self.blocks.pop();
    }

    fn missing_end(&mut self, wanted: &str, block: Block) {
        let found = if self.at(K::KwEnd) {
            match self.nth(1) {
                K::Semicolon | K::EndOfFile => "`end` alone".into(),
                _ => format!("`end {}`", self.text_of(self.pos + 1)),
            }
        } else {
            self.found()
        };
        let begin = self.span(block.at);
        let else_if = block.else_if.map(|at| self.span(at));
        self.report(|p| {
            let diagnostic =
                Diagnostic::error(Mistake::MissingEnd.id(), format!("expected `{wanted}`, found {found}"))
                    .at(p.span(p.pos), format!("expected `{wanted}`"))
                    .at(begin, "to close this");
            match else_if {
                Some(span) => diagnostic
                    .at(span, "this `if` is a second one, with its own `end if`")
                    .with_note("write `elseif` to go on with the first `if`"),
                None => diagnostic,
            }
        });
    }

    /// An `end if` and the like that closes nothing; says whether there was one.
    pub(super) fn stray_end(&mut self) -> bool {
        if !self.at(K::KwEnd) || !matches!(self.nth(1), K::KwIf | K::KwFor | K::KwWhen | K::KwWhile) {
            return false;
        }
        let wanted = self.nth(1);
        let open = self.blocks.iter().rev().take_while(|block| block.kind != K::KwClass);
        if open.into_iter().any(|block| block.kind == wanted)
            || self.blocks.last().is_some_and(|b| b.kind != K::KwClass)
        {
            return false;
        }
        let word = self.text_of(self.pos + 1);
        self.mistake_here(
            Mistake::StrayEnd,
            format!("`end {word}` closes nothing: no `{word}` is open here"),
            format!("no `{word}` for this"),
        );
        let marker = self.start();
        self.bump();
        self.bump();
        self.finish(marker, K::ErrorNode);
        self.eat(K::Semicolon);
        true
    }

    /// An `end NAME` that closes no class that is open, though the `end` of the innermost one is yet to come; says whether
    /// there was one.
    pub(super) fn stray_end_of_class(&mut self) -> bool {
        let Some(innermost) = self.blocks.iter().rev().find(|block| block.kind == K::KwClass) else {
            return false;
        };
        if !self.at(K::KwEnd) || self.nth(1) != K::Ident {
            return false;
        }
        let found = self.text_of(self.pos + 1);
        let is_open =
            self.blocks.iter().any(|block| block.kind == K::KwClass && self.text_of(block.at) == found);
        let wanted = self.text_of(innermost.at);
        if is_open || self.last_end_of(wanted).is_none_or(|at| at <= self.pos) {
            return false;
        }
        let message = format!("`end {found}` closes nothing: no class `{found}` is open here");
        self.mistake_here(Mistake::StrayEnd, message, "no class for this");
        let marker = self.start();
        self.bump();
        self.bump();
        self.finish(marker, K::ErrorNode);
        self.eat(K::Semicolon);
        true
    }

    fn last_end_of(&mut self, name: &str) -> Option<usize> {
        if self.last_ends.is_none() {
            let ends = self.kinds.windows(2).enumerate().filter(|(_, pair)| *pair == [K::KwEnd, K::Ident]);
            self.last_ends = Some(ends.map(|(at, _)| (self.text_of(at + 1), at)).collect());
        }
        self.last_ends.as_ref()?.get(name).copied()
    }

    /// The `end NAME` of a class whose name is at `name` (`keyword` where it has none).
    pub(super) fn end_of_class(&mut self, keyword: usize, name: Option<usize>) {
        let wanted = name.map(|at| self.text_of(at));
        let block = Block { kind: K::KwClass, at: name.unwrap_or(keyword), else_if: None };
        let wanted_end = wanted.map_or("end".into(), |name| format!("end {name}"));
        if !self.at(K::KwEnd) {
            self.missing_end(&wanted_end, block);
        } else if self.nth(1) == K::Ident {
            let found = self.text_of(self.pos + 1);
            if wanted.is_some_and(|wanted| wanted != found) {
                let of_outer = self.blocks[..self.blocks.len() - 1]
                    .iter()
                    .any(|outer| outer.kind == K::KwClass && self.text_of(outer.at) == found);
                if of_outer {
                    self.missing_end(&wanted_end, block);
                    self.blocks.pop();
                    return;
                }
                self.name_mismatch(wanted.unwrap_or(""), block.at);
            }
            self.bump();
            self.bump();
        } else {
            if name.is_some() {
                self.missing_end(&wanted_end, block); // that there is no name was said where it is missing
            }
            self.bump();
            if self.current().is_keyword() && self.nth(1) == K::Semicolon {
                self.bump();
            }
        }
        self.blocks.pop();
    }

    fn name_mismatch(&mut self, wanted: &str, at: usize) {
        let place = self.span(self.pos + 1);
        let found = self.text_of(self.pos + 1).to_owned();
        let begin = self.span(at);
        self.report(|_| {
            Diagnostic::error(
                Mistake::EndNameMismatch.id(),
                format!("`end {found}` closes the class `{wanted}`: the names must agree"),
            )
            .at(place, format!("write `end {wanted}`"))
            .at(begin, "the name of the class")
        });
    }

    /// Finishes a node of this kind if anything was read for it.
    pub(super) fn finish_if_any(&mut self, marker: Marker, kind: K) {
        if self.pos as u32 > marker.first {
            self.finish(marker, kind);
        }
    }
}

fn closing_sign(kind: K) -> &'static str {
    match kind {
        K::RParen => ")",
        K::RBracket => "]",
        _ => "}",
    }
}
