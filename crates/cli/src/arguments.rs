//! The arguments of `rhei`.

use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum};
use rhei::Method;

use crate::commands::Command;

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
    /// Compile anew, and keep nothing: neither read nor write compiled models in ~/.cache/rhei
    #[arg(long, global = true)]
    pub(crate) no_cache: bool,
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

/// Which model.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Model {
    /// A file, the name of a class in a library, or a compiled model (.rhei)
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
    #[arg(long, help = format!("How to integrate: {}; bdf where nothing is said", Method::names()))]
    pub(crate) method: Option<Method>,
    /// Give a parameter or an input another value
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}
