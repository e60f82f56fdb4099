//! The settings of a run: the command line wins over the model, the model over rhei.

use rhei_equations::{Experiment, VarId, number};
use rhei_numerics::Method;
use rhei_simulate::{CompiledModel, Options, OutputTimes};
use rhei_source::nearest_name;
use rustc_hash::FxHashMap;

use crate::arguments::Simulate;
use crate::commands::Usage;
use crate::keep::Names;
use crate::talk::Talk;

/// Rows of a result where nothing else is asked for.
const INTERVALS: usize = 500;
/// Method where nothing else is asked for.
const METHOD: Method = Method::Bdf;
/// Tolerance where nothing else is asked for.
const TOLERANCE: f64 = 1e-6;

/// The settings of the run; `set` are other values of parameters.
pub(in crate::commands) fn run_options(
    options: &Simulate,
    model: &CompiledModel,
    set: FxHashMap<VarId, f64>,
    talk: &Talk,
) -> Result<Options, Usage> {
    let annotated = &model.equations.experiment;
    let start_time = choose(talk, "start time", options.start_time, annotated.start_time, 0.0);
    let stop_time = choose(talk, "stop time", options.stop_time, annotated.stop_time, start_time + 1.0);
    let tolerance = choose(talk, "tolerance", options.how.tolerance, annotated.tolerance, TOLERANCE);
    if !(start_time.is_finite() && stop_time.is_finite() && start_time <= stop_time) {
        return Err(format!(
            "the stop time {} is not after the start time {}",
            number(stop_time),
            number(start_time)
        ));
    }
    if !(tolerance > 0.0 && tolerance.is_finite()) {
        return Err(format!("the tolerance must be greater than 0, and {} is given", number(tolerance)));
    }
    let method = options.how.method.unwrap_or(METHOD);
    talk.explain(&format!("method = {method} from {}", source(options.how.method.is_some(), false)));
    let output = output_times(options, annotated, start_time, stop_time, talk)?;
    let step = step(options, method, &output, start_time, stop_time, talk)?;
    Ok(Options {
        start_time,
        stop_time,
        tolerance,
        method,
        step,
        output,
        set,
        execution: options.code.execution(),
        projection: options.projection.projection(),
        events: options.events.search(),
        explains: talk.timings || talk.json,
        bounds: options.bounds.bounds(),
        bounds_of_types: options.bounds_of_types,
    })
}

/// Takes what is given first, and tells where it came from.
fn choose(talk: &Talk, name: &str, given: Option<f64>, annotated: Option<f64>, default: f64) -> f64 {
    let value = given.or(annotated).unwrap_or(default);
    talk.explain(&format!(
        "{name} = {} from {}",
        number(value),
        source(given.is_some(), annotated.is_some())
    ));
    value
}

/// Where a setting came from.
fn source(given: bool, annotated: bool) -> &'static str {
    match (given, annotated) {
        (true, _) => "the command line",
        (false, true) => "the experiment annotation",
        (false, false) => "rhei's default",
    }
}

/// When rows are written.
fn output_times(
    options: &Simulate,
    annotated: &Experiment,
    start: f64,
    stop: f64,
    talk: &Talk,
) -> Result<OutputTimes, Usage> {
    let interval = positive("--interval", options.interval)?;
    let output = match (&options.at, options.intervals, interval.or(annotated.interval)) {
        (Some(at), ..) => OutputTimes::At(checked_times(at, start, stop)?),
        (None, Some(0), _) => return Err("`--intervals` must be at least 1".into()),
        (None, Some(n), _) => OutputTimes::Intervals(n),
        (None, None, Some(dt)) => OutputTimes::Every(dt),
        (None, None, None) => OutputTimes::Intervals(INTERVALS),
    };
    let given = options.at.is_some() || options.intervals.is_some() || interval.is_some();
    let rows = match &output {
        OutputTimes::At(_) => "rows at given times".into(),
        OutputTimes::Intervals(n) => format!("rows at the ends of {n} intervals"),
        OutputTimes::Every(dt) => format!("rows every {}", number(*dt)),
    };
    talk.explain(&format!("{rows} from {}", source(given, annotated.interval.is_some())));
    Ok(output)
}

/// The step of a method that needs one: as given, or the distance of the rows.
fn step(
    options: &Simulate,
    method: Method,
    output: &OutputTimes,
    start: f64,
    stop: f64,
    talk: &Talk,
) -> Result<f64, Usage> {
    let given = positive("--step", options.step)?;
    let distance = match output {
        OutputTimes::Every(dt) => *dt,
        OutputTimes::Intervals(n) => (stop - start) / *n as f64,
        OutputTimes::At(_) => (stop - start) / INTERVALS as f64,
    };
    // a run of no length takes no step, but the integrator wants to know one
    let distance = if distance > 0.0 { distance } else { 1.0 };
    if !method.is_fixed_step() {
        let needless = format!("`--step` is for methods with a fixed step, and {method} chooses its own");
        return if given.is_some() { Err(needless) } else { Ok(distance) };
    }
    let from = match (given, output) {
        (Some(_), _) => "the command line",
        (None, OutputTimes::At(_)) => "rhei's default",
        (None, _) => "the distance of the rows",
    };
    let step = given.unwrap_or(distance);
    talk.explain(&format!("step = {} from {from}", number(step)));
    Ok(step)
}

fn positive(name: &str, value: Option<f64>) -> Result<Option<f64>, Usage> {
    match value {
        Some(value) if !(value > 0.0 && value.is_finite()) => {
            Err(format!("`{name}` must be greater than 0, and {} is given", number(value)))
        }
        _ => Ok(value),
    }
}

fn checked_times(at: &[f64], start: f64, stop: f64) -> Result<Vec<f64>, Usage> {
    let mut times = at.to_vec();
    if let Some(outside) = times.iter().find(|t| !(start..=stop).contains(*t)) {
        return Err(format!(
            "--at: {} is outside the run from {} to {}",
            number(*outside),
            number(start),
            number(stop)
        ));
    }
    times.sort_by(f64::total_cmp);
    times.dedup();
    Ok(times)
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
