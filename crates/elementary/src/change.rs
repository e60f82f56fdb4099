//! The rules of differentiation: directional derivatives of results from those of the operands.
//!
//! Written once for all kinds of arithmetic ([`Arithmetic`]): numbers, ranges, instructions, expressions of equations and of
//! functions. Constants have no derivative at all, instead of a zero that would be multiplied.

use crate::{Algebra, Binary, Elementary, Numbers, Relation};

/// Arithmetic that can be differentiated.
pub trait Arithmetic: Algebra {
    /// An exponent less one.
    fn less_one(&mut self, exponent: Self::Number) -> Self::Number {
        let one = self.constant(1.0);
        self.binary(Binary::Sub, exponent, one)
    }

    /// `x` if the relation holds between the sides, else `y`.
    fn choose(
        &mut self,
        relation: Relation,
        sides: [Self::Number; 2],
        x: Self::Number,
        y: Self::Number,
    ) -> Self::Number;

    /// Zero in an exceptional case, else the result of `otherwise`, which is evaluated in that case, too, unless it is
    /// `costly`. Algebras that cannot test the case always evaluate it.
    fn except(
        &mut self,
        exception: Exception<Self::Number>,
        costly: bool,
        otherwise: impl FnOnce(&mut Self) -> Self::Number,
    ) -> Self::Number;
}

/// Cases in which a factor of a derivative may have no value although the derivative is zero.
#[derive(Clone, Copy, Debug)]
pub enum Exception<N> {
    /// The argument does not change.
    Unchanged(N),
    /// The exponent of a power is zero: so is the slope, even where the base is zero.
    NoExponent(N),
    /// The base of a power is not above zero: there it has no logarithm.
    NoLogarithm(N),
}

impl Arithmetic for Numbers {
    #[inline(always)]
    fn choose(&mut self, relation: Relation, [a, b]: [f64; 2], x: f64, y: f64) -> f64 {
        if relation.holds(a, b) { x } else { y }
    }

    #[inline(always)]
    fn except(
        &mut self,
        exception: Exception<f64>,
        _: bool,
        otherwise: impl FnOnce(&mut Self) -> f64,
    ) -> f64 {
        match exception {
            Exception::Unchanged(0.0) => 0.0,
            _ => otherwise(self),
        }
    }
}

/// An operand: its value and its directional derivative; none for a constant.
pub type Moving<N> = (N, Option<N>);

fn sum<A: Arithmetic>(a: &mut A, one: Option<A::Number>, other: Option<A::Number>) -> Option<A::Number> {
    match (one, other) {
        (Some(one), Some(other)) => Some(a.binary(Binary::Add, one, other)),
        (one, other) => one.or(other),
    }
}

fn difference<A: Arithmetic>(
    a: &mut A,
    one: Option<A::Number>,
    other: Option<A::Number>,
) -> Option<A::Number> {
    match (one, other) {
        (Some(one), Some(other)) => Some(a.binary(Binary::Sub, one, other)),
        (one, None) => one,
        (None, Some(other)) => Some(a.negate(other)),
    }
}

/// The derivative of `op(x, y)`, whose value is `value`; none for constant operands.
pub fn change_of_binary<A: Arithmetic>(
    a: &mut A,
    op: Binary,
    value: A::Number,
    (x, dx): Moving<A::Number>,
    (y, dy): Moving<A::Number>,
) -> Option<A::Number> {
    if dx.is_none() && dy.is_none() {
        return None;
    }
    match op {
        Binary::Add => sum(a, dx, dy),
        Binary::Sub => difference(a, dx, dy),
        Binary::Mul => {
            let by_x = dx.map(|dx| a.binary(Binary::Mul, dx, y));
            let by_y = dy.map(|dy| a.binary(Binary::Mul, x, dy));
            sum(a, by_x, by_y)
        }
        Binary::Div => {
            // (dx - (x/y)*dy)/y
            let by_y = dy.map(|dy| a.binary(Binary::Mul, value, dy));
            let above = difference(a, dx, by_y)?;
            Some(a.binary(Binary::Div, above, y))
        }
        Binary::Pow => change_of_power(a, value, (x, dx), (y, dy)),
        Binary::Atan2 => {
            let by_x = dx.map(|dx| a.binary(Binary::Mul, dx, y.clone()));
            let by_y = dy.map(|dy| a.binary(Binary::Mul, x.clone(), dy));
            let (x2, y2) = (a.square(x), a.square(y));
            let above = difference(a, by_x, by_y)?;
            let below = a.binary(Binary::Add, x2, y2);
            Some(a.binary(Binary::Div, above, below))
        }
        Binary::Min | Binary::Max => {
            let [dx, dy] = [dx, dy].map(|change| change.unwrap_or_else(|| a.constant(0.0)));
            let wins = if op == Binary::Min { Relation::Less } else { Relation::Greater };
            Some(a.choose(wins, [y, x], dy, dx))
        }
    }
}

/// `y*x^(y - 1)*dx + x^y*log(x)*dy`; without logarithm if the exponent is constant, since the base may be negative.
fn change_of_power<A: Arithmetic>(
    a: &mut A,
    value: A::Number,
    (x, dx): Moving<A::Number>,
    (y, dy): Moving<A::Number>,
) -> Option<A::Number> {
    let by_base = dx.map(|dx| {
        a.except(Exception::Unchanged(dx.clone()), true, |a| {
            let slope = a.except(Exception::NoExponent(y.clone()), false, |a| {
                let exponent = a.less_one(y.clone());
                let power = a.binary(Binary::Pow, x.clone(), exponent);
                a.binary(Binary::Mul, y, power)
            });
            a.binary(Binary::Mul, slope, dx)
        })
    });
    let by_exponent = dy.map(|dy| {
        a.except(Exception::Unchanged(dy.clone()), true, |a| {
            let slope = a.except(Exception::NoLogarithm(x.clone()), false, |a| {
                let log = a.call(Elementary::Log, x);
                a.binary(Binary::Mul, value, log)
            });
            a.binary(Binary::Mul, slope, dy)
        })
    });
    sum(a, by_base, by_exponent)
}

/// The derivative of `f(x)`, whose value is `value`.
pub fn change_of_call<A: Arithmetic>(
    a: &mut A,
    f: Elementary,
    value: A::Number,
    (x, dx): Moving<A::Number>,
) -> Option<A::Number> {
    // a slope may be infinite at an argument that does not change: sqrt(0) of a constant
    dx.map(|dx| {
        a.except(Exception::Unchanged(dx.clone()), f.has_costly_derivative(), |a| {
            let slope = f.row().derivative.at(a, &x, &value);
            a.binary(Binary::Mul, slope, dx)
        })
    })
}
