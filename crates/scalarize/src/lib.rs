//! The flat model taken apart: arrays to elements, array equations to scalar ones, `der(e)` to derivative variables.
//!
//! In: a [`Flat`]. Out: [`Equations`], every one with its origin and, where it comes from an array equation, its family.

mod element;
mod mistake;
mod variables;

use rhei_equations::{Equation, Equations, Experiment, Family, Origin};
use rhei_flat::{EquationKind, Expr, Flat};
use rhei_source::Diagnostic;

use crate::element::{Elements, Indices};
pub use crate::mistake::Mistake;
use crate::variables::Places;

/// The scalar equations of a model; `None` means that the diagnostics hold an error.
pub fn scalarize(flat: &Flat) -> (Option<Equations>, Vec<Diagnostic>) {
    let mut equations =
        Equations { name: flat.name.clone(), experiment: experiment(flat), ..Equations::default() };
    let places = Places::declare(flat, &mut equations);
    let mut pass =
        Pass { flat, elements: Elements::new(flat, &places, equations), mistakes: Vec::new(), families: 0 };
    pass.variables(&places);
    pass.equations();
    pass.initial();

    let Pass { elements, mistakes, .. } = pass;
    let equations = elements.finish();
    if mistakes.is_empty() {
        debug_assert_eq!(equations.verify(), Ok(()));
        (Some(equations), Vec::new())
    } else {
        (None, mistakes.into_iter().map(Diagnostic::from).collect())
    }
}

fn experiment(flat: &Flat) -> Experiment {
    let rhei_flat::Experiment { start_time, stop_time, tolerance, interval } = flat.experiment;
    Experiment { start_time, stop_time, tolerance, interval }
}

struct Pass<'a> {
    flat: &'a Flat,
    elements: Elements<'a>,
    mistakes: Vec<Mistake>,
    families: u32,
}

impl Pass<'_> {
    /// Attributes and bindings, element by element. The binding of an unknown is an equation.
    fn variables(&mut self, places: &Places) {
        for (v, variable) in self.flat.iter_variables() {
            let Some(first) = places.first(v) else { continue };
            for (i, indices) in Indices::of(&variable.ty.sizes).enumerate() {
                let place = first + i;
                if let Err(mistake) = self.elements.attributes(variable, &indices, place) {
                    self.mistakes.push(mistake);
                    break; // one word per declaration
                }
            }
        }
    }

    fn equations(&mut self) {
        for (v, variable) in self.flat.iter_variables() {
            if let Some(binding) = &variable.binding
                && self.elements.is_unknown(v)
            {
                let origin = Origin { span: Some(variable.span), ..Origin::default() };
                let reference = Expr {
                    kind: rhei_flat::ExprKind::Variable(v, Vec::new()),
                    ty: variable.ty.clone(),
                    span: variable.span,
                };
                self.equal(&reference, binding, origin, false);
            }
        }
        for equation in &self.flat.equations {
            self.equation(equation, false);
        }
    }

    fn initial(&mut self) {
        for equation in &self.flat.initial {
            self.equation(equation, true);
        }
    }

    fn equation(&mut self, equation: &rhei_flat::Equation, initial: bool) {
        let origin = Origin {
            span: Some(equation.span),
            component: equation.component.to_string(),
            ..Origin::default()
        };
        let EquationKind::Equal(lhs, rhs) = &equation.kind;
        self.equal(lhs, rhs, origin, initial);
    }

    fn equal(&mut self, lhs: &Expr, rhs: &Expr, origin: Origin, initial: bool) {
        let is_array = !lhs.ty.is_scalar();
        let id = self.families;
        self.families += u32::from(is_array);
        for (index, indices) in Indices::of(&lhs.ty.sizes).enumerate() {
            let sides = self
                .elements
                .element(lhs, &indices)
                .and_then(|l| Ok((l, self.elements.element(rhs, &indices)?)));
            match sides {
                Ok((lhs, rhs)) => {
                    let family = is_array.then_some(Family { id, index: index as u32 });
                    self.elements.push(Equation { lhs, rhs, family, origin: origin.clone() }, initial);
                }
                Err(mistake) => {
                    self.mistakes.push(mistake);
                    break; // the other elements have the same
                }
            }
        }
    }
}
