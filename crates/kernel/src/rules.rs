//! How the values and the changes of operations follow from those of their operands.
//!
//! Written once for numbers and for instructions that compute numbers ([`Arithmetic`]), so that the interpreter and machine code
//! do the same operations in the same order. The rules are those of
//! [`Pool::differentiate`](rhei_equations::Pool::differentiate).

use rhei_equations::{Binary, Elementary};

/// What the rules are made of.
pub(crate) trait Arithmetic {
    /// A number, or where it will be.
    type Number: Copy;

    fn constant(&mut self, value: f64) -> Self::Number;
    fn negate(&mut self, a: Self::Number) -> Self::Number;
    /// Any operation with two operands.
    fn binary(&mut self, op: Binary, a: Self::Number, b: Self::Number) -> Self::Number;
    /// An exponent less one.
    fn less_one(&mut self, a: Self::Number) -> Self::Number;
    fn call(&mut self, function: Elementary, a: Self::Number) -> Self::Number;
    /// `x` or `y`, as `a < b` or not.
    fn where_less(
        &mut self,
        a: Self::Number,
        b: Self::Number,
        x: Self::Number,
        y: Self::Number,
    ) -> Self::Number;
    /// Zero where `a` is zero, else what `otherwise` computes; if that is `costly`, only then.
    fn unless_zero(
        &mut self,
        a: Self::Number,
        costly: bool,
        otherwise: impl FnOnce(&mut Self) -> Self::Number,
    ) -> Self::Number;
}

/// Numbers themselves.
pub(crate) struct Numbers;

impl Arithmetic for Numbers {
    type Number = f64;

