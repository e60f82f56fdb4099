//! Variables and equations of a flat model.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use rhei_source::Span;
use serde::{Deserialize, Serialize};
use smol_str::{SmolStr, SmolStrBuilder};

use crate::{Expr, Iteration, Scalar, Statement, Tables, Type};

/// A variable of a [`Flat`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VarId(pub u32);

impl VarId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The path of a variable from the model, each part with the number of its own array dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Name {
    /// Outermost first; never empty.
    pub parts: Vec<NamePart>,
}

/// One part of a [`Name`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NamePart {
    /// The identifier.
    pub name: SmolStr,
    /// How many of the variable's dimensions belong to it.
    pub dimensions: usize,
}

impl Name {
    /// A name of one part.
    pub fn simple(name: impl Into<SmolStr>, dimensions: usize) -> Name {
        Name { parts: vec![NamePart { name: name.into(), dimensions }] }
    }

    /// The name of one element, `a[2].b[1,3]`, by its indices from one; without subscripts where `indices` is empty.
    pub fn element(&self, indices: &[usize]) -> SmolStr {
        let mut text = SmolStrBuilder::new();
        self.write(indices, &mut text).expect("text can be written");
        text.finish()
    }

    fn write(&self, indices: &[usize], text: &mut impl Write) -> std::fmt::Result {
        let mut indices = indices;
        for (i, part) in self.parts.iter().enumerate() {
            if i > 0 {
                text.write_char('.')?;
            }
            text.write_str(&part.name)?;
            let (own, rest) = indices.split_at(part.dimensions.min(indices.len()));
            indices = rest;
            for (d, index) in own.iter().enumerate() {
                write!(text, "{}{index}", if d == 0 { '[' } else { ',' })?;
            }
            if !own.is_empty() {
                text.write_char(']')?;
            }
        }
        Ok(())
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.write(&[], f)
    }
}

/// How much a value may change (MLS §3.8), from least to most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Variability {
    /// Never.
    Constant,
    /// Between runs.
    Parameter,
    /// At events.
    Discrete,
    /// At any time.
    Continuous,
}

impl Variability {
    /// The word for it in messages.
    pub fn name(self) -> &'static str {
        match self {
            Variability::Constant => "constant",
            Variability::Parameter => "parameter",
            Variability::Discrete => "discrete",
            Variability::Continuous => "continuous",
        }
    }
}

/// Whether a variable of the model itself is given from outside or for the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum Causality {
    Input,
    Output,
}

/// The attributes of a variable that the model gives (MLS §4.9); each is a scalar for all elements, or an array of the variable's sizes.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)] // named as in the language
pub struct Attributes {
    pub start: Option<Expr>,
    pub start_confidence: Confidence,
    pub fixed: Option<Expr>,
    pub min: Option<Expr>,
    pub max: Option<Expr>,
    /// Whether `min` is that of a type, which says it of all its variables.
    pub min_is_of_type: bool,
    /// The same of `max`.
    pub max_is_of_type: bool,
    pub nominal: Option<Expr>,
    pub state_select: Option<Selects>,
    pub unit: Option<SmolStr>,
    pub display_unit: Option<SmolStr>,
    pub quantity: Option<SmolStr>,
}

/// How much a start value is trusted: the least counts before others (MLS §8.6.2). Levels are those of the component hierarchy, the
/// model itself being on level 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Confidence {
    /// The level on which it is given, or a parameter that it is equal to, whichever is less.
    pub through_parameters: u8,
    /// The level on which the attribute itself is given.
    pub own: u8,
}

impl Confidence {
    /// The level of a value that a type gives to all its variables.
    pub const LEAST: u8 = u8::MAX;

    /// Whether somebody meant this variable, not all of its type.
    pub fn is_of_variable(self) -> bool {
        self.through_parameters < Confidence::LEAST
    }
}

impl Default for Confidence {
    /// The confidence in a value given by the model itself.
    fn default() -> Self {
        Confidence { through_parameters: 1, own: 1 }
    }
}

/// Values of `stateSelect`, each one of `never`, `avoid`, `default`, `prefer`, `always`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selects {
    /// For all elements.
    All(&'static str),
    /// For each, the last subscript running fastest.
    Each {
        /// Those of the variable.
        sizes: Vec<usize>,
        /// As many as these sizes make.
        values: Vec<&'static str>,
    },
}

impl Selects {
    /// That of an element, by its subscripts from zero.
    pub fn of(&self, indices: &[usize]) -> &'static str {
        match self {
            Selects::All(select) => select,
            Selects::Each { sizes, values } => {
                let place = indices.iter().zip(sizes).fold(0, |place, (index, size)| place * size + index);
                values.get(place).copied().unwrap_or("default")
            }
        }
    }
}

impl Attributes {
    /// To be kept with a variable.
    pub fn shared(self) -> Arc<Attributes> {
        static NONE: LazyLock<Arc<Attributes>> = LazyLock::new(Arc::default);
        if self == **NONE { NONE.clone() } else { Arc::new(self) }
    }

