//! The times at which rows are written.

/// The times of the rows.
#[derive(Clone, Debug, PartialEq)]
pub enum OutputTimes {
    /// This many equal intervals over the run.
    Intervals(usize),
    /// Every so many seconds from the start, and at the stop time.
    Every(f64),
    /// At exactly these times, ascending.
    At(Vec<f64>),
}

impl OutputTimes {
    /// Whether rows on both sides of an event are written: not if the times of the rows are given.
    pub(crate) fn has_both_sides(&self) -> bool {
        !matches!(self, OutputTimes::At(_))
    }

    /// All times of rows from `start` to `stop`, ascending.
    pub(crate) fn times(&self, start: f64, stop: f64) -> Box<dyn Iterator<Item = f64>> {
        if start == stop && !matches!(self, OutputTimes::At(_)) {
            return Box::new(std::iter::once(start));
        }
        match self {
            OutputTimes::At(times) => Box::new(times.clone().into_iter()),
            OutputTimes::Intervals(n) => {
                let n = (*n).max(1);
                Box::new(
                    (0..=n).map(
                        move |i| if i == n { stop } else { start + (stop - start) * (i as f64 / n as f64) },
                    ),
                )
            }
            OutputTimes::Every(dt) => {
                let dt = *dt;
                // without a last interval made of rounding errors only
                let n = ((stop - start) / dt - 1e-9).ceil().max(1.0) as usize;
                Box::new((0..=n).map(move |i| if i == n { stop } else { start + dt * i as f64 }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stop_time_is_always_hit_exactly() {
        let times = |output: OutputTimes, start, stop| output.times(start, stop).collect::<Vec<_>>();
        assert_eq!(times(OutputTimes::Intervals(4), 0.0, 1.0), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(times(OutputTimes::Every(0.4), 0.0, 1.0), [0.0, 0.4, 0.8, 1.0]);
        assert_eq!(
            times(OutputTimes::Every(0.1), 0.0, 0.3),
            [0.0, 0.1, 0.2, 0.3],
            "not 0.30000000000000004 as well"
        );
        assert_eq!(times(OutputTimes::Intervals(500), 2.0, 2.0), [2.0]);
        assert_eq!(times(OutputTimes::At(vec![0.5]), 0.0, 1.0), [0.5]);
    }
}
