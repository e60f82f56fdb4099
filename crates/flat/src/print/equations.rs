//! Equations and statements as Modelica.

use super::Printer;
use crate::{Algorithm, Equation, EquationKind, Expr, ExprKind, Iteration, Statement, StatementKind};

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

    /// A line between the lines of a class, as far out as its first and last one.
    pub(super) fn heading(&mut self, text: &str) {
        self.depth -= 1;
        self.line(text);
        self.depth += 1;
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
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

    pub(super) fn equation_section(&self, lines: &mut Lines, title: &str, equations: &[Equation]) {
        if !equations.is_empty() {
            lines.heading(title);
            equations.iter().for_each(|equation| self.write_equation(lines, equation));
        }
    }

    pub(super) fn algorithm_sections(&self, lines: &mut Lines, title: &str, algorithms: &[Algorithm]) {
        for algorithm in algorithms {
            lines.heading(title);
            self.write_loops(lines, &algorithm.loops, &mut |printer, lines| {
                printer.write_statements(lines, &algorithm.statements);
            });
        }
    }

    /// Loops within loops, and the body of the innermost.
    fn write_loops(
        &self,
        lines: &mut Lines,
        loops: &[Iteration],
        inside: &mut dyn FnMut(&Printer<'_>, &mut Lines),
    ) {
        self.in_loops(loops, &mut Vec::new(), &mut |printer, written| {
            for iteration in written {
                lines.line(&format!("for {iteration} loop"));
                lines.depth += 1;
            }
            inside(printer, lines);
            for _ in written {
                lines.depth -= 1;
                lines.line("end for;");
            }
        });
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
                let left = self.expression(lhs);
                // only a simple expression stands on the left (MLS §8.3.1)
                let left = if matches!(lhs.kind, ExprKind::If(..)) { format!("({left})") } else { left };
                lines.line(&format!("{left} = {};", self.expression(rhs)));
            }
            EquationKind::Results(results, call) => {
                lines.line(&format!("{} = {};", self.results(results), self.expression(call)));
            }
            EquationKind::Call(call) => lines.line(&format!("{};", self.expression(call))),
            EquationKind::For(iteration, body) => {
                self.write_loops(lines, std::slice::from_ref(iteration), &mut |printer, lines| {
                    body.iter().for_each(|equation| printer.write_equation(lines, equation));
                });
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
                    self.write_loops(lines, std::slice::from_ref(iteration), &mut |printer, lines| {
                        printer.write_statements(lines, body);
                    });
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
