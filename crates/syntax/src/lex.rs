//! Text to tokens (MLS §2 and §A.1).
//!
//! In: text. Out: tokens that cover every byte of it, in order, and the mistakes within them. Tokens that are mistakes
//! are reported here, once; the parser passes over them or takes them as meant.

use logos::Logos;
use rhei_source::{Diagnostic, FileId, Span};

use crate::{Mistake, SyntaxKind};

/// A token: its kind and where it begins. It ends where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: SyntaxKind,
    /// Byte offset of its first character.
    pub start: u32,
}

/// How often the lexer tries to find the string that lacks its closing quote. Each try costs one pass over the file.
const MAX_STRING_REPAIRS: usize = 8;

const LINE_END: [char; 2] = ['\n', '\r'];

/// The tokens of a text, and the mistakes inside of tokens.
pub fn lex(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let message = "this file has four gigabytes or more and cannot be read";
        let diagnostic = Diagnostic::error(Mistake::FileTooLarge.id(), message).at(Span::new(file, 0, 0), "");
        return (vec![Token { kind: SyntaxKind::Error, start: 0 }], vec![diagnostic]);
    }
    let mut tokens = Vec::with_capacity(text.len() / 4);
    lex_from(text, 0, &mut tokens);
    for _ in 0..MAX_STRING_REPAIRS {
        if !repair_unterminated_string(text, &mut tokens) {
            break;
        }
    }
    let diagnostics = report(file, text, &mut tokens);
    (tokens, diagnostics)
}

fn lex_from(text: &str, offset: usize, tokens: &mut Vec<Token>) {
    let mut lexer = SyntaxKind::lexer(&text[offset..]);
    while let Some(found) = lexer.next() {
        let start = (offset + lexer.span().start) as u32;
        let kind = match found {
            Ok(SyntaxKind::ByteOrderMark) if start != 0 => SyntaxKind::Error,
            Ok(SyntaxKind::Percent) | Err(()) if begins_foreign_comment(text, start, tokens) => {
                let rest = lexer.remainder();
                lexer.bump(rest.find(LINE_END).unwrap_or(rest.len()));
                SyntaxKind::Error
            }
            Ok(kind) => kind,
            Err(()) => SyntaxKind::Error,
        };
        tokens.push(Token { kind, start });
    }
}

fn end_of(tokens: &[Token], i: usize, text: &str) -> usize {
    tokens.get(i + 1).map_or(text.len(), |next| next.start as usize)
}

/// A missing quote turns the rest of the file inside out: text is taken for strings and strings for text, until the last
/// quote has no partner. The culprit is likely the first string over several lines after which the text goes on as it
/// cannot after a string. It is ended on its first line and the rest is read again. Says whether something was changed.
fn repair_unterminated_string(text: &str, tokens: &mut Vec<Token>) -> bool {
    let Some(last) = tokens.iter().rposition(|t| !t.kind.is_trivia()) else { return false };
    if tokens[last].kind != SyntaxKind::UnterminatedString || ends_on_first_line(text, tokens, last) {
        return false;
    }
    let culprit = (0..last)
        .find(|&i| {
            tokens[i].kind == SyntaxKind::String && follows_oddly(tokens, i) && spans_lines(text, tokens, i)
        })
        .unwrap_or(last);
    let start = tokens[culprit].start as usize;
    let line = text[start..].split(LINE_END).next().unwrap_or("");
    // tokens that close the declaration around the string were hardly meant to be in it
    let kept = line.trim_end_matches(|c: char| c.is_whitespace() || ";,)]}".contains(c)).len().max(1);
    tokens.truncate(culprit);
    tokens.push(Token { kind: SyntaxKind::UnterminatedString, start: start as u32 });
    lex_from(text, start + kept, tokens);
    true
}

fn spans_lines(text: &str, tokens: &[Token], i: usize) -> bool {
    text[tokens[i].start as usize..end_of(tokens, i, text)].contains(LINE_END)
}

fn ends_on_first_line(text: &str, tokens: &[Token], i: usize) -> bool {
    let string = &text[tokens[i].start as usize..end_of(tokens, i, text)];
    !string.contains(LINE_END) && !string.trim_end().ends_with([';', ',', ')', ']', '}'])
}

