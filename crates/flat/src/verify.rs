//! The invariants of [`Flat`], checked.

use std::collections::HashSet;
use std::fmt;

use crate::{Equation, EquationKind, Expr, ExprKind, Flat, Printer, Scalar, Subscript, Type};

/// An invariant that does not hold: a mistake in a pass, never the modeller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation(pub String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Flat {
    /// The first invariant of the module's list that does not hold.
    pub fn verify(&self) -> Result<(), Violation> {
        let mut names = HashSet::new();
        for variable in &self.variables {
            let name = variable.name.to_string();
            if !names.insert(name.clone()) {
                return Err(Violation(format!("{name} is there twice")));
            }
            let dimensions: usize = variable.name.parts.iter().map(|part| part.dimensions).sum();
            if dimensions != variable.ty.sizes.len() {
                return Err(Violation(format!(
                    "{name} has {dimensions} dimensions in its name, not those of its type"
                )));
            }
            let values = variable.attributes.expressions().map(|(_, e)| e).chain(&variable.binding);
            for e in values {
                self.verify_expression(e)?;
                if !e.ty.is_scalar() && e.ty.sizes != variable.ty.sizes {
                    return Err(Violation(format!(
                        "{name} has the value {}, which is {}",
                        self.text(e),
                        e.ty
                    )));
                }
            }
        }
        self.equations.iter().chain(&self.initial).try_for_each(|equation| self.verify_equation(equation))
    }

    fn text(&self, e: &Expr) -> String {
        Printer::new(&self.variables).expression(e)
    }

    fn verify_equation(&self, equation: &Equation) -> Result<(), Violation> {
        let EquationKind::Equal(lhs, rhs) = &equation.kind;
        self.verify_expression(lhs)?;
        self.verify_expression(rhs)?;
        if lhs.ty.sizes != rhs.ty.sizes || lhs.ty.scalar.joined(rhs.ty.scalar).is_none() {
            let (lhs_text, rhs_text) = (self.text(lhs), self.text(rhs));
            return Err(Violation(format!(
                "{lhs_text} = {rhs_text} has sides of type {} and {}",
                lhs.ty, rhs.ty
            )));
        }
        Ok(())
    }

    fn verify_expression(&self, e: &Expr) -> Result<(), Violation> {
        e.parts().into_iter().try_for_each(|part| self.verify_expression(part))?;
        let wrong = |what: &str| Err(Violation(format!("{} of type {}: {what}", self.text(e), e.ty)));
        match &e.kind {
            ExprKind::Variable(v, subscripts) => {
                let Some(variable) = self.variables.get(v.index()) else {
                    return Err(Violation(format!("variable {} is not there", v.0)));
                };
                if !subscripts.is_empty() && subscripts.len() != variable.ty.sizes.len() {
                    return wrong("not one subscript per dimension");
                }
                if e.ty != subscripted(&variable.ty, subscripts) {
                    return wrong("not the type of the variable");
                }
                Ok(())
            }
            ExprKind::Negate(a) if a.ty != e.ty => wrong("not the type of its operand"),
            ExprKind::Not(a) if a.ty != e.ty || e.ty.scalar != Scalar::Boolean => wrong("not Boolean"),
            ExprKind::Arithmetic(_, a, b) if !elementwise(&e.ty, &a.ty, &b.ty) => {
                wrong("sizes do not go together")
            }
            ExprKind::Relation(_, a, b) if !a.ty.is_scalar() || !b.ty.is_scalar() => wrong("arrays compared"),
            ExprKind::Logic(_, a, b) if !elementwise(&e.ty, &a.ty, &b.ty) => {
                wrong("sizes do not go together")
            }
            ExprKind::If(c, a, b) if c.ty != Type::scalar(Scalar::Boolean) || a.ty.sizes != b.ty.sizes => {
                wrong("branches or condition do not go together")
            }
            ExprKind::Array(elements) => {
                let inner = &e.ty.sizes[1..];
                if e.ty.sizes[0] != elements.len() || elements.iter().any(|element| element.ty.sizes != inner)
                {
                    return wrong("elements of other sizes");
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The type of a variable of type `ty` with these subscripts.
fn subscripted(ty: &Type, subscripts: &[Subscript]) -> Type {
    if subscripts.is_empty() {
        return ty.clone();
    }
    let sizes = ty.sizes.iter().zip(subscripts).flat_map(|(size, subscript)| match subscript {
        Subscript::Whole => vec![*size],
        Subscript::Index(e) => e.ty.sizes.clone(),
    });
    Type::array(ty.scalar, sizes.collect())
}

fn elementwise(result: &Type, a: &Type, b: &Type) -> bool {
    let fits = |operand: &Type| operand.is_scalar() || operand.sizes == result.sizes;
    fits(a) && fits(b) && (result.is_scalar() || !a.is_scalar() || !b.is_scalar())
}
