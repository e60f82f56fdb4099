//! Values that somebody looks at by name, once all variables are known. Which of them stands where is said once, where their program is
//! made.

use crate::code::Watch;
use crate::program::{Program, Slot};

/// Values that belong together, for each of some things.
#[derive(Clone, Debug)]
pub struct Named<T> {
    /// Computes them.
    pub program: Program,
    /// Where they are then, in the order of the things.
    pub of: Vec<T>,
}

impl<T> Named<T> {
    /// Of a watch in which as many values follow each other as belong together.
    pub(crate) fn new<const N: usize>(watch: Watch, name: impl Fn([Slot; N]) -> T) -> Named<T> {
        let (together, _) = watch.slots.as_chunks::<N>();
        Named { program: watch.program, of: together.iter().copied().map(name).collect() }
    }
}

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named { program: Program::default(), of: Vec::new() }
    }
}

/// The sides of a condition.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    /// The left one.
    pub lhs: Slot,
    /// The right one.
    pub rhs: Slot,
}

/// When a `sample` ticks.
#[derive(Clone, Copy, Debug)]
pub struct SampleTimes {
    /// The time of its first tick.
    pub start: Slot,
    /// The time from one tick to the next.
    pub interval: Slot,
}

/// What a `reinit` does.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Whether it is active.
    pub active: Slot,
    /// The new value.
    pub value: Slot,
}
