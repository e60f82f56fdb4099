//! Instructions of programs to instructions of Cranelift.
//!
//! Variables and shared temporaries live in the array of values, all others in registers. With changes, every value is followed
//! by its directional derivative, by the rules that the interpreter uses. [`loops`](super::loops) has the loops,
//! [`arithmetic`](super::arithmetic) the operations of the rules.

use std::ops::Range;

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, Function, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value, types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rhei_elementary::{Algebra, Binary, Relation, change_of_binary, change_of_call};
use rustc_hash::FxHashMap;

use super::families::{Item, Loop, MemberSlots, Plan, known_exponent};
use super::helpers::Helper;
use crate::program::{Instruction, Program, Slot};

/// A program that does not fit into machine code: the interpreter runs it.
#[derive(Debug)]
pub(crate) struct Unfit;

/// The context shared by all functions of a program.
pub(crate) struct Task<'a> {
    pub(crate) program: &'a Program,
    pub(crate) plan: &'a Plan,
    /// Holds the constants.
    pub(crate) values: &'a [f64],
    /// Whether changes are computed with the values.
    pub(crate) with_changes: bool,
    /// Whether the machine rounds to whole numbers itself.
    pub(crate) rounds: bool,
    /// Whether it computes with two numbers at once.
    pub(crate) has_pairs: bool,
    pub(crate) target: TargetFrontendConfig,
}

/// Width of a number in memory.
pub(super) const WIDTH: i64 = 8;
/// Width of an entry of a table of slots.
pub(super) const ENTRY: i64 = 4;
/// Most instructions in both arms of an `if` for both to be computed and one selected: a branch would cost as much.
const CHEAP_ARMS: usize = 6;
/// Most values of earlier formulas that are kept in registers; more would be spilled.
const KEPT: usize = 24;