/// Whether the token after a string is one that can never follow a string.
fn follows_oddly(tokens: &[Token], i: usize) -> bool {
    use SyntaxKind as K;
    let next = tokens[i + 1..].iter().find(|t| !t.kind.is_trivia() || t.kind == K::Error);
    next.is_some_and(|next| {
        let operand =
            next.kind.is_ident() || next.kind.is_string() || matches!(next.kind, K::Integer | K::Real);
        operand || matches!(next.kind, K::Error | K::LParen | K::Dot | K::Bang)
    })
}

/// A `%` or `#` that begins a line or follows a `;` begins a comment in other languages, and is taken for one.
fn begins_foreign_comment(text: &str, start: u32, before: &[Token]) -> bool {
    if !text[start as usize..].starts_with(['%', '#']) {
        return false;
    }
    match before {
        [] => true,
        [.., Token { kind: SyntaxKind::Semicolon, .. }] => true,
        [.., Token { kind: SyntaxKind::Semicolon, .. }, Token { kind: SyntaxKind::Whitespace, .. }] => true,
        [.., Token { kind: SyntaxKind::Whitespace, start: space }] => {
            text[*space as usize..start as usize].contains(LINE_END)
        }
        _ => false,
    }
}

fn report(file: FileId, text: &str, tokens: &mut [Token]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let start = tokens[i].start;
        let mut end = end_of(tokens, i, text);
        match tokens[i].kind {
            SyntaxKind::Error => {
                let first = i; // neighbouring wrong characters are one mistake
                while tokens.get(i + 1).is_some_and(|next| next.kind == SyntaxKind::Error) {
                    i += 1;
                    end = end_of(tokens, i, text);
                }
                diagnostics.push(invalid_character(
                    &text[tokens[first].start as usize..end],
                    Span::new(file, start, end as u32),
                ));
            }
            kind @ (SyntaxKind::String | SyntaxKind::QuotedIdent) => {
                check_inside(file, kind, start, &text[start as usize..end], &mut diagnostics);
            }
            SyntaxKind::Integer if end - start as usize > 18 => {
                let digits = &text[start as usize..end];
                if digits.parse::<i64>().is_err() {
                    let message = format!("the integer `{digits}` is too large: an Integer has 64 bits");
                    diagnostics.push(
                        Diagnostic::error(Mistake::IntegerTooLarge.id(), message)
                            .at(Span::new(file, start, end as u32), "too large")
                            .with_note(format!("if a Real is meant, write `{digits}.0`")),
                    );
                }
            }
            kind if kind.is_error_token() => {
                diagnostics.push(broken_token(
                    kind,
                    &text[start as usize..end],
                    Span::new(file, start, end as u32),
                ));
            }
            _ => {}
        }
        i += 1;
    }
    diagnostics
}

fn invalid_character(text: &str, span: Span) -> Diagnostic {
    let c = text.chars().next().unwrap_or('?');
    if matches!(c, '%' | '#') && text.len() > 1 {
        return Diagnostic::error(
            Mistake::ForeignComment.id(),
            format!("`{c}` does not begin a comment in Modelica"),
        )
        .at(span, "taken for a comment")
        .with_note("begin the comment with `//`, or write it as `/* … */`");
    }
    let (what, hint) = match c {
        '\u{A0}' | '\u{2000}'..='\u{200D}' | '\u{202F}' | '\u{3000}' | '\u{FEFF}' => {
            (format!("a space that is no space (U+{:04X})", c as u32), "replace it by an ordinary space")
        }
        '\u{2018}' | '\u{2019}' => (
            format!("the typographic quote `{c}`"),
            "a name in quotes is written with the straight quote `'`",
        ),
        '“' | '”' | '„' => {
            (format!("the typographic quote `{c}`"), "write a string with the straight quote `\"`")
        }
        '−' | '–' | '—' => (format!("the dash `{c}`"), "write `-` for minus"),
        '·' | '×' => (format!("`{c}`"), "write `*` for a product"),
        '≤' => ("`≤`".into(), "write `<=`"),
        '≥' => ("`≥`".into(), "write `>=`"),
        '≠' => ("`≠`".into(), "write `<>`"),
        '#' => ("`#`".into(), "a comment begins with `//`"),
        '?' => ("`?`".into(), "a choice is written `if condition then a else b`"),
        '\\' => (
            "`\\`".into(),
            "a backslash has a meaning only in strings and quoted names; lines need none at their end",
        ),
        '`' => ("a backquote".into(), "a name in quotes is written with the straight quote `'`"),
        c if c.is_control() => (format!("the control character U+{:04X}", c as u32), "remove it"),
        c => (
            format!("`{c}`"),
            "outside of strings and comments Modelica is written in ASCII, without `@ # $ ? \\` and the like",
        ),
    };
    Diagnostic::error(Mistake::InvalidCharacter.id(), format!("{what} has no meaning in Modelica"))
        .at(span, "not allowed here")
        .with_note(hint)
}

