//! Functions to the functions that are their derivatives (MLS §12.7).
//!
//! In: a function and, for each of its inputs, whether it varies. Out: a function with the inputs of the first one, then a
//! derivative `der_x` for each input that varies; its outputs are the derivatives `der_y` of all outputs that hold Reals.
//! That is the signature of a function named by a `derivative` annotation, so that calls of both look the same.
//!
//! The algorithm is differentiated forward, statement by statement: before each assignment stands that of the derivative,
//! which still sees the old values. Integers, Booleans and conditions are taken over. Varying variables are found first
//! by following the locals ([`activity`]), so that no derivative of a constant is needed. A record that holds Reals has a
//! derivative of the same type, in which other fields are copies.
//!
//! A call inside uses the first `derivative` annotation of its function whose restrictions hold (`zeroDerivative`,
//! `noDerivative`, `order`). Otherwise it uses the derivative of its algorithm, made here too and once for each set of
//! varying inputs.
//!
//! | file | what |
//! |---|---|
//! | `function`, `activity` | locals and statements; which locals vary |
//! | `expression`, `builtins`, `reductions` | expressions, and what of the language is no function of numbers |
//! | `rules` | operations and functions of numbers |
//! | `calls` | which function is the derivative of a call |
//! | `build` | typed expressions from their parts |
//! | `partial` | `function g = der(f, x)` |

mod activity;
mod build;
mod builtins;
mod calls;
mod expression;
mod function;
mod partial;
mod reductions;
mod rules;

use std::collections::HashMap;

use rhei_source::Span;
use smol_str::{SmolStr, format_smolstr};

use crate::{FunctionId, Tables};

/// Why a function has no derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct NotDifferentiable {
    /// The function it is about.
    pub function: SmolStr,
    /// The construct without derivative, as the subject of a sentence: "`delay`", "the external function
    /// `f`".
    pub what: String,
    /// Its place.
    pub span: Span,
}

/// Derivatives that have been made, so that none is made twice.
#[derive(Clone, Debug, Default)]
pub struct Derivatives {
    known: HashMap<(FunctionId, Vec<bool>), FunctionId>,
    /// Functions without a body so far: their callers cannot be differentiated yet.
    pub unfinished: Vec<FunctionId>,
}

impl Derivatives {
    /// The function that computes the derivatives of the outputs of `function`, from its inputs and the derivatives of
    /// those that vary. `varying` has one entry for each input, and is true only for Real inputs. Nothing is left in
    /// the tables where there is none.
    pub fn of_function(
        &mut self,
        tables: &mut Tables,
        function: FunctionId,
        varying: &[bool],
    ) -> Result<FunctionId, NotDifferentiable> {
        let before = tables.functions.len();
        let made = function::differentiate(self, tables, function, varying);
        if made.is_err() {
            tables.functions.truncate(before);
            self.known.retain(|_, made| (made.0 as usize) < before);
        }
        made
    }
}

/// A name that no function has yet.
fn new_name(tables: &Tables, wanted: SmolStr) -> SmolStr {
    let taken = |name: &SmolStr| tables.functions.iter().any(|function| function.name == *name);
    let further = (2..).map(|n: u32| format_smolstr!("{wanted}_{n}"));
    std::iter::once(wanted.clone()).chain(further).find(|name| !taken(name)).unwrap_or(wanted)
}
