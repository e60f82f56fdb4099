//! A run led by the caller: to a time, to the next event, step by step, with inputs changed on the way.

use std::sync::Arc;

use rhei_equations::VarId;
use rhei_model::CompiledModel;
use rhei_results::Sink;

use crate::integration::Steps;
use crate::options::Options;
use crate::outcome::Outcome;
use crate::recorder::Recorder;
use crate::running::Running;
use crate::stop::Stop;

/// A run under way.
pub struct Stepping {
    pub(super) running: Running<'static>,
    /// How it ended, once it has.
    pub(super) ended: Option<Result<(), Stop>>,
}

/// Why a run has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// At the time asked for, or at the end of a step.
    Time,
    /// After an event.
    Event,
    /// At its end: [`Stepping::finish`] says how.
    End,
}

impl Stepping {
    /// Starts a run, rows of `recorded` going to `sink`; diagnostics if that fails.
    pub fn start(
        model: &Arc<CompiledModel>,
        options: &Options,
        recorded: &[VarId],
        sink: Box<dyn Sink>,
    ) -> Result<Stepping, Box<Outcome>> {
        let recorder = Recorder::new(model, recorded, sink, options);
        let mut running = match Running::start(model, options, recorder, Steps::Own) {
            Ok(running) => running,
            Err(not_started) => return Err(Box::new(not_started.outcome(model, options))),
        };
        let ended = running.set_out().err().map(Err);
        Ok(Stepping { running, ended })
    }

    /// The time reached.
    pub fn time(&self) -> f64 {
        self.running.time
    }

    /// One step, or up to an event within it.
    pub fn step(&mut self) -> Reached {
        self.advance(f64::INFINITY, true)
    }

    /// To a time, through all events before it; not beyond the stop time.
    pub fn run_to(&mut self, t: f64) -> Reached {
        loop {
            match self.advance(t, false) {
                Reached::Event if self.running.time < t => {}
                Reached::Event => return Reached::Time,
                reached => return reached,
            }
        }
    }

    /// To the next event, or to a time where there is none before it.
    pub fn run_to_event(&mut self, t: f64) -> Reached {
        self.advance(t, false)
    }

    /// Steps up to a time or an event, or a single one.
    fn advance(&mut self, t: f64, is_single: bool) -> Reached {
        let limit = t.min(self.running.options.stop_time);
        while self.ended.is_none() {
            if self.running.time >= limit {
                if limit < self.running.options.stop_time {
                    return Reached::Time;
                }
                self.ended = Some(self.running.finish());
                break;
            }
            match self.running.take_step(limit) {
                Ok(true) if self.running.time < self.running.options.stop_time => return Reached::Event,
                Ok(_) if is_single && self.running.time < limit => return Reached::Time,
                Ok(_) => {}
                Err(stop) => self.ended = Some(Err(stop)),
            }
        }
        Reached::End
    }

    /// Gives parameters or inputs other values from now on, which is an event.
    pub fn set(&mut self, given: &[(VarId, f64)]) -> Reached {
        if self.ended.is_none()
            && let Err(stop) = self.running.change_given(given)
        {
            self.ended = Some(Err(stop));
        }
        if self.ended.is_none() { Reached::Event } else { Reached::End }
    }

    /// Gives the states other values, and evaluates all variables.
    pub fn set_states(&mut self, states: &[f64]) -> Reached {
        if self.ended.is_none()
            && let Err(stop) = self.running.change_states(states)
        {
            self.ended = Some(Err(stop));
        }
        if self.ended.is_none() { Reached::Event } else { Reached::End }
    }

    /// All variables at the time reached; none if some have no value.
    pub fn values(&mut self) -> Option<&[f64]> {
        self.running.evaluate(self.running.time).ok()?;
        Some(&self.running.problem.values)
    }

    /// The model in the mode that it is in.
    pub fn model(&self) -> &Arc<CompiledModel> {
        &self.running.model
    }

    /// The event indicators, whose signs change as conditions switch, at the time reached; none if some
    /// variables have no value.
    pub fn event_indicators(&mut self) -> Option<Vec<f64>> {
        self.running.evaluate(self.running.time).ok()?;
        let model = self.running.model.clone();
        self.running.problem.watched(&model.code.crossings).ok()
    }

    /// Ends the run where it is, and says how it went.
    pub fn finish(self) -> Outcome {
        let Stepping { running, ended } = self;
        running.outcome(ended.unwrap_or(Err(Stop::Asked)))
    }
}
