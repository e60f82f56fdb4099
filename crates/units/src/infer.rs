//! The unit of an expression, found from the units of the variables in it.

use rhei_elementary::{Elementary, UnitRule};
use rhei_flat::{Arithmetic, Builtin, Expr, ExprKind, Reduction, VarId};
use rhei_source::Span;

use Inferred::{Known, Loose, Unknown};

use crate::mismatch::{Between, Measured, Mismatch};
use crate::{Agreement, Rational, Unit};

/// Unit of an expression, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Inferred {
    /// Any unit may be meant.
    Unknown,
    /// This unit in a product with a known one, but any unit alone: `v = sin(time)` leaves out a factor of 1 V and one of
    /// 1/s, and a warning would be no help.
    Loose(Unit),
    /// This unit.
    Known(Unit),
}

/// Finds units, and the first two that do not go together.
pub(crate) struct Inference<'a> {
    /// The units of variables that have one, by [`VarId`].
    units: &'a [Option<&'a Unit>],
    /// The first mismatch since it was last taken.
    pub mismatch: Option<Mismatch>,
}

impl<'a> Inference<'a> {
    pub(crate) fn new(units: &'a [Option<&'a Unit>]) -> Self {
        Inference { units, mismatch: None }
    }

    /// Unit of a variable, as far as it is known.
    pub(crate) fn variable(&self, v: VarId) -> Inferred {
        self.units[v.index()].map_or(Unknown, |unit| Known(unit.clone()))
    }

    /// Unit of an expression, as far as it is known; mistakes in it are noted.
    pub(crate) fn expression(&mut self, e: &Expr) -> Inferred {
        match &e.kind {
            ExprKind::Time => Loose(second()),
            ExprKind::Variable(v, _) => {
                self.all(e.parts());
                self.variable(*v)
            }
            ExprKind::Negate(a) => self.expression(a),
            ExprKind::Index(a, _) => {
                self.all(e.parts().into_iter().skip(1));
                self.expression(a)
            }
            ExprKind::Arithmetic(op, a, b) => self.arithmetic(*op, a, b),
            ExprKind::MatrixProduct(a, b) => product(self.expression(a), self.expression(b)),
            ExprKind::Relation(_, a, b) => {
                self.joined(Between::Comparison, a, b);
                Unknown
            }
            ExprKind::If(condition, a, b) => {
                self.expression(condition);
                self.joined(Between::Branches, a, b)
            }
            ExprKind::Call(function, arguments) => self.call(*function, arguments),
            ExprKind::Array(elements) => self.array(elements),
            ExprKind::Comprehension(body, iterations) => {
                self.all(iterations.iter().map(|iteration| &*iteration.range));
                self.expression(body)
            }
            ExprKind::Reduction(reduction, body, iterations) => {
                self.all(iterations.iter().map(|iteration| &*iteration.range));
                let unit = self.expression(body);
                if *reduction == Reduction::Product { Unknown } else { unit }
            }
            // numbers; functions, records and powers of matrices, of whose parts no units are known
            _ => {
                self.all(e.parts());
                Unknown
            }
        }
    }

    /// Looks for mistakes only.
    pub(crate) fn all<'e>(&mut self, expressions: impl IntoIterator<Item = &'e Expr>) {
        for e in expressions {
            self.expression(e);
        }
    }

    /// Looks at two expressions that want the same unit; arrays that are written out element by element.
    pub(crate) fn equal(&mut self, between: Between, a: &Expr, b: &Expr) {
        match (&a.kind, &b.kind) {
            (ExprKind::Array(xs), ExprKind::Array(ys)) if xs.len() == ys.len() => {
                for (x, y) in xs.iter().zip(ys) {
                    self.equal(between.clone(), x, y);
                }
            }
            _ => {
                self.joined(between, a, b);
            }
        }
    }

    /// The unit of two expressions that want the same one.
    fn joined(&mut self, between: Between, a: &Expr, b: &Expr) -> Inferred {
        let units = [self.expression(a), self.expression(b)];
        self.join(between, a.span, b.span, units)
    }

    /// The common unit of the expressions at these places.
    pub(crate) fn join(&mut self, between: Between, a: Span, b: Span, units: [Inferred; 2]) -> Inferred {
        match units {
            [Known(first), Known(second)] if first.agreement(&second) == Agreement::Same => Known(first),
            [Known(first), Known(second)] => {
                let first = Measured { span: a, unit: first };
                self.note(between, first, Measured { span: b, unit: second })
            }
            [Known(unit), _] | [_, Known(unit)] => Known(unit),
            [Loose(first), Loose(second)] if first.agreement(&second) == Agreement::Same => Loose(first),
            _ => Unknown,
        }
    }

    /// Notes a mismatch; the expression around it may have any unit, so that it is reported once.
    fn note(&mut self, between: Between, first: Measured, second: Measured) -> Inferred {
        self.mismatch.get_or_insert(Mismatch { between, first, second });
        Unknown
    }

    fn arithmetic(&mut self, op: Arithmetic, a: &Expr, b: &Expr) -> Inferred {
        let units = [self.expression(a), self.expression(b)];
        match op {
            Arithmetic::Add | Arithmetic::Subtract => self.sum(a.span, b.span, units),
            Arithmetic::Multiply => units.into_iter().reduce(product).expect("there are two"),
            Arithmetic::Divide => units.into_iter().reduce(quotient).expect("there are two"),
            Arithmetic::Power => {
                let [base, _] = units;
                power(base, number(b).and_then(Rational::near))
            }
        }
    }

    /// Temperatures are not like other quantities: their differences have no zero, and a number added to one often changes
    /// its zero (`T - 273.15`). The result of such a sum is compared with nothing.
    fn sum(&mut self, a: Span, b: Span, units: [Inferred; 2]) -> Inferred {
        match units {
            [Known(first), Known(second)]
                if (first.offset() != 0.0 || second.offset() != 0.0) && first.same_dimension(&second) =>
            {
                Loose(first)
            }
            [Known(unit), Unknown] | [Unknown, Known(unit)] if unit.same_dimension(&kelvin()) => Loose(unit),
            units => self.join(Between::Terms, a, b, units),
        }
    }

    fn call(&mut self, function: Builtin, arguments: &[Expr]) -> Inferred {
        use Builtin as B;
        match (function, arguments) {
            (B::Elementary(f), [argument]) => self.elementary(f, argument),
            (B::Atan2, [y, x]) => {
                self.joined(Between::Arguments(function), y, x);
                Loose(radian())
            }
            (B::Der, [a]) => quotient(self.expression(a), Loose(second())),
            (B::Div, [a, b]) => quotient(self.expression(a), self.expression(b)),
            (B::OuterProduct | B::Cross, [a, b]) => product(self.expression(a), self.expression(b)),
            (B::Mod | B::Rem | B::Min | B::Max | B::Homotopy | B::Reinit, [a, b]) => {
                self.joined(Between::Arguments(function), a, b)
            }
            (B::Linspace, [first, last, n]) => {
                self.expression(n);
                self.joined(Between::Arguments(function), first, last)
            }
            (B::SemiLinear, [x, positive, negative]) => {
                let slope = self.joined(Between::Arguments(function), positive, negative);
                product(self.expression(x), slope)
            }
            (B::Smooth, [order, a]) => {
                self.expression(order);
                self.expression(a)
            }
            (B::Interval | B::TimeInState, _) => {
                self.all(arguments);
                Loose(second())
            }
            (function, [first, rest @ ..]) if keeps_unit(function) => {
                self.all(rest);
                self.expression(first)
            }
            _ => {
                self.all(arguments);
                Unknown
            }
        }
    }

    fn elementary(&mut self, f: Elementary, argument: &Expr) -> Inferred {
        let function = Builtin::Elementary(f);
        match f.row().unit {
            UnitRule::NumberOfNumber => {
                self.pure_number(function, argument);
                Loose(Unit::one())
            }
            UnitRule::AngleOfNumber => {
                self.pure_number(function, argument);
                Loose(radian())
            }
            UnitRule::NumberOfAnything => {
                self.expression(argument);
                Loose(Unit::one())
            }
            UnitRule::OfArgument => self.expression(argument),
            UnitRule::Root => power(self.expression(argument), Rational::new(1, 2)),
        }
    }

    /// Looks at the argument of a function that is defined for pure numbers and angles only.
    fn pure_number(&mut self, function: Builtin, argument: &Expr) {
        if let Known(unit) = self.expression(argument)
            && unit.agreement(&Unit::one()) != Agreement::Same
        {
            let number = Measured { span: argument.span, unit: Unit::one() };
            self.note(Between::Number(function), Measured { span: argument.span, unit }, number);
        }
    }

    /// The elements of an array may have different units, as those of a state vector do; zeros have any.
    fn array(&mut self, elements: &[Expr]) -> Inferred {
        let mut common: Option<Unit> = None;
        let mut is_common = true;
        for element in elements {
            match (self.expression(element), &common) {
                (Known(unit), None) => common = Some(unit),
                (Known(unit), Some(common)) => is_common &= unit.agreement(common) == Agreement::Same,
                _ => is_common &= number(element) == Some(0.0),
            }
        }
        common.filter(|_| is_common).map_or(Unknown, Known)
    }
}

