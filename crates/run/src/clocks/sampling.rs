//! `sample(start, interval)` in what ticks (MLS §16.8.1): it is adjusted to the ticks.
//!
//! Each of its times counts at the first tick that is not before it. What comes between ticks is late, and what comes more often
//! than they do is one with the times before: both are reported. As in continuous time it is true only at the event: after
//! that all that depends on it is evaluated once more, for `pre` and `edge` at the next tick.

use rhei_equations::{SampleAtTicks, VarId, number};
use rhei_model::CompiledPart;
use rhei_solvable::Schedule;
use rhei_solve::evaluate::NoValue;
use rhei_source::Diagnostic;

use super::Part;
use super::times::Times;
use crate::constants::TICK_ROUNDING;
use crate::message::Message;

/// The samples of a partition.
#[derive(Clone)]
pub(super) struct Sampling {
    of: Vec<Sampled>,
}

#[derive(Clone, Copy)]
struct Sampled {
    rhythm: u32,
    /// Its last time up to the tick before, counted from its start; none before that.
    last: f64,
    /// The tick to which that belongs, and the last time before it.
    at: (f64, f64),
    /// Whether it was said that it is late, and that it is too fast.
    said: [bool; 2],
}

/// The number of a time before the first one.
const NONE_YET: f64 = -1.0;

impl Sampling {
    pub(super) fn new(schedule: &Schedule) -> Sampling {
        let of = schedule.samples.iter().map(|sample| Sampled {
            rhythm: schedule.rhythm(sample.tick).unwrap_or(0),
            last: NONE_YET,
            at: (f64::NEG_INFINITY, NONE_YET),
            said: [false; 2],
        });
        Sampling { of: of.collect() }
    }

    /// Sets what is true at the later ticks of its rhythm; at the first tick it is, once that has begun. Answers what is to be said.
    pub(super) fn begin_tick(
        &mut self,
        schedule: &Schedule,
        values: &mut [f64],
        t: f64,
        times: &Times,
    ) -> Vec<Message> {
        let mut said = Vec::new();
        for (sampled, sample) in self.of.iter_mut().zip(&schedule.samples) {
            if !times.ticks(sampled.rhythm) {
                continue;
            }
            values[sample.tick.index()] = 0.0;
            if times.is_first(sampled.rhythm as usize) {
                continue;
            }
            let count = sampled.advance(sample, values, t);
            values[sample.tick.index()] = f64::from(u8::from(count > 0.0));
            said.extend(sampled.report(sample, schedule, values, (t, count)));
        }
        said
    }

    /// The error of the first tick of a `sample` with an invalid interval.
    fn without_interval(&self, schedule: &Schedule, values: &[f64], times: &Times) -> Option<Message> {
        let own = self.of.iter().zip(&schedule.samples);
        let mut starting =
            own.filter(|(sampled, _)| times.ticks(sampled.rhythm) && times.is_first(sampled.rhythm as usize));
        let interval = |sample: &SampleAtTicks| values[sample.interval.index()];
        let (_, wrong) = starting.find(|(_, sample)| interval(sample).is_nan() || interval(sample) <= 0.0)?;
        let message = format!(
            "the interval of this `sample` is {}: it must be greater than zero",
            number(interval(wrong))
        );
        Some(Message::Fault(at(Diagnostic::error("sample-interval", message), wrong)))
    }

    /// The samples that are true at first ticks.
    fn at_first_ticks(&mut self, schedule: &Schedule, values: &[f64], t: f64, times: &Times) -> Vec<VarId> {
        let own =
            self.of.iter_mut().zip(&schedule.samples).filter(|(sampled, _)| {
                times.ticks(sampled.rhythm) && times.is_first(sampled.rhythm as usize)
            });
        let true_now = own.filter_map(|(sampled, sample)| {
            sampled.advance(sample, values, t);
            sampled.is_at(sample, values, t).then_some(sample.tick)
        });
        true_now.collect()
    }
}

impl Sampled {
    /// Counts the times up to this tick; says how many are later than the tick before. A tick may be evaluated several times.
    fn advance(&mut self, sample: &SampleAtTicks, values: &[f64], t: f64) -> f64 {
        let [start, interval] = [sample.start, sample.interval].map(|v| values[v.index()]);
        if self.at.0 != t {
            self.at = (t, self.last);
        }
        self.last = ((t - start) / interval + TICK_ROUNDING).floor().max(NONE_YET);
        self.last - self.at.1
    }

