//! Chattering: a right-hand side that jumps where the solution goes back and forth over the jump.
//!
//! `dv/dt = -sign(v)` has no solution beyond the instant at which `v` is zero. Whoever integrates it without an event there makes steps
//! so short that the error of each is just below the tolerance, for ever. Two things together are chattering:
//!
//! 1. Among many tiny steps, one in twenty-five or more reverses the change of one derivative, while its state has moved by a few tolerances only
//!    since the last time. An oscillation moves further than that, or takes long steps.
//! 2. That derivative jumps, once in the step, and by enough to be felt in it. The last such step is halved towards the larger
//!    change. Over a millionth of the step a smooth derivative changes by about a millionth of its change over the whole step,
//!    one that jumps by all of it. Rounding errors of a derivative that is zero, a difference of large terms, change it
//!    everywhere.
//!
//! Only tiny steps are looked at, and halved are a few of each window: other runs pay nothing for it.

use crate::constants::{
    CHATTERING_AHEAD, CHATTERING_FELT, CHATTERING_HALVINGS, CHATTERING_JUMP, CHATTERING_LOOKS,
    CHATTERING_MOVED, CHATTERING_REST, CHATTERING_REVERSALS, CHATTERING_SAMPLES, CHATTERING_STEP,
    CHATTERING_STEPS,
};
use crate::evaluator::Evaluation;
use crate::integrator::{Failure, Side};

/// Record of the last tiny steps.
#[derive(Clone)]
pub(crate) struct Chattering {
    /// How long the run is.
    run: f64,
    /// Tiny steps since `since`.
    steps: u32,
    since: f64,
    /// The end of the last one, and the states there.
    until: f64,
    at: Vec<f64>,
    /// How fast each state moved over it: of some methods all steps end on one side of a jump.
    rate: Vec<f64>,
    /// The last change of that which counts, and where the state was when it was reversed last.
    change: Vec<f64>,
    place: Vec<f64>,
    /// How often the change was the reverse of the one before.
    reversals: Vec<u32>,
    /// The state whose derivative is to be looked at within the next steps that change it.
    suspect: Option<Suspicion>,
    /// How many steps are still looked at.
    looks: u32,
    /// How many windows pass before the next suspicion, and how many did so before the last: twice as many after each that was not proven.
    rest: u32,
    rested: u32,
}

/// The state that seems to chatter.
#[derive(Clone, Copy)]
pub(crate) struct Suspicion {
    state: usize,
    since: f64,
    /// A jump that is smaller is not felt in the step.
    least: f64,
}

impl Chattering {
    pub(crate) fn new(n: usize, run: f64) -> Chattering {
        let zeros = || vec![0.0; n];
        Chattering {
            run,
            steps: 0,
            since: 0.0,
            until: f64::NAN,
            at: zeros(),
            rate: zeros(),
            change: zeros(),
            place: zeros(),
            reversals: vec![0; n],
            suspect: None,
            looks: 0,
            rest: 0,
            rested: 0,
        }
    }

    /// Looks at a step by its ends and the states at its end; says whose derivative seems to jump within it. `weight` is the
    /// tolerance of each state.
    pub(crate) fn notice(
        &mut self,
        (from, to): (f64, f64),
        state: &[f64],
        weight: impl Fn(usize) -> f64,
    ) -> Option<Suspicion> {
        let h = to - from;
        if h > CHATTERING_STEP * self.run {
            (self.steps, self.suspect) = (0, None);
            return None;
        }
        if self.steps == 0 {
            self.since = from;
            self.reversals.fill(0);
        }
        self.steps += 1;
        let is_next = self.until == from;
        self.until = to;
        let mut found = None;
        for (i, &y) in state.iter().enumerate() {
            let rate = (y - self.at[i]) / h;
            let change = rate - self.rate[i];
            (self.at[i], self.rate[i]) = (y, rate);
            let least = CHATTERING_FELT * weight(i) / h;
            if !is_next || change.abs() <= least {
                continue;
            }
            if change * self.change[i] < 0.0 {
                let moved = (y - self.place[i]).abs();
                self.reversals[i] += u32::from(moved <= CHATTERING_MOVED * weight(i));
                self.place[i] = y;
            }
            self.change[i] = change;
            let suspect = self.suspect.filter(|suspect| suspect.state == i && self.looks > 0);
            found = found.or(suspect.map(|suspect| Suspicion { least, ..suspect }));
        }
        if found.is_some() {
            self.looks -= 1;
        }
        if self.steps >= CHATTERING_STEPS {
            self.steps = 0;
            self.suspect = self.chattering().map(|state| Suspicion { state, since: self.since, least: 0.0 });
            self.looks = CHATTERING_LOOKS;
            if self.rest > 0 {
                self.rest -= 1;
                self.suspect = None;
            } else if self.suspect.is_some() {
                self.rested = (2 * self.rested + 1).min(CHATTERING_REST);
                self.rest = self.rested;
            }
        }
        found
    }

