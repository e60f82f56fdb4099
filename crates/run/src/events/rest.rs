//! Bounces too low to be distinguished from rest.
//!
//! A crossing that an event turns back, as a ball from its floor, returns to the side it came from, whose conditions hold again.
//! That is done unless it would not get clear of its *band* there, within which the integrator's errors hide the side it is on.
//! In that case the relation stays as the event found it. Conditions that depend on it still fire when they become true there
//! (`v <= 0`, while `h <= 0` holds), and the model can come to rest. If it does not, the indicator comes out of its band on the
//! far side: the ball falls through its floor. That is refused, unless another relation waits there, a little further on, to
//! catch it: `h < -eps` beside `h < 0`.

use rhei_equations::VarId;
use rhei_solve::evaluate::NoValue;
use rhei_solve::problem::ModelProblem;

use super::{Crossed, Watched, Watcher};
use crate::constants::{REST_BAND, REST_CAUGHT, REST_PARALLEL, REST_RATE};

/// The motion of an event indicator away from its border and back: a parabola.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    /// Its rate.
    rate: f64,
    /// Its second derivative.
    bend: f64,
}

impl Flight {
    /// Its greatest distance; infinite if it does not return.
    fn height(self) -> f64 {
        let is_pulled_back = self.bend != 0.0 && (self.rate > 0.0) != (self.bend > 0.0);
        if is_pulled_back { self.rate * self.rate / (2.0 * self.bend.abs()) } else { f64::INFINITY }
    }

    /// Time until its return.
    fn duration(self) -> f64 {
        2.0 * (self.rate / self.bend).abs()
    }
}

/// A bounce within the band, after which the model must come to rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingRest {
    flight: Flight,
    since: f64,
    band: f64,
    /// Permitted distance on the far side: out of its band, or to the border that catches it there.
    reach: f64,
    /// Whether there is a border that catches it.
    is_caught: bool,
}

impl PendingRest {
    /// Whether the indicator has exceeded the permitted distance.
    fn is_beyond(self, z: f64) -> bool {
        z * self.flight.bend.signum() > self.reach
    }
}

/// The crossings that an event turned back.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TurnedBack {
    /// Whether any relation has its value from before the event again.
    pub(crate) any: bool,
    /// Estimated time until the first of them is back at its border.
    pub(crate) period: Option<f64>,
}

/// A relation whose bounces became lower than its band, in a model that does not come to rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounces {
    /// Its condition.
    pub(crate) held: VarId,
    /// Time of the last bounce.
    pub(crate) since: f64,
    /// The band.
    pub(crate) band: f64,
    /// Whether it fell on to a border that should have caught it.
    pub(crate) is_caught: bool,
}

impl Watcher {
    /// Moves crossings that were found at this event and turned back by it to the side they came from, whose conditions are to be
    /// evaluated again. Those thrown back by a state that was `set_anew`, and that would not get clear of their band, stay. A
    /// crossing that moved in that direction with the values `before` the event was not turned by it: it came to its border by
    /// errors of the integrator.
    pub(crate) fn turn_back(
        &mut self,
        problem: &mut ModelProblem,
        t: f64,
        set_anew: bool,
        before: &[f64],
    ) -> Result<TurnedBack, NoValue> {
        let mut leaving = self.leaving(problem, t)?;
        let mut turned = TurnedBack::default();
        if leaving.is_empty() {
            return Ok(turned);
        }
        let flights = self.flights(problem, t)?;
        let came = problem.at_values(before, |problem| {
            let model = problem.model.clone();
            problem.rates_of(&model.code.crossings, &model.solvable.impulses.jumping)
        });
        leaving.retain(|&place| came[place].0 * flights[place].rate <= 0.0);
        let model = problem.model.clone();
        let errors = problem.uncertainty(&model.code.crossings, self.tolerance);
        for place in leaving {
            let (flight, band) = (flights[place], self.band(place, errors[place]));
            let is_low = set_anew && flight.height() < band;
            let caught = if is_low { self.caught(problem, place, flight, errors[place])? } else { None };
            let crossing = &mut self.crossings[place];
            let nudge = &mut problem.values[crossing.nudge.index()];
            let period = if is_low {
                *nudge = nudge.signum() * nudge.abs().max(2.0 * band);
                let reach = nudge.abs() + caught.unwrap_or(0.0);
                crossing.pending_rest =
                    Some(PendingRest { flight, since: t, band, reach, is_caught: caught.is_some() });
                flight.duration()
            } else {
                *nudge *= -1.0;
                turned.any = true;
                t - std::mem::replace(&mut crossing.turned, t)
            };
            turned.period = Some(turned.period.map_or(period, |least| least.min(period)));
        }
        Ok(turned)
    }

