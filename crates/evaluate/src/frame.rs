//! The components of a function while it runs.

use std::cell::Cell;

use rhei_flat::{Function, LocalId};
use rhei_source::Span;

use crate::{Failure, Value};

/// The components of the function an expression stands in.
pub(crate) struct Frame<'a> {
    function: Option<&'a Function>,
    slots: Vec<Slot>,
}

struct Slot {
    value: Value,
    /// Whether nothing in it is unassigned; determined when all of it is read for the first time.
    complete: Cell<bool>,
}

impl<'a> Frame<'a> {
    /// Outside of any function.
    pub(crate) fn outside() -> Frame<'a> {
        Frame { function: None, slots: Vec::new() }
    }

    /// All components unassigned.
    pub(crate) fn of(function: &'a Function) -> Frame<'a> {
        let empty = |_| Slot { value: Value::Unassigned, complete: Cell::new(false) };
        Frame { function: Some(function), slots: function.locals.iter().map(empty).collect() }
    }

    /// The function.
    pub(crate) fn function(&self) -> Option<&'a Function> {
        self.function
    }

    /// The present value of a component, perhaps not assigned or only in parts.
    pub(crate) fn peek(&self, local: LocalId) -> Option<&Value> {
        self.slots.get(local.0 as usize).map(|slot| &slot.value)
    }

    /// A component, to be changed in parts.
    pub(crate) fn part_mut(&mut self, local: LocalId) -> &mut Value {
        &mut self.slots[local.0 as usize].value
    }

    /// Gives a component its value.
    pub(crate) fn set(&mut self, local: LocalId, value: Value) {
        self.slots[local.0 as usize] = Slot { value, complete: Cell::new(false) };
    }

    /// Takes a component out.
    pub(crate) fn take(&mut self, local: LocalId) -> Value {
        std::mem::replace(&mut self.slots[local.0 as usize].value, Value::Unassigned)
    }

    /// A component that has to be assigned in all its parts.
    pub(crate) fn read(&self, local: LocalId, span: Span) -> Result<&Value, Failure> {
        let Some(slot) = self.slots.get(local.0 as usize) else {
            return Err(Failure::IllTyped { expected: "a value", found: "a component of no function", span });
        };
        if !slot.complete.get() {
            if !slot.value.is_complete() {
                return Err(self.not_assigned(local, span));
            }
            slot.complete.set(true);
        }
        Ok(&slot.value)
    }

    /// The failure of a component that is not assigned.
    pub(crate) fn not_assigned(&self, local: LocalId, span: Span) -> Failure {
        let name = self.function.map(|function| function.local(local).name.clone());
        Failure::NotAssigned { name: name.unwrap_or_default(), span }
    }
}
