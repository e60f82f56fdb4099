//! The arguments of a function in the types it expects.

use rhei_evaluate::{Failure, Value};
use rhei_source::Span;

use crate::tables::Matrix;

/// An argument that must be a text.
pub(crate) fn text(arguments: &[Value], place: usize, span: Span) -> Result<&str, Failure> {
    match arguments.get(place) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(wrong(place, "a String", span)),
    }
}

/// An argument that must be a whole number.
pub(crate) fn integer(arguments: &[Value], place: usize, span: Span) -> Result<i64, Failure> {
    arguments.get(place).and_then(as_integer).ok_or_else(|| wrong(place, "an Integer", span))
}

/// An argument that must be a number.
pub(crate) fn number(arguments: &[Value], place: usize, span: Span) -> Result<f64, Failure> {
    arguments.get(place).and_then(Value::as_real).ok_or_else(|| wrong(place, "a number", span))
}

/// An argument that must be an array of whole numbers.
pub(crate) fn integers(arguments: &[Value], place: usize, span: Span) -> Result<Vec<i64>, Failure> {
    let elements = arguments.get(place).map(|array| array.elements().iter().map(as_integer).collect());
    elements.flatten().ok_or_else(|| wrong(place, "an array of Integers", span))
}

/// An argument that must be an array of numbers.
pub(crate) fn numbers(arguments: &[Value], place: usize, span: Span) -> Result<Vec<f64>, Failure> {
    let elements = arguments.get(place).map(|array| array.elements().iter().map(Value::as_real).collect());
    elements.flatten().ok_or_else(|| wrong(place, "an array of numbers", span))
}

/// An argument that must be a matrix of numbers.
pub(crate) fn matrix(arguments: &[Value], place: usize, span: Span) -> Result<Matrix, Failure> {
    match arguments.get(place).map(Value::sizes) {
        Some(&[rows, columns]) => Ok(Matrix { rows, columns, elements: numbers(arguments, place, span)? }),
        _ => Err(wrong(place, "a matrix", span)),
    }
}

fn as_integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(value) => Some(*value),
        Value::Boolean(value) => Some(i64::from(*value)),
        Value::Enumeration(_, number) => Some(i64::from(*number)),
        _ => None,
    }
}

pub(crate) fn wrong(place: usize, wanted: &str, span: Span) -> Failure {
    Failure::WrongArgument { what: format!("argument {} must be {wanted}", place + 1), span }
}
