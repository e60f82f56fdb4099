//! Equations and statements as Modelica.

use std::fmt;

use super::Printer;
use crate::{Algorithm, Equation, EquationKind, Expr, Iteration, Statement, StatementKind};

/// Lines with their depth.
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    pub(super) fn new(depth: usize) -> Self {
        Lines { text: String::new(), depth }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub(super) fn inside(&mut self, write: impl FnOnce(&mut Lines)) {
        self.depth += 1;
        write(self);
        self.depth -= 1;
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

impl Printer<'_> {
    /// An equation, on as many lines as it takes.
    pub fn equation(&self, equation: &Equation) -> String {
        let mut lines = Lines::new(0);
        self.write_equation(&mut lines, equation);
        lines.into_text().trim_end().to_owned()
    }

    pub(super) fn equation_section(
        &self,
        f: &mut fmt::Formatter<'_>,
        title: &str,
        equations: &[Equation],
    ) -> fmt::Result {
        if equations.is_empty() {
            return Ok(());
        }
        let mut lines = Lines::new(1);
        equations.iter().for_each(|equation| self.write_equation(&mut lines, equation));
        write!(f, "{title}\n{}", lines.into_text())
    }

    pub(super) fn algorithm_sections(
        &self,
        f: &mut fmt::Formatter<'_>,
        title: &str,
        algorithms: &[Algorithm],
    ) -> fmt::Result {
        for algorithm in algorithms {
            let mut lines = Lines::new(1);
            for iteration in &algorithm.loops {
                lines.line(&format!("for {} loop", self.iteration(iteration)));
                lines.depth += 1;
            }
            self.write_statements(&mut lines, &algorithm.statements);
            for _ in &algorithm.loops {
                lines.depth -= 1;
                lines.line("end for;");
            }
            write!(f, "{title}\n{}", lines.into_text())?;
        }
        Ok(())
    }

    fn iteration(&self, iteration: &Iteration) -> String {
        let mut text = String::new();
        self.write_iteration(&mut text, iteration).expect("writing to a string does not fail");
        text
    }

    fn results(&self, results: &[Option<Expr>]) -> String {
        let results: Vec<String> = results
            .iter()
            .map(|result| result.as_ref().map_or(String::new(), |e| self.expression(e)))
            .collect();
        format!("({})", results.join(", "))
    }

    fn write_equation(&self, lines: &mut Lines, equation: &Equation) {
        let inner = |lines: &mut Lines, equations: &[Equation]| {
            lines.inside(|lines| equations.iter().for_each(|equation| self.write_equation(lines, equation)));
        };
        match &equation.kind {
            EquationKind::Equal(lhs, rhs) => {
                lines.line(&format!("{} = {};", self.expression(lhs), self.expression(rhs)));
            }
            EquationKind::Results(results, call) => {
                lines.line(&format!("{} = {};", self.results(results), self.expression(call)));
            }
            EquationKind::Call(call) => lines.line(&format!("{};", self.expression(call))),
            EquationKind::For(iteration, body) => {
                lines.line(&format!("for {} loop", self.iteration(iteration)));
                inner(lines, body);
                lines.line("end for;");
            }
            EquationKind::If(branches, otherwise) => {
                for (i, (condition, body)) in branches.iter().enumerate() {
                    let word = if i == 0 { "if" } else { "elseif" };
                    lines.line(&format!("{word} {} then", self.expression(condition)));
                    inner(lines, body);
                }
                if !otherwise.is_empty() {
                    lines.line("else");
                    inner(lines, otherwise);
                }
                lines.line("end if;");
            }
            EquationKind::When(branches) => {
                for (i, branch) in branches.iter().enumerate() {
                    let word = if i == 0 { "when" } else { "elsewhen" };
                    lines.line(&format!("{word} {} then", self.expression(&branch.condition)));
                    inner(lines, &branch.equations);
                }
                lines.line("end when;");
            }
        }
    }

    pub(super) fn write_statements(&self, lines: &mut Lines, statements: &[Statement]) {
        let conditional = |lines: &mut Lines, words: [&str; 2], branches: &[(Expr, Vec<Statement>)]| {
            for (i, (condition, body)) in branches.iter().enumerate() {
                lines.line(&format!("{} {} then", words[i.min(1)], self.expression(condition)));
                lines.inside(|lines| self.write_statements(lines, body));
            }
        };
        for statement in statements {
            match &statement.kind {
                StatementKind::Assign(target, value) => {
                    lines.line(&format!("{} := {};", self.expression(target), self.expression(value)));
                }
                StatementKind::AssignResults(targets, call) => {
                    lines.line(&format!("{} := {};", self.results(targets), self.expression(call)));
                }
                StatementKind::Call(call) => lines.line(&format!("{};", self.expression(call))),
                StatementKind::If(branches, otherwise) => {
                    conditional(lines, ["if", "elseif"], branches);
                    if !otherwise.is_empty() {
                        lines.line("else");
                        lines.inside(|lines| self.write_statements(lines, otherwise));
                    }
                    lines.line("end if;");
                }
                StatementKind::When(branches) => {
                    conditional(lines, ["when", "elsewhen"], branches);
                    lines.line("end when;");
                }
                StatementKind::For(iteration, body) => {
                    lines.line(&format!("for {} loop", self.iteration(iteration)));
                    lines.inside(|lines| self.write_statements(lines, body));
                    lines.line("end for;");
                }
                StatementKind::While(condition, body) => {
                    lines.line(&format!("while {} loop", self.expression(condition)));
                    lines.inside(|lines| self.write_statements(lines, body));
                    lines.line("end while;");
                }
                StatementKind::Break => lines.line("break;"),
                StatementKind::Return => lines.line("return;"),
            }
        }
    }
}
