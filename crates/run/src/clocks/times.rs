//! Ticks of a partition: exactly, in units of its base clock.

use rhei_equations::{Base, Ratio, VarId};
use rhei_model::CompiledPart;
use rhei_solvable::Schedule;
use rhei_solve::problem::ModelProblem;

/// The ticks of a partition.
#[derive(Clone)]
pub(super) struct Times {
    unit: Unit,
    /// Start time of the run.
    start: f64,
    rhythms: Vec<Ticks>,
}

/// The unit in which ticks are counted.
#[derive(Clone)]
enum Unit {
    /// So many seconds.
    Seconds(f64),
    /// Ticks that are known one by one.
    Counted {
        /// Ticks so far.
        count: i64,
        /// Time of the next one, if known.
        next: f64,
        /// The time of the next one since the start, exactly, if its clock counts parts of a second.
        exact: Option<Ratio>,
        /// The condition of an event clock, and its value before.
        condition: Option<(VarId, bool)>,
        /// Whether it has become true since a tick was last scheduled.
        has_become_true: bool,
        /// Value of `interval()` at the first tick.
        first_interval: f64,
    },
}

/// The ticks of one rhythm.
#[derive(Clone)]
struct Ticks {
    period: Ratio,
    first: Ratio,
    /// Ticks so far.
    count: i64,
    is_ticking: bool,
    /// Time of the last one.
    last: f64,
    /// The same since the start, exactly, if it is known.
    last_exact: Option<Ratio>,
    /// Time between the last two.
    interval: f64,
}

impl Ticks {
    /// The next tick, in units of the base clock; none if the number overflows.
    fn next(&self) -> Option<Ratio> {
        self.first.plus(self.period.times(Ratio::whole(self.count))?)
    }
}

impl Times {
    pub(super) fn new(schedule: &Schedule, problem: &ModelProblem, start: f64) -> Times {
        let value = |v: &VarId| problem.values[v.index()];
        let counted = |next: f64, exact, condition, first_interval| Unit::Counted {
            count: 0,
            next,
            exact,
            condition,
            has_become_true: false,
            first_interval,
        };
        let unit = match &schedule.base {
            Base::Seconds => Unit::Seconds(1.0),
            Base::Interval(interval) => Unit::Seconds(value(interval)),
            Base::Varying(v) => counted(start, None, None, value(v)),
            Base::Counter { counter, resolution } => {
                counted(start, Some(Ratio::whole(0)), None, value(counter) / *resolution as f64)
            }
            Base::Event { condition, start_interval } => {
                counted(f64::INFINITY, None, Some((*condition, false)), value(start_interval))
            }
        };
        let rhythms = schedule.rhythms.iter().map(|rhythm| Ticks {
            period: rhythm.period,
            first: rhythm.first,
            count: 0,
            is_ticking: false,
            last: start,
            last_exact: None,
            interval: 0.0,
        });
        Times { unit, start, rhythms: rhythms.collect() }
    }

