//! Scopes of the text: iterators get names that hide nothing, and types and functions that a variable would hide are
//! named from the top.

use super::Printer;
use crate::identifier::identifier;
use crate::{EnumerationId, FunctionId, Iteration, IteratorId, RecordId, Scalar};

/// An iterator with the name it has in the text, and those of the loops around.
pub(super) struct Bound<'a> {
    iterator: IteratorId,
    name: String,
    outer: Option<&'a Bound<'a>>,
}

impl<'a> Bound<'a> {
    /// From the inside out.
    fn all(innermost: Option<&'a Bound<'a>>) -> impl Iterator<Item = &'a Bound<'a>> {
        std::iter::successors(innermost, |bound| bound.outer)
    }
}

/// Names for iterators that no text names.
const LETTERS: [&str; 6] = ["i", "j", "k", "l", "m", "n"];

impl Printer<'_> {
    /// The name of an iterator here.
    pub(super) fn iterator(&self, id: IteratorId) -> String {
        let bound = Bound::all(self.bound).find(|bound| bound.iterator == id);
        bound.map_or_else(|| identifier(self.tables.iterator(id)), |bound| bound.name.clone())
    }

    /// Writes `i in 1:3` for each of the loops, and their body with the iterators known.
    pub(super) fn in_loops(
        &self,
        loops: &[Iteration],
        written: &mut Vec<String>,
        inside: &mut dyn FnMut(&Printer<'_>, &[String]),
    ) {
        let Some((first, rest)) = loops.split_first() else { return inside(self, written) };
        let name = self.free_name(self.tables.iterator(first.iterator));
        written.push(format!("{name} in {}", self.expression(&first.range)));
        let bound = Bound { iterator: first.iterator, name, outer: self.bound };
        Printer { bound: Some(&bound), ..*self }.in_loops(rest, written, inside);
    }

    /// The name of an iterator, or another one where it would hide something. Names beginning with `$` were made up.
    fn free_name(&self, name: &str) -> String {
        let name = identifier(name);
        let is_free = |name: &String| {
            Bound::all(self.bound).all(|bound| bound.name != *name) && !self.is_component(name)
        };
        let made_up = name.starts_with("'$");
        let stem = if made_up || name.starts_with('\'') { "i" } else { &name };
        let first: &[&str] = if made_up { &LETTERS } else { &[&name] };
        let numbered = (2..).map(|number| format!("{stem}{number}"));
        let mut wanted = first.iter().map(|name| (*name).to_owned()).chain(numbered);
        wanted.find(is_free).expect("numbers do not end")
    }

    /// Whether a variable or a component of the function around is called so.
    fn is_component(&self, name: &str) -> bool {
        if self.locals.is_empty() {
            self.definitions.is_some_and(|definitions| definitions.is_variable(name))
        } else {
            self.locals.iter().any(|local| identifier(&local.name) == name)
        }
    }

    fn class(&self, defined: Option<&str>, qualified: &str) -> String {
        let name = defined.map_or_else(|| identifier(qualified), str::to_owned);
        let hidden = self.is_component(&name) || Bound::all(self.bound).any(|bound| bound.name == name);
        if hidden { format!(".{name}") } else { name }
    }

    pub(super) fn enumeration(&self, id: EnumerationId) -> String {
        let defined = self.definitions.and_then(|definitions| definitions.enumeration(id));
        self.class(defined, &self.tables.enumeration(id).name)
    }

    pub(super) fn record(&self, id: RecordId) -> String {
        let defined = self.definitions.and_then(|definitions| definitions.record(id));
        self.class(defined, &self.tables.record(id).name)
    }

    pub(super) fn function(&self, id: FunctionId) -> String {
        let defined = self.definitions.and_then(|definitions| definitions.function(id));
        self.class(defined, &self.tables.function(id).name)
    }

    /// The name of an element type.
    pub(super) fn scalar_type(&self, scalar: Scalar) -> String {
        match scalar {
            Scalar::Enumeration(id) => self.enumeration(id),
            Scalar::Record(id) | Scalar::ExternalObject(id) => self.record(id),
            _ => self.tables.scalar_name(scalar).to_owned(),
        }
    }
}
