//! The work of a run, counted: instructions of programs, and steps of interpreted functions.

use crate::running::Running;

/// Work since it was made.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meter {
    /// The work so far.
    pub(super) total: u64,
    last: u64,
}

impl Meter {
    /// Takes in the work of a run since the last call; answers what it was.
    pub(super) fn read(&mut self, running: &Running<'_>) -> u64 {
        let now = running.problem.evaluator.functions.work();
        // another mode begins to count anew
        let since = if now >= self.last { now - self.last } else { now };
        self.last = now;
        self.total += since;
        since
    }

    /// Leaves out the work so far.
    pub(super) fn skip(&mut self, running: &Running<'_>) {
        self.total -= self.read(running);
    }
}
