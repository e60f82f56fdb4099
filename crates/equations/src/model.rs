//! Variables, equations and their origins.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rhei_flat::{Causality, Confidence, Tables};
use rhei_source::Span;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::print::LONGEST_SHOWN;
use crate::{Assert, Clocks, Events, ExprId, Node, Notation, Pool};

/// A variable of an [`Equations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct VarId(pub u32);

/// An equation of an [`Equations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EqId(pub u32);

impl VarId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EqId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The type of a variable. All values are kept as `f64`: an Integer as the nearest one, `true` as 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scalar {
    /// A number.
    Real,
    /// A whole number.
    Integer,
    /// A literal of an enumeration, by its number; an external object, by that of its handle.
    Enumeration,
    /// A Boolean.
    Boolean,
}

/// The kind of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// The same in every run.
    Constant,
    /// The same during a run.
    Parameter,
    /// Determined by the equations.
    Unknown,
    /// The time derivative of another variable; determined by the equations, too.
    Derivative {
        /// The other variable.
        of: VarId,
    },
    /// The value of another variable before the event: known, except at the start.
    Pre {
        /// The other variable.
        of: VarId,
    },
    /// Given by the run: a tick, `initial()`, the parameter of a continuation.
    Given,
}

/// The `stateSelect` attribute, ordered by wish to be a state (MLS §4.9.8.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)] // named as in the language
pub enum StateSelect {
    Never,
    Avoid,
    #[default]
    Default,
    Prefer,
    Always,
}

impl StateSelect {
    /// As it is written after `StateSelect.`.
    pub fn name(self) -> &'static str {
        match self {
            StateSelect::Never => "never",
            StateSelect::Avoid => "avoid",
            StateSelect::Default => "default",
            StateSelect::Prefer => "prefer",
            StateSelect::Always => "always",
        }
    }

    /// The choice of this name.
    pub fn named(name: &str) -> Option<StateSelect> {
        use StateSelect::*;
        [Never, Avoid, Default, Prefer, Always].into_iter().find(|select| select.name() == name)
    }
}

/// The origin of an equation or a variable, and its transformations since.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The text it was written as.
    pub span: Option<Span>,
    /// The component it sits in, as a path from the model; empty for the model itself.
    pub component: SmolStr,
    /// Its transformations, in order.
    pub done: Vec<Done>,
}

/// A transformation of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Done {
    /// Its derivative with respect to time was taken.
    Differentiated,
    /// It was discretised: it gives a state from one tick to the next.
    Discretised,
    /// It was solved for this variable.
    SolvedFor(VarId),
}

/// One array equation or loop of the model; its members differ only in their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Family {
    /// The array equation or loop.
    pub id: u32,
    /// The index of the member, from zero.
    pub index: u32,
}

/// A scalar variable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variable {
    /// Its name for the modeller: `a.b[2].c`, `der(x)`.
    pub name: SmolStr,
    /// Its kind.
    pub kind: Kind,
    /// Its type.
    pub scalar: Scalar,
    /// Whether it changes at events only.
    pub is_discrete: bool,
    /// Whether it is an input or an output of the model.
    pub causality: Option<Causality>,
    /// Whether it was introduced by passes: a condition, a tick.
    pub is_hidden: bool,
    /// The value of a constant or parameter.
    pub binding: Option<ExprId>,
    /// `start`, a guess or, if `fixed`, the initial value.
    pub start: Option<ExprId>,
    /// How much `start` is trusted.
    pub start_confidence: Confidence,
    /// Whether `start` is the initial value.
    pub fixed: bool,
    /// `min`
    pub min: Option<ExprId>,
    /// `max`
    pub max: Option<ExprId>,
    /// `nominal`: the nominal value.
    pub nominal: Option<ExprId>,
    /// `stateSelect`
    pub select: StateSelect,
    /// Whether a parameter is structural: its value can no longer be changed.
    pub structural: bool,
    /// `unit`, empty if none is given.
    pub unit: SmolStr,
    /// The text beside the declaration.
    pub description: SmolStr,
    /// Its declaration.
    pub span: Option<Span>,
    /// Whether it is a derivative that the model itself does not contain.
    pub is_introduced: bool,
    /// The Integer of which it is the rest: the difference from the nearest `f64` ([`Split`](crate::Split)). It is given, and
    /// computed wherever the Integer is; no expression contains it.
    pub rest_of: Option<VarId>,
}

