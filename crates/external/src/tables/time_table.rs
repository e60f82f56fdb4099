//! Tables over time: nothing before `startTime`, abscissae from `shiftTime` on, and events where the curve jumps or bends.
//!
//! Which side of a jump is meant, the moment alone does not tell: at the event, the curve is asked for its value before it and
//! after it. The next event does: a curve is always followed on the piece that ends with it, also a little beyond. So the
//! integrator sees a smooth curve up to the event, and a rounded time cannot fall on the wrong side.

use super::Jet;
use super::curve::Curves;
use super::grid::{Extrapolation, Outside, Term};

/// `Modelica.Blocks.Types.TimeEvents`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeEvents {
    Always,
    AtDiscontinuities,
    Never,
}

/// Moments closer than this share of their size are the same: they went through sums and products with `shiftTime` and
/// `timeScale`.
const SHARE: f64 = 1e-14;

/// A table over time.
#[derive(Clone, Debug)]
pub(crate) struct TimeTable {
    curves: Curves,
    start: f64,
    shift: f64,
    /// Abscissae at which something happens, rising strictly; with the first and the last one, or none at all.
    events: Vec<f64>,
}

impl TimeTable {
    pub(crate) fn new(curves: Curves, start: f64, shift: f64, events: TimeEvents) -> TimeTable {
        let x = &curves.grid.x;
        let is_event = |i: usize| match events {
            TimeEvents::Always => true,
            TimeEvents::AtDiscontinuities => i == 0 || i + 1 == x.len() || x[i] == x[i - 1],
            TimeEvents::Never => false,
        };
        let mut events: Vec<f64> = (0..x.len()).filter(|&i| is_event(i)).map(|i| x[i]).collect();
        events.dedup();
        // a single point is the same before and after
        if events.len() == 1 {
            events.clear();
        }
        TimeTable { curves, start, shift, events }
    }

    pub(crate) fn first(&self) -> f64 {
        self.curves.first()
    }

    pub(crate) fn last(&self) -> f64 {
        self.curves.last()
    }

    fn is_periodic(&self) -> bool {
        self.curves.grid.extrapolation == Extrapolation::Periodic && self.last() > self.first()
    }

    /// How far two moments near `t` may be apart and still be the same. The start does not count: it may be "always".
    fn rounding(&self, t: f64) -> f64 {
        let sizes = [t, self.shift, self.first(), self.last()];
        SHARE
            * sizes
                .iter()
                .fold(0.0_f64, |most, size| if size.is_finite() { most.max(size.abs()) } else { most })
    }

    /// The first event after `t`; infinite where there is none.
    pub(crate) fn next_event(&self, t: f64) -> f64 {
        let rounding = self.rounding(t);
        if t + rounding < self.start {
            return self.start;
        }
        let at = t - self.shift;
        let gone = if self.is_periodic() && !self.events.is_empty() {
            ((at + rounding - self.first()) / (self.last() - self.first())).floor()
                * (self.last() - self.first())
        } else {
            0.0
        };
        let after = |&&event: &&f64| event + gone > at + rounding;
        self.events.iter().find(after).map_or(f64::INFINITY, |event| event + gone + self.shift)
    }

    /// The value of a curve, counted from one, while `next` is the next event, and was before this moment.
    pub(crate) fn at(&self, curve: i64, t: f64, next: f64, before: f64) -> Result<Jet, Outside> {
        let rounding = self.rounding(t);
        // at the event and not yet through it
        let is_waiting = next == before && t >= next;
        let is_before_start =
            t + rounding < self.start || (is_waiting && (next - self.start).abs() <= rounding);
        if is_before_start {
            return Ok(Jet::default());
        }
        let at = t - self.shift;
        match self.piece(at, next - self.shift, is_waiting, rounding) {
            Some(terms) => self.curves.sum(curve, &terms?),
            None => self.curves.at(curve, at),
        }
    }

