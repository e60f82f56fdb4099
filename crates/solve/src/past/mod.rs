//! The memory of a run for its model: the past of delayed values, and profiles carried along by a flow.
//!
//! Values are kept at points within each step, at its end, and at both sides of events. Between them they are interpolated by
//! the cubic through the nearest ones that no event separates. Like a condition, the side of a jump on which a value is read
//! is held between events; a jump of the result is an event of its own, at a time known in advance or located as a crossing.

mod curve;
mod delay;
mod sampling;
mod transport;

use rhei_model::CompiledModel;

use delay::Delay;
use transport::Transport;

pub use sampling::{Delayed, Profile, Sample, Transported, sample};

use crate::constants::DELAY_SHORT;

/// The memory of one run.
#[derive(Clone, Debug)]
pub struct Past {
    delays: Vec<Delay>,
    transports: Vec<Transport>,
    /// Whether the arguments depend only on states and values known between events.
    is_direct: bool,
    short: f64,
}

impl Past {
    /// For a run over this time.
    pub fn new(model: &CompiledModel, span: f64) -> Past {
        let events = &model.equations.events;
        let delays = events.delays.iter().map(|delay| Delay::new(delay.result, delay.varies));
        let transports = events.transports.iter().map(|each| Transport::new(each.ends));
        let mut is_computed = vec![false; model.equations.variables.len()];
        for v in model.solvable.continuous.iter().flat_map(rhei_solvable::Block::targets) {
            is_computed[v.index()] = true;
        }
        for alias in &model.solvable.aliases {
            let of = model.equations.pool.variables_of(alias.value);
            is_computed[alias.target.index()] = of.iter().any(|v| is_computed[v.index()]);
        }
        let of_transport =
            |each: &rhei_equations::Transport| [each.moved, each.is_forward].into_iter().chain(each.inflows);
        let asked = events.delays.iter().map(|delay| delay.by);
        let asked = asked.chain(events.transports.iter().flat_map(of_transport));
        let mut asked = asked.flat_map(|e| model.equations.pool.variables_of(e));
        let is_direct =
            asked.all(|v| !is_computed[v.index()]) && events.delays.iter().all(|delay| !delay.varies);
        Past {
            delays: delays.collect(),
            transports: transports.collect(),
            is_direct,
            short: DELAY_SHORT * span,
        }
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.delays.is_empty() && self.transports.is_empty()
    }

    /// Whether the arguments must be evaluated at each point.
    pub fn varies(&self) -> bool {
        !self.transports.is_empty()
            || self.delays.iter().any(|delay| delay.varies || delay.is_short(self.short))
    }

    /// Whether they can be evaluated before all else.
    pub(crate) fn is_direct(&self) -> bool {
        self.is_direct && !self.delays.iter().any(|delay| delay.is_short(self.short))
    }

    /// Begins at the start of a run, with a constant past. `Err` is the index of a transport without a profile from end to end.
    pub(crate) fn begin(&mut self, sample: &Sample, profiles: &[Profile]) -> Result<(), usize> {
        self.delays.iter_mut().for_each(Delay::begin);
        let given = sample.transports.iter().zip(profiles);
        for (place, (transport, (given, profile))) in self.transports.iter_mut().zip(given).enumerate() {
            if !transport.begin(sample.t, given.moved, profile) {
                return Err(place);
            }
        }
        self.keep_delays(sample);
        Ok(())
    }

    fn keep_delays(&mut self, sample: &Sample) {
        for (delay, given) in self.delays.iter_mut().zip(&sample.delays) {
            delay.keep(sample.t, given.input, given.by, given.most);
        }
    }

    /// Keeps the values of a time.
    pub fn keep(&mut self, sample: &Sample) {
        self.keep_delays(sample);
        for (transport, given) in self.transports.iter_mut().zip(&sample.transports) {
            transport.keep(sample.t, given.inflows, given.is_forward, given.moved);
        }
    }

    /// Takes the arguments at the point being evaluated; says whether they may change the results.
    pub(crate) fn take(&mut self, sample: &Sample) -> bool {
        let mut any = false;
        for (delay, given) in self.delays.iter_mut().zip(&sample.delays) {
            any |= delay.take(sample.t, given.by, given.input);
        }
        for (transport, given) in self.transports.iter_mut().zip(&sample.transports) {
            any |= transport.take(given.moved, given.inflows, given.is_forward);
        }
        any
    }

    /// Writes the results into the values; says whether any has changed.
    pub fn set(&self, t: f64, values: &mut [f64]) -> bool {
        let mut any = false;
        for delay in &self.delays {
            any |= delay.set(t, values);
        }
        for transport in &self.transports {
            any |= transport.set(values);
        }
        any
    }

    /// Decides anew on which sides of jumps values are read; says whether any has changed.
    pub fn settle(&mut self, t: f64) -> bool {
        let mut any = false;
        for delay in &mut self.delays {
            any |= delay.settle(t);
        }
        for transport in &mut self.transports {
            any |= transport.settle();
        }
        any
    }

    /// Whether there are jumps that can only be found as crossings.
    pub fn has_margins(&self) -> bool {
        !self.transports.is_empty() || self.delays.iter().any(|delay| delay.varies)
    }

    /// The distance of each from its next jump; negative beyond it.
    pub fn margins(&self, t: f64) -> impl Iterator<Item = f64> + '_ {
        let of_delays = self.delays.iter().filter(|delay| delay.varies).map(move |delay| delay.margin(t));
        of_delays.chain(self.transports.iter().map(Transport::margin))
    }

    /// The longest step: past values must be known.
    pub fn longest_step(&self) -> f64 {
        let of_delays = self.delays.iter().map(|delay| delay.longest_step(self.short));
        of_delays.chain(self.transports.iter().map(Transport::longest_step)).fold(f64::INFINITY, f64::min)
    }

    /// The time of the next known jump of a result after `t`.
    pub fn next_jump(&self, t: f64) -> f64 {
        self.delays.iter().map(|delay| delay.next_jump(t)).fold(f64::INFINITY, f64::min)
    }

    /// A delay that is negative or longer than its maximum: its index, and its value.
    pub fn wrong_delay(&self) -> Option<(usize, f64)> {
        self.delays.iter().enumerate().find_map(|(place, delay)| Some((place, delay.wrong()?)))
    }

    /// Forgets points that are no longer read. Called after each step.
    pub fn forget(&mut self, t: f64) {
        self.delays.iter_mut().for_each(|delay| delay.forget(t));
        self.transports.iter_mut().for_each(Transport::forget);
    }
}