    /// After an event: bounces within the band are settled once the indicator rests at its border or moves away. Says whether
    /// there are any such.
    pub(crate) fn settle_pending_rest(
        &mut self,
        problem: &mut ModelProblem,
        t: f64,
    ) -> Result<bool, NoValue> {
        let mut any = false;
        if !self
            .crossings
            .iter()
            .any(|crossing| crossing.pending_rest.is_some_and(|pending_rest| pending_rest.since < t))
        {
            return Ok(any);
        }
        let flights = self.flights(problem, t)?;
        for (crossing, now) in self.crossings.iter_mut().zip(flights) {
            let Some(pending_rest) = crossing.pending_rest else { continue };
            // it left towards the side it came from: its second derivative points to the far side
            let far = |x: f64| x * pending_rest.flight.bend.signum();
            let falls = far(now.rate) > REST_RATE * pending_rest.flight.rate.abs()
                || far(now.bend) > REST_RATE * pending_rest.flight.bend.abs();
            if !falls && pending_rest.since < t {
                crossing.pending_rest = None;
                any = true;
            }
        }
        Ok(any)
    }

    /// First and second derivatives of the event indicators at the point evaluated last, by a small step
    /// ahead.
    fn flights(&self, problem: &mut ModelProblem, t: f64) -> Result<Vec<Flight>, NoValue> {
        let model = problem.model.clone();
        let (watch, jumping) = (&model.code.crossings, &model.solvable.impulses.jumping);
        let here = problem.rates_of(watch, jumping);
        let (ahead, y) = self.move_ahead(problem, t);
        let there = ahead.map(|_| problem.rates_of(watch, jumping));
        problem.evaluate(t, &y)?;
        let bend = |place: usize| match (&there, ahead) {
            (Some(there), Some(ahead)) => (there[place].0 - here[place].0) / ahead,
            _ => 0.0,
        };
        let rates = here.iter().enumerate();
        Ok(rates.map(|(place, rate)| Flight { rate: rate.0, bend: bend(place) }).collect())
    }

    /// The half-width of the band: closer to the border, an indicator may be on either side.
    fn band(&self, place: usize, error: f64) -> f64 {
        (REST_BAND * error).max(64.0 * f64::EPSILON * self.crossings[place].farthest)
    }

    /// Distance beyond its border at which a fall is caught: the nearest border of a relation whose indicator moves with this
    /// one.
    fn caught(
        &self,
        problem: &mut ModelProblem,
        place: usize,
        flight: Flight,
        error: f64,
    ) -> Result<Option<f64>, NoValue> {
        let model = problem.model.clone();
        let watch = &model.code.crossings;
        let borders = problem.watched(watch)?;
        let slopes = problem.slopes_of(watch);
        let steepest = slopes.iter().max_by(|a, b| a[place].abs().total_cmp(&b[place].abs()));
        let Some(steepest) = steepest.filter(|along| along[place] != 0.0) else { return Ok(None) };
        let most = REST_CAUGHT * error / self.tolerance;
        let distance = |other: usize| {
            let ratio = steepest[other] / steepest[place];
            let is_parallel = |along: &Vec<f64>| {
                (along[other] - ratio * along[place]).abs() <= REST_PARALLEL * steepest[other].abs()
            };
            let is_relation = matches!(self.crossings[other].kind, Crossed::Zero(_));
            (is_relation && ratio != 0.0 && slopes.iter().all(is_parallel))
                .then(|| (borders[place] - borders[other] / ratio) * flight.bend.signum())
        };
        let others = (0..borders.len()).filter(|other| *other != place).filter_map(distance);
        Ok(others.filter(|distance| *distance > 0.0 && *distance <= most).min_by(f64::total_cmp))
    }

    /// A relation that was turned back, but has come out of its band on the far side, or passed the border that should have
    /// caught it.
    pub(super) fn unrested(crossing: &Watched, z: f64) -> Option<Bounces> {
        let pending_rest = crossing.pending_rest.filter(|pending_rest| pending_rest.is_beyond(z))?;
        let PendingRest { since, band, is_caught, .. } = pending_rest;
        Some(Bounces { held: crossing.held, since, band, is_caught })
    }
}
