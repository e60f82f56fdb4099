//! Values written as expressions.

use rhei_flat::{Expr, ExprKind, Scalar, Size, Type};
use rhei_source::Span;

use crate::Value;

/// The literal expression of a value, as an expression of type `ty`; sizes are those of the value.
///
/// # Panics
/// For external objects, and for unassigned values: these have no literals.
pub fn to_expr(value: &Value, ty: &Type, span: Span) -> Expr {
    let scalar = |kind| Expr { kind, ty: Type::scalar(ty.scalar), span };
    match value {
        Value::Real(x) => scalar(ExprKind::Real(*x)),
        Value::Integer(i) if ty.scalar == Scalar::Real => scalar(ExprKind::Real(*i as f64)),
        Value::Integer(i) => scalar(ExprKind::Integer(*i)),
        Value::Boolean(b) => scalar(ExprKind::Boolean(*b)),
        Value::String(text) => scalar(ExprKind::String(text.clone())),
        Value::Enumeration(id, number) => scalar(ExprKind::Enumeration(*id, *number)),
        Value::Array(array) => array_literal(array.sizes(), array.elements(), ty.scalar, span),
        Value::Record(id, fields) => {
            scalar(ExprKind::Record(*id, fields.iter().map(|field| own_literal(field, span)).collect()))
        }
        Value::Function(id, given) => {
            let given = given.iter().map(|(place, value)| (*place, own_literal(value, span))).collect();
            scalar(ExprKind::Function(*id, given))
        }
        Value::External(..) | Value::Unassigned => panic!("{} cannot be written", value.kind()),
    }
}

/// The literal expression of a value in its own type.
fn own_literal(value: &Value, span: Span) -> Expr {
    let ty = value.ty().expect("what is assigned has a type");
    to_expr(value, &ty, span)
}

fn array_literal(sizes: &[usize], elements: &[Value], scalar: Scalar, span: Span) -> Expr {
    let inner = &sizes[1..];
    let count: usize = inner.iter().product();
    let part = |i: usize| {
        let part = &elements[i * count..(i + 1) * count];
        match inner {
            [] => to_expr(&part[0], &Type::scalar(scalar), span),
            _ => array_literal(inner, part, scalar, span),
        }
    };
    let kind = ExprKind::Array((0..sizes[0]).map(part).collect());
    let ty = Type::array(scalar, sizes.iter().map(|&size| Size::Known(size)).collect());
    Expr { kind, ty, span }
}

#[cfg(test)]
mod tests {
    use rhei_flat::{Printer, RecordId, Tables};

    use super::*;
    use crate::ArrayValue;
    use crate::testing::{integer_matrix, span};

    fn text(value: &Value, scalar: Scalar) -> String {
        let e = to_expr(value, &Type::scalar(scalar), span());
        assert_eq!(e.ty.known_sizes().unwrap(), value.sizes());
        Printer::new(&[], &Tables::default()).expression(&e)
    }

    #[test]
    fn arrays_are_written_row_by_row() {
        let m = integer_matrix(&[&[1, 2], &[3, 4]]);
        assert_eq!(text(&m, Scalar::Integer), "{{1, 2}, {3, 4}}");
        assert_eq!(text(&m, Scalar::Real), "{{1.0, 2.0}, {3.0, 4.0}}");
        let empty: Value = ArrayValue::new(Scalar::Real, vec![2, 0], vec![]).into();
        let e = to_expr(&empty, &Type::scalar(Scalar::Real), span());
        assert_eq!(e.ty.known_sizes().unwrap(), [2, 0]);
        assert!(matches!(e.kind, ExprKind::Array(rows) if rows.len() == 2));
    }

    #[test]
    fn records_keep_the_types_of_their_fields() {
        let record = Value::Record(RecordId(0), vec![2.5.into(), Value::integers([1])]);
        let e = to_expr(&record, &Type::scalar(Scalar::Record(RecordId(0))), span());
        let ExprKind::Record(_, fields) = e.kind else { panic!() };
        assert_eq!(fields[1].ty, Type::array(Scalar::Integer, vec![1.into()]));
    }
}
