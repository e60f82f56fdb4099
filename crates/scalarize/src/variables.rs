//! Which scalar variables a flat variable becomes.

use rhei_equations::{
    Equations, Kind, Origin, Scalar, StateSelect, VarId as ScalarId, Variable as ScalarVariable,
};
use rhei_flat::{Flat, Scalar as FlatScalar, VarId, Variability, Variable};

use crate::element::Indices;

/// For each flat variable, the first of its elements; they stand together, the last dimension running fastest.
pub(crate) struct Places {
    first: Vec<Option<usize>>,
}

impl Places {
    /// Declares all elements, so far without attributes and bindings. Texts have no place among numbers.
    pub(crate) fn declare(flat: &Flat, equations: &mut Equations) -> Places {
        let mut first = Vec::new();
        for variable in &flat.variables {
            let Some(scalar) = scalar(variable.ty.scalar) else {
                first.push(None);
                continue;
            };
            first.push(Some(equations.variables.len()));
            for indices in Indices::of(&variable.ty.known_sizes().unwrap_or_default()) {
                equations.variables.push(declaration(variable, scalar, &indices));
            }
        }
        Places { first }
    }

    /// The first element.
    pub(crate) fn first(&self, v: VarId) -> Option<usize> {
        self.first[v.index()]
    }

    /// The element at this offset.
    pub(crate) fn element(&self, v: VarId, offset: usize) -> Option<ScalarId> {
        Some(ScalarId((self.first(v)? + offset) as u32))
    }
}

fn scalar(scalar: FlatScalar) -> Option<Scalar> {
    match scalar {
        FlatScalar::Real => Some(Scalar::Real),
        FlatScalar::Integer => Some(Scalar::Integer),
        FlatScalar::Boolean => Some(Scalar::Boolean),
        FlatScalar::Enumeration(_) => Some(Scalar::Integer),
        _ => None,
    }
}

fn declaration(variable: &Variable, scalar: Scalar, indices: &[usize]) -> ScalarVariable {
    let from_one: Vec<usize> = indices.iter().map(|i| i + 1).collect();
    let kind = match variable.variability {
        Variability::Constant => Kind::Constant,
        Variability::Parameter => Kind::Parameter,
        Variability::Discrete | Variability::Continuous => Kind::Unknown,
    };
    let mut declared = ScalarVariable::new(variable.name.element(&from_one), kind);
    declared.scalar = scalar;
    declared.description = variable.description.to_string();
    declared.unit = variable.attributes.unit.as_ref().map_or(String::new(), ToString::to_string);
    declared.structural = variable.structural;
    declared.select = variable.attributes.state_select.and_then(StateSelect::named).unwrap_or_default();
    declared.origin = Origin { span: Some(variable.span), ..Origin::default() };
    declared
}
