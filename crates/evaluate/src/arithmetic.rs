//! Arithmetic of scalars, and through arrays element by element (MLS §10.6).

use rhei_elementary::power;
use rhei_flat::{Arithmetic, Scalar};
use rhei_source::Span;
use smol_str::{SmolStr, format_smolstr};

use crate::{ArrayValue, Failure, Value};

/// `a op b`; two arrays must have the same sizes.
pub(crate) fn arithmetic(op: Arithmetic, a: &Value, b: &Value, span: Span) -> Result<Value, Failure> {
    if let (Value::Real(a), Value::Real(b)) = (a, b) {
        return real(op, *a, *b, span).map(Value::Real);
    }
    let scalar = match (a.scalar(), b.scalar()) {
        (Some(Scalar::Integer), Some(Scalar::Integer)) if !gives_real(op) => Scalar::Integer,
        (Some(Scalar::String), Some(Scalar::String)) => Scalar::String,
        _ => Scalar::Real,
    };
    elementwise(op.symbol(), scalar, a, b, span, |a, b| scalars(op, a, b, span))
}

/// `f` of elements in the same places; a scalar stands for every element.
pub(crate) fn elementwise(
    name: &str,
    scalar: Scalar,
    a: &Value,
    b: &Value,
    span: Span,
    mut f: impl FnMut(&Value, &Value) -> Result<Value, Failure>,
) -> Result<Value, Failure> {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            if a.sizes() != b.sizes() {
                return Err(mismatch(
                    format_smolstr!("the operands of `{name}`"),
                    a.sizes(),
                    b.sizes(),
                    span,
                ));
            }
            let pairs = a.elements().iter().zip(b.elements());
            let elements = pairs.map(|(a, b)| f(a, b)).collect::<Result<_, _>>()?;
            Ok(ArrayValue::new(scalar, a.sizes().to_vec(), elements).into())
        }
        (Value::Array(a), b) => a.map(scalar, |a| f(a, b)).map(Value::Array),
        (a, Value::Array(b)) => b.map(scalar, |b| f(a, b)).map(Value::Array),
        (a, b) => f(a, b),
    }
}

/// `f` of every element.
pub(crate) fn each(
    scalar: Scalar,
    a: &Value,
    mut f: impl FnMut(&Value) -> Result<Value, Failure>,
) -> Result<Value, Failure> {
    match a {
        Value::Array(a) => a.map(scalar, f).map(Value::Array),
        a => f(a),
    }
}

/// `-a`
pub(crate) fn negate(a: &Value, span: Span) -> Result<Value, Failure> {
    each(a.scalar().unwrap_or(Scalar::Real), a, |a| match a {
        Value::Real(x) => Ok(Value::Real(-x)),
        Value::Integer(i) => {
            i.checked_neg().map(Value::Integer).ok_or_else(|| overflow(format_smolstr!("-({i})"), span))
        }
        other => Err(ill_typed("a number", other, span)),
    })
}

/// `x`; an error if it is NaN although none of the operands was.
pub(crate) fn number(
    x: f64,
    operands: &[f64],
    span: Span,
    what: impl FnOnce() -> SmolStr,
) -> Result<f64, Failure> {
    if x.is_nan() && !operands.iter().any(|operand| operand.is_nan()) {
        return Err(Failure::NotFinite { what: what(), span });
    }
    Ok(x)
}

pub(crate) fn mismatch(what: impl Into<SmolStr>, left: &[usize], right: &[usize], span: Span) -> Failure {
    Failure::SizeMismatch { what: what.into(), sizes: Box::new([left.to_vec(), right.to_vec()]), span }
}

pub(crate) fn overflow(what: SmolStr, span: Span) -> Failure {
    Failure::IntegerOverflow { what, span }
}

pub(crate) fn ill_typed(expected: &'static str, found: &Value, span: Span) -> Failure {
    Failure::IllTyped { expected, found: found.kind(), span }
}

fn gives_real(op: Arithmetic) -> bool {
    matches!(op, Arithmetic::Divide | Arithmetic::Power)
}

fn scalars(op: Arithmetic, a: &Value, b: &Value, span: Span) -> Result<Value, Failure> {
    match (a, b) {
        (Value::Integer(a), Value::Integer(b)) if !gives_real(op) => {
            integer(op, *a, *b, span).map(Value::Integer)
        }
        (Value::String(a), Value::String(b)) if op == Arithmetic::Add => {
            Ok(Value::String(format_smolstr!("{a}{b}")))
        }
        _ => match (a.as_real(), b.as_real()) {
            (Some(a), Some(b)) => real(op, a, b, span).map(Value::Real),
            (None, _) => Err(ill_typed("a number", a, span)),
            (_, None) => Err(ill_typed("a number", b, span)),
        },
    }
}

