//! The past of a run, for `delay` and `spatialDistribution`.

use rhei_solve::past::{Sample, sample};

use crate::constants::INFLOW_ITERATIONS;
use crate::failure::{of_delay, of_profile};
use crate::running::Running;
use crate::stop::Stop;

impl Running<'_> {
    pub(crate) fn begin_past(&mut self, t: f64) -> Result<(), Stop> {
        let refused = self.problem.begin_past(t).map_err(|why| Stop::NoValue(why, t))?;
        match refused {
            Some(place) => Err(Stop::Broken(of_profile(&self.model, place))),
            None => self.refuse_delays(t),
        }
    }

    /// Ends the run if a delay is negative or longer than its maximum.
    pub(crate) fn refuse_delays(&self, t: f64) -> Result<(), Stop> {
        match self.problem.past.wrong_delay() {
            Some((place, by)) => Err(Stop::Broken(of_delay(&self.model, place, by, t))),
            None => Ok(()),
        }
    }

    /// Samples the past within a step and at its end, densely enough to interpolate.
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

    /// Samples the past after an event. The inflow is at its end at once, and other variables may depend on that.
    pub(crate) fn keep_past_after(&mut self, t: f64) -> Result<(), Stop> {
        if self.problem.past.is_empty() {
            return Ok(());
        }
        for _ in 0..INFLOW_ITERATIONS {
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
