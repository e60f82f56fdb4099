//! Typed expressions.

use rhei_source::Span;
use smol_str::SmolStr;

use crate::{Type, VarId};

/// An expression with its type and the text it was written as.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type, array sizes included.
    pub ty: Type,
    /// Where it was written.
    pub span: Span,
}

/// What an expression is. Operations on arrays are element by element unless they say otherwise; a scalar operand then stands for every element.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number.
    Real(f64),
    /// A whole number.
    Integer(i64),
    /// A truth value.
    Boolean(bool),
    /// A text.
    String(SmolStr),
    /// The independent variable.
    Time,
    /// A variable, or a part of it: one subscript per dimension, or none for all of it.
    Variable(VarId, Vec<Subscript>),
    /// `-a`
    Negate(Box<Expr>),
    /// Arithmetic, element by element.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// A comparison.
    Relation(Relation, Box<Expr>, Box<Expr>),
    /// `and`, `or`
    Logic(Logic, Box<Expr>, Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function of the language.
    Call(Builtin, Vec<Expr>),
    /// `{a, b, c}`: one element of the first dimension each.
    Array(Vec<Expr>),
    /// `first:step:last`
    Range(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
}

/// What stands between the brackets for one dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Subscript {
    /// All elements: `:`.
    Whole,
    /// One element, or the elements a vector names.
    Index(Expr),
}

/// Arithmetic operators (MLS §3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the language
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// Relational operators (MLS §3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the language
pub enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// Logical operators (MLS §3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named as in the language
pub enum Logic {
    And,
    Or,
}

macro_rules! builtins {
    ($($variant:ident $name:literal)*) => {
        /// Functions of the language that are not taken apart before the model is flat.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)] // each is the function it is named for
        pub enum Builtin { $($variant),* }

        impl Builtin {
            /// All of them.
            pub const ALL: &[Builtin] = &[$(Builtin::$variant),*];

            /// Its name in Modelica.
            pub fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $name),* }
            }
        }
    };
}

builtins! {
    Der "der"
    Sin "sin" Cos "cos" Tan "tan" Asin "asin" Acos "acos" Atan "atan" Atan2 "atan2"
    Sinh "sinh" Cosh "cosh" Tanh "tanh" Exp "exp" Log "log" Log10 "log10"
    Sqrt "sqrt" Abs "abs" Sign "sign" Min "min" Max "max" Fill "fill" Zeros "zeros" Ones "ones"
}

impl Builtin {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Builtin> {
        Builtin::ALL.iter().copied().find(|builtin| builtin.name() == name)
    }

    /// Whether it is a function of numbers that goes through arrays element by element.
    pub fn is_elementary(self) -> bool {
        !matches!(self, Builtin::Der | Builtin::Fill | Builtin::Zeros | Builtin::Ones)
    }
}

impl Arithmetic {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Power => "^",
        }
    }
}

impl Relation {
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
}

impl Logic {
    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Logic::And => "and",
            Logic::Or => "or",
        }
    }
}

impl Expr {
    /// The expressions it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Real(_)
            | ExprKind::Integer(_)
            | ExprKind::Boolean(_)
            | ExprKind::String(_)
            | ExprKind::Time => vec![],
            ExprKind::Variable(_, subscripts) => subscripts
                .iter()
                .filter_map(|subscript| match subscript {
                    Subscript::Index(e) => Some(e),
                    Subscript::Whole => None,
                })
                .collect(),
            ExprKind::Negate(a) | ExprKind::Not(a) => vec![a],
            ExprKind::Arithmetic(_, a, b) | ExprKind::Relation(_, a, b) | ExprKind::Logic(_, a, b) => {
                vec![a, b]
            }
            ExprKind::If(c, a, b) => vec![c, a, b],
            ExprKind::Call(_, parts) | ExprKind::Array(parts) => parts.iter().collect(),
            ExprKind::Range(first, step, last) => {
                [Some(first), step.as_ref(), Some(last)].into_iter().flatten().map(|e| &**e).collect()
            }
        }
    }

    /// Calls `visit` for this expression and all inside it.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }
}
