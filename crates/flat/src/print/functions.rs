//! Record types, enumerations, classes of objects and functions as Modelica.

use super::Printer;
use super::definitions::{Definitions, ObjectClass};
use super::equations::Lines;
use super::{bracketed, quoted};
use crate::identifier::identifier;
use crate::{
    Builtin, Derivative, EnumerationId, ExprKind, External, Function, FunctionId, Inline, Inverse, Local,
    LocalId, LocalKind, RecordId, Size, Statement, StatementKind,
};

impl Printer<'_> {
    /// All types and functions that the text defines.
    pub(super) fn define(&self, lines: &mut Lines, definitions: &Definitions) {
        definitions.enumerations.iter().for_each(|&id| self.define_enumeration(lines, definitions, id));
        definitions.records.iter().for_each(|&id| self.define_record(lines, definitions, id));
        definitions.objects.iter().for_each(|object| self.define_object(lines, definitions, object));
        for &id in &definitions.functions {
            self.define_function(lines, definitions.function(id).unwrap_or_default(), id);
            lines.gap();
        }
    }

    fn define_enumeration(&self, lines: &mut Lines, definitions: &Definitions, id: EnumerationId) {
        let name = definitions.enumeration(id).unwrap_or_default();
        let literals = self.tables.enumeration(id).literals.join(", ");
        lines.line(&format!("type {name} = enumeration({literals});"));
        lines.gap();
    }

    fn define_record(&self, lines: &mut Lines, definitions: &Definitions, id: RecordId) {
        let name = definitions.record(id).unwrap_or_default();
        let record = self.tables.record(id);
        lines.line(&format!("{}record {name}", if record.is_operator { "operator " } else { "" }));
        lines.inside(|lines| {
            for field in &record.fields {
                lines.line(&format!("{} {};", self.type_of(&field.ty), identifier(&field.name)));
            }
        });
        lines.line(&format!("end {name};"));
        lines.gap();
    }

    fn define_object(&self, lines: &mut Lines, definitions: &Definitions, object: &ObjectClass) {
        let name = definitions.record(object.record).unwrap_or_default();
        lines.line(&format!("class {name}"));
        lines.inside(|lines| {
            lines.line("extends ExternalObject;");
            for (name, function) in [("constructor", object.constructor), ("destructor", object.destructor)] {
                if let Some(function) = function {
                    self.define_function(lines, name, function);
                }
            }
        });
        lines.line(&format!("end {name};"));
        lines.gap();
    }

    fn define_function(&self, lines: &mut Lines, name: &str, id: FunctionId) {
        let function = self.tables.function(id);
        let inner = Printer { locals: &function.locals, ..*self };
        // an interface of functions given as arguments has no body
        let is_partial = function.body.is_empty() && function.external.is_none();
        let partial = if is_partial && function.outputs().all(|(_, output)| output.binding.is_none()) {
            "partial "
        } else {
            ""
        };
        // external code without a declared purity is impure, and so are its callers (MLS §12.3)
        let is_outside = function.external.as_ref().is_some_and(|external| external.language != "builtin");
        let purity = match (function.is_impure, is_outside || self.calls_impure(function)) {
            _ if function.says_impure => "impure ",
            (false, true) => "pure ",
            (true, false) => "impure ",
            _ => "",
        };
        lines.line(&format!("{purity}{partial}function {name}"));
        lines.inside(|lines| {
            inner.components(lines, &function.locals);
            if let Some(external) = &function.external {
                lines.line(&inner.external(external));
            }
            if let Some(clause) = inner.c_mathematics(function) {
                lines.line(&clause);
            } else if !function.body.is_empty() {
                lines.heading("algorithm");
                inner.write_statements(lines, &function.body);
            }
            let annotation = inner.annotation(function);
            if !annotation.is_empty() {
                lines.line(&format!("annotation({});", annotation.join(", ")));
            }
        });
        lines.line(&format!("end {name};"));
    }

    /// Components in their order, with a heading where protected ones begin or end.
    fn components(&self, lines: &mut Lines, locals: &[Local]) {
        let mut protected = false;
        for local in locals {
            if (local.kind == LocalKind::Protected) != protected {
                protected = !protected;
                lines.heading(if protected { "protected" } else { "public" });
            }
            let prefix = match local.kind {
                LocalKind::Input => "input ",
                LocalKind::Output => "output ",
                LocalKind::Protected => "",
            };
            let sizes: Vec<String> = (local.sizes.iter().zip(&local.ty.sizes))
                .map(|(written, size)| match (written, size) {
                    (Some(e), _) => self.expression(e),
                    (None, Size::Known(size)) => size.to_string(),
                    (None, Size::Open) => ":".into(),
                })
                .collect();
            let ty = match local.interface {
                Some(function) => self.function(function),
                None => self.scalar_type(local.ty.scalar),
            };
            let name = identifier(&local.name);
            let binding =
                local.binding.as_ref().map_or(String::new(), |e| format!(" = {}", self.expression(e)));
            lines.line(&format!("{prefix}{ty}{} {name}{binding};", bracketed(&sizes)));
        }
    }

    fn calls_impure(&self, function: &Function) -> bool {
        let mut found = false;
        function.walk_expressions(&mut |e| {
            e.walk(&mut |part| {
                if let ExprKind::Apply(called, _) = part.kind {
                    found |= self.tables.function(called).is_impure;
                }
            });
        });
        found
    }

    /// The clause that a body was, where that calls what only C has a name for.
    fn c_mathematics(&self, function: &Function) -> Option<String> {
        let [Statement { kind: StatementKind::Assign(target, value), .. }] = &function.body[..] else {
            return None;
        };
        let ExprKind::Call(Builtin::Elementary(f), arguments) = &value.kind else { return None };
        let name = f.name_in_c().filter(|_| !f.row().in_language)?;
        let argument = self.expression(arguments.first()?);
        Some(format!("external \"C\" {} = {name}({argument});", self.expression(target)))
    }

    fn external(&self, external: &External) -> String {
        let arguments: Vec<String> = external.arguments.iter().map(|e| self.expression(e)).collect();
        let result = external.result.as_ref().map_or(String::new(), |e| format!("{} = ", self.expression(e)));
        let language = quoted(&external.language);
        let libraries: Vec<String> = external.libraries.iter().map(|library| quoted(library)).collect();
        let library = match libraries.as_slice() {
            [] => None,
            [one] => Some(format!("Library = {one}")),
            several => Some(format!("Library = {{{}}}", several.join(", "))),
        };
        let include = external.include.as_ref().map(|code| format!("Include = {}", quoted(code)));
        let said: Vec<String> = library.into_iter().chain(include).collect();
        let annotation =
            if said.is_empty() { String::new() } else { format!(" annotation({})", said.join(", ")) };
        let (name, arguments) = (identifier(&external.name), arguments.join(", "));
        format!("external {language} {result}{name}({arguments}){annotation};")
    }

    /// The annotations of a function (MLS §12.7, §12.8, §18.3).
    fn annotation(&self, function: &Function) -> Vec<String> {
        let inline = match function.inline {
            Inline::Early => Some("Inline = true"),
            Inline::Late => Some("LateInline = true"),
            Inline::Never => Some("Inline = false"),
            Inline::Unsaid => None,
        };
        let events = function.generate_events.then_some("GenerateEvents = true");
        let mut all: Vec<String> = inline.into_iter().chain(events).map(str::to_owned).collect();
        all.extend(function.smooth_order.map(|order| format!("smoothOrder = {order}")));
        all.extend(function.derivatives.iter().map(|derivative| self.derivative(derivative)));
        all.extend(function.inverses.iter().map(|inverse| self.inverse(inverse)));
        all
    }

    fn local(&self, id: LocalId) -> String {
        identifier(&self.locals[id.0 as usize].name)
    }

    fn derivative(&self, derivative: &Derivative) -> String {
        let mut how = Vec::new();
        if derivative.order != 1 {
            how.push(format!("order = {}", derivative.order));
        }
        how.extend(derivative.zero.iter().map(|&id| format!("zeroDerivative = {}", self.local(id))));
        how.extend(derivative.without.iter().map(|&id| format!("noDerivative = {}", self.local(id))));
        let how = if how.is_empty() { String::new() } else { format!("({})", how.join(", ")) };
        format!("derivative{how} = {}", self.function(derivative.function))
    }

    fn inverse(&self, inverse: &Inverse) -> String {
        let arguments: Vec<String> = inverse.arguments.iter().map(|&id| self.local(id)).collect();
        let (input, function) = (self.local(inverse.input), self.function(inverse.function));
        format!("inverse({input} = {function}({}))", arguments.join(", "))
    }
}
