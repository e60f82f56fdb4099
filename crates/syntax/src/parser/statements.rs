//! Algorithm sections and statements (MLS §A.2.6).

use rhei_source::Diagnostic;

use super::recovery::is_equation_keyword;
use super::{Done, Marker, Parser};
use crate::{Mistake, SyntaxKind as K};

impl Parser<'_> {
    /// `[ initial ] algorithm { statement ; }`
    pub(super) fn algorithm_section(&mut self, marker: Marker) {
        self.eat(K::KwInitial);
        self.bump();
        self.statements();
        self.finish(marker, K::AlgorithmSection);
    }

    pub(super) fn statements(&mut self) {
        self.block_of(Self::statement);
    }

    /// One statement and its `;`.
    fn statement(&mut self) {
        if !self.enter_block() {
            self.too_deep("statements are");
            self.give_up();
            return;
        }
        if self.at(K::Semicolon) {
            self.mistake_here(Mistake::SyntaxError, "expected a statement, found a second `;`", "remove it");
            self.skip_one();
        } else {
            self.statement_body();
            self.semicolon("a statement", |p| {
                is_equation_keyword(p.current()) || p.at_declaration() && p.begins_line(p.pos)
            });
        }
        self.leave();
    }

    /// One statement without its `;`.
    pub(super) fn statement_body(&mut self) {
        match self.current() {
            K::KwIf => self.if_block(K::IfStatement, Self::statements),
            K::KwFor => self.for_block(K::ForStatement, Self::statements),
            K::KwWhen => self.when_block(K::WhenStatement, Self::statements),
            K::KwWhile => self.while_statement(),
            K::KwBreak => self.word_statement(K::BreakStatement),
            K::KwReturn => self.word_statement(K::ReturnStatement),
            K::KwConnect => {
                let message = "`connect` is an equation and can only stand in an `equation` section";
                self.mistake_here(Mistake::EquationInAlgorithm, message, "not allowed among statements");
                self.connect_equation();
            }
            _ if self.at_declaration() => self.misplaced_declaration("a statement", "statements"),
            _ => self.assignment_or_call(),
        }
    }

    fn word_statement(&mut self, kind: K) {
        let marker = self.start();
        self.bump();
        self.description();
        self.finish(marker, kind);
    }

    /// `while expression loop … end while`
    fn while_statement(&mut self) {
        let marker = self.start();
        self.open_block(K::KwWhile, self.pos);
        self.bump();
        if self.expression().is_none() {
            self.skip_until(|p| p.at(K::KwLoop) || p.begins_line(p.pos));
        }
        self.expect_word(K::KwLoop, "`loop` after the condition of `while`");
        self.statements();
        self.finish_block(marker, K::WhileStatement, K::KwWhile);
    }

    /// `component-reference := expression`, `( outputs ) := function-call`, `function-call`
    fn assignment_or_call(&mut self) {
        let marker = self.start();
        let Some(left) = self.simple_expression() else {
            self.skip_until(|p| p.begins_line(p.pos) && p.pos as u32 > marker.first);
            return;
        };
        let kind = match self.current() {
            K::Assign => {
                self.check_target(left);
                self.bump();
                self.assigned_value(left);
                K::AssignmentStatement
            }
            K::Equal => {
                self.mistake_here(
                    Mistake::EquationInAlgorithm,
                    "`=` makes an equation; an assignment is written with `:=`",
                    "write `:=`",
                );
                self.bump();
                self.expression();
                K::AssignmentStatement
            }
            K::OperatorAssign => {
                self.operator_assign(left);
                K::AssignmentStatement
            }
            _ if left.kind == K::FunctionCall => K::CallStatement,
            _ if self.unwrap_comparison(left, "an assignment is written with `:=`", "write `:=`") => {
                K::AssignmentStatement
            }
            _ => {
                self.expected("`:=`");
                self.skip_until(|p| p.begins_line(p.pos));
                K::ErrorNode
            }
        };
        self.description();
        self.finish(marker, kind);
    }

    /// `x += e`, which Modelica does not have.
    fn operator_assign(&mut self, left: Done) {
        let sign = self.text_of(self.pos);
        let node = self.nodes[left.index as usize];
        let from = self.range(node.first as usize).0 as usize;
        let to = self.range(node.end as usize - 1).1 as usize;
        let variable = &self.text[from..to];
        self.mistake_here(
            Mistake::ForeignOperator,
            format!("there is no `{sign}` in Modelica"),
            format!("write `{variable} := {variable} {} …`", &sign[..1]),
        );
        self.bump();
        self.expression();
    }

    fn check_target(&mut self, left: Done) {
        let node = self.nodes[left.index as usize];
        let is_der = self.kinds[node.first as usize] == K::KwDer;
        let assignable = match left.kind {
            K::ComponentReference | K::ParenthesizedExpression | K::TupleExpression => true,
            K::FunctionCall => is_der,
            _ => false,
        };
        if !assignable {
            let span = self.span(node.first as usize).cover(self.span(node.end as usize - 1));
            self.report(|_| {
                Diagnostic::error(Mistake::SyntaxError.id(), "only a variable can be assigned to")
                    .at(span, "expected the name of a variable")
            });
        }
    }

    fn assigned_value(&mut self, left: Done) {
        let at = self.pos;
        let Some(value) = self.expression() else { return };
        let needs_call = matches!(left.kind, K::ParenthesizedExpression | K::TupleExpression);
        if needs_call && value.kind != K::FunctionCall {
            let span = self.span(at).cover(self.span(self.pos - 1));
            self.report(|_| {
                Diagnostic::error(
                    Mistake::SyntaxError.id(),
                    "several variables in parentheses can only be assigned the outputs of a function call",
                )
                .at(span, "expected a function call")
            });
        }
    }
}
