//! `ModelicaStrings_*`: parts and comparisons of texts. Characters are counted from one.

use std::cmp::Ordering;

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::arguments::{integer, text};
use crate::{Externals, Native};

pub(crate) fn native(name: &str) -> Option<Native> {
    Some(match name {
        "ModelicaStrings_length" => length,
        "ModelicaStrings_substring" => substring,
        "ModelicaStrings_compare" => compare,
        "ModelicaStrings_skipWhiteSpace" => skip_white_space,
        "ModelicaStrings_scanReal" => scan_real,
        "ModelicaStrings_scanInteger" => scan_integer,
        "ModelicaStrings_scanString" => scan_string,
        "ModelicaStrings_scanIdentifier" => scan_identifier,
        "ModelicaStrings_hashString" => hash,
        _ => return None,
    })
}

fn length(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    Ok(vec![Value::Integer(text(arguments, 0, span)?.len() as i64)])
}

/// From one index to another, both included.
fn substring(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let whole = text(arguments, 0, span)?;
    let (first, last) = (integer(arguments, 1, span)?, integer(arguments, 2, span)?);
    let part = usize::try_from(first - 1).ok().zip(usize::try_from(last).ok());
    let part = part.and_then(|(first, last)| whole.get(first..last.max(first)));
    part.map(|part| vec![Value::from(part)]).ok_or_else(|| Failure::WrongArgument {
        what: format!("characters {first} to {last} are not inside the text `{whole}`"),
        span,
    })
}

/// `Types.Compare`: less, equal, greater.
fn compare(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let (a, b) = (text(arguments, 0, span)?, text(arguments, 1, span)?);
    let ordering =
        if integer(arguments, 2, span)? != 0 { a.cmp(b) } else { a.to_lowercase().cmp(&b.to_lowercase()) };
    let place = match ordering {
        Ordering::Less => 1,
        Ordering::Equal => 2,
        Ordering::Greater => 3,
    };
    Ok(vec![Value::Integer(place)])
}

/// The index of the first character from `startIndex` on that is no white space.
fn skip_white_space(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let whole = text(arguments, 0, span)?;
    let start = if arguments.len() > 1 { integer(arguments, 1, span)?.max(1) as usize } else { 1 };
    let rest = whole.get(start - 1..).unwrap_or("");
    let skipped = rest.len() - rest.trim_start().len();
    Ok(vec![Value::Integer((start + skipped) as i64)])
}

/// The index after a token that `length` finds behind white space, with its value; else where it began, and nothing.
fn scan<T: Default>(
    arguments: &[Value],
    span: Span,
    length: impl Fn(&str) -> usize,
    value: impl Fn(&str) -> Option<T>,
) -> Result<Vec<Value>, Failure>
where
    Value: From<T>,
{
    let whole = text(arguments, 0, span)?;
    let first = integer(arguments, 1, span)?;
    let rest = usize::try_from(first - 1).ok().and_then(|start| whole.get(start..)).unwrap_or("");
    let token = rest.trim_start();
    let skipped = rest.len() - token.len();
    let found = match length(token) {
        0 => None,
        length => value(&token[..length]).map(|value| (first + (skipped + length) as i64, value)),
    };
    let (next, value) = found.unwrap_or((first, T::default()));
    Ok(vec![Value::Integer(next), value.into()])
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn sign(text: &str, is_unsigned: bool) -> usize {
    usize::from(!is_unsigned && text.starts_with(['+', '-']))
}

fn whole_number(text: &str, is_unsigned: bool) -> usize {
    let sign = sign(text, is_unsigned);
    match digits(&text[sign..]) {
        0 => 0,
        digits => sign + digits,
    }
}

fn scan_integer(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let is_unsigned = integer(arguments, 2, span)? != 0;
    // a number with a fraction or an exponent is no Integer
    let length = |text: &str| match whole_number(text, is_unsigned) {
        length if text[length..].starts_with(['.', 'e', 'E']) => 0,
        length => length,
    };
    scan(arguments, span, length, |token| token.parse::<i64>().ok())
}

fn scan_real(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let is_unsigned = integer(arguments, 2, span)? != 0;
    let length = |text: &str| {
        let mut length = whole_number(text, is_unsigned);
        if length == 0 {
            return 0;
        }
        if text[length..].starts_with('.') {
            length += 1 + digits(&text[length + 1..]);
        }
        if text[length..].starts_with(['e', 'E']) {
            match whole_number(&text[length + 1..], false) {
                0 => {}
                exponent => length += 1 + exponent,
            }
        }
        length
    };
    scan(arguments, span, length, |token| token.parse::<f64>().ok())
}

fn scan_identifier(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let length = |text: &str| {
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return 0;
        }
        text.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()
    };
    scan(arguments, span, length, |token| Some(Text(token.to_owned())))
}

