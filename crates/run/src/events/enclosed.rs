//! Crossings within a piece of time: found, or shown not to be there.
//!
//! Event indicators are enclosed over the piece, values and rates ([`Slices`]), on the polynomials of the step; if that does not
//! decide, as a polynomial of time with a remainder ([`TaylorModel`]). If the enclosure keeps its side there is no crossing; if
//! the margin only falls, its end decides; otherwise the piece is halved, down to a finest one. So two crossings further apart
//! than the finest piece are never missed, whatever the step is (Moore 1966; Park & Barton 1996 for events).

use rhei_kernel::{Extract, Moves, Moving, ORDER, Range, Series, Slices, Slot};
use rhei_model::CompiledModel;
use rhei_numerics::bernstein::{Bounds, MOST_DEGREE, Paths, TaylorModel};

use crate::constants::{
    ENCLOSURE_NARROW, EXPANSION_COST, EXPANSION_GOOD, EXPANSION_HALVINGS, EXPANSION_RETRIED, PATH_COST,
};

/// A side that a crossing keeps: `value + offset` is not negative, or, from below, not positive.
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

/// Partial results for a piece of time that did not decide it.
#[derive(Clone, Copy)]
enum PartialRange {
    Nothing,
    /// The indicator's range, over this very piece.
    Ranges(Moving),
    /// The margin, over a piece that holds this one.
    Expansion(TaylorModel),
}

/// The result for a side over a piece of time.
enum Verdict {
    Stays,
    /// It only comes closer to its border.
    Falls,
    Unsure,
}

/// A piece of time still to be searched, with the sides not shown to be kept there.
type Piece = (f64, f64, Vec<(Side, PartialRange)>);

/// The result of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Searched {
    /// The first crossing.
    pub(crate) first: Option<f64>,
    /// The time up to which there is no other one; the end, unless the work exceeded its bound.
    pub(crate) until: f64,
    /// A crossing for which it did.
    pub(crate) too_much: Option<usize>,
}

/// The program of an enclosure.
#[derive(Clone, Default)]
struct Look {
    extract: Extract,
    /// The slots it needs that are states, each with its path.
    paths: Vec<(usize, usize)>,
}

impl Look {
    fn new(
        slices: &Slices,
        states: &[(usize, usize)],
        places: impl IntoIterator<Item = usize> + Clone,
    ) -> Look {
        let extract = slices.extract(places);
        let paths = states.iter().enumerate().map(|(path, &(own, _))| (own, path));
        Look { paths: paths.filter(|&(own, _)| extract.reads(own)).collect(), extract }
    }
}

impl Look {
    fn work(&self) -> u64 {
        self.extract.instructions() + PATH_COST * self.paths.len() as u64
    }
}

/// Memory for the enclosures of one model in one mode.
#[derive(Clone)]
pub(crate) struct Enclosed {
    slices: std::sync::Arc<Slices>,
    moves: Vec<Moves>,
    /// For each slot of the slices.
    moving: Vec<Moving>,
    series: Vec<Series>,
    time: Option<usize>,
    /// Slots of the slices that are states, each with the index of the state.
    states: Vec<(usize, usize)>,
    /// Slots of the slices that are constant between events, each with its slot of the model.
    constants: Vec<(usize, Slot)>,
    /// Which of these changed when they were last read.
    have_changed: Vec<bool>,
    paths: Paths,
    /// The uncertainty of each path.
    blur: Vec<f64>,
    /// The indicators that depend on states: all at once, and one by one, extracted on demand.
    all: Look,
    single: Vec<Option<Look>>,
    /// For each crossing, the longest piece over which an expansion is expected to tell more than ranges do.
    pays: Vec<f64>,
    enclosures: u64,
    work: u64,
}

