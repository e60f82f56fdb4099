//! The flat model as Modelica.

use std::fmt::{self, Display, Write};

use crate::{
    Arithmetic, Attributes, Equation, EquationKind, Expr, ExprKind, Flat, Logic, Subscript, Variability,
    Variable,
};

/// How tightly an operation binds (MLS §3.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Anything,
    Range,
    Or,
    And,
    Not,
    Relation,
    Sum,
    Product,
    Power,
    Atom,
}

/// Writes expressions with the names of these variables.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    variables: &'a [Variable],
}

/// A name as an identifier: quoted unless it is a simple one.
fn identifier(name: &str) -> String {
    let simple = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if simple || name.starts_with('\'') { name.to_owned() } else { format!("'{name}'") }
}

/// A text as a string literal.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A number that reads back to the same Real: never without a point or an exponent.
fn real(value: f64) -> String {
    let text = format!("{value:?}");
    if text.contains(['.', 'e', 'N', 'i']) { text } else { text + ".0" }
}

impl<'a> Printer<'a> {
    /// With the names of these variables.
    pub fn new(variables: &'a [Variable]) -> Self {
        Printer { variables }
    }

    /// An expression.
    pub fn expression(&self, e: &Expr) -> String {
        let mut text = String::new();
        self.write(&mut text, e, Binding::Anything).expect("writing to a string does not fail");
        text
    }

