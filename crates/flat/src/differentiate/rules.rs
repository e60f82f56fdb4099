//! The rules of [`rhei_elementary`] for typed expressions.
//!
//! Nothing is simplified later on. So powers with a literal exponent are written in their simplest form, and a power without a
//! slope or a logarithm gets a choice.

use rhei_elementary::{Algebra, Arithmetic, Binary, Elementary, Exception, Formula, change_of_binary};
use rhei_source::Span;

use super::build::{
    arithmetic, choice, divide, elementary, integer, multiply, negate, real, relation, spread,
};
use super::expression::Slope;
use super::function::Differentiation;
use crate::{Expr, ExprKind, Relation};

impl Differentiation<'_> {
    /// The derivative of an operation with two operands and the value `e`.
    pub(super) fn of_two(&mut self, op: Binary, a: &Expr, b: &Expr, e: &Expr) -> Slope {
        let (da, db) = (self.derivative(a)?, self.derivative(b)?);
        let mut expressions = Expressions { span: e.span };
        Ok(change_of_binary(&mut expressions, op, e.clone(), (a.clone(), da), (b.clone(), db)))
    }
}

/// The derivative of a function of one number `a` with the value `e`.
pub(super) fn of_elementary(f: Elementary, a: &Expr, e: &Expr, slope: Expr) -> Expr {
    times(&f.row().derivative, &mut Expressions { span: a.span }, a, e, slope)
}

/// A formula times a slope, which goes into the numerator of a quotient.
fn times(formula: &Formula, expressions: &mut Expressions, a: &Expr, e: &Expr, slope: Expr) -> Expr {
    match formula {
        Formula::Binary(Binary::Div, above, below) => {
            let above = match above {
                Formula::Number(1.0) => slope,
                above => times(above, expressions, a, e, slope),
            };
            divide(above, below.at(expressions, a, e))
        }
        Formula::Negate(quotient @ Formula::Binary(Binary::Div, ..)) => {
            negate(times(quotient, expressions, a, e, slope))
        }
        formula => multiply(formula.at(expressions, a, e), slope),
    }
}

/// Typed expressions, written at a place.
struct Expressions {
    span: Span,
}

impl Algebra for Expressions {
    type Number = Expr;

    fn constant(&mut self, value: f64) -> Expr {
        real(value, self.span)
    }

    fn negate(&mut self, a: Expr) -> Expr {
        negate(a)
    }

    fn binary(&mut self, op: Binary, a: Expr, b: Expr) -> Expr {
        use crate::Arithmetic as A;
        match op {
            Binary::Add => arithmetic(A::Add, a, b),
            Binary::Sub => arithmetic(A::Subtract, a, b),
            Binary::Mul if literal(&a) == Some(1.0) => b,
            Binary::Mul if literal(&b) == Some(1.0) => a,
            Binary::Mul => arithmetic(A::Multiply, a, b),
            Binary::Div => arithmetic(A::Divide, a, b),
            Binary::Pow => match literal(&b) {
                Some(0.0) => real(1.0, b.span),
                Some(1.0) => a,
                _ => arithmetic(A::Power, a, b),
            },
            Binary::Atan2 | Binary::Min | Binary::Max => unreachable!("no rule is made of {op:?}"),
        }
    }

    fn call(&mut self, f: Elementary, a: Expr) -> Expr {
        elementary(f, a)
    }
}

impl Arithmetic for Expressions {
    /// An exponent of the same type: `a^3` stays a power of a whole number.
    fn less_one(&mut self, exponent: Expr) -> Expr {
        let span = exponent.span;
        match exponent.kind {
            ExprKind::Integer(n) => integer(n - 1, span),
            ExprKind::Real(x) => real(x - 1.0, span),
            _ => arithmetic(crate::Arithmetic::Subtract, exponent, integer(1, span)),
        }
    }

    fn choose(&mut self, compared: Relation, [a, b]: [Expr; 2], x: Expr, y: Expr) -> Expr {
        choice(relation(compared, a, b), x, y)
    }

    fn except(
        &mut self,
        exception: Exception<Expr>,
        _: bool,
        otherwise: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        let slope = otherwise(self);
        let none = |span: Span| spread(real(0.0, span), &slope);
        match exception {
            Exception::NoExponent(exponent) if exponent.ty.is_scalar() && literal(&exponent).is_none() => {
                let span = exponent.span;
                let none = none(span);
                choice(relation(Relation::Equal, exponent, integer(0, span)), none, slope)
            }
            Exception::NoLogarithm(base) if base.ty.is_scalar() => {
                let span = base.span;
                let none = none(span);
                choice(relation(Relation::Greater, base, real(0.0, span)), slope, none)
            }
            Exception::NoExponent(_) | Exception::NoLogarithm(_) | Exception::Unchanged(_) => slope,
        }
    }
}

fn literal(e: &Expr) -> Option<f64> {
    match e.kind {
        ExprKind::Integer(n) => Some(n as f64),
        ExprKind::Real(x) => Some(x),
        _ => None,
    }
}