/// `min` or `max` of a variable, as it is written; those of its other names have no part in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The variable.
    pub variable: VarId,
    /// Whether it is `min`.
    pub is_min: bool,
    /// Its value, an expression of parameters.
    pub value: ExprId,
    /// Whether a type gives it all its variables.
    pub is_of_type: bool,
    /// Its place in the text.
    pub span: Span,
}

impl Variable {
    /// The origin of an equation that its declaration gives.
    pub fn origin(&self) -> Origin {
        Origin { span: self.span, ..Origin::default() }
    }

    /// A Real variable without any attribute.
    pub fn new(name: impl Into<SmolStr>, kind: Kind) -> Self {
        Variable {
            name: name.into(),
            kind,
            scalar: Scalar::Real,
            is_discrete: false,
            causality: None,
            is_hidden: false,
            binding: None,
            start: None,
            start_confidence: Confidence::default(),
            fixed: false,
            min: None,
            max: None,
            nominal: None,
            select: StateSelect::Default,
            structural: false,
            unit: SmolStr::default(),
            description: SmolStr::default(),
            span: None,
            is_introduced: false,
            rest_of: None,
        }
    }

    /// Whether the equations determine it.
    pub fn is_unknown(&self) -> bool {
        matches!(self.kind, Kind::Unknown | Kind::Derivative { .. })
    }

    /// Whether it is the same during a run.
    pub fn is_parameter(&self) -> bool {
        matches!(self.kind, Kind::Constant | Kind::Parameter)
    }

    /// Whether it is an input of the model that is given from outside (MLS §4.4.2.2), and known like a parameter.
    pub fn is_given_from_outside(&self) -> bool {
        self.causality == Some(Causality::Input) && self.kind == Kind::Parameter
    }

    /// Whether it is an output of the model.
    pub fn is_output(&self) -> bool {
        self.causality == Some(Causality::Output)
    }

    /// All attribute expressions.
    pub fn attributes(&self) -> impl Iterator<Item = ExprId> {
        [self.start, self.min, self.max, self.nominal].into_iter().flatten()
    }
}

/// The mark that makes `0 = f` the equation `factor*balance(variable) = f`: the variable is at a stable equilibrium of the flow
/// `factor*dx/dτ = f`, everything else being frozen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// The balanced variable.
    pub variable: VarId,
    /// Its slowness relative to the others: positive, and constant during a run.
    pub factor: ExprId,
}

/// `lhs = rhs`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equation {
    /// Left of the sign.
    pub lhs: ExprId,
    /// Right of the sign.
    pub rhs: ExprId,
    /// Whether it determines a discrete variable, and is evaluated at events only.
    pub is_discrete: bool,
    /// Its balance, if it is one; then the left side is zero.
    pub balance: Option<Balance>,
    /// The array equation or loop it is a member of.
    pub family: Option<Family>,
    /// Its origin.
    pub origin: Origin,
}

impl Equation {
    /// A continuous equation.
    pub fn new(lhs: ExprId, rhs: ExprId, origin: Origin) -> Equation {
        Equation { lhs, rhs, is_discrete: false, balance: None, family: None, origin }
    }
}

/// A condition that decides which of the equations hold, and does not change between events. The values of all guards are the
/// mode of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Guard {
    /// The condition.
    pub condition: ExprId,
    /// The first equation that depends on it.
    pub origin: Origin,
}

/// The `experiment` annotation; settings that it leaves out are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// A model as scalar equations, with its expressions.
///
/// There is one pool a model, and it is here: whatever is derived from the equations (the choice of states, the order of the
/// computation) refers to it too. A pass that adds expressions while it reads the equations borrows the two parts apart, as `&Dae` and
/// `&mut Pool`; a second pool of the same model has no place to be.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Equations {
    /// All expressions.
    pub pool: Pool,
    /// All else, by way of which they are reached. What is read of it is there at the [`Equations`], too.
    pub dae: Dae,
}

impl Deref for Equations {
    type Target = Dae;

    fn deref(&self) -> &Dae {
        &self.dae
    }
}

impl DerefMut for Equations {
    fn deref_mut(&mut self) -> &mut Dae {
        &mut self.dae
    }
}

