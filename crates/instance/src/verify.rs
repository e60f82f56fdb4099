//! The invariants of an [`Instance`].

use rhei_source::Violation;

use crate::{ComponentId, Connector, Instance};

impl Instance {
    /// Checks the invariants of the module's list; an error is the first violated one.
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
}