    /// The time of the next tick.
    pub(super) fn next(&self) -> f64 {
        match &self.unit {
            Unit::Counted { next, .. } => *next,
            Unit::Seconds(_) => {
                self.rhythms.iter().map(|ticks| self.time(ticks)).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Time of the next tick of a rhythm of a clock in seconds; never, for others.
    fn time(&self, ticks: &Ticks) -> f64 {
        let Unit::Seconds(unit) = self.unit else { return f64::INFINITY };
        let Some(next) = ticks.next() else { return f64::INFINITY };
        if unit == 1.0 { self.start + next.to_f64() } else { next.to_f64().mul_add(unit, self.start) }
    }

    /// Marks the rhythms that tick at `t`; says whether there are any.
    pub(super) fn begin_tick(&mut self, t: f64) -> bool {
        for place in 0..self.rhythms.len() {
            let ticks = &self.rhythms[place];
            let due = match &self.unit {
                Unit::Seconds(_) => self.time(ticks) <= t,
                Unit::Counted { next, .. } if *next > t => false,
                Unit::Counted { count, .. } => ticks.next() == Some(Ratio::whole(*count)),
            };
            self.rhythms[place].is_ticking = due;
        }
        let first_interval = match &self.unit {
            Unit::Counted { first_interval, .. } => Some(*first_interval),
            Unit::Seconds(_) => None,
        };
        let unit = if let Unit::Seconds(unit) = self.unit { unit } else { 1.0 };
        let exact = if let Unit::Counted { exact, .. } = self.unit { exact } else { None };
        for ticks in &mut self.rhythms {
            if ticks.is_ticking {
                ticks.interval = match (ticks.count, first_interval) {
                    (0, Some(first)) => first * ticks.period.to_f64(),
                    // exactly the period, not the difference of two rounded times
                    (_, None) => ticks.period.to_f64() * unit,
                    _ => {
                        let since = ticks.last_exact.and_then(|last| exact?.minus(last));
                        since.map_or(t - ticks.last, Ratio::to_f64)
                    }
                };
                (ticks.last, ticks.last_exact) = (t, exact);
            }
        }
        let any = self.is_ticking();
        if let Unit::Counted { next, count, .. } = &mut self.unit
            && *next <= t
            && !any
        {
            // a tick of the base clock at which no rhythm of this partition ticks
            *count += 1;
            *next = f64::INFINITY;
        }
        any
    }

    /// After the evaluation of a tick: schedules the next one.
    pub(super) fn end_tick(&mut self, compiled: &CompiledPart, values: &[f64]) {
        for ticks in &mut self.rhythms {
            ticks.count += i64::from(ticks.is_ticking);
            ticks.is_ticking = false;
        }
        if let Unit::Counted { count, next, exact, .. } = &mut self.unit {
            *count += 1;
            let interval = match &compiled.schedule.base {
                Base::Varying(v) => values[v.index()],
                Base::Counter { counter, resolution } => {
                    let counted = Ratio::new(values[counter.index()] as i128, (*resolution).into());
                    *exact = exact.zip(counted).and_then(|(exact, counted)| exact.plus(counted));
                    values[counter.index()] / *resolution as f64
                }
                _ => f64::INFINITY,
            };
            *next = match *exact {
                _ if interval.is_nan() || interval <= 0.0 => f64::INFINITY,
                Some(exact) => self.start + exact.to_f64(),
                None => *next + interval,
            };
        }
    }

    /// Whether anything ticks now.
    pub(super) fn is_ticking(&self) -> bool {
        self.rhythms.iter().any(|ticks| ticks.is_ticking)
    }

    /// How many rhythms tick now.
    pub(super) fn count_ticking(&self) -> usize {
        self.rhythms.iter().filter(|ticks| ticks.is_ticking).count()
    }

    /// Whether this rhythm ticks now.
    pub(super) fn ticks(&self, rhythm: u32) -> bool {
        self.rhythms[rhythm as usize].is_ticking
    }

    /// Whether the tick of this rhythm is its first.
    pub(super) fn is_first(&self, rhythm: usize) -> bool {
        self.rhythms[rhythm].count == 0
    }

    /// The time since the tick before.
    pub(super) fn interval(&self, rhythm: usize) -> f64 {
        self.rhythms[rhythm].interval
    }

    /// Observes whether the condition becomes true in an iteration of an event; before the start it counts as
    /// false (MLS §16.3).
    pub(super) fn observe(&mut self, values: &[f64]) {
        if let Unit::Counted { condition: Some((v, before)), has_become_true, .. } = &mut self.unit {
            let now = values[v.index()] != 0.0;
            *has_become_true |= now && !*before;
            *before = now;
        }
    }

    /// The condition of an event clock.
    pub(super) fn condition(&self) -> Option<VarId> {
        match &self.unit {
            Unit::Counted { condition: Some((v, _)), .. } => Some(*v),
            _ => None,
        }
    }

    /// Schedules a tick at `t` if the condition has become true.
    pub(super) fn notice(&mut self, t: f64) -> bool {
        match &mut self.unit {
            Unit::Counted { has_become_true, next, .. } if *has_become_true => {
                (*has_become_true, *next) = (false, t);
                true
            }
            _ => false,
        }
    }
}