impl Enclosed {
    /// For a model; none if no event indicator has a formula.
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
            } else if !slices.is_computed(own) {
                constants.push((own, slot));
            }
        }
        let of_states = moves.iter().enumerate().filter(|(_, moves)| **moves == Moves::WithStates);
        let all = Look::new(&slices, &states, of_states.map(|(place, _)| place));
        Some(Enclosed {
            moving: vec![Moving::constant(0.0); slices.slots().len()],
            series: vec![Series::constant(Range::ZERO); slices.slots().len()],
            time,
            paths: Paths::new(states.len()),
            blur: vec![0.0; states.len()],
            states,
            have_changed: vec![false; constants.len()],
            constants,
            all,
            single: vec![None; moves.len()],
            pays: vec![f64::INFINITY; moves.len()],
            moves,
            slices,
            enclosures: 0,
            work: 0,
        })
    }

    /// The dependence of each event indicator: on time alone, on states, or on more.
    pub(crate) fn moves(&self) -> &[Moves] {
        &self.moves
    }

    /// Enclosures so far.
    pub(crate) fn enclosures(&self) -> u64 {
        self.enclosures
    }

    /// Their work, in instructions over ranges.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// The work of one enclosure of all indicators.
    pub(crate) fn work_of_look(&self) -> u64 {
        self.all.work()
    }

    /// Reads the values that are constant between events.
    pub(crate) fn settle(&mut self, values: &[f64]) {
        for (&(own, slot), has_changed) in self.constants.iter().zip(&mut self.have_changed) {
            let now = Moving::constant(values[slot.index()]);
            *has_changed = self.moving[own] != now;
            if *has_changed {
                self.moving[own] = now;
                self.series[own] = Series::constant(now.value);
            }
        }
    }

    /// Whether the last reading changed any of them that a crossing depends on.
    pub(crate) fn has_changed(&mut self, place: usize) -> bool {
        if !self.have_changed.contains(&true) {
            return false;
        }
        let look = self.take_single(place);
        let mut constants = self.constants.iter().zip(&self.have_changed);
        let has_changed = constants.any(|(&(own, _), is)| *is && look.extract.reads(own));
        self.single[place] = Some(look);
        has_changed
    }

    /// Follows the states over a step, which `interpolate` gives at any time within. `blur` is the uncertainty of a state at a
    /// value.
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

    /// Sets time and states to their ranges over a piece of time, widened by a share of their blur.
    fn place(&mut self, look: &Look, (from, to): (f64, f64), blurred: f64) {
        if let Some(time) = self.time {
            self.moving[time] = Moving { value: Range { low: from, high: to }, rate: Range::point(1.0) };
        }
        for &(own, path) in &look.paths {
            let ((low, high), (slow, fast)) = self.paths.over(path, from, to);
            let blur = blurred * self.blur[path];
            self.moving[own] = Moving { value: range((low - blur, high + blur)), rate: range((slow, fast)) };
        }
        self.enclosures += 1;
        self.work += look.work();
    }

    /// The range of one indicator over a piece.
    fn enclose(&mut self, place: usize, piece: (f64, f64), blurred: f64) -> Moving {
        let look = self.take_single(place);
        self.place(&look, piece, blurred);
        self.slices.enclose(&look.extract, &mut self.moving);
        self.single[place] = Some(look);
        self.slices.watched(place, &self.moving)
    }

    fn take_single(&mut self, place: usize) -> Look {
        self.single[place].take().unwrap_or_else(|| Look::new(&self.slices, &self.states, [place]))
    }

    /// The margin of a side at one instant, as far as rounding lets it be known.
    pub(crate) fn margin_at(&mut self, side: Side, t: f64) -> Range {
        side.margin(self.enclose(side.place, (t, t), 0.0).value)
    }

    /// The uncertainty of an indicator at one instant.
    fn blur_at(&mut self, place: usize, t: f64) -> f64 {
        self.enclose(place, (t, t), 1.0).value.width()
    }

    /// The margin of a side over a piece of time, as a polynomial with a remainder: of those at hand, the one with the least.
    /// None if there is no bound.
    fn expand(&mut self, side: Side, (from, to): (f64, f64)) -> Option<TaylorModel> {
        let look = self.take_single(side.place);
        self.place(&look, (from, to), 0.0);
        let middle = from + 0.5 * (to - from);
        let half = (middle - from).max(to - middle).next_up();
        if let Some(time) = self.time {
            self.series[time] = Series::time(Range { low: from, high: to }, middle, half);
        }
        for &(own, path) in &look.paths {
            let coefficient = |k: usize, piece| range(self.paths.coefficient(path, k, piece, half));
            let both = |k: usize| (coefficient(k, (middle, middle)), coefficient(k, (from, to)));
            self.series[own] = Series::polynomial(self.paths.degree(), both);
        }
        self.work += EXPANSION_COST * look.work();
        self.slices.expand(&look.extract, half, &mut self.moving, &mut self.series);
        self.single[side.place] = Some(look);
        let series = self.slices.expanded(side.place, &self.series);
        let unsure = |order: usize| series.up_to(order).map(Range::width).sum::<f64>();
        let order = (1..=ORDER).min_by(|&a, &b| unsure(a).total_cmp(&unsure(b)))?;
        let mut bounds = [(0.0, 0.0); ORDER + 1];
        for (k, (bounds, range)) in bounds.iter_mut().zip(series.up_to(order)).enumerate() {
            let range = if k == 0 { side.margin(range) } else { side.rate(range) };
            *bounds = (range.low, range.high);
        }
        TaylorModel::new(middle, half, &bounds[..=order])
    }

    /// The first crossing from one time to another, with at most `most` work. `locate` finds the instant of a given crossing
    /// between two times.
    pub(crate) fn search<E>(
        &mut self,
        sides: &[Side],
        (from, to): (f64, f64),
        (finest, most): (f64, u64),
        mut locate: impl FnMut(&mut Enclosed, Side, f64, f64) -> Result<Option<f64>, E>,
    ) -> Result<Searched, E> {
        let begun = self.work;
        let mut first: Option<f64> = None;
        // the next one last
        let mut open: Vec<Piece> = Vec::new();
        let unsure = self.undecided(sides, from, to);
        let mut piece = (!unsure.is_empty()).then_some((from, to, unsure));
        while let Some((a, b, unsure)) = piece.take().or_else(|| open.pop()) {
            if first.is_some_and(|first| first <= a) {
                break;
            }
            if self.work - begun > most {
                return Ok(Searched {
                    first,
                    until: a,
                    too_much: unsure.first().map(|(side, _)| side.place),
                });
            }
            let b = first.map_or(b, |first| b.min(first));
            let middle = a + 0.5 * (b - a);
            let is_finest = b - a <= finest || middle <= a || middle >= b;
            let mut left = Vec::new();
            for (side, mut known) in unsure {
                match self.verdict(side, &mut known, (a, b), is_finest) {
                    Verdict::Stays => {}
                    Verdict::Falls => {
                        if self.margin_at(side, b).high < 0.0
                            && let Some(t) = locate(self, side, a, b)?
                        {
                            first = Some(first.map_or(t, |first: f64| first.min(t)));
                        }
                    }
                    Verdict::Unsure => left.push((side, known)),
                }
            }
            if !left.is_empty() {
                open.push((middle, b, left.clone()));
                open.push((a, middle, left));
            }
        }
        Ok(Searched { first, until: to, too_much: None })
    }

    /// Those of the sides that one enclosure of the whole piece does not show to be kept.
    fn undecided(&mut self, sides: &[Side], from: f64, to: f64) -> Vec<(Side, PartialRange)> {
        let all = std::mem::take(&mut self.all);
        self.place(&all, (from, to), 0.0);
        self.slices.enclose(&all.extract, &mut self.moving);
        self.all = all;
        let looked = |side: &Side| {
            if self.moves[side.place] != Moves::WithStates {
                return Some((*side, PartialRange::Nothing));
            }
            let over = self.slices.watched(side.place, &self.moving);
            let stays = side.margin(over.value).low >= 0.0 || side.rate(over.rate).low >= 0.0;
            (!stays).then_some((*side, PartialRange::Ranges(over)))
        };
        sides.iter().filter_map(looked).collect()
    }

    /// Decides a side over a piece of time: by the expansion at hand, by ranges, or by a new expansion.
    fn verdict(
        &mut self,
        side: Side,
        known: &mut PartialRange,
        piece: (f64, f64),
        is_finest: bool,
    ) -> Verdict {
        let over = match std::mem::replace(known, PartialRange::Nothing) {
            PartialRange::Nothing => self.enclose(side.place, piece, 0.0),
            PartialRange::Ranges(over) => over,
            PartialRange::Expansion(model) => {
                self.enclosures += 1;
                let (margin, rate) = model.over(piece.0, piece.1);
                let width = margin.1 - margin.0;
                if let Some(verdict) = shown(margin, rate) {
                    return verdict;
                }
                if model.off() <= EXPANSION_GOOD * width {
                    *known = PartialRange::Expansion(model);
                    return self.unless_narrow(side, width, piece, is_finest);
                }
                self.enclose(side.place, piece, 0.0)
            }
        };
        let (margin, rate) = (side.margin(over.value), side.rate(over.rate));
        if let Some(verdict) = shown((margin.low, margin.high), (rate.low, rate.high)) {
            return verdict;
        }
        if is_finest || piece.1 - piece.0 > self.pays[side.place] {
            return self.unless_narrow(side, margin.width(), piece, is_finest);
        }
        self.verdict_expanded(side, known, piece, margin.width())
    }

    /// The same by a new expansion, given the width of the range.
    fn verdict_expanded(
        &mut self,
        side: Side,
        known: &mut PartialRange,
        piece: (f64, f64),
        width: f64,
    ) -> Verdict {
        let length = piece.1 - piece.0;
        let Some(model) = self.expand(side, piece) else {
            self.pays[side.place] = EXPANSION_RETRIED * length;
            return self.unless_narrow(side, width, piece, false);
        };
        let (margin, rate) = model.over(piece.0, piece.1);
        let width = width.min(margin.1 - margin.0);
        let verdict = shown(margin, rate).unwrap_or_else(|| self.unless_narrow(side, width, piece, false));
        let pays = &mut self.pays[side.place];
        if !matches!(verdict, Verdict::Unsure) || model.off() <= EXPANSION_GOOD * width {
            *pays = pays.max(2.0 * length);
        } else {
            // each halving divides the remainder by a power of two
            let halvings = (model.off() / (EXPANSION_GOOD * width)).log2() / ORDER as f64;
            *pays = length * (-halvings.clamp(1.0, EXPANSION_HALVINGS)).exp2();
        }
        *known = PartialRange::Expansion(model);
        verdict
    }

    /// Undecided, unless halving the piece would show nothing more.
    fn unless_narrow(&mut self, side: Side, width: f64, (from, to): (f64, f64), is_finest: bool) -> Verdict {
        let middle = from + 0.5 * (to - from);
        if is_finest || (width.is_finite() && width <= ENCLOSURE_NARROW * self.blur_at(side.place, middle)) {
            Verdict::Falls
        } else {
            Verdict::Unsure
        }
    }
}

fn range((low, high): Bounds) -> Range {
    if low <= high { Range { low, high } } else { Range::EVERYTHING }
}

/// The verdict from bounds of a margin and of its rate.
fn shown(margin: Bounds, rate: Bounds) -> Option<Verdict> {
    if margin.0 >= 0.0 || rate.0 >= 0.0 {
        Some(Verdict::Stays)
    } else if rate.1 <= 0.0 {
        Some(Verdict::Falls)
    } else {
        None
    }
}

// the polynomials of a step are expanded to their end
const _: () = assert!(ORDER == MOST_DEGREE);
