//! Calls of functions of the model as machine code: made when they are worth it, shared by all calls of the same kind.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use cranelift_jit::JITModule;
use rhei_equations::Shape;
use rhei_flat::{FunctionId, Tables};

use super::build::build_function;
use super::helpers::{Address, TABLE};
use crate::tiers::Execution;

/// After so many calls machine code is worth its making: the interpreter of functions takes some microseconds a call.
const CALLS_TO_MACHINE: u32 = 300;

/// A function called with arguments of certain shapes.
#[derive(Debug, Default)]
pub(crate) struct Native {
    calls: AtomicU32,
    /// None inside: the interpreter has to do it.
    made: OnceLock<Option<NativeFunction>>,
}

impl Native {
    /// The machine code; nothing where there is none, or not yet.
    pub(crate) fn function(
        &self,
        tables: &Tables,
        id: FunctionId,
        arguments: &[Shape],
        n_results: usize,
        how: Execution,
    ) -> Option<&NativeFunction> {
        let make = || NativeFunction::new(tables, id, arguments, n_results);
        match how {
            Execution::Interpreted => None,
            Execution::Quick | Execution::Machine => self.made.get_or_init(make).as_ref(),
            Execution::Adaptive => match self.made.get() {
                Some(made) => made.as_ref(),
                None if self.calls.fetch_add(1, Ordering::Relaxed) < CALLS_TO_MACHINE => None,
                None => self.made.get_or_init(make).as_ref(),
            },
        }
    }
}

/// Operands, results, helpers. Says whether it gave up.
type Compiled = unsafe extern "C" fn(*const f64, *mut f64, *const Address) -> u32;

/// A function as machine code.
pub(crate) struct NativeFunction {
    function: Compiled,
    n_operands: usize,
    n_results: usize,
    /// Owns the memory of the function; only ever dropped.
    module: Option<JITModule>,
}

// SAFETY: machine code does not change once it is made, and has no state of its own; the module is not touched until it is dropped.
unsafe impl Send for NativeFunction {}
// SAFETY: as above
unsafe impl Sync for NativeFunction {}

impl NativeFunction {
    fn new(tables: &Tables, id: FunctionId, arguments: &[Shape], n_results: usize) -> Option<NativeFunction> {
        let (module, made) = build_function(tables, id, arguments, n_results).ok()?;
        let address = module.get_finalized_function(made);
        // SAFETY: the address is that of a function of this type, see `function::signature`
        let function = unsafe { std::mem::transmute::<*const u8, Compiled>(address) };
        let n_operands = arguments.iter().map(Shape::count).sum();
        Some(NativeFunction { function, n_operands, n_results, module: Some(module) })
    }

    /// Computes the results; says whether it could. If not, results are anything.
    pub(crate) fn call(&self, operands: &[f64], results: &mut [f64]) -> bool {
        assert_eq!((operands.len(), results.len()), (self.n_operands, self.n_results), "another call");
        // SAFETY: it reads and writes as many numbers as it was made for, which is what there is
        unsafe { (self.function)(operands.as_ptr(), results.as_mut_ptr(), TABLE.as_ptr()) == 0 }
    }
}

impl Drop for NativeFunction {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: the function is called through this value only, and it is gone
            unsafe { module.free_memory() };
        }
    }
}

impl fmt::Debug for NativeFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "machine code from {} to {} numbers", self.n_operands, self.n_results)
    }
}
