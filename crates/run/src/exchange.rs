//! A run whose steps the caller makes: time and states come from outside, derivatives and all other values are asked for.
//!
//! The order is that of model exchange in FMI. Between events, an integrator sets points as often as it likes: derivatives, event
//! indicators and variables are those of the last one. A point that ends a step is accepted. If an indicator became negative in
//! that step, or a time event is due, the event follows, after which states may have other values.
//!
//! Within a step the states are interpolated linearly, for the values kept for delays and to locate violated asserts.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_model::CompiledModel;
use rhei_results::Sink;
use rhei_source::Diagnostic;

use crate::integration::Steps;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::recorder::Recorder;
use crate::running::Running;
use crate::search::{Found, SampledIndicators, located};
use crate::stop::Stop;

/// A run whose points the caller sets.
pub struct Exchange {
    running: Running<'static>,
    /// The point that was set last, until its step is accepted.
    point: Option<f64>,
    /// The event indicators at the end of the step before, and at that of the last one.
    before: SampledIndicators,
    now: SampledIndicators,
    /// How it ended, once it has.
    ended: Option<Result<(), Stop>>,
}

/// The result of an accepted step, or of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// The next step.
    Goes,
    /// The next step, after states or equations changed: integrators begin anew.
    Jumps,
    /// An event at this point.
    Event,
    /// The end of the run: [`Exchange::finish`] says how.
    End,
}

impl Exchange {
    /// Starts a run, rows of `recorded` going to `sink`; diagnostics if that fails.
    pub fn start(
        model: &Arc<CompiledModel>,
        options: &Options,
        recorded: &[VarId],
        sink: Box<dyn Sink>,
    ) -> Result<Exchange, Box<Outcome>> {
        let recorder = Recorder::new(model, recorded, sink, options);
        let running = match Running::start(model, options, recorder, Steps::Outside) {
            Ok(running) => running,
            Err(not_started) => return Err(Box::new(not_started.outcome(model, options))),
        };
        let (before, now) = (SampledIndicators::default(), SampledIndicators::default());
        let mut exchange = Exchange { running, point: None, before, now, ended: None };
        let begun = exchange.running.set_out().and_then(|()| exchange.look_after_event());
        exchange.ended = begun.err().map(Err);
        Ok(exchange)
    }

    /// Whether it has come to its end.
    pub fn has_ended(&self) -> bool {
        self.ended.is_some()
    }

    /// The time up to which steps were accepted.
    pub fn time(&self) -> f64 {
        self.running.time
    }

    /// The model in the mode that it is in.
    pub fn model(&self) -> &Arc<CompiledModel> {
        &self.running.model
    }

    /// The time of the next time event; steps end there.
    pub fn next_event(&self) -> Option<f64> {
        Some(self.running.next.any).filter(|t| t.is_finite())
    }

    /// Evaluates the model at a point: a time not before that of the last step, and one value for each state. An error says
    /// why there are no values; the run goes on with another point.
    ///
    /// # Panics
    /// If there are not as many values as states.
    pub fn set_point(&mut self, t: f64, states: &[f64]) -> Result<(), Diagnostic> {
        let running = &mut self.running;
        running.states.copy_from_slice(states);
        running.current = None;
        self.point = Some(t);
        match running.problem.evaluate(t, states) {
            Ok(_) => Ok(()),
            Err(why) => Err(running.why(Stop::NoValue(why, t))),
        }
    }

    /// All variables at the point that was set last.
    pub fn values(&self) -> &[f64] {
        &self.running.problem.values
    }

    /// The margin by which each condition keeps its side, at the point that was set last: a negative one asks for an event. That
    /// of a time event is infinite.
    pub fn event_indicators(&mut self) -> Result<Vec<f64>, Diagnostic> {
        let t = self.point.unwrap_or(self.running.time);
        let Running { problem, watcher, .. } = &mut self.running;
        let mut borders = Vec::new();
        let looked = watcher.borders(problem, &mut borders);
        let margins: Vec<f64> = watcher.margins(problem, &borders).chain(problem.past.margins(t)).collect();
        match looked {
            Ok(()) => Ok(margins.into_iter().filter(|margin| margin.is_finite()).collect()),
            Err(why) => Err(self.running.why(Stop::NoValue(why, t))),
        }
    }

