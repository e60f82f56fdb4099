//! Functions of one number, a row each.
//!
//! All values come from `libm`, so that constants folded by the compiler, the interpreters and machine code agree bit for bit, and on
//! every platform.

use std::f64::consts::{FRAC_PI_2, LN_10, PI};

use serde::{Deserialize, Serialize};

use crate::{
    Binary, Code, Course, Expansion, Formula, Interval, Outgrowing, Parity, ResultKind, Rounding, Row,
    UnitRule, Zeros,
};

macro_rules! elementary {
    ($($variant:ident $name:literal $value:expr, $row:expr;)*) => {
        /// Functions of one number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[allow(missing_docs)] // each is the function it is named for
        pub enum Elementary { $($variant),* }

        impl Elementary {
            /// All of them.
            pub const ALL: &[Elementary] = &[$(Elementary::$variant),*];

            /// Its name in Modelica.
            pub const fn name(self) -> &'static str {
                match self { $(Elementary::$variant => $name),* }
            }

            /// Its value.
            #[inline]
            pub fn value(self, x: f64) -> f64 {
                match self { $(Elementary::$variant => { let f: fn(f64) -> f64 = $value; f(x) }),* }
            }

            /// Its properties.
            pub const fn row(self) -> &'static Row {
                match self { $(Elementary::$variant => const { &$row }),* }
            }

            /// Its value, as machine code calls it.
            pub const fn entry(self) -> extern "C" fn(f64) -> f64 {
                match self {
                    $(Elementary::$variant => {
                        extern "C" fn entry(x: f64) -> f64 {
                            Elementary::$variant.value(x)
                        }
                        entry
                    })*
                }
            }
        }
    };
}

const X: &Formula = &Formula::X;
const VALUE: &Formula = &Formula::Value;
const ONE: &Formula = &Formula::Number(1.0);
const SQUARE: &Formula = &Formula::Square(X);
const ONE_PLUS_SQUARE: &Formula = &Formula::Binary(Binary::Add, ONE, SQUARE);
const ONE_LESS_SQUARE: &Formula = &Formula::Binary(Binary::Sub, ONE, SQUARE);
const ROOT_BELOW_ONE: &Formula = &Formula::Call(Elementary::Sqrt, ONE_LESS_SQUARE);
const ROOT_ABOVE_ONE: &Formula = &Formula::Call(Elementary::Sqrt, ONE_PLUS_SQUARE);
const TWICE: &Formula = &Formula::Binary(Binary::Add, X, X);

const fn quotient(above: &'static Formula, below: &'static Formula) -> Formula {
    Formula::Binary(Binary::Div, above, below)
}

/// The reciprocal of a formula.
const fn over(below: &'static Formula) -> Formula {
    quotient(ONE, below)
}

const fn call(f: Elementary) -> Formula {
    Formula::Call(f, X)
}

const SIGNS: Interval = Interval { low: -1.0, high: 1.0 };
const POSITIVE: Interval = Interval { low: 0.0, high: f64::INFINITY };
const QUARTER_TURNS: Interval = Interval { low: -FRAC_PI_2.next_up(), high: FRAC_PI_2.next_up() };

