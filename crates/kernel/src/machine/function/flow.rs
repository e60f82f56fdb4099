//! Jumps, iterations of loops, calls, and the beginning and end of a routine.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};
use rhei_elementary::Rounding;
use rhei_evaluate::translated::{CallOp, Element, LARGEST_WHOLE, Layout, Op, Slot};
use rhei_flat::Scalar;

use super::frame::Frame;
use super::{Body, Shared, Unfit, signature};

/// The targets of a routine's jumps.
struct Labels {
    /// By instruction; the last is the end.
    blocks: Vec<Option<Block>>,
    /// The last instruction that jumps there.
    last: Vec<usize>,
}

impl Body<'_, '_> {
    /// Translates all instructions of a routine, which leave its results in its frame.
    pub(super) fn routine(&mut self, frame: &mut Frame) -> Result<(), Unfit> {
        let translated = self.translated;
        let routine = &translated.routines[frame.routine];
        let labels = self.labels(&routine.ops);
        let mut is_reached = true;
        for (i, &op) in routine.ops.iter().enumerate() {
            if let Some(block) = labels.blocks[i] {
                self.arrive(block, is_reached, labels.last[i] < i);
                is_reached = true;
            }
            if is_reached {
                self.count(1)?;
                is_reached = self.instruction(frame, op, &labels)?;
            }
            if let Op::Jump(to) | Op::JumpIf(_, to) | Op::JumpUnless(_, to) = op {
                // the last jump back to the beginning of a loop
                if let (true, Some(block)) = ((to as usize) <= i, labels.blocks[to as usize])
                    && labels.last[to as usize] == i
                {
                    self.builder.seal_block(block);
                }
            }
        }
        if let Some(end) = labels.blocks[routine.ops.len()] {
            self.arrive(end, is_reached, true);
            is_reached = true;
        }
        if !is_reached {
            // the following code needs a block, which is unreachable
            let nowhere = self.builder.create_block();
            self.builder.switch_to_block(nowhere);
            self.builder.seal_block(nowhere);
        }
        for (at, layout) in &routine.records {
            self.complete(frame, *at, layout)?;
        }
        Ok(())
    }

    fn labels(&mut self, ops: &[Op]) -> Labels {
        let (mut blocks, mut last) = (vec![None; ops.len() + 1], vec![0; ops.len() + 1]);
        for (i, op) in ops.iter().enumerate() {
            if let Op::Jump(to) | Op::JumpIf(_, to) | Op::JumpUnless(_, to) = *op {
                blocks[to as usize].get_or_insert_with(|| self.builder.create_block());
                last[to as usize] = i;
            }
        }
        Labels { blocks, last }
    }

    /// Continues at a block where paths meet.
    fn arrive(&mut self, block: Block, is_reached: bool, is_last: bool) {
        if is_reached {
            self.settle();
            self.builder.ins().jump(block, &[]);
        }
        self.forget();
        self.builder.switch_to_block(block);
        if is_last {
            self.builder.seal_block(block);
        }
    }

    /// One instruction; says whether the next one can follow it.
    fn instruction(&mut self, frame: &mut Frame, op: Op, labels: &Labels) -> Result<bool, Unfit> {
        let target = |to: u32| labels.blocks[to as usize].ok_or(Unfit);
        match op {
            Op::Jump(to) => {
                self.settle();
                self.builder.ins().jump(target(to)?, &[]);
                Ok(false)
            }
            Op::JumpIf(a, to) | Op::JumpUnless(a, to) => {
                let a = self.read(frame, a);
                let truth = self.truth(a);
                self.settle();
                let (target, next) = (target(to)?, self.builder.create_block());
                let (then, otherwise) =
                    if matches!(op, Op::JumpIf(..)) { (target, next) } else { (next, target) };
                self.builder.ins().brif(truth, then, &[], otherwise, &[]);
                self.builder.switch_to_block(next);
                self.builder.seal_block(next);
                Ok(true)
            }
            Op::GiveUp => {
                self.drop_checks();
                self.builder.ins().jump(self.give_up, &[]);
                Ok(false)
            }
            Op::Turn => {
                self.step();
                Ok(true)
            }
            Op::Call(call) => {
                let translated = self.translated;
                let call = &translated.routines[frame.routine].calls[call as usize];
                self.call(frame, call)?;
                Ok(true)
            }
            _ => self.calculate(frame, op).map(|()| true),
        }
    }

