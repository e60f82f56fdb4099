//! Detection of Zeno behaviour: events between which time stands still.
//!
//! Many events within a small part of a run are no reason to end it: they may be few enough. They are one if time stands still
//! within the resolution of numbers, or if the run would never end at their pace.

use std::collections::VecDeque;

use crate::constants::{ZENO_EVENTS, ZENO_INTERVAL, ZENO_MANY_EVENTS, ZENO_PROGRESS, ZENO_SHARE_OF_RUN};

/// Intervals between events that shrink in proportion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shrinking {
    /// Ratio of each to the one before.
    pub(crate) factor: f64,
    /// Their limit in time.
    pub(crate) towards: f64,
}

/// The times of the last events.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pace {
    recent: VecDeque<f64>,
    /// Events since a time, and that time.
    counted: (usize, f64),
    /// The last two intervals above [`ZENO_INTERVAL`].
    intervals: [f64; 2],
    shrinking: Option<Shrinking>,
}

impl Pace {
    /// Counts an event of a run over `span`; says whether time stands still. `resolution` is the least distinguishable
    /// distance of instants.
    pub(crate) fn is_stuck(&mut self, t: f64, resolution: f64, span: f64) -> bool {
        let (count, since) = self.counted;
        self.counted = if count == 0 || count == ZENO_MANY_EVENTS { (1, t) } else { (count + 1, since) };
        if count == ZENO_MANY_EVENTS && t - since <= ZENO_SHARE_OF_RUN * span {
            return true;
        }
        if let Some(&last) = self.recent.back() {
            let interval = t - last;
            if interval >= ZENO_INTERVAL * resolution {
                self.intervals = [self.intervals[1], interval];
                let factor = interval / self.intervals[0];
                self.shrinking = (factor < 1.0)
                    .then(|| Shrinking { factor, towards: t + interval * factor / (1.0 - factor) });
            }
        }
        self.recent.push_back(t);
        if self.recent.len() <= ZENO_EVENTS {
            return false;
        }
        let first = self.recent.pop_front().unwrap_or(t);
        t - first <= ZENO_PROGRESS * ZENO_EVENTS as f64 * resolution
    }

    /// The ratio and limit of shrinking intervals between events, if they shrank.
    pub(crate) fn shrinking(&self) -> Option<Shrinking> {
        self.shrinking
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_events_are_not_without_end_while_time_passes() {
        let mut pace = Pace::default();
        assert!((0..100_000).all(|k| !pace.is_stuck(1.0 + f64::from(k) * 1e-12, f64::EPSILON, 1.0)));
    }

    #[test]
    fn a_pace_at_which_a_run_never_ends_is_none() {
        let stuck = |n: i32| {
            let mut pace = Pace::default();
            (0..n).any(|k| pace.is_stuck(f64::from(k) * 1e-14, 1e-20, 1.0))
        };
        assert!(!stuck(9_000));
        assert!(stuck(11_000));
    }

    #[test]
    fn shrinking_intervals_are_told() {
        let mut pace = Pace::default();
        let times = (0..400).map(|k| 2.0 - 0.5f64.powi(k));
        let stuck = times.clone().position(|t| pace.is_stuck(t, 2.0 * f64::EPSILON, 2.0));
        assert!(stuck.is_some_and(|place| place > 100));
        let Shrinking { factor, towards } = pace.shrinking().unwrap();
        assert!((factor - 0.5).abs() < 1e-3 && (towards - 2.0).abs() < 1e-9, "{factor} {towards}");
    }
}