/// `a op b` of whole numbers, for operations with whole results.
pub(crate) fn integer(op: Arithmetic, a: i64, b: i64, span: Span) -> Result<i64, Failure> {
    let result = match op {
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        _ => a.checked_mul(b),
    };
    result.ok_or_else(|| overflow(format_smolstr!("{a} {} {b}", op.symbol()), span))
}

/// `a op b` of numbers.
pub(crate) fn real(op: Arithmetic, a: f64, b: f64, span: Span) -> Result<f64, Failure> {
    let result = match op {
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide if b == 0.0 => return Err(Failure::DivisionByZero { span }),
        Arithmetic::Divide => a / b,
        Arithmetic::Power if a == 0.0 && b < 0.0 => return Err(Failure::DivisionByZero { span }),
        Arithmetic::Power => power(a, b),
    };
    number(result, &[a, b], span, || format_smolstr!("{a:?} {} {b:?}", op.symbol()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::span;

    fn of(op: Arithmetic, a: impl Into<Value>, b: impl Into<Value>) -> Result<Value, Failure> {
        arithmetic(op, &a.into(), &b.into(), span())
    }

    #[test]
    fn whole_numbers_stay_whole_but_for_quotients_and_powers() {
        assert_eq!(of(Arithmetic::Add, 2, 3), Ok(Value::Integer(5)));
        assert_eq!(of(Arithmetic::Subtract, 2, 3), Ok(Value::Integer(-1)));
        assert_eq!(of(Arithmetic::Multiply, 2, 3), Ok(Value::Integer(6)));
        assert_eq!(of(Arithmetic::Multiply, 2, 1.5), Ok(Value::Real(3.0)));
        assert_eq!(of(Arithmetic::Divide, 6, 4), Ok(Value::Real(1.5)));
        assert_eq!(of(Arithmetic::Power, 2, 3), Ok(Value::Real(8.0)));
        assert_eq!(of(Arithmetic::Power, 0, 0), Ok(Value::Real(1.0)));
        assert_eq!(of(Arithmetic::Add, "ab", "c"), Ok("abc".into()));
    }

    #[test]
    fn overflow_and_what_has_no_value_fail() {
        let what = "9223372036854775807 + 1".into();
        assert_eq!(of(Arithmetic::Add, i64::MAX, 1), Err(Failure::IntegerOverflow { what, span: span() }));
        assert!(matches!(of(Arithmetic::Multiply, i64::MIN, -1), Err(Failure::IntegerOverflow { .. })));
        assert!(negate(&Value::Integer(i64::MIN), span()).is_err());
        assert_eq!(of(Arithmetic::Divide, 1, 0), Err(Failure::DivisionByZero { span: span() }));
        assert_eq!(of(Arithmetic::Divide, 0.0, 0.0), Err(Failure::DivisionByZero { span: span() }));
        assert_eq!(of(Arithmetic::Power, 0.0, -1), Err(Failure::DivisionByZero { span: span() }));
        let what = "-8.0 ^ 0.5".into();
        assert_eq!(of(Arithmetic::Power, -8, 0.5), Err(Failure::NotFinite { what, span: span() }));
        assert_eq!(of(Arithmetic::Multiply, 1e300, 1e300), Ok(Value::Real(f64::INFINITY)));
    }

    #[test]
    fn a_scalar_stands_for_every_element() {
        assert_eq!(of(Arithmetic::Add, Value::integers([1, 2]), 10), Ok(Value::integers([11, 12])));
        assert_eq!(of(Arithmetic::Divide, 6.0, Value::integers([1, 2])), Ok(Value::reals([6.0, 3.0])));
        assert_eq!(
            of(Arithmetic::Subtract, Value::integers([1, 2]), Value::reals([0.5, 0.5])),
            Ok(Value::reals([0.5, 1.5]))
        );
        assert_eq!(of(Arithmetic::Divide, Value::integers([]), 2), Ok(Value::reals([])));
        assert_eq!(of(Arithmetic::Add, Value::integers([]), 2), Ok(Value::integers([])));
        assert!(matches!(
            of(Arithmetic::Add, Value::integers([1]), Value::integers([1, 2])),
            Err(Failure::SizeMismatch { .. })
        ));
    }
}
