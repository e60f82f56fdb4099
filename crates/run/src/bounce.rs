//! Short steps where something bounces ever lower, perhaps lower than the tolerance can see.

use rhei_equations::VarId;
use rustc_hash::FxHashMap;

use crate::running::Running;
use crate::stop::Stop;

/// Steps that a bounce is given at least.
const BOUNCE_STEPS: f64 = 32.0;
/// The shortest step that is asked for, in rounding units of the time: integrators take a hundred of them for no step at all.
const SHORTEST_IN_ULPS: f64 = 256.0;
/// The same as a share of the run, for times near zero: there a bounce of any length would be longer.
const SHORTEST_OF_RUN: f64 = 1e-13;
/// Bounces come ever sooner where the time between two is at most this share of that before. What switches at a steady pace, as relays
/// and thermostats do, is seen without.
const SOONER: f64 = 0.9999;

/// What bounces, perhaps lower than the tolerance can see.
#[derive(Clone, Default)]
pub(crate) struct Bouncing {
    /// Until when steps are kept short, and how short.
    cautious: Option<(f64, f64)>,
    /// Whether the last event brought something to rest that had bounced.
    pub(crate) has_come_to_rest: bool,
    /// How long ago what was turned back at its border had been turned back before, by the first condition that switched then.
    periods: FxHashMap<VarId, f64>,
}

impl Bouncing {
    /// Keeps steps short for a while after something was turned back at its border as these conditions switched, so long after it was so
    /// before.
    pub(crate) fn note(&mut self, t: f64, period: Option<f64>, switched: &[VarId]) {
        let (Some(period), Some(first)) = (period, switched.first()) else { return };
        let before = self.periods.insert(*first, period);
        if before.is_none_or(|before| period <= SOONER * before) {
            self.cautious = Some((t + period, period / BOUNCE_STEPS));
        }
    }
}

impl Running<'_> {
    /// A run that cannot rest ends with the bounce that should have been its last, or where it fell from there; a step from a time on has
    /// shown that.
    pub(crate) fn end_at_bounce(&mut self, from: f64, stop: Stop) -> Stop {
        if let Stop::Bounces(bounces) = &stop {
            self.time = if bounces.is_caught { from } else { bounces.since };
        }
        stop
    }

    /// No further than this step should go.
    pub(crate) fn cautiously(&self, until: f64) -> f64 {
        match self.bouncing.cautious {
            Some((end, step)) if self.time < end => {
                let by_rounding = SHORTEST_IN_ULPS * f64::EPSILON * self.time.abs();
                let shortest = by_rounding.max(SHORTEST_OF_RUN * self.span);
                until.min(f64::max(self.time + step.max(shortest), self.time.next_up()))
            }
            _ => until,
        }
    }
}
