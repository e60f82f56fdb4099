//! Runs a compiled model: starts it, integrates it, records it.
//!
//! In: a [`CompiledModel`], which never changes and may be shared by many runs, and [`Options`]. Out: rows to a
//! [`Sink`](rhei_results::Sink), and an [`Outcome`] that says how it went.

mod advice;
mod aliases;
mod assumptions;
mod charts;
mod chattering;
mod clocks;
mod elsewhere;
mod evaluate;
mod events;
mod failure;
mod flows;
mod freed;
mod groups;
mod guesses;
mod jacobian;
mod landing;
mod linear;
mod loop_matrix;
mod model;
mod modes;
mod output;
mod past;
mod patience;
mod pivoting;
mod places;
mod problem;
mod reach;
mod run;
mod said;
mod settle;
mod start;
mod state_dependence;

pub use advice::{Advice, ChartHistory};
pub use charts::ChartChange;
pub use clocks::{CompiledPart, PartInMode, TickingStructures};
pub use failure::instant;
pub use groups::GroupWork;
pub use jacobian::{StateMatrix, state_matrix};
pub use loop_matrix::{LoopMatrix, loop_matrices};
pub use model::CompiledModel;
pub use modes::landing_matrix::{LandingMatrix, landing_matrix};
pub use modes::{Entered, ModeChange, ModeWork, Occasion, Structures, VisitedMode, VisitedSet};
pub use output::OutputTimes;
pub use problem::{at_start, matrices_made};
pub use rhei_kernel::Execution;
pub use run::{
    BalanceAdvice, Bounds, EventSearch, Integration, Limits, Linearisation, LoopWork, Options, Outcome,
    Projection, Reached, Snapshot, Status, Stepping, advise_balances, begins_in, linearize, simulate,
};
