//! Crossings within a piece of time: found, or shown not to be there.
//!
//! What crosses is enclosed over the piece, values and rates ([`Slices`]), on the polynomials of the step. Where the enclosure keeps
//! its side there is no crossing; where what crosses only falls, its end tells; otherwise the piece is halved, down to a finest
//! one. So two crossings that are further apart than that are never taken for none, whatever the step is (Moore 1966; Park & Barton
//! 1996 for events).

use rhei_kernel::{Extract, Moves, Moving, Range, Slices, Slot};
use rhei_numerics::bernstein::Paths;

use crate::CompiledModel;

/// Enclosures of one search, a bound on its work. At a microsecond each that is a second.
const MOST_ENCLOSURES: u64 = 1_000_000;
/// An enclosure no wider than so many times the blur at its middle, by rounding or by errors of the integrator, is as narrow as it can be:
/// halving it shows nothing more. What rests at its border would be halved without end.
const AS_NARROW: f64 = 4.0;

/// A side that something keeps: `value + offset` is not negative, or, from below, not positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    /// Which crossing.
    pub(crate) place: usize,
    pub(crate) is_above: bool,
    pub(crate) offset: f64,
}

impl Side {
    fn margin(self, value: Range) -> Range {
        let moved = match self.offset {
            0.0 => value,
            offset => Range { low: (value.low + offset).next_down(), high: (value.high + offset).next_up() },
        };
        if self.is_above { moved } else { moved.negate() }
    }

    fn rate(self, rate: Range) -> Range {
        if self.is_above { rate } else { rate.negate() }
    }
}

/// What is known of a side over a piece of time.
enum Verdict {
    Stays,
    /// It only comes closer to its border.
    Falls,
    Unsure,
}

/// What a search came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Searched {
    /// The first crossing.
    pub(crate) first: Option<f64>,
    /// Up to where there is no other one; the end, unless the work was too much.
    pub(crate) until: f64,
}

/// Memory for the enclosures of one model in one mode.
#[derive(Clone)]
pub(crate) struct Enclosed {
    slices: std::sync::Arc<Slices>,
    moves: Vec<Moves>,
    /// For each slot of the slices.
    moving: Vec<Moving>,
    time: Option<usize>,
    /// Slots of the slices with the states that they are, by number.
    states: Vec<(usize, usize)>,
    /// Slots of the slices with the slots of the model that they are, of what stays between events.
    constants: Vec<(usize, Slot)>,
    paths: Paths,
    /// By how much each path is not told from another one.
    blur: Vec<f64>,
    /// What moves with states, all at once; and one by one, once it was asked for.
    all: Extract,
    single: Vec<Option<Extract>>,
    enclosures: u64,
}

impl Enclosed {
    /// For a model; none where nothing that crosses has a formula.
    pub(crate) fn new(model: &CompiledModel) -> Option<Enclosed> {
        let slices = model.crossing_slices();
        let moves: Vec<Moves> = slices.moves().collect();
        if !moves.iter().any(|moves| matches!(moves, Moves::WithTime | Moves::WithStates)) {
            return None;
        }
        let state_of =
            |slot: Slot| model.solvable.states.iter().position(|state| Slot::from(state.variable) == slot);
        let (mut time, mut states, mut constants) = (None, Vec::new(), Vec::new());
        for (own, &slot) in slices.slots().iter().enumerate() {
            if slot == model.code.time() {
                time = Some(own);
            } else if let Some(state) = state_of(slot) {
                states.push((own, state));
            } else {
                constants.push((own, slot));
            }
        }
        let of_states = moves.iter().enumerate().filter(|(_, moves)| **moves == Moves::WithStates);
        let all = slices.extract(of_states.map(|(place, _)| place));
        Some(Enclosed {
            moving: vec![Moving::constant(0.0); slices.slots().len()],
            time,
            paths: Paths::new(states.len()),
            blur: vec![0.0; states.len()],
            states,
            constants,
            all,
            single: vec![None; moves.len()],
            moves,
            slices,
            enclosures: 0,
        })
    }

    /// What each crossing moves with.
    pub(crate) fn moves(&self) -> &[Moves] {
        &self.moves
    }

    /// Takes what stays between events as it is now.
    pub(crate) fn settle(&mut self, values: &[f64]) {
        for &(own, slot) in &self.constants {
            self.moving[own] = Moving::constant(values[slot.index()]);
        }
    }

    /// Whether what stays between events is as it was when it was taken last.
    pub(crate) fn is_settled(&self, values: &[f64]) -> bool {
        let same = |own: usize, now: f64| now.is_nan() || self.moving[own].value == Range::point(now);
        self.constants.iter().all(|&(own, slot)| same(own, values[slot.index()]))
    }

    /// Follows the states over a step, which `interpolate` gives at any time within. `blur` says of a state and its value by how much it
    /// is not told from another one.
    pub(crate) fn follow(
        &mut self,
        (from, to, degree): (f64, f64, usize),
        states: &mut [f64],
        interpolate: impl Fn(f64, &mut [f64]),
        blur: impl Fn(usize, f64) -> f64,
    ) {
        let own = &self.states;
        self.paths.follow(from, to, degree, |t, values| {
            interpolate(t, states);
            values.clear();
            values.extend(own.iter().map(|&(_, state)| states[state]));
        });
        for (own, &(_, state)) in self.blur.iter_mut().zip(&self.states) {
            *own = blur(state, states[state]);
        }
    }

