//! Diagnostics for scripts: the shape that the `--json` of every command prints.

use serde::Serialize;

use crate::{Diagnostic, Files, Severity};

/// A diagnostic with its places resolved to lines and columns.
#[derive(Clone, Debug, Serialize)]
pub struct ReportedDiagnostic {
    /// Kebab-case id.
    pub id: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence.
    pub message: String,
    /// Places, the most important first.
    pub labels: Vec<ReportedLabel>,
    /// Further sentences.
    pub notes: Vec<String>,
}

/// A place as scripts want it.
#[derive(Clone, Debug, Serialize)]
pub struct ReportedLabel {
    /// Path of the file as the user gave or would find it.
    pub file: String,
    /// From one.
    pub line: usize,
    /// From one, in characters.
    pub column: usize,
    /// Its text.
    pub message: String,
}

impl ReportedDiagnostic {
    /// With the places found in `files`.
    pub fn new(diagnostic: &Diagnostic, files: &Files) -> Self {
        let labels = diagnostic.labels.iter().map(|label| {
            let position = files.position(label.span);
            ReportedLabel {
                file: files.get(label.span.file).path.display().to_string(),
                line: position.line,
                column: position.column,
                message: label.message.clone(),
            }
        });
        ReportedDiagnostic {
            id: diagnostic.id,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
            labels: labels.collect(),
            notes: diagnostic.notes.clone(),
        }
    }
}

/// `{"diagnostics":[…]}`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// In the order they were found.
    pub diagnostics: Vec<ReportedDiagnostic>,
}

impl Report {
    /// The report of these diagnostics.
    pub fn new(diagnostics: &[Diagnostic], files: &Files) -> Self {
        Report { diagnostics: diagnostics.iter().map(|d| ReportedDiagnostic::new(d, files)).collect() }
    }
}
