//! Conditions for machine code to continue.
//!
//! An operation fails if its result is NaN, and so does reading a component without a value, which is NaN as well. Arithmetic
//! propagates NaN: it is enough to check the values left at the end of a stretch without jumps, with one branch.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Body;

/// Most numbers that wait to be checked: they take registers.
const MOST_WAITING: usize = 6;

/// The checks due before the next jump.
#[derive(Default)]
pub(super) struct Checks {
    /// Must be numbers.
    waiting: Vec<Value>,
    /// Whether anything has failed so far.
    failed: Option<Value>,
    /// Are numbers, or something fails.
    seen: FxHashSet<Value>,
    /// The numbers of these Booleans.
    truths: FxHashMap<Value, Value>,
    /// Constants among values.
    constants: FxHashMap<Value, f64>,
}

impl Body<'_, '_> {
    /// A value must be a number.
    pub(super) fn require(&mut self, value: Value) {
        if self.checks.seen.insert(value) {
            self.checks.waiting.push(value);
            if self.checks.waiting.len() > MOST_WAITING {
                self.gather();
            }
        }
    }

    /// The result of an operation that is a number only if all its operands are.
    pub(super) fn result_of(&mut self, operands: &[Value], result: Value) -> Value {
        self.checks.waiting.retain(|waiting| !operands.contains(waiting));
        self.checks.seen.extend(operands);
        self.require(result);
        result
    }

    /// A value that is a number, or something fails.
    pub(super) fn is_seen(&mut self, value: Value) -> Value {
        self.checks.seen.insert(value);
        value
    }

    /// Something must not be true.
    pub(super) fn fail_if(&mut self, condition: Value) {
        self.checks.failed = Some(match self.checks.failed {
            Some(failed) => self.builder.ins().bor(failed, condition),
            None => condition,
        });
    }

    /// Combines the waiting checks.
    fn gather(&mut self) {
        let waiting = std::mem::take(&mut self.checks.waiting);
        for pair in waiting.chunks(2) {
            let (a, b) = (pair[0], pair[pair.len() - 1]);
            let is_none = self.builder.ins().fcmp(FloatCC::Unordered, a, b);
            self.fail_if(is_none);
        }
    }

    /// Gives up if anything has failed.
    pub(super) fn settle(&mut self) {
        self.gather();
        let Some(failed) = self.checks.failed.take() else { return };
        let go_on = self.builder.create_block();
        self.builder.ins().brif(failed, self.give_up, &[], go_on, &[]);
        self.builder.switch_to_block(go_on);
        self.builder.seal_block(go_on);
    }

    /// Drops all checks: the call is given up anyway.
    pub(super) fn drop_checks(&mut self) {
        self.checks.waiting.clear();
        self.checks.failed = None;
    }

    /// Forgets everything known of values, where several paths meet.
    pub(super) fn forget(&mut self) {
        self.checks.seen.clear();
        self.checks.truths.clear();
        self.checks.constants.clear();
    }

    // ── what is known of values ──

    pub(super) fn constant(&mut self, number: f64) -> Value {
        let value = self.number(number);
        self.checks.seen.insert(value);
        self.checks.constants.insert(value, number);
        value
    }

    pub(super) fn known(&self, value: Value) -> Option<f64> {
        self.checks.constants.get(&value).copied()
    }

    /// A Boolean as a number.
    pub(super) fn number_of_truth(&mut self, truth: Value) -> Value {
        let (one, zero) = (self.number(1.0), self.number(0.0));
        let number = self.builder.ins().select(truth, one, zero);
        self.checks.truths.insert(number, truth);
        self.is_seen(number)
    }

    /// A number as a Boolean; it must be one.
    pub(super) fn truth(&mut self, number: Value) -> Value {
        if let Some(&truth) = self.checks.truths.get(&number) {
            return truth;
        }
        self.require(number);
        let zero = self.number(0.0);
        self.builder.ins().fcmp(FloatCC::NotEqual, number, zero)
    }
}
