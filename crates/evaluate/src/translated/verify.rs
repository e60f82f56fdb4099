//! The invariants of [`Translated`], checked: all by which a frame, and what is handed over, is indexed.
//!
//! - what is read is in the frame or a constant, what is written in the frame; what an index chooses from lies in one of the two;
//! - jumps lead to an instruction or to the end; calls and the routines they call are there;
//! - a call hands over the inputs of the routine in their order, and takes its outputs in theirs;
//! - inputs and outputs lie among the components.
//!
//! The interpreter would panic where one does not hold. Machine code looks at no place: it is made only of what was looked at here.

use std::ops::Range;

use rhei_source::Violation;

use super::program::{CallOp, Op, Routine, Slot};
use super::{Layout, Signature, Translated};

fn violation(what: String) -> Result<(), Violation> {
    Err(Violation(what))
}

impl Translated {
    /// The first invariant of the module's list that does not hold.
    pub fn verify(&self) -> Result<(), Violation> {
        if self.routines.is_empty() || self.routines.len() != self.signatures.len() {
            return violation(format!(
                "{} routines with {} signatures",
                self.routines.len(),
                self.signatures.len()
            ));
        }
        for (routine, signature) in self.routines.iter().zip(&self.signatures) {
            routine.verify(self)?;
            for (at, layout) in signature.inputs.iter().chain(&signature.outputs) {
                within(places(*at, layout), routine.n_locals, "an input or an output")?;
            }
        }
        Ok(())
    }
}

/// The places of a value.
fn places(at: Slot, layout: &Layout) -> Range<u64> {
    u64::from(at)..u64::from(at) + layout.width() as u64
}

/// So many places from one on.
fn stretch(at: Slot, n: u32) -> Range<u64> {
    u64::from(at)..u64::from(at) + u64::from(n)
}

fn within(places: Range<u64>, end: usize, what: &str) -> Result<(), Violation> {
    match places.end > end as u64 {
        true => violation(format!("{what} ends at {}, beyond {end}", places.end)),
        false => Ok(()),
    }
}

impl Routine {
    fn verify(&self, all: &Translated) -> Result<(), Violation> {
        if self.n_locals > self.first_constant {
            return violation(format!(
                "{} components, and constants from {}",
                self.n_locals, self.first_constant
            ));
        }
        let end = self.first_constant + self.constants.len();
        let read = |places: Range<u64>| within(places, end, "what is read");
        let write = |places: Range<u64>| within(places, self.first_constant, "what is written");
        let target = |to: u32| within(stretch(to, 0), self.ops.len(), "a jump");
        let one = |slot: Slot| stretch(slot, 1);
        // what an index chooses from
        let choice =
            |base: Slot, n: u32, most: u32| u64::from(base)..u64::from(base) + u64::from(n) + u64::from(most);
        for op in &self.ops {
            match *op {
                Op::Add(to, a, b)
                | Op::Subtract(to, a, b)
                | Op::Multiply(to, a, b)
                | Op::Divide(to, a, b)
                | Op::Power(to, a, b)
                | Op::OfTwo(_, to, a, b)
                | Op::Quotient(_, to, a, b)
                | Op::Min(to, a, b)
                | Op::Max(to, a, b)
                | Op::Compare(_, to, a, b) => {
                    write(one(to))?;
                    read(one(a)).and(read(one(b)))?;
                }
                Op::Negate(to, a) | Op::Function(_, to, a) | Op::Not(to, a) | Op::Offset(to, a, ..) => {
                    write(one(to)).and(read(one(a)))?;
                }
                Op::Copy(to, from, n) => write(stretch(to, n)).and(read(stretch(from, n)))?,
                Op::Whole(a) => write(one(a))?,
                Op::Load(to, base, offset, n, most) => {
                    write(stretch(to, n)).and(read(one(offset)))?;
                    let chosen = choice(base, n, most);
                    match (base as usize) < self.first_constant {
                        true => write(chosen)?,
                        false => read(chosen)?,
                    }
                }
                Op::Store(base, offset, from, n, most) => {
                    write(choice(base, n, most)).and(read(one(offset)))?;
                    read(stretch(from, n))?;
                }
                Op::Jump(to) => target(to)?,
                Op::JumpIf(a, to) | Op::JumpUnless(a, to) => read(one(a)).and(target(to))?,
                Op::Call(call) => match self.calls.get(call as usize) {
                    Some(call) => self.verify_call(call, all)?,
                    None => return violation(format!("call {call} is not there")),
                },
                Op::Turn | Op::GiveUp => {}
            }
        }
        self.records.iter().try_for_each(|(at, layout)| write(places(*at, layout)))
    }

    fn verify_call(&self, call: &CallOp, all: &Translated) -> Result<(), Violation> {
        let Some(signature) = all.signatures.get(call.routine) else {
            return violation(format!("routine {} is not there", call.routine));
        };
        let Signature { inputs, outputs, .. } = signature;
        let end = self.first_constant + self.constants.len();
        for &(from, _, n) in &call.arguments {
            within(stretch(from, n), end, "an argument")?;
        }
        for &(_, to, n) in &call.results {
            within(stretch(to, n), self.first_constant, "a result")?;
        }
        let handed_over = call.arguments.iter().flat_map(|&(_, to, n)| stretch(to, n));
        let taken = call.results.iter().flat_map(|&(from, _, n)| stretch(from, n));
        let wanted = |all: &'_ [(Slot, Layout)]| -> Vec<u64> {
            all.iter().flat_map(|(at, layout)| places(*at, layout)).collect()
        };
        if !handed_over.eq(wanted(inputs)) || !taken.eq(wanted(outputs)) {
            return violation(format!(
                "a call of routine {} hands over, or takes, something else",
                call.routine
            ));
        }
        Ok(())
    }
}