/// The type of all functions: values, changes, tables, the evaluation and helpers in, whether it failed out.
pub(crate) fn signature(target: &TargetFrontendConfig) -> Signature {
    let mut signature = Signature::new(target.default_call_conv);
    signature.params.extend([AbiParam::new(target.pointer_type()); 5]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// One function for some items of the plan.
pub(crate) fn translate(
    task: &Task<'_>,
    items: &[Item],
    context: &mut FunctionBuilderContext,
) -> Result<Function, Unfit> {
    let mut function = Function::new();
    function.signature = signature(&task.target);
    let mut builder = FunctionBuilder::new(&mut function, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[values, changes, tables, evaluation, helpers] = builder.block_params(entry) else {
        return Err(Unfit);
    };
    let failed = builder.create_block();
    let mut translator = Translator {
        task,
        builder,
        values,
        changes,
        tables,
        evaluation,
        caller: Caller::new(helpers, task.target),
        failed,
        known: FxHashMap::default(),
        undo: Vec::new(),
        depth: 0,
        turn: None,
        exponents: FxHashMap::default(),
        is_pair: false,
    };
    for item in items {
        match item {
            Item::Once(range) => {
                translator.instructions(range.clone())?;
                translator.forget_own();
            }
            Item::Loop(one) => translator.repeat(one)?,
        }
    }
    translator.finish();
    Ok(function)
}

/// The known values of a slot.
#[derive(Clone, Copy)]
pub(super) struct SlotValues {
    pub(super) value: Value,
    pub(super) change: Option<Value>,
    /// The value as a Boolean.
    pub(super) truth: Option<Value>,
    /// Whether it was computed here and is in memory, too.
    pub(super) is_computed: bool,
}

/// One iteration of a loop: the places of its slots.
pub(super) struct Turn<'a> {
    pub(super) of: &'a Loop,
    /// Per stride, the offset in the arrays.
    pub(super) offsets: Vec<(i64, Value)>,
    /// The row of the table.
    pub(super) row: Option<Value>,
    /// The member among those of one iteration.
    pub(super) member: i64,
    /// Slots that stay the same.
    pub(super) hoisted: FxHashMap<Slot, SlotValues>,
}

pub(super) struct Translator<'a, 'f> {
    pub(super) task: &'a Task<'a>,
    pub(super) builder: FunctionBuilder<'f>,
    pub(super) values: Value,
    pub(super) changes: Value,
    pub(super) tables: Value,
    evaluation: Value,
    caller: Caller,
    failed: Block,
    pub(super) known: FxHashMap<Slot, SlotValues>,
    /// The known values of slots before the arm of an `if` being translated.
    undo: Vec<(Slot, Option<SlotValues>)>,
    depth: usize,
    pub(super) turn: Option<Turn<'a>>,
    /// Constants among values, for powers.
    pub(super) exponents: FxHashMap<Value, f64>,
    /// Whether numbers are two at once: those of two members of a loop that follow each other.
    pub(super) is_pair: bool,
}

impl<'a> Translator<'a, '_> {
    fn finish(mut self) {
        let fine = self.builder.ins().iconst(types::I32, 0);
        self.builder.ins().return_(&[fine]);
        self.builder.switch_to_block(self.failed);
        let failed = self.builder.ins().iconst(types::I32, 1);
        self.builder.ins().return_(&[failed]);
        self.builder.seal_all_blocks();
        self.builder.finalize(self.task.target);
    }

    /// After a formula: forgets its temporaries, and values that were read, which are read again when needed, lest registers run
    /// out.
    fn forget_own(&mut self) {
        self.known.retain(|_, known| known.is_computed);
        if self.known.len() > KEPT {
            self.known.clear();
        }
        self.exponents.clear();
    }

    // ── instructions ──

    pub(super) fn instructions(&mut self, range: Range<usize>) -> Result<(), Unfit> {
        let mut at = range.start;
        while at < range.end {
            let instruction = self.task.program.instructions[at];
            at = match instruction {
                Instruction::JumpUnless { a, target } => self.choose(at, a, target as usize, range.end)?,
                Instruction::Jump { .. } => return Err(Unfit),
                Instruction::Invoke { .. } | Instruction::Whole { .. } => {
                    self.invoke(at);
                    at + 1
                }
                _ => {
                    self.operation(instruction);
                    at + 1
                }
            };
        }
        Ok(())
    }

    fn operation(&mut self, instruction: Instruction) {
        match instruction {
            Instruction::Copy { to, a } => {
                let value = self.value(a);
                let change = self.change(a);
                let truth = self.known.get(&a).and_then(|known| known.truth);
                self.write(to, value, change, truth);
            }
            Instruction::Negate { to, a } => {
                let value = self.value(a);
                let negated = self.builder.ins().fneg(value);
                let change = self.change(a).map(|change| self.builder.ins().fneg(change));
                self.write(to, negated, change, None);
            }
            Instruction::Binary { op, to, a, b } => {
                let (x, y) = (self.value(a), self.value(b));
                if let Some(exponent) = known_exponent(self.task.program, instruction, self.task.values) {
                    self.exponents.insert(y, exponent);
                }
                let value = self.binary(op, x, y);
                let change = if self.task.with_changes {
                    let (dx, dy) = (self.change(a), self.change(b));
                    change_of_binary(self, op, value, (x, dx), (y, dy))
                } else {
                    None
                };
                self.write(to, value, change, None);
            }
            Instruction::Call { function, to, a } => {
                let x = self.value(a);
                let value = self.call(function, x);
                let change = if self.task.with_changes {
                    let dx = self.change(a);
                    change_of_call(self, function, value, (x, dx))
                } else {
                    None
                };
                self.write(to, value, change, None);
            }
            Instruction::Relation { relation, to, a, b } => {
                let (x, y) = (self.value(a), self.value(b));
                let truth = self.builder.ins().fcmp(comparison(relation), x, y);
                self.write_truth(to, truth);
            }
            Instruction::Not { to, a } => {
                let truth = self.truth(a);
                let one = self.builder.ins().iconst(types::I8, 1);
                let truth = self.builder.ins().bxor(truth, one);
                self.write_truth(to, truth);
            }
            Instruction::And { to, a, b } => {
                let (x, y) = (self.truth(a), self.truth(b));
                let truth = self.builder.ins().band(x, y);
                self.write_truth(to, truth);
            }
            Instruction::Or { to, a, b } => {
                let (x, y) = (self.truth(a), self.truth(b));
                let truth = self.builder.ins().bor(x, y);
                self.write_truth(to, truth);
            }
            Instruction::Invoke { .. }
            | Instruction::Whole { .. }
            | Instruction::JumpUnless { .. }
            | Instruction::Jump { .. } => {}
        }
    }

    /// An `if`: a condition, an arm that ends in a jump over the other one. Answers the index of its end.
    fn choose(&mut self, at: usize, a: Slot, otherwise: usize, end: usize) -> Result<usize, Unfit> {
        let instructions = &self.task.program.instructions;
        let Some(&Instruction::Jump { target }) = instructions.get(otherwise - 1) else { return Err(Unfit) };
        let (then, other) = (at + 1..otherwise - 1, otherwise..target as usize);
        if then.is_empty() || other.is_empty() || other.end > end {
            return Err(Unfit);
        }
        let (Instruction::Copy { to, .. }, Instruction::Copy { to: same, .. }) =
            (instructions[then.end - 1], instructions[other.end - 1])
        else {
            return Err(Unfit);
        };
        if to != same {
            return Err(Unfit);
        }
        let condition = self.truth(a);
        if self.are_cheap(&then, &other) {
            let (x, dx) = self.arm(then)?;
            let (y, dy) = self.arm(other)?;
            let value = self.builder.ins().select(condition, x, y);
            let change = self.task.with_changes.then(|| self.builder.ins().select(condition, dx, dy));
            self.write(to, value, change, None);
            return Ok(target as usize);
        }
        let blocks = [(); 3].map(|()| self.builder.create_block());
        let [then_block, other_block, join] = blocks;
        self.builder.ins().brif(condition, then_block, &[], other_block, &[]);
        let value = self.builder.append_block_param(join, types::F64);
        let change = self.task.with_changes.then(|| self.builder.append_block_param(join, types::F64));
        for (block, arm) in [(then_block, then), (other_block, other)] {
            self.builder.switch_to_block(block);
            let (value, change) = self.arm(arm)?;
            let arguments = [BlockArg::Value(value), BlockArg::Value(change)];
            self.builder.ins().jump(join, &arguments[..1 + usize::from(self.task.with_changes)]);
        }
        self.builder.switch_to_block(join);
        self.write(to, value, change, None);
        Ok(target as usize)
    }

    /// The value of an arm, and its derivative (the value again without derivatives).
    fn arm(&mut self, arm: Range<usize>) -> Result<(Value, Value), Unfit> {
        let mark = self.undo.len();
        self.depth += 1;
        let last = arm.end - 1;
        self.instructions(arm.start..last)?;
        let Instruction::Copy { a, .. } = self.task.program.instructions[last] else { return Err(Unfit) };
        let value = self.value(a);
        let change = if self.task.with_changes { self.change_or_zero(a) } else { value };
        self.depth -= 1;
        // values computed or read here are not available on the other path
        for (slot, before) in self.undo.split_off(mark).into_iter().rev() {
            match before {
                Some(before) => self.known.insert(slot, before),
                None => self.known.remove(&slot),
            };
        }
        Ok((value, change))
    }

    /// Whether both arms may be computed: none can fail, or takes long.
    fn are_cheap(&self, then: &Range<usize>, other: &Range<usize>) -> bool {
        let simple = |at: usize| match self.task.program.instructions[at] {
            Instruction::Binary { op, .. } => matches!(op, Binary::Add | Binary::Sub | Binary::Mul),
            Instruction::Copy { .. } | Instruction::Negate { .. } | Instruction::Relation { .. } => true,
            _ => false,
        };
        // beside the value, which the last instruction writes, an arm may leave the low-order part of a whole number in memory
        let leaves = |arm: &Range<usize>| {
            let instructions = &self.task.program.instructions[arm.start..arm.end - 1];
            let written = instructions.iter().filter_map(|instruction| instruction.writes());
            written.into_iter().any(|slot| self.task.plan.in_memory.contains(&slot))
        };
        then.len() + other.len() <= CHEAP_ARMS
            && then.clone().chain(other.clone()).all(simple)
            && !leaves(then)
            && !leaves(other)
    }

    fn invoke(&mut self, at: usize) {
        let helper = if self.task.with_changes { Helper::InvokeChange } else { Helper::Invoke };
        let at = self.builder.ins().iconst(types::I32, at as i64);
        let failed = self.call_helper(helper, &[self.evaluation, at]);
        let go_on = self.builder.create_block();
        self.builder.ins().brif(failed, self.failed, &[], go_on, &[]);
        self.builder.switch_to_block(go_on);
    }

    pub(super) fn call_helper(&mut self, helper: Helper, arguments: &[Value]) -> Value {
        self.caller.call(&mut self.builder, helper, arguments)
    }

    // ── slots ──

    fn value(&mut self, slot: Slot) -> Value {
        if let Some(known) = self.lookup(slot) {
            return known.value;
        }
        let value = self.load(slot, self.values);
        self.remember(slot, SlotValues { value, change: None, truth: None, is_computed: false });
        value
    }

    /// The derivative of a slot; none if derivatives are not computed, or for a constant.
    pub(super) fn change(&mut self, slot: Slot) -> Option<Value> {
        if !self.task.with_changes || self.task.program.is_constant(slot) {
            return None;
        }
        let known = self.lookup(slot);
        if let Some(SlotValues { change: Some(change), .. }) = known {
            return Some(change);
        }
        let change = self.load(slot, self.changes);
        if let Some(known) = known {
            self.remember(slot, SlotValues { change: Some(change), ..known });
        }
        Some(change)
    }

    fn change_or_zero(&mut self, slot: Slot) -> Value {
        self.change(slot).unwrap_or_else(|| self.constant(0.0))
    }

    /// Whether a slot holds something else than zero.
    fn truth(&mut self, slot: Slot) -> Value {
        if let Some(SlotValues { truth: Some(truth), .. }) = self.lookup(slot) {
            return truth;
        }
        let value = self.value(slot);
        let zero = self.builder.ins().f64const(0.0);
        self.builder.ins().fcmp(FloatCC::NotEqual, value, zero)
    }

    fn lookup(&self, slot: Slot) -> Option<SlotValues> {
        let hoisted = || self.turn.as_ref().and_then(|turn| turn.hoisted.get(&slot));
        self.known.get(&slot).or_else(hoisted).copied()
    }

    fn remember(&mut self, slot: Slot, known: SlotValues) {
        let before = self.known.insert(slot, known);
        if self.depth > 0 {
            self.undo.push((slot, before));
        }
    }

    fn write_truth(&mut self, to: Slot, truth: Value) {
        let wide = self.builder.ins().uextend(types::I32, truth);
        let value = self.builder.ins().fcvt_from_sint(types::F64, wide);
        self.write(to, value, None, Some(truth));
    }

    fn write(&mut self, to: Slot, value: Value, change: Option<Value>, truth: Option<Value>) {
        let change = match change {
            None if self.task.with_changes => Some(self.constant(0.0)),
            change => change,
        };
        let is_in_memory = to.0 < self.task.program.constants.end || self.task.plan.in_memory.contains(&to);
        if is_in_memory {
            self.store(to, self.values, value);
            if let Some(change) = change {
                self.store(to, self.changes, change);
            }
        }
        self.remember(to, SlotValues { value, change, truth, is_computed: is_in_memory });
    }

    pub(super) fn load(&mut self, slot: Slot, array: Value) -> Value {
        let (address, offset) = self.address(slot, array);
        if !self.is_pair {
            return self.builder.ins().load(types::F64, MemFlagsData::trusted(), address, offset);
        }
        if self.stays(slot) {
            let value = self.builder.ins().load(types::F64, MemFlagsData::trusted(), address, offset);
            return self.builder.ins().splat(types::F64X2, value);
        }
        self.builder.ins().load(types::F64X2, pair_flags(), address, offset)
    }

    /// Whether a slot is the same in all members of a loop.
    fn stays(&self, slot: Slot) -> bool {
        let place = self.turn.as_ref().and_then(|turn| turn.of.places.get(&slot));
        !matches!(place, Some(MemberSlots::Stride(1..)))
    }

    fn store(&mut self, slot: Slot, array: Value, value: Value) {
        let (address, offset) = self.address(slot, array);
        let flags = if self.is_pair { pair_flags() } else { MemFlagsData::trusted() };
        self.builder.ins().store(flags, value, address, offset);
    }

    /// The address of a slot in one of the arrays.
    fn address(&mut self, slot: Slot, array: Value) -> (Value, i32) {
        let offset = (i64::from(slot.0) * WIDTH) as i32;
        let Some(turn) = &self.turn else { return (array, offset) };
        match turn.of.places.get(&slot) {
            None | Some(MemberSlots::Same | MemberSlots::Stride(0)) => (array, offset),
            Some(&MemberSlots::Stride(stride)) => {
                let offset = offset + (turn.member * stride * WIDTH) as i32;
                let known = turn.offsets.iter().find(|(of, _)| *of == stride);
                let by = known.map_or(array, |(_, by)| *by);
                (self.builder.ins().iadd(array, by), offset)
            }
            Some(&MemberSlots::Table(column)) => {
                let row = turn.row.unwrap_or(self.tables);
                let entry = ((turn.of.table + column) as i64 + turn.member * turn.of.columns as i64) * ENTRY;
                let flags = MemFlagsData::trusted().with_readonly();
                let index = self.builder.ins().uload32(flags, row, entry as i32);
                let by = self.builder.ins().ishl_imm_u(index, 3);
                (self.builder.ins().iadd(array, by), 0)
            }
        }
    }
}

/// Calls of helpers out of one function.
pub(crate) struct Caller {
    /// The address of the table.
    table: Value,
    target: TargetFrontendConfig,
    /// Of helpers of one number, of two numbers, and of calls.
    signatures: [Option<SigRef>; 3],
}

impl Caller {
    pub(crate) fn new(table: Value, target: TargetFrontendConfig) -> Self {
        Caller { table, target, signatures: [None; 3] }
    }

    pub(crate) fn call(
        &mut self,
        builder: &mut FunctionBuilder<'_>,
        helper: Helper,
        arguments: &[Value],
    ) -> Value {
        let pointer = self.target.pointer_type();
        let (place, types, result): (usize, &[Type], Type) = match helper {
            Helper::Power | Helper::Atan2 => (1, &[types::F64, types::F64], types::F64),
            Helper::Invoke | Helper::InvokeChange => (2, &[pointer, types::I32], types::I32),
            Helper::Function(_) => (0, &[types::F64], types::F64),
        };
        let signature = *self.signatures[place].get_or_insert_with(|| {
            let mut signature = Signature::new(self.target.default_call_conv);
            signature.params.extend(types.iter().map(|ty| AbiParam::new(*ty)));
            signature.returns.push(AbiParam::new(result));
            builder.import_signature(signature)
        });
        let offset = helper.place() * size_of::<usize>();
        let flags = MemFlagsData::trusted().with_readonly();
        let address = builder.ins().load(pointer, flags, self.table, offset as i32);
        let call = builder.ins().call_indirect(signature, address, arguments);
        builder.inst_results(call)[0]
    }
}

/// Two numbers are aligned as one is.
fn pair_flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

pub(crate) fn comparison(relation: Relation) -> FloatCC {
    match relation {
        Relation::Less => FloatCC::LessThan,
        Relation::LessEqual => FloatCC::LessThanOrEqual,
        Relation::Greater => FloatCC::GreaterThan,
        Relation::GreaterEqual => FloatCC::GreaterThanOrEqual,
        Relation::Equal => FloatCC::Equal,
        Relation::NotEqual => FloatCC::NotEqual,
    }
}
