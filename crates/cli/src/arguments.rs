//! The arguments of `rhei`.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use rhei::{Bounds, EventSearch, Execution, InverseRequest, Method, Projection};

/// A Modelica compiler and simulator.
#[derive(Debug, Parser)]
#[command(name = "rhei", version, about, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Folder with libraries, looked into before MODELICAPATH and ~/.rhei/libraries
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) library_path: Vec<PathBuf>,
    /// Load external C code that rhei has not built in
    #[arg(long, global = true)]
    pub(crate) allow_external: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto)]
    pub(crate) color: Color,
    /// Say more: where each setting comes from
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Say how long each pass took
    #[arg(long, global = true)]
    pub(crate) timings: bool,
    /// Answer in JSON on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// When explicit methods project onto constraints.
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

/// How carefully crossings are searched for within steps.
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

/// Treatment of variables that leave their `min` or `max`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutOfBounds {
    /// The run ends
    Error,
    /// A warning, once for each variable
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
    /// Interpreted at first; frequent formulas become machine code
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

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a model and write its curves
    Simulate(Box<Simulate>),
    /// Which variables are the states, and why
    States(States),
    /// The model as matrices A, B, C, D about a point of its run
    Linearize(Linearize),
    /// Which artificial states and loops would better be balances
    BalanceAdvise(BalanceAdvise),
    /// The inverse of a model as a clocked block, for a controller
    ClockedInverse(ClockedInverse),
    /// All that can be said about a model without running it
    Check(Model),
    /// The flat model, as Modelica
    Flatten(Model),
    /// Check the syntax of files; folders are walked
    Parse(Parse),
}

/// Which model.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Model {
    /// A file, or the name of a class in a library
    #[arg(value_name = "FILE|CLASS")]
    pub(crate) model: String,
    /// The class in the file; the last one where it is left out
    #[arg(long = "model", value_name = "NAME")]
    pub(crate) name: Option<String>,
}

/// How a model is run, whatever for.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct HowToRun {
    /// Relative tolerance; the absolute one is this times the nominal value of each state
    #[arg(long, value_name = "TOL")]
    pub(crate) tolerance: Option<f64>,
    /// How to integrate: bdf (the default), flc-bdf, esdirk34, tr-bdf2, tsit45, euler, heun, midpoint, rk4, implicit-euler, implicit-trapezoid
    #[arg(long)]
    pub(crate) method: Option<Method>,
    /// Give a parameter or an input another value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Parse {
    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct States {
    #[command(flatten)]
    pub(crate) model: Model,
    /// List every variable, not only those that are states or could be
    #[arg(long)]
    pub(crate) all: bool,
    /// Draw constraints, candidates and the choice into a page of its own
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Analyse every mode, up to N combinations of conditions (256): how many states each has, and which cannot be
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "256")]
    pub(crate) all_modes: Option<usize>,
    /// Run the model, and tell which states its state sets had when
    #[arg(long)]
    pub(crate) run: bool,
    /// Run the model, and propose a fixed choice of states that would have done, as modifiers
    #[arg(long)]
    pub(crate) advise: bool,
    /// Stop time, for --run and --advise
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) stop_time: Option<f64>,
    #[command(flatten)]
    pub(crate) how: HowToRun,
}

impl States {
    /// Whether the model is run.
    pub(crate) fn runs(&self) -> bool {
        self.run || self.advise
    }
}

#[derive(Debug, Args)]
pub(crate) struct Linearize {
    #[command(flatten)]
    pub(crate) model: Model,
    /// When: the model is run until then; its start where this is left out
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) time: Option<f64>,
    #[command(flatten)]
    pub(crate) how: HowToRun,
    /// The file for the matrices, .csv or .json
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct BalanceAdvise {
    #[command(flatten)]
    pub(crate) model: Model,
    /// Stop time of the run that the advice is for
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) stop_time: Option<f64>,
    #[command(flatten)]
    pub(crate) how: HowToRun,
}

#[derive(Debug, Args)]
pub(crate) struct ClockedInverse {
    #[command(flatten)]
    pub(crate) model: Model,
    /// Variables of the model that are given: the inputs of its inverse
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) inputs: Vec<String>,
    /// Inputs of the model that are computed; all where this is left out
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) outputs: Vec<String>,
    /// States of the model that are measured, or `all`: integrators and feedback take the place of a filter
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub(crate) measure: Vec<String>,
    /// The order of the filter in front of each input
    #[arg(long, value_name = "N")]
    pub(crate) filter_order: Option<u32>,
    /// From tick to tick, in seconds
    #[arg(long, value_name = "T", default_value_t = InverseRequest::PERIOD)]
    pub(crate) period: f64,
    /// How fast filter and feedback are, in Hz; a hundredth of the frequency of the clock where this is left out
    #[arg(long, value_name = "F")]
    pub(crate) frequency: Option<f64>,
    /// How states are integrated from tick to tick
    #[arg(long, value_name = "METHOD", default_value = InverseRequest::METHOD)]
    pub(crate) method: String,
    /// The name of the block
    #[arg(long = "name", value_name = "NAME")]
    pub(crate) block: Option<String>,
    /// The file for the block; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Default, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) model: Model,
    /// Stop time
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) stop_time: Option<f64>,
    /// Start time
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
    /// When explicit methods with a fixed step project onto the constraints of a mode
    #[arg(long, value_enum)]
    pub(crate) projection: Option<Constraints>,
    /// How carefully crossings of relations are searched for
    #[arg(long, value_enum, default_value_t = Events::Careful)]
    pub(crate) events: Events,
    /// Treatment of variables that leave their `min` or `max`
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
    /// The result file, .csv or .mat
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw these variables: on the terminal, or into --plot-file
    #[arg(long, value_name = "NAMES")]
    pub(crate) plot: Option<String>,
    /// The file for the drawing, .svg or .html
    #[arg(long, value_name = "FILE", requires = "plot")]
    pub(crate) plot_file: Option<PathBuf>,
    /// Draw how many evaluations balances took in each step, .svg or .html
    #[arg(long, value_name = "FILE")]
    pub(crate) plot_calls: Option<PathBuf>,
}