/// Whether the result of a function has the unit of its first argument.
fn keeps_unit(function: Builtin) -> bool {
    use Builtin as B;
    matches!(
        function,
        B::Delay
            | B::InStream
            | B::ActualStream
            | B::NoEvent
            | B::Pre
            | B::ScalarOf
            | B::Vector
            | B::Matrix
            | B::Promote
            | B::Diagonal
            | B::Fill
            | B::Min
            | B::Max
            | B::Sum
            | B::Transpose
            | B::Symmetric
            | B::Skew
            | B::Previous
            | B::Hold
            | B::SubSample
            | B::SuperSample
            | B::ShiftSample
            | B::BackSample
            | B::NoClock
    )
}

fn product(a: Inferred, b: Inferred) -> Inferred {
    combined(a, b, Unit::multiply)
}

fn quotient(a: Inferred, b: Inferred) -> Inferred {
    combined(a, b, Unit::divide)
}

fn combined(a: Inferred, b: Inferred, combine: impl Fn(&Unit, &Unit) -> Option<Unit>) -> Inferred {
    match (a, b) {
        (Unknown, _) | (_, Unknown) => Unknown,
        (Loose(a), Loose(b)) => combine(&a, &b).map_or(Unknown, Loose),
        (Known(a) | Loose(a), Known(b) | Loose(b)) => combine(&a, &b).map_or(Unknown, Known),
    }
}

