//! The order of a run: a step, its messages and rows, the event that ends it, and the restart of the integrator.

use rhei_equations::{Moment, VarId};
use rhei_solve::evaluate::NoValue;

use crate::running::Running;
use crate::search::Found;
use crate::stop::Stop;

impl Running<'_> {
    /// Runs to the stop time, and makes the event of the end.
    pub(crate) fn run_to_end(&mut self) -> Result<(), Stop> {
        self.run_to_stop()?;
        self.finish()
    }

    /// Runs to the stop time and its events, without the event of the end.
    pub(crate) fn run_to_stop(&mut self) -> Result<(), Stop> {
        self.set_out()?;
        let stop = self.options.stop_time;
        while self.time < stop {
            self.take_step(stop)?;
        }
        Ok(())
    }

    /// Before the first step: the first row, and the next time events.
    pub(crate) fn set_out(&mut self) -> Result<(), Stop> {
        self.write_rows(self.time, self.time, true)?;
        self.next = self.next_times(self.options.stop_time)?;
        Ok(())
    }

    /// Sets parameters or inputs at the present time. That is an event.
    pub(crate) fn change_given(&mut self, given: &[(VarId, f64)]) -> Result<(), Stop> {
        self.options.set.extend(given.iter().copied());
        let t = self.time;
        self.evaluate(t)?;
        if self.recorder.both_sides {
            self.record(t)?;
        }
        let problem = &mut self.problem;
        let (parameters, functions) = (&self.model.code.parameters, &problem.evaluator.functions);
        let set = parameters.run_setting(&mut problem.values, &self.options.set, functions);
        set.map_err(|fault| Stop::NoValue(NoValue::Fault(fault), t))?;
        (self.current, self.looks.last) = (None, None);
        self.pass_event(None, true)
    }

    /// Sets the states at the present time, and evaluates all variables.
    pub(crate) fn change_states(&mut self, states: &[f64]) -> Result<(), Stop> {
        let t = self.time;
        self.evaluate(t)?;
        if self.recorder.both_sides {
            self.record(t)?;
        }
        self.problem.evaluate(t, states).map_err(|why| Stop::NoValue(why, t))?;
        (self.current, self.looks.last) = (None, None);
        self.pass_event(None, true)
    }

    /// Makes one step that does not pass `limit`, and the event that ends it; says whether there was one.
    pub(crate) fn take_step(&mut self, limit: f64) -> Result<bool, Stop> {
        self.ask_to_go_on()?;
        let until = self.cautiously(self.next.stops.min(limit));
        let until = until.min(self.time + self.problem.past.longest_step());
        let until = self.until_regular(until);
        self.forget_step();
        let from = self.time;
        let found = self.advance_where_defined(until, self.next.any.min(limit));
        let found = found.map_err(|stop| self.end_at_bounce(from, stop))?;
        self.count_step();
        let is_known = self.time == self.next.any;
        match found.as_ref().map(|found| found.t).or(is_known.then_some(self.time)) {
            Some(t) => {
                // rows before an event first: they are those of the step
                self.keep_past_until(from, t)?;
                self.write_rows(from, t, false)?;
                self.time = t;
                self.end_step_before_event(from, found.as_ref())?;
                self.pass_event(found, false)?;
                Ok(true)
            }
            None => {
                debug_assert!(self.time > from, "a step makes progress");
                self.end_step(from).map_err(|stop| self.end_within(from, stop))?;
                self.go_on_after_step()?;
                Ok(false)
            }
        }
    }

    /// Whether the row at a time is that after `terminal()`.
    pub(crate) fn ends_later(&self, t: f64) -> bool {
        self.model.equations.events.terminal.is_some() && t == self.options.stop_time
    }

    /// The messages and rows of a step without an event that began at `from`.
    pub(crate) fn end_step(&mut self, from: f64) -> Result<(), Stop> {
        self.keep_past_until(from, self.time)?;
        self.check_step(from)?;
        self.check_ranges_of_step(from)?;
        self.write_rows(from, self.time, !self.ends_later(self.time))?;
        self.evaluate_from(from, self.time)?;
        self.perform(Moment::Rest, self.time)
    }

    /// After a step without an event: the integrator goes on by itself, unless the chart changes.
    pub(crate) fn go_on_after_step(&mut self) -> Result<(), Stop> {
        self.accept(self.time);
        self.problem.past.forget(self.time);
        self.check_assumptions(self.time)?;
        self.refuse_singular(self.time)?;
        match self.improve_charts(self.time, false)? {
            Some(before) => self.remap(before),
            None => Ok(()),
        }
    }

    /// The messages and rows of a step that began at `from`, just before the event that ends it.
    fn end_step_before_event(&mut self, from: f64, found: Option<&Found>) -> Result<(), Stop> {
        if let Some(left) = found.and_then(|found| found.left) {
            self.record_left_of_jump(left)?;
        }
        self.evaluate(self.time)?;
        self.check_ranges_of_step(from)?;
        self.accept(self.time);
        if self.recorder.both_sides { self.record(self.time) } else { Ok(()) }
    }

    /// Performs the event at the present time, after the messages of the time before it. `disturbed` says whether it changes
    /// the equations.
    pub(crate) fn pass_event(&mut self, found: Option<Found>, disturbed: bool) -> Result<(), Stop> {
        let t = self.time;
        self.forget_step();
        let leapt = found.as_ref().is_some_and(|found| found.left.is_some());
        let seen = found.map_or_else(Vec::new, |found| found.seen);
        self.keep_seen();
        let jumped = self.problem.settle_past(t);
        let has_sets = !self.model.solvable.sets.is_empty();
        let before = if has_sets { self.problem.states() } else { Vec::new() };
        self.move_beyond_border();
        let switched = std::mem::take(&mut self.event.switched);
        self.happen(t, &seen)?;
        self.count_switched();
        if self.event.switched.is_empty() {
            self.event.switched = switched;
        }
        self.perform(Moment::Rest, t)?;
        self.check_ranges(t)?;
        self.keep_past_after(t)?;
        self.accept(t);
        self.problem.past.forget(t);
        let has_jumped = has_sets && self.problem.states() != before;
        let has_charts = self.improve_charts(t, has_jumped)?.is_some();
        let touched = has_charts || jumped || leapt || disturbed || self.sees_change();
        self.next = self.next_times(self.options.stop_time)?;
        self.refuse_zeno(t)?;
        // before the integrator, whose first step leaves the values of another point
        if self.recorder.both_sides {
            self.write_other_side(t)?;
        } else if !self.ends_later(t) {
            self.write_current(t)?;
        }
        if touched {
            self.begin_branches(t)?;
        }
        let is_cautious = self.cautiously(f64::INFINITY) < f64::INFINITY;
        // a model that has come to rest does not go on as before, not even within the tolerance
        if has_charts || is_cautious || std::mem::take(&mut self.bouncing.has_come_to_rest) {
            self.restart(t)
        } else if touched || self.is_beyond(self.next.stops) {
            self.resume(t)
        } else {
            Ok(())
        }
    }
}