    fn binding(&self, e: &Expr) -> Binding {
        match &e.kind {
            ExprKind::Real(x) if x.is_sign_negative() => Binding::Sum,
            ExprKind::Integer(i) if *i < 0 => Binding::Sum,
            ExprKind::Negate(_) => Binding::Sum,
            ExprKind::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, ..) => Binding::Sum,
            ExprKind::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide, ..) => Binding::Product,
            ExprKind::Arithmetic(Arithmetic::Power, ..) => Binding::Power,
            ExprKind::Relation(..) => Binding::Relation,
            ExprKind::Not(_) => Binding::Not,
            ExprKind::Logic(Logic::And, ..) => Binding::And,
            ExprKind::Logic(Logic::Or, ..) => Binding::Or,
            ExprKind::Range(..) => Binding::Range,
            ExprKind::If(..) => Binding::Anything,
            _ => Binding::Atom,
        }
    }

    fn write(&self, out: &mut String, e: &Expr, wanted: Binding) -> fmt::Result {
        if self.binding(e) < wanted {
            out.write_char('(')?;
            self.write(out, e, Binding::Anything)?;
            return out.write_char(')');
        }
        match &e.kind {
            ExprKind::Real(value) => out.write_str(&real(*value)),
            ExprKind::Integer(value) => write!(out, "{value}"),
            ExprKind::Boolean(value) => write!(out, "{value}"),
            ExprKind::String(text) => out.write_str(&quoted(text)),
            ExprKind::Time => out.write_str("time"),
            ExprKind::Variable(v, subscripts) => {
                out.write_str(&identifier(&self.variables[v.index()].name.to_string()))?;
                self.write_subscripts(out, subscripts)
            }
            ExprKind::Negate(a) => {
                out.write_char('-')?;
                self.write(out, a, Binding::Product)
            }
            ExprKind::Arithmetic(op, a, b) => {
                let (spaced, left, right) = match op {
                    Arithmetic::Add | Arithmetic::Subtract => (true, Binding::Sum, Binding::Product),
                    Arithmetic::Multiply | Arithmetic::Divide => (false, Binding::Product, Binding::Power),
                    Arithmetic::Power => (false, Binding::Atom, Binding::Atom),
                };
                // between two arrays `*`, `/` and `^` would be other operations than those element by element
                let dot = if !spaced && (!a.ty.is_scalar() || !b.ty.is_scalar()) { "." } else { "" };
                self.write(out, a, left)?;
                if spaced {
                    write!(out, " {} ", op.symbol())?;
                } else {
                    write!(out, "{dot}{}", op.symbol())?;
                }
                self.write(out, b, right)
            }
            ExprKind::Relation(relation, a, b) => {
                self.write(out, a, Binding::Sum)?;
                write!(out, " {} ", relation.symbol())?;
                self.write(out, b, Binding::Sum)
            }
            ExprKind::Logic(op, a, b) => {
                let (left, right) = match op {
                    Logic::And => (Binding::And, Binding::Not),
                    Logic::Or => (Binding::Or, Binding::And),
                };
                self.write(out, a, left)?;
                write!(out, " {} ", op.symbol())?;
                self.write(out, b, right)
            }
            ExprKind::Not(a) => {
                out.write_str("not ")?;
                self.write(out, a, Binding::Relation)
            }
            ExprKind::If(c, a, b) => {
                out.write_str("if ")?;
                self.write(out, c, Binding::Anything)?;
                out.write_str(" then ")?;
                self.write(out, a, Binding::Anything)?;
                out.write_str(" else ")?;
                self.write(out, b, Binding::Anything)
            }
            ExprKind::Call(builtin, arguments) => {
                write!(out, "{}(", builtin.name())?;
                self.write_list(out, arguments)?;
                out.write_char(')')
            }
            ExprKind::Array(elements) => {
                out.write_char('{')?;
                self.write_list(out, elements)?;
                out.write_char('}')
            }
            ExprKind::Range(first, step, last) => {
                self.write(out, first, Binding::Or)?;
                for part in step.iter().chain([last]) {
                    out.write_char(':')?;
                    self.write(out, part, Binding::Or)?;
                }
                Ok(())
            }
        }
    }

    fn write_list(&self, out: &mut String, list: &[Expr]) -> fmt::Result {
        for (i, e) in list.iter().enumerate() {
            if i > 0 {
                out.write_str(", ")?;
            }
            self.write(out, e, Binding::Anything)?;
        }
        Ok(())
    }

    fn write_subscripts(&self, out: &mut String, subscripts: &[Subscript]) -> fmt::Result {
        for (i, subscript) in subscripts.iter().enumerate() {
            out.write_str(if i == 0 { "[" } else { ", " })?;
            match subscript {
                Subscript::Whole => out.write_char(':')?,
                Subscript::Index(e) => self.write(out, e, Binding::Anything)?,
            }
        }
        if subscripts.is_empty() { Ok(()) } else { out.write_char(']') }
    }

    fn attributes(&self, attributes: &Attributes, is_array: bool) -> String {
        let mut all: Vec<String> = Vec::new();
        for (name, value) in attributes.expressions() {
            let each = if is_array && value.ty.is_scalar() { "each " } else { "" };
            all.push(format!("{each}{name} = {}", self.expression(value)));
        }
        for (name, text) in attributes.texts() {
            let each = if is_array { "each " } else { "" };
            all.push(format!("{each}{name} = {}", quoted(text)));
        }
        if let Some(select) = attributes.state_select {
            let each = if is_array { "each " } else { "" };
            all.push(format!("{each}stateSelect = StateSelect.{select}"));
        }
        if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
    }

    fn declaration(&self, variable: &Variable) -> String {
        let prefix = match variable.variability {
            Variability::Constant => "constant ",
            Variability::Parameter => "parameter ",
            Variability::Discrete if variable.ty.scalar == crate::Scalar::Real => "discrete ",
            _ => "",
        };
        let attributes = self.attributes(&variable.attributes, !variable.ty.is_scalar());
        let binding =
            variable.binding.as_ref().map_or(String::new(), |e| format!(" = {}", self.expression(e)));
        let description = if variable.description.is_empty() {
            String::new()
        } else {
            format!(" {}", quoted(&variable.description))
        };
        let name = identifier(&variable.name.to_string());
        format!("{prefix}{} {name}{attributes}{binding}{description};", variable.ty)
    }

    fn equation(&self, equation: &Equation) -> String {
        match &equation.kind {
            EquationKind::Equal(lhs, rhs) => format!("{} = {};", self.expression(lhs), self.expression(rhs)),
        }
    }
}

impl Display for Flat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::new(&self.variables);
        let name = identifier(&self.name);
        let description = if self.description.is_empty() {
            String::new()
        } else {
            format!(" {}", quoted(&self.description))
        };
        writeln!(f, "model {name}{description}")?;
        for variable in &self.variables {
            writeln!(f, "  {}", printer.declaration(variable))?;
        }
        for (title, equations) in [("initial equation", &self.initial), ("equation", &self.equations)] {
            if !equations.is_empty() {
                writeln!(f, "{title}")?;
            }
            for equation in equations {
                writeln!(f, "  {}", printer.equation(equation))?;
            }
        }
        let experiment: Vec<String> =
            self.experiment.given().map(|(name, value)| format!("{name} = {}", real(value))).collect();
        if !experiment.is_empty() {
            writeln!(f, "  annotation(experiment({}));", experiment.join(", "))?;
        }
        writeln!(f, "end {name};")
    }
}
