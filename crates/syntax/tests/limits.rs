//! Texts that are nested deeper, or chained longer, than anyone writes: one message, no overflow, and time in proportion to
//! the length. Tests run on threads of two megabytes, as the parser promises.

use std::time::{Duration, Instant};

use rhei_source::FileId;
use rhei_syntax::ast::{ClassDefinition, Expression, Section};
use rhei_syntax::{Parsed, parse, parse_expression};

const N: usize = 100_000;

/// More than any of these takes in an unoptimised build, far less than a quadratic one would.
const PATIENCE: Duration = Duration::from_secs(20);

fn check(what: &str, text: &str) -> Parsed {
    let begin = Instant::now();
    let parsed = parse(FileId(0), text.into());
    parsed.tree.verify().unwrap_or_else(|wrong| panic!("{what}: {wrong}"));
    assert!(parsed.tree.print() == text, "{what} is not given back");
    assert!(!parsed.tree.dump().is_empty());
    assert!(begin.elapsed() < PATIENCE, "{what} takes {:?}", begin.elapsed());
    parsed
}

fn ids(parsed: &Parsed) -> Vec<&str> {
    parsed.diagnostics.iter().map(|d| d.id).collect()
}

/// Deep nesting gives just one message.
fn too_deep(what: &str, text: &str) {
    assert_eq!(ids(&check(what, text)), ["nesting-too-deep"], "{what}");
}

fn equation(text: &str) -> String {
    format!("model M Real x; equation x = {text}; x = 1; end M;")
}

fn nested(open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(N), close.repeat(N))
}

#[test]
fn deep_expressions_are_refused() {
    too_deep("parentheses", &equation(&nested("(", "1", ")")));
    too_deep("braces", &equation(&nested("{", "1", "}")));
    too_deep("brackets", &equation(&nested("[", "1", "]")));
    too_deep("calls", &equation(&nested("f(", "1", ")")));
    too_deep("named arguments", &equation(&nested("f(a=", "1", ")")));
    too_deep("function arguments", &equation(&format!("f({})", nested("function f(a=", "1", ")"))));
    too_deep("subscripts", &equation(&nested("a[", "1", "]")));
    too_deep("else if", &equation(&format!("{}1", "if a then 1 else ".repeat(N))));
    too_deep("if in conditions", &equation(&nested("if ", "a", " then 1 else 2")));
    too_deep("sums to the right", &equation(&nested("1 + (2 * ", "1", ")")));
    too_deep("ranges", &equation(&nested("(1:", "1", ")")));
}

#[test]
fn deep_signs_are_refused() {
    // signs in a row are a mistake before they are too many
    assert!(ids(&check("signs", &equation(&format!("{}1", "-".repeat(N))))).len() <= 101);
    assert!(ids(&check("nots", &equation(&format!("{}true", "not ".repeat(N))))).len() <= 101);
    too_deep("signs in parentheses", &equation(&nested("-(", "1", ")")));
}

#[test]
fn deep_classes_and_blocks_are_refused() {
    too_deep("classes", &nested("model A ", "", "end A; "));
    too_deep(
        "if equations",
        &format!("model M equation {} end M;", nested("if a then ", "x = 1;", "end if; ")),
    );
    too_deep(
        "for equations",
        &format!("model M equation {} end M;", nested("for i loop ", "x = 1;", "end for; ")),
    );
    too_deep(
        "when statements",
        &format!("model M algorithm {} end M;", nested("when a then ", "", "end when; ")),
    );
    too_deep(
        "while statements",
        &format!("model M algorithm {} end M;", nested("while a loop ", "", "end while; ")),
    );
    too_deep("modifications", &format!("model M A a{}; Real y; end M;", nested("(b", "=1", ")")));
    too_deep("redeclarations", &format!("model M A a{}; end M;", nested("(redeclare B b", "", ")")));
    too_deep("annotations", &format!("model M annotation{}; end M;", nested("(b", "=1", ")")));
}

#[test]
fn what_follows_deep_brackets_is_read() {
    let parsed = check("parentheses", &equation(&nested("(", "1", ")")));
    let class: ClassDefinition<'_> = parsed.stored_definition().unwrap().classes().next().unwrap();
    let equations = class.sections().filter_map(|section| match section {
        Section::Equations(section) => Some(section.equations().count()),
        _ => None,
    });
    assert_eq!(equations.sum::<usize>(), 2);
}

