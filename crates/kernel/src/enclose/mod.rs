//! Enclosures of values over a piece of time: ranges that hold every value, and every rate.
//!
//! In: formulas ([`Slices`]), and ranges of the values and rates of their inputs ([`Moving`]). Out: the same of the watched
//! values. Rates follow by the rules by which programs are differentiated, over ranges instead of numbers. So a property shown
//! for a piece of time (a value keeps its sign, a value only rises) holds at each of its instants: Moore 1966, and for the use of
//! rates Neumaier, *Interval Methods for Systems of Equations*, 1990, §2.3. If ranges do not decide, expansions in time do
//! ([`Series`]).

mod range;
mod series;
mod slice;
#[cfg(test)]
mod tests;

pub use range::Range;
pub use series::{ORDER, Series};
pub use slice::{Extract, Moves, Slices, Without};

use rhei_elementary::{
    Algebra, Arithmetic, Binary, Elementary, Exception, Relation, change_of_binary, change_of_call,
};

use crate::program::{Instruction, Slot};

/// A value over a piece of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moving {
    /// Holds each value that it has.
    pub value: Range,
    /// Holds each rate at which it changes.
    pub rate: Range,
}

impl Moving {
    /// A constant.
    pub fn constant(value: f64) -> Moving {
        Moving { value: Range::point(value), rate: Range::ZERO }
    }

    const UNKNOWN: Moving = Moving { value: Range::EVERYTHING, rate: Range::EVERYTHING };

    fn jumps(self) -> Moving {
        Moving { rate: Range::EVERYTHING, ..self }
    }
}

impl Slices {
    /// Computes an extract. `moving` has a place for each slot of [`Slices::slots`], and holds the inputs.
    pub fn enclose(&self, extract: &Extract, moving: &mut [Moving]) {
        for &(begin, end) in &extract.parts {
            self.run(begin as usize, end as usize, moving);
        }
    }

    fn run(&self, begin: usize, end: usize, moving: &mut [Moving]) {
        let mut at = begin;
        while at < end {
            at = self.step(at, moving);
        }
    }

    /// Computes an extract, with expansions over the piece of time, which is twice as long as `half`. `series` has the same
    /// places as `moving`; both hold the inputs.
    pub fn expand(&self, extract: &Extract, half: f64, moving: &mut [Moving], series: &mut [Series]) {
        for &(begin, end) in &extract.parts {
            let mut at = begin as usize;
            while at < end as usize {
                at = self.step_expanded(at, half, moving, series);
            }
        }
    }

    /// The expansion of the watched value at a place, once it is computed.
    pub fn expanded<'a>(&self, place: usize, series: &'a [Series]) -> &'a Series {
        &series[self.slot(place)]
    }

    /// Computes one instruction, its ranges and its expansion; the number of the next one.
    fn step_expanded(&self, at: usize, half: f64, moving: &mut [Moving], series: &mut [Series]) -> usize {
        let instruction = self.instructions[at];
        let takes_both = matches!(instruction, Instruction::JumpUnless { a, .. } if moving[a.index()].value.truth().is_none());
        let next = self.step(at, moving);
        let read = |slot: Slot| series[slot.index()];
        let (to, result) = match instruction {
            Instruction::Copy { to, a } => (to, read(a)),
            Instruction::Negate { to, a } => (to, read(a).negate()),
            Instruction::Binary { op: Binary::Mul, to, a, b } if a == b => (to, read(a).square()),
            Instruction::Binary { op, to, a, b } => {
                (to, Series::binary(op, read(a), read(b), moving[to.index()], half))
            }
            Instruction::Call { function, to, a } => {
                (to, Series::call(function, read(a), moving[to.index()], half))
            }
            // constant between events; if they are not known they may jump
            Instruction::Relation { to, .. }
            | Instruction::Not { to, .. }
            | Instruction::And { to, .. }
            | Instruction::Or { to, .. }
            | Instruction::Whole { to, .. } => (to, Series::of(moving[to.index()].jumps(), half)),
            Instruction::JumpUnless { .. } if takes_both => {
                let branches = &self.instructions[at + 1..next];
                for slot in branches.iter().filter_map(|i| i.writes().map(Slot::index)) {
                    series[slot] = Series::of(moving[slot], half);
                }
                return next;
            }
            Instruction::JumpUnless { .. } | Instruction::Jump { .. } | Instruction::Invoke { .. } => {
                return next;
            }
        };
        let to = to.index();
        series[to] = result;
        series[to].confine(moving[to].value);
        moving[to].value = series[to].value();
        next
    }

    /// The watched value at a place, once it is computed.
    pub fn watched(&self, place: usize, moving: &[Moving]) -> Moving {
        moving[self.slot(place)]
    }

    /// Computes one instruction; the number of the next one.
    fn step(&self, at: usize, moving: &mut [Moving]) -> usize {
        let instruction = self.instructions[at];
        let read = |slot: Slot| moving[slot.index()];
        let truth = |slot: Slot| moving[slot.index()].value.truth();
        let of_truth = |value: Option<bool>| Moving { value: Range::of_truth(value), rate: Range::ZERO };
        let (to, result) = match instruction {
            Instruction::Copy { to, a } => (to, read(a)),
            Instruction::Negate { to, a } => {
                (to, Moving { value: read(a).value.negate(), rate: read(a).rate.negate() })
            }
            Instruction::Binary { op, to, a, b } if op == Binary::Mul && a == b => (to, square(read(a))),
            Instruction::Binary { op, to, a, b } => (to, binary(op, read(a), read(b))),
            Instruction::Call { function, to, a } => (to, call(function, read(a))),
            Instruction::Relation { relation, to, a, b } => (
                to,
                Moving { value: Range::relation(relation, read(a).value, read(b).value), rate: Range::ZERO },
            ),
            Instruction::Not { to, a } => (to, of_truth(truth(a).map(|truth| !truth))),
            Instruction::And { to, a, b } => (to, of_truth(both(truth(a), truth(b)))),
            Instruction::Or { to, a, b } => {
                let neither = both(truth(a).map(|truth| !truth), truth(b).map(|truth| !truth));
                (to, of_truth(neither.map(|neither| !neither)))
            }
            Instruction::Whole { to, site } => (to, self.whole(site, moving)),
            Instruction::Invoke { .. } => return at + 1,
            Instruction::Jump { target } => return target as usize,
            Instruction::JumpUnless { a, target } => {
                return match truth(a) {
                    Some(true) => at + 1,
                    Some(false) => target as usize,
                    None => self.either_branch(at, target as usize, moving),
                };
            }
        };
        moving[to.index()] = result;
        at + 1
    }

    /// Arithmetic of whole numbers: they do not move between events.
    fn whole(&self, site: u32, moving: &[Moving]) -> Moving {
        let site = &self.wholes[site as usize];
        let operands = site.operands.map(|slot| moving[slot.index()].value);
        let value =
            operands.iter().all(|operand| operand.is_point()).then(|| operands.map(|operand| operand.low));
        match value.and_then(|operands| site.of(operands)) {
            Some(value) => Moving::constant(value),
            None => Moving::UNKNOWN,
        }
    }

    /// If the condition is not known, both branches are computed, and the result is in the hull of both. Its rate is unbounded:
    /// it may jump from one branch to the other. Answers the index of the instruction after them.
    fn either_branch(&self, at: usize, otherwise: usize, moving: &mut [Moving]) -> usize {
        let Some(&Instruction::Jump { target }) = self.instructions.get(otherwise - 1) else {
            unreachable!("the first branch of a choice ends with a jump over the second one")
        };
        let end = target as usize;
        let written = || self.instructions[at + 1..end].iter().filter_map(|i| i.writes().map(Slot::index));
        let before: Vec<Moving> = written().map(|slot| moving[slot]).collect();
        self.run(at + 1, otherwise - 1, moving);
        let one: Vec<Moving> = written().map(|slot| moving[slot]).collect();
        written().zip(before).for_each(|(slot, before)| moving[slot] = before);
        self.run(otherwise, end, moving);
        for (slot, one) in written().zip(one) {
            moving[slot] = Moving { value: moving[slot].value.hull(one.value), rate: Range::EVERYTHING };
        }
        end
    }
}

