//! Settings as a modification of the model: `n = 5, r(x = 1)`.

use indexmap::IndexMap;
use smol_str::SmolStr;

/// The modification of a component, and those of its parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Modification {
    value: Option<Said>,
    parts: IndexMap<SmolStr, Modification>,
}

/// A value, as Modelica.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Said {
    /// None for one value.
    pub(super) sizes: Vec<usize>,
    /// The elements, the last dimension running fastest.
    pub(super) elements: Vec<String>,
}

impl Modification {
    /// The value of a part so far.
    pub(super) fn said(&self, path: &[SmolStr]) -> Option<&Said> {
        match path.split_first() {
            Some((first, rest)) => self.parts.get(first)?.said(rest),
            None => self.value.as_ref(),
        }
    }

    /// Sets the value of a part, in place of the one before.
    pub(super) fn say(&mut self, path: &[SmolStr], value: Said) {
        match path.split_first() {
            Some((first, rest)) => self.parts.entry(first.clone()).or_default().say(rest, value),
            None => self.value = Some(value),
        }
    }

    /// The arguments of a modification of the model.
    pub(super) fn text(&self) -> String {
        let parts = self.parts.iter().map(|(name, part)| {
            let inner = part.text();
            let inner = if inner.is_empty() { String::new() } else { format!("({inner})") };
            let value = part.value.as_ref().map_or(String::new(), |said| format!(" = {}", said.text()));
            format!("{name}{inner}{value}")
        });
        parts.collect::<Vec<_>>().join(", ")
    }
}

impl Said {
    fn text(&self) -> String {
        array(&self.sizes, &self.elements)
    }
}

fn array(sizes: &[usize], elements: &[String]) -> String {
    let Some((&count, inner)) = sizes.split_first() else {
        return elements.first().cloned().unwrap_or_default();
    };
    if count == 0 || inner.contains(&0) {
        // `{}` does not determine the other dimensions
        let sizes: Vec<String> = sizes.iter().map(ToString::to_string).collect();
        return format!("fill(0, {})", sizes.join(", "));
    }
    let rows: Vec<String> = elements.chunks(elements.len() / count).map(|row| array(inner, row)).collect();
    format!("{{{}}}", rows.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(sizes: &[usize], elements: &[&str]) -> Said {
        Said { sizes: sizes.to_vec(), elements: elements.iter().map(ToString::to_string).collect() }
    }

    #[test]
    fn what_is_said_about_parts_stands_together() {
        let mut modification = Modification::default();
        let path = |text: &str| text.split('.').map(SmolStr::from).collect::<Vec<_>>();
        modification.say(&path("n"), said(&[], &["5"]));
        modification.say(&path("r.x"), said(&[2, 2], &["1", "2", "3", "4"]));
        modification.say(&path("r.y"), said(&[0], &[]));
        modification.say(&path("n"), said(&[], &["6"]));
        assert_eq!(modification.text(), "n = 6, r(x = {{1, 2}, {3, 4}}, y = fill(0, 0))");
        assert_eq!(modification.said(&path("n")), Some(&said(&[], &["6"])));
        assert_eq!(modification.said(&path("r")), None);
    }
}
