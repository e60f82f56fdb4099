//! Finds values for the variables of a model: a request goes in, and values come out, or why there are none.
//!
//! - [`problem::ModelProblem`] is a model with its run-time data: the problem given to integrators, and all variables at any
//!   point.
//! - [`search::Search`] comes with every request, and lists the strategies to solve a loop, in order.
//! - [`evaluate::Evaluator`] runs routines, and solves loops on the way: [`groups`] balances, `linear` linear ones, `settle`
//!   those with Booleans; `guesses`, `flows` and `starting_points` help Newton's method.
//! - [`start`] begins a run, `written_starts` with the start values that somebody wrote; [`landing`] projects state sets onto their constraints, and [`charts`] chooses their states;
//!   [`modes`] changes from one mode to another; [`past`] keeps delayed values.
//! - [`failure`] explains failures, in the modeller's words.

pub mod advice;
pub mod assumptions;
mod branch;
pub mod charts;
mod constants;
pub mod evaluate;
pub mod failure;
mod flows;
mod freed;
pub mod groups;
mod guesses;
mod jacobian;
pub mod landing;
mod least_change;
mod linear;
pub mod loop_matrix;
mod loops;
pub mod modes;
pub mod past;
mod pivoting;
pub mod problem;
pub mod regularity;
pub mod search;
mod settle;
pub mod start;
mod starting_points;
pub mod way_of_loop;
pub mod work_budget;
pub mod written_starts;

pub use advice::{Advice, ChartHistory};
pub use charts::ChartChange;
pub use groups::GroupWork;
pub use loop_matrix::{LoopMatrix, loop_matrices};
pub use problem::{LoopWork, at_start, matrices_made};
