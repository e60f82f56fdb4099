//! Steps, and the first event within each: crossings are looked for on the dense output.

use rhei_numerics::roots::locate;

use super::{Running, Stop};

/// Points within a step, its end among them, at which crossings are looked for: one that comes and goes between two of them
/// is not seen.
const LOOKS: usize = 3;
/// The same within the first step after an event, as shares of it: what was set at the event may cross again at once.
const EARLY_LOOKS: [f64; 8] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1];
/// Event times are found to this share of the step; the dense output is not better than that.
const LOCATED: f64 = 1e-12;

/// Where a step ends for good: at its end, or at an event within it.
pub(super) struct Found {
    pub(super) t: f64,
    /// How far each crossing came in the step.
    pub(super) came: Vec<f64>,
}

impl Running<'_> {
    /// One step, not past `until`; an event within it, if there is one.
    pub(super) fn advance(&mut self, until: f64) -> Result<Option<Found>, Stop> {
        let from = self.time;
        let reached = match &mut self.integrator {
            Some(integrator) => {
                integrator.set_stop(until);
                integrator.step().map_err(Stop::Integrator)?.to
            }
            None => self.without_states(until),
        };
        self.time = reached;
        if !self.looks_within_steps() {
            return Ok(None);
        }
        let found = self.look_within(from, reached)?;
        if let Some(found) = &found {
            self.time = found.t;
        }
        Ok(found)
    }

    /// Without states there is no error to choose a step by: a share of the run, so that crossings are seen.
    fn without_states(&self, until: f64) -> f64 {
        if self.looks_within_steps() { until.min(self.time + self.span / 500.0) } else { until }
    }

    /// Whether there is anything to look for within a step.
    fn looks_within_steps(&self) -> bool {
        self.watcher.looks_within_steps() || self.problem.borrow().past.has_margins()
    }

    /// The first event within a step.
    fn look_within(&mut self, from: f64, to: f64) -> Result<Option<Found>, Stop> {
        let mut left = from;
        let mut before = self.margins(from)?;
        let early = if std::mem::take(&mut self.is_fresh) { &EARLY_LOOKS[..] } else { &[] };
        let evenly = (1..=LOOKS).map(|look| look as f64 / LOOKS as f64);
        for share in early.iter().copied().chain(evenly) {
            let right = if share == 1.0 { to } else { from + (to - from) * share };
            let after = self.margins(right)?;
            if after.iter().any(|margin| *margin < 0.0) {
                let came = before.iter().zip(&after).map(|(a, b)| finite(a - b)).collect();
                let t = self.first_crossing(left, right, &before, &after)?;
                return Ok(Some(Found { t, came }));
            }
            let relaxed = self.watcher.relax(&mut self.problem.borrow_mut());
            relaxed.map_err(|why| Stop::NoValue(why, right))?;
            (left, before) = (right, after);
        }
        Ok(None)
    }

    /// The first time at which a crossing has left its side, to as many digits as there are.
    fn first_crossing(&mut self, left: f64, right: f64, before: &[f64], after: &[f64]) -> Result<f64, Stop> {
        let mut first = (right, after.to_vec());
        for k in 0..after.len() {
            if first.1[k] >= 0.0 {
                continue; // not before the one that was found
            }
            if before[k] < 0.0 {
                return Ok(left.next_up().min(right)); // it was on the wrong side from the beginning
            }
            let tolerance = LOCATED * (right - left) + f64::EPSILON * right.abs();
            let ends = ((left, -before[k]), (first.0, -first.1[k]));
            let found = locate(ends.0, ends.1, tolerance, |t| self.margins(t).map(|margins| -margins[k]))?;
            if let Some(bracket) = found {
                first = (bracket.right, self.margins(bracket.right)?);
            }
        }
        Ok(first.0)
    }

    fn margins(&mut self, t: f64) -> Result<Vec<f64>, Stop> {
        self.evaluate(t)?;
        let problem = &mut *self.problem.borrow_mut();
        let mut margins = self.watcher.margins(problem).map_err(|why| Stop::NoValue(why, t))?;
        margins.extend(problem.past.margins(t));
        Ok(margins)
    }
}

fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}
