//! Typed expressions.

use rhei_elementary::{Binary, Elementary, Relation};
use rhei_source::Span;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{EnumerationId, FunctionId, RecordId, Scalar, Type, VarId};

/// A component of the function an expression stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LocalId(pub u32);

/// The variable of a `for`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct IteratorId(pub u32);

/// An expression with its type and the text it was written as.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Expr {
    /// Its kind, with its parts.
    pub kind: ExprKind,
    /// Its type, array sizes included.
    pub ty: Type,
    /// Its place in the text.
    pub span: Span,
}

/// Kind of an expression, with its parts. Operations on arrays are element by element unless they say otherwise; a
/// scalar operand then stands for every element.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ExprKind {
    /// A number.
    Real(f64),
    /// A whole number.
    Integer(i64),
    /// A truth value.
    Boolean(bool),
    /// A text.
    String(SmolStr),
    /// A literal of an enumeration, by its number from one.
    Enumeration(EnumerationId, u32),
    /// The independent variable.
    Time,
    /// A variable, or a part of it: one subscript per dimension, or none for all of it.
    Variable(VarId, Vec<Subscript>),
    /// A component of the function around.
    Local(LocalId),
    /// The variable of a loop around.
    Iterator(IteratorId),
    /// A part of an array, one subscript per dimension.
    Index(Box<Expr>, Vec<Subscript>),
    /// A field of a record, by its place.
    Field(Box<Expr>, u32),
    /// `-a`
    Negate(Box<Expr>),
    /// Arithmetic, element by element.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// The product of linear algebra, of vectors and matrices.
    MatrixProduct(Box<Expr>, Box<Expr>),
    /// A square matrix to a whole power.
    MatrixPower(Box<Expr>, Box<Expr>),
    /// A comparison.
    Relation(Relation, Box<Expr>, Box<Expr>),
    /// `and`, `or`
    Logic(Logic, Box<Expr>, Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A function or operator of the language.
    Call(Builtin, Vec<Expr>),
    /// A function of the model with a value for each of its inputs; stands for its first output.
    Apply(FunctionId, Vec<Expr>),
    /// A call through a function given as an argument.
    ApplyLocal(LocalId, Vec<Expr>),
    /// A function as an argument, some of its inputs given: by their places among the inputs.
    Function(FunctionId, Vec<(u32, Expr)>),
    /// A function given as an argument, handed on with further inputs given: by their places among those still free.
    FunctionOfLocal(LocalId, Vec<(u32, Expr)>),
    /// `{a, b, c}`: one element of the first dimension each.
    Array(Vec<Expr>),
    /// `first:step:last`
    Range(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    /// `{e for i in r, j in s}`: the dimension of the last iterator is the outermost (MLS §10.4.1).
    Comprehension(Box<Expr>, Vec<Iteration>),
    /// `sum(e for i in r)` and its kin.
    Reduction(Reduction, Box<Expr>, Vec<Iteration>),
    /// A record of these fields, in order.
    Record(RecordId, Vec<Expr>),
}

/// An iterator with its range, a vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// The iterator.
    pub iterator: IteratorId,
    /// Its values.
    pub range: Box<Expr>,
}

/// A subscript for one dimension.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Subscript {
    /// All elements: `:`.
    Whole,
    /// One element, or the elements a vector names.
    Index(Expr),
}

/// Arithmetic operators (MLS §3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

/// Logical operators (MLS §3.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum Logic {
    And,
    Or,
}

/// Functions of all elements (MLS §10.3.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum Reduction {
    Sum,
    Product,
    Min,
    Max,
}

macro_rules! builtins {
    ($($variant:ident $name:literal)*) => {
        /// Functions and operators of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[allow(missing_docs)] // each is the function it is named for
        pub enum Builtin {
            /// A function of one number (MLS §3.7.1 to §3.7.3).
            Elementary(Elementary),
            $($variant),*
        }

        impl Builtin {
            /// Its name in Modelica.
            pub fn name(self) -> &'static str {
                match self {
                    Builtin::Elementary(f) => f.name(),
                    $(Builtin::$variant => $name),*
                }
            }

            /// All of them.
            pub fn all() -> impl Iterator<Item = Builtin> {
                Elementary::of_language().map(Builtin::Elementary).chain([$(Builtin::$variant),*])
            }
        }
    };
}

