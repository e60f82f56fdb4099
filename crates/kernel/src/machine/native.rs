//! Calls of functions of the model as machine code: compiled when that pays, shared by all calls of the same kind.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use rhei_equations::Shape;
use rhei_evaluate::translated::{Argument, Layout, Translated};
use rhei_flat::{FunctionId, Scalar, Tables};

use super::build::build_function;
use super::function::{Compiled, MOST_STEPS, Plan, Shared};
use super::helpers::TABLE;
use crate::tiers::Execution;

/// Calls after which machine code pays: the interpreter of functions takes some microseconds a call.
const CALLS_TO_MACHINE: u32 = 300;

/// A function called with arguments of certain shapes.
#[derive(Debug, Default)]
pub(crate) struct Native {
    calls: AtomicU32,
    is_pure: OnceLock<bool>,
    /// None inside: the interpreter has to do it.
    made: OnceLock<Option<NativeFunction>>,
}

impl Native {
    /// Whether calls are pure; determined once.
    pub(crate) fn is_pure(&self, find_out: impl FnOnce() -> bool) -> bool {
        *self.is_pure.get_or_init(find_out)
    }

    /// The machine code; none if there is none, or not yet.
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

/// A function as machine code.
pub(crate) struct NativeFunction {
    /// By their indices among the routines of the function; inlined ones are never called.
    routines: Vec<Compiled>,
    /// Those of all routines.
    constants: Vec<f64>,
    n_operands: usize,
    n_results: usize,
    /// Owns the memory of the routines; only ever dropped.
    module: Option<JITModule>,
}

// SAFETY: machine code does not change once it is made, and has no state of its own; the module is not touched until it is dropped.
unsafe impl Send for NativeFunction {}
// SAFETY: as above
unsafe impl Sync for NativeFunction {}

impl NativeFunction {
    fn new(tables: &Tables, id: FunctionId, arguments: &[Shape], n_results: usize) -> Option<NativeFunction> {
        let known = arguments.iter().map(argument).collect::<Option<Vec<Argument>>>()?;
        let translated = Translated::new(id, &known, tables)?;
        // machine code looks at no index but those of the function itself
        translated.verify().ok()?;
        let signature = translated.signatures.first()?;
        let operands: Vec<Scalar> = arguments
            .iter()
            .flat_map(|shape| (0..shape.count()).map(|place| shape.scalar_at(place)))
            .collect::<Option<_>>()?;
        let is_as_wide = |(shape, (_, layout)): (&Shape, &(_, Layout))| shape.count() == layout.width();
        let n_outputs: usize = signature.outputs.iter().map(|(_, layout)| layout.width()).sum();
        if n_outputs != n_results || !arguments.iter().zip(&signature.inputs).all(is_as_wide) {
            return None;
        }
        let plan = Plan::new(&translated).ok()?;
        let (module, made) = build_function(&translated, &plan, &operands).ok()?;
        let function = |made: &FuncId| {
            let address = module.get_finalized_function(*made);
            // SAFETY: the address is that of a function of this type, see `function::signature`
            unsafe { std::mem::transmute::<*const u8, Compiled>(address) }
        };
        let mut routines = vec![function(made.first()?); translated.routines.len()];
        plan.called.iter().zip(&made).for_each(|(&routine, made)| routines[routine] = function(made));
        let constants = translated.routines.iter().flat_map(|routine| routine.constants.clone()).collect();
        Some(NativeFunction {
            routines,
            constants,
            n_operands: operands.len(),
            n_results,
            module: Some(module),
        })
    }

    /// Computes the results; says whether it succeeded. If not, the results are undefined.
    pub(crate) fn call(&self, operands: &[f64], results: &mut [f64]) -> bool {
        assert_eq!((operands.len(), results.len()), (self.n_operands, self.n_results), "another call");
        let mut shared =
            Shared { routines: self.routines.as_ptr(), constants: self.constants.as_ptr(), left: MOST_STEPS };
        // SAFETY: it reads and writes as many numbers as it was made for, see above; all places in its frames, and those of calls, were looked at by
        // `Translated::verify` when it was made; routines and constants are its own
        unsafe {
            self.routines[0](operands.as_ptr(), results.as_mut_ptr(), TABLE.as_ptr(), &raw mut shared) == 0
        }
    }
}

/// The known part of an argument; none if it is not made of numbers.
fn argument(shape: &Shape) -> Option<Argument> {
    match shape {
        Shape::Numbers { sizes, .. } | Shape::List { sizes, .. } => Some(Argument::Numbers(sizes.clone())),
        Shape::Record(..) => Some(Argument::Numbers(Vec::new())),
        Shape::Text(_) => None,
        Shape::Function(id, given) => {
            let given = given.iter().map(|(place, part)| Some((*place, argument(part)?)));
            Some(Argument::Function(*id, given.collect::<Option<_>>()?))
        }
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
