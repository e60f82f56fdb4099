//! Mistakes in settings.

use rhei_source::{Diagnostic, Span};

/// A setting that cannot be applied.
#[derive(Clone, Debug)]
pub(super) struct Mistake {
    kind: Wrong,
    /// The text of the setting.
    setting: String,
    what: String,
    declared: Option<Span>,
    note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Not `NAME=VALUE`.
    Malformed,
    /// No variable has that name.
    Unknown,
    /// A constant, or a variable that equations compute.
    NotParameter,
    /// A final parameter.
    Final,
    /// A value of another type.
    Type,
    /// A value of another size.
    Size,
    /// A structural parameter of a model that is compiled already.
    Structural,
}

impl Mistake {
    pub(super) fn new(kind: Wrong, setting: impl Into<String>, what: impl Into<String>) -> Mistake {
        Mistake { kind, setting: setting.into(), what: what.into(), declared: None, note: None }
    }

    /// Points at the declaration of the parameter.
    pub(super) fn declared_at(self, span: Span) -> Mistake {
        Mistake { declared: Some(span), ..self }
    }

    /// Adds advice.
    pub(super) fn with_note(self, note: Option<String>) -> Mistake {
        Mistake { note, ..self }
    }
}

impl From<Mistake> for Diagnostic {
    fn from(mistake: Mistake) -> Diagnostic {
        let id = match mistake.kind {
            Wrong::Malformed => "setting-malformed",
            Wrong::Unknown => "setting-unknown",
            Wrong::NotParameter => "setting-not-parameter",
            Wrong::Final => "setting-final",
            Wrong::Type => "setting-type",
            Wrong::Size => "setting-size",
            Wrong::Structural => "setting-structural",
        };
        let said = Diagnostic::error(id, format!("`--set {}`: {}", mistake.setting, mistake.what));
        let said = match mistake.declared {
            Some(span) => said.at(span, "declared here"),
            None => said,
        };
        said.with_notes(mistake.note)
    }
}
