//! What machine code calls: functions of numbers, and calls of the model's functions.
//!
//! Machine code finds them in a table that is handed to it, so that no address stands in it. They are the functions that the
//! interpreter calls, so that both come to the same bits.

use rhei_equations::{Binary, Elementary};

use crate::functions::Functions;
use crate::interpret::Fault;
use crate::program::Program;

/// One evaluation, for calls of the model's functions out of machine code.
pub(crate) struct Evaluation<'a> {
    pub(crate) program: &'a Program,
    pub(crate) functions: &'a Functions,
    pub(crate) values: *mut f64,
    /// None where only values are computed.
    pub(crate) changes: *mut f64,
    /// Of both arrays.
    pub(crate) n_slots: usize,
    /// Why machine code gave up.
    pub(crate) fault: Option<Fault>,
}

/// A place in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum Helper {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Log,
    Log10,
    Floor,
    Ceil,
    Truncate,
    Power,
    Atan2,
    Invoke,
    InvokeChange,
}

impl Helper {
    /// The helper for a function of one number, where machine code has no instruction for it.
    pub(crate) fn of(function: Elementary) -> Option<Helper> {
        use Elementary as E;
        Some(match function {
            E::Sin => Helper::Sin,
            E::Cos => Helper::Cos,
            E::Tan => Helper::Tan,
            E::Asin => Helper::Asin,
            E::Acos => Helper::Acos,
            E::Atan => Helper::Atan,
            E::Sinh => Helper::Sinh,
            E::Cosh => Helper::Cosh,
            E::Tanh => Helper::Tanh,
            E::Exp => Helper::Exp,
            E::Log => Helper::Log,
            E::Log10 => Helper::Log10,
            E::Floor => Helper::Floor,
            E::Ceil => Helper::Ceil,
            E::Truncate => Helper::Truncate,
            E::Sqrt | E::Abs | E::Sign => return None,
        })
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

macro_rules! of_one_number {
    ($($name:ident $function:ident;)*) => { $(
        extern "C" fn $name(x: f64) -> f64 {
            Elementary::$function.value(x)
        }
    )* };
}

of_one_number! {
    sin Sin; cos Cos; tan Tan; asin Asin; acos Acos; atan Atan; sinh Sinh; cosh Cosh; tanh Tanh;
    exp Exp; log Log; log10 Log10; floor Floor; ceil Ceil; truncate Truncate;
}

extern "C" fn power(x: f64, y: f64) -> f64 {
    Binary::Pow.value(x, y)
}

extern "C" fn atan2(x: f64, y: f64) -> f64 {
    Binary::Atan2.value(x, y)
}

/// Runs the call at an instruction of the program. Says whether it failed.
///
/// SAFETY: machine code hands over the evaluation it was called with, whose arrays have `n_slots` values; while it calls it
/// does not touch them.
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

/// The table, by [`Helper`].
pub(crate) static TABLE: [Address; Helper::InvokeChange as usize + 1] = [
    Address { one: sin },
    Address { one: cos },
    Address { one: tan },
    Address { one: asin },
    Address { one: acos },
    Address { one: atan },
    Address { one: sinh },
    Address { one: cosh },
    Address { one: tanh },
    Address { one: exp },
    Address { one: log },
    Address { one: log10 },
    Address { one: floor },
    Address { one: ceil },
    Address { one: truncate },
    Address { two: power },
    Address { two: atan2 },
    Address { invoke },
    Address { invoke: invoke_change },
];
