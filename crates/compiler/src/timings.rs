//! How long each pass took.

use std::time::{Duration, Instant};

/// Passes in the order they ran, with their durations.
#[derive(Clone, Debug, Default)]
pub struct Timings {
    passes: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// Runs a pass and notes how long it took.
    pub fn measure<T>(&mut self, pass: &'static str, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let result = work();
        self.passes.push((pass, begun.elapsed()));
        result
    }

    /// How many passes there were.
    pub(crate) fn len(&self) -> usize {
        self.passes.len()
    }

    /// Inserts those of other passes at a place.
    pub(crate) fn insert(&mut self, place: usize, others: Timings) {
        self.passes.splice(place..place, others.passes);
    }

    /// The passes with their durations.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        self.passes.iter().copied()
    }
}
