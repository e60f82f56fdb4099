//! The operations that expressions are made of, with their values.
//!
//! All elementary functions come from `libm`, so that constants folded here, the interpreter and machine code agree bit
//! for bit, and on every platform.

/// Arithmetic with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a*b`
    Mul,
    /// `a/b`
    Div,
    /// `a^b`
    Pow,
    /// `atan2(a, b)`
    Atan2,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
}

impl Binary {
    /// Its value.
    pub fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Binary::Add => a + b,
            Binary::Sub => a - b,
            Binary::Mul => a * b,
            Binary::Div => a / b,
            Binary::Pow => power(a, b),
            Binary::Atan2 => libm::atan2(a, b),
            Binary::Min => {
                if b < a {
                    b
                } else {
                    a
                }
            }
            Binary::Max => {
                if b > a {
                    b
                } else {
                    a
                }
            }
        }
    }
}

/// Largest exponent that is multiplied out; beyond it rounding errors of the products exceed those of `pow`.
const MULTIPLIED_OUT: f64 = 16.0;

/// `a^b`: small whole exponents are multiplied out, everything else is `libm`'s.
pub fn power(a: f64, b: f64) -> f64 {
    if b.abs() > MULTIPLIED_OUT || b != b.trunc() {
        return libm::pow(a, b);
    }
    let mut product = 1.0;
    let (mut square, mut left) = (a, b.abs() as u32);
    while left > 0 {
        if left & 1 == 1 {
            product *= square;
        }
        square *= square;
        left >>= 1;
    }
    if b < 0.0 { 1.0 / product } else { product }
}

/// Comparisons; their value is 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEqual,
    /// `a == b`
    Equal,
    /// `a <> b`
    NotEqual,
}

impl Relation {
    /// All of them.
    pub const ALL: [Relation; 6] = [
        Relation::Less,
        Relation::LessEqual,
        Relation::Greater,
        Relation::GreaterEqual,
        Relation::Equal,
        Relation::NotEqual,
    ];

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "<>",
        }
    }

    /// Whether it holds.
    pub fn holds(self, a: f64, b: f64) -> bool {
        match self {
            Relation::Less => a < b,
            Relation::LessEqual => a <= b,
            Relation::Greater => a > b,
            Relation::GreaterEqual => a >= b,
            Relation::Equal => a == b,
            Relation::NotEqual => a != b,
        }
    }
}

macro_rules! elementary {
    ($($variant:ident $name:literal $value:expr;)*) => {
        /// Functions of one number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)] // each is the function it is named for
        pub enum Elementary { $($variant),* }

        impl Elementary {
            /// All of them.
            pub const ALL: &[Elementary] = &[$(Elementary::$variant),*];

            /// Its name in Modelica.
            pub fn name(self) -> &'static str {
                match self { $(Elementary::$variant => $name),* }
            }

            /// Its value.
            pub fn value(self, x: f64) -> f64 {
                match self { $(Elementary::$variant => { let f: fn(f64) -> f64 = $value; f(x) }),* }
            }
        }
    };
}

elementary! {
    Sin "sin" libm::sin;
    Cos "cos" libm::cos;
    Tan "tan" libm::tan;
    Asin "asin" libm::asin;
    Acos "acos" libm::acos;
    Atan "atan" libm::atan;
    Sinh "sinh" libm::sinh;
    Cosh "cosh" libm::cosh;
    Tanh "tanh" libm::tanh;
    Exp "exp" libm::exp;
    Log "log" libm::log;
    Log10 "log10" libm::log10;
    Sqrt "sqrt" libm::sqrt;
    Abs "abs" f64::abs;
    Floor "floor" libm::floor;
    Ceil "ceil" libm::ceil;
    Truncate "truncate" libm::trunc;
    Sign "sign" |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 };
}

impl Elementary {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Elementary> {
        Elementary::ALL.iter().copied().find(|f| f.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_powers_are_products() {
        assert_eq!(power(1.1, 3.0), 1.1 * (1.1 * 1.1));
        assert_eq!(power(-2.0, 3.0), -8.0);
        assert_eq!(power(2.0, -2.0), 0.25);
        assert_eq!(power(0.0, 0.0), 1.0);
        assert_eq!(power(2.0, 0.5), libm::pow(2.0, 0.5));
        assert!(power(-2.0, 0.5).is_nan());
    }
}
