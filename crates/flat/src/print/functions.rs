//! Record types, enumerations and functions as Modelica.

use std::fmt;

use super::equations::Lines;
use super::{Printer, identifier, quoted};
use crate::{External, Function, Inline, LocalKind, Size};

impl Printer<'_> {
    pub(super) fn types(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Lines::new(1);
        for enumeration in &self.tables.enumerations {
            let literals = enumeration.literals.join(", ");
            lines.line(&format!("type {} = enumeration({literals});", identifier(&enumeration.name)));
        }
        for record in &self.tables.records {
            let name = identifier(&record.name);
            lines.line(&format!("{}record {name}", if record.is_operator { "operator " } else { "" }));
            lines.inside(|lines| {
                for field in &record.fields {
                    lines.line(&format!("{} {};", self.tables.type_name(&field.ty), identifier(&field.name)));
                }
            });
            lines.line(&format!("end {name};"));
        }
        for function in &self.tables.functions {
            Printer { locals: &function.locals, ..*self }.function(&mut lines, function);
        }
        f.write_str(&lines.into_text())
    }

    fn function(&self, lines: &mut Lines, function: &Function) {
        let name = identifier(&function.name);
        lines.line(&format!("{}function {name}", if function.is_impure { "impure " } else { "" }));
        lines.inside(|lines| {
            for local in &function.locals {
                let prefix = match local.kind {
                    LocalKind::Input => "input ",
                    LocalKind::Output => "output ",
                    LocalKind::Protected => "protected ",
                };
                let scalar = self.tables.scalar_name(local.ty.scalar).to_owned();
                let sizes: Vec<String> = (local.sizes.iter().zip(&local.ty.sizes))
                    .map(|(written, size)| match (written, size) {
                        (Some(e), _) => self.expression(e),
                        (None, Size::Known(size)) => size.to_string(),
                        (None, Size::Open) => ":".into(),
                    })
                    .collect();
                let sizes = if sizes.is_empty() { String::new() } else { format!("[{}]", sizes.join(", ")) };
                let binding =
                    local.binding.as_ref().map_or(String::new(), |e| format!(" = {}", self.expression(e)));
                lines.line(&format!(
                    "{prefix}{}{sizes} {}{binding};",
                    identifier(&scalar),
                    identifier(&local.name)
                ));
            }
        });
        match &function.external {
            Some(external) => lines.line(&self.external(external)),
            None => {
                lines.line("algorithm");
                lines.inside(|lines| self.write_statements(lines, &function.body));
            }
        }
        let inline = match function.inline {
            Inline::Early => Some("Inline = true"),
            Inline::Late => Some("LateInline = true"),
            Inline::Never => Some("Inline = false"),
            Inline::Unsaid => None,
        };
        if let Some(inline) = inline {
            lines.inside(|lines| lines.line(&format!("annotation({inline});")));
        }
        lines.line(&format!("end {name};"));
    }

    fn external(&self, external: &External) -> String {
        let arguments: Vec<String> = external.arguments.iter().map(|e| self.expression(e)).collect();
        let result = external.result.as_ref().map_or(String::new(), |e| format!("{} = ", self.expression(e)));
        let language = quoted(&external.language);
        format!("external {language} {result}{}({});", identifier(&external.name), arguments.join(", "))
    }
}