    /// Sets what moves to what it is over a piece of time.
    fn place(&mut self, from: f64, to: f64) {
        if let Some(time) = self.time {
            self.moving[time] = Moving { value: Range { low: from, high: to }, rate: Range::point(1.0) };
        }
        for (path, &(own, _)) in self.states.iter().enumerate() {
            let ((low, high), (slow, fast)) = self.paths.over(path, from, to);
            let range =
                |low: f64, high: f64| if low <= high { Range { low, high } } else { Range::EVERYTHING };
            self.moving[own] = Moving { value: range(low, high), rate: range(slow, fast) };
        }
        self.enclosures += 1;
    }

    /// What crosses at a place, over a piece of time.
    fn enclose(&mut self, place: usize, from: f64, to: f64) -> Moving {
        self.place(from, to);
        let extract = self.single[place].get_or_insert_with(|| self.slices.extract([place]));
        self.slices.enclose(extract, &mut self.moving);
        self.slices.watched(place, &self.moving)
    }

    /// The margin of a side at one instant, as far as rounding lets it be known.
    pub(crate) fn margin_at(&mut self, side: Side, t: f64) -> Range {
        side.margin(self.enclose(side.place, t, t).value)
    }

    /// How far what crosses is not told from another value at one instant.
    fn blur_at(&mut self, place: usize, t: f64) -> f64 {
        self.place(t, t);
        for (&(own, _), blur) in self.states.iter().zip(&self.blur) {
            let value = &mut self.moving[own].value;
            *value = Range { low: value.low - blur, high: value.high + blur };
        }
        let extract = self.single[place].get_or_insert_with(|| self.slices.extract([place]));
        self.slices.enclose(extract, &mut self.moving);
        self.slices.watched(place, &self.moving).value.width()
    }

    /// The first crossing from one time to another. `locate` finds the instant, given which crossing it is and between which times.
    pub(crate) fn search<E>(
        &mut self,
        sides: &[Side],
        (from, to): (f64, f64),
        finest: f64,
        mut locate: impl FnMut(&mut Enclosed, Side, f64, f64) -> Result<Option<f64>, E>,
    ) -> Result<Searched, E> {
        let begun = self.enclosures;
        let mut first: Option<f64> = None;
        // pieces still to be looked at, the next one last
        let mut open: Vec<(f64, f64, Vec<Side>)> = Vec::new();
        let unsure = self.undecided(sides, from, to);
        let mut piece = (!unsure.is_empty()).then_some((from, to, unsure));
        while let Some((a, b, unsure)) = piece.take().or_else(|| open.pop()) {
            if first.is_some_and(|first| first <= a) {
                break;
            }
            if self.enclosures - begun > MOST_ENCLOSURES {
                return Ok(Searched { first, until: a });
            }
            let b = first.map_or(b, |first| b.min(first));
            let middle = a + 0.5 * (b - a);
            let is_finest = b - a <= finest || middle <= a || middle >= b;
            let mut left = Vec::new();
            for side in unsure {
                let over = self.enclose(side.place, a, b);
                match self.verdict(side, over, a, b, is_finest) {
                    Verdict::Stays => {}
                    Verdict::Falls => {
                        if self.margin_at(side, b).high < 0.0
                            && let Some(t) = locate(self, side, a, b)?
                        {
                            first = Some(first.map_or(t, |first: f64| first.min(t)));
                        }
                    }
                    Verdict::Unsure => left.push(side),
                }
            }
            if !left.is_empty() {
                open.push((middle, b, left.clone()));
                open.push((a, middle, left));
            }
        }
        Ok(Searched { first, until: to })
    }

    /// Of these sides, those that one look at the whole piece does not show to be kept.
    fn undecided(&mut self, sides: &[Side], from: f64, to: f64) -> Vec<Side> {
        self.place(from, to);
        self.slices.enclose(&self.all, &mut self.moving);
        let stays = |side: &Side| {
            let over = self.slices.watched(side.place, &self.moving);
            self.moves[side.place] == Moves::WithStates
                && (side.margin(over.value).low >= 0.0 || side.rate(over.rate).low >= 0.0)
        };
        sides.iter().copied().filter(|side| !stays(side)).collect()
    }

    fn verdict(&mut self, side: Side, over: Moving, from: f64, to: f64, is_finest: bool) -> Verdict {
        let (margin, rate) = (side.margin(over.value), side.rate(over.rate));
        if margin.low >= 0.0 || rate.low >= 0.0 {
            return Verdict::Stays;
        }
        if rate.high <= 0.0 || is_finest {
            return Verdict::Falls;
        }
        let middle = from + 0.5 * (to - from);
        let at_middle = self.margin_at(side, middle);
        // from the middle on it comes no further than its rate allows
        let half = (0.5 * (to - from)).next_up();
        let reach = (rate.low.abs().max(rate.high) * half).next_up();
        let width = margin.width().min(at_middle.width() + 2.0 * reach);
        if width.is_finite() && width <= AS_NARROW * self.blur_at(side.place, middle) {
            return Verdict::Falls;
        }
        if (at_middle.low - reach).next_down() >= 0.0 { Verdict::Stays } else { Verdict::Unsure }
    }
}
