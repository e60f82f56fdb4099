//! Units of measure: their strings (MLS chapter "Unit expressions") and whether the equations of a model respect them.
//!
//! In: a unit string, out: a [`Unit`], a product of symbols with a factor and exponents of the seven base units of SI.
//! In: a flat model, out: warnings, from [`check_units`], where two units that are known do not go together.
//!
//! The check never proves a model right. A number, a variable without unit and the result of a function may have any unit, and
//! so may their products: a false warning is worse than a missing one.

mod check;
mod dimension;
mod error;
mod infer;
mod mismatch;
mod parse;
mod rational;
mod symbols;
mod unit;

pub use check::check_units;
pub use dimension::Dimension;
pub use error::UnitError;
pub use rational::Rational;
pub use unit::{Agreement, Unit};
