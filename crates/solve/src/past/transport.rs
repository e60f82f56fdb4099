//! `spatialDistribution` (MLS §3.7.4.2): a profile over a length of one that a flow carries along.
//!
//! Places are coordinates of the moving medium: at the displacement `x`, the first end is at `-x` and the second at
//! `1 - x`. So kept points never have to be moved. The inflow is appended at one end of the curve, the outflow is
//! forgotten at the other; when the flow reverses, the outflow is lost and the inflow begins with a jump.

use rhei_equations::VarId;

use super::curve::{Curve, Piece};
use super::sampling::Profile;
use crate::constants::{TRANSPORT_OF_STEP, TRANSPORT_ROUNDING};

/// One quantity that is transported.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    ends: [VarId; 2],
    curve: Curve,
    /// Displacement at the point being evaluated.
    moved: f64,
    /// Displacement and time of the last kept point.
    kept: f64,
    kept_at: f64,
    /// Displacement at the end of the step before: reads may still reach back to it.
    settled: f64,
    is_forward: bool,
    /// The inflows at the ends at the point being evaluated.
    inflows: [f64; 2],
    speed: f64,
    /// The pieces between jumps from which the values at the ends are interpolated.
    pieces: [Piece; 2],
}

impl Transport {
    pub fn new(ends: [VarId; 2]) -> Transport {
        Transport {
            ends,
            curve: Curve::default(),
            moved: 0.0,
            kept: 0.0,
            kept_at: 0.0,
            settled: 0.0,
            is_forward: true,
            inflows: [0.0; 2],
            speed: 0.0,
            pieces: [Piece::ALL; 2],
        }
    }

    /// The profile at the start; says whether it is one from end to end.
    pub fn begin(&mut self, t: f64, moved: f64, profile: &Profile) -> bool {
        let Profile { points, values } = profile;
        if !spans(points) {
            return false;
        }
        self.curve.clear();
        for (point, value) in points.iter().zip(values) {
            // the profile is straight between these points and bent at them, not smooth
            if *point > 0.0 && *point < 1.0 {
                self.curve.push_corner(point - moved, *value);
            } else {
                self.curve.push_last(point - moved, *value);
            }
        }
        (self.moved, self.kept, self.settled, self.kept_at, self.speed) = (moved, moved, moved, t, 0.0);
        self.settle();
        true
    }

    pub fn keep(&mut self, t: f64, inflows: [f64; 2], is_forward: bool, moved: f64) {
        let way = moved - self.kept;
        let goes_forward = if way.abs() <= TRANSPORT_ROUNDING { is_forward } else { way > 0.0 };
        if goes_forward {
            if self.curve.cut_before(-self.kept) {
                self.curve.push_first(-self.kept, inflows[0]);
            }
            let first = self.curve.first().map_or(-moved, |(first, _)| first);
            self.curve.push_first((-moved).min(first), inflows[0]);
        } else {
            if self.curve.cut_after(1.0 - self.kept) {
                self.curve.push_last(1.0 - self.kept, inflows[1]);
            }
            let last = self.curve.last().map_or(1.0 - moved, |(last, _)| last);
            self.curve.push_last((1.0 - moved).max(last), inflows[1]);
        }
        if t > self.kept_at {
            self.speed = way.abs() / (t - self.kept_at);
        }
        (self.kept, self.kept_at) = (moved, t);
        self.take(moved, inflows, goes_forward);
    }

    /// Takes the arguments at the point being evaluated; says whether any has changed.
    pub fn take(&mut self, moved: f64, inflows: [f64; 2], is_forward: bool) -> bool {
        let now = (moved, inflows, is_forward);
        let before = (self.moved, self.inflows, self.is_forward);
        (self.moved, self.inflows, self.is_forward) = now;
        before != now
    }

    pub fn set(&self, values: &mut [f64]) -> bool {
        let [first, second] = self.ends.map(|end| end.index());
        let [at_first, at_second] = self.at_ends();
        let before = (values[first], values[second]);
        (values[first], values[second]) = (at_first, at_second);
        before != (at_first, at_second)
    }

    /// The values at the ends: the present inflow, as long as it has not been kept.
    fn at_ends(&self) -> [f64; 2] {
        let [first, second] = self.places();
        let flows_in = |known: Option<(f64, f64)>, ahead: fn(f64, f64) -> bool, place: f64| {
            known.is_none_or(|(known, _)| ahead(place, known))
        };
        let in_first = self.is_forward && flows_in(self.curve.first(), |place, known| place <= known, first);
        let in_second =
            !self.is_forward && flows_in(self.curve.last(), |place, known| place >= known, second);
        [
            if in_first { self.inflows[0] } else { self.curve.read(first, self.pieces[0]) },
            if in_second { self.inflows[1] } else { self.curve.read(second, self.pieces[1]) },
        ]
    }

    /// The places of the ends.
    fn places(&self) -> [f64; 2] {
        [-self.moved, 1.0 - self.moved]
    }