    /// Whether the last time is this tick itself.
    fn is_at(&self, sample: &SampleAtTicks, values: &[f64], t: f64) -> bool {
        let [start, interval] = [sample.start, sample.interval].map(|v| values[v.index()]);
        self.last > NONE_YET && t - (start + self.last * interval) <= TICK_ROUNDING * interval
    }

    fn report(
        &mut self,
        sample: &SampleAtTicks,
        schedule: &Schedule,
        values: &[f64],
        (t, count): (f64, f64),
    ) -> Option<Message> {
        let [start, interval] = [sample.start, sample.interval].map(|v| values[v.index()]);
        let clock = &schedule.rhythms[self.rhythm as usize].name;
        let (place, diagnostic) = if count > 1.0 {
            let message = format!(
                "at t = {}, {} times of this `sample` have come since the tick before and count as one: `{clock}` does not tick so often",
                number(t),
                number(count)
            );
            (1, Diagnostic::warning("sample-faster-than-clock", message))
        } else if count > 0.0 && !self.is_at(sample, values, t) {
            let message = format!(
                "at t = {}, a time of this `sample` counts that was {}: `{clock}` does not tick there",
                number(t),
                number(start + self.last * interval)
            );
            (0, Diagnostic::warning("sample-between-ticks", message))
        } else {
            return None;
        };
        if std::mem::replace(&mut self.said[place], true) {
            return None;
        }
        let note = "said once; each time counts at the first tick that is not before it";
        Some(Message::Warning(at(diagnostic, sample).with_note(note)))
    }
}

fn at(diagnostic: Diagnostic, sample: &SampleAtTicks) -> Diagnostic {
    match sample.origin.span {
        Some(span) => diagnostic.at(span, "this `sample`"),
        None => diagnostic,
    }
}

impl Part {
    /// The rest of a first tick, if a `sample` falls on it: an event after the start, in which no time passes.
    pub(super) fn go_on_from_first_ticks(&mut self, compiled: &CompiledPart, t: f64) -> Result<(), NoValue> {
        let schedule = &compiled.schedule;
        let wrong = self.sampling.without_interval(schedule, &self.problem.values, &self.times);
        self.said.extend(wrong);
        let due = self.sampling.at_first_ticks(schedule, &self.problem.values, t, &self.times);
        if due.is_empty() {
            return Ok(());
        }
        let values = &mut self.problem.values;
        for tick in due {
            values[tick.index()] = 1.0;
            let Some(rhythm) = schedule.rhythm(tick) else { continue };
            self.has_begun[rhythm as usize] = true;
            if let Some(step) = schedule.steps[rhythm as usize] {
                values[step.index()] = 0.0;
            }
        }
        let begun = |v: VarId| schedule.rhythm(v).is_some_and(|rhythm| self.has_begun[rhythm as usize]);
        let states = schedule.states.iter().map(|state| state.variable);
        let stepped: Vec<VarId> = states.filter(|&v| begun(v)).collect();
        for &(of, before, _) in self.previous.iter().filter(|(of, ..)| stepped.contains(of)) {
            values[before.index()] = values[of.index()];
        }
        for &(of, before) in schedule.before_events.iter().filter(|(of, _)| begun(*of)) {
            values[before.index()] = values[of.index()];
        }
        // rhythms are sorted apart: repeated until each has its values from the others
        (0..self.times.count_ticking()).try_for_each(|_| self.run_ticking(compiled))
    }

    /// What `pre` gives at the next tick for variables of the ticks at which a `sample` is true: it is so only at the event.
    pub(super) fn settled(&mut self, compiled: &CompiledPart) -> Result<Vec<(VarId, f64)>, NoValue> {
        let schedule = &compiled.schedule;
        let ticks = |v: VarId| schedule.rhythm(v).is_some_and(|rhythm| self.times.ticks(rhythm));
        let is_true =
            |sample: &&SampleAtTicks| ticks(sample.tick) && self.problem.values[sample.tick.index()] != 0.0;
        let active: Vec<VarId> = schedule.samples.iter().filter(is_true).map(|sample| sample.tick).collect();
        if active.is_empty() {
            return Ok(Vec::new());
        }
        let own: Vec<(VarId, VarId)> =
            schedule.before_events.iter().copied().filter(|(of, _)| ticks(*of)).collect();
        let kept = self.problem.values.clone();
        active.iter().for_each(|tick| self.problem.values[tick.index()] = 0.0);
        for &(of, before) in &own {
            self.problem.values[before.index()] = kept[of.index()];
        }
        let done = self.run_ticking(compiled);
        let settled = own.iter().map(|&(of, before)| (before, self.problem.values[of.index()])).collect();
        self.problem.values = kept;
        done.map(|()| settled)
    }
}
