//! The past of what ticks, for `delay`, and the ticks that `sample(start, interval)` falls on (MLS §16.8.1).
//!
//! Values are kept at ticks, and by the method that divides a step also within it. Between them a value that varies continuously is on
//! the line, as the inputs of stages are; one that is discrete stays as it was. A delayed value is affine in the present value and in
//! the delay as long as the same piece of the line is read: these numbers are given, the equation is solved with all others, and where
//! its solution is on another piece, once more with that.

use std::collections::VecDeque;

use rhei_equations::{DelayAtTicks, Reading};
use rhei_model::CompiledPart;

use crate::constants::{PAST_PIECES_TRIED, PAST_TICKS, TICK_ROUNDING};

/// The past of a partition.
#[derive(Clone)]
pub(super) struct Past {
    of: Vec<Values>,
    /// A delay for whose time no piece was found since the last tick.
    unsettled: Option<usize>,
}

/// The past of one value.
#[derive(Clone)]
struct Values {
    rhythm: u32,
    varies: bool,
    /// Times and values, ascending.
    points: VecDeque<(f64, f64)>,
    /// How many of them are from ticks.
    settled: usize,
    piece: Piece,
}

/// The piece of the line that is read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    /// Before all points, it was as at the first.
    Before,
    /// From a point to the next.
    After(usize),
    /// From the last point to the present one.
    Ahead,
}

/// A delayed value that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unreadable {
    /// The time of this `delay` is negative, or longer than its maximum.
    Time(usize, f64),
    /// It would keep too many values.
    Memory(usize),
    /// Which of its values is read depends on what is read.
    Piece(usize),
}

impl Past {
    pub(super) fn new(compiled: &CompiledPart) -> Past {
        let of = compiled.schedule.delays.iter().map(|delay| Values {
            rhythm: compiled.schedule.rhythm(delay.result).unwrap_or(0),
            varies: delay.varies,
            points: VecDeque::new(),
            settled: 0,
            piece: Piece::Before,
        });
        Past { of: of.collect(), unsettled: None }
    }

    /// Without any delays.
    pub(super) fn none() -> Past {
        Past { of: Vec::new(), unsettled: None }
    }

