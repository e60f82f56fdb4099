//! `rhei simulate`: run a model, write its curves.

pub(super) mod answer;
mod bar;
mod calls;
mod drawing;
pub(super) mod interrupt;
mod limits;
pub(super) mod nobody;
mod rows;
pub(super) mod settings;

use std::time::{Duration, Instant};

use rhei_compiler::Configured;
use rhei_run::Status;

use super::{Exit, Usage, compile_set, exit_of_set, report};
use crate::arguments::{Common, Simulate};
use crate::keep::Names;
use crate::talk::Talk;
use bar::Bar;

pub(crate) fn simulate(options: &Simulate, common: &Common, talk: &Talk) -> Result<Exit, Usage> {
    let (session, configured) = compile_set(&options.model, &options.how, common)?;
    let Configured { compilation: mut done, set, is_refused } = configured;
    report(talk, &session, &done);
    let Some(model) = done.model.clone().filter(|_| !done.has_errors()) else {
        answer::answer(talk, &session, &done, None, 0.0);
        return Ok(exit_of_set(true, is_refused));
    };
    let run = settings::run_options(options, &model, set, talk)?;
    let plotted = options.plot.as_deref().map(Names::parse);
    let keep = options.keep.as_deref().map(Names::parse);
    if let Some(unknown) = settings::unknown_name(&model, plotted.as_ref()) {
        return Err(format!("--plot: {unknown}"));
    }
    if let Some(unknown) = settings::unknown_name(&model, keep.as_ref()) {
        talk.say(&format!("warning: --keep: {unknown}"));
    }

    let begun = Instant::now();
    let results = rows::Results::create(options, &model, keep.as_ref(), plotted.as_ref())?;
    let mut results = results.watched((!talk.json).then(|| Bar::new(run.start_time, run.stop_time)), talk);
    let recorded = results.recorded.clone();
    let mut outcome = rhei_run::simulate(&model, &run, &recorded, &mut results);
    let seconds = begun.elapsed().as_secs_f64();
    results.close(&mut outcome, options, talk);
    if let Some(path) = &options.plot_calls {
        match calls::plot(&model, &outcome, run.start_time) {
            Some(plot) => {
                if let Err(message) = drawing::draw_into(&plot, path) {
                    rows::fail_writing(&mut outcome, message);
                }
            }
            None => talk.say("warning: --plot-calls: nothing in the model is balanced"),
        }
    }

    if !talk.json {
        talk.diagnostics(&outcome.diagnostics, session.files());
        answer::summary(&model, &outcome, seconds, talk);
    }
    talk.pass("simulate", Duration::from_secs_f64(seconds));
    if talk.timings {
        limits::tell(&outcome, session.files(), talk);
    }
    let incomplete = matches!(outcome.status, Status::Failed | Status::Stopped);
    done.diagnostics.extend(outcome.diagnostics.iter().cloned());
    answer::answer(talk, &session, &done, Some(&outcome), seconds);
    Ok(super::exit(incomplete))
}
