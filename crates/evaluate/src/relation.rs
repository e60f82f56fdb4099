//! Comparisons of scalars (MLS §3.5).

use std::cmp::Ordering;

use rhei_flat::Relation;
use rhei_source::Span;

use crate::{Failure, Value, arithmetic::ill_typed};

/// Whether `a op b`.
pub(crate) fn holds(op: Relation, a: &Value, b: &Value, span: Span) -> Result<bool, Failure> {
    let ordering = compare(a, b, span)?;
    Ok(match op {
        Relation::Less => ordering == Some(Ordering::Less),
        Relation::LessEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        Relation::Greater => ordering == Some(Ordering::Greater),
        Relation::GreaterEqual => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        Relation::Equal => ordering == Some(Ordering::Equal),
        Relation::NotEqual => ordering != Some(Ordering::Equal),
    })
}

/// The order of two scalars: `false` before `true`, texts letter by letter, enumerations by their numbers. None if one
/// of them is NaN.
fn compare(a: &Value, b: &Value, span: Span) -> Result<Option<Ordering>, Failure> {
    Ok(match (a, b) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Boolean(a), Value::Boolean(b)) => Some(a.cmp(b)),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Enumeration(_, a), Value::Enumeration(_, b)) => Some(a.cmp(b)),
        _ => {
            let number = |v: &Value| v.as_real().ok_or_else(|| ill_typed("a scalar to compare", v, span));
            number(a)?.partial_cmp(&number(b)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::span;
    use rhei_flat::EnumerationId;

    #[test]
    fn scalars_of_all_types_are_compared() {
        let holds = |op, a: Value, b: Value| holds(op, &a, &b, span()).unwrap();
        assert!(holds(Relation::Less, 1.into(), 1.5.into()));
        assert!(holds(Relation::Equal, 1.into(), 1.0.into()));
        assert!(holds(Relation::Greater, i64::MAX.into(), (i64::MAX - 1).into()), "not through Reals");
        assert!(holds(Relation::Less, "abc".into(), "abd".into()));
        assert!(holds(Relation::LessEqual, false.into(), true.into()));
        let literal = |number| Value::Enumeration(EnumerationId(0), number);
        assert!(holds(Relation::GreaterEqual, literal(2), literal(2)));
        assert!(holds(Relation::NotEqual, literal(1), literal(2)));
        assert!(!holds(Relation::Equal, f64::NAN.into(), f64::NAN.into()));
        assert!(holds(Relation::NotEqual, f64::NAN.into(), 1.0.into()));
    }
}
