//! Which scalar variables a flat variable becomes.

use rhei_equations::{
    Equations, Kind, LARGEST_PLAIN, Scalar, StateSelect, VarId as ScalarId, Variable as ScalarVariable,
};
use rhei_flat::{
    Causality, Equation, EquationKind, Expr, ExprKind, Flat, Scalar as FlatScalar, Statement, StatementKind,
    VarId, Variability, Variable,
};
use rustc_hash::FxHashSet;

use crate::element::Indices;
use crate::mistake::Mistake;

/// A model with more takes the passes after this one too long.
const MOST_VARIABLES: usize = 1_000_000;

/// The variable with which there are more elements than a model may have.
pub(crate) fn too_many(flat: &Flat) -> Option<Mistake> {
    let mut total = 0usize;
    for variable in &flat.variables {
        let sizes = variable.ty.known_sizes().unwrap_or_default();
        let count = sizes.iter().fold(1usize, |count, &size| count.saturating_mul(size));
        total = total.saturating_add(count);
        if total > MOST_VARIABLES {
            let (variable, span) = (variable.name.to_string(), variable.span);
            return Some(Mistake::TooManyElements { variable, most: MOST_VARIABLES, span });
        }
    }
    None
}

/// For each flat variable, the first of its elements; they stand together, the last dimension running fastest.
pub(crate) struct Places {
    first: Vec<Option<ScalarId>>,
    /// Which of them have no dimensions.
    is_scalar: Vec<bool>,
}

impl Places {
    /// Declares all elements, so far without attributes and bindings. Texts have no place among numbers.
    pub(crate) fn declare(flat: &Flat, equations: &mut Equations) -> Places {
        let mut first = Vec::with_capacity(flat.variables.len());
        let set_by_when = set_by_when(flat);
        // with room for derivatives: growing copies
        equations.variables.reserve(flat.variables.len() + flat.variables.len() / 4);
        for (v, variable) in flat.iter_variables() {
            let Some(scalar) = scalar(variable.ty.scalar) else {
                first.push(None);
                continue;
            };
            first.push(Some(ScalarId(equations.variables.len() as u32)));
            for indices in Indices::of(&variable.ty.known_sizes().unwrap_or_default()) {
                let mut declared = declaration(variable, scalar, &indices);
                let varies = declared.kind == Kind::Unknown;
                declared.is_discrete = varies && (scalar != Scalar::Real || set_by_when.contains(&v));
                equations.variables.push(declared);
            }
        }
        Places { first, is_scalar: flat.variables.iter().map(|variable| variable.ty.is_scalar()).collect() }
    }

    /// The first element.
    pub(crate) fn first(&self, v: VarId) -> Option<usize> {
        self.first[v.index()].map(ScalarId::index)
    }

    /// The only element of a variable without dimensions.
    pub(crate) fn scalar(&self, v: VarId) -> Option<ScalarId> {
        self.first[v.index()].filter(|_| self.is_scalar[v.index()])
    }

    /// The element at this offset.
    pub(crate) fn element(&self, v: VarId, offset: usize) -> Option<ScalarId> {
        Some(ScalarId((self.first(v)? + offset) as u32))
    }
}

/// The variables that a `when` determines: they change at events only (MLS §8.3.5).
fn set_by_when(flat: &Flat) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    flat.equations.iter().for_each(|equation| in_equation(equation, false, &mut found));
    for algorithm in &flat.algorithms {
        in_statements(&algorithm.statements, false, &mut found);
    }
    found
}

fn in_equation(equation: &Equation, inside: bool, found: &mut FxHashSet<VarId>) {
    match &equation.kind {
        EquationKind::Equal(lhs, _) if inside => in_target(lhs, found),
        EquationKind::Results(targets, _) if inside => {
            targets.iter().flatten().for_each(|target| in_target(target, found));
        }
        EquationKind::For(_, body) => body.iter().for_each(|equation| in_equation(equation, inside, found)),
        EquationKind::If(branches, otherwise) => {
            let all = branches.iter().flat_map(|(_, equations)| equations).chain(otherwise);
            all.for_each(|equation| in_equation(equation, inside, found));
        }
        EquationKind::When(branches) => {
            for branch in branches {
                // variables of a clocked `when` are set by ordinary equations
                let inside = branch.condition.ty.scalar != FlatScalar::Clock;
                branch.equations.iter().for_each(|equation| in_equation(equation, inside, found));
            }
        }
        _ => {}
    }
}

