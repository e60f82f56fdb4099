//! IR: a class with all it declares, ready to be flattened.

use rhei_flat::{Equation, Experiment, Variable};
use smol_str::SmolStr;

/// An instance of a class. Components of built-in types are variables, numbered in the order of their declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// The name of the class.
    pub class: SmolStr,
    /// The text beside it.
    pub description: SmolStr,
    /// The components.
    pub components: Vec<Variable>,
    /// What always holds.
    pub equations: Vec<Equation>,
    /// What holds at the start only.
    pub initial: Vec<Equation>,
    /// How the modeller wants it run.
    pub experiment: Experiment,
}
