//! Limits of the step while something bounces ever lower, perhaps by less than the tolerance.

use rhei_equations::VarId;
use rustc_hash::FxHashMap;

use crate::constants::{BOUNCE_SHORTEST_IN_ULPS, BOUNCE_SHORTEST_OF_RUN, BOUNCE_SOONER, BOUNCE_STEPS};
use crate::running::Running;
use crate::stop::Stop;

/// State of bounces that may become lower than the tolerance.
#[derive(Clone, Default)]
pub(crate) struct Bouncing {
    /// Until when steps are limited, and to what length.
    cautious: Option<(f64, f64)>,
    /// Whether the last event ended a series of bounces at rest.
    pub(crate) has_come_to_rest: bool,
    /// By the first condition that switched at a bounce, the time since the bounce before.
    periods: FxHashMap<VarId, f64>,
}

impl Bouncing {
    /// Limits the steps until the next bounce after one at `t`, at which these conditions switched, `period` after the bounce
    /// before.
    pub(crate) fn note(&mut self, t: f64, period: Option<f64>, switched: &[VarId]) {
        let (Some(period), Some(first)) = (period, switched.first()) else { return };
        let before = self.periods.insert(*first, period);
        if before.is_none_or(|before| period <= BOUNCE_SOONER * before) {
            self.cautious = Some((t + period, period / BOUNCE_STEPS));
        }
    }
}

impl Running<'_> {
    /// A run that cannot rest ends at the last bounce, or at the border that failed to catch the fall: a step that began at
    /// `from` has shown that.
    pub(crate) fn end_at_bounce(&mut self, from: f64, stop: Stop) -> Stop {
        if let Stop::Bounces(bounces) = &stop {
            self.time = if bounces.is_caught { from } else { bounces.since };
        }
        stop
    }

    /// `until`, or the end of the next step where steps are limited.
    pub(crate) fn cautiously(&self, until: f64) -> f64 {
        match self.bouncing.cautious {
            Some((end, step)) if self.time < end => {
                let by_rounding = BOUNCE_SHORTEST_IN_ULPS * f64::EPSILON * self.time.abs();
                let shortest = by_rounding.max(BOUNCE_SHORTEST_OF_RUN * self.span);
                until.min(f64::max(self.time + step.max(shortest), self.time.next_up()))
            }
            _ => until,
        }
    }
}
