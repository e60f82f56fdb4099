//! Classes to instances: lookup, modifications, types, functions, constant evaluation (MLS §3–7, §10, §12–14).
//!
//! In: a class of a [`Library`](rhei_library::Library). Out: an [`Instance`](rhei_instance::Instance): every component at its place, every expression
//! typed, and diagnostics. Nodes of classes and components are made when they are first asked for, so that time and memory
//! grow with what a model reaches, not with the libraries around it.
//!
//! | file | what |
//! |---|---|
//! | `class`, `shape`, `expand`, `lookup` | classes in their context, their elements with what they inherit, names to what they mean |
//! | `modifiers` | what is said about elements, by whom, in whose names |
//! | `restrictions`, `compatible` | what a class of a kind may hold, what may stand in the place of what |
//! | `component`, `components`, `elements`, `arena` | instances at their places; arrays whose elements are instances each; where nodes are kept |
//! | `bindings`, `attributes`, `evaluation`, `known_values`, `settle` | values: of components, of attributes, before the run |
//! | `types`, `functions`, `function_rules`, `close_functions`, `partial_derivatives`, `record_results` | records, enumerations, functions that stand alone, `function g = der(f, x)`, the fields of a record |
//! | `typing/` | expressions and statements with their types |
//! | `equations`, `instantiate` | what the classes of a model say, and the whole |
//! | `purity` | where impure functions may be called |
//! | `clauses/` | rules about `when`, `if` and `reinit` that need the whole model |
//! | `limits` | bounds on the work, whatever the text |

mod arena;
mod attributes;
mod bindings;
mod class;
mod clauses;
mod close_functions;
mod compatible;
mod component;
mod components;
mod confidence;
mod context;
mod elements;
mod equations;
mod evaluation;
mod expand;
mod function_rules;
mod functions;
mod instantiate;
mod known_values;
mod limits;
mod lookup;
mod mistake;
mod modifiers;
mod partial_derivatives;
mod purity;
mod record_results;
mod restrictions;
mod settle;
mod shape;
mod types;
mod typing;

pub use instantiate::instantiate;
pub use mistake::Mistake;