fn broken_token(kind: SyntaxKind, text: &str, span: Span) -> Diagnostic {
    let opening = |len| Span::new(span.file, span.range.start, span.range.start + len);
    match kind {
        SyntaxKind::UnterminatedComment => {
            Diagnostic::error(Mistake::UnterminatedComment.id(), "this comment is never closed")
                .at(opening(2), "it begins here and runs to the end of the file")
                .with_note("close it with `*/`")
        }
        SyntaxKind::UnterminatedString => Diagnostic::error(
            Mistake::UnterminatedString.id(),
            "the closing quote `\"` of a string is missing",
        )
        .at(span, "the string that begins here is not closed")
        .with_note("a quote inside of a string is written `\\\"`"),
        SyntaxKind::UnterminatedIdent => Diagnostic::error(
            Mistake::UnterminatedIdentifier.id(),
            "the closing quote `'` of a quoted name is missing",
        )
        .at(span, "the name that begins here is not closed on this line")
        .with_note("strings are written in double quotes `\"`; a quote inside of a quoted name is `\\'`"),
        SyntaxKind::TypographicString => {
            Diagnostic::error(Mistake::TypographicQuote.id(), "typographic quotes do not make a string")
                .at(span, "this")
                .with_note("write the string with straight quotes: `\"…\"`")
        }
        _ => {
            let c = text.chars().find(|c| !c.is_ascii()).unwrap_or('?');
            let message =
                format!("the name `{text}` holds the letter `{c}`: names consist of a–z, A–Z, 0–9 and `_`");
            Diagnostic::error(Mistake::InvalidCharacter.id(), message).at(span, "not a name")
        }
    }
}

/// Escapes of strings and quoted names, and the characters of quoted names (MLS §A.1, `S-ESCAPE` and `Q-CHAR`).
fn check_inside(file: FileId, kind: SyntaxKind, start: u32, text: &str, diagnostics: &mut Vec<Diagnostic>) {
    if kind == SyntaxKind::QuotedIdent
        && let Some((at, c)) = text.char_indices().find(|(_, c)| !(' '..='~').contains(c))
    {
        let from = start + at as u32;
        let message = format!(
            "`{}` cannot stand in a quoted name: only printable ASCII characters can",
            c.escape_debug()
        );
        let span = Span::new(file, from, from + c.len_utf8() as u32);
        diagnostics.push(Diagnostic::error(Mistake::InvalidCharacter.id(), message).at(span, ""));
    }
    let mut rest = text;
    let mut offset = start;
    while let Some(at) = rest.find('\\') {
        let Some(c) = rest[at + 1..].chars().next() else { return };
        let from = offset + at as u32;
        if !"'\"?\\abfnrtv".contains(c) {
            let message = format!("`\\{}` is no escape in a string", c.escape_debug());
            let span = Span::new(file, from, from + 1 + c.len_utf8() as u32);
            diagnostics.push(
                Diagnostic::error(Mistake::InvalidEscape.id(), message)
                    .at(span, "unknown escape")
                    .with_note("write `\\\\` for a backslash; the escapes are \\' \\\" \\? \\\\ \\a \\b \\f \\n \\r \\t \\v"),
            );
        }
        let step = at + 1 + c.len_utf8();
        rest = &rest[step..];
        offset += step as u32;
    }
}
