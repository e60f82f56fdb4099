//! The results of compiling a model, flattening one, and parsing files.

use std::fmt;
use std::time::Duration;

use rhei_compiler::{Configured, PortableModel};
use rhei_source::{Diagnostic, Files, Style, render};
use serde::{Deserialize, Serialize};

use crate::Model;

/// A model as far as it was compiled.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// Its full name; empty without a flat model.
    pub name: String,
    /// Its size; none without equations.
    pub size: Option<Size>,
    /// All diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that diagnostics refer to.
    pub files: Files,
    /// How long each pass took, in their order.
    pub timings: Vec<(&'static str, Duration)>,
    /// Whether values of parameters are at fault, and not the model.
    pub blames_settings: bool,
    /// The model as far as it was built, even if an error refuses it: for inspection, not to be run.
    pub built: Option<Model>,
}

/// How large a model is, as scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Equations.
    pub equations: usize,
    /// Unknowns and derivatives.
    pub unknowns: usize,
}

impl Compilation {
    pub(crate) fn new(configured: Configured, files: Files) -> Compilation {
        let Configured { compilation: done, set, is_refused } = configured;
        let size = done.equations.as_ref().map(|equations| Size {
            equations: equations.equations.len(),
            unknowns: equations.variables.iter().filter(|variable| variable.is_unknown()).count(),
        });
        let name = done.flat.as_ref().map_or_else(String::new, |flat| flat.name.clone());
        let timings = done.timings.iter().collect();
        let diagnostics = done.diagnostics;
        let built = done.model.zip(done.flat).map(|(compiled, flat)| {
            let (declarations, diagnostics) = (flat.declarations(), diagnostics.clone());
            Model::new(PortableModel { compiled, declarations, diagnostics, files: files.clone() }, set)
        });
        Compilation { name, size, diagnostics, files, timings, blames_settings: is_refused, built }
    }

    /// A model that was compiled before.
    pub(crate) fn known(model: Model, size: Option<Size>, pass: &'static str, took: Duration) -> Compilation {
        Compilation {
            name: model.name().to_owned(),
            size,
            diagnostics: model.diagnostics().to_vec(),
            files: model.files().clone(),
            timings: vec![(pass, took)],
            blames_settings: false,
            built: Some(model),
        }
    }

    /// Whether the model is refused.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// The model, unless an error refuses it.
    pub fn model(&self) -> Option<&Model> {
        self.built.as_ref().filter(|_| !self.has_errors())
    }

    /// The model, or why there is none.
    pub fn into_model(self) -> Result<Model, Refused> {
        let is_whole = !self.has_errors();
        let Compilation { diagnostics, files, blames_settings, built, .. } = self;
        built.filter(|_| is_whole).ok_or(Refused { diagnostics, files, blames_settings })
    }
}

/// A model that cannot be compiled, and why.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Errors, and all other diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that they refer to.
    pub files: Files,
    /// Whether values of parameters are at fault, and not the model.
    pub blames_settings: bool,
}

impl Refused {
    /// For one reason, which is no place in a text.
    pub(crate) fn of(said: Diagnostic) -> Refused {
        Refused { diagnostics: vec![said], files: Files::default(), blames_settings: false }
    }
}

impl fmt::Display for Refused {
    /// The text for people, with the places in the source.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> =
            self.diagnostics.iter().map(|said| render(said, &self.files, Style::Plain)).collect();
        f.write_str(&texts.join("\n"))
    }
}

impl std::error::Error for Refused {}

/// A model without classes and components.
#[derive(Clone, Debug)]
pub struct Flattened {
    /// The flat model, as Modelica, if there is one.
    pub text: Option<String>,
    /// All diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that diagnostics refer to.
    pub files: Files,
    /// How long each pass took, in their order.
    pub timings: Vec<(&'static str, Duration)>,
}

/// Files that were read for their syntax alone.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The files.
    pub files: Files,
    /// Their syntax errors.
    pub diagnostics: Vec<Diagnostic>,
}
