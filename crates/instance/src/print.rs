//! The textual form of an [`Instance`].

use std::fmt;

use rhei_flat::{Printer, Size};

use crate::{Component, ComponentKind, Flowing, Instance};

impl Instance {
    fn write_component(
        &self,
        f: &mut fmt::Formatter<'_>,
        component: &Component,
        depth: usize,
    ) -> fmt::Result {
        let indent = "  ".repeat(depth);
        match component.variable {
            Some(v) => {
                let printer = Printer::new(&self.variables, &self.tables);
                writeln!(f, "{indent}{}", printer.declaration(&self.variables[v.index()]))?;
            }
            None => {
                let kind = match component.kind {
                    ComponentKind::Inside => "",
                    ComponentKind::Connector => "connector ",
                    ComponentKind::Expandable => "expandable connector ",
                };
                let flowing = match component.flowing {
                    Flowing::Potential => "",
                    Flowing::Flow => "flow ",
                    Flowing::Stream => "stream ",
                };
                let sizes: Vec<String> = component
                    .sizes
                    .iter()
                    .map(|size| match size {
                        Size::Known(size) => size.to_string(),
                        Size::Open => ":".into(),
                    })
                    .collect();
                let sizes = if sizes.is_empty() { String::new() } else { format!("[{}]", sizes.join(", ")) };
                writeln!(f, "{indent}{kind}{flowing}{} {}{sizes}", component.class, component.name)?;
            }
        }
        component
            .parts
            .iter()
            .try_for_each(|part| self.write_component(f, &self.components[part.0 as usize], depth + 1))
    }
}

impl fmt::Display for Instance {
    /// The tree of components, variables as they are declared, then the numbers of equations and connections.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "instance of {}", self.class)?;
        if let Some(root) = self.components.first() {
            root.parts
                .iter()
                .try_for_each(|part| self.write_component(f, &self.components[part.0 as usize], 1))?;
        }
        let sections = &self.sections;
        writeln!(
            f,
            "{} equations, {} initial equations, {} algorithms, {} connections",
            sections.equations.len(),
            sections.initial.len(),
            sections.algorithms.len() + sections.initial_algorithms.len(),
            sections.connections.len()
        )
    }
}
