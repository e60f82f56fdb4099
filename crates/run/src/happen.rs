//! The effects of an event in a run: on the equations, on clocks that tick by it, on the mode, and the messages.

use rhei_equations::VarId;

use crate::clocks::ModeReports;
use crate::constants::{BEGINNING, CLOCK_EVENTS};
use crate::events::{Broken, EventEffects, NextTimes, Seen};
use crate::pace::Pace;
use crate::running::Running;
use crate::stop::{Stop, stop_of};

/// Memory of the last event.
#[derive(Clone, Default)]
pub(crate) struct LastEvent {
    /// Values of all variables before it.
    before: Vec<f64>,
    /// The conditions that switched, for a message.
    pub(crate) switched: Vec<VarId>,
    /// States on the far side of a border that no step crosses, for the event there.
    pub(crate) moved: Option<Vec<f64>>,
    /// Whether events let time go on.
    pub(crate) pace: Pace,
}

impl Running<'_> {
    /// Performs an event at the point evaluated last, with everything that follows from it.
    pub(crate) fn happen(&mut self, t: f64, seen: &[Seen]) -> Result<(), Stop> {
        self.work.events += 1;
        (self.current, self.looks.last) = (None, None);
        let left = self.left();
        self.watcher.foreseeing = self.foreseeing(left.as_ref());
        let balanced = self.balanced_before();
        let before_reinit = self.before_reinit();
        let failed = |failure| stop_of(failure, t);
        if !seen.is_empty() {
            self.event.before.clone_from(&self.problem.values);
        }
        let happened = self.watcher.happen(&mut self.problem, t, seen, &mut self.clocks);
        let mut happened = happened.map_err(failed)?;
        let crossed = match seen.is_empty() || happened.was_known {
            true => Vec::new(),
            false => self.watcher.crossed(&self.problem, seen),
        };
        if happened.changed && !seen.is_empty() && !self.is_leaving_mode(t)? {
            let problem = &mut self.problem;
            let back = self.watcher.turn_back(problem, t, happened.set_anew, &self.event.before);
            let back = back.map_err(|why| Stop::NoValue(why, t))?;
            // a flight continues across other events
            self.bouncing.note(t, back.period, &happened.switched);
            if back.any {
                let again = self.watcher.happen(problem, t, &[], &mut self.clocks).map_err(failed)?;
                happened.and(again);
                if !self.is_leaving_mode(t)? {
                    self.watcher.refuse_sliding(&mut self.problem, t).map_err(failed)?;
                }
            }
        }
        if happened.changed {
            let problem = &mut self.problem;
            let rests = self.watcher.settle_pending_rest(problem, t).map_err(|why| Stop::NoValue(why, t))?;
            self.bouncing.has_come_to_rest = rests;
        }
        let mut turns = 0;
        while self.clocks.notice_events(t) {
            turns += 1;
            if turns > CLOCK_EVENTS {
                return Err(Stop::NotConverged(self.clocks.conditions(), t));
            }
            let problem = &mut self.problem;
            happened.and(self.watcher.happen(problem, t, &[], &mut self.clocks).map_err(failed)?);
        }
        self.watcher.foreseeing = None;
        if let Some(left) = left {
            happened.and(self.settle_mode(t, left, happened.set_anew, crossed)?);
        }
        self.tell_jump_at_event(&balanced, t);
        if happened.set_anew {
            self.note_reinit(before_reinit, t);
        }
        let EventEffects { switched, terminated, broken, .. } = happened;
        self.hear_clocks(t)?;
        self.perform_called(t)?;
        for Broken { place, said } in broken {
            self.broken(place, said, t)?;
        }
        if let Some(place) = terminated {
            self.record(t)?;
            return Err(Stop::Terminated(self.termination(place, t)));
        }
        if !switched.is_empty() {
            self.event.switched = switched;
        }
        Ok(())
    }

    /// Whether another mode comes next: continuous variables may have no value in the present one any more.
    pub(crate) fn is_leaving_mode(&mut self, t: f64) -> Result<bool, Stop> {
        let problem = &mut self.problem;
        Ok(problem.only_discrete || problem.leaves_mode().map_err(|why| Stop::NoValue(why, t))?)
    }

    /// Takes over the messages of the clocked partitions that ticked.
    pub(crate) fn hear_clocks(&mut self, t: f64) -> Result<(), Stop> {
        let ModeReports { changes, visited, said } = self.clocks.take_mode_reports();
        changes.into_iter().for_each(|change| self.visits.note_change(change));
        self.visits.note_modes_of_clocks(visited);
        self.reports.add_all(said);
        self.clocks.take_printed().iter().for_each(|text| self.recorder.sink.print(text));
        self.clocks.take_said().into_iter().try_for_each(|said| self.hear(said, t))
    }

    /// `terminal()` at the end of the run.
    pub(crate) fn finish(&mut self) -> Result<(), Stop> {
        let stop = self.options.stop_time;
        let Some(terminal) = self.model.equations.events.terminal else { return Ok(()) };
        self.watcher.announce_end(terminal);
        self.happen(stop, &[])?;
        if self.recorder.both_sides { self.record(stop) } else { self.write_current(stop) }
    }

    /// The times of the next time events, not after the stop.
    pub(crate) fn next_times(&mut self, stop: f64) -> Result<NextTimes, Stop> {
        let next = self.watcher.next_times(&mut self.problem, &self.notice.reach, self.time);
        let mut next = next.map_err(|why| Stop::NoValue(why, self.time))?;
        if let Some(enclosed) = &mut self.search.enclosed {
            let resolution = f64::EPSILON * self.time.abs().max(BEGINNING * self.span);
            let soonest = (self.time + resolution).max(self.time.next_up());
            let (problem, times) = (&self.problem, (self.time, soonest, stop));
            let (coarse, ahead) = (self.search.coarse, &mut self.search.ahead);
            let hard = ahead.next_times(
                (enclosed, &self.watcher),
                (problem, &self.notice.reach),
                times,
                coarse,
                &mut next,
            );
            hard.into_iter().for_each(|place| self.say_too_long(place, true));
        }
        let jump = self.problem.past.next_jump(self.time);
        let within = |t: f64| if t > stop { f64::INFINITY } else { t };
        let any = next.any.min(self.clocks.next_time());
        // without states there is no integrator to be spared
        let stops = match self.integrating.integrator {
            Some(_) => next.stops.min(self.clocks.next_stop(&self.notice.reach)),
            None => any,
        };
        Ok(NextTimes { any: within(any.min(jump)), stops: within(stops.min(jump)) })
    }

    /// Whether the integrator has gone beyond a time.
    pub(crate) fn is_beyond(&self, t: f64) -> bool {
        self.integrating.integrator.as_ref().is_some_and(|integrator| integrator.time() > t)
    }

    /// Keeps the values that the integrator sees.
    pub(crate) fn keep_seen(&mut self) {
        self.notice.keep(&self.model, &self.problem.values);
    }

    /// Whether they have changed since.
    pub(crate) fn sees_change(&mut self) -> bool {
        self.notice.is_another(&self.model, &self.problem.values)
    }

    pub(crate) fn refuse_zeno(&mut self, t: f64) -> Result<(), Stop> {
        let resolution = f64::EPSILON * t.abs().max(BEGINNING * self.span);
        match self.event.pace.is_stuck(t, resolution, self.span) {
            true => Err(Stop::Zeno(std::mem::take(&mut self.event.switched), t, self.event.pace.shrinking())),
            false => Ok(()),
        }
    }
}
