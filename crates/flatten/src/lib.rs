//! Instances to the flat model.
//!
//! In: an [`Instance`]. Out: a [`Flat`] with one variable per component of a built-in type, its equations, and those that
//! follow from connections.

use rhei_flat::Flat;
use rhei_semantics::Instance;
use rhei_source::{Diagnostic, not_supported_yet};

/// The flat model of an instance; `None` means that the diagnostics hold an error.
pub fn flatten(instance: &Instance) -> (Option<Flat>, Vec<Diagnostic>) {
    let refused: Vec<Diagnostic> = instance
        .sections
        .connections
        .iter()
        .map(|connection| not_supported_yet("`connect`", connection.span))
        .collect();
    if !refused.is_empty() {
        return (None, refused);
    }
    let flat = Flat {
        name: instance.class.to_string(),
        description: instance.description.clone(),
        variables: instance.variables.clone(),
        equations: instance.sections.equations.clone(),
        initial: instance.sections.initial.clone(),
        algorithms: instance.sections.algorithms.clone(),
        initial_algorithms: instance.sections.initial_algorithms.clone(),
        tables: instance.tables.clone(),
        experiment: instance.experiment.clone(),
    };
    debug_assert_eq!(flat.verify(), Ok(()));
    (Some(flat), Vec::new())
}
