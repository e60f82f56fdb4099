//! Instances to the flat model.
//!
//! In: an [`Instance`]. Out: a [`Flat`] with one variable per component of a built-in type and one equation per equation.

use rhei_flat::Flat;
use rhei_semantics::Instance;
use rhei_source::Diagnostic;

/// The flat model of an instance.
pub fn flatten(instance: &Instance) -> (Flat, Vec<Diagnostic>) {
    let flat = Flat {
        name: instance.class.to_string(),
        description: instance.description.clone(),
        variables: instance.components.clone(),
        equations: instance.equations.clone(),
        initial: instance.initial.clone(),
        experiment: instance.experiment.clone(),
    };
    debug_assert_eq!(flat.verify(), Ok(()));
    (flat, Vec::new())
}
