//! What a run remembers of its past, for `delay` and `spatialDistribution`.

use rhei_solve::past::{Sample, sample};

use crate::failure::{of_delay, of_profile};
use crate::running::Running;
use crate::stop::Stop;

/// Evaluations at one instant until what flows in is what there is at its end: one, unless that decides about what flows in.
const MOST_TURNS_AT_ENDS: usize = 20;

impl Running<'_> {
    pub(crate) fn begin_past(&mut self, t: f64) -> Result<(), Stop> {
        let refused = self.problem.begin_past(t).map_err(|why| Stop::NoValue(why, t))?;
        match refused {
            Some(place) => Err(Stop::Broken(of_profile(&self.model, place))),
            None => self.refuse_delays(t),
        }
    }

    /// Ends the run where a delay is negative or longer than its maximum.
    pub(crate) fn refuse_delays(&self, t: f64) -> Result<(), Stop> {
        match self.problem.past.wrong_delay() {
            Some((place, by)) => Err(Stop::Broken(of_delay(&self.model, place, by, t))),
            None => Ok(()),
        }
    }

    /// Keeps what is remembered at points within a step and at its end, for what is between them.
    pub(crate) fn keep_past_until(&mut self, from: f64, to: f64) -> Result<(), Stop> {
        if self.problem.past.is_empty() || from >= to {
            return Ok(());
        }
        let samples = sample(from, to, self.options.tolerance, |t| {
            self.evaluate(t)?;
            self.problem.present(t).map_err(|why| Stop::NoValue(why, t))
        })?;
        samples.iter().skip(1).try_for_each(|sample| self.keep_past(sample))
    }

    /// Keeps what is remembered after an event. What flows in is at its end at once, and others may depend on that.
    pub(crate) fn keep_past_after(&mut self, t: f64) -> Result<(), Stop> {
        if self.problem.past.is_empty() {
            return Ok(());
        }
        for _ in 0..MOST_TURNS_AT_ENDS {
            let problem = &mut self.problem;
            let sample = problem.present(t).map_err(|why| Stop::NoValue(why, t))?;
            problem.past.keep(&sample);
            problem.past.settle(t);
            if !problem.past.set(t, &mut problem.values) {
                break;
            }
            problem.evaluate_event().map_err(|why| Stop::NoValue(why, t))?;
        }
        Ok(())
    }

    pub(crate) fn keep_past(&mut self, sample: &Sample) -> Result<(), Stop> {
        self.problem.past.keep(sample);
        self.refuse_delays(sample.t)
    }
}