    /// Subtracts a step from the work left.
    fn step(&mut self) {
        let (place, flags) = (std::mem::offset_of!(Shared, left) as i32, MemFlagsData::trusted());
        let left = self.builder.ins().load(types::I64, flags, self.shared, place);
        let left = self.builder.ins().iadd_imm_s(left, -1);
        self.builder.ins().store(flags, left, self.shared, place);
        let zero = self.builder.ins().iconst(types::I64, 0);
        let is_spent = self.builder.ins().icmp(IntCC::SignedLessThanOrEqual, left, zero);
        self.fail_if(is_spent);
    }

    // ── calls ──

    fn call(&mut self, frame: &mut Frame, call: &CallOp) -> Result<(), Unfit> {
        let mut arguments = Vec::new();
        for &(from, to, n) in &call.arguments {
            for i in 0..n {
                let argument = self.read(frame, from + i);
                self.require(argument);
                arguments.push((to + i, argument));
            }
        }
        self.count(arguments.len())?;
        if self.plan.is_short[call.routine] {
            let mut inner = Frame::new(self, call.routine)?;
            for (to, argument) in arguments {
                self.write(&inner, to, argument)?;
            }
            self.routine(&mut inner)?;
            for &(from, to, n) in &call.results {
                let results: Vec<Value> = (from..from + n).map(|slot| self.read(&inner, slot)).collect();
                self.put(frame, to, &results)?;
            }
            return Ok(());
        }
        self.step();
        self.settle();
        let n_results: u32 = call.results.iter().map(|(_, _, n)| n).sum();
        let n_arguments = arguments.len() as u32;
        let passed = self.passed(n_arguments + n_results);
        let pointer = self.target.pointer_type();
        for (i, (_, argument)) in (0..).zip(&arguments) {
            self.builder.ins().stack_store(pointer, *argument, passed, i * 8);
        }
        let given = self.builder.ins().stack_addr(pointer, passed, 0);
        let found = self.builder.ins().stack_addr(pointer, passed, n_arguments as i32 * 8);
        let (place, flags) = (std::mem::offset_of!(Shared, routines) as i32, MemFlagsData::trusted());
        let routines = self.builder.ins().load(pointer, flags, self.shared, place);
        let place = (call.routine * size_of::<usize>()) as i32;
        let address = self.builder.ins().load(pointer, flags, routines, place);
        let signature = signature(&self.target);
        let signature = self.builder.import_signature(signature);
        let called =
            self.builder.ins().call_indirect(signature, address, &[given, found, self.helpers, self.shared]);
        let gave_up = self.builder.inst_results(called)[0];
        let zero = self.builder.ins().iconst(types::I32, 0);
        let gave_up = self.builder.ins().icmp(IntCC::NotEqual, gave_up, zero);
        self.fail_if(gave_up);
        self.settle();
        let mut place = n_arguments as i32;
        for &(_, to, n) in &call.results {
            for slot in to..to + n {
                let result = self.builder.ins().stack_load(pointer, types::F64, passed, place * 8);
                place += 1;
                let result = self.is_seen(result);
                self.write(frame, slot, result)?;
            }
        }
        self.count(n_results as usize)
    }

    /// Room for arguments and results, shared by all calls.
    fn passed(&mut self, numbers: u32) -> cranelift_codegen::ir::StackSlot {
        let (slot, most) = match self.passed {
            Some(passed) => passed,
            None => (self.room(numbers), numbers),
        };
        let most = most.max(numbers);
        self.builder.func.sized_stack_slots[slot].size = most.max(1) * 8;
        self.passed = Some((slot, most));
        slot
    }

    // ── the beginning and the end ──

    /// Gives inputs their values; those from outside have these types, and are checked.
    pub(super) fn take_operands(&mut self, frame: &mut Frame, given: Value, types_of: Option<&[Scalar]>) {
        let translated = self.translated;
        let mut place = 0;
        for (at, layout) in &translated.signatures[frame.routine].inputs {
            for slot in *at..*at + layout.width() as u32 {
                let number =
                    self.builder.ins().load(types::F64, MemFlagsData::trusted(), given, place as i32 * 8);
                let number = match types_of {
                    None => self.is_seen(number),
                    Some(types_of) => self.operand(number, types_of.get(place).copied()),
                };
                place += 1;
                // inputs are not constants
                let _ = self.write(frame, slot, number);
            }
        }
    }

