//! Derivatives of the functions of the language (MLS §3.7, §10.3).

use super::build::{
    add, call, choice, difference, divide, elementary, integer, multiply, negate, real, relation, square,
    subtract, sum,
};
use super::expression::{Slope, real_like};
use super::function::Differentiation;
use crate::{Builtin, Expr, ExprKind, Reduction, Relation};

impl Differentiation<'_> {
    pub(super) fn of_builtin(&mut self, builtin: Builtin, arguments: &[Expr], e: &Expr) -> Slope {
        use Builtin as B;
        match (builtin, arguments) {
            // piecewise constant functions have derivative zero
            (B::Sign | B::Ceil | B::Floor | B::Integer | B::IntegerOf | B::Div, _)
            | (B::Zeros | B::Ones | B::Identity | B::Size | B::Ndims, _) => Ok(None),
            (_, [a]) if builtin.is_elementary() => {
                let Some(slope) = self.derivative(a)? else { return Ok(None) };
                Ok(of_elementary(builtin, a, e, slope))
            }
            (B::Atan2, [y, x]) => {
                let (dy, dx) = (self.derivative(y)?, self.derivative(x)?);
                let part = |slope: Option<Expr>, by: &Expr| slope.map(|slope| multiply(slope, by.clone()));
                let numerator = difference(part(dy, x), part(dx, y));
                let length = add(square(y.clone()), square(x.clone()));
                Ok(numerator.map(|numerator| divide(numerator, length)))
            }
            // mod(x, y) = x - floor(x/y)*y, rem(x, y) = x - div(x, y)*y
            (B::Mod, [x, y]) => self.of_remainder(x, y, elementary(B::Floor, divide(x.clone(), y.clone()))),
            (B::Rem, [x, y]) => {
                self.of_remainder(x, y, call(B::Div, vec![x.clone(), y.clone()], e.ty.clone(), e.span))
            }
            (B::Min, [a, b]) => self.of_extreme(Relation::Less, a, b),
            (B::Max, [a, b]) => self.of_extreme(Relation::Greater, a, b),
            (B::Min, [a]) => self.of_all_elements(Reduction::Min, a, e),
            (B::Max, [a]) => self.of_all_elements(Reduction::Max, a, e),
            (B::Product, [a]) => self.of_all_elements(Reduction::Product, a, e),
            (B::SemiLinear, [x, up, down]) => self.of_semi_linear(x, up, down),
            (B::Homotopy, [actual, ..]) => self.derivative(actual),
            (B::Smooth, [order, a]) => self.of_smooth(order, a, e),
            (B::OuterProduct | B::Cross, [a, b]) => {
                let (da, db) = (self.derivative(a)?, self.derivative(b)?);
                let of = |a: Expr, b: Expr| real_like(e, ExprKind::Call(builtin, vec![a, b]));
                Ok(sum(da.map(|da| of(da, b.clone())), db.map(|db| of(a.clone(), db))))
            }
            // linear in their first argument
            (
                B::NoEvent
                | B::Promote
                | B::ScalarOf
                | B::Vector
                | B::Matrix
                | B::Transpose
                | B::Diagonal
                | B::Symmetric
                | B::Skew
                | B::Sum
                | B::Fill,
                [a, rest @ ..],
            ) => {
                let slope = self.derivative(a)?;
                let with = |slope| std::iter::once(slope).chain(rest.iter().cloned()).collect();
                Ok(slope.map(|slope| real_like(e, ExprKind::Call(builtin, with(slope)))))
            }
            (B::Linspace, [from, to, n]) => {
                let (from, to) = (self.derivative_or_zero(from)?, self.derivative_or_zero(to)?);
                Ok(Some(real_like(e, ExprKind::Call(builtin, vec![from, to, n.clone()]))))
            }
            (B::Cat, [dimension, parts @ ..]) => {
                let mut slopes = vec![dimension.clone()];
                for part in parts {
                    slopes.push(self.derivative_or_zero(part)?);
                }
                Ok(Some(real_like(e, ExprKind::Call(builtin, slopes))))
            }
            (B::Array, elements) => {
                let slopes: Result<Vec<Expr>, _> =
                    elements.iter().map(|element| self.derivative_or_zero(element)).collect();
                Ok(Some(real_like(e, ExprKind::Array(slopes?))))
            }
            _ => self.refused(format!("`{}`", builtin.name()), e),
        }
    }

    fn of_remainder(&mut self, x: &Expr, y: &Expr, quotient: Expr) -> Slope {
        let (dx, dy) = (self.derivative(x)?, self.derivative(y)?);
        Ok(difference(dx, dy.map(|dy| multiply(quotient, dy))))
    }

    fn of_extreme(&mut self, taken: Relation, a: &Expr, b: &Expr) -> Slope {
        let (da, db) = (self.derivative_or_zero(a)?, self.derivative_or_zero(b)?);
        Ok(Some(choice(relation(taken, a.clone(), b.clone()), da, db)))
    }

    /// `semiLinear(x, up, down) = if x >= 0 then up*x else down*x` (MLS §3.7.4.5)
    fn of_semi_linear(&mut self, x: &Expr, up: &Expr, down: &Expr) -> Slope {
        let dx = self.derivative(x)?;
        let mut side = |slope: &Expr| {
            let change = self.derivative(slope)?;
            let by_flow = dx.clone().map(|dx| multiply(slope.clone(), dx));
            let by_slope = change.map(|change| multiply(change, x.clone()));
            Ok(sum(by_flow, by_slope).unwrap_or_else(|| real(0.0, x.span)))
        };
        let (up, down) = (side(up)?, side(down)?);
        let forward = relation(Relation::GreaterEqual, x.clone(), real(0.0, x.span));
        Ok(Some(choice(forward, up, down)))
    }

    /// The derivative of `smooth(p, e)` is `smooth(p - 1, der(e))`.
    fn of_smooth(&mut self, order: &Expr, a: &Expr, e: &Expr) -> Slope {
        let slope = self.derivative(a)?;
        let ExprKind::Integer(p) = order.kind else { return Ok(slope) };
        if p < 1 {
            return Ok(slope);
        }
        let with = |slope| ExprKind::Call(Builtin::Smooth, vec![integer(p - 1, order.span), slope]);
        Ok(slope.map(|slope| real_like(e, with(slope))))
    }
}

