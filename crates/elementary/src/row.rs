//! The properties of a function in the table.

use crate::{Elementary, Formula};

/// The properties of a function of one number, beside its name and its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Whether a model can call it by its name; what C's `math.h` has is reached by an `external` clause, too.
    pub in_language: bool,
    /// The type of its value.
    pub result: ResultKind,
    /// Its derivative; zero between steps.
    pub derivative: Formula,
    /// The interval in which it has a value.
    pub domain: Interval,
    /// An interval of all its values.
    pub image: Interval,
    /// Arguments in its domain at which it has no finite value.
    pub poles: &'static [f64],
    /// Its monotonicity.
    pub course: Course,
    /// Whether its values are exact, without rounding.
    pub is_exact: bool,
    /// Its zeros.
    pub zeros: Zeros,
    /// Its expansion in a power series.
    pub expansion: Expansion,
    /// The sides on which it overflows, as exponentials do.
    pub outgrows: Outgrowing,
    /// Its form in a finite field: a function of one further unknown `t` ([`Formula::X`]), the same for all functions of an
    /// argument, so that identities between them (`sin² + cos² = 1`) hold there, too.
    pub of_half_argument: Option<(Parity, Formula)>,
    /// The unit of its value.
    pub unit: UnitRule,
    /// Its machine code.
    pub code: Code,
}

/// Numbers from one to another, both among them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // its ends
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// All numbers.
    pub const ALL: Interval = Interval { low: f64::NEG_INFINITY, high: f64::INFINITY };
}

/// The type of the value of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultKind {
    /// A Real.
    Real,
    /// That of its argument.
    OfArgument,
    /// An Integer.
    Integer,
}

/// The monotonicity of a function over its domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// They never fall.
    Rising,
    /// They never rise.
    Falling,
    /// They depend on the magnitude of the argument, and never fall with it.
    Even,
    /// They oscillate between -1 and 1 with the period 2π.
    Wave {
        /// An argument at which it is 1.
        crest: f64,
    },
    /// They rise from one pole to the next.
    BetweenPoles {
        /// A pole.
        first: f64,
        /// The distance of adjacent poles.
        period: f64,
    },
    /// They are piecewise constant, and rise in steps.
    Steps,
}

/// The zeros of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zeros {
    /// Unknown.
    Somewhere,
    /// At zero, and nowhere else.
    AtZero,
    /// Nowhere.
    Nowhere,
}

/// The expansion of a function in a power series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expansion {
    /// By its derivative.
    ByDerivative,
    /// As the series whose square is that of the argument.
    Root,
    /// As its argument, or the negative of it; not at all beside zero.
    Sides,
    /// Not at all: it jumps.
    Nowhere,
}

/// The sides on which a function overflows, as exponentials do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outgrowing {
    /// Nowhere.
    Nowhere,
    /// For large arguments.
    Above,
    /// For large arguments of either sign.
    OnBothSides,
}

/// The parity of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parity {
    /// The sign of the argument has no effect.
    Even,
    /// The sign of the argument is that of the value.
    Odd,
}

/// The unit of the value of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitRule {
    /// A number without unit, of such a number or of an angle.
    NumberOfNumber,
    /// An angle, of a number without unit.
    AngleOfNumber,
    /// A number without unit, of anything: the logarithm of a quantity is that of a ratio to one of its unit.
    NumberOfAnything,
    /// That of the argument.
    OfArgument,
    /// Its root.
    Root,
}

/// The machine code of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// By calling it.
    Call,
    /// By an instruction for square roots.
    SquareRoot,
    /// By an instruction for absolute values.
    Size,
    /// By two comparisons.
    Sign,
    /// By an instruction that rounds, where there is one.
    Round(Rounding),
}

/// The direction of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// The largest that is not above.
    Down,
    /// The least that is not below.
    Up,
    /// The next towards zero.
    ToZero,
}

impl Row {
    /// A function that is smooth wherever it has a value, rises, and is computed by a call: the common case.
    pub(crate) const SMOOTH: Row = Row {
        in_language: true,
        result: ResultKind::Real,
        derivative: Formula::Number(0.0),
        domain: Interval::ALL,
        image: Interval::ALL,
        poles: &[],
        course: Course::Rising,
        is_exact: false,
        zeros: Zeros::Somewhere,
        expansion: Expansion::ByDerivative,
        outgrows: Outgrowing::Nowhere,
        of_half_argument: None,
        unit: UnitRule::NumberOfNumber,
        code: Code::Call,
    };

    /// A function that rounds.
    pub(crate) const ROUNDING: Row = Row {
        course: Course::Steps,
        is_exact: true,
        expansion: Expansion::Nowhere,
        unit: UnitRule::OfArgument,
        ..Row::SMOOTH
    };
}

impl Elementary {
    /// Whether its values change in steps.
    pub fn has_steps(self) -> bool {
        self.row().course == Course::Steps
    }

    /// Whether it has steps and is zero at zero alone: it switches there from one sign to the other.
    pub fn has_step_at_zero(self) -> bool {
        self.has_steps() && self.row().zeros == Zeros::AtZero
    }

    /// Whether it has no finite value there.
    pub fn has_pole_at(self, x: f64) -> bool {
        self.row().poles.contains(&x)
    }

    /// Whether a machine calls a function among those its derivative is made of.
    pub(crate) const fn has_costly_derivative(self) -> bool {
        COSTLY[self as usize]
    }
}

/// Whether a machine calls a function in the derivative, by function.
const COSTLY: [bool; Elementary::ALL.len()] = {
    let mut costly = [false; Elementary::ALL.len()];
    let mut place = 0;
    while place < costly.len() {
        costly[place] = has_call(&Elementary::ALL[place].row().derivative);
        place += 1;
    }
    costly
};

const fn has_call(formula: &Formula) -> bool {
    match formula {
        Formula::X | Formula::Value | Formula::Number(_) | Formula::Nearest(_) => false,
        Formula::Negate(a) | Formula::Square(a) => has_call(a),
        Formula::Binary(_, a, b) => has_call(a) || has_call(b),
        Formula::Call(f, a) => matches!(f.row().code, Code::Call) || has_call(a),
    }
}
