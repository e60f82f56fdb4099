//! Crossings that depend on time alone, solved ahead. Between events nothing else moves them, so that the next one is known as
//! soon as the last event is over, and steps end there.

use std::convert::Infallible;

use rhei_kernel::Moves;
use rhei_numerics::roots::locate;
use rhei_solve::problem::ModelProblem;

use super::enclosed::Searched;
use super::{Enclosed, NextTimes, Side, Watcher};
use crate::constants::SEARCH_WORK;
use crate::reach::Reach;

/// The next crossings of event indicators that depend on time alone.
#[derive(Clone, Default)]
pub(crate) struct Ahead {
    known: Vec<NextCrossing>,
}

#[derive(Clone)]
struct NextCrossing {
    place: usize,
    /// The sides it keeps.
    sides: Vec<Side>,
    /// Time from which the result is valid.
    since: f64,
    /// Time of the next crossing, if there is one.
    at: Option<f64>,
    /// Time up to which there is no earlier one.
    until: f64,
    /// Whether it comes so close to its border, so often, that it is searched at the resolution of a careful search only.
    is_hard: bool,
}

impl NextCrossing {
    fn holds(&self, sides: &[Side], t: f64) -> bool {
        self.sides == sides && self.since <= t && self.at.is_none_or(|at| at > t) && t < self.until
    }
}

impl Ahead {
    /// For the crossings in `is_looked_for`.
    pub(crate) fn new(enclosed: &Enclosed, is_looked_for: &[bool]) -> Ahead {
        let all = enclosed.moves().iter().zip(is_looked_for).enumerate();
        let of_time = all.filter(|(_, (moves, is))| **is && **moves == Moves::WithTime);
        let nothing = |(place, _)| NextCrossing {
            place,
            sides: Vec::new(),
            since: f64::NAN,
            at: None,
            until: f64::NAN,
            is_hard: false,
        };
        Ahead { known: of_time.map(nothing).collect() }
    }

    /// Adds the next crossings after `t`, up to the stop, to the time events; none before `soonest`, the first instant
    /// distinguishable from `t`. Answers the crossings newly found to be hard: they may be missed where they come and go
    /// within `coarse`.
    pub(crate) fn next_times(
        &mut self,
        (enclosed, watcher): (&mut Enclosed, &Watcher),
        (problem, reach): (&ModelProblem, &Reach),
        (t, soonest, stop): (f64, f64, f64),
        coarse: f64,
        next: &mut NextTimes,
    ) -> Vec<usize> {
        let mut hard = Vec::new();
        enclosed.settle(&problem.values);
        for known in &mut self.known {
            let nudge = watcher.nudge_of(problem, known.place);
            // rounding decides nothing here: the nudge stays only where the crossing is not on its side without
            let by_itself = |side: Side| {
                let alone = Side { offset: side.offset - nudge, ..side };
                if enclosed.margin_at(alone, t).high < 0.0 { side } else { alone }
            };
            let sides: Vec<Side> = watcher.sides(problem, known.place).map(by_itself).collect();
            if enclosed.has_changed(known.place) || !known.holds(&sides, t) {
                let mut found = first_crossing(enclosed, &sides, (t, stop), known.is_hard, coarse);
                if found.too_much.is_some() && !known.is_hard {
                    known.is_hard = true;
                    hard.push(known.place);
                    found = first_crossing(enclosed, &sides, (t, stop), true, coarse);
                }
                let at = found.first.map(|at| at.max(soonest));
                (known.since, known.at, known.until) = (t, at, found.until);
                known.sides = sides;
            }
            let at = known.at.or((known.until < stop).then_some(known.until));
            let Some(at) = at else { continue };
            next.any = next.any.min(at);
            if watcher.touches(reach, known.place) {
                next.stops = next.stops.min(at);
            }
        }
        hard
    }

    /// The crossings due at a time, by index.
    pub(crate) fn due(&self, t: f64) -> impl Iterator<Item = usize> + '_ {
        self.known.iter().filter(move |known| known.at == Some(t)).map(|known| known.place)
    }
}

/// The first crossing of an event indicator that depends on time alone.
fn first_crossing(
    enclosed: &mut Enclosed,
    sides: &[Side],
    span: (f64, f64),
    is_hard: bool,
    coarse: f64,
) -> Searched {
    let finest = if is_hard { coarse } else { 0.0 };
    let Ok(found) = enclosed.search(sides, span, (finest, SEARCH_WORK), |enclosed, side, a, b| {
        Ok::<_, Infallible>(Some(solve(enclosed, side, a, b)))
    });
    found
}

/// The time between `a` and `b` at which a falling margin becomes negative.
fn solve(enclosed: &mut Enclosed, side: Side, a: f64, b: f64) -> f64 {
    let mut beyond = |t: f64| {
        let margin = enclosed.margin_at(side, t);
        -(margin.low + 0.5 * (margin.high - margin.low))
    };
    let ends = ((a, beyond(a)), (b, beyond(b)));
    let Ok(bracket) = locate(ends.0, ends.1, 0.0, |t| Ok::<_, Infallible>(beyond(t)));
    // no bracket: it is beyond its border at `a` already, but for rounding
    bracket.map_or(a.next_up(), |bracket| bracket.right)
}
