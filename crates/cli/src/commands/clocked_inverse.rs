//! `rhei clocked-inverse`: the inverse of a model as a clocked block.

use std::path::PathBuf;

use clap::Args;
use rhei::{InverseInput, InversePart, InverseRequest, Inverted, WrongInverse};
use rhei_source::{Report, ReportedDiagnostic};
use serde::Serialize;

use super::{Exit, Usage, exit, explain_files, session};
use crate::arguments::{Common, Model};
use crate::talk::Talk;

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
    /// Where the block goes; standard output where this is left out
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    made: Option<Made>,
    diagnostics: Vec<ReportedDiagnostic>,
}

/// The block that was made.
#[derive(Serialize)]
struct Made {
    block: String,
    /// The given outputs, and inputs that stay.
    inputs: Vec<Input>,
    outputs: Vec<String>,
    states: Vec<String>,
}

#[derive(Serialize)]
struct Input {
    name: String,
    differentiated: u32,
}

impl Made {
    fn of(inverted: &Inverted) -> Option<Made> {
        let inverse = inverted.inverse.clone()?;
        let input =
            |input: &InverseInput| Input { name: input.name.clone(), differentiated: input.differentiated };
        Some(Made {
            block: inverse.text,
            inputs: inverted.inputs.iter().map(input).collect(),
            outputs: inverse.outputs,
            states: inverse.states,
        })
    }
}

pub(crate) fn clocked_inverse(options: &ClockedInverse, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let request = InverseRequest {
        given: options.inputs.clone(),
        computed: options.outputs.clone(),
        measured: options.measure.clone(),
        filter_order: options.filter_order,
        period: options.period,
        frequency: options.frequency,
        method: options.method.clone(),
        name: options.block.clone(),
    };
    let model = &options.model;
    let inverted = session(common).clocked_inverse(&model.model, model.name.as_deref(), &request);
    let inverted = inverted.map_err(|wrong| in_words(&wrong))?;
    if !talk.json {
        inverted.inputs.iter().for_each(|input| talk.say(&input.to_string()));
        talk.diagnostics(&inverted.diagnostics, &inverted.files);
    }
    talk.passes(&inverted.timings);
    explain_files(talk, &inverted.files);
    let made = Made::of(&inverted);
    let is_made = made.is_some();
    if let Some(made) = &made {
        hand_out(options, made, talk)?;
    }
    if talk.json {
        let diagnostics = Report::new(&inverted.diagnostics, &inverted.files).diagnostics;
        talk.answer(&Answer { made, diagnostics });
    }
    Ok(exit(!is_made))
}

/// A mistake, in terms of the options.
fn in_words(wrong: &WrongInverse) -> Usage {
    match wrong {
        WrongInverse::Unreadable(unreadable) => unreadable.to_string(),
        WrongInverse::NothingGiven { model, hint } => {
            let hint = hint.as_ref().map_or(String::new(), |hint| format!(": {hint}"));
            format!("--inputs says which variables of `{model}` are given{hint}")
        }
        WrongInverse::Numbers { given, computed } => {
            let names: Vec<String> = computed.iter().map(|name| format!("`{name}`")).collect();
            let (n, names) = (computed.len(), names.join(", "));
            let hint = if n > *given { "; choose among them with --outputs" } else { "" };
            format!(
                "an inverse computes as many inputs as variables are given: {given} given with --inputs, and {n} to be computed: {names}{hint}"
            )
        }
        WrongInverse::Part { part, what } => format!("{}: {what}", option(*part)),
    }
}

fn option(part: InversePart) -> &'static str {
    match part {
        InversePart::Given => "--inputs",
        InversePart::Computed => "--outputs",
        InversePart::Measured => "--measure",
        InversePart::FilterOrder => "--filter-order",
        InversePart::Period => "--period",
        InversePart::Frequency => "--frequency",
        InversePart::Method => "--method",
        InversePart::Name => "--name",
    }
}

/// Writes the block to the file or to standard output.
fn hand_out(options: &ClockedInverse, made: &Made, talk: &Talk) -> Result<(), Usage> {
    if !talk.json {
        talk.say(&format!("it has {} states: {}", made.states.len(), made.states.join(", ")));
    }
    match &options.output {
        Some(path) => std::fs::write(path, &made.block)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display())),
        None if talk.json => Ok(()),
        None => {
            talk.print(made.block.trim_end());
            Ok(())
        }
    }
}