builtins! {
    // numeric functions and conversions (MLS §3.7.1 to §3.7.3)
    Atan2 "atan2" IntegerOf "Integer" EnumerationOf "$enumeration" StringOf "String"
    Div "div" Mod "mod" Rem "rem" Integer "integer"
    // special operators (MLS §3.7.4)
    Der "der" Delay "delay" Cardinality "cardinality" Homotopy "homotopy" SemiLinear "semiLinear"
    InStream "inStream" ActualStream "actualStream" SpatialDistribution "spatialDistribution"
    GetInstanceName "getInstanceName"
    // event operators (MLS §3.7.5)
    Initial "initial" Terminal "terminal" NoEvent "noEvent" Smooth "smooth" Sample "sample" Pre "pre" Edge "edge"
    Change "change" Reinit "reinit"
    // array functions (MLS §10.3)
    Ndims "ndims" Size "size" Promote "promote" ScalarOf "scalar" Vector "vector" Matrix "matrix"
    Identity "identity" Diagonal "diagonal" Zeros "zeros" Ones "ones" Fill "fill" Linspace "linspace"
    Min "min" Max "max" Sum "sum" Product "product"
    Transpose "transpose" OuterProduct "outerProduct" Symmetric "symmetric" Cross "cross" Skew "skew"
    Array "array" Cat "cat"
    // synchronous operators (MLS §16)
    Previous "previous" Hold "hold" SubSample "subSample" SuperSample "superSample" ShiftSample "shiftSample"
    BackSample "backSample" NoClock "noClock" Interval "interval" FirstTick "firstTick" Clock "Clock"
    // calls that stand alone
    Assert "assert" Terminate "terminate" Balance "balance"
    // state machines (MLS §17)
    Transition "transition" InitialState "initialState" ActiveState "activeState" TicksInState "ticksInState"
    TimeInState "timeInState"
    // overconstrained connections (MLS §9.4)
    ConnectionsRoot "Connections.root" ConnectionsPotentialRoot "Connections.potentialRoot"
    ConnectionsBranch "Connections.branch" ConnectionsIsRoot "Connections.isRoot" ConnectionsRooted "Connections.rooted"
    Rooted "rooted"
}

impl Builtin {
    /// The function of this name.
    pub fn named(name: &str) -> Option<Builtin> {
        Builtin::all().find(|builtin| builtin.name() == name)
    }

