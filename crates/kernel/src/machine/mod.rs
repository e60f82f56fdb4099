//! Programs as machine code, by Cranelift.
//!
//! In: a [`Program`]. Out: a [`Machine`] with the results of the interpreter, bit for bit: the same operations in the same
//! order within each formula, elementary functions by the same code. Formulas of one shape become loops ([`families`]). If a
//! result is not finite, the interpreter searches for the cause. Functions of the model become machine code of their own
//! ([`native`], [`function`]).
//!
//! `unsafe` is what calls machine code, and what machine code calls. Machine code reads and writes where its program says, and looks at no index
//! while it runs. It is sound because of what is checked in every build:
//! - when it is made, [`Program::verify`]: each slot, site and end of a formula is there; [`Machine::new`] is the only door. That a plan has no other slots
//!   follows: loops work on the slots of their members;
//! - when it is called: both arrays are as long as the last slot wants.
//!
//! For functions of the model the same is checked by [`Translated::verify`](rhei_evaluate::translated::Translated::verify), and by the numbers of operands
//! and results at each call.

mod arithmetic;
mod build;
mod families;
mod function;
mod helpers;
mod loops;
mod native;
mod translate;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use cranelift_jit::JITModule;
use cranelift_module::FuncId;

pub(crate) use self::build::Effort;
use self::build::build;
pub(crate) use self::families::Plan;
use self::helpers::{Address, Evaluation, TABLE};
pub(crate) use self::native::{Native, NativeFunction};
use crate::functions::Functions;
use crate::interpret::Fault;
use crate::program::Program;

/// A function of machine code: values, changes, tables, the evaluation, helpers. Says whether a call failed.
type Compiled =
    unsafe extern "C" fn(*mut f64, *mut f64, *const u32, *mut Evaluation<'_>, *const Address) -> u32;

/// A program as machine code.
pub(crate) struct Machine {
    /// To be called one after the other.
    functions: Vec<Compiled>,
    tables: Arc<[u32]>,
    /// The least length of the arrays.
    n_slots: usize,
    /// The slots that must be finite in the end.
    checked: Vec<Range<usize>>,
    /// Owns the memory of the functions; only ever dropped.
    module: Option<JITModule>,
}

// SAFETY: machine code and tables do not change once they are made, and machine code has no state of its own; the module is not
// touched until it is dropped.
unsafe impl Send for Machine {}
// SAFETY: as above
unsafe impl Sync for Machine {}

/// Most slots: beyond, the offset of a slot does not fit into an instruction.
const MOST_SLOTS: usize = 1 << 27;
/// Beyond this, the place of an entry of the tables does not.
const MOST_ENTRIES: usize = 1 << 28;

impl Machine {
    /// Machine code for a program and its plan; `values` holds its constants. Nothing where it has to be interpreted: on a machine
    /// that Cranelift does not know, without memory that can be executed, or where the program has no place in `values`.
    pub(crate) fn new(
        program: &Program,
        plan: &Plan,
        values: &[f64],
        with_changes: bool,
        effort: Effort,
    ) -> Option<Machine> {
        if program.verify(values.len()).is_err() {
            return None;
        }
        let slots = program
            .instructions
            .iter()
            .flat_map(|&instruction| program.reads(instruction).chain(program.writes(instruction)));
        let n_slots = slots.map(|slot| slot.index() + 1).max().unwrap_or(0);
        if n_slots > MOST_SLOTS || plan.tables.len() > MOST_ENTRIES {
            return None;
        }
        let (module, ids): (JITModule, Vec<FuncId>) =
            build(program, plan, values, with_changes, effort).ok()?;
        let function = |id: &FuncId| {
            let address = module.get_finalized_function(*id);
            // SAFETY: the address is that of a function of this type, see `translate::signature`
            unsafe { std::mem::transmute::<*const u8, Compiled>(address) }
        };
        let functions = ids.iter().map(function).collect();
        let checked = checked(program);
        Some(Machine { functions, tables: plan.tables.clone(), n_slots, checked, module: Some(module) })
    }

    /// As [`Program::run`].
    pub(crate) fn run(
        &self,
        program: &Program,
        values: &mut [f64],
        functions: &Functions,
    ) -> Result<(), Fault> {
        self.call(program, values, None, functions)?;
        let is_finite = self.checked.iter().all(|range| all_finite(&values[range.clone()]));
        if is_finite { Ok(()) } else { Err(program.trace_all(values, functions)) }
    }

    /// As [`Program::propagate`].
    pub(crate) fn propagate(
        &self,
        program: &Program,
        values: &mut [f64],
        changes: &mut [f64],
        functions: &Functions,
    ) {
        // with changes, calls of functions do not fail
        let _ = self.call(program, values, Some(changes), functions);
    }

    fn call(
        &self,
        program: &Program,
        values: &mut [f64],
        changes: Option<&mut [f64]>,
        functions: &Functions,
    ) -> Result<(), Fault> {
        let n_slots = values.len();
        assert!(n_slots >= self.n_slots, "the values of another model");
        let changes = match changes {
            Some(changes) => {
                assert_eq!(changes.len(), n_slots, "the changes of another model");
                changes.as_mut_ptr()
            }
            None => std::ptr::null_mut(),
        };
        let values = values.as_mut_ptr();
        let mut evaluation = Evaluation { program, functions, values, changes, n_slots, fault: None };
        for function in &self.functions {
            // SAFETY: `new` has looked at every slot of the program, the last of which is below `n_slots`; both arrays are as long, see above,
            // and nothing else refers to them meanwhile. The tables are those made with the functions, and hold slots of the same program
            let failed = unsafe {
                function(values, changes, self.tables.as_ptr(), &raw mut evaluation, TABLE.as_ptr())
            };
            if failed != 0 {
                break;
            }
        }
        evaluation.fault.map_or(Ok(()), Err)
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the functions are called through this value only, and it is gone
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "machine code in {} functions", self.functions.len())
    }
}

/// Targets and results, as ranges.
fn checked(program: &Program) -> Vec<Range<usize>> {
    let targets = program.targets().map(|v| v.index());
    let mut places: Vec<usize> = targets.chain(program.results.iter().map(|slot| slot.index())).collect();
    places.sort_unstable();
    places.dedup();
    places.chunk_by(|a, b| a + 1 == *b).map(|run| run[0]..run[0] + run.len()).collect()
}

/// The bits of the exponent, which are all set in numbers that are not finite.
const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
/// The addend that carries such an exponent over into the sign.
const CARRY: u64 = 0x0010_0000_0000_0000;

/// Whether all numbers are finite. By integer arithmetic without a branch, so that one instruction checks several.
fn all_finite(values: &[f64]) -> bool {
    let any = values.iter().fold(0, |any, value| any | ((value.to_bits() & EXPONENT) + CARRY));
    any >> 63 == 0
}

#[cfg(test)]
mod tests {
    use super::all_finite;

    #[test]
    fn infinite_numbers_and_no_numbers_are_found() {
        let fine = [0.0, -0.0, 1.5, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, -1.0];
        assert!(all_finite(&fine));
        for bad in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for place in 0..fine.len() {
                let mut values = fine;
                values[place] = bad;
                assert!(!all_finite(&values), "{bad} at {place}");
            }
        }
    }
}
