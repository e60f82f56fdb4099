//! Where something has no value within a step: shorter steps, the border behind which that is so, or the end of the run.
//!
//! An integrator with error control tries shorter steps itself where its right-hand side has no value. Here the same is done for what is
//! looked at between the points that it evaluates, for models without states, and for methods whose step is given.
//!
//! `if x > 0 then sqrt(x) else -sqrt(-x)` is held as it is until the event that `x > 0` makes, and has no value beyond it: steps become
//! shorter and shorter in front of the border, and never cross it. A condition that would switch within a few more of the shortest
//! steps switches there, and the states are moved along their derivatives by as much, to the side where the new branch has a value.

use rhei_numerics::Failure;
use rhei_solve::evaluate::NoValue;

use crate::events::Seen;
use crate::running::Running;
use crate::search::Found;
use crate::stop::Stop;

/// Steps are no longer made shorter where this share of the run is left to where there is no value: what is beyond it is there by
/// rounding, and event times are found no better.
const CLOSEST: f64 = 1e-12;
/// The same in rounding units of the time.
const CLOSEST_IN_ULPS: f64 = 16.0;
/// How many of the shortest steps beyond where the last one ended a condition may be to switch that a run is stopped by.
const FURTHER: [f64; 4] = [2.0, 16.0, 128.0, 1024.0];

impl Running<'_> {
    /// Goes on as [`Running::advance`] does; where something on the way has no value, by a shorter step.
    pub(crate) fn advance_where_defined(&mut self, until: f64, next: f64) -> Result<Option<Found>, Stop> {
        let from = self.time;
        let mut until = until;
        loop {
            let stop = match self.advance(until, next) {
                Err(stop) => stop,
                found => return found,
            };
            let (beyond, may_be_shorter) = match &stop {
                Stop::NoValue(NoValue::Unrested(_), _) => return Err(stop),
                Stop::NoValue(_, t) => (*t, true),
                Stop::Integrator(Failure::EvaluationFailed { t, reason, .. }) => {
                    if !matches!(reason.downcast_ref::<NoValue>(), Some(why) if !matches!(why, NoValue::Unrested(_)))
                    {
                        return Err(stop);
                    }
                    (*t, self.options.method.is_fixed_step())
                }
                _ => return Err(stop),
            };
            self.go_back_to(from)?;
            let left = beyond - from;
            if may_be_shorter && left > self.closest(beyond) {
                until = from + 0.5 * left;
                continue;
            }
            return match self.find_border(from, beyond)? {
                Some(found) => Ok(Some(found)),
                None => Err(stop),
            };
        }
    }

    /// How close to where there is no value it is looked.
    fn closest(&self, t: f64) -> f64 {
        (CLOSEST * self.span).max(CLOSEST_IN_ULPS * f64::EPSILON * t.abs())
    }

    /// Undoes the last step, which began at a time.
    fn go_back_to(&mut self, from: f64) -> Result<(), Stop> {
        self.time = from;
        (self.current, self.looks.last) = (None, None);
        let Some(integrator) = &mut self.integrating.integrator else { return Ok(()) };
        if integrator.time() > from {
            integrator.interpolate(from, &mut self.states);
            self.integrating.is_fresh = true;
            integrator.set_stop(f64::INFINITY);
            integrator.restart(&mut self.problem, from, &self.states).map_err(Stop::Integrator)?;
        }
        Ok(())
    }

    /// The event of a condition that switches just beyond a time, where no step leads any further.
    fn find_border(&mut self, from: f64, beyond: f64) -> Result<Option<Found>, Stop> {
        if self.integrating.integrator.is_none() || !self.looks_within_steps() {
            return Ok(None);
        }
        self.evaluate(from)?;
        let model = self.model.clone();
        let problem = &mut self.problem;
        let mut borders = Vec::new();
        let failed = |why| Stop::NoValue(why, from);
        self.watcher.borders(problem, &mut borders).map_err(failed)?;
        let here: Vec<f64> = self.watcher.margins(problem, &borders).collect();
        let rates = problem.rates_of(&model.code.crossings, &[]);
        let shortest = (beyond - from).max(CLOSEST_IN_ULPS * f64::EPSILON * from.abs());
        for ahead in FURTHER.map(|steps| steps * shortest) {
            let there: Vec<f64> = borders.iter().zip(&rates).map(|(z, (rate, _))| z + ahead * rate).collect();
            let there: Vec<f64> = self.watcher.margins(problem, &there).collect();
            let crosses = |(here, there): (&f64, &f64)| *here >= 0.0 && *there < 0.0;
            if !here.iter().zip(&there).any(crosses) {
                continue;
            }
            let seen = here.iter().zip(&there).map(|(here, there)| {
                let came = here - there;
                let came = if came.is_finite() { came } else { 0.0 };
                Seen { came, is_beyond: crosses((here, there)), is_due: false }
            });
            let seen = seen.collect();
            let states = model.solvable.states.iter();
            let moved = states.map(|state| {
                problem.values[state.variable.index()] + ahead * problem.values[state.derivative.index()]
            });
            self.event.moved = Some(moved.collect());
            return Ok(Some(Found { t: from, seen, left: None }));
        }
        Ok(None)
    }

    /// Moves the states to the other side of a border that no step crosses.
    pub(crate) fn move_beyond_border(&mut self) {
        if let Some(moved) = self.event.moved.take() {
            self.model.states.write(&moved, &mut self.problem.values);
        }
    }

    /// All variables at a time within a step that began at another. Where a loop has no solution from so far away, it is
    /// followed in parts as long as they can be; where there is none, time is left at the last one at which there was.
    pub(crate) fn evaluate_from(&mut self, from: f64, t: f64) -> Result<(), Stop> {
        let mut stop = match self.evaluate(t) {
            Err(stop @ Stop::NoValue(..)) if from < t => stop,
            done => return done,
        };
        let (mut reached, mut part) = (from, 0.5 * (t - from));
        while part > self.closest(t) {
            let next = if t - reached <= part { t } else { reached + part };
            match self.evaluate(next) {
                Ok(()) if next == t => return Ok(()),
                Ok(()) => (reached, part) = (next, 2.0 * part),
                Err(now @ Stop::NoValue(..)) => (stop, part) = (now, 0.25 * part),
                Err(stop) => return Err(stop),
            }
        }
        Err(match stop {
            Stop::NoValue(why, _) => Stop::NoValue(why, reached),
            stop => stop,
        })
    }

    /// Why the run ends, said of the time up to which it has come: an integrator has tried others beyond.
    pub(crate) fn at_end(&mut self, stop: Stop) -> Stop {
        match stop {
            Stop::NoValue(why, t) => {
                self.time = self.time.min(t);
                Stop::NoValue(why, self.time)
            }
            Stop::Integrator(failure) => Stop::Integrator(failure.said_at(self.time)),
            stop => stop,
        }
    }

    /// Ends the run where something has no value within a step that is over: with all rows up to there.
    pub(crate) fn end_within(&mut self, from: f64, stop: Stop) -> Stop {
        if let Stop::NoValue(_, t) = &stop
            && (from..self.time).contains(t)
        {
            self.time = *t;
            if let Err(other) = self.write_rows(from, self.time, true) {
                return other;
            }
        }
        stop
    }
}