#[test]
fn long_chains_are_refused_and_shorter_ones_are_not() {
    too_deep("sum", &equation(&format!("1{}", " + a".repeat(N))));
    too_deep("product", &equation(&format!("1{}", " * a".repeat(N))));
    too_deep("or", &equation(&format!("a{}", " or a".repeat(N))));
    too_deep(
        "sums in sums",
        &equation(&format!(
            "{}1{}",
            "(".repeat(200),
            ") + a + a + a + a + a + a + a + a + a + a + a".repeat(200)
        )),
    );
    let text = format!("1{}", " + a".repeat(1500));
    let parsed = parse_expression(FileId(0), text.as_str().into());
    assert!(parsed.diagnostics.is_empty());
    let Some(Expression::Binary(sum)) = parsed.expression() else { panic!("a sum") };
    let (first, rest) = sum.chain();
    assert_eq!(first.unwrap().node().text(), "1");
    assert_eq!(rest.len(), 1500);
    assert!(rest.iter().all(|link| link.right.unwrap().node().text() == "a"));
}

#[test]
fn long_lists_are_fine() {
    let fine = |what: &str, text: &str| assert_eq!(ids(&check(what, text)), [""; 0], "{what}");
    fine("array", &equation(&format!("{{1{}}}", ", 1".repeat(N))));
    fine("matrix", &equation(&format!("[1{}]", "; 1".repeat(N))));
    fine("name", &equation(&format!("a{}", ".b".repeat(N))));
    fine("elseif", &equation(&format!("if a then 1 {} else 2", "elseif a then 1 ".repeat(N))));
    fine("equations", &format!("model M equation {} end M;", "x = 1; ".repeat(N)));
    fine("declarations", &format!("model M {} end M;", "Real x; ".repeat(N)));
    fine("components", &format!("model M Real x{}; end M;", ", x".repeat(N)));
    fine("description", &format!("model M \"a\"{} end M;", " + \"a\"".repeat(N)));
    fine("classes", &"model A end A; ".repeat(N));
    fine("sections", &format!("model M {} end M;", "public protected equation algorithm ".repeat(N)));
}

#[test]
fn long_tokens_are_fine() {
    for letter in ["a", "1", "ö", "漢", "* ", "**", "\\n", " "] {
        let long = letter.repeat(N);
        let strings = format!("model M \"{long}\" /*{long}*/ //{long}\n end M;");
        assert_eq!(ids(&check("strings and comments", &strings)), [""; 0], "{letter}");
        check("a name", &format!("model {long} end {long};"));
        check("a quoted name", &format!("model '{long}' end '{long}';"));
        check("open tokens", &format!("model M \"{long}"));
        check("open tokens", &format!("model M '{long}"));
        check("open tokens", &format!("model M /*{long}"));
        check("open tokens", &format!("model M “{long}"));
    }
}

#[test]
fn long_nonsense_takes_time_in_proportion() {
    let lines = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "a[\n",
        "a[",
        "a(",
        "a(\n",
        "\"",
        "\"\n",
        "'",
        "/*",
        "/* */",
        "end ",
        "end if; ",
        "if ",
        "if a then\n",
        "else ",
        "elseif ",
        "when a then else ",
        "equation ",
        "algorithm ",
        "public x = 1 ",
        "x = 1\n",
        "x :=\n",
        "model ",
        "model A\n",
        "model A end ",
        "within ",
        "end A;",
        "end A",
        "annotation",
        "annotation(",
        ".",
        ". ",
        "1. ",
        "a.",
        "a. ",
        "#",
        "#\n",
        "%",
        "%\n",
        "\u{a0}",
        "ö",
        "“",
        "”",
        "\\",
        "extends ",
        "import a.",
        "import a.{",
        "redeclare ",
        "external ",
        "for i in ",
        "connect(",
        "der(",
        "der ",
        "function ",
        "a = function f(",
        "a b ",
        "a b c;",
        "not ",
        "- ",
        "^",
        "a^b^",
        "a<b<",
        "a:b:",
        ";",
        ",",
        "initial ",
        "a, ",
        "(a, ",
        "a == ",
        "a := (",
        "break ",
        "constrainedby ",
        "Real x if ",
    ];
    for line in lines {
        for frame in [
            "",
            "model M ",
            "model M equation ",
            "model M algorithm ",
            "model M equation x = ",
            "model M A a(",
        ] {
            let text = format!("{frame}{}", line.repeat(N / 4));
            let parsed = check(&format!("{frame}{line:?}…"), &text);
            assert!(parsed.diagnostics.len() <= 101);
        }
    }
}