/// A text in quotes; a backslash belongs to the character after it.
fn scan_string(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let length = |text: &str| {
        let mut bytes = text.bytes().enumerate();
        if bytes.next().is_none_or(|(_, byte)| byte != b'"') {
            return 0;
        }
        while let Some((place, byte)) = bytes.next() {
            match byte {
                b'"' => return place + 1,
                b'\\' => drop(bytes.next()),
                _ => {}
            }
        }
        0
    };
    scan(arguments, span, length, |token| Some(Text(token[1..token.len() - 1].to_owned())))
}

#[derive(Default)]
struct Text(String);

impl From<Text> for Value {
    fn from(text: Text) -> Value {
        Value::String(text.0.into())
    }
}

/// The hash function of A. Partow, in 32 bits.
fn hash(_: &Externals, arguments: &[Value], span: Span) -> Result<Vec<Value>, Failure> {
    let step = |hash: u32, (place, byte): (usize, u8)| {
        let byte = u32::from(byte);
        hash ^ if place % 2 == 0 {
            (hash << 7) ^ byte.wrapping_mul(hash >> 3)
        } else {
            !(hash << 11).wrapping_add(byte ^ (hash >> 5))
        }
    };
    let hash = text(arguments, 0, span)?.bytes().enumerate().fold(0xaaaa_aaaa, step);
    Ok(vec![Value::Integer(i64::from(hash as i32))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &[Value]) -> Vec<Value> {
        let native = native(&format!("ModelicaStrings_{name}")).unwrap();
        native(&Externals::default(), arguments, crate::nowhere()).unwrap()
    }

    #[test]
    fn hashes_are_those_of_the_library() {
        // the examples of its documentation
        assert_eq!(call("hashString", &["this is a test".into()]), [Value::Integer(1_827_717_433)]);
        assert_eq!(call("hashString", &["Controller.noise1".into()]), [Value::Integer(-1_025_762_750)]);
    }

    #[test]
    fn numbers_in_texts() {
        let scan =
            |name: &str, text: &str, start: i64| call(name, &[text.into(), start.into(), false.into()]);
        assert_eq!(scan("scanReal", " -1.5e2x", 1), [Value::Integer(8), Value::Real(-150.0)]);
        assert_eq!(scan("scanReal", "a 3.ex", 2), [Value::Integer(5), Value::Real(3.0)]);
        assert_eq!(scan("scanReal", ".5", 1), [Value::Integer(1), Value::Real(0.0)]);
        assert_eq!(scan("scanInteger", "7 +12", 2), [Value::Integer(6), Value::Integer(12)]);
        assert_eq!(scan("scanInteger", "1.5", 1), [Value::Integer(1), Value::Integer(0)]);
        assert_eq!(scan("scanInteger", "1", 99), [Value::Integer(99), Value::Integer(0)]);
    }

    #[test]
    fn words_in_texts() {
        assert_eq!(
            call("scanIdentifier", &[" ab_1-".into(), 1_i64.into()]),
            [Value::Integer(6), "ab_1".into()]
        );
        assert_eq!(call("scanIdentifier", &["1a".into(), 1_i64.into()]), [Value::Integer(1), "".into()]);
        let quoted = r#" "a\"b" c"#;
        assert_eq!(call("scanString", &[quoted.into(), 1_i64.into()]), [Value::Integer(8), r#"a\"b"#.into()]);
        assert_eq!(call("scanString", &["\"open".into(), 1_i64.into()]), [Value::Integer(1), "".into()]);
    }
}
