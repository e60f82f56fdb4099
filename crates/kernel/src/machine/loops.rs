//! Loops over formulas of one shape.
//!
//! Several members are computed in one iteration. If the formula is plain arithmetic on adjacent numbers, two members are
//! computed by one instruction: the results are the same, digit by digit.

use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};
use rhei_elementary::{Binary, Code};
use rustc_hash::FxHashMap;

use super::families::{Loop, MemberSlots, known_exponent};
use super::translate::{ENTRY, SlotValues, Task, Translator, Turn, Unfit, WIDTH};
use crate::program::{Instruction, Slot};

/// Members of a loop per iteration, if they are short: counting would cost as much as they do.
const AT_ONCE: usize = 4;
/// Members per instruction, if they can be paired.
const PAIR: usize = 2;
/// Most instructions of a short member.
const SHORT: usize = 24;
/// Most slots that a loop keeps in registers.
const MOST_HOISTED: usize = 8;

impl<'a> Translator<'a, '_> {
    pub(super) fn repeat(&mut self, of: &'a Loop) -> Result<(), Unfit> {
        self.known.clear();
        self.exponents.clear();
        let hoisted = self.hoist(of);
        let mut strides: Vec<i64> = of
            .places
            .values()
            .filter_map(|place| match place {
                MemberSlots::Stride(stride) if *stride != 0 => Some(*stride),
                _ => None,
            })
            .collect();
        strides.sort_unstable();
        strides.dedup();
        let in_pairs = goes_in_pairs(self.task, of);
        let at_once = match in_pairs {
            _ if of.first.len() <= SHORT && of.count >= 2 * AT_ONCE => AT_ONCE,
            true => PAIR,
            false => 1,
        };
        let turns = of.count / at_once;
        let at_first = if in_pairs { self.doubled(&hoisted) } else { hoisted.clone() };

        // the iterations left, the row of the table, and the offset in the arrays by each stride
        let pointer = self.task.target.pointer_type();
        let (body, end) = (self.builder.create_block(), self.builder.create_block());
        let left = self.builder.ins().iconst(pointer, turns as i64);
        let zero = self.builder.ins().iconst(pointer, 0);
        let mut first = vec![left];
        first.extend((of.columns > 0).then_some(self.tables));
        first.extend(strides.iter().map(|_| zero));
        let steps: Vec<i64> = std::iter::once(-1)
            .chain((of.columns > 0).then_some((at_once * of.columns) as i64 * ENTRY))
            .chain(strides.iter().map(|stride| at_once as i64 * stride * WIDTH))
            .collect();
        let arguments = |values: &[Value]| values.iter().map(|v| BlockArg::Value(*v)).collect::<Vec<_>>();
        self.builder.ins().jump(body, &arguments(&first));
        let now: Vec<Value> = first.iter().map(|_| self.builder.append_block_param(body, pointer)).collect();
        self.builder.switch_to_block(body);
        let row = (of.columns > 0).then(|| now[1]);
        let offsets = strides.iter().copied().zip(now[now.len() - strides.len()..].to_vec()).collect();
        self.turn = Some(Turn { of, offsets, row, member: 0, hoisted: at_first });
        self.is_pair = in_pairs;
        self.members(of, at_once)?;
        self.is_pair = false;
        let next: Vec<Value> = now
            .iter()
            .zip(&steps)
            .map(|(value, step)| self.builder.ins().iadd_imm_s(*value, *step))
            .collect();
        self.builder.ins().brif(next[0], body, &arguments(&next), end, &[]);
        self.builder.switch_to_block(end);

        // the remaining members
        let turns = turns as i64;
        let far = |this: &mut Self, step: i64| this.builder.ins().iconst(pointer, turns * step);
        let row = (of.columns > 0).then(|| self.builder.ins().iadd_imm_s(self.tables, turns * steps[1]));
        let mut offsets = Vec::with_capacity(strides.len());
        for (stride, step) in strides.iter().zip(&steps[steps.len() - strides.len()..]) {
            offsets.push((*stride, far(self, *step)));
        }
        if let Some(turn) = &mut self.turn {
            (turn.offsets, turn.row, turn.hoisted) = (offsets, row, hoisted);
        }
        self.members(of, of.count % at_once)?;
        self.turn = None;
        Ok(())
    }

    /// So many members of a loop, one after the other.
    fn members(&mut self, of: &Loop, count: usize) -> Result<(), Unfit> {
        let each = if self.is_pair { PAIR } else { 1 };
        for member in (0..count).step_by(each) {
            if let Some(turn) = &mut self.turn {
                turn.member = member as i64;
            }
            self.instructions(of.first.clone())?;
            self.known.clear();
            self.exponents.clear();
        }
        Ok(())
    }

    /// The slots that are constant in a loop, read before it.
    fn hoist(&mut self, of: &Loop) -> FxHashMap<Slot, SlotValues> {
        let mut same: Vec<Slot> = of
            .places
            .iter()
            .filter(|(_, place)| **place == MemberSlots::Same)
            .map(|(slot, _)| *slot)
            .collect();
        same.sort_unstable();
        let mut hoisted = FxHashMap::default();
        for slot in same.into_iter().take(MOST_HOISTED) {
            let value = self.load(slot, self.values);
            let change = self.change(slot);
            hoisted.insert(slot, SlotValues { value, change, truth: None, is_computed: false });
        }
        hoisted
    }
    /// The same for two members at once.
    fn doubled(&mut self, hoisted: &FxHashMap<Slot, SlotValues>) -> FxHashMap<Slot, SlotValues> {
        let mut slots: Vec<Slot> = hoisted.keys().copied().collect();
        slots.sort_unstable();
        let mut twice = |value: Value| self.builder.ins().splat(types::F64X2, value);
        let mut doubled = |slot: Slot| {
            let known = hoisted[&slot];
            let (value, change) = (twice(known.value), known.change.map(&mut twice));
            (slot, SlotValues { value, change, ..known })
        };
        slots.into_iter().map(&mut doubled).collect()
    }
}

