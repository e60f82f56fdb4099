//! The storage of a function's numbers: registers, or memory for those that an index selects.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    BlockArg, InstBuilder, MemFlagsData, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_frontend::Variable;
use rhei_evaluate::translated::{Op, Routine, Slot};

use super::{Body, Unfit};
use crate::machine::function::Shared;

/// The frame of a routine that is being translated.
pub(super) struct Frame {
    /// Its routine.
    pub(super) routine: usize,
    /// By slot; constants have none.
    places: Vec<Storage>,
    memory: Option<StackSlot>,
    /// The index of its first constant among those of all routines.
    first_constant: usize,
}

#[derive(Clone, Copy)]
enum Storage {
    Register(Variable),
    /// At an offset in the memory, in numbers.
    Memory(u32),
}

/// Most numbers that are marked unassigned by one instruction each; more are by a loop.
const FEW: usize = 16;

impl Frame {
    /// Room for a routine; its components have no values.
    pub(super) fn new(body: &mut Body<'_, '_>, routine: usize) -> Result<Frame, Unfit> {
        let of = &body.translated.routines[routine];
        body.count(of.n_locals)?;
        let is_chosen = chosen(of);
        let mut in_memory = 0;
        let places: Vec<Storage> = is_chosen
            .iter()
            .map(|&is_chosen| {
                if is_chosen {
                    in_memory += 1;
                    Storage::Memory(in_memory - 1)
                } else {
                    Storage::Register(body.builder.declare_var(types::F64))
                }
            })
            .collect();
        let memory = (in_memory > 0).then(|| body.room(in_memory));
        let before = body.translated.routines[..routine].iter().map(|routine| routine.constants.len());
        let frame = Frame { routine, places, memory, first_constant: before.sum() };
        if let Some(memory) = memory {
            body.fill_with_nothing(memory, in_memory as usize);
        }
        let nothing = body.number(f64::NAN);
        for place in &frame.places[..of.n_locals] {
            if let Storage::Register(variable) = place {
                body.builder.def_var(*variable, nothing);
            }
        }
        Ok(frame)
    }
}

/// The slots that an index selects from.
fn chosen(routine: &Routine) -> Vec<bool> {
    let mut is_chosen = vec![false; routine.first_constant];
    for op in &routine.ops {
        if let Op::Load(_, base, _, n, most) | Op::Store(base, _, _, n, most) = *op {
            let (base, end) = (base as usize, (base + most + n) as usize);
            // constants are not in the frame
            is_chosen.iter_mut().take(end).skip(base).for_each(|slot| *slot = true);
        }
    }
    is_chosen
}

impl Body<'_, '_> {
    /// Room for numbers on the stack.
    pub(super) fn room(&mut self, numbers: u32) -> StackSlot {
        let kind = StackSlotKind::ExplicitSlot;
        self.builder.create_sized_stack_slot(StackSlotData::new(kind, numbers * 8, 3))
    }

    fn fill_with_nothing(&mut self, memory: StackSlot, numbers: usize) {
        let (nothing, pointer) = (self.number(f64::NAN), self.target.pointer_type());
        if numbers <= FEW {
            for i in 0..numbers {
                self.builder.ins().stack_store(pointer, nothing, memory, i as i32 * 8);
            }
            return;
        }
        let start = self.builder.ins().stack_addr(pointer, memory, 0);
        let end = self.builder.ins().iadd_imm_s(start, numbers as i64 * 8);
        let (next, done) = (self.builder.create_block(), self.builder.create_block());
        let at = self.builder.append_block_param(next, pointer);
        self.builder.ins().jump(next, &[BlockArg::Value(start)]);
        self.builder.switch_to_block(next);
        self.builder.ins().store(MemFlagsData::trusted(), nothing, at, 0);
        let after = self.builder.ins().iadd_imm_s(at, 8);
        let is_done = self.builder.ins().icmp(IntCC::Equal, after, end);
        self.builder.ins().brif(is_done, done, &[], next, &[BlockArg::Value(after)]);
        self.builder.seal_block(next);
        self.builder.switch_to_block(done);
        self.builder.seal_block(done);
    }

    /// The number in a slot.
    pub(super) fn read(&mut self, frame: &Frame, slot: Slot) -> Value {
        match frame.places.get(slot as usize) {
            Some(Storage::Register(variable)) => self.builder.use_var(*variable),
            Some(Storage::Memory(place)) => match frame.memory {
                Some(memory) => {
                    let pointer = self.target.pointer_type();
                    self.builder.ins().stack_load(pointer, types::F64, memory, *place as i32 * 8)
                }
                None => self.number(f64::NAN),
            },
            None => {
                let routine = &self.translated.routines[frame.routine];
                let number = routine.constants[slot as usize - routine.first_constant];
                self.constant(number)
            }
        }
    }

    pub(super) fn write(&mut self, frame: &Frame, slot: Slot, value: Value) -> Result<(), Unfit> {
        match (frame.places.get(slot as usize), frame.memory) {
            (Some(Storage::Register(variable)), _) => self.builder.def_var(*variable, value),
            (Some(Storage::Memory(place)), Some(memory)) => {
                let pointer = self.target.pointer_type();
                self.builder.ins().stack_store(pointer, value, memory, *place as i32 * 8);
            }
            _ => return Err(Unfit), // a constant
        }
        Ok(())
    }

    /// The address of the number at an offset from a slot that an index selects from.
    pub(super) fn address(&mut self, frame: &Frame, base: Slot, numbers: Value) -> Result<Value, Unfit> {
        let pointer = self.target.pointer_type();
        let start = match (frame.places.get(base as usize), frame.memory) {
            (Some(Storage::Memory(place)), Some(memory)) => {
                self.builder.ins().stack_addr(pointer, memory, *place as i32 * 8)
            }
            (Some(_), _) => return Err(Unfit),
            (None, _) => {
                let routine = &self.translated.routines[frame.routine];
                let place = frame.first_constant + base as usize - routine.first_constant;
                let field = std::mem::offset_of!(Shared, constants) as i32;
                let flags = MemFlagsData::trusted();
                let constants = self.builder.ins().load(pointer, flags, self.shared, field);
                self.builder.ins().iadd_imm_s(constants, place as i64 * 8)
            }
        };
        let bytes = self.builder.ins().ishl_imm_u(numbers, 3);
        Ok(self.builder.ins().iadd(start, bytes))
    }
}
