//! What remains of the variables of a flat model once its equations are solved: names, types, and who may set them.

use rhei_source::Span;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{
    Causality, Enumeration, EnumerationId, ExprKind, Flat, Name, Scalar, Type, Variability, Variable,
};

/// The variables of a model as they are declared, without equations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Declarations {
    /// By [`VarId`](crate::VarId).
    pub variables: Vec<Declaration>,
    /// By [`EnumerationId`].
    pub enumerations: Vec<Enumeration>,
}

/// A variable, possibly an array, without its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Declaration {
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
    /// Whether it, or a component that it is a part of, is final.
    pub is_final: bool,
    /// Whether its declaration gives it a value.
    pub is_bound: bool,
    /// The value of a scalar text, where it is a literal: no equation knows texts.
    pub text: Option<SmolStr>,
    /// `displayUnit`
    pub display_unit: Option<SmolStr>,
    /// The text beside the declaration.
    pub description: SmolStr,
    /// The declaration.
    pub span: Span,
}

impl Declarations {
    /// An enumeration.
    pub fn enumeration(&self, id: EnumerationId) -> &Enumeration {
        &self.enumerations[id.0 as usize]
    }
}

impl Flat {
    /// Its variables as they are declared.
    pub fn declarations(&self) -> Declarations {
        let variables = self.variables.iter().map(Declaration::of).collect();
        Declarations { variables, enumerations: self.tables.enumerations.clone() }
    }
}

impl Declaration {
    fn of(variable: &Variable) -> Declaration {
        let text = match variable.binding.as_ref().map(|binding| &binding.kind) {
            Some(ExprKind::String(text)) if variable.ty.scalar == Scalar::String => Some(text.clone()),
            _ => None,
        };
        Declaration {
            name: variable.name.clone(),
            ty: variable.ty.clone(),
            variability: variable.variability,
            causality: variable.causality,
            is_protected: variable.is_protected,
            is_final: variable.is_final,
            is_bound: variable.binding.is_some(),
            text,
            display_unit: variable.attributes.display_unit.clone(),
            description: variable.description.clone(),
            span: variable.span,
        }
    }
}