fn both(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn square(x: Moving) -> Moving {
    let two = Moving::constant(2.0);
    binary(Binary::Pow, x, two)
}

fn binary(op: Binary, x: Moving, y: Moving) -> Moving {
    let value = Range::binary(op, x.value, y.value);
    let rate = change_of_binary(&mut Ranges, op, value, changing(x), changing(y));
    let moving = Moving { value, rate: rate.unwrap_or(Range::ZERO) };
    // at the cut, where the angle jumps by a whole turn, it has no rate
    let leaps = op == Binary::Atan2 && x.value.contains(0.0) && y.value.low <= 0.0;
    if leaps || value == Range::EVERYTHING { moving.jumps() } else { moving }
}

fn call(f: Elementary, x: Moving) -> Moving {
    let value = Range::call(f, x.value);
    let rate = change_of_call(&mut Ranges, f, value, changing(x)).unwrap_or(Range::ZERO);
    let moving = Moving { value, rate };
    if (f.has_steps() && !value.is_point()) || value == Range::EVERYTHING { moving.jumps() } else { moving }
}

fn changing(x: Moving) -> (Range, Option<Range>) {
    (x.value, (x.rate != Range::ZERO).then_some(x.rate))
}

/// The rules of differentiation over ranges.
struct Ranges;

impl Algebra for Ranges {
    type Number = Range;

    fn constant(&mut self, value: f64) -> Range {
        Range::point(value)
    }

    fn nearest(&mut self, value: f64) -> Range {
        Range::near(value)
    }

    fn negate(&mut self, a: Range) -> Range {
        a.negate()
    }

    fn binary(&mut self, op: Binary, a: Range, b: Range) -> Range {
        Range::binary(op, a, b)
    }

    fn call(&mut self, function: Elementary, a: Range) -> Range {
        Range::call(function, a)
    }
}

impl Arithmetic for Ranges {
    fn less_one(&mut self, a: Range) -> Range {
        Range::binary(Binary::Sub, a, Range::point(1.0)).meet(exactly_less_one(a))
    }

    fn choose(&mut self, relation: Relation, [a, b]: [Range; 2], x: Range, y: Range) -> Range {
        match Range::relation(relation, a, b).truth() {
            Some(true) => x,
            Some(false) => y,
            None => x.hull(y),
        }
    }

    fn except(
        &mut self,
        exception: Exception<Range>,
        _: bool,
        otherwise: impl FnOnce(&mut Self) -> Range,
    ) -> Range {
        match exception {
            Exception::Unchanged(change) if change == Range::ZERO => Range::ZERO,
            _ => otherwise(self),
        }
    }
}

/// Of a whole exponent the one below is known exactly, and stays whole.
fn exactly_less_one(a: Range) -> Range {
    if a.is_point() && a.low == a.low.trunc() && a.low.abs() < 1e15 {
        Range::point(a.low - 1.0)
    } else {
        Range::EVERYTHING
    }
}