/// A power by an exponent, if that is known.
fn power(base: Inferred, exponent: Option<Rational>) -> Inferred {
    match (base, exponent) {
        (Known(unit), Some(exponent)) => unit.power(exponent).map_or(Unknown, Known),
        (Loose(unit), Some(exponent)) => unit.power(exponent).map_or(Unknown, Loose),
        // any power of a number is a number
        (Known(unit) | Loose(unit), None) if unit.agreement(&Unit::one()) == Agreement::Same => {
            Loose(Unit::one())
        }
        _ => Unknown,
    }
}

/// The value of an expression of numbers alone.
fn number(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Real(value) => Some(*value),
        ExprKind::Integer(value) => Some(*value as f64),
        ExprKind::Negate(a) => number(a).map(|value| -value),
        ExprKind::Arithmetic(op, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
            Some(match op {
                Arithmetic::Add => a + b,
                Arithmetic::Subtract => a - b,
                Arithmetic::Multiply => a * b,
                Arithmetic::Divide => a / b,
                Arithmetic::Power => a.powf(b),
            })
        }
        _ => None,
    }
}

fn named(name: &str) -> Unit {
    Unit::parse(name).expect("a unit of SI")
}

fn second() -> Unit {
    named("s")
}

fn kelvin() -> Unit {
    named("K")
}

fn radian() -> Unit {
    named("rad")
}
