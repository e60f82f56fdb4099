//! Functions of numbers (MLS §3.7.1 to §3.7.4), through arrays element by element.

use rhei_elementary::{Binary, Elementary, ResultKind};
use rhei_flat::{Arithmetic, Builtin, Relation, Scalar};
use rhei_source::Span;
use smol_str::format_smolstr;

use crate::arithmetic::{arithmetic, each, elementwise, ill_typed, number, overflow};
use crate::{ArrayValue, Failure, Value, relation};

/// A function of one number. All values are those of the table, so that a function of the model, an equation and machine code agree bit
/// for bit.
pub(super) fn elementary(builtin: Builtin, a: &Value, span: Span) -> Result<Value, Failure> {
    let Builtin::Elementary(f) = builtin else {
        return each(Scalar::Integer, a, |a| {
            whole(a.as_real().ok_or_else(|| ill_typed("a number", a, span))?, span)
        });
    };
    let result = match (f.row().result, a.scalar()) {
        (ResultKind::Integer, _) | (ResultKind::OfArgument, Some(Scalar::Integer)) => Scalar::Integer,
        (ResultKind::Real | ResultKind::OfArgument, _) => Scalar::Real,
    };
    each(result, a, |a| match (f, a) {
        (Elementary::Abs, Value::Integer(i)) => {
            i.checked_abs().map(Value::Integer).ok_or_else(|| overflow(format_smolstr!("abs({i})"), span))
        }
        _ => {
            let x = a.as_real().ok_or_else(|| ill_typed("a number", a, span))?;
            match result {
                Scalar::Integer => Ok(Value::Integer(f.value(x) as i64)),
                _ => real_function(f, x, span).map(Value::Real),
            }
        }
    })
}

/// A function of one Real that is a Real.
pub(crate) fn real_function(f: Elementary, x: f64, span: Span) -> Result<f64, Failure> {
    let what = || format_smolstr!("{}({x:?})", f.name());
    if f.has_pole_at(x) {
        return Err(Failure::NotFinite { what: what(), span });
    }
    number(f.value(x), &[x], span, what)
}

/// An elementary function of a number; none if [`elementary`] fails.
pub(crate) fn real_number(builtin: Builtin, x: f64) -> Option<f64> {
    let f = match builtin {
        Builtin::Elementary(f) => f,
        _ => Elementary::Floor, // `integer`
    };
    (!x.is_nan() && !f.has_pole_at(x)).then(|| f.value(x)).filter(|value| !value.is_nan())
}

/// A function of two numbers; the smaller and the larger one also of other scalars.
pub(super) fn of_two(builtin: Builtin, a: &Value, b: &Value, span: Span) -> Result<Value, Failure> {
    let scalar = match (a.scalar(), b.scalar()) {
        (Some(a), Some(b)) if builtin != Builtin::Atan2 && a == b => a,
        _ => Scalar::Real,
    };
    elementwise(builtin.name(), scalar, a, b, span, |a, b| match (builtin, a, b) {
        (Builtin::Min | Builtin::Max, a, b) => {
            let wins = if builtin == Builtin::Min { Relation::Less } else { Relation::Greater };
            let chosen = if relation::holds(wins, b, a, span)? { b } else { a };
            match (scalar, chosen.as_real()) {
                (Scalar::Real, Some(x)) => Ok(Value::Real(x)),
                _ => Ok(chosen.clone()),
            }
        }
        (Builtin::Div | Builtin::Mod | Builtin::Rem, Value::Integer(a), Value::Integer(b)) => {
            integer_quotient(builtin, *a, *b, span).map(Value::Integer)
        }
        (_, a, b) => {
            let operand = |v: &Value| v.as_real().ok_or_else(|| ill_typed("a number", v, span));
            let (a, b) = (operand(a)?, operand(b)?);
            if b == 0.0 && builtin != Builtin::Atan2 {
                return Err(Failure::DivisionByZero { span });
            }
            let result = match builtin {
                Builtin::Atan2 => Binary::Atan2.value(a, b),
                Builtin::Div => libm::trunc(a / b),
                Builtin::Mod => a - libm::floor(a / b) * b,
                _ => a - libm::trunc(a / b) * b,
            };
            number(result, &[a, b], span, || format_smolstr!("{}({a:?}, {b:?})", builtin.name()))
                .map(Value::Real)
        }
    })
}

