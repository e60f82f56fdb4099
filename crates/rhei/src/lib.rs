//! rhei as a library: from the text of a Modelica model to its curves.
//!
//! [`Session`] (sources and libraries) → [`Model`] (compiled; never changes, and may be shared by threads) → [`Model::simulate`]
//! (a whole run), [`Simulation`] (one led step by step) or [`Exchange`] (one whose steps the caller makes) → [`Results`] (columns
//! by name).
//!
//! The [guide] has three pages: run a model, run it a thousand times, step it by hand.

mod cache;
mod compilation;
mod engine;
mod exchange;
mod experiment;
pub mod guide;
mod inverse;
mod linear;
mod model;
mod outcome;
pub mod plot;
mod recording;
mod results;
mod seen;
mod session;
mod simulation;
mod snapshot;
mod states;
mod texts;
mod value;
mod variable;
mod watch;
mod write_whole;

pub use compilation::{Compilation, Flattened, Parsed, Refused, Size};
pub use exchange::{Exchange, WrongPoint};
pub use experiment::{Experiment, Origin, Resolved, Setting, WrongExperiment};
pub use inverse::{Inverse, InverseInput, InversePart, InverseRequest, Inverted, WrongInverse};
pub use linear::{Advised, BalanceProposal, Linearised, eigenvalues};
pub use model::{Model, WrongParameter};
pub use outcome::{BalanceStep, BalanceWork, Outcome};
pub use recording::Recording;
pub use results::Results;
pub use session::Session;
pub use simulation::Simulation;
pub use snapshot::{OtherModel, Snapshot};
pub use states::{
    AllModes, FixedChoice, Mode, PossibleMode, SetRun, Share, StateReport, StateRun, StateSet, VariableState,
};
pub use value::Value;
pub use variable::{Causality, Variability, VariableInfo, VariableType};
pub use watch::{Progress, Watch};

pub use engine::{
    Accepted, Balancing, Bounds, Choices, EventSearch, Execution, Integration, Limits, Linearisation,
    LoopWork, ModeChange, OutputTimes, Projection, Reached, SetChange, Status, instant,
};
pub use rhei_compiler::{UnreadableFile, with_deep_stack};
pub use rhei_equations::number;
pub use rhei_numerics::{Method, Statistics};
pub use rhei_results::{
    Alias, ByEnding, Column, Columns, CsvFile, Kept, Kind, MatFile, Progress as StepTaken, RESULT_FILES,
    Sink, Trajectories, WriteError, create_file, partial_path,
};
pub use rhei_solvable::Role;
pub use rhei_source::{Diagnostic, Disk, Files, InMemory, Severity, Style, World, render};
