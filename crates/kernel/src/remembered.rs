//! A cache of calls of functions.
//!
//! Within one evaluation, and from one to the next, functions are called again with the very same numbers: a Jacobian takes one
//! group of columns after the other at the same point, an event repeats the evaluation at the end of a step. A function without
//! side effects then has the same results. The last calls are kept in a hash table of fixed size, found by their operands; a
//! call in the place of a new one is overwritten.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::functions::CallSite;
use crate::machine::Native;

/// Number of calls in the cache.
const CALLS: usize = 1024;
/// Most numbers of a cached call, operands and results.
const NUMBERS: usize = 64;

/// The table, made with the first call.
#[derive(Debug, Default)]
pub(crate) struct Remembered {
    calls: Vec<Option<Remark>>,
    numbers: Vec<f64>,
}

/// A cached call: calls of one function with arguments of the same shapes have the same [`Native`].
#[derive(Clone, Debug)]
struct Remark {
    native: Arc<Native>,
    n_operands: usize,
    n_results: usize,
}

impl Remembered {
    /// The results of a call with these operands, if they are known.
    pub(crate) fn results(&self, site: &CallSite, operands: &[f64]) -> Option<&[f64]> {
        let place = place(site, operands);
        let remark = self.calls.get(place)?.as_ref()?;
        if !Arc::ptr_eq(&remark.native, &site.native) || remark.n_operands != operands.len() {
            return None;
        }
        let (known, rest) = self.numbers[place * NUMBERS..].split_at(remark.n_operands);
        let is_same = known.iter().zip(operands).all(|(a, b)| a.to_bits() == b.to_bits());
        is_same.then(|| &rest[..remark.n_results])
    }

    /// Remembers the results of a call.
    pub(crate) fn keep(&mut self, site: &CallSite, operands: &[f64], results: &[f64]) {
        let (n_operands, n_results) = (operands.len(), results.len());
        if n_operands + n_results > NUMBERS {
            return;
        }
        if self.calls.is_empty() {
            self.calls = vec![None; CALLS];
            self.numbers = vec![0.0; CALLS * NUMBERS];
        }
        let place = place(site, operands);
        self.calls[place] = Some(Remark { native: site.native.clone(), n_operands, n_results });
        let numbers = &mut self.numbers[place * NUMBERS..];
        numbers[..n_operands].copy_from_slice(operands);
        numbers[n_operands..n_operands + n_results].copy_from_slice(results);
    }
}

fn place(site: &CallSite, operands: &[f64]) -> usize {
    let mut hasher = FxHasher::default();
    Arc::as_ptr(&site.native).hash(&mut hasher);
    operands.iter().for_each(|operand| operand.to_bits().hash(&mut hasher));
    hasher.finish() as usize % CALLS
}
