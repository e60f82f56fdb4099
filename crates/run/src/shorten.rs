//! Recovery from missing values within a step: shorter steps, an event at the border of the domain, or the end of the run.
//!
//! An integrator with error control shortens steps itself if its right-hand side has no value. Here the same is done for
//! evaluations between its points, for models without states, and for fixed-step methods.
//!
//! `if x > 0 then sqrt(x) else -sqrt(-x)` keeps its branch until the event of `x > 0`, and has no value beyond it: steps become
//! shorter and shorter in front of the border, and never cross it. A condition that would switch within a few more of the
//! shortest steps switches there; the states are extrapolated by as much, to the side on which the new branch has a value.

use rhei_numerics::Failure;
use rhei_solve::evaluate::NoValue;

use crate::constants::{DOMAIN_AHEAD, DOMAIN_CLOSEST, DOMAIN_CLOSEST_IN_ULPS};
use crate::events::Seen;
use crate::running::Running;
use crate::search::Found;
use crate::stop::Stop;

impl Running<'_> {
    /// Advances as [`Running::advance`] does, by shorter steps if a value is missing on the way.
    pub(crate) fn advance_where_defined(&mut self, until: f64, next: f64) -> Result<Option<Found>, Stop> {
        let from = self.time;
        let mut until = until;
        loop {
            let stop = match self.advance(until, next) {
                Err(stop) => stop,
                found => return found,
            };
            let (beyond, may_be_shorter) = match &stop {
                Stop::NoValue(NoValue::NoEquilibrium(_), _) => return Err(stop),
                Stop::NoValue(_, t) => (*t, true),
                Stop::Integrator(Failure::EvaluationFailed { t, reason, .. }) => {
                    if !matches!(reason.downcast_ref::<NoValue>(), Some(why) if !matches!(why, NoValue::NoEquilibrium(_)))
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

    /// Distance from a point without values at which the search ends.
    pub(crate) fn closest(&self, t: f64) -> f64 {
        (DOMAIN_CLOSEST * self.span).max(DOMAIN_CLOSEST_IN_ULPS * f64::EPSILON * t.abs())
    }

    /// Undoes the last step, which began at a time.
    pub(crate) fn go_back_to(&mut self, from: f64) -> Result<(), Stop> {
        self.time = from;
        self.forget_step();
        self.guess_beginning(from);
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

    /// The event of a condition that switches just beyond a time that no step passes.
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
        let shortest = (beyond - from).max(DOMAIN_CLOSEST_IN_ULPS * f64::EPSILON * from.abs());
        for ahead in DOMAIN_AHEAD.map(|steps| steps * shortest) {
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

    /// Evaluates all variables at `t`, within a step that began at `from`. A loop without a solution from so far
    /// away is followed in parts as far as possible; if there is none, time is left at the last instant with one.
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

    /// The reason of the end, at the time that the run has reached: an integrator has tried others beyond.
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

    /// Ends the run at a missing value within a step that is over: with all rows up to there.
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