    #[inline(always)]
    fn constant(&mut self, value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn negate(&mut self, a: f64) -> f64 {
        -a
    }

    #[inline(always)]
    fn binary(&mut self, op: Binary, a: f64, b: f64) -> f64 {
        op.value(a, b)
    }

    #[inline(always)]
    fn less_one(&mut self, a: f64) -> f64 {
        a - 1.0
    }

    #[inline(always)]
    fn call(&mut self, function: Elementary, a: f64) -> f64 {
        function.value(a)
    }

    #[inline(always)]
    fn where_less(&mut self, a: f64, b: f64, x: f64, y: f64) -> f64 {
        if a < b { x } else { y }
    }

    #[inline(always)]
    fn unless_zero(&mut self, a: f64, _: bool, otherwise: impl FnOnce(&mut Self) -> f64) -> f64 {
        if a == 0.0 { 0.0 } else { otherwise(self) }
    }
}

/// An operand: its value and its change; none where it never changes.
pub(crate) type Moving<N> = (N, Option<N>);

/// The change of `op(x, y)`, whose value is `value`; none where nothing changes.
pub(crate) fn change_of_binary<A: Arithmetic>(
    a: &mut A,
    op: Binary,
    value: A::Number,
    (x, dx): Moving<A::Number>,
    (y, dy): Moving<A::Number>,
) -> Option<A::Number> {
    if dx.is_none() && dy.is_none() {
        return None;
    }
    Some(match op {
        Binary::Add => match (dx, dy) {
            (Some(dx), Some(dy)) => a.binary(Binary::Add, dx, dy),
            (one, other) => one.or(other)?,
        },
        Binary::Sub => match (dx, dy) {
            (Some(dx), Some(dy)) => a.binary(Binary::Sub, dx, dy),
            (Some(dx), None) => dx,
            (None, dy) => a.negate(dy?),
        },
        Binary::Mul => {
            let by_x = dx.map(|dx| a.binary(Binary::Mul, dx, y));
            let by_y = dy.map(|dy| a.binary(Binary::Mul, x, dy));
            match (by_x, by_y) {
                (Some(by_x), Some(by_y)) => a.binary(Binary::Add, by_x, by_y),
                (one, other) => one.or(other)?,
            }
        }
        Binary::Div => {
            let by_y = dy.map(|dy| a.binary(Binary::Mul, value, dy));
            let above = match (dx, by_y) {
                (Some(dx), Some(by_y)) => a.binary(Binary::Sub, dx, by_y),
                (Some(dx), None) => dx,
                (None, by_y) => a.negate(by_y?),
            };
            a.binary(Binary::Div, above, y)
        }
        Binary::Pow => {
            // zero where nothing changes: the factor may have no value there
            let by_base = dx.map(|dx| {
                a.unless_zero(dx, true, |a| {
                    let exponent = a.less_one(y);
                    let power = a.binary(Binary::Pow, x, exponent);
                    let slope = a.binary(Binary::Mul, y, power);
                    a.binary(Binary::Mul, slope, dx)
                })
            });
            let by_exponent = dy.map(|dy| {
                a.unless_zero(dy, true, |a| {
                    let log = a.call(Elementary::Log, x);
                    let slope = a.binary(Binary::Mul, value, log);
                    a.binary(Binary::Mul, slope, dy)
                })
            });
            match (by_base, by_exponent) {
                (Some(by_base), Some(by_exponent)) => a.binary(Binary::Add, by_base, by_exponent),
                (one, other) => one.or(other)?,
            }
        }
        Binary::Atan2 => {
            let [dx, dy] = [dx, dy].map(|d| d.unwrap_or_else(|| a.constant(0.0)));
            let (left, right) = (a.binary(Binary::Mul, dx, y), a.binary(Binary::Mul, x, dy));
            let above = a.binary(Binary::Sub, left, right);
            let (x2, y2) = (a.binary(Binary::Mul, x, x), a.binary(Binary::Mul, y, y));
            let below = a.binary(Binary::Add, x2, y2);
            a.binary(Binary::Div, above, below)
        }
        Binary::Min | Binary::Max => {
            let [dx, dy] = [dx, dy].map(|d| d.unwrap_or_else(|| a.constant(0.0)));
            match op {
                Binary::Min => a.where_less(y, x, dy, dx),
                _ => a.where_less(x, y, dy, dx),
            }
        }
    })
}

/// The change of `f(x)`, whose value is `fx`.
pub(crate) fn change_of_call<A: Arithmetic>(
    a: &mut A,
    f: Elementary,
    fx: A::Number,
    (x, dx): Moving<A::Number>,
) -> Option<A::Number> {
    use Elementary as E;
    let costly = matches!(f, E::Sin | E::Cos | E::Sinh | E::Cosh);
    // a slope may be infinite where nothing changes: sqrt(0) of a constant
    dx.map(|dx| {
        a.unless_zero(dx, costly, |a| {
            let slope = slope(a, f, x, fx);
            a.binary(Binary::Mul, slope, dx)
        })
    })
}

/// The derivative of `f` at `x`; `fx` is `f(x)`.
fn slope<A: Arithmetic>(a: &mut A, f: Elementary, x: A::Number, fx: A::Number) -> A::Number {
    use Binary::{Add, Div, Mul, Sub};
    use Elementary as E;
    let one = a.constant(1.0);
    match f {
        E::Sin => a.call(E::Cos, x),
        E::Cos => {
            let sin = a.call(E::Sin, x);
            a.negate(sin)
        }
        E::Tan => {
            let square = a.binary(Mul, fx, fx);
            a.binary(Add, one, square)
        }
        E::Asin | E::Acos => {
            let square = a.binary(Mul, x, x);
            let rest = a.binary(Sub, one, square);
            let root = a.call(E::Sqrt, rest);
            let above = if f == E::Asin { one } else { a.constant(-1.0) };
            a.binary(Div, above, root)
        }
        E::Atan => {
            let square = a.binary(Mul, x, x);
            let below = a.binary(Add, one, square);
            a.binary(Div, one, below)
        }
        E::Sinh => a.call(E::Cosh, x),
        E::Cosh => a.call(E::Sinh, x),
        E::Tanh => {
            let square = a.binary(Mul, fx, fx);
            a.binary(Sub, one, square)
        }
        E::Exp => fx,
        E::Log => a.binary(Div, one, x),
        E::Log10 => {
            let ln10 = a.constant(std::f64::consts::LN_10);
            let below = a.binary(Mul, x, ln10);
            a.binary(Div, one, below)
        }
        E::Sqrt => {
            let half = a.constant(0.5);
            a.binary(Div, half, fx)
        }
        E::Abs => a.call(E::Sign, x),
        E::Sign | E::Floor | E::Ceil | E::Truncate => a.constant(0.0),
    }
}

/// Exponents whose power is multiplied out the same way wherever it is computed: whole, and known.
pub(crate) fn is_multiplied_out(exponent: f64) -> bool {
    exponent.abs() <= 16.0 && exponent == exponent.trunc()
}

/// `a^b` for an exponent that [`is_multiplied_out`], in the order of operations of [`power`](rhei_equations::power).
pub(crate) fn multiply_out<A: Arithmetic>(a: &mut A, base: A::Number, exponent: f64) -> A::Number {
    debug_assert!(is_multiplied_out(exponent));
    let mut left = exponent.abs() as u32;
    let mut square = base;
    let mut product: Option<A::Number> = None;
    while left > 0 {
        if left & 1 == 1 {
            // one times something is that something
            product = Some(product.map_or(square, |product| a.binary(Binary::Mul, product, square)));
        }
        left >>= 1;
        if left > 0 {
            square = a.binary(Binary::Mul, square, square);
        }
    }
    let one = a.constant(1.0);
    match product {
        Some(product) if exponent < 0.0 => a.binary(Binary::Div, one, product),
        Some(product) => product,
        None => one,
    }
}

#[cfg(test)]
mod tests {
    use rhei_equations::power;

    use super::*;

    #[test]
    fn powers_are_multiplied_out_alike() {
        for exponent in -17..=17 {
            let exponent = f64::from(exponent);
            for base in [1.1, -0.3, 7e9, 0.0, -0.0] {
                if is_multiplied_out(exponent) {
                    let here = multiply_out(&mut Numbers, base, exponent);
                    assert_eq!(here.to_bits(), power(base, exponent).to_bits(), "{base}^{exponent}");
                }
            }
        }
        assert!(!is_multiplied_out(0.5) && !is_multiplied_out(17.0));
    }
}
