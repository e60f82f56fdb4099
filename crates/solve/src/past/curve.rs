//! Values along a coordinate, which is time or a place, kept at points: smooth between them but for bends and jumps.

use std::collections::VecDeque;

use crate::constants::{PAST_POINTS, PAST_SUPPORT};

/// An interval between jumps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    pub low: f64,
    pub high: f64,
}

impl Piece {
    /// The whole axis.
    pub const ALL: Piece = Piece { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The distance of a place from the ends; negative outside.
    pub fn margin(&self, place: f64) -> f64 {
        f64::min(place - self.low, self.high - place)
    }

    /// Whether no place is inside both.
    pub(crate) fn is_apart_from(&self, other: &Piece) -> bool {
        self.low >= other.high || self.high <= other.low
    }
}

/// Places and values, ascending. Two entries of one place are a bend; where the values differ, it is a jump.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    entries: VecDeque<(f64, f64)>,
    /// The places of the jumps, ascending, and of bends that are as good as jumps.
    jumps: VecDeque<f64>,
}

impl Curve {
    pub fn clear(&mut self) {
        self.entries.clear();
        self.jumps.clear();
    }

    /// The first entry.
    pub fn first(&self) -> Option<(f64, f64)> {
        self.entries.front().copied()
    }

    /// The last entry.
    pub fn last(&self) -> Option<(f64, f64)> {
        self.entries.back().copied()
    }

    /// The last jump that satisfies `is_before`, which must hold up to some jump and for none beyond; and the next one.
    pub(crate) fn jumps_around(&self, is_before: impl Fn(f64) -> bool) -> (Option<f64>, Option<f64>) {
        let after = self.jumps.partition_point(|jump| is_before(*jump));
        (after.checked_sub(1).map(|before| self.jumps[before]), self.jumps.get(after).copied())
    }

    /// Appends a point. Of several values at one place the first and the last count.
    pub(crate) fn push_last(&mut self, place: f64, value: f64) {
        let n = self.entries.len();
        if n >= 2 && self.entries[n - 2].0 == place {
            self.entries.pop_back();
        }
        let before = self.entries.back().filter(|(last, _)| *last == place).map(|(_, value)| *value);
        if self.jumps.back() == Some(&place) {
            self.jumps.pop_back();
        }
        if before.is_some_and(|before| before != value) {
            self.jumps.push_back(place);
        }
        self.entries.push_back((place, value));
        self.thin_out();
    }

    /// Appends a bend that counts as an event.
    pub(crate) fn push_corner(&mut self, place: f64, value: f64) {
        self.push_last(place, value);
        self.push_last(place, value);
        if self.jumps.back() != Some(&place) {
            self.jumps.push_back(place);
        }
    }

    /// Prepends a point.
    pub(crate) fn push_first(&mut self, place: f64, value: f64) {
        if self.entries.len() >= 2 && self.entries[1].0 == place {
            self.entries.pop_front();
        }
        let after = self.entries.front().filter(|(first, _)| *first == place).map(|(_, value)| *value);
        if self.jumps.front() == Some(&place) {
            self.jumps.pop_front();
        }
        if after.is_some_and(|after| after != value) {
            self.jumps.push_front(place);
        }
        self.entries.push_front((place, value));
        self.thin_out();
    }

    /// Merges points that lie closer together than the bound on their number allows.
    fn thin_out(&mut self) {
        if self.entries.len() <= PAST_POINTS {
            return;
        }
        let width = self.entries[self.entries.len() - 1].0 - self.entries[0].0;
        let shortest = 4.0 * width / PAST_POINTS as f64;
        let mut kept: VecDeque<(f64, f64)> = VecDeque::new();
        let last = self.entries.len() - 1;
        for (i, entry) in self.entries.iter().enumerate() {
            if i == last || kept.back().is_none_or(|(before, _)| entry.0 - before >= shortest) {
                kept.push_back(*entry);
            }
        }
        self.entries = kept;
        let jumps = self.entries.iter().zip(self.entries.iter().skip(1));
        self.jumps = jumps.filter(|(a, b)| a.0 == b.0 && a.1 != b.1).map(|(a, _)| a.0).collect();
    }

