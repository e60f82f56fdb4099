//! Classes to instances: what a class declares, with every expression typed.
//!
//! In: the syntax tree of a class. Out: an [`Instance`], whose components and equations speak of each other by id, and
//! diagnostics. What is not understood yet is refused by name, never passed over.

mod attributes;
mod builtins;
mod evaluate_sizes;
mod experiment;
mod instance;
mod instantiate;
mod mistake;
mod scope;
mod typing;

pub use instance::Instance;
pub use instantiate::instantiate;
pub use mistake::Mistake;
