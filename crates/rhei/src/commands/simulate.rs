//! `rhei simulate`: run a model, write its curves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rhei_compiler::{Compilation, Session};
use rhei_equations::{Experiment, Kind, VarId, number};
use rhei_results::plot::{Plot, Size, Terminal, html, svg, terminal};
use rhei_results::{Columns, CsvFile, Sink, Trajectories, WriteError};
use rhei_simulate::{CompiledModel, Options, Outcome, OutputTimes, Status};
use rhei_source::{Diagnostic, Report, ReportedDiagnostic, nearest_name};
use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{Exit, Usage, compile, report};
use crate::arguments::{Common, Simulate};
use crate::keep::Names;
use crate::talk::Talk;

/// Rows of a result where nothing else is asked for.
const INTERVALS: usize = 500;
/// Tolerance where nothing else is asked for.
const TOLERANCE: f64 = 1e-6;

pub(crate) fn simulate(options: &Simulate, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let (session, mut done) = compile(&options.model, common)?;
    report(talk, &session, &done);
    let Some(model) = done.model.clone().filter(|_| !done.has_errors()) else {
        answer(talk, &session, &done, None, 0.0);
        return Ok(Exit::ModelAtFault);
    };
    let run = run_options(options, &model, talk)?;
    let plotted = options.plot.as_deref().map(Names::parse);
    check_names(&model, plotted.as_ref())?;

    let begun = Instant::now();
    let mut results = Results::create(options, &model, plotted.as_ref())?;
    let recorded = results.recorded.clone();
    let mut outcome = rhei_simulate::simulate(&model, &run, &recorded, &mut results);
    let seconds = begun.elapsed().as_secs_f64();
    results.close(&mut outcome, options, talk)?;

    if !talk.json {
        talk.diagnostics(&outcome.diagnostics, session.files());
        summary(&model, &outcome, seconds, talk);
    }
    let failed = outcome.status == Status::Failed;
    done.diagnostics.extend(outcome.diagnostics.iter().cloned());
    answer(talk, &session, &done, Some(&outcome), seconds);
    Ok(super::exit(failed))
}

