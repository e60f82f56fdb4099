//! `delay(value, by)` (MLS §3.7.4.1): what a value was some time ago.
//!
//! Values are kept at the ends of steps and at both sides of events, and taken linearly between them. A jump comes out again as
//! a jump, at an event of its own.

use std::collections::VecDeque;

use rhei_equations::VarId;

/// The past of all delayed values.
#[derive(Debug, Default)]
pub(crate) struct Delays {
    lines: Vec<Line>,
}

/// The past of one value.
#[derive(Debug)]
struct Line {
    result: VarId,
    by: f64,
    /// Times and values, ascending; two entries of one time are a jump.
    past: VecDeque<(f64, f64)>,
    /// When jumps come out.
    jumps: VecDeque<f64>,
}

impl Delays {
    /// One for each of these.
    pub(crate) fn new(results: impl Iterator<Item = VarId>) -> Delays {
        let line = |result| Line { result, by: 0.0, past: VecDeque::new(), jumps: VecDeque::new() };
        Delays { lines: results.map(line).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Puts what is delayed by now among the values.
    pub(crate) fn set(&self, t: f64, values: &mut [f64]) {
        for line in &self.lines {
            values[line.result.index()] = line.at(t - line.by);
        }
    }

    /// Keeps the values at `t`: of each value and by how long it is delayed.
    pub(crate) fn keep(&mut self, t: f64, now: &[f64]) {
        for (line, now) in self.lines.iter_mut().zip(now.chunks_exact(2)) {
            line.keep(t, now[0], now[1]);
        }
    }

    /// No step may be longer than the shortest delay: what comes out must have gone in.
    pub(crate) fn longest_step(&self) -> f64 {
        self.lines.iter().map(|line| line.by).filter(|by| *by > 0.0).fold(f64::INFINITY, f64::min)
    }

    /// When the next jump after `t` comes out.
    pub(crate) fn next_jump(&self, t: f64) -> f64 {
        let jumps = self.lines.iter().flat_map(|line| line.jumps.iter().copied());
        jumps.filter(|jump| *jump > t).fold(f64::INFINITY, f64::min)
    }
}

impl Line {
    fn keep(&mut self, t: f64, value: f64, by: f64) {
        self.by = by;
        if let Some(&(last, before)) = self.past.back()
            && last == t
        {
            if before == value {
                return;
            }
            let begins = self.past.len() < 2 || self.past[self.past.len() - 2].0 < t;
            if begins {
                self.jumps.push_back(t + by);
            } else {
                self.past.pop_back(); // only the last of several values of one instant counts
            }
        }
        self.past.push_back((t, value));
        // one entry before the oldest time that is asked for is enough
        while self.past.len() > 2 && self.past[1].0 < t - by {
            self.past.pop_front();
        }
        while self.jumps.front().is_some_and(|jump| *jump < t) {
            self.jumps.pop_front();
        }
    }

    /// The value at a time of the past; before the first one the first. At a jump, the value after it.
    fn at(&self, t: f64) -> f64 {
        let after = self.past.partition_point(|(time, _)| *time <= t);
        let Some(&(t0, v0)) = after.checked_sub(1).and_then(|i| self.past.get(i)) else {
            return self.past.front().map_or(0.0, |(_, value)| *value);
        };
        match self.past.get(after) {
            Some(&(t1, v1)) => v0 + (v1 - v0) * ((t - t0) / (t1 - t0)),
            None => v0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_later() {
        let mut delays = Delays::new([VarId(0)].into_iter());
        let mut values = [f64::NAN];
        for (t, value) in [(0.0, 1.0), (1.0, 2.0), (1.0, 5.0), (2.0, 5.0)] {
            delays.keep(t, &[value, 1.5]);
        }
        let mut at = |t: f64| {
            delays.set(t, &mut values);
            values[0]
        };
        assert_eq!(at(0.5), 1.0, "before the start it was as at the start");
        assert_eq!(at(2.0), 1.5);
        assert_eq!(at(2.5), 5.0, "the right side of the jump");
        assert_eq!(delays.next_jump(2.0), 2.5);
        assert_eq!(delays.longest_step(), 1.5);
    }
}