    /// Those that are expressions, with their names.
    pub fn expressions(&self) -> impl Iterator<Item = (&'static str, &Expr)> {
        let all = [
            ("start", &self.start),
            ("fixed", &self.fixed),
            ("min", &self.min),
            ("max", &self.max),
            ("nominal", &self.nominal),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }

    /// Those that are texts, with their names.
    pub fn texts(&self) -> impl Iterator<Item = (&'static str, &SmolStr)> {
        let all = [("unit", &self.unit), ("displayUnit", &self.display_unit), ("quantity", &self.quantity)];
        all.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}

/// A variable, possibly an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its path from the model.
    pub name: Name,
    /// Its type; the sizes are those of all parts of the name together.
    pub ty: Type,
    /// How much it may change.
    pub variability: Variability,
    /// `input` or `output` of the model itself.
    pub causality: Option<Causality>,
    /// Whether it is declared in a protected section.
    pub is_protected: bool,
    /// Whether it, or a component that it is a part of, is final: its value is not to be changed.
    pub is_final: bool,
    /// Whether its value was used to find out the structure: it can no longer be changed.
    pub structural: bool,
    /// Its attributes; shared by all that declare none, since a model has many variables.
    pub attributes: Arc<Attributes>,
    /// The value it is declared with.
    pub binding: Option<Expr>,
    /// The text beside the declaration.
    pub description: SmolStr,
    /// The declaration.
    pub span: Span,
}

/// An equation with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// Its kind, with its parts.
    pub kind: EquationKind,
    /// The component it sits in, as a path from the model; empty for the model itself.
    pub component: SmolStr,
    /// Its place in the text.
    pub span: Span,
}

/// Kind of an equation, with its parts.
#[derive(Clone, Debug, PartialEq)]
pub enum EquationKind {
    /// `lhs = rhs`, for arrays element by element.
    Equal(Expr, Expr),
    /// `(a, , c) = f(x)`
    Results(Vec<Option<Expr>>, Expr),
    /// For each value of an iterator.
    For(Iteration, Vec<Equation>),
    /// Conditions with their equations, and those that hold otherwise.
    If(Vec<(Expr, Vec<Equation>)>, Vec<Equation>),
    /// `when`, `elsewhen`
    When(Vec<WhenBranch>),
    /// A call that stands alone: `assert`, `terminate`, `reinit`, or a function for its effect.
    Call(Expr),
}

impl Equation {
    /// Visits the expressions of the equation and of those in it, but not their parts.
    pub fn walk_expressions<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match &self.kind {
            EquationKind::Equal(lhs, rhs) => [lhs, rhs].into_iter().for_each(visit),
            EquationKind::Results(results, call) => {
                results.iter().flatten().chain([call]).for_each(visit);
            }
            EquationKind::Call(call) => visit(call),
            EquationKind::For(iteration, body) => {
                visit(&iteration.range);
                body.iter().for_each(|equation| equation.walk_expressions(visit));
            }
            EquationKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    visit(condition);
                    body.iter().for_each(|equation| equation.walk_expressions(visit));
                }
                otherwise.iter().for_each(|equation| equation.walk_expressions(visit));
            }
            EquationKind::When(branches) => {
                for branch in branches {
                    visit(&branch.condition);
                    branch.equations.iter().for_each(|equation| equation.walk_expressions(visit));
                }
            }
        }
    }
}

/// A condition of a `when` with its equations.
#[derive(Clone, Debug, PartialEq)]
pub struct WhenBranch {
    /// The condition, or a vector of conditions.
    pub condition: Expr,
    /// The equations that hold when it becomes true.
    pub equations: Vec<Equation>,
}

/// A section of statements.
#[derive(Clone, Debug, PartialEq)]
pub struct Algorithm {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// The component it sits in, as a path from the model; empty for the model itself.
    pub component: SmolStr,
    /// Loops around it, outermost first: over the elements of arrays of components.
    pub loops: Vec<Iteration>,
    /// Its place in the text.
    pub span: Span,
}

/// The `experiment` annotation; missing values are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// `StartTime`
    pub start_time: Option<f64>,
    /// `StopTime`
    pub stop_time: Option<f64>,
    /// `Tolerance`
    pub tolerance: Option<f64>,
    /// `Interval`
    pub interval: Option<f64>,
}

impl Experiment {
    /// The given values, with their names.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let all = [
            ("StartTime", self.start_time),
            ("StopTime", self.stop_time),
            ("Tolerance", self.tolerance),
            ("Interval", self.interval),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }
}

/// A flat model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flat {
    /// The qualified name of the model.
    pub name: String,
    /// The text beside its name.
    pub description: SmolStr,
    /// By [`VarId`].
    pub variables: Vec<Variable>,
    /// Equations.
    pub equations: Vec<Equation>,
    /// Initial equations.
    pub initial: Vec<Equation>,
    /// Algorithm sections.
    pub algorithms: Vec<Algorithm>,
    /// Initial algorithm sections.
    pub initial_algorithms: Vec<Algorithm>,
    /// Types, functions and iterators.
    pub tables: Tables,
    /// How the modeller wants it run.
    pub experiment: Experiment,
}

impl Flat {
    /// A variable.
    pub fn variable(&self, v: VarId) -> &Variable {
        &self.variables[v.index()]
    }

    /// All variables with their ids.
    pub fn iter_variables(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.variables.iter().enumerate().map(|(i, variable)| (VarId(i as u32), variable))
    }
}

impl Variable {
    /// Whether the value of a Real varies with time without a break; other types never do.
    pub fn is_continuous(&self) -> bool {
        self.variability == Variability::Continuous && self.ty.scalar == Scalar::Real
    }
}