    /// Notes a delay for whose time no piece is found.
    pub(super) fn note_unsettled(&mut self, place: usize) {
        self.unsettled.get_or_insert(place);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Begins a step: what was kept of a division of it is given up.
    pub(super) fn begin_step(&mut self, rhythm: u32) {
        for values in self.of.iter_mut().filter(|values| values.rhythm == rhythm) {
            values.points.truncate(values.settled);
        }
    }

    /// Chooses the pieces to be read at `t` for the delays among the values, and gives their numbers.
    pub(super) fn read(
        &mut self,
        compiled: &CompiledPart,
        all: &mut [f64],
        t: f64,
        ticks: impl Fn(u32) -> bool,
    ) {
        for (values, delay) in self.of.iter_mut().zip(&compiled.schedule.delays) {
            if ticks(values.rhythm) {
                values.piece = values.piece_at(t, all[delay.by.index()], is_held(delay));
                values.give(delay, all, t);
            }
        }
    }

    /// The same after an evaluation; says which delay is read on another piece now, if one is.
    pub(super) fn read_again(
        &mut self,
        compiled: &CompiledPart,
        all: &mut [f64],
        t: f64,
        ticks: impl Fn(u32) -> bool,
    ) -> Option<usize> {
        let mut changed = None;
        for (place, (values, delay)) in self.of.iter_mut().zip(&compiled.schedule.delays).enumerate() {
            if !ticks(values.rhythm) || !values.varies {
                continue;
            }
            let by = all[delay.by.index()];
            if !values.is_on_piece(t, by, is_held(delay)) {
                values.piece = values.piece_at(t, by, is_held(delay));
                values.give(delay, all, t);
                changed = Some(place);
            }
        }
        changed
    }

    /// Keeps the values of a point within a step.
    pub(super) fn keep_within(&mut self, compiled: &CompiledPart, all: &[f64], t: f64, rhythm: u32) {
        for (values, delay) in self.of.iter_mut().zip(&compiled.schedule.delays) {
            if values.rhythm == rhythm && !is_held(delay) {
                values.points.push_back((t, all[delay.value.index()]));
            }
        }
    }

    /// Keeps the values of a tick, and forgets what is not read any more.
    pub(super) fn keep(
        &mut self,
        compiled: &CompiledPart,
        all: &[f64],
        t: f64,
        ticks: impl Fn(u32) -> bool,
    ) -> Result<(), Unreadable> {
        if let Some(place) = self.unsettled.take() {
            return Err(Unreadable::Piece(place));
        }
        for (place, (values, delay)) in self.of.iter_mut().zip(&compiled.schedule.delays).enumerate() {
            if !ticks(values.rhythm) {
                continue;
            }
            let value = |v: rhei_equations::VarId| all[v.index()];
            let (by, most) = (value(delay.by), value(delay.most));
            let fits = by >= 0.0 && by <= most * (1.0 + TICK_ROUNDING);
            if !fits {
                return Err(Unreadable::Time(place, by));
            }
            values.points.push_back((t, value(delay.value)));
            values.settled = values.points.len();
            values.forget_before(t - most);
            if values.points.len() > PAST_TICKS {
                return Err(Unreadable::Memory(place));
            }
        }
        Ok(())
    }
}

/// Evaluates until every delay is read on the piece on which its time is. `Some` is one that is not.
pub(super) fn until_read<E>(
    past: &mut Past,
    mut evaluate: impl FnMut(&mut Past) -> Result<Option<usize>, E>,
) -> Result<Option<usize>, E> {
    let mut other = evaluate(past)?;
    let mut tried = 1;
    while other.is_some() && tried < PAST_PIECES_TRIED {
        other = evaluate(past)?;
        tried += 1;
    }
    Ok(other)
}

/// Whether its values stay as they are until the next tick.
fn is_held(delay: &DelayAtTicks) -> bool {
    matches!(delay.reading, Reading::Steps { .. })
}

impl Values {
    /// A time that counts as one with a point of it: a part of the present step.
    fn rounding(&self, t: f64) -> f64 {
        self.points.back().map_or(0.0, |(last, _)| TICK_ROUNDING * (t - last).abs())
    }

    fn piece_at(&self, t: f64, by: f64, is_held: bool) -> Piece {
        let (Some(&(first, _)), Some(&(last, _))) = (self.points.front(), self.points.back()) else {
            return Piece::Before;
        };
        let (asked, rounding) = (t - by, self.rounding(t));
        let is_ahead =
            if is_held { asked >= t - rounding && t > last } else { asked > last + rounding && t > last };
        if is_ahead {
            return Piece::Ahead;
        }
        if asked < first - rounding || self.points.len() == 1 && !is_held {
            return Piece::Before;
        }
        let after = self.points.partition_point(|(time, _)| *time <= asked + rounding);
        let most = if is_held { self.points.len() - 1 } else { self.points.len().saturating_sub(2) };
        Piece::After(after.saturating_sub(1).min(most))
    }

    /// Whether the piece that was read is the one for this delay, or touches it.
    fn is_on_piece(&self, t: f64, by: f64, is_held: bool) -> bool {
        let now = self.piece_at(t, by, is_held);
        if now == self.piece || by.is_nan() {
            return true;
        }
        let (asked, rounding) = (t - by, self.rounding(t));
        let at = |place: usize| self.points.get(place).map_or(f64::NAN, |(time, _)| *time);
        !is_held
            && match self.piece {
                Piece::Before => (asked - at(0)).abs() <= rounding,
                Piece::After(place) => asked >= at(place) - rounding && asked <= at(place + 1) + rounding,
                Piece::Ahead => asked >= at(self.points.len() - 1) - rounding,
            }
    }

    /// Gives the numbers by which the piece is read.
    fn give(&self, delay: &DelayAtTicks, all: &mut [f64], t: f64) {
        let by = all[delay.by.index()];
        match delay.reading {
            Reading::Steps { is_now, past } => {
                let value = match self.piece {
                    _ if self.points.is_empty() => None,
                    Piece::Ahead => None,
                    Piece::Before => self.points.front(),
                    Piece::After(place) => self.points.get(place),
                };
                all[is_now.index()] = f64::from(u8::from(value.is_none()));
                all[past.index()] = value.map_or(0.0, |(_, value)| *value);
            }
            Reading::Line { now, past } => {
                let [now_is, past_is] = self.affine(t, by);
                for (to, [constant, slope]) in [(now, now_is), (past, past_is)] {
                    // where the delay does not vary, the equation is without it
                    let numbers = if self.varies { [constant, slope] } else { [constant + slope * by, 0.0] };
                    to.iter().zip(numbers).for_each(|(v, number)| all[v.index()] = number);
                }
            }
        }
    }