/// The settings of the run: the command line wins over the model, the model over rhei.
fn run_options(options: &Simulate, model: &CompiledModel, talk: &Talk) -> Result<Options, Usage> {
    let Experiment { start_time, stop_time, tolerance, interval } = model.equations.experiment;
    let choose = |name: &str, given: Option<f64>, annotated: Option<f64>, default: f64| {
        let (value, from) = match (given, annotated) {
            (Some(value), _) => (value, "the command line"),
            (None, Some(value)) => (value, "the experiment annotation"),
            (None, None) => (default, "rhei's default"),
        };
        talk.explain(&format!("{name} = {} from {from}", number(value)));
        value
    };
    let start_time = choose("start time", options.start_time, start_time, 0.0);
    let stop_time = choose("stop time", options.stop_time, stop_time, start_time + 1.0);
    let tolerance = choose("tolerance", options.tolerance, tolerance, TOLERANCE);
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
    let positive = |name: &str, value: Option<f64>| match value {
        Some(value) if !(value > 0.0 && value.is_finite()) => {
            Err(format!("`{name}` must be greater than 0, and {} is given", number(value)))
        }
        _ => Ok(value),
    };
    let given_interval = positive("--interval", options.interval)?;
    let output = match (&options.at, options.intervals, given_interval.or(interval)) {
        (Some(at), ..) => OutputTimes::At(checked_times(at, start_time, stop_time)?),
        (None, Some(0), _) => return Err("`--intervals` must be at least 1".into()),
        (None, Some(n), _) => OutputTimes::Intervals(n),
        (None, None, Some(dt)) => OutputTimes::Every(dt),
        (None, None, None) => OutputTimes::Intervals(INTERVALS),
    };
    let interval = match &output {
        OutputTimes::Every(dt) => *dt,
        OutputTimes::Intervals(n) => (stop_time - start_time) / *n as f64,
        OutputTimes::At(_) => (stop_time - start_time) / INTERVALS as f64,
    };
    let given_step = positive("--step", options.step)?;
    if given_step.is_some() && !options.method.is_fixed_step() {
        return Err(format!(
            "`--step` is for methods with a fixed step, and {} chooses its own",
            options.method
        ));
    }
    let step = if options.method.is_fixed_step() && start_time < stop_time {
        choose("step", given_step, None, interval)
    } else {
        interval
    };
    let set = settings(&options.set, model)?;
    Ok(Options { start_time, stop_time, tolerance, method: options.method, step, output, set })
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

/// `--set name=value`
fn settings(set: &[String], model: &CompiledModel) -> Result<FxHashMap<VarId, f64>, Usage> {
    let mut found = FxHashMap::default();
    for setting in set {
        let (name, value) =
            setting.split_once('=').ok_or_else(|| format!("--set: `{setting}` is not NAME=VALUE"))?;
        let (name, value) = (name.trim(), value.trim());
        let Some(v) = model.equations.variable_named(name) else {
            return Err(format!("--set: there is no `{name}` in the model{}", did_you_mean(model, name)));
        };
        let variable = model.equations.variable(v);
        match variable.kind {
            Kind::Parameter if variable.structural => {
                return Err(format!("--set: `{name}` shapes the model and must be changed in its text"));
            }
            Kind::Parameter => {}
            _ => return Err(format!("--set: `{name}` is not a parameter")),
        }
        let parsed = match value {
            "true" => Some(1.0),
            "false" => Some(0.0),
            _ => value.parse().ok().filter(|x: &f64| x.is_finite()),
        };
        found.insert(v, parsed.ok_or_else(|| format!("--set: `{value}` is not a number"))?);
    }
    Ok(found)
}

fn did_you_mean(model: &CompiledModel, name: &str) -> String {
    let near = nearest_name(name, model.equations.variables.iter().map(|variable| variable.name.as_str()));
    near.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

fn check_names(model: &CompiledModel, plotted: Option<&Names>) -> Result<(), Usage> {
    for name in plotted.iter().flat_map(|names| &names.0) {
        let single = Names(vec![name.clone()]);
        if !model.equations.variables.iter().any(|variable| single.contains(&variable.name)) {
            return Err(format!("there is no `{name}` in the model{}", did_you_mean(model, name)));
        }
    }
    Ok(())
}

/// Where the rows go: a file, and memory for the plot.
struct Results {
    /// All that is kept or drawn.
    recorded: Vec<VarId>,
    file: Option<CsvFile>,
    /// How many of the recorded variables, which come first, go into the file.
    in_file: usize,
    curves: Option<(Trajectories, Vec<usize>)>,
}

impl Results {
    fn create(options: &Simulate, model: &CompiledModel, plotted: Option<&Names>) -> Result<Results, Usage> {
        let keep = options.keep.as_deref().map(Names::parse);
        let (columns, mut recorded) =
            model.columns(|name| keep.as_ref().is_none_or(|keep| keep.contains(name)));
        let in_file = recorded.len();
        let file = match &options.output {
            Some(path) => Some(create_file(path, &columns)?),
            None => None,
        };
        let curves = plotted.map(|names| {
            let (columns, drawn) = model.columns(|name| names.contains(name));
            let places = drawn.iter().map(|v| {
                recorded.iter().position(|known| known == v).unwrap_or_else(|| {
                    recorded.push(*v);
                    recorded.len() - 1
                })
            });
            let places = places.collect();
            (Trajectories::new(columns), places)
        });
        Ok(Results { recorded, file, in_file, curves })
    }

    /// Ends the file, and draws.
    fn close(self, outcome: &mut Outcome, options: &Simulate, talk: &Talk) -> Result<(), Usage> {
        if let Some(file) = self.file {
            let done = if outcome.status == Status::Failed {
                file.keep_partial().map(Some)
            } else {
                file.finish().map(|()| None)
            };
            match done {
                Ok(Some(kept)) => {
                    talk.say(&format!("what was computed until then is in `{}`", kept.display()))
                }
                Ok(None) => {}
                Err(error) => fail_writing(outcome, &error),
            }
        }
        let Some((curves, _)) = self.curves else { return Ok(()) };
        let names: Vec<String> = curves.columns().iter().map(|column| column.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Ok(plot) = Plot::of(&curves, &names) else { return Ok(()) };
        match &options.plot_file {
            None => talk.say(&terminal(&plot, Terminal { colours: talk.colored, ..Terminal::default() })),
            Some(path) => {
                let drawing = match path.extension().and_then(|extension| extension.to_str()) {
                    Some("svg") => svg(&plot, Size::default()),
                    Some("html") => html(&plot, Size::default()),
                    _ => {
                        return Err(format!(
                            "--plot-file: `{}` ends neither in .svg nor in .html",
                            path.display()
                        ));
                    }
                };
                write_whole(path, &drawing)
                    .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
            }
        }
        Ok(())
    }
}

fn create_file(path: &Path, columns: &Columns) -> Result<CsvFile, Usage> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => CsvFile::create(path, columns).map_err(|error| error.to_string()),
        Some("mat") => Err(format!("`{}`: MAT files are not supported yet, .csv is", path.display())),
        _ => Err(format!("`{}`: a result file ends in .csv", path.display())),
    }
}

/// Beside it first, then in its place: a file is whole or not there.
fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".partial");
    let beside = PathBuf::from(beside);
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

