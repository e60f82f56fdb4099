//! Diagnostics for the modeller, as data.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Deserializer, Serialize};

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Probably a mistake.
    Warning,
    /// The model is refused.
    Error,
}

impl Severity {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place that belongs to a diagnostic, with a text. The first one is the place of the mistake.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// Its text; may be empty.
    pub message: String,
}

/// A message: an id that scripts match on and that the manual explains, the expected and the actual state, places,
/// suggestions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// Kebab-case, part of the interface.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence in the modeller's words.
    pub message: String,
    /// Places, the most important first.
    pub labels: Vec<Label>,
    /// Further sentences: causes and suggestions.
    pub notes: Vec<String>,
}

impl<'de> Deserialize<'de> for Diagnostic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Diagnostic, D::Error> {
        #[derive(Deserialize)]
        struct Read {
            id: String,
            severity: Severity,
            message: String,
            labels: Vec<Label>,
            notes: Vec<String>,
        }
        let Read { id, severity, message, labels, notes } = Read::deserialize(deserializer)?;
        Ok(Diagnostic { id: kept_id(id), severity, message, labels, notes })
    }
}

/// An id from a file. Each one is kept for good, once: there are as many as the manual has entries.
fn kept_id(id: String) -> &'static str {
    static READ: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    match read.get(id.as_str()) {
        Some(known) => known,
        None => {
            let id: &'static str = id.leak();
            read.insert(id);
            id
        }
    }
}

impl Diagnostic {
    /// An error, so far without place.
    pub fn error(id: &'static str, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Error, message)
    }

    /// A warning, so far without place.
    pub fn warning(id: &'static str, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Warning, message)
    }

    /// A note, so far without place.
    pub fn note(id: &'static str, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Note, message)
    }

    fn new(id: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Diagnostic { id, severity, message: message.into(), labels: Vec::new(), notes: Vec::new() }
    }

    /// With a further place.
    #[must_use]
    pub fn at(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// With a further sentence.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// With further sentences, if there are any.
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Whether the model is refused for it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// The error for a construct that is not supported yet: named, with its place, and never answered with a
/// number.
pub fn not_supported_yet(construct: impl std::fmt::Display, span: Span) -> Diagnostic {
    Diagnostic::error("not-supported-yet", format!("{construct} is not supported yet")).at(span, "this")
}

/// A subscript that names no element of an array.
pub fn subscript_out_of_bounds(array: &str, subscript: i64, size: usize, span: Span) -> Diagnostic {
    let message =
        format!("the subscript {subscript} is outside `{array}`, which goes from 1 to {size} there");
    Diagnostic::error("subscript-out-of-bounds", message).at(span, format!("this is {subscript}"))
}

/// The name among `candidates` that a writer of `wanted` most likely meant, if any is close enough.
pub fn nearest_name<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let tolerated = (wanted.chars().count() / 3).max(1);
    // letters of other case count nothing extra, swaps of neighbours once
    let lower = wanted.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (strsim::osa_distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|&(distance, _)| distance <= tolerated)
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        assert_eq!(nearest_name("Resitor", ["Inductor", "Resistor", "Capacitor"]), Some("Resistor"));
        assert_eq!(nearest_name("REAL", ["Integer", "Real"]), Some("Real"));
        assert_eq!(nearest_name("strat", ["nominal", "start"]), Some("start"), "a swap is one slip");
        assert_eq!(nearest_name("v", ["voltage", "current"]), None);
        assert_eq!(nearest_name("ab", ["ac", "ad"]), Some("ac"), "the first in order wins a tie");
    }
}