    /// Whether it is a function of one number that goes through arrays element by element.
    pub fn is_elementary(self) -> bool {
        matches!(self, Builtin::Elementary(_) | Builtin::Integer)
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

    /// The operation on numbers.
    pub fn on_numbers(self) -> Binary {
        match self {
            Arithmetic::Add => Binary::Add,
            Arithmetic::Subtract => Binary::Sub,
            Arithmetic::Multiply => Binary::Mul,
            Arithmetic::Divide => Binary::Div,
            Arithmetic::Power => Binary::Pow,
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

impl Reduction {
    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Reduction::Sum => "sum",
            Reduction::Product => "product",
            Reduction::Min => "min",
            Reduction::Max => "max",
        }
    }
}

impl Subscript {
    /// The expression, if it is one.
    pub fn index(&self) -> Option<&Expr> {
        match self {
            Subscript::Index(e) => Some(e),
            Subscript::Whole => None,
        }
    }
}

/// Visits the parts of an expression, to be read or to be changed: the kinds of expressions are listed once.
macro_rules! each_part_of {
    ($e:expr, $visit:expr, $iter:ident $(, $change:tt)?) => {{
        let visit = $visit;
        match &$($change)? $e.kind {
            ExprKind::Real(_)
            | ExprKind::Integer(_)
            | ExprKind::Boolean(_)
            | ExprKind::String(_)
            | ExprKind::Enumeration(..)
            | ExprKind::Time
            | ExprKind::Local(_)
            | ExprKind::Iterator(_) => {}
            ExprKind::Variable(_, subscripts) => indices!(subscripts, visit, $iter),
            ExprKind::Index(a, subscripts) => {
                visit(a);
                indices!(subscripts, visit, $iter);
            }
            ExprKind::Negate(a) | ExprKind::Not(a) | ExprKind::Field(a, _) => visit(a),
            ExprKind::Arithmetic(_, a, b)
            | ExprKind::MatrixProduct(a, b)
            | ExprKind::MatrixPower(a, b)
            | ExprKind::Relation(_, a, b)
            | ExprKind::Logic(_, a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::If(c, a, b) => {
                visit(c);
                visit(a);
                visit(b);
            }
            ExprKind::Call(_, parts)
            | ExprKind::Apply(_, parts)
            | ExprKind::ApplyLocal(_, parts)
            | ExprKind::Array(parts)
            | ExprKind::Record(_, parts) => parts.$iter().for_each(visit),
            ExprKind::Function(_, given) | ExprKind::FunctionOfLocal(_, given) => {
                given.$iter().for_each(|(_, e)| visit(e));
            }
            ExprKind::Range(first, step, last) => {
                visit(first);
                step.$iter().for_each(|step| visit(step));
                visit(last);
            }
            ExprKind::Comprehension(body, iterations) | ExprKind::Reduction(_, body, iterations) => {
                visit(body);
                iterations.$iter().for_each(|iteration| visit(&$($change)? iteration.range));
            }
        }
    }};
}

/// Visits the subscripts that are expressions.
macro_rules! indices {
    ($subscripts:expr, $visit:expr, $iter:ident) => {
        for subscript in $subscripts.$iter() {
            if let Subscript::Index(e) = subscript {
                $visit(e);
            }
        }
    };
}

impl Expr {
    /// The expressions it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        let mut parts = Vec::new();
        self.each_part(&mut |part| parts.push(part));
        parts
    }

    /// Visits the expressions it is directly made of, in order.
    pub fn each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        each_part_of!(self, visit, iter);
    }

    /// The same, to be changed where they stand.
    pub fn each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        each_part_of!(self, visit, iter_mut, mut);
    }

    /// Changes it where it stands.
    pub fn change(&mut self, change: &mut impl FnMut(Expr) -> Expr) {
        let nothing = Expr { kind: ExprKind::Time, ty: Type::scalar(Scalar::Real), span: self.span };
        *self = change(std::mem::replace(self, nothing));
    }

