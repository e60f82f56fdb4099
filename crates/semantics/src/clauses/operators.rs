//! Operators that ask for a variable of a kind: `der` for one that varies with time, `pre` for one that does not (MLS §3.7.5).

use rhei_flat::{Builtin, Equation, EquationKind, Expr, ExprKind, Scalar, Statement, StatementKind};

use crate::clauses::Mistakes;
use crate::clauses::discrete::Discrete;
use crate::clauses::left_sides::{Defined, reference};
use crate::clauses::mistake::Mistake;
use rhei_instance::Instance;

pub(super) fn check(instance: &Instance, discrete: &Discrete<'_>, mistakes: &mut Mistakes) {
    let mut pass = Pass { discrete, mistakes };
    let sections = &instance.sections;
    for variable in &instance.variables {
        let Some(binding) = &variable.binding else { continue };
        pass.binding(binding);
    }
    pass.equations(&sections.equations, false);
    // at the start everything changes at an event
    pass.equations(&sections.initial, true);
    for algorithm in &sections.algorithms {
        pass.statements(&algorithm.statements, false);
    }
    for algorithm in &sections.initial_algorithms {
        pass.statements(&algorithm.statements, true);
    }
}

struct Pass<'a> {
    discrete: &'a Discrete<'a>,
    mistakes: &'a mut Mistakes,
}

impl Pass<'_> {
    /// A binding, which may be `reinit(value)` as a whole, or element by element.
    fn binding(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call(Builtin::Reinit, arguments) if arguments.len() == 1 => {
                self.expression(&arguments[0], false);
            }
            ExprKind::Array(elements) => elements.iter().for_each(|element| self.binding(element)),
            ExprKind::Comprehension(body, _) => self.binding(body),
            _ => self.expression(e, false),
        }
    }

    /// `at_event`: whether all this is evaluated at events only.
    fn expression(&mut self, e: &Expr, at_event: bool) {
        if let ExprKind::Call(builtin, arguments) = &e.kind {
            match (builtin, arguments.as_slice()) {
                (Builtin::Der, [argument]) => self.der(argument),
                (Builtin::Reinit, [_]) => self.mistakes.add(Mistake::MeasuredInside { span: e.span }),
                (Builtin::Pre | Builtin::Edge | Builtin::Change, [argument]) => {
                    self.pre(*builtin, argument, at_event);
                }
                _ => {}
            }
        }
        for part in e.parts() {
            self.expression(part, at_event);
        }
    }

    fn der(&mut self, argument: &Expr) {
        let Some(variables) = reference(argument) else { return };
        for one in variables {
            let variable = &self.discrete.instance.variables[one.variable.index()];
            // a parameter has a derivative: zero
            let declared = variable.variability == rhei_flat::Variability::Discrete;
            if declared || self.discrete.in_when.iter().any(|other| one.meets(other)) {
                self.mistakes.add(Mistake::DerOfDiscrete {
                    name: self.discrete.name(one.variable),
                    span: argument.span,
                });
            }
        }
    }

    fn pre(&mut self, builtin: Builtin, argument: &Expr, at_event: bool) {
        let operator = builtin.name();
        let Some(variables) = reference(argument) else {
            if !argument.is_literal() {
                self.mistakes.add(Mistake::NotAVariable { operator, span: argument.span });
            }
            return;
        };
        let is_continuous =
            |one: &&Defined| argument.ty.scalar == Scalar::Real && !self.discrete.is_discrete(one.variable);
        if let Some(one) = variables.iter().find(is_continuous).filter(|_| !at_event) {
            self.mistakes.add(Mistake::NotDiscrete {
                what: format!("the variable of `{operator}` outside `when`"),
                because: format!("`{}`", self.discrete.name(one.variable)),
                span: argument.span,
            });
        }
    }

    fn equations(&mut self, equations: &[Equation], at_event: bool) {
        for equation in equations {
            match &equation.kind {
                EquationKind::Equal(left, right) => {
                    self.expression(left, at_event);
                    self.expression(right, at_event);
                }
                EquationKind::Results(results, call) => {
                    results.iter().flatten().for_each(|e| self.expression(e, at_event));
                    self.expression(call, at_event);
                }
                EquationKind::Call(call) => self.expression(call, at_event),
                EquationKind::For(_, body) => self.equations(body, at_event),
                EquationKind::If(branches, otherwise) => {
                    for (condition, body) in branches {
                        self.expression(condition, at_event);
                        self.equations(body, at_event);
                    }
                    self.equations(otherwise, at_event);
                }
                EquationKind::When(branches) => {
                    for branch in branches {
                        self.expression(&branch.condition, at_event);
                        self.equations(&branch.equations, true);
                    }
                }
            }
        }
    }

    fn statements(&mut self, statements: &[Statement], at_event: bool) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(target, value) => {
                    self.expression(target, at_event);
                    self.expression(value, at_event);
                }
                StatementKind::AssignResults(targets, call) => {
                    targets.iter().flatten().for_each(|e| self.expression(e, at_event));
                    self.expression(call, at_event);
                }
                StatementKind::Call(call) => self.expression(call, at_event),
                StatementKind::If(branches, otherwise) => {
                    for (condition, body) in branches {
                        self.expression(condition, at_event);
                        self.statements(body, at_event);
                    }
                    self.statements(otherwise, at_event);
                }
                StatementKind::For(_, body) => self.statements(body, at_event),
                StatementKind::While(condition, body) => {
                    self.expression(condition, at_event);
                    self.statements(body, at_event);
                }
                StatementKind::When(branches) => {
                    for (condition, body) in branches {
                        self.expression(condition, at_event);
                        self.statements(body, true);
                    }
                }
                StatementKind::Break | StatementKind::Return => {}
            }
        }
    }
}
