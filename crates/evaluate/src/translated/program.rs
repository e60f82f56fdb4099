//! Translated functions as they run: instructions on the numbers of a frame.
//!
//! A frame holds the components of the function, temporaries, and constants. Unassigned numbers are NaN; as no operation
//! makes NaN of assigned numbers without failing, it means nothing else. Every exceptional case ends the run: the
//! interpreter, which makes the messages, then starts anew.

use rhei_elementary::{Binary, power};
use rhei_flat::{Builtin, Relation};

use super::layout::{LARGEST_WHOLE, Layout};
use crate::builtins::{quotient, real_number};

/// A place in the frame.
pub type Slot = u32;

/// One instruction; its target comes first.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// These many numbers, all of them assigned.
    Copy(Slot, Slot, u32),
    /// The four operations; dividing by zero gives up.
    Add(Slot, Slot, Slot),
    /// See [`Op::Add`].
    Subtract(Slot, Slot, Slot),
    /// See [`Op::Add`].
    Multiply(Slot, Slot, Slot),
    /// See [`Op::Add`].
    Divide(Slot, Slot, Slot),
    /// A power; one of zero with a negative exponent gives up.
    Power(Slot, Slot, Slot),
    /// Another sign.
    Negate(Slot, Slot),
    /// Checks for a whole number within the exact range.
    Whole(Slot),
    /// A function of one number.
    Function(Builtin, Slot, Slot),
    /// `atan2`, or `div`, `mod`, `rem` of Reals.
    OfTwo(Builtin, Slot, Slot, Slot),
    /// `div`, `mod`, `rem` of whole numbers.
    Quotient(Builtin, Slot, Slot, Slot),
    /// The second if it is less, else the first.
    Min(Slot, Slot, Slot),
    /// The second if it is greater, else the first.
    Max(Slot, Slot, Slot),
    /// One if it holds, else zero.
    Compare(Relation, Slot, Slot, Slot),
    /// The other truth value.
    Not(Slot, Slot),
    /// Adds an index into `size` elements, `stride` numbers apart, to an offset.
    Offset(Slot, Slot, u32, u32),
    /// Copies numbers from an offset known at run time: target, base, offset, count, largest offset.
    Load(Slot, Slot, Slot, u32, u32),
    /// Copies numbers to an offset known at run time: base, offset, source, count, largest offset.
    Store(Slot, Slot, Slot, u32, u32),
    /// Continues at another instruction.
    Jump(u32),
    /// The same if a number is true.
    JumpIf(Slot, u32),
    /// The same if a number is false.
    JumpUnless(Slot, u32),
    /// Counts an iteration of a loop.
    Turn,
    /// A call, by its place in the list.
    Call(u32),
    /// An exceptional case: ends the run.
    GiveUp,
}

/// A call with its arguments and results: from, to, how many.
#[derive(Clone, Debug)]
pub struct CallOp {
    /// Which routine, by its place among those translated together.
    pub routine: usize,
    /// From the frame of the caller to that of the routine.
    pub arguments: Vec<(Slot, Slot, u32)>,
    /// From the frame of the routine to that of the caller.
    pub results: Vec<(Slot, Slot, u32)>,
}

/// A function translated for arguments of certain sizes.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    /// The instructions; the end of a run is behind the last one.
    pub ops: Vec<Op>,
    /// The calls of [`Op::Call`].
    pub calls: Vec<CallOp>,
    /// The numbers of all its components, which lie first in a frame.
    pub n_locals: usize,
    /// The constants, which lie last.
    pub constants: Vec<f64>,
    /// The first slot of constants.
    pub first_constant: usize,
    /// The outputs that are records: libraries fill them in part only.
    pub records: Vec<(Slot, Layout)>,
}

/// Most numbers in all nested frames.
pub(super) const STACK: usize = 1 << 16;

/// Most nested calls: few enough for the stack of any thread.
const DEEPEST: u32 = 200;

/// The work left to a run.
pub(super) struct Limits {
    /// Turns of loops and calls.
    steps: u64,
    /// Calls inside each other.
    depth: u32,
}

impl Limits {
    pub(super) fn new(steps: u64) -> Limits {
        Limits { steps, depth: DEEPEST }
    }

    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.steps > 0
    }
}