    /// The same expression with every part changed by `change`.
    pub fn map_parts(self, change: &mut impl FnMut(Expr) -> Expr) -> Expr {
        let Expr { kind, ty, span } = self;
        fn boxed(change: &mut impl FnMut(Expr) -> Expr, mut e: Box<Expr>) -> Box<Expr> {
            e.change(change);
            e
        }
        fn all(change: &mut impl FnMut(Expr) -> Expr, mut list: Vec<Expr>) -> Vec<Expr> {
            list.iter_mut().for_each(|e| e.change(change));
            list
        }
        fn subscripts(change: &mut impl FnMut(Expr) -> Expr, mut list: Vec<Subscript>) -> Vec<Subscript> {
            for subscript in &mut list {
                if let Subscript::Index(e) = subscript {
                    e.change(change);
                }
            }
            list
        }
        fn iterations(change: &mut impl FnMut(Expr) -> Expr, list: Vec<Iteration>) -> Vec<Iteration> {
            list.into_iter()
                .map(|Iteration { iterator, range }| Iteration { iterator, range: boxed(change, range) })
                .collect()
        }
        let kind = match kind {
            ExprKind::Variable(v, list) => ExprKind::Variable(v, subscripts(change, list)),
            ExprKind::Index(a, list) => ExprKind::Index(boxed(change, a), subscripts(change, list)),
            ExprKind::Field(a, i) => ExprKind::Field(boxed(change, a), i),
            ExprKind::Negate(a) => ExprKind::Negate(boxed(change, a)),
            ExprKind::Not(a) => ExprKind::Not(boxed(change, a)),
            ExprKind::Arithmetic(op, a, b) => ExprKind::Arithmetic(op, boxed(change, a), boxed(change, b)),
            ExprKind::MatrixProduct(a, b) => ExprKind::MatrixProduct(boxed(change, a), boxed(change, b)),
            ExprKind::MatrixPower(a, b) => ExprKind::MatrixPower(boxed(change, a), boxed(change, b)),
            ExprKind::Relation(op, a, b) => ExprKind::Relation(op, boxed(change, a), boxed(change, b)),
            ExprKind::Logic(op, a, b) => ExprKind::Logic(op, boxed(change, a), boxed(change, b)),
            ExprKind::If(c, a, b) => ExprKind::If(boxed(change, c), boxed(change, a), boxed(change, b)),
            ExprKind::Call(f, list) => ExprKind::Call(f, all(change, list)),
            ExprKind::Apply(f, list) => ExprKind::Apply(f, all(change, list)),
            ExprKind::ApplyLocal(f, list) => ExprKind::ApplyLocal(f, all(change, list)),
            ExprKind::Function(f, given) => {
                ExprKind::Function(f, given.into_iter().map(|(i, e)| (i, change(e))).collect())
            }
            ExprKind::FunctionOfLocal(f, given) => {
                ExprKind::FunctionOfLocal(f, given.into_iter().map(|(i, e)| (i, change(e))).collect())
            }
            ExprKind::Array(list) => ExprKind::Array(all(change, list)),
            ExprKind::Record(r, list) => ExprKind::Record(r, all(change, list)),
            ExprKind::Range(a, step, b) => {
                ExprKind::Range(boxed(change, a), step.map(|step| boxed(change, step)), boxed(change, b))
            }
            ExprKind::Comprehension(body, list) => {
                let body = boxed(change, body);
                ExprKind::Comprehension(body, iterations(change, list))
            }
            ExprKind::Reduction(op, body, list) => {
                let body = boxed(change, body);
                ExprKind::Reduction(op, body, iterations(change, list))
            }
            leaf => leaf,
        };
        Expr { kind, ty, span }
    }

    /// How many expressions it is made of.
    pub fn size(&self) -> usize {
        let mut count = 0;
        self.walk(&mut |_| count += 1);
        count
    }

    /// Whether it is `reinit(value)`, as a whole or element by element: as a declaration equation it tells a state its value at each
    /// tick, and counts as no equation.
    pub fn is_measurement(&self) -> bool {
        match &self.kind {
            ExprKind::Call(Builtin::Reinit, arguments) => arguments.len() == 1,
            ExprKind::Comprehension(body, _) => body.is_measurement(),
            ExprKind::Array(elements) => !elements.is_empty() && elements.iter().all(Expr::is_measurement),
            _ => false,
        }
    }

    /// The value in `reinit(value)`, or of all elements.
    pub fn measured_value(&self) -> Option<Expr> {
        match &self.kind {
            ExprKind::Call(Builtin::Reinit, arguments) => match arguments.as_slice() {
                [value] => Some(value.clone()),
                _ => None,
            },
            ExprKind::Comprehension(body, iterations) => {
                let body = body.measured_value()?;
                let kind = ExprKind::Comprehension(Box::new(body), iterations.clone());
                Some(Expr { kind, ..self.clone() })
            }
            ExprKind::Array(elements) => {
                let elements = elements.iter().map(Expr::measured_value).collect::<Option<Vec<Expr>>>()?;
                Some(Expr { kind: ExprKind::Array(elements), ..self.clone() })
            }
            _ => None,
        }
    }

    /// Whether it is a value as it is written: nothing is to be computed.
    pub fn is_literal(&self) -> bool {
        match &self.kind {
            ExprKind::Real(_)
            | ExprKind::Integer(_)
            | ExprKind::Boolean(_)
            | ExprKind::String(_)
            | ExprKind::Enumeration(..) => true,
            ExprKind::Negate(a) => a.is_literal(),
            ExprKind::Array(parts) | ExprKind::Record(_, parts) => parts.iter().all(Expr::is_literal),
            _ => false,
        }
    }

    /// Calls `visit` for this expression and all inside it.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        self.each_part(&mut |part| part.walk(visit));
    }
}
