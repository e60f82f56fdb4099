//! Expressions with operators (MLS §A.2.7 and §3.2).

use super::{Done, MAX_LEFT_HEIGHT, Parser};
use crate::{Mistake, SyntaxKind as K};

/// Binding powers, from the loosest to the tightest.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const RELATION: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const POWER: u8 = 7;
const PRIMARY: u8 = 8;

/// Binding power of a binary operator, those of other languages included.
fn binding_power(kind: K) -> Option<u8> {
    Some(match kind {
        K::KwOr | K::Bars => OR,
        K::KwAnd | K::Ampersands => AND,
        K::Less
        | K::LessEqual
        | K::Greater
        | K::GreaterEqual
        | K::EqualEqual
        | K::NotEqual
        | K::BangEqual => RELATION,
        K::Plus | K::Minus | K::DotPlus | K::DotMinus => SUM,
        K::Star | K::Slash | K::DotStar | K::DotSlash | K::Percent => PRODUCT,
        K::Caret | K::DotCaret | K::StarStar => POWER,
        _ => return None,
    })
}

/// The Modelica operator for one of another language.
fn modelica_operator(kind: K) -> Option<&'static str> {
    Some(match kind {
        K::Bars => "`or`",
        K::Ampersands => "`and`",
        K::BangEqual => "`<>`",
        K::Bang => "`not`",
        K::StarStar => "`^`",
        K::Percent => "`mod(a, b)` or `rem(a, b)`",
        _ => return None,
    })
}

