//! The derivative of an expression; nothing where it is certainly zero.

use super::NotDifferentiable;
use super::build::{add, choice, field, integer, multiply, negate, spread, subtract, sum, zero};
use super::function::Differentiation;
use crate::{Expr, ExprKind, Scalar, Type};

/// A derivative, or nothing where it is zero.
pub(super) type Slope = Result<Option<Expr>, NotDifferentiable>;

impl Differentiation<'_> {
    pub(super) fn derivative(&mut self, e: &Expr) -> Slope {
        if !self.varies(e) {
            return Ok(None);
        }
        let slope = self.derivative_of_kind(e)?;
        // a scalar beside an array stands for each of its elements
        Ok(slope
            .map(|slope| if slope.ty.dimensions() < e.ty.dimensions() { spread(slope, e) } else { slope }))
    }

    /// The derivative, zeros written out.
    pub(super) fn derivative_or_zero(&mut self, e: &Expr) -> Result<Expr, NotDifferentiable> {
        Ok(match self.derivative(e)? {
            Some(slope) => slope,
            None => zero(e, self.tables),
        })
    }

    fn derivative_of_kind(&mut self, e: &Expr) -> Slope {
        let like = |kind| Expr { kind, ty: e.ty.with_scalar(e.ty.scalar), span: e.span };
        Ok(match &e.kind {
            ExprKind::Local(id) => {
                self.derivative_of_local(*id).map(|derivative| like(ExprKind::Local(derivative)))
            }
            ExprKind::Index(whole, subscripts) => self
                .derivative(whole)?
                .map(|slope| like(ExprKind::Index(Box::new(slope), subscripts.clone()))),
            ExprKind::Field(record, place) => {
                self.derivative(record)?.map(|slope| field(slope, *place, self.tables))
            }
            ExprKind::Negate(a) => self.derivative(a)?.map(negate),
            ExprKind::Arithmetic(op, a, b) => self.of_two(op.on_numbers(), a, b, e)?,
            ExprKind::MatrixProduct(a, b) => {
                let (da, db) = (self.derivative(a)?, self.derivative(b)?);
                let product =
                    |a: Expr, b: Expr| real_like(e, ExprKind::MatrixProduct(Box::new(a), Box::new(b)));
                sum(da.map(|da| product(da, (**b).clone())), db.map(|db| product((**a).clone(), db)))
            }
            ExprKind::MatrixPower(a, n) => self.of_matrix_power(a, n, e)?,
            ExprKind::If(condition, a, b) => {
                let (da, db) = (self.derivative(a)?, self.derivative(b)?);
                if da.is_none() && db.is_none() {
                    return Ok(None);
                }
                let da = self.written_out(da, a);
                let db = self.written_out(db, b);
                Some(Expr { ty: e.ty.clone(), ..choice((**condition).clone(), da, db) })
            }
            ExprKind::Call(builtin, arguments) => self.of_builtin(*builtin, arguments, e)?,
            ExprKind::Apply(..) => self.derivative_call(e)?,
            ExprKind::Array(elements) => {
                let elements: Result<Vec<Expr>, _> =
                    elements.iter().map(|element| self.derivative_or_zero(element)).collect();
                Some(real_like(e, ExprKind::Array(elements?)))
            }
            ExprKind::Record(id, fields) => {
                let mut slopes = Vec::new();
                for field in fields {
                    let has_slope = self.tables.holds_reals(&field.ty);
                    slopes.push(if has_slope { self.derivative_or_zero(field)? } else { field.clone() });
                }
                // an Integer may stand for a Real field
                let types: Vec<Type> = self.tables.record(*id).fields.iter().map(|f| f.ty.clone()).collect();
                for ((slope, field), ty) in slopes.iter_mut().zip(fields).zip(types) {
                    if ty.scalar == Scalar::Real && field.ty.scalar == Scalar::Integer {
                        *slope = zero(field, self.tables);
                    }
                }
                Some(like(ExprKind::Record(*id, slopes)))
            }
            ExprKind::Range(first, step, _) => self.of_range(first, step.as_deref(), e)?,
            ExprKind::Comprehension(body, iterations) => self.of_comprehension(body, iterations, e)?,
            ExprKind::Reduction(reduction, body, iterations) => {
                self.of_reduction(*reduction, body, iterations, e)?
            }
            ExprKind::ApplyLocal(..) => {
                return self.refused("a call of a function that is an input", e);
            }
            ExprKind::Real(_)
            | ExprKind::Integer(_)
            | ExprKind::Boolean(_)
            | ExprKind::String(_)
            | ExprKind::Enumeration(..)
            | ExprKind::Time
            | ExprKind::Variable(..)
            | ExprKind::Iterator(_)
            | ExprKind::Relation(..)
            | ExprKind::Logic(..)
            | ExprKind::Not(_)
            | ExprKind::Function(..)
            | ExprKind::FunctionOfLocal(..) => None,
        })
    }

    pub(super) fn written_out(&mut self, slope: Option<Expr>, e: &Expr) -> Expr {
        match slope {
            Some(slope) => slope,
            None => zero(e, self.tables),
        }
    }
}

/// An expression of the type of another one, with Reals in it.
pub(super) fn real_like(e: &Expr, kind: ExprKind) -> Expr {
    let ty = if e.ty.scalar == Scalar::Integer { e.ty.with_scalar(Scalar::Real) } else { e.ty.clone() };
    Expr { kind, ty, span: e.span }
}

/// `a + (n - 1)*b`
pub(super) fn stepped(a: Option<Expr>, b: Option<Expr>, n: Expr) -> Option<Expr> {
    let span = n.span;
    let steps = b.map(|b| multiply(subtract(n, integer(1, span)), b));
    match (a, steps) {
        (Some(a), Some(steps)) => Some(add(a, steps)),
        (a, steps) => a.or(steps),
    }
}
