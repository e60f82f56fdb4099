//! Small expressions over the argument of a function and its value there: derivatives, and expressions by other functions.
//!
//! A [`Formula`] is data. It is evaluated in an [`Algebra`]: numbers, ranges, power series, residues, expressions of equations or
//! of functions, instructions of a machine. Operands are evaluated from left to right, so that expressions are built in a fixed
//! order.

use crate::{Binary, Elementary};

/// An expression over the argument of a function and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Formula {
    /// The argument.
    X,
    /// The value of the function at the argument.
    Value,
    /// A number, exactly.
    Number(f64),
    /// A number that is not representable, by the nearest one.
    Nearest(f64),
    /// `-a`
    Negate(&'static Formula),
    /// `a*a`
    Square(&'static Formula),
    /// An operation with two operands.
    Binary(Binary, &'static Formula, &'static Formula),
    /// A function of one number.
    Call(Elementary, &'static Formula),
}

/// An algebra in which formulas are evaluated.
pub trait Algebra {
    /// The elements of the algebra.
    type Number: Clone;

    /// A number.
    fn constant(&mut self, value: f64) -> Self::Number;
    /// A number that is not representable, by the nearest one.
    fn nearest(&mut self, value: f64) -> Self::Number {
        self.constant(value)
    }
    /// `-a`
    fn negate(&mut self, a: Self::Number) -> Self::Number;
    /// `a*a`
    fn square(&mut self, a: Self::Number) -> Self::Number {
        self.binary(Binary::Mul, a.clone(), a)
    }
    /// An operation with two operands.
    fn binary(&mut self, op: Binary, a: Self::Number, b: Self::Number) -> Self::Number;
    /// `f(a)`
    fn call(&mut self, f: Elementary, a: Self::Number) -> Self::Number;
}

impl Formula {
    /// Its value at `x`, given that of the function.
    pub fn at<A: Algebra>(&self, algebra: &mut A, x: &A::Number, value: &A::Number) -> A::Number {
        match *self {
            Formula::X => x.clone(),
            Formula::Value => value.clone(),
            Formula::Number(number) => algebra.constant(number),
            Formula::Nearest(number) => algebra.nearest(number),
            Formula::Negate(a) => {
                let a = a.at(algebra, x, value);
                algebra.negate(a)
            }
            Formula::Square(a) => {
                let a = a.at(algebra, x, value);
                algebra.square(a)
            }
            Formula::Binary(op, a, b) => {
                let a = a.at(algebra, x, value);
                let b = b.at(algebra, x, value);
                algebra.binary(op, a, b)
            }
            Formula::Call(f, a) => {
                let a = a.at(algebra, x, value);
                algebra.call(f, a)
            }
        }
    }

    /// Whether any part of it satisfies a predicate.
    pub fn any(&self, is: &dyn Fn(&Formula) -> bool) -> bool {
        is(self)
            || match self {
                Formula::X | Formula::Value | Formula::Number(_) | Formula::Nearest(_) => false,
                Formula::Negate(a) | Formula::Square(a) | Formula::Call(_, a) => a.any(is),
                Formula::Binary(_, a, b) => a.any(is) || b.any(is),
            }
    }
}

/// Numbers themselves.
pub struct Numbers;

impl Algebra for Numbers {
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
    fn call(&mut self, f: Elementary, a: f64) -> f64 {
        f.value(a)
    }
}
