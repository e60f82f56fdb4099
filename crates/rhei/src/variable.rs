//! The variables of a model, as the modeller declared them.

use std::borrow::Cow;

use rhei_equations::{Copied, ExprId, Kind, Leaf, Node, Pool, Scalar, Split, VarId, Variable};
use rhei_flat::{Causality as Declared, Declaration, Declarations, Variability as FlatVariability};
use rustc_hash::FxHashMap;

use crate::engine::CompiledModel;
use crate::{Model, Value};

/// A variable, as the modeller knows it.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableInfo<'a> {
    /// Its name: `body.r[2]`, `der(x)`.
    pub name: Cow<'a, str>,
    /// Its type.
    pub ty: VariableType<'a>,
    /// Its unit, where one is known.
    pub unit: Option<&'a str>,
    /// The unit in which it is to be shown, where one is given.
    pub display_unit: Option<&'a str>,
    /// The text beside its declaration; may be empty.
    pub description: &'a str,
    /// How it varies.
    pub variability: Variability,
    /// Whether it comes from outside, or is for the outside.
    pub causality: Causality,
    /// `start`, if it is given; of constants and parameters the value. None if the value follows from a solution only.
    pub start: Option<Value>,
    /// Whether `start` is the initial value, and no guess.
    pub fixed: bool,
    /// `min`, where it is given.
    pub min: Option<f64>,
    /// `max`, where it is given.
    pub max: Option<f64>,
    /// `nominal`, where it is given.
    pub nominal: Option<f64>,
    /// Whether it is structural: another value takes another compilation.
    pub is_structural: bool,
}

/// The type of a variable.
#[derive(Clone, Debug, PartialEq)]
pub enum VariableType<'a> {
    /// Numbers.
    Real,
    /// Whole numbers.
    Integer,
    /// Truth values.
    Boolean,
    /// Texts.
    String,
    /// Literals.
    Enumeration {
        /// The name of the type.
        name: &'a str,
        /// Their names, in order; the first one has the number 1.
        literals: Vec<&'a str>,
    },
}

/// How a variable varies over a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variability {
    /// Never, in no run.
    Constant,
    /// From run to run.
    Parameter,
    /// At events.
    Discrete,
    /// All the time.
    Continuous,
}

/// Whether a variable comes from outside, or is for the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// An input of the whole model.
    Input,
    /// An output of the whole model.
    Output,
    /// A parameter, which is given before the run.
    Parameter,
    /// Neither.
    Local,
}

/// Longest chain of parameters that depend on each other that is followed.
const MOST_DEPENDENT: usize = 256;

impl Model {
    /// All variables that a modeller knows, and the derivatives of the states; texts come last.
    pub fn variables(&self) -> Vec<VariableInfo<'_>> {
        let (_, shown) = self.compiled().columns(|_| true);
        let declarations = self.declarations();
        let declared: FxHashMap<String, &Declaration> =
            declarations.variables.iter().map(|variable| (variable.name.to_string(), variable)).collect();
        let mut attributes =
            Attributes { model: self.compiled(), set: &self.set, known: FxHashMap::default() };
        let info = |v: VarId| {
            let variable = self.compiled().equations.variable(v);
            attributes.info(v, variable, declaration(&declared, &variable.name), declarations)
        };
        let mut all: Vec<VariableInfo<'_>> = shown.into_iter().map(info).collect();
        all.extend(declarations.variables.iter().filter_map(text));
        all
    }
}

/// The declaration of a scalar: that of its name without subscripts; components that differ from others of their array have theirs.
fn declaration<'a>(declared: &FxHashMap<String, &'a Declaration>, name: &str) -> Option<&'a Declaration> {
    let mut name = name.to_owned();
    loop {
        if let Some(variable) = declared.get(&name) {
            return Some(variable);
        }
        let (start, end) = (name.rfind('[')?, name.rfind(']')?);
        if end < start {
            return None;
        }
        name.replace_range(start..=end, "");
    }
}

/// A scalar text, which no equation knows.
fn text(variable: &Declaration) -> Option<VariableInfo<'_>> {
    if variable.ty.scalar != rhei_flat::Scalar::String || !variable.ty.sizes.is_empty() {
        return None;
    }
    let value = variable.text.as_ref().map(|text| Value::String(text.to_string()));
    let variability = match variable.variability {
        FlatVariability::Constant => Variability::Constant,
        FlatVariability::Parameter => Variability::Parameter,
        FlatVariability::Discrete | FlatVariability::Continuous => Variability::Discrete,
    };
    Some(VariableInfo {
        name: variable.name.to_string().into(),
        ty: VariableType::String,
        unit: None,
        display_unit: None,
        description: &variable.description,
        variability,
        causality: causality(variable.causality, variability),
        start: value,
        fixed: variability <= Variability::Parameter,
        min: None,
        max: None,
        nominal: None,
        is_structural: variability == Variability::Parameter,
    })
}

fn causality(declared: Option<Declared>, variability: Variability) -> Causality {
    match (declared, variability) {
        (Some(Declared::Input), _) => Causality::Input,
        (Some(Declared::Output), _) => Causality::Output,
        (None, Variability::Parameter) => Causality::Parameter,
        (None, _) => Causality::Local,
    }
}

/// Attributes of variables as numbers: expressions of parameters are evaluated at the values of these.
struct Attributes<'a> {
    model: &'a CompiledModel,
    set: &'a FxHashMap<VarId, f64>,
    known: FxHashMap<VarId, Option<Constant>>,
}

/// The value of a constant expression.
#[derive(Clone, Copy)]
enum Constant {
    Number(f64),
    Whole(i64),
    Truth(bool),
}