/// `semiLinear(x, positive, negative)`: a slope for each sign of `x`.
pub(super) fn semi_linear(
    x: &Value,
    positive: &Value,
    negative: &Value,
    span: Span,
) -> Result<Value, Failure> {
    let above = arithmetic(Arithmetic::Multiply, positive, x, span)?;
    let below = arithmetic(Arithmetic::Multiply, negative, x, span)?;
    let is_above = |x: &Value| relation::holds(Relation::GreaterEqual, x, &Value::Integer(0), span);
    let real = |v: &Value| v.as_real().map(Value::Real).ok_or_else(|| ill_typed("a number", v, span));
    match x {
        Value::Array(array) => {
            let places = array.elements().iter().zip(above.elements().iter().zip(below.elements()));
            let choose = |(x, (above, below))| real(if is_above(x)? { above } else { below });
            let elements = places.map(choose).collect::<Result<_, Failure>>()?;
            Ok(ArrayValue::new(Scalar::Real, array.sizes().to_vec(), elements).into())
        }
        x => each(Scalar::Real, if is_above(x)? { &above } else { &below }, real),
    }
}

/// `Integer(e)`: the number of a literal.
pub(super) fn integer_of(a: &Value, span: Span) -> Result<Value, Failure> {
    each(Scalar::Integer, a, |a| match a {
        Value::Enumeration(_, number) => Ok(Value::Integer(i64::from(*number))),
        Value::Integer(i) => Ok(Value::Integer(*i)),
        other => Err(ill_typed("an enumeration literal", other, span)),
    })
}

/// The largest whole number that is not greater than `x`.
fn whole(x: f64, span: Span) -> Result<Value, Failure> {
    let floor = libm::floor(x);
    // 2^63 is the first number that does not fit; its negative does.
    if floor >= -(i64::MIN as f64) || floor < i64::MIN as f64 || floor.is_nan() {
        return Err(overflow(format_smolstr!("integer({x:?})"), span));
    }
    Ok(Value::Integer(floor as i64))
}

fn integer_quotient(builtin: Builtin, a: i64, b: i64, span: Span) -> Result<i64, Failure> {
    if b == 0 {
        return Err(Failure::DivisionByZero { span });
    }
    quotient(builtin, a, b).ok_or_else(|| overflow(format_smolstr!("{}({a}, {b})", builtin.name()), span))
}

