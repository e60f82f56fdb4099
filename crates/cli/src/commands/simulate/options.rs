//! The options of `rhei simulate`, and the run that they ask for.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rhei::plot::PICTURES;
use rhei::{
    Balancing, Bounds, Choices, EventSearch, Execution, Experiment, OutputTimes, Projection, RESULT_FILES,
};

use crate::arguments::{HowToRun, Model};
use crate::commands::Usage;
use crate::keep::Names;
use crate::talk::Talk;

#[derive(Debug, Default, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) model: Model,
    /// Where time stops
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) stop_time: Option<f64>,
    /// Where time starts
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) start_time: Option<f64>,
    #[command(flatten)]
    pub(crate) how: HowToRun,
    /// How many equal intervals lie between the rows of the result
    #[arg(long, value_name = "N", conflicts_with_all = ["interval", "at"])]
    pub(crate) intervals: Option<usize>,
    /// How far apart the rows of the result are
    #[arg(long, value_name = "DT", conflicts_with = "at")]
    pub(crate) interval: Option<f64>,
    /// Write rows at exactly these times
    #[arg(long, value_name = "T1,T2,…", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) at: Option<Vec<f64>>,
    /// The step of methods with a fixed step
    #[arg(long, value_name = "DT")]
    pub(crate) step: Option<f64>,
    /// Check that every equilibrium of a balance is stable, that of a large group at each evaluation, too
    #[arg(long)]
    pub(crate) certify_all: bool,
    /// When explicit methods with a fixed step look at the constraints of a mode
    #[arg(long, value_enum)]
    pub(crate) projection: Option<Constraints>,
    /// How carefully crossings of relations are looked for
    #[arg(long, value_enum, default_value_t = Events::Careful)]
    pub(crate) events: Events,
    /// What is done where a variable leaves its `min` or `max`
    #[arg(long, value_enum, default_value_t = OutOfBounds::Warn)]
    pub(crate) bounds: OutOfBounds,
    /// Also look at `min` and `max` that a type gives all its variables
    #[arg(long)]
    pub(crate) bounds_of_types: bool,
    /// How the model's formulas are computed; results do not depend on it
    #[arg(long, value_enum, default_value_t = Code::Adaptive)]
    pub(crate) code: Code,
    /// Which variables the result file keeps, by name or pattern: a,b,"body.*"
    #[arg(long, value_name = "NAMES", requires = "output")]
    pub(crate) keep: Option<String>,
    #[arg(short, long, value_name = "FILE", help = format!("The result file, {RESULT_FILES}"))]
    pub(crate) output: Option<PathBuf>,
    /// Draw these variables: on the terminal, or into --plot-file
    #[arg(long, value_name = "NAMES")]
    pub(crate) plot: Option<String>,
    #[arg(long, value_name = "FILE", requires = "plot", help = format!("Where the drawing goes, {PICTURES}"))]
    pub(crate) plot_file: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = format!("Draw how many evaluations balances took in each step, {PICTURES}"))]
    pub(crate) plot_calls: Option<PathBuf>,
}

impl Simulate {
    /// The run that is asked for.
    pub(super) fn experiment(&self, talk: &Talk) -> Experiment {
        let output = match (&self.at, self.intervals, self.interval) {
            (Some(at), ..) => Some(OutputTimes::At(at.clone())),
            (None, Some(n), _) => Some(OutputTimes::Intervals(n)),
            (None, None, interval) => interval.map(OutputTimes::Every),
        };
        Experiment {
            start_time: self.start_time,
            stop_time: self.stop_time,
            tolerance: self.how.tolerance,
            method: self.how.method,
            output,
            step: self.step,
            choices: Choices {
                execution: self.code.execution(),
                balances: Balancing { certifies_all: self.certify_all },
                projection: self.projection.map(Constraints::projection),
                events: self.events.search(),
                explains: talk.timings || talk.json,
                bounds: self.bounds.bounds(),
                bounds_of_types: self.bounds_of_types,
            },
            watch: None,
        }
    }

    /// Lists of names that name nothing are wrong usage.
    pub(super) fn check(&self) -> Result<(), Usage> {
        let lists = [("--keep", &self.keep), ("--plot", &self.plot)];
        let is_empty = |names: &str| Names::parse(names).0.is_empty();
        let empty = lists.into_iter().find(|(_, names)| names.as_deref().is_some_and(is_empty));
        empty.map_or(Ok(()), |(option, _)| Err(format!("{option}: no variable is named")))
    }
}

/// When explicit methods look at constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Constraints {
    /// In every stage, the default: methods keep their order
    Stage,
    /// At the end of each step, which is made without them: order one
    End,
}

impl Constraints {
    pub(crate) fn projection(self) -> Projection {
        match self {
            Constraints::Stage => Projection::Stage,
            Constraints::End => Projection::End,
        }
    }
}

/// How carefully crossings are looked for within steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Events {
    /// No two crossings are missed that are further apart than a thousandth of the output interval
    #[default]
    Careful,
    /// No crossing of the computed curve is missed, but for rounding; says which relations that cannot be shown for
    Proven,
    /// At three points of each step
    Fast,
}

impl Events {
    pub(crate) fn search(self) -> EventSearch {
        match self {
            Events::Careful => EventSearch::Careful,
            Events::Proven => EventSearch::Proven,
            Events::Fast => EventSearch::Fast,
        }
    }
}

/// What is done where a variable leaves its `min` or `max`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutOfBounds {
    /// The run ends
    Error,
    /// It is said, once for each variable
    #[default]
    Warn,
    /// Nothing
    Off,
}

impl OutOfBounds {
    pub(crate) fn bounds(self) -> Bounds {
        match self {
            OutOfBounds::Error => Bounds::Error,
            OutOfBounds::Warn => Bounds::Warn,
            OutOfBounds::Off => Bounds::Off,
        }
    }
}

/// How formulas are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Code {
    /// Interpreted at first; what is computed often becomes machine code
    #[default]
    Adaptive,
    /// As machine code from the start, made with little effort
    Quick,
    /// As machine code from the start, made with more effort
    Machine,
    /// By the interpreter only
    Interpreted,
}

impl Code {
    pub(crate) fn execution(self) -> Execution {
        match self {
            Code::Adaptive => Execution::Adaptive,
            Code::Quick => Execution::Quick,
            Code::Machine => Execution::Machine,
            Code::Interpreted => Execution::Interpreted,
        }
    }
}
