//! Finds values for the variables of a model: a request goes in, and values come out, or why there are none.
//!
//! - [`problem::ModelProblem`] is a model with what changes in it: what integrators are given, and all variables at any point.
//! - [`search::Search`] says with every request what is tried to solve a loop, and in which order.
//! - [`evaluate::Evaluator`] runs routines, and solves loops on the way: [`groups`] those that are balances, `linear` those that are
//!   linear, `settle` those in which truth values take part, `guesses`, `flows` and `elsewhere` where Newton's method needs help.
//! - [`start`] begins a run; [`landing`] brings state sets onto their constraints, of which [`charts`] chooses the states; [`modes`]
//!   goes from one mode to another; [`past`] remembers.
//! - [`failure`] says why there are no values, in the modeller's words.

pub mod advice;
pub mod assumptions;
pub mod charts;
mod elsewhere;
pub mod evaluate;
pub mod failure;
mod flows;
mod freed;
pub mod groups;
mod guesses;
mod jacobian;
pub mod landing;
mod linear;
pub mod loop_matrix;
mod loops;
pub mod modes;
pub mod past;
pub mod patience;
mod pivoting;
pub mod problem;
pub mod search;
mod settle;
pub mod start;

pub use advice::{Advice, ChartHistory};
pub use charts::ChartChange;
pub use groups::GroupWork;
pub use loop_matrix::{LoopMatrix, loop_matrices};
pub use problem::{LoopWork, at_start, matrices_made};
