//! `ModelicaStrings_*`: parts and comparisons of texts. Characters are counted from one.

use std::cmp::Ordering;

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::{Externals, Native, integer, text};

pub(crate) fn native(name: &str) -> Option<Native> {
    Some(match name {
        "ModelicaStrings_length" => length,
        "ModelicaStrings_substring" => substring,
        "ModelicaStrings_compare" => compare,
        "ModelicaStrings_skipWhiteSpace" => skip_white_space,
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
