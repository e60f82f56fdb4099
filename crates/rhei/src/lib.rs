//! rhei as a library: from the text of a Modelica model to its curves.
//!
//! [`Session`] (sources and libraries) → [`Model`] (compiled; never changes, and may be shared by threads) → [`Simulation`] (a run that
//! is led step by step) or [`Model::simulate`] (a whole one) → [`Results`] (columns by name).
//!
//! The [guide](guide) has three pages: run a model, run it a thousand times, step it by hand.

mod experiment;
pub mod guide;
mod model;
mod results;
mod session;
mod simulation;
mod value;
mod watched;

pub use experiment::{Experiment, Origin, Resolved, WrongExperiment};
pub use model::{Model, Variability, VariableInfo, WrongParameter};
pub use results::Results;
pub use session::{Refused, Session};
pub use simulation::Simulation;
pub use value::Value;

pub use rhei_numerics::Method;
pub use rhei_results::{CsvFile, MatFile, Sink, Trajectories};
pub use rhei_run::{
    Bounds, EventSearch, Execution, Integration, Outcome, OutputTimes, Projection, Reached, Status,
};
pub use rhei_source::{Diagnostic, Disk, Files, InMemory, Severity, Style, World, render};