    /// Forgets points before a place, except those needed to interpolate there.
    pub(crate) fn forget_before(&mut self, place: f64) {
        while self.entries.len() > PAST_SUPPORT && self.entries[PAST_SUPPORT - 1].0 < place {
            self.entries.pop_front();
        }
        let first = self.first().map_or(f64::NEG_INFINITY, |(first, _)| first);
        while self.jumps.front().is_some_and(|jump| *jump <= first) {
            self.jumps.pop_front();
        }
    }

    /// Forgets points after a place, except those needed to interpolate there.
    pub(crate) fn forget_after(&mut self, place: f64) {
        while self.entries.len() > PAST_SUPPORT && self.entries[self.entries.len() - PAST_SUPPORT].0 > place {
            self.entries.pop_back();
        }
        let last = self.last().map_or(f64::INFINITY, |(last, _)| last);
        while self.jumps.back().is_some_and(|jump| *jump >= last) {
            self.jumps.pop_back();
        }
    }

    /// Cuts the curve before a place. Says whether there was anything.
    pub(crate) fn cut_before(&mut self, place: f64) -> bool {
        if self.first().is_none_or(|(first, _)| first >= place) {
            return false;
        }
        let value = self.read(place, self.piece(place, false));
        self.entries.retain(|entry| entry.0 > place);
        self.jumps.retain(|jump| *jump > place);
        self.entries.push_front((place, value));
        true
    }

    /// Cuts the curve after a place. Says whether there was anything.
    pub(crate) fn cut_after(&mut self, place: f64) -> bool {
        if self.last().is_none_or(|(last, _)| last <= place) {
            return false;
        }
        let value = self.read(place, self.piece(place, true));
        self.entries.retain(|entry| entry.0 < place);
        self.jumps.retain(|jump| *jump < place);
        self.entries.push_back((place, value));
        true
    }

    /// The piece in which a place lies; one at a jump lies in that below it, or in that above.
    pub fn piece(&self, place: f64, below: bool) -> Piece {
        let (low, high) = self.jumps_around(|jump| if below { jump < place } else { jump <= place });
        Piece { low: low.unwrap_or(f64::NEG_INFINITY), high: high.unwrap_or(f64::INFINITY) }
    }

    /// The value at a place, interpolated within this piece alone; before the first entry the first, after the last the last.
    pub fn read(&self, place: f64, piece: Piece) -> f64 {
        if place >= piece.high {
            // the left side of the jump
            let after = self.entries.partition_point(|entry| entry.0 < piece.high);
            return self.entries.get(after).map_or(0.0, |entry| entry.1);
        }
        let place = place.max(piece.low);
        let after = self.entries.partition_point(|entry| entry.0 <= place);
        let Some(before) = after.checked_sub(1) else {
            return self.first().map_or(0.0, |(_, value)| value);
        };
        if after == self.entries.len() || self.entries[before].0 == place {
            return self.entries[before].1;
        }
        self.between(before, place)
    }

    /// The value between an entry and the next: the cubic through the four nearest ones that no bend lies between. It may
    /// deviate from the straight line only by as much as the neighbours bend: with clustered points it could go anywhere.
    fn between(&self, before: usize, place: f64) -> f64 {
        let (a, b) = (self.entries[before], self.entries[before + 1]);
        let slope = (b.1 - a.1) / (b.0 - a.0);
        let straight = a.1 + slope * (place - a.0);
        let most = 0.5 * (b.0 - a.0) * self.bend(before, slope);
        let (first, last) = self.support(before);
        let cubic = through(self.entries.range(first..=last).copied(), place);
        straight + (cubic - straight).clamp(-most, most)
    }

    /// The smaller difference of the slope to those of the neighbouring intervals.
    fn bend(&self, before: usize, slope: f64) -> f64 {
        let width = self.entries[before + 1].0 - self.entries[before].0;
        let beside = |a: Option<usize>, b: usize| {
            let (a, b) = (self.entries.get(a?)?, self.entries.get(b)?);
            (b.0 > a.0).then(|| (b.0 - a.0, ((b.1 - a.1) / (b.0 - a.0) - slope).abs()))
        };
        match (beside(before.checked_sub(1), before), beside(Some(before + 1), before + 2)) {
            (Some((_, left)), Some((_, right))) => left.min(right),
            // a single neighbour that is much shorter says nothing
            (Some((other, bend)), None) | (None, Some((other, bend))) if 8.0 * other >= width => bend,
            _ => 0.0,
        }
    }

