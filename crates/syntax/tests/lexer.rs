//! Tokens: maximal munch, keywords, and mistakes within a token (MLS §2 and §A.1).

use expect_test::{Expect, expect};
use rhei_source::FileId;
use rhei_syntax::lex;

fn check(text: &str, expected: Expect) {
    let (tokens, diagnostics) = lex(FileId(0), text);
    let mut shown = String::new();
    for (i, token) in tokens.iter().enumerate() {
        let end = tokens.get(i + 1).map_or(text.len(), |next| next.start as usize);
        let part = &text[token.start as usize..end];
        if !part.trim().is_empty() {
            shown += &format!("{:?} {part:?}\n", token.kind);
        }
    }
    for diagnostic in diagnostics {
        shown += &format!("{} at {:?}\n", diagnostic.id, &text[diagnostic.labels[0].span.range.as_usize()]);
    }
    expected.assert_eq(&shown);
}

#[test]
fn numbers_take_as_much_as_they_can() {
    check(
        "1 1. .5 1.5 1e3 1.e3 1.5E-3 .5e+1",
        expect![[r#"
        Integer "1"
        Real "1."
        Real ".5"
        Real "1.5"
        Real "1e3"
        Real "1.e3"
        Real "1.5E-3"
        Real ".5e+1"
    "#]],
    );
    check(
        "1.*2 1 .*2 1..5 1.5.5 1e x1e5 1e+",
        expect![[r#"
        Real "1."
        Star "*"
        Integer "2"
        Integer "1"
        DotStar ".*"
        Integer "2"
        Real "1."
        Real ".5"
        Real "1.5"
        Real ".5"
        Integer "1"
        Ident "e"
        Ident "x1e5"
        Integer "1"
        Ident "e"
        Plus "+"
    "#]],
    );
}

#[test]
fn operators_take_as_much_as_they_can() {
    check(
        "a.+b a.b .-.*./.^ := : = == <> < <= >= > ^",
        expect![[r#"
        Ident "a"
        DotPlus ".+"
        Ident "b"
        Ident "a"
        Dot "."
        Ident "b"
        DotMinus ".-"
        DotStar ".*"
        DotSlash "./"
        DotCaret ".^"
        Assign ":="
        Colon ":"
        Equal "="
        EqualEqual "=="
        NotEqual "<>"
        Less "<"
        LessEqual "<="
        GreaterEqual ">="
        Greater ">"
        Caret "^"
    "#]],
    );
}

#[test]
fn names_and_keywords() {
    check(
        r"model models Model _a 'a b' 'it\'s' '+'",
        expect![[r#"
        KwModel "model"
        Ident "models"
        Ident "Model"
        Ident "_a"
        QuotedIdent "'a b'"
        QuotedIdent "'it\\'s'"
        QuotedIdent "'+'"
    "#]],
    );
}

#[test]
fn strings_and_comments() {
    check(
        "\"a\" \"\" \"\\\"\" \"two\nlines\" // line\n/* block ** / */ /**/ /***/",
        expect![[r#"
        String "\"a\""
        String "\"\""
        String "\"\\\"\""
        String "\"two\nlines\""
        LineComment "// line"
        BlockComment "/* block ** / */"
        BlockComment "/**/"
        BlockComment "/***/"
    "#]],
    );
}

#[test]
fn other_languages() {
    check(
        "a != b ~= c && d & e || f ! g ** h += i % j",
        expect![[r#"
        Ident "a"
        BangEqual "!="
        Ident "b"
        BangEqual "~="
        Ident "c"
        Ampersands "&&"
        Ident "d"
        Ampersands "&"
        Ident "e"
        Bars "||"
        Ident "f"
        Bang "!"
        Ident "g"
        StarStar "**"
        Ident "h"
        OperatorAssign "+="
        Ident "i"
        Percent "%"
        Ident "j"
    "#]],
    );
}

#[test]
fn wrong_characters() {
    check(
        "a @ $? b \u{a0} c ö “d” e “f",
        expect![[r#"
        Ident "a"
        Error "@"
        Error "$"
        Error "?"
        Ident "b"
        Ident "c"
        ForeignIdent "ö"
        TypographicString "“d”"
        Ident "e"
        Error "“f"
        invalid-character at "@"
        invalid-character at "$?"
        invalid-character at "\u{a0}"
        invalid-character at "ö"
        typographic-quote at "“d”"
        invalid-character at "“f"
    "#]],
    );
    check(
        "\u{feff}a \u{feff}",
        expect![[r#"
        ByteOrderMark "\u{feff}"
        Ident "a"
        Error "\u{feff}"
        invalid-character at "\u{feff}"
    "#]],
    );
    check(
        "'ä' \"\\d\" 9223372036854775807 9223372036854775808",
        expect![[r#"
        QuotedIdent "'ä'"
        String "\"\\d\""
        Integer "9223372036854775807"
        Integer "9223372036854775808"
        invalid-character at "ä"
        invalid-escape at "\\d"
        integer-too-large at "9223372036854775808"
    "#]],
    );
}

#[test]
fn comments_of_other_languages() {
    check(
        "a % b\n% c \"\n# d\ne; % f\n",
        expect![[r##"
        Ident "a"
        Percent "%"
        Ident "b"
        Error "% c \""
        Error "# d"
        Ident "e"
        Semicolon ";"
        Error "% f"
        foreign-comment at "% c \""
        foreign-comment at "# d"
        foreign-comment at "% f"
    "##]],
    );
}

#[test]
fn a_missing_quote_costs_a_line() {
    check(
        "\"a;\nb \"c\";\nd \"e\";",
        expect![[r#"
        UnterminatedString "\"a"
        Semicolon ";"
        Ident "b"
        String "\"c\""
        Semicolon ";"
        Ident "d"
        String "\"e\""
        Semicolon ";"
        unterminated-string at "\"a"
    "#]],
    );
    check(
        "a \"b\";\nc \"d",
        expect![[r#"
        Ident "a"
        String "\"b\""
        Semicolon ";"
        Ident "c"
        UnterminatedString "\"d"
        unterminated-string at "\"d"
    "#]],
    );
    check(
        "f(\"a);\nb \"two\nlines\";",
        expect![[r#"
        Ident "f"
        LParen "("
        UnterminatedString "\"a"
        RParen ")"
        Semicolon ";"
        Ident "b"
        String "\"two\nlines\""
        Semicolon ";"
        unterminated-string at "\"a"
    "#]],
    );
    check(
        "'a b;\n'c'",
        expect![[r#"
        UnterminatedIdent "'a b"
        Semicolon ";"
        QuotedIdent "'c'"
        unterminated-identifier at "'a b"
    "#]],
    );
    check(
        "a /* b\nc",
        expect![[r#"
        Ident "a"
        UnterminatedComment "/* b\nc"
        unterminated-comment at "/*"
    "#]],
    );
}