/// Runs one of `routines` with arguments in the first frame of `stack`; says whether it ended without an exceptional case.
pub(super) fn run(routines: &[Routine], routine: usize, stack: &mut [f64], limits: &mut Limits) -> bool {
    let routine = &routines[routine];
    let size = routine.first_constant + routine.constants.len();
    let Some((frame, rest)) = stack.split_at_mut_checked(size) else { return false };
    frame[routine.first_constant..].copy_from_slice(&routine.constants);
    let mut next = 0;
    while let Some(&op) = routine.ops.get(next) {
        next += 1;
        match op {
            Op::Copy(to, from, 1) => {
                let x = frame[from as usize];
                if x.is_nan() {
                    return false;
                }
                frame[to as usize] = x;
            }
            Op::Copy(to, from, n) => {
                let from = from as usize..(from + n) as usize;
                if frame[from.clone()].iter().any(|x| x.is_nan()) {
                    return false;
                }
                frame.copy_within(from, to as usize);
            }
            Op::Call(call) => {
                let call = &routine.calls[call as usize];
                let callee = &routines[call.routine];
                if rest.len() < callee.n_locals || limits.depth == 0 || !limits.step() {
                    return false;
                }
                rest[..callee.n_locals].fill(f64::NAN);
                for &(from, to, n) in &call.arguments {
                    let from = &frame[from as usize..(from + n) as usize];
                    if from.iter().any(|x| x.is_nan()) {
                        return false;
                    }
                    rest[to as usize..(to + n) as usize].copy_from_slice(from);
                }
                limits.depth -= 1;
                if !run(routines, call.routine, rest, limits) {
                    return false;
                }
                limits.depth += 1;
                for &(from, to, n) in &call.results {
                    let from = &rest[from as usize..(from + n) as usize];
                    if from.iter().any(|x| x.is_nan()) {
                        return false;
                    }
                    frame[to as usize..(to + n) as usize].copy_from_slice(from);
                }
            }
            Op::Jump(target) => next = target as usize,
            Op::JumpIf(a, target) => match truth(frame[a as usize]) {
                Some(true) => next = target as usize,
                Some(false) => {}
                None => return false,
            },
            Op::JumpUnless(a, target) => match truth(frame[a as usize]) {
                Some(false) => next = target as usize,
                Some(true) => {}
                None => return false,
            },
            Op::Turn if limits.step() => {}
            Op::Turn | Op::GiveUp => return false,
            _ => {
                if !calculate(op, frame) {
                    return false;
                }
            }
        }
    }
    for (at, layout) in &routine.records {
        let numbers = &mut frame[*at as usize..*at as usize + layout.width()];
        if !layout.is_complete(numbers) {
            return false;
        }
        layout.complete(numbers);
    }
    true
}

fn truth(x: f64) -> Option<bool> {
    (!x.is_nan()).then_some(x != 0.0)
}