/// The hybrid differential-algebraic equations of a model; their expressions are ids into the pool beside them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Dae {
    /// The name of the model.
    pub name: String,
    /// By [`VarId`].
    pub variables: Vec<Variable>,
    /// By [`EqId`].
    pub equations: Vec<Equation>,
    /// Initial equations.
    pub initial: Vec<Equation>,
    /// Events.
    pub events: Events,
    /// Clocks.
    pub clocks: Clocks,
    /// Conditions on which the structure of the model depends.
    pub guards: Vec<Guard>,
    /// Asserts.
    pub asserts: Vec<Assert>,
    /// `min` and `max` as they are written.
    pub limits: Vec<Limit>,
    /// The functions that calls refer to, with their types. Several models share them: who writes equations writes these apart.
    #[serde(skip)]
    pub functions: Arc<Tables>,
    /// The `experiment` annotation.
    pub experiment: Experiment,
}

impl Dae {
    /// A variable.
    pub fn variable(&self, v: VarId) -> &Variable {
        &self.variables[v.index()]
    }

    /// All variables with their ids.
    pub fn iter_variables(&self) -> impl Iterator<Item = (VarId, &Variable)> {
        self.variables.iter().enumerate().map(|(i, variable)| (VarId(i as u32), variable))
    }

    /// The variable of this name.
    pub fn variable_named(&self, name: &str) -> Option<VarId> {
        self.iter_variables().find(|(_, variable)| variable.name == name).map(|(v, _)| v)
    }

    /// For each variable, its derivative if the model has one.
    pub fn derivatives(&self) -> Vec<Option<VarId>> {
        let mut derivative = vec![None; self.variables.len()];
        for (v, variable) in self.iter_variables() {
            if let Kind::Derivative { of } = variable.kind {
                derivative[of.index()] = Some(v);
            }
        }
        derivative
    }

    /// For each variable, its `pre`, if the model uses it.
    pub fn previous(&self) -> Vec<Option<VarId>> {
        let mut previous = vec![None; self.variables.len()];
        for (v, variable) in self.iter_variables() {
            if let Kind::Pre { of } = variable.kind {
                previous[of.index()] = Some(v);
            }
        }
        previous
    }

    /// For each variable, its rest, if it has one.
    pub fn rests(&self) -> Vec<Option<VarId>> {
        let mut rests = vec![None; self.variables.len()];
        for (v, variable) in self.iter_variables() {
            if let Some(of) = variable.rest_of {
                rests[of.index()] = Some(v);
            }
        }
        rests
    }

    /// The pairs `v`, `pre(v)` of the model; rests among them.
    pub fn kept_before(&self) -> Vec<(VarId, VarId)> {
        let rests = self.rests();
        let mut kept = Vec::new();
        for (v, variable) in self.iter_variables() {
            if let Kind::Pre { of } = variable.kind {
                kept.push((of, v));
                kept.extend(rests[of.index()].zip(rests[v.index()]));
            }
        }
        kept
    }

    /// See [`Equations::copy_with_room`].
    fn copy_with_room(&self) -> Dae {
        fn with_room<T: Clone>(list: &[T]) -> Vec<T> {
            let mut copy = Vec::with_capacity(list.len() + list.len() / 4);
            copy.extend_from_slice(list);
            copy
        }
        Dae {
            name: self.name.clone(),
            variables: with_room(&self.variables),
            equations: with_room(&self.equations),
            initial: self.initial.clone(),
            events: self.events.clone(),
            clocks: self.clocks.clone(),
            guards: self.guards.clone(),
            asserts: self.asserts.clone(),
            limits: self.limits.clone(),
            functions: self.functions.clone(),
            experiment: self.experiment.clone(),
        }
    }

    /// How expressions of this model are written, while they are lent to a pass.
    pub fn notation_in<'a>(&'a self, pool: &'a Pool) -> Notation<'a> {
        Notation { pool, variables: &self.variables, functions: &self.functions, longest: LONGEST_SHOWN }
    }
}

impl Equations {
    /// A copy that has room for some more variables and equations: what grows is copied again, and variables are large.
    pub fn copy_with_room(&self) -> Equations {
        Equations { pool: self.pool.clone(), dae: self.dae.copy_with_room() }
    }

    /// A guard as the modeller wrote it.
    pub fn guard_text(&self, guard: &Guard) -> String {
        let text = self.notation().expression(guard.condition);
        // conditions that are held have parentheses in their names
        match self.pool.node(guard.condition) {
            Node::Variable(_) => {
                text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(&text).into()
            }
            _ => text,
        }
    }

    /// The notation of this model's expressions.
    pub fn notation(&self) -> Notation<'_> {
        self.notation_in(&self.pool)
    }

    /// The same without a limit to the length, for what is read back.
    pub(crate) fn whole_notation(&self) -> Notation<'_> {
        Notation { longest: usize::MAX, ..self.notation() }
    }
}