elementary! {
    Sin "sin" libm::sin, Row {
        derivative: call(Elementary::Cos),
        image: SIGNS,
        course: Course::Wave { crest: FRAC_PI_2 },
        of_half_argument: Some((Parity::Odd, quotient(TWICE, ONE_PLUS_SQUARE))),
        ..Row::SMOOTH
    };
    Cos "cos" libm::cos, Row {
        derivative: Formula::Negate(&call(Elementary::Sin)),
        image: SIGNS,
        course: Course::Wave { crest: 0.0 },
        of_half_argument: Some((Parity::Even, quotient(ONE_LESS_SQUARE, ONE_PLUS_SQUARE))),
        ..Row::SMOOTH
    };
    Tan "tan" libm::tan, Row {
        derivative: Formula::Binary(Binary::Add, ONE, &Formula::Square(VALUE)),
        course: Course::BetweenPoles { first: FRAC_PI_2, period: PI },
        of_half_argument: Some((Parity::Odd, quotient(TWICE, ONE_LESS_SQUARE))),
        ..Row::SMOOTH
    };
    Asin "asin" libm::asin, Row {
        derivative: over(ROOT_BELOW_ONE),
        domain: SIGNS,
        image: QUARTER_TURNS,
        zeros: Zeros::AtZero,
        unit: UnitRule::AngleOfNumber,
        ..Row::SMOOTH
    };
    Acos "acos" libm::acos, Row {
        derivative: Formula::Negate(&over(ROOT_BELOW_ONE)),
        domain: SIGNS,
        image: Interval { low: 0.0, high: PI.next_up() },
        course: Course::Falling,
        unit: UnitRule::AngleOfNumber,
        ..Row::SMOOTH
    };
    Atan "atan" libm::atan, Row {
        derivative: over(ONE_PLUS_SQUARE),
        image: QUARTER_TURNS,
        zeros: Zeros::AtZero,
        unit: UnitRule::AngleOfNumber,
        ..Row::SMOOTH
    };
    Sinh "sinh" libm::sinh, Row {
        derivative: call(Elementary::Cosh),
        zeros: Zeros::AtZero,
        outgrows: Outgrowing::OnBothSides,
        of_half_argument: Some((Parity::Odd, quotient(TWICE, ONE_LESS_SQUARE))),
        ..Row::SMOOTH
    };
    Cosh "cosh" libm::cosh, Row {
        derivative: call(Elementary::Sinh),
        image: Interval { low: 1.0, high: f64::INFINITY },
        zeros: Zeros::Nowhere,
        course: Course::Even,
        outgrows: Outgrowing::OnBothSides,
        of_half_argument: Some((Parity::Even, quotient(ONE_PLUS_SQUARE, ONE_LESS_SQUARE))),
        ..Row::SMOOTH
    };
    Asinh "asinh" libm::asinh, Row {
        in_language: false,
        derivative: over(ROOT_ABOVE_ONE),
        zeros: Zeros::AtZero,
        ..Row::SMOOTH
    };
    Tanh "tanh" libm::tanh, Row {
        derivative: Formula::Binary(Binary::Sub, ONE, &Formula::Square(VALUE)),
        image: SIGNS,
        zeros: Zeros::AtZero,
        of_half_argument: Some((Parity::Odd, quotient(TWICE, ONE_PLUS_SQUARE))),
        ..Row::SMOOTH
    };
    Exp "exp" libm::exp, Row {
        derivative: Formula::Value,
        image: POSITIVE,
        zeros: Zeros::Nowhere,
        outgrows: Outgrowing::Above,
        ..Row::SMOOTH
    };
    Log "log" libm::log, Row {
        derivative: over(X),
        domain: POSITIVE,
        poles: &[0.0],
        unit: UnitRule::NumberOfAnything,
        ..Row::SMOOTH
    };
    Log10 "log10" libm::log10, Row {
        derivative: over(&Formula::Binary(Binary::Mul, X, &Formula::Nearest(LN_10))),
        domain: POSITIVE,
        poles: &[0.0],
        unit: UnitRule::NumberOfAnything,
        ..Row::SMOOTH
    };
    Sqrt "sqrt" libm::sqrt, Row {
        derivative: quotient(&Formula::Number(0.5), VALUE),
        domain: POSITIVE,
        image: POSITIVE,
        zeros: Zeros::AtZero,
        expansion: Expansion::Root,
        unit: UnitRule::Root,
        code: Code::SquareRoot,
        ..Row::SMOOTH
    };
    Abs "abs" f64::abs, Row {
        result: ResultKind::OfArgument,
        derivative: call(Elementary::Sign),
        image: POSITIVE,
        course: Course::Even,
        is_exact: true,
        zeros: Zeros::AtZero,
        expansion: Expansion::Sides,
        unit: UnitRule::OfArgument,
        code: Code::Size,
        ..Row::SMOOTH
    };
    Floor "floor" libm::floor, Row { code: Code::Round(Rounding::Down), ..Row::ROUNDING };
    Ceil "ceil" libm::ceil, Row { code: Code::Round(Rounding::Up), ..Row::ROUNDING };
    Truncate "truncate" libm::trunc, Row {
        in_language: false,
        code: Code::Round(Rounding::ToZero),
        ..Row::ROUNDING
    };
    Sign "sign" |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 }, Row {
        result: ResultKind::Integer,
        image: SIGNS,
        zeros: Zeros::AtZero,
        unit: UnitRule::NumberOfAnything,
        code: Code::Sign,
        ..Row::ROUNDING
    };
}

impl Elementary {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Elementary> {
        Elementary::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// Its name in C's `math.h`, where it is there.
    pub fn name_in_c(self) -> Option<&'static str> {
        match self {
            Elementary::Abs => Some("fabs"), // C's `abs` is of an int
            Elementary::Truncate => Some("trunc"),
            Elementary::Sign => None,
            _ => Some(self.name()),
        }
    }

    /// The function of this name in C's `math.h`.
    pub fn named_in_c(name: &str) -> Option<Elementary> {
        Elementary::ALL.iter().copied().find(|f| f.name_in_c() == Some(name))
    }

    /// Those that a model can call by their names.
    pub fn of_language() -> impl Iterator<Item = Elementary> {
        Elementary::ALL.iter().copied().filter(|f| f.row().in_language)
    }
}
