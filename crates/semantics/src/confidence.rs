//! Confidence in a start value (MLS §8.6.2).
//!
//! Of several start values for one quantity the one given nearest to the modeller wins: a modification in the model itself before
//! one inside a component, and that before the default of a type.

use rhei_flat::{Confidence, Expr, ExprKind};

use crate::class::ClassNodeId;
use crate::context::Context;
use crate::modifiers::ModifierValue;

/// Most parameters in a chain of references; a cycle is reported elsewhere.
const MOST_PARAMETERS: usize = 100;

impl<'l> Context<'l> {
    /// That of a start value, given with this expression.
    pub(crate) fn confidence(&self, given: ModifierValue<'l>, start: &Expr) -> Confidence {
        let own = if given.is_of_type() { Confidence::LEAST } else { self.level(given.scope) };
        let mut through_parameters = own;
        let mut next = self.parameter_of(start);
        for _ in 0..MOST_PARAMETERS {
            let Some((level, binding)) = next else { break };
            through_parameters = through_parameters.min(level);
            next = binding.and_then(|binding| self.parameter_of(binding));
        }
        Confidence { through_parameters, own }
    }

    /// For an expression that is exactly a parameter: the level on which that has its value, and the value.
    fn parameter_of(&self, e: &Expr) -> Option<(u8, Option<&Expr>)> {
        let ExprKind::Variable(v, _) = &e.kind else { return None };
        let component = self.component(self.variable_component(*v));
        Some((self.level(component.written_value()?.scope), component.binding.known()))
    }

    /// How deep in the model the class is an instance: the model itself is on level 1, and a class that is none below everything.
    fn level(&self, class: ClassNodeId) -> u8 {
        let derived = std::iter::successors(Some(class), |class| self.class(*class).derived);
        match derived.last().and_then(|class| self.class(class).owner) {
            Some(owner) => u8::try_from(1 + self.outwards(owner).count()).unwrap_or(Confidence::LEAST),
            None => Confidence::LEAST,
        }
    }
}
