//! Flows of operator records (MLS §9.2): they are added up with the operators of the record, which must be those of a group.

use rhei_evaluate::Value;
use rhei_flat::{Expr, ExprKind, RecordId, Scalar, Type};
use rhei_source::Span;
use rhei_syntax::ast::{BinaryOperator, UnaryOperator};

use super::Typing;
use crate::mistake::Mistake;

/// Fields of two records by which it is tried out how records are added; no sum of them is one of the others.
const TRIED: [f64; 2] = [1.25, -0.375];

impl Typing<'_, '_> {
    /// Refuses flows that the operators of their record do not add, or not field by field as equations of connections do.
    pub(crate) fn check_record_flow(
        &mut self,
        record: RecordId,
        name: String,
        span: Span,
    ) -> Result<(), Mistake> {
        let is_plain = |ty: &Type| *ty == Type::scalar(Scalar::Real);
        let fields = &self.context.tables.record(record).fields;
        let (count, is_plain) = (fields.len(), fields.iter().all(|field| is_plain(&field.ty)));
        let class = self.context.tables.record(record).name.to_string();
        let missing = |operator| Mistake::FlowWithoutOperator {
            name: name.clone(),
            class: class.clone(),
            operator,
            span,
        };

        let [a, b] = TRIED
            .map(|first| if is_plain { sample(record, count, first, span) } else { opaque(record, span) });
        let sum = self.overloaded_binary(BinaryOperator::Add, a.clone(), b, span);
        let sum = sum.map_err(|_| missing("'+'"))?;
        let less = self.overloaded_unary(UnaryOperator::Minus, a, span).map_err(|_| missing("'-'"))?;
        let zeros = self.operator_functions(&[Scalar::Record(record)], "'0'");
        let zero = zeros.into_iter().find_map(|function| self.try_call(function, &[], span));
        let zero = zero.ok_or_else(|| missing("'0'"))?;
        if !is_plain {
            return Ok(());
        }
        let expected: [(&Expr, f64, f64); 3] =
            [(&sum, TRIED[0] + TRIED[1], 2.0), (&less, -TRIED[0], -1.0), (&zero, 0.0, 0.0)];
        for (call, first, step) in expected {
            let Ok(Value::Record(_, values)) = self.context.evaluate(call, false) else { continue };
            let is_fieldwise = values.iter().enumerate().all(|(i, value)| {
                value.as_real().is_some_and(|value| (value - (first + step * i as f64)).abs() < 1e-9)
            });
            if !is_fieldwise {
                let what = format!("a flow of `{class}`, which is not added field by field,");
                return Err(Mistake::not_supported(what, span));
            }
        }
        Ok(())
    }
}

/// A record with the fields `first`, `first + 1`, ….
fn sample(record: RecordId, count: usize, first: f64, span: Span) -> Expr {
    let number = |i: usize| {
        let kind = ExprKind::Real(first + i as f64);
        Expr { kind, ty: Type::scalar(Scalar::Real), span }
    };
    let kind = ExprKind::Record(record, (0..count).map(number).collect());
    Expr { kind, ty: Type::scalar(Scalar::Record(record)), span }
}

/// Something of this record, to see which operators there are.
fn opaque(record: RecordId, span: Span) -> Expr {
    Expr { kind: ExprKind::Record(record, Vec::new()), ty: Type::scalar(Scalar::Record(record)), span }
}
