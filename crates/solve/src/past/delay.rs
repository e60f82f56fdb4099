//! `delay(value, by)` (MLS §3.7.4.1): the past value of an expression.

use rhei_equations::VarId;

use super::curve::{Curve, Piece};
use crate::constants::DELAY_ROUNDING;

/// The past of one value.
#[derive(Clone, Debug)]
pub(crate) struct Delay {
    result: VarId,
    by: f64,
    /// The maximum of `by` as given, and the time that must be kept.
    longest: f64,
    most: f64,
    /// Whether `by` may change during the run.
    pub varies: bool,
    curve: Curve,
    /// The piece between jumps from which the value is interpolated.
    piece: Piece,
    /// The value at the point being evaluated.
    now: f64,
}

impl Delay {
    pub fn new(result: VarId, varies: bool) -> Delay {
        Delay {
            result,
            by: 0.0,
            longest: 0.0,
            most: 0.0,
            varies,
            curve: Curve::default(),
            piece: Piece::ALL,
            now: 0.0,
        }
    }

    pub fn begin(&mut self) {
        self.curve.clear();
        self.piece = Piece::ALL;
    }

    pub fn keep(&mut self, t: f64, value: f64, by: f64, most: f64) {
        (self.by, self.longest, self.most, self.now) = (by, most, by.max(most), value);
        self.curve.push_last(t, value);
    }

    /// Takes the delay and the value at the point being evaluated; says whether that changes the result.
    pub fn take(&mut self, t: f64, by: f64, value: f64) -> bool {
        let before = (std::mem::replace(&mut self.by, by), std::mem::replace(&mut self.now, value));
        before.0 != by || (self.is_ahead(t) && before.1 != value)
    }

    /// Whether the result is later than the last kept point.
    fn is_ahead(&self, t: f64) -> bool {
        self.curve.last().is_some_and(|(last, _)| t - self.by > last)
    }

    pub fn set(&self, t: f64, values: &mut [f64]) -> bool {
        let value = self.at(t);
        std::mem::replace(&mut values[self.result.index()], value) != value
    }

    fn at(&self, t: f64) -> f64 {
        let asked = t - self.by;
        match self.curve.last() {
            Some((last, value)) if asked > last && t > last && self.piece.high == f64::INFINITY => {
                value + (self.now - value) * ((asked - last) / (t - last)).min(1.0)
            }
            _ => self.curve.read(asked, self.piece),
        }
    }

    /// The past time that is read at `t`. A jump that was passed stays passed, whatever rounding says.
    fn asked(&self, t: f64) -> f64 {
        let asked = t - self.by;
        if self.varies {
            return asked;
        }
        let (out, _) = self.curve.jumps_around(|jump| jump + self.by <= t);
        out.map_or(asked, |out| asked.max(out))
    }

    /// Chooses the piece anew; says whether it is another one.
    pub fn settle(&mut self, t: f64) -> bool {
        let piece = self.curve.piece(self.asked(t), false);
        std::mem::replace(&mut self.piece, piece).is_apart_from(&piece)
    }

    /// The distance from a jump whose time is not known in advance.
    pub fn margin(&self, t: f64) -> f64 {
        if self.varies { self.piece.margin(t - self.by) } else { f64::INFINITY }
    }

    /// The time of the next jump of the result after `t`, if it is known.
    pub fn next_jump(&self, t: f64) -> f64 {
        if self.varies {
            return f64::INFINITY;
        }
        let (_, next) = self.curve.jumps_around(|jump| jump + self.by <= t);
        next.map_or(f64::INFINITY, |next| next + self.by)
    }

    /// The longest step: the delay, so that past values are known, unless it is a short one.
    pub fn longest_step(&self, short: f64) -> f64 {
        // one that varies may become shorter within the step
        let longest = if self.varies { 0.5 * self.by } else { self.by };
        if longest >= short { longest } else { f64::INFINITY }
    }

    /// The delay, if it is negative or exceeds its maximum.
    pub fn wrong(&self) -> Option<f64> {
        let fits = self.by >= 0.0 && self.by <= self.longest * (1.0 + DELAY_ROUNDING);
        (!fits).then_some(self.by)
    }

    pub(crate) fn is_short(&self, short: f64) -> bool {
        self.by < short
    }

    pub fn forget(&mut self, t: f64) {
        self.curve.forget_before(t - self.most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_in_comes_out_later() {
        let mut delay = Delay::new(VarId(0), false);
        for (t, value) in [(0.0, 1.0), (1.0, 2.0), (1.0, 5.0), (2.0, 5.0)] {
            delay.keep(t, value, 1.5, 1.5);
            delay.settle(t);
        }
        assert_eq!(delay.at(0.5), 1.0, "before the start it was as at the start");
        assert_eq!(delay.at(2.0), 1.5);
        assert_eq!(delay.next_jump(2.0), 2.5);
        assert_eq!(delay.longest_step(0.0), 1.5);
        assert_eq!(delay.at(2.5), 2.0, "the left side of the jump, before its event");
        assert!(delay.settle(2.5));
        assert_eq!(delay.at(2.5), 5.0, "the right side");
    }

    #[test]
    fn a_bend_at_an_event_stays_a_bend() {
        let mut delay = Delay::new(VarId(0), false);
        for (t, value) in [(0.0, 0.0), (0.5, 0.0), (0.5, 0.0), (1.0, 1.0)] {
            delay.keep(t, value, 1.5, 1.5);
        }
        assert_eq!(delay.at(1.75), 0.0);
        assert_eq!(delay.next_jump(0.0), f64::INFINITY, "and is no jump");
    }

    #[test]
    fn without_delay_it_is_the_value_itself() {
        let mut delay = Delay::new(VarId(0), false);
        delay.keep(0.0, 1.0, 0.0, 0.0);
        assert!(delay.take(0.5, 0.0, 3.0));
        assert_eq!(delay.at(0.5), 3.0);
    }
}