    /// The share of the present value, and what comes from earlier ones, each as a constant and a slope over the delay.
    fn affine(&self, t: f64, by: f64) -> [[f64; 2]; 2] {
        let (Some(&(_, first)), Some(&(last, value))) = (self.points.front(), self.points.back()) else {
            return [[1.0, 0.0], [0.0, 0.0]];
        };
        match self.piece {
            Piece::Before => [[0.0, 0.0], [first, 0.0]],
            Piece::Ahead => [[1.0, -1.0 / (t - last)], [0.0, value / (t - last)]],
            Piece::After(place) => {
                let (a, b) = (self.points[place], self.points[place + 1]);
                let slope = (b.1 - a.1) / (b.0 - a.0);
                if self.varies {
                    return [[0.0, 0.0], [a.1 + slope * (t - a.0), -slope]];
                }
                // at a point exactly its value
                let (asked, rounding) = (t - by, self.rounding(t));
                let value = match asked {
                    _ if (asked - a.0).abs() <= rounding => a.1,
                    _ if (asked - b.0).abs() <= rounding => b.1,
                    _ => a.1 + slope * (asked - a.0),
                };
                [[0.0, 0.0], [value, 0.0]]
            }
        }
    }

    /// Forgets points before a time, but for the last of them.
    fn forget_before(&mut self, time: f64) {
        while self.points.len() > 2 && self.points[1].0 < time {
            self.points.pop_front();
        }
        self.settled = self.points.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(points: &[(f64, f64)], varies: bool) -> Values {
        let points: VecDeque<(f64, f64)> = points.iter().copied().collect();
        Values { rhythm: 0, varies, settled: points.len(), points, piece: Piece::Before }
    }

    /// The delayed value at `t`, the present value being `now`.
    fn read(values: &mut Values, t: f64, by: f64, now: f64) -> f64 {
        values.piece = values.piece_at(t, by, false);
        let [share, past] = values.affine(t, by);
        (share[0] + share[1] * by) * now + past[0] + past[1] * by
    }

    #[test]
    fn values_are_on_the_line_between_ticks() {
        for varies in [false, true] {
            let mut values = values(&[(0.0, 1.0), (0.1, 3.0), (0.2, 2.0)], varies);
            for (by, expected) in [
                (0.0, 8.0),
                (0.05, 5.0),
                (0.1, 2.0),
                (0.15, 2.5),
                (0.2, 3.0),
                (0.25, 2.0),
                (0.3, 1.0),
                (1.0, 1.0),
            ] {
                assert!((read(&mut values, 0.3, by, 8.0) - expected).abs() < 1e-14, "{varies}, {by}");
            }
        }
    }

    #[test]
    fn the_ends_of_a_piece_are_on_it() {
        let mut values = values(&[(0.0, 1.0), (0.1, 3.0), (0.2, 2.0)], true);
        values.piece = values.piece_at(0.3, 0.15, false);
        assert!(values.is_on_piece(0.3, 0.2, false) && values.is_on_piece(0.3, 0.1, false));
        assert!(!values.is_on_piece(0.3, 0.05, false) && !values.is_on_piece(0.3, 0.25, false));
    }

    #[test]
    fn discrete_values_stay_until_the_next_tick() {
        let values = values(&[(0.0, 1.0), (0.1, 3.0), (0.2, 2.0)], false);
        let at = |by: f64| values.piece_at(0.1 + 0.2, by, true);
        assert_eq!((at(0.0), at(0.1), at(0.05)), (Piece::Ahead, Piece::After(2), Piece::After(2)));
        assert_eq!(
            (at(0.15), at(0.2), at(0.3), at(0.4)),
            (Piece::After(1), Piece::After(1), Piece::After(0), Piece::Before)
        );
    }
}
