//! Constants and parameters evaluated while the model is compiled (MLS §4.5, §18.3): constants, parameters with
//! `Evaluate = true`, and `final` ones with values made of these alone.

use rhei_evaluate::Value;
use rhei_flat::{Expr, ExprKind, Variability};
use rhei_syntax::ast;

use crate::class::ClassNodeId;
use crate::component::{Binding, ComponentId};
use crate::context::Context;
use crate::mistake::Mistake;

impl<'l> Context<'l> {
    /// The `Evaluate` annotation in the declaration of a component, else in its class or a base of that.
    pub(crate) fn evaluate_annotation(
        &mut self,
        component: ast::Component<'l>,
        class: ClassNodeId,
    ) -> Option<bool> {
        component.annotation().and_then(said).or_else(|| self.evaluate_of_class(class))
    }

    fn evaluate_of_class(&mut self, class: ClassNodeId) -> Option<bool> {
        let own = self.class(class).text().and_then(|text| text.annotation()).and_then(said);
        own.or_else(|| self.elements(class).bases().find_map(|base| self.evaluate_of_class(base)))
    }

    /// `Evaluate` of a component and of those around it: the outermost one counts (MLS §18.3).
    fn is_to_be_evaluated(&self, id: ComponentId) -> Option<bool> {
        self.outwards(id).filter_map(|part| self.component(part).evaluate).last()
    }

    /// The value of a variable as it is known now, where it is settled; else as it is written.
    pub(crate) fn settled(&mut self, id: ComponentId, binding: Expr) -> Expr {
        if !self.is_settled(id, &binding) {
            return binding;
        }
        if binding.is_literal() {
            self.component_mut(id).structural = true;
            return binding;
        }
        let said = self.mistakes.len();
        let value = self.settled_value(&binding);
        self.mistakes.truncate(said);
        match value {
            Ok(value) => {
                self.component_mut(id).structural = true;
                rhei_evaluate::to_expr(&value, &binding.ty, binding.span)
            }
            // a value that is not known yet is computed before the run
            Err(_) => binding,
        }
    }

    fn is_settled(&self, id: ComponentId, binding: &Expr) -> bool {
        let node = self.component(id);
        let asked = self.is_to_be_evaluated(id);
        let is_settled = match node.variability {
            Variability::Constant => true,
            Variability::Parameter if asked == Some(true) || self.is_part_of_structural(id) => true,
            Variability::Parameter => node.is_final && asked.is_none() && self.is_of_settled(binding),
            _ => false,
        };
        // inside an array of components each element may have its own
        is_settled && !has_free_iterators(binding)
    }

    /// Whether a component is settled, or a field of a record that is.
    fn is_part_of_structural(&self, id: ComponentId) -> bool {
        self.outwards(id).any(|part| self.component(part).structural)
    }

    /// A record that a function computes and that is settled has that value: its fields need not hold the call.
    pub(crate) fn settle_record(&mut self, id: ComponentId) {
        let binding = match &self.component(id).binding {
            Binding::Known(value)
                if matches!(value.kind, ExprKind::Apply(..))
                    && !self.tried_to_settle.contains(&id)
                    && self.is_settled(id, value) =>
            {
                (**value).clone()
            }
            _ => return,
        };
        self.tried_to_settle.insert(id);
        let settled = self.settled(id, binding);
        if settled.is_literal() {
            self.component_mut(id).binding = Binding::Known(Box::new(settled));
        }
    }

    /// The value of a binding. Fields of a record that a function computes come one after the other: it is called once.
    fn settled_value(&mut self, binding: &Expr) -> Result<Value, Mistake> {
        let (mut whole, mut path) = (binding, Vec::new());
        while let ExprKind::Field(of, place) = &whole.kind {
            path.push(*place as usize);
            whole = of;
        }
        if path.is_empty() || !matches!(whole.kind, ExprKind::Apply(..)) {
            return self.evaluate(binding, true);
        }
        if !matches!(&self.settled_record, Some((known, _)) if known == whole) {
            let Ok(value) = self.evaluate(whole, true) else { return self.evaluate(binding, true) };
            self.settled_record = Some((whole.clone(), value));
        }
        let mut value = self.settled_record.as_ref().map(|(_, value)| value);
        for place in path.iter().rev() {
            value = match value {
                Some(Value::Record(_, fields)) => fields.get(*place),
                _ => None,
            };
        }
        match value.filter(|value| value.is_complete()).cloned() {
            Some(value) => Ok(value),
            None => self.evaluate(binding, true),
        }
    }

    /// Whether an expression is made of constants, and of parameters that cannot be changed any more.
    fn is_of_settled(&self, e: &Expr) -> bool {
        let mut settled = true;
        e.walk(&mut |part| match part.kind {
            ExprKind::Variable(v, _) => {
                let node = self.component(self.variable_component(v));
                settled &= match node.variability {
                    Variability::Constant => true,
                    Variability::Parameter => node.structural,
                    _ => false,
                };
            }
            ExprKind::Time => settled = false,
            _ => {}
        });
        settled
    }
}

fn said(annotation: ast::AnnotationClause<'_>) -> Option<bool> {
    match annotation.find("Evaluate")?.modification()?.value()? {
        ast::Expression::Boolean(literal) => Some(literal.value()),
        _ => None,
    }
}

/// Whether an expression holds iterators of loops around it.
fn has_free_iterators(e: &Expr) -> bool {
    let (mut used, mut bound) = (Vec::new(), Vec::new());
    e.walk(&mut |part| match &part.kind {
        ExprKind::Iterator(iterator) => used.push(*iterator),
        ExprKind::Comprehension(_, iterations) | ExprKind::Reduction(_, _, iterations) => {
            bound.extend(iterations.iter().map(|iteration| iteration.iterator));
        }
        _ => {}
    });
    used.iter().any(|iterator| !bound.contains(iterator))
}