impl Constant {
    fn number(self) -> f64 {
        match self {
            Constant::Number(value) => value,
            Constant::Whole(value) => value as f64,
            Constant::Truth(value) => f64::from(u8::from(value)),
        }
    }
}

impl<'a> Attributes<'a> {
    fn info(
        &mut self,
        v: VarId,
        variable: &'a Variable,
        declared: Option<&'a Declaration>,
        declarations: &'a Declarations,
    ) -> VariableInfo<'a> {
        let ty = match (variable.scalar, declared.map(|declared| declared.ty.scalar)) {
            (Scalar::Real, _) => VariableType::Real,
            (Scalar::Boolean, _) => VariableType::Boolean,
            (Scalar::Enumeration, Some(rhei_flat::Scalar::Enumeration(id))) => {
                let of = declarations.enumeration(id);
                let literals = of.literals.iter().map(|literal| literal.as_str()).collect();
                VariableType::Enumeration { name: &of.name, literals }
            }
            // an external object is represented by the number of its handle
            (Scalar::Integer | Scalar::Enumeration, _) => VariableType::Integer,
        };
        let is_input = variable.is_given_from_outside();
        let variability = match variable {
            variable if variable.kind == Kind::Constant => Variability::Constant,
            variable if is_input && (variable.is_discrete || variable.scalar != Scalar::Real) => {
                Variability::Discrete
            }
            _ if is_input => Variability::Continuous,
            variable if variable.is_parameter() => Variability::Parameter,
            variable if variable.is_discrete => Variability::Discrete,
            _ => Variability::Continuous,
        };
        let start = match variability {
            Variability::Constant | Variability::Parameter => self.of_variable(v, 0),
            _ if is_input => self.of_variable(v, 0).or_else(|| self.of(variable.start)),
            _ => self.of(variable.start),
        };
        let text = |text: &'a str| (!text.is_empty()).then_some(text);
        VariableInfo {
            name: variable.name.as_str().into(),
            unit: text(&variable.unit),
            display_unit: declared.and_then(|declared| declared.display_unit.as_deref()),
            description: &variable.description,
            variability,
            causality: causality(variable.causality, variability),
            start: start.and_then(|start| typed(start, &ty)),
            ty,
            fixed: variable.fixed,
            min: self.of(variable.min).map(Constant::number),
            max: self.of(variable.max).map(Constant::number),
            nominal: self.of(variable.nominal).map(Constant::number),
            is_structural: variable.structural,
        }
    }

    fn of(&mut self, attribute: Option<ExprId>) -> Option<Constant> {
        self.value(attribute?, 0)
    }

    /// The value of an expression of parameters.
    fn value(&mut self, e: ExprId, depth: usize) -> Option<Constant> {
        let pool = &self.model.equations.pool;
        if let Some(constant) = constant(pool, e) {
            return Some(constant);
        }
        let mut own = Pool::default();
        let copied = own.copy(pool, e, &mut Copied::default(), |v| v);
        let mut values = FxHashMap::default();
        for v in own.variables_of(copied) {
            let value = match self.of_variable(v, depth + 1)? {
                Constant::Number(value) => own.number(value),
                Constant::Whole(value) => own.whole_number(value),
                Constant::Truth(value) => own.truth(value),
            };
            values.insert(v, value);
        }
        let replaced = own.substitute(copied, |leaf| match leaf {
            Leaf::Variable(v) => values.get(&v).copied(),
            Leaf::Time => None,
        });
        constant(&own, replaced)
    }

    /// The value of a parameter.
    fn of_variable(&mut self, v: VarId, depth: usize) -> Option<Constant> {
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        let variable = self.model.equations.variable(v);
        let value = match (self.set.get(&v), variable.binding) {
            (Some(&value), _) => Some(self.set_value(v, variable, value)),
            (None, Some(binding)) if variable.is_parameter() && depth < MOST_DEPENDENT => {
                self.value(binding, depth)
            }
            _ => None,
        };
        self.known.insert(v, value);
        value
    }

    /// A value that was set; a large Integer has a low-order part beside it.
    fn set_value(&self, v: VarId, variable: &Variable, nearest: f64) -> Constant {
        match variable.scalar {
            Scalar::Boolean => Constant::Truth(nearest != 0.0),
            Scalar::Integer => {
                let rest = self.model.equations.rests()[v.index()];
                let rest = rest.and_then(|rest| self.set.get(&rest)).copied().unwrap_or(0.0);
                Split { nearest, rest }.whole().map_or(Constant::Number(nearest), Constant::Whole)
            }
            Scalar::Real | Scalar::Enumeration => Constant::Number(nearest),
        }
    }
}

fn constant(pool: &Pool, e: ExprId) -> Option<Constant> {
    match pool.node(e) {
        Node::Number(bits) => Some(Constant::Number(f64::from_bits(bits))),
        Node::Large(value) => Some(Constant::Whole(value)),
        Node::Truth(value) => Some(Constant::Truth(value)),
        _ => None,
    }
}

/// A constant as a value of a type.
fn typed(constant: Constant, ty: &VariableType<'_>) -> Option<Value> {
    Some(match (ty, constant) {
        (VariableType::Boolean, constant) => Value::Boolean(constant.number() != 0.0),
        (VariableType::Integer, Constant::Whole(value)) => Value::Integer(value),
        (VariableType::Integer, constant) => {
            Value::Integer(Split { nearest: constant.number(), rest: 0.0 }.whole()?)
        }
        (VariableType::Enumeration { name, literals }, constant) => {
            let place = (constant.number() as usize).checked_sub(1)?;
            Value::Literal(format!("{name}.{}", literals.get(place)?))
        }
        (VariableType::Real, constant) => Value::Real(constant.number()),
        (VariableType::String, _) => return None,
    })
}