fn in_statements(statements: &[Statement], inside: bool, found: &mut FxHashSet<VarId>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, _) if inside => in_target(target, found),
            StatementKind::AssignResults(targets, _) if inside => {
                targets.iter().flatten().for_each(|target| in_target(target, found));
            }
            StatementKind::For(_, body) | StatementKind::While(_, body) => in_statements(body, inside, found),
            StatementKind::If(branches, otherwise) => {
                branches.iter().for_each(|(_, body)| in_statements(body, inside, found));
                in_statements(otherwise, inside, found);
            }
            StatementKind::When(branches) => {
                branches.iter().for_each(|(_, body)| in_statements(body, true, found));
            }
            _ => {}
        }
    }
}

fn in_target(target: &Expr, found: &mut FxHashSet<VarId>) {
    match &target.kind {
        ExprKind::Variable(v, _) => {
            found.insert(*v);
        }
        ExprKind::Record(_, parts) | ExprKind::Array(parts) => {
            parts.iter().for_each(|part| in_target(part, found));
        }
        ExprKind::Field(inner, _) | ExprKind::Index(inner, _) | ExprKind::Comprehension(inner, _) => {
            in_target(inner, found);
        }
        _ => {}
    }
}

/// The scalar type of its values, if they are represented by numbers.
pub(crate) fn scalar(scalar: FlatScalar) -> Option<Scalar> {
    match scalar {
        FlatScalar::Real => Some(Scalar::Real),
        FlatScalar::Integer => Some(Scalar::Integer),
        FlatScalar::Boolean => Some(Scalar::Boolean),
        FlatScalar::Enumeration(_) | FlatScalar::ExternalObject(_) => Some(Scalar::Enumeration),
        _ => None,
    }
}

/// Whether it is an input of the whole model that nothing is given to: it is known from outside (MLS §4.4.2.2), and here it keeps its
/// start value.
pub(crate) fn is_held(variable: &Variable) -> bool {
    variable.causality == Some(Causality::Input)
        && variable.variability > Variability::Parameter
        && variable.binding.is_none()
        && !variable.is_protected
}

fn declaration(variable: &Variable, scalar: Scalar, indices: &[usize]) -> ScalarVariable {
    let from_one: Vec<usize> = indices.iter().map(|i| i + 1).collect();
    let kind = match variable.variability {
        Variability::Constant => Kind::Constant,
        Variability::Parameter => Kind::Parameter,
        Variability::Discrete | Variability::Continuous if is_held(variable) => Kind::Parameter,
        Variability::Discrete | Variability::Continuous => Kind::Unknown,
    };
    let mut declared = ScalarVariable::new(variable.name.element(&from_one), kind);
    declared.scalar = scalar;
    declared.description = variable.description.clone();
    declared.unit = variable.attributes.unit.clone().unwrap_or_default();
    declared.structural = variable.structural;
    declared.causality = variable.causality.filter(|_| !variable.is_protected);
    let select = variable.attributes.state_select.as_ref().map(|select| select.of(indices));
    declared.select = select.and_then(StateSelect::named).unwrap_or_default();
    declared.span = Some(variable.span);
    declared
}

/// Every Integer gets a variable for its rest, but for those that stay small: structural ones, and whole numbers held between
/// events, which are `f64` themselves.
pub(crate) fn add_rests(equations: &mut Equations) {
    let held: FxHashSet<ScalarId> = equations.events.crossings.iter().map(|crossing| crossing.held).collect();
    let is_plain = |variable: &ScalarVariable| {
        let is_settled = variable.structural || variable.kind == Kind::Constant;
        let value = variable.binding.and_then(|binding| equations.pool.as_number(binding));
        is_settled && value.is_some_and(|value| value.abs() <= LARGEST_PLAIN)
    };
    let all = equations.iter_variables();
    let whole = all.filter(|(v, variable)| {
        variable.scalar == Scalar::Integer && !held.contains(v) && !is_plain(variable)
    });
    let rests = whole.map(|(v, variable)| {
        let mut rest = ScalarVariable::new(format!("rest of {}", variable.name), Kind::Given);
        (rest.is_discrete, rest.is_hidden, rest.span) = (true, true, variable.span);
        rest.rest_of = Some(v);
        rest
    });
    let rests: Vec<ScalarVariable> = rests.collect();
    equations.variables.extend(rests);
}
