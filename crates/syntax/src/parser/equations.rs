//! Equation sections and equations (MLS §A.2.6).

use rhei_source::Diagnostic;

use super::recovery::{is_equation_keyword, is_section_start};
use super::{Done, Marker, Parser};
use crate::{Mistake, SyntaxKind as K};

/// How far it is looked ahead to tell a declaration from an equation, which matters only for messages.
const MAX_LOOKAHEAD: usize = 200;

impl Parser<'_> {
    /// `[ initial ] equation { some-equation ; }`
    pub(super) fn equation_section(&mut self, marker: Marker) {
        self.eat(K::KwInitial);
        self.bump();
        self.equations();
        self.finish(marker, K::EquationSection);
    }

    pub(super) fn equations(&mut self) {
        self.block_of(Self::equation);
    }

    /// Equations or statements up to the end of the block or section around them.
    pub(super) fn block_of(&mut self, item: impl Fn(&mut Self)) {
        self.after_misplaced = false;
        while !self.at_block_end() {
            let before = self.pos;
            if !self.at_declaration() {
                self.after_misplaced = false;
            }
            if matches!(self.current(), K::KwElse | K::KwElseif | K::KwElsewhen | K::KwThen) {
                self.stray_branch();
            } else {
                item(self);
            }
            if self.pos == before {
                self.skip_one(); // whatever it is, it is reported
            }
        }
    }

    fn at_block_end(&mut self) -> bool {
        while self.stray_end() || self.in_class_itself() && self.stray_end_of_class() {}
        match self.current() {
            K::KwEnd => true,
            K::KwElse | K::KwElseif | K::KwElsewhen => self.has_branches(),
            K::KwExternal | K::KwAnnotation => true,
            K::KwInitial => matches!(self.nth(1), K::KwEquation | K::KwAlgorithm),
            K::Ident if self.at_misspelt_elseif() || self.at_misspelt_end() => true,
            kind if is_section_start(kind) => true,
            _ => self.headless && self.at_declaration(),
        }
    }

    fn in_class_itself(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.kind == K::KwClass)
    }

    /// Whether an `if` or `when` is open in the class at hand.
    fn has_branches(&self) -> bool {
        let open = self.blocks.iter().rev().take_while(|block| block.kind != K::KwClass);
        open.into_iter().any(|block| matches!(block.kind, K::KwIf | K::KwWhen))
    }

    /// `else` and the like without an open `if`; the text after it is read all the same.
    fn stray_branch(&mut self) {
        let word = self.text_of(self.pos);
        let opening = if self.at(K::KwElsewhen) { "when" } else { "if" };
        self.mistake_here(
            Mistake::SyntaxError,
            format!("`{word}` belongs to no `{opening}`"),
            format!("no `{opening}` is open here"),
        );
        self.skip_one();
        if self.pos > 0 && !matches!(self.kinds[self.pos - 1], K::KwElse | K::KwThen) {
            self.skip_until(|p| p.at(K::KwThen) || p.begins_line(p.pos));
            if self.at(K::KwThen) {
                self.skip_one();
            }
        }
    }

    /// `elsif` and the like, inside of an `if`.
    pub(super) fn at_misspelt_elseif(&self) -> bool {
        self.at(K::Ident)
            && matches!(self.text_of(self.pos), "elsif" | "elif" | "elseIf" | "ElseIf" | "elsIf")
            && self.blocks.last().is_some_and(|block| block.kind == K::KwIf)
            && !matches!(self.nth(1), K::Equal | K::Assign)
    }

    fn at_misspelt_end(&self) -> bool {
        (self.nth(1) == K::Semicolon || self.begins_line(self.pos + 1))
            && self.blocks.last().is_some_and(|block| {
                block.kind != K::KwClass
                    && self.text_of(self.pos).strip_prefix("end") == Some(self.text_of(block.at))
            })
    }

    /// One equation and its `;`.
    fn equation(&mut self) {
        if !self.enter_block() {
            self.too_deep("equations are");
            self.give_up();
            return;
        }
        match self.current() {
            K::KwIf => self.if_block(K::IfEquation, Self::equations),
            K::KwFor => self.for_block(K::ForEquation, Self::equations),
            K::KwWhen => self.when_block(K::WhenEquation, Self::equations),
            K::KwConnect => self.connect_equation(),
            K::KwWhile | K::KwReturn | K::KwBreak => {
                let word = self.text_of(self.pos);
                self.mistake_here(
                    Mistake::AssignmentInEquation,
                    format!("`{word}` is a statement and can only stand in an `algorithm` section"),
                    "not allowed among equations",
                );
                self.statement_body();
            }
            K::Semicolon => {
                self.mistake_here(
                    Mistake::SyntaxError,
                    "expected an equation, found a second `;`",
                    "remove it",
                );
                self.skip_one();
                self.leave();
                return;
            }
            _ if self.at_declaration() => self.misplaced_declaration("an equation", "equations"),
            _ => self.simple_equation(),
        }
        self.semicolon("an equation", |p| {
            is_equation_keyword(p.current()) || p.at_declaration() && p.begins_line(p.pos)
        });
        self.leave();
    }

    fn simple_equation(&mut self) {
        let marker = self.start();
        let Some(left) = self.simple_expression() else {
            self.skip_until(|p| p.begins_line(p.pos) && p.pos as u32 > marker.first);
            return;
        };
        let kind = match self.current() {
            K::Equal => {
                self.bump();
                self.expression();
                K::SimpleEquation
            }
            K::Assign | K::OperatorAssign => {
                let sign = self.text_of(self.pos);
                self.mistake_with_note(
                    Mistake::AssignmentInEquation,
                    format!("`{sign}` assigns; an equation is written with `=`"),
                    "write `=`",
                    "assignments belong in an `algorithm` section",
                );
                self.bump();
                self.expression();
                K::SimpleEquation
            }
            _ if left.kind == K::FunctionCall => K::CallEquation,
            _ if self.unwrap_comparison(left, "an equation is written with `=`", "write `=`") => {
                K::SimpleEquation
            }
            _ => {
                self.expected("`=`");
                self.skip_until(|p| p.begins_line(p.pos));
                K::ErrorNode
            }
        };
        self.description();
        self.finish(marker, kind);
    }

    /// `a == b` where an equation or assignment is wanted: takes the operator off the operands again and reports it.
    pub(super) fn unwrap_comparison(&mut self, done: Done, message: &str, label: &str) -> bool {
        let Some(node) = self.nodes.get(done.index as usize).copied() else { return false };
        if node.kind != K::BinaryExpression
            || done.index as usize + 1 != self.nodes.len()
            || node.first_node == done.index
        {
            return false;
        }
        let right = self.nodes[done.index as usize - 1];
        let operator = right.first as usize - 1;
        if self.kinds[operator] != K::EqualEqual {
            return false;
        }
        let span = self.span(operator);
        self.report(|_| {
            Diagnostic::error(Mistake::ComparisonAsEquation.id(), format!("`==` compares; {message}"))
                .at(span, label)
        });
        self.nodes.pop();
        true
    }

    /// `connect ( component-reference , component-reference )`
    pub(super) fn connect_equation(&mut self) {
        let marker = self.start();
        self.bump();
        let open = self.pos;
        if self.expect(K::LParen, "`(` after `connect`") {
            self.connector();
            if self.expect(K::Comma, "`,` and a second connector") {
                self.connector();
            }
            self.close(K::RParen, open, "nothing more");
        }
        self.description();
        self.finish(marker, K::ConnectEquation);
    }

    fn connector(&mut self) {
        let at = self.pos;
        match self.expression() {
            Some(done) if done.kind == K::ComponentReference => {}
            Some(_) => {
                let span = self.span(at).cover(self.span(self.pos - 1));
                self.report(|_| {
                    Diagnostic::error(
                        Mistake::SyntaxError.id(),
                        "`connect` joins two connectors, not expressions",
                    )
                    .at(span, "expected the name of a connector")
                });
            }
            None => {
                self.skip_until(|p| matches!(p.current(), K::Comma | K::RParen));
            }
        }
    }

    // ---- blocks, shared by equations and statements

    /// `if expression then … { elseif expression then … } [ else … ] end if`
    pub(super) fn if_block(&mut self, kind: K, body: fn(&mut Self)) {
        let marker = self.start();
        self.open_block(K::KwIf, self.pos);
        self.conditional_branch("`then` after the condition of `if`", K::KwThen, body);
        loop {
            if self.at(K::KwElseif) {
                self.conditional_branch("`then` after the condition of `elseif`", K::KwThen, body);
            } else if self.at_misspelt_elseif() {
                let word = self.text_of(self.pos);
                self.mistake_here(
                    Mistake::ForeignKeyword,
                    format!("`{word}` is written `elseif` in Modelica"),
                    "write `elseif`",
                );
                self.conditional_branch("`then` after the condition of `elseif`", K::KwThen, body);
            } else if self.at(K::KwElse) {
                self.else_branch(body);
            } else if self.at(K::KwElsewhen) && !self.closes_when() {
                self.expected("`elseif`, `else` or `end if`");
                self.conditional_branch("`then` after the condition", K::KwThen, body);
            } else {
                break;
            }
        }
        self.finish_block(marker, kind, K::KwIf);
    }

    fn closes_when(&self) -> bool {
        self.blocks.iter().rev().take_while(|b| b.kind != K::KwClass).any(|b| b.kind == K::KwWhen)
    }

    /// `if|elseif|when|elsewhen expression then …`
    fn conditional_branch(&mut self, expected: &str, then: K, body: fn(&mut Self)) {
        let branch = self.start();
        self.bump();
        if self.expression().is_none() {
            self.skip_until(|p| p.at(then) || p.begins_line(p.pos));
        }
        self.expect_word(then, expected);
        body(self);
        self.finish(branch, K::Branch);
    }

    fn else_branch(&mut self, body: fn(&mut Self)) {
        let branch = self.start();
        if self.nth(1) == K::KwIf
            && !self.begins_line(self.pos + 1)
            && let Some(block) = self.blocks.last_mut()
        {
            block.else_if = Some(self.pos + 1);
        }
        self.bump();
        if self.at(K::KwThen) {
            self.mistake_here(
                Mistake::SyntaxError,
                "`else` has no condition and hence no `then`",
                "remove it",
            );
            self.skip_one();
        }
        body(self);
        self.finish(branch, K::Branch);
        if matches!(self.current(), K::KwElse | K::KwElseif) {
            let word = self.text_of(self.pos);
            let message = format!("expected `end if`, found `{word}`: `else` is the last branch");
            self.mistake_here(Mistake::SyntaxError, message, "expected `end if`");
        }
    }

    /// `when expression then … { elsewhen expression then … } end when`
    pub(super) fn when_block(&mut self, kind: K, body: fn(&mut Self)) {
        let marker = self.start();
        self.open_block(K::KwWhen, self.pos);
        self.conditional_branch("`then` after the condition of `when`", K::KwThen, body);
        loop {
            match self.current() {
                K::KwElsewhen => {}
                K::KwElse | K::KwElseif => {
                    let word = self.text_of(self.pos);
                    self.mistake_with_note(
                        Mistake::SyntaxError,
                        format!("expected `elsewhen` or `end when`, found `{word}`"),
                        "a `when` has no such branch",
                        "a further condition is written `elsewhen … then`",
                    );
                    if self.at(K::KwElse) && self.nth(1) == K::KwWhen {
                        self.bump(); // `else when`
                    } else if self.at(K::KwElse) {
                        self.else_branch(body);
                        continue;
                    }
                }
                _ => break,
            }
            self.conditional_branch("`then` after the condition of `elsewhen`", K::KwThen, body);
        }
        self.finish_block(marker, kind, K::KwWhen);
    }

    /// `for for-indices loop … end for`
    pub(super) fn for_block(&mut self, kind: K, body: fn(&mut Self)) {
        let marker = self.start();
        self.open_block(K::KwFor, self.pos);
        self.bump();
        self.for_indices();
        self.expect_word(K::KwLoop, "`loop` after the range of `for`");
        body(self);
        self.finish_block(marker, kind, K::KwFor);
    }

    pub(super) fn finish_block(&mut self, marker: Marker, kind: K, keyword: K) {
        if self.gave_up {
            self.blocks.pop();
        } else {
            self.end_of_block(keyword);
        }
        self.description();
        self.finish(marker, kind);
    }

    /// `then` or `loop`; words of other languages are taken for them.
    pub(super) fn expect_word(&mut self, kind: K, what: &str) {
        if self.eat(kind) {
            return;
        }
        self.expected_next(what);
        let foreign = matches!(self.current(), K::KwThen | K::KwLoop)
            || self.at(K::Ident) && matches!(self.text_of(self.pos), "do" | "Then" | "THEN" | "Loop");
        if foreign || self.at(K::Colon) {
            self.skip_one();
        } else if !self.begins_line(self.pos) && !self.at(K::Ident) && !is_equation_keyword(self.current()) {
            self.skip_until(|p| p.at(kind) || p.begins_line(p.pos));
            self.eat(kind);
        }
    }

    /// `IDENT [ in expression ] { , IDENT [ in expression ] }`
    pub(super) fn for_indices(&mut self) {
        loop {
            let marker = self.start();
            if !self.name_token("the name of an iterator") {
                return;
            }
            if self.eat(K::KwIn) {
                self.expression();
            } else if self.at(K::Equal) {
                self.mistake_here(Mistake::SyntaxError, "expected `in`, found `=`", "write `in`");
                self.bump();
                self.expression();
            }
            self.finish(marker, K::ForIndex);
            if !self.eat(K::Comma) {
                return;
            }
        }
    }

    // ---- what stands in the wrong section

    /// Whether an equation or statement begins here, where a declaration is expected.
    pub(super) fn at_equation(&self) -> bool {
        match self.current() {
            K::KwIf | K::KwFor | K::KwWhen | K::KwWhile | K::KwConnect => true,
            K::KwDer | K::LParen => true,
            K::Integer | K::Real | K::Minus => true,
            K::Ident | K::Dot => matches!(
                self.kinds[self.after_reference()],
                K::Equal
                    | K::Assign
                    | K::Plus
                    | K::Minus
                    | K::Star
                    | K::Slash
                    | K::Caret
                    | K::LParen
                    | K::OperatorAssign
            ),
            _ => false,
        }
    }

    /// The position after a component reference that begins here, as far as it is looked ahead.
    fn after_reference(&self) -> usize {
        let mut at = self.pos;
        let mut open = 0usize;
        while at < self.pos + MAX_LOOKAHEAD {
            match self.kinds[at] {
                K::LBracket => open += 1,
                K::RBracket if open > 0 => open -= 1,
                K::Semicolon | K::EndOfFile => break,
                K::Ident if open == 0 && at > self.pos && self.kinds[at - 1] != K::Dot => break,
                K::Ident | K::Dot => {}
                _ if open > 0 => {}
                _ => break,
            }
            at += 1;
        }
        at
    }

    /// `Type name`, with a token after it that can follow in a declaration.
    fn at_type_and_name(&self) -> bool {
        use K::*;
        let name = self.after_reference();
        let follows = self.kinds.get(name + 1).copied().unwrap_or(EndOfFile);
        self.kinds[name] == Ident
            && !self.at_misspelt_elseif()
            && (matches!(
                follows,
                Semicolon | Equal | Assign | LParen | LBracket | Comma | String | KwIf | KwAnnotation
            ) || self.begins_line(name + 1))
    }

    /// Whether `:=` comes before the next `;`.
    pub(super) fn assigns(&self) -> bool {
        let rest = &self.kinds[self.pos..];
        rest.iter()
            .take(MAX_LOOKAHEAD)
            .take_while(|&&kind| kind != K::Semicolon)
            .any(|&kind| kind == K::Assign)
    }

    /// Whether a declaration begins here, where an equation or statement is expected.
    pub(super) fn at_declaration(&self) -> bool {
        use super::recovery::{is_class_start, is_element_keyword};
        match self.current() {
            K::Ident | K::Dot => self.at_type_and_name(),
            K::KwPure | K::KwImpure => self.nth(1) != K::LParen,
            kind => is_element_keyword(kind) || is_class_start(kind),
        }
    }

    pub(super) fn misplaced_declaration(&mut self, what: &str, place: &str) {
        if !self.after_misplaced {
            self.mistake_with_note(
                Mistake::DeclarationInEquations,
                format!("expected {what}, found a declaration"),
                format!("not allowed among {place}"),
                "move it up to the other declarations, or write `public` or `protected` on a line before it",
            );
        }
        match self.current() {
            K::KwImport | K::KwExtends => self.element(),
            _ => self.declaration(),
        }
        self.after_misplaced = true; // one message for a run of them
    }
}