/// The derivative of a function of one number `a` with the value `e`.
fn of_elementary(builtin: Builtin, a: &Expr, e: &Expr, slope: Expr) -> Option<Expr> {
    use Builtin as B;
    let of = |builtin| elementary(builtin, a.clone());
    let one = || real(1.0, a.span);
    let below_one = || elementary(B::Sqrt, subtract(one(), square(a.clone())));
    Some(match builtin {
        B::Sin => multiply(of(B::Cos), slope),
        B::Cos => multiply(negate(of(B::Sin)), slope),
        B::Tan => multiply(add(one(), square(e.clone())), slope),
        B::Asin => divide(slope, below_one()),
        B::Acos => negate(divide(slope, below_one())),
        B::Atan => divide(slope, add(one(), square(a.clone()))),
        B::Sinh => multiply(of(B::Cosh), slope),
        B::Cosh => multiply(of(B::Sinh), slope),
        B::Tanh => multiply(subtract(one(), square(e.clone())), slope),
        B::Exp => multiply(e.clone(), slope),
        B::Log => divide(slope, a.clone()),
        B::Log10 => divide(slope, multiply(a.clone(), real(std::f64::consts::LN_10, a.span))),
        B::Sqrt => divide(slope, multiply(real(2.0, a.span), e.clone())),
        B::Abs => multiply(of(B::Sign), slope),
        _ => return None,
    })
}