    /// Chooses the pieces anew; says whether one is another.
    pub fn settle(&mut self) -> bool {
        let mut any = false;
        for (place, piece) in self.places().into_iter().zip(&mut self.pieces) {
            // moving forward, the ends' places fall: the piece below a jump comes next
            let now = self.curve.piece(place, self.is_forward);
            any |= std::mem::replace(piece, now).is_apart_from(&now);
        }
        any
    }

    /// The distance of the ends from the next jump, and from unknown inflow.
    pub fn margin(&self) -> f64 {
        let [first, second] = self.places();
        let jumps = f64::min(self.pieces[0].margin(first), self.pieces[1].margin(second));
        let known = match (self.curve.first(), self.curve.last()) {
            (Some((low, _)), Some((high, _))) => f64::min(second - low, high - first),
            _ => f64::INFINITY,
        };
        jumps.min(known)
    }

    pub fn longest_step(&self) -> f64 {
        if self.speed > 0.0 { TRANSPORT_OF_STEP / self.speed } else { f64::INFINITY }
    }

    pub fn forget(&mut self) {
        // both the step before and this one may still be read
        let (least, most) = (self.settled.min(self.kept), self.settled.max(self.kept));
        if self.is_forward {
            self.curve.forget_after(1.0 - least);
        } else {
            self.curve.forget_before(-most);
        }
        self.settled = self.kept;
    }
}

/// Whether these go from 0 to 1 without going back.
fn spans(points: &[f64]) -> bool {
    points.first() == Some(&0.0) && points.last() == Some(&1.0) && points.is_sorted()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves in steps of 0.05 over a way, with these inflows; answers the values at the ends afterwards.
    fn moved(transport: &mut Transport, way: f64, inflow: impl Fn(f64) -> f64, from: f64) -> [f64; 2] {
        let n = (way.abs() / 0.05).round() as i32;
        transport.keep(0.0, [inflow(from); 2], way > 0.0, from); // the event at the turn
        for i in 1..=n {
            let x = from + way * f64::from(i) / f64::from(n);
            transport.take(x, [inflow(x); 2], way > 0.0);
            transport.keep(f64::from(i), [inflow(x); 2], way > 0.0, x);
            transport.settle();
            transport.forget();
        }
        let mut values = [0.0; 2];
        transport.set(&mut values);
        values
    }

    fn transport(points: &[f64], values: &[f64]) -> Transport {
        let mut transport = Transport::new([VarId(0), VarId(1)]);
        let profile = Profile { points: points.to_vec(), values: values.to_vec() };
        assert!(transport.begin(0.0, 0.0, &profile));
        transport
    }

    #[test]
    fn a_profile_moves_out_and_what_flowed_in_follows() {
        let mut pipe = transport(&[0.0, 0.5, 1.0], &[3.0, 1.0, 2.0]);
        let [_, out] = moved(&mut pipe, 0.75, |x| 3.0 + x * x, 0.0);
        assert!((out - 2.0).abs() < 1e-12, "{out}");
        let [enters, out] = moved(&mut pipe, 0.75, |x| 3.0 + x * x, 0.75);
        assert!((enters - 5.25).abs() < 1e-12 && (out - 3.25).abs() < 1e-6, "{enters} {out}");
    }

    #[test]
    fn a_turn_brings_back_what_is_inside_and_loses_what_is_out() {
        let mut pipe = transport(&[0.0, 1.0], &[0.0, 1.0]);
        moved(&mut pipe, 0.4, |_| 7.0, 0.0);
        let [first, second] = moved(&mut pipe, -0.2, |_| 9.0, 0.4);
        assert_eq!((first, second), (7.0, 9.0));
        let [first, _] = moved(&mut pipe, -0.5, |_| 9.0, 0.2);
        assert!((first - 0.3).abs() < 1e-12, "{first}");
        let [first, _] = moved(&mut pipe, -0.4, |_| 9.0, -0.3);
        assert_eq!(first, 9.0, "what was beyond 0.6 had flowed out");
    }

    #[test]
    fn a_jump_is_met_at_its_place() {
        let mut pipe = transport(&[0.0, 0.25, 0.25, 1.0], &[1.0, 1.0, 2.0, 2.0]);
        pipe.take(0.7, [0.0; 2], true);
        assert!((pipe.margin() - 0.05).abs() < 1e-12);
        pipe.take(0.76, [0.0; 2], true);
        assert!(pipe.margin() < 0.0);
        let mut values = [0.0; 2];
        pipe.set(&mut values);
        assert_eq!(values[1], 2.0, "until its event");
        assert!(pipe.settle());
        pipe.set(&mut values);
        assert_eq!(values[1], 1.0);
    }

    #[test]
    fn points_must_go_from_end_to_end() {
        assert!(spans(&[0.0, 0.5, 0.5, 1.0]));
        for wrong in [&[0.0, 0.9][..], &[0.1, 1.0], &[0.0, 0.6, 0.5, 1.0], &[0.0, f64::NAN, 1.0], &[]] {
            assert!(!spans(wrong));
        }
    }
}
