//! `delay(value, by)` (MLS §3.7.4.1): what a value was some time ago.
//!
//! Values are kept at points within each step, at its end, and at both sides of events. Between them they are taken from the
//! cubic through the four nearest ones that no event lies between. A jump comes out again as a jump, at an event of its own.

use std::collections::VecDeque;

use rhei_equations::VarId;

/// Points within a step at which values are kept, as shares of it: so near to each other that the cubic through them is as
/// good as what the integrator itself gives between the ends of its step.
pub(crate) const KEPT_WITHIN: [f64; 3] = [0.25, 0.5, 0.75];

/// Points that a value is taken from.
const SUPPORT: usize = 4;

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
    /// The longest that `by` may become.
    most: f64,
    /// Whether `by` may change during the run.
    varies: bool,
    /// Times and values, ascending; two entries of one time are the two sides of an event.
    past: VecDeque<(f64, f64)>,
    /// Jumps: when they come out, and when they went in.
    jumps: VecDeque<(f64, f64)>,
}

impl Delays {
    /// One for each of these, and whether its time varies.
    pub(crate) fn new(results: impl Iterator<Item = (VarId, bool)>) -> Delays {
        let line = |(result, varies)| {
            let (past, jumps) = (VecDeque::new(), VecDeque::new());
            Line { result, by: 0.0, most: 0.0, varies, past, jumps }
        };
        Delays { lines: results.map(line).collect() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Forgets everything: a run begins.
    pub(crate) fn forget(&mut self) {
        for line in &mut self.lines {
            line.past.clear();
            line.jumps.clear();
        }
    }

    /// Puts what is delayed by now among the values.
    pub(crate) fn set(&self, t: f64, values: &mut [f64]) {
        for line in &self.lines {
            values[line.result.index()] = line.at(line.asked(t));
        }
    }

    /// Whether any of the times by which values are delayed may change.
    pub(crate) fn vary(&self) -> bool {
        self.lines.iter().any(|line| line.varies)
    }

    /// Takes the times by which values are delayed now; says whether any is another one.
    pub(crate) fn take_times(&mut self, now: &[f64]) -> bool {
        let mut any = false;
        for (line, now) in self.lines.iter_mut().zip(now.chunks_exact(3)) {
            any |= std::mem::replace(&mut line.by, now[1]) != now[1];
        }
        any
    }

    /// Keeps the values at `t`: of each value, by how long it is delayed, and by how long at most.
    pub(crate) fn keep(&mut self, t: f64, now: &[f64]) {
        for (line, now) in self.lines.iter_mut().zip(now.chunks_exact(3)) {
            (line.by, line.most) = (now[1], f64::max(now[1], now[2]));
            line.keep(t, now[0]);
        }
    }

    /// No step may be longer than the shortest delay: what comes out must have gone in.
    pub(crate) fn longest_step(&self) -> f64 {
        // a delay that varies may become shorter within the step
        let longest = |line: &Line| if line.varies { 0.5 * line.by } else { line.by };
        self.lines.iter().map(longest).filter(|by| *by > 0.0).fold(f64::INFINITY, f64::min)
    }

    /// When the next jump after `t` comes out.
    pub(crate) fn next_jump(&self, t: f64) -> f64 {
        let jumps = self.lines.iter().flat_map(|line| line.jumps.iter().map(|(out, _)| *out));
        jumps.filter(|jump| *jump > t).fold(f64::INFINITY, f64::min)
    }
}

impl Line {
    fn keep(&mut self, t: f64, value: f64) {
        let by = self.by;
        if let Some(&(last, before)) = self.past.back()
            && last == t
        {
            let begins = self.past.len() < 2 || self.past[self.past.len() - 2].0 < t;
            if !begins {
                self.past.pop_back(); // only the last of several values of one instant counts
            }
            if before != value && self.jumps.back() != Some(&(t + by, t)) {
                self.jumps.push_back((t + by, t));
            }
        }
        self.past.push_back((t, value));
        // as many entries before the oldest time that is asked for as a value is taken from
        while self.past.len() > SUPPORT && self.past[SUPPORT - 1].0 < t - self.most {
            self.past.pop_front();
        }
        while self.jumps.front().is_some_and(|(out, into)| *out < t && *into <= t - by) {
            self.jumps.pop_front();
        }
    }

    /// The time of the past that is asked for at `t`. A jump that has come out has gone in, whatever rounding says.
    fn asked(&self, t: f64) -> f64 {
        let out = self.jumps.iter().filter(|(out, _)| *out <= t).map(|(_, into)| *into);
        out.fold(t - self.by, f64::max)
    }

    /// The value at a time of the past; before the first one the first. At a jump, the value after it.
    fn at(&self, t: f64) -> f64 {
        let after = self.past.partition_point(|(time, _)| *time <= t);
        let Some(before) = after.checked_sub(1) else {
            return self.past.front().map_or(0.0, |(_, value)| *value);
        };
        if after == self.past.len() || self.past[before].0 == t {
            return self.past[before].1;
        }
        let (mut first, mut last) = (before, after);
        while last - first + 1 < SUPPORT {
            // two entries of one time are an event, over which nothing is smooth
            let earlier = first.checked_sub(1).filter(|&i| self.past[i].0 < self.past[first].0);
            let later = Some(last + 1).filter(|&i| i < self.past.len() && self.past[i].0 > self.past[last].0);
            match (earlier, later) {
                (Some(_), Some(later)) if before - first > last - after => last = later,
                (Some(earlier), _) => first = earlier,
                (None, Some(later)) => last = later,
                (None, None) => break,
            }
        }
        through(self.past.range(first..=last).copied(), t)
    }
}

/// The value at `t` of the polynomial through these points (Lagrange).
fn through(points: impl Iterator<Item = (f64, f64)> + Clone, t: f64) -> f64 {
    let weight = |i: usize, ti: f64| {
        let others = points.clone().enumerate().filter(move |(j, _)| *j != i);
        others.map(|(_, (tj, _))| (t - tj) / (ti - tj)).product::<f64>()
    };
    // as differences to one of them: what is constant comes out exactly
    let base = points.clone().next().map_or(0.0, |(_, value)| value);
    let terms = points.clone().enumerate().map(|(i, (ti, value))| (value - base) * weight(i, ti));
    base + terms.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a line with these entries, delayed by 1.5, gives at a time.
    fn line(entries: &[(f64, f64)]) -> (Delays, impl Fn(&Delays, f64) -> f64) {
        let mut delays = Delays::new([(VarId(0), false)].into_iter());
        for &(t, value) in entries {
            delays.keep(t, &[value, 1.5, 1.5]);
        }
        let at = |delays: &Delays, t: f64| {
            let mut values = [f64::NAN];
            delays.set(t, &mut values);
            values[0]
        };
        (delays, at)
    }

    #[test]
    fn what_goes_in_comes_out_later() {
        let (delays, at) = line(&[(0.0, 1.0), (1.0, 2.0), (1.0, 5.0), (2.0, 5.0)]);
        assert_eq!(at(&delays, 0.5), 1.0, "before the start it was as at the start");
        assert_eq!(at(&delays, 2.0), 1.5);
        assert_eq!(at(&delays, 2.5), 5.0, "the right side of the jump");
        assert_eq!(delays.next_jump(2.0), 2.5);
        assert_eq!(delays.longest_step(), 1.5);
    }

    #[test]
    fn a_cubic_is_met_and_nothing_is_smoothed_over_an_event() {
        let cubic = |t: f64| t * t * t - t;
        let entries: Vec<(f64, f64)> =
            (0..5).map(|i| (0.25 * f64::from(i), cubic(0.25 * f64::from(i)))).collect();
        let (delays, at) = line(&entries);
        for t in [0.1, 0.3, 0.6, 0.9] {
            assert!((at(&delays, t + 1.5) - cubic(t)).abs() < 1e-14);
        }
        let (delays, at) = line(&[(0.0, 0.0), (0.5, 0.0), (0.5, 0.0), (1.0, 1.0)]);
        assert_eq!(at(&delays, 1.75), 0.0, "a bend at an event stays a bend");
        assert_eq!(delays.next_jump(0.0), f64::INFINITY, "and is no jump");
    }
}