impl Parser<'_> {
    /// `simple-expression | if …`. If there is none, that is reported and nothing is read.
    pub(super) fn expression(&mut self) -> Option<Done> {
        if !self.enter() {
            self.too_deep("expressions are");
            self.skip_expression();
            return None;
        }
        let done = if self.at(K::KwIf) { self.if_expression() } else { self.range_expression() };
        self.leave();
        done
    }

    /// An expression that is no `if`: the left side of an equation.
    pub(super) fn simple_expression(&mut self) -> Option<Done> {
        self.range_expression()
    }

    /// Passes over an expression: brackets and all, up to a token that can follow one.
    pub(super) fn skip_expression(&mut self) {
        self.skip_until(|p| {
            matches!(p.current(), K::Comma | K::RParen | K::RBracket | K::RBrace | K::KwThen | K::KwElse)
        });
    }

    /// `logical-expression [ : logical-expression [ : logical-expression ] ]`
    fn range_expression(&mut self) -> Option<Done> {
        let first = self.binary(OR)?;
        if !self.at(K::Colon) {
            return Some(first);
        }
        let marker = self.start_before(first);
        let mut colons = 0;
        while self.at(K::Colon) {
            colons += 1;
            if colons == 3 {
                self.mistake_with_note(
                    Mistake::SyntaxError,
                    "a range has at most three parts: `start : step : stop`",
                    "one part too many",
                    "put ranges inside of each other into parentheses",
                );
            }
            self.bump();
            if self.binary(OR).is_none() {
                break;
            }
        }
        Some(self.finish(marker, K::RangeExpression))
    }

    /// `if expression then expression { elseif expression then expression } else expression`
    fn if_expression(&mut self) -> Option<Done> {
        let marker = self.start();
        self.if_branch("`if`");
        loop {
            if self.at(K::KwElseif) {
                self.if_branch("`elseif`");
            } else if self.at(K::Ident) && matches!(self.text_of(self.pos), "elsif" | "elif" | "elseIf") {
                let word = self.text_of(self.pos);
                let message = format!("`{word}` is written `elseif` in Modelica");
                self.mistake_here(Mistake::ForeignKeyword, message, "write `elseif`");
                self.if_branch("`elseif`");
            } else {
                break;
            }
        }
        if self.at(K::KwElse) {
            let branch = self.start();
            self.bump();
            self.expression();
            self.finish(branch, K::Branch);
        } else {
            let found = self.found();
            self.mistake_here(
                Mistake::SyntaxError,
                format!("expected `else`, found {found}: an `if` expression has a value in every case"),
                "expected `else` and a value",
            );
        }
        Some(self.finish(marker, K::IfExpression))
    }

    fn if_branch(&mut self, word: &str) {
        let branch = self.start();
        self.bump();
        self.expression();
        if self.expect(K::KwThen, &format!("`then` after the condition of {word}"))
            || !self.begins_line(self.pos)
        {
            self.expression();
        }
        self.finish(branch, K::Branch);
    }

    /// An expression whose operators bind at least as tightly as `power`.
    fn binary(&mut self, power: u8) -> Option<Done> {
        let mut left = self.prefixed(power)?;
        while let Some(binding) = binding_power(self.current()).filter(|&binding| binding >= power) {
            self.check_operator(left, binding);
            if self.height(left) >= MAX_LEFT_HEIGHT {
                self.too_long();
                self.skip_expression();
                return Some(left);
            }
            let marker = self.start_before(left);
            self.bump();
            let right = self.binary(binding + 1);
            left = self.finish(marker, K::BinaryExpression);
            right?;
        }
        Some(left)
    }

    /// Operators of other languages, and those that do not chain: `a < b < c`, `a ^ b ^ c`.
    fn check_operator(&mut self, left: Done, binding: u8) {
        let kind = self.current();
        let sign = self.text_of(self.pos);
        if let Some(instead) = modelica_operator(kind) {
            self.mistake_here(
                Mistake::ForeignOperator,
                format!("`{sign}` is no operator in Modelica"),
                format!("write {instead}"),
            );
            return;
        }
        if left.kind != K::BinaryExpression || !matches!(binding, RELATION | POWER) {
            return;
        }
        let node = self.nodes[left.index as usize];
        let right = self.nodes[left.index as usize - 1];
        if right.end != node.end || self.kinds[right.first as usize - 1] == K::LParen {
            return;
        }
        if binding_power(self.kinds[right.first as usize - 1]) == Some(binding) {
            let (what, example) = if binding == POWER {
                ("powers", "`a ^ (b ^ c)`")
            } else {
                ("comparisons", "`a < b and b < c`")
            };
            self.mistake_here(
                Mistake::NeedsParentheses,
                format!("{what} cannot be chained"),
                format!("use parentheses, or write {example}"),
            );
        }
    }

    /// A primary, with `not` or a sign where the grammar allows one before it.
    fn prefixed(&mut self, power: u8) -> Option<Done> {
        match self.current() {
            K::KwNot | K::Bang => self.not(power),
            K::Plus | K::Minus | K::DotPlus | K::DotMinus => self.sign(power),
            K::KwIf => {
                let message = "an `if` expression inside of another expression needs parentheses";
                self.mistake_here(Mistake::NeedsParentheses, message, "put parentheses around it");
                self.expression()
            }
            _ => self.primary(),
        }
    }

    fn not(&mut self, power: u8) -> Option<Done> {
        if self.at(K::Bang) {
            let message = "`!` is no operator in Modelica";
            self.mistake_here(Mistake::ForeignOperator, message, "write `not`");
        } else if power > NOT {
            let message = "`not` as an operand needs parentheses";
            self.mistake_here(Mistake::NeedsParentheses, message, "put parentheses around it");
        }
        self.unary(RELATION.max(power))
    }

    fn sign(&mut self, power: u8) -> Option<Done> {
        if power > SUM {
            let sign = self.text_of(self.pos);
            self.mistake_with_note(
                Mistake::NeedsParentheses,
                format!("the sign `{sign}` after another operator needs parentheses"),
                "two operators in a row",
                format!("write `({sign}x)`"),
            );
        }
        self.unary(PRODUCT.max(power))
    }

    fn unary(&mut self, power: u8) -> Option<Done> {
        if !self.enter() {
            self.too_deep("expressions are");
            self.skip_expression();
            return None;
        }
        let marker = self.start();
        self.bump();
        let operand = self.binary(power.min(PRIMARY));
        self.leave();
        let done = self.finish(marker, K::UnaryExpression);
        operand.map(|_| done)
    }
}
