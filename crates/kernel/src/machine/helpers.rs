//! Helpers of machine code: functions of numbers, and calls of the model's functions.
//!
//! Machine code finds them in a table that is an argument, so that it holds no addresses. They are the functions that the
//! interpreter calls, so that both yield the same bits.

use rhei_elementary::{Binary, Elementary};

use crate::functions::Functions;
use crate::interpret::Fault;
use crate::program::Program;

/// One evaluation, for calls of the model's functions out of machine code.
pub(crate) struct Evaluation<'a> {
    pub(crate) program: &'a Program,
    pub(crate) functions: &'a Functions,
    pub(crate) values: *mut f64,
    /// Null if only values are computed.
    pub(crate) changes: *mut f64,
    /// Of both arrays.
    pub(crate) n_slots: usize,
    /// Why machine code gave up.
    pub(crate) fault: Option<Fault>,
}

/// A helper of machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    /// A function of one number.
    Function(Elementary),
    Power,
    Atan2,
    Invoke,
    InvokeChange,
}

/// Of one number.
const FUNCTIONS: usize = Elementary::ALL.len();

impl Helper {
    /// Its place in the table.
    pub(crate) const fn place(self) -> usize {
        match self {
            Helper::Function(f) => f as usize,
            Helper::Power => FUNCTIONS,
            Helper::Atan2 => FUNCTIONS + 1,
            Helper::Invoke => FUNCTIONS + 2,
            Helper::InvokeChange => FUNCTIONS + 3,
        }
    }
}

/// An address in the table.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) union Address {
    one: extern "C" fn(f64) -> f64,
    two: extern "C" fn(f64, f64) -> f64,
    invoke: unsafe extern "C" fn(*mut Evaluation<'_>, u32) -> u32,
}

extern "C" fn power(x: f64, y: f64) -> f64 {
    Binary::Pow.value(x, y)
}

extern "C" fn atan2(x: f64, y: f64) -> f64 {
    Binary::Atan2.value(x, y)
}

/// Runs the call at an instruction of the program. Says whether it failed.
///
/// SAFETY: machine code hands over the evaluation it was called with, whose arrays have `n_slots` values, as `Machine::call` made it; while it
/// calls it does not touch them. What is called looks at every index itself.
unsafe extern "C" fn invoke(evaluation: *mut Evaluation<'_>, at: u32) -> u32 {
    // SAFETY: as above; nothing else refers to the evaluation or to the values during the call
    let (evaluation, values) = unsafe {
        let evaluation = &mut *evaluation;
        let values = std::slice::from_raw_parts_mut(evaluation.values, evaluation.n_slots);
        (evaluation, values)
    };
    match evaluation.program.invoke(at as usize, values, evaluation.functions) {
        Ok(()) => 0,
        Err(fault) => {
            evaluation.fault = Some(fault);
            1
        }
    }
}

/// The same for changes; a call that has none makes its changes not a number.
///
/// SAFETY: as for [`invoke`].
unsafe extern "C" fn invoke_change(evaluation: *mut Evaluation<'_>, at: u32) -> u32 {
    // SAFETY: as above; the two arrays are different ones
    let (evaluation, values, changes) = unsafe {
        let evaluation = &mut *evaluation;
        let values = std::slice::from_raw_parts_mut(evaluation.values, evaluation.n_slots);
        let changes = std::slice::from_raw_parts_mut(evaluation.changes, evaluation.n_slots);
        (evaluation, values, changes)
    };
    evaluation.program.invoke_change(at as usize, values, changes, evaluation.functions);
    0
}

/// The table, by [`Helper::place`].
pub(crate) static TABLE: [Address; FUNCTIONS + 4] = {
    let mut table = [Address { two: power }; FUNCTIONS + 4];
    let mut place = 0;
    while place < FUNCTIONS {
        table[place] = Address { one: Elementary::ALL[place].entry() };
        place += 1;
    }
    table[Helper::Atan2.place()] = Address { two: atan2 };
    table[Helper::Invoke.place()] = Address { invoke };
    table[Helper::InvokeChange.place()] = Address { invoke: invoke_change };
    table
};
