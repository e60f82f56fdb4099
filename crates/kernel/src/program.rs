//! Straight-line programs with forward jumps, over an array of values.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use rhei_equations::{Binary, Elementary, ExprId, Relation, Split, VarId, Whole};

use crate::functions::{CallSite, OperandRest};
use crate::tiers::Tiers;

/// A place in the array of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Slot {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<VarId> for Slot {
    /// Variables stand first, by their ids.
    fn from(v: VarId) -> Slot {
        Slot(v.0)
    }
}

/// One step of a program. Truth values are 1 and 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // `to` is written, `a` and `b` are read
pub enum Instruction {
    Copy {
        to: Slot,
        a: Slot,
    },
    Negate {
        to: Slot,
        a: Slot,
    },
    Binary {
        op: Binary,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Call {
        function: Elementary,
        to: Slot,
        a: Slot,
    },
    Relation {
        relation: Relation,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Not {
        to: Slot,
        a: Slot,
    },
    And {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Or {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    /// Integer arithmetic, by its index among that of the program.
    Whole {
        to: Slot,
        site: u32,
    },
    /// A call of a function, by its index among the calls of the program.
    Invoke {
        site: u32,
    },
    /// Jumps to instruction `target` unless `a` is true.
    JumpUnless {
        a: Slot,
        target: u32,
    },
    /// Jumps to instruction `target`.
    Jump {
        target: u32,
    },
}

/// Integer arithmetic. Each Integer is the sum of two slots: the nearest `f64`, and the rest (its low-order part). One
/// instruction computes one part of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WholeSite {
    /// The operation.
    pub op: Whole,
    /// The part of the result.
    pub part: Part,
    /// Both parts of the first operand, then of the second.
    pub operands: [Slot; 4],
}

/// A part of a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The nearest `f64`; for numbers other than Integers the value itself.
    Nearest,
    /// The rest: its difference from that.
    Rest,
}

impl WholeSite {
    /// The part of the result; none if the operation has no value. A result of operands without a value is NaN: the operation
    /// is not at fault.
    pub(crate) fn value(&self, values: &[f64]) -> Option<f64> {
        self.of(self.operands.map(|slot| values[slot.index()]))
    }

    /// The same, with these values of the operands.
    pub(crate) fn of(&self, [a, a_rest, b, b_rest]: [f64; 4]) -> Option<f64> {
        if !a.is_finite() || !b.is_finite() {
            return Some(f64::NAN);
        }
        let (a, b) =
            (Split { nearest: a, rest: a_rest }.whole()?, Split { nearest: b, rest: b_rest }.whole()?);
        let result = Split::of(self.op.value(a, b)?);
        Some(match self.part {
            Part::Nearest => result.nearest,
            Part::Rest => result.rest,
        })
    }
}

/// A quotient in the formula of a target.
#[derive(Clone, Copy, Debug)]
pub struct Quotient {
    /// The target.
    pub target: VarId,
    /// The quotient.
    pub expression: ExprId,
    /// The slot of its dividend.
    pub dividend: Slot,
    /// The slot of its divisor.
    pub divisor: Slot,
}

/// Instructions that compute some variables from others.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) instructions: Vec<Instruction>,
    /// By instruction, the expression it evaluates.
    pub(crate) expressions: Vec<ExprId>,
    /// The variables computed, in order, each with the number of the instruction after its last.
    pub(crate) targets: Vec<(VarId, u32)>,
    /// Further results, read after a run.
    pub(crate) results: Vec<Slot>,
    /// Arithmetic of whole numbers.
    pub(crate) wholes: Vec<WholeSite>,
    /// Calls of functions.
    pub(crate) calls: Vec<CallSite>,
    /// The ends of formulas, as the index of the instruction after their last.
    pub(crate) cuts: Vec<u32>,
    /// Further temporaries that are read after a run.
    pub(crate) kept: Vec<Slot>,
    /// The slots of constants; temporaries follow.
    pub(crate) constants: Range<u32>,
    pub(crate) tiers: Arc<Tiers>,
}

impl Program {
    /// The slots an instruction reads.
    pub fn reads(&self, instruction: Instruction) -> impl Iterator<Item = Slot> {
        let (slots, n) = match instruction {
            Instruction::Copy { a, .. }
            | Instruction::Negate { a, .. }
            | Instruction::Call { a, .. }
            | Instruction::Not { a, .. }
            | Instruction::JumpUnless { a, .. } => ([a, a], 1),
            Instruction::Binary { a, b, .. }
            | Instruction::Relation { a, b, .. }
            | Instruction::And { a, b, .. }
            | Instruction::Or { a, b, .. } => ([a, b], 2),
            Instruction::Jump { .. } | Instruction::Invoke { .. } | Instruction::Whole { .. } => {
                ([Slot(0); 2], 0)
            }
        };
        let (operands, rests): (&[Slot], &[OperandRest]) = match instruction {
            Instruction::Invoke { site } => {
                let site = &self.calls[site as usize];
                (&site.operands, &site.rests)
            }
            Instruction::Whole { site, .. } => (&self.wholes[site as usize].operands, &[]),
            _ => (&[], &[]),
        };
        slots.into_iter().take(n).chain(operands.iter().copied()).chain(rests.iter().map(|rest| rest.slot))
    }

