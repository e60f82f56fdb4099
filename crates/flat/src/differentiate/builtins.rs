//! Derivatives of the functions of the language (MLS §3.7, §10.3).

use rhei_elementary::{Binary, Elementary};

use super::build::{call, choice, difference, divide, elementary, integer, multiply, real, relation, sum};
use super::expression::{Slope, real_like};
use super::function::Differentiation;
use super::rules::of_elementary;
use crate::{Builtin, Expr, ExprKind, Reduction, Relation};

impl Differentiation<'_> {
    pub(super) fn of_builtin(&mut self, builtin: Builtin, arguments: &[Expr], e: &Expr) -> Slope {
        use Builtin as B;
        match (builtin, arguments) {
            // piecewise constant functions have derivative zero
            (B::Integer | B::IntegerOf | B::Div, _)
            | (B::Zeros | B::Ones | B::Identity | B::Size | B::Ndims, _) => Ok(None),
            (B::Elementary(f), _) if f.has_steps() => Ok(None),
            (B::Elementary(f), [a]) => {
                let slope = self.derivative(a)?;
                Ok(slope.map(|slope| of_elementary(f, a, e, slope)))
            }
            (B::Atan2, [y, x]) => self.of_two(Binary::Atan2, y, x, e),
            (B::Min, [a, b]) => self.of_two(Binary::Min, a, b, e),
            (B::Max, [a, b]) => self.of_two(Binary::Max, a, b, e),
            // mod(x, y) = x - floor(x/y)*y, rem(x, y) = x - div(x, y)*y
            (B::Mod, [x, y]) => {
                self.of_remainder(x, y, elementary(Elementary::Floor, divide(x.clone(), y.clone())))
            }
            (B::Rem, [x, y]) => {
                self.of_remainder(x, y, call(B::Div, vec![x.clone(), y.clone()], e.ty.clone(), e.span))
            }
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