    fn operand(&mut self, number: Value, scalar: Option<Scalar>) -> Value {
        self.require(number);
        match scalar {
            Some(Scalar::Integer | Scalar::Enumeration(_)) => {
                let whole = self.round(Rounding::ToZero, number);
                let (size, most) = (self.builder.ins().fabs(whole), self.number(LARGEST_WHOLE));
                let is_large = self.builder.ins().fcmp(FloatCC::GreaterThanOrEqual, size, most);
                let differs = self.builder.ins().fcmp(FloatCC::NotEqual, whole, number);
                self.fail_if(is_large);
                self.fail_if(differs);
                let zero = self.number(0.0);
                let whole = self.builder.ins().fadd(whole, zero);
                self.is_seen(whole)
            }
            Some(Scalar::Boolean) => {
                let zero = self.number(0.0);
                let truth = self.builder.ins().fcmp(FloatCC::NotEqual, number, zero);
                self.number_of_truth(truth)
            }
            _ => number,
        }
    }

    /// Returns the results.
    pub(super) fn finish(mut self, frame: &mut Frame, results: Value) {
        let translated = self.translated;
        let mut place = 0;
        let mut found = Vec::new();
        for (at, layout) in &translated.signatures[frame.routine].outputs {
            for slot in *at..*at + layout.width() as u32 {
                let number = self.read(frame, slot);
                self.require(number);
                found.push((place, number));
                place += 1;
            }
        }
        self.settle();
        for (place, number) in found {
            self.builder.ins().store(MemFlagsData::trusted(), number, results, place * 8);
        }
        let fine = self.builder.ins().iconst(types::I32, 0);
        self.builder.ins().return_(&[fine]);
        self.builder.switch_to_block(self.give_up);
        let gave_up = self.builder.ins().iconst(types::I32, 1);
        self.builder.ins().return_(&[gave_up]);
        self.builder.seal_all_blocks();
        self.builder.finalize(self.target);
    }

    /// Fields of records may be unassigned, as long as one is assigned; the others are filled.
    fn complete(&mut self, frame: &Frame, at: Slot, layout: &Layout) -> Result<(), Unfit> {
        let is_there = self.is_there(frame, at, layout);
        let one = self.builder.ins().iconst(types::I8, 1);
        let fails = self.builder.ins().bxor(is_there, one);
        self.fail_if(fails);
        self.replace_nothing(frame, at, layout)
    }

    fn is_there(&mut self, frame: &Frame, at: Slot, layout: &Layout) -> Value {
        let mut all = self.builder.ins().iconst(types::I8, 1);
        for i in 0..layout.count() {
            let at = at + (i * layout.element_width()) as u32;
            let one = match &layout.element {
                Element::Number(_) => {
                    let number = self.read(frame, at);
                    self.builder.ins().fcmp(FloatCC::Ordered, number, number)
                }
                Element::Record(_, fields) if fields.is_empty() => continue,
                Element::Function(..) => continue, // no result
                Element::Record(_, fields) => {
                    let (mut any, mut at) = (None, at);
                    for field in fields {
                        let is_there = self.is_there(frame, at, field);
                        at += field.width() as u32;
                        any = Some(match any {
                            Some(any) => self.builder.ins().bor(any, is_there),
                            None => is_there,
                        });
                    }
                    any.unwrap_or(all)
                }
            };
            all = self.builder.ins().band(all, one);
        }
        all
    }

    fn replace_nothing(&mut self, frame: &Frame, at: Slot, layout: &Layout) -> Result<(), Unfit> {
        self.count(layout.count())?;
        for i in 0..layout.count() {
            let mut at = at + (i * layout.element_width()) as u32;
            match &layout.element {
                Element::Number(scalar) => {
                    let number = self.read(frame, at);
                    let nothing = if matches!(scalar, Scalar::Enumeration(_)) { 1.0 } else { 0.0 };
                    let nothing = self.number(nothing);
                    let is_there = self.builder.ins().fcmp(FloatCC::Ordered, number, number);
                    let complete = self.builder.ins().select(is_there, number, nothing);
                    let complete = self.is_seen(complete);
                    self.write(frame, at, complete)?;
                }
                Element::Record(_, fields) => {
                    for field in fields {
                        self.replace_nothing(frame, at, field)?;
                        at += field.width() as u32;
                    }
                }
                Element::Function(..) => {}
            }
        }
        Ok(())
    }
}
