//! Runs a compiled model: starts it, integrates it, records it.
//!
//! In: a [`CompiledModel`](rhei_model::CompiledModel), which never changes and may be shared by many runs, and [`Options`]. Out: rows to a
//! [`Sink`](rhei_results::Sink), and an [`Outcome`] that says how it went.

mod advise;
mod asserts;
mod begin;
mod bounce;
mod branches;
mod change_charts;
mod chattering;
mod clocks;
mod complementary;
mod constants;
mod events;
mod exchange;
mod failure;
mod happen;
mod integration;
mod limits;
mod linearize;
mod main_loop;
mod message;
mod modes;
mod on_branch;
mod options;
mod order_of_impulses;
mod outcome;
mod output;
mod pace;
mod ranges;
mod reach;
mod recorder;
mod reinit_note;
mod remember;
mod reports;
mod running;
mod search;
mod shorten;
mod snapshot;
mod stepping;
mod stop;
mod visited;
mod watching;

pub use advise::{BalanceAdvice, advise_balances};
pub use begin::begins_in;
pub use exchange::{Accepted, Exchange};
pub use integration::Integration;
pub use limits::Limits;
pub use linearize::{Linearisation, linearize};
pub use options::{Bounds, Choices, Options, Projection};
pub use outcome::{Outcome, Status};
pub use output::OutputTimes;
pub use rhei_kernel::Execution;
pub use running::simulate;
pub use snapshot::Snapshot;
pub use stepping::{Reached, Stepping};
pub use visited::{ModeChange, VisitedMode, VisitedSet};
pub use watching::EventSearch;