    /// The entries around the interval after this one that no bend lies between, at most [`PAST_SUPPORT`].
    fn support(&self, before: usize) -> (usize, usize) {
        let (mut first, mut last) = (before, before + 1);
        while last - first + 1 < PAST_SUPPORT {
            let earlier = first.checked_sub(1).filter(|&i| self.entries[i].0 < self.entries[first].0);
            let later = Some(last + 1)
                .filter(|&i| i < self.entries.len() && self.entries[i].0 > self.entries[last].0);
            match (earlier, later) {
                (Some(_), Some(later)) if before - first > last - before - 1 => last = later,
                (Some(earlier), _) => first = earlier,
                (None, Some(later)) => last = later,
                (None, None) => break,
            }
        }
        (first, last)
    }
}

/// The value at `t` of the polynomial through these points (Lagrange).
pub fn through(points: impl Iterator<Item = (f64, f64)> + Clone, t: f64) -> f64 {
    let weight = |i: usize, ti: f64| {
        let others = points.clone().enumerate().filter(move |(j, _)| *j != i);
        others.map(|(_, (tj, _))| (t - tj) / (ti - tj)).product::<f64>()
    };
    // as differences to one of them: constants are reproduced exactly
    let base = points.clone().next().map_or(0.0, |(_, value)| value);
    let terms = points.clone().enumerate().map(|(i, (ti, value))| (value - base) * weight(i, ti));
    base + terms.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(entries: &[(f64, f64)]) -> Curve {
        let mut curve = Curve::default();
        entries.iter().for_each(|&(place, value)| curve.push_last(place, value));
        curve
    }

    #[test]
    fn a_cubic_is_met_from_both_directions() {
        let cubic = |t: f64| t * t * t - t;
        let points: Vec<(f64, f64)> =
            (0..9).map(|i| (0.125 * f64::from(i), cubic(0.125 * f64::from(i)))).collect();
        let forth = curve(&points);
        let mut back = Curve::default();
        points.iter().rev().for_each(|&(place, value)| back.push_first(place, value));
        for t in [0.2, 0.3, 0.6, 0.8] {
            assert!((forth.read(t, Piece::ALL) - cubic(t)).abs() < 1e-14);
            assert_eq!(forth.read(t, Piece::ALL), back.read(t, Piece::ALL));
        }
    }

    #[test]
    fn a_jump_has_two_sides() {
        let curve = curve(&[(0.0, 1.0), (1.0, 1.0), (1.0, 5.0), (2.0, 5.0)]);
        let (below, above) = (curve.piece(1.0, true), curve.piece(1.0, false));
        assert_eq!((below, above), (Piece { high: 1.0, ..Piece::ALL }, Piece { low: 1.0, ..Piece::ALL }));
        assert!(below.is_apart_from(&above));
        assert_eq!((curve.read(1.0, below), curve.read(1.0, above)), (1.0, 5.0));
        assert_eq!(curve.read(1.5, below), 1.0, "as before the jump, until it is met");
        assert_eq!(curve.read(0.5, above), 5.0);
    }

    #[test]
    fn clustered_points_do_not_overshoot() {
        let curve = curve(&[(0.0, 1.0), (1e-14, 1.5), (2e-14, 2.0), (0.1, 2.0), (0.2, 2.0)]);
        for i in 1..10 {
            assert_eq!(curve.read(0.01 * f64::from(i), Piece::ALL), 2.0);
        }
    }

    #[test]
    fn what_is_cut_off_is_gone() {
        let mut line = curve(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (3.0, 7.0), (4.0, 8.0)]);
        line.cut_before(0.5);
        line.cut_after(2.5);
        assert_eq!(line.first(), Some((0.5, 0.5)));
        assert_eq!(line.last(), Some((2.5, 2.5)));
        assert_eq!(line.jumps_around(|_| true), (None, None));
    }

    #[test]
    fn memory_is_bounded() {
        let mut line = Curve::default();
        for i in 0..300_000 {
            line.push_last(f64::from(i), f64::from(i % 7));
        }
        assert!(line.entries.len() <= PAST_POINTS);
        assert_eq!(line.last(), Some((299_999.0, f64::from(299_999 % 7))));
    }
}