/// Whether two members of a loop can be computed by the same instructions: they are plain arithmetic on adjacent numbers, and
/// the second needs no result of the first.
fn goes_in_pairs(task: &Task<'_>, of: &Loop) -> bool {
    if !task.has_pairs || of.count < 2 * PAIR {
        return false;
    }
    let instructions = &task.program.instructions[of.first.clone()];
    if !instructions.iter().all(|&instruction| is_arithmetic(task, instruction)) {
        return false;
    }
    if of.places.values().any(|place| !matches!(place, MemberSlots::Same | MemberSlots::Stride(1))) {
        return false;
    }
    let moves = |slot: &Slot| of.places.get(slot) == Some(&MemberSlots::Stride(1));
    let of_all = |slots: &dyn Fn(Instruction) -> Vec<Slot>| -> Vec<Slot> {
        instructions.iter().flat_map(|&instruction| slots(instruction)).filter(moves).collect()
    };
    let read = of_all(&|instruction| task.program.reads(instruction).collect());
    let written = of_all(&|instruction| task.program.writes(instruction).collect());
    let follows = |first: Slot, second: Slot| first.0 + 1 == second.0;
    // the second member reads or writes one slot further on than the first
    written.iter().all(|&to| !read.iter().chain(&written).any(|&other| follows(other, to)))
}

/// Whether an instruction is the same for one number and for two.
fn is_arithmetic(task: &Task<'_>, instruction: Instruction) -> bool {
    match instruction {
        Instruction::Copy { .. } | Instruction::Negate { .. } => true,
        Instruction::Binary { op, .. } => match op {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Min | Binary::Max => true,
            // its derivative is computed only if the base changes
            Binary::Pow => {
                !task.with_changes && known_exponent(task.program, instruction, task.values).is_some()
            }
            Binary::Atan2 => false,
        },
        Instruction::Call { function, .. } => match function.row().code {
            Code::SquareRoot | Code::Size | Code::Sign => true,
            Code::Round(_) => task.rounds,
            Code::Call => false,
        },
        _ => false,
    }
}
