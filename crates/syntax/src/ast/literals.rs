//! Literals and their values (MLS §2.4).

use super::views;
use crate::SyntaxKind as K;

views! {
    /// `33`
    IntegerLiteral = IntegerLiteral;
    /// `1.2e-3`
    RealLiteral = RealLiteral;
    /// `"text"`
    StringLiteral = StringLiteral;
    /// `true` or `false`
    BooleanLiteral = BooleanLiteral;
    /// `time`
    TimeExpression = TimeExpression;
    /// `end`, inside of subscripts
    EndExpression = EndExpression;
    /// `:` as a subscript
    ColonSubscript = ColonSubscript;
}

impl IntegerLiteral<'_> {
    /// Its value; none where it is too large, which the lexer has reported.
    pub fn value(self) -> Option<i64> {
        self.node().text().parse().ok()
    }
}

impl RealLiteral<'_> {
    /// Its value.
    pub fn value(self) -> f64 {
        self.node().text().parse().unwrap_or(f64::NAN) // the lexer lets only numbers through
    }
}

impl StringLiteral<'_> {
    /// The text that it means, without quotes and escapes.
    pub fn value(self) -> String {
        unquote(self.node().text())
    }
}

impl BooleanLiteral<'_> {
    /// Its value.
    pub fn value(self) -> bool {
        self.node().own_token(K::KwTrue).is_some()
    }
}

/// The text that a string means. Unknown escapes stay as they are; line ends count as `\n` (MLS §2.4.4).
pub(super) fn unquote(literal: &str) -> String {
    let inner = literal.strip_prefix(['"', '“', '”', '„']).unwrap_or(literal);
    let inner = inner.strip_suffix(['"', '“', '”']).unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('a') => out.push('\x07'),
                Some('b') => out.push('\x08'),
                Some('f') => out.push('\x0C'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('t') => out.push('\t'),
                Some('v') => out.push('\x0B'),
                Some(c @ ('\'' | '"' | '?' | '\\')) => out.push(c),
                Some(c) => out.extend(['\\', c]),
                None => out.push('\\'),
            },
            '\r' => {
                chars.next_if_eq(&'\n');
                out.push('\n');
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::unquote;

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(unquote(r#""\tsays \"no\"\n""#), "\tsays \"no\"\n");
        assert_eq!(unquote("\"a\r\nb\""), "a\nb");
        assert_eq!(unquote(r#""\'\?\\\a\b\f\v""#), "'?\\\x07\x08\x0C\x0B");
        assert_eq!(unquote("\"not closed"), "not closed");
    }
}
