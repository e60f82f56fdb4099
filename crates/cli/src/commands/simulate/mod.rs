//! `rhei simulate`: run a model, write its curves.

pub(super) mod answer;
mod bar;
mod calls;
mod drawing;
pub(super) mod interrupt;
mod limits;
mod options;
mod rows;
pub(super) mod settings;

use std::time::{Duration, Instant};

use rhei::{Experiment, Status};

use super::{Exit, Usage, compile, exit_of_set};
use crate::arguments::Common;
use crate::keep::Names;
use crate::talk::Talk;
use bar::Bar;
pub(crate) use options::Simulate;

pub(crate) fn simulate(options: &Simulate, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    options.check()?;
    let done = compile(&options.model, &options.how.set, common, talk)?;
    let Some(model) = done.model() else {
        answer::answer(talk, &done, &done.diagnostics, None, 0.0);
        return Ok(exit_of_set(true, done.blames_settings));
    };
    let experiment = options.experiment(talk);
    let run = experiment.resolve(model).map_err(|wrong| settings::in_words(&wrong))?;
    settings::explain(&run, talk);
    let plotted = options.plot.as_deref().map(Names::parse);
    let keep = options.keep.as_deref().map(Names::parse);
    let is_named = plotted.is_some() || keep.is_some();
    let all = model.recording(|_| is_named); // slow for a large model
    let known: Vec<&str> = all.columns().iter().map(|column| column.name.as_str()).collect();
    if let Some(unknown) = settings::unknown_name(&known, plotted.as_ref()) {
        return Err(format!("--plot: {unknown}"));
    }
    if let Some(unknown) = settings::unknown_name(&known, keep.as_ref()) {
        talk.say(&format!("warning: --keep: {unknown}"));
    }

    if options.plot_calls.is_some() && !model.has_balances() {
        return Err("--plot-calls: nothing in the model is balanced".into());
    }

    let begun = Instant::now();
    let results = rows::Results::create(options, model, keep.as_ref(), plotted.as_ref())?;
    let (start, stop) = (run.start_time.value, run.stop_time.value);
    let mut results = results.watched((!talk.json).then(|| Bar::new(start, stop)), talk);
    let watch = interrupt::watch();
    if let Err(error) = &watch {
        talk.say(&format!("warning: Ctrl-C will not keep the rows: {error}"));
    }
    let experiment = Experiment { watch: watch.ok(), ..experiment };
    let recording = results.recording.clone();
    let outcome = model.simulate_into(&experiment, &recording, &mut results);
    let mut outcome = outcome.map_err(|wrong| settings::in_words(&wrong))?;
    let seconds = begun.elapsed().as_secs_f64();
    results.close(&mut outcome, options, talk);
    if let Some(path) = &options.plot_calls {
        match calls::plot(model.name(), &outcome, start) {
            Some(plot) => {
                if let Err(message) = drawing::draw_into(&plot, path) {
                    rows::fail_writing(&mut outcome, message);
                }
            }
            None => talk.say("warning: --plot-calls: the run took no step in which something is balanced"),
        }
    }

    if !talk.json {
        talk.diagnostics(&outcome.diagnostics, &done.files);
        answer::summary(model.name(), &outcome, seconds, talk);
    }
    talk.pass("simulate", Duration::from_secs_f64(seconds));
    if talk.timings {
        limits::tell(&outcome, &done.files, talk);
    }
    let incomplete = matches!(outcome.status, Status::Failed | Status::Stopped);
    let said: Vec<_> = done.diagnostics.iter().chain(&outcome.diagnostics).cloned().collect();
    answer::answer(talk, &done, &said, Some(&outcome), seconds);
    Ok(super::exit(incomplete))
}