fn fail_writing(outcome: &mut Outcome, error: &WriteError) {
    outcome.status = Status::Failed;
    outcome.diagnostics.push(Diagnostic::error("result-not-written", error.to_string()));
}

impl Sink for Results {
    fn row(&mut self, time: f64, values: &[f64]) -> Result<(), WriteError> {
        if let Some(file) = &mut self.file {
            file.row(time, &values[..self.in_file])?;
        }
        if let Some((curves, places)) = &mut self.curves {
            let drawn: Vec<f64> = places.iter().map(|&place| values[place]).collect();
            curves.push(time, &drawn);
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), WriteError> {
        self.file.map_or(Ok(()), CsvFile::finish)
    }

    fn keep_partial(self: Box<Self>) -> Result<Option<PathBuf>, WriteError> {
        self.file.map(CsvFile::keep_partial).transpose()
    }
}

fn summary(model: &CompiledModel, outcome: &Outcome, seconds: f64, talk: &Talk) {
    let statistics = &outcome.statistics;
    let word = if outcome.status == Status::Finished { "finished" } else { "failed" };
    talk.say(&format!(
        "{}: {word} at t = {} in {:.3} s: {} steps, {} rejected, {} Jacobians",
        model.equations.name,
        number(outcome.time),
        seconds,
        statistics.steps,
        statistics.rejected,
        statistics.jacobians
    ));
}

#[derive(Serialize)]
struct Answer<'a> {
    model: &'a str,
    status: &'a str,
    stop_time: f64,
    steps: u64,
    rejected: u64,
    events: u64,
    solver: Solver,
    sets: [(); 0],
    chart_changes: u64,
    modes_analysed: u64,
    mode_changes: [(); 0],
    balance: [(); 0],
    diagnostics: Vec<ReportedDiagnostic>,
    timings: BTreeMap<&'static str, f64>,
}

#[derive(Serialize)]
struct Solver {
    newton: u64,
    jacobians: u64,
    order: u32,
}

fn answer(talk: &Talk, session: &Session, done: &Compilation, outcome: Option<&Outcome>, seconds: f64) {
    if !talk.json {
        return;
    }
    let statistics = outcome.map(|outcome| outcome.statistics).unwrap_or_default();
    let mut timings: BTreeMap<&'static str, f64> =
        done.timings.iter().map(|(pass, duration)| (pass, duration.as_secs_f64())).collect();
    if outcome.is_some() {
        timings.insert("simulate", seconds);
    }
    let finished = outcome.is_some_and(|outcome| outcome.status == Status::Finished);
    talk.answer(&Answer {
        model: done.flat.as_ref().map_or("", |flat| flat.name.as_str()),
        status: if finished { "finished" } else { "failed" },
        stop_time: outcome.map_or(0.0, |outcome| outcome.time),
        steps: statistics.steps,
        rejected: statistics.rejected,
        events: 0,
        solver: Solver {
            newton: statistics.newton_iterations,
            jacobians: statistics.jacobians,
            order: statistics.order,
        },
        sets: [],
        chart_changes: 0,
        modes_analysed: u64::from(done.model.is_some()),
        mode_changes: [],
        balance: [],
        diagnostics: Report::new(&done.diagnostics, session.files()).diagnostics,
        timings,
    });
}
