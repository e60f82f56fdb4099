//! Steps, and the first event within each, located on the dense output.

use rhei_kernel::Moves;
use rhei_numerics::Failure;
use rhei_numerics::roots::locate;
use rhei_solve::evaluate::NoValue;

use crate::constants::{BEGINNING, EVENT_LOCATED, EVENT_UNRESOLVED, SAMPLES_AFTER_EVENT, SAMPLES_OF_STEP};
use crate::events::{Enclosed, Seen};
use crate::failure::events::of_search_too_long;
use crate::running::Running;
use crate::stop::Stop;

/// The end of a step: its own, or that of an event within it.
pub(crate) struct Found {
    pub(crate) t: f64,
    /// The result of the search, by crossing.
    pub(crate) seen: Vec<Seen>,
    /// The last time at which a vanished branch of equilibria existed.
    pub(crate) left: Option<f64>,
}

impl Found {
    /// An event between two samples, with these margins of the crossings; `tolerance` is the resolution of time.
    pub(crate) fn new(
        t: f64,
        (before, after): (&SampledIndicators, &SampledIndicators),
        margins: &[f64],
        tolerance: f64,
    ) -> Found {
        let ends = before.margins.iter().zip(&after.margins).zip(margins);
        let unresolved = EVENT_UNRESOLVED * tolerance / (after.t - before.t);
        let seen = ends.map(|((a, b), &margin)| {
            let came = finite(a - b);
            let is_beyond = margin < 0.0;
            Seen { came, is_beyond, is_due: !is_beyond && margin <= unresolved * came }
        });
        Found { t, seen: seen.collect(), left: None }
    }
}

/// The event indicators sampled at one time.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampledIndicators {
    pub(crate) t: f64,
    /// The margin by which each crossing keeps its side; then the distances of the past from its jumps.
    pub(crate) margins: Vec<f64>,
    /// The event indicators.
    pub(crate) borders: Vec<f64>,
}

/// Samples within steps.
#[derive(Clone, Default)]
pub(crate) struct IndicatorSamples {
    /// The last sample of the last search.
    pub(crate) last: Option<SampledIndicators>,
    /// Memory for the next sample.
    spare: SampledIndicators,
}