    /// Ends a step at the point that was set last.
    pub fn accept(&mut self) -> Accepted {
        let Some(t) = self.point.take().filter(|_| self.ended.is_none()) else { return self.state(false) };
        let ended = self.end_step_at(t);
        self.go_on(ended)
    }

    fn end_step_at(&mut self, t: f64) -> Result<bool, Stop> {
        let running = &mut self.running;
        running.ask_to_go_on()?;
        let from = running.time;
        let states = std::mem::take(&mut running.states);
        if let Some(integrator) = &mut running.integrating.integrator {
            integrator.follow(t, &states);
        }
        running.states = states;
        running.time = t;
        // a point beyond a border may have no values
        running.current = None;
        running.end_step(from)?;
        std::mem::swap(&mut self.before, &mut self.now);
        self.now = running.sample_indicators(t)?;
        if self.is_due() {
            self.running.accept(t);
            return Ok(false);
        }
        let running = &mut self.running;
        if let Some(unrested) = running.watcher.relax(&mut running.problem, &self.now.borders) {
            return Err(running.end_at_bounce(from, Stop::Bounces(unrested)));
        }
        let before = running.charts.changes.len();
        running.go_on_after_step()?;
        Ok(running.charts.changes.len() != before)
    }

    /// Whether an event is to follow at the end of the last step.
    fn is_due(&self) -> bool {
        let running = &self.running;
        running.next.any <= running.time || self.now.margins.iter().any(|margin| *margin < 0.0)
    }

    /// Performs the event at the end of the last step: crossings there, time events, and changed inputs.
    pub fn event(&mut self) -> Accepted {
        if self.ended.is_some() {
            return Accepted::End;
        }
        self.point = None;
        let ended = self.pass_event();
        self.go_on(ended)
    }

    fn pass_event(&mut self) -> Result<bool, Stop> {
        let running = &mut self.running;
        let t = running.time;
        running.evaluate(t)?;
        let (before, now) = (&self.before, &self.now);
        let found = (before.t < now.t && now.t == t).then(|| {
            let tolerance = located(now.t - before.t, t, running.span);
            let mut found = Found::new(t, (before, now), &now.margins, tolerance);
            running.search.ahead.due(t).for_each(|place| found.seen[place].is_beyond = true);
            found
        });
        running.pass_event(found, false)?;
        self.look_after_event()?;
        Ok(true)
    }

    /// Makes the present indicators the reference of the next step.
    fn look_after_event(&mut self) -> Result<(), Stop> {
        let t = self.running.time;
        self.now = self.running.sample_indicators(t)?;
        self.before.clone_from(&self.now);
        self.running.model.states.read(&self.running.problem.values, &mut self.running.states);
        Ok(())
    }

    /// Sets parameters or inputs, at the end of the last step.
    pub fn set(&mut self, given: &[(VarId, f64)]) -> Accepted {
        if self.ended.is_some() {
            return Accepted::End;
        }
        self.point = None;
        let ended = self.running.change_given(given).and_then(|()| self.look_after_event()).map(|()| true);
        self.go_on(ended)
    }

    fn go_on(&mut self, ended: Result<bool, Stop>) -> Accepted {
        match ended {
            Ok(jumps) => self.state(jumps),
            Err(stop) => {
                self.ended = Some(Err(stop));
                Accepted::End
            }
        }
    }

    fn state(&self, jumps: bool) -> Accepted {
        match () {
            () if self.ended.is_some() => Accepted::End,
            () if self.is_due() => Accepted::Event,
            () if jumps => Accepted::Jumps,
            () => Accepted::Goes,
        }
    }

    /// Ends the run at its present time, and answers the outcome; at its stop time the run is complete.
    pub fn finish(mut self) -> Outcome {
        let is_at_stop = self.running.time >= self.running.options.stop_time;
        if self.ended.is_none() && is_at_stop {
            self.ended = Some(self.running.finish());
        }
        self.running.outcome(self.ended.unwrap_or(Err(Stop::Asked)))
    }
}