/// An instruction that only calculates; says whether it could.
#[inline]
fn calculate(op: Op, frame: &mut [f64]) -> bool {
    let at = |slot: Slot| frame[slot as usize];
    let (to, value) = match op {
        Op::Add(to, a, b) => (to, at(a) + at(b)),
        Op::Subtract(to, a, b) => (to, at(a) - at(b)),
        Op::Multiply(to, a, b) => (to, at(a) * at(b)),
        Op::Divide(_, _, b) if at(b) == 0.0 => return false,
        Op::Divide(to, a, b) => (to, at(a) / at(b)),
        Op::Power(_, a, b) if at(a) == 0.0 && at(b) < 0.0 => return false,
        Op::Power(_, a, b) if at(a).is_nan() || at(b).is_nan() => return false, // nan^0 is 1
        Op::Power(to, a, b) => (to, power(at(a), at(b))),
        Op::Negate(to, a) => (to, -at(a)),
        // plus zero: there is no negative zero among whole numbers
        Op::Whole(a) if at(a).abs() < LARGEST_WHOLE => (a, at(a) + 0.0),
        Op::Whole(_) => return false,
        Op::Function(f, to, a) => (to, real_number(f, at(a)).unwrap_or(f64::NAN)),
        Op::OfTwo(f, _, _, b) if at(b) == 0.0 && f != Builtin::Atan2 => return false,
        Op::OfTwo(f, to, a, b) => (to, of_two(f, at(a), at(b))),
        Op::Quotient(f, to, a, b) => match quotient(f, at(a) as i64, at(b) as i64) {
            Some(quotient) if !at(a).is_nan() && !at(b).is_nan() => (to, quotient as f64),
            _ => return false,
        },
        Op::Min(_, a, b) | Op::Max(_, a, b) | Op::Compare(_, _, a, b) if at(a).is_nan() || at(b).is_nan() => {
            return false;
        }
        Op::Min(to, a, b) => (to, if at(b) < at(a) { at(b) } else { at(a) }),
        Op::Max(to, a, b) => (to, if at(b) > at(a) { at(b) } else { at(a) }),
        Op::Compare(relation, to, a, b) => (to, f64::from(u8::from(relation.holds(at(a), at(b))))),
        Op::Not(to, a) => (to, if at(a).is_nan() { f64::NAN } else { f64::from(u8::from(at(a) == 0.0)) }),
        Op::Offset(to, index, size, stride) => {
            let index = at(index);
            if !(index >= 1.0 && index <= f64::from(size)) {
                return false;
            }
            (to, at(to) + (index - 1.0) * f64::from(stride))
        }
        Op::Load(to, base, offset, n, _) => {
            return moved(frame, base as usize + at(offset) as usize, to as usize, n);
        }
        Op::Store(base, offset, from, n, _) => {
            return moved(frame, from as usize, base as usize + at(offset) as usize, n);
        }
        Op::Copy(..)
        | Op::Call(_)
        | Op::Jump(_)
        | Op::JumpIf(..)
        | Op::JumpUnless(..)
        | Op::Turn
        | Op::GiveUp => {
            return false; // not calculations
        }
    };
    frame[to as usize] = value;
    !value.is_nan()
}

fn moved(frame: &mut [f64], from: usize, to: usize, n: u32) -> bool {
    let from = from..from + n as usize;
    let complete = frame[from.clone()].iter().all(|x| !x.is_nan());
    if complete {
        frame.copy_within(from, to);
    }
    complete
}

fn of_two(f: Builtin, a: f64, b: f64) -> f64 {
    match f {
        Builtin::Atan2 => Binary::Atan2.value(a, b),
        Builtin::Div => libm::trunc(a / b),
        Builtin::Mod => a - libm::floor(a / b) * b,
        _ => a - libm::trunc(a / b) * b,
    }
}

impl Op {
    /// All its slots, for relocation.
    pub(super) fn slots_mut(&mut self) -> Vec<&mut Slot> {
        match self {
            Op::Add(a, b, c)
            | Op::Subtract(a, b, c)
            | Op::Multiply(a, b, c)
            | Op::Divide(a, b, c)
            | Op::Power(a, b, c)
            | Op::OfTwo(_, a, b, c)
            | Op::Quotient(_, a, b, c)
            | Op::Min(a, b, c)
            | Op::Max(a, b, c)
            | Op::Compare(_, a, b, c)
            | Op::Load(a, b, c, ..)
            | Op::Store(a, b, c, ..) => vec![a, b, c],
            Op::Copy(a, b, _)
            | Op::Negate(a, b)
            | Op::Function(_, a, b)
            | Op::Not(a, b)
            | Op::Offset(a, b, _, _) => vec![a, b],
            Op::Whole(a) | Op::JumpIf(a, _) | Op::JumpUnless(a, _) => vec![a],
            Op::Jump(_) | Op::Turn | Op::Call(_) | Op::GiveUp => Vec::new(),
        }
    }

    /// The target of an instruction that computes one number.
    pub(super) fn result_mut(&mut self) -> Option<&mut Slot> {
        match self {
            Op::Add(to, ..)
            | Op::Subtract(to, ..)
            | Op::Multiply(to, ..)
            | Op::Divide(to, ..)
            | Op::Power(to, ..)
            | Op::OfTwo(_, to, ..)
            | Op::Quotient(_, to, ..)
            | Op::Min(to, ..)
            | Op::Max(to, ..)
            | Op::Compare(_, to, ..)
            | Op::Load(to, _, _, 1, _)
            | Op::Copy(to, _, 1)
            | Op::Negate(to, _)
            | Op::Function(_, to, _)
            | Op::Not(to, _) => Some(to),
            _ => None,
        }
    }
}
