//! The flat model as Modelica that reads back to the same flat model.
//!
//! Types and functions stand before the model, under their qualified names as quoted identifiers. The names of variables
//! are paths, see [`Name::identifier`](crate::Name::identifier); an annotation of the model tells that they are.

mod definitions;
mod equations;
mod expressions;
mod functions;
mod scopes;

use std::fmt::{self, Display};

use self::definitions::Definitions;
use self::equations::Lines;
use self::scopes::Bound;
use crate::identifier::identifier;
use crate::{Attributes, Causality, Flat, Local, Scalar, Selects, Size, Tables, Type, Variability, Variable};

/// The annotation of a model whose quoted names are the paths of variables.
const NAMES_ARE_PATHS: &str = "__rhei(paths = true)";

/// Writes expressions, equations and statements with the names of these variables.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    variables: &'a [Variable],
    tables: &'a Tables,
    /// Components of the function being written.
    locals: &'a [Local],
    /// Names of types and functions, where they are defined in the same text.
    definitions: Option<&'a Definitions>,
    /// Iterators of the loops around.
    bound: Option<&'a Bound<'a>>,
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

/// A list in brackets, nothing for an empty one.
fn bracketed(list: &[String]) -> String {
    if list.is_empty() { String::new() } else { format!("[{}]", list.join(", ")) }
}

/// Values of `stateSelect` over these sizes.
fn selects(sizes: &[usize], values: &[&str]) -> String {
    match sizes {
        [] => values.iter().map(|select| format!("StateSelect.{select}")).collect(),
        [size, inner @ ..] => {
            let rows = values.chunks((values.len() / size.max(&1)).max(1));
            format!("{{{}}}", rows.map(|row| selects(inner, row)).collect::<Vec<_>>().join(", "))
        }
    }
}

impl<'a> Printer<'a> {
    /// With the names of these variables and tables.
    pub fn new(variables: &'a [Variable], tables: &'a Tables) -> Self {
        Printer { variables, tables, locals: &[], definitions: None, bound: None }
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
        match &attributes.state_select {
            Some(Selects::All(select)) => all.push(format!("{each}stateSelect = StateSelect.{select}")),
            Some(Selects::Each { sizes, values }) => {
                all.push(format!("stateSelect = {}", selects(sizes, values)));
            }
            None => {}
        }
        if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
    }

    /// A type as it is declared, its sizes known.
    fn type_of(&self, ty: &Type) -> String {
        let sizes: Vec<String> = (ty.sizes.iter())
            .map(|size| match size {
                Size::Known(size) => size.to_string(),
                Size::Open => ":".into(),
            })
            .collect();
        self.scalar_type(ty.scalar) + &bracketed(&sizes)
    }

    /// The value a variable is declared with; one value for all elements is written as an array of it.
    fn binding(&self, variable: &Variable) -> String {
        let Some(value) = &variable.binding else { return String::new() };
        let text = self.expression(value);
        if !value.ty.is_scalar() || variable.ty.is_scalar() {
            return format!(" = {text}");
        }
        let sizes = variable.ty.known_sizes().unwrap_or_default();
        let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
        format!(" = fill({text}, {})", sizes.join(", "))
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
        let binding = self.binding(variable);
        let description = described(&variable.description);
        let name = variable.name.identifier();
        let ty = self.type_of(&variable.ty);
        let fixed = variable.structural && variable.variability == Variability::Parameter;
        let annotation = if fixed { " annotation(Evaluate = true)" } else { "" };
        format!("{prefix}{causality}{ty} {name}{attributes}{binding}{description}{annotation}")
    }

    /// Declarations in their order, with a heading where protected ones begin or end.
    fn declarations(&self, lines: &mut Lines, variables: &[Variable]) {
        let mut protected = false;
        for variable in variables {
            if variable.is_protected != protected {
                protected = variable.is_protected;
                lines.heading(if protected { "protected" } else { "public" });
            }
            lines.line(&format!("{};", self.declaration(variable)));
        }
    }
}

fn described(description: &str) -> String {
    if description.is_empty() { String::new() } else { format!(" {}", quoted(description)) }
}

/// The annotation of the model.
fn annotation(flat: &Flat) -> Option<String> {
    let mut all = Vec::new();
    let experiment: Vec<String> =
        flat.experiment.given().map(|(name, value)| format!("{name} = {}", real(value))).collect();
    if !experiment.is_empty() {
        all.push(format!("experiment({})", experiment.join(", ")));
    }
    if flat.variables.iter().any(|variable| variable.name.identifier() != variable.name.to_string()) {
        all.push(NAMES_ARE_PATHS.to_owned());
    }
    (!all.is_empty()).then(|| format!("annotation({});", all.join(", ")))
}

impl Display for Flat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let definitions = Definitions::of(self);
        let printer =
            Printer { definitions: Some(&definitions), ..Printer::new(&self.variables, &self.tables) };
        let name = identifier(&self.name);
        let mut lines = Lines::new(0);
        printer.define(&mut lines, &definitions);
        lines.line(&format!("model {name}{}", described(&self.description)));
        lines.inside(|lines| {
            printer.declarations(lines, &self.variables);
            printer.equation_section(lines, "initial equation", &self.initial);
            printer.algorithm_sections(lines, "initial algorithm", &self.initial_algorithms);
            printer.equation_section(lines, "equation", &self.equations);
            printer.algorithm_sections(lines, "algorithm", &self.algorithms);
            if let Some(annotation) = annotation(self) {
                lines.line(&annotation);
            }
        });
        lines.line(&format!("end {name};"));
        f.write_str(&lines.into_text())
    }
}
