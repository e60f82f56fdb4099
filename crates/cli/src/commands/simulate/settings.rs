//! The settings of a run, as the command line gives them, and in its words.

use rhei::{Experiment, Origin, OutputTimes, Resolved, WrongExperiment};
use rhei_equations::{VarId, number};
use rhei_model::CompiledModel;
use rhei_run::Options;
use rhei_source::nearest_name;
use rustc_hash::FxHashMap;

use crate::arguments::Simulate;
use crate::commands::Usage;
use crate::keep::Names;
use crate::talk::Talk;

/// The settings of the run; `set` are other values of parameters.
pub(in crate::commands) fn run_options(
    options: &Simulate,
    model: &CompiledModel,
    set: FxHashMap<VarId, f64>,
    talk: &Talk,
) -> Result<Options, Usage> {
    let resolved = experiment(options, talk).resolve_for(model, set).map_err(|wrong| in_words(&wrong))?;
    explain(&resolved, talk);
    Ok(resolved.options)
}

fn experiment(options: &Simulate, talk: &Talk) -> Experiment {
    let output = match (&options.at, options.intervals, options.interval) {
        (Some(at), ..) => Some(OutputTimes::At(at.clone())),
        (None, Some(n), _) => Some(OutputTimes::Intervals(n)),
        (None, None, interval) => interval.map(OutputTimes::Every),
    };
    Experiment {
        start_time: options.start_time,
        stop_time: options.stop_time,
        tolerance: options.how.tolerance,
        method: options.how.method,
        output,
        step: options.step,
        execution: options.code.execution(),
        projection: options.projection.projection(),
        events: options.events.search(),
        explains: talk.timings || talk.json,
        bounds: options.bounds.bounds(),
        bounds_of_types: options.bounds_of_types,
    }
}

/// What is wrong, by the names of the options.
fn in_words(wrong: &WrongExperiment) -> Usage {
    let positive =
        |name: &str, value: f64| format!("`{name}` must be greater than 0, and {} is given", number(value));
    match wrong {
        WrongExperiment::Interval(value) => positive("--interval", *value),
        WrongExperiment::NoIntervals => "`--intervals` must be at least 1".into(),
        WrongExperiment::OutsideRun { .. } => format!("--at: {wrong}"),
        WrongExperiment::Step(value) => positive("--step", *value),
        WrongExperiment::NeedlessStep(method) => {
            format!("`--step` is for methods with a fixed step, and {method} chooses its own")
        }
        WrongExperiment::StopBeforeStart { .. } | WrongExperiment::Tolerance(_) => wrong.to_string(),
    }
}

/// Tells where each setting comes from.
fn explain(resolved: &Resolved, talk: &Talk) {
    let say = |what: &str, origin: Origin| talk.explain(&format!("{what} from {}", words(origin)));
    let options = &resolved.options;
    say(&format!("start time = {}", number(options.start_time)), resolved.start_time);
    say(&format!("stop time = {}", number(options.stop_time)), resolved.stop_time);
    say(&format!("tolerance = {}", number(options.tolerance)), resolved.tolerance);
    say(&format!("method = {}", options.method), resolved.method);
    let rows = match &options.output {
        OutputTimes::At(_) => "rows at given times".into(),
        OutputTimes::Intervals(n) => format!("rows at the ends of {n} intervals"),
        OutputTimes::Every(dt) => format!("rows every {}", number(*dt)),
    };
    say(&rows, resolved.output);
    if let Some(origin) = resolved.step {
        say(&format!("step = {}", number(options.step)), origin);
    }
}

fn words(origin: Origin) -> &'static str {
    match origin {
        Origin::Given => "the command line",
        Origin::Annotation => "the experiment annotation",
        Origin::Default => "rhei's default",
        Origin::Rows => "the distance of the rows",
    }
}

fn did_you_mean(model: &CompiledModel, name: &str) -> String {
    let near = nearest_name(name, model.equations.variables.iter().map(|variable| variable.name.as_str()));
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

/// The first name or pattern that fits no variable, with what may have been meant.
pub(super) fn unknown_name(model: &CompiledModel, names: Option<&Names>) -> Option<String> {
    let fits_none = |name: &&String| {
        let single = Names(vec![(*name).clone()]);
        !model.equations.variables.iter().any(|variable| single.contains(&variable.name))
    };
    let name = names?.0.iter().find(fits_none)?;
    Some(format!("there is no `{name}` in the model{}", did_you_mean(model, name)))
}
