//! What runs, analyses and records compiled models: the only place that names the crates it comes from.

pub use rhei_simulate::{
    Bounds, ChartChange as SetChange, EventSearch, Execution, Integration, Limits, Linearisation, LoopWork,
    ModeChange, OutputTimes, Projection, Reached, Status, instant,
};

pub(crate) use rhei_simulate::{
    Advice, BalanceAdvice, CompiledModel, Entered, GroupWork, Occasion, Options, Outcome as RunOutcome,
    Snapshot, Stepping, VisitedMode, VisitedSet, advise_balances, begins_in, linearize, simulate,
};