    /// The sum on the piece that ends with `next`, where `at` belongs to it.
    fn piece(
        &self,
        at: f64,
        next: f64,
        is_waiting: bool,
        rounding: f64,
    ) -> Option<Result<[Term; 2], Outside>> {
        let grid = &self.curves.grid;
        let (first, last) = (*self.events.first()?, *self.events.last()?);
        if !self.is_periodic() {
            // after the last event; infinity may be a very large number
            if next > last + rounding {
                return (at + rounding >= last).then(|| grid.above(at));
            }
            if (next - first).abs() <= rounding {
                return (at <= first + rounding || is_waiting).then(|| grid.below(at));
            }
        }
        let (at, next) = if self.is_periodic() {
            let period = last - first;
            let gone = ((next - last - rounding) / period).ceil() * period;
            (at - gone, next - gone)
        } else {
            (at, next)
        };
        let place = self.events.iter().position(|event| (event - next).abs() <= 2.0 * rounding)?;
        let begin = self.events[place.checked_sub(1)?];
        let end = self.events[place];
        if at + rounding < begin || (at > end + rounding && !is_waiting) {
            return None;
        }
        // the last point at its beginning, the first point at its end
        let lowest = grid.x.partition_point(|&x| x <= begin) - 1;
        let highest = grid.x.partition_point(|&x| x < end) - 1;
        Some(Ok(grid.within(grid.interval(at).clamp(lowest, highest), at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Matrix;
    use crate::tables::grid::Smoothness;

    /// The example of the library's documentation.
    fn table(smoothness: Smoothness, extrapolation: Extrapolation, start: f64, shift: f64) -> TimeTable {
        let elements = vec![0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 2.0, 4.0, 3.0, 9.0, 4.0, 16.0];
        let matrix = Matrix { rows: 6, columns: 2, elements };
        let curves = Curves::new(&matrix, &[2], smoothness, extrapolation).unwrap();
        TimeTable::new(curves, start, shift, TimeEvents::Always)
    }

    fn value(table: &TimeTable, t: f64, next: f64, before: f64) -> f64 {
        table.at(1, t, next, before).unwrap().value
    }

    #[test]
    fn a_jump_has_a_value_before_and_one_after() {
        let table = table(Smoothness::Linear, Extrapolation::LastTwoPoints, 0.0, 0.0);
        assert_eq!(table.next_event(0.0), 1.0);
        assert_eq!(value(&table, 1.0, 1.0, 1.0), 0.0);
        assert_eq!(table.next_event(1.0), 2.0);
        assert_eq!(value(&table, 1.0, 2.0, 1.0), 1.0);
        assert_eq!(value(&table, 1.0, 2.0, 2.0), 1.0);
        assert_eq!(value(&table, 1.5, 2.0, 2.0), 2.5);
        // the integrator looks a little beyond the event
        assert_eq!(value(&table, 2.5, 2.0, 2.0), 5.5);
        assert_eq!(table.next_event(4.0), f64::INFINITY);
        assert_eq!(value(&table, 5.0, f64::MAX, f64::MAX), 23.0);
    }

    #[test]
    fn a_rounded_time_does_not_miss_an_event() {
        let table = table(Smoothness::Constant, Extrapolation::Hold, 0.0, 0.0);
        let almost = 1.0_f64.next_down();
        assert_eq!(table.next_event(almost), 2.0);
        assert_eq!(value(&table, almost, 2.0, 1.0), 1.0);
        assert_eq!(value(&table, 4.0_f64.next_down(), f64::MAX, 4.0), 16.0);
    }

    #[test]
    fn nothing_before_the_start() {
        let table = table(Smoothness::Linear, Extrapolation::Hold, 1.5, 10.0);
        assert_eq!(table.next_event(0.0), 1.5);
        assert_eq!(value(&table, 1.0, 1.5, 1.5), 0.0);
        // the table begins at 10
        assert_eq!(table.next_event(1.5), 10.0);
        assert_eq!(table.next_event(10.0), 11.0);
        assert_eq!(value(&table, 12.5, 13.0, 13.0), 6.5);
        assert_eq!(value(&table, 20.0, f64::MAX, f64::MAX), 16.0);
    }

    #[test]
    fn a_table_may_begin_with_a_jump_and_have_always_begun() {
        let matrix = Matrix { rows: 3, columns: 2, elements: vec![2.0, 0.0, 2.0, 1.0, 4.0, 0.0] };
        let curves = Curves::new(&matrix, &[2], Smoothness::Constant, Extrapolation::Hold).unwrap();
        let table = TimeTable::new(curves, -1e60, 0.0, TimeEvents::Always);
        assert_eq!(table.next_event(0.0), 2.0);
        assert_eq!(value(&table, 0.0, 2.0, 0.0), 0.0);
        assert_eq!(value(&table, 2.0, 2.0, 2.0), 0.0);
        assert_eq!(value(&table, 2.0, 4.0, 2.0), 1.0);
    }

    #[test]
    fn periods_have_their_events() {
        let table = table(Smoothness::Linear, Extrapolation::Periodic, 0.0, 0.0);
        assert_eq!(table.next_event(3.5), 4.0);
        assert_eq!(value(&table, 4.0, 4.0, 4.0), 16.0);
        assert_eq!(table.next_event(4.0), 5.0);
        assert_eq!(value(&table, 4.0, 5.0, 4.0), 0.0);
        assert_eq!(value(&table, 5.0, 5.0, 5.0), 0.0);
        assert_eq!(value(&table, 5.0, 6.0, 5.0), 1.0);
        assert_eq!(value(&table, 5.5, 6.0, 6.0), 2.5);
    }

    #[test]
    fn events_at_jumps_only() {
        let mut table = table(Smoothness::Linear, Extrapolation::Hold, 0.0, 0.0);
        table = TimeTable::new(table.curves, 0.0, 0.0, TimeEvents::AtDiscontinuities);
        assert_eq!(table.next_event(0.0), 1.0);
        assert_eq!(table.next_event(1.0), 4.0);
        assert_eq!(value(&table, 3.5, 4.0, 4.0), 12.5);
        table = TimeTable::new(table.curves, 0.0, 0.0, TimeEvents::Never);
        assert_eq!(table.next_event(0.0), f64::INFINITY);
        assert_eq!(value(&table, 3.5, f64::MAX, f64::MAX), 12.5);
    }
}