impl Running<'_> {
    /// Advances to the end of a step, which does not pass `until`, or to `next`, a time event that the integrator need not
    /// know of. Answers the first event within, if there is one.
    pub(crate) fn advance(&mut self, until: f64, next: f64) -> Result<Option<Found>, Stop> {
        self.refuse_vanished()?;
        let from = self.time;
        let reached = match &self.integrating.integrator {
            // a part of the last step is left
            Some(integrator) if integrator.time() > from => integrator.time(),
            Some(_) => self.step_on_branch(until)?,
            None => self.without_states(until),
        };
        self.time = reached.min(next);
        let is_fresh = self.integrating.is_fresh;
        match self.look_ahead(from) {
            Err(Stop::NoValue(why @ NoValue::NoEquilibrium(_), t)) => {
                self.integrating.is_fresh = is_fresh;
                self.until_vanished(from, t, why)
            }
            ahead => ahead,
        }
    }

    /// Makes a step of the integrator that does not pass `until`, and answers its end. Fixed-step methods do not shorten steps
    /// themselves, but a balance without an equilibrium at the end may have one half way; and beside the end of a branch of equilibria
    /// derivatives grow without bound, so that only short steps can be solved.
    pub(crate) fn step(&mut self, until: f64) -> Result<f64, Stop> {
        let (from, mut until) = (self.time, until);
        let is_fixed = self.options.method.is_fixed_step();
        self.current = None;
        self.problem.evaluator.groups.take_end_of_branch();
        loop {
            let Some(integrator) = &mut self.integrating.integrator else { return Ok(until) };
            integrator.set_stop(until);
            match integrator.step(&mut self.problem) {
                Ok(step) => return Ok(step.to),
                Err(Failure::EvaluationFailed { t, reason, .. })
                    if is_fixed
                        && matches!(reason.downcast_ref(), Some(NoValue::NoEquilibrium(_)))
                        && t - from > EVENT_LOCATED * self.options.step =>
                {
                    until = from + 0.5 * (t.min(until) - from);
                }
                Err(Failure::NewtonFailed { t, .. })
                    if is_fixed
                        && self.problem.evaluator.groups.take_end_of_branch()
                        && t - from > EVENT_LOCATED * self.options.step =>
                {
                    until = from + 0.5 * (t.min(until) - from);
                }
                Err(failure) => return Err(Stop::Integrator(failure)),
            }
        }
    }

    /// The first event between `from` and the present time.
    pub(crate) fn look_ahead(&mut self, from: f64) -> Result<Option<Found>, Stop> {
        let mut found = None;
        if self.looks_within_steps() || self.search.ahead.due(self.time).next().is_some() {
            found = self.look_within(from, self.time)?;
        }
        if let Some(found) = &found {
            self.time = found.t;
        }
        if let Some(jump) = self.find_jump(from, self.time)? {
            self.time = jump.t;
            return Ok(Some(jump));
        }
        Ok(found)
    }

    /// The end of a step without states, where no error limits it: a share of the run, so that crossings are seen.
    fn without_states(&self, until: f64) -> f64 {
        if self.samples_within_steps() || self.has_groups() {
            until.min(self.time + self.span / 500.0)
        } else {
            until
        }
    }

    /// Whether events are searched for within steps.
    pub(crate) fn looks_within_steps(&self) -> bool {
        self.search.in_step || self.samples_within_steps()
    }

    /// Whether any crossing can only be searched for at points.
    fn samples_within_steps(&self) -> bool {
        self.search.is_sampled.contains(&true) || self.problem.past.has_margins()
    }

    /// The first event within a part of a step.
    fn look_within(&mut self, from: f64, to: f64) -> Result<Option<Found>, Stop> {
        let mut before = match self.looks.last.take().filter(|looked| looked.t == from) {
            Some(looked) => looked,
            None => self.sample_indicators(from)?,
        };
        let (enclosed, gave_up) = self.first_enclosed(from, to)?;
        let end = enclosed.unwrap_or(to);
        let due: Vec<usize> = self.search.ahead.due(end).collect();
        let mut after = std::mem::take(&mut self.looks.spare);
        let early =
            if std::mem::take(&mut self.integrating.is_fresh) { &SAMPLES_AFTER_EVENT[..] } else { &[] };
        let looks = ((end - from) / self.search.apart).ceil().max(SAMPLES_OF_STEP);
        let evenly = (1..looks as usize).map(|look| look as f64 / looks);
        let within = (gave_up || self.samples_within_steps()).then(|| early.iter().copied().chain(evenly));
        // an indicator that crosses again has moved clear of its border in between
        let is_known = enclosed.is_some() || !due.is_empty();
        let between = (within.is_none() && is_known).then_some(0.5);
        for share in within.into_iter().flatten().chain(between).chain([1.0]) {
            let right = if share == 1.0 { end } else { from + (end - from) * share };
            self.sample_indicators_into(right, &mut after)?;
            let tolerance = located(to - from, after.t, self.span);
            if self.search.is_left(&after.margins, gave_up) {
                let (t, margins) = self.first_crossing(&before, &after, tolerance)?;
                return Ok(Some(Found::new(t, (&before, &after), &margins, tolerance)));
            }
            if share == 1.0 && is_known {
                let mut found = Found::new(end, (&before, &after), &after.margins, tolerance);
                due.iter().for_each(|&place| found.seen[place].is_beyond = true);
                return Ok(Some(found));
            }
            let unrested = self.watcher.relax(&mut self.problem, &after.borders);
            if let Some(unrested) = unrested {
                return Err(Stop::Bounces(unrested));
            }
            std::mem::swap(&mut before, &mut after);
        }
        (self.looks.last, self.looks.spare) = (Some(before), after);
        Ok(None)
    }

    /// The first crossing, within a part of a step, of the indicators that can be enclosed; and whether the search was given up
    /// before the end.
    fn first_enclosed(&mut self, from: f64, to: f64) -> Result<(Option<f64>, bool), Stop> {
        if !self.search.in_step {
            return Ok((None, false));
        }
        let Some(mut enclosed) = self.search.enclosed.take() else { return Ok((None, false)) };
        let before = enclosed.enclosures();
        let found = self.search_enclosed(&mut enclosed, from, to);
        self.work.enclosures += enclosed.enclosures() - before;
        self.search.enclosed = Some(enclosed);
        found
    }

    fn search_enclosed(
        &mut self,
        enclosed: &mut Enclosed,
        from: f64,
        to: f64,
    ) -> Result<(Option<f64>, bool), Stop> {
        if let Some(integrator) = &self.integrating.integrator {
            let (began, ended) = integrator.last_step();
            let interpolate = |t: f64, states: &mut [f64]| integrator.interpolate(t, states);
            let (blur, nominals) = (self.search.blur, &self.nominals);
            let blur = |state: usize, value: f64| blur * value.abs().max(nominals[state].abs());
            enclosed.follow((began, ended, integrator.degree()), &mut self.states, interpolate, blur);
        }
        let mut sides = std::mem::take(&mut self.search.sides);
        sides.clear();
        let problem = &self.problem;
        let places = enclosed.moves().iter().enumerate().filter(|(_, moves)| **moves == Moves::WithStates);
        sides.extend(places.flat_map(|(place, _)| self.watcher.sides(problem, place)));
        let tolerance = located(to - from, to, self.span);
        let finest = self.search.finest.max(tolerance);
        let begun = enclosed.work();
        let most = self.search.allowance;
        let searched = enclosed.search(&sides, (from, to), (finest, most), |_, side, a, b| {
            let margin = |running: &mut Self, t: f64| {
                running.sample_indicators(t).map(|looked| looked.margins[side.place])
            };
            let ends = (margin(self, a)?, margin(self, b)?);
            if ends.1 >= 0.0 {
                return Ok(None); // rounding decides
            }
            if ends.0 < 0.0 {
                return Ok(Some(a)); // already on the wrong side
            }
            let found = locate((a, -ends.0), (b, -ends.1), tolerance, |t| margin(self, t).map(|m| -m))?;
            Ok(Some(found.map_or(b, |bracket| bracket.right)))
        });
        self.search.sides = sides;
        let searched = searched?;
        self.search.spend(enclosed.work() - begun, enclosed.work_of_look());
        let too_much = searched.too_much.filter(|_| searched.first.is_none());
        if let Some(place) = too_much {
            self.say_too_long(place, false);
        }
        Ok((searched.first, too_much.is_some()))
    }

    /// Reports, once for each, that crossings are not searched for as closely as asked for.
    pub(crate) fn say_too_long(&mut self, place: usize, is_of_time: bool) {
        if !self.search.reported_too_long.contains(&place) {
            self.search.reported_too_long.push(place);
            let crossing = &self.model.equations.events.crossings[place];
            self.reports.add(of_search_too_long(
                &self.model,
                crossing,
                (self.options.choices.events, is_of_time),
            ));
        }
    }

    /// The first time at which a crossing has changed its side, to within a tolerance, and all margins there.
    fn first_crossing(
        &mut self,
        before: &SampledIndicators,
        after: &SampledIndicators,
        tolerance: f64,
    ) -> Result<(f64, Vec<f64>), Stop> {
        let (left, right) = (before.t, after.t);
        let mut first = (right, after.margins.clone());
        for k in 0..after.margins.len() {
            if first.1[k] >= 0.0 {
                continue; // not before the one found
            }
            if before.margins[k] < 0.0 {
                return Ok((left, before.margins.clone())); // already on the wrong side
            }
            let ends = ((left, -before.margins[k]), (first.0, -first.1[k]));
            let found = locate(ends.0, ends.1, tolerance, |t| {
                self.sample_indicators(t).map(|looked| -looked.margins[k])
            })?;
            if let Some(bracket) = found {
                first = (bracket.right, self.sample_indicators(bracket.right)?.margins);
            }
        }
        Ok(first)
    }

    pub(crate) fn sample_indicators(&mut self, t: f64) -> Result<SampledIndicators, Stop> {
        let mut looked = SampledIndicators::default();
        self.sample_indicators_into(t, &mut looked)?;
        Ok(looked)
    }

    /// The same, into memory that is there.
    fn sample_indicators_into(&mut self, t: f64, looked: &mut SampledIndicators) -> Result<(), Stop> {
        self.evaluate(t)?;
        let problem = &mut self.problem;
        looked.t = t;
        self.watcher.borders(problem, &mut looked.borders).map_err(|why| Stop::NoValue(why, t))?;
        looked.margins.clear();
        looked.margins.extend(self.watcher.margins(problem, &looked.borders));
        looked.margins.extend(problem.past.margins(t));
        Ok(())
    }
}

/// The resolution of event times up to `t` within a step of a run over `span`. It follows the step, not the distance of samples
/// within it: an indicator at its border as a step begins would otherwise cross it again and again. Near a time of zero,
/// floating-point numbers tell such instants apart that dense output does not. Rounding bounds it from below, for steps that
/// are themselves that small.
pub(crate) fn located(step: f64, t: f64, span: f64) -> f64 {
    EVENT_LOCATED * step + f64::EPSILON * t.abs().max(BEGINNING * span)
}

fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_near_zero_are_told_apart_no_better_than_the_step_tells() {
        let (step, span) = (1e-3, 0.8);
        assert_eq!(located(step, SAMPLES_AFTER_EVENT[0] * step, span), located(step, 0.0, span));
        // the first sample is resolved by some thousand instants
        assert!(located(step, 0.0, span) < 1e-3 * SAMPLES_AFTER_EVENT[0] * step);
        assert!(located(step, 1e9, span) >= f64::EPSILON * 1e9);
        // and a step of 1e-25 s is no better
        assert!(located(1e-25, 0.0, span) > 1e-21);
    }
}
