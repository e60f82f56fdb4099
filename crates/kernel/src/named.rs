//! Watched values with names, computed once all variables are known. The slot of each is assigned once, where their program is
//! made.

use crate::assemble::Layout;
use crate::code::Watch;
use crate::program::{Program, Slot};

/// Values that belong together, for each of some things.
#[derive(Clone, Debug)]
pub struct Named<T> {
    /// Computes them.
    pub program: Program,
    /// Their slots, in the order of the things.
    pub of: Vec<T>,
}

impl<T> Named<T> {
    /// From a watch with the values of each thing adjacent.
    pub(crate) fn new<const N: usize>(watch: Watch, name: impl Fn([Slot; N]) -> T) -> Named<T> {
        let (together, _) = watch.slots.as_chunks::<N>();
        Named { program: watch.program, of: together.iter().copied().map(name).collect() }
    }
}

impl<T: Slots> Named<T> {
    /// Replaces provisional slots by final ones, once the layout is known; the program is placed with those of the whole code.
    pub(crate) fn place_names(&mut self, layout: &Layout) {
        let slots = self.of.iter_mut().flat_map(Slots::slots);
        slots.for_each(|slot| *slot = layout.placed(*slot));
    }
}

/// A group of two named values.
pub trait Slots {
    /// Their slots.
    fn slots(&mut self) -> [&mut Slot; 2];
}

impl Slots for Sides {
    fn slots(&mut self) -> [&mut Slot; 2] {
        [&mut self.lhs, &mut self.rhs]
    }
}

impl Slots for SampleTimes {
    fn slots(&mut self) -> [&mut Slot; 2] {
        [&mut self.start, &mut self.interval]
    }
}

impl Slots for Setting {
    fn slots(&mut self) -> [&mut Slot; 2] {
        [&mut self.active, &mut self.value]
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

/// The times of a `sample`.
#[derive(Clone, Copy, Debug)]
pub struct SampleTimes {
    /// The time of its first tick.
    pub start: Slot,
    /// The time from one tick to the next.
    pub interval: Slot,
}

/// The effect of a `reinit`.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Whether it is active.
    pub active: Slot,
    /// The new value.
    pub value: Slot,
}
