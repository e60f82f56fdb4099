//! Running, analysis and recording of compiled models: the only place that names the crates these come from.

pub use rhei_run::{
    Accepted, Bounds, Choices, EventSearch, Execution, Integration, Limits, Linearisation, ModeChange,
    OutputTimes, Projection, Reached, Status,
};
pub use rhei_solve::ChartChange as SetChange;
pub use rhei_solve::LoopWork;
pub use rhei_solve::failure::instant;
pub use rhei_solve::groups::Balancing;

pub(crate) use rhei_model::{CompiledModel, Entered, Occasion};
pub(crate) use rhei_run::{
    BalanceAdvice, Exchange, Options, Outcome as RunOutcome, Snapshot, Stepping, VisitedMode, VisitedSet,
    advise_balances, begins_in, linearize, simulate,
};
pub(crate) use rhei_solve::Advice;
pub(crate) use rhei_solve::GroupWork;
