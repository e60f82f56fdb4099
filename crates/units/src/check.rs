//! The units of a flat model, checked: strings that are none, and equations whose units do not go together.

use std::collections::{HashMap, HashSet};

use rhei_flat::{Equation, EquationKind, Expr, Flat, Scalar, Statement, StatementKind, VarId, Variable};
use rhei_source::{Diagnostic, Span};

use crate::infer::Inference;
use crate::mismatch::Between;
use crate::{Unit, UnitError};

/// Warns of unit strings that cannot be read, once each, and of equations, bindings and assignments in which two units that
/// are known do not go together, once each. Expressions without a unit are never warned of.
pub fn check_units(flat: &Flat) -> Vec<Diagnostic> {
    let (strings, mut diagnostics) = read_units(flat);
    let units: Vec<Option<&Unit>> =
        flat.variables.iter().map(|variable| unit_of(variable, &strings)).collect();
    let mut check =
        Check { inference: Inference::new(&units), told: HashSet::new(), diagnostics: Vec::new() };
    for (v, variable) in flat.iter_variables() {
        check.declaration(v, variable);
    }
    check.equations(&flat.equations);
    check.equations(&flat.initial);
    for algorithm in flat.algorithms.iter().chain(&flat.initial_algorithms) {
        check.statements(&algorithm.statements);
    }
    diagnostics.extend(check.diagnostics);
    diagnostics
}

/// All unit strings of a model; nothing for those that cannot be read.
type Strings<'a> = HashMap<&'a str, Option<Unit>>;

fn read_units(flat: &Flat) -> (Strings<'_>, Vec<Diagnostic>) {
    let mut strings = Strings::new();
    let mut diagnostics = Vec::new();
    for variable in &flat.variables {
        for (attribute, text) in variable.attributes.texts() {
            // an attribute that nobody gave is the empty text
            if attribute == "quantity" || text.is_empty() || strings.contains_key(text.as_str()) {
                continue;
            }
            let unit = Unit::parse(text).map_err(|error| {
                let label = format!("`{}` has it as its `{attribute}`", variable.name);
                let reason = match &error {
                    UnitError::UnknownSymbol(symbol) if symbol == text => String::new(),
                    error => format!(": {error}"),
                };
                let message = format!("`{text}` is not a unit{reason}");
                let warning = Diagnostic::warning("bad-unit", message).at(variable.span, label);
                diagnostics.push(match error.hint() {
                    Some(hint) => warning.with_note(hint),
                    None => warning,
                });
            });
            strings.insert(text, unit.ok());
        }
    }
    (strings, diagnostics)
}

/// The unit that a variable's values are compared by.
fn unit_of<'s>(variable: &Variable, strings: &'s Strings<'_>) -> Option<&'s Unit> {
    let text = variable.attributes.unit.as_ref().filter(|_| variable.ty.scalar == Scalar::Real)?;
    strings.get(text.as_str())?.as_ref().filter(|unit| !unit.is_scale())
}

struct Check<'a> {
    inference: Inference<'a>,
    /// Places and texts of warnings: the equations of a class are in the model once per instance, and are reported
    /// once.
    told: HashSet<(Span, Span, String)>,
    diagnostics: Vec<Diagnostic>,
}

impl Check<'_> {
    /// Reports the first mismatch since the last call.
    fn tell(&mut self) {
        let Some(mismatch) = self.inference.mismatch.take() else { return };
        let diagnostic = mismatch.diagnostic();
        // names differ from instance to instance, units do not
        let units = format!("{} {}", mismatch.first.unit, mismatch.second.unit);
        if self.told.insert((mismatch.first.span, mismatch.second.span, units)) {
            self.diagnostics.push(diagnostic);
        }
    }

    fn expression(&mut self, e: &Expr) {
        self.inference.expression(e);
        self.tell();
    }

    fn declaration(&mut self, v: VarId, variable: &Variable) {
        let name = || variable.name.to_string();
        for (attribute, value) in variable.attributes.expressions() {
            let between = Between::Attribute(name(), attribute);
            self.value(v, variable.span, between, value);
        }
        if let Some(value) = &variable.binding {
            self.value(v, variable.span, Between::Binding(name()), value);
        }
    }

    /// A value that wants the unit of a variable.
    fn value(&mut self, v: VarId, declared: Span, between: Between, value: &Expr) {
        let own = self.inference.variable(v);
        let unit = self.inference.expression(value);
        self.inference.join(between, declared, value.span, [own, unit]);
        self.tell();
    }

    fn equations(&mut self, equations: &[Equation]) {
        for equation in equations {
            self.equation(equation);
        }
    }

    fn equation(&mut self, equation: &Equation) {
        match &equation.kind {
            EquationKind::Equal(a, b) => {
                self.inference.equal(Between::Sides, a, b);
                self.tell();
            }
            EquationKind::Results(results, call) => self.results(results, call),
            EquationKind::For(iteration, body) => {
                self.expression(&iteration.range);
                self.equations(body);
            }
            EquationKind::If(branches, otherwise) => {
                for (condition, body) in branches {
                    self.expression(condition);
                    self.equations(body);
                }
                self.equations(otherwise);
            }
            EquationKind::When(branches) => {
                for branch in branches {
                    self.expression(&branch.condition);
                    self.equations(&branch.equations);
                }
            }
            EquationKind::Call(call) => self.expression(call),
        }
    }

    /// Of the units of the results of a function nothing is known.
    fn results(&mut self, results: &[Option<Expr>], call: &Expr) {
        self.inference.all(results.iter().flatten().chain([call]));
        self.tell();
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(target, value) => {
                self.inference.equal(Between::Assignment, target, value);
                self.tell();
            }
            StatementKind::AssignResults(results, call) => self.results(results, call),
            StatementKind::Call(call) => self.expression(call),
            StatementKind::If(branches, otherwise) => {
                self.branches(branches);
                self.statements(otherwise);
            }
            StatementKind::When(branches) => self.branches(branches),
            StatementKind::For(iteration, body) => {
                self.expression(&iteration.range);
                self.statements(body);
            }
            StatementKind::While(condition, body) => {
                self.expression(condition);
                self.statements(body);
            }
            StatementKind::Break | StatementKind::Return => {}
        }
    }

    fn branches(&mut self, branches: &[(Expr, Vec<Statement>)]) {
        for (condition, body) in branches {
            self.expression(condition);
            self.statements(body);
        }
    }
}
