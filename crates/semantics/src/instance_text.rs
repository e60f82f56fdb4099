//! The textual form and the invariants of an [`Instance`].

use rhei_source::Violation;
use std::fmt;

use rhei_flat::{Printer, Size};

use crate::instance::{Component, ComponentId, ComponentKind, Connector, Flowing, Instance};

impl Instance {
    /// The first invariant of the module's list that does not hold.
    pub fn verify(&self) -> Result<(), Violation> {
        let mut owner = vec![None; self.variables.len()];
        for (i, component) in self.components.iter().enumerate() {
            if component.parent.is_some_and(|parent| parent.0 as usize >= i) {
                return Err(Violation(format!("{} stands before what it is part of", component.name)));
            }
            if (component.parent.is_none()) != (i == 0) {
                return Err(Violation(format!("{} is part of nothing", component.name)));
            }
            for part in &component.parts {
                if self.components.get(part.0 as usize).and_then(|part| part.parent)
                    != Some(ComponentId(i as u32))
                {
                    return Err(Violation(format!("{} has a part that is another's", component.name)));
                }
            }
            if let Some(v) = component.variable {
                match owner.get_mut(v.index()) {
                    Some(place @ None) => *place = Some(i),
                    _ => {
                        return Err(Violation(format!(
                            "{} is a variable that is not its own",
                            component.name
                        )));
                    }
                }
            }
        }
        if let Some(v) = owner.iter().position(Option::is_none) {
            return Err(Violation(format!("{} belongs to no component", self.variables[v].name)));
        }
        let sides =
            self.sections.connections.iter().flat_map(|connection| [&connection.left, &connection.right]);
        sides.into_iter().try_for_each(|side| self.verify_side(side))
    }

    fn verify_side(&self, side: &Connector) -> Result<(), Violation> {
        let Some(component) = self.components.get(side.component.0 as usize) else {
            return Err(Violation(format!("component {} is connected and not there", side.component.0)));
        };
        let mut dimensions = 0;
        let mut next = Some(component);
        while let Some(component) = next {
            dimensions += component.sizes.len();
            next = component.parent.map(|parent| &self.components[parent.0 as usize]);
        }
        if side.subscripts.len() != dimensions {
            let name = &component.name;
            let given = side.subscripts.len();
            return Err(Violation(format!(
                "{name} has {dimensions} dimensions and is connected with {given} subscripts"
            )));
        }
        Ok(())
    }

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
    /// The tree of components, variables as they are declared, then the numbers of equations, algorithms and
    /// connections.
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use expect_test::expect;
    use rhei_library::Library;
    use rhei_source::InMemory;

    use crate::instantiate;

    #[test]
    fn the_tree_of_a_model_is_readable_and_a_broken_one_is_found() {
        let library = Library::new(Arc::new(InMemory::default()), Vec::new());
        let text = "\
package P
  connector Pin Real v; flow Real i; end Pin;
  model R parameter Real R = 1; Pin p; Pin n; equation p.v - n.v = R*p.i; p.i + n.i = 0; end R;
  model M R r[2](R = {1, 2}); Real x(start = 1, fixed = true); equation connect(r[1].n, r[2].p); der(x) = -x; end M;
end P;
";
        library.load_text("p.mo", text);
        let class = library.find("P.M").unwrap();
        let (instance, said) = instantiate(&library, class);
        let mut instance = instance.unwrap_or_else(|| panic!("{said:?}"));
        instance.verify().unwrap();
        expect![[r#"
            instance of P.M
              P.R r[2]
                parameter Real[2] 'r[:].R' = {1, 2}
                connector P.Pin p
                  Real[2] 'r[:].p.v'
                  Real[2] 'r[:].p.i'
                connector P.Pin n
                  Real[2] 'r[:].n.v'
                  Real[2] 'r[:].n.i'
              Real x(start = 1, fixed = true)
            3 equations, 0 initial equations, 0 algorithms, 1 connections
        "#]]
        .assert_eq(&instance.to_string());

        instance.sections.connections[0].left.subscripts.pop();
        assert_eq!(
            instance.verify().unwrap_err().to_string(),
            "n has 1 dimensions and is connected with 0 subscripts"
        );
        let last = instance.components.len() - 1;
        instance.components[last].variable = instance.components[2].variable;
        assert_eq!(instance.verify().unwrap_err().to_string(), "x is a variable that is not its own");
    }
}