    /// The state that seems to chatter at the end of a window.
    fn chattering(&self) -> Option<usize> {
        let most = (0..self.reversals.len()).max_by_key(|&i| self.reversals[i])?;
        let enough = CHATTERING_REVERSALS * f64::from(CHATTERING_STEPS);
        (f64::from(self.reversals[most]) >= enough).then_some(most)
    }
}

impl Suspicion {
    /// Whether the derivative jumps within a step, or just beyond it where the flow leads from there; the failure that this is.
    pub(crate) fn proven(
        self,
        evaluation: Evaluation<'_>,
        (from, left): (f64, &[f64]),
        (to, right): (f64, &[f64]),
    ) -> Option<Failure> {
        let mut line =
            Line { evaluation, state: self.state, least: self.least, slopes: vec![0.0; left.len()] };
        let right = line.side(to, right.to_vec())?;
        let ahead =
            right.state.iter().zip(&line.slopes).map(|(y, slope)| y + CHATTERING_AHEAD * (to - from) * slope);
        let (ahead, left) = (ahead.collect(), line.side(from, left.to_vec())?);
        let sides = match line.jump(left, right.clone()) {
            Some(sides) => sides,
            None => {
                let ahead = line.side(to + CHATTERING_AHEAD * (to - from), ahead)?;
                line.jump(right, ahead)?
            }
        };
        Some(Failure::Chattering { t: from, since: self.since, state: self.state, sides: Box::new(sides) })
    }
}

/// A straight line between two points, and a derivative along it.
struct Line<'a> {
    evaluation: Evaluation<'a>,
    state: usize,
    /// The least jump that counts.
    least: f64,
    /// The derivatives at the point that was evaluated last.
    slopes: Vec<f64>,
}

impl Line<'_> {
    fn side(&mut self, t: f64, state: Vec<f64>) -> Option<Side> {
        self.evaluation.rhs(t, &state, &mut self.slopes).ok()?;
        Some(Side { t, state, rate: self.slopes[self.state] })
    }

    /// A share of the way from one point to another.
    fn between(&mut self, a: &Side, b: &Side, share: f64) -> Option<Side> {
        let state = a.state.iter().zip(&b.state).map(|(a, b)| a + share * (b - a)).collect();
        self.side(a.t + share * (b.t - a.t), state)
    }

    /// Two points next to each other between which the derivative makes the one jump that it makes between these two.
    fn jump(&mut self, mut left: Side, mut right: Side) -> Option<[Side; 2]> {
        if (left.rate - right.rate).abs() <= self.least {
            return None;
        }
        // a derivative made of rounding errors changes as much between any two points
        let (mut variation, mut before) = (0.0, left.rate);
        for k in 1..=CHATTERING_SAMPLES {
            let now = self.between(&left, &right, f64::from(k) / f64::from(CHATTERING_SAMPLES))?.rate;
            variation += (now - before).abs();
            before = now;
        }
        for _ in 0..CHATTERING_HALVINGS {
            let middle = self.between(&left, &right, 0.5)?;
            if middle.state == left.state || middle.state == right.state {
                break;
            }
            let jumps_later = (middle.rate - left.rate).abs() <= (right.rate - middle.rate).abs();
            if jumps_later { left = middle } else { right = middle }
        }
        let jump = (right.rate - left.rate).abs();
        (jump > self.least && jump >= CHATTERING_JUMP * variation).then_some([left, right])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many steps are suspect in five windows of them, a state moving at this rate in each.
    fn suspicions(h: f64, rate: impl Fn(u32) -> f64) -> usize {
        let mut chattering = Chattering::new(1, 1.0);
        let (mut y, mut found) = (0.0, 0);
        for k in 0..5 * CHATTERING_STEPS {
            y += h * rate(k);
            let ends = (f64::from(k) * h, f64::from(k + 1) * h);
            found += usize::from(chattering.notice(ends, &[y], |_| 1e-6).is_some());
        }
        found
    }

    #[test]
    fn rates_that_reverse_all_the_time_are_suspect_where_steps_are_tiny() {
        let back_and_forth = |k: u32| if k.is_multiple_of(2) { 2.0 } else { -2.0 };
        assert_eq!(suspicions(1e-7, back_and_forth), 2 * CHATTERING_LOOKS as usize);
        assert_eq!(suspicions(1e-3, back_and_forth), 0);
        // changes below the tolerance are noise
        assert_eq!(suspicions(1e-7, |k| 1e-12 * back_and_forth(k)), 0);
        // three steps on each side
        assert!(suspicions(1e-7, |k| if (k / 3).is_multiple_of(2) { 2.0 } else { -2.0 }) > 0);
    }

    #[test]
    fn oscillations_are_not() {
        assert_eq!(suspicions(1e-7, |k| (f64::from(k) * 0.1).sin()), 0);
        assert_eq!(suspicions(1e-7, |k| if (k / 40).is_multiple_of(2) { 2.0 } else { -2.0 }), 0);
    }
}
