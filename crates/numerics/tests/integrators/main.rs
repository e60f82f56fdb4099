//! The integrators on problems whose solution is known.

mod bdf;
mod chattering;
mod exact;
mod failures;
mod inner;
mod orders;
mod problems;
mod rules;
mod statistics;
mod stiff;
mod tolerance;
