//! The flat model as Modelica.

mod equations;
mod expressions;
mod functions;

use std::fmt::{self, Display};

use crate::{Attributes, Causality, Flat, Scalar, Tables, Variability, Variable};

/// Writes expressions, equations and statements with the names of these variables.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    variables: &'a [Variable],
    tables: &'a Tables,
    /// Names of the components of the function being written.
    locals: &'a [crate::Local],
}

/// A name as an identifier: quoted unless it is a simple one.
fn identifier(name: &str) -> String {
    let simple = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    // a path may hold quoted names itself: quotes inside quotes are written as such
    if simple || (name.starts_with('\'') && name.ends_with('\'') && !name[1..name.len() - 1].contains('\'')) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "\\'"))
    }
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
    /// With the names of these variables and tables.
    pub fn new(variables: &'a [Variable], tables: &'a Tables) -> Self {
        Printer { variables, tables, locals: &[] }
    }

    fn attributes(&self, attributes: &Attributes, is_array: bool) -> String {
        let mut all: Vec<String> = Vec::new();
        for (name, value) in attributes.expressions() {
            let each = if is_array && value.ty.is_scalar() { "each " } else { "" };
            all.push(format!("{each}{name} = {}", self.expression(value)));
        }
        let each = if is_array { "each " } else { "" };
        for (name, text) in attributes.texts() {
            all.push(format!("{each}{name} = {}", quoted(text)));
        }
        if let Some(select) = attributes.state_select {
            all.push(format!("{each}stateSelect = StateSelect.{select}"));
        }
        if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
    }

    /// The declaration of a variable, without the semicolon.
    pub fn declaration(&self, variable: &Variable) -> String {
        let prefix = match variable.variability {
            Variability::Constant => "constant ",
            Variability::Parameter => "parameter ",
            Variability::Discrete if variable.ty.scalar == Scalar::Real => "discrete ",
            _ => "",
        };
        let causality = match variable.causality {
            Some(Causality::Input) => "input ",
            Some(Causality::Output) => "output ",
            None => "",
        };
        let attributes = self.attributes(&variable.attributes, !variable.ty.is_scalar());
        let binding =
            variable.binding.as_ref().map_or(String::new(), |e| format!(" = {}", self.expression(e)));
        let description = described(&variable.description);
        let name = identifier(&variable.name.to_string());
        let ty = self.tables.type_name(&variable.ty);
        format!("{prefix}{causality}{ty} {name}{attributes}{binding}{description}")
    }
}

fn described(description: &str) -> String {
    if description.is_empty() { String::new() } else { format!(" {}", quoted(description)) }
}

impl Display for Flat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::new(&self.variables, &self.tables);
        let name = identifier(&self.name);
        writeln!(f, "model {name}{}", described(&self.description))?;
        printer.types(f)?;
        for protected in [false, true] {
            let mut declared =
                self.variables.iter().filter(|variable| variable.is_protected == protected).peekable();
            if protected && declared.peek().is_some() {
                writeln!(f, "protected")?;
            }
            for variable in declared {
                writeln!(f, "  {};", printer.declaration(variable))?;
            }
        }
        printer.equation_section(f, "initial equation", &self.initial)?;
        printer.algorithm_sections(f, "initial algorithm", &self.initial_algorithms)?;
        printer.equation_section(f, "equation", &self.equations)?;
        printer.algorithm_sections(f, "algorithm", &self.algorithms)?;
        let experiment: Vec<String> =
            self.experiment.given().map(|(name, value)| format!("{name} = {}", real(value))).collect();
        if !experiment.is_empty() {
            writeln!(f, "  annotation(experiment({}));", experiment.join(", "))?;
        }
        writeln!(f, "end {name};")
    }
}
