//! `always` for some variables, as modifiers ready to be pasted: `extends M(a(b(stateSelect = StateSelect.always)))`.

use std::collections::BTreeMap;

use rhei_equations::{StateSelect, VarId};

use crate::engine::CompiledModel;

/// Modifiers of components, by their first name, in the order of the model.
#[derive(Default)]
struct Tree {
    parts: Vec<(String, Tree)>,
    /// The attribute of the variable that ends here.
    select: Option<String>,
}

/// The modifiers that make these variables states. Of an array all elements are named, as the language has no modifier for one.
pub(super) fn modifiers(model: &CompiledModel, states: &[VarId]) -> String {
    let mut tree = Tree::default();
    for &v in states {
        let path = without_subscripts(&model.equations.variable(v).name);
        let select = select(model, &path, states);
        let part = path.iter().fold(&mut tree, |tree, name| tree.part(name));
        part.select = Some(select);
    }
    tree.text()
}

impl Tree {
    fn part(&mut self, name: &str) -> &mut Tree {
        let place = self.parts.iter().position(|(own, _)| own == name).unwrap_or_else(|| {
            self.parts.push((name.to_owned(), Tree::default()));
            self.parts.len() - 1
        });
        &mut self.parts[place].1
    }

    fn text(&self) -> String {
        let of_parts = self.parts.iter().map(|(name, part)| format!("{name}({})", part.text()));
        let select = self.select.iter().map(|select| format!("stateSelect = {select}"));
        select.chain(of_parts).collect::<Vec<_>>().join(", ")
    }
}

/// The value of the attribute for all elements of a variable: `always` for these states, and the present one for the others.
fn select(model: &CompiledModel, path: &[String], states: &[VarId]) -> String {
    let mut elements: BTreeMap<Vec<usize>, StateSelect> = BTreeMap::new();
    for (v, variable) in model.equations.iter_variables() {
        if variable.is_unknown() && !variable.is_hidden && without_subscripts(&variable.name) == path {
            let own = if states.contains(&v) { StateSelect::Always } else { variable.select };
            elements.insert(subscripts(&variable.name), own);
        }
    }
    let values: Vec<(&[usize], StateSelect)> =
        elements.iter().map(|(subscripts, select)| (subscripts.as_slice(), *select)).collect();
    array(&values)
}

/// Values by subscripts, in order, as an expression.
fn array(values: &[(&[usize], StateSelect)]) -> String {
    match values {
        [([], select)] => format!("StateSelect.{}", select.name()),
        _ => {
            let rows = values.chunk_by(|a, b| a.0.first() == b.0.first());
            let rows = rows.map(|row| {
                let inner: Vec<(&[usize], StateSelect)> = row
                    .iter()
                    .map(|(subscripts, select)| (subscripts.get(1..).unwrap_or_default(), *select))
                    .collect();
                array(&inner)
            });
            format!("{{{}}}", rows.collect::<Vec<_>>().join(", "))
        }
    }
}

/// `a[2].b[1,3]` is `a`, `b`.
fn without_subscripts(name: &str) -> Vec<String> {
    name.split('.').map(|part| part.split('[').next().unwrap_or(part).to_owned()).collect()
}

/// `a[2].b[1,3]` has 2, 1 and 3.
fn subscripts(name: &str) -> Vec<usize> {
    let inside = name.split('[').skip(1).filter_map(|rest| rest.split(']').next());
    inside.flat_map(|list| list.split(',').filter_map(|number| number.trim().parse().ok())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_components_and_subscripts() {
        assert_eq!(without_subscripts("a[2].b.c[1,3]"), ["a", "b", "c"]);
        assert_eq!(subscripts("a[2].b.c[1,3]"), [2, 1, 3]);
        let (a, d) = (StateSelect::Always, StateSelect::Default);
        let values: [(&[usize], StateSelect); 4] = [(&[1, 1], a), (&[1, 2], d), (&[2, 1], d), (&[2, 2], a)];
        assert_eq!(
            array(&values),
            "{{StateSelect.always, StateSelect.default}, {StateSelect.default, StateSelect.always}}"
        );
    }

    #[test]
    fn modifiers_of_one_component_stand_together() {
        let mut tree = Tree::default();
        for (path, value) in [("a.x", "1"), ("b", "2"), ("a.y.z", "3")] {
            path.split('.').fold(&mut tree, |tree, name| tree.part(name)).select = Some(value.into());
        }
        assert_eq!(tree.text(), "a(x(stateSelect = 1), y(z(stateSelect = 3))), b(stateSelect = 2)");
    }
}