    /// The slots an instruction writes.
    pub fn writes(&self, instruction: Instruction) -> impl Iterator<Item = Slot> {
        let (first, count) = match instruction {
            Instruction::Invoke { site } => {
                let site = &self.calls[site as usize];
                (site.first.0, site.n_written())
            }
            _ => instruction.writes().map_or((0, 0), |slot| (slot.0, 1)),
        };
        (first..first + count).map(Slot)
    }
}

impl Instruction {
    /// The slot it writes, if it writes a single one.
    pub fn writes(self) -> Option<Slot> {
        match self {
            Instruction::Copy { to, .. }
            | Instruction::Negate { to, .. }
            | Instruction::Binary { to, .. }
            | Instruction::Call { to, .. }
            | Instruction::Relation { to, .. }
            | Instruction::Not { to, .. }
            | Instruction::And { to, .. }
            | Instruction::Or { to, .. }
            | Instruction::Whole { to, .. } => Some(to),
            Instruction::JumpUnless { .. } | Instruction::Jump { .. } | Instruction::Invoke { .. } => None,
        }
    }

    /// The instruction it jumps to.
    pub(crate) fn target(self) -> Option<u32> {
        match self {
            Instruction::JumpUnless { target, .. } | Instruction::Jump { target } => Some(target),
            _ => None,
        }
    }
}

impl Program {
    /// The variables it computes, in order.
    pub fn targets(&self) -> impl Iterator<Item = VarId> {
        self.targets.iter().map(|&(v, _)| v)
    }

    /// The quotients in the formulas of the targets.
    pub fn quotients(&self) -> Vec<Quotient> {
        let mut begin = 0;
        let mut found = Vec::new();
        for &(target, end) in &self.targets {
            for place in begin..end as usize {
                if let Instruction::Binary { op: Binary::Div, a, b, .. } = self.instructions[place] {
                    let expression = self.expressions[place];
                    found.push(Quotient { target, expression, dividend: a, divisor: b });
                }
            }
            begin = end as usize;
        }
        found
    }

    /// The approximate work of a run, in instructions: a call of a function counts for many.
    pub fn work(&self) -> u64 {
        const OF_A_CALL: u64 = 250;
        self.instructions.len() as u64 + OF_A_CALL * self.calls.len() as u64
    }

    /// The call at an instruction.
    pub(crate) fn call_at(&self, at: usize) -> Option<&CallSite> {
        match self.instructions.get(at) {
            Some(Instruction::Invoke { site }) => self.calls.get(*site as usize),
            _ => None,
        }
    }

    /// The integer arithmetic at an instruction, and the slot of its result.
    pub(crate) fn whole_at(&self, at: usize) -> Option<(&WholeSite, Slot)> {
        match self.instructions.get(at) {
            Some(&Instruction::Whole { to, site }) => Some((self.wholes.get(site as usize)?, to)),
            _ => None,
        }
    }

    /// Whether a slot holds a constant.
    pub(crate) fn is_constant(&self, slot: Slot) -> bool {
        self.constants.contains(&slot.0)
    }

    /// The instructions.
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, instruction) in self.instructions.iter().enumerate() {
            write!(f, "{i:4}: ")?;
            match *instruction {
                Instruction::Copy { to, a } => writeln!(f, "s{} = s{}", to.0, a.0)?,
                Instruction::Negate { to, a } => writeln!(f, "s{} = -s{}", to.0, a.0)?,
                Instruction::Binary { op, to, a, b } => writeln!(f, "s{} = {op:?} s{} s{}", to.0, a.0, b.0)?,
                Instruction::Call { function, to, a } => {
                    writeln!(f, "s{} = {} s{}", to.0, function.name(), a.0)?
                }
                Instruction::Relation { relation, to, a, b } => {
                    writeln!(f, "s{} = s{} {} s{}", to.0, a.0, relation.symbol(), b.0)?;
                }
                Instruction::Not { to, a } => writeln!(f, "s{} = not s{}", to.0, a.0)?,
                Instruction::And { to, a, b } => writeln!(f, "s{} = s{} and s{}", to.0, a.0, b.0)?,
                Instruction::Or { to, a, b } => writeln!(f, "s{} = s{} or s{}", to.0, a.0, b.0)?,
                Instruction::Whole { to, site } => {
                    let WholeSite { op, part, operands: [a, b, c, d] } = self.wholes[site as usize];
                    let part = if part == Part::Rest { "rest of " } else { "" };
                    writeln!(f, "s{} = {part}{op:?} s{}+s{} s{}+s{}", to.0, a.0, b.0, c.0, d.0)?;
                }
                Instruction::Invoke { site } => {
                    let site = &self.calls[site as usize];
                    let operands: Vec<String> =
                        site.operands.iter().map(|slot| format!("s{}", slot.0)).collect();
                    let last = site.first.0 + site.n_written().max(1) - 1;
                    let what = if site.is_difference { "difference of function" } else { "function" };
                    let (first, id, operands) = (site.first.0, site.function.0, operands.join(" "));
                    writeln!(f, "s{first}..s{last} = {what} {id} {operands}")?;
                }
                Instruction::JumpUnless { a, target } => writeln!(f, "unless s{} go to {target}", a.0)?,
                Instruction::Jump { target } => writeln!(f, "go to {target}")?,
            }
        }
        Ok(())
    }
}