/// `div`, `rem` or `mod` of whole numbers; none for a division by zero, or an overflow.
pub(crate) fn quotient(builtin: Builtin, a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return None;
    }
    match builtin {
        Builtin::Div => a.checked_div(b),
        Builtin::Rem => Some(a.wrapping_rem(b)),
        _ => {
            let remainder = a.wrapping_rem(b);
            Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::span;

    #[test]
    fn what_has_no_value_fails() {
        let of = |builtin, x: f64| elementary(builtin, &x.into(), span());
        let what = "sqrt(-1.0)".into();
        assert_eq!(
            of(Builtin::Elementary(Elementary::Sqrt), -1.0),
            Err(Failure::NotFinite { what, span: span() })
        );
        assert!(of(Builtin::Elementary(Elementary::Log), 0.0).is_err());
        assert!(of(Builtin::Elementary(Elementary::Asin), 1.5).is_err());
        assert_eq!(of(Builtin::Elementary(Elementary::Exp), 1000.0), Ok(Value::Real(f64::INFINITY)));
        assert!(of(Builtin::Integer, 1e19).is_err());
        assert!(of(Builtin::Integer, 2f64.powi(63)).is_err());
        assert_eq!(of(Builtin::Integer, -2f64.powi(63)), Ok(i64::MIN.into()));
        assert!(elementary(Builtin::Elementary(Elementary::Abs), &i64::MIN.into(), span()).is_err());
    }

    #[test]
    fn functions_keep_or_change_the_type() {
        let of = |builtin, a: Value| elementary(builtin, &a, span()).unwrap();
        assert_eq!(of(Builtin::Elementary(Elementary::Abs), (-2).into()), Value::Integer(2));
        assert_eq!(of(Builtin::Elementary(Elementary::Abs), (-2.5).into()), Value::Real(2.5));
        assert_eq!(of(Builtin::Elementary(Elementary::Sign), (-2.5).into()), Value::Integer(-1));
        assert_eq!(of(Builtin::Elementary(Elementary::Floor), (-2.5).into()), Value::Real(-3.0));
        assert_eq!(of(Builtin::Elementary(Elementary::Ceil), (-2.5).into()), Value::Real(-2.0));
        assert_eq!(of(Builtin::Integer, Value::reals([-2.5, 2.5])), Value::integers([-3, 2]));
        assert_eq!(
            of(Builtin::Elementary(Elementary::Sqrt), Value::integers([4, 9])),
            Value::reals([2.0, 3.0])
        );
        assert_eq!(of(Builtin::Elementary(Elementary::Sqrt), Value::integers([])), Value::reals([]));
    }

    #[test]
    fn quotients_and_their_remainders() {
        let of = |builtin, a: Value, b: Value| of_two(builtin, &a, &b, span()).unwrap();
        for (a, b, div, modulo, rem) in
            [(7, 2, 3, 1, 1), (-7, 2, -3, 1, -1), (7, -2, -3, -1, 1), (-7, -2, 3, -1, -1), (6, -2, -3, 0, 0)]
        {
            let (a, b): (Value, Value) = (a.into(), b.into());
            assert_eq!(of(Builtin::Div, a.clone(), b.clone()), Value::Integer(div));
            assert_eq!(of(Builtin::Mod, a.clone(), b.clone()), Value::Integer(modulo));
            assert_eq!(of(Builtin::Rem, a, b), Value::Integer(rem));
        }
        let near = |v: Value, expected: f64| assert!((v.as_real().unwrap() - expected).abs() < 1e-12);
        near(of(Builtin::Mod, 3.into(), 1.4.into()), 0.2);
        near(of(Builtin::Mod, (-3).into(), 1.4.into()), 1.2);
        near(of(Builtin::Mod, 3.into(), (-1.4).into()), -1.2);
        near(of(Builtin::Rem, (-3).into(), 1.4.into()), -0.2);
        assert_eq!(of(Builtin::Div, (-3.5).into(), 1.into()), Value::Real(-3.0));
        assert!(of_two(Builtin::Div, &1.into(), &0.into(), span()).is_err());
        assert!(of_two(Builtin::Div, &i64::MIN.into(), &(-1).into(), span()).is_err());
        assert_eq!(of(Builtin::Rem, i64::MIN.into(), (-1).into()), Value::Integer(0));
        assert_eq!(of(Builtin::Div, Value::integers([7, 9]), 2.into()), Value::integers([3, 4]));
    }

    #[test]
    fn the_smaller_and_the_larger() {
        let of = |builtin, a: Value, b: Value| of_two(builtin, &a, &b, span()).unwrap();
        assert_eq!(of(Builtin::Min, 1.into(), 2.into()), Value::Integer(1));
        assert_eq!(of(Builtin::Max, 1.into(), 0.5.into()), Value::Real(1.0));
        assert_eq!(of(Builtin::Max, false.into(), true.into()), Value::Boolean(true));
    }

    #[test]
    fn semi_linear_has_a_slope_for_each_sign() {
        let of = |x: Value| semi_linear(&x, &2.into(), &3.0.into(), span()).unwrap();
        assert_eq!(of(2.into()), Value::Real(4.0));
        assert_eq!(of((-2.0).into()), Value::Real(-6.0));
        assert_eq!(of(Value::reals([1.0, -1.0])), Value::reals([2.0, -3.0]));
    }
}
