//! Functions of the model as machine code: their translations by [`rhei_evaluate::translated`], for calls with arguments of known
//! sizes.
//!
//! A translated function is instructions on the numbers of a frame. Here numbers that no index selects live in registers, and the
//! others in a frame on the stack: a call allocates nothing. Records are their fields. Short functions are inlined, others are
//! called through a table. Exceptional cases (a division by zero, a subscript out of bounds, a violated assert, an unassigned
//! component, too much work) are left to the interpreter: machine code gives the call back, and the interpreter runs all of it
//! and reports the fault.
//!
//! | file | what |
//! |---|---|
//! | `frame` | where the numbers of a function are |
//! | `checks` | what must hold, looked at once for many instructions |
//! | `operations` | instructions that calculate |
//! | `flow` | jumps, turns of loops, calls, the end |

mod checks;
mod flow;
mod frame;
mod operations;

use cranelift_codegen::ir::{self, AbiParam, Block, InstBuilder, Signature, StackSlot, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use rhei_evaluate::translated::Translated;
use rhei_flat::Scalar;

use self::checks::Checks;
use self::frame::Frame;
use super::helpers::Address;
use super::translate::{Caller, Unfit};

/// A routine of machine code: operands, results, helpers, and the data shared with the routines it calls. Says whether it
/// gave up.
pub(super) type Compiled = unsafe extern "C" fn(*const f64, *mut f64, *const Address, *mut Shared) -> u32;

/// The data that the routines of one call share.
#[repr(C)]
pub(super) struct Shared {
    /// The routines, by their places.
    pub(super) routines: *const Compiled,
    /// The constants of all routines, one after the other.
    pub(super) constants: *const f64,
    /// Iterations of loops and calls that are left.
    pub(super) left: i64,
}

/// Most iterations of loops and calls in one call of the model; beyond, the interpreter refuses the call.
pub(super) const MOST_STEPS: i64 = 20_000_000;
/// Most instructions of one routine with all inlined ones.
const MOST_INSTRUCTIONS: usize = 60_000;
/// Most instructions, with those of its calls, of a routine that is inlined.
const SHORT: usize = 100;
/// Most numbers in the frames of nested calls: a small part of any thread's stack.
const DEEPEST: usize = 1 << 15;

/// The type of [`Compiled`].
pub(super) fn signature(target: &TargetFrontendConfig) -> Signature {
    let mut signature = Signature::new(target.default_call_conv);
    signature.params.extend([AbiParam::new(target.pointer_type()); 4]);
    signature.returns.push(AbiParam::new(types::I32));
    signature
}

/// The plan for the routines of a function.
pub(super) struct Plan {
    /// Whether each is inlined.
    is_short: Vec<bool>,
    /// Those that are called: the function itself is the first.
    pub(super) called: Vec<usize>,
}

impl Plan {
    /// Refused if routines are recursive, or take too much of the stack.
    pub(super) fn new(translated: &Translated) -> Result<Plan, Unfit> {
        let mut measures = vec![Measure::Unknown; translated.routines.len()];
        measure(translated, 0, &mut measures)?;
        let is_short =
            |measure: &Measure| matches!(measure, Measure::Known { length, .. } if *length <= SHORT);
        let is_short: Vec<bool> = measures.iter().map(is_short).collect();
        let mut called = vec![0];
        let (mut is_known, mut waiting) = (vec![false; measures.len()], vec![0]);
        while let Some(routine) = waiting.pop() {
            for call in &translated.routines[routine].calls {
                if !std::mem::replace(&mut is_known[call.routine], true) {
                    waiting.push(call.routine);
                    if !is_short[call.routine] {
                        called.push(call.routine);
                    }
                }
            }
        }
        Ok(Plan { is_short, called })
    }
}

#[derive(Clone, Copy)]
enum Measure {
    Unknown,
    /// It is one of those whose calls are being followed.
    Around,
    Known {
        /// Its instructions, with those of its calls.
        length: usize,
        /// The numbers in its frame, and in those of its calls.
        depth: usize,
    },
}

fn measure(
    translated: &Translated,
    routine: usize,
    measures: &mut [Measure],
) -> Result<(usize, usize), Unfit> {
    match measures[routine] {
        Measure::Known { length, depth } => return Ok((length, depth)),
        Measure::Around => return Err(Unfit),
        Measure::Unknown => measures[routine] = Measure::Around,
    }
    let of = &translated.routines[routine];
    let (mut length, mut deepest) = (of.ops.len(), 0);
    for call in &of.calls {
        let (inner, depth) = measure(translated, call.routine, measures)?;
        length = length.saturating_add(inner);
        deepest = deepest.max(depth);
    }
    let depth = deepest + of.first_constant;
    measures[routine] = Measure::Known { length, depth };
    if depth > DEEPEST { Err(Unfit) } else { Ok((length, depth)) }
}

/// One of the routines. The first is called from outside: its operands are checked, and are of these types.
pub(super) fn translate(
    translated: &Translated,
    plan: &Plan,
    routine: usize,
    operands: &[Scalar],
    target: TargetFrontendConfig,
    rounds: bool,
    context: &mut FunctionBuilderContext,
) -> Result<ir::Function, Unfit> {
    let mut function = ir::Function::new();
    function.signature = signature(&target);
    let mut builder = FunctionBuilder::new(&mut function, context);
    let entry = builder.create_block();
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    builder.seal_block(entry);
    let &[given, results, helpers, shared] = builder.block_params(entry) else { return Err(Unfit) };
    let give_up = builder.create_block();
    let mut body = Body {
        translated,
        plan,
        builder,
        caller: Caller::new(helpers, target),
        helpers,
        shared,
        target,
        rounds,
        give_up,
        checks: Checks::default(),
        passed: None,
        n_instructions: 0,
    };
    let mut frame = Frame::new(&mut body, routine)?;
    body.take_operands(&mut frame, given, if routine == 0 { Some(operands) } else { None });
    body.routine(&mut frame)?;
    body.finish(&mut frame, results);
    Ok(function)
}

/// A routine while it is translated.
struct Body<'a, 'f> {
    translated: &'a Translated,
    plan: &'a Plan,
    builder: FunctionBuilder<'f>,
    caller: Caller,
    helpers: Value,
    shared: Value,
    target: TargetFrontendConfig,
    /// Whether floor, ceil and trunc are instructions.
    rounds: bool,
    give_up: Block,
    checks: Checks,
    /// The stack slot for arguments of calls, and its size.
    passed: Option<(StackSlot, u32)>,
    n_instructions: usize,
}

impl Body<'_, '_> {
    /// Counts translated instructions.
    fn count(&mut self, instructions: usize) -> Result<(), Unfit> {
        self.n_instructions += instructions;
        if self.n_instructions > MOST_INSTRUCTIONS { Err(Unfit) } else { Ok(()) }
    }

    fn number(&mut self, value: f64) -> Value {
        self.builder.ins().f64const(value)
    }
}
